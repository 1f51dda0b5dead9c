"""The ``pbcg`` command: a table of its commands, each loaded only when it is called."""

from __future__ import annotations

import json
import sys
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from typing import Any, ClassVar

import typer
from typer.core import TyperGroup

from asl_pbcg import __version__
from asl_pbcg.cli.command_dress import USAGE_ERROR, dress, join_bash_words, usage_words
from asl_pbcg.cli.terminal.streams import give_up_output, prepare_streams
from asl_pbcg.kernel.errors import STOPPED, PBCGError, fault_data
from asl_pbcg.kernel.files import reason, with_signs
from asl_pbcg.kernel.paper_letters import hear_missing_letters

# name -> (module, here or in full, then its typer app if that is not ``app``; what it does), in an
# evening's order.
COMMANDS: dict[str, tuple[str, str]] = {
    "demo": (".evening.demo", "Build a sample campaign and print everything: begin here."),
    "board": (
        ".evening.board_commands",
        "Look up hexes of the Pegasus Bridge board, check or draw it.",
    ),
    "position": (
        ".evening.position_commands",
        "Position files: VASL, template, edit, check, convert.",
    ),
    "units": (".units_command", "Types of units and Equipment; what to check on counters."),
    "areas": (
        ".evening.areas_command",
        "Setup Areas of a position, as a table, JSON or map sheet.",
    ),
    "new": (".evening.new", "Begin a campaign: orders of battle, RG, first purchases."),
    "refit": (
        ".evening.refit_command",
        "Go on: the Refit Phase after a CG scenario, step by step.",
    ),
    "status": (
        ".evening.campaign_commands:status_app",
        "Where a campaign stands and what comes next.",
    ),
    "log": (".evening.campaign_commands:log_app", "Every decision and roll of a campaign."),
    "history": (
        ".evening.history_command:history_app",
        "What each CG Date brought; service records.",
    ),
    "dice": (
        ".evening.history_command:dice_app",
        "How each side's dice fell, and how likely it was.",
    ),
    "undo": (".evening.campaign_commands:undo_app", "Undo the last answer."),
    "redo": (".evening.campaign_commands:redo_app", "Redo what was undone last."),
    "correct": (
        ".evening.campaign_commands:correct_app",
        "Change a fact, with a reason, in the log.",
    ),
    "hand": (".evening.hand_command", "Which of several players of a side decides."),
    "note": (
        ".evening.note_command",
        "A diary, and remarks on pieces, hexes and lines of the log.",
    ),
    "seal": (".evening.seal_command", "Eight words that prove later what your side held."),
    "unseal": (".evening.seal_command:unseal_app", "Show what was sealed, and how to prove it."),
    "assert": (".evening.paper", "Hold a campaign against a roster on paper."),
    "verify": (".verify_commands", "Check a file from its first line to its last."),
    "check-page": (
        ".verify_commands:check_page_app",
        "Write a page that checks files in any browser, without pbcg.",
    ),
    "compare": (".verify_commands:compare_app", "Say where two copies of a campaign part."),
    "rescue": (".verify_commands:rescue_app", "Get out of a damaged file what can be read."),
    "records": (".evening.records", "Print CG Roster, RG Purchase Record, force rosters."),
    "map": (".evening.map_command", "The map of a campaign with its counters, also as a poster."),
    "rules": (".rules_command", "What the program does with a rule; its code and tests."),
    "rulings": (
        ".rulings_command",
        "Readings of doubtful rules; the house rules you may set.",
    ),
    "drop": (
        ".drop.drop_commands",
        "Parachute and glider drops: orders, drift, survival, platoons.",
    ),
    "st": (".st", "The area game of Strategy & Tactics 122: play, maps, simulation."),
    "mega": (".mega.mega_commands", "Umpire of a Market-Garden megagame table (d10)."),
    "serve": ("asl_pbcg.web.command", "The same in the browser: map, prompts, sheets, for two."),
    "settings": (".own_settings", "What you set once: whose eyes you have, your paper."),
    "table": (".table_command", "Any table of the rules: modifiers, exact odds, result."),
}


class Stopped(PBCGError):
    """Somebody pressed Ctrl-C; typer would end without a word."""


_INPUT_ENDED = "The input has ended. Everything answered so far is kept."


class ReaderGone(Exception):
    """The reader of a pipe (head, less) has gone; typer would take it for a fault."""


class LazyGroup(TyperGroup):
    """A group that imports a command's module only when that command runs."""

    table: ClassVar[dict[str, tuple[str, str]]] = COMMANDS
    words: ClassVar[str] = ""
    """Text that stands before the names of its commands."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        # For a mistyped name typer looks for its like in here.
        self.commands = dict.fromkeys(self.table, self)

    def list_commands(self, ctx: Any) -> list[str]:
        """Name the commands, in the order of the table."""
        return list(self.table)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Load the command ``cmd_name``, or None if there is none of that name."""
        if cmd_name not in self.table:
            return None
        place, summary = self.table[cmd_name]
        module, _, attribute = place.partition(":")
        command = typer.main.get_command(
            getattr(import_module(module, "asl_pbcg.cli"), attribute or "app")
        )
        command.name = cmd_name
        command.help = command.help or summary
        for part in (command, *getattr(command, "commands", {}).values()):
            part.rich_markup_mode = None  # rich takes [broken] for a style and cuts names short
        return dress(command, f"{self.words}{cmd_name}")

    def invoke(self, ctx: Any) -> Any:
        """Run the command; Ctrl-C and the end of the input end it with a sentence."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise Stopped(STOPPED) from None
        except EOFError:
            raise PBCGError(_INPUT_ENDED) from None
        except typer.Abort as error:  # Ctrl-C or the end of the input at a question of typer's
            if isinstance(error.__context__, KeyboardInterrupt):
                raise Stopped(STOPPED) from None
            raise PBCGError(_INPUT_ENDED) from None
        except BrokenPipeError:
            raise ReaderGone from None

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """List the commands for ``--help`` without loading any of them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in self.table.items()])


app = typer.Typer(
    cls=LazyGroup,
    rich_markup_mode=None,
    no_args_is_help=True,
    add_completion=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"pbcg {__version__}")
        raise typer.Exit


def _tell_reading() -> None:
    if sys.stderr.isatty():
        sentence = "Reading the rules' data for the first time: some seconds."
        typer.secho(sentence, dim=True, err=True)


@app.callback()
def _pbcg(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Show the version."
    ),
) -> None:
    """Bookkeeper and umpire for the Pegasus Bridge campaign games."""
    from asl_pbcg.play import data_files

    data_files.check_changed_data(_tell_reading)


def main() -> None:
    """Run ``pbcg``; what a player can put right ends as one sentence and exit code 2."""
    prepare_streams()
    join_bash_words()
    try:
        try:
            with _page_help(), hear_missing_letters(remark):
                code = app(standalone_mode=False)
        finally:
            sys.stdout.flush()
        sys.exit(code)
    except PBCGError as error:
        _answer_fault(error)
        complain(str(error))
        sys.exit(130 if isinstance(error, Stopped) else 2)
    except USAGE_ERROR as error:
        _tell_usage(error)
        sys.exit(2)
    except (ReaderGone, BrokenPipeError):
        sys.stderr.close()  # what is left to print must not fail again
        sys.exit(0)
    except OSError as error:
        give_up_output()
        complain(f"What was to be printed could not be written: {reason(error)}.")
        sys.exit(2)


def _page_help() -> AbstractContextManager[None]:
    """Return what shows long help page by page; for another command nothing."""
    if not {"-h", "--help"} & set(sys.argv):
        return nullcontext()
    from asl_pbcg.cli.terminal import pager

    return pager.page_output()


def _tell_usage(error: Any) -> None:
    """Say what is wrong with the line that was typed; the help of a group that is named alone."""
    if type(error).__name__ == "NoArgsIsHelpError":
        from asl_pbcg.cli.terminal import pager

        with pager.page_output():
            typer.echo(error.message)
        return
    error.message = usage_words(error.message)
    _answer_fault(PBCGError(error.format_message()))
    error.show()


def _answer_fault(error: PBCGError) -> None:
    """Print what is wrong as data where JSON was wanted."""
    if "--json" in sys.argv:
        typer.echo(json.dumps(fault_data(error)))


def remark(sentence: str) -> None:
    """Print for people what to look at again, in yellow, to the error stream."""
    typer.secho(with_signs(sentence), fg=typer.colors.YELLOW, err=True)


def complain(sentence: str) -> None:
    """Print ``sentence`` for people, in red, to the error stream; it may quote any file."""
    typer.secho(with_signs(sentence), fg=typer.colors.RED, err=True)


if __name__ == "__main__":
    main()
