"""The pages: every link of them leads somewhere, and each stands among its readers."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted(
    [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")], key=lambda path: path.as_posix()
)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_leads_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if not re.match(r"[a-z]+:|#", link):
            assert (page.parent / link.partition("#")[0]).exists(), link


@pytest.mark.parametrize(
    ("name", "function"), [("prompt", "prompt"), ("area-prompt", "area_prompt")]
)
def test_the_pictures_of_questions_show_what_is_asked_now(name: str, function: str) -> None:
    """``python docs/make_pictures.py`` draws them again."""
    spec = importlib.util.spec_from_file_location("make_pictures", ROOT / "docs/make_pictures.py")
    assert spec
    assert spec.loader
    pictures = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(pictures)
    words = re.compile(r">([^<>]+)</text>")
    drawn = (ROOT / "docs" / "pictures" / f"{name}.svg").read_text(encoding="utf-8")
    assert words.findall(drawn) == words.findall(getattr(pictures, function)())


def test_an_answers_file_in_the_pages_answers_questions_that_there_are() -> None:
    """A decision point of an example stands in the code, or is the rule of a table."""
    page = (ROOT / "docs" / "players" / "formats.md").read_text(encoding="utf-8")
    example = page.partition("format: pbcg-answers/1")[2].partition("```")[0]
    points = re.findall(r"^ +(?:- )?([\d.]+\w*)(?: \S+)?:", example, re.MULTILINE)
    assert len(points) > 8
    code = "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "asl_pbcg" / "refit").rglob("*.py")
    )
    code += (ROOT / "asl_pbcg/play/campaign_game/campaign_plug.py").read_text(encoding="utf-8")
    code += (ROOT / "data" / "pb" / "tables.yaml").read_text(encoding="utf-8")
    assert [point for point in points if f'"{point}"' not in code] == []


@pytest.mark.finding("F-60")
def test_a_page_is_for_players_or_for_engineers() -> None:
    found = {path.parent.name for path in PAGES if path.parent != ROOT}
    assert found <= {"players", "engineers"}
