"""Keys of a served folder: each stands for one viewer, and a wrong one gets nothing."""

from __future__ import annotations

import hmac
import secrets
from pathlib import Path
from typing import Final, Literal, get_args

import msgspec

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import write_atomic
from asl_pbcg.kernel.textfiles import read_limited

Viewer = Literal["both", "british", "german", "umpire"]
VIEWERS: Final[tuple[Viewer, ...]] = get_args(Viewer)
FILE: Final = ".pbcg-keys.json"
"""Beside the games, so that a page goes on with its key after the server was started again."""
MAX_BYTES: Final = 1024 * 1024
"""So many bytes of the file are read; its keys have about 200."""


class Keys:
    """The keys of the folder ``folder``, one a viewer; kept in a file only its owner can read.

    With ``again`` all keys are made new, and pages with an old one are shut out. A folder that
    cannot be written keeps its keys in memory alone. Raises PBCGError for a keys file that is
    none (a folder, a pipe, or far too large), and if old keys cannot be removed ``again``.
    """

    def __init__(self, folder: Path, again: bool = False) -> None:
        self._file = folder / FILE
        kept = {} if again else _read(self._file)
        self._keys: dict[Viewer, str] = {
            viewer: kept.get(viewer) or secrets.token_urlsafe(24) for viewer in VIEWERS
        }
        if self._keys != kept:
            try:
                self._write()
            except PBCGError:
                if again:
                    raise

    def __getitem__(self, viewer: Viewer) -> str:
        return self._keys[viewer]

    def viewer_of(self, key: str) -> Viewer | None:
        """Return the viewer of a key, None for a wrong one; always takes the same time."""
        match: Viewer | None = None
        given = key.encode("utf-8", "replace")
        for viewer, own in self._keys.items():
            if hmac.compare_digest(own.encode(), given):
                match = viewer
        return match

    def renew(self, viewer: Viewer) -> str:
        """Make a new key for ``viewer``; the old one is worth nothing from now on.

        Raises PBCGError, and the old one stays, where it would be valid again after a restart.
        """
        old = self._keys[viewer]
        self._keys[viewer] = secrets.token_urlsafe(24)
        try:
            self._write()
        except PBCGError:
            self._keys[viewer] = old
            raise
        return self._keys[viewer]

    def _write(self) -> None:
        """Write the keys; where there is no room remove the file, so that no old key is read again.

        Raises PBCGError if the file can neither be written nor removed.
        """
        try:
            write_atomic(self._file, msgspec.json.encode(self._keys), private=True)
        except PBCGError as error:
            try:
                if self._file.exists():
                    self._file.unlink()
            except OSError:
                raise PBCGError(
                    f"The keys stay as they are: {self._file.name} cannot be written. Stop the "
                    "server, delete this file and start the server again."
                ) from error


def _read(file: Path) -> dict[Viewer, str]:
    if not file.exists():
        return {}
    try:
        found = msgspec.json.decode(read_limited(file, MAX_BYTES), type=dict[str, str])
    except (msgspec.DecodeError, RecursionError):
        return {}  # damaged: keys are made again
    except PBCGError as error:
        raise PBCGError(f"{error} Keys of pbcg serve are kept there: move it away.") from error
    return {name: key for name in VIEWERS if 20 <= len(key := found.get(name, "")) <= 200}
