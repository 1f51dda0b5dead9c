"""Seals: the text, its eight words, how they are typed, and their entries in a journal."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest
from other_verifier import sealed_words
from sentences import Tells

from asl_pbcg.kernel.entries import Entry
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.seals import (
    SealedText,
    add_seal,
    check_seals,
    open_seal,
    plain_text,
    read_words,
    seal_lines,
    seal_text,
    seal_words,
    seals_of,
    words_of_text,
)

FACTS = {"side": "left", "date": "One"}
HELD = {"Purchases": ("a gun in A1", "a gun in A1"), "Setup": ()}
SALTS = count()


def sealed() -> SealedText:
    return seal_text(FACTS, HELD, lambda: f"salt {next(SALTS)}")


def test_the_words_are_2048_that_four_letters_tell_apart() -> None:
    assert len(seal_words()) == 2048
    assert len({each[:4] for each in seal_words()}) == 2048
    assert list(seal_words()) == sorted(seal_words())


def test_a_known_text_has_known_words() -> None:
    made = seal_text({"file": "a.txt"}, {}, lambda: "0" * 32)
    assert made.text.split("\n") == ["pbcg seal 1", "file: a.txt", f"salt: {'0' * 32}", ""]
    known = ["return", "miss", "together", "staff", "organ", "autumn", "panel", "wrist"]
    assert made.words.split() == known


def test_sealing_the_same_twice_gives_other_words() -> None:
    assert sealed().words != sealed().words
    assert seal_text(FACTS, HELD).words != seal_text(FACTS, HELD).words


def test_a_text_is_read_as_it_was_written() -> None:
    made = sealed()
    assert SealedText.read(made.text) == made
    assert made.as_read.lists["Setup"] == ()
    assert "- none" in made.text


@pytest.mark.parametrize(
    "travel",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "\ufeff" + text,
        lambda text: "\n\n" + text.replace("\n", "  \n") + "\n\n",
        lambda text: text.rstrip(),
    ],
)
def test_a_chat_or_editor_changes_nothing(travel: object) -> None:
    made = sealed()
    assert callable(travel)
    assert words_of_text(travel(made.text)) == made.words
    assert plain_text(travel(made.text)) == made.text


def test_one_letter_changes_the_words() -> None:
    made = sealed()
    assert words_of_text(made.text.replace("A1", "A2")) != made.words


def test_a_second_program_comes_to_the_same_words() -> None:
    for _ in range(20):
        made = sealed()
        assert sealed_words(made.text, list(seal_words())) == made.words


def test_words_are_read_as_they_are_said() -> None:
    words = sealed().words
    short = ", ".join(each[:4].upper() for each in words.split())
    assert read_words(words) == read_words(short) == read_words(f'  "{words}".') == words


def test_a_wrong_word_names_the_nearest(tells: Tells) -> None:
    with pytest.raises(PBCGError) as wrong:
        read_words("abandin ability able about above absent absorb abstract")
    tells(wrong.value, "abandin", "abandon")
    with pytest.raises(PBCGError) as few:
        read_words("abandon ability")
    tells(few.value, "eight words", 2)
    with pytest.raises(PBCGError) as none:
        read_words("...")
    tells(none.value, "eight words")


def test_another_text_is_not_what_was_sealed(tells: Tells) -> None:
    with pytest.raises(PBCGError) as wrong:
        SealedText.read("a letter\n")
    tells(wrong.value, "pbcg seal 1")


# -- in a journal --------------------------------------------------------------------------


@pytest.fixture
def journal() -> Journal:
    return Journal.in_memory({"settings": {}, "dice": "seeded"})


def test_only_its_side_reads_a_seal_until_it_is_opened(journal: Journal) -> None:
    made = sealed()
    with journal.transaction():
        add_seal(journal, "left", "one", made)
    for viewer, text in {"left": made.text, "umpire": made.text, "right": "", "": ""}.items():
        (seal,) = seals_of(journal, viewer)
        assert (seal.words, seal.text, seal.date, seal.opened) == (made.words, text, "one", "")
    with journal.transaction():
        open_seal(journal, seals_of(journal, "left")[0])
    (seal,) = seals_of(journal, "right")
    assert (seal.text, bool(seal.opened)) == (made.text, True)
    told = [line.text for _, lines in seal_lines(journal) for line in lines]
    assert len(told) == 2 and all(made.words in each for each in told)
    assert check_seals(journal) is None


def entry(kind: str, body: object, secret: bool = False) -> Entry:
    return Entry(kind=kind, step="one/seals", side="left", secret=secret, body=body)


@pytest.mark.parametrize(
    "entries",
    [
        [entry("sealed", "x")],
        [entry("sealed", {"words": "abandon"})],
        [entry("sealed", {"text": "pbcg seal 1\n"}, secret=True)],
        [entry("opened", {"text": "pbcg seal 1\n"})],
        [entry("opened", {"words": "abandon"})],
    ],
)
def test_a_seal_no_command_makes_is_a_fault(journal: Journal, entries: list[Entry]) -> None:
    with journal.transaction():
        add_seal(journal, "left", "one", sealed())
        for each in entries:
            journal.append(each)
    assert check_seals(journal)


def test_the_list_says_where_it_is_from() -> None:
    head = (Path(__file__).parents[2] / "data" / "seal_words.txt").read_text(encoding="utf-8")
    assert head.startswith("#") and "MIT License" in head and "BIP-0039" in head
