"""``pbcg st map``: check, draw and new, as an owner of the game uses them."""

from __future__ import annotations

from pathlib import Path

import pytest
from sentences import Tells, raised
from typer.testing import CliRunner

from asl_pbcg.cli.area_commands.st_map import app
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.textfiles import read_yaml_or_json
from asl_pbcg.st.board.map_load import load_map
from asl_pbcg.st.board.map_new import skeleton
from asl_pbcg.st.board.map_read import map_digest

RUN = CliRunner()


def run(*arguments: str | Path) -> str:
    """What a command says; its error is raised as in the program."""
    result = RUN.invoke(app, [str(argument) for argument in arguments])
    if isinstance(result.exception, PBCGError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


def test_check_of_the_shipped_map_says_what_it_is(tells: Tells) -> None:
    said = run("check")
    tells(said, "nothing")
    tells(said, "84 land", "58 circles", "23 squares", "3 ovals")
    tells(said, "22 flight", "38 arrows")
    tells(said, "190 lines", "111 single", "66 double", "13 dashed")
    tells(said, "printed")


def test_new_map_checked_filled_in_and_drawn(tells: Tells, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    tells(run("new", path), "Fill")
    with pytest.raises(PBCGError) as told:
        run("check", path)
    faults = str(told.value).split("\n")
    assert faults[0] == f"{path} has 16 faults:"
    tells(faults, "mark 9", "10 bunker", "0")
    tells(faults, "water")
    # The examples of the skeleton are themselves readable, once the mark of a comment is gone.
    text = path.read_text(encoding="utf-8")
    for example in ("#  - {", "#  canal", "#  orne"):
        text = text.replace(example, example[1:])
    path.write_text(text, encoding="utf-8")
    data = read_yaml_or_json(path)
    assert len(data["areas"]) == 14
    with pytest.raises(PBCGError) as told:
        run("check", path)
    assert "not a key here" not in str(told.value)
    assert "must be" not in str(told.value).replace("must be the entry", "")
    out = tmp_path / "mine.svg"
    with pytest.raises(PBCGError):
        run("draw", path, "-o", out)
    assert not out.exists()
    assert "Written: " in run("draw", path, "--unfinished", "-o", out)
    assert "Unfinished: " in out.read_text(encoding="utf-8")


def test_new_map_filled_with_the_reconstruction_is_sound(tells: Tells, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    run("new", path, "--filled")
    tells(run("check", path), "nothing")
    assert map_digest(load_map(path)) == map_digest(load_map())
    assert skeleton(filled=True) == path.read_text(encoding="utf-8")


def test_new_never_writes_over_a_file(tells: Tells, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("hours of work", encoding="utf-8")
    with pytest.raises(PBCGError, match="exists already"):
        run("new", path)
    assert path.read_text(encoding="utf-8") == "hours of work"
    tells(raised(PBCGError, lambda: run("new", tmp_path / "mine.txt")))
    tells(raised(PBCGError, lambda: run("new", tmp_path / "nowhere" / "mine.yaml")), "written")


@pytest.mark.parametrize(
    ("suffix", "start"), [("pdf", b"%PDF"), ("svg", b"<?xml"), ("png", b"\x89PNG")]
)
def test_draw_in_each_format(tmp_path: Path, suffix: str, start: bytes) -> None:
    out = tmp_path / f"map.{suffix}"
    run("draw", "-o", out, "--paper", "letter")
    assert out.read_bytes().startswith(start)


def test_draw_says_what_is_wrong(tells: Tells, tmp_path: Path) -> None:
    tells(raised(PBCGError, lambda: run("draw", "-o", tmp_path / "map.gif")))
    with pytest.raises(PBCGError, match="not a paper"):
        run("draw", "-o", tmp_path / "map.pdf", "--paper", "b5")
    tells(
        raised(PBCGError, lambda: run("draw", tmp_path / "none.yaml", "-o", tmp_path / "map.pdf")),
        "file",
    )
    empty = tmp_path / "new.yaml"
    run("new", empty)
    tells(
        raised(PBCGError, lambda: run("draw", empty, "--unfinished", "-o", tmp_path / "map.pdf")),
        "area",
    )
    assert [path.name for path in tmp_path.iterdir()] == ["new.yaml"]
