"""Campaign Game II from Dawn to CG End, played by script, line by line against the rules.

The campaign stands in ``tests/golden_cg2``; ``python tests/support/golden_campaign.py cg2
--write`` writes again what it prints. The assertions below were checked by hand with the rulebook
open; they hold whatever ``expected/`` says.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from golden_campaign import (
    Golden,
    Played,
    differences,
    ids_told,
    open_campaign,
    play,
    secrets_told,
)

from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.bare_replay import BareReplay

DATES = ("dawn", "day-1", "day-2", "day-3", "dusk")
GOLDEN = Golden("cg2")


def line(date: str, step: str, *words: str, viewer: str = "umpire") -> str:
    """The one line of a step's log that holds all ``words``."""
    return GOLDEN.line(date, step, *words, viewer=viewer)


# -- It plays as it did, for everybody ----------------------------------------------------


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    """The campaign played through the command line, once."""
    yield play("cg2", tmp_path_factory.mktemp("cg2"))


@pytest.mark.rule("9.1-a", "9.1-b", "9.52-a", "9.3-a")
def test_the_campaign_prints_what_it_did(played: Played) -> None:
    assert "\n\n".join(differences("cg2", played)) == ""


def test_no_secret_of_a_side_is_told_to_the_other(played: Played) -> None:
    assert list(secrets_told(played)) == []
    assert list(ids_told(played)) == []


def test_the_bare_journal_gives_the_same_campaign(played: Played) -> None:
    session = open_campaign(played.file)
    again = BareReplay(session.game, session.journal)
    assert again.run.state == session.state
    lines = [line for _, lines in again.ended.values() for line in lines]
    assert [*lines, *again.run.lines][-1] == session.lines()[-1]
    session.journal.close()


@pytest.mark.parametrize("part", ["new", *DATES])
def test_every_piece_received_is_there_or_accounted_for(played: Played, part: str) -> None:
    state = played.states[part]
    for side in Side:
        gone = sum(each.piece.side is side for each in state.gone)
        assert state.received_count[side] == len(state.of(side)) + gone
    for account in state.accounts:
        assert account.cpp_available - account.cpp_spent == account.cpp_left


# -- Before Dawn: 9.52, 9.617-9.620 ---------------------------------------------------------


@pytest.mark.rule("9.618-a", "9.6183-a", "9.6177-c", "9.6177-e", "9.6177-f")
def test_what_the_germans_get_before_dawn() -> None:
    # I2 and I3 have their Strength from the OB (note e); a dr of 3 is not an MMG on (2).
    assert "I3-1 PzPionier Coy is given Depleted" in line("new", "9.618", "I3-1", "given")
    assert line("new", "9.618", "MMG of I2-1").endswith("3: not received [german, secret]")
    # Depleted: HMG on a dr below 2, LMG and MMG outright become a dr of 4 or less.
    assert "2: not received" in line("new", "9.618", "HMG of I3-1")
    # PzGrenadier Coy has -1: an Original 9 is a Final 8, so 8-0.
    assert "6+3=9, -1 PzGrenadier Coy (9.6183), Final 8: 8-0" in line("new", "9.618", "6+3=9")
    # 12 on the Strength DR of V5 is Depleted; on the Armor column only 4 or less brings a leader.
    assert "6+6=12: Depleted" in line("new", "9.618", "Strength of V5-1")
    assert "Final 7: no Armor Leader" in line("new", "9.618", "Leader of V5-1")
    assert line("new", "9.617", "CPP: 25 available, 22 spent, 3 left.")


@pytest.mark.rule("9.62023-a")
@pytest.mark.parametrize(
    ("date", "first", "mover"),
    [
        ("new", "British", "German"),
        ("dawn", "British", "German"),
        ("day-1", "German", "British"),
        ("day-2", "German", "British"),
        ("day-3", "German", "British"),
    ],
)
def test_who_sets_up_and_moves_first(date: str, first: str, mover: str) -> None:
    assert line(date, "9.620", f"{first} set up first, {mover} move first.")


# -- After Dawn ------------------------------------------------------------------------------


@pytest.mark.rule("9.603-a", "9.603-d")
def test_all_broken_units_rally_and_no_victory_yet() -> None:
    assert "6-4-8 b-648-2, 6-4-8 b-648-13." in line("dawn", "9.603", "The British rally")
    assert "g-467-209" in line("dawn", "9.603", "The Germans rally")  # off map too (CG15)
    assert line("dawn", "9.603", "Pegasus Bridge: not met", "0 of 8")


@pytest.mark.rule("9.6052-a")
def test_isolated_setup_areas() -> None:
    # Z14 lies between British Z13 and Z15: every hex around it is No Man's Land.
    assert line("dawn", "9.605", "German Setup Area B: 1 hex, Z14, Isolated.")
    assert line("dawn", "9.605", "British Setup Area H: 2 hexes, HH14 II15, Isolated.")
    # C-05: the empty upper level over the British squad, and back again when GG12 is lost
    assert line("dawn", "9.605", "GG12/1 is empty and enclosed in a British Setup Area")
    assert line("day-1", "9.605", "GG12/1 is empty and enclosed in a German Setup Area")
    # The group round the bridge reaches Z28.
    assert "Isolated" not in line("dawn", "9.605", "British Setup Area D: 51 hexes")


@pytest.mark.rule("9.606-a")
def test_escape_modifiers() -> None:
    # A squad is two HS-equivalents; L13 is two hexes from Setup Area C and Isolated.
    assert (
        "2+3=5, -1 two hexes from a friendly Setup Area (9.606), +1 two HS-equivalents (9.606), "
        "+2 Isolated (9.606), Final 7: Escapes"
    ) in line("dawn", "9.606", "Escape of 6-4-8 b-648-5 ")
    # 10 -1 +1 +2 = 12: all units and Equipment Eliminated.
    assert "Final 12: all units" in line("dawn", "9.606", "Escape of 4-4-7 g-447-13")
    # A crew is one HS-equivalent; L11 is next to Setup Area A.
    assert "2+2=4, -2 adjacent" in line("dawn", "9.606", "Escape of 1-2-7 g-127-1")
    # CT AFV -1, stunned +1; all it can reach is Isolated.
    assert "-1 CT AFV" in line("dawn", "9.606", "Escape of 35-S 739(f)")


@pytest.mark.rule("9.608-a", "9.608-b")
def test_prisoners() -> None:
    assert line("dawn", "9.608", "b-648-6", "is Eliminated: its Guard is not Isolated.")
    assert line("dawn", "9.608", "6-4-8 b-648-12 keeps 4-4-7 g-447-12.")
    # A day later he is let go: an unarmed MMC comes back Green, 4-3-6 for a 4-4-7.
    assert line("day-1", "9.608", "4-4-7 g-447-12 is a prisoner no longer, now 4-3-6.")


@pytest.mark.rule("9.6101-a", "9.6102-a", "9.4-CG17-c")
def test_wounded_leaders_and_walking_wounded() -> None:
    found = line("dawn", "9.610", "Wounded 8-0 b-8-0-1")
    assert "4, +1 Isolated (9.6101), -1 British (9.6101), Final 4: Retained wounded" in found
    assert "Final 1: Retained unwounded" in line("day-1", "9.610", "Wounded 8-0 b-8-0-1")
    # One squad-equivalent in the box: one MMC; two are two (CG17).
    assert line("dawn", "9.610", "1 squad-equivalent of 6-4-8; 1 x 6-4-8 may come back.")
    assert line("day-1", "9.610", "2 squad-equivalents of 6-4-8; 2 x 6-4-8 may come back.")
    assert line("dawn", "9.610", "still count as Casualty VP", ": 7.")


@pytest.mark.rule("9.6111-a", "9.6112-a", "9.6113-a")
def test_recombining_and_battle_hardening() -> None:
    # Three 2-4-8 in Area D, of which the one SW MTR may keep one: two of them Recombine.
    assert line("dawn", "9.611", "2-4-8 b-248-1 and 2-4-8 b-248-3 Recombine to 4-5-8 b-248-1.")
    assert line("dawn", "9.611", "6-4-8 b-648-1 Battle Hardens: Fanatic")  # an Elite MMC
    assert line("dawn", "9.611", "9-1 b-9-1-1 Battle Hardens to 9-2.")


@pytest.mark.rule("9.6162-a", "9.616-a")
def test_cpp_with_loss_points() -> None:
    # 17 is at least twice 7 and at least 8 more.
    assert line("dawn", "9.616", "German 17, British 7.", "yes.")
    assert line("dawn", "9.616", "3 CPP left over, 32 CPP Base, 2 Loss Points: 37 in all.")
    assert line("day-1", "9.616", "German 15, British 10.", "no.")
    assert line("day-1", "9.616", "30 CPP Base, 0 Loss Points: 42 in all.")


@pytest.mark.rule("9.613-a")
def test_shifts() -> None:
    # 2 Uncontrolled-Territory groups of five on the way: +2; 8 is still safe.
    assert "2+4=6, +2" in line("dawn", "9.613", "Shift of 4-4-7 g-447-9", "Final 8: Shifted safely")
    found = line("day-2", "9.613", "Shift of 4-4-7 g-447-8, 4-3-6 g-447-12")
    assert "5+4=9" in found
    assert "Final 11: Shifted with Casualties" in found
    assert "4: " in line("day-2", "9.613", "Casualties of the Shift: 4-4-7 g-447-8")
    assert "unharmed" in line("day-2", "9.613", "Casualties of the Shift: 4-3-6 g-447-12")


# -- After Day I, Day II and Day III ----------------------------------------------------------


@pytest.mark.rule("9.6141b-a", "9.6141c-a", "9.6141d-a", "9.6142-a")
def test_repair() -> None:
    # An Isolated tank in a Front-Line hex needs a Final 2.
    assert "2, +1 Isolated (9.6141b), +1 in a Front-Line hex (9.6141b), Final 4: no change" in line(
        "day-1", "9.614", "Immobilization repair of PzKpfw IVH"
    )
    assert line("day-1", "9.614", "35-S 739(f)", "is Eliminated and removed, under Recall.")
    # 5 -1 -1 = 3: the MA is disabled and the AFV Recalled at once.
    assert "5, -1 vehicular-mounted" in line("day-1", "9.614", "MA of Marder g-marder-443: 5")
    assert line("day-1", "9.614", "Marder g-marder-443 is Recalled at once.")
    # +1 German: a dr of 1 recovers, a 3 keeps the stun.
    assert "3, +1 German (9.6141d), Final 4" in line("day-1", "9.614", "Stun recovery")
    assert "1, +1 German (9.6141d), Final 2" in line("day-2", "9.614", "Stun recovery")


@pytest.mark.rule("9.61422-a")
def test_captured_equipment() -> None:
    # What the Ox and Bucks possessed needs no dr; 7th Battalion's MMG does: kept on 3.
    assert line("day-1", "9.614", "Ox and Bucks possessed LMG b-lmg-9")
    assert "3: kept" in line("day-1", "9.614", "Captured Equipment: MMG g-mmg-766")
    assert "6: Eliminated" in line("day-3", "9.614", "Captured Equipment: LMG b-lmg-2")


@pytest.mark.rule("9.61221-a", "9.61222-a", "9.4-CG13-a")
def test_snipers_and_the_church() -> None:
    assert line("dawn", "9.612", "German SAN 7 (5 without II13).", "+2")
    assert line("day-2", "9.612", "The British Control the building in II13.")
    assert line("day-2", "9.612", "German SAN -2: German SAN 3 (5 without II13).")
    # SAN 4: no drm, and a Final dr of 5 takes two away.
    assert line("day-2", "9.612", "British SAN adjustment, SAN 4: 5: SAN drops by two")


@pytest.mark.rule("9.609-a")
def test_fires() -> None:
    assert line("dawn", "9.609", "The stone building in P11 has burnt down: stone Rubble.")
    assert line("day-1", "9.609", "The Burning Wreck in N13 is Burnt-Out.")
    assert line("day-3", "9.609", "The fire in the stone Rubble in W12 is out; the Rubble stays")


@pytest.mark.rule("9.52-c", "9.6153-a")
def test_the_commandos() -> None:
    # Eight squads of 2 VP east of the canal, two squads (4 CVP) lost.
    found = line("day-2", "9.603", "The commandos of Day II")
    assert "16 VP" in found
    assert "4 CVP" in found
    withdrawn = line("day-2", "9.615", "The British withdraw 6-4-8 b-648-30")
    assert "10-3 b-10-3-1" in withdrawn
    assert "b-648-3," not in withdrawn  # 7th Battalion is Airborne
    assert "FT b-ft-1" in line("day-2", "9.615", "The British withdraw LMG b-lmg-10")
    # What is withdrawn skips the chart (9.6056 EXC).
    assert line("day-2", "9.605", "10-3 b-10-3-1 in AA22: not on the chart")


@pytest.mark.rule("9.6041-a")
def test_an_encircled_walking_wounded_squad_fails() -> None:
    assert line("day-3", "9.604", "b-648-45", "Eliminated, not placed in the Walking Wounded box.")


@pytest.mark.rule("9.606-a")
def test_a_stack_escapes() -> None:
    # A wounded 9-2 is worth one less (A17.2) and makes the stack +1 Wounded.
    found = line("day-3", "9.606", "Escape of 6-4-8 b-648-3 with 9-2 b-9-2-1")
    assert "-1 9-2 b-9-2-1" in found
    assert "+1 Wounded" in found


# -- CG End ------------------------------------------------------------------------------------


@pytest.mark.rule("9.2-b", "9.52-c", "9.6-d")
def test_cg_end() -> None:
    # The broken rally first (9.603), and no German MMC is within three hexes of the road.
    rally = line("dusk", "9.603", "The Germans rally")
    assert "g-467-765" in rally
    assert line("dusk", "9.603", "The road to the bridge: not met")
    assert line("dusk", "9.603", "British victory at the Dusk CG-Scenario End")
    assert GOLDEN.lines("dusk")[-1] == GOLDEN.lines("dusk", "9.603")[-1]  # no RePh after it
