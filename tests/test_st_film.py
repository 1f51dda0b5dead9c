"""A film of a game: frames of what the player may see, as a page and as a GIF."""

from __future__ import annotations

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
    assert frames > 8
    text = page.read_text()
    assert text.count("<section") == frames
    assert 'type="range"' in text
    assert "dummy" not in text.lower() or "was a dummy" in text
    pbcg("st", "film", file, "-o", moving)
    with Image.open(moving) as picture:
        assert getattr(picture, "n_frames", 1) == frames
