"""Keeping what can be kept of a damaged campaign file.

A line that is not what the chain names is damaged: where one byte of it is wrong its hash finds the
true one, else it is left out. The lines before it are kept as they are; those behind it are handed
back, to be given again once its question is answered.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from asl_pbcg.kernel.entries import Damaged, JournalFault
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import make_new
from asl_pbcg.kernel.journal_file import read_file
from asl_pbcg.kernel.journal_text import (
    JournalText,
    is_journal,
    old_form_fault,
    without_editor_marks,
)
from asl_pbcg.kernel.verification.handed_back import HandedBack, answers_path
from asl_pbcg.kernel.verification.lost_lines import go_on_behind
from asl_pbcg.kernel.verification.proven_lines import ChainLine, prove_lines
from asl_pbcg.kernel.wording import quotation, to_type

Fits = Callable[[JournalText], bool]
"""Says whether a file can be played again to its end."""


class Rescued(msgspec.Struct):
    """The result of a rescue: sentences about it; ``whole`` if nothing is lost.

    ``written`` are the files that were made: the new one, and the answers that were handed back.
    """

    whole: bool
    sentences: list[str]
    written: list[Path]


def rescue(
    path: Path, new: Path, fits: Fits = lambda text: True, from_checkpoint: bool = False
) -> Rescued:
    """Write what can be kept of the file at ``path`` into a new one at ``new``.

    With ``from_checkpoint`` it goes on from the next state that the file keeps behind the damage.
    Raises PBCGError if nothing can be kept, or ``new`` cannot be made. ``path`` is not touched.
    """
    for other in (new, answers_path(new)):
        if other.exists() or other.is_symlink():
            raise PBCGError(f"{other} exists already: choose another name or move it away.")
    stored = read_file(path)
    if old_form := old_form_fault(stored):
        raise Damaged(path, old_form)
    content = without_editor_marks(stored)
    rescuer = _Rescuer(path, content)
    if content != stored:
        rescuer.sentences.append(
            "An editor had changed its line ends or put a byte order mark before its first line; "
            "that is undone."
        )
    return rescuer.write(new, fits, from_checkpoint)


class _Rescuer:
    """The lines of one file: those kept, and those behind a lost one."""

    def __init__(self, path: Path, content: bytes) -> None:
        self.sentences: list[str] = []
        self._chain, self._torn = prove_lines(content)
        if not any(line.content for line in self._chain):
            words = "is not a pbcg campaign file"
            if is_journal(content):
                words = "holds no line that can be read"
            raise Damaged(path, JournalFault("J01", words))

    def write(self, new: Path, fits: Fits, from_checkpoint: bool) -> Rescued:
        """Write the new file and the answers that are handed back."""
        chain, answers = self._chain, answers_path(new)
        for line in (line for line in chain if line.repaired):
            self.sentences.append(
                f"Line {line.number} was damaged. The chain proves what it was: it is kept as it "
                "was written."
            )
        text, kept, fault = _keep(chain)
        behind = chain[len(kept) :]
        if not behind and text and not any(line.repaired for line in chain) and not fits(text):
            text, kept, fault = _without_last(chain, fits) or (text, kept, fault)
            behind = chain[len(kept) :]
        self._name_lost(behind, fault)
        if self._torn:
            self.sentences.append("The last line was not finished; it is left out.")
        handed = HandedBack.of(text, [line.content for line in behind])
        if text and from_checkpoint and handed:
            added, words = go_on_behind(text, [line.content or line.damaged for line in behind])
            kept += added
            self.sentences += words
            handed = None
        if not behind and not self.sentences:
            self.sentences.append("Nothing is lost.")
        if text:
            make_new(new, b"".join(kept))
        if handed:
            handed.write(answers)
            self.sentences += _how_to_give_again(new, answers, bool(text))
        written = [*([new] if text else []), *([answers] if handed else [])]
        return Rescued(not behind, self.sentences, written)

    def _name_lost(self, behind: Sequence[ChainLine], fault: JournalFault | None) -> None:
        for line in behind:
            if not line.content:
                how = "is damaged" if line.damaged else "is missing"
                self.sentences.append(f"Line {line.number} {how} and is left out.")
        if fault and behind:
            number = behind[0].number
            words = f"Line {number} cannot be used: {fault} ({fault.code})."
            self.sentences.append(words)


def _keep(
    chain: Sequence[ChainLine],
) -> tuple[JournalText | None, list[bytes], JournalFault | None]:
    """Return the lines before the first lost one, as they are read and as they stand."""
    text: JournalText | None = None
    kept: list[bytes] = []
    for line in chain:
        if not line.content:
            break
        try:
            if text is None:
                text = JournalText.begin(line.content)
            else:
                text.add(line.content)
        except JournalFault as fault:
            return text, kept, fault
        kept.append(line.content)
    return text, kept, None


def _without_last(
    chain: Sequence[ChainLine], fits: Fits
) -> tuple[JournalText | None, list[bytes], JournalFault] | None:
    """Leave out a last line that is not what the rules ask there: nothing else proves it."""
    text, kept, _ = _keep(chain[:-1])
    if text is None or not fits(text):
        return None
    return text, kept, JournalFault("J20", "it is not what the rules ask there")


def _how_to_give_again(new: Path, answers: Path, begun: bool) -> list[str]:
    again = quotation(to_type("pbcg", "rescue", new, "--again", answers))
    if not begun:
        return [
            f"Without its first line no file can be made. {answers} holds all the others: begin "
            f"{new} with the same settings, then {again} gives them again."
        ]
    refit = quotation(to_type("pbcg", "refit", new))
    return [
        f"What comes behind it stands in {answers}. Answer what is asked now ({refit}), then "
        f"{again} gives it again."
    ]
