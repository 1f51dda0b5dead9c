"""Thinking about games of the area game: teacher, analyst, expert."""
