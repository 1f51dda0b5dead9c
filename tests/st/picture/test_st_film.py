"""A film of a game: frames of what the player may see, as a page and as a GIF."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from golden_st import pbcg
from PIL import Image, ImageDraw
from st_recorded import recorded

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.st.board.map_load import load_map
from asl_pbcg.st.picture.film import FilmFrame, _ground, _mark, _picture, _spots, foot_lines, html
from asl_pbcg.st.picture.follow import Event, follow
from asl_pbcg.st.picture.map_counters import Counter
from asl_pbcg.st.player.policy import GoodPlayer
from asl_pbcg.st.rules.area_game_steps import AreaGame
from asl_pbcg.st.rules.game_record import PlayedOtherwise, Record
from asl_pbcg.st.thinking.course import course_of


def test_counters_lie_side_by_side() -> None:
    """One in the middle, two in a row, up to four in two rows, five and six in rows of three."""
    rows = {many: [{y for _, y in _spots(0, 0, many)}, {x for x, _ in _spots(0, 0, many)}]
            for many in range(1, 7)}  # fmt: skip
    assert {many: (len(ys), len(xs)) for many, (ys, xs) in rows.items()} == {
        1: (1, 1), 2: (1, 2), 3: (2, 2), 4: (2, 2), 5: (2, 3), 6: (2, 3),
    }  # fmt: skip
    assert all(len(set(_spots(0, 0, many))) == many for many in rows)
    assert all(min(xs) == -max(x + 15 for x in xs) for _, xs in rows.values())


def test_what_stands_on_a_small_counter() -> None:
    shown = {
        "?": Counter(symbol="hidden", sp=8),
        "8": Counter(symbol="infantry", sp=8),
        "L": Counter(symbol="leader"),
        "P": Counter(symbol="piat", sp=3),
        "T": Counter(symbol="tank"),
    }
    assert {mark: _mark(counter) for mark, counter in shown.items()} == {
        each: each for each in shown
    }


def test_of_a_large_stack_no_counter_is_lost_without_a_word(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Six lie there; of seven five, and beside them how many more there are."""
    area_map = load_map()
    ground, paint = _ground(area_map)
    event = Event("1", "Turn 1", "note", "", None)  # type: ignore[arg-type]
    written: list[str] = []
    whole = ImageDraw.ImageDraw.text

    def text(self: Any, at: Any, words: str, *rest: Any, **more: Any) -> None:
        written.append(words)
        whole(self, at, words, *rest, **more)

    monkeypatch.setattr(ImageDraw.ImageDraw, "text", text)
    for many, marks in ((6, ["L"] * 6), (7, ["+2", *["L"] * 5])):
        written.clear()
        _picture(
            area_map, ground, paint, FilmFrame(event, {"PB": [Counter(symbol="leader")] * many})
        )
        assert [each for each in written if each and each != "Turn 1"] == marks


def test_the_dice_stand_before_what_happens() -> None:
    event = Event("1", "Turn 1", "roll", "Fire", None, dice=(3, 4), effect="no effect")  # type: ignore[arg-type]
    assert foot_lines(event, len, 40) == ["[3 4] Fire: no effect"]
    assert foot_lines(event._replace(dice=(), effect=""), len, 40) == ["Fire"]


def test_what_a_roll_did_is_never_cut_off() -> None:
    """Of a long volley firers and target are left out where two lines are too few."""
    event = Event("1", "Turn 1", "roll", "Fire", None, dice=(5,), effect="2 SP lost")  # type: ignore[arg-type]
    for many in (3, 5, 30):
        names = ", ".join(f"Coffin platoon {number}" for number in range(many))
        lines = foot_lines(event._replace(text=f"Fire ({names}) on tank 1"), len, 60)
        assert len(lines) <= 2 and max(map(len, lines)) <= 60
        assert lines[0].startswith("[5] Fire (Coffin")
        assert lines[-1].endswith(": 2 SP lost")
        assert ("tank" in lines[-1]) is (many < 30)


def test_the_words_of_a_film_stay_in_sight_beside_the_map(chromium: Any) -> None:
    """The map is higher than many a screen: its south is looked at with the words beside it."""
    event = Event("1", "Turn 1", "roll", "Fire", None, dice=(3,), effect="no effect")  # type: ignore[arg-type]
    page = chromium.new_page(viewport={"width": 1280, "height": 600})
    page.set_content(html(load_map(), [FilmFrame(event, {})]))
    before = page.locator(".now").bounding_box()["y"]
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    assert page.evaluate("scrollY") > 200
    assert 0 < page.locator(".now").bounding_box()["y"] <= before
    page.close()


def test_a_film_through_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "game.pbcg"
    pbcg("st", "new", file, "--historical", "--seed", "7")
    pbcg("st", "play", file, "--auto", "good", "--until", "2")
    page, moving = tmp_path / "film.html", tmp_path / "film.gif"
    said = pbcg("st", "film", file, "-o", page)
    frames = int(said.split(" frames")[0].split()[-1])
    text = page.read_text()
    told = json.loads(text.split('"application/json">')[1].split("</script>")[0])["told"]
    assert len(told) == frames > 60
    assert any(each["from"] and each["at"] and each["dice"] for each in told)
    assert 'type="range"' in text
    assert "dummy" not in text.lower() or "was a dummy" in text
    pbcg("st", "film", file, "-o", moving)
    with Image.open(moving) as picture:
        assert getattr(picture, "n_frames", 1) == frames
        first = io.BytesIO()
        picture.save(first, "GIF")
    # Only what has changed is in a frame: it is to be sent to others.
    assert moving.stat().st_size < len(first.getvalue()) + frames * 4_000


def test_a_game_that_does_not_go_as_it_went_is_told_in_a_sentence() -> None:
    game = AreaGame(load_map())
    begun = game.begin({"mode": "historical"})
    with pytest.raises(PlayedOtherwise):
        list(follow(game, Record(begun, [("answer", "act", "nobody asked for this")])))
    with pytest.raises(PlayedOtherwise):
        list(follow(game, Record(begun, [("roll", "", (7, 8, 9))])))
    with pytest.raises(PlayedOtherwise):
        course_of(game, Record(begun, [("answer", "act", "nobody asked for this")]))


@pytest.mark.finding("G-75")
def test_a_game_is_played_on_from_a_turn_or_a_frame(tmp_path: Path) -> None:
    """The new game stands where that was; the old one stays as it is."""
    file = tmp_path / "game.pbcg"
    pbcg("st", "new", file, "--historical", "--seed", "7")
    pbcg("st", "play", file, "--auto", "good", "--until", "3")
    before = file.read_bytes()
    again = tmp_path / "again.pbcg"
    pbcg("st", "branch", file, "--turn", "2", "-o", again)
    status = json.loads(pbcg("st", "status", again, "--json"))
    assert status["turn"] == 2
    assert file.read_bytes() == before
    pbcg("st", "branch", file, "--turn", "2", "--german", "-o", tmp_path / "german.pbcg")
    logged = pbcg("st", "log", tmp_path / "german.pbcg", "--turn", "2")
    assert "German Movement" in logged and "German Fire" not in logged
    with pytest.raises(PBCGError, match="of which turn"):
        pbcg("st", "branch", file, "--frame", "3", "--german", "-o", tmp_path / "none.pbcg")
    pbcg("st", "play", again, "--auto", "good", "--until", "3")
    page, early = tmp_path / "film.html", tmp_path / "early.pbcg"
    pbcg("st", "film", file, "-o", page)
    pbcg("st", "branch", file, "--frame", "20", "-o", early)
    pbcg("st", "film", early, "-o", tmp_path / "early.html")
    whole, part = (
        json.loads(each.read_text().split('"application/json">')[1].split("</script>")[0])["told"]
        for each in (page, tmp_path / "early.html")
    )
    assert part[:20] == whole[:20] and len(part) < len(whole)


@pytest.mark.finding("G-75")
def test_a_film_is_stepped_and_marks_its_turns(chromium: Any) -> None:
    """One frame on and back, to a turn, at a speed, fitted to the window."""
    events = [
        Event(f"{turn}.3", f"Turn {turn}", "note", f"note {turn} {n}", None)  # type: ignore[arg-type]
        for turn in (1, 2)
        for n in range(3)
    ]
    page = chromium.new_page(viewport={"width": 1280, "height": 600})
    page.set_content(html(load_map(), [FilmFrame(event, {}) for event in events]))
    page.get_by_label("one on").click()
    assert page.locator("output").inner_text() == "2 of 6"
    page.get_by_label("one back").click()
    assert page.locator(".now").inner_text().strip() == "note 1 0"
    page.get_by_label("go to turn").select_option(label="turn 2")
    assert page.locator("output").inner_text() == "4 of 6"
    page.locator("#fit").check()
    assert page.locator(".map").bounding_box()["height"] < 600
    page.close()


@pytest.mark.finding("G-75")
def test_what_is_told_is_shown_with_its_words() -> None:
    """Who "moves from B5 to S4" stands in S4 in that frame, not in the next one."""
    game = AreaGame(load_map())
    moves = 0
    for event in follow(game, recorded(GoodPlayer(21), 2)):
        told = re.match(r"(.+) moves from \w+ to (\w+)", event.text)
        if told and event.kind == "note":
            (unit,) = (each for each in event.state.units if each.name == told[1])
            assert unit.area == told[2]
            moves += 1
    assert moves > 1
