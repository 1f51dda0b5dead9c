"""The contents of the save of the next scenario, and a report of how it was made.

The campaign says what (``play/campaign_game/vasl_save_next.py``), ``next_save.py`` makes the save.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, TypeVar

import msgspec

from asl_pbcg.campaign.terms import Side
from asl_pbcg.hexes.hexset import Grid
from asl_pbcg.kernel.wording import number_words
from asl_pbcg.vasl.likeness import Likeness
from asl_pbcg.vasl.save_board import Placed, centre, measures
from asl_pbcg.vasl.scene import Section

LEFT_OVER = "Left over"
MAX_STACK = 20
"""The most counters of a stack beside the board."""
T = TypeVar("T")
_OUTSIDE = 90  # pixels of the save from the edge of the board to the nearer row of stacks
_APART = 120  # pixels between two rows, and between two stacks of a row


class Want(msgspec.Struct, frozen=True, kw_only=True):
    """A counter that the next scenario has."""

    like: Likeness
    name: str = ""
    """How a report names it; its type if it is empty."""
    formation: str = ""
    section: Section | None = None
    """Of a piece: its list in a position, for what its statuses mean."""
    statuses: tuple[str, ...] = ()
    depleted: tuple[str, ...] = ()
    arcs: dict[str, str] = {}
    """Its covered arcs, by ca, vca or tca, where they are known."""
    former: str = ""
    """The hex it stood in when the last scenario ended."""
    hidden_for: Side | None = None
    """The side that hides it from the other."""
    concealed: bool = False
    """Whether it is concealed, not hidden, for that side."""
    label: str = ""
    """A text to write on it."""
    optional: bool = False
    """Whether nobody misses it."""

    @property
    def title(self) -> str:
        """Return the name in a report."""
        return self.name or self.like.title


class Pile(msgspec.Struct, frozen=True, kw_only=True):
    """Counters that lie together, bottom first: in a hex, or beside the board."""

    wants: tuple[Want, ...]
    at: str = ""
    """The Location on the board; empty beside it."""
    title: str = ""
    """Beside the board: what its label says before the count."""
    part: int = 0
    """Beside the board: its number among the stacks of its title."""
    row: int = 0
    """Beside the board: the row of stacks, counted from the board."""
    hexes: tuple[str, ...] = ()
    """Beside the board: the hexes it waits for, to lie near them."""

    @property
    def hex(self) -> str:
        """Return the hex it lies in; empty beside the board."""
        return self.at.partition("/")[0]

    @property
    def edge(self) -> tuple[str, int]:
        """Return the name of its place beside the board."""
        return self.title, self.part

    @property
    def place(self) -> str:
        """Return the name of its place in a report."""
        return self.at or self.title


def _at_most(want: Want) -> int:
    """Return how many counters a want can be: itself, and a marker for all that is true of it."""
    return 1 + len(want.statuses) + len(want.depleted)


def split_high(
    groups: Iterable[Sequence[T]], at_most: Callable[[T], int] = lambda _: 1
) -> list[tuple[T, ...]]:
    """Return the contents of stacks that are not too high; a group stays together if it can.

    ``at_most`` says how many counters each may be.
    """
    stacks: list[tuple[T, ...]] = []
    high = MAX_STACK
    for group in groups:
        together = sum(map(at_most, group))
        whole = together <= MAX_STACK
        for part in [tuple(group)] if whole else [(item,) for item in group]:
            more = sum(map(at_most, part))
            if high + more <= MAX_STACK:
                stacks[-1] += part
                high += more
            else:
                stacks.append(part)
                high = more
    return stacks


def split_wants(groups: Iterable[Sequence[Want]]) -> list[tuple[Want, ...]]:
    """Return the wants of stacks beside the board that are not too high, markers and all."""
    return split_high(groups, _at_most)


class NextScenario(msgspec.Struct, frozen=True, kw_only=True):
    """All that the save of the next scenario shows."""

    piles: tuple[Pile, ...]
    control: dict[str, frozenset[Side]] = {}
    """The sides that Control a Location of a hex; Control markers that agree stay."""
    moves_first: Side
    san: dict[Side, int] = {}
    nvr: int | None = None
    """The Base NVR of a Night CG scenario; None by day. Rule: CG4."""


# -- where stacks beside the board lie -------------------------------------------------------


def edge_places(placed: Placed, grid: Grid, piles: Sequence[Pile]) -> list[tuple[int, int]]:
    """Return where the stacks beside the board lie in the save: each at the edge nearest to it."""
    width, height = measures().width, measures().height
    places: dict[int, tuple[int, int]] = {}
    rows: dict[tuple[str, int], list[tuple[float, int]]] = defaultdict(list)
    for number, pile in enumerate(piles):
        middles = [centre(grid, name) for name in pile.hexes] or [(0.0, 0.0)]
        x, y = (sum(axis) / len(middles) for axis in zip(*middles, strict=True))
        far = {"left": x, "right": width - x, "top": y, "bottom": height - y}
        edge = min(far, key=lambda side: far[side])
        rows[edge, pile.row].append((y if edge in ("left", "right") else x, number))
    for (edge, row), stacks in rows.items():
        out = (_OUTSIDE + _APART * row) / placed.zoom
        next_free = -1e9
        for along, number in sorted(stacks):
            along = max(along, next_free)
            next_free = along + _APART / placed.zoom
            spot = {
                "left": (-out, along),
                "right": (width + out, along),
                "top": (along, -out),
                "bottom": (along, height + out),
            }[edge]
            x, y = placed.in_save(*spot)
            places[number] = round(x), round(y)
    return [places[number] for number in range(len(piles))]


# -- what was done --------------------------------------------------------------------------

What = Literal["moved", "flipped", "added", "removed", "missing", "doubtful"]
HEADS: dict[What, str] = {
    "moved": "Moved",
    "flipped": "Flipped",
    "added": "Added",
    "removed": "Removed",
    "missing": "Take from VASL's palette",
    "doubtful": "Look again",
}


class Done(msgspec.Struct, frozen=True):
    """One thing that was done to a counter, or is left to the players."""

    what: What
    name: str
    at: str = ""
    """Where it lay."""
    to: str = ""
    """Where it lies now, what it says now, or why it is doubtful."""


class NextReport(msgspec.Struct, kw_only=True):
    """A report of how the save of the next scenario was made."""

    viewer: str = ""
    """The side for whose eyes the file is; empty for the umpire's."""
    stayed: int = 0
    """Pieces that lie where they lay and say what they said."""
    done: list[Done] = []

    def add(self, what: What, name: str, at: str = "", to: str = "") -> None:
        """Note one thing."""
        self.done.append(Done(what, name, at, to))

    def lines(self) -> list[tuple[What, str, list[str]]]:
        """Return what people read of each kind: a head with a count, and a line for each place."""
        groups = []
        for what, head in HEADS.items():
            mine = [entry for entry in self.done if entry.what == what]
            if mine:
                count = number_words(len(mine), "counter")
                groups.append((what, f"{head}: {count}", _group_lines(mine)))
        return groups


def _group_lines(done: Iterable[Done]) -> list[str]:
    """Return a line for each place or way, with what is at it."""
    groups: dict[str, Counter[str]] = defaultdict(Counter)
    for entry in done:
        moved = entry.what == "moved"
        where = f"{entry.at} to {entry.to}" if moved else entry.at or entry.to
        says = f" ({entry.to})" if entry.at and entry.to and not moved else ""
        groups[where][f"{entry.name}{says}"] += 1
    return [
        f"{where}: " + ", ".join(f"{n} x {name}" if n > 1 else name for name, n in names.items())
        for where, names in groups.items()
    ]
