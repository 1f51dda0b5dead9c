"""Commands of the area game."""
