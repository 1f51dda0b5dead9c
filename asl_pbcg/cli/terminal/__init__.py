"""A person at a terminal: screen, keys, long lines, pages, progress."""
