"""Shared texts of a workbook, with the letters that Excel writes by their number put right.

Excel writes a carriage return as _x000D_ and an underscore before such a sign as _x005F_. openpyxl
takes every x005F_ out of a text, also where somebody typed it.
"""

from __future__ import annotations

import re
from typing import Final, cast

from openpyxl.cell.text import Text
from openpyxl.reader.excel import ExcelReader
from openpyxl.xml.constants import SHARED_STRINGS, SHEET_MAIN_NS
from openpyxl.xml.functions import iterparse

_SIGN: Final = re.compile(r"_x([0-9A-Fa-f]{4})_")


class WorkbookReader(ExcelReader):
    """Read a workbook as openpyxl does, its texts as Excel shows them."""

    def read_strings(self) -> None:
        """Read the part of the shared texts, if there is one."""
        part = self.package.find(SHARED_STRINGS)  # type: ignore[no-untyped-call]
        if part is None:
            return
        with self.archive.open(part.PartName[1:]) as stream:
            for _, node in iterparse(stream):
                if node.tag == f"{{{SHEET_MAIN_NS}}}si":
                    text = cast("Text", Text.from_tree(node))
                    self.shared_strings.append(read_signs(text.content))
                    node.clear()


def read_signs(text: str) -> str:
    """Return a text with each letter that is written by its number, as _x000D_, put right."""
    return _SIGN.sub(lambda sign: chr(int(sign[1], 16)), text)
