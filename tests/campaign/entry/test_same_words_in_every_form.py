"""A position by each of the eight forms: the same fault is told with the same words."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import entry_forms as forms
import pytest
from positions import checked

A1 = {"id": "A-1", "side": "british", "type": "6-4-8", "at": "X18"}
A2 = A1 | {"id": "A-2"}
D1 = {"id": "D-1", "side": "german", "type": "4-6-7", "at": "X18"}
LMG = {"id": "LMG 1b", "side": "british", "type": "LMG", "at": "X18"}
GUN = {"id": "50L AT 1", "side": "german", "type": "50L AT", "at": "X18"}
TANK = {"id": "35-S 739(f) 1", "side": "german", "type": "35-S 739(f)", "at": "Y17"}
SQUAD, OTHER, GERMAN, SW, AT, S35 = (
    "b-648-1", "b-648-2", "g-467-1", "b-lmg-1", "g-50l-at-1", "g-35-s-739-f-1",
)  # fmt: skip


def put(*ids: str, at: str = "X18") -> dict[str, Any]:
    return {"do": "put", "ids": [*ids], "at": at}


def do(what: str, *ids: str, **facts: Any) -> dict[str, Any]:
    return {"do": what, "ids": [*ids], **facts}


CANNOT = "cannot be said in this form"
"""The form has no word for it."""
MENDED = "does not come about in this form"
"""The form has words for it, and what follows from them is right: the other way is undone."""


class Case(NamedTuple):
    """A fault: its words, what says it in a file, and by orders and with the mouse."""

    words: str
    keys: dict[str, Any]
    orders: list[str] | str
    mouse: list[dict[str, Any]] | str
    but: dict[str, str] = {}
    """By form, why another thing is told."""


NAMED = {"counts": CANNOT}
SEEN = {"vasl": CANNOT}
CASES = {
    "wrong hex": Case(
        "Z99 is not a hex of the map; nearest: Z9, Z19",
        {"units": [A1 | {"at": "Z99"}]},
        ["648 z99"],
        [put(SQUAD, at="Z99")],
        SEEN,
    ),
    "hex out of play": Case(
        "A25 is out of play: it lies under a box in a corner of the map",
        {"units": [A1 | {"at": "A25"}]},
        ["648 a25"],
        [put(SQUAD, at="A25")],
        SEEN,
    ),
    "no such level": Case(
        "X18/9 is not a Location: write X18 for ground level, X18/1 for first level, "
        "X18/pillbox inside a pillbox",
        {"units": [A1 | {"at": "X18/9"}]},
        ["648 x18/9"],
        [put(SQUAD, at="X18/9")],
        SEEN,
    ),
    "a level that the hex has not": Case(
        "W21/1 has a level, but there is no building in W21: write W21",
        {"units": [A1 | {"at": "W21/1"}]},
        ["648 w21/1"],
        [put(SQUAD, at="W21/1")],
        {"vasl": MENDED},  # the counter is taken on the ground, which is told
    ),
    "no pillbox": Case(
        "Z21/pillbox says there is a pillbox in Z21: list it under fortifications",
        {"units": [A1 | {"at": "Z21/pillbox"}]},
        ["648 z21/p"],
        [put(SQUAD, at="Z21/pillbox")],
        SEEN,
    ),
    "a vehicle upstairs": Case(
        "X18/1 cannot hold a vehicle: write X18",
        {"vehicles": [TANK | {"at": "X18/1"}]},
        ["35-S x18/1"],
        [put(S35, at="X18/1")],
        {"vasl": MENDED},
    ),
    "a trench upstairs": Case(
        "W21/1 cannot hold a trench: write W21",
        {"fortifications": [{"kind": "trench", "at": "W21/1"}]},
        ["trench w21/1"],
        [do("ground", name="trench", at="W21/1")],
        SEEN,
    ),
    "enemy Entry Area": Case(
        "off-map A7 is not a British Entry Area; it must be one of: off-map Z28, off-map TT14",
        {"units": [A1 | {"at": "off-map A7"}]},
        ["648 off-map a7"],
        [put(SQUAD, at="off-map A7")],
        SEEN,
    ),
    "exited on the map": Case(
        "exited needs an Entry Area as its place, for example off-map A7 (CG15)",
        {"units": [D1 | {"status": ["exited"]}]},
        ["g", "467 exited x18"],
        [put(GERMAN), do("status", GERMAN, name="exited")],
        SEEN,
    ),
    "unknown type": Case(
        "6-4-9 is not a British unit; nearest: 6-4-8, 1-4-9, 4-4-7",
        {"units": [A1 | {"type": "6-4-9"}]},
        CANNOT,  # what is typed may be a type, a status or a place: see below
        CANNOT,
        SEEN,
    ),
    "unknown formation": Case(
        "ox and bucks is not a formation; nearest: ox-and-bucks; it must be one of: "
        "ox-and-bucks, 7th-battalion, airborne, non-airborne, gr-736, pzpi-1, pzpi-2, fjr-6",
        {"units": [A1 | {"formation": "ox and bucks"}]},
        CANNOT,
        CANNOT,
        SEEN,
    ),
    "unknown status": Case(
        "brokn is not one of the choices; nearest: broken",
        {"units": [A1 | {"status": ["brokn"]}]},
        CANNOT,
        [put(SQUAD), do("status", SQUAD, name="brokn")],
        SEEN,
    ),
    "an impossible status": Case(
        "wounded is for leaders and heroes; an MMC is walking-wounded (CG17)",
        {"units": [A1 | {"status": ["wounded"]}]},
        ["648 wounded x18"],
        [put(SQUAD), do("status", SQUAD, name="wounded")],
    ),
    "two statuses that exclude each other": Case(
        "berserk cannot be beside broken (A15.4)",
        {"units": [A1 | {"status": ["broken", "berserk"]}]},
        ["648 broken berserk x18"],
        [put(SQUAD), do("status", SQUAD, name="broken"), do("status", SQUAD, name="berserk")],
    ),
    "a hooked SW": Case(
        "hooked is for Guns, and LMG is a SW",
        {"equipment": [LMG | {"status": ["hooked"]}]},
        ["lmg hooked x18"],
        [put(SW), do("status", SW, name="hooked")],
    ),
    "a prisoner without a Guard": Case(
        "is missing: a prisoner has a Guard, so name the Guard",
        {"units": [A1 | {"status": ["prisoner"]}]},
        ["648 prisoner x18"],
        [put(SQUAD), do("status", SQUAD, name="prisoner")],
        {"vasl": MENDED},  # his counter names nobody: it is left out, which is told
    ),
    "a Guard of his own side": Case(
        "A-2 cannot guard him: a Guard is a free unit of the enemy",
        {"units": [A1 | {"status": ["prisoner"], "guarded_by": "b-648-2"}, A2]},
        ["648 x18", "648 x18", "A-2 guards A-1"],
        [put(SQUAD, OTHER), do("guard", OTHER, SQUAD)],
        NAMED | {"vasl": MENDED},
    ),
    "aboard an enemy vehicle": Case(
        "35-S 739(f) 1 is an enemy vehicle: only prisoners are aboard one",
        {"units": [A1 | {"aboard": "35-S 739(f) 1"}], "vehicles": [TANK | {"at": "X18"}]},
        ["648 x18", "35-S x18", "A-1 aboard 35-S-739(f)-1"],
        [put(SQUAD, S35), do("aboard", S35, SQUAD)],
        NAMED | {"vasl": MENDED},
    ),
    "one piece, two possessors": Case(
        "LMG 1b is possessed by A-1 too: one piece, one possessor",
        {"units": [A1 | {"possesses": ["LMG 1b"]}, A2 | {"possesses": ["LMG 1b"]}],
         "equipment": [LMG]},
        ["648 lmg x18", "648 x18", "A-2 has LMG-1b"],
        [put(SQUAD, OTHER, SW), do("give", SQUAD, SW), do("give", OTHER, SW)],
        NAMED | {"orders": MENDED, "mouse": MENDED, "vasl": MENDED},
    ),
    "a Gun and its possessor in two hexes": Case(
        "50L AT 1 is at Y17, but its possessor is at X18",
        {"units": [D1 | {"possesses": ["50L AT 1"]}], "equipment": [GUN | {"at": "Y17"}]},
        ["g", "467 x18", "50lat y17", "D-1 has 50L-AT-1"],
        [put(GERMAN), put(AT, at="Y17"), do("give", GERMAN, AT)],
        NAMED | {"orders": MENDED, "mouse": MENDED, "vasl": MENDED},
    ),
    "one id, two entries": Case(
        "A-1 is used twice: first in units, entry 1",
        {"units": [A1, A1 | {"at": "Y20"}]},
        ["A-1 x18", "A-1 y20"],
        [put(SQUAD), put(SQUAD, at="Y20")],
        NAMED | {"orders": MENDED, "mouse": MENDED, "vasl": MENDED,
                 "workbook": "A-1 is used twice: first in sheet units, row 2"},
    ),
    "Eliminated and on the map": Case(
        "A-1 is among the Eliminated too: keep one of the two",
        {"units": [A1], "eliminated": ["british A-1"]},
        ["A-1 x18", "A-1 eliminated"],
        [put(SQUAD), do("eliminate", SQUAD)],
        NAMED | {"orders": MENDED, "mouse": MENDED, "vasl": CANNOT},
    ),
    "a facing that is none": Case(
        "X18/X20 is not a hexside or hexspine: write the two hexes beside it, as Y22/Z22",
        {"equipment": [GUN | {"ca": "X18/X20"}]},
        CANNOT,
        [put(AT), do("face", AT, at="X18/X20")],
        SEEN,
    ),
    "a facing off the map": Case(
        "Y99/Z17 names the hex Y99, which is not a hex of the map; nearest: Y9, Y29, Y19",
        {"vehicles": [TANK | {"vca": "Y99/Z17"}]},
        CANNOT,
        [put(S35), do("face", S35, at="Y99/Z17")],
        SEEN,
    ),
    "a large foxhole": Case(
        "9 must be from 1 to 3 for a foxhole",
        {"fortifications": [{"kind": "foxhole", "at": "W21", "size": 9}]},
        ["foxhole w21 9"],
        [do("ground", name="foxhole", at="W21", size=9)],
        SEEN,
    ),
    "a trench with a size": Case(
        "2 is not for a trench: foxholes and mines have one",
        {"fortifications": [{"kind": "trench", "at": "W21", "size": 2}]},
        ["trench w21 2"],
        [do("ground", name="trench", at="W21", size=2)],
        SEEN,
    ),
    "Control of nothing": Case(
        "Y17 is not a Strategic Location (9.2): the vehicle there (35-S 739(f) 1) is Mobile",
        {"control": {"german": ["Y17"]}, "vehicles": [TANK]},
        ["g", "35-S y17", "control german y17"],
        [put(S35, at="Y17"), do("control", side="german", places=["Y17"])],
        SEEN,
    ),
    "Control off map": Case(
        "off-map Z28 must be on the map",
        {"control": {"british": ["off-map Z28"]}},
        ["control british off-map z28"],
        [do("control", side="british", places=["off-map Z28"])],
        SEEN,
    ),
    "Control of both sides": Case(
        "X18 is Controlled by both sides: strike it out on one",
        {"control": {"british": ["X18"], "german": ["X18"]}},
        ["control british x18", "control german x18"],
        [do("control", side=side, places=["X18"]) for side in ("british", "german")],
        {"orders": MENDED, "mouse": MENDED, "vasl": CANNOT},
    ),
    "Control said twice": Case(
        "X18 stands there twice",
        {"control": {"british": ["X18", "X18"]}},
        ["control british x18 x18"],
        [do("control", side="british", places=["X18", "X18"])],
        {"orders": MENDED, "mouse": MENDED, "vasl": CANNOT},
    ),
}  # fmt: skip


def told_words(name: str, form: str, folder: Path) -> tuple[list[str], str]:
    """Return what a form tells of a case, and the reason why it may tell another thing."""
    case = CASES[name]
    given = getattr(case, form, case.keys)
    reason = case.but.get(form, given if isinstance(given, str) else "")
    return ([] if reason == CANNOT else getattr(forms, form)(folder, given)), reason


FORMS = (*(each.__name__ for each in forms.FILES), "orders", "mouse")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", CASES)
def test_a_fault_has_the_same_words_in_every_form(name: str, form: str, tmp_path: Path) -> None:
    said, reason = told_words(name, form, tmp_path)
    expected = {"": [CASES[name].words], CANNOT: [], MENDED: []}
    assert said == expected.get(reason, [reason])


def test_what_is_no_type_in_an_order_has_the_nearest_that_a_file_names(tmp_path: Path) -> None:
    (in_file,) = forms.yaml(tmp_path, {"units": [A1 | {"type": "6-4-9"}]})
    (typed,) = forms.orders(tmp_path, ["6-4-9 x18"])
    assert typed.partition("; ")[1:] == in_file.partition("; ")[1:]


def test_a_fortification_on_wrong_ground_has_one_sentence(tmp_path: Path) -> None:
    """A file goes on with it (Look again), an order and the mouse do not place it."""
    (remark,) = checked(fortifications=[{"kind": "wire", "at": "V22", "owner": "british"}]).remarks
    assert forms.orders(tmp_path, ["wire v22"]) == [remark.removesuffix(".")]
    assert forms.mouse(tmp_path, [do("ground", name="wire", at="V22")]) == [
        remark.removesuffix(".")
    ]


def test_a_paper_campaign_without_pieces_is_read_for_its_faults_too(tmp_path: Path) -> None:
    """No key is overlooked, and the CG Date must be there."""
    keys = {"date": None, "turn": "five", "unitz": []}
    assert forms.paper(tmp_path, keys) == forms.yaml(tmp_path, keys)


@pytest.mark.parametrize("form", ["yaml", "workbook", "counts", "paper", "orders", "mouse"])
def test_what_is_odd_has_the_same_words_in_every_form(form: str, tmp_path: Path) -> None:
    """A German alone where nobody Controls; a VASL save infers Control of it (A26.11)."""
    said = {
        "orders": ["g", "467 x18", "control nobody x18"],
        "mouse": [put(GERMAN), do("control", places=["X18"])],
    }
    found = forms.remarks(form, tmp_path, said.get(form, {"units": [D1]}))
    assert [each for each in found if "A26.11" in each] == [ODD]


ODD = "Nobody Controls X18, where 4-6-7 D-1 is alone (A26.11)."
