"""Places are values: nothing is guessed from the letters of a name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from refit_helpers import BRITISH, GERMAN, piece

import asl_pbcg
from asl_pbcg.campaign.location import Area, Location
from asl_pbcg.kernel.errors import PBCGError

PACKAGE = Path(asl_pbcg.__file__).parent


@pytest.mark.parametrize(
    ("id", "kind", "words"),
    [
        ("B", "Setup Area", "Setup Area B"),
        ("AA", "Setup Area", "Setup Area AA"),
        ("A7", "Entry Area", "Entry Area A7"),
        ("KK1", "Entry Area", "Entry Area KK1"),
        ("Glider", "Glider", "by Glider"),
    ],
)
def test_an_area_is_read_from_its_id(id: str, kind: str, words: str) -> None:
    area = Area.parse(id)
    assert (area.kind, area.id, str(area)) == (kind, id, words)
    assert area.is_setup_area == (kind == "Setup Area")
    assert area.is_entry_area == (kind == "Entry Area")


@pytest.mark.parametrize("text", ["", "kompanie-1", "A7/1", "off-map A7", "7", "A 7"])
def test_what_is_no_area_is_refused(text: str) -> None:
    with pytest.raises(PBCGError):
        Area.parse(text)


def test_setup_areas_come_before_entry_areas() -> None:
    ids = ["KK1", "AA", "B", "A7", "A"]
    assert sorted(ids, key=lambda id: Area.parse(id).order) == ["A", "B", "AA", "A7", "KK1"]


def test_a_piece_knows_where_it_is() -> None:
    waiting = piece("g", GERMAN, "4-6-7", str(Location.off_map("A7")), area="A7")
    assert (waiting.off_map, waiting.on_map, waiting.location.entry) == (True, False, "A7")
    assert waiting.retained_in == Area("Entry Area", "A7")
    standing = piece("b", BRITISH, "6-4-8", "Z15/1")
    assert (standing.off_map, standing.on_map, standing.retained_in) == (False, True, None)
    nowhere = piece("x", BRITISH, "6-4-8")
    assert (nowhere.off_map, nowhere.on_map) == (False, False)


def test_no_rule_counts_the_digits_of_a_place() -> None:
    guess = re.compile(r'\.isdigit\(\) (?:for|else)|startswith\("off-map|removeprefix\("off-map')
    found = [
        path.name
        for room in ("refit", "campaign")
        for path in (PACKAGE / room).rglob("*.py")
        if guess.search(path.read_text(encoding="utf-8"))
    ]
    # It reads what players typed, and says what is wrong with it.
    assert found == ["position_fields.py"]
