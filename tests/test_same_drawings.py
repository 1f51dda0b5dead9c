"""Maps are drawn as they were when this was written: board, counters, posters, the area game's.

``python tests/test_same_drawings.py --write`` writes what is compared with again: only after a
drawing was changed on purpose, and looked at. The campaign's maps are those of states that are kept
in ``golden_drawings``, so that a rule played otherwise draws no other map.
"""

from __future__ import annotations

import gzip
import random
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

if __name__ == "__main__":
    ROOT = Path(__file__).resolve().parent.parent
    sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support")]

from fingerprints import Item, check, write
from st_help import GAME
from st_map_help import shipped
from st_soak import tasks

from asl_pbcg.campaign.board.board import load_board
from asl_pbcg.campaign.map.board_sheet import map_sheet
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.hexes.drawing import Drawing
from asl_pbcg.play.campaign_game.campaign_prints import MapPrint, map_prints, setup_map
from asl_pbcg.records.layout import Paper
from asl_pbcg.refit.sequence import CampaignGame
from asl_pbcg.st.board.map_check import check_data
from asl_pbcg.st.picture.live_map import counters, live_ground
from asl_pbcg.st.picture.map_draw import draw_map
from asl_pbcg.st.player import automatic_game as run
from asl_pbcg.st.player.policy import player
from asl_pbcg.st.state.game_state import State
from asl_pbcg.st.state.player_view import view_for

PRINTS = (
    ("night-2", "umpire", MapPrint(paper=Paper.A3)),
    ("dawn", "british", MapPrint(around="Y19", radius=5, spread=False)),
    ("dusk", "", MapPrint(around="JJ12", radius=7, spread=False)),
)
KEPT = Path(__file__).parent / "golden_drawings"
ELEMENT = re.compile(r"<[^>]*>[^<]*")
TOGETHER = 6
GAMES = ((5, 30, Paper.A4), (8, 75, Paper.A3))
"""The number of a game, after how many of its steps, on which paper."""
MAPS = 2


def elements(drawing: Drawing | str, name: str) -> Iterator[Item]:
    """The elements of a drawing, a few at a time; of a picture in it only where it is."""
    text = drawing if isinstance(drawing, str) else drawing.to_svg()
    found = ELEMENT.findall(re.sub(r'base64,[^"]*', "base64,", text))
    for first in range(0, len(found), TOGETHER):
        yield name, "".join(found[first : first + TOGETHER])


@cache
def campaign() -> dict[str, Campaign]:
    """A campaign before some of its CG scenarios: an automatic one, as it was when it was kept."""
    kept = {path.name.split(".")[0]: path.read_bytes() for path in KEPT.glob("*.json.gz")}
    return {date: CampaignGame().decode(gzip.decompress(stored)) for date, stored in kept.items()}


def prints() -> Iterator[Item]:
    """Maps of a campaign for those who may see different things."""
    for date, sees, how in PRINTS:
        for number, page in enumerate(map_prints(campaign()[date], sees, how)):
            yield from elements(page, f"{date} for {sees or 'both'}, page {number}")
    state = campaign()["day-1"]
    yield from elements(setup_map(state, state.sides[1], Paper.A4), "setup")


def boards() -> Iterator[Item]:
    """The board alone: whole, and parts of it at its edges."""
    yield from elements(map_sheet(load_board()), "the board")
    for around in ("A1", "TT14", "Z28", "KK1"):
        part = map_sheet(load_board(), around=around, radius=4, paper=Paper.A4)
        yield from elements(part, f"round {around}")


def area_games() -> Iterator[Item]:
    """The area game's map with the counters of games in progress, and that of the page."""
    for number, steps, paper in GAMES:
        state = after(number, steps)
        lying = counters(view_for(state, "british"), GAME.map)
        drawn = draw_map(GAME.map, paper=paper, counters=lying, turn=state.turn, note="A note")
        yield from elements(drawn, f"game {number}")
    yield from elements(live_ground(GAME.map), "the page")


def after(number: int, steps: int) -> State:
    """A game after so many of its steps."""
    task = tasks(number + 1)[number]
    who, dice = player(task.policy, number), run.RandomDice(number)
    found = run.play(GAME, GAME.begin(task.settings), who, dice)
    return next(state for at, state in enumerate(found, 1) if at == steps)


def other_maps(seed: int) -> Iterator[Item]:
    """A map like the shipped one, with other ground, some lines fewer, areas somewhere else."""
    source = random.Random(f"drawn/{seed}")
    data: dict[str, Any] = shipped()
    data["title"] = f"Another {seed}"
    looks = [area.get("look") for area in data["areas"]]
    source.shuffle(looks)
    for area, look in zip(data["areas"], looks, strict=True):
        area["at"] = [each + source.randint(-25, 25) for each in area["at"]]
        area |= {"look": look} if look else {}
    data["lines"] = [line for line in data["lines"] if source.random() < 0.9]
    area_map, _ = check_data(data)
    yield from elements(draw_map(area_map, paper=source.choice(list(Paper))), f"map {seed}")


DRAWN: dict[str, Callable[[], Iterator[Item]]] = {
    "prints": prints,
    "boards": boards,
    "area-games": area_games,
    **{f"other-map-{seed}": partial(other_maps, seed) for seed in range(MAPS)},
}


@pytest.mark.parametrize("name", DRAWN)
def test_what_is_drawn_is_what_was_drawn(name: str) -> None:
    """Every line, shape and word of it."""
    check(f"drawn-{name}", DRAWN[name]())


if __name__ == "__main__" and "--write" in sys.argv:
    for each in DRAWN:
        write(f"drawn-{each}", DRAWN[each]())
