"""Files of earlier versions: SQLite files get a sentence, states the defaults they began with."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from in_process import run_pbcg
from journal_vectors import FOLDER
from refit_helpers import campaign_at

from asl_pbcg.campaign.module.house_rules import campaign_rulings
from asl_pbcg.campaign.state.campaign_state import Campaign, change
from asl_pbcg.refit.sequence import CampaignGame

SQLITE = Path(__file__).parent.parent / "old_files" / "last-sqlite-mega.pbcg"
"""A table as pbcg 0.2.0 wrote it."""
IMPORTED = FOLDER / "first-line-of-an-import.pbcg"
"""The beginning of a text file that was made from one."""


def stored_and_read(state: Campaign) -> Campaign:
    """Return a state as it is read from its stored form."""
    return CampaignGame().decode(CampaignGame().encode(state))


@pytest.mark.finding("G-18")
def test_a_house_rule_keeps_its_old_default_and_forgets_what_is_no_longer_offered() -> None:
    old = change(campaign_at("9.606"), readings=4, house_rules={"C-93": "own-area-counts"})
    state = stored_and_read(old)
    assert (state.ruling("B-08"), state.ruling("P-28")) == ("strict", "eliminated")
    assert "C-93" not in state.house_rules
    assert state.readings == campaign_rulings().edition
    assert stored_and_read(change(old, house_rules={"B-08": "example"})).ruling("B-08") == "example"


@pytest.mark.parametrize("old", [SQLITE, IMPORTED], ids=["SQLite", "imported"])
@pytest.mark.parametrize(
    "command",
    [
        ["status", "FILE"],
        ["refit", "FILE", "--auto", "5"],
        ["mega", "run", "FILE"],
        ["st", "play", "FILE"],
        ["undo", "FILE"],
        ["verify", "FILE"],
        ["compare", "FILE", "FILE"],
        ["rescue", "FILE", "-o", "NEW"],
    ],
    ids=lambda command: " ".join(command[:2]),
)
def test_a_file_of_0_2_0_is_refused_with_the_way_on(
    command: list[str], old: Path, tmp_path: Path
) -> None:
    path = tmp_path / "evening.pbcg"
    shutil.copy(old, path)
    names = {"FILE": str(path), "NEW": str(tmp_path / "new.pbcg")}
    answer = run_pbcg(*(names.get(word, word) for word in command))
    assert answer.code == 2
    words = " ".join(answer.err.split())
    assert "SQLite" in words and "0.2.0" in words
    assert "--from" in words
    assert path.read_bytes() == old.read_bytes()
    assert [each.name for each in tmp_path.iterdir() if each.suffix != ".lock"] == [path.name]
