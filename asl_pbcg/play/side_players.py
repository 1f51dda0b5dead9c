"""Several players a side: handing over who decides, and what a list of them may not be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from asl_pbcg.kernel.deciders import hand_over, named_twice, names_in
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.play.waiting import as_seen


def hand_decisions(game: OpenGame, side: str, name: str, deciders: Mapping[str, str]) -> str:
    """Hand what ``side`` decides to one of its players; return the name as the side has it.

    ``deciders`` says who decides for each side now. Raises PBCGError.
    """
    session, pending = game.session, game.session.pending
    names = game.plug.players(session).get(side, ())
    if len(names) < 2:
        if not side:
            raise PBCGError("What is asked now is for both sides: name the side with --as.")
        raise PBCGError(
            f"The {side.capitalize()} side does not list several players: correct "
            f'players/{side} to "Anne, Ben", for example.'
        )
    found = next((each for each in names if each.casefold() == name.strip().casefold()), None)
    if found is None:
        raise PBCGError(f'"{name[:40]}" is not one of {", ".join(names)}.')
    if deciders.get(side) == found:
        return found
    secret = pending is not None and pending.secret and pending.side == side
    seen = as_seen(game, side).session
    with session.together():
        step = seen.step.id if seen.step else "players"
        hand_over(session.journal, side, found, step, secret)
    game.proposals.stay(session.journal.head)
    game.version += 1
    return found


def check_players(path: str, value: Any, deciders: Mapping[str, str]) -> None:
    """Refuse a side's players where one is named twice or who decides is not among them.

    ``path`` and ``value`` are those of a correction. Raises PBCGError.
    """
    key, _, side = path.partition("/")
    if key != "players":
        return
    if twice := named_twice(str(value)):
        raise PBCGError(f"{twice} is named twice: each player once, as Anne, Ben.")
    decider = deciders.get(side, "")
    if decider and decider not in names_in(str(value)):
        raise PBCGError(
            f"{decider} decides for the {side.capitalize()} side: hand that to another of its "
            "players first."
        )
