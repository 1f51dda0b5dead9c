"""Position files: YAML, JSON and Excel, told apart by their suffix."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from asl_pbcg.campaign.catalogue import Catalogue
from asl_pbcg.campaign.position import Position
from asl_pbcg.campaign.position_check import Checked, check_raw, read_unchecked
from asl_pbcg.campaign.position_fields import is_counted
from asl_pbcg.campaign.position_raw import Raw
from asl_pbcg.kernel.errors import PBCGError

if TYPE_CHECKING:
    from asl_pbcg.campaign.board import Board

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
    """The position in the file ``path``; nothing of it is taken unless all of it is right.

    Raises FaultsError with every fault at once, PBCGError if it is no position file.
    """
    return read_checked(path, board, catalogue).position


def read_to_go_on(path: Path, board: Board, catalogue: Catalogue) -> Position:
    """The position in the file ``path`` to go on with in an editor, its faults among the parts too.

    Raises FaultsError with what cannot be read, PBCGError if it is no position file.
    """
    raw = read_raw_position(path)
    if is_counted(raw.data):
        return read_position(path, board, catalogue)
    return read_unchecked(raw, board, catalogue)


def read_checked(
    path: Path, board: Board | None = None, catalogue: Catalogue | None = None
) -> Checked:
    """As read_position, with what in the position is worth a second look."""
    from asl_pbcg.campaign.board import load_board

    raw = read_raw_position(path)
    board = board or load_board()
    if is_counted(raw.data):
        from asl_pbcg.campaign.catalogue import load_catalogue
        from asl_pbcg.campaign.position_counts import with_ids
        from asl_pbcg.kernel.dialogue import by_default

        raw, _ = by_default(with_ids(raw, None, board, catalogue or load_catalogue()))
    return check_raw(raw, board, catalogue)


def read_raw_position(path: Path) -> Raw:
    """What a position file says, not yet checked; PBCGError if it cannot be read."""
    suffix = _suffix(path, also=", or VASL saves (.vsav)")
    if suffix == ".xlsx":
        from asl_pbcg.campaign.position_excel_read import read_raw

        return read_raw(path)
    return _read_text(path, suffix)


def _read_text(path: Path, suffix: str) -> Raw:
    from asl_pbcg.kernel.textfiles import parse_json, parse_yaml, read_text

    text = read_text(path, TEXT_LIMIT)
    if not text.strip():
        raise PBCGError(f"{path} is empty.")
    return Raw(str(path), (parse_json if suffix == ".json" else parse_yaml)(text, str(path)))


def write_position(
    position: Position, path: Path, neither: Sequence[str] = (), paper: str = "a4"
) -> None:
    """Put ``position`` at ``path``, as its suffix says, so that it reads back the same.

    ``neither`` are Locations that nobody Controls, for players to put under a side; a workbook is
    printed on ``paper``. Raises
    PBCGError for another suffix or a file that cannot be written.
    """
    from asl_pbcg.kernel.files import write_atomic

    write_atomic(path, _content(position, _suffix(path), neither, paper))


def write_template(path: Path, paper: str = "a4") -> None:
    """Put an empty position at ``path`` for players to fill in; only its date is missing.

    A workbook is printed on ``paper``.
    """
    from asl_pbcg.kernel.files import write_atomic

    write_atomic(path, _content(None, _suffix(path), (), paper))


def _content(
    position: Position | None, suffix: str, neither: Sequence[str], paper: str
) -> str | bytes:
    if suffix == ".xlsx":
        from asl_pbcg.campaign.position_excel_write import to_workbook
        from asl_pbcg.records.layout import Paper

        return to_workbook(position, neither, Paper.parse(paper))
    from asl_pbcg.campaign import position_text

    if suffix == ".json":
        return (
            position_text.to_json(position, neither) if position else position_text.json_template()
        )
    return position_text.to_yaml(position, neither) if position else position_text.yaml_template()


def _suffix(path: Path, also: str = "") -> str:
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        what, also = (_OTHERS[suffix], "") if suffix in _OTHERS else ("no position file", also)
        raise PBCGError(f"{path} is {what}. Positions are .yaml, .json or .xlsx files{also}.")
    return suffix
