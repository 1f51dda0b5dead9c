"""The meaning of a counter of VASL: a type of ours, a marker, nothing, or unknown."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final, Literal

import msgspec

from asl_pbcg.campaign.module.catalogue import Catalogue
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.typed_data import TableFile, data_file, unless_known
from asl_pbcg.vasl.save_counters import SaveCounter

Sort = Literal[
    "unit",
    "equipment",
    "vehicle",
    "wreck",
    "glider",
    "control",
    "fortification",
    "terrain",
    "level",
    "marker",
    "concealment",
    "cloak",
    "prisoner",
    "silent",
    "unknown",
]

_WRECK = " Wreck"
"""How VASL calls the wreck of a vehicle."""
_UNITS = ("squad", "half_squad", "crew", "leader", "hero", "armor_leader")
_SORTS: dict[str, Sort] = {
    **dict.fromkeys(_UNITS, "unit"),
    "sw": "equipment",
    "gun": "equipment",
    "vehicle": "vehicle",
    "wreck": "wreck",
    "glider": "glider",
    "control": "control",
    "fortification": "fortification",
    "terrain": "terrain",
}


class VaslName(msgspec.Struct, frozen=True):
    """A line of ``vasl_names.csv``."""

    vasl_name: str
    kind: str
    nation: Literal["br", "ge", ""] = ""
    type: str = ""
    side: Side | None = None
    formation: str = ""
    gpids: tuple[str, ...] = ()
    cvp: int | None = None
    note: str = ""


class Meaning(msgspec.Struct, frozen=True):
    """The meaning of a counter. ``type`` is our name of it, empty if we have none."""

    sort: Sort
    kind: str = ""
    type: str = ""
    side: Side | None = None
    formation: str = ""
    """A formation's id; ``para`` is 7th-battalion or airborne, which a counter does not tell."""
    meant: str = ""
    """Of an unknown name: the type its number in VASL's palette stands for."""


class Measures(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The measures of the board, in pixels."""

    name: str
    width: int
    height: int
    edge: int
    column: float
    row: float
    top: float
    geomorphic: tuple[int, int]


class Facts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``data/pb/vasl.yaml``."""

    board: Measures
    nations: dict[str, Side]
    statuses: dict[str, dict[str, tuple[str, ...]]]
    depleted: dict[str, str]
    levels: dict[str, int]
    level_marker: str
    other_levels: tuple[str, ...]
    prisoners: dict[str, str]
    unarmed: dict[str, str]
    cloak: str
    scrounged: str
    bypass: str
    gliders: dict[str, str]
    glider_bases: tuple[str, ...]
    minefields: tuple[str, ...]
    dummy_minefield: str
    rubble: dict[str, str]
    blazes: tuple[str, ...]
    base_names: dict[str, str]
    formations: dict[str, str]
    casualties: dict[str, Side]
    scenario_info: dict[str, tuple[str, ...]]
    booby_traps: tuple[str, ...]
    begins: dict[str, str]
    begins_from: str
    staying: frozenset[str]
    silent: frozenset[str]
    silent_endings: tuple[str, ...]
    silent_beginnings: tuple[str, ...]


def _check_facts(facts: Facts) -> Iterator[tuple[str, str]]:
    for name, lists in facts.statuses.items():
        for kind in lists:
            yield from unless_known(f"statuses.{name}", kind, _KINDS, "list of a position")


_KINDS: Final = ("units", "equipment", "vehicles")
FACTS: Final = data_file("pb/vasl.yaml", Facts, _check_facts)


def _check_rows(rows: tuple[VaslName, ...]) -> Iterator[tuple[str, str]]:
    for row in rows:
        yield from unless_known(f"{row.vasl_name}, kind", row.kind, _SORTS, "kind of counter")


NAMES: Final = TableFile("pb/vasl_names.csv", VaslName, _check_rows)


def facts() -> Facts:
    """Return the facts about VASL's markers and board."""
    return FACTS.content


@cache
def _by_name() -> dict[tuple[str, str], VaslName]:
    return {(row.nation, row.vasl_name): row for row in NAMES.content}


@cache
def _by_gpid() -> dict[str, VaslName]:
    return {gpid: row for row in NAMES.content for gpid in row.gpids}


def _first_known(names: str, side: Side, kind: str, catalogue: Catalogue) -> str:
    """Return the first of several names for a type that the catalogue knows."""
    if kind not in (*_UNITS, "sw", "gun", "vehicle", "wreck"):
        return names
    types = (name for name in names.split("|") if catalogue.find(name, side) is not None)
    return next(types, "")


def meaning(counter: SaveCounter, catalogue: Catalogue) -> Meaning:
    """Return the meaning of ``counter``."""
    names = facts()
    if counter.conceals:
        return Meaning("concealment", side=names.nations.get(counter.conceals))
    name, nation = counter.name, counter.nation
    if counter.base == names.level_marker:
        return Meaning("level")
    if counter.base == names.cloak:
        return Meaning("cloak", side=names.nations.get(nation))
    if name in names.prisoners:
        return Meaning("prisoner", kind=names.prisoners[name])
    if name in names.unarmed:
        return Meaning("prisoner", kind=names.unarmed[name], type="unarmed")
    if counter.base in names.glider_bases:
        return Meaning("glider", "glider", "Glider", Side.BRITISH)
    if counter.base in names.minefields:
        return Meaning("fortification", "fortification", "minefield")
    if counter.base == "Rubble":
        return Meaning("terrain", "terrain", "rubble")
    row = _by_name().get((nation, name)) or _by_name().get(("", name))
    if row is not None and row.kind == "vehicle" and counter.says(_WRECK.strip()):
        row = msgspec.structs.replace(row, kind="wreck")
    if row is not None:
        return _of_row(row, counter, catalogue)
    whole = _by_name().get((nation, name.removesuffix(_WRECK))) if name.endswith(_WRECK) else None
    if whole is not None and whole.kind == "vehicle":
        return _of_row(msgspec.structs.replace(whole, kind="wreck"), counter, catalogue)
    if name in names.statuses or name in names.depleted or name in (names.scrounged, names.bypass):
        return Meaning("marker")
    if (
        names.silent.intersection((name, counter.base))
        or name.endswith(names.silent_endings)
        or name.startswith(names.silent_beginnings)
    ):
        return Meaning("silent")
    hint = _by_gpid().get(counter.gpid.rpartition(":")[2])
    meant = _of_row(hint, counter, catalogue) if hint and hint.nation in ("", nation) else None
    return Meaning(
        "unknown",
        side=names.nations.get(nation),
        kind=meant.kind if meant else "",
        meant=meant.type if meant else "",
    )


def _of_row(row: VaslName, counter: SaveCounter, catalogue: Catalogue) -> Meaning:
    names = facts()
    side = row.side if row.side else names.nations.get(counter.nation)
    formation = row.formation
    if not formation:
        marks = (names.formations.get(state) for state in counter.states)
        formation = next(filter(None, marks), names.base_names.get(counter.base, ""))
    elif "Para" in row.vasl_name:
        formation = "para"
    type = _first_known(row.type, side, row.kind, catalogue) if side else row.type
    return Meaning(_SORTS[row.kind], row.kind, type, side, formation)


def minefield(counter: SaveCounter) -> tuple[str, int | None]:
    """Kind and factors of a minefield.

    Its blank side shows neither: they stand in a layer beneath, its owner's secret.
    """
    for name in (counter.name, *reversed(counter.beneath)):
        number, _, sort = name.partition(" ")
        if number.isdecimal() and sort in ("FP Minefield", "AT Minefield"):
            return "ap-mines" if sort.startswith("FP") else "at-mines", int(number)
    return "minefield", None
