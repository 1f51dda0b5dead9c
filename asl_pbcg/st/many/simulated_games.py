"""Simulated games in a file, one per line, kept as soon as they are done and reused later.

A game depends on its spec and its number alone. ``simulate_once`` caches the games of a spec under
the fingerprint of the rules, data and players that they were played by; deleting that file costs
playing them again, nothing else.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from asl_pbcg.kernel.canonical import digest
from asl_pbcg.kernel.journal_cache import cache_folder, keep_newest
from asl_pbcg.kernel.rules_print import rules_fingerprint
from asl_pbcg.kernel.textfiles import BYTE_ORDER_MARK
from asl_pbcg.st.many.sim import SimulatedGames, Spec, Tell, columns
from asl_pbcg.st.rules.area_game_steps import AreaGame


class GamesFile:
    """The games of a simulation that are kept in a file, up to a number; others can be added."""

    def __init__(self, path: Path, spec: Spec, games: int) -> None:
        """Read what is kept at ``path``, if anything is. Raises OSError."""
        self._path = path
        self.results = SimulatedGames(spec, games)
        if path.exists():
            _cut_half_a_line(path)
            with path.open(encoding="utf-8-sig", errors="replace", newline="") as stream:
                for row in csv.reader(stream):
                    if (game := _game_of(row)) and game[0] <= games:
                        self.results.keep(game[0], game[1:])

    def play_on(self, jobs: int, dask: str, tell: Tell) -> None:
        """Play and keep the games that are left, as ``SimulatedGames.play_on`` does.

        After Ctrl-C what is done is kept. Raises OSError where nothing can be written.
        """
        with self._path.open("a", encoding="utf-8", newline="") as stream:
            if not stream.tell():
                stream.write(BYTE_ORDER_MARK)

            def keep(results: SimulatedGames, games: Sequence[int]) -> None:
                for game in games:
                    stream.write(f"{game},{','.join(map(str, results.values(game)))}\r\n")
                stream.flush()
                tell(results, games)

            self.results.play_on(jobs, dask, keep)


def _game_of(row: Sequence[str]) -> tuple[int, ...]:
    """Return a game as it is kept in a line, its number first; nothing for a line that is none."""
    if len(row) != len(columns()) + 1:
        return ()
    try:
        game = tuple(map(int, row))
    except ValueError:
        return ()
    return game if game[0] >= 1 and all(-32768 <= value <= 32767 for value in game[1:]) else ()


def _cut_half_a_line(path: Path) -> None:
    """Take away what a kill left of a last line: the next one would be written behind it."""
    with path.open("rb+") as stream:
        size = stream.seek(0, io.SEEK_END)
        at = max(0, size - 4096)
        stream.seek(at)
        stream.truncate(at + stream.read().rfind(b"\n") + 1)


MAX_FILES: Final = 24
"""So many files of games are cached."""


def simulate_once(spec: Spec, games: int, jobs: int, dask: str, tell: Tell) -> SimulatedGames:
    """Return the first ``games`` games of ``spec``: cached ones, the others played as usual.

    After Ctrl-C there are fewer. Where nothing can be cached all are played.
    """
    results = SimulatedGames(spec, games)
    if file := _file_of(spec):
        # Without a folder or room in it, what was read and played counts all the same.
        with suppress(OSError):
            keep_newest(file.parent, file.suffix, MAX_FILES)
            cached = GamesFile(file, spec, games)
            results = cached.results
            cached.play_on(jobs, dask, tell)
            return results
    results.play_on(jobs, dask, tell)
    return results


def _file_of(spec: Spec) -> Path | None:
    folder = cache_folder("games")
    if folder is None:
        return None
    rules = rules_fingerprint(*AreaGame.rules_of)
    about = msgspec.json.encode((rules, spec), order="deterministic")
    return folder / f"{digest(about)}.csv"
