"""Tests hold on to facts; the sentences that players read stand in ``tests/sentences/``."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from sentences import FOLDER, Tells, has, lines_of, read, says

TESTS = Path(__file__).resolve().parent
COMPARED = 199
"""So many assertions compare three words or more: titles, orders as players type them, whole lists
of faults, help and manuals whose words are what the test is about. Fewer are welcome."""


def words_compared(path: Path) -> int:
    """How many assertions of a test file compare a text of three words or more."""
    found = 0
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        compared: list[ast.expr] = []
        if isinstance(node, ast.Assert):
            compared = [each for each in ast.walk(node.test) if isinstance(each, ast.Compare)]
        elif isinstance(node, ast.Call):
            compared = [each.value for each in node.keywords if each.arg == "match"]
        found += any(
            isinstance(part, ast.Constant) and is_sentence(part.value)
            for each in compared
            for part in ast.walk(each)
        )
    return found


ORDER = re.compile(r"(?:fire|ambush|barrage|assault|air|armour|morale) ")
"""A line as the umpire of the megagame types it is not a sentence."""


def is_sentence(value: object) -> bool:
    """Whether a literal is three words or more; PzGrenadier is one."""
    return (
        isinstance(value, str)
        and " " in value
        and len(re.findall(r"\b[A-Za-z][a-z']+\b", value)) >= 3
        and not ORDER.match(value)
    )


def test_few_assertions_compare_sentences() -> None:
    count = sum(words_compared(path) for path in TESTS.rglob("*.py"))
    assert count <= COMPARED, "name facts and let tells() keep the words: see sentences.py"


def test_every_sentence_belongs_to_a_test() -> None:
    for file in FOLDER.glob("*.txt"):
        (source,) = TESTS.rglob(f"test_{file.stem}.py")
        names = set(re.findall(r"^def (test_\w+)\(", source.read_text("utf-8"), re.MULTILINE))
        wrong = {each for each in read(file) if each.partition("[")[0] not in names}
        assert not wrong, f"{file.name}: {sorted(wrong)}"


def told_of(folder: Path, kept: list[str]) -> Tells:
    tells = Tells(Path("test_x.py"), "test_y", str(folder))
    tells.kept, tells.writes = kept, False
    return tells


def test_facts_are_words_of_their_own() -> None:
    assert has("b1 in Z9 is Retained, -1 DRM.", "b1") and has("at Z9/1 (-1)", -1)
    assert not has("b12 in Z99.", "b1") and not has("b12 in Z99.", "Z9")
    assert says("one\ntwo b1", "two", "b1") and not says("one b1\ntwo", "two", "b1")
    assert list(lines_of([" a ", ValueError("b\n\nc")])) == ["a", "b", "c"]


def test_what_is_told_must_be_what_the_golden_has(tmp_path: Path) -> None:
    tells = told_of(tmp_path, ["b1 is lost.", "b2 is kept."])
    lines = ["b1 is lost.", "b2 is kept."]
    assert tells(lines, "b1") == "b1 is lost."
    assert tells(lines, "b1") == "b1 is lost."  # told once
    with pytest.raises(AssertionError, match="is kept"):
        tells.finish()
    tells(lines, "b2")
    tells.finish()
    with pytest.raises(AssertionError, match="b3"):
        tells(lines, "b3")
    with pytest.raises(AssertionError, match="b1 is gone"):
        told_of(tmp_path, ["b1 is lost."])("b1 is gone.", "b1")


def test_what_is_another_in_each_run_is_left_out(tmp_path: Path) -> None:
    tells = told_of(tmp_path, ["a.pbcg is lost; 127.0.0.1:PORT"])
    tells(f"{tmp_path}/a.pbcg is lost; 127.0.0.1:4711", "lost")
    tells.finish()
