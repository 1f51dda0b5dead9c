"""New games for the folder: a campaign, the sample, an area game."""

from __future__ import annotations

from typing import Any

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.play.campaign import create_campaign
from asl_pbcg.play.game import OpenGame
from asl_pbcg.web.folder import Folder, game_id
from asl_pbcg.web.messages import NewGameIn

SAMPLE_SEED = 60644
"""The seed of the sample campaign, as ``pbcg demo`` builds it."""


def begin(folder: Folder, wanted: NewGameIn) -> str:
    """Make the game ``wanted`` in ``folder`` and give its ID. Raises PBCGError."""
    path = folder.new_file(wanted.name)
    if wanted.kind == "st":
        raise PBCGError("An area game is begun with pbcg st new; it is then listed here.")
    sample = wanted.kind == "sample"
    seed = SAMPLE_SEED if sample else wanted.seed
    names = {"british": _name(wanted.british), "german": _name(wanted.german)}
    settings: dict[str, Any] = {
        "campaign": "CG1" if sample else wanted.campaign,
        "players": {side: name for side, name in names.items() if name},
    }
    if not sample:
        settings |= {"balance": wanted.balance, "house_rules": {}}
    meta: dict[str, Any] = {
        "settings": settings,
        "dice": "seeded" if sample else wanted.dice,
    }
    if seed is not None:
        meta["seed"] = seed
    with create_campaign(path, meta) as game:
        if sample:
            _play_to_scenario(game)
    return game_id(path)


def _play_to_scenario(game: OpenGame) -> None:
    from asl_pbcg.kernel.answers import RandomAnswers, drive

    session = game.session
    drive(
        session,
        RandomAnswers(SAMPLE_SEED),
        session.program_dice,
        until=lambda: session.state.at == "scenario",
    )


def _name(name: str) -> str:
    if any(ord(letter) < 32 for letter in name):
        raise PBCGError("A player's name is one line of 60 characters at most.")
    return name.strip()
