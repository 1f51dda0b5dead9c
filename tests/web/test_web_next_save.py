"""The VASL save of the next scenario on the page: as the command makes it, for one's own eyes."""

from __future__ import annotations

import base64
import zipfile
from pathlib import Path
from typing import Any

import pytest
from in_process import run_pbcg
from vasl_modules import build_file, module
from vasl_scenes import before_night_two
from vasl_writer import PASSWORD, Writer, palette, palette_chips
from web_help import app_client, only_game
from web_screen import axe, looker

from asl_pbcg.campaign.scenario.scenario_facts import order_of
from asl_pbcg.campaign.terms import Side
from asl_pbcg.cli.campaign_file import open_campaign
from asl_pbcg.vasl.archive import read_text


@pytest.fixture(scope="module")
def middle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a campaign before Night II, its saves, a palette and a large module."""
    place = before_night_two(tmp_path_factory.mktemp("middle"))
    (place / "palette.vsav").write_bytes(palette().content())
    slots = {f"slot {n}": chip.traits() for n, chip in enumerate(palette_chips())}
    with zipfile.ZipFile(module(place, build_file(slots, {})), "a") as archive:
        archive.writestr("images/map.png", bytes(20 * 1024 * 1024))  # stored, beyond the bound
    for side in Side:
        by_command(place, f"{side}.vsav", "--as", side)
    return place


def by_command(middle: Path, name: str, *words: object) -> bytes:
    """The save as the command makes it."""
    path = middle / name
    base = ("--base", middle / "night-1.vsav", "-o", path)
    found = run_pbcg("position", "to-vasl", middle / "evening.pbcg", *base, *words)
    assert found.code == 0, found.err
    return path.read_bytes()


def sides_of(middle: Path) -> tuple[Side, Side]:
    """Who sets up first in the coming scenario, and who second."""
    session = open_campaign(middle / "evening.pbcg")
    first = order_of(session.state).first_setup
    session.journal.close()
    return first, first.other


def packed(content: bytes, name: str = "mine.vsav") -> dict[str, str]:
    """A file as a message holds it."""
    return {"name": name, "content": base64.b64encode(content).decode()}


def make(client: Any, last: bytes, eyes: str = "", **more: Any) -> Any:
    """The answer to a page that asks for the save."""
    url = f"/api/games/{only_game(client)}/position/next-save"
    query = {"eyes": eyes} if eyes else {}
    reply = client.post(url, params=query, json={"base": packed(last), **more})
    assert PASSWORD not in reply.text
    return reply


def file_of(reply: Any) -> bytes:
    """The save in an answer."""
    assert reply.status_code == 200, reply.text
    assert reply.json()["report"]
    return base64.b64decode(reply.json()["file"])


def test_each_viewer_gets_the_save_of_his_own_eyes(middle: Path) -> None:
    base = (middle / "night-1.vsav").read_bytes()
    own = {str(side): (middle / f"{side}.vsav").read_bytes() for side in Side}
    for side in Side:
        with app_client(middle, side) as client:
            for wanted in ("", side):
                assert file_of(make(client, base, side=wanted)) == own[side]
            reply = make(client, base, side=side.other)
            assert reply.status_code == 422
            assert f"This is for the {side.title} player's eyes" in reply.json()["sentence"]
    with app_client(middle, "umpire") as client:
        assert file_of(make(client, base)) == by_command(middle, "umpire.vsav")
        for side in Side:
            assert file_of(make(client, base, side=side)) == own[side]
    with app_client(middle, "both") as client:
        reply = make(client, base, side="german")
        assert reply.status_code == 422 and "Say whose save" in reply.json()["sentence"]
        assert file_of(make(client, base, "german")) == own["german"]
        assert make(client, base, "german", side="british").status_code == 422
        assert file_of(make(client, base, "umpire", side="british")) == own["british"]


def test_setup_palettes_and_module_go_in_as_with_the_command(middle: Path) -> None:
    base = (middle / "night-1.vsav").read_bytes()
    first, second = sides_of(middle)
    setup, module_path = middle / f"{first}.vsav", middle / "VASL.vmod"
    with zipfile.ZipFile(module_path) as whole:
        text = whole.read("buildFile.xml")
    (middle / "alone").mkdir()
    alone = module(middle / "alone", text)
    more = {
        "onto": packed(setup.read_bytes(), "setup.vsav"),
        "palettes": [packed((middle / "palette.vsav").read_bytes())],
        "module": packed(alone.read_bytes(), "VASL.vmod"),
    }
    words = ("--palette", middle / "palette.vsav", "--module", module_path)
    onto = by_command(middle, "onto.vsav", "--onto", setup, *words)
    for viewer in ("umpire", second):
        with app_client(middle, viewer) as client:
            assert file_of(make(client, base, **more)) == onto
    with app_client(middle, first) as client:  # adds only what is its own, as with --as
        own = by_command(middle, "own.vsav", "--onto", setup, "--as", first, *words)
        assert file_of(make(client, base, **more)) == own != onto
    with app_client(middle, "umpire") as client:
        for name in ("palettes", "module"):
            reply = make(client, base, **{name: more[name]})
            option = {"palettes": words[:2], "module": words[2:]}[name]
            assert file_of(reply) == by_command(middle, f"{name}.vsav", *option)


def test_each_wrong_file_is_refused_by_its_own_name(middle: Path) -> None:
    base = (middle / "night-1.vsav").read_bytes()
    bad, good = b"PK no save", packed(base, "good.vsav")
    other = Writer(complete=True, board="bd\t0\t0\t12\tVER\t6.1\t").content()
    refused: list[tuple[dict[str, Any], str, str]] = [
        ({"base": packed(bad, "last.vsav")}, "last.vsav", "damaged"),
        ({"onto": packed(bad, "setup.vsav")}, "setup.vsav", "damaged"),
        ({"onto": packed(other, "setup.vsav")}, "setup.vsav", "no board PB"),
        ({"onto": packed(base, "setup.vlog")}, "setup.vlog", "is a VASL log"),
        ({"palettes": [good, packed(bad, "more.vsav")]}, "more.vsav", "damaged"),
        ({"module": packed(base, "my.vmod")}, "my.vmod", "not a VASL module"),
        ({"module": packed(bad, "my.vmod")}, "my.vmod", "not a VASL module"),
        ({"onto": {"name": "cut.vsav", "content": "UEs*"}}, "cut.vsav", "did not arrive whole"),
        ({"palettes": [good] * 9}, "palettes", "cannot be read"),
        ({"side": "umpire"}, "side", "cannot be read"),
    ]
    with app_client(middle, "german") as client:
        for more, name, words in refused:
            reply = make(client, base, **more)
            assert reply.status_code == 422, more
            sentence = reply.json()["sentence"]
            assert name in sentence and words in sentence and "pbcg-" not in sentence


def test_a_player_makes_it_on_the_page(chromium: Any, middle: Path) -> None:
    first, second = sides_of(middle)
    with looker(chromium, middle / "evening.pbcg")(second, "umpire") as (screen, umpire):
        page = screen.page
        page.click("[data-view=sheets]")
        page.click("[data-action=next-save]")
        page.set_input_files("[data-action=base-save]", str(middle / "night-1.vsav"))
        page.click("[data-more] summary")
        assert axe(page) == []
        page.set_input_files("[data-action=onto-save]", str(middle / f"{first}.vsav"))
        page.set_input_files("[data-action=palettes-save]", [str(middle / "palette.vsav")])
        for wrong, words in (("palette.vsav", "has no build file"), ("evening.pbcg", "not a VASL")):
            page.set_input_files("[data-action=module-save]", str(middle / wrong))
            page.click("[data-action=make-save]")
            page.wait_for_function(
                f"document.querySelector('[data-told]').innerText.includes('{words}')"
            )
            assert wrong in page.inner_text("[data-told]")
        page.set_input_files("[data-action=module-save]", str(middle / "VASL.vmod"))
        with page.expect_download() as given:
            page.click("[data-action=make-save]")
        assert given.value.suggested_filename == "night-1-next.vsav"
        words = ("--palette", middle / "palette.vsav", "--module", middle / "VASL.vmod")
        setup = middle / f"{first}.vsav"
        made = Path(given.value.path())
        assert made.read_bytes() == by_command(middle, "page.vsav", "--onto", setup, *words)
        page.wait_for_selector("[data-told] summary")
        assert "The save is made" in page.inner_text("[data-told]") and read_text(made)
        large = middle / "large.vsav"
        large.write_bytes(bytes(13 * 1024 * 1024))
        page.set_input_files("[data-action=onto-save]", str(large))
        page.click("[data-action=make-save]")
        page.wait_for_function("document.querySelector('[data-told]').innerText.includes('12 MB')")
        assert page.query_selector("[name=side]") is None

        page = umpire.page
        page.click("[data-view=sheets]")
        page.click("[data-action=next-save]")
        page.set_input_files("[data-action=base-save]", str(middle / "night-1.vsav"))
        page.select_option("[name=side]", "german")
        with page.expect_download() as given:
            page.click("[data-action=make-save]")
        german = (middle / "german.vsav").read_bytes()
        assert Path(given.value.path()).read_bytes() == german
