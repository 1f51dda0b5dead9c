"""The picture of a drop: every stick where it fell, in its state, on both kinds of map."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from airborne_help import (
    BOARD,
    Answers,
    blowing,
    glider,
    load,
    new_drop,
    play,
    sheet,
    with_settings,
)
from sentences import Tells, raised

from asl_pbcg.airborne.drop_game import DropSession
from asl_pbcg.airborne.drop_panel import DropChip, chips_by_hex
from asl_pbcg.airborne.drop_picture import drop_picture
from asl_pbcg.airborne.flight_lines import drift_lines
from asl_pbcg.hexes.drawing import Drawing
from asl_pbcg.hexes.items import Clip, Group, Item, Lettering
from asl_pbcg.kernel.answers import drive
from asl_pbcg.kernel.dice import SeededDice
from asl_pbcg.kernel.errors import PBCGError

LOW = {turn: blowing("W", "low") for turn in range(1, 9)}


def words(drawing: Drawing) -> list[Lettering]:
    """All lines of text, those inside clips too."""

    def inside(items: list[Item]) -> list[Lettering]:
        found = []
        for item in items:
            if isinstance(item, Lettering):
                found.append(item)
            elif isinstance(item, Clip | Group):
                found += inside(item.items)
        return found

    return inside(drawing.items)


def dropped(seed: int = 9, turns: int = 2) -> DropSession:
    drops = [load("1/A", "CC23"), load("2/A", "CC23"), load("3/A", "II24"), load("4/A", "II24", 2)]
    winds = {1: blowing("SE", "gusty"), 2: blowing("W", "high")}
    session = new_drop(sheet(drops, [glider("25/D", "W22", "W")]), map=BOARD, weather=winds)
    drive(session, Answers(), SeededDice(seed), until=lambda: session.state.turn > turns)
    return session


def test_every_stick_is_in_the_picture_once_and_lost_ones_are_counted() -> None:
    state = dropped().state
    drawing = drop_picture(state)
    found = Counter(each.text for each in words(drawing))
    for stick in state.sticks:
        assert found[stick.id] == (1 if stick.fell else 0), stick.id
    assert found["25/D"] == 1
    lost = sum(int(text.split()[0]) for text in found if re.fullmatch(r"\d+ lost", text))
    assert lost == sum(stick.fate == "lost" for stick in state.sticks) > 0


def test_every_counter_stands_in_its_hex() -> None:
    state = dropped().state
    grid = state.make_map().grid
    where = {each.text: (each.x, each.y) for each in words(drop_picture(state))}
    # Counters alone in a hex that no map edge cuts stand at its centre.
    alone = {
        at: chips[0].words
        for at, chips in chips_by_hex(state).items()
        if len(chips) == 1 and 1 < grid.column_row(at)[1] < 28
    }
    assert len(alone) > 3
    by_column = sorted(alone, key=lambda at: grid.centre(at))
    first, last = by_column[0], by_column[-1]
    (fx, fy), (lx, _) = grid.centre(first), grid.centre(last)
    (px, py), (qx, _) = where[alone[first]], where[alone[last]]
    scale = (qx - px) / (lx - fx)
    for at, name in alone.items():
        x, y = grid.centre(at)
        place = (px + (x - fx) * scale, py + (y - fy) * scale)
        # The size of the words moves their baseline a little.
        assert where[name] == pytest.approx(place, abs=0.06 * scale), name


def test_counters_keep_the_state_of_the_landing_and_platoons_stand_where_they_are() -> None:
    session = new_drop(sheet([load("1", "K20"), load("2", "K20"), load("3", "A9", 5)]), weather=LOW)
    play(session, [2, 1, *[6] * 7], turn__changes=["recovered 1.1", "done"])
    play(session, turn__changes=["move para 1 to K24", "done"])
    found = chips_by_hex(session.state)
    assert DropChip("1.1", "dispersed") in found["K20"], "where it fell, as it fell"
    assert DropChip("2.4", "undispersed") in found["K21"]
    assert found["K24"] == [DropChip("para 1", "undispersed", "platoon")]
    assert {"para 1 in K24, turn 2: 1.1, 1.2, 1.3, 2.1"} <= {
        each.text for each in words(drop_picture(session.state))
    }


def test_drift_lines_have_the_wind_of_their_turn() -> None:
    state = dropped().state
    for drift in drift_lines(state):
        assert drift.wind == state.winds[drift.turn]
        assert all(stick.aimed == drift.at for stick in drift.sticks)
    assert [(drift.turn, drift.at) for drift in drift_lines(state)] == [
        (1, "CC23"),
        (1, "II24"),
        (2, "II24"),
    ]


@pytest.mark.finding("G-80")
@pytest.mark.rule("AB29")
def test_a_stick_that_enemies_eliminated_is_drawn_so() -> None:
    """II.E is part of the landing."""
    session = new_drop(sheet([load("1", "K20")]), weather=LOW)
    play(session, [1, *[6] * 4], enemy__hexes=["K20"], enemy__eliminated=["1"],
         enemy__dispersed=["1"])  # fmt: skip
    found = {chip.words: chip.status for chip in chips_by_hex(session.state)["K20"]}
    assert (found["1.1"], found["1.2"], found["1.3"]) == ("eliminated", "dispersed", "undispersed")
    drop_picture(session.state)


@pytest.mark.finding("G-80")
@pytest.mark.parametrize("others", [True, False])
def test_what_was_shot_down_is_in_the_picture(tells: Tells, others: bool) -> None:
    drops = [load("1", "K20"), *([load("2", "K24")] if others else [])]
    session = new_drop(sheet(drops, [glider("G1", "M20")]), weather=LOW)
    dice = [1, *[6] * 4] if others else []
    play(session, dice, air__shot_down=["1,3" if others else "1,2"])
    texts = [each.text for each in words(drop_picture(session.state))]
    assert {"1 shot down", "G1 shot down"} <= set(texts)
    tells(texts, "plane", "4 sticks", "K20")
    tells(texts, "glider", "G1", "M20")


def test_one_turn_alone(tells: Tells) -> None:
    state = dropped().state
    texts = {each.text for each in words(drop_picture(state, turn=1))}
    tells(texts, "turn 1")
    assert not any(text.startswith("4/A") for text in texts)
    tells(raised(PBCGError, lambda: drop_picture(state, turn=7)), "landed")
    with pytest.raises(PBCGError) as refused:
        drop_picture(new_drop(sheet([load("1", "K20")])).state)
    tells(refused, "landed")


@pytest.mark.parametrize("orientation", ["pointy_top", "flat_top"])
def test_a_plain_map_with_many_sticks_in_a_hex_and_at_the_edge(
    orientation: str, tmp_path: Path
) -> None:
    chosen = with_settings(orientation=orientation)
    wind = "W" if orientation == "pointy_top" else "NW"
    there = {"columns": 12, "rows": 9, "terrain": {"forest": ("C4",), "sea": ("D8",)}}
    drops = [load(name, at) for name, at in (("1", "C3"), ("2", "C3"), ("3", "C4"), ("4", "C4"))]
    drops += [load("5", "L8"), load("6", "L8")]
    session = new_drop(sheet(drops), chosen, there, weather={1: blowing(wind, "low", chosen)})
    drive(session, Answers(), SeededDice(2), until=lambda: session.state.turn > 1)
    drawing = drop_picture(session.state, paper=(792, 612))
    for each in words(drawing):
        assert -5 <= each.x <= drawing.width + 5 and 0 <= each.y <= drawing.height, each.text
    for ending, head in ((".svg", b"<?xml"), (".pdf", b"%PDF"), (".png", b"\x89PNG")):
        path = tmp_path / f"drop{ending}"
        drawing.write(path)
        assert path.read_bytes().startswith(head)
        assert path.stat().st_size > 5000
