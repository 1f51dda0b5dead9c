"""Any file sealed, for players on paper: the text with its salt lies beside it as NAME.sealed."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import make_new, reason
from asl_pbcg.kernel.seals import (
    MAX_SEALED,
    SealedText,
    is_sealed_text,
    read_words,
    seal_text,
    time_now,
)

SUFFIX: Final = ".sealed"
_MAX_SEALS: Final = 100
"""The most seals that lie beside one file."""
_JOURNAL: Final = b'{"game":'
"""The beginning of every file of pbcg's own."""


class SealedFile(msgspec.Struct, frozen=True, kw_only=True):
    """The seal of a file: the text beside it at ``path``, its words, and what it says."""

    path: str
    words: str
    text: str


class FileSealCheck(msgspec.Struct, frozen=True, kw_only=True):
    """Words held against what was sealed; ``stands`` is whether it is what it was."""

    stands: bool
    sentences: tuple[str, ...]


def is_game_file(path: Path) -> bool:
    """Return whether a file is one of pbcg's own. Raises PBCGError if it cannot be read."""
    return _read(path).startswith(_JOURNAL)


def seal_file(path: Path, side: str = "") -> SealedFile:
    """Seal a file as it is now; its text with a fresh salt is written beside it."""
    facts = {"file": path.name, **_measure(_read(path)), "sealed": time_now(time.time())}
    sealed = seal_text({"side": side, **facts} if side else facts, {})
    beside = next((seal_path for seal_path in _names_beside(path) if not seal_path.exists()), None)
    if beside is None:
        raise PBCGError(f"{path} was sealed {_MAX_SEALS} times: move its seals away.")
    make_new(beside, sealed.text.encode())
    return SealedFile(path=str(beside), words=sealed.words, text=sealed.text)


def find_sealed(path: Path, typed: str = "") -> SealedFile:
    """Return the seal at ``path`` or beside it: that of the words ``typed``, else the last.

    Raises PBCGError if there is none.
    """
    seals = _seals_of(path)
    words = read_words(typed) if typed else ""
    matches = [seal for seal in seals if seal.words == words or not words]
    if matches:
        return matches[-1]
    if words and seals:
        raise PBCGError(
            f"{path} was not sealed as {words}: its words are {_any_of([s.words for s in seals])}."
        )
    raise PBCGError(
        f"Nothing was sealed in {path}, and {path.name}{SUFFIX} is not beside it: whoever sealed "
        "it has both."
    )


def check_sealed(path: Path, typed: str) -> FileSealCheck:
    """Prove that what lies at ``path`` is what was sealed as ``typed``.

    ``path`` is what was sealed, its seal beside it, or the text that was opened.
    """
    words = read_words(typed)
    seals = _seals_of(path)
    if not seals:
        find_sealed(path)
    seal = next((candidate for candidate in seals if candidate.words == words), None)
    if seal is None:
        wrong = f"The words are not those of {path}: it was changed, or another thing was sealed."
        return FileSealCheck(stands=False, sentences=(wrong,))
    facts = SealedText.read(seal.text).facts
    fits = f"The words fit {Path(seal.path).name}: it is what was sealed."
    if "file" not in facts:
        return FileSealCheck(stands=True, sentences=(fits, seal.text.rstrip()))
    whole = Path(seal.path).with_name(Path(facts["file"]).name)
    if path != Path(seal.path):
        whole = path
    if not whole.exists():
        raise PBCGError(
            f"The words fit {seal.path}, but {whole.name} is not beside it: ask for it."
        )
    now, name = _measure(_read(whole)), whole.name
    if {key: facts.get(key) for key in now} == now:
        return FileSealCheck(
            stands=True, sentences=(fits, f"{name} is the file that was sealed, byte for byte.")
        )
    wrong = f"{name} was changed since: it is not the file that was sealed."
    return FileSealCheck(stands=False, sentences=(fits, wrong))


def _seals_of(path: Path) -> list[SealedFile]:
    """Return the seals in a file or beside it, in the order they were made."""
    seals = []
    for place in (path, *_names_beside(path)):
        if place.exists() and (seal := _read_seal(place)):
            seals.append(seal)
    return seals


def _read_seal(path: Path) -> SealedFile | None:
    content = _read(path)
    if len(content) > 4 * MAX_SEALED:
        return None
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return None
    if not is_sealed_text(text):
        return None
    return SealedFile(path=str(path), words=SealedText.read(text).words, text=text)


def _names_beside(path: Path) -> Iterator[Path]:
    for number in range(1, _MAX_SEALS):
        yield path.with_name(f"{path.name}{f'.{number}' if number > 1 else ''}{SUFFIX}")


def _measure(content: bytes) -> dict[str, str]:
    return {"bytes": str(len(content)), "sha256": hashlib.sha256(content).hexdigest()}


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise PBCGError(f"{path} cannot be read: {reason(error)}.") from error


def _any_of(names: list[str]) -> str:
    return " or ".join(names)
