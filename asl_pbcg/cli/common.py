"""Options and habits that several commands share; light, for it is loaded with each."""

from __future__ import annotations

import shutil
import sys
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

import typer
from typer.core import TyperCommand, TyperGroup

from asl_pbcg.cli.own_settings import read_settings, setting
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.wording import quotation, to_type

NO_SEED: Final = -1
"""``--auto`` without a seed."""


class Viewer(StrEnum):
    """The viewer for whom something is printed."""

    BRITISH = "british"
    GERMAN = "german"
    UMPIRE = "umpire"


class DiceKind(StrEnum):
    """The program's dice, or real dice typed in."""

    SEEDED = "seeded"
    MANUAL = "manual"


def default_viewer() -> Viewer:
    """Return the viewer where ``--as`` names none: as ``pbcg settings`` has it, else the umpire."""
    return Viewer(setting("as"))


def set_viewer() -> Viewer | None:
    """Return the viewer that ``pbcg settings`` names; None where it names none."""
    return default_viewer() if "as" in read_settings() else None


def default_paper() -> str:
    """Return the paper where ``--paper`` names none: as ``pbcg settings`` has it, else A4."""
    return setting("paper")


_AS_HELP = 'Whose eyes: british, german, umpire; "pbcg settings as=german" sets it for good.'


def as_option(help: str = _AS_HELP, *also: str) -> Any:
    """Return the option ``--as`` of a command that shows what a side may know."""
    return typer.Option(
        default_viewer,
        "--as",
        *also,
        show_default="as set, else umpire",
        case_sensitive=False,
        help=help,
    )


def table_option(help: str) -> Any:
    """Return the option ``--as`` of a command at which both players may sit: None without it.

    Then each answers in turn, and what is for both is answered from what both know.
    """
    return typer.Option(
        set_viewer,
        "--as",
        show_default="as set, else both players at one screen",
        case_sensitive=False,
        help=help,
    )


def paper_option(sheet: str = "") -> Any:
    """Return the option ``--paper`` of a command that prints; ``sheet`` says of what part."""
    return typer.Option(
        default_paper,
        "--paper",
        show_default="as set, else a4",
        case_sensitive=False,
        help=f"{sheet}a4, letter, a3 or tabloid.",
    )


def around_option(sheet: str = "", words: str = "Only the hexes round this one.") -> Any:
    """Return the option ``--around`` of a command that draws a map."""
    return typer.Option("", "--around", metavar="HEX", help=f"{sheet}{words}")


RADIUS: Final = typer.Option(8, "--radius", help="How many hexes round it.", min=1, max=60)
POSTER: Final = typer.Option(
    "1x1", "--poster", metavar="AxB", help="A poster: sheets across x down, to cut and join."
)


SEED: Final = typer.Option(
    NO_SEED,
    "--seed",
    show_default=False,
    help="Dice that can be foreseen: for challenges and tests.",
)
ANSWERS: Final = typer.Option(None, "--answers", help="Answer the prompts from a file.")
AUTO: Final = typer.Option(None, "--auto", metavar="[SEED]", help="Legal random answers.")
HOUSE_RULE: Final = typer.Option(
    [], "--house-rule", metavar="ID=CHOICE", help='See "pbcg rulings"; may be repeated.'
)


class WholeHelp(TyperGroup):
    """A group whose help says in whole what each command does, however narrow the screen."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """List the commands; click would cut short what has no room on one line."""
        with formatter.section("Commands"):
            formatter.write_dl(
                [(name, entry.get_short_help_str(200)) for name, entry in self.commands.items()]
            )


class WithAuto(TyperCommand):
    """A command whose ``--auto`` may be given alone or with a seed behind it."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Let ``--auto`` alone stand for no seed, whatever comes behind it."""
        words = []
        for at, word in enumerate(args):
            alone = word == "--auto" and not "".join(args[at + 1 : at + 2]).isdecimal()
            words.append(f"--auto={NO_SEED}" if alone else word)
        return super().parse_args(ctx, words)


def spare(file: Path, force: bool) -> None:
    """Refuse to write over a file that is there already, unless ``force``. Raises PBCGError."""
    if file.exists() and not force:
        raise PBCGError(f"{file} is there already: take another name, or add --force.")


def command(*words: object) -> str:
    """Return a command of pbcg as it can be typed again: called as it was, names in quotes.

    Where pbcg is not on the path, as in a fresh virtual environment, that is its own place.
    """
    called = sys.argv[0]
    is_known = Path(called).stem != "pbcg" or shutil.which("pbcg")
    return to_type("pbcg" if is_known else called, *words)


def in_quotes(*words: object) -> str:
    """Return a command as it can be typed, set off from the sentence it stands in."""
    return quotation(command(*words))
