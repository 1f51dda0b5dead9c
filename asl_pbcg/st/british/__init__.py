"""The British player's choices: options, reach, the start, Coordination loss."""
