"""Studies: players, rulings and variants compared over many games with paired dice.

Every arm of a study plays the games of the same numbers with the same seed, so that what differs
is what is compared. A study of one arm is a plain simulation. A folder can hold the study: what it
is (``study.json``) and, arm by arm, every game that is done (``arm-1.csv`` ...). What is done there
is kept whatever happens, and not played again.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any, Final

import msgspec

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import write_atomic
from asl_pbcg.kernel.slow_libraries import numpy as np
from asl_pbcg.kernel.slow_libraries import pandas as pd
from asl_pbcg.records.data_tables import csv_text
from asl_pbcg.st.board.map import GameMap
from asl_pbcg.st.many.sim import SimulatedGames, Spec, play_game
from asl_pbcg.st.many.sim_report import share, spread
from asl_pbcg.st.many.simulated_games import GamesFile
from asl_pbcg.st.player.policy import PolicyName
from asl_pbcg.st.rules.scoring import victory_chart

FORMAT: Final = "pbcg-st-study/1"
MAX_ARMS: Final = 64
PLAYED_AGAIN: Final = 3
"""The number of kept games of an arm played again before a study goes on; of an expert's, one."""


class Arm(msgspec.Struct, frozen=True, kw_only=True):
    """One side of a comparison: its name and what is simulated."""

    name: str
    spec: Spec


class Study(msgspec.Struct, frozen=True, kw_only=True):
    """The arms that are compared, over how many games."""

    format: str = FORMAT
    games: int
    arms: tuple[Arm, ...]


class Compared(msgspec.Struct, frozen=True, kw_only=True):
    """The results of one arm; ``gain`` is its mean VP over the first arm's, game by game."""

    name: str
    games: int
    vp: float
    low: float
    high: float
    victory: float
    victory_low: float
    victory_high: float
    gain: float = 0.0
    gain_low: float = 0.0
    gain_high: float = 0.0


def study_of(
    players: Sequence[PolicyName],
    choices: Mapping[str, Sequence[Any]],
    settings: Mapping[str, Any],
    seed: int,
    games: int,
    board: GameMap | None = None,
) -> Study:
    """Return the study of every player with every combination of ``choices`` (setting: its values).

    Raises FaultsError for settings that are none, PBCGError for too many or equal arms.
    """
    arms = []
    for player, *values in product(players, *choices.values()):
        varied = dict(zip(choices, values, strict=True))
        name = ", ".join([player, *(f"{key}={value}" for key, value in varied.items())])
        arms.append(Arm(name=name, spec=Spec.of(player, seed, {**settings, **varied}, board)))
    if len({arm.name for arm in arms}) < len(arms):
        raise PBCGError("A player or a choice is named twice: each arm must differ.")
    if not 1 <= len(arms) <= MAX_ARMS:
        raise PBCGError(f"{len(arms)} arms are too many: a study has 1 to {MAX_ARMS}.")
    return Study(games=games, arms=tuple(arms))


class StudyRun:
    """A study that is played: in memory, or in a folder, where it is begun or gone on with."""

    def __init__(self, study: Study, folder: Path | None = None) -> None:
        self.folder = folder
        self.study = study
        self._files: list[GamesFile] = []
        if folder:
            self._open(folder)
        self.results = [each.results for each in self._files] or [
            SimulatedGames(arm.spec, study.games) for arm in study.arms
        ]

    def _open(self, folder: Path) -> None:
        """Read what a folder keeps of the study, or begin it. Raises PBCGError for another one."""
        folder.mkdir(parents=True, exist_ok=True)
        path, study = folder / "study.json", self.study
        if path.exists():
            kept = self._read(path)
            if [arm.spec for arm in kept.arms] != [arm.spec for arm in study.arms]:
                raise PBCGError(
                    f"{folder} holds another study ({', '.join(a.name for a in kept.arms)}): "
                    "name another folder, or give the same players and settings."
                )
        write_atomic(path, msgspec.json.format(msgspec.json.encode(study)))
        self._files = [
            GamesFile(folder / f"arm-{number}.csv", arm.spec, study.games)
            for number, arm in enumerate(study.arms, 1)
        ]

    @staticmethod
    def _read(path: Path) -> Study:
        try:
            return msgspec.json.decode(path.read_bytes(), type=Study)
        except (msgspec.MsgspecError, OSError) as error:
            raise PBCGError(f"{path} is not a study: {error}") from error

    @property
    def done(self) -> int:
        """Return how many games of all arms are done."""
        return sum(results.done for results in self.results)

    def run(self, jobs: int, dask: str, tell: Callable[[int], None]) -> bool:
        """Play the remaining games, arm by arm; return whether all are done. Ctrl-C keeps them.

        Raises PBCGError if a game that is kept would go another way now.
        """
        self._play_some_again()
        for number, results in enumerate(self.results):
            if results.done < results.games:
                play_on = self._files[number].play_on if self._files else results.play_on
                play_on(jobs, dask, lambda _, __: tell(self.done))
            if results.done < results.games:
                return False
        return True

    def _play_some_again(self) -> None:
        """Check that the kept games are of these rules: a mend in between would mix two games.

        Raises PBCGError if one of them goes another way.
        """
        for arm, results in zip(self.study.arms, self.results, strict=True):
            if results.done >= self.study.games:
                continue
            for number in results.numbers()[: 1 if arm.spec.policy == "expert" else PLAYED_AGAIN]:
                if play_game(arm.spec, number) != results.values(number):
                    raise PBCGError(
                        f"{self.folder} was begun with another pbcg, in which a rule or a player "
                        f"was another: game {number} of {arm.name} goes another way now. Begin "
                        "a new study in another folder."
                    )

    # -- what came of it --------------------------------------------------------------------

    def compare_arms(self) -> list[Compared]:
        """Return every arm with its VP and victories; gains over the first arm by paired games."""
        first = self._vp(0)
        compared = []
        for at, arm in enumerate(self.study.arms):
            mine = self._vp(at)
            if len(mine) < 2:
                continue
            vp = spread(list(mine.values()))
            least = victory_chart().levels.index("marginal")
            won = sum(level >= least for level in self.results[at].column("level"))
            victory = share(won, len(mine))
            pairs = [vp - first[game] for game, vp in mine.items() if game in first]
            gain = spread(pairs) if at and len(pairs) > 1 else None
            compared.append(
                Compared(
                    name=arm.name, games=len(mine), vp=vp.mean, low=vp.low, high=vp.high,
                    victory=victory.share, victory_low=victory.low, victory_high=victory.high,
                    gain=gain.mean if gain else 0.0, gain_low=gain.low if gain else 0.0,
                    gain_high=gain.high if gain else 0.0,
                )
            )  # fmt: skip
        return compared

    def _vp(self, at: int) -> dict[int, int]:
        results = self.results[at]
        return dict(zip(results.numbers(), results.column("vp"), strict=True))

    def write(self, folder: Path) -> list[Path]:
        """Write the tables: summary.csv, games.csv, games.parquet where pyarrow is installed."""
        summary = pd.DataFrame([msgspec.to_builtins(arm) for arm in self.compare_arms()])
        written = [folder / "summary.csv", folder / "games.csv"]
        write_atomic(written[0], csv_text(summary))
        games = self._games()
        write_atomic(written[1], csv_text(games))
        if find_spec("pyarrow") is None:
            return written
        content = io.BytesIO()
        games.to_parquet(content, index=False)
        path = folder / "games.parquet"
        write_atomic(path, content.getvalue())
        return [*written, path]

    def _games(self) -> pd.DataFrame:
        """Return every game of every arm; words as categories, for there may be millions."""
        names = pd.Index([arm.name for arm in self.study.arms])
        which = np.repeat(np.arange(len(names)), [results.done for results in self.results])
        table = pd.concat([results.table() for results in self.results], ignore_index=True)
        table.insert(0, "arm", pd.Series(pd.Categorical.from_codes(which, names)))
        return table
