"""9.609 Extinguishing Flames and Blazes."""

from __future__ import annotations

import random
from typing import Any

import pytest
from refit_helpers import BRITISH, GERMAN, campaign_at, piece, run_step, told
from sentences import Tells, says

from asl_pbcg.campaign.areas.area_map import areas_report
from asl_pbcg.campaign.position import Fortification, Terrain
from asl_pbcg.campaign.position_words import FortificationKind, TerrainKind
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import CGDate
from asl_pbcg.kernel.views import LogLine, for_side
from asl_pbcg.refit.helpers.retention import retain
from asl_pbcg.refit.helpers.situation import is_isolated
from asl_pbcg.refit.s609_fires import FIRES, extinguishing_flames_and_blazes

BLAZE, FLAME = TerrainKind.BLAZE, TerrainKind.FLAME
STONE, WOOD = TerrainKind.RUBBLE_STONE, TerrainKind.RUBBLE_WOOD
HOLE = TerrainKind.SHELLHOLE
WRECK, BURNT, BURNING = (
    TerrainKind.WRECK,
    TerrainKind.BURNT_OUT_WRECK,
    TerrainKind.BURNING_WRECK,
)
TRENCH = FortificationKind.TRENCH
WOODEN, ONE_HEX, OPEN = "C9", "M12", "H10"
"""A wooden building, a stone one of one hex, and open ground."""
LARGE = ["HH4", "HH5", "HH6"]
"""A stone building of three hexes."""


def lies(kind: TerrainKind, at: str, **fields: Any) -> Terrain:
    return Terrain(kind=kind, at=at, **fields)


def burning(*terrain: Terrain, pieces: tuple[Piece, ...] = (), **fields: Any) -> Campaign:
    return campaign_at("9.609", *pieces, terrain=terrain, **fields)


def put_out(state: Campaign) -> tuple[Campaign, list[LogLine]]:
    """Run the step, which asks nothing."""
    return run_step(state, extinguishing_flames_and_blazes)


def on(state: Campaign, *names: str) -> list[tuple[TerrainKind, str]]:
    """Terrain changes in these hexes, or everywhere."""
    return [
        (each.kind, each.at) for each in state.terrain if not names or each.location.hex in names
    ]


@pytest.mark.rule("9.609-a")
def test_without_a_fire_there_is_nothing_to_do(tells: Tells) -> None:
    state = burning(lies(STONE, ONE_HEX), lies(WRECK, OPEN))
    after, lines = put_out(state)
    assert after == state
    tells(told(lines), "Flames", "Blazes", "9.609")


@pytest.mark.rule("9.609-a")
@pytest.mark.parametrize("kind", [BLAZE, FLAME])
def test_every_flame_and_blaze_is_removed_in_the_order_of_the_rule(kind: TerrainKind) -> None:
    state = burning(
        lies(kind, ONE_HEX),
        lies(kind, "HH5"),
        lies(STONE, "GG7"),
        lies(kind, "GG7"),
        lies(WOOD, WOODEN),
        lies(kind, WOODEN),
        lies(BURNING, OPEN),
        lies(kind, "H11"),
    )
    after, lines = put_out(state)
    assert all(each.kind not in (*FIRES, BURNING) for each in after.terrain)
    rules = [line.rule for line in lines]
    assert rules == [*sorted(rules[:-1]), "9.609"]
    assert set(rules) == {"9.6091", "9.6092", "9.6093", "9.6094", "9.609"}
    assert on(after, "H11") == []  # other terrain stays as it is


# -- 9.6091 --------------------------------------------------------------------------------------


@pytest.mark.rule("9.6091-a", "9.4-CG14-c")
def test_a_burning_wreck_is_burnt_out() -> None:
    after, _ = put_out(burning(lies(BURNING, OPEN, type="Marder", side=GERMAN)))
    (wreck,) = after.terrain
    assert (wreck.kind, wreck.at, wreck.type, wreck.side) == (BURNT, OPEN, "Marder", GERMAN)


@pytest.mark.rule("9.6091-b")
@pytest.mark.parametrize(
    ("hexside", "then"),
    [("", [(STONE, ONE_HEX)]), ("M12/M13", [(BURNT, ONE_HEX)])],
)
def test_in_a_building_the_blaze_moves_on_but_not_from_bypass(
    hexside: str, then: list[tuple[TerrainKind, str]]
) -> None:
    after, lines = put_out(burning(lies(BURNING, ONE_HEX, hexside=hexside)))
    assert on(after) == then  # a building that burns is rubbled, and the wreck in it Eliminated
    assert says(told(lines), "Blaze", "building") == (not hexside)


@pytest.mark.rule("9.6091-b")
def test_in_rubble_the_blaze_moves_on() -> None:
    after, _ = put_out(burning(lies(WOOD, WOODEN), lies(BURNING, WOODEN)))
    assert on(after) == [(HOLE, WOODEN), (BURNT, WOODEN)]
    after, _ = put_out(burning(lies(STONE, ONE_HEX), lies(BURNING, ONE_HEX)))
    assert on(after) == [(STONE, ONE_HEX), (BURNT, ONE_HEX)]


# -- 9.6092 --------------------------------------------------------------------------------------


@pytest.mark.rule("9.6092-a", "9.4-CG14-c", "9.605-c")
def test_wooden_rubble_burns_down_to_a_shellhole(tells: Tells) -> None:
    tank = piece("v1", GERMAN, "Marder", WOODEN, status="immobilized")
    leader = piece("al", GERMAN, "9-1 Armor Leader", WOODEN, aboard="v1")
    state = burning(
        lies(WOOD, WOODEN),
        lies(FLAME, WOODEN),
        lies(TerrainKind.BREACH, WOODEN, hexside="C9/C10"),
        lies(WRECK, WOODEN, type="Marder", side=GERMAN),
        lies(WOOD, "D14"),
        pieces=(tank, leader),
        german=[WOODEN, "D14"],
    )
    after, lines = put_out(state)
    assert on(after, WOODEN) == [(HOLE, WOODEN), (BURNT, WOODEN), (BURNT, WOODEN)]
    assert on(after, "D14") == [(WOOD, "D14")]
    assert not after.pieces
    assert after.control.german == ("D14",)  # no Strategic Location any more
    tells(told(lines), "shellhole")


def test_a_vehicle_without_wreck_depiction_leaves_none() -> None:
    truck = piece("v1", GERMAN, "Kfz 1", WOODEN, status="immobilized")
    no_depiction = {"german": {"Kfz 1": {"wreck": False}}}
    state = burning(
        lies(WOOD, WOODEN),
        lies(BLAZE, WOODEN),
        pieces=(truck,),
        catalogue_corrections=no_depiction,
    )
    after, _ = put_out(state)
    assert on(after) == [(HOLE, WOODEN)]
    assert not after.pieces


# -- 9.6093 --------------------------------------------------------------------------------------


@pytest.mark.rule("9.6093-a", "9.4-CG14-c")
def test_stone_rubble_stays_and_may_burn_again(tells: Tells) -> None:
    tank = piece("v1", GERMAN, "Marder", ONE_HEX)
    state = burning(
        lies(STONE, ONE_HEX), lies(BLAZE, ONE_HEX), lies(WRECK, ONE_HEX), pieces=(tank,)
    )
    after, lines = put_out(state)
    assert on(after) == [(STONE, ONE_HEX), (BURNT, ONE_HEX), (BURNT, ONE_HEX)]
    assert not after.pieces
    tells(told(lines), "again")
    again = burning(*after.terrain, lies(BLAZE, ONE_HEX))
    assert on(put_out(again)[0]) == on(after)


# -- 9.6094 --------------------------------------------------------------------------------------


@pytest.mark.rule("9.6094-a")
@pytest.mark.parametrize("at", ["HH4", "HH5", "HH6", "HH5/1"])
def test_a_building_that_burns_anywhere_is_all_rubble(at: str) -> None:
    after, lines = put_out(burning(lies(BLAZE, at)))
    assert on(after) == [(STONE, name) for name in LARGE]
    assert "HH4 HH5 HH6" in told(lines)


@pytest.mark.rule("9.6094-a")
def test_the_rubble_is_wooden_where_the_building_was() -> None:
    after, _ = put_out(burning(lies(FLAME, WOODEN), lies(BLAZE, ONE_HEX)))
    assert on(after) == [(WOOD, WOODEN), (STONE, ONE_HEX)]
    # It may catch Fire again in a later scenario.
    after, _ = put_out(burning(*after.terrain, lies(BLAZE, WOODEN)))
    assert on(after, WOODEN) == [(HOLE, WOODEN)]


def test_what_is_rubble_already_is_no_building() -> None:
    state = burning(lies(STONE, "HH4"), lies(BLAZE, "HH4"))
    after, _ = put_out(state)
    assert on(after) == [(STONE, "HH4")]
    state = burning(lies(STONE, "HH4"), lies(BLAZE, "HH6"))
    after, _ = put_out(state)
    assert sorted(on(after)) == sorted((STONE, name) for name in LARGE)


# -- 9.6095 --------------------------------------------------------------------------------------


def in_the_fire() -> tuple[Piece, ...]:
    return (
        piece("g1", GERMAN, "4-6-7", "HH4", area="A", possesses="m1"),
        piece("m1", GERMAN, "LMG", "HH4", area="A"),
        piece("m2", GERMAN, "MMG", "HH5/1", area="A"),
        piece("gun", GERMAN, "50L AT", "HH6", area="A"),
        piece("v1", GERMAN, "Marder", "HH6", area="A"),
        piece("v2", GERMAN, "Marder", "HH6", area="A", bypass="HH6/HH7"),
        piece("m3", GERMAN, "LMG", "GG7", area="A"),
        piece("g2", GERMAN, "8-0", "HH5/1", area="A"),
    )


@pytest.mark.rule("9.6095-a", "9.6095-b", "9.4-CG14-d")
@pytest.mark.parametrize(
    ("rule", "gone"),
    [("all-equipment", {"m1", "m2", "gun", "v1"}), ("unpossessed", {"m2", "gun"})],
)
def test_what_was_in_a_building_just_rubbled(tells: Tells, rule: str, gone: set[str]) -> None:
    forts = [
        Fortification(kind=TRENCH, at="HH4", owner=GERMAN),
        Fortification(kind=FortificationKind.WIRE, at="HH6", owner=BRITISH),
        Fortification(kind=TRENCH, at="GG8", owner=GERMAN),
    ]
    state = burning(
        lies(BLAZE, "HH6"),
        lies(WRECK, "HH5"),
        lies(BURNT, "HH4", hexside="GG4/HH4"),
        pieces=in_the_fire(),
        german=[*LARGE, "GG7"],
        fortifications=forts,
        house_rules={"C-84": rule},
    )
    after, lines = put_out(state)
    assert {each.piece.id for each in after.gone} == gone
    assert {each.how for each in after.gone} == {"eliminated"}
    assert [(each.kind, each.at) for each in after.fortifications] == [(TRENCH, "GG8")]
    assert on(after) == [(BURNT, "HH4"), *((STONE, name) for name in LARGE)]
    # Personnel survive; what was upstairs has come down with the building.
    assert (after.piece("g1").at, after.piece("g2").at) == ("HH4", "HH5")
    assert after.piece("g1").possesses == (() if rule == "all-equipment" else ("m1",))
    tells(told(lines), "HH5", "Eliminated")


@pytest.mark.rule("9.6095-a")
def test_what_was_in_burning_rubble() -> None:
    weapon = piece("m1", GERMAN, "LMG", ONE_HEX, area="A")
    forts = [Fortification(kind=TRENCH, at=WOODEN), Fortification(kind=TRENCH, at=ONE_HEX)]
    state = burning(
        lies(STONE, ONE_HEX),
        lies(BLAZE, ONE_HEX),
        lies(WOOD, WOODEN),
        lies(BLAZE, WOODEN),
        pieces=(weapon,),
        fortifications=forts,
        german=[ONE_HEX],
    )
    after, _ = put_out(state)
    assert not after.pieces
    assert not after.fortifications


@pytest.mark.rule("9.6095-a", "9.2-j")
def test_a_fortification_that_burns_leaves_its_sides_ob() -> None:
    own = [piece(f"g-trench-{n}", GERMAN, "Trench") for n in (1, 2)]
    pillbox = piece("g-pillbox-1", GERMAN, "1+3+5 Pillbox", WOODEN)
    forts = [
        Fortification(kind=TRENCH, at=ONE_HEX, owner=GERMAN),
        Fortification(kind=TRENCH, at=OPEN, owner=GERMAN),
        Fortification(kind=FortificationKind.PILLBOX, at=WOODEN, owner=GERMAN),
        Fortification(kind=FortificationKind.FOXHOLE, at=ONE_HEX, owner=BRITISH),
    ]
    fires = (lies(BLAZE, ONE_HEX), lies(BLAZE, WOODEN))
    after, _ = put_out(burning(*fires, pieces=(*own, pillbox), fortifications=forts))
    assert [(each.kind, each.at) for each in after.fortifications] == [(TRENCH, OPEN)]
    assert [each.type for each in after.pieces] == ["Trench"]
    assert {(each.piece.type, each.how, each.step) for each in after.gone} == {
        ("Trench", "eliminated", "9.6095"),
        ("1+3+5 Pillbox", "eliminated", "9.6095"),
    }


def test_equipment_retained_elsewhere_since_does_not_burn() -> None:
    squad = piece("g1", GERMAN, "4-6-7", ONE_HEX, possesses="m1")
    weapon = piece("m1", GERMAN, "LMG", ONE_HEX)
    state = burning(lies(BLAZE, ONE_HEX), pieces=(squad, weapon), german=["Q12"])
    state = retain(state, "g1", "Setup Area", "A")
    after, _ = put_out(state)
    assert [each.id for each in after.pieces] == ["g1", "m1"]


def test_a_hidden_fortification_burns_in_secret() -> None:
    wire = Fortification(
        kind=FortificationKind.AP_MINES, at=ONE_HEX, owner=BRITISH, size=6, hidden=True
    )
    after, lines = put_out(burning(lies(BLAZE, ONE_HEX), fortifications=[wire]))
    assert not after.fortifications
    assert "A-P minefield" in told(for_side(lines, "british"))
    assert "A-P minefield" not in told(for_side(lines, "german"))


RING = ["I10", "I12", "K8", "K14", "M8", "M16", "O8", "O14", "Q10", "Q12"]
"""Strategic Locations of the enemy round M12 and M13."""
ISOLATED_BRITISH: dict[str, Any] = {"british": ["Z15/1"], "german": ["Z15", "Z14"]}
"""The British hold the first level of Z15, alone over the Germans."""


@pytest.mark.rule("9.6095-c")
def test_isolated_units_that_can_set_up_only_where_it_burnt(tells: Tells) -> None:
    squad = piece("b1", BRITISH, "6-4-8", "Z15/1", area="A", possesses="m1")
    weapon = piece("m1", BRITISH, "LMG", "Z15/1", area="A")
    captive = piece("p1", GERMAN, "4-6-7", "Z15/1", status="prisoner", guarded_by="b1")
    german = piece("g1", GERMAN, "4-6-7", "Z15", area="A")
    # A Fortification stands where it stands; its area is that of the Initial Scenario's OB.
    trench = piece("b-trench-1", BRITISH, "Trench", "X20", area="A")
    pieces = (squad, weapon, captive, german, trench)
    state = burning(lies(BLAZE, "Z15"), pieces=pieces, **ISOLATED_BRITISH)
    assert is_isolated(state, squad)
    after, lines = put_out(state)
    assert [each.id for each in after.pieces] == ["g1", "b-trench-1"]
    tells(told(lines), "Isolated", "6-4-8", "b1")


@pytest.mark.rule("9.6095-c")
def test_an_isolated_unit_with_other_ground_survives() -> None:
    # Cut off west of the canal, but its Setup Area has more than the building.
    squad = piece("b1", BRITISH, "6-4-8", ONE_HEX, area="A", possesses="m1")
    weapon = piece("m1", BRITISH, "LMG", ONE_HEX, area="A")
    state = burning(
        lies(BLAZE, ONE_HEX), pieces=(squad, weapon), british=[ONE_HEX], german=["Y19", "Y20"]
    )
    assert is_isolated(state, squad)
    after, _ = put_out(state)
    assert [each.id for each in after.pieces] == ["b1"]


@pytest.mark.rule("9.6095-c")
def test_all_of_an_isolated_area_in_flames() -> None:
    squad = piece("b1", BRITISH, "6-4-8", ONE_HEX, area="A")
    held: dict[str, Any] = {"british": [ONE_HEX], "german": ["Y19", "Y20"]}
    round_it = burning(**held).areas[BRITISH, "A"].hexes
    state = burning(*(lies(BLAZE, name) for name in round_it), pieces=(squad,), **held)
    assert state.areas[BRITISH, "A"].hexes.names == [ONE_HEX]  # a Blaze is not Enterable
    after, _ = put_out(state)
    assert not after.pieces
    fires = [lies(BLAZE, name) for name in round_it if name != "M13"]
    state = burning(*fires, pieces=(squad,), **held)
    assert state.areas[BRITISH, "A"].hexes.names == [ONE_HEX, "M13"]
    after, _ = put_out(state)
    assert [each.id for each in after.pieces] == ["b1"]


@pytest.mark.rule("9.6095-c")
@pytest.mark.parametrize(
    ("status", "isolated", "lost"),
    [("immobilized", True, True), ("", True, False), ("immobilized", False, False)],
)
def test_an_isolated_vehicle_that_cannot_leave_its_burning_location(
    status: str, isolated: bool, lost: bool
) -> None:
    """9.62021: an Immobile one is confined to it; its Setup Area has other ground."""
    tank = piece("v1", BRITISH, "Churchill VII", "M13", area="A", status=status)
    truck = piece("v2", BRITISH, "Loyd Carrier", "N12", area="A", status="bogged")
    held: dict[str, Any] = {"british": [ONE_HEX], "german": ["Y19", "Y20"] if isolated else []}
    state = burning(lies(FLAME, "M13"), pieces=(tank, truck), **held)
    assert is_isolated(state, tank) is isolated
    after, _ = put_out(state)
    assert [each.id for each in after.pieces] == (["v2"] if lost else ["v1", "v2"])


@pytest.mark.rule("9.6095-c", "9.6058-a")
@pytest.mark.parametrize("date", [CGDate.NIGHT_1, CGDate.DAWN])
def test_an_isolated_german_on_a_no_move_counter_is_confined_to_his_location(date: CGDate) -> None:
    held = piece("g1", GERMAN, "4-4-7", "M13", area="A", status="no-move")
    around = {"german": [ONE_HEX], "british": RING, "date": date}
    state = burning(lies(FLAME, "M13"), pieces=(held,), **around)
    assert is_isolated(state, held)
    after, _ = put_out(state)
    assert bool(after.pieces) is (date is CGDate.DAWN)


@pytest.mark.rule("9.6054-e")
def test_setup_areas_stay_as_they_were_determined() -> None:
    state = burning(
        lies(WOOD, WOODEN), lies(BLAZE, WOODEN), lies(BLAZE, "HH4"), german=[WOODEN, *LARGE]
    )
    after, _ = put_out(state)
    assert areas_report(after.areas) == areas_report(state.areas)
    assert after.terrain != state.terrain


@pytest.mark.parametrize("seed", range(30))
def test_any_map_in_flames_is_put_out(seed: int) -> None:
    source = random.Random(seed)
    places = [WOODEN, ONE_HEX, OPEN, *LARGE, "Z15", "Z14", "GG7", "K10"]
    terrain = []
    for place in places:
        for kind in source.sample([STONE, WOOD, HOLE], 1) if source.random() < 0.4 else []:
            terrain.append(lies(kind, place))
        for kind in (BLAZE, FLAME, WRECK, BURNING):
            if source.random() < 0.3:
                terrain.append(lies(kind, place))
    types = ["4-6-7", "8-0", "LMG", "50L AT", "Marder", "Kfz 1"]
    pieces = tuple(
        piece(f"g{number}", GERMAN, source.choice(types), source.choice(places))
        for number in range(source.randint(0, 12))
    )
    state = burning(*terrain, pieces=pieces, german=source.sample(["Z14", *LARGE], 2))
    after, _ = put_out(state)
    assert all(each.kind not in (*FIRES, BURNING) for each in after.terrain)
    for place in [*LARGE, WOODEN, ONE_HEX]:
        burnt = any(each.kind in FIRES and each.at == place for each in state.terrain)
        now = [kind for kind, _ in on(after, place) if kind in (STONE, WOOD, HOLE)]
        assert now or not burnt  # what burnt is Rubble or gone
    assert {each.kind for each in after.terrain} <= {STONE, WOOD, HOLE, BURNT, WRECK}
