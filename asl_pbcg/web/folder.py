"""The served folder: which game files there are, each with an ID that says nothing of its name."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import os
from pathlib import Path
from typing import Any, Final

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import check_file_name, make_new, reason
from asl_pbcg.kernel.journal import is_game_file
from asl_pbcg.kernel.journal_file import JournalFile, read_file
from asl_pbcg.web.served_game import ServedGame

SUFFIX = ".pbcg"
SUFFIXES = (SUFFIX, ".mega")
"""How the game files that are shown end; a new one ends as the first."""
LONGEST = 200
"""So many bytes may the name of a new game file have: what is kept beside it has a longer one."""
ON_CARD = ("kind", "called", "title", "date", "waiting_for", "next", "played")
DELETED: Final = "deleted games"
"""The folder, beside the games, that deleted ones are moved into."""


class NoGame(PBCGError):
    """There is no such game, or not for this viewer."""

    def __init__(self) -> None:
        super().__init__("There is no such game.")


class Folder:
    """The games of the folder ``path``, or the single file ``only`` of it."""

    def __init__(self, path: Path, only: Path | None = None) -> None:
        self.path = path
        self._only = only
        self._rooms: dict[str, ServedGame] = {}

    def files(self) -> list[Path]:
        """The game files, by name."""
        if self._only:
            return [self._only]
        found = [e for e in self.path.iterdir() if e.suffix in ("", *SUFFIXES) and e.is_file()]
        # Who typed "pbcg new evening" finds that game too.
        games = (each for each in found if each.suffix or is_game_file(each))
        return sorted(games, key=lambda each: each.name.lower())

    def rooms(self) -> list[ServedGame]:
        """The rooms that somebody has entered."""
        return list(self._rooms.values())

    def room(self, id: str) -> ServedGame:
        """The room of the game ``id``. Raises NoGame."""
        if id in self._rooms and self._rooms[id].path.exists():
            return self._rooms[id]
        for file in self.files():
            if game_id(file) == id:
                room = self._rooms[id] = ServedGame(file, id)
                return room
        raise NoGame

    def by_time(self) -> list[Path]:
        """The game files, the one that was written last first."""
        times = {}
        for file in self.files():
            with contextlib.suppress(OSError):  # gone in this moment
                times[file] = file.stat().st_mtime
        return sorted(times, key=lambda each: -times[each])

    def card(self, file: Path, viewer: str, read: bool = True) -> dict[str, Any]:
        """Return the card of a game for the home page, as ``viewer`` may see it.

        Unless it is ``read`` there is only the name on it.
        """
        id = game_id(file)
        nothing: dict[str, Any] = {**dict.fromkeys(ON_CARD, ""), "features": [], "fault": ""}
        about = {**nothing, "id": id, "file": file.name, "read": read}
        if not read:
            return about
        try:
            state = self.room(id).state(viewer)
        except PBCGError as error:
            return {**about, "fault": self.sentence(error)}
        return {**about, **{name: state[name] for name in (*ON_CARD, "features")}}

    def sentence(self, error: PBCGError) -> str:
        """Return the words of an error, but not where on this machine the folder lies."""
        return str(error).replace(f"{self.path}{os.sep}", "")

    def new_file(self, name: str, suffix: str = SUFFIX) -> Path:
        """The path of a new game called ``name``. Raises PBCGError if it is none or taken."""
        self._check_whole()
        stem = name.strip().removesuffix(suffix)
        if not stem or stem.startswith("."):
            raise PBCGError("A game's name has letters or numbers, and no dot at its beginning.")
        check_file_name(stem)
        path = self.path / f"{stem}{suffix}"
        if len(path.name.encode()) > LONGEST:
            raise PBCGError("This name is too long for a file: choose a shorter one.")
        if path.exists():
            raise PBCGError(f"There is a game called {path.stem} already: choose another name.")
        return path

    def _check_whole(self) -> None:
        if self._only:
            raise PBCGError("Only one game is served here: start pbcg serve with the folder.")

    def rename(self, id: str, name: str) -> Path:
        """Give a game another name; what is kept beside it goes along.

        Raises PBCGError if the name is none or taken, or another program plays the game.
        """
        file = self.room(id).path
        path = self.new_file(name, file.suffix)
        self._move(id, path)
        return path

    def copy(self, id: str, name: str) -> Path:
        """Copy a game under another name, as it stands. Raises PBCGError as ``rename`` does."""
        file = self.room(id).path
        path = self.new_file(name, file.suffix)
        make_new(path, read_file(file))
        return path

    def delete(self, id: str) -> Path:
        """Move a game into the folder of deleted games. Raises PBCGError as ``rename`` does."""
        self._check_whole()
        file = self.room(id).path
        folder = self.path / DELETED
        try:
            folder.mkdir(exist_ok=True)
        except OSError as error:
            raise PBCGError(f'"{DELETED}" could not be made: {reason(error)}.') from error
        names = (f"{file.stem}{f' {n}' if n > 1 else ''}{file.suffix}" for n in itertools.count(1))
        path = next(folder / name for name in names if not (folder / name).exists())
        self._move(id, path)
        return path

    def _move(self, id: str, path: Path) -> None:
        room = self.room(id)
        file = room.path
        room.close()
        held = JournalFile(file)  # nobody plays it meanwhile
        try:
            beside = [each for each in file.parent.glob(".*") if each.is_file()]
            file.rename(path)
            for each in beside:
                if each.name.startswith(f".{file.name}.") and each.suffix == ".json":
                    each.rename(path.with_name(each.name.replace(file.name, path.name, 1)))
        except OSError as error:
            raise PBCGError(f"{file} could not be moved: {reason(error)}.") from error
        finally:
            held.close()
        del self._rooms[id]
        room.tell()

    def close(self) -> None:
        """Let all files go."""
        for room in self._rooms.values():
            room.close()


def game_id(file: Path) -> str:
    """The ID of the game in ``file``: the same as long as the file keeps its name."""
    return hashlib.sha256(file.name.encode("utf-8", "surrogatepass")).hexdigest()[:16]
