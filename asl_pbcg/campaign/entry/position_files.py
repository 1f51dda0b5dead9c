"""Position files: YAML, JSON and Excel, told apart by their suffix."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from asl_pbcg.campaign.board.board import Board, load_board
from asl_pbcg.campaign.entry import position_text
from asl_pbcg.campaign.entry.position_check import Checked, check_rows
from asl_pbcg.campaign.entry.position_counts import read_rows
from asl_pbcg.campaign.entry.position_raw import Raw, with_names
from asl_pbcg.campaign.module.catalogue import Catalogue
from asl_pbcg.campaign.position import Position
from asl_pbcg.kernel.answers import by_default
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import write_atomic
from asl_pbcg.kernel.textfiles import parse_json, parse_yaml, read_text

if TYPE_CHECKING:
    from asl_pbcg.campaign.entry.position_workbook import WorkbookLayout

TEXT_LIMIT = 1024 * 1024  # bytes; a full position of both sides has about 30,000
SUFFIXES = (".yaml", ".yml", ".json", ".xlsx")
_OTHERS = {
    ".xls": "an old Excel file: save it as .xlsx",
    ".xlsm": "a workbook with macros: save it as .xlsx",
    ".xlsb": "a binary workbook: save it as .xlsx",
    ".ods": "an OpenDocument file: save it as .xlsx",
    ".csv": "a comma table, which holds one list only: use .xlsx",
    ".vsav": "a VASL save: make a position of it with pbcg position from-vasl",
    ".vlog": "a VASL log: step through it to its end in VASL and save the game there, as .vsav",
    ".zip": "a zip archive: if it is a VASL save, let its name end in .vsav",
}


def read_position(
    path: Path, board: Board | None = None, catalogue: Catalogue | None = None
) -> Position:
    """Return the position in the file ``path``; nothing is taken unless all of it is right.

    Raises FaultsError with every fault at once, PBCGError if it is not a position file.
    """
    return read_checked(path, board, catalogue).position


def read_checked(
    path: Path, board: Board | None = None, catalogue: Catalogue | None = None, rules: bool = True
) -> Checked:
    """As read_position, with what in the position is worth a second look.

    Without ``rules`` it is one to go on with, whatever its parts say of each other.
    """
    arguments = read_raw_position(path), None, board or load_board(), catalogue
    rows, _ = by_default(read_rows(*arguments))
    return check_rows(rows, rules)


def read_raw_position(path: Path, layout: WorkbookLayout | None = None) -> Raw:
    """Return what a position file says, not yet checked; PBCGError if it cannot be read.

    A workbook may have another ``layout``.
    """
    suffix = _suffix(path, also=", or VASL saves (.vsav)")
    if suffix == ".xlsx":
        from asl_pbcg.campaign.entry import position_workbook

        return position_workbook.read_raw(path, layout)
    text = read_text(path, TEXT_LIMIT)
    if not text.strip():
        raise PBCGError(f"{path} is empty.")
    return Raw(str(path), (parse_json if suffix == ".json" else parse_yaml)(text, str(path)))


def write_position(
    position: Position, path: Path, neither: Sequence[str] = (), paper: str = "a4"
) -> None:
    """Put ``position`` at ``path``, as its suffix says, so that it reads back the same.

    ``neither`` are Locations that no side Controls, for players to put under a side; a workbook
    is printed on ``paper``. Raises PBCGError for another suffix or a file that cannot be written.
    """
    write_atomic(path, _content(position, _suffix(path), neither, paper))


def write_template(path: Path, paper: str = "a4") -> None:
    """Put an empty position at ``path`` for players to fill in; only its date is missing.

    A workbook is printed on ``paper``.
    """
    write_atomic(path, _content(None, _suffix(path), (), paper))


def _content(
    position: Position | None, suffix: str, neither: Sequence[str], paper: str
) -> str | bytes:
    position = with_names(position) if position else None
    if suffix == ".xlsx":
        from asl_pbcg.campaign.entry import position_excel_write

        return position_excel_write.to_workbook(position, neither, paper)
    if position is None:
        made = position_text.json_template if suffix == ".json" else position_text.yaml_template
        return made()
    write = position_text.to_json if suffix == ".json" else position_text.to_yaml
    return write(position, neither)


def _suffix(path: Path, also: str = "") -> str:
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        what, also = (_OTHERS[suffix], "") if suffix in _OTHERS else ("not a position file", also)
        raise PBCGError(f"{path} is {what}. Positions are .yaml, .json or .xlsx files{also}.")
    return suffix
