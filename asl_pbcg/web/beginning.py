"""New games for the folder: a campaign, the sample, an area game."""

from __future__ import annotations

from typing import Any

from asl_pbcg.kernel.foreign_text import LONGEST_NAME, read_line
from asl_pbcg.play.area_game import create_game
from asl_pbcg.play.area_guide import begin_guide
from asl_pbcg.play.area_orders import AreaOrders
from asl_pbcg.play.campaign import create_campaign
from asl_pbcg.play.game import OpenGame
from asl_pbcg.play.seat import Seat
from asl_pbcg.st.board.map_load import load_map
from asl_pbcg.st.many.challenge import challenge_meta, read_date
from asl_pbcg.web.folder import Folder, game_id
from asl_pbcg.web.messages import NewGameIn

SAMPLE_SEED = 60644
"""The seed of the sample campaign, as ``pbcg demo`` builds it."""


def begin(folder: Folder, wanted: NewGameIn) -> str:
    """Make the game ``wanted`` in ``folder`` and give its ID. Raises PBCGError."""
    path = folder.new_file(wanted.name)
    if wanted.kind == "guide":
        _begin(begin_guide(path))
        return game_id(path)
    if wanted.kind in ("st", "challenge"):
        _begin(create_game(path, _area_meta(wanted), load_map()))
        return game_id(path)
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


def _begin(game: OpenGame) -> None:
    """Throw what nobody has to look at first, and pass over what need not be asked."""
    with game:
        game.throw_by_itself()
        AreaOrders().go_on(Seat(game, game.plug.sides[0]), 0)


def _area_meta(wanted: NewGameIn) -> dict[str, Any]:
    """What the file of an area game is begun with."""
    if wanted.kind == "challenge":
        return challenge_meta(read_date(wanted.date))
    settings: dict[str, Any] = {"mode": wanted.mode}
    if wanted.difficulty and wanted.mode == "variable":
        settings["difficulty"] = wanted.difficulty
    if wanted.opponent == "resolute":
        settings["german"] = wanted.opponent
    meta: dict[str, Any] = {"settings": settings, "dice": wanted.dice}
    return meta if wanted.seed is None else {**meta, "seed": wanted.seed}


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
    return read_line(name, "A player's name", LONGEST_NAME)
