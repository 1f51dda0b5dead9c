"""Rescue: one bad line is found by the chain, named, and nothing wrong is kept (J-12)."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from in_process import run_pbcg

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "benchmarks"))

from damages import Soak, play

from asl_pbcg import __version__
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.play.open_game import OpenGame


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign up to its first checkpoint."""
    path = tmp_path_factory.mktemp("rescue") / "true.pbcg"
    play(path, "CG2", 3, 1)
    return path


@pytest.fixture
def true(made: Path, tmp_path: Path) -> Path:
    path = tmp_path / "true.pbcg"
    shutil.copy(made, path)
    return path


def _rescued(true: Path, content: bytes, *more: str) -> tuple[Path, str]:
    damaged, new = true.with_name("damaged.pbcg"), true.with_name("new.pbcg")
    damaged.write_bytes(content)
    told = run_pbcg("rescue", damaged, "-o", new, *more)
    assert told.code == 0, told.err
    assert damaged.read_bytes() == content
    return new, told.out


@pytest.mark.finding("J-12")
@pytest.mark.parametrize("number", [1, 2, 9])
def test_a_changed_byte_is_put_right_by_the_chain(number: int, true: Path) -> None:
    """A letter for another: the line stays JSON and one of a journal."""
    lines = true.read_bytes().splitlines(keepends=True)
    place = lines[number - 1].rindex(b'":"') + 4
    byte = lines[number - 1][place]
    other = ord("b") if byte != ord("b") else ord("c")
    changed = [*lines]
    changed[number - 1] = (
        lines[number - 1][:place] + bytes((other,)) + lines[number - 1][place + 1 :]
    )
    new, told = _rescued(true, b"".join(changed))
    assert new.read_bytes() == true.read_bytes()
    assert f"Line {number} was damaged" in told


@pytest.mark.finding("J-12")
@pytest.mark.parametrize("way", ["lost", "put in", "line end lost", "line end put in"])
def test_a_byte_lost_or_put_in_is_put_right(way: str, true: Path) -> None:
    content = true.read_bytes()
    end = content.index(b"\n", len(content) // 3)
    place = end - 30
    changed = {
        "lost": content[:place] + content[place + 1 :],
        "put in": content[:place] + b"#" + content[place:],
        "line end lost": content[:end] + content[end + 1 :],
        "line end put in": content[:place] + b"\n" + content[place + 1 :],
    }[way]
    new, _ = _rescued(true, changed)
    assert new.read_bytes() == content


@pytest.mark.finding("J-12")
@pytest.mark.parametrize("damaged", [b"?\n", b""])
def test_answers_behind_a_lost_line_are_given_again(damaged: bytes, true: Path) -> None:
    lines = true.read_bytes().splitlines(keepends=True)
    new, told = _rescued(true, b"".join([*lines[:20], damaged, *lines[21:]]))
    assert new.read_bytes() == b"".join(lines[:20])
    assert f"Line 21 is {'damaged' if damaged else 'missing'}" in told
    answers = new.with_name("new.pbcg.answers")
    assert answers.read_bytes().endswith(b"".join(lines[21:]))
    early = run_pbcg("rescue", new, "--again", answers)
    assert early.code == 0 and "not asked" in early.out
    assert new.read_bytes() == b"".join(lines[:20])
    with Journal.read(true, __version__) as journal:
        starts, entries = journal.text.starts, journal.entries()
        standing = [(each.point, each.about, each.body) for each in journal.standing()]
    with OpenGame.open(new) as game:
        for entry in entries[starts[20] : starts[21]]:
            game.session.give(entry)
    again = run_pbcg("rescue", new, "--again", answers)
    assert again.code == 0 and "given again" in again.out
    with Journal.read(new, __version__) as journal:
        assert [(each.point, each.about, each.body) for each in journal.standing()] == standing
    assert run_pbcg("verify", new).code == 0
    assert run_pbcg("rescue", new, "--again", answers).code == 0


@pytest.mark.finding("J-12")
def test_without_its_first_line_the_answers_are_handed_back(true: Path) -> None:
    lines = true.read_bytes().splitlines(keepends=True)
    new, told = _rescued(true, b"".join([b"{}\n", *lines[1:]]))
    assert not new.exists()
    assert "Line 1 is" in told and "same settings" in told
    assert new.with_name("new.pbcg.answers").read_bytes().endswith(b"".join(lines[1:]))


@pytest.mark.finding("J-12")
def test_a_last_line_that_was_never_asked_is_left_out(true: Path) -> None:
    """Nothing proves the last line but the rules."""
    lines = true.read_bytes().splitlines(keepends=True)
    at = max(at for at in range(len(lines)) if b'"kind":"answer"' in lines[at])
    last = lines[at].replace(b'"kind":"answer"', b'"kind":"roll"')
    last = last[: last.index(b'"value":')] + b'"value":[9]' + last[last.index(b"}]") :]
    new, told = _rescued(true, b"".join([*lines[:at], last]))
    assert new.read_bytes() == b"".join(lines[:at])
    assert f"Line {at + 1}" in told


@pytest.mark.finding("J-17")
def test_blank_lines_at_the_end_lose_nothing(true: Path) -> None:
    new, told = _rescued(true, true.read_bytes() + b"\n\n")
    assert new.read_bytes() == true.read_bytes()
    assert "Line" not in told


@pytest.mark.finding("J-12")
@pytest.mark.parametrize("kind", ["byte", "block"])
def test_no_damage_loses_more_than_its_line(kind: str, true: Path) -> None:
    """A sample of ``benchmarks/damages.py``; the last line, a long one, is proven by nothing."""
    found = Soak(true, kind).run({"byte": 12, "block": 2}[kind], 4)
    assert found.wrong == []
    assert found.whole_rescued == found.done
    assert found.whole_again == found.handed_back


def test_the_damaged_campaign_has_the_same_bytes_each_time(tmp_path: Path) -> None:
    for name in ("a", "b"):
        play(tmp_path / name, dates=1)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
