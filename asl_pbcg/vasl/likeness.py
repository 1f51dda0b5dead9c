"""Which counters are alike: one may stand for another, as all of a kind do on a map.

What a counter of the ground says (which Fortification, which terrain, which glider) is read here,
for ``read_scene`` too.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from asl_pbcg.campaign.module.catalogue import Catalogue
from asl_pbcg.campaign.position import Fortification, Glider
from asl_pbcg.campaign.position_words import FortificationKind, TerrainKind
from asl_pbcg.campaign.terms import Side
from asl_pbcg.vasl.layers import CannotEdit, read_states, turn, words_of
from asl_pbcg.vasl.names import NAMES, Sort, VaslName, facts, meaning, minefield
from asl_pbcg.vasl.names import Meaning as Meaning
from asl_pbcg.vasl.save_counters import SaveCounter

MINES = {FortificationKind.AP_MINES: "FP", FortificationKind.AT_MINES: "AT"}
_SIZES = ("1S", "2S", "3S")
_WRECK = "Wreck"


class Likeness(NamedTuple):
    """The facts that like counters share. ``type`` is ours; of a marker VASL's name."""

    sort: Sort
    type: str
    side: str = ""
    """The side whose counter it is; empty if it is of either."""
    detail: str = ""
    """Of a Fortification its size or strength, of a glider its state."""

    @property
    def title(self) -> str:
        """Return the name in a report."""
        of = Side(self.side).title if self.sort in ("control", "concealment") else ""
        plain = self.type
        if self.sort in ("terrain", "fortification"):
            plain = plain.replace("-", " ")
        sort = {"control": "Control", "concealment": '"?"', "marker": "marker", "wreck": "Wreck"}
        return " ".join(filter(None, (of, plain, self.detail, sort.get(self.sort, ""))))


PERIMETER = Likeness("silent", "Perimeter")
"""A counter that shows where a Setup Area ends."""


# -- counters of the ground --------------------------------------------------------------------


def read_fortification(counter: SaveCounter, meant: Meaning) -> tuple[str, int | None, str] | None:
    """Return kind, size and strength of a Fortification; None for a Dummy minefield."""
    if meant.type == "minefield":
        if facts().dummy_minefield in (counter.name, *counter.beneath):
            return None
        return *minefield(counter), ""
    if meant.type == FortificationKind.FOXHOLE:
        return meant.type, next((int(e[0]) for e in counter.states if e in _SIZES), 1), ""
    if meant.type == FortificationKind.PILLBOX:
        own = counter.name.removesuffix(" Pillbox")
        capacity = next((state for state in counter.states if state in ("1+", "2+", "3+")), "")
        return meant.type, None, own if own.count("+") > 1 else f"{capacity}{own}"
    return meant.type, None, ""


def read_terrain(counter: SaveCounter, meant: Meaning) -> str:
    """Return which change of terrain a counter is."""
    if meant.type != "rubble":
        return meant.type
    named = (facts().rubble[state] for state in counter.states if state in facts().rubble)
    return next(named, TerrainKind.RUBBLE_STONE)


def read_glider(counter: SaveCounter) -> str:
    """Return the state of a glider; empty if its counter does not say."""
    states = [facts().gliders[state] for state in counter.states if state in facts().gliders]
    return states[-1] if states else ""


# -- what is alike ---------------------------------------------------------------------------


def likeness(counter: SaveCounter, meant: Meaning) -> Likeness | None:
    """Return what a counter shares with those that can stand for it; None if it is not known."""
    side = meant.side or ""
    match meant.sort:
        case "unit" | "equipment" | "vehicle" | "wreck":
            return Likeness(meant.sort, meant.type, side) if meant.type else None
        case "prisoner" | "marker":
            return Likeness(meant.sort, counter.name)
        case "level":
            levels = [state for state in counter.states if state in facts().levels]
            return Likeness("level", levels[-1]) if levels else None
        case "glider":
            return Likeness("glider", "Glider", "", read_glider(counter))
        case "control" | "concealment":  # of a third nation it is nobody's here
            return Likeness(meant.sort, "", side) if side else None
        case "terrain":
            return Likeness("terrain", read_terrain(counter, meant))
        case "fortification":
            part = read_fortification(counter, meant)
            return part and Likeness("fortification", part[0], "", part[2] or str(part[1] or ""))
        case "silent" if counter.name.lower().endswith(PERIMETER.type.lower()):
            return PERIMETER
    return None


def of_fortification(part: Fortification) -> Likeness:
    """Return what the counter of a Fortification is like."""
    size = part.size
    if part.kind is FortificationKind.FOXHOLE:
        size = size or 1
    elif part.kind not in MINES:
        size = None
    return Likeness("fortification", str(part.kind), "", part.strength or str(size or ""))


def of_glider(glider: Glider) -> Likeness:
    """Return what the counter of a glider is like."""
    return Likeness("glider", "Glider", "", str(glider.state))


@cache
def rows_of(like: Likeness) -> tuple[VaslName, ...]:
    """Return the lines of ``vasl_names.csv`` for counters that are alike."""
    return tuple(
        row
        for row in NAMES.content
        if like.type in row.type.split("|")
        and row.side in (None, like.side or None)
        and (row.kind == like.sort or (row.kind == "vehicle" and like.sort == "wreck")
             or (like.sort in ("unit", "equipment") and row.side == like.side))
    )  # fmt: skip


def spellings(like: Likeness, formation: str = "") -> Iterator[tuple[str, ...]]:
    """Yield what a counter must say to be like others: names and words that are turned on.

    The counter of the piece's own formation comes first.
    """
    names = facts()
    if like.sort in ("level", "marker", "prisoner", "silent"):
        yield (like.type,)
    elif like.sort == "concealment":
        yield ("?",)
    elif like.sort == "glider":
        yield from ((word,) for word, state in names.gliders.items() if state == like.detail)
    elif like.type in MINES:
        yield (f"{like.detail} {MINES[FortificationKind(like.type)]} Minefield",)
    elif like.sort == "fortification" and like.type == FortificationKind.FOXHOLE:
        yield (f"{like.detail}S",)
    elif like.sort == "fortification" and like.type == FortificationKind.PILLBOX:
        yield (f"{like.detail} Pillbox",)
        capacity, _, strength = like.detail.partition("+")
        yield (f"{strength} Pillbox", f"{capacity}+")
    elif like.type in names.rubble.values():
        yield from ((word,) for word, kind in names.rubble.items() if kind == like.type)
    else:
        rows = sorted(rows_of(like), key=lambda row: (row.formation != formation, row.formation))
        for row in rows:
            yield (row.vasl_name,)
            if row.kind == "vehicle" and like.sort == "wreck":
                yield (row.vasl_name, _WRECK)


def become(
    traits: list[str], states: list[str], like: Likeness, formation: str, catalogue: Catalogue
) -> list[str] | None:
    """Return the states in which a counter is like others, or None if no keys make it so."""
    able = words_of(traits)
    for words in spellings(like, formation):
        if not able.issuperset(words[:-1]) or words[-1] not in able:
            continue
        try:
            trial = states
            for word in words:
                trial = turn(traits, trial, word, beneath=like.type in MINES)
            counter = read_states(traits, trial)
        except CannotEdit:
            continue
        if likeness(counter, meaning(counter, catalogue)) == like:
            return trial
    return None


def fits_formation(meant: Meaning, formation: str) -> int:
    """Return how well a counter fits a piece's formation: 0 best, 2 another formation's."""
    own = meant.formation
    if own == formation or (own == "para" and formation in ("7th-battalion", "airborne")):
        return 0
    return 1 if not own or not formation else 2
