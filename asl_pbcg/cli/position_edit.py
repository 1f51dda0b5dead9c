"""``pbcg position edit``: a position by short orders, what is not placed yet always in sight."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from asl_pbcg.cli.common import Viewer, as_option
from asl_pbcg.kernel.errors import FaultsError, PBCGError, group_faults
from asl_pbcg.kernel.wording import number_words

if TYPE_CHECKING:
    from asl_pbcg.campaign.draft import Draft
    from asl_pbcg.campaign.draft_orders import Editor
    from asl_pbcg.campaign.position import PieceEntry
    from asl_pbcg.campaign.terms import Side

HELP = """\
 648 piat 92 x18         place what is not placed yet: a 6-4-8 with a PIAT and a 9-2 in X18
 6 648 n11   648 k9 k12  six of them; one in each of two Locations
 648 br dm y19           statuses follow the piece; any unique beginning does: mal, imm, pris
 2 648 off-map z28       off map at an Entry Area; Germans who went off there: exited
 g-447-3 z15/1           a piece by its id; g-447-3 broken, g-447-3 -broken; b-648-1 has b-lmg-1
 b-648-1 guards g-447-3  his prisoner
 447 x18 new             also what is in no OB; half-squads, crews and heroes need no word
 g-447-3 eliminated      Eliminated in play (-eliminated: it was not)
 g-447-3 aboard g-spw-1  in or on a vehicle, until he is put elsewhere; g-spw-1 tows g-gun-1
 out g-447-3             off the map again
 british  german         whose pieces are meant from now on (b, g)
 control british x17-x20 who Controls what: british, german, nobody; infer takes it from the map
 trench w21   glider x22 wrecked   blaze v13   (with out: off again)
 last                    everything not placed yet where it was last
 list  faults  areas     what is placed, what is wrong, the Setup Areas
 undo  redo  save  quit  u takes back; save writes the file, quit writes it and leaves"""
_SHOWN = 14


def edit(
    file: Path = typer.Argument(..., metavar="FILE", help="A position to go on with, or to make."),
    campaign: Path | None = typer.Option(
        None, "--campaign", metavar="FILE", help="The campaign whose CG scenario it ends."
    ),
    viewer: Viewer = as_option("With --campaign: whose pieces."),
) -> None:
    """Make or change a position by short orders at the terminal; ? shows them."""
    from asl_pbcg.campaign.board import load_board
    from asl_pbcg.campaign.catalogue import load_catalogue
    from asl_pbcg.campaign.draft import Draft
    from asl_pbcg.campaign.draft_orders import Editor
    from asl_pbcg.campaign.merge import to_position
    from asl_pbcg.campaign.position_files import read_to_go_on
    from asl_pbcg.campaign.seen import view_for
    from asl_pbcg.cli.campaign_file import state_of
    from asl_pbcg.cli.position_vasl import side_of
    from asl_pbcg.play.to_fill_in import position_to_fill_in, with_last_places

    state = state_of(campaign) if campaign else None
    board = state.board if state else load_board()
    catalogue = state.catalogue if state else load_catalogue()
    position = read_to_go_on(file, board, catalogue) if file.exists() else None
    if state is not None and position is None:
        import msgspec

        known = position_to_fill_in(state, side_of(viewer))
        position = msgspec.structs.replace(
            known,
            units=(),
            equipment=(),
            vehicles=(),
            fortifications=tuple(part for part in known.fortifications if part.at),
            gliders=tuple(part for part in known.gliders if part.at),
        )
    side = side_of(viewer)
    if state is not None and side is not None:
        state = view_for(state, side)
    last = to_position(with_last_places(state), everything=True) if state else None
    known_pieces = last.pieces if last else None
    editor = Editor(Draft(state, board, catalogue, position, known=known_pieces))
    if state is not None:
        editor.draft.known_works += position_to_fill_in(state, side).fortifications
    if side is not None:
        editor.side = side
    if position is not None and file.exists():
        _tell_how_many(editor.draft)
    _converse(editor, file)


def _converse(editor: Editor, file: Path) -> None:
    typer.echo("Short orders make the position; ? shows them, an empty line shows what is left.")
    if not sys.stdin.isatty():
        _tell_left(editor.draft)
    for typed in _lines(editor, file):
        try:
            if _carry_out(editor, file, typed.strip()):
                return
        except PBCGError as error:
            typer.secho(f" {error}", fg=typer.colors.RED)
    _save(editor.draft, file, leaving=True)


def _carry_out(editor: Editor, file: Path, typed: str) -> bool:
    """Carry out what was typed; True at the end."""
    word = typed.lower()
    if word in ("?", "h", "help"):
        typer.echo(HELP)
    elif word in ("q", "quit"):
        _save(editor.draft, file, leaving=True)
        return True
    elif word == "save":
        _save(editor.draft, file)
    elif word == "faults":
        _tell_faults(editor.draft)
    elif word == "areas":
        from asl_pbcg.cli.areas_command import print_areas

        print_areas(editor.draft.areas())
    elif word == "list":
        for line in place_lines(editor.draft):
            typer.echo(f" {line}")
    elif not word:
        _tell_left(editor.draft)
    else:
        typer.echo(f" {editor.do(typed)}")
        if not sys.stdin.isatty():
            _tell_left(editor.draft)
    return False


def _lines(editor: Editor, file: Path) -> Iterator[str]:
    """What is typed: with line editing, completion and what is left in sight at a terminal."""
    if not sys.stdin.isatty():
        yield from sys.stdin
        return
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import WordCompleter
    from prompt_toolkit.history import InMemoryHistory

    session: PromptSession[str] = PromptSession(history=InMemoryHistory())
    while True:
        words = WordCompleter(list(completions(editor)), ignore_case=True, sentence=False)
        try:
            yield session.prompt(
                f"{editor.side.value} > ",
                completer=words,
                complete_while_typing=False,
                bottom_toolbar=lambda: toolbar(editor),
            )
        except (EOFError, KeyboardInterrupt):
            return


def completions(editor: Editor) -> Iterable[str]:
    """Every word an order may use now: ids, types left, statuses, words, hexes."""
    from asl_pbcg.campaign.draft_orders import VERBS
    from asl_pbcg.campaign.position_words import (
        ELIMINATED,
        EquipmentStatus,
        UnitStatus,
        VehicleStatus,
    )

    draft = editor.draft
    yield from editor.words
    yield from ("save", "quit", "faults", "areas", "list")
    yield from VERBS
    yield from sorted({piece.type for piece in draft.pieces_to_place()})
    yield from (entry.id for entry in draft.position.pieces)
    yield from (piece.id for piece in draft.pieces_to_place())
    yield ELIMINATED
    kinds = (UnitStatus, EquipmentStatus, VehicleStatus)
    yield from sorted({str(status) for kind in kinds for status in kind})
    yield from draft.strategic().hexes


def rest_words(draft: Draft, first: Side | None = None) -> str:
    """What is not placed yet, in a line: counts of types, the sides apart, ``first`` first."""
    from asl_pbcg.campaign.terms import Side

    parts = []
    for side in sorted(Side, key=lambda side: side is not (first or Side.BRITISH)):
        counts = Counter(piece.type for piece in draft.pieces_to_place(side))
        if counts:
            words = [f"{many} x {type}" if many > 1 else type for type, many in counts.items()]
            more = len(words) - _SHOWN
            tail = f" and {number_words(more, 'more type')}" if more > 0 else ""
            parts.append(f"{side.title} {', '.join(words[:_SHOWN])}{tail}")
    return "; ".join(parts) or "nothing"


def toolbar(editor: Editor) -> str:
    """What is not placed yet as it fits below the line: the present side first."""
    import shutil
    import textwrap

    width = max(40, shutil.get_terminal_size().columns - 1)
    said = f"not placed: {rest_words(editor.draft, editor.side)}"
    rest = " ... (Enter: all of it)"
    return "\n".join(textwrap.wrap(said, width, max_lines=4, placeholder=rest))


def _tell_left(draft: Draft) -> None:
    typer.secho(f" not placed: {rest_words(draft)}", dim=True)


def _tell_faults(draft: Draft) -> None:
    groups = group_faults(draft.faults())
    for group in groups:
        typer.echo(f" {group.words}")
    if not groups:
        typer.echo(" No faults.")


def place_lines(draft: Draft) -> list[str]:
    """What is placed, Location by Location in board order."""
    from asl_pbcg.campaign.location import Location

    places: dict[str, list[str]] = {}
    for entry in draft.position.pieces:
        told = [*map(str, entry.status), *_with_whom(entry)]
        beside = f" ({', '.join(told)})" if told else ""
        places.setdefault(entry.at, []).append(f"{entry.type} {entry.id}{beside}")
    order = draft.board.grid.position
    lines = [
        f"{at}: {', '.join(places[at])}"
        for at in sorted(places, key=lambda at: (order.get(Location.parse(at).hex, -1), at))
    ]
    gone = draft.position.eliminated
    return [*lines, f"Eliminated: {', '.join(gone)}"] if gone else lines


def _with_whom(entry: PieceEntry) -> Iterator[str]:
    """What a piece has and tows, what it is aboard of, who guards it."""
    for name, words in (("possesses", "has"), ("tows", "tows")):
        if held := getattr(entry, name, ()):
            yield f"{words} {' '.join(held)}"
    for name, words in (("aboard", "aboard"), ("guarded_by", "guarded by")):
        if other := getattr(entry, name, ""):
            yield f"{words} {other}"


def _save(draft: Draft, file: Path, leaving: bool = False) -> None:
    from asl_pbcg.campaign.position_files import write_position

    write_position(draft.position, file)
    typer.echo(f"Kept in {file}.")
    if _tell_how_many(draft, leaving):
        typer.echo("The same command goes on with it.")


def _tell_how_many(draft: Draft, all_of_them: bool = False) -> bool:
    """Whether there are faults; it is told how many, and which if nobody can ask any more."""
    try:
        faults = draft.faults()
    except FaultsError as error:
        faults = list(error.faults)
    if not faults:
        return False
    many = f"It has {number_words(len(faults), 'fault')} still"
    if not all_of_them:
        typer.secho(f'{many}; the order "faults" tells them.', fg="yellow")
        return False
    typer.secho(f"{many}:", fg="yellow")
    for group in group_faults(faults):
        typer.echo(f" {group.words}")
    return True
