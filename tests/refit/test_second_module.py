"""A second historical module: a made-up one goes through new, a RePh and its records."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from second_module.ford import EVE, FORD, LOWLAND, MORROW, UPLAND

from asl_pbcg.campaign.map.counter_map import hex_stacks
from asl_pbcg.campaign.module import campaign_module
from asl_pbcg.campaign.module.campaign_module import module_of, register
from asl_pbcg.campaign.state.campaign_state import change
from asl_pbcg.chronicle.service import chronicle_of
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.play.campaign_game.campaign_facts import heading
from asl_pbcg.play.campaign_game.campaign_map import pieces_seen
from asl_pbcg.play.campaign_game.campaign_plug import create_campaign
from asl_pbcg.play.campaign_game.campaign_prints import MapPrint, map_prints
from asl_pbcg.play.campaign_game.history import dates
from asl_pbcg.play.campaign_game.to_fill_in import neither, position_to_fill_in
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.play.seat import Seat
from asl_pbcg.records.output import save


@pytest.fixture(autouse=True, scope="module")
def ford_is_known() -> Iterator[None]:
    """The module is known here alone: other tests tell which campaigns there are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(campaign_module, "_MODULES", dict(campaign_module._MODULES))
        register(FORD)
        yield


class Table:
    """Answers what the Ford asks, in order; ``dice`` are what is thrown."""

    def __init__(self, game: OpenGame, dice: list[int]) -> None:
        self.game, self.session = game, game.session
        self.dice = iter(dice)

    def play(self, *answers: tuple[str, Any]) -> None:
        """Give each answer to its decision point; throw what is rolled before and after it."""
        for point, answer in answers:
            self._roll()
            asked = self.session.pending
            assert isinstance(asked, Prompt)
            assert asked.id == point
            self.session.answer(answer)
        self._roll()

    def _roll(self) -> None:
        while isinstance(roll := self.session.pending, Roll):
            self.session.throw(tuple(next(self.dice) for _ in range(roll.spec.count)))


def entry(id: str, type: str, at: str, side: str, **fields: Any) -> dict[str, Any]:
    return {"id": id, "side": side, "type": type, "at": at, **fields}


def end_position(table: Table, date: str) -> dict[str, Any]:
    """A squad lies in No Man's Land, one of each side is lost, what was bought stands in B4."""
    bought = [piece for piece in table.session.state.pieces if getattr(piece, "rg", "")]
    return {
        "format": "pbcg-position/1",
        "date": date,
        "control": {"upland": ["B3", "B4"], "lowland": ["E6", "F9"]},
        "units": [
            entry("u-537-1", "5-3-7", "B3", "upland", possesses=["u-lmg-1"]),
            entry("u-537-2", "5-3-7", "D5", "upland"),
            entry("u-8-1-1", "8-1", "B3", "upland"),
            entry("l-537-1", "5-3-7", "E6", "lowland"),
            entry("l-8-0-1", "8-0", "E6", "lowland", status=["broken", "dm"]),
            *(entry(piece.id, piece.type, "B4", "upland") for piece in bought),
        ],
        "equipment": [
            entry("u-lmg-1", "LMG", "B3", "upland"),
            entry("l-lmg-1", "LMG", "E6", "lowland"),
        ],
        "casualty_vp": {"lowland": 4, "upland": 2},
    }


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign at the Ford from its beginning to the end of its second scenario."""
    path = tmp_path_factory.mktemp("ford") / "ford.pbcg"
    settings = {"campaign": "UP1", "players": {"upland": "Una", "lowland": "Lon"}}
    with create_campaign(path, {"settings": settings, "dice": "manual"}) as game:
        # Strength 2 is Depleted, 5 is Full; the Escape is a 4 and a 4.
        table = Table(game, [2, 5, 4, 4])
        table.play(("M.25", "K1"), ("M.25", "K2"))
        state = table.session.state
        assert (state.at, state.date, state.cpp) == ("scenario", EVE, 0)
        table.play(
            ("M.20", end_position(table, "eve")),
            ("9.605.1", "F9 nobody"),
            ("9.605.1", "confirmed"),
            ("M.25", "none"),
        )
    return path


def test_its_sides_and_dates_are_its_own() -> None:
    assert (UPLAND.other, LOWLAND.other) == (LOWLAND, UPLAND)
    assert (EVE.next, MORROW.next) == (MORROW, None)
    assert module_of("UP1") is FORD
    assert len(FORD.board.hexes) == 60
    assert FORD.order(initial=True) == ["M.1", "M.25", "scenario"]
    assert FORD.order(initial=False) == [
        "scenario", "M.21", "M.22", "M.23", "M.24", "M.25", "scenario",
    ]  # fmt: skip


def test_it_goes_through_a_refit_phase(played: Path) -> None:
    with OpenGame.open(played) as game:
        state = game.session.state
        assert (state.date, state.at, type(state)) == (MORROW, "scenario", FORD.state)
        groups = [(each.key, each.strength, each.cost) for each in state.groups]
        assert groups == [("K1-1", "depleted", 4), ("K2-1", "full", 2)]
        assert sorted(each.piece.id for each in state.gone) == ["l-537-2", "u-537-3"]
        assert state.control.of(UPLAND) == ("B3", "B4")
        assert state.control.of(LOWLAND) == ("E6",)
        assert state.areas.no_mans_land.names == ["C5", "C6", "D4", "D5"]
        escaped = state.piece("u-537-2")
        assert escaped.area == "A"
        assert not state.piece("l-8-0-1").has("dm")
        roll = next(each for each in game.lines("umpire") if each.roll and "Escape" in each.text)
        assert roll.roll is not None
        assert (roll.roll.original, roll.roll.final) == (8, 8)  # -1 two hexes, +1 two HS


def test_each_side_sees_its_own(played: Path) -> None:
    with OpenGame.open(played) as game:
        forces = {
            who: len(Seat(game, who).sheet(["upland-forces"])[0].tables["pieces"])
            for who in ("upland", "lowland")
        }
        assert forces["upland"] == 7 - 1  # six squads and leader and LMG less one squad lost
        assert all("K1" not in line.text for line in game.lines("lowland"))
        assert any("Kerns" in line.text for line in game.lines("upland"))


def test_its_records_are_printed(played: Path, tmp_path: Path) -> None:
    from pypdf import PdfReader

    with OpenGame.open(played) as game:
        seat = Seat(game, "upland")
        assert [each.name for each in seat.sheets()] == [
            "upland-forces", "lowland-forces", "map", "report",
        ]  # fmt: skip
        pdf = tmp_path / "ford.pdf"
        save(seat.sheet(), pdf)
    text = "".join(page.extract_text() for page in PdfReader(pdf).pages)
    for word in ("Upland Force Roster", "Una", "Morrow", "5-3-7", "Setup Areas after Eve"):
        assert word in text


def test_it_ends(played: Path, tmp_path: Path) -> None:
    copy = tmp_path / "end.pbcg"
    copy.write_bytes(played.read_bytes())
    with OpenGame.open(copy) as game:
        table = Table(game, [])
        table.play(("M.20", end_position(table, "morrow")))
        assert game.session.state.won_by is UPLAND
        assert game.session.pending is None


def test_front_ends_know_its_sides_and_dates(played: Path) -> None:
    """Review, sheets to fill in and drawings of the module."""
    with OpenGame.open(played) as game:
        state = game.session.state
        assert [(each["title"], each["over"]) for each in dates(state, "lowland")] == [
            ("Eve", True), ("Morrow", False),
        ]  # fmt: skip
        facts = {who: Seat(game, who).facts() for who in ("upland", "lowland", "umpire")}
        assert {who: each["cpp"] for who, each in facts.items()} == {
            "upland": 6, "lowland": None, "umpire": 6,
        }  # fmt: skip
        at = {step: heading(change(state, at=step, determined=None)) for step in ("M.25", "M.21")}
        assert at == {"M.25": "The Ford", "M.21": "RePh after Morrow"}
        to_fill_in = position_to_fill_in(state)
        assert to_fill_in.control.of(UPLAND) == state.control.of(UPLAND)
        assert neither(to_fill_in, state) == ["C8", "D2", "F9"]
        (stack,) = hex_stacks(pieces_seen(state, "umpire"), state.catalogue, state.board)["B3"]
        assert len(stack) == 3
        assert len(map_prints(state, "upland", MapPrint())) == 2
        chronicle = chronicle_of(game.session, "umpire")
        fled = [deed for deed in chronicle.deeds if any(t.result == "escapes" for t in deed.throws)]
        assert {(deed.date, deed.id) for deed in fled} == {("eve", "u-537-2")}
