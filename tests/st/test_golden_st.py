"""Whole area games through the command line: what they print, and single lines by the rules.

The dice and modifiers in the lines below were looked up in the rules by hand: what each result
must be stands in the comment above it.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path

import golden_st
import pytest


@functools.cache
def text(game: str, what: str = "log") -> str:
    return (golden_st.EXPECTED / f"{game}.{what}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("game", golden_st.GAMES)
def test_the_game_is_played_as_it_was(game: str, tmp_path: Path) -> None:
    """python tests/support/golden_st.py --write writes the texts after a change on purpose."""
    for file, found in golden_st.play(game, tmp_path).items():
        assert found == (golden_st.EXPECTED / file).read_text(encoding="utf-8"), file


def seen(game: str, *lines: str) -> None:
    """The log has these lines one after the other; what a result does may stand behind it."""
    log = [line[13:] if line.startswith("  ") else line for line in text(game).splitlines()]

    def says(line: str, wanted: str) -> bool:
        return line == wanted or line.startswith(f"{wanted} (")

    starts = (n for n, line in enumerate(log) if says(line, lines[0]))
    assert any(all(map(says, log[n : n + len(lines)], lines)) for n in starts), lines


def case(rules: str, game: str, *lines: str) -> pytest.ParameterSet:
    return pytest.param(game, lines, marks=pytest.mark.rule(*rules.split()), id=rules.split()[0])


H, V = "historical", "variable"
ADJ = "-1 target in an adjacent area (ST-FIR-07)"
OBS = "-1 target in an obstructed area (ST-FIR-08)"
BUN = "-1 target in a bunker (ST-FIR-09)"
OPF = "-1 Opportunity Fire (ST-FIR-11)"
LED = "+1 appropriate British leader in the firing stack (ST-FIR-13)"
OPEN = "+1 target in an open area (ST-FIR-14)"
INF = "+1 a firing unit is British infantry (ST-FIR-15)"


@pytest.mark.parametrize(
    ("game", "lines"),
    [
        # Historical forces come without a roll: British force B on turn 8.
        case("ST-SEQ-03", H, "British reinforcements: force B, at Ranville on turn 8."),
        # 1-5: none of a line is lost.
        case("ST-GLI-02", H, "Gliders from the north: 5: none lost"),
        # 1-3 the westernmost entry; a triangle lands on 1, so 3 flies on, 2 follows the blue arrow.
        case(
            "ST-GLI-05 ST-GLI-11", H,
            "Glider 1 enters: 1: the westernmost entry area",
            "Glider 1 flies to NT1 North entry west.",
            "Glider 1 in NT1 North entry west: 3: flies on",
            "Glider 1 follows an arrow: 2: the blue arrow",
        ),
        # A double circle lands on 1-2.
        case("ST-GLI-16", H, "Glider 1 in ND1 North glide west: 2: lands"),
        # The first 6 in a triangle breaks the line: glider 5 then rolls its own way.
        case(
            "ST-GLI-19", H,
            "Glider 4 in ST1 South entry west: 6: flies on",
            "Glider 4 breaks the formation of the line from the south.",
        ),
        case("ST-GLI-19", H, "Glider 5 follows an arrow: 1: the blue arrow"),
        # Circles land on 1-3, then 1-4, then 1-5: 5 and 6 fly on, 1 lands.
        case("ST-GLI-17", H, "Glider 4 in S11 Rough pasture: 5: flies on"),
        case(
            "ST-GLI-17 ST-GLI-08", H,
            "Glider 4 in S8 Zone X south: 6: flies on",
            "Glider 4 flies to S4 Zone X.",
            "Glider 4 in S4 Zone X: 1: lands",
        ),
        # 6 crashes; a 5 on the crash table is 7 SP, then every leader aboard rolls: 6 kills.
        case(
            "ST-GLI-21 ST-GLI-22 ST-LDR-10", H,
            "Glider 4: 6: crashed",
            "Losses of glider 4: 5: 7 SP",
            "Glider 4: 7 SP are lost. Which unit loses SP? Hooper platoon, 8 SP",
            "How many SP does Hooper platoon lose (1 to 7)? 7",
            "Hooper platoon loses 7 SP, 1 left.",
            "Leader casualty, Lt Hooper: 6: killed",
            "Lt Hooper is killed.",
            "Leader casualty, Capt Priday: 6: killed",
        ),
        # Whoever comes next to a counter turns it up; 4-6 it may fire at once. 4 SP: column 1-4,
        # three times -1: 1 becomes -2, nothing.
        case(
            "ST-GAR-03 ST-GAR-04 ST-FIR-11", H,
            "The counter in B5 South trench bunker is a garrison squad: it is activated.",
            "Activation of garrison squad of B5: 4: moves and fires normally",
            "Opportunity Fire, 4 SP (garrison squad of B5) on HQ section 1 in S4 Zone X: 1, "
            f"{ADJ}, {OBS}, {OPF}, Final -2: -",
        ),
        # Bunker column, +1 with his lieutenant: 6 is 3 SP.
        case(
            "ST-GRE-06 ST-GRE-08", H,
            "Sweeney platoon throws a grenade at garrison squad of B5 in the bunker of B5 South "
            "trench bunker: 5, "
            "+1 appropriate leader stacked with the attacker (ST-GRE-06), Final 6: 3",
            "garrison squad of B5 loses 3 SP, 1 left.",
        ),
        # 4 is 2 SP; the MG counts as a target of 1 SP, so a die says who is hit first.
        case(
            "ST-GRE-06 ST-GRE-08", H,
            "Brotheridge platoon throws a grenade at garrison squad of B3, MG 2 in the bunker of "
            "B3 MG north: 3, "
            "+1 appropriate leader stacked with the attacker (ST-GRE-06), Final 4: 2",
            "Which unit in the bunker of B3 MG north loses SP (1 garrison squad of B3, 2 MG 2): "
            "1: garrison squad of B3",
            "garrison squad of B3 loses 2 SP, 2 left.",
        ),
        # 3 SP: the squad's last one, then the MG with its 1 SP.
        case(
            "ST-GRE-08", H,
            "garrison squad of B3 loses 1 SP and is eliminated.",
            "MG 2 is destroyed.",
        ),
        # MG 4 SP and its crew's own fire less 1: 4 + 3 = 7 SP, column 5-8; 3 is S.
        case(
            "ST-MGF-02 ST-MGF-03", H,
            "Opportunity Fire, 7 SP (garrison squad of B3, 4 SP of MG) on Wood platoon in "
            f"B3 MG north: 3, {OPF}, {OPEN}, Final 3: S",
            "Wood platoon is suppressed.",
        ),
        # 1: cleared and a POW for the unit; 2-5: cleared; 6: cleared, 1 SP lost.
        case(
            "ST-BUN-03", H,
            "Fox platoon clears the bunker of B6 South bunker: 1: cleared and one POW taken",
            "Fox platoon takes a POW.",
        ),
        case("ST-BUN-03", H, "Sapper 2 clears the bunker of B1 North bunker: 5: cleared"),
        case(
            "ST-BUN-03", H,
            "Sweeney platoon clears the bunker of B4 AT gun: 6: cleared, the unit loses 1 SP",
            "Sweeney platoon loses 1 SP, 7 left.",
        ),
        # 16 SP, column 15-20; -1 -1 +1 +1: 3 is 1 SP.
        case(
            "ST-FIR-05 ST-FIR-06 ST-FIR-09", H,
            "Fire, 16 SP (Brotheridge platoon, Smith platoon) on garrison squad of B3 in the "
            f"bunker of B3 MG north: 3, {ADJ}, {BUN}, {LED}, {INF}, Final 3: 1",
        ),
        # Same area, 8 SP each: a die. The squad has 1 SP, less 1 at the MG: 4 SP, 3 is nothing,
        # and the MG has the same die on everybody else there.
        case(
            "ST-FIR-04 ST-MGF-04 ST-MGF-06", H,
            "Target of garrison squad of B3 (1 Brotheridge platoon in B3 MG north, 2 Wood platoon "
            "in B3 MG north): 3: Brotheridge platoon in B3 MG north",
            "garrison squad of B3: the best target is Brotheridge platoon in B3 MG north.",
            "Fire, 4 SP (garrison squad of B3, 4 SP of MG) on Brotheridge platoon in B3 MG north: "
            f"2, {OPEN}, Final 3: -",
            "The same die for the MG on Wood platoon in B3 MG north: no effect.",
        ),
        # 8 and 1 to 1: 4:1 and better; -1 +1 +1 +1: 4 kills all Germans.
        case(
            "ST-H2H-02 ST-H2H-03 ST-H2H-16", H,
            "Hand-to-hand in B5 South trench bunker: Lt Sweeney, Sweeney platoon against garrison "
            "squad of B4: 2, -1 a British unit is suppressed (ST-H2H-05), +1 appropriate British "
            "leader (ST-H2H-08), +1 no British sapper or HQ takes part (ST-H2H-11), +1 all German "
            "units are garrisons (ST-H2H-12), Final 4: -:E",
            "garrison squad of B4 loses 1 SP and is eliminated.",
        ),
        # British rise on 1-4, -1 with the officer of the same name; 6 - 1 is too much.
        case(
            "ST-SUP-06 ST-SUP-09", H,
            "Suppression removal, Sweeney platoon: 5, -1 stacked with an appropriate leader "
            "(ST-SUP-09), Final 4: no longer suppressed",
            "Sweeney platoon is no longer suppressed.",
            "Suppression removal, Wood platoon: 6, -1 stacked with an appropriate leader "
            "(ST-SUP-09), Final 5: stays suppressed",
        ),
        # German leaders rise on 1-3.
        case("ST-SUP-07", H, "Suppression removal, Lt Hickman: 1: no longer suppressed"),
        # Chits A and B: Schmidt comes at Ranville on turn 3; 4-6 is 5 MP, five road areas.
        case(
            "ST-MER-02 ST-MER-03 ST-MER-05", H,
            "Speed of the Mercedes: 4: 5 MP",
            "Mjr Schmidt enters at Ranville in his Mercedes.",
            "The Mercedes drives to RR4 Ranville orchards.",
            "The Mercedes drives to RR3 Ranville road.",
            "The Mercedes drives to RR2 Roadside farm.",
            "The Mercedes drives to RR1 Poplar bend.",
            "The Mercedes drives to EO Orne east foot.",
        ),
        # The Mercedes obstructs its area: same area, obstructed, 6 is 2. It is wrecked, Schmidt
        # rolls, and lives on 1.
        case(
            "ST-MER-04 ST-MER-07 ST-LDR-07", H,
            "The Mercedes is fired on: 7 MP from now on.",
            "Hooper platoon throws a grenade at Mercedes (any SP loss wrecks it) in EO Orne east "
            "foot: 6: 1",
            "The Mercedes in EO Orne east foot is wrecked.",
            "Leader casualty, Mjr Schmidt: 1: unhurt",
        ),
        # An SP lost where he stands: 4 wounds.
        case(
            "ST-FIR-20 ST-LDR-08", H,
            "Leader casualty, Mjr Schmidt: 4: wounded",
            "Mjr Schmidt is wounded.",
        ),
        # A leader alone is 1 SP: 1 to 1; -1 +1 +1: 3 engages both, and none may leave.
        case(
            "ST-LDR-01 ST-H2H-13 ST-H2H-15", H,
            "Hand-to-hand in RB Ranville Bridge: Hooper platoon against Mjr Schmidt: 2, "
            "-1 a British unit is suppressed (ST-H2H-05), +1 no British sapper or HQ takes part "
            "(ST-H2H-11), +1 a wounded German leader takes part (ST-H2H-13), Final 3: ENG",
            "Both sides in RB Ranville Bridge are engaged.",
        ),
        case("ST-MER-10", H, "Brotheridge platoon captures Mjr Schmidt."),
        # AT gun: 1 SP, first column, no modifiers; S(H) does nothing to infantry.
        case(
            "ST-TAT-05 ST-TAT-06", H,
            "Tank/AT fire, 1 SP, on garrison squad of B7 in CAF Canal-side cafe: 5: S(H)",
            "What do the British fire at? fire at garrison squad of B7 in CAF Canal-side cafe",
        ),
        # 26 SP: column 21 and more; -1 +1 +1 +1: 3 is 2 SP, and wounded again is killed.
        case(
            "ST-FIR-16 ST-LDR-09", H,
            "Fire, 26 SP (Fox platoon, Sapper 3, Sapper 4, Smith platoon, Wood platoon) on "
            f"Lt Hickman in PB Pegasus Bridge: 1, {ADJ}, {LED}, {OPEN}, {INF}, Final 3: 2",
            "Leader casualty, Lt Hickman: 6: killed",
        ),
        # Historical force 3 comes on turn 7; 1-4 is Le Port; each stack pays 1 MP more.
        case("ST-GRN-01 ST-GRN-03", H, "German reinforcements: force 3, on turn 7."),
        case(
            "ST-GRN-05 ST-TNK-03 ST-TNK-04", H,
            "German reinforcements enter: 1: Le Port",
            "6 tanks and 12 infantry come in column at Le Port.",
            "tank 1, infantry 1 enter at Le Port for 0 MP.",
            "tank 1 marches from LP to LP1 Le Port church.",
            "tank 1 marches from LP1 to LP2 Ouistreham road.",
            "tank 1 marches from LP2 to LP3 Le Port south houses.",
            "tank 2, infantry 2 enter at Le Port for 1 MP.",
            "tank 2 marches from LP to LP1 Le Port church.",
            "tank 2 marches from LP1 to LP2 Ouistreham road.",
            "tank 3, infantry 3 enter at Le Port for 2 MP.",
            "tank 3 marches from LP to LP1 Le Port church.",
            "tank 4, infantry 4 enter at Le Port for 3 MP.",
            "The rest of the column at Le Port waits off the map.",
        ),
        # Two platoons a stack, the colonel beside the first.
        case(
            "ST-BRN-05 ST-BRN-06", H,
            "Coffin platoon 1, Coffin platoon 2, Col Pine Coffin enter at RAN Ranville entry for "
            "0 MP.",
            "Coffin platoon 3, Coffin platoon 4 enter at RAN Ranville entry for 1 MP.",
        ),
        # The wrecked Mercedes in EO costs a tank 1 MP more: two areas are 3 MP.
        case(
            "ST-MOV-26", H,
            "tank 1 marches from RB to EO Orne east foot.",
            "tank 1 marches from EO to RR1 Poplar bend.",
            "tank 2 marches from RD2 to RB Ranville Bridge.",
        ),
        case(
            "ST-TNK-05", H,
            "tank 1 marches from RR4 to RAN Ranville entry.",
            "tank 1 leaves the map at Ranville.",
        ),
        # Wired; Schmidt in the pillbox makes 6 a 5: the charge fails.
        case(
            "ST-DEM-06 ST-DEM-07", V,
            "The Germans try to blow Pegasus Bridge: it is wired.",
            "Demolition of Pegasus Bridge: 6, -1 Mjr Schmidt is in the pillbox (ST-DEM-07), "
            "Final 5: malfunction, the bridge is intact",
        ),
        # 34 SP: 21 and more; 3 is 2 SP; both leaders there roll, 5 wounds.
        case(
            "ST-FIR-06 ST-FIR-18", V,
            "Fire, 34 SP (garrison squad of B5, infantry 1, infantry 2, infantry 3, infantry 4) "
            f"on Sweeney platoon in EF East bridge foot: 3, {ADJ}, {OPEN}, Final 3: 2",
            "Sweeney platoon loses 2 SP, 6 left.",
            "Leader casualty, Capt Neilson: 2: unhurt",
            "Leader casualty, Lt Sweeney: 5: wounded",
        ),
        # 1:2 or worse for the British; 6 and more is half of the 9 German SP: 5, the weakest first;
        # they lost more and give way.
        case(
            "ST-H2H-14 ST-H2H-17 ST-H2H-18", V,
            "Hand-to-hand in RD1 Causeway west: Lt Brotheridge, Brotheridge platoon against "
            "infantry 5, infantry 6: 5, +1 a German unit is suppressed (ST-H2H-06), +1 appropriate "
            "British leader (ST-H2H-08), +1 no British sapper or HQ takes part (ST-H2H-11), "
            "Final 8: -:HE",
            "infantry 5 loses 3 SP and is eliminated.",
            "infantry 6 loses 2 SP, 4 left.",
            "The Germans retreat to S1 Zone X pond.",
        ),
        # A tank's MG, 4 SP, fires at one and has the same 2 in the first column for the others.
        case(
            "ST-MGF-05 ST-MGF-06", V,
            "Fire, 4 SP (tank 1, 4 SP of MG) on Coffin platoon 3 in RB Ranville Bridge: "
            f"3, {OBS}, Final 2: -",
            "The same die for the MG on Brotheridge platoon in RB Ranville Bridge: no effect.",
            "The same die for the MG on Coffin platoon 1 in RB Ranville Bridge: no effect.",
        ),
        # Tanks spot on 5-6.
        case(
            "ST-GRN-07", V,
            "tank 1 in PB Pegasus Bridge looks for Wood platoon: 1: does not spot it",
            "tank 2 in CAF Canal-side cafe looks for Wood platoon: 6: spots it",
        ),
        # Cannons that choose the same target combine, 1 SP each; 3 and 4 SP: 3 is S.
        case(
            "ST-TAT-01 ST-TAT-06", V,
            "the cannon of tank 2, the cannon of tank 3, the cannon of tank 4, the cannon of "
            "tank 5, the cannon of tank 6: the best target is Wood platoon in EF East bridge foot.",
            "Tank/AT fire, 5 SP, on Wood platoon in EF East bridge foot: 3: S",
        ),
        # 1(H) of a cannon: 1 SP.
        case(
            "ST-TAT-17", V,
            "Tank/AT fire, 3 SP, on Coffin platoon 2 in PB Pegasus Bridge: 6: 1(H)",
            "Coffin platoon 2 loses 1 SP, 5 left.",
        ),
        # PIAT: "-" does nothing; S(H) rolls again, 1-2 wrecks the tank.
        case(
            "ST-PIA-08", V,
            f"Coffin platoon 1 fires PIAT #2 at tank 4: 2, {ADJ}, {OBS}, {INF}, Final 1: -",
        ),
        case(
            "ST-PIA-10", V,
            f"Coffin platoon 2 fires PIAT #3 at tank 2: 5, {OBS}, {INF}, Final 5: S(H)",
            "tank 2 is hit: 2: the tank is wrecked",
            "tank 2 in EF East bridge foot is wrecked.",
        ),
        # A gammon bomb has no modifiers.
        case(
            "ST-GAM-07", V,
            "Coffin platoon 3 uses a gammon bomb on tank 1: 2: -",
        ),
        # As many SP; -1 -1 +1 +1: 1 is half of the British; they lost more and cannot give way.
        case(
            "ST-H2H-04 ST-H2H-17 ST-H2H-20", V,
            "Hand-to-hand in PB Pegasus Bridge: Wood platoon against infantry 2: 1, -1 the "
            "area contains an active tank (ST-H2H-04), -1 a British unit is suppressed "
            "(ST-H2H-05), +1 a German unit is suppressed (ST-H2H-06), +1 no British sapper or HQ "
            "takes part (ST-H2H-11), Final 1: HE:-",
            "Wood platoon loses 2 SP, 2 left.",
            "The British cannot retreat.",
        ),
    ],
)  # fmt: skip
def test_lines_by_the_rules(game: str, lines: tuple[str, ...]) -> None:
    seen(game, *lines)


@pytest.mark.rule(
    "ST-VIC-03", "ST-VIC-04", "ST-VIC-05", "ST-VIC-06", "ST-VIC-07", "ST-VIC-08", "ST-VIC-09",
    "ST-VIC-10", "ST-VIC-11", "ST-VIC-12", "ST-VIC-13", "ST-VIC-14",
)  # fmt: skip
@pytest.mark.parametrize(
    ("game", "counted", "level"),
    [
        # The bridge whole 15, Ranville Bridge 8, pillbox 5, nine bunkers 18, four MGs 12, AT gun 5,
        # three POWs 3, Schmidt 1, two leaders -2: 65. Easy: 60 to 65 is substantial.
        (H, {"+15": 1, "+8": 1, "+5": 2, "+18": 1, "+12": 1, "+3": 1, "+1": 1, "-2": 1},
         "65 VP: British substantial victory."),
        # 8 + 5 + 14 + 9 + 5 + 5 + 1 + 1 - 6 - 15 = 27. Hard: 41 and less is a German victory.
        (V, {"+8": 1, "+5": 3, "+14": 1, "+9": 1, "+1": 2, "-6": 1, "-15": 1},
         "27 VP: German victory."),
    ],
)  # fmt: skip
def test_the_final_count(game: str, counted: dict[str, int], level: str) -> None:
    end = text(game).split("\nVictory\n")[1].splitlines()
    found = [line.rsplit(", ", 1)[1].split(" ")[0] for line in end[:-1]]
    assert sorted(found) == sorted(vp for vp, times in counted.items() for _ in range(times))
    assert sum(map(int, found)) == int(level.split(" ")[0])
    assert end[-1][13:] == level
    assert json.loads(text(game, "score"))["vp"] == int(level.split(" ")[0])


@pytest.mark.rule("ST-SET-23", "ST-SET-26")
def test_hidden_rolls_are_in_no_log_of_the_player() -> None:
    """The dummies, the chit and the marker come up only with --hidden, when all is over."""
    for game in golden_st.GAMES:
        for line in text(game, "hidden").splitlines():
            assert line not in text(game)
    chit = "The German set-up chit (1 D, 2 E, 3 F, 4 G, 5 H): 4: G"
    for hidden in ("The Demo Bridge marker is wired.", chit):
        assert hidden in text(V, "hidden")


@pytest.mark.rule("ST-GRE-04", "ST-FIR-22")
def test_the_printed_records_at_the_end() -> None:
    rows = text(H, "records").splitlines()
    # Three grenades thrown by Brotheridge at B3, one by Sweeney at B5, one by Hooper at EO.
    assert set(rows) >= {
        "7 | Brotheridge platoon | 8 | 8 | 2 of 4 | S5 Hedge corner | Mjr Schmidt (POW)",
        "23 | Sweeney platoon | 8 | 7 | 3 of 4 | S4 Zone X",
        "15 | Hooper platoon | 8 | 1 | 3 of 4 | RB Ranville Bridge",
        "3 | Capt Priday | 1 | 0 | – |  | eliminated",
        "30 | Sapper 1 | 1 | 1 | – | B3 MG north, bunker | POW from B3",
    }
