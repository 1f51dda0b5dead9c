"""Playing many games by itself: on one core, on several, or on a Dask cluster.

Each game has its number, and everything random in it comes from the seed and that number. So
the same seed gives the same results however the games are shared out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice, repeat
from typing import Any, Final

import msgspec

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.slow_libraries import numpy as np
from asl_pbcg.kernel.slow_libraries import pandas as pd
from asl_pbcg.st.board.map import GameMap
from asl_pbcg.st.player.automatic_game import Player, RandomDice, game_on, packed_map, play
from asl_pbcg.st.player.expert import ExpertPlayer
from asl_pbcg.st.player.policy import PolicyName, player
from asl_pbcg.st.player.workers import share_out
from asl_pbcg.st.rules.area_game_steps import AreaGame
from asl_pbcg.st.rules.scoring import victory_chart
from asl_pbcg.st.settings import ST_RULINGS
from asl_pbcg.st.state.game_state import State

MAX_CHUNK: Final = 16
"""Games that a worker plays at most before it reports: who gives them work must keep up."""
MAX_GAMES: Final = 1_000_000


class Spec(msgspec.Struct, frozen=True, kw_only=True):
    """A simulation: who plays the British, the seed, the settings, the map."""

    policy: PolicyName
    seed: int = 0
    settings: dict[str, Any] = {}
    area_map: bytes = b""
    """The map as JSON; empty for the shipped one."""

    @classmethod
    def of(
        cls, policy: PolicyName, seed: int, settings: dict[str, Any], area_map: GameMap | None
    ) -> Spec:
        """Return the spec for these settings, on the shipped map if ``area_map`` is None.

        Raises FaultsError for settings that are none.
        """
        ST_RULINGS.settings(settings)
        data = packed_map(area_map) if area_map else b""
        return cls(policy=policy, seed=seed, settings=settings, area_map=data)


def columns() -> tuple[str, ...]:
    """Return the columns of a game: VP, level, the count of each line of the chart, the forces."""
    return ("vp", "level", *victory_chart().points, "decisions", *WORDS)


WORDS: Final = ("chit", "german_force", "british_force")
"""Columns that hold a letter or digit."""


def play_game(spec: Spec, number: int) -> tuple[int, ...]:
    """Play game ``number`` of ``spec`` to its end; the values of :func:`columns`, as numbers."""
    game = game_on(spec.area_map)
    seed = f"{spec.seed}/{number}"
    decisions = 0

    def count(_: Any) -> None:
        nonlocal decisions
        decisions += 1

    state = game.begin(spec.settings)
    for after in play(game, state, _player(spec, game, seed), RandomDice(seed), count):
        state = after
    return (*_values(state), min(decisions, 32767), *(_code(getattr(state, w)) for w in WORDS))


def _player(spec: Spec, game: AreaGame, seed: str) -> Player:
    if spec.policy == "expert":
        return ExpertPlayer(seed, game)
    return player(spec.policy, seed)


def _values(state: State) -> Iterator[int]:
    result = state.result
    assert result
    yield result.vp
    yield victory_chart().levels.index(result.level)
    counted = {score.item: score.count for score in result.scores}
    for item in victory_chart().points:
        yield counted[item]


def _code(word: str) -> int:
    return ord(word) if word else 0


def play_chunk(spec: Spec, numbers: Sequence[int]) -> list[tuple[int, ...]]:
    """Play several games; says which one if one goes wrong."""
    played = []
    for number in numbers:
        try:
            played.append(play_game(spec, number))
        except Exception as error:
            raise RuntimeError(f"game {number} of seed {spec.seed}: {error!r}") from error
    return played


Tell = Callable[["SimulatedGames", Sequence[int]], None]


class SimulatedGames:
    """The games played so far, in little room: the same few bytes for each game."""

    def __init__(self, spec: Spec, games: int) -> None:
        if not 1 <= games <= MAX_GAMES:
            raise PBCGError(f"{games} games is not possible: 1 to {MAX_GAMES} is.")
        self.spec = spec
        self.games = games
        self.columns = columns()
        self._values = np.zeros((games, len(self.columns)), np.int16)
        self._is_done = np.zeros(games, bool)

    @property
    def done(self) -> int:
        """Return how many games are done."""
        return int(np.count_nonzero(self._is_done))

    def keep(self, number: int, values: Sequence[int]) -> None:
        """Keep what came of game ``number`` (from 1)."""
        self._values[number - 1] = values
        self._is_done[number - 1] = True

    def numbers(self, done: bool = True) -> list[int]:
        """Return the numbers of the games that are done, or of those that are not."""
        numbers: list[int] = (np.flatnonzero(self._is_done == done) + 1).tolist()
        return numbers

    def values(self, number: int) -> tuple[int, ...]:
        """Return what is kept of game ``number``, as numbers."""
        return tuple(self._values[number - 1].tolist())

    def column(self, name: str) -> list[int]:
        """Return one value of each game that is done, in order."""
        values: list[int] = self._values[self._is_done, self.columns.index(name)].tolist()
        return values

    def play_on(self, jobs: int = 1, dask: str = "", tell: Tell | None = None) -> None:
        """Play the games that are left on ``jobs`` cores, or on the Dask scheduler at ``dask``.

        ``tell`` hears the results so far whenever some games are done, and the numbers of these.
        Ctrl-C stops and keeps what is done.
        Raises PBCGError if there is no such scheduler or workers are lost.
        """

        def keep(chunk: Sequence[int], values_of: list[tuple[int, ...]]) -> None:
            for number, values in zip(chunk, values_of, strict=True):
                self.keep(number, values)
            if tell:
                tell(self, chunk)

        def chunks(workers: int) -> Iterator[Sequence[int]]:
            left = self.games - self.done
            alone = workers == 1 and not dask
            sizes = repeat(1, left) if alone else chunk_sizes(self.spec.policy, left, workers)
            return _chunks(self, sizes)

        with suppress(KeyboardInterrupt):  # what is done is kept
            share_out(partial(play_chunk, self.spec), chunks, keep, jobs, dask)

    def table(self) -> pd.DataFrame:
        """Return each game that is done, in order: its number and what is kept of it.

        Levels and words are categories, for there may be a million games.
        """
        table = pd.DataFrame({"game": np.asarray(self.numbers(), np.int32)})
        for name, column in zip(self.columns, self._values[self._is_done].T, strict=True):
            if name == "level":
                levels = pd.Index(victory_chart().levels)
                table[name] = pd.Categorical.from_codes(column, levels)
            elif name in WORDS:
                letters, codes = np.unique(column, return_inverse=True)
                words = [chr(letter) if letter else "" for letter in letters]
                table[name] = pd.Categorical.from_codes(codes, pd.Index(words))
            else:
                table[name] = column
        return table

    def rows(self) -> list[dict[str, Any]]:
        """Return the games of the table as plain data."""
        return [
            {str(key): value for key, value in row.items()}
            for row in self.table().to_dict("records")
        ]


def simulate(
    spec: Spec, games: int, jobs: int = 1, dask: str = "", tell: Tell | None = None
) -> SimulatedGames:
    """Play ``games`` games of ``spec``, as ``SimulatedGames.play_on`` does, and return them."""
    results = SimulatedGames(spec, games)
    results.play_on(jobs, dask, tell)
    return results


def _chunks(results: SimulatedGames, sizes: Iterable[int]) -> Iterator[Sequence[int]]:
    """Yield the numbers of the games that are not done, so many at a time."""
    left = iter(results.numbers(done=False))
    for size in sizes:
        if chunk := list(islice(left, size)):
            yield chunk


def chunk_sizes(policy: PolicyName, left: int, workers: int) -> Iterator[int]:
    """How many games a worker plays each time before it reports, if ``left`` are to be played.

    Chunks get smaller towards the end, so that all workers end together; an expert's game is one
    by itself.
    """
    while left:
        size = 1 if policy == "expert" else max(1, min(MAX_CHUNK, left // (4 * workers)))
        yield size
        left -= size
