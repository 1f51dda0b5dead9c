"""What pages and docstrings write as code is in the house."""

from __future__ import annotations

import pytest
from code_names import ROOT, is_stale, names_in_docstrings, names_in_page

ELSEWHERE = {
    "BalancedColumns": "reportlab",
    'Meta(extra={"reads": "hex"})': "msgspec",
    "msgspec.Meta(extra=...)": "msgspec",
    "cli/tide_command.py": "the made-up command of building.md",
    "web/static/js/widgets/dial.js": "the made-up widget of building.md",
    'MILL_RULINGS.read_typed(["tide=dawn"], "--setting")': "the made-up ruling of building.md",
    "print_tide": "the made-up command of building.md",
    'tells(lines, "b13", "W25", "Retained")': "a line of a test",
    "x.csv": "a file that a player names",
    "x-losses.csv": "a file that a player names",
    "arm-1.csv": "a file that a study writes",
    "roll_final": "a heading made of two names",
    "inlineStr": "Excel",
    "anna.tail1234.ts.net": "the name of a player's machine",
    "gB4": "an order as it is typed",
    "powB3": "an order as it is typed",
    "S(H)": "a result as it is printed",
    "read_stroke()": "a call in an example",
}
"""Names of other houses, by whose they are."""


@pytest.mark.finding("J-90")
def test_pages_and_docstrings_name_what_is_there() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    modules = [
        path for room in ("asl_pbcg", "tests/support") for path in (ROOT / room).rglob("*.py")
    ]
    names = [name for page in pages if page.name != "CHANGELOG.md" for name in names_in_page(page)]
    names += [name for module in modules for name in names_in_docstrings(module)]
    stale = {str(name) for name in names if name.text not in ELSEWHERE and is_stale(name)}
    assert not stale
    assert len(names) > 5000
