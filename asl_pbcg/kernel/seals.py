"""Seals: eight words, told now, that prove later what a text said when they were told.

What is sealed is a short text that a person can read: a line ``pbcg seal 1``, lines ``key: value``
with the salt among them, then headings with a list under each. The words are the first 88 bits of
its SHA-256, taken 16,384 times, eleven bits a word, by their place in ``data/seal_words.txt``.
Taken once, an hour would be enough to make two texts with the same words. Blanks at the end of a
line, empty lines at either end and the kind of line break play no part, so that a text may travel
through a chat.

In a journal a seal is an open entry with its words and a veiled one, of the same side, with its
text; an entry ``opened`` shows the text to all.
"""

from __future__ import annotations

import contextlib
import hashlib
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Annotated, Final

import msgspec
from msgspec import Meta, ValidationError

from asl_pbcg.kernel.data import data_path
from asl_pbcg.kernel.entries import Entry
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.journal_text import time_of
from asl_pbcg.kernel.reader import nearest
from asl_pbcg.kernel.views import LogLine, visible
from asl_pbcg.kernel.wording import cut

FORM: Final = "pbcg seal 1"
"""The first line of what is sealed."""
WORDS: Final = 8
ROUNDS: Final = 2**14
"""The number of times that the hash is taken."""
_BITS: Final = 11
"""The bits that one word stands for."""
_TELLING: Final = 4
"""The number of letters that tell a word from every other."""
MAX_SEALED: Final = 200_000
"""The most characters of what is sealed."""
SEALS: Final = "seals"
"""The step of a seal behind its date: ``dawn/seals``."""


def new_salt() -> str:
    """Return a salt nobody can guess."""
    return secrets.token_hex(16)


# -- The text ----------------------------------------------------------------------------


class SealedText(msgspec.Struct, frozen=True, kw_only=True):
    """The text that is sealed: facts by their names, and lists under headings."""

    facts: dict[str, str] = {}
    lists: dict[str, tuple[str, ...]] = {}

    @property
    def text(self) -> str:
        """Return the text whose words are told."""
        lines = [FORM, *(f"{name}: {_line(value)}" for name, value in self.facts.items())]
        for heading, items in self.lists.items():
            lines += ["", heading, *(f"- {_line(each)}" for each in items or ("none",))]
        return plain_text("\n".join(lines))

    @property
    def words(self) -> str:
        """Return the eight words."""
        return words_of_text(self.text)

    @property
    def as_read(self) -> SealedText:
        """Return it as whoever reads its text has it."""
        return self.read(self.text)

    @classmethod
    def read(cls, text: str) -> SealedText:
        """Read what ``text`` wrote. Raises PBCGError if it is not what is sealed."""
        first, *lines = plain_text(text).splitlines()
        if first != FORM or len(text) > MAX_SEALED:
            raise PBCGError(f'That is not what was sealed: its first line reads "{FORM}".')
        facts: dict[str, str] = {}
        lists: dict[str, list[str]] = {}
        for line in lines:
            name, colon, value = line.partition(": ")
            if line.startswith("- ") and lists:
                lists[list(lists)[-1]].append(line.removeprefix("- "))
            elif colon and not lists:
                facts[name] = value
            elif line:
                lists[line] = []
        none = ["none"]
        kept = {name: () if items == none else tuple(items) for name, items in lists.items()}
        return cls(facts=facts, lists=kept)


def is_sealed_text(text: str) -> bool:
    """Return whether ``text`` is what was sealed."""
    return plain_text(text).partition("\n")[0] == FORM


def plain_text(text: str) -> str:
    """Return a text without what a chat or an editor may change."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join(line.rstrip(" \t") for line in lines).strip("\n") + "\n"


def _line(value: str) -> str:
    return " ".join(value.split())


def seal_text(
    facts: Mapping[str, str],
    lists: Mapping[str, Sequence[str]],
    salt: Callable[[], str] = new_salt,
) -> SealedText:
    """Return ``facts`` and ``lists`` with a fresh salt, to be sealed."""
    salted = {**facts, "salt": salt()}
    return SealedText(facts=salted, lists={name: tuple(each) for name, each in lists.items()})


# -- The words -----------------------------------------------------------------------------


@cache
def seal_words() -> tuple[str, ...]:
    """Return the 2048 words of a seal, in their order."""
    lines = data_path("seal_words.txt").read_text(encoding="utf-8").split("\n")
    return tuple(line for line in lines if line and not line.startswith("#"))


@lru_cache(maxsize=500)
def words_of_text(text: str) -> str:
    """Return the eight words of what is sealed."""
    digest = plain_text(text).encode()
    for _ in range(ROUNDS):
        digest = hashlib.sha256(digest).digest()
    number = int.from_bytes(digest[: WORDS * _BITS // 8])
    places = [number >> _BITS * place & 2**_BITS - 1 for place in reversed(range(WORDS))]
    return " ".join(seal_words()[place] for place in places)


def read_words(typed: str) -> str:
    """Return the words of a seal as players type them; four letters of a word are enough.

    Raises PBCGError, with the nearest word for one that is none.
    """
    words = [_read_word(word) for word in _letters(typed).split()]
    if len(words) != WORDS:
        raise PBCGError(f"A seal has eight words, not {len(words)}.")
    return " ".join(words)


def _letters(typed: str) -> str:
    return "".join(sign if sign.isalpha() else " " for sign in typed[:500].lower())


def _read_word(word: str) -> str:
    known = seal_words()
    if word in known:
        return word
    begun = [each for each in known if each.startswith(word)] if len(word) >= _TELLING else []
    if len(begun) == 1:
        return begun[0]
    raise PBCGError(f'"{cut(word, 40)}" is not a word of a seal{nearest(word, known)}.')


# -- In a journal ----------------------------------------------------------------------------


class _Words(msgspec.Struct, forbid_unknown_fields=True):
    words: Annotated[str, Meta(max_length=100)]


class _Text(msgspec.Struct, forbid_unknown_fields=True):
    text: Annotated[str, Meta(max_length=MAX_SEALED)]


class Seal(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A seal that stands in a journal, as far as whoever looks may know it.

    ``number`` is its place among all; ``text`` is empty while it is closed for whoever looks, and
    ``opened`` says when it was opened to all.
    """

    number: int
    side: str
    date: str
    at: str
    words: str
    text: str = ""
    opened: str = ""


def seals_of(journal: Journal, viewer: str) -> list[Seal]:
    """Return the seals of a journal, in the order they were made, as ``viewer`` may know them."""
    texts = {
        (entry.side, words_of_text(text)): entry
        for kind in ("sealed", "opened")
        for entry in journal.entries_of(kind)
        if visible(entry, viewer) and (text := _text_in(entry))
    }
    told = [entry for entry in journal.entries_of("sealed") if _words_in(entry)]
    seals = []
    for number, entry in enumerate(told, 1):
        words = _words_in(entry)
        shown = texts.get((entry.side, words))
        seals.append(
            Seal(
                number=number,
                side=entry.side,
                date=entry.step.partition("/")[0],
                at=entry.at,
                words=words,
                text=_text_in(shown) if shown else "",
                opened=shown.at if shown and shown.kind == "opened" else "",
            )
        )
    return seals


def add_seal(journal: Journal, side: str, date: str, sealed: SealedText) -> None:
    """Write a seal down within a transaction: its words for all, its text for ``side`` alone."""
    if len(sealed.text) > MAX_SEALED:
        raise PBCGError(f"What is sealed has {MAX_SEALED} characters at most.")
    step = f"{date}/{SEALS}"
    journal.append(Entry(kind="sealed", step=step, side=side, body={"words": sealed.words}))
    journal.append(
        Entry(kind="sealed", step=step, side=side, secret=True, body={"text": sealed.text})
    )


def open_seal(journal: Journal, seal: Seal) -> None:
    """Show what was sealed to all, within a transaction."""
    step = f"{seal.date}/{SEALS}"
    journal.append(Entry(kind="opened", step=step, side=seal.side, body={"text": seal.text}))


def _words_in(entry: Entry) -> str:
    """Return the words that an open entry tells; empty for another."""
    with contextlib.suppress(ValidationError):
        if entry.side and not entry.secret:
            return msgspec.convert(entry.body, _Words).words
    return ""


def _text_in(entry: Entry) -> str:
    """Return what was sealed, as an entry holds it; empty for another."""
    with contextlib.suppress(ValidationError):
        if entry.side and entry.secret == (entry.kind == "sealed"):
            return msgspec.convert(entry.body, _Text).text
    return ""


def check_seals(journal: Journal) -> tuple[Entry, str] | None:
    """Return the first entry of a seal that no command keeps, and why; None if all are right."""
    sealed = journal.entries_of("sealed")
    told = {(each.side, words): each for each in sealed if (words := _words_in(each))}
    texts = set()
    for entry in [*sealed, *journal.entries_of("opened")]:
        if text := _text_in(entry):
            texts.add((entry.side, words_of_text(text)))
            if (entry.side, words_of_text(text)) not in told:
                return entry, "its text is not that of the words told"
        elif entry.kind == "opened" or not _words_in(entry):
            return entry, "it holds neither words nor a text"
    lost = next((entry for made, entry in told.items() if made not in texts), None)
    return (lost, "what was sealed is not there") if lost else None


def seal_lines(journal: Journal) -> Iterator[tuple[int, list[LogLine]]]:
    """Yield what the log tells of each seal that is made or opened, with the entry's number."""
    for entry in (*journal.entries_of("sealed"), *journal.entries_of("opened")):
        if entry.kind == "sealed" and (words := _words_in(entry)):
            told = f"Sealed: {words}."
        elif entry.kind == "opened" and (text := _text_in(entry)):
            told = f"Opened what was sealed as {words_of_text(text)}."
        else:
            continue
        step, side = entry.step, entry.side
        line = LogLine(kind="remark", step=step, text=told, side=side, seq=entry.seq)
        yield entry.seq, [line]


def time_now(second: float) -> str:
    """Return a time as what is sealed has it, ``2026-11-22 18:04 UTC``."""
    return time_of(int(second))[:16].replace("T", " ") + " UTC"
