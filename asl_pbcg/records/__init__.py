"""How a sheet is printed: a table and a layout in, PDF and Excel out. Knows no game."""
