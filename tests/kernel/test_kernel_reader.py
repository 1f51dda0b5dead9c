"""The one reader of players' files: wrong values, nearest words, all faults at once."""

from __future__ import annotations

from typing import Any

import pytest
from sentences import Tells

from asl_pbcg.kernel.errors import FaultsError
from asl_pbcg.kernel.reader import (
    Reader,
    Wrong,
    near,
    nearest_or_all,
    read_flag,
    read_text,
    value_words,
)


@pytest.mark.parametrize(
    ("read", "value"),
    [
        (lambda v: read_flag(v), "yes"),
        (lambda v: read_text(v, 5), "six letters"),
        (lambda v: read_text(v, 5), 12),
        (lambda v: read_text(v, 50), "a\x1bb"),
        (lambda v: read_text(v, 50), "_x000D_"),
    ],
)
def test_a_value_that_cannot_be_taken_says_what_would_be_right(read: Any, value: object) -> None:
    with pytest.raises(Wrong) as caught:
        read(value)
    assert caught.value.wrong


def test_a_value_that_can() -> None:
    assert read_text(" a\u00a0b ", 5) == "a b"


def test_the_nearest_words_are_named_whatever_their_case(tells: Tells) -> None:
    assert near("Units", ["units", "equipment"]) == ["units"]
    tells(nearest_or_all("xyz", ["units", "vehicles"]), "vehicles")


def test_a_wrong_value_is_shown_short_and_on_one_line() -> None:
    assert value_words("a\nb" * 90).count("\n") == 0 and len(value_words("a" * 900)) == 60
    assert [value_words({}), value_words([]), value_words(True)] == [
        "keys and values",
        "a list",
        "true",
    ]


def test_a_reader_gathers_every_fault_of_a_file() -> None:
    reader = Reader("orders.yaml")
    reader.unknown("", {"dropz": 1, "drops": 2}, ["drops"])
    with pytest.raises(FaultsError) as caught:
        reader.raise_faults()
    assert len(caught.value.faults) == 1
    assert "nearest: drops" in caught.value.faults[0].wrong
