"""A film of a game: frames of what the player may see, as a page and as a GIF."""

from __future__ import annotations

import json
from pathlib import Path

from golden_st import pbcg
from PIL import Image


def test_a_film_through_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "game.pbcg"
    pbcg("st", "new", file, "--historical", "--seed", "7")
    pbcg("st", "play", file, "--auto", "good", "--until", "4")
    page, moving = tmp_path / "film.html", tmp_path / "film.gif"
    said = pbcg("st", "film", file, "-o", page)
    frames = int(said.split(": ")[1].split()[0])
    text = page.read_text()
    told = json.loads(text.split('"application/json">')[1].split("</script>")[0])["told"]
    assert len(told) == frames > 60
    assert any(each["from"] and each["at"] and each["dice"] for each in told)
    assert 'type="range"' in text
    assert "dummy" not in text.lower() or "was a dummy" in text
    pbcg("st", "film", file, "-o", moving)
    with Image.open(moving) as picture:
        assert getattr(picture, "n_frames", 1) == frames
