"""``pbcg history`` and ``pbcg dice``: looking back at a campaign."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
import typer
from rich.table import Table

from asl_pbcg.chronicle import luck_ledger, service, service_sheets
from asl_pbcg.cli.campaign_file import look_at
from asl_pbcg.cli.command_answers import Answer, answers, refuse_idle, written_files, written_tables
from asl_pbcg.cli.common import Viewer, as_option, default_paper
from asl_pbcg.cli.terminal.sentences import Sentences
from asl_pbcg.kernel.deciders import names_in
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import write_atomic
from asl_pbcg.kernel.player_notes import notes_of
from asl_pbcg.kernel.textfiles import read_limited
from asl_pbcg.kernel.views import UMPIRE, LogLine
from asl_pbcg.kernel.wording import number_words
from asl_pbcg.play.campaign_game import looking_back, viewer_tables
from asl_pbcg.play.campaign_game.history import CampaignDice, Fall, dates, dice_falls, log_falls
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.play.seat import Seat
from asl_pbcg.records import output as record_output
from asl_pbcg.vasl import archive, log_dice

history_app = typer.Typer(add_completion=False)
dice_app = typer.Typer(add_completion=False)

DATA: Final = (".csv", ".json")
COLUMNS: Final = {
    "british_san": "Brit. SAN", "german_san": "Ger. SAN",
    "british_cvp_lost": "Brit. CVP lost", "german_cvp_lost": "Ger. CVP lost",
    "cpp_available": "CPP", "cpp_spent": "CPP spent", "cpp_left": "CPP left",
    "british_fpp_received": "Brit. FPP", "british_fpp_spent": "Brit. FPP spent",
    "german_fpp_received": "Ger. FPP", "german_fpp_spent": "Ger. FPP spent",
}  # fmt: skip
_FILE = typer.Argument(..., help="The campaign file.")


@history_app.command()
@answers
def history(
    file: Path = _FILE,
    viewer: Viewer = as_option("What this side may know."),
    piece: str = typer.Option(
        "", "--piece", metavar="PIECE", help="The service record of a piece."
    ),
    honours: bool = typer.Option(False, "--honours", help="Honours and losses of each side."),
    luck: bool = typer.Option(False, "--luck", help="What rolls were to bring, and brought."),
    output: Path | None = typer.Option(
        None,
        "-o",
        "--output",
        metavar="FILE",
        help="Write it: .csv, .json, .xlsx, .pdf (not of a piece); of a piece or side .md too.",
    ),
) -> Answer:
    """Tell what each CG Date brought, or what became of a piece, or of each side's pieces.

    --piece A-3 tells what a piece did and suffered, --honours what a side may be proud of and
    what it lost. With -o FILE.md they are written as Markdown, to paste into a forum; of a side
    that is the service record of every unit and leader.

    --luck is the ledger of luck: what Escapes, Shifts, repairs, RG Strength, SW and leader rolls of
    each Refit Phase were expected to bring and what they brought, in exact fractions.
    """
    if bool(piece) + honours + luck > 1:
        raise PBCGError("Give one of --piece, --honours and --luck.")
    with look_at(file, viewer.value) as game:
        seat = Seat(game, viewer.value)
        if output and output.suffix.lower() == ".pdf" and (luck or honours):
            return _write_honours_or_luck(game, seat, luck, output)
        if luck and output:
            return written_tables(viewer_tables.viewer_tables(seat, "luck"), output)
        if luck:
            lines = luck_ledger.luck_ledger(service.moments_of(game.session), seat.sees)
            return Answer([line.plain() for line in lines], lambda _: _print_luck(lines))
        if piece or honours:
            chronicle = service.chronicle_of(game.session, seat.sees)
            return _piece(chronicle, piece, output) if piece else _sides(chronicle, output)
        if output and output.suffix.lower() in DATA:
            return written_tables(viewer_tables.viewer_tables(seat, "dates"), output)
        if output:
            return _write_sheet(game, seat, output)
        notes = notes_of(game.session.journal, seat.sees)
        return Answer(dates(game.session.state, seat.sees, notes), _print_dates)


@dice_app.command()
@answers
def dice(
    file: Path | None = typer.Argument(None, help="The campaign file."),
    viewer: Viewer = as_option("Rolls this side has seen."),
    output: Path | None = typer.Option(
        None,
        "-o",
        "--output",
        metavar="FILE",
        help="Write it as .csv or .json, or with the history as .pdf or .xlsx; "
        "with --vlog each throw as .csv, .json or .xlsx.",
    ),
    vlog: list[Path] = typer.Option(
        [], "--vlog", metavar="LOG", help="A VASL log of a scenario: its dice too; may be repeated."
    ),
    player: list[str] = typer.Option(
        [], "--player", metavar="SIDE=NAME", help="What a side is called in the logs."
    ),
) -> Answer:
    """Tell how each side's dice fell, and how likely that was.

    A throw that stands in the logs of both players counts once. With -o each throw is written with
    its log, phase (a scenario, or CG Date and step of the Refit Phase), side, player and dice.

    \b
      pbcg dice evening.pbcg --vlog night-1.vlog --player german=Karl
    """
    if file is None and not vlog:
        raise PBCGError("Name a campaign file, or logs of VASL with --vlog.")
    if not vlog:
        refuse_idle("without --vlog", "--player")
    elif file is None:
        refuse_idle("without a campaign file", "--as")
    logged = log_dice.read_logs(_each_once(vlog))
    if file is None:
        return _dice_answer([], logged, _names({}, player), len(vlog), output)
    with look_at(file, viewer.value) as game:
        seat = Seat(game, viewer.value)
        if vlog:
            names = _names(game.session.state.players, player)
            return _dice_answer(seat.lines(), logged, names, len(vlog), output)
        if output and output.suffix.lower() in DATA:
            return written_tables(viewer_tables.viewer_tables(seat, "dice"), output)
        if output:
            return _write_sheet(game, seat, output)
        return Answer(dice_falls(seat.lines()), _print_dice)


def _each_once(logs: list[Path]) -> list[Path]:
    """Return logs, each given once. Raises PBCGError where two are the same."""
    contents: dict[bytes, Path] = {}
    for log in logs:
        content = read_limited(log, archive.FILE_LIMIT)
        if content in contents:
            raise PBCGError(f"{log} and {contents[content]} are the same log: give it once.")
        contents[content] = log
    return logs


def _names(players: Mapping[Any, str], options: list[str]) -> dict[str, str]:
    """Return the side of each player by name: as the campaign has it, and as the options say."""
    names = {
        name.casefold(): str(side) for side, listed in players.items() for name in names_in(listed)
    }
    for option in options:
        side, equals, name = option.partition("=")
        if not equals or side not in (Viewer.BRITISH, Viewer.GERMAN) or not name.strip():
            raise PBCGError(f'"{option}" is not of the form german=Karl.')
        names[name.strip().casefold()] = side
    return names


def _dice_answer(
    lines: Sequence[LogLine],
    logged: log_dice.LogDice,
    names: Mapping[str, str],
    logs: int,
    output: Path | None,
) -> Answer:
    """Answer the dice of logs and of the Refit Phase, or write each throw."""
    if output:
        return written_tables(viewer_tables.throw_rows(logged.rolls, names, lines), output)
    dice = CampaignDice(
        refit=dice_falls(lines),
        scenarios=log_falls(logged.rolls, names),
        logs=logs,
        twice=logged.twice,
        left_out=logged.left_out,
    )
    return Answer(dice, _print_campaign_dice)


def _print_campaign_dice(dice: CampaignDice) -> None:
    typer.echo(f"On VASL, {number_words(dice.logs, 'log')}:")
    if not dice.scenarios:
        typer.echo("Nothing has been thrown yet.")
    for fall in dice.scenarios:
        _print_fall(fall, fall.player or fall.side.capitalize(), fall.kind or "all")
    if dice.twice:
        typer.echo(f"In two logs, counted once: {number_words(dice.twice, 'throw')}.")
    if dice.left_out:
        typer.echo(f"Not counted, as no throw here is like it: {'; '.join(dice.left_out)}.")
    if dice.refit:
        typer.echo("In the Refit Phase:")
        _print_dice(dice.refit)


def _write_sheet(game: OpenGame, seat: Seat, output: Path) -> Answer:
    """Put history and dice on paper."""
    rows, falls = dates(game.session.state, seat.sees), dice_falls(seat.lines())
    title = game.plug.title(game.session)
    sheet = looking_back.looking_back(rows, falls, title, seat.viewer.capitalize(), default_paper())
    record_output.save(sheet, output, default_paper())
    return written_files([output])


def _write_honours_or_luck(game: OpenGame, seat: Seat, luck: bool, output: Path) -> Answer:
    """Put the ledger of luck on paper, or the service records of each side that the seat sees."""
    session = game.session
    if luck:
        from asl_pbcg.play.campaign_game import campaign_poster

        sheets = [campaign_poster.luck_sheet(session, seat.sees)]
    else:
        chronicle = service.chronicle_of(session, seat.sees)
        sides = [side for side in session.state.sides if seat.sees in (UMPIRE, side.value)]
        sheets = [service_sheets.service_record(chronicle, side) for side in sides]
    record_output.save(sheets, output, default_paper())
    return written_files([output])


def _piece(chronicle: service.Chronicle, typed: str, output: Path | None) -> Answer:
    """Answer the service record of one piece, or write it as Markdown."""
    record = chronicle.record(chronicle.find_piece(typed).id)
    assert record is not None
    if output and output.suffix.lower() == ".md":
        return _write_markdown(output, service_sheets.record_markdown(record))
    if output:
        return written_tables(viewer_tables.service_rows(record), output)
    return Answer(record, lambda data: typer.echo(service_sheets.record_text(data)))


def _sides(chronicle: service.Chronicle, output: Path | None) -> Answer:
    """Answer the honours and losses of each side that the viewer is, or write its records."""
    if output and output.suffix.lower() != ".md":
        return written_tables(viewer_tables.loss_rows(chronicle), output)
    sees = chronicle.viewer
    sides = [side for side in chronicle.state.sides if sees in (UMPIRE, side.value)]
    if output:
        texts = (service_sheets.side_markdown(chronicle, side) for side in sides)
        return _write_markdown(output, "\n".join(texts))
    facts = {
        side.value: SideService(chronicle.honours(side), chronicle.losses(side)) for side in sides
    }
    texts = (service_sheets.honours_text(chronicle, side) for side in sides)
    return Answer(facts, lambda _: typer.echo("\n".join(texts), nl=False))


def _print_luck(lines: list[luck_ledger.LuckLine]) -> None:
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    for name in ("Refit Phase", "Side"):
        table.add_column(name, no_wrap=True)
    table.add_column("What is counted")
    for name in ("Rolls", "Expected", "Brought", "More"):
        table.add_column(name, justify="right", no_wrap=True)
    phase = ""
    for line in (*lines, *luck_ledger.totals(lines)):
        table.add_row(
            "" if line.phase == phase else line.phase,
            line.side.capitalize(),
            f"{line.kind}, {line.unit}",
            str(line.rolls),
            luck_ledger.fraction_words(line.expected),
            luck_ledger.fraction_words(line.brought),
            luck_ledger.fraction_words(line.difference, signed=True),
        )
        phase = line.phase
    Sentences().print(table)


class SideService(msgspec.Struct, frozen=True):
    """The honours and losses of a side."""

    honours: list[service.Honour]
    losses: list[service.PieceLoss]


def _write_markdown(output: Path, text: str) -> Answer:
    write_atomic(output, text)
    return written_files([output])


def _print_dates(rows: list[dict[str, Any]]) -> None:
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))  # so that 80 columns hold it
    table.add_column("CG Date", no_wrap=True)
    used = [key for key in COLUMNS if any(row.get(key) is not None for row in rows)]
    for key in used:
        table.add_column(COLUMNS[key], justify="right")
    for row in rows:
        cells = ("" if row.get(key) is None else f"{row[key]:g}" for key in used)
        table.add_row(row["title"], *cells)
    Sentences().print(table)
    for row in rows:
        for words in row["diary"]:
            typer.echo(f"{row['title']}: {words}")


def _print_dice(falls: list[Fall]) -> None:
    if not falls:
        typer.echo("Nothing has been thrown yet.")
    for fall in falls:
        _print_fall(fall, fall.side.capitalize() or "Nobody's")


def _print_fall(fall: Fall, who: str, kind: str = "") -> None:
    percent = looking_back.percent_of
    name = looking_back.NAMES.get(fall.dice, f"{fall.dice}d6")
    name = f"{name} {kind:6}" if kind else name
    words = f"{who:8} {fall.count:4} {name}: mean {fall.mean:.2f}, expected {fall.expected:g}"
    if fall.lower is None or fall.higher is None:
        typer.echo(f"{words}; too few to tell")
    else:
        typer.echo(f"{words}; as low {percent(fall.lower)}, as high {percent(fall.higher)}")
