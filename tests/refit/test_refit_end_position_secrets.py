"""No answer about the end position depends on what the other side hides.

Two campaigns differ in what the Germans alone know: each file that the British can give, and each
that both give together at one screen, right or wrong, is answered with the same bytes in both.
"""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from refit_helpers import BRITISH, GERMAN, by_point, campaign_at, piece, run_step

from asl_pbcg.campaign.entry.position_changes import CHANGES
from asl_pbcg.campaign.position import FORMAT, Fortification, Position
from asl_pbcg.campaign.position_words import FortificationKind
from asl_pbcg.campaign.state.campaign_state import Campaign, Gone, change
from asl_pbcg.campaign.state.ob_merge import to_position
from asl_pbcg.campaign.state.seen import frozen
from asl_pbcg.campaign.terms import CGDate
from asl_pbcg.cli.evening.refit_command import held_document
from asl_pbcg.kernel.errors import IllegalAnswer, PBCGError
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.kernel.views import for_side
from asl_pbcg.play.campaign_game.position_document import end_position_of
from asl_pbcg.play.plug import BOTH
from asl_pbcg.refit.s600_scenario_end import scenario_end

OPEN = (
    piece("b-648-1", BRITISH, "6-4-8", "Y21", airborne=True, formation="7th"),
    piece("b-648-2", BRITISH, "6-4-8", "Y21", airborne=True, formation="7th", status="hidden"),
    piece("b-lmg-1", BRITISH, "LMG", "Y21"),
    piece("g-467-1", GERMAN, "4-6-7", "M12"),
    piece("g-lmg-1", GERMAN, "LMG", "M12"),
)
SECRET = (
    piece("g-lmg-542", GERMAN, "LMG", "M12", status="hidden"),
    piece("g-467-311", GERMAN, "4-6-7", "M13", status="hidden"),
    piece("g-mmg-207", GERMAN, "MMG", area="A7", rg="I5"),
    piece("g-447-212", GERMAN, "4-4-7", area="A7", rg="I5"),
)
MINES = Fortification(kind=FortificationKind.AP_MINES, at="Q10", owner=GERMAN, size=6, hidden=True)


def twins() -> tuple[Campaign, Campaign]:
    """Two campaigns of which the British know the same."""
    plain = campaign_at("scenario", *OPEN, date=CGDate.DAWN, british=["Y19"], german=["M12"])
    plain = change(plain, seen=frozen(plain).seen)
    lost = piece("g-hmg-333", GERMAN, "HMG", "M12")
    gone = Gone(piece=lost, date=CGDate.NIGHT_3, step="9.613", how="eliminated", why="Shift")
    received = {**plain.received_count, GERMAN: 7}
    pieces = (*plain.pieces, *SECRET)
    return plain, change(
        plain, pieces=pieces, gone=(gone,), fortifications=(MINES,), received_count=received
    )


def common(state: Campaign) -> dict[str, Any]:
    """The position as both see it, of either campaign."""
    listed = [each for each in state.pieces if each.id in {one.id for one in OPEN}]
    position = to_position(change(state, pieces=tuple(listed), fortifications=()))
    data: dict[str, Any] = msgspec.to_builtins(position)
    data["units"] = [each for each in data["units"] if each["id"] != "b-648-2"]
    return data


def asked(state: Campaign, id: str) -> Prompt:
    """The question with this id that the end of the scenario brings first."""
    script = scenario_end(state)
    item = script.send(None)
    answers = {"0.1": "agreement", "0.2": common(state)}
    while not (isinstance(item, Prompt) and item.id == id):
        assert isinstance(item, Prompt)
        item = script.send(item.check(answers[item.id]))
    return item


def reply(prompt: Prompt, answer: Any) -> str:
    """What a player gets: the answer as it is kept, or the refusal."""
    try:
        return msgspec.json.encode(prompt.check(answer)).decode()
    except (IllegalAnswer, PBCGError) as error:
        return f"refused: {error}"


def british(id: str, **keys: Any) -> dict[str, Any]:
    return {"id": id, "side": "british", "type": "6-4-8", "at": "Y21", "status": ["hidden"]} | keys


def changes(**keys: Any) -> dict[str, Any]:
    return {"format": CHANGES, **keys}


CAPTURED = {"status": ["captured", "hidden"], "type": "LMG"}
OWN_LISTS = {
    "nothing of the campaign": changes(units=[british("b-648-9")]),
    "a piece of its own": changes(units=[british("b-648-2")]),
    "an Eliminated piece of the enemy": changes(
        equipment=[{"id": "g-lmg-542", "at": "eliminated"}]
    ),
    "an id of the enemy": changes(units=[british("g-467-311")]),
    "an enemy id, captured": changes(equipment=[british("g-lmg-542", **CAPTURED)]),
    "an enemy id, captured, of another type": changes(
        equipment=[british("g-lmg-542", **CAPTURED | {"type": "MMG"})]
    ),
    "an enemy id that is gone": changes(
        equipment=[british("g-hmg-333", **CAPTURED | {"type": "HMG"})]
    ),
    "an enemy id alone": changes(equipment=[{"id": "g-lmg-542"}]),
    "an enemy id under another list": changes(vehicles=[{"id": "g-lmg-542", "at": "Y21"}]),
    "a unit with the enemy's SW": changes(units=[british("b-648-2", possesses=["g-lmg-542"])]),
    "a Guard of an enemy id": changes(
        units=[british("b-648-2", guarded_by="g-467-311", status=["prisoner"])]
    ),
    "a minefield counter": changes(
        fortifications=[{"kind": "minefield", "at": "Q10", "owner": "british"}]
    ),
    "the enemy's mines": changes(fortifications=[{"kind": "ap-mines", "at": "Q10"}]),
    "the enemy's mines removed": changes(removed=[{"kind": "ap-mines", "at": "Q10"}]),
    "an own unit beside the enemy's": changes(units=[british("b-648-2", at="M13")]),
    "as a position": {"format": FORMAT, "date": "dawn", "units": [british("g-467-311")]},
    **{f"removed {id}": changes(removed=[id]) for id in
       ("g-lmg-542", "g-lmg-541", "g-467-311", "g-mmg-207", "g-hmg-333", "LMG 542g", "b-648-2")},
}  # fmt: skip


@pytest.mark.parametrize("given", OWN_LISTS)
def test_a_side_s_own_list_is_answered_from_what_it_knows(given: str) -> None:
    replies = [reply(asked(state, "0.2.0"), OWN_LISTS[given]) for state in twins()]
    assert replies[0] == replies[1]
    known = {each.id for each in OPEN}
    assert not [each.id for each in SECRET if each.id in replies[0] and each.id not in f"{given}"
                f"{OWN_LISTS[given]}" and each.id not in known]  # fmt: skip


@pytest.mark.parametrize("id", ["g-lmg-542", "g-hmg-333", "g-lmg-77"])
def test_an_id_that_the_other_side_has_does_no_harm(id: str) -> None:
    """The captured LMG is the one of that id, or another; nobody's piece is lost by it."""
    _, state = twins()
    type = "HMG" if "hmg" in id else "LMG"
    own = changes(equipment=[british(id, **CAPTURED | {"type": type})])
    answers = {"0.1": "agreement", "0.2": common(state), "0.2.0": [own, "none"], "0.2.1": ()}
    after, _ = run_step(state, scenario_end, by_point(answers))
    captured = [each for each in after.of(BRITISH) if each.captured]
    assert [each.type for each in captured] == [type]
    ids = [each.id for each in after.pieces] + [each.piece.id for each in after.gone]
    assert len(ids) == len(set(ids))


def test_a_new_hidden_piece_is_told_to_its_own_side_alone() -> None:
    """Its formation is asked of that side in its own turn. Rule: 9.6153."""
    formation = piece("b-648-3", BRITISH, "6-4-8", "Y21", formation="2nd Ox and Bucks")
    state = campaign_at("scenario", *OPEN, formation, british=["Y19"], german=["M12"])
    hidden = [british("b-648-2"), british("b-338-7", type="3-3-8")]
    told = []
    for own in (changes(units=hidden[:1]), changes(units=hidden)):
        answers = {"0.1": "agreement", "0.2": common(state), "0.2.0": [own, "none"], "0.2.1": ()}
        _, log = run_step(state, scenario_end, by_point(answers))
        asked = [(each.id, each.text) for each in log.asked if each.side != "british"]
        told.append((asked, [line.text for line in for_side(log, "german")]))
    assert told[0] == told[1]


def test_what_one_side_proposes_has_nothing_that_it_hides() -> None:
    """Changes since the last position begin from what both know; HIP is left out until named."""
    _, state = twins()
    bought = piece("g-467-345", GERMAN, "4-6-7", "M12", rg="I5-1")
    hip = piece("g-467-2", GERMAN, "4-6-7", "N12", hip=True)
    state = change(state, pieces=(*state.pieces, bought, hip))
    prompt = end_position_of(state, asked(state, "0.2"), "german")
    given = changes(date="dawn")
    proposed = msgspec.convert(prompt.check(given), Position)
    assert {each.id for each in proposed.pieces if each.side is GERMAN} == {
        "g-467-1", "g-lmg-1", "g-467-345",
    }  # fmt: skip
    assert not any(each.rg for each in proposed.pieces)
    assert not proposed.fortifications
    for name in ("g-467-2", "german D-2"):
        found = prompt.check(given | {"units": [{"id": name, "at": "N12"}]})
        assert "g-467-2" in {each["id"] for each in found["units"]}


TOGETHER: dict[str, dict[str, Any]] = {
    "nothing has changed": changes(),
    "a full box": changes(ww_box=[{"type": "6-4-8", "count": 9}]),
    "a box with the hidden squad": changes(ww_box=[{"type": "6-4-8", "count": 1}]),
    "a minefield counter": changes(
        fortifications=[{"kind": "minefield", "at": "Q10", "owner": "german"}]
    ),
    "the mines": changes(fortifications=[{"kind": "ap-mines", "at": "Q10", "owner": "german"}]),
    "no mines": changes(removed=[{"kind": "ap-mines", "at": "Q10"}]),
    "in a pillbox": changes(units=[{"id": "b-648-1", "at": "Q10/pillbox"}]),
    "a name of either side": changes(units=[{"id": "D-311", "at": "M13"}]),
    "a count": {"format": FORMAT, "date": "dawn", "units": [
        {"count": 2, "side": "german", "type": "4-6-7", "at": "M13"}]},
    **{f"{id}: {words}": changes(**{section: [{"id": id, **row}]})
       for id, type in (("g-lmg-542", "LMG"), ("g-467-311", "4-6-7"), ("g-mmg-207", "MMG"),
                        ("g-447-212", "4-4-7"), ("g-hmg-333", "HMG"), ("g-hmg-3", "HMG"))
       for section in ("units", "equipment")
       for words, row in {
           f"alone among {section}": {},
           f"with a place among {section}": {"at": "M12"},
           f"whole among {section}": {"side": "german", "type": type, "at": "M12"},
           f"of another type among {section}": {"side": "german", "type": "7-6-9", "at": "M12"},
           f"captured among {section}": {"side": "british", "type": type, "at": "Y21",
                                         "status": ["captured"]},
           f"Eliminated among {section}": {"at": "eliminated"},
       }.items()},
    **{f"{id}: {key}": changes(**{key: [id]})
       for id in ("g-lmg-542", "g-467-311", "g-mmg-207", "g-hmg-333", "LMG 542g", "german D-311")
       for key in ("removed", "eliminated")},
}  # fmt: skip
"""What both may give together."""


@pytest.mark.parametrize("given", TOGETHER)
def test_what_both_give_together_is_answered_from_what_both_know(given: str) -> None:
    replies = [
        reply(end_position_of(state, asked(state, "0.2"), ""), {"date": "dawn"} | TOGETHER[given])
        for state in twins()
    ]
    assert replies[0] == replies[1]


def test_a_side_is_reminded_of_what_it_has_hidden() -> None:
    """Else it is Eliminated for want of an answer. Rule: 9.602(6), 9.2 Eliminated."""
    questions = [asked(state, "0.2.0") for state in twins()]
    assert questions[0].text == questions[1].text
    assert questions[0].side == "british" and "6-4-8 A-2" in questions[0].text


def test_a_file_of_both_begins_from_what_both_know() -> None:
    """What is kept of it names nothing that one side hides, whoever reads the answers."""
    _, state = twins()
    given = changes(date="dawn")
    kept = held_document(state, given, "dawn.yaml", None, BOTH, by_itself=True)
    ids = {each.id for each in msgspec.convert(kept, Position).pieces}
    assert ids == {each.id for each in OPEN} - {"b-648-2"}  # hidden, too
    assert held_document(state, given, "dawn.yaml", None, "umpire", by_itself=True) == given


def test_what_an_open_unit_holds_may_be_hidden() -> None:
    """It is known, captured too, for it was seen; it has no place, and no fault names it."""
    holder = piece("b-648-3", BRITISH, "6-4-8", "Y21", possesses=("g-lmg-7",))
    lmg = piece("g-lmg-7", BRITISH, "LMG", "Y21", status="captured")
    state = campaign_at("scenario", *OPEN, holder, lmg, date=CGDate.DAWN, british=["Y19"])
    hidden = msgspec.structs.replace(state.piece("g-lmg-7"), hip=True)
    pieces = tuple(hidden if each.id == "g-lmg-7" else each for each in state.pieces)
    state = change(state, seen=frozen(state).seen, pieces=pieces)
    prompt = end_position_of(state, asked(state, "0.2"), "")
    kept = msgspec.convert(prompt.check(changes(date="dawn")), Position)
    assert "b-648-3" in {each.id for each in kept.pieces}
    assert "g-lmg-7" not in {each.id for each in kept.pieces}
    assert "removed" not in reply(prompt, changes(date="dawn", removed=["g-lmg-7"]))
