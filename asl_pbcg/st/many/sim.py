"""Playing many games by itself: on one core, on several, or on a Dask cluster.

Each game has its number, and everything random in it comes from the seed and that number. So
the same seed gives the same results however the games are shared out.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice, repeat
from typing import Any, Final

import msgspec

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.st.board.map import AreaMap
from asl_pbcg.st.game import AreaGame
from asl_pbcg.st.many.run import Player, RandomDice, game_on, packed_map, play
from asl_pbcg.st.many.workers import share_out
from asl_pbcg.st.player.policy import PolicyName, player
from asl_pbcg.st.rules.scoring import victory_chart
from asl_pbcg.st.rules.state import State
from asl_pbcg.st.settings import ST_RULINGS
from asl_pbcg.st.thinking.expert import ExpertPlayer

MOST_CHUNK: Final = 64
"""Games that a worker plays at most before it reports: who gives them work must keep up."""
MOST_GAMES: Final = 1_000_000


class Spec(msgspec.Struct, frozen=True, kw_only=True):
    """What is simulated: who plays the British, the seed, the settings, the map."""

    policy: PolicyName
    seed: int = 0
    settings: dict[str, Any] = {}
    area_map: bytes = b""
    """The map as JSON; empty for the shipped one."""

    @classmethod
    def of(
        cls, policy: PolicyName, seed: int, settings: dict[str, Any], area_map: AreaMap | None
    ) -> Spec:
        """The spec for these settings, on the shipped map if ``area_map`` is None.

        Raises FaultsError for settings that are none.
        """
        ST_RULINGS.settings(settings)
        data = packed_map(area_map) if area_map else b""
        return cls(policy=policy, seed=seed, settings=settings, area_map=data)


def columns() -> tuple[str, ...]:
    """What is kept of a game: VP, level, the count of each line of the chart, the forces."""
    return ("vp", "level", *victory_chart().points, "decisions", *WORDS)


WORDS: Final = ("chit", "german_force", "british_force")
"""What is kept as a letter or digit."""


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
    found = []
    for number in numbers:
        try:
            found.append(play_game(spec, number))
        except Exception as error:
            raise RuntimeError(f"game {number} of seed {spec.seed}: {error!r}") from error
    return found


class Results:
    """The games played so far, in little room: the same few bytes for each game."""

    def __init__(self, spec: Spec, games: int) -> None:
        if not 1 <= games <= MOST_GAMES:
            raise PBCGError(f"{games} games is not possible: 1 to {MOST_GAMES} is.")
        self.spec = spec
        self.games = games
        self.columns = columns()
        self._values = array("h", bytes(2 * games * len(self.columns)))
        self._done = bytearray(games)
        self.done = 0

    def keep(self, number: int, values: Sequence[int]) -> None:
        """Keep what came of game ``number`` (from 1)."""
        wide = len(self.columns)
        self._values[(number - 1) * wide : number * wide] = array("h", values)
        self.done += not self._done[number - 1]
        self._done[number - 1] = 1

    def numbers(self) -> list[int]:
        """The numbers of the games that are done."""
        return [number for number, done in enumerate(self._done, 1) if done]

    def games_left(self) -> list[int]:
        """The numbers of the games that are not done."""
        return [number for number, done in enumerate(self._done, 1) if not done]

    def values(self, number: int) -> tuple[int, ...]:
        """What is kept of game ``number``, as numbers."""
        wide = len(self.columns)
        return tuple(self._values[(number - 1) * wide : number * wide])

    @property
    def stored(self) -> memoryview:
        """All values, game after game; zeros where a game is not done."""
        return memoryview(self._values)

    def column(self, name: str) -> list[int]:
        """One value of each game that is done, in order."""
        wide, at = len(self.columns), self.columns.index(name)
        return [self._values[(number - 1) * wide + at] for number in self.numbers()]

    def rows(self) -> Iterator[dict[str, Any]]:
        """Each game that is done, in order: its number and what is kept of it, levels by name."""
        wide = len(self.columns)
        levels = victory_chart().levels
        for number in self.numbers():
            values = self._values[(number - 1) * wide : number * wide]
            row: dict[str, Any] = {"game": number, **zip_columns(self.columns, values)}
            row["level"] = levels[row["level"]]
            for word in WORDS:
                row[word] = chr(row[word]) if row[word] else ""
            yield row


def zip_columns(names: Sequence[str], values: Sequence[int]) -> dict[str, Any]:
    """The values by their names."""
    return dict(zip(names, values, strict=True))


Tell = Callable[[Results, Sequence[int]], None]


def simulate(
    spec: Spec,
    games: int,
    jobs: int = 1,
    dask: str = "",
    tell: Tell | None = None,
    begun: Results | None = None,
) -> Results:
    """Play ``games`` games on ``jobs`` cores, or on the Dask scheduler at ``dask``.

    ``begun`` has games that are done already and are not played again. ``tell`` hears the
    results so far whenever some games are done, and the numbers of these. Ctrl-C stops and keeps
    what is done.
    Raises PBCGError if there is no such scheduler or workers are lost.
    """
    results = begun or Results(spec, games)
    tell = tell or (lambda _, __: None)

    def keep(chunk: Sequence[int], found: list[tuple[int, ...]]) -> None:
        for number, values in zip(chunk, found, strict=True):
            results.keep(number, values)
        tell(results, chunk)

    def chunks(workers: int) -> Iterator[Sequence[int]]:
        left = results.games - results.done
        alone = workers == 1 and not dask
        sizes = repeat(1, left) if alone else chunk_sizes(spec.policy, left, workers)
        return _chunks(results, sizes)

    with suppress(KeyboardInterrupt):  # what is done is kept
        share_out(partial(play_chunk, spec), chunks, keep, jobs, dask)
    return results


def _chunks(results: Results, sizes: Iterable[int]) -> Iterator[Sequence[int]]:
    """The numbers of the games that are not done, so many at a time."""
    left = iter(results.games_left())
    for size in sizes:
        if chunk := list(islice(left, size)):
            yield chunk


def chunk_sizes(policy: PolicyName, left: int, workers: int) -> Iterator[int]:
    """How many games a worker plays each time before it reports, if ``left`` are to be played.

    Chunks get smaller towards the end, so that all workers end together; an expert's game is one
    by itself.
    """
    while left:
        size = 1 if policy == "expert" else max(1, min(MOST_CHUNK, left // (4 * workers)))
        yield size
        left -= size
