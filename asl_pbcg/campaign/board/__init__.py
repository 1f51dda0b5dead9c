"""The board of a module: hexes, Entry Areas, players' corrections, checks."""
