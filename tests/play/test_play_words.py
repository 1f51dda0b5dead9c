"""What people type as an answer: numbers, ids, words on the screen, unique beginnings."""

from __future__ import annotations

from typing import Any

import pytest

from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Option, Prompt
from asl_pbcg.play.typed_answers import read_words

RG = Prompt(
    id="q", text="Buy?", rule="9.617",
    options=(
        Option("I3", "PzPionier Coy", refused="cannot be purchased", rule="9.6177 note a"),
        Option("I4", "PzGrenadier Pltn"),
        Option("I5", "PzGrenadier Coy"),
        Option("V10", "StaffCar"),
        Option("V1", "Lt Tank Pltn I"),
        Option("done", "buy nothing more"),
    ),
)  # fmt: skip
UNITS = Prompt(
    id="r", text="Which?", kind="choose-some", rule="9.606",
    options=(
        Option("b-648-1", "6-4-8 b-648-1 in Z15"), Option("b-648-2", "6-4-8 b-648-2 in Z15/1"),
        Option("b-8-0-1", "8-0 b-8-0-1 in Z15"), Option("stack N4", "all in N4"),
    ),
)  # fmt: skip


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("I5", "I5"), ("i5", "I5"), ("3", "I5"), ("  3 ", "I5"), ("staffcar", "V10"),
        ("st", "V10"), ("V1", "V1"), ("d", "done"), ("buy", "done"), ("nothing", "done"),
        ("PzGrenadier c", "I5"), ("pzgrenadier   coy", "I5"), ("tank", "V1"), ("coy", "I5"),
    ],
)  # fmt: skip
def test_one_choice(typed: str, wanted: str) -> None:
    answer = read_words(RG, typed)
    assert answer == wanted
    assert RG.check(answer) == wanted


@pytest.mark.finding("F-34")
@pytest.mark.parametrize("typed", ["pz", "V", "I", "zebra", "0", "7", "99", "-1", "²", "", "1.5"])
def test_what_is_no_one_choice_is_refused(typed: str) -> None:
    with pytest.raises(IllegalAnswer) as refused:
        read_words(RG, typed)
    assert refused.value.rule == "9.617"


@pytest.mark.finding("F-34")
@pytest.mark.parametrize("typed", ["I3", "1", "pzpionier"])
def test_a_refused_choice_says_why(typed: str) -> None:
    with pytest.raises(IllegalAnswer) as refused:
        read_words(RG, typed)
    assert refused.value.rule == "9.6177 note a"


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("1 3", ["b-648-1", "b-8-0-1"]), ("1-3", ["b-648-1", "b-648-2", "b-8-0-1"]),
        ("1, 8-0", ["b-648-1", "b-8-0-1"]), ("stack n4", ["stack N4"]), ("none", []),
        ("nobody", []), ("2 2 2", ["b-648-2"]), ("b-648-1 b-8-0-1", ["b-648-1", "b-8-0-1"]),
        ("all", ["b-648-1", "b-648-2", "b-8-0-1", "stack N4"]),
    ],
)  # fmt: skip
def test_several_choices(typed: str, wanted: list[str]) -> None:
    assert read_words(UNITS, typed) == wanted
    assert UNITS.check(read_words(UNITS, typed)) == wanted


@pytest.mark.parametrize("typed", ["1 9", "0-2", "648", "1 zebra", "4-9"])
def test_several_of_which_one_is_none(typed: str) -> None:
    with pytest.raises(IllegalAnswer):
        read_words(UNITS, typed)


def test_other_kinds_are_left_to_the_prompt() -> None:
    kinds: Any = ("number", "text", "document")
    for kind in kinds:
        assert read_words(Prompt(id="q", text="?", kind=kind), " 3 ") == " 3 "
