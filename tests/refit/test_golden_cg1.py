"""Campaign Game I from Night I to CG End by script: what is printed, and what a player checked.

The first test plays ``tests/golden_cg1`` and compares every print with ``expected/``. The others
read ``expected/``: each line they name was worked out by hand from the rule beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from golden_campaign import Golden, Played, differences, ids_told, play, secrets_told, settings

from asl_pbcg.campaign.state import accounts_balance

GOLDEN = Golden("cg1")
DATES = settings("cg1")["dates"]


def test_the_campaign_goes_from_night_1_to_cg_end_as_written(tmp_path: Path) -> None:
    played = play("cg1", tmp_path)
    wrong = differences("cg1", played)
    assert not wrong, "\n\n".join(wrong[:6]) + f"\n\n{len(wrong)} texts differ"
    assert list(played.states) == ["new", *DATES]
    for state in played.states.values():
        assert accounts_balance(state)
        for account in state.accounts:
            assert account.cpp_available == account.cpp_spent + account.cpp_left
    assert not list(ids_told(played))
    assert played.states["dusk"].ended.startswith("British victory")


def test_no_text_of_a_side_holds_a_secret_of_the_other() -> None:
    texts = {path: GOLDEN.text(path) for path in GOLDEN.paths()}
    assert not list(secrets_told(Played(texts=texts)))
    german = "".join(text for path, text in texts.items() if path.endswith("log.german.txt"))
    assert "CPP left. Buy an RG?" in german
    assert "CG Scenario Loss Points" in german
    for path, text in texts.items():
        if ".british." in path:
            assert "CPP left" not in text, path
            assert "RG Strength of" not in text, path


def test_the_logs_of_both_sides_hold_all_that_is_open() -> None:
    for date in ["new", *DATES]:
        umpire = [line for line in GOLDEN.lines(date) if not line.endswith("secret]")]
        for viewer in ("german", "british"):
            own = [line for line in GOLDEN.lines(date, viewer=viewer)
                   if not line.endswith("secret]")]  # fmt: skip
            assert own == umpire


# -- 9.606 Escape: every DRM of these rolls was added up by hand -------------------------------

ESCAPES = {
    # Night; British Setup Area, +1 for the second HS; a Conscript that is Replaced is Disrupted.
    ("night-1", "4-3-6 g-436-1", "U21"): (8, {"Night": -1, "in an enemy": 1, "two HS": 1}, 9),
    # alone, unwounded, next to AA17's area (Y17 touches Z17)
    ("night-1", "7-0 g-7-0-904", "Y17"): (6, {"lone": -1, "Night": -1, "adjacent": -2}, 2),
    # a crew is one HS-equivalent; with the LMG(f) it Removed: 1 PP, IPC 3
    ("night-1", "1-2-7 g-127-2", "Y18"): (9, {"Night": -1, "adjacent": -2}, 6),
    # Encircled squad with a 6+1: his DRM counts, though it is +1
    ("night-1", "4-3-6 g-436-3 with 6+1 g-6+1-748", "AA21"): (
        6,
        {"Night": -1, "6+1 g": 1, "in an enemy": 1, "two HS": 1, "Encircled": 2},
        10,
    ),
    # W18 to Y18 is two hexes; an Isolated area
    ("night-2", "4-4-7 g-447-14", "W18"): (
        6,
        {"Night": -1, "two hexes": -1, "two HS": 1, "Isolated": 2},
        7,
    ),
    # out of the Café Gondrée past the tank in Y18, which is a German Setup-Area hex
    ("night-2", "4-5-8 b-458-2 with 9-2 b-9-2-1", "X18"): (
        2,
        {"Night": -1, "two hexes": -1, "9-2 b": -2, "across": 1, "two HS": 1, "Isolated": 2},
        2,
    ),
    # the best leader is wounded: no lone SMC, +1 once, a 9-1 leads with -1 + 1 (A17.2)
    ("night-3", "2-3-6 g-436-3 with 9-1 g-9-1-988", "X27"): (
        9,
        {"Night": -1, "across": 1, "Wounded": 1},
        10,
    ),
    # three HS-equivalents on one DR
    ("night-3", "6-4-8 b-648-19 with 3-3-8 b-648-23", "Y14"): (
        5,
        {"Night": -1, "adjacent": -2, "three HS": 2},
        4,
    ),
    # leaving the upper level costs nothing for the British ground level of its own hex (B-09)
    ("night-3", "4-4-7 g-447-11", "Z15/1"): (8, {"Night": -1, "two HS": 1, "Isolated": 2}, 10),
    # HMG dm 4 PP, IPC 3 and the leader's 1: none in excess
    ("night-3", "4-4-7 g-447-17 with 8-0 g-8-0-919", "AA15"): (
        7,
        {"Night": -1, "two HS": 1},
        7,
    ),
    # an unarmed truck that is not an AFV
    ("night-3", "Kfz 1 g-kfz-1-1", "AA15"): (8, {"Night": -1, "unarmed": 1}, 8),
    # Dawn is not a Night
    ("dawn", "6-4-8 b-648-13", "T13"): (12, {"two hexes": -1, "two HS": 1}, 12),
    ("dawn", "6-4-8 b-648-23", "W14"): (11, {"adjacent": -2, "two HS": 1}, 10),
    # a stunned CT AFV next to V14, which belongs to W12
    ("day-1", "PzKpfw IVH g-pzkpfw-ivh-137", "W14"): (
        11,
        {"CT AFV": -1, "adjacent": -2, "stunned": 1},
        9,
    ),
    # X14 is two hexes from V14
    ("day-1", "1-2-7 g-127-4", "X14"): (8, {"two hexes": -1}, 7),
    # a wounded 10-2 leads with -1 (A17.2), and one Wounded unit is +1 for the stack
    ("day-1", "6-4-8 b-648-11 with 10-2 b-9-2-2", "Y15"): (
        12,
        {"adjacent": -2, "10-2 b": -1, "two HS": 1, "Wounded": 1},
        11,
    ),
    # OT, mobile: only the way home counts; no HS-equivalents for vehicles
    ("day-2", "GSW 39H PaK(f) g-gsw-39h-pak-f-158", "T13"): (9, {"adjacent": -2}, 7),
    ("day-2", "PzKpfw IVH g-pzkpfw-ivh-944", "V14"): (
        8,
        {"CT AFV": -1, "two hexes": -1, "in an enemy": 1, "stunned": 1},
        8,
    ),
    # to an Isolated area: +2 (B-08); two hexes away there is no area that is not Isolated
    ("day-3", "38H 735(f) g-38h-735-f-733", "X14"): (9, {"CT AFV": -1, "Isolated, as": 2}, 10),
    # two hexes from another area that is not Isolated
    ("day-3", "3-3-8 b-648-20", "W14"): (7, {"two hexes": -1, "Isolated, as": 2}, 8),
    # four HS-equivalents, the 8-1 lends his IPC to the squad with the MMG (4 PP)
    ("day-3", "4-6-7 g-467-200 with 4-6-8 g-468-141, 8-1 g-8-1-799", "U11"): (
        9,
        {"adjacent": -2, "8-1 g": -1, "four HS": 3},
        9,
    ),
}


@pytest.mark.rule("9.606-ae")
@pytest.mark.parametrize("which", ESCAPES, ids=lambda which: f"{which[0]}-{which[2]}")
def test_escape_by_hand(which: tuple[str, str, str]) -> None:
    date, who, place = which
    original, drm, final = ESCAPES[which]
    line = GOLDEN.line(date, "9.606", f"Escape of {who} from {place} to")
    dice, _, rest = line.partition(": ")[2].partition("=")
    assert sum(int(face) for face in dice.split("+")) == original
    found = [(int(value), why) for value, why in re.findall(r"([+-]\d+) (.*?) \(9\.606\)", rest)]
    assert len(found) == len(drm), line
    for words, value in drm.items():
        assert any(words in why and value == each for each, why in found), (words, line)
    assert original + sum(drm.values()) == final
    assert f"Final {final}:" in rest if drm else rest.startswith(f"{final}:")


FOLLOWS = [
    # 9.606 note 2, then 9.6061: a dr of 3 or less leaves the Equipment where it was
    ("night-1", "9.606", "g-436-1 is Eliminated instead of Replaced: it would be Disrupted"),
    ("night-1", "9.606", "Equipment of 4-3-6 g-436-1: LMG g-lmg-716: 2: left in"),
    # ... where it falls to the British, who hold U21
    ("night-1", "9.607", "LMG g-lmg-716 in U21, Setup Area B, falls to you. Capture it"),
    # note 3: Random Selection 5 over 3, and the squad is Reduced, not Replaced (row 10)
    ("night-1", "9.606", "4-3-6 g-436-3 is reduced to 2-3-6"),
    # note 1: Original 2, Battle Hardening lets an elite squad stay, Fanatic (A15.3)
    ("night-2", "9.606", "4-5-8 b-458-2 Battle Hardens: Fanatic in the next CG scenario"),
    # four squads in X18: one must go (9.606, A5.1)
    ("night-2", "9.606", "X18 is Overstacked (4 squad-equivalents of 3)"),
    # row 12: all goes, without an Equipment dr (B-07)
    ("dawn", "9.606", "PIAT b-piat-7 is Eliminated with it"),
    # row 11 by Random Selection: Replaced 6-4-8 to 4-5-7, then Reduced to 2-4-7
    ("day-1", "9.606", "6-4-8 b-648-11 is Replaced by 4-5-7"),
    ("day-1", "9.606", "4-5-7 b-648-11 is reduced to 2-4-7"),
    # vehicle row 9: left in place, and the crew may Scrounge (notes 4, 5)
    ("day-1", "9.606", "g-pzkpfw-ivh-137 is left in W14, Abandoned, with its VCA as it is"),
    # vehicle row 10: Eliminated, the crew Escapes
    ("day-2", "9.606", "Marder g-marder-754 is Eliminated and removed from the map"),
    ("day-2", "9.606", "1-2-7 g-127-6 Escapes and is Retained in Setup Area A"),
    # the Sherman cannot enter the house in Z13, so the Isolated area of X13 is all it can reach
    ("day-3", "9.606", "Sherman V (DD) b-sherman-v-dd-1 in Y13: to Setup Area C, 1 hex"),
    ("night-2", "9.606", "Encircled markers are removed: 6-4-8 b-648-1."),
    # 9.6041: no Walking Wounded of it; the leader there claims the prisoner, who is not lost
    ("night-2", "9.604", "fails its 1TC: Eliminated, not placed in the Walking Wounded box"),
    ("night-2", "9.604", "8-0 b-8-0-1 claims 1-2-7 g-127-2"),
    # 9.6051: without functioning MA in No Man's Land
    ("night-1", "9.605", "g-38h-735-f-351 in Y18 (No Man's Land) is Immobile without functioning"),
    # freed of its bog in 9.604, so BB15 is not a Strategic Location in 9.605
    ("night-1", "9.605", "BB15 is no longer a Strategic Location: the German Control marker"),
    # 9.6053: S10 is two hexes from Q11 and P10 (O12's ring) and four from X13's
    ("night-1", "9.605", "2-3-8 g-238-1 in S10 is Retained in Setup Area A, 2 hexes away"),
    # from X27 every way west leads over the bridge
    ("night-3", "9.605", "g-436-3 in X27 (Uncontrolled Territory) has no path to a friendly"),
    # 9.6058: Le Port is north of hexrow CC, Bénouville is not
    ("night-1", "9.605", "in their present Locations, on No Move: 4-4-7 g-447-1"),
    ("night-1", "9.605", "free to move inside their Setup Areas: 4-4-7 g-447-16 HH11"),
    ("night-2", "9.602", "No Move counters are removed"),
    # Z15/1: Isolated in a hex the enemy shares; empty at Dawn it joins the British area (9.6054)
    ("night-3", "9.605", "German Setup Area B: one Location, Z15/1, Isolated"),
    ("dawn", "9.605", "British Setup Area C: 1 hex, Z15 Z15/1."),
    # a glider makes the eastern area supplied, Z28 as well
    ("night-2", "9.605", "British Setup Area A: 20 hexes, W22 X20 X21 X22 Z20 Z21 Z21/pillbox."),
    # X18 and Y19 share a hexside, but a bridge is entered by its road only
    ("night-2", "9.605", "British Setup Area C: 2 hexes, Y19 Y20, Isolated"),
    # 9.6072
    ("night-1", "9.607", "outside Setup Areas, stays with its CA/VCA: Kfz 1 g-kfz-1-1 Z18"),
    # 9.6071: the crew of an Immobile vehicle without functioning MA is captured with it ...
    ("night-3", "9.607", "1-2-7 g-127-3 of 38H 735(f) g-38h-735-f-200 is captured"),
    # ... and 9.608 Eliminates it at once: its Guard is not Isolated
    ("night-3", "9.608", "1-2-7 g-127-3, prisoner of 6-4-8 b-648-1, is Eliminated"),
    ("night-1", "9.608", "6-4-8 b-648-1 keeps 4-3-6 g-436-2"),
    ("night-2", "9.608", "4-3-6 g-436-2 is free and Retained in Setup Area D"),
    ("day-3", "9.608", "6-4-8 b-648-18 takes over 4-6-7 g-467-783 from 6-4-8 b-648-9"),
    # 9.6073: the mines' presence is shown, not their strength or type
    ("day-1", "9.607", "British minefield in W12: a Minefield counter shows that it is there"),
    # 9.6091 to 9.6095
    ("night-1", "9.609", "The wood building in Z20 has burnt down: wooden Rubble"),
    ("night-1", "9.609", "PIAT b-piat-3 in Z20 is Eliminated in the fire"),
    ("night-2", "9.609", "The Burning Wreck in Y17 is Burnt-Out"),
    ("night-3", "9.609", "The wooden Rubble in Z20 has burnt down: a shellhole"),
    ("day-1", "9.609", "The Burning Wreck in V12 is Burnt-Out; its Blaze moves to the building"),
    ("day-1", "9.609", "wreck of a PzKpfw IVH in V12 is Eliminated"),
    ("day-3", "9.609", "The fire in the stone Rubble in Z14 is out"),
    # 9.6101: British -1; German in an Isolated area +1
    ("night-1", "9.610", "Area B: 2, -1 British (9.6101), Final 1: Retained unwounded"),
    ("night-2", "9.610", "Setup Area C: 3, +1 Isolated (9.6101), Final 4: Retained wounded"),
    ("dawn", "9.610", "4, -1 Heroic (9.6101), -1 British (9.6101), Final 2: Retained wounded"),
    ("day-2", "9.610", "Wounded 10-2 g-10-2-949 in Setup Area A: 5: evacuated (Eliminated)"),
    # CG17: 4-5-8 and 2-4-8 are 1½ squads; two 3-3-8 are one 6-4-8; two squads and a half are 2½
    ("night-1", "9.610", "1½ squad-equivalents of 4-5-8; 1 x 4-5-8 may come back"),
    ("night-2", "9.610", "1 squad-equivalent of 6-4-8; 1 x 6-4-8 may come back"),
    ("night-3", "9.610", "2½ squad-equivalents of 6-4-8; 2 x 6-4-8 may come back"),
    # 9.6111 to 9.6113
    ("night-1", "9.611", "2-3-7 g-447-14 and 2-3-7 g-447-19 Recombine to 4-4-7 g-447-14"),
    ("night-2", "9.611", "1-4-9 b-149-1 is Eliminated"),
    ("night-2", "9.611", "8-1 b-8-1-1 Battle Hardens to 9-1"),
    ("dawn", "9.611", "4-6-7 g-467-443 Battle Hardens to 4-6-8"),
    ("dawn", "9.611", "9-2 b-9-2-2 Battle Hardens to 10-2"),
    ("day-2", "9.611", "10-3 b-10-3-1 is heroic no longer"),
    # 9.6122, CG13: 2 + 2; the British took the church (2 - 2, raised to 2), and lost it again
    ("night-3", "9.612", "SAN for Dawn: British 3, German SAN 4 (2 without II13)"),
    ("dawn", "9.612", "British SAN adjustment, SAN 4: 5: SAN drops by two"),
    ("day-2", "9.612", "German SAN 0 is raised to 2"),
    ("day-3", "9.612", "German SAN +2: German SAN 7"),
    # 9.613: 13 hexes by road, 8 of them Uncontrolled: -1 and +1 for the first five
    ("night-1", "9.613", "Final 8: Shifted safely"),
    ("night-2", "9.613", "5+6=11, -1 the whole path runs on road hexes (9.613), +1"),
    ("night-2", "9.613", "4-4-7 g-447-8 is reduced to 2-3-7"),
    # 9.6141 to 9.61425
    ("night-1", "9.614", "488: 5, +1 in a Front-Line hex (9.6141b), Final 6: no change"),
    ("night-2", "9.614", "488: 1, +1 in a Front-Line hex (9.6141b), Final 2: becomes Mobile"),
    ("night-2", "9.614", "g-38h-735-f-488 in Y16 is Eliminated and removed, under Recall"),
    ("night-1", "9.614", "g-35-s-739-f-840: 1, +1 German (9.6141d), Final 2"),
    ("day-1", "9.614", "Marder g-marder-707: 5, +1 German (9.6141d), Final 6: Eliminated"),
    ("night-1", "9.614", "g-mmg-106: 3, -2 Repair Number of the Weapon (9.6142), Final 1"),
    ("night-2", "9.614", "Weapon (9.6142), +1 Isolated (9.6142), Final 1: Repaired"),
    ("day-1", "9.614", "FT-17 730(f) g-ft-17-730-f-429 is Recalled at once"),
    ("day-2", "9.614", "the BMG of Sherman V (DD) b-sherman-v-dd-1 is repaired"),
    # possessed by Ox and Bucks at CG-Scenario End, though Encircled men were lost in 9.604
    ("night-2", "9.614", "Ox and Bucks possessed MMG g-mmg-585 when the CG scenario ended: no dr"),
    # captured in 9.607 only: a dr, and 2 keeps it
    ("night-1", "9.614", "Captured Equipment: LMG g-lmg-716: 2: kept"),
    ("dawn", "9.614", "Captured Equipment: LMG g-lmg-858: 4: Eliminated"),
    ("dawn", "9.614", "and without a working Inherent Weapon: a Burnt-Out Wreck"),
    ("dawn", "9.614", "HE8 of 57L AT b-57l-at-1: 3: that ammunition type is restored"),
    ("day-1", "9.614", "The Low Ammo marker of Marder g-marder-754 is removed"),
    # 9.6152, 9.6153: men and what they have go, the tank stays
    ("night-3", "9.615", "57L AT x2? all in Setup Area B"),
    ("day-1", "9.615", "Off map at Entry Area TT14"),
    ("day-2", "9.615", "withdraw LMG b-lmg-10, LMG b-lmg-11, LMG b-lmg-12, PIAT b-piat-9"),
    # 9.6162: 24 to 9, then 24 to 12 (exactly twice as many, 12 more), then 19 to 13
    ("dawn", "9.616", "24, British 9. Loss Points want at least 2 times as many and 8 more: yes"),
    ("day-1", "9.616", "24, British 12. Loss Points want at least 2 times as many and 8 more: yes"),
    ("day-2", "9.616", "19, British 13. Loss Points want at least 2 times as many and 8 more: no"),
    ("dawn", "9.616", "1 CPP left over, 32 CPP Base, 5 Loss Points: 38 in all"),
    # 9.6174, 9.61741: 13 at A7, 5 in a Setup Area, 3 + 2 at J0, 1
    ("night-3", "9.617", "CPP: 25 available, 24 spent, 1 left"),
    # 14 + 13 at A7, 5 + 2 at J0, 1, 3
    ("dawn", "9.617", "CPP: 38 available, 38 spent, 0 left"),
    # 9.6182: Depleted, so 4 or less for what stands without parentheses
    ("dawn", "9.618", "50* MTR of I5-2 PzGrenadier Coy: 2: received"),
    ("dawn", "9.618", "MMG of I5-2 PzGrenadier Coy: 5: not received"),
    ("night-3", "9.618", "2+1=3, -1 PzGrenadier Coy (9.6183), Final 2: 10-2, 7-0"),
    ("day-1", "9.618", "+1 Depleted RG (9.6183), -1 Med Tank Pltn (9.6183), Final"),
    # 9.619: 9 (six A-P factors) and 1; Germans have no HIP at Dusk
    ("night-1", "9.619", "10 FPP spent, 0 forfeit"),
    ("day-2", "9.620", "The German setup, as a position file? taken"),
    # 9.51: five commando squads are 10 VP
    ("day-2", "9.603", "The commandos of Day II: not met; 10 VP of non-Airborne"),
    ("dusk", "9.603", "British victory at the Dusk CG-Scenario End"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("date", "step", "words"), FOLLOWS, ids=lambda each: each if " " not in each else None
)
def test_what_followed_by_hand(date: str, step: str, words: str) -> None:
    assert any(words in line for line in GOLDEN.lines(date, step)), words


def test_what_must_not_have_happened() -> None:
    """Rolls that no rule asks for: a line of each would be a mistake."""

    def said(date: str, step: str, words: str) -> bool:
        return any(words in line for line in GOLDEN.lines(date, step))

    # 9.6041 is for those still Encircled; b-248-2, captured in 9.601, takes no TC
    assert not said("night-1", "9.604", "b-248-2")
    # 9.6142 is not for captured Weapons, but for those of the Ox and Bucks (PB SSR 14)
    assert not said("day-1", "9.614", "Weapon repair: PIAT b-piat-5")
    # 9.6141 is for friendly areas: the tank in W14 and the Marder in X14 lie in No Man's Land
    assert not said("day-1", "9.614", "Stun recovery of PzKpfw IVH g-pzkpfw-ivh-137")
    assert not said("day-1", "9.614", "g-marder-285")
    # 9.61221 from a SAN of 4 on; 9.61222 not while the Germans Control II13
    assert not said("night-3", "9.612", "SAN adjustment,")
    assert not said("day-1", "9.612", "SAN adjustment,")
    # CG17: who is Walking Wounded already is not asked for
    assert not said("day-2", "scenario", "Walking Wounded box")
    # 9.616: no CPP for Night, none at Dusk; Loss Points from the RePh of Day I on
    for date in ("night-1", "night-2"):
        assert not said(date, "9.616", "in all")
    assert not said("night-3", "9.616", "Loss Points want")
    # 9.617 is NA at Night
    assert not said("night-2", "9.617", "Buy an RG?")
    # 9.6153 takes no Airborne MMC, and no vehicle
    withdrawn = GOLDEN.line("day-2", "9.615", "The British withdraw 6-4-8")
    assert "b-648-45" in withdrawn
    assert "b-648-31" not in withdrawn
    assert not said("day-2", "9.615", "withdraw Sherman")


@pytest.mark.rule("9.6178-a", "9.2-ag")
def test_the_rg_purchase_record_counts_what_was_bought() -> None:
    """9.6176: given RG do not count; #R is the CG Max. less #P."""
    lines = list(_sheet("dusk", "umpire", "RG Purchase Record"))
    bought = [line.split(" | ") for line in lines if re.match(r"\d+: (Dawn|Day|Dusk)", line)]
    ids = [cells[1] for cells in bought]
    assert ids == ["I5", "I4", "V1", "M1", "V3", "I5", "V5", "M1", "V1", "V3", "V6", "I4", "M1",
                   "V10", "V2", "V7", "V5", "M1", "M1", "M1"]  # fmt: skip
    second = next(cells for cells in bought if cells[1] == "I5" and "Day I" in cells[0])
    assert second[3:6] == ["2", "2", "D"]  # two of four bought, Depleted
    given = [line for line in lines if line.endswith("OB")]
    assert len(given) == 5


@pytest.mark.rule("9.62021-c")
def test_isolated_pieces_stand_first_on_the_setup_sheet() -> None:
    sheet = list(_sheet("night-2", "british", "British Setup Sheet"))
    sections = [line for line in sheet if "Isolated" in line or "Then:" in line]
    assert "First: Isolated, Setup Area B" in sections[0]
    squad = next(line for line in sheet if line.endswith("b-648-1"))
    assert "Ammunition Shortage" in squad
    gun = next(line for line in sheet if "g-50l-at-1" in line)  # X20 is not Isolated
    assert "Ammunition Shortage" not in gun


def _sheet(date: str, viewer: str, title: str) -> Iterator[str]:
    inside = False
    for line in GOLDEN.text(f"{date}/cells.{viewer}.txt").splitlines():
        if line.startswith("== "):
            inside = line == f"== {title}"
        elif inside:
            yield line
