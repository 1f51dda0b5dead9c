"""What several commands about a campaign file share; light, for it is loaded with each."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from typer.core import TyperCommand, TyperGroup

if TYPE_CHECKING:
    from asl_pbcg.kernel.session import Session


class Viewer(StrEnum):
    """For whom it is printed."""

    BRITISH = "british"
    GERMAN = "german"
    UMPIRE = "umpire"


_AS_HELP = 'Whose eyes: british, german, umpire; "pbcg settings as=german" sets it for good.'
_AS_DEFAULT = "as set, else umpire"
_PAPER_DEFAULT = "as set, else a4"
NO_SEED = -1
"""``--auto`` without a seed."""


def default_viewer() -> Viewer:
    """Whose eyes, where ``--as`` does not say: as ``pbcg settings`` has it, else the umpire's."""
    from asl_pbcg.cli.own_settings import setting

    return Viewer(setting("as"))


def default_paper() -> str:
    """The paper, where ``--paper`` does not say: as ``pbcg settings`` has it, else A4."""
    from asl_pbcg.cli.own_settings import setting

    return setting("paper")


def as_option(help: str = _AS_HELP, *also: str) -> Any:
    """The option ``--as`` of a command that shows what a side may know."""
    import typer

    return typer.Option(
        default_viewer,
        "--as",
        *also,
        show_default=_AS_DEFAULT,
        case_sensitive=False,
        help=help,
    )


def paper_option(sheet: str = "") -> Any:
    """The option ``--paper`` of a command that prints; ``sheet`` says of what, if not of all."""
    import typer

    return typer.Option(
        default_paper,
        "--paper",
        show_default=_PAPER_DEFAULT,
        case_sensitive=False,
        help=f"{sheet}a4, letter, a3 or tabloid.",
    )


class WholeHelp(TyperGroup):
    """A group whose help says in whole what each command does, however narrow the screen."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """List the commands; click would cut short what has no room on one line."""
        with formatter.section("Commands"):
            formatter.write_dl(
                [(name, each.get_short_help_str(200)) for name, each in self.commands.items()]
            )


class WithAuto(TyperCommand):
    """A command whose ``--auto`` may be given alone or with a seed behind it."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Let ``--auto`` alone stand for no seed, whatever comes behind it."""
        given = []
        for at, word in enumerate(args):
            alone = word == "--auto" and not "".join(args[at + 1 : at + 2]).isdecimal()
            given.append(f"--auto={NO_SEED}" if alone else word)
        return super().parse_args(ctx, given)


def spare(file: Path, force: bool) -> None:
    """Refuse to write over a file that is there already, unless ``force``. Raises PBCGError."""
    from asl_pbcg.kernel.errors import PBCGError

    if file.exists() and not force:
        raise PBCGError(f"{file} is there already: take another name, or add --force.")


@contextlib.contextmanager
def closing(session: Session[Any]) -> Iterator[None]:
    """Let the campaign file go at the end, whatever happened."""
    try:
        yield
    finally:
        session.journal.close()


def command(*words: object) -> str:
    """A command of pbcg as it can be typed again: called as it was, names with spaces in quotes.

    Where pbcg is not on the path, as in a fresh virtual environment, that is its own place.
    """
    import shutil
    import sys

    from asl_pbcg.kernel.wording import to_type

    called = sys.argv[0]
    known = Path(called).stem != "pbcg" or shutil.which("pbcg")
    return to_type("pbcg" if known else called, *words)


def in_quotes(*words: object) -> str:
    """A command as it can be typed, set off from the sentence it stands in."""
    from asl_pbcg.kernel.wording import quotation

    return quotation(command(*words))
