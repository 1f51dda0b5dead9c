"""``--apply``: what a drop landed, offered to a campaign as recorded corrections."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import typer

from asl_pbcg.airborne.drop_state import Lander, landed_units
from asl_pbcg.campaign.state.piece_names import name_piece, read_piece, short_name
from asl_pbcg.campaign.terms import Side
from asl_pbcg.cli.campaign_file import open_game
from asl_pbcg.cli.command_answers import Answer
from asl_pbcg.cli.common import in_quotes
from asl_pbcg.cli.drop.drop_playing import drop_file
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.session import Session


def offer_landings(drop: Path, campaign: Path, named: list[str], yes: bool) -> Answer:
    """Show which pieces of ``campaign`` would stand where ``drop`` landed them, and ask.

    A landed counter stands for the piece of the same id, or as ``named`` says (NAME=PIECE).
    Nothing in the campaign changes unless the answer is yes (or ``yes`` was given); each change
    is a correction with the drop as its reason. Raises PBCGError if nothing fits.
    """
    if drop.resolve() == campaign.resolve():
        raise PBCGError(f"{campaign} is the drop itself; --apply names a campaign file.")
    with drop_file(drop, reading=True) as session:
        side = session.state.side
        landed = {counter.id: counter for counter in landed_units(session.state)}
    ids = _read_names(named, landed)
    with open_game(campaign) as game:
        held = game.session
        pieces = {piece.id: piece for piece in held.state.pieces}
        ours = next((drop_side for drop_side in Side if drop_side == side), None)
        ids = {name: read_piece(id, pieces.values(), ours).id for name, id in ids.items()}
        chosen = {name: ids.get(name, name) for name in landed}
        chosen = {name: id for name, id in chosen.items() if id in pieces}
        if not chosen:
            names = ", ".join(list(landed)[:6]) or "nothing"
            raise PBCGError(
                f"No landed counter ({names}) is a piece of {campaign}: say which is which with "
                "--piece NAME=ID, for example --piece 'A Company=A-1'."
            )
        _check_pieces(chosen, {name: pieces[id].side for name, id in chosen.items()}, side)
        typer.echo(f"From {drop}, as corrections of {campaign}:")
        moved = [name for name in chosen if _show_move(pieces[chosen[name]], landed[name])]
        others = [name for name in landed if name not in chosen]
        if others:
            typer.echo(f"  Without a piece, not changed: {', '.join(others)}")
        if not moved or not (yes or typer.confirm("Record these corrections?", default=False)):
            return Answer.in_lines({"recorded": {}}, ["The campaign is as it was."])
        _record(held, drop, {chosen[name]: landed[name] for name in moved})
    recorded = {chosen[name]: landed[name].at for name in moved}
    sentence = f"Recorded; {in_quotes('log', campaign)} shows each one."
    return Answer.in_lines({"recorded": recorded}, [sentence])


def _show_move(piece: Any, counter: Lander) -> bool:
    """Print where a piece would stand; False if it stands there already."""
    if piece.at == counter.at:
        typer.echo(f"  {name_piece(piece)}: at {piece.at} already ({counter.id})")
        return False
    place = piece.at or "no place"
    typer.echo(f"  {name_piece(piece)}: {place} becomes {counter.at} ({counter.id})")
    return True


def _record(held: Session[Any], drop: Path, moves: Mapping[str, Lander]) -> None:
    with held.together():
        for id, counter in moves.items():
            reason = f"{drop.name}: {counter.id}, {counter.status}"
            held.correct(f"pieces/{id}/at", counter.at, reason)


def _check_pieces(chosen: dict[str, str], sides: dict[str, Side], dropped: str) -> None:
    """Refuse a piece of the other side, or one that two landed counters would be."""
    first: dict[str, str] = {}
    for name, id in chosen.items():
        if dropped in set(Side) and sides[name] != dropped:
            raise PBCGError(
                f"{short_name(id)} is {sides[name].title}, but {name} is {Side(dropped).title}."
            )
        if id in first:
            raise PBCGError(
                f"{short_name(id)} cannot be both {first[id]} and {name}: name one of them."
            )
        first[id] = name


def _read_names(named: list[str], landed: Mapping[str, Lander]) -> dict[str, str]:
    """Return the piece that each named counter is. Raises PBCGError."""
    piece_ids = {}
    for item in named:
        name, equals, id = (part.strip() for part in item.rpartition("="))
        if not (name and equals and id):
            raise PBCGError(f'--piece "{item}": write NAME=ID, for example "A Company=A-1".')
        if name not in landed:
            names = ", ".join(landed) or "nothing"
            raise PBCGError(f"{name} has not landed; these have: {names}.")
        piece_ids[name] = id
    return piece_ids
