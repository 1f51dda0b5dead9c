"""The board of the area game: map, geometry, sight, the map file and its checks."""
