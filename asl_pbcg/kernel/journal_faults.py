"""Faults of a campaign file: numbers that never change, and sentences for players."""

from __future__ import annotations

from pathlib import Path

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.wording import number_words, quotation, to_type

FAULTS = {
    "J01": "this is not a pbcg campaign file",
    "J02": "a newer pbcg wrote it",
    "J03": "it is too large",
    "J04": "a line cannot be read",
    "J05": "a line is not written as pbcg writes it",
    "J06": "a line is not one of a journal",
    "J07": "a line is missing, doubled or moved",
    "J08": "a line or the one before was changed",
    "J09": "a line names its rules without a change",
    "J10": "an entry cannot be read",
    "J11": "a veiled entry cannot be read",
    "J12": "the value of an entry is wrong",
    "J13": "a redo names what was not undone",
    "J14": "a checkpoint is of no place in this file",
    "J15": "the file was not imported so",
    "J16": "a roll was thrown again",
    "J20": "played again it comes to a stop",
    "J21": "the state of a checkpoint is not what its entries come to",
    "J22": "the log of a checkpoint is not what its entries tell",
    "J23": "side or secrecy of an entry is not that of its question",
    "J24": "dice are not those of the seed",
    "J25": "the source of the dice is wrong",
    "J26": "the books do not balance",
    "J30": "no line has that fingerprint",
}
"""The table of ``docs/engineers/journal.md``."""


class JournalFault(PBCGError):
    """Something in a line that does not fit; ``code`` is its number in the table."""

    def __init__(self, code: str, words: str) -> None:
        super().__init__(words)
        self.code = code


class Damaged(PBCGError):
    """A campaign file that is not whole; ``pbcg rescue`` may keep a part of it.

    ``code`` is the number of the fault, ``line`` the number of the line, 0 for the whole file.
    """

    def __init__(self, path: Path | None, fault: JournalFault, line: int = 0) -> None:
        self.code, self.line, self.words = fault.code, line, str(fault)
        if fault.code in ("J01", "J02"):
            super().__init__(f"{path} {fault} ({fault.code}).")
            return
        where = f" in line {line}" if line else ""
        rescue = quotation(to_type("pbcg", "rescue", path or "FILE", "-o", "NEW"))
        super().__init__(
            f"{path} is damaged{where}: {fault} ({fault.code}). {rescue} keeps what can be kept."
        )


class WriteFailed(PBCGError):
    """The disk refused a write; the file is as it was before."""


class ChangedUnderneath(WriteFailed):
    """The file is no longer what this program last read or wrote; nothing was written to it."""

    def __init__(self, path: Path, how: str, missing: int = 0, copy: Path | None = None) -> None:
        self.path, self.how = path, how
        saved = ""
        if copy:
            entries = number_words(missing, "entry", "entries")
            saved = (
                f" It no longer holds {entries} acknowledged before: {copy} is the file with "
                f"{'it' if missing == 1 else 'them'}."
            )
        super().__init__(
            f"{path} {how} since this program last read it. Nothing was written to it.{saved} "
            "It must be read again to go on; what you just answered is not kept yet."
        )
