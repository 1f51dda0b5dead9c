"""The map sheet: the board drawn, with layers and counters."""
