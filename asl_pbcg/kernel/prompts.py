"""Prompts, rolls and notes, which scripts yield. None of them knows who will answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, Protocol, TypeVar, overload

import msgspec
from msgspec.structs import force_setattr, replace

from asl_pbcg.kernel.dice import DiceSpec
from asl_pbcg.kernel.errors import IllegalAnswer, PBCGError
from asl_pbcg.kernel.files import unseen
from asl_pbcg.kernel.reader import plain_dashes, with_plain_dashes
from asl_pbcg.kernel.tables import Given, Likelihood, Rolled, RollTable
from asl_pbcg.kernel.topic import NOTHING, Topic
from asl_pbcg.kernel.wording import stands_in

if TYPE_CHECKING:
    import random

T = TypeVar("T")
P = ParamSpec("P")
ONE_DIE = DiceSpec(1, 6)


class Option(msgspec.Struct, frozen=True):
    """One choice of a prompt.

    ``consequence`` and ``odds`` stand beside it; ``refused`` says why it may not be chosen
    (it is then shown, but no legal answer) and ``rule`` which rule says so. ``path`` are the
    places it leads over, in order, for a map; ``topic`` what it is about, for front ends.
    """

    id: str
    text: str
    consequence: str = ""
    odds: Mapping[str, Likelihood] = {}
    refused: str = ""
    rule: str = ""
    path: tuple[str, ...] = ()
    topic: Topic = NOTHING


class OnDemand(Sequence[Option]):
    """Options that ``build`` makes when somebody first reads them.

    A simulation asks thousands of questions a second that nobody reads.
    """

    __slots__ = ("_build", "_built")

    def __init__(self, build: Callable[[], Iterable[Option]]) -> None:
        self._build = build
        self._built: tuple[Option, ...] | None = None

    def _all(self) -> tuple[Option, ...]:
        found = self._built
        if found is None:
            found = self._built = tuple(self._build())
        return found

    @overload
    def __getitem__(self, at: int) -> Option: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Option, ...]: ...
    def __getitem__(self, at: int | slice) -> Option | tuple[Option, ...]:
        """Return the option at a place."""
        return self._all()[at]

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._all())

    def __iter__(self) -> Iterator[Option]:
        """Yield all of them, in order."""
        return iter(self._all())


class NumberField(msgspec.Struct, frozen=True):
    """One number of a line of numbers: its name and bounds, and whether it is what a die shows."""

    text: str
    least: int
    most: int
    die: bool = False


class Subject(Protocol):
    """The thing a prompt or roll is about, for example a piece, with its name, side and place."""

    @property
    def id(self) -> str:
        """Its name, by which answers are matched."""
        ...

    @property
    def side(self) -> str:
        """The side it belongs to; empty if to neither."""
        ...

    @property
    def at(self) -> str:
        """Where it is; empty if that is not known."""
        ...

    @property
    def topic(self) -> Topic:
        """The thing itself, for front ends."""
        ...


Kind = Literal["choose", "choose-some", "number", "text", "document"]
WIDGETS: Mapping[Kind, str] = {
    "choose": "choice",
    "choose-some": "many",
    "number": "number",
    "text": "text",
    "document": "file",
}
"""How a front end draws a prompt that names no widget."""
COMMON_WIDGETS = (*WIDGETS.values(), "numbers", "dice")
"""The widgets of every game, a line of numbers (``fields``) and a roll among them; its plug lists
those of one game. A front end that does not know a widget draws it by its kind.
"""
CHOICES: tuple[Kind, ...] = ("choose", "choose-some")
"""The kinds of prompts with options."""


class ScriptItem(msgspec.Struct, frozen=True):
    """The common part of what a script yields: words, the rule, whose it is and who sees it.

    ``side`` decides, rolls or is told, both sides together where it is empty; that side alone sees
    a ``secret`` item. ``state`` is that of the game at that point, for whoever shows it: it is
    neither stored nor sent. ``topic`` is what it is about, for front ends.
    """

    text: str
    rule: str = ""
    side: str = ""
    secret: bool = False
    state: object = None
    topic: Topic = NOTHING

    def __repr__(self) -> str:
        """Return kind and text; the state may hold secrets."""
        return f"{type(self).__name__}({self.text!r})"


class Question(ScriptItem, frozen=True, kw_only=True):
    """The common part of a decision and of dice, for which a script waits.

    ``id`` names the decision point in answers files; ``about`` the piece, Location, RG, number or
    roll concerned, where one point comes up several times in a step: answers are matched by
    ``id`` and ``about``. A ``subject`` says ``about``, ``side``, ``where`` and ``topic`` together,
    unless they are given.
    """

    id: str
    where: str = ""
    about: str = ""
    subject: Subject | None = None

    def __post_init__(self) -> None:
        if self.subject is not None:
            for name, own in (
                ("about", "id"),
                ("side", "side"),
                ("where", "at"),
                ("topic", "topic"),
            ):
                if not getattr(self, name):
                    force_setattr(self, name, getattr(self.subject, own))


class Prompt(Question, frozen=True, kw_only=True):
    """A decision: who decides, what is asked, and which answers are legal.

    ``widget`` says how it is drawn where its kind does not say enough.
    ``options`` may be made on demand (:class:`OnDemand`); ``fields`` are the numbers of a line of
    them. Rule, side, place and secrecy need not
    be given where the procedure that asks stands ``under`` them already.
    ``verify`` may settle more than the kind does: it returns the answer in its stored form or
    raises IllegalAnswer. ``draw`` makes a random legal answer where the kind alone cannot.
    ``earlier`` has the present answer for each as earlier versions of the program spelled it: it is
    read in files, and never where somebody plays.
    """

    kind: Kind = "choose"
    widget: str | None = None
    options: Sequence[Option] = ()
    fields: tuple[NumberField, ...] = ()
    least: int = 0
    most: int = 0
    default: Any = None
    help: str = ""
    verify: Callable[[Any], Any] | None = None
    draw: Callable[[random.Random], Any] | None = None
    earlier: Mapping[str, str] = {}

    def in_present_words(self, answer: Any) -> Any:
        """Return an answer of a file as it is spelled today."""
        return self.earlier.get(answer, answer) if isinstance(answer, str) else answer

    def check(self, answer: Any) -> Any:
        """Check that ``answer`` is legal and return its stored form.

        Raises IllegalAnswer with the rule that forbids it.
        """
        if isinstance(answer, str) and (self.kind != "text" or self.verify):
            answer = plain_dashes(answer)  # a player's own words stay as they are
        value = _CHECKS[self.kind](self, answer)
        if not self.verify:
            return value
        try:
            return self.verify(value)
        except IllegalAnswer:
            raise
        except PBCGError as error:
            raise IllegalAnswer(str(error), self.rule, error.topic) from error

    def option(self, id: str) -> Option:
        """Return the option ``id``, refused or not."""
        return next(option for option in self.options if option.id == id)

    @property
    def legal(self) -> tuple[Option, ...]:
        """The options that may be chosen."""
        return tuple(option for option in self.options if not option.refused)

    def random_answer(self, source: random.Random) -> Any:
        """Return a legal answer drawn from ``source``, for automatic play."""
        if self.draw:
            return self.draw(source)
        if self.kind == "choose":
            return source.choice(self.legal).id
        if self.kind == "choose-some":
            ids = [option.id for option in self.legal]
            most = min(self.most or len(ids), len(ids))
            return source.sample(ids, source.randint(min(self.least, most), most))
        if self.kind == "number":
            return source.randint(self.least, self.most)
        if self.default is not None:
            return self.default
        raise NotImplementedError(f"prompt {self.id} has no way to draw an answer")

    def words(self, answer: Any) -> str:
        """Return the stored ``answer`` as the log tells it."""
        if self.kind == "choose":
            return self.option(answer).text
        if self.kind == "choose-some":
            return ", ".join(self.option(id).text for id in answer) or "none"
        if self.kind == "document":
            given = answer is not None and answer != self.default
            return "taken" if given else str(self.default or "none")
        return str(answer)


def _check_choice(prompt: Prompt, answer: Any) -> str:
    wanted = str(answer).strip()
    for option in prompt.options:
        if wanted.lower() == option.id.lower():
            if option.refused:
                raise IllegalAnswer(option.refused, option.rule or prompt.rule)
            return option.id
    if wanted.isdecimal() and len(wanted) < 5 and 1 <= int(wanted) <= len(prompt.options):
        return _check_choice(prompt, prompt.options[int(wanted) - 1].id)
    if any(map(str.isdigit, wanted)):  # one of several things by its name
        named = [each for each in prompt.options if stands_in(wanted.lower(), each.text.lower())]
        if len(named) == 1:
            return _check_choice(prompt, named[0].id)
    legal = ", ".join(map(_to_name, prompt.legal))
    raise IllegalAnswer(f'"{wanted[:80]}" is not a choice here; legal are: {legal}.', prompt.rule)


def _to_name(option: Option) -> str:
    """Return what names an option: its text where its id is the number of a thing."""
    return option.text if re.search(r"^\w-.+-\d+$", option.id) and option.text else option.id


def _check_some(prompt: Prompt, answer: Any) -> list[str]:
    answer = with_plain_dashes(answer)
    parts = answer if isinstance(answer, list | tuple) else str(answer).replace(",", " ").split()
    if [str(part).lower() for part in parts] == ["none"]:
        parts = []
    chosen = list(dict.fromkeys(_check_choice(prompt, part) for part in parts))
    most = prompt.most or len(prompt.options)
    if not prompt.least <= len(chosen) <= most:
        span = str(most) if prompt.least == most else f"{prompt.least} to {most}"
        raise IllegalAnswer(f"Choose {span} of these, not {len(chosen)}.", prompt.rule)
    return chosen


def _check_number(prompt: Prompt, answer: Any) -> int:
    try:
        if isinstance(answer, float) and not answer.is_integer():
            raise ValueError
        number = int(str(answer).strip()) if isinstance(answer, str) else int(answer)
    except (TypeError, ValueError):
        raise IllegalAnswer(f'"{str(answer)[:80]}" is not a whole number.', prompt.rule) from None
    if not prompt.least <= number <= prompt.most:
        sentence = f"{number} is not possible; {prompt.least} to {prompt.most} are."
        raise IllegalAnswer(sentence, prompt.rule)
    return number


def _check_text(prompt: Prompt, answer: Any) -> str:
    text = str(answer).strip()
    if len(text) > 500:
        raise IllegalAnswer("That is too long: 500 characters at most.", prompt.rule)
    if sign := unseen(text):
        sentence = f"That holds a character that cannot be seen ({sign}): leave it out."
        raise IllegalAnswer(sentence, prompt.rule)
    return text


_CHECKS: dict[Kind, Callable[[Prompt, Any], Any]] = {
    "choose": _check_choice,
    "choose-some": _check_some,
    "number": _check_number,
    "text": _check_text,
    "document": lambda prompt, answer: answer,
}


class Roll(Question, frozen=True, kw_only=True):
    """Dice to be thrown: on a table with its circumstances, or plain ``dice``.

    ``text`` says to people what the roll is for.
    """

    table: RollTable | None = None
    given: Given = {}
    dice: DiceSpec = ONE_DIE

    @property
    def spec(self) -> DiceSpec:
        """The dice to throw."""
        return self.table.spec if self.table else self.dice

    def resolve(self, faces: tuple[int, ...]) -> Rolled:
        """Resolve the roll by the dice ``faces``; raises IllegalAnswer if they cannot lie so."""
        if self.table:
            return self.table.resolve(faces, self.given)
        faces = self.spec.check(faces)
        total = sum(faces)
        return Rolled(
            table="", rule=self.rule, dice=faces, original=total, final=total, result=str(total)
        )


class Note(ScriptItem, frozen=True):
    """Something that followed without a decision; it is told and logged, never asked."""


class GameEvent(Note, frozen=True, kw_only=True):
    """A fact that came about. The log's sentence is made from it; without one it is not logged.

    It is not stored: replay yields it again. Rule, side and secrecy come from the procedure it is
    ``under``, as those of a Note do.
    """

    text: str = ""

    def __post_init__(self) -> None:
        if not self.text:
            force_setattr(self, "text", self.sentence())

    @property
    def owner(self) -> str:
        """The side that alone knows of it in a step that is secret; empty if both do."""
        return ""

    def sentence(self) -> str:
        """Return the sentence of the log; empty if the log needs none."""
        return ""


Asked = Prompt | Roll | Note
# A rules procedure: yields prompts, rolls and notes, receives answers, returns what it settled.
Script = Generator[Asked, Any, T]

# -- How a script asks ---------------------------------------------------------------------------
# Notes and events are yielded as they are; what is asked or thrown goes through one of these, so
# that the answer has its type.


def ask(prompt: Prompt) -> Script[str]:
    """Yield ``prompt`` and return its answer: the option chosen, or a text."""
    answer = yield prompt
    assert isinstance(answer, str)
    return answer


def ask_some(prompt: Prompt) -> Script[list[str]]:
    """Yield a ``choose-some`` prompt and return the options chosen."""
    answer = yield prompt
    assert isinstance(answer, list)
    return answer


def ask_number(prompt: Prompt) -> Script[int]:
    """Yield a ``number`` prompt and return the number."""
    answer = yield prompt
    assert isinstance(answer, int)
    return answer


def ask_document(prompt: Prompt) -> Script[object]:
    """Yield a ``document`` prompt and return plain data, as the prompt has verified it."""
    return (yield prompt)


def ask_if_open(prompt: Prompt) -> Script[str]:
    """Ask a ``choose`` prompt; if one option alone is legal it is taken and told, not asked."""
    if len(prompt.legal) != 1:
        return (yield from ask(prompt))
    (only,) = prompt.legal
    words = f"{prompt.text} {only.text}: nothing else is possible."
    yield Note(words, prompt.rule, prompt.side, prompt.secret)
    return only.id


def throw(roll: Roll) -> Script[Rolled]:
    """Yield ``roll`` and return it resolved."""
    rolled = yield roll
    assert isinstance(rolled, Rolled)
    return rolled


def yes_no(
    state: object,
    id: str,
    text: str,
    rule: str = "",
    side: str = "",
    secret: bool = False,
    default: str = "",
    about: str = "",
    subject: Subject | None = None,
) -> Script[bool]:
    """Ask a question that is answered yes or no."""
    options = (Option("yes", "yes"), Option("no", "no"))
    answer = yield from ask(
        Prompt(
            id=id,
            about=about,
            text=text,
            rule=rule,
            side=side,
            secret=secret,
            options=options,
            default=default or None,
            state=state,
            subject=subject,
        )
    )
    return bool(answer == "yes")


# -- What a procedure stands under -------------------------------------------------------------


def secretly(script: Script[T], side: str) -> Script[T]:
    """Run ``script`` so that ``side`` alone sees what it asks, rolls and tells."""
    return _each(script, lambda item: _with(item, side=side, secret=True))


def under(
    script: Script[T],
    *,
    rule: str = "",
    side: str = "",
    where: str = "",
    secret: bool = False,
    widget: str | None = None,
) -> Script[T]:
    """Run ``script``; what it asks, rolls and tells stands under ``rule`` if it names none itself.

    In the same way prompts and rolls are those of ``side`` at the place ``where``. With ``secret``
    a side alone sees what it is asked, rolls or is told. Choices are drawn by ``widget``.
    """

    def place(item: Asked) -> Asked:
        new: dict[str, Any] = {}
        if rule and not item.rule:
            new["rule"] = rule
        if not isinstance(item, Note):
            if side and not item.side:
                new["side"] = side
            if where and not item.where:
                new["where"] = where
        if widget and isinstance(item, Prompt) and not item.widget and item.kind in CHOICES:
            new["widget"] = widget
        owner = item.side or new.get("side") or (item.owner if isinstance(item, GameEvent) else "")
        if secret and not item.secret and owner:
            new |= {"secret": True, "side": owner}
        return _with(item, **new) if new else item

    return _each(script, place)


def paragraph(
    rule: str, side: str = ""
) -> Callable[[Callable[P, Script[T]]], Callable[P, Script[T]]]:
    """Say of a procedure which paragraph of the rules it is: what it asks stands under ``rule``.

    With ``side`` that side alone decides and rolls in it.
    """

    def of(procedure: Callable[P, Script[T]]) -> Callable[P, Script[T]]:
        @wraps(procedure)
        def run(*args: P.args, **kwargs: P.kwargs) -> Script[T]:
            return under(procedure(*args, **kwargs), rule=rule, side=side)

        return run

    return of


def _each(script: Script[T], change: Callable[[Asked], Asked]) -> Script[T]:
    """Run ``script`` with everything that it yields changed."""
    sent: Any = None
    while True:
        try:
            item = script.send(sent)
        except StopIteration as finished:
            settled: T = finished.value
            return settled
        sent = yield change(item)


def _with(item: Asked, **fields: Any) -> Asked:
    return replace(item, **fields)
