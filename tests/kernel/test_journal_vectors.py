"""pbcg, a second verifier and ``check.html`` in a browser say the same of campaign files."""

from __future__ import annotations

import base64
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from in_process import run_pbcg
from journal_vectors import FOLDER, Maker, answer, roll, vectors, veiled
from mutated_files import mutated_files
from other_verifier import verify

CHECK_PAGE = Path(__file__).resolve().parent.parent.parent / "templates" / "check.html"
VECTORS = list(vectors())
MUTATED = 1000


@pytest.fixture(scope="module")
def check_page(chromium: Any) -> Any:
    """``check.html`` opened from the disk; no error of it goes unseen."""
    context = chromium.new_context(offline=True)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(CHECK_PAGE.as_uri())
    yield page
    context.close()
    assert not errors


def asked_of_page(page: Any, contents: list[bytes]) -> list[dict[str, Any]]:
    """What the page says of each file."""
    script = (
        "(all) => all.map((t) => pbcgCheck.facts(Uint8Array.from(atob(t), (c) => c.charCodeAt(0))))"
    )
    return list(page.evaluate(script, [base64.b64encode(each).decode() for each in contents]))


def test_the_vectors_on_the_disk_are_those_written_down() -> None:
    verdicts = json.loads((FOLDER / "verdicts.json").read_text(encoding="utf-8"))
    assert verdicts == {name: says for name, _, says in VECTORS}
    assert len(verdicts) >= 100
    for name, content, _ in VECTORS:
        if len(content) < 100_000:
            assert (FOLDER / f"{name}.pbcg").read_bytes() == content, name


def test_every_fault_of_a_file_has_a_vector() -> None:
    said = {says["fault"] for _, _, says in VECTORS} - {""}
    assert said == {f"J{number:02}" for number in range(1, 17) if number != 15}  # of 0.2.0


def test_the_second_verifier_says_what_is_written_down() -> None:
    assert {name: verify(content).as_facts() for name, content, _ in VECTORS} == {
        name: says for name, _, says in VECTORS
    }


def test_the_second_verifier_uses_nothing_of_the_program() -> None:
    text = (Path(__file__).parent.parent / "support" / "other_verifier.py").read_text(
        encoding="utf-8"
    )
    assert "asl_pbcg" not in text


def test_the_page_says_what_is_written_down(check_page: Any) -> None:
    for name, content, says in VECTORS:
        assert asked_of_page(check_page, [content]) == [says], name


def test_page_and_second_verifier_agree_on_mutated_files(check_page: Any) -> None:
    files = mutated_files(MUTATED)
    wanted = [verify(content).as_facts() for content in files]
    assert asked_of_page(check_page, files) == wanted
    kinds = Counter(each["fault"] for each in wanted)
    assert len(kinds) > 10, kinds


def test_the_page_is_one_small_file_that_fetches_nothing() -> None:
    text = CHECK_PAGE.read_text(encoding="utf-8")
    assert len(text.encode()) < 100_000
    for word in ("http:", "https:", "src=", "import ", "fetch(", "XMLHttpRequest", "@import"):
        assert word not in text, word


def test_a_command_writes_the_page(tmp_path: Path) -> None:
    found = run_pbcg("check-page", "-o", str(tmp_path / "check.html"))
    assert found.code == 0
    assert (tmp_path / "check.html").read_bytes() == CHECK_PAGE.read_bytes()


def test_the_page_compares_copies(check_page: Any) -> None:
    script = """([a, b]) => { const bytes = (t) => Uint8Array.from(atob(t), (c) => c.charCodeAt(0));
        return pbcgCheck.compare(bytes(a), bytes(b)); }"""
    base = Maker().add(answer("a"))
    longer = Maker().add(answer("a")).add(answer("b"))
    other = Maker().add(answer("a")).add(answer("c"))
    game = Maker({**json.loads(Maker().lines[0]), "game": "another"})
    told = {
        (one, two): check_page.evaluate(
            script, [base64.b64encode(each.bytes()).decode() for each in pair]
        )
        for (one, two), pair in {
            ("base", "base"): (base, base),
            ("base", "longer"): (base, longer),
            ("longer", "base"): (longer, base),
            ("longer", "other"): (longer, other),
            ("base", "game"): (base, game),
        }.items()
    }
    said = "same", "second goes on", "first goes on", "they part", "different games"
    assert tuple(told.values()) == said


def test_a_person_drops_a_file_and_reads_it(check_page: Any, tmp_path: Path) -> None:
    file = tmp_path / "evening.pbcg"
    made = (
        Maker()
        .add(answer("b-648-1", "escape"), roll("b-648-1", [3, 4]))
        .add(veiled(answer("b-secret", 7)))
    )
    file.write_bytes(made.bytes())
    check_page.set_input_files("#file0", str(file))
    answered = check_page.locator("#answer")
    answered.get_by_text("Whole", exact=True).wait_for()
    log = check_page.locator("#log").inner_text()
    assert "b-648-1" in log and "dice 3 4" in log and "veiled, the british side" in log
    assert "b-secret" not in log
    check_page.select_option("#veils", "british")
    assert "b-secret" in check_page.locator("#log").inner_text()
    check_page.select_option("#veils", "")
    check_page.fill("#wanted", "dice")
    assert "escape" not in check_page.locator("#log").inner_text()
    check_page.fill("#paper", verify(made.bytes()).fingerprint)
    answered.get_by_text("The fingerprint fits").wait_for()
    check_page.fill("#paper", "0000-0000-0000-0000")
    answered.get_by_text("J30").wait_for()
    broken = tmp_path / "copy.pbcg"
    broken.write_bytes(made.bytes().replace(b"escape", b"remain"))
    check_page.set_input_files("#file1", str(broken))
    answered.get_by_text("Not whole: line 3").wait_for()
