"""How a line of the umpire reaches the megagame: the options all lines share, dice, answers."""

from __future__ import annotations

import inspect
import json
import re
import secrets
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperCommand

from asl_pbcg.cli.common import WholeHelp
from asl_pbcg.kernel.errors import IllegalAnswer, PBCGError
from asl_pbcg.kernel.foreign_text import unseen

if TYPE_CHECKING:
    from asl_pbcg.kernel.dice import TypedDice
    from asl_pbcg.kernel.prompts import Prompt
    from asl_pbcg.megagame.desk import Desk
    from asl_pbcg.megagame.outcome import Outcome
    from asl_pbcg.megagame.words import Said

# Short names; any other beginning that fits only one command does as well.
ALIASES = {
    "b": "barrage",
    "a": "air",
    "k": "flak",
    "f": "fire",
    "v": "armour",
    "armor": "armour",
    "x": "ambush",
    "c": "assault",
    "h": "house",
    "m": "morale",
    "n": "next",
    "u": "undo",
    "s": "status",
}
_MAX_LETTERS = 1000
_AT_A_TABLE = ("unit", "set", "move", "note", "next")
LEAVE = ("quit", "q", "exit", "leave")
_UNLOGGED = ("--log", "-l", "--settings", "-S")


class ShortGroup(WholeHelp):
    """A group whose commands may be called by their short names and beginnings."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command ``cmd_name``, also shortened; None if there is none."""
        name = ALIASES.get(cmd_name.lower(), cmd_name.lower())
        if name not in self.commands:
            found = [known for known in self.commands if known.startswith(name)]
            name = found[0] if len(found) == 1 else name
        return super().get_command(ctx, name)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """As ever, but an unknown command is one sentence that names the nearest."""
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            from asl_pbcg.kernel.reader import nearest

            hint = nearest(args[0], self.commands) or f"; there are {', '.join(self.commands)}"
            raise PBCGError(f'"{args[0]}" is no line of the umpire{hint}.')
        name, command, rest = super().resolve_command(ctx, args)
        return (command.name if command else name), command, rest


class LineCommand(TyperCommand):
    """A command that keeps the words it was given, for the log."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Keep ``args`` as they were typed, then read them as ever.

        Raises PBCGError for what is no plain text, or no line any more.
        """
        if any(map(unseen, args)):
            raise PBCGError("The line holds a control character or damaged letters.")
        if sum(map(len, args)) > _MAX_LETTERS:
            raise PBCGError(f"That is no line: {_MAX_LETTERS} letters are the most.")
        kept: list[str] = []
        words = iter(args)
        for word in words:
            if word in _UNLOGGED:
                next(words, None)
            elif word not in ("--json", "-j") and not word.startswith(("--log=", "--settings=")):
                kept.append(word)
        name = str(ctx.command.name)
        ctx.meta["line"] = " ".join([name, *(_quote(word) for word in kept)])
        return super().parse_args(ctx, args)


def _quote(word: str) -> str:
    return word if re.fullmatch(r"[^\s\"#]+", word) else '"' + word.replace('"', "") + '"'


def _option(default: Any, *names: str, **more: Any) -> Any:
    return typer.Option(default, *names, **more)


_WORDS = typer.Argument(None, metavar="[WORDS]...", help="What happens, in any order; see above.")
Options = dict[str, tuple[Any, Any]]  # name: type and typer option
_SHARED: Options = {
    "dice": (list[str], _option([], "-d", "--dice", metavar="N,N", help="Real dice, in order.")),
    "roll": (list[str], _option([], "-r", "--roll", metavar="N", help="The one real die.")),
    "ask": (bool, _option(False, "--ask", help="Ask for each throw of real dice.")),
    "seed": (str, _option("", "--seed", metavar="N", help="Program dice of this seed.")),
    "zero": (bool, _option(False, "-0", "--zero", help="A die that shows 0 is a 10.")),
    "modifier": (
        int,
        _option(0, "--mod", metavar="N", show_default=False, help="Your own modifier of the roll."),
    ),
    "result": (str, _option("", "--result", metavar="RESULT", help="Your own result instead.")),
    "because": (str, _option("", "-b", "--because", metavar="WHY", help="Why you overrule.")),
    "check_now": (bool, _option(False, "-m", "--morale", help="Roll the morale checks too.")),
    "log": (
        Path,
        _option(None, "-l", "--log", metavar="FILE", envvar="PBCG_MEGA_LOG", help="Table's log."),
    ),
    "settings": (Path, _option(None, "-S", "--settings", metavar="FILE", help="Own settings.")),
    "as_json": (bool, _option(False, "-j", "--json", help="Answer as JSON.")),
}
_FEW = ("because", "log", "settings", "as_json")


def umpire_line(
    do: str, few: bool = False, more: Options | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make a command of a function that notes its own options in what is Said.

    The command takes words and the options all lines share; ``few`` leaves out those of dice.
    ``more`` are options that some lines share; the function gets them as one dict, ``more``.
    """

    def decorate(note: Callable[..., None]) -> Callable[..., None]:
        every = inspect.signature(note, eval_str=True).parameters.values()
        own = [parameter for parameter in every if parameter.name not in ("said", "more")]
        keyword = inspect.Parameter.KEYWORD_ONLY
        shared = {key: each for key, each in _SHARED.items() if not few or key in _FEW}
        shared = {**(more or {}), **shared}
        parameters = [
            inspect.Parameter("ctx", keyword, annotation=typer.Context),
            inspect.Parameter("words", keyword, default=_WORDS, annotation=list[str]),
            *(parameter.replace(kind=keyword) for parameter in own),
            *(
                inspect.Parameter(key, keyword, default=default, annotation=kind)
                for key, (kind, default) in shared.items()
            ),
        ]

        def command(**given: Any) -> None:
            from asl_pbcg.megagame.words import Said

            said = Said()
            said.things["words"] = list(given["words"] or [])
            mine = {parameter.name: given[parameter.name] for parameter in own}
            if more:
                mine["more"] = {key: given[key] for key in more}
            options = {key: given.get(key) for key in _SHARED}
            settle_line(given["ctx"], do, said, lambda: note(said, **mine), options)

        command.__doc__ = note.__doc__
        command.__name__ = note.__name__
        command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        command.__annotations__ = {each.name: each.annotation for each in parameters}
        return command

    return decorate


# -- settling -----------------------------------------------------------------------------


def settle_line(
    ctx: typer.Context, do: str, said: Said, note: Callable[[], None], options: dict[str, Any]
) -> None:
    """Read the words, throw the dice, settle the line and say the answer."""
    from asl_pbcg.megagame.lines import settle_line
    from asl_pbcg.megagame.report import plain
    from asl_pbcg.megagame.typed import LineDice
    from asl_pbcg.megagame.words import GRAMMARS, read_words

    with at_desk(ctx, options["log"], options["settings"], options["seed"]) as desk:
        if do in _AT_A_TABLE:
            logged_desk(desk)
        said.things["table"] = desk.table
        note()
        said.things.pop("table")
        words = said.things.pop("words")
        typed = typed_dice(said.things.pop("typed", []), options["roll"], options["dice"])
        answer = said.things.pop("answer", None)
        if do in GRAMMARS:
            read_words(do, words, desk.table, said)
        settle = settle_line(
            do,
            said,
            desk.table,
            modifier=options["modifier"] or 0,
            result=options["result"] or "",
            because=options["because"] or "",
            check_now=bool(options["check_now"]),
        )
        zero = bool(options["zero"]) or desk.table.settings["zero_is_ten"]
        asked = options["ask"] or getattr(ctx.obj, "ask", False)
        asked = asked or (typed is not None and sys.stdin.isatty())
        real = asked_dice(zero)
        dice = LineDice(
            options["seed"] or desk.seed,
            desk.table.rolls,
            typed,
            (lambda roll: real.throw(roll.spec, 0, roll.text)) if asked else None,
            zero,
            bool(options["seed"]),
        )
        outcome = desk.settle(ctx.meta["line"], settle, dice, answer)
        real.finish()
        if options["as_json"]:
            seed = {} if typed else {"seed": options["seed"] or desk.seed}
            typer.echo(json.dumps({**plain(outcome), **seed}, ensure_ascii=False))
        else:
            say(outcome)


@contextmanager
def at_desk(
    ctx: typer.Context,
    log: Path | None = None,
    settings: Path | None = None,
    seed: str = "",
    reading: bool = False,
) -> Iterator[Desk]:
    """The desk of the table in progress, else of the log file named, else a passing one.

    ``reading`` only looks at the log file.
    """
    from asl_pbcg.megagame.desk import Desk
    from asl_pbcg.megagame.settings import Settings

    running = getattr(ctx.obj, "desk", None)
    if running:
        if settings:
            raise PBCGError("At a table write: settings FILE. They hold from then on.")
        yield running
    elif log:
        if settings:
            raise PBCGError("A table's log keeps its settings: write settings FILE --log LOG.")
        with Desk.open(log, reading) as desk:
            yield desk
    else:
        own = Settings.read(settings).own if settings else {}
        yield Desk.passing(own, seed or secrets.randbits(32))


def logged_desk(desk: Desk) -> Desk:
    """The desk, if it keeps a log; raises PBCGError with what to do."""
    if not desk.logged:
        raise PBCGError(
            "That needs a table's log: begin one with pbcg mega run FILE, or name it with --log."
        )
    return desk


def typed_dice(*lists: list[str]) -> tuple[int, ...] | None:
    """Read dice as they are typed (``7,9,3`` or several options); None when none are."""
    parts = [
        part for typed in lists for text in typed or [] for part in re.split(r"[\s,;+]+", text)
    ]
    if not any(lists):
        return None
    found = []
    for part in parts:
        if not re.fullmatch(r"\d{1,4}", part):
            raise IllegalAnswer(f'"{part}" is no die: type numbers from 1 to 10, as 7,9,3.')
        found.append(int(part))
    return tuple(found)


def asked_dice(zero_is_ten: bool) -> TypedDice:
    """Dice that the umpire is asked for throw by throw; several may be typed in a row."""
    from asl_pbcg.kernel.dice import TypedDice

    def read(question: str) -> str:
        typed = ask(f"{question}: ")
        return re.sub(r"\b0\b", "10", typed) if zero_is_ten else typed

    return TypedDice(ask=read, complain=_wrong_answer)


def ask(question: str) -> str:
    """Ask at the terminal; ``q`` or the end of the input leaves the line unsettled."""
    typer.echo(question, nl=False, err=True)
    typed = sys.stdin.readline()
    if not typed:
        raise PBCGError("The answer is missing, so the line was not settled; all else is kept.")
    if typed.strip().lower() in LEAVE:
        raise PBCGError("The line was not settled; all else is kept.")
    return typed.strip()


def _wrong_answer(sentence: str) -> None:
    complain(f"{sentence} q leaves the line as if it had not been typed.")


def complain(sentence: str) -> None:
    """Say in red what is wrong."""
    typer.secho(sentence, fg=typer.colors.RED, err=True)


def say(outcome: Outcome) -> None:
    """The answer in one line: what happened, who must check, and what it rests on."""
    parts = [
        outcome.sentence,
        typer.style(outcome.umpire, fg=typer.colors.CYAN) if outcome.umpire else "",
        typer.style(outcome.morale, bold=True) if outcome.morale else "",
        typer.style(outcome.rests_on, dim=True) if outcome.rests_on else "",
    ]
    show("  ".join(part for part in parts if part))


def show(text: str) -> None:
    """Print a line."""
    typer.echo(text)


# -- lines typed at a table ---------------------------------------------------------------


def split_line(line: str) -> list[str]:
    """The words of a typed line; ``#`` begins a remark and quotes hold words together."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=False)
    lexer.quotes, lexer.escape, lexer.commenters, lexer.whitespace_split = '"', "", "", True
    try:
        words = list(lexer)
    except ValueError:
        raise IllegalAnswer(
            'A quote is not closed. Write inches as 10in, names as "A Coy".'
        ) from None
    end = next((place for place, word in enumerate(words) if word.startswith("#")), len(words))
    return words[:end]


def play_cards(human: tuple[str, ...]) -> Callable[[Prompt], Any]:
    """Answers in a card fight: ``human`` sides are asked, the program plays the rest."""

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
                _wrong_answer(str(error))
            else:
                return _card_id(typed)

    return answer


def _card_id(typed: str) -> str:
    from asl_pbcg.megagame.cards import read_card

    try:
        return read_card(typed).id
    except IllegalAnswer:
        return typed
