"""Both Campaign Games from their first scenario to CG End by script.

Every print is compared with ``tests/golden_cg1/expected`` and ``tests/golden_cg2/expected``, which
were read line by line with the rulebook open. The Escapes were worked out by hand a second time.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from golden_campaign import (
    Golden,
    Played,
    differences,
    ids_told,
    open_campaign,
    play,
    secrets_told,
    settings,
)

from asl_pbcg.campaign.state.campaign_state import accounts_balance
from asl_pbcg.campaign.terms import Side
from asl_pbcg.chronicle.service import moments_of
from asl_pbcg.cli.terminal.manner import Manner
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.kernel.verification.verify import BareReplay
from asl_pbcg.play.asked import ask_of
from asl_pbcg.refit.helpers.prompt_defaults import PROMPT_DEFAULTS

CAMPAIGNS = pytest.mark.parametrize("name", ["cg1", "cg2"])


@pytest.mark.rule("9.1-a", "9.1-b", "9.52-a", "9.3-a")
@CAMPAIGNS
def test_a_campaign_is_played_to_cg_end_as_written(name: str, tmp_path: Path) -> None:
    played = play(name, tmp_path)
    wrong = differences(name, played)
    assert not wrong, "\n\n".join(wrong[:6]) + f"\n\n{len(wrong)} texts differ"
    assert list(played.states) == ["new", *settings(name)["dates"]]
    assert not list(ids_told(played))
    assert played.states["dusk"].ended.startswith("British victory")
    for state in played.states.values():
        assert accounts_balance(state)
        for side in Side:
            gone = sum(each.piece.side is side for each in state.gone)
            assert state.received_count[side] == len(state.of(side)) + gone
        for account in state.accounts:
            assert account.cpp_available == account.cpp_spent + account.cpp_left
    session = open_campaign(played.file)
    moments = [each.asked for each in moments_of(session)]
    asked = [each for each in moments if isinstance(each, Prompt)]
    assert len(asked) > 300
    ids = {piece.id for state in played.states.values() for piece in state.pieces}
    heads = [
        Manner().head(ask_of(each, 0, "", "", False))
        for each in moments
        if isinstance(each, Prompt | Roll)
    ]
    assert not [head for head in heads if ids & set(re.split(r"[ ,]", " ".join(head)))]
    assert not [each for each in asked if not PROMPT_DEFAULTS.content[each.id].allows(each)]
    again = BareReplay(session.game, session.journal)
    assert again.run.state == session.state
    told = [line for _, lines in again.ended.values() for line in lines]
    assert [*told, *again.run.lines][-1] == session.lines()[-1]
    session.journal.close()


@CAMPAIGNS
def test_no_text_of_a_side_holds_a_secret_of_the_other(name: str) -> None:
    golden = Golden(name)
    texts = {path: golden.text(path) for path in golden.paths()}
    assert not list(secrets_told(Played(texts=texts)))
    german = "".join(text for path, text in texts.items() if path.endswith("log.german.txt"))
    assert "CPP left. Buy an RG?" in german
    assert "CG Scenario Loss Points" in german
    for path, text in texts.items():
        if ".british." in path:
            assert "CPP left" not in text, path
            assert "RG Strength of" not in text, path


@CAMPAIGNS
def test_the_logs_of_both_sides_hold_all_that_is_open(name: str) -> None:
    for date in ["new", *settings(name)["dates"]]:
        logs = [Golden(name).lines(date), *(Golden(name).lines(date, viewer=side) for side in Side)]
        umpire, *own = [[line for line in log if not line.endswith("secret]")] for log in logs]
        assert own == [umpire, umpire]


# -- 9.606 Escape: every DRM of these rolls was added up by hand -------------------------------

ESCAPES = {
    # Night; British Setup Area, +1 for the second HS; a Conscript that is Replaced is Disrupted.
    ("night-1", "4-3-6 F-1", "U21"): (8, {"Night": -1, "in an enemy": 1, "two HS": 1}, 9),
    # alone, unwounded, next to AA17's area (Y17 touches Z17)
    ("night-1", "7-0 W-904", "Y17"): (6, {"lone": -1, "Night": -1, "adjacent": -2}, 2),
    # a crew is one HS-equivalent; with the LMG(f) it Removed: 1 PP, IPC 3
    ("night-1", "1-2-7 P-2", "Y18"): (9, {"Night": -1, "adjacent": -2}, 6),
    # Encircled squad with a 6+1: his DRM counts, though it is +1
    ("night-1", "4-3-6 F-3 with 6+1 X-748", "AA21"): (
        6,
        {"Night": -1, "6+1": 1, "in an enemy": 1, "two HS": 1, "Encircled": 2},
        10,
    ),
    # W18 to Y18 is two hexes; an Isolated area
    ("night-2", "4-4-7 E-14", "W18"): (
        6,
        {"Night": -1, "two hexes": -1, "two HS": 1, "Isolated": 2},
        7,
    ),
    # out of the Café Gondrée past the tank in Y18, which is a German Setup-Area hex
    ("night-2", "4-5-8 B-2 with 9-2 Q-1", "X18"): (
        2,
        {"Night": -1, "two hexes": -1, "9-2": -2, "across": 1, "two HS": 1, "Isolated": 2},
        2,
    ),
    # the best leader is wounded: no lone SMC, +1 once, a 9-1 leads with -1 + 1 (A17.2)
    ("night-3", "2-3-6 F-3 with 9-1 T-988", "X27"): (
        9,
        {"Night": -1, "across": 1, "Wounded": 1},
        10,
    ),
    # three HS-equivalents on one DR
    ("night-3", "6-4-8 A-19 with 3-3-8 A-23", "Y14"): (
        5,
        {"Night": -1, "adjacent": -2, "three HS": 2},
        4,
    ),
    # leaving the upper level costs nothing for the British ground level of its own hex (B-09)
    ("night-3", "4-4-7 E-11", "Z15/1"): (8, {"Night": -1, "two HS": 1, "Isolated": 2}, 10),
    # HMG dm 4 PP, IPC 3 and the leader's 1: none in excess
    ("night-3", "4-4-7 E-17 with 8-0 V-919", "AA15"): (
        7,
        {"Night": -1, "two HS": 1},
        7,
    ),
    # an unarmed truck that is not an AFV
    ("night-3", "Kfz 1 1", "AA15"): (8, {"Night": -1, "unarmed": 1}, 8),
    # Dawn is not a Night
    ("dawn", "6-4-8 A-13", "T13"): (12, {"two hexes": -1, "two HS": 1}, 12),
    ("dawn", "6-4-8 A-23", "W14"): (11, {"adjacent": -2, "two HS": 1}, 10),
    # a stunned CT AFV next to V14, which belongs to W12
    ("day-1", "PzKpfw IVH 137", "W14"): (
        11,
        {"CT AFV": -1, "adjacent": -2, "stunned": 1},
        9,
    ),
    # X14 is two hexes from V14
    ("day-1", "1-2-7 P-4", "X14"): (8, {"two hexes": -1}, 7),
    # a wounded 10-2 leads with -1 (A17.2), and one Wounded unit is +1 for the stack
    ("day-1", "6-4-8 A-11 with 10-2 Q-2", "Y15"): (
        12,
        {"adjacent": -2, "10-2": -1, "two HS": 1, "Wounded": 1},
        11,
    ),
    # OT, mobile: only the way home counts; no HS-equivalents for vehicles
    ("day-2", "GSW 39H PaK(f) 158", "T13"): (9, {"adjacent": -2}, 7),
    ("day-2", "PzKpfw IVH 944", "V14"): (
        8,
        {"CT AFV": -1, "two hexes": -1, "in an enemy": 1, "stunned": 1},
        8,
    ),
    # to an Isolated area: +2 (B-08); two hexes away there is no area that is not Isolated
    ("day-3", "38H 735(f) 733", "X14"): (9, {"CT AFV": -1, "Isolated, as": 2}, 10),
    # two hexes from another area that is not Isolated
    ("day-3", "3-3-8 A-20", "W14"): (7, {"two hexes": -1, "Isolated, as": 2}, 8),
    # four HS-equivalents, the 8-1 lends his IPC to the squad with the MMG (4 PP)
    ("day-3", "4-6-7 D-200 with 4-6-8 C-141, 8-1 U-799", "U11"): (
        9,
        {"adjacent": -2, "8-1": -1, "four HS": 3},
        9,
    ),
}


@pytest.mark.rule("9.606-ae")
@pytest.mark.parametrize("which", ESCAPES, ids=lambda which: f"{which[0]}-{which[2]}")
def test_escape_by_hand(which: tuple[str, str, str]) -> None:
    date, who, place = which
    original, drm, final = ESCAPES[which]
    line = Golden("cg1").line(date, "9.606", f"Escape of {who} from {place} to")
    dice, _, rest = line.partition(": ")[2].partition("=")
    assert sum(int(face) for face in dice.split("+")) == original
    found = [(int(value), why) for value, why in re.findall(r"([+-]\d+) (.*?) \(9\.606\)", rest)]
    assert len(found) == len(drm), line
    for words, value in drm.items():
        assert any(words in why and value == each for each, why in found), (words, line)
    assert original + sum(drm.values()) == final
    assert f"Final {final}:" in rest if drm else rest.startswith(f"{final}:")
