"""An end position held against the OB: slips are asked about, nothing is invented in silence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from likeliest_answers import LikeliestAnswers
from refit_helpers import campaign_at, piece
from sentences import Tells

from asl_pbcg.campaign.entry.position_check import Raw, check_raw
from asl_pbcg.campaign.position import Position
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.errors import FaultsError
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.play.campaign_game.against_ob import against_ob
from asl_pbcg.play.campaign_game.position_document import read_document
from asl_pbcg.play.refusals import NotTaken

B, G = Side.BRITISH, Side.GERMAN


def campaign(*pieces: Any) -> Campaign:
    """A campaign whose scenario is being played."""
    return campaign_at("scenario", *pieces, date=CGDate.NIGHT_1)


def position(state: Campaign, **lists: Any) -> Position:
    """A position of that campaign."""
    data = {"format": "pbcg-position/1", "date": "night-1", **lists}
    return check_raw(Raw("position", data), state.board, state.catalogue).position


def unit(id: str, type: str, at: str, side: Side = B, **more: Any) -> dict[str, Any]:
    """An entry for a unit."""
    return {"id": id, "side": side.value, "type": type, "at": at, **more}


def held(state: Campaign, made: Position, **answers: str) -> tuple[Position, list[Prompt]]:
    """The position after all questions, answered by id or with the default."""
    script, asked = against_ob(state, made), list[Prompt]()
    sent: Any = None
    while True:
        try:
            prompt = script.send(sent)
        except StopIteration as finished:
            return finished.value, asked
        assert isinstance(prompt, Prompt)
        asked.append(prompt)
        sent = prompt.check(answers.get(prompt.id.replace("ob.", ""), prompt.default))


SQUADS = [piece(f"b-648-{n}", B, "6-4-8", at="X18") for n in range(1, 5)]


@pytest.mark.finding("F-07")
def test_a_mistyped_id_is_asked_about_and_put_right() -> None:
    state = campaign(*SQUADS)
    entries = [unit(f"b-648-{n}", "6-4-8", "X18") for n in (1, 2, 3)]
    made = position(state, units=[*entries, unit("b-684-4", "6-4-8", "X20")])
    found, asked = held(state, made)
    assert [(prompt.id, prompt.default) for prompt in asked] == [("ob.new", "b-648-4")]
    assert {each.id for each in found.units} == {f"b-648-{n}" for n in range(1, 5)}


def test_a_deployed_squad_keeps_its_id_in_one_of_its_halves() -> None:
    state = campaign(*SQUADS[:1])
    made = position(state, units=[unit("h1", "3-3-8", "X18"), unit("h2", "3-3-8", "X20")])
    found, asked = held(state, made)
    assert [prompt.id for prompt in asked] == ["ob.new"]
    assert sorted(each.id for each in found.units) == ["b-648-1", "h2"]


def test_what_no_ob_has_is_asked_for_and_may_be_new_all_the_same() -> None:
    state = campaign(*SQUADS)
    entries = [unit(f"b-648-{n}", "6-4-8", "X18") for n in range(1, 5)]
    tank = {"id": "tiger", "side": "german", "type": "PzKpfw IVH", "at": "Y17"}
    made = position(state, units=[*entries, unit("b-10-3", "10-3", "X18")], vehicles=[tank])
    found, asked = held(state, made, new="new")
    assert [(prompt.about, prompt.default) for prompt in asked] == [
        ("b-10-3", None),
        ("tiger", None),
    ]
    assert found == made


def test_half_squads_and_heroes_that_come_into_being_are_not_asked_for() -> None:
    state = campaign(*SQUADS[:1])
    made = position(
        state,
        units=[
            unit("b-648-1", "3-3-8", "X18"),
            unit("h2", "3-3-8", "X20"),
            unit("hero", "1-4-9", "X20"),
        ],
    )
    found, asked = held(state, made)
    assert not asked and found == made


def test_mines_that_nobody_bought_are_asked_for() -> None:
    state = campaign(*SQUADS[:1])
    mines = {"kind": "ap-mines", "at": "X20", "owner": "british", "size": 6}
    made = position(state, units=[unit("b-648-1", "6-4-8", "X18")], fortifications=[mines])
    assert not held(state, made, mines="leave-out")[0].fortifications
    assert len(held(state, made, mines="keep")[0].fortifications) == 1


def test_a_renamed_piece_keeps_what_it_holds_and_who_guards_whom() -> None:
    state = campaign(*SQUADS, piece("lmg", B, "LMG", at="X18"), piece("g-1", G, "4-4-7", at="X18"))
    entries = [unit(f"b-648-{n}", "6-4-8", "X18") for n in (1, 2, 3)]
    entries.append(unit("b-648-44", "6-4-8", "X20", possesses=["lmgg"]))
    entries.append(unit("g-1", "4-4-7", "X20", G, status=["prisoner"], guarded_by="b-648-44"))
    weapon = {"id": "lmgg", "side": "british", "type": "LMG", "at": "X20"}
    found, asked = held(state, position(state, units=entries, equipment=[weapon]))
    assert [prompt.default for prompt in asked] == ["b-648-4", "lmg"]
    assert found.units[3].possesses == ("lmg",)
    assert found.units[4].guarded_by == "b-648-4"


@pytest.mark.finding("F-07")
def test_most_of_a_side_is_not_lost_without_a_question() -> None:
    state = campaign(*[piece(f"b-{n}", B, "6-4-8", at="X18") for n in range(1, 13)])
    made = position(state, units=[unit(f"b-{n}", "6-4-8", "X18") for n in (1, 2)])
    found, asked = held(state, made, missing="go-on")
    assert [(prompt.id, prompt.default) for prompt in asked] == [("ob.missing", None)]
    assert found == made
    with pytest.raises(NotTaken):
        held(state, made, missing="stop")


@pytest.mark.finding("G-22")
def test_what_was_eliminated_is_neither_missing_nor_somebody_else() -> None:
    squads = [piece(f"b-648-{n}", B, "6-4-8", at="X18") for n in range(1, 13)]
    state = campaign(*squads)
    gone = [f"b-648-{n}" for n in range(2, 13)]
    entries = [unit("b-648-1", "6-4-8", "X18"), unit("b-648-99", "6-4-8", "X18")]
    found, asked = held(state, position(state, units=entries, eliminated=gone), new="new")
    assert [prompt.id for prompt in asked] == ["ob.new"] and not asked[0].legal[1:]
    assert set(found.eliminated) == set(gone)


@pytest.mark.finding("G-22")
@pytest.mark.parametrize("answer", ["eliminated", "look"])
def test_an_empty_place_is_a_question(answer: str, tmp_path: Path, tells: Tells) -> None:
    state = campaign(*SQUADS, piece("lmg", B, "LMG", at="X18"))
    entries = [unit(f"b-648-{n}", "6-4-8", "" if n > 2 else "X18") for n in range(1, 5)]
    entries[0]["possesses"] = ["lmg"]
    lmg = unit("lmg", "LMG", "")  # where its possessor is
    file = tmp_path / "end.json"
    data = {"format": "pbcg-position/1", "date": "night-1", "units": entries, "equipment": [lmg]}
    file.write_text(json.dumps(data), encoding="utf-8")
    asked: list[str] = []

    class Told(LikeliestAnswers):
        def answer(self, prompt: Prompt) -> Any:
            asked.append(prompt.text)
            return answer

    if answer == "look":
        with pytest.raises(FaultsError, match="or eliminated"):
            read_document(str(file), state, lambda dialogue: Told())
    else:
        found = read_document(str(file), state, lambda dialogue: Told())
        assert list(found["eliminated"]) == ["b-648-3", "b-648-4"]
        tells(asked, "A-3", "A-4", "Eliminated")
    assert len(asked) == 1
    with pytest.raises(FaultsError):  # without anybody to ask
        read_document(str(file), state)
