"""A decision of the British player, and rolls on this game's tables.

A decision carries the situation it is made in, for whoever answers: the terminal draws the map
from it, the automatic player reckons with it. What is written beside its options is worked out
only when somebody reads it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Any, TypeVar

from asl_pbcg.kernel.prompts import Kind, Note, OnDemand, Option, Prompt, Script, Subject
from asl_pbcg.kernel.tables import Given
from asl_pbcg.st.rules.results import AGAIN
from asl_pbcg.st.rules.situation import Situation
from asl_pbcg.st.rules.tables import TableRoll, table, table_roll
from asl_pbcg.st.terms import BRITISH

T = TypeVar("T")
_NEW: Callable[[type[Any]], Any] = object.__new__
_NO_GIVEN: Given = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision(Prompt):
    """A prompt to the British player, for all to see.

    ``choices`` says in the program's words what each of ``ids`` (the legal answers) means;
    ``subject`` names the units it is about. The options as people read them, those that the rules
    refuse among them, are made on demand.
    """

    situation: Situation
    ids: Sequence[str]
    """The legal answers."""
    choices: Sequence[Any] = ()
    subject: tuple[str, ...] = ()
    build: Callable[[], Sequence[Option]] | None = field(default=None, compare=False)
    """Makes the options for whoever first reads them."""
    says: Callable[[], str] | None = field(default=None, compare=False)
    """Makes the text in the same way."""

    def __post_init__(self, subject: Subject | None = None) -> None:  # noqa: RUF033
        """Side and place of a decision are the player's, not those of what it is about."""

    def __getattr__(self, name: str) -> Any:
        """The options and the text, which :func:`decide` leaves unmade."""
        made: Any
        if name == "options" and self.build:
            made = OnDemand(self.build)
        elif name == "text" and self.says:
            made = self.says()
        else:
            raise AttributeError(name)
        object.__setattr__(self, name, made)
        return made

    def check(self, answer: Any) -> Any:
        """Settle whether ``answer`` is legal and bring it into its stored form."""
        if self.kind == "choose" and self.verify is None and answer in self.ids:
            return answer
        return Prompt.check(self, answer)

    def random_answer(self, source: random.Random) -> Any:
        """A legal answer drawn from ``source``."""
        if self.draw:
            return self.draw(source)
        if self.kind == "choose":
            return self.random_choice(source)
        if self.kind == "choose-some":
            most = min(self.most or len(self.ids), len(self.ids))
            count = self.least + int(source.random() * (most - self.least + 1))
            return source.sample(list(self.ids), count)
        return Prompt.random_answer(self, source)

    def random_choice(self, source: random.Random) -> str:
        """One of the legal answers, each as likely."""
        ids = self.ids
        return ids[int(source.random() * len(ids))]


class _Open(Decision):
    """A decision while it is made: it can still be written to, and is closed by its class."""

    __slots__ = ()
    # Both: with one of them alone every slot is set five times as slowly.
    __setattr__ = object.__setattr__
    __delattr__ = object.__delattr__


class Question(Decision):
    """A decision point that is asked thousands of times: what is the same each time its class says.

    Such a class gives ``id`` and ``rule``, and what else is not as here, as its attributes;
    ``says`` and ``build`` are its methods. It is made by :func:`pose`.
    """

    __slots__ = ()
    side = BRITISH
    secret = False
    kind: Kind = "choose"
    least = 0
    most = 0
    default = None
    about = ""
    help = ""
    verify = None
    draw: Callable[[random.Random], Any] | None = None

    def __new__(cls, **fields: Any) -> Any:
        """With other fields it is an ordinary decision (``dataclasses.replace``)."""
        return Decision(**fields)

    @property
    def where(self) -> str:
        """Turn and phase."""
        return self.situation.where

    def says(self) -> str:
        """The text."""
        raise NotImplementedError

    def build(self) -> Sequence[Option]:
        """The options."""
        raise NotImplementedError


class Choice(Question):
    """A question with one of several answers."""

    __slots__ = ()
    random_answer = Decision.random_choice


def pose(
    question: type[Question],
    situation: Situation,
    ids: Sequence[str],
    choices: Sequence[Any],
    subject: tuple[str, ...] = (),
) -> Decision:
    """Ask a ``question`` of the British player."""
    new: Any = _NEW(_Open)
    new.situation = situation
    new.ids = ids
    new.choices = choices
    new.subject = subject
    new.__class__ = question
    return new  # type: ignore[no-any-return]


def decide(
    id: str,
    text: str | Callable[[], str],
    *,
    situation: Situation,
    ids: Sequence[str],
    build: Callable[[], Sequence[Option]],
    choices: Sequence[Any] = (),
    subject: tuple[str, ...] = (),
    rule: str = "",
    kind: Kind = "choose",
    least: int = 0,
    most: int = 0,
    default: Any = None,
    help: str = "",
    verify: Callable[[Any], Any] | None = None,
    draw: Callable[[random.Random], Any] | None = None,
) -> Decision:
    """A decision of the British player; ``build`` makes its options for whoever reads them.

    A ``text`` that takes long to make may be made in the same way.
    """
    # Thousands are made a second in a simulation: the slots are set in an open twin of the class.
    new: Any = _NEW(_Open)
    new.id = id
    if isinstance(text, str):
        new.text = text
        new.says = None
    else:
        new.says = text
    new.rule = rule
    new.side = BRITISH
    new.secret = False
    new.kind = kind
    new.build = build
    new.least = least
    new.most = most
    new.default = default
    new.where = situation.where
    new.about = ""
    new.help = help
    new.verify = verify
    new.draw = draw
    new.situation = situation
    new.ids = ids
    new.choices = choices or ids
    new.subject = subject
    new.__class__ = Decision
    return new  # type: ignore[no-any-return]


def throw(
    name: str,
    text: str,
    given: Given = _NO_GIVEN,
    *,
    side: str = "",
    secret: bool = False,
    rule: str = "",
    where: str = "",
    id: str = "",
    by: tuple[str, ...] = (),
    on: tuple[str, ...] = (),
) -> TableRoll:
    """A roll on the table ``name``; a script yields it and gets it resolved.

    ``rule`` is the one it stands under where that is not the table's. ``id`` names the roll where
    a decision goes by the name of the table; ``by`` who attacks, ``on`` whom it falls on.
    """
    return table_roll(
        id or name,
        text,
        table(name),
        given,
        side=side,
        secret=secret,
        rule=rule,
        where=where,
        by=by,
        on=on,
    )


class _OpenNote(Note):
    """A note while it is made."""

    __slots__ = ()
    __setattr__ = object.__setattr__
    __delattr__ = object.__delattr__


def note(text: str, rule: str = "") -> Note:
    """A note that everybody hears."""
    new: Any = _NEW(_OpenNote)
    new.text = text
    new.rule = rule
    new.side = ""
    new.secret = False
    new.__class__ = Note
    return new  # type: ignore[no-any-return]


def _word(item: Any) -> str:
    """An item of a random choice in a few letters."""
    return item if isinstance(item, str) else str(getattr(item, "id", item))


def pick(
    items: Sequence[T],
    text: str,
    *,
    rule: str,
    side: str = "",
    secret: bool = False,
    called: Callable[[T], str] = _word,
) -> Script[T]:
    """Choose one of ``items`` at random by dice, each equally likely.

    ``rule`` is the one that has it chosen; ``called`` says which is which.
    """
    count = len(items)
    if count == 1:
        return items[0]
    if count > 6:
        rows = ceil(count / 6)
        while True:
            row = yield from pick(
                range(rows),
                f"{text}: which six",
                rule=rule,
                side=side,
                secret=secret,
                called=lambda row: f"from {called(items[row * 6])}",
            )
            words = [called(item) for item in items[row * 6 : row * 6 + 6]]
            words += ["again"] * (6 - len(words))
            at = yield from pick(
                range(6), text, rule=rule, side=side, secret=secret, called=words.__getitem__
            )
            if row * 6 + at < count:
                return items[row * 6 + at]
    listed = ", ".join(f"{number} {called(item)}" for number, item in enumerate(items, 1))
    while True:
        rolled = yield throw(
            "random_selection",
            f"{text} ({listed})",
            {"choices": str(count)},
            rule=rule,
            side=side,
            secret=secret,
        )
        if rolled.result != AGAIN:
            return items[int(rolled.result) - 1]
