"""``--apply``: what a drop landed, offered to a campaign as recorded corrections."""

from __future__ import annotations

from pathlib import Path

import typer

from asl_pbcg.airborne.state import Landed, landed_units
from asl_pbcg.campaign.terms import Side
from asl_pbcg.cli.common import in_quotes
from asl_pbcg.cli.drop_files import drop_file
from asl_pbcg.kernel.errors import PBCGError


def offer(drop: Path, campaign: Path, named: list[str], yes: bool) -> None:
    """Show which pieces of ``campaign`` would stand where ``drop`` landed them, and ask.

    A landed counter stands for the piece of the same id, or as ``named`` says (NAME=PIECE).
    Nothing in the campaign changes unless the answer is yes (or ``yes`` was given); each change
    is a correction with the drop as its reason. Raises PBCGError if nothing fits.
    """
    from asl_pbcg.cli.campaign_file import open_campaign

    if drop.resolve() == campaign.resolve():
        raise PBCGError(f"{campaign} is the drop itself; --apply names a campaign file.")
    with drop_file(drop, reading=True) as session:
        side = session.state.side
        landed = {each.id: each for each in landed_units(session.state)}
    wanted = _matches(landed, named)
    held = open_campaign(campaign)
    try:
        pieces = {piece.id: piece for piece in held.state.pieces}
        for name, id in _read_given(named).items():
            if id not in pieces:
                raise PBCGError(f"{campaign} has no piece {id} for {name}: see pbcg records.")
        chosen = {name: id for name, id in wanted.items() if id in pieces}
        if not chosen:
            names = ", ".join(list(landed)[:6]) or "nothing"
            raise PBCGError(
                f"No landed counter ({names}) is a piece of {campaign}: say which is which with "
                "--piece NAME=ID, for example --piece 'A Company=b-648-1'."
            )
        _check_pieces(chosen, {name: pieces[id].side for name, id in chosen.items()}, side)
        typer.echo(f"From {drop}, as corrections of {campaign}:")
        moved = {}
        for name, id in chosen.items():
            at, becomes = pieces[id].at, landed[name].at
            if at == becomes:
                typer.echo(f"  {pieces[id].type} {id}: at {at} already ({name})")
                continue
            moved[name] = id
            typer.echo(f"  {pieces[id].type} {id}: {at or 'no place'} becomes {becomes} ({name})")
        left = [name for name in landed if name not in chosen]
        if left:
            typer.echo(f"  Without a piece, left alone: {', '.join(left)}")
        if not moved or not (yes or typer.confirm("Record these corrections?", default=False)):
            typer.echo("The campaign is as it was.")
            return
        with held.together():
            for name, id in moved.items():
                each = landed[name]
                held.correct(f"pieces/{id}/at", each.at, f"{drop.name}: {name}, {each.status}")
    finally:
        held.journal.close()
    typer.echo(f"Recorded; {in_quotes('log', campaign)} shows each one.")


def _check_pieces(chosen: dict[str, str], sides: dict[str, Side], dropped: str) -> None:
    """Refuse a piece of the other side, or one that two landed counters would be."""
    first: dict[str, str] = {}
    for name, id in chosen.items():
        if dropped in set(Side) and sides[name] != dropped:
            raise PBCGError(f"{id} is {sides[name].title}, but {name} is {Side(dropped).title}.")
        if id in first:
            raise PBCGError(f"{id} cannot be both {first[id]} and {name}: name one of them.")
        first[id] = name


def _read_given(named: list[str]) -> dict[str, str]:
    found = {}
    for item in named:
        name, equals, id = (part.strip() for part in item.rpartition("="))
        if not (name and equals and id):
            raise PBCGError(f'--piece "{item}": write NAME=ID, for example "A Company=b-648-1".')
        found[name] = id
    return found


def _matches(landed: dict[str, Landed], named: list[str]) -> dict[str, str]:
    given = _read_given(named)
    for name in given:
        if name not in landed:
            known = ", ".join(landed) or "nothing"
            raise PBCGError(f"{name} has not landed; these have: {known}.")
    return {name: given.get(name, name) for name in landed}
