"""The counters of a save as a stock: what lies where, and of what a copy can be made.

A copy carries nothing over but what it is: who laid it, whom it was hidden for, its label and where
it has been stay behind.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from asl_pbcg.campaign.board.board import Board
from asl_pbcg.campaign.module.catalogue import Catalogue
from asl_pbcg.campaign.terms import Side
from asl_pbcg.vasl.archive import (
    chain,
    chain_of_type,
    commands,
    join_chain,
    read_text,
    replace_parts,
    split,
)
from asl_pbcg.vasl.editor import SaveEditor
from asl_pbcg.vasl.hiders import Hiders
from asl_pbcg.vasl.layers import CannotEdit, read_states
from asl_pbcg.vasl.likeness import Likeness, become, fits_formation, likeness
from asl_pbcg.vasl.names import Meaning, Sort, facts, meaning
from asl_pbcg.vasl.save_board import HexSpot, Placed, find_hex
from asl_pbcg.vasl.save_counters import SaveCounter
from asl_pbcg.vasl.viewer import Owners, visible

_COPIED: tuple[Sort, ...] = (
    *("unit", "equipment", "vehicle", "wreck", "glider", "control", "fortification", "terrain"),
    *("level", "marker", "prisoner", "silent", "concealment"),
)
"""The sorts of counters that may be copied."""
_QUESTION = "concealment;"
"""The trait of a "?": it has the password of the player who laid it, which no pattern keeps."""
_BLANK = {"hide": "null", "conceal": "null;", "obs": "null;", "moved": "false"}
"""The states of traits of a copy; those that hold what players wrote or did are empty."""
_EMPTY = ("label", "footprint", "propertysheet", "PROP")
_PLACED = 4  # fields of a place: map, x, y and the number of the palette
_KEPT = ("UniqueID", "ppScale")


class Lying(msgspec.Struct, frozen=True):
    """A counter where it lies in a save."""

    id: str
    counter: SaveCounter
    meaning: Meaning
    like: Likeness | None
    spot: HexSpot
    """Its hex; empty beside the board."""

    @property
    def sort(self) -> Sort:
        """Return the sort of counter it is."""
        return self.meaning.sort

    def is_in(self, hex: str) -> bool:
        """Return whether it lies in a hex, or on a hexside of it."""
        return bool(hex) and hex in (self.spot.hex, self.spot.across)


def lying_counters(
    editor: SaveEditor,
    placed: Placed,
    board: Board,
    catalogue: Catalogue,
    hiders: Hiders,
    viewer: Side | None = None,
    owners: Owners | None = None,
) -> list[Lying]:
    """Return the counters on the map of a save that ``viewer`` may see, stack by stack."""
    heaps: dict[int, list[tuple[str, SaveCounter]]] = defaultdict(list)
    for number, (id, counter) in enumerate(editor.counters().items()):
        heaps[counter.stack if counter.stack >= 0 else -1 - number].append((id, counter))
    on_map: list[Lying] = []
    for heap in heaps.values():
        heap.sort(key=lambda entry: entry[1].depth)
        first = heap[0][1]
        spot = HexSpot("")
        if placed.holds(first.x, first.y):
            spot = find_hex(board.grid, *placed.on_board(first.x, first.y))
        counters = [counter for _, counter in heap]
        meanings = [hiders.meaning(counter, catalogue) for counter in counters]
        ids = {counter.number: id for id, counter in heap}
        if viewer:
            shown = visible(counters, meanings, viewer, hiders, spot.hex, owners)
            # A minefield of which less is seen than its counter holds is no stock.
            originals = {c.number: (c, m) for c, m in zip(counters, meanings, strict=True)}
            counters = [counter for counter in shown if counter == originals[counter.number][0]]
            meanings = [originals[counter.number][1] for counter in counters]
        for counter, meant in zip(counters, meanings, strict=True):
            id = ids[counter.number]
            on_map.append(Lying(id, counter, meant, likeness(counter, meant), spot))
    return on_map


class Pattern(msgspec.Struct, frozen=True):
    """A counter to make copies of."""

    type: str
    traits: list[str]
    states: list[str]
    counter: SaveCounter
    meaning: Meaning
    like: Likeness | None
    hex: str = ""
    """Where it lies in the base."""

    @property
    def order(self) -> tuple[int, str, list[str]]:
        """Rank patterns by what they are, never by where or when they were put down."""
        return len(self.counter.states), self.type, self.states


def pattern_of(type: str, states: list[str], catalogue: Catalogue, hex: str = "") -> Pattern | None:
    """Return the pattern of a counter; None for one that cannot be copied."""
    traits = list(map(_without_owner, chain_of_type(type)))
    if traits != chain_of_type(type):
        type = join_chain(traits)
    if len(traits) != len(states) or not traits[-1].startswith("piece;"):
        return None
    states = [*map(_without_history, traits[:-1], states[:-1]), _without_place(states[-1])]
    try:
        counter = read_states(traits, states)
    except CannotEdit:
        return None
    meant = meaning(counter, catalogue)
    is_question = any(trait.startswith(_QUESTION) for trait in traits)
    if meant.sort not in _COPIED or is_question is not (meant.sort == "concealment"):
        return None
    return Pattern(type, traits, states, counter, meant, likeness(counter, meant), hex)


def _without_owner(trait: str) -> str:
    return replace_parts(trait, ";", {1: "null"}) if trait.startswith(_QUESTION) else trait


def _without_history(trait: str, state: str) -> str:
    kind = trait.partition(";")[0]
    return "" if kind in _EMPTY else _BLANK.get(kind, state)


def _without_place(state: str) -> str:
    """Return the last state of a counter without where it is and has been."""
    fields = split(state, ";")
    gpid = fields[_PLACED - 1] if len(fields) >= _PLACED else "0"
    pairs = zip(fields[_PLACED + 1 :: 2], fields[_PLACED + 2 :: 2], strict=False)
    kept = [pair for pair in pairs if pair[0] in _KEPT]
    more = (
        [str(len(kept)), *(part for pair in kept for part in pair)] if len(fields) > _PLACED else []
    )
    return ";".join(part.replace(";", "\\;") for part in ("null", "0", "0", gpid, *more))


More = Callable[[Likeness, str], Iterable[tuple[str, list[str]]]]
"""Gives types and states of counters of the player's module that may be like others."""


class Stock:
    """All that copies can be made of: the base, other saves, the player's module."""

    def __init__(self, catalogue: Catalogue, more: More | None = None) -> None:
        self.catalogue = catalogue
        self.patterns: list[Pattern] = []
        self._more = more
        self._made: dict[tuple[Likeness, str, str], tuple[Pattern, list[str]] | None] = {}

    def add_lying(self, editor: SaveEditor, lying: Iterable[Lying]) -> None:
        """Add counters of a save, each kind once for each place."""
        kinds: set[tuple[str, tuple[str, ...], str]] = set()
        for counter in lying:
            try:
                _, states = editor.chains(counter.id)
            except CannotEdit:
                continue
            made = pattern_of(editor.type_of(counter.id), states, self.catalogue, counter.spot.hex)
            if made and (key := (made.type, tuple(made.states), made.hex)) not in kinds:
                kinds.add(key)
                self.patterns.append(made)

    def add_ids(self, editor: SaveEditor, ids: Iterable[str]) -> None:
        """Add counters of a save by their ids, wherever they lie."""
        for id in ids:
            try:
                _, states = editor.chains(id)
            except CannotEdit:
                continue
            made = pattern_of(editor.type_of(id), states, self.catalogue)
            self.patterns += [made] if made else []

    def add_save(self, path: Path) -> None:
        """Add all counters of another save, wherever they lie. Raises NoSave or PBCGError."""
        for command in commands(read_text(path)):
            parts = split(command[2:], "/", 3) if command.startswith("+/") else []
            if len(parts) > 2 and parts[1] != "stack":
                made = pattern_of(parts[1], chain(parts[2]), self.catalogue)
                self.patterns += [made] if made else []

    def copy_of(
        self, like: Likeness, formation: str = "", hex: str = ""
    ) -> tuple[Pattern, list[str]] | None:
        """Return a pattern and the states in which a copy of it is like others, or None.

        What lies in the piece's own hex comes first, as it faces as the piece does.
        """
        key = (like, formation, hex)
        if key not in self._made:
            self._made[key] = next(self._candidates(like, formation, hex), None)
        return self._made[key]

    def _candidates(
        self, like: Likeness, formation: str, hex: str
    ) -> Iterator[tuple[Pattern, list[str]]]:
        def rank(pattern: Pattern) -> tuple[object, ...]:
            return fits_formation(pattern.meaning, formation), pattern.hex != hex, pattern.order

        same = [pattern for pattern in self.patterns if pattern.like == like]
        good = [pattern for pattern in same if fits_formation(pattern.meaning, formation) < 2]
        yield from ((pattern, pattern.states) for pattern in sorted(good, key=rank))
        yield from self._turn_patterns(self.patterns, like, formation)
        if self._more:
            made = [pattern_of(t, s, self.catalogue) for t, s in self._more(like, formation)]
            others = sorted(filter(None, made), key=rank)
            yield from ((pattern, pattern.states) for pattern in others if pattern.like == like)
            yield from self._turn_patterns(others, like, formation)

    def _turn_patterns(
        self, patterns: Sequence[Pattern], like: Likeness, formation: str
    ) -> Iterator[tuple[Pattern, list[str]]]:
        """Yield what can be turned until it is like others."""
        tried: set[str] = set()
        for pattern in sorted(patterns, key=lambda pattern: pattern.order):
            if pattern.type in tried:
                continue
            if like.side and pattern.meaning.side not in (None, like.side):
                continue
            tried.add(pattern.type)
            states = become(pattern.traits, pattern.states, like, formation, self.catalogue)
            if states is not None:
                yield pattern, states


def is_left_where_it_lies(lying: Lying) -> bool:
    """Return whether a marker stays on the map from one scenario to the next. Rule: 9.602."""
    names = facts().staying
    return lying.counter.name in names or lying.counter.base in names
