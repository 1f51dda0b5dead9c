"""Answers files: answers in order, about one piece, otherwise; dice that must be listed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sentences import Tells, raised

from asl_pbcg.kernel.answers import Leave, ListedAnswers
from asl_pbcg.kernel.errors import FaultsError, PBCGError
from asl_pbcg.kernel.prompts import Option, Prompt, Roll

YES_NO = (Option("yes", "yes"), Option("no", "no"))


def question(id: str, text: str = "Well?", where: str = "") -> Prompt:
    return Prompt(id=id, text=text, where=where, options=YES_NO)


def listed(tmp_path: Path, text: str) -> ListedAnswers:
    path = tmp_path / "answers.yaml"
    path.write_text(f"format: pbcg-answers/1\n{text}", encoding="utf-8")
    return ListedAnswers.read(path)


def test_an_entry_may_say_what_its_question_is_about(tells: Tells, tmp_path: Path) -> None:
    answers = listed(tmp_path, "answers:\n- 9.606.2 b-648-3: yes\n- 9.606.2 Z15: no\n")
    tells(
        raised(PBCGError, lambda: answers.answer(question("9.606.2", where="b-648-31"))),
        "answer 1",
        "9.606.2",
        "b-648-3",
    )
    with pytest.raises(PBCGError, match="9.606.2, about Z15: Well"):
        answers.answer(question("9.606.2", where="Z15"))
    tells(
        raised(PBCGError, lambda: answers.answer(question("9.606.2", "Squad b-648-31 stays?"))),
        "9.606.2",
        "b-648-31",
    )
    assert answers.answer(question("9.606.2", "Squad b-648-3 stays?")) == "yes"
    tells(answers.unused, "answer 2", "9.606.2", "Z15")
    assert answers.answer(question("9.606.2", where="Z15")) == "no"
    assert answers.unused == ""
    with pytest.raises(Leave):
        answers.answer(question("9.606.2"))


def test_an_entry_may_name_the_side_that_decides(tmp_path: Path) -> None:
    answers = listed(tmp_path, "answers: []\notherwise: {9.1 red: yes, 9.1 blue: no}\n")
    asked = {
        side: Prompt(id="9.1", text="?", side=side, options=YES_NO) for side in ("red", "blue")
    }
    assert {side: answers.answer(prompt) for side, prompt in asked.items()} == {
        "red": "yes",
        "blue": "no",
    }


def test_otherwise_answers_what_the_list_does_not_come_to(tmp_path: Path) -> None:
    answers = listed(
        tmp_path,
        "answers:\n- 1.2: no\notherwise:\n  1.1: yes\n  1.1 A1: no\n  2.2: [3, 4]\n",
    )
    told = [answers.answer(question("1.1", where=where)) for where in ("", "A1", "", "A11")]
    assert told == ["yes", "no", "yes", "yes"]
    assert answers.answer(question("1.2")) == "no"
    assert answers.answer(question("1.1")) == "yes"  # also when the list is at its end
    assert answers.dice(Roll(id="2.2", text="A roll")) == (3, 4)


@pytest.mark.parametrize(
    ("dice", "taken"), [("listed", PBCGError), ("campaign", None)], ids=["listed", "campaign"]
)
def test_a_roll_without_dice_in_the_file(
    tells: Tells, tmp_path: Path, dice: str, taken: Any
) -> None:
    answers = listed(tmp_path, f"dice: {dice}\nanswers:\n- 2.2: 5\n- 2.3 V1-1: [6, 1]\n")
    assert answers.dice(Roll(id="2.2", text="A roll")) == (5,)
    other = Roll(id="2.3", text="Strength of V2-1")
    if taken is None:
        assert answers.dice(other) is None
    else:
        with pytest.raises(PBCGError) as refused:
            answers.dice(other)
        tells(refused, "answer 2", "2.3", "V2-1", "V1-1")
    assert answers.dice(Roll(id="2.3", text="Strength of V1-1")) == (6, 1)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("dice: mine\n", "dice"),
        ("otherwise: [1.1]\n", "otherwise"),
        ("answer: []\n", "answer"),
        ("answers: {1.1: yes}\n", "answers"),
        ("answers: [1.1]\n", "answer 1"),
        ("dice: 3\nanswer: []\nanswers: [{1.1: a, 1.2: b}, 5]", "answer dice answer 1 answer 2"),
    ],
)
def test_mistakes_of_an_answers_file(tmp_path: Path, text: str, wrong: str) -> None:
    with pytest.raises(FaultsError) as refused:
        listed(tmp_path, text)
    assert " ".join(each.where or each.value for each in refused.value.faults) == wrong
