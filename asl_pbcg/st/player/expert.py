"""The expert: plays by a prudent style, and by another where imagined games show it to be better.

It sees what a person sees: everything unseen is drawn again for each imagined game.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import fsum
from typing import Any, Final

from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.st.player.automatic_game import Followed
from asl_pbcg.st.player.playout import Played, add_games, compare, position_of
from asl_pbcg.st.player.policy import GoodPlayer
from asl_pbcg.st.player.policy_plan import STYLES, Style
from asl_pbcg.st.rules.area_game_steps import AreaGame
from asl_pbcg.st.state.decision import Decision

WEIGHED: Final = (6, 9, 12, 15)
"""The turns on which the styles are weighed: before the column and while it is there."""
WEIGHED_AT: Final = ("act", "declare")
"""The questions at the first of which they are weighed."""
FIRST: Final = 3
"""Imagined games of every style."""
MORE: Final = 6
"""Further imagined games of the present style and of those that are still ahead of it."""
LEFT: Final = 2
"""So many styles besides the present one get more games."""
KNOWN: Final = 4
"""Imagined games that what is known of a style beforehand (its ``gain``) counts for."""
HOPE: Final = 0.5
"""Standard errors by which a style must be ahead of the present one to get more games."""
LEAST: Final = 0.5
"""The least standard error, in VP: a few games that end alike prove little."""
SURE: Final = 1.5
"""Standard errors by which it must be ahead to be taken."""


class ExpertPlayer:
    """Weighs the styles at the beginning of British Movement Phases, by common dice.

    ``effort`` multiplies the imagined games; with none it plays the prudent style throughout.
    """

    def __init__(self, seed: int | str, game: AreaGame, effort: float = 1.0) -> None:
        self.followed = Followed()
        """The game that it plays, as far as it has gone (see ``run.play``)."""
        self.chosen: list[str] = []
        """The style of each turn so far."""
        self._game = game
        self._effort = effort
        self._turn = 0
        self._seed = sum(map(ord, str(seed)))
        self._player = GoodPlayer(style=STYLES[0])

    def answer(self, prompt: Prompt) -> Any:
        """Return the answer that promises most."""
        if isinstance(prompt, Decision) and prompt.situation.state.ready:
            turn = prompt.situation.turn
            if prompt.id in WEIGHED_AT and turn != self._turn:
                self._turn = turn
                if self._effort and turn in WEIGHED:
                    self._player.style = self._choose(prompt)
                self.chosen.append(self._player.style.name)
        return self._player.answer(prompt)

    def _choose(self, decision: Decision) -> Style:
        """Return the style that does best in imagined games from here; the present one in doubt."""
        assert self.followed.state
        present = self._player.style
        attacked_on = self._player.attacked_on
        styles = {style.name: style for style in STYLES}

        def player(name: str) -> GoodPlayer:
            return GoodPlayer(style=styles[name], attacked_on=attacked_on)

        position = position_of(self.followed.state, self.followed.sent, decision.situation)
        first = self._seed * 1000 + decision.situation.turn * 50
        played: Played = {}
        candidates, ahead = list(styles), list[str]()
        for count, least in ((FIRST, HOPE), (MORE, SURE)):
            games = range(first, first + max(2, round(count * self._effort)))
            first = games.stop
            answers = dict.fromkeys(candidates, ())
            add_games(played, compare(self._game, position, answers, games, player))
            lead = {
                name: _lead(played[name], played[present.name], styles[name].gain - present.gain)
                for name in candidates
            }
            ahead = sorted(
                (name for name in candidates if name != present.name and lead[name] > least),
                key=lambda name: (-lead[name], name),
            )
            if not ahead:
                return present
            candidates = [present.name, *ahead[:LEFT]]
        return styles[ahead[0]]


def _lead(one: Mapping[int, int], other: Mapping[int, int], gain: float) -> float:
    """Return by how many standard errors a style is ahead of another in the same imagined games.

    ``gain`` is by how many VP it is ahead as far as is known beforehand.
    """
    gains = [vp - other[number] for number, vp in one.items() if number in other]
    if len(gains) < 2:
        return 0.0
    mean = sum(gains) / len(gains)
    spread = fsum((each - mean) ** 2 for each in gains) / (len(gains) - 1)
    likely = (sum(gains) + KNOWN * gain) / (len(gains) + KNOWN)
    return float(likely / max((spread / len(gains)) ** 0.5, LEAST))
