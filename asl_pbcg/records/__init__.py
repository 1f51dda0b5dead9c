"""How a sheet is printed: a table and a layout in, PDF and Excel out. Knows no game."""

from asl_pbcg.records.layout import Layout, Orientation, Paper
from asl_pbcg.records.output import save, to_excel, to_pdf
from asl_pbcg.records.sheet import Sheet
from asl_pbcg.records.templates import check_folder, load_layout

__all__ = [
    "Layout",
    "Orientation",
    "Paper",
    "Sheet",
    "check_folder",
    "load_layout",
    "save",
    "to_excel",
    "to_pdf",
]
