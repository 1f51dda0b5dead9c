"""ASL coordinates, the board, hex sets, distance, paths, outlines, map drawing."""
