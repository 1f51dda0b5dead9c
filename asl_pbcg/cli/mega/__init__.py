"""Commands of the megagame umpire."""
