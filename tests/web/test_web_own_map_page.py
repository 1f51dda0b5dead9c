"""The page on which a player enters his own map: over his picture, with the check beside it."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from in_process import run_pbcg
from PIL import Image, ImageDraw
from web_help import serving
from web_screen import Screen, axe_in_both

from asl_pbcg.st.board.map_load import load_map

pytestmark = pytest.mark.finding("G-75")
WIDE, HIGH, LONGER = 900, 1200, 1200
PLACES = ("PB", "RB", "LP", "RAN")


def on_picture(id: str) -> tuple[float, float]:
    """Where an area lies on the picture: turned a little, and seen from the south."""
    area = load_map().areas[id]
    x, y = area.x / 1000, area.y / 1000
    depth = 1 + 0.1 * y - 0.05 * x
    return (380 + 330 * x + 60 * y) / depth, (620 + 40 * x - 440 * y) / depth


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    """A drawn stand-in for the photo of a map: a ring where each area lies."""
    picture = Image.new("RGB", (WIDE, HIGH), (214, 205, 180))
    pen = ImageDraw.Draw(picture)
    for id in load_map().areas:
        x, y = on_picture(id)
        pen.ellipse((x - 9, y - 9, x + 9, y + 9), outline=(60, 50, 40), width=3)
    file = tmp_path / "photo.png"
    picture.save(file)
    return file


def await_check(page: Any, faults: int) -> None:
    page.wait_for_selector(f"[data-check=done][data-faults='{faults}']")


def click_area(page: Any, id: str) -> None:
    box = page.locator(f"[data-hex='{id}']").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def click_picture(page: Any, id: str) -> None:
    box = page.locator(".ownmap .live image").bounding_box()
    (x, y), by = on_picture(id), box["height"] / HIGH
    page.mouse.click(box["x"] + x * by, box["y"] + y * by)


def lay_picture(page: Any, photo: Path) -> None:
    page.set_input_files("[data-action=picture]", photo)
    page.wait_for_selector(".ownmap .live image")
    for id in PLACES:
        page.select_option("[data-field=fit]", id)
        click_picture(page, id)
        page.wait_for_selector(f"[data-point={id}]")


def test_a_map_is_entered_over_a_picture_checked_and_saved(
    chromium: Any, tmp_path: Path, photo: Path
) -> None:
    games = tmp_path / "games"
    games.mkdir()
    with serving(games) as served, Screen(chromium, served, "both", size=(1440, 900)) as screen:
        page = screen.open()
        sent: list[int] = []
        page.on("request", lambda request: sent.append(len(request.post_data_buffer or b"")))
        page.click("[data-action=own-map]")
        await_check(page, 0)
        lay_picture(page, photo)
        assert page.get_attribute("[data-points]", "data-points") == "perspective"
        misses = page.locator("[data-point]").all_inner_texts()
        assert all(each.split(": ")[1].split()[0] in "01" for each in misses), misses
        page.select_option("[data-field=way]", "turned")
        assert page.get_attribute("[data-points]", "data-points") == "turned"
        misses = [
            int(each.split(": ")[1].split()[0])
            for each in page.locator("[data-point]").all_inner_texts()
        ]
        assert max(misses) > 20, misses
        page.click("[data-action=undo]")
        box = page.locator("[data-hex=W16]").bounding_box()
        frame = page.locator(".ownmap .live image").bounding_box()
        x, y = (edge * frame["height"] / HIGH for edge in on_picture("W16"))
        assert abs(box["x"] + box["width"] / 2 - frame["x"] - x) < 3
        assert abs(box["y"] + box["height"] / 2 - frame["y"] - y) < 3
        assert axe_in_both(page) == []

        page.click("[data-pane=faults]")
        page.click("[data-mode=arrow]")  # the errata's
        for faults in (1, 0):
            click_area(page, "NT4")
            click_area(page, "ND1")
            await_check(page, faults)
            assert page.locator("[data-fault='NT4 ND1']").count() == faults
        page.click("[data-mode=line]")
        click_area(page, "LP")
        click_area(page, "LP1")
        await_check(page, 3)
        page.click("[data-fault=LP]")
        assert page.locator(".ochosen").count() == 1
        assert axe_in_both(page) == []
        page.click("[data-pane=differences]")
        differences = page.locator("[data-kind=line]").locator("[data-difference]")
        assert differences.count() == 1
        assert axe_in_both(page) == []
        page.reload()
        await_check(page, 3)
        page.wait_for_selector(".ownmap .live image")
        ids = page.locator(".olabel").evaluate_all(
            "all => all.map((e) => e.getBoundingClientRect().height)"
        )
        assert min(ids) > 9  # with the whole map in view
        page.click("[data-pane=area]")
        page.select_option("[data-field=choose]", "LP")
        here = page.locator("[data-here]").locator("li")
        assert here.count() >= 1
        page.select_option("[data-field=line-to]", "LP1")
        page.click("[data-action=add-line]")
        page.check("[data-line=LP1] input >> nth=0")
        await_check(page, 0)
        assert not here.count()
        assert axe_in_both(page) == []

        click_area(page, "W16")
        page.focus(".ownmap .board")
        page.keyboard.press("Shift+ArrowUp")
        page.keyboard.press("Shift+ArrowRight")
        page.keyboard.press("Control+z")
        page.keyboard.press("Enter")  # clicks under the cross in the middle
        page.select_option("[data-field=choose]", "W16")
        page.fill("[data-field=name]", 'The "paddock": #1')
        page.press("[data-field=name]", "Enter")
        page.click("[data-pane=map]")
        with page.expect_download() as coming:
            page.click("[data-action=save]")
        own = tmp_path / "own-map.yaml"
        coming.value.save_as(own)
        assert run_pbcg("st", "map", "check", own).code == 0
        compared = json.loads(run_pbcg("st", "map", "compare", own, "--json").out)
        found = [(each["kind"], each["areas"]) for each in compared["differences"]]
        assert found == [("fact", ["W16"]), ("place", ["W16"])]
        assert max(sent) < 60_000

        page.click("[data-action=blank]")
        page.wait_for_selector("[data-check=done]:not([data-faults='0'])")
        page.set_input_files("[data-action=load]", own)
        await_check(page, 0)
        page.click("[data-action=play]")
        page.fill("dialog input[name=name]", "mine")
        page.click("dialog button.main")
        page.wait_for_selector(".areaboard")
        assert (games / "mine.pbcg").exists()


def test_a_blank_map_grows_by_clicks_and_wrong_files_are_told(
    chromium: Any, tmp_path: Path
) -> None:
    (tmp_path / "no.png").write_text("no picture")
    (tmp_path / "no.yaml").write_text("areas: [}")
    Image.new("L", (16_001, 2)).save(tmp_path / "wide.png")
    with serving(tmp_path) as served, Screen(chromium, served, "umpire", size=(390, 844)) as screen:
        page = screen.open(more="&page=own-map")
        await_check(page, 0)
        page.set_input_files("[data-action=picture]", tmp_path / "no.png")
        page.wait_for_selector(".notice:has-text('no.png is not a picture')")
        page.set_input_files("[data-action=picture]", tmp_path / "wide.png")
        page.wait_for_selector(".notice:has-text('16001 by 2')")
        page.click("[data-pane=map]")
        page.set_input_files("[data-action=load]", tmp_path / "no.yaml")
        page.wait_for_selector("dialog:has-text('no.yaml, line 1')")
        page.keyboard.press("Escape")
        page.click("[data-action=blank]")
        page.click("[data-mode=area]")
        board = page.locator(".ownmap .board").bounding_box()
        x, y = board["x"] + 120, board["y"] + 120
        page.mouse.click(x, y)
        page.wait_for_selector("[data-hex=A1]")
        page.mouse.click(x + 90, y)
        page.wait_for_function("() => document.querySelectorAll('[data-hex]').length === 2")
        page.fill("[data-field=id]", "Q.7")
        page.press("[data-field=id]", "Enter")
        page.click("[data-mode=line]")
        click_area(page, "A1")
        click_area(page, "Q.7")
        page.wait_for_selector("[data-line='A1'], [data-line='Q.7']")
        page.click("[data-mode=water]")
        page.mouse.click(x + 40, y - 60)
        page.mouse.click(x + 40, y + 100)
        assert page.locator(".opoint").count() == 2
        page.mouse.click(x + 40, y + 100)
        assert page.locator(".opoint").count() == 1
        wide = page.evaluate("() => document.documentElement.scrollWidth")
        assert wide <= 390
        assert axe_in_both(page) == []


LAID = """
async ({ ways, places }) => {
  const { Laying, fill } = await import("/js/ownmap/ownmappicture.js");
  const first = fill([-500, -1200], [1300, 1200], 800, 1000);
  const corners = [[-500, -1200], [-500, 1200], [1300, -1200], [1300, 1200]];
  return ways.map(({ true: m, points, way }) => {
    const on = ([x, y]) => {
      const depth = m[6] * x + m[7] * y + 1;
      return [(m[0] * x + m[1] * y + m[2]) / depth, (m[3] * x + m[4] * y + m[5]) / depth];
    };
    const laying = new Laying(points.map((at) => ({ at, on: on(at) })), first, corners, way);
    const off = places.map((at) => {
      const [u, v] = laying.toView(at), [x, y] = laying.toMap(on(at)), [p, q] = on(at);
      return Math.max(Math.hypot(u - p, v - q), Math.hypot(x - at[0], y - at[1]));
    });
    return { way: laying.way, wanting: laying.wanting, off: Math.max(...off) };
  });
}
"""


def test_a_picture_is_laid_exactly_by_points_enough_and_never_by_a_line(
    chromium: Any, tmp_path: Path
) -> None:
    source = random.Random(31)

    def places(count: int) -> list[list[float]]:
        return [[source.uniform(-450, 1200), source.uniform(-1100, 1100)] for _ in range(count)]

    def seen(slant: float, shear: float) -> list[float]:
        a, b = source.uniform(0.2, 0.5), source.uniform(-0.2, 0.2)
        slants = [source.uniform(-slant, slant) / 1000 for _ in range(2)]
        return [a, b, 400, b + shear, -a, 500 + shear, *slants]

    ways = [
        *({"true": seen(0.25, 0.1), "points": places(n), "way": ""} for n in (6, 7, 8, 9)),
        *({"true": seen(0, 0.1), "points": places(n), "way": "stretched"} for n in (4, 5, 6)),
        *({"true": seen(0, 0), "points": places(n), "way": "turned"} for n in (2, 3, 9)),
        {"true": seen(0, 0), "points": [[n * 100, n * 50] for n in range(5)], "way": ""},
        {"true": seen(0, 0), "points": places(1), "way": ""},
    ]
    with serving(tmp_path) as served, Screen(chromium, served, "both") as screen:
        laid = screen.open().evaluate(LAID, {"ways": ways, "places": places(20)})
    exact, line, one = laid[:-2], laid[-2], laid[-1]
    assert [each["way"] for each in exact] == ["perspective"] * 4 + ["stretched"] * 3 + [
        "turned"
    ] * 3
    assert max(each["off"] for each in exact) < 1e-3
    assert line["wanting"] and line["way"] == "turned" and line["off"] < 1e-3
    assert one["way"] == "moved" and not any(each["wanting"] for each in [*exact, one])
