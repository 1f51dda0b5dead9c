"""Commands for lines of the umpire: words and options are read, dice thrown, the line resolved.

Each option says one thing that words could say too, so that a command is a list of options and
its help::

    @umpire_line("barrage", CALIBRE, COVER, AT, UNSEEN)
    def barrage() -> None:
        \"\"\"Artillery on one unit.\"\"\"

Within a line the umpire is asked for the throws of real dice and the cards of a house fight.
"""

from __future__ import annotations

import re
import secrets
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple

import msgspec
import typer
from typer.core import TyperCommand

from asl_pbcg.cli.command_answers import Answer, OptionGroup, answers, refuse_idle
from asl_pbcg.kernel.dice import TypedDice
from asl_pbcg.kernel.errors import IllegalAnswer, PBCGError
from asl_pbcg.kernel.facts import facts_of
from asl_pbcg.kernel.files import unseen
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.megagame.call import Outcome
from asl_pbcg.megagame.line_content import LineContent
from asl_pbcg.megagame.line_words import read_option, read_words
from asl_pbcg.megagame.mega_settings import UmpireSettings
from asl_pbcg.megagame.playing_cards import read_card, read_cards
from asl_pbcg.megagame.table_log import Answers, LineDice, ListedCards, TableLog
from asl_pbcg.megagame.umpire_lines import settle_line

LEAVE: Final = ("quit", "q", "exit", "leave")
_BOTH: Final = ("attackers", "defenders")


def typed_dice(typed: list[str], zero_is_ten: bool) -> tuple[int, ...] | None:
    """Read dice as they are typed (``7,9,3`` or several options); None when none are."""
    if not typed:
        return None
    parts = re.split(r"[\s,;+]+", " ".join(typed))
    wrong = next((part for part in parts if not re.fullmatch(r"\d{1,4}", part)), None)
    if wrong is not None:
        raise IllegalAnswer(f'"{wrong}" is not a die: type numbers from 1 to 10, as 7,9,3.')
    return tuple(10 if zero_is_ten and int(part) == 0 else int(part) for part in parts)


def asked_dice(zero_is_ten: bool) -> TypedDice:
    """Return dice that are asked for throw by throw; several may be typed in a row."""

    def read(question: str) -> str:
        typed = ask(f"{question}: ")
        return re.sub(r"\b0\b", "10", typed) if zero_is_ten else typed

    return TypedDice(ask=read, complain=_complain)


def ask(question: str) -> str:
    """Ask at the terminal; ``q`` or the end of the input leaves the line unsettled."""
    typer.echo(question, nl=False, err=True)
    typed = sys.stdin.readline()
    if not typed:
        raise PBCGError("The answer is missing, so the line was not settled; all else is kept.")
    if typed.strip().lower() in LEAVE:
        raise PBCGError("The line was not settled; all else is kept.")
    return typed.strip()


def _complain(sentence: str) -> None:
    text = f"{sentence} q leaves the line as if it had not been typed."
    typer.secho(text, fg=typer.colors.RED, err=True)


def card_answers(cards: str, real: bool, play: bool, side: str) -> Answers | None:
    """Return who plays the cards of a house fight; None for the program on both sides.

    ``cards`` are those that fell on a real table; with ``real`` each is asked for, with ``play``
    those of ``side``. Raises IllegalAnswer.
    """
    sides = [name for name in (*_BOTH, "both") if name.startswith(side.lower())]
    if len(sides) != 1:
        raise IllegalAnswer(f'"{side}" is not a side: attackers, defenders or both.')
    if cards:
        return ListedCards(read_cards(cards))
    if real or play:
        return _asked_cards(_BOTH if real or sides == ["both"] else tuple(sides))
    return None


def _asked_cards(human: tuple[str, ...]) -> Callable[[Prompt], Any]:
    def answer(prompt: Prompt) -> Any:
        if prompt.kind != "text" and prompt.side not in human:
            shown = prompt.option(prompt.default).text
            typer.secho(f"The program plays for the {prompt.side}: {shown}.", err=True)
            return prompt.default
        if prompt.options:
            hand = "  ".join(
                typer.style(option.text, dim=bool(option.refused), bold=not option.refused)
                for option in prompt.options
            )
            typer.echo(f"{prompt.text}.  {prompt.side.capitalize()} hold  {hand}", err=True)
        while True:
            typed = ask(f"{prompt.side} play: " if prompt.options else f"{prompt.text}: ")
            try:
                prompt.check(_card_id(typed))
            except IllegalAnswer as error:
                _complain(str(error))
            else:
                return _card_id(typed)

    return answer


def _card_id(typed: str) -> str:
    try:
        return read_card(typed).id
    except IllegalAnswer:
        return typed


_MAX_LETTERS: Final = 1000
_NEEDS_LOG: Final = ("unit", "set", "move", "note", "next")
_UNLOGGED: Final = ("--log", "-l", "--settings", "-S")


@dataclass(slots=True)
class OpenTable:
    """The table that typed lines are for, handed to each of them.

    With ``ask`` every throw is asked for. Lines of a script write files only below ``folder``.
    """

    log: TableLog
    ask: bool = False
    folder: Path | None = None


class LineCommand(TyperCommand):
    """A command that keeps the words it was given, for the log."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Keep ``args`` as they were typed, then read them as ever.

        Raises PBCGError for what is not plain text, or not a line any more.
        """
        if any(map(unseen, args)):
            raise PBCGError("The line holds a control character or damaged letters.")
        if sum(map(len, args)) > _MAX_LETTERS:
            raise PBCGError(f"A line has at most {_MAX_LETTERS} letters.")
        kept = [str(ctx.command.name)]
        words = iter(args)
        for word in words:
            if word in _UNLOGGED:
                next(words, None)
            elif word != "--json" and not word.startswith(("--log=", "--settings=")):
                plain = re.fullmatch(r"[^\s\"#]+", word)
                kept.append(word if plain else '"' + word.replace('"', "") + '"')
        ctx.meta["line"] = " ".join(kept)
        return super().parse_args(ctx, args)


# -- options ------------------------------------------------------------------------------


class LineOption(NamedTuple):
    """An option that says ``key`` of a line: what is typed after it, or what it says itself."""

    key: str
    names: tuple[str, ...]
    help: str
    metavar: str = ""
    says: bool | str = ""

    @property
    def name(self) -> str:
        """Return its name as the parameter of a command."""
        return "said_" + self.names[-1].strip("-").replace("-", "_")

    @property
    def field(self) -> tuple[str, Any, Any]:
        """Return it as a field of a group of options."""
        kind, default = (bool, False) if self.says != "" else (list[str], [])
        option = typer.Option(*self.names, metavar=self.metavar or None, help=self.help)
        return self.name, Annotated[kind, option], default


class TableOptions(OptionGroup, frozen=True, kw_only=True):
    """The options of every line."""

    because: Annotated[
        str, typer.Option("-b", "--because", metavar="WHY", help="Why you overrule.")
    ] = ""
    log: Annotated[
        Path | None,
        typer.Option("-l", "--log", metavar="FILE", envvar="PBCG_MEGA_LOG", help="Table's log."),
    ] = None
    settings: Annotated[
        Path | None, typer.Option("-S", "--settings", metavar="FILE", help="Own settings.")
    ] = None


class RollOptions(TableOptions, frozen=True, kw_only=True):
    """The options of lines with dice."""

    dice: Annotated[
        list[str], typer.Option("-d", "--dice", metavar="N,N", help="Real dice, in order.")
    ] = msgspec.field(default_factory=list)
    roll: Annotated[
        list[str], typer.Option("-r", "--roll", metavar="N", help="The one real die.")
    ] = msgspec.field(default_factory=list)
    ask: Annotated[bool, typer.Option("--ask", help="Ask for each throw of real dice.")] = False
    seed: Annotated[str, typer.Option(metavar="N", help="Program dice of this seed.")] = ""
    zero: Annotated[bool, typer.Option("-0", "--zero", help="A die that shows 0 is a 10.")] = False
    modifier: Annotated[
        int,
        typer.Option(
            "--mod", metavar="N", show_default=False, help="Your own modifier of the roll."
        ),
    ] = 0
    result: Annotated[str, typer.Option(metavar="RESULT", help="Your own result instead.")] = ""
    check_now: Annotated[
        bool, typer.Option("-m", "--morale", help="Roll the morale checks too.")
    ] = False


_WORDS: Final = typer.Argument(
    None, metavar="[WORDS]...", help="What happens, in any order; see above."
)


def umpire_line(
    do: str, *options: LineOption, dice: bool = True
) -> Callable[[Callable[[], None]], Callable[..., None]]:
    """Make a command that settles a line of the kind ``do`` out of a function that only has help.

    The command takes words, ``options`` and the options all lines share; those of ``dice`` too.
    """
    own = msgspec.defstruct(
        "OwnOptions",
        [option.field for option in options],
        bases=(OptionGroup,),
        frozen=True,
        kw_only=True,
    )

    def decorate(documented: Callable[[], None]) -> Callable[..., None]:
        def command(
            ctx: typer.Context, words: list[str] = _WORDS, *, own_options: Any, shared_options: Any
        ) -> Answer:
            texts = [(option, getattr(own_options, option.name)) for option in options]
            shared = RollOptions(**msgspec.structs.asdict(shared_options))
            return Answer(*_settle(do, texts, ctx, list(words or []), shared))

        command.__doc__, command.__name__ = documented.__doc__, documented.__name__
        shared_type = RollOptions if dice else TableOptions
        command.__annotations__ |= {"own_options": own, "shared_options": shared_type}
        return answers(command)

    return decorate


# -- settling -----------------------------------------------------------------------------


def _settle(
    do: str,
    values: list[tuple[LineOption, Any]],
    ctx: typer.Context,
    words: list[str],
    shared: RollOptions,
) -> tuple[dict[str, Any], Callable[[Any], None]]:
    """Read the words, throw the dice and settle the line; return its answer for both readers."""
    with open_log(ctx, shared.log, shared.settings, shared.seed) as table_log:
        table = table_log.table
        if do in _NEEDS_LOG:
            check_logged(table_log)
        content = LineContent()
        others = _read_options(values, table_log, content)
        read_words(do, _words_of_sides(words, others), table, content)
        zero = shared.zero or table.settings["zero_is_ten"]
        typed = typed_dice([*others["shots"], *others["rerolls"], *shared.roll, *shared.dice], zero)
        asks = shared.ask or getattr(ctx.obj, "ask", False)
        real = asked_dice(zero)
        if typed is not None and do != "house":
            refuse_idle("with real dice", "--seed")
        line_dice = LineDice(
            shared.seed or table_log.seed,
            table.rolls,
            typed,
            (lambda rolled: real.throw(rolled.spec, 0, rolled.text))
            if asks or (typed is not None and sys.stdin.isatty())
            else None,
            bool(shared.seed),
        )
        outcome = table_log.settle(
            ctx.meta["line"],
            settle_line(do, content, table, **facts_of(shared, _UMPIRE)),
            line_dice,
            _read_cards(others, content) if do == "house" else None,
        )
        real.finish()
        own_seed = {} if typed else {"seed": shared.seed or table_log.seed}
        return {**outcome.as_data(), **own_seed}, lambda _: print_outcome(outcome)


_UMPIRE: Final = "because modifier result check_now"


_Others = defaultdict[str, list[str]]
"""Options for what the words of a line cannot say: dice, cards, the sides of a house fight."""


def _read_options(
    values: list[tuple[LineOption, Any]], log: TableLog, content: LineContent
) -> _Others:
    """Read what the options say of the line into ``content``; return what is left."""
    others = _Others(list)
    for option, value in values:
        if option.key.startswith("-"):
            others[option.key[1:]] = [str(value)] if value is True else value or []
        elif option.says != "" and value:
            if isinstance(option.says, str):
                content.put(option.key, option.says)
            else:
                setattr(content, option.key, option.says)
        elif option.key == "text" and value:
            content.text = " ".join(value)
        else:
            for text in value or []:
                read_option(option.key, text, log.table, content)
    if shots := typed_dice(others["shots"], False):
        content.dice = len(shots)
    elif others["rerolls"]:
        raise IllegalAnswer("--rerolls goes with --shots; else type all dice in one --dice.")
    return others


def _words_of_sides(words: list[str], others: _Others) -> list[str]:
    """Return the words of a house fight with the sides that options name."""
    attackers, defenders = others["attackers"], others["defenders"]
    if attackers:
        return [*attackers, "vs", *words, *defenders]
    return [*words, "vs", *defenders] if defenders else words


def _read_cards(others: _Others, content: LineContent) -> Any:
    hands = [read_cards(" ".join(others[key][-1:])) for key in ("hand_a", "hand_d")]
    if bool(hands[0]) != bool(hands[1]):
        raise IllegalAnswer("Give the cards of both hands: --hand-a and --hand-d.")
    if hands[0]:
        content.hands = hands[0], hands[1]
    cards = " ".join(others["cards"][-1:])
    if cards and (others["real"] or others["play"]):
        raise IllegalAnswer("Give --cards as they fell, or play them: not both.")
    if not others["play"]:
        refuse_idle("without --play", "--as")
    content.real = bool(cards or others["real"])
    side = (others["as"] or ["attackers"])[-1]
    return card_answers(cards, bool(others["real"]), bool(others["play"]), side)


@contextmanager
def open_log(
    ctx: typer.Context,
    log: Path | None = None,
    settings: Path | None = None,
    seed: str = "",
    reading: bool = False,
) -> Iterator[TableLog]:
    """Give the log of the open table, else the file ``log``, else one for this line alone.

    ``reading`` only looks at the file.
    """
    if isinstance(ctx.obj, OpenTable):
        if settings:
            raise PBCGError("At a table write: settings FILE. They hold from then on.")
        yield ctx.obj.log
    elif log:
        if settings:
            raise PBCGError("A table's log keeps its settings: write settings FILE --log LOG.")
        with TableLog.open(log, reading) as table_log:
            yield table_log
    else:
        own = UmpireSettings.read(settings).own if settings else {}
        with TableLog.of_one_line(own, seed or secrets.randbits(32)) as table_log:
            yield table_log


def check_logged(log: TableLog) -> None:
    """Check that lines are kept; raises PBCGError with what to do."""
    if not log.logged:
        raise PBCGError(
            "That needs a table's log: begin one with pbcg mega run FILE, or name it with --log."
        )


def print_outcome(outcome: Outcome) -> None:
    """Print the answer in one line: what happened, who must check, and what it rests on."""
    happened, umpire, morale, rests_on = outcome.parts
    parts = (
        happened,
        umpire and typer.style(umpire, fg=typer.colors.CYAN),
        morale and typer.style(morale, bold=True),
        rests_on and typer.style(rests_on, dim=True),
    )
    typer.echo("  ".join(filter(None, parts)))
