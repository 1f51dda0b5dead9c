"""Proposals of a side where both must agree, kept beside the game file until answered."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any, Final

import msgspec

from asl_pbcg.kernel.canonical import canonical, digest
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import write_atomic
from asl_pbcg.kernel.textfiles import read_limited

MAX_BYTES: Final = 8 * 1024 * 1024
"""So many bytes of the file are read: what each side gives may be a whole position."""
DIGEST_LENGTH: Final = 32
"""The hexadecimal digits of a digest: 128 bits, so that no two proposals of one are found."""


class Proposal(msgspec.Struct, frozen=True, kw_only=True):
    """An answer that ``side`` would give to ``prompt`` about ``about``.

    ``after`` counts the entries that both sides knew of when it was made.
    """

    prompt: str
    side: str
    value: Any
    about: str = ""
    after: int = 0

    @property
    def digest(self) -> str:
        """The name by which the other side agrees to it: a hash of all that it says, and where."""
        return _digest_of(self)


class Correction(msgspec.Struct, frozen=True, kw_only=True):
    """A correction that ``side`` would make; ``words`` tell it to the other side."""

    side: str
    path: str
    value: Any
    reason: str
    words: str
    after: int = 0

    @property
    def digest(self) -> str:
        """The name by which the other side agrees to it, as of a ``Proposal``."""
        return _digest_of(self)


def _digest_of(proposal: Proposal | Correction) -> str:
    return digest(canonical(proposal))[:DIGEST_LENGTH]


class _Kept(msgspec.Struct, frozen=True):
    head: str = ""
    made: tuple[Proposal, ...] = ()
    correction: Correction | None = None


class Proposals:
    """The proposals of the game in the file ``game``; of one without a file in memory alone.

    Answers are proposed where its journal ends with ``head``, and stand for as long as it ends so:
    whatever is answered, thrown, undone or corrected there, by whatever program, ends them.
    A correction stands until the other side agrees or either declines, so that its end tells
    nothing of what was answered in secret. Both sides may know all of them.
    """

    def __init__(self, game: Path | None, head: str) -> None:
        self._file = proposals_file(game) if game else None
        kept = _read(self._file) if self._file else _Kept()
        self._head = head
        self._made = kept.made if kept.head == head else ()
        self.correction = kept.correction
        """The correction that waits for the other side's agreement."""

    def at(self, head: str, prompt: str, about: str) -> list[Proposal]:
        """Return the answers proposed to a prompt where the journal ends with ``head``."""
        if head != self._head:
            return []
        return [offer for offer in self._made if (offer.prompt, offer.about) == (prompt, about)]

    def make(self, head: str, made: Proposal) -> None:
        """Take in a proposal, in place of an earlier one of its side.

        It is on the disk when this returns. Raises PBCGError if it cannot be written; the
        earlier one stands then.
        """
        others = [offer for offer in self._made if offer.side != made.side and head == self._head]
        self._keep(_Kept(head, (*others, made), self.correction))

    def propose(self, correction: Correction | None) -> None:
        """Take in a correction in place of an earlier one; None where it is agreed or declined.

        On the disk when this returns. Raises PBCGError if it cannot be written.
        """
        self._keep(_Kept(self._head, self._made, correction))

    def drop(self, made: Proposal) -> None:
        """Withdraw or decline a proposed answer. Raises PBCGError if that cannot be written."""
        kept = tuple(offer for offer in self._made if offer != made)
        self._keep(_Kept(self._head, kept, self.correction))

    def go_on(self, head: str) -> None:
        """End the proposed answers if the journal now ends otherwise; a correction stands."""
        if head == self._head:
            return
        self._made = ()
        with contextlib.suppress(PBCGError):  # what is left there is of another end
            self._keep(_Kept(head, (), self.correction))

    def stay(self, head: str) -> None:
        """Let all proposals stand where the journal now ends with ``head``: nothing was played."""
        if self._made or self.correction:
            self._keep(_Kept(head, self._made, self.correction))

    def _keep(self, kept: _Kept) -> None:
        if self._file and (kept.made or kept.correction):
            write_atomic(self._file, msgspec.json.encode(kept))
        elif self._file:
            with contextlib.suppress(OSError):
                self._file.unlink(missing_ok=True)
        self._head, self._made, self.correction = kept.head, kept.made, kept.correction


def proposals_file(game: Path) -> Path:
    """Where the proposals of a game are kept: beside its file."""
    return game.with_name(f".{game.name}.proposals.json")


def same_value(value: Any) -> Any:
    """An answer as it is kept: lists, no tuples; so that equal ones compare equal."""
    return msgspec.json.decode(msgspec.json.encode(value))


def _read(file: Path) -> _Kept:
    """Read the proposals that are kept there; none where the file is damaged."""
    with contextlib.suppress(OSError, PBCGError, msgspec.DecodeError, RecursionError):
        if file.exists():
            return msgspec.json.decode(read_limited(file, MAX_BYTES), type=_Kept)
    return _Kept()
