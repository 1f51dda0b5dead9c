"""A decision of the British player, and rolls on this game's tables.

A decision carries the situation it is made in, for whoever answers: the terminal draws the map
from it, the automatic player computes with it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from math import ceil
from typing import Any, Literal, TypedDict, TypeVar, Unpack

from asl_pbcg.kernel.prompts import Kind, Note, OnDemand, Option, Prompt, Roll, Script, throw
from asl_pbcg.kernel.tables import Given, Rolled, RollTable
from asl_pbcg.kernel.topic import Topic
from asl_pbcg.st.area_terms import BRITISH
from asl_pbcg.st.state.area_tables import AGAIN, circumstances, table
from asl_pbcg.st.state.phase_situation import Situation

T = TypeVar("T")
AreaWidget = Literal[
    "units",  # which unit or stack acts
    "actions",  # where a unit goes, or what it does
    "targets",  # at whom units fire
]
"""How a front end draws what the area game asks, beside the widgets of every game."""


class Decision(Prompt, frozen=True, kw_only=True):
    """A prompt to the British player, for all to see.

    The options as people read them, those that the rules refuse among them, are made on demand.
    """

    situation: Situation
    ids: Sequence[str]
    """The legal answers."""
    choices: Sequence[Any] = ()
    """The meaning of each of ``ids``, in the program's words."""
    pieces: tuple[str, ...] = ()
    """The units, weapons or gliders that it is about."""

    def check(self, answer: Any) -> Any:
        """Return ``answer`` in its stored form; raises IllegalAnswer if it is not legal."""
        if self.kind == "choose" and self.verify is None and answer in self.ids:
            return answer
        return Prompt.check(self, answer)

    def random_answer(self, source: random.Random) -> Any:
        """Return a legal answer drawn from ``source``."""
        if self.draw:
            return self.draw(source)
        ids = self.ids
        if self.kind == "choose":
            return ids[int(source.random() * len(ids))]
        if self.kind == "choose-some":
            most = min(self.most or len(ids), len(ids))
            count = self.least + int(source.random() * (most - self.least + 1))
            return source.sample(list(ids), count)
        return Prompt.random_answer(self, source)


class DecisionFields(TypedDict, total=False):
    """The fields of a :class:`Decision` that most decisions leave as they are."""

    pieces: tuple[str, ...]
    topic: Topic
    kind: Kind
    widget: AreaWidget
    least: int
    most: int
    default: Any
    help: str
    verify: Callable[[Any], Any]
    draw: Callable[[random.Random], Any]


def area_option(sit: Situation, area: str) -> Option:
    """Return an area as a choice."""
    return Option(area, sit.geo.text(area), topic=Topic(places=(area,)))


def unit_option(sit: Situation, id: str) -> Option:
    """Return a unit as a choice, by its name."""
    unit = sit.units[id]
    places = (unit.area,) if unit.area else ()
    return Option(id, unit.name, topic=Topic(places=places, pieces=(id,)))


def decide(
    id: str,
    text: str,
    *,
    rule: str = "",
    situation: Situation,
    ids: Sequence[str],
    build: Callable[[], Sequence[Option]],
    choices: Sequence[Any] | None = None,
    **fields: Unpack[DecisionFields],
) -> Decision:
    """Return a decision of the British player; ``build`` makes its options when they are read.

    Where no ``choices`` say what the ``ids`` mean they mean themselves.
    """
    return Decision(
        state=situation,
        id=id,
        text=text,
        rule=rule,
        side=BRITISH,
        options=OnDemand(build),
        where=situation.where,
        situation=situation,
        ids=ids,
        choices=ids if choices is None else choices,
        **fields,
    )


class TableRoll(Roll, frozen=True, kw_only=True):
    """A roll on one of the tables of the area game."""

    by: tuple[str, ...] = ()
    """The units that fire or throw at ``where``, for whoever draws it."""
    on: tuple[str, ...] = ()
    """The units, weapons or gliders that it falls on, for whoever weighs it."""
    beside: tuple[tuple[tuple[str, ...], Given], ...] = ()
    """Others that the same dice fall on, each with its own circumstances. Rule: ST-MGF-05."""

    def resolve(self, faces: tuple[int, ...]) -> Rolled:
        """Resolve the roll by the dice ``faces``; raises IllegalAnswer if they cannot lie so."""
        assert self.table
        return self.table.settle(faces, *circumstances(self.table, self.given))


class RollFields(TypedDict, total=False):
    """The fields of a :class:`TableRoll` that most rolls leave as they are."""

    side: str
    secret: bool
    rule: str
    where: str
    by: tuple[str, ...]
    on: tuple[str, ...]
    beside: tuple[tuple[tuple[str, ...], Given], ...]
    topic: Topic


FRAGILE_CAR = "fragile-car"
"""The Mercedes where any SP loss by a grenade wrecks it, as the players read the rule. AMB-102."""


def sorts_of(sit: Situation, ids: Iterable[str]) -> str:
    """Return the sorts of targets that units and weapons are, each once, for the words of a roll.

    ``fighters`` are combat units and face-down counters; the others are ``leaders``, ``tank``,
    ``car`` and the kinds of weapons.
    """
    return " ".join(dict.fromkeys(_sort_of(sit, id) for id in ids))


def _sort_of(sit: Situation, id: str) -> str:
    if id in sit.weapons:
        return sit.weapons[id].kind
    unit = sit.units[id]
    if unit.kind == "mercedes":
        return FRAGILE_CAR if sit.settings.grenade_wrecks_mercedes == "loss" else "car"
    if unit.face_down or unit.kind not in ("leader", "tank"):
        return "fighters"
    return "leaders" if unit.kind == "leader" else "tank"


def throw_on(
    sit: Situation,
    name: str,
    text: str,
    given: Given | None = None,
    *,
    roll_table: RollTable | None = None,
    **fields: Unpack[RollFields],
) -> Script[Rolled]:
    """Throw on the table ``name``, or on another with that name as its decision point.

    ``rule`` is the one it stands under where that is not the table's.
    """
    on_table = roll_table or table(name)
    on = fields.get("on", ())
    if on and all(id in sit.units or id in sit.weapons for id in on):
        fields["topic"] = Topic(kind=sorts_of(sit, on))
    roll = TableRoll(state=sit, id=name, text=text, table=on_table, given=given or {}, **fields)
    return (yield from throw(roll))


def note(sit: Situation, text: str, rule: str = "") -> Note:
    """Return a note that everybody hears; it carries the situation it is told in."""
    return Note(text, rule, state=sit)


def _word(item: Any) -> str:
    """Return an item of a random choice in a few letters."""
    return item if isinstance(item, str) else str(getattr(item, "id", item))


def pick(
    sit: Situation,
    items: Sequence[T],
    text: str,
    called: Callable[[T], str] = _word,
    **fields: Unpack[RollFields],
) -> Script[T]:
    """Choose one of ``items`` at random by dice, each equally likely.

    ``called`` says which is which; the ``rule`` is the one that has it chosen.
    """
    count = len(items)
    if count == 1:
        return items[0]
    while count > 6:
        rows, from_row = range(ceil(count / 6)), lambda row: f"from {called(items[row * 6])}"
        row = yield from pick(sit, rows, f"{text}: which six", from_row, **fields)
        words = [called(item) for item in items[row * 6 : row * 6 + 6]]
        words += ["again"] * (6 - len(words))
        at = yield from pick(sit, range(6), text, words.__getitem__, **fields)
        if row * 6 + at < count:
            return items[row * 6 + at]
    names = tuple(map(called, items))
    listed = ", ".join(f"{number} {name}" for number, name in enumerate(names, 1))
    fields["topic"] = Topic(choices=names)
    while True:
        choices = {"choices": str(count)}
        rolled = yield from throw_on(
            sit, "random_selection", f"{text} ({listed})", choices, **fields
        )
        if rolled.result != AGAIN:
            return items[int(rolled.result) - 1]
