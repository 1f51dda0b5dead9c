"""Files read by the types of a struct: what is taken, and every fault with its place."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta

from asl_pbcg.kernel.reader import Wrong
from asl_pbcg.kernel.struct_reader import ListItem, StructReader, find_faults


class Wind(StrEnum):
    """Two words."""

    LOW = "low"
    HIGH = "high"


Turn = Annotated[int, Meta(ge=1, le=60)]


class Jump(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A line of a made-up file."""

    id: Annotated[str, Meta(max_length=5, description="A name of its own.")]
    at: Annotated[str, Meta(extra={"reads": "hex"})]
    turn: Turn = 1
    wind: Wind = Wind.LOW
    status: frozenset[Literal["broken", "pinned"]] = frozenset()


class JumpOrders(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A made-up file."""

    title: str = ""
    night: bool = False
    jumps: tuple[Jump, ...] = ()
    place: Annotated[
        tuple[float, float] | None, Meta(extra={"expects": "two numbers, as [1, 2]"})
    ] = None
    chart: dict[int, Wind] = {}
    limit: int | Literal["none"] = "none"
    drift: dict[str, tuple[Annotated[int, Meta(ge=0)], ...]] = {}


def read_hex(text: str) -> str:
    """A hex of a board of two."""
    if text.upper() not in ("A1", "A2"):
        raise Wrong("is not a hex")
    return text.upper()


def read(raw: Any) -> tuple[JumpOrders | None, list[str]]:
    """The orders and what is wrong with them."""
    reader = StructReader(words={"hex": read_hex})
    return reader.read(raw, JumpOrders), [str(fault) for fault in reader.faults]


GOOD = {
    "title": " Night ",
    "night": True,
    "jumps": [{"id": "b1", "at": "a1", "turn": 3, "wind": "high", "status": ["broken"]}],
    "place": [1, 2.5],
    "chart": {"1": "low", 2: "high"},
    "limit": 4,
    "drift": {"A": [0, 1]},
}


def test_a_file_is_read_as_its_types_say() -> None:
    orders, faults = read(GOOD)
    assert faults == []
    jump = Jump(id="b1", at="A1", turn=3, wind=Wind.HIGH, status=frozenset({"broken"}))
    assert orders == JumpOrders(
        title="Night",
        night=True,
        jumps=(jump,),
        place=(1.0, 2.5),
        chart={1: Wind.LOW, 2: Wind.HIGH},
        limit=4,
        drift={"A": (0, 1)},
    )


@pytest.mark.parametrize(
    ("key", "value", "faults"),
    [
        ("night", 1, ['night: "1" must be true or false']),
        ("nihgt", 1, None),
        ("title", ["x"], ['title: "a list" must be text']),
        ("title", "a\x1bb", ["U+001B"]),
        ("place", [1], ['place: "a list" must be two numbers, as [1, 2]']),
        ("place", ["x", 2], ["place"]),
        ("chart", {"1": "lo"}, ['chart, 1: "lo" must be one of: low, high']),
        ("chart", {"x": "low"}, ["a whole number"]),
        ("chart", [], ["keys and values"]),
        ("limit", 2.5, ["a whole number or one of: none"]),
        ("drift", {"A": [0, -1, True]}, ['drift, A: "-1"', 'drift, A: "true"']),
        ("jumps", {"id": "b1"}, ["jumps", "must be a list"]),
        ("jumps", ["b1"], ["must have keys and values, as {id: ..., at: ...}"]),
        ("jumps", [{"at": "A1"}], ["jumps, line 1, id: is missing"]),
        ("jumps", [{"id": "b1", "at": "A9"}], ['jumps, line 1 (b1), at: "A9" is not a hex']),
        ("jumps", [{"id": "b1", "at": "A1", "turn": 61}], ["a whole number from 1 to 60"]),
        ("jumps", [{"id": "toolong", "at": "A1"}], ["is too long"]),
        ("jumps", [{"id": "b1", "at": "A1", "wind": "mild"}], ["must be one of: low, high"]),
        ("jumps", [{"id": "b1", "at": "A1", "status": ["broken"] * 2}], ["is listed twice"]),
    ],
)
def test_what_is_wrong_is_told_with_its_place(
    key: str, value: Any, faults: list[str] | None
) -> None:
    _, told = read({**GOOD, key: value})
    for fault in faults or ["nearest: night"]:
        assert any(fault in each for each in told), told


def test_all_faults_are_told_and_the_rest_is_read() -> None:
    reader = StructReader(words={"hex": read_hex})
    lines = [{"id": "b1", "at": "A1"}, {"id": "b2"}, 7, {"id": "b3", "at": "A2", "turn": 0}]
    found = list(reader.entries(lines, Jump, ("jumps",)))
    assert [(number, jump.id, jump.turn) for number, jump in found] == [(1, "b1", 1), (4, "b3", 1)]
    assert len(reader.faults) == 3
    assert not list(reader.entries(lines, Jump, ("jumps",), most=3))


def test_a_key_without_a_value_counts_as_left_out_but_not_in_a_strict_file() -> None:
    assert read({"title": None}) == (JumpOrders(), [])
    assert [fault.where for fault in find_faults({"title": None}, JumpOrders)] == ["title"]


def test_a_file_may_name_its_places_itself() -> None:
    def cell(path: tuple[str | ListItem, ...]) -> str:
        sheet, entry, column = path
        assert isinstance(entry, ListItem)
        return f"sheet {sheet}, row {entry.number + 1}, column {column}"

    reader = StructReader(place=cell)
    reader.read({"jumps": [{"id": "b1", "at": "A1", "turn": "x"}]}, JumpOrders)
    assert reader.faults[-1].where == "sheet jumps, row 2, column turn"


ODD = (
    None, True, 0, -1, 2.5, "", "x", "1", [], [1], ["low"], [None], [[1, 2]], {}, {"1": "low"},
    {"A": 1}, {"A": [-1]}, [{"id": 1}], [{"id": "b", "at": "A1", "turn": None}], [1, 2, 3],
)  # fmt: skip


@pytest.mark.parametrize("key", GOOD)
def test_what_msgspec_refuses_has_a_fault(key: str) -> None:
    """The types as msgspec reads them are the second opinion."""
    for value in ODD:
        try:
            msgspec.convert({key: value}, JumpOrders, str_keys=True)
        except msgspec.ValidationError:
            assert find_faults({key: value}, JumpOrders), value


@pytest.mark.parametrize("raw", [[], ["title"], "title", 3, True])
def test_a_file_that_is_not_keys_and_values_is_one_fault(raw: object) -> None:
    checked = StructReader(checks={JumpOrders: lambda orders, path: [("", "", "is checked")]})
    assert checked.read(raw, JumpOrders) is None
    (fault,) = checked.faults
    assert "keys and values" in str(fault)
