"""Which counters of a save, of others and of the module stand for the pieces of the next scenario.

A counter stands first for the piece that lies where it lies, then for any like it; what is short is
copied, what is not to be had is listed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from enum import Enum

from asl_pbcg.campaign.board.board import Board
from asl_pbcg.campaign.module.catalogue import Catalogue
from asl_pbcg.campaign.terms import Side
from asl_pbcg.vasl.editor import Owner, SaveEditor
from asl_pbcg.vasl.heap import SECTIONS
from asl_pbcg.vasl.layers import CannotEdit
from asl_pbcg.vasl.likeness import Likeness, become, fits_formation
from asl_pbcg.vasl.names import facts
from asl_pbcg.vasl.next_scenario import (
    NextReport,
    NextScenario,
    Pile,
    Want,
    edge_places,
)
from asl_pbcg.vasl.save_board import Placed
from asl_pbcg.vasl.stock import Lying, Stock


class Reuse(Enum):
    """Which counters of the save stand for pieces."""

    ALL = "all"
    """Any: the base itself is changed."""
    THERE = "there"
    """Those that lie in the right place already, and they are not touched."""


class CounterChooser:
    """Chooses the counters of a save for what the next scenario wants, and reports what it does."""

    def __init__(
        self,
        editor: SaveEditor,
        scenario: NextScenario,
        lying: Sequence[Lying],
        stock: Stock,
        owners: dict[Side, Owner],
        placed: Placed,
        board: Board,
        reuse: Reuse,
        report: NextReport,
    ) -> None:
        self.editor, self.stock, self.owners = editor, stock, owners
        self.placed, self.board, self.reuse, self.report = placed, board, reuse, report
        self.catalogue: Catalogue = stock.catalogue
        self.scenario = scenario
        self.lying = {counter.id: counter for counter in lying}
        self.free: dict[Likeness, list[Lying]] = defaultdict(list)
        for counter in lying:
            if counter.like is not None:
                self.free[counter.like].append(counter)
        self.used: set[str] = set()
        self.new: set[str] = set()
        edge = [pile for pile in scenario.piles if not pile.at]
        names = [pile.edge for pile in edge]
        self.edges = dict(zip(names, edge_places(placed, board.grid, edge), strict=True))

    def choose(self, wants: list[tuple[Pile, Want]]) -> list[str | None]:
        """Return a counter for each; None for what is not to be had."""
        chosen: list[str | None] = [None] * len(wants)

        def is_there(pile: Pile, want: Want, lying: Lying) -> bool:
            if pile.at:
                return lying.is_in(pile.hex)
            return (lying.counter.x, lying.counter.y) == self.edges[pile.edge]

        def is_near(pile: Pile, want: Want, lying: Lying) -> bool:
            return lying.is_in(want.former) and fits_formation(lying.meaning, want.formation) < 2

        def is_like(pile: Pile, want: Want, lying: Lying) -> bool:
            return fits_formation(lying.meaning, want.formation) < 2

        def is_any(pile: Pile, want: Want, lying: Lying) -> bool:
            return True

        def find(fits: Callable[[Pile, Want, Lying], bool]) -> None:
            for number, (pile, want) in enumerate(wants):
                if chosen[number] is None:
                    able = [item for item in self.free_like(want.like) if fits(pile, want, item)]
                    chosen[number] = self.use(min(able, key=_rank(want), default=None))

        def make(any_formation: bool) -> None:
            for number, (pile, want) in enumerate(wants):
                if chosen[number] is None:
                    turned = None if any_formation else self._turn_another(want)
                    chosen[number] = turned or self.add_copy(want, pile, any_formation)

        self._take_as_it_lies(wants, chosen)
        find(is_there)
        if self.reuse is Reuse.ALL:
            find(is_near)
            find(is_like)
        make(False)
        if self.reuse is Reuse.ALL:
            find(is_any)
        make(True)
        for (pile, want), id in zip(wants, chosen, strict=True):
            if id is None and not want.optional:
                self.report.add("missing", want.title, to=_place_words(want, pile))
        return chosen

    def _take_as_it_lies(self, wants: list[tuple[Pile, Want]], chosen: list[str | None]) -> None:
        """Choose the counters of stacks that lie just as they should, each for its own piece."""
        numbers: dict[int, list[int]] = defaultdict(list)
        for number, (pile, _) in enumerate(wants):
            numbers[id(pile)].append(number)
        stacks: dict[str, list[Lying]] = defaultdict(list)
        for counter in self.lying.values():
            if (stack := self.editor.stack_of(counter.id)) and counter.sort in (*SECTIONS, "level"):
                stacks[stack].append(counter)
        by_place: dict[object, list[list[Lying]]] = defaultdict(list)
        for heap in stacks.values():
            by_place[heap[0].spot.hex or (heap[0].counter.x, heap[0].counter.y)].append(heap)
        for mine in numbers.values():
            pile = wants[mine[0]][0]
            for heap in by_place[pile.hex or self.edges[pile.edge]]:
                matches: dict[int, Lying] = {}
                at = 0
                for number in mine:
                    want = wants[number][1]
                    for step in range(at, len(heap)):
                        says = _says(heap[step], want)
                        if heap[step].like == want.like and says.issubset(want.statuses):
                            matches[number], at = heap[step], step + 1
                            break
                if len(matches) == len(heap):
                    for number, counter in matches.items():
                        chosen[number] = self.use(counter)
                    by_place[pile.hex or self.edges[pile.edge]].remove(heap)
                    break

    def free_like(self, like: Likeness) -> Iterator[Lying]:
        """Return the counters of a likeness that stand for nothing yet."""
        return (counter for counter in self.free.get(like, ()) if counter.id not in self.used)

    def use(self, lying: Lying | None) -> str | None:
        """Let a counter stand for a piece; return its id."""
        if lying is None:
            return None
        self.used.add(lying.id)
        return lying.id

    def _turn_another(self, want: Want) -> str | None:
        """Return a counter of the base that is left and can be turned into what is wanted."""
        if self.reuse is not Reuse.ALL or want.section is None:
            return None
        for entry in self.lying.values():
            if entry.id in self.used or SECTIONS.get(entry.sort) != want.section:
                continue
            if entry.meaning.side != (want.like.side or None):
                continue
            try:
                traits, states = self.editor.chains(entry.id)
            except CannotEdit:
                continue
            after = become(traits, states, want.like, want.formation, self.catalogue)
            if after is not None:
                self.editor.set_states(entry.id, after)
                self.report.add("flipped", entry.counter.name, to=want.title)
                return self.use(entry)
        return None

    def add_copy(self, want: Want, pile: Pile, any_formation: bool) -> str | None:
        """Return a copy from the stock, if one can be had."""
        formation = "" if any_formation else want.formation
        match = self.stock.copy_of(want.like, formation, pile.hex)
        if match is None:
            return None
        pattern, states = match
        type = pattern.type
        if want.like.sort == "concealment":
            owner = self.owners.get(Side(want.like.side))
            if owner is None:
                return None
            type = owner.lay(pattern.traits)
        copy = self.editor.add(type, states, 0, 0)
        self.new.add(copy)
        if not want.optional:
            self.report.add("added", want.title, to=_place_words(want, pile))
        return copy


def _place_words(want: Want, pile: Pile) -> str:
    """Return how a report names where a counter lies; many of one label are told together."""
    return f"Round {want.label}" if want.label else pile.place


def _says(lying: Lying, want: Want) -> set[str]:
    """Return the statuses of a piece that the layers of a counter tell."""
    statuses = facts().statuses
    section = want.section or ""
    return {word for s in lying.counter.states for word in statuses.get(s, {}).get(section, ())}


def _rank(want: Want) -> Callable[[Lying], tuple[object, ...]]:
    """Rank counters that could stand for a piece: those that say what it is come first."""

    def rank(lying: Lying) -> tuple[object, ...]:
        differs = len(_says(lying, want) ^ set(want.statuses))
        hides = lying.counter.hidden is bool(want.hidden_for and not want.concealed)
        return fits_formation(lying.meaning, want.formation), differs, not hides

    return rank
