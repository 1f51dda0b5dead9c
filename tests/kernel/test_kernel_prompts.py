"""Procedures under a rule or a side, and options that are worked out on demand."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from msgspec.structs import replace

from asl_pbcg.kernel.prompts import (
    Note,
    OnDemand,
    Option,
    Prompt,
    Roll,
    Script,
    ask,
    paragraph,
    secretly,
    throw,
    under,
)
from asl_pbcg.kernel.topic import Topic


def script() -> Script[str]:
    yield Note("for all to read")
    yield Note("for one", side="german")
    answer: str = yield from ask(Prompt(id="1", text="?", options=(Option("a", "A"),)))
    yield from throw(Roll(id="2", text="dr", rule="9.2", side="british", where="Z15"))
    return answer


def run(given: Script[str]) -> tuple[list[Prompt | Roll | Note], str]:
    asked: list[Prompt | Roll | Note] = []
    sent: object = None
    while True:
        try:
            asked.append(given.send(sent))
        except StopIteration as finished:
            return asked, finished.value
        last = asked[-1]
        sent = last.resolve((3,)) if isinstance(last, Roll) else "a"


def test_a_procedure_says_rule_side_and_place_for_all_it_asks() -> None:
    (every, one, prompt, roll), answer = run(
        under(script(), rule="9.1", side="german", where="A7", secret=True)
    )
    assert answer == "a"
    assert [each.rule for each in (every, one, prompt, roll)] == ["9.1", "9.1", "9.1", "9.2"]
    assert [each.side for each in (every, one, prompt, roll)] == ["", "german", "german", "british"]
    assert [each.secret for each in (every, one, prompt, roll)] == [False, True, True, True]
    assert isinstance(prompt, Prompt) and isinstance(roll, Roll)
    assert (prompt.where, roll.where) == ("A7", "Z15")


def test_the_innermost_paragraph_says_the_rule() -> None:
    @paragraph("9.1")
    def inner() -> Script[str]:
        return (yield from script())

    @paragraph("9")
    def outer() -> Script[str]:
        yield Note("first")
        return (yield from inner())

    asked, _ = run(outer())
    assert [each.rule for each in asked] == ["9", "9.1", "9.1", "9.1", "9.2"]
    assert outer.__name__ == "outer"


def test_a_paragraph_of_one_side_is_asked_of_it() -> None:
    asked, _ = run(paragraph("9.1", side="british")(script)())
    assert [each.side for each in asked] == ["", "german", "british", "british"]


class Counter(NamedTuple):
    """Something one can ask about."""

    id: str = "b-1"
    side: str = "british"
    at: str = "Z15/1"
    topic: Topic = Topic(pieces=("b-1",))


@pytest.mark.parametrize("kind", [Prompt, Roll])
def test_a_subject_says_name_side_and_place_unless_they_are_given(
    kind: type[Prompt] | type[Roll],
) -> None:
    asked = kind(id="1", text="?", subject=Counter())
    assert (asked.about, asked.side, asked.where) == ("b-1", "british", "Z15/1")
    captor = kind(id="1", text="?", subject=Counter(), side="german", where="B")
    assert (captor.about, captor.side, captor.where) == ("b-1", "german", "B")
    assert replace(captor, text="!").about == "b-1"
    assert asked.topic == captor.topic == Topic(pieces=("b-1",))


def test_secretly_is_stronger_than_what_a_prompt_says() -> None:
    asked, _ = run(secretly(script(), "german"))
    assert {(each.side, each.secret) for each in asked} == {("german", True)}


class Built(Exception):
    """Somebody read the options."""


def build() -> list[Option]:
    raise Built


def ask_one(prompt: Prompt) -> Script[str]:
    answer: str = yield from ask(prompt)
    return answer


def test_options_on_demand_are_not_built_by_what_a_procedure_stands_under() -> None:
    prompt = Prompt(id="1", text="?", options=OnDemand(build))
    hidden = next(under(secretly(ask_one(prompt), "german"), rule="9.1"))
    assert (hidden.side, hidden.secret, hidden.rule) == ("german", True, "9.1")
    assert isinstance(hidden, Prompt)
    with pytest.raises(Built):
        list(hidden.options)
