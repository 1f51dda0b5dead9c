"""The served folder: which game files there are, each with an ID that says nothing of its name."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.foreign_text import check_file_name
from asl_pbcg.kernel.journal import is_game_file
from asl_pbcg.web.served_game import ServedGame

SUFFIX = ".pbcg"
SUFFIXES = (SUFFIX, ".mega")
"""How the game files that are shown end; a new one ends as the first."""
LONGEST = 200
"""So many bytes may the name of a new game file have: what is kept beside it has a longer one."""
ON_CARD = ("kind", "called", "title", "date", "waiting_for", "next")


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
        self._cards: dict[str, tuple[tuple[int, int, str], dict[str, Any]]] = {}

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

    def cards(self, viewer: str) -> list[dict[str, Any]]:
        """Return a card of each game for the home page, as ``viewer`` may see it."""
        return [self._card(file, viewer) for file in self.files()]

    def _card(self, file: Path, viewer: str) -> dict[str, Any]:
        id = game_id(file)
        about: dict[str, Any] = {"id": id, "file": file.name, "fault": ""}
        try:
            state = self.room(id).state(viewer)
        except PBCGError as error:
            nothing = dict.fromkeys(ON_CARD, "")
            return {**about, **nothing, "features": [], "fault": self.sentence(error)}
        return {**about, **{name: state[name] for name in (*ON_CARD, "features")}}

    def sentence(self, error: PBCGError) -> str:
        """Return the words of an error, but not where on this machine the folder lies."""
        return str(error).replace(f"{self.path}{os.sep}", "")

    def new_file(self, name: str) -> Path:
        """The path of a new game called ``name``. Raises PBCGError if it is none or taken."""
        if self._only:
            raise PBCGError("Only one game is served here: start pbcg serve with the folder.")
        stem = name.strip().removesuffix(SUFFIX)
        if not stem or stem.startswith("."):
            raise PBCGError("A game's name has letters or numbers, and no dot at its beginning.")
        check_file_name(stem)
        path = self.path / f"{stem}{SUFFIX}"
        if len(path.name.encode()) > LONGEST:
            raise PBCGError("This name is too long for a file: choose a shorter one.")
        if path.exists():
            raise PBCGError(f"There is a game called {path.stem} already: choose another name.")
        return path

    def close(self) -> None:
        """Let all files go."""
        for room in self._rooms.values():
            room.close()


def game_id(file: Path) -> str:
    """The ID of the game in ``file``: the same as long as the file keeps its name."""
    return hashlib.sha256(file.name.encode("utf-8", "surrogatepass")).hexdigest()[:16]
