"""What both sides settle, asked with the key of one side: its own word is all that it can give."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from both_questions import SIDES, BothQuestion, both_questions
from web_help import app_client

from asl_pbcg.play.campaign_game import position_document
from asl_pbcg.web.folder import game_id

SEEDS = (1, 2, 3)
POINTS = {"0.1", "0.1.dr", "0.2", "0.2.6", "0.2.8", "9.601.2", "9.603.1", "9.605.1", "9.605.1a"}
"""At least these are asked in the campaigns of ``SEEDS``."""
YES: tuple[Any, ...] = (True, 1, "true", "yes", "german", "british", ["british", "german"])
WORDS = ("agreed", "Agreed", "AGREED", "agree", "agreement", "consent", "both", "sure", "confirm",
    "side", "viewer", "eyes", "by", "as", "proposal", "digest", "lose")  # fmt: skip


@pytest.fixture(scope="module")
def questions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, BothQuestion]:
    """Every question of both in a few random campaigns."""
    found = both_questions(tmp_path_factory.mktemp("both"), SEEDS)
    assert {*found} >= POINTS, [*found]
    return found


def attempts(
    asked: dict[str, Any], value: Any
) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Yield path, body and what else goes along: the ways of one key to speak for the other."""
    body = {"seq": asked["seq"], "prompt": asked["id"], "value": value}
    yield "answers", body, {}
    yield "answers", body, {}  # twice is not both
    for word in WORDS:
        for yes in YES:
            yield "answers", {**body, word: yes}, {}
    yield "answers", {**body, "value": {"value": value, **dict.fromkeys(WORDS, True)}}, {}
    yield "answers", body, {"params": dict.fromkeys(WORDS, "true")}
    yield "answers", body, {"headers": {f"X-{word}": "true" for word in WORDS}}
    for side in (*SIDES, "both", "umpire"):
        yield "answers", body, {"params": {"eyes": side, "viewer": side, "as": side}}
    yield "answers", {**body, "more": [value]}, {}
    yield "answers", {**body, "more": [value, value]}, {}
    yield "answers", {**body, "value": [value, value]}, {}
    yield "redo", {"seq": asked["seq"]}, {}


@pytest.mark.finding("J-01")
@pytest.mark.parametrize("side", SIDES)
def test_one_key_alone_settles_no_question_of_both(
    side: str, questions: dict[str, BothQuestion], tmp_path: Path
) -> None:
    for question in questions.values():
        copy = tmp_path / question.file.name
        shutil.copyfile(question.file, copy)
        before = copy.read_bytes()
        client = app_client(tmp_path, side)
        url = f"/api/games/{game_id(copy)}"
        asked = client.get(url).json()["asked"]
        for path, body, more in attempts(asked, question.value):
            made = client.post(f"{url}/{path}", json=body, **more)
            assert made.status_code in (409, 422), (asked["id"], body, more)
            assert copy.read_bytes() == before, (asked["id"], body, more)


class TwoKeys:
    """One game file, asked with the key of either side."""

    def __init__(self, question: BothQuestion, folder: Path) -> None:
        self.file = folder / question.file.name
        shutil.copyfile(question.file, self.file)
        self.client = app_client(folder)
        self.url = f"/api/games/{game_id(self.file)}"

    def state(self, side: str) -> Any:
        return self.client.get(self.url, headers=self._key(side)).json()

    def post(self, side: str, path: str, /, **body: Any) -> Any:
        sent = {"seq": self.state(side)["seq"], **body}
        return self.client.post(f"{self.url}/{path}", json=sent, headers=self._key(side))

    def answer(self, side: str, value: Any, **more: Any) -> Any:
        asked = self.state(side)["asked"]["id"]
        return self.post(side, "answers", prompt=asked, value=value, **more)

    def digest(self, side: str, by: str) -> str:
        """The digest of what ``by`` proposes, as ``side`` reads it."""
        made = {each["by"]: each["digest"] for each in self.state(side)["asked"]["proposals"]}
        return str(made.get(by, ""))

    def agree(self, side: str, digest: str, agree: bool = True) -> Any:
        return self.post(side, "agreement", proposal=digest, agree=agree)

    def _key(self, side: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.client.keys[side]}"}


@pytest.mark.finding("J-01")
def test_both_settle_every_question_by_naming_its_digest(
    questions: dict[str, BothQuestion], tmp_path: Path
) -> None:
    for point, question in questions.items():
        table = TwoKeys(question, tmp_path)
        before = table.file.read_bytes()
        assert table.answer("german", question.value).json()["agreement"] == "british"
        digest = table.digest("british", "german")
        assert digest and digest == table.digest("german", "german")
        assert "must agree" in table.agree("german", digest).json()["sentence"]
        assert table.agree("british", digest[:-1]).status_code == 409
        assert table.file.read_bytes() == before, point
        assert table.agree("british", digest).status_code == 200, point
        assert table.file.read_bytes() != before
        assert table.agree("british", digest).status_code == 409  # it was that question's


@pytest.mark.finding("J-01")
@pytest.mark.finding("J-06")
def test_what_was_swapped_after_it_was_read_is_not_agreed_to(
    questions: dict[str, BothQuestion], tmp_path: Path
) -> None:
    swapped = {each: found for each, found in questions.items() if found.other is not None}
    assert {*swapped} >= {"0.1", "0.1.dr", "0.2", "0.2.8", "9.605.1a"}
    for point, question in swapped.items():
        table = TwoKeys(question, tmp_path)
        before = table.file.read_bytes()
        table.answer("german", question.value)
        read = table.digest("british", "german")
        table.answer("german", question.other)
        refused = table.agree("british", read)
        assert refused.status_code == 409 and "look again" in refused.json()["sentence"]
        assert refused.json()["state"]["asked"]["proposals"][0]["digest"] != read
        assert table.file.read_bytes() == before, point
        assert table.agree("german", table.digest("german", "german"), False).status_code == 200
        assert table.agree("british", read).status_code == 409
        table.answer("german", question.value)
        assert table.digest("british", "german") == read  # what was read is proposed again
        assert table.agree("british", read, False).status_code == 200  # declined
        assert not table.digest("british", "german")
        assert table.file.read_bytes() == before, point


@pytest.mark.finding("J-01")
def test_a_refused_answer_ends_no_proposal_of_the_other(
    questions: dict[str, BothQuestion], tmp_path: Path
) -> None:
    question = questions["0.1"]
    table = TwoKeys(question, tmp_path)
    table.answer("german", question.value)
    read = table.digest("british", "german")
    for value, more in (("nonsense", []), (question.other, ["x"]), (question.value, ["nonsense"])):
        assert table.answer("british", value, more=more).status_code == 422
        assert table.digest("british", "german") == read
    assert table.agree("british", read).status_code == 200


@pytest.mark.finding("J-01")
def test_one_side_does_not_redo_what_both_have_undone(
    questions: dict[str, BothQuestion], tmp_path: Path
) -> None:
    table = TwoKeys(questions["0.1"], tmp_path)
    for value in ("german-concede", "dr"):
        assert table.answer("umpire", value).status_code == 200
        assert table.post("umpire", "undo", reason="a slip").status_code == 200
        before = table.file.read_bytes()
        for side in SIDES:
            assert not table.state(side)["redo"]
            assert table.post(side, "redo").status_code == 422
        assert table.file.read_bytes() == before
    assert table.post("umpire", "redo").status_code == 200


@pytest.mark.finding("J-01")
def test_one_side_does_not_undo_a_correction_of_both(
    questions: dict[str, BothQuestion], tmp_path: Path
) -> None:
    table = TwoKeys(questions["0.1"], tmp_path)
    body = {"path": "san/german", "value": 5, "reason": "misread"}
    assert table.post("british", "corrections", **body).status_code == 200
    digest = table.state("german")["correction"]["digest"]
    assert table.agree("german", digest).status_code == 200
    before = table.file.read_bytes()
    for side in SIDES:
        refused = table.post(side, "undo", reason="changed my mind")
        assert refused.status_code == 422 and "both" in refused.json()["sentence"]
    assert table.file.read_bytes() == before
    assert table.post("umpire", "undo", reason="right").status_code == 200


@pytest.mark.finding("J-06")
def test_a_swapped_correction_is_not_agreed_to(
    questions: dict[str, BothQuestion], tmp_path: Path
) -> None:
    table = TwoKeys(questions["0.1"], tmp_path)
    before = table.file.read_bytes()
    first = {"path": "san/german", "value": 5, "reason": "misread"}
    read = ""
    for change in ({}, {"value": 7}, {"path": "san/british"}, {"reason": "it was so"}):
        assert table.post("british", "corrections", **{**first, **change}).status_code == 200
        now = table.state("german")["correction"]["digest"]
        if read:
            assert now != read
            assert table.agree("german", read).status_code == 409
            assert table.agree("german", read, False).status_code == 409
        else:
            read = now
        for side, digest in (("british", now), ("german", ""), ("german", "san/german")):
            assert table.agree(side, digest).status_code in (409, 422)
        assert table.file.read_bytes() == before
    assert table.agree("german", now).status_code == 200


@pytest.mark.finding("J-06")
def test_a_note_of_ones_own_ends_no_proposal(
    questions: dict[str, BothQuestion], tmp_path: Path
) -> None:
    table = TwoKeys(questions["0.1"], tmp_path)
    table.answer("german", "agreement")
    read = table.digest("british", "german")
    body = {"path": "players/british", "value": "Anne", "reason": "her name"}
    assert table.post("british", "corrections", **body).status_code == 200
    assert table.agree("british", read).status_code == 200


@pytest.mark.finding("J-01")
def test_a_proposed_position_is_looked_at_as_it_was_proposed(
    questions: dict[str, BothQuestion], tmp_path: Path
) -> None:
    """Whatever the other does to the draft that both work at meanwhile."""
    question = questions["0.2"]
    table = TwoKeys(question, tmp_path)
    table.answer("german", question.value)
    read = table.digest("british", "german")
    url, key = f"{table.url}/position", table._key("british")

    def shown() -> Any:
        return table.client.get(url, params={"proposal": read}, headers=key)

    first = shown().json()["position"]
    draft = table.client.get(url, headers=table._key("german")).json()
    body = {"number": draft["number"], "position": {**question.value, "units": []}}
    assert table.client.put(url, json=body, headers=table._key("german")).status_code == 200
    assert shown().json()["position"] == first
    assert len(first["units"]) > 10
    table.answer("german", question.other)
    assert shown().status_code == 409


@pytest.mark.finding("J-40")
def test_what_a_proposal_changes_is_worked_out_once_for_each_viewer(
    questions: dict[str, BothQuestion], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though the draft goes on, which every page hears of."""
    looked: list[str] = []
    work_out = position_document.difference_of

    def counted(state: Any, value: Any, sees: str) -> Any:
        looked.append(sees)
        return work_out(state, value, sees)

    monkeypatch.setattr(position_document, "difference_of", counted)
    question = questions["0.2"]
    table = TwoKeys(question, tmp_path)
    table.answer("german", question.value)
    url, key = f"{table.url}/position", table._key("german")
    for _ in range(3):
        number = table.client.get(url, headers=key).json()["number"]
        body = {"number": number, "position": {**question.value, "units": []}}
        assert table.client.put(url, json=body, headers=key).status_code == 200
        for viewer in SIDES:
            table.digest(viewer, "german")
    assert sorted(looked) == sorted(SIDES)
    table.answer("german", question.other)
    table.digest("british", "german")
    assert looked.count("british") == 2


@pytest.mark.finding("J-01")
def test_a_side_does_not_say_for_both_that_it_is_played(
    questions: dict[str, BothQuestion], tmp_path: Path
) -> None:
    table = TwoKeys(questions["0.2"], tmp_path)
    url = f"{table.url}/position"
    for viewer, hides in (("german", True), ("british", True), ("both", False)):
        number = table.client.get(url, headers=table._key(viewer)).json()["number"]
        body = {"number": number, "orders": [{"do": "played"}]}
        made = table.client.post(f"{url}/orders", json=body, headers=table._key(viewer))
        assert made.status_code == 200
        both = table.client.get(url, headers=table._key("both")).json()
        assert both["hides_groups"] == hides, viewer
