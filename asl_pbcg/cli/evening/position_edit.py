"""``pbcg position edit``: a position by short orders, what is not placed yet always in sight."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
import typer

from asl_pbcg.campaign.board.board import load_board
from asl_pbcg.campaign.entry.draft_orders import VERBS, Editor
from asl_pbcg.campaign.entry.position_draft import Draft
from asl_pbcg.campaign.entry.position_files import read_checked, write_position
from asl_pbcg.campaign.module.catalogue import load_catalogue
from asl_pbcg.campaign.position import PieceEntry
from asl_pbcg.campaign.position_words import (
    ELIMINATED,
    EquipmentStatus,
    UnitStatus,
    VehicleStatus,
    status_words,
)
from asl_pbcg.campaign.state.ob_merge import to_position
from asl_pbcg.campaign.state.piece_names import name_piece, short_name, short_names_of
from asl_pbcg.campaign.state.seen import known_by
from asl_pbcg.campaign.terms import Side
from asl_pbcg.cli.campaign_file import state_of
from asl_pbcg.cli.evening.areas_print import print_areas
from asl_pbcg.kernel.errors import Fault, PBCGError, group_faults
from asl_pbcg.kernel.views import UMPIRE
from asl_pbcg.kernel.wording import number_words
from asl_pbcg.play.campaign_game.to_fill_in import position_to_fill_in, with_last_places

HELP = """\
 648 piat 92 x18         place what is not placed yet: a 6-4-8 with a PIAT and a 9-2 in X18
 6 648 n11   648 k9 k12  six of them; one in each of two Locations
 648 br dm y19           statuses follow the piece; any unique beginning does: mal, imm, pris
 2 648 off-map z28       off map at an Entry Area; Germans who went off there: exited
 E-3 z15/1               a piece by its name; E-3 broken, E-3 -broken; A-1 has LMG-1b
 A-1 guards E-3          his prisoner (german E-3 is german-E-3)
 447 x18 new             also what is in no OB; half-squads, crews and heroes need no word
 E-3 eliminated          Eliminated in play (-eliminated: it was not)
 E-3 aboard Marder-1     in or on a vehicle, until he is put elsewhere; Marder-1 tows 50L-AT-1
 out E-3                 off the map again
 british  german         whose pieces are meant from now on (b, g)
 control british x17-x20 who Controls what: british, german, nobody; infer takes it from the map
 trench w21   glider x22 wrecked   blaze v13   (with out: off again)
 last                    everything not placed yet where it was last
 list  faults  areas     what is placed, what is wrong, the Setup Areas
 undo  redo  save  quit  u undoes; save writes the file, quit writes it and leaves"""
MAX_TYPES = 14
"""So many types that are not placed yet are named."""


def edit(file: Path, campaign: Path | None, side: Side | None) -> Draft:
    """Let short orders make or change the position in ``file``; return it as it was written.

    ``side`` is whose pieces of a ``campaign`` are meant.
    """
    editor = Editor(_draft(file, campaign, side), side or Side.BRITISH)
    if file.exists():
        _tell_how_many(editor.draft)
    typer.echo("Short orders make the position; ? shows them, an empty line shows what is left.")
    if not sys.stdin.isatty():
        _tell_rest(editor.draft)
    for typed in _lines(editor):
        try:
            if _carry_out(editor, file, typed.strip()):
                return editor.draft
        except PBCGError as error:
            typer.secho(f" {error}", fg=typer.colors.RED)
    _save(editor.draft, file, leaving=True)
    return editor.draft


def _draft(file: Path, campaign: Path | None, side: Side | None) -> Draft:
    """Return the position in ``file`` as a draft, or one with what ``side`` knows is there."""
    viewer = side.value if side else UMPIRE
    state = state_of(campaign, viewer=viewer) if campaign else None
    board = state.board if state else load_board()
    catalogue = state.catalogue if state else load_catalogue()
    begun = file.exists()
    position = read_checked(file, board, catalogue, rules=False).position if begun else None
    if state is None:
        return Draft(None, board, catalogue, position)
    template = position_to_fill_in(state, side)
    if position is None:
        position = msgspec.structs.replace(
            template.with_pieces(()),
            fortifications=tuple(part for part in template.fortifications if part.at),
            gliders=tuple(part for part in template.gliders if part.at),
        )
    viewers = (side,) if side else ()
    visible_state = known_by(state, viewers)
    last = to_position(with_last_places(visible_state), everything=True)
    draft = Draft(visible_state, board, catalogue, position, known=last.pieces)
    draft.viewers = viewers
    draft.known_works += position_to_fill_in(visible_state, side).fortifications
    return draft


def _carry_out(editor: Editor, file: Path, typed: str) -> bool:
    """Carry out what was typed; True at the end."""
    draft, word = editor.draft, typed.lower()
    if word in ("?", "h", "help"):
        typer.echo(HELP)
    elif word in ("q", "quit", "save"):
        _save(draft, file, leaving=word != "save")
        return word != "save"
    elif word == "faults":
        faults = draft.faults()
        if not faults:
            typer.echo(" No faults.")
        _tell_faults(draft, faults)
    elif word == "areas":
        print_areas(draft.areas())
    elif word == "list":
        for line in place_lines(draft):
            typer.echo(f" {line}")
    elif not word:
        _tell_rest(draft)
    else:
        typer.echo(f" {editor.do(typed)}")
        if not sys.stdin.isatty():
            _tell_rest(draft)
    return False


def _lines(editor: Editor) -> Iterator[str]:
    """Return what is typed: at a terminal with line editing, completion and what is left below."""

    import prompt_toolkit
    from prompt_toolkit import history

    if not sys.stdin.isatty():
        yield from sys.stdin
        return
    session: prompt_toolkit.PromptSession[str] = prompt_toolkit.PromptSession(
        history=history.InMemoryHistory()
    )
    while True:
        from prompt_toolkit import completion

        words = completion.WordCompleter(
            list(completions(editor)), ignore_case=True, sentence=False
        )
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
    """Return every word an order may use now: ids, types left, statuses, words, hexes."""
    draft = editor.draft
    waiting = draft.pieces_to_place()
    yield from (*editor.words, "save", "quit", "faults", "areas", "list", *VERBS)
    yield from sorted({piece.type for piece in waiting})
    yield from (
        "-".join(short_name(piece.id).split()) for piece in (*draft.position.pieces, *waiting)
    )
    yield ELIMINATED
    yield from sorted({*map(str, (*UnitStatus, *EquipmentStatus, *VehicleStatus))})
    yield from draft.strategic().hexes


def rest_words(draft: Draft, first: Side | None = None) -> str:
    """Return what is not placed yet, in a line: counts of types, side by side, ``first`` first."""
    parts = []
    for side in sorted(Side, key=lambda side: side is not (first or Side.BRITISH)):
        counts = Counter(piece.type for piece in draft.pieces_to_place(side))
        if counts:
            words = [f"{many} x {type}" if many > 1 else type for type, many in counts.items()]
            more = len(words) - MAX_TYPES
            tail = f" and {number_words(more, 'more type')}" if more > 0 else ""
            parts.append(f"{side.title} {', '.join(words[:MAX_TYPES])}{tail}")
    return "; ".join(parts) or "nothing"


def toolbar(editor: Editor) -> str:
    """Return what is not placed yet as it fits below the line: the present side first."""
    width = max(40, shutil.get_terminal_size().columns - 1)
    words = f"not placed: {rest_words(editor.draft, editor.side)}"
    ending = " ... (Enter: all of it)"
    return "\n".join(textwrap.wrap(words, width, max_lines=4, placeholder=ending))


def _tell_rest(draft: Draft) -> None:
    typer.secho(f" not placed: {rest_words(draft)}", dim=True)


def place_lines(draft: Draft) -> list[str]:
    """Return what is placed, Location by Location in board order."""
    places: dict[str, list[PieceEntry]] = {}
    for piece in draft.position.pieces:
        places.setdefault(piece.at, []).append(piece)
    order = draft.board.grid.position
    lines = [
        f"{at}: {', '.join(map(_piece_words, places[at]))}"
        for at in sorted(places, key=lambda at: (order.get(places[at][0].location.hex, -1), at))
    ]
    gone = draft.position.eliminated
    return [*lines, f"Eliminated: {short_names_of(gone)}"] if gone else lines


def _piece_words(piece: PieceEntry) -> str:
    """Return a piece with its status, what it has and tows, its vehicle and its Guard."""
    words = [status_words(piece.status)] if piece.status else []
    for ids, tie in (
        (piece.possesses, "has"),
        (piece.tows, "tows"),
        ((piece.aboard,), "aboard"),
        ((piece.guarded_by,), "guarded by"),
    ):
        words += [f"{tie} {short_names_of(ids)}"] if any(ids) else []
    beside = f" ({', '.join(words)})" if words else ""
    return f"{name_piece(piece)}{beside}"


def _save(draft: Draft, file: Path, leaving: bool = False) -> None:
    write_position(draft.position, file)
    typer.echo(f"Kept in {file}.")
    if _tell_how_many(draft, leaving):
        typer.echo("The same command goes on with it.")


def _tell_how_many(draft: Draft, all_of_them: bool = False) -> bool:
    """Tell how many faults there are, and which if no order can ask for them any more."""
    faults = draft.faults()
    if faults:
        many = f"It has {number_words(len(faults), 'fault')} still"
        say = f"{many}:" if all_of_them else f'{many}; the order "faults" tells them.'
        typer.secho(say, fg="yellow")
    if all_of_them:
        _tell_faults(draft, faults)
    return all_of_them and bool(faults)


def _tell_faults(draft: Draft, faults: list[Fault]) -> None:
    """Tell the faults, or of a position without any what is worth a second look."""
    for group in group_faults(faults):
        typer.echo(f" {group.words}")
    for remark in () if faults else draft.remarks():
        typer.secho(f" Look again: {remark}", fg="yellow")
