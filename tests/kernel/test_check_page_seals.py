"""``check.html`` says of seals what pbcg and the second verifier say."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from in_process import pbcg, run_pbcg
from journal_vectors import Maker, veiled
from other_verifier import sealed_words

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.seals import read_words, seal_text, seal_words

CHECK_PAGE = Path(__file__).resolve().parents[2] / "templates" / "check.html"


@pytest.fixture
def page(chromium: Any) -> Any:
    context = chromium.new_context(offline=True)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(CHECK_PAGE.as_uri())
    yield page
    context.close()
    assert not errors


def test_the_page_has_the_same_words(page: Any) -> None:
    assert page.evaluate("pbcgCheck.list()") == list(seal_words())


def test_the_page_comes_to_the_same_eight_words(page: Any) -> None:
    texts = [seal_text({"side": "left"}, {"Setup": (f"é {n}",)}).text for n in range(5)]
    texts += [text.replace("\n", " \t\r\n") for text in texts] + ["", "\ufeff\n\nx\u00a0\n"]
    wanted = [sealed_words(text, list(seal_words())) for text in texts]
    found = page.evaluate("(all) => all.map(pbcgCheck.words)", texts)
    assert found == wanted


@pytest.mark.parametrize(
    "typed", ["Abandon, ABIL able abou absent absorb abst. absurd", "abandin", "abandon able", ""]
)
def test_words_are_read_alike(page: Any, typed: str) -> None:
    found = page.evaluate("pbcgCheck.readWords", typed)
    try:
        assert found == {"words": read_words(typed)}
    except PBCGError as error:
        for fact in ("not a word", "abandon") if typed == "abandin" else ("eight words",):
            assert fact in found["wrong"] and fact in str(error)


def test_a_person_proves_a_file_that_was_sealed(page: Any, tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("I5 at J0\n")
    words = json.loads(run_pbcg("seal", notes, "--json").out)["words"]
    answered = page.locator("#answer")
    page.set_input_files("#file1", str(tmp_path / "notes.txt.sealed"))
    page.fill("#sealed", " ".join(each[:4] for each in words.split()))
    answered.get_by_text("notes.txt is needed, too").wait_for()
    page.set_input_files("#file0", str(notes))
    answered.get_by_text("byte for byte").wait_for()
    assert "Not whole" not in answered.inner_text()
    notes.write_text("I6 at J0\n")
    page.set_input_files("#file0", shutil.copy(notes, tmp_path / "changed.txt"))
    answered.get_by_text("was changed since").wait_for()
    pbcg("verify", notes, "--sealed", words, code=1)
    page.fill("#sealed", words + " x")
    answered.get_by_text("not a word of a seal").wait_for()


def test_a_person_proves_what_a_side_sealed(page: Any, tmp_path: Path) -> None:
    made = seal_text({"side": "british"}, {"Setup": ("A-1 in Z15",)})
    answered = page.locator("#answer")

    def drop(name: str, content: bytes, says: str, place: str = "#file0") -> None:
        (tmp_path / name).write_bytes(content)
        page.set_input_files(place, str(tmp_path / name))
        answered.get_by_text(says).wait_for()

    def closed(text: str) -> Maker:
        step = {"kind": "sealed", "side": "british", "step": "dawn/seals"}
        told = {**step, "value": {"words": made.words}}
        return Maker().add(told, veiled({**step, "value": {"text": text}}))

    page.fill("#sealed", made.words)
    drop("a.pbcg", closed(made.text).bytes(), "lies in the file as it was")
    assert "Z15" not in page.locator("body").inner_text()  # not opened yet
    opened = {"kind": "opened", "side": "british", "value": {"text": made.text}}
    drop("b.pbcg", closed(made.text).add(opened).bytes(), "A-1 in Z15")
    other = made.text.replace("Z15", "Z16")
    drop("c.pbcg", closed(other).bytes(), "is not in the file")
    drop("d.pbcg", Maker().bytes(), "rewritten since")
    drop("e.txt", made.text.encode(), "The words fit e.txt", "#file1")
    pbcg("verify", tmp_path / "e.txt", "--sealed", made.words)
    drop("f.txt", other.encode(), "not those of f.txt", "#file1")
    pbcg("verify", tmp_path / "f.txt", "--sealed", made.words, code=1)
