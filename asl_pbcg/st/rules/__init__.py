"""The rules of the area game: its phases in order, and the procedures that they share."""
