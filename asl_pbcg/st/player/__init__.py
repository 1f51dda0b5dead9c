"""The automatic players of the area game."""
