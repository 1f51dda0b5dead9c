"""Control of Pegasus Bridge ends a campaign, at the terminal and in the page. Rule: 9.52, SSR PB4.

CG II begins with Dawn: its first CG-Scenario End looks at the bridge.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml
from golden_campaign import FILE, folder_of, pbcg, settings
from sentences import says
from web_help import app_client, only_game

from asl_pbcg.campaign.module.pegasus_bridge import PEGASUS_BRIDGE

EIGHT = PEGASUS_BRIDGE.frame.victory.bridge["locations"]
ENDINGS = [(EIGHT, True), *((tuple(p for p in EIGHT if p != british), False) for british in EIGHT)]
ANSWERS: dict[str, list[Any]] = {
    "0.1": ["dr"], "0.1.dr": ["6 3 2"], "0.2.5": [["foxhole-DD17"]], "0.2.3": ["passed"],
    "0.2.8": [6, 17], "9.601.3": ["done", "b-338-1"], "9.601.3a": ["eliminated"],
}  # fmt: skip
"""As in the golden campaign, in the order of the questions of a point; else the default."""


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """CG II before the end of Dawn."""
    for path in folder_of("cg2").glob("*.yaml"):
        shutil.copy(path, tmp_path)
    monkeypatch.chdir(tmp_path)
    pbcg("new", FILE, *settings("cg2")["new"], "--answers", "new.yaml")
    return tmp_path


def dawn(folder: Path, german: tuple[str, ...]) -> dict[str, Any]:
    """The golden end of Dawn with both decks and these Locations German; no unit is near."""
    position: dict[str, Any] = yaml.safe_load(
        (folder / "dawn.position.yaml").read_text(encoding="utf-8")
    )
    named = {*EIGHT, "Y19", "Y20"}
    for section in ("units", "equipment"):
        for entry in position[section]:
            if entry["at"] in named and entry["type"] != "50L AT":
                entry["at"] = "Y22"
            if "b-50l-at-1" in entry.get("possesses", ()):
                entry["possesses"].remove("b-50l-at-1")
    control = position["control"]
    for side in control:
        control[side] = [place for place in control[side] if place not in named]
    control["german"] += [*german, "Y19", "Y20"]
    control["british"] += [place for place in EIGHT if place not in german]
    position["title"] = "The bridge"
    return position


@pytest.mark.finding("G-01")
@pytest.mark.rule("9.52-b")
@pytest.mark.parametrize(("german", "ends"), ENDINGS[:2])
def test_eight_locations_end_a_campaign_and_seven_do_not_at_the_terminal(
    begun: Path, german: tuple[str, ...], ends: bool
) -> None:
    (begun / "end.json").write_text(json.dumps(dawn(begun, german), default=str), encoding="utf-8")
    whole = (begun / "dawn.answers.yaml").read_text(encoding="utf-8")
    before = whole[: whole.index("  - 9.603.2")]
    (begun / "before.yaml").write_text(before, encoding="utf-8")
    pbcg("refit", FILE, "--position", "end.json", "--answers", "before.yaml")
    log = pbcg("log", FILE)
    assert says(log, "Pegasus", f"{len(german)} of 8")
    assert says(log, "German victory", "Dawn") is ends


@pytest.mark.finding("G-01")
@pytest.mark.rule("9.52-b")
@pytest.mark.parametrize(("german", "ends"), ENDINGS)
def test_eight_locations_end_a_campaign_and_seven_do_not_in_the_page(
    begun: Path, german: tuple[str, ...], ends: bool
) -> None:
    position = json.loads(json.dumps(dawn(begun, german), default=str))
    answers = {"0.2": [position], **{point: [*given] for point, given in ANSWERS.items()}}
    with app_client(begun, "umpire") as client:
        game = f"/api/games/{only_game(client)}"
        asked = client.get(game).json()["asked"]
        while asked and not asked["id"].startswith(("9.604", "9.605")):
            given = answers.get(asked["id"])
            body = {"seq": asked["seq"], "prompt": asked["id"],
                    "value": given.pop(0) if given else asked["default"]}  # fmt: skip
            assert client.post(f"{game}/answers", json=body).status_code == 200
            asked = client.get(game).json()["asked"]
        log = "\n".join(line["text"] for line in client.get(f"{game}/log").json()["lines"])
        assert says(log, "Pegasus", f"{len(german)} of 8")
        assert says(log, "German victory", "Dawn") is ends
        assert (asked is None) is ends
