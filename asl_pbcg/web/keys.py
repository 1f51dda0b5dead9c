"""Keys of a served folder: each stands for one viewer, and a wrong one gets nothing."""

from __future__ import annotations

import hmac
import os
import secrets
from pathlib import Path
from typing import Final, Literal, get_args

import msgspec

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import write_atomic
from asl_pbcg.kernel.textfiles import read_limited
from asl_pbcg.web.served_names import ServedName

Viewer = Literal["both", "british", "german", "umpire"]
VIEWERS: Final[tuple[Viewer, ...]] = get_args(Viewer)
FILE: Final = ".pbcg-keys.json"
"""Beside the games, so that a page goes on with its key after the server was started again."""
MAX_BYTES: Final = 1024 * 1024
"""So many bytes of the file are read; its keys have about 200."""


class KeptKeys(msgspec.Struct, frozen=True):
    """The keys file: a key a viewer, and the names under which the folder is served."""

    both: str = ""
    british: str = ""
    german: str = ""
    umpire: str = ""
    hosts: tuple[ServedName, ...] = ()


class Keys:
    """The keys of the folder ``folder``, one a viewer; kept in a file only its owner can read.

    ``names`` are those of a tunnel or VPN; None leaves the ones that are kept.

    With ``again`` all keys are made new, and pages with an old one are shut out. Keys of a folder
    that cannot be written are kept in memory alone. Raises PBCGError for a keys file that is not
    one (a folder, a pipe, or far too large), and if old keys cannot be replaced ``again``.
    """

    def __init__(
        self, folder: Path, again: bool = False, names: tuple[ServedName, ...] | None = None
    ) -> None:
        self._file = folder / FILE
        kept = _read(self._file)
        self.names = kept.hosts if names is None else names
        old: dict[Viewer, str] = {} if again else _keys_in(kept)
        self._keys: dict[Viewer, str] = {
            viewer: old.get(viewer) or secrets.token_urlsafe(24) for viewer in VIEWERS
        }
        if self._keys != old or self.names != kept.hosts:
            self._write(self._keys)

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

        Raises PBCGError where the new one cannot be kept; all keys are then as before.
        """
        changed = {**self._keys, viewer: secrets.token_urlsafe(24)}
        self._write(changed)
        self._keys = changed
        return changed[viewer]

    def _write(self, keys: dict[Viewer, str]) -> None:
        """Write ``keys`` in one move; a folder without a keys file may refuse one.

        Raises PBCGError where older keys stand in the file and stay there.
        """
        content = KeptKeys(**keys, hosts=self.names)
        try:
            write_atomic(self._file, msgspec.json.encode(content), private=True)
        except PBCGError as error:
            if os.path.lexists(self._file):
                raise PBCGError(f"{error} The keys stay as they are.") from error


def _read(file: Path) -> KeptKeys:
    if not file.exists():
        return KeptKeys()
    try:
        return msgspec.json.decode(read_limited(file, MAX_BYTES), type=KeptKeys)
    except (msgspec.DecodeError, RecursionError):
        return KeptKeys()  # damaged: keys are made again
    except PBCGError as error:
        raise PBCGError(f"{error} Keys of pbcg serve are kept there: move it away.") from error


def _keys_in(kept: KeptKeys) -> dict[Viewer, str]:
    return {name: key for name in VIEWERS if 20 <= len(key := getattr(kept, name)) <= 200}
