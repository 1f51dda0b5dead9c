"""Simulated games that are cached on this machine for whoever compares with the same ones again.

A game depends on its spec and its number alone. So the games of a spec lie in a file under the
fingerprint of the rules, data and players that they were played by; deleting it costs playing
them again, nothing else.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from asl_pbcg.kernel.canonical import digest
from asl_pbcg.kernel.journal_cache import cache_folder, keep_newest
from asl_pbcg.kernel.rules_print import rules_fingerprint
from asl_pbcg.st.game import AreaGame
from asl_pbcg.st.many.games_file import GamesFile
from asl_pbcg.st.many.sim import SimulatedGames, Spec, Tell, simulate

MAX_FILES: Final = 24
"""So many files of games are cached."""


def simulate_once(spec: Spec, games: int, jobs: int, dask: str, tell: Tell) -> SimulatedGames:
    """Return the first ``games`` games of ``spec``: cached ones, the others played as usual.

    After Ctrl-C there are fewer. Where nothing can be cached all are played.
    """
    results = None
    if file := _file_of(spec):
        # Without a folder or room in it, what was read and played counts all the same.
        with suppress(OSError):
            keep_newest(file.parent, file.suffix, MAX_FILES)
            cached = GamesFile(file, spec, games)
            results = cached.results
            cached.play_on(jobs, dask, tell)
            return results
    return simulate(spec, games, jobs, dask, tell, results)


def _file_of(spec: Spec) -> Path | None:
    folder = cache_folder("games")
    if folder is None:
        return None
    rules = rules_fingerprint(*AreaGame.rules_of)
    about = msgspec.json.encode((rules, spec), order="deterministic")
    return folder / f"{digest(about)}.csv"
