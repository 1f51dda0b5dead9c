"""From the state of a game to counters on the map; what is hidden stays hidden."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from sentences import Tells
from st_map_help import shipped
from test_st_map_draw import words

from asl_pbcg.kernel.answers import RandomAnswers
from asl_pbcg.records.layout import Paper
from asl_pbcg.st.board.map_load import load_map
from asl_pbcg.st.board.map_read import read_map
from asl_pbcg.st.picture.live_map import counters, draw_game
from asl_pbcg.st.picture.map_counters import Counter
from asl_pbcg.st.player.automatic_game import RandomDice, play
from asl_pbcg.st.rules.area_game_steps import AreaGame
from asl_pbcg.st.settings import ST_RULINGS
from asl_pbcg.st.state.game_state import (
    AreaGlider,
    AreaWeapon,
    Pow,
    PreparedPosition,
    Result,
    State,
    Unit,
)

MAP = load_map()
SETTINGS = ST_RULINGS.settings({})


def unit(id: str, kind: Any, area: str, **more: Any) -> Unit:
    side = more.pop("side", "british")
    status = more.pop("status", "map")
    return Unit(id=id, name=id.title(), side=side, kind=kind, area=area, status=status, **more)


def lying(**more: Any) -> dict[str, list[Counter]]:
    """What lies where, whichever piece it is."""
    found = counters(State(settings=SETTINGS, ready=True, **more), MAP)
    return {area: [replace(one, key="") for one in there] for area, there in found.items()}


@pytest.mark.rule("ST-H2H-15")
def test_a_leader_may_be_suppressed_wounded_and_engaged_at_once() -> None:
    leader = unit("l", "leader", "XR", suppressed=True, wounded=True, engaged=3)
    state = State(settings=SETTINGS, ready=True, turn=3, units=(leader,))
    assert {"S", "W", "E"} <= {word.text for word in words(draw_game(state, MAP).items)}


@pytest.mark.rule("ST-GEN-03", "ST-GEN-05")
def test_units_weapons_and_markers_of_an_area() -> None:
    found = lying(
        turn=3,
        units=(
            unit("wood", "leader", "EF", roster=26, sp=1, wounded=True),
            unit("wood-platoon", "platoon", "EF", roster=27, sp=8, lost=3, suppressed=True),
            unit("sapper-1", "sapper", "EF", roster=30, sp=1, engaged=3),
            unit("garrison-b4", "garrison", "B4", side="german", sp=4, inside=True),
            unit("infantry-02", "infantry", "LP", side="german", sp=8),
            unit("tank-1", "tank", "LP", side="german", immobile=True),
            unit("tank-2", "tank", "LP1", side="german", status="wreck"),
        ),
        weapons=(
            AreaWeapon(
                id="piat-1", name="PIAT #1", kind="piat", status="map", area="EF", charges=2
            ),
            AreaWeapon(id="at-gun", name="AT gun", kind="at", status="map", area="B4", inside=True),
            AreaWeapon(id="mg-3", name="MG 3", kind="mg", status="map", area="EF"),
            AreaWeapon(id="piat-2", name="PIAT #2", kind="piat", status="spent", area="EF"),
        ),
        pows=(Pow(id="pow-1", name="POW 1", escort="sapper-1"),),
        positions=(
            PreparedPosition(area="XR"),
            PreparedPosition(area="LP4", builder="wood-platoon"),
        ),
        cleared=("B5",),
        bridge="damaged",
    )
    assert found == {
        "EF": [
            Counter(symbol="leader", side="british", id="26", badges="W"),
            Counter(symbol="infantry", side="british", id="27", sp=5, badges="S"),
            Counter(symbol="sapper", side="british", id="30", sp=1, badges="E"),
            Counter(symbol="piat", side="british", id="P1", sp=2),
            Counter(symbol="mg", side="german", id="MG3"),
            Counter(symbol="pow"),
        ],
        "B4": [
            Counter(symbol="infantry", side="german", id="B4", sp=4, inside=True),
            Counter(symbol="at_gun", side="german", id="AT", inside=True),
        ],
        "LP": [
            Counter(symbol="tank", side="german", id="T1", badges="I"),
            Counter(symbol="infantry", side="german", id="2", sp=8),
        ],
        "LP1": [Counter(symbol="tank", side="german", id="T2", state="wrecked")],
        "XR": [Counter(symbol="prepared")],
        "LP4": [Counter(symbol="prepared", state="building")],
        "B5": [Counter(symbol="bunker", state="cleared")],
        "PB": [Counter(symbol="bridge", state="damaged")],
    }


@pytest.mark.rule("ST-GAR-03", "ST-SET-23")
def test_a_dummy_and_a_garrison_face_down_look_the_same() -> None:
    def one(dummy: bool) -> dict[str, list[Counter]]:
        garrison = unit(
            "garrison-b7", "garrison", "B7", side="german", sp=4, face_down=True, dummy=dummy,
            inside=True,
        )  # fmt: skip
        return lying(units=(garrison,))

    assert one(True) == one(False)
    assert one(True)["B7"] == [Counter(symbol="hidden", side="german", inside=True)]
    dead = unit("garrison-b7", "garrison", "B7", side="german", status="dead", dummy=True)
    assert lying(units=(dead,)) == {}


@pytest.mark.rule("ST-SET-26", "ST-DEM-06")
def test_the_demo_bridge_marker_shows_no_face() -> None:
    blank = lying(demo_marker="blank", demo="open")
    assert blank == lying(demo_marker="wired", demo="open")
    assert blank == {"Demo Bridge": [Counter(symbol="hidden")]}
    assert lying(demo_marker="none", demo="over") == {}
    known = lying(demo_marker="wired", demo="malfunction")
    assert known["Demo Bridge"][0].id == "wired"


@pytest.mark.rule("ST-GLI-24")
def test_gliders_in_their_boxes_and_on_the_ground() -> None:
    found = lying(
        units=(
            unit("fox", "leader", "", roster=10, status="aboard", glider=6),
            unit("fox-platoon", "platoon", "S4", roster=11, sp=8),
            unit("hooper", "leader", "", roster=14, status="aboard", glider=4),
            unit("priday", "leader", "", roster=3, status="absent"),
        ),
        weapons=(AreaWeapon(id="piat-1", name="PIAT #1", kind="piat", charges=2, glider=6),),
        gliders=(
            AreaGlider(number=4, line="south", status="lost"),
            AreaGlider(number=5, line="south", status="crashed", area="S4"),
            AreaGlider(number=6, line="south", status="ready"),
        ),
    )
    assert found == {
        "S4": [
            Counter(symbol="glider", side="british", id="5", state="wrecked"),
            Counter(symbol="infantry", side="british", id="11", sp=8),
        ],
        "Glider 6": [
            Counter(symbol="leader", side="british", id="10"),
            Counter(symbol="piat", side="british", id="P1", sp=2),
        ],
    }


@pytest.mark.rule("ST-SET-25")
def test_schmidt_rides_with_his_mercedes_once_it_is_there() -> None:
    def at(status: Any) -> dict[str, list[Counter]]:
        return lying(
            units=(
                unit("schmidt", "leader", "", side="german", status="aboard", sp=1),
                unit("mercedes", "mercedes", "RAN", side="german", status=status),
            )
        )

    assert at("waiting") == {}
    assert [found.symbol for found in at("map")["RAN"]] == ["mercedes", "leader"]
    assert at("map")["RAN"][1].id == "Schmidt"


def test_a_game_is_played_on_the_map_it_is_given() -> None:
    other = read_map(shipped(), "a map of our own")
    assert other is not MAP
    assert AreaGame(other).map is other
    assert AreaGame().map is MAP


@pytest.mark.rule("ST-GEN-03", "ST-GAR-03")
@pytest.mark.parametrize("seed", [3, 8])
def test_in_played_games_every_piece_lies_where_it_is_and_once(seed: int) -> None:
    game = AreaGame(MAP)
    begun = game.begin({"mode": "variable", "difficulty": "hard"})
    state, steps = begun, 0
    for state in play(game, begun, RandomAnswers(seed), RandomDice(seed)):
        steps += 1
        found = counters(state, MAP)
        pieces = [one for area in MAP.areas for one in found.get(area, [])]
        on_map = [unit for unit in state.units if unit.status in ("map", "wreck")]
        for area in MAP.areas:
            here = [unit for unit in on_map if unit.area == area]
            strengths = sorted(unit.strength for unit in here if unit.combat and not unit.face_down)
            shown = [
                counter.sp
                for counter in found.get(area, [])
                if counter.symbol in ("infantry", "sapper", "hq")
            ]
            assert sorted(sp for sp in shown if sp is not None) == strengths
            hidden = [one for one in found.get(area, []) if one.symbol == "hidden"]
            assert len(hidden) == sum(unit.face_down for unit in here)
            assert all(not one.id and one.sp is None and not one.badges for one in hidden)
        weapons = [weapon for weapon in state.weapons if weapon.status == "map"]
        guns = [one for one in pieces if one.symbol in ("mg", "at_gun", "piat", "gammon")]
        assert len(guns) == len(weapons)
        assert sum(one.symbol == "pow" for one in pieces) == len(state.pows)
    assert steps > 120
    said = {found.text for found in words(draw_game(state, MAP).items)}
    assert any(text.startswith("The game is over: ") for text in said)


def test_the_sheet_of_a_game_says_turn_and_phase_and_in_the_end_the_result(tells: Tells) -> None:
    state = State(settings=SETTINGS, ready=True, turn=5, phase=2)
    said = {found.text for found in words(draw_game(state, MAP).items)}
    tells(said, "Turn 5", "British", "Movement", "Phase")
    assert "Set-up" in {
        found.text for found in words(draw_game(State(settings=SETTINGS), MAP).items)
    }
    over = State(settings=SETTINGS, turn=17, result=Result(vp=61, level="British", scores=()))
    said = {found.text for found in words(draw_game(over, MAP, Paper.LETTER).items)}
    tells(said, "61 VP", "British")
