"""Makes the save of the next scenario from a base save: counters found, turned, moved, copied.

The base is stock: ``counter_choice.py`` says which counter stands for which piece.
``docs/engineers/vasl-editing.md`` says how.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress

from asl_pbcg.campaign.module.catalogue import Catalogue
from asl_pbcg.campaign.position_words import FortificationKind
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.wording import number_words
from asl_pbcg.vasl.counter_choice import CounterChooser, Reuse
from asl_pbcg.vasl.editor import Owner, SaveEditor
from asl_pbcg.vasl.heap import SECTIONS
from asl_pbcg.vasl.hiders import Hiders
from asl_pbcg.vasl.layers import CannotEdit, has_key, read_states, turn, words_of
from asl_pbcg.vasl.likeness import Likeness
from asl_pbcg.vasl.names import facts, meaning
from asl_pbcg.vasl.next_scenario import (
    LEFT_OVER,
    NextReport,
    NextScenario,
    Pile,
    Want,
    edge_places,
    split_high,
)
from asl_pbcg.vasl.save_board import centre, find_arc
from asl_pbcg.vasl.save_counters import SaveCounter
from asl_pbcg.vasl.scene import Section
from asl_pbcg.vasl.stock import Lying, is_left_where_it_lies

_STEP = 6  # pixels between stacks of one hex at different levels
BIN = "Casualties"
_TITLE = re.compile(
    rf"({'|'.join(side.title for side in Side)}), "
    r"((Setup|Entry) Area [\w/-]{1,9}|by Glider|Off map|Fortifications|Dummies)"
    rf"(, held off map)?(: \d+)?|{LEFT_OVER}: \d+"
)


class SaveMaker(CounterChooser):
    """Changes a save so that it shows the next scenario, and reports what it does."""

    def make(self) -> None:
        """Do all of it."""
        self.titles: dict[str, str] = {}
        """The titles of an earlier save, by counter."""
        if self.reuse is Reuse.ALL:
            self._strike_titles()
        chosen = self.choose([(pile, w) for pile in self.scenario.piles for w in pile.wants])
        piles: list[tuple[Pile, list[str]]] = []
        number = 0
        for pile in self.scenario.piles:
            ids: list[str] = []
            for want in pile.wants:
                id = chosen[number]
                number += 1
                if id is not None:
                    ids.append(id)
                    ids += self._dress(id, want, pile)
            piles.append((pile, ids))
        if self.reuse is Reuse.ALL:
            piles += self._clear()
        for pile, ids in piles:
            self._stack(pile, ids)
        titled = {ids[-1] for pile, ids in piles if ids and not pile.at}
        if struck := {id for id in self.titles if self.editor.has(id)} - titled:
            words = f"taken off {number_words(len(struck), 'counter')}"
            self.report.add("flipped", words, "Titles of the last save")

    # -- what a counter says ---------------------------------------------------------------

    def _dress(self, id: str, want: Want, pile: Pile) -> list[str]:
        """Let a counter say what is true of its piece; return the markers that lie on it."""
        if self.reuse is Reuse.THERE and id not in self.new:
            return []
        self.editor.settle(id)
        traits, states = self.editor.chains(id)
        before = read_states(traits, states)
        names: tuple[str, ...] = ()
        after = states
        if want.section:
            names, after = self._turn_statuses(traits, states, want, want.section, pile)
            self.editor.set_states(id, after)
            self._check_arcs(read_states(traits, after), want, pile)
        if id not in self.new and (changes := _changes(before, read_states(traits, after))):
            self.report.add("flipped", want.title, at=pile.place, to=changes)
        self._hide(id, before, want, pile)
        if want.label and self.editor.label_of(id) != want.label:
            with suppress(CannotEdit):
                self.editor.label(id, want.label)
        return [marker for name in names if (marker := self._marker(name, id, pile))]

    def _marker(self, name: str, piece: str, pile: Pile) -> str | None:
        """Return a marker to lie on a piece: the one that does, another, or a copy."""
        like = Likeness("marker", name)
        stack = self.editor.stack_of(piece)

        def rank(counter: Lying) -> tuple[object, ...]:
            return self.editor.stack_of(counter.id) != stack, not counter.is_in(pile.hex)

        marker = self.use(min(self.free_like(like), key=rank, default=None))
        want = Want(like=like)
        if marker is None and (marker := self.add_copy(want, pile, True)) is None:
            self.report.add("missing", want.title, to=pile.place)
        if marker:
            self.editor.settle(marker)
        return marker

    def _turn_statuses(
        self, traits: list[str], states: list[str], want: Want, section: Section, pile: Pile
    ) -> tuple[tuple[str, ...], list[str]]:
        """Turn the layers that tell statuses; return the markers for the others."""
        able = words_of(traits)
        word_statuses = {
            name: of[want.section] for name, of in facts().statuses.items() if want.section in of
        }
        cover = _cover(word_statuses, set(want.statuses), able)
        for word in word_statuses:
            if word in able:
                try:
                    states = turn(traits, states, word, word in cover)
                except CannotEdit:
                    if word not in cover and not has_key(traits, word):
                        continue  # the counter always says it, as the Carriers of VASL are CE
                    switch = "on" if word in cover else "off"
                    self.report.add("doubtful", want.title, pile.place, f"turn {word} {switch}")
        ammunition = {depletion.rstrip("0123456789") for depletion in want.depleted}
        empty = [name for name, of in facts().depleted.items() if of in ammunition]
        return (*(word for word in cover if word not in able), *empty), states

    def _check_arcs(self, counter: SaveCounter, want: Want, pile: Pile) -> None:
        """Remark a covered arc that is another; the three traits that tell it are left alone."""
        for name, arc in want.arcs.items():
            arcs = [s.removeprefix(name) for s in counter.states if s.startswith(name)]
            number = int(arcs[-1]) if arcs and arcs[-1] in set("123456") else 0
            if not number and name != "tca" and counter.turned is not None:
                number = (counter.turned + 2) % 6 + 1
            grid, turned = self.board.grid, self.placed.reversed
            if arc and pile.at and (not number or find_arc(grid, pile.hex, number, turned) != arc):
                self.report.add(
                    "doubtful", want.title, pile.at, f"turn its {name.upper()} to {arc}"
                )

    def _hide(self, id: str, before: SaveCounter, want: Want, pile: Pile) -> None:
        """Hide a counter again for its owner, or let everybody see it."""
        hidden = want.hidden_for is not None and not want.concealed
        concealed = want.hidden_for is not None and want.concealed
        if id not in self.new and (before.hidden, before.concealed) == (hidden, concealed):
            return
        if want.hidden_for is None:
            if before.hidden or before.concealed:
                self.editor.show(id)
            return
        owner = self.owners.get(want.hidden_for)
        try:
            if owner is None:
                raise CannotEdit("")
            self.editor.hide(id, owner, want.concealed)
        except CannotEdit:
            how = "conceal it" if want.concealed else "hide it"
            self.report.add("doubtful", want.title, pile.place, f"{how} yourself")

    # -- what goes -------------------------------------------------------------------------

    def _clear(self) -> list[tuple[Pile, list[str]]]:
        """Remove what the next scenario has not; return the stacks of what is left over."""
        remaining: list[str] = []
        for id, entry in self.lying.items():
            if id in self.used or self._is_left(entry):
                with suppress(CannotEdit):
                    self.editor.settle(id)
                continue
            at = entry.spot.hex or "beside the board"
            is_known = entry.like is not None or entry.sort in ("silent", "concealment", "cloak")
            try:
                if is_known:
                    self.editor.remove(id)
                else:
                    self.editor.chains(id)
                    remaining.append(id)
            except CannotEdit:
                self.report.add("doubtful", entry.counter.name, at, "it cannot be changed")
                continue
            title = entry.like.title if entry.like else entry.counter.name
            self.report.add(
                "removed" if is_known else "doubtful", title, at, "" if is_known else LEFT_OVER
            )
        for id in self.editor.ids_on(BIN):
            try:
                name = self.editor.counter(id).name
                self.editor.remove(id)
            except CannotEdit:
                continue
            self.report.add("removed", name, "the Casualties Bin")
        stacks = split_high([id] for id in remaining)
        piles = [Pile(wants=(), title=LEFT_OVER, part=n, row=2) for n in range(len(stacks))]
        places = edge_places(self.placed, self.board.grid, piles)
        self.edges |= {pile.edge: place for pile, place in zip(piles, places, strict=True)}
        return [(pile, list(ids)) for pile, ids in zip(piles, stacks, strict=True)]

    def _is_left(self, lying: Lying) -> bool:
        """Return whether a counter that stands for no piece stays where it lies."""
        if lying.sort == "control":
            return agrees(lying, self.scenario)
        if not lying.spot.hex:
            return lying.sort not in SECTIONS
        return is_left_where_it_lies(lying)

    # -- where it lies -----------------------------------------------------------------------

    def _stack(self, pile: Pile, ids: list[str]) -> None:
        """Put counters where they belong, unless they lie so."""
        if self.reuse is Reuse.THERE:
            ids = [id for id in ids if id in self.new]
        if not ids:
            return
        if not self._lies_so(pile, ids):
            self._report_moves(pile, ids)
            self.editor.pile(ids, *self._pixel(pile, ids))
        elif pile.at:
            self.report.stayed += sum(
                self.lying[id].sort in SECTIONS for id in ids if id in self.lying
            )
        if not pile.at:
            self._label(pile, ids)

    def _pixel(self, pile: Pile, ids: Iterable[str]) -> tuple[int, int]:
        if not pile.at:
            return self.edges[pile.edge]
        if self.reuse is Reuse.ALL:
            for entry in (self.lying[id] for id in ids if id in self.lying):
                if entry.is_in(pile.hex):
                    return entry.counter.x, entry.counter.y
        x, y = self.placed.in_save(*centre(self.board.grid, pile.hex))
        level = pile.at.partition("/")[2]
        step = _STEP * (int(level) if level.isdecimal() else 0)
        return round(x) + step, round(y) - step

    def _lies_so(self, pile: Pile, ids: list[str]) -> bool:
        """Return whether counters lie together in this order and place already."""
        stack = self.editor.stack_of(ids[0])
        if not self.new.isdisjoint(ids) or any(self.editor.stack_of(id) != stack for id in ids):
            return False
        if pile.at and not all(self.lying[id].is_in(pile.hex) for id in ids):
            return False
        if not pile.at and self.editor.place(ids[0])[1:] != self.edges[pile.edge]:
            return False
        if stack is None:
            return len(ids) == 1
        children = self.editor.stacks()[stack]
        first, last = children.index(ids[0]), children.index(ids[-1])
        between = [id for id in children[first : last + 1] if not self._is_ground(id) or id in ids]
        inside = pile.at.endswith("/pillbox")
        return between == ids and (inside or not any(map(self._is_pillbox, children[last + 1 :])))

    def _is_ground(self, id: str) -> bool:
        return id in self.lying and self.lying[id].sort in (
            *("fortification", "terrain", "wreck", "glider", "control", "silent", "unknown"),
        )

    def _is_pillbox(self, id: str) -> bool:
        like = self.lying[id].like if id in self.lying else None
        return like is not None and like.type == FortificationKind.PILLBOX

    def _report_moves(self, pile: Pile, ids: Iterable[str]) -> None:
        for id in ids:
            entry = self.lying.get(id)
            if entry and entry.sort in SECTIONS and entry.like and not entry.is_in(pile.hex):
                self.report.add(
                    "moved", entry.like.title, entry.spot.hex or "beside the board", pile.place
                )

    def _label(self, pile: Pile, ids: Sequence[str]) -> None:
        """Write on the uppermost counter of a stack what waits there; it never tells how many."""
        top = ids[-1]
        label = self.titles.get(top) or self.editor.label_of(top)
        try:
            self.editor.label(top, pile.title)
        except CannotEdit:
            self.report.add("doubtful", pile.title, to="no label could be written")
            return
        if label and not is_title(label):
            name = self.editor.counter(top).name
            self.report.add("doubtful", name, pile.title, "the title replaces your label on it")

    def _strike_titles(self) -> None:
        """Take the titles of an earlier save off every counter, wherever it lies now."""
        for id in self.lying:
            with suppress(CannotEdit):
                if is_title(label := self.editor.label_of(id)):
                    self.titles[id] = label
                    self.editor.label(id, "")


def is_title(label: str) -> bool:
    """Return whether a label is a title that a save of pbcg wrote; older ones tell a number."""
    return label == LEFT_OVER or bool(_TITLE.fullmatch(label))


def _cover(
    word_statuses: dict[str, tuple[str, ...]], statuses: set[str], able: frozenset[str]
) -> tuple[str, ...]:
    """Return the words that tell statuses, of the counter's own layers where it has them."""
    cover: list[str] = []
    missing = set(statuses)
    words = sorted(word_statuses, key=lambda word: (-len(word_statuses[word]), word not in able))
    for word in words:
        if missing.issuperset(word_statuses[word]):
            cover.append(word)
            missing.difference_update(word_statuses[word])
    return tuple(cover)


def _changes(before: SaveCounter, after: SaveCounter) -> str:
    """Return what a counter says now that it did not say before, and no longer."""
    now = [state for state in after.states if state not in before.states]
    gone = [f"no longer {state}" for state in before.states if state not in after.states]
    names = [after.name] if after.name != before.name else []
    return ", ".join((*names, *now, *gone))


def set_scenario(editor: SaveEditor, scenario: NextScenario, report: NextReport) -> None:
    """Set turn, first mover, SAN, Casualty VP, weather and Night, where the save has them.

    Rule: 9.12, CG4, CG13.
    """
    alliance = {side: name.removesuffix("CVP") for name, side in facts().casualties.items()}
    first = alliance[scenario.moves_first]
    fields = {0: first, 1: first, 2: "1"}
    for number, name in ((4, "Axis"), (6, "Allied")):
        side = next(side for side, own in alliance.items() if own == name)
        if side in scenario.san:
            fields[number] = str(scenario.san[side])
    night = {"night": "No", "nvr": "0"}
    if scenario.nvr is not None:
        night = {"night": "Yes", "nvr": str(scenario.nvr)}
    environment = editor.environment
    fields |= {number: value for name, number in environment.items()
               if (value := {**facts().begins, **night}.get(name))}  # fmt: skip
    if environment:
        report.add("doubtful", "wind direction", "Scenario info", f"from {facts().begins_from}")
    if not editor.set_fields("INFO\t", "\t", fields):
        what = "turn, first mover and SAN"
        report.add("doubtful", what, "Scenario info", "the base has none: set them in VASL")
    for name in facts().casualties:
        editor.set_fields(f"GlobalProperty\t;{name};", ";", {0: "0"})


def owners_in(
    editor: SaveEditor, lying: Sequence[Lying], hiders: Hiders, catalogue: Catalogue
) -> dict[Side, Owner]:
    """Return for each side who hides its counters: as most of them are hidden, else its "?" laid.

    A "?" tells it where the same player laid none of another nation and hides no unit.
    """
    owners: dict[Side, list[Owner]] = defaultdict(list)
    laid: dict[Owner, set[Side | None]] = defaultdict(set)
    for entry in lying:
        side = hiders.sides.get(entry.counter.player)
        with suppress(CannotEdit):
            if side and (entry.counter.hidden or entry.counter.concealed):
                owner = editor.owner(entry.id)
                owners[side] += [owner] if owner else []
            elif entry.sort == "concealment" and (owner := editor.laid_by(entry.id)):
                is_known = entry.counter.player in (*hiders.of_both, *hiders.sides)
                laid[owner].add(None if is_known else meaning(entry.counter, catalogue).side)
    owner_by_side = {
        side: max(sorted(set(them)), key=them.count) for side, them in owners.items() if them
    }
    for owner in sorted(laid, reverse=True):
        if len(laid[owner]) == 1 and (side := next(iter(laid[owner]))) and side not in owners:
            owner_by_side[side] = owner
    return owner_by_side


def report_hiders(hiders: Hiders, side: Side | None, report: NextReport) -> None:
    """Report passwords that are used for neither side.

    One that hides units of both sides is no secret from either; of any other, only the umpire may
    know that it is there.
    """
    for _ in hiders.of_both:
        what = "a password that hides units of both sides is used for neither"
        report.add("doubtful", what, "Hidden counters")
    for _ in hiders.of_neither if side is None else ():
        what = "a password that hides pieces but no units is used for neither side"
        report.add("doubtful", what, "Hidden counters")


def control_piles(lying: Iterable[Lying], scenario: NextScenario) -> list[Pile]:
    """Return the Control markers of a save that still are right, in an order of their own."""
    return [
        Pile(at=counter.spot.hex, wants=(Want(like=counter.like),))
        for counter in sorted(lying, key=lambda counter: counter.spot.hex)
        if counter.sort == "control" and counter.like and agrees(counter, scenario)
    ]


def agrees(lying: Lying, scenario: NextScenario) -> bool:
    """Return whether a Control marker is of a side that Controls a Location of its hex."""
    return lying.meaning.side in scenario.control.get(lying.spot.hex, frozenset())
