"""A hundred and more kinds of forgery are told as the page says (G-41, G-42, G-43)."""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from forgery_list import forgeries
from in_process import run_pbcg
from journal_forgeries import PAGE, TABLE, Told, Witness, all_told, table

from asl_pbcg import __version__
from asl_pbcg.kernel.checkpoints import read_checkpoint
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.views import read_lines

FORGERIES = {(heading, each.name): each for heading, found in forgeries() for each in found}
EXIT = {"": 0, "part": 3, "J01": 2, "J02": 2, "refused": 2}
"""Exit codes of ``verify``; any other fault is 1."""
Key = tuple[str, str]


@pytest.fixture(scope="module")
def witness(tmp_path_factory: pytest.TempPathFactory) -> Witness:
    return Witness(tmp_path_factory.mktemp("forged"))


@pytest.fixture(scope="module")
def told(witness: Witness) -> dict[Key, Told]:
    return all_told(witness)


def under(told: dict[Key, Told], heading: str, *names: str) -> set[str]:
    """What ``verify`` says of forgeries under a heading that begins so."""
    found = [told[key].verify for key in told if key[0].startswith(heading) and key[1] in names]
    assert len(found) == len(names)
    return set(found)


@pytest.mark.finding("G-41")
@pytest.mark.finding("G-42")
@pytest.mark.finding("G-43")
def test_the_page_says_which_command_tells_each_forgery(told: dict[Key, Told]) -> None:
    """If this changed on purpose: ``python tests/support/journal_forgeries.py``."""
    assert len(told) >= 100
    page = PAGE.read_text(encoding="utf-8")
    assert page[page.index(TABLE) :] == table(told)


@pytest.mark.finding("G-43")
def test_no_forgery_escapes_every_witness(told: dict[Key, Told]) -> None:
    assert [key for key, each in told.items() if not (each.head or each.compare)] == []


@pytest.mark.finding("G-41")
def test_naming_foreign_rules_makes_no_forgery_whole(told: dict[Key, Told]) -> None:
    named = [key for key in told if "under foreign rules" in key[1] or ", no rules named" in key[1]]
    assert len(named) >= 8
    assert {told[key].verify for key in named} <= {"part", "J20", "J21", "J22", "J23"}


@pytest.mark.finding("G-42")
def test_other_dice_after_an_undo_are_told(told: dict[Key, Told]) -> None:
    for name in ("other dice after an undo", "other dice after an undo, in a roundabout way"):
        assert under(told, "Undo", name) == {"J16, J21"}


@pytest.mark.finding("G-42")
@pytest.mark.parametrize("other_dice", [False, True])
def test_an_undo_without_a_word_is_in_the_log(other_dice: bool, tmp_path: Path) -> None:
    """What it took follows from the entries; here it is written by hand, the chain with it."""
    file = tmp_path / "a.pbcg"
    run_pbcg("new", file, "--campaign", "CG1", typed="q\n")
    run_pbcg("refit", file, "--auto", "7")
    *lines, _ = file.read_bytes().split(b"\n")
    roll: dict[str, Any] = {}
    while roll.get("kind") != "roll":
        (entry,) = json.loads(lines[-1])["entries"]
        roll = json.loads(base64.b64decode(entry["veil"]))
        lines = lines if roll["kind"] == "roll" else lines[:-1]
    place = {key: roll[key] for key in ("about", "point", "step")}
    undo = {"kind": "undo", "value": {"back_to": len(lines) - 2}, **place}
    again = roll | {"value": [7 - die for die in roll["value"]] if other_dice else roll["value"]}
    for each in (undo, again):
        line = {
            "at": json.loads(lines[-1])["at"],
            "entries": [{**entry, "veil": base64.b64encode(canonical(each)).decode()}],
            "n": len(lines) + 1,
            "prev": hashlib.sha256(lines[-1] + b"\n").hexdigest(),
        }
        lines.append(canonical(line))
    file.write_bytes(b"\n".join(lines) + b"\n")

    told = run_pbcg("verify", file)
    assert told.code == other_dice and "1 roll undone" in told.out
    assert ("J16" in told.out + told.err) == other_dice
    undone = [line for line in run_pbcg("log", file).out.splitlines() if "Undone:" in line]
    run_pbcg("refit", file, "--auto", "7")  # the other side waits until the secret part is over
    theirs = run_pbcg("log", file, "--as", "british").out
    assert len(undone) == 1 and "was undone" in theirs
    assert undone[0].strip() not in theirs


def canonical(data: object) -> bytes:
    return json.dumps(data, sort_keys=True, separators=(",", ":")).encode()


@pytest.mark.finding("G-42")
def test_a_redo_gives_back_what_was_undone(told: dict[Key, Told]) -> None:
    names = ("another answer", "less", "nothing")
    other = under(told, "Undo", *(f"a redo that gives back {each}" for each in names))
    more = under(told, "Undo", "a redo with more keys")
    assert (other, more) == ({"J20"}, {"J13"})


@pytest.mark.finding("G-43")
def test_an_entry_is_held_against_the_whole_question(told: dict[Key, Told]) -> None:
    answers = under(told, "Answers", "about nothing", "about another piece", "of another step")
    corrections = under(told, "Sides", "a correction veiled", "a correction one side's")
    checkpoints = under(told, "Checkpoints", "without its veil", "of one side")
    assert (answers, corrections, checkpoints) == ({"J20"}, {"J23"}, {"J23"})


@pytest.mark.finding("G-43")
def test_the_log_of_a_checkpoint_counts_without_rules_named(told: dict[Key, Told]) -> None:
    unnamed = under(told, "Checkpoints", "a line of a log left out, no rules named")
    assert unnamed == {"part"}


@pytest.mark.finding("G-43")
def test_dice_of_a_seed_are_told_in_the_area_game(told: dict[Key, Told]) -> None:
    assert under(told, "Area game", "other dice", "another seed") == {"J24"}


SAMPLE = {
    "the end of the last line",
    "a byte order mark",
    "a later form",
    "about nothing",
    "a gap that never was",
    "no rules named",
    "the last line cut off",
    "a correction more at the end",
}
"""A few forgeries of each kind of verdict."""


@pytest.mark.finding("G-41")
@pytest.mark.parametrize("key", [key for key in FORGERIES if key[1] in SAMPLE], ids=": ".join)
def test_the_commands_say_so_by_their_exit_codes(
    witness: Witness, told: dict[Key, Told], key: Key
) -> None:
    forgery, each = FORGERIES[key], told[key]
    path = witness.forge(forgery)
    verified = run_pbcg("verify", path)
    assert verified.code == EXIT.get(each.verify, 1)
    assert each.verify[:3] in verified.out + verified.err or each.verify == "part"
    headed = run_pbcg("verify", path, "--head", witness.head(forgery.base))
    assert (headed.code == 2 and "J30" in headed.err) == (each.head == "J30")
    compared = run_pbcg("compare", path, witness.files[forgery.base])
    assert bool(compared.code) == (each.compare not in ("", "lines"))


@pytest.mark.finding("J-15")
def test_words_and_corrections_are_held_to_the_prompt(told: dict[Key, Told]) -> None:
    names = {
        name: each.verify for (_, name), each in told.items()
        if name.startswith(("a correction", "a note", "an assertion", "a hand-over"))
    }  # fmt: skip
    legal = {name for name, verify in names.items() if not verify}
    assert legal == {"a correction more at the end", "a note", "an assertion"}


def test_times_that_run_backwards_are_mentioned(witness: Witness) -> None:
    heading = "Lines, the whole chain computed again"
    path = witness.forge(FORGERIES[heading, "other times"])
    verified = run_pbcg("verify", path)
    assert verified.code == 0
    assert "is dated 2026-11-01T00:00:00Z" in verified.out


@pytest.mark.finding("G-45")
def test_a_rescued_log_names_the_entries_of_its_own_file(witness: Witness) -> None:
    """The checkpoint behind a gap has a log whose entries have other numbers now."""
    path: Path = witness.files["rescued"]
    assert run_pbcg("verify", path).code == 3
    with Journal.read(path, __version__) as journal:
        checkpoints = journal.checkpoints()
        assert len(checkpoints) == 2
        after = [each.body["after"] for each in checkpoints]
        logs = [read_lines(read_checkpoint(each).log) for each in checkpoints]
    assert max(line.seq for line in logs[0]) <= after[0] < min(line.seq for line in logs[1])
    assert max(line.seq for line in logs[1]) <= after[1]
