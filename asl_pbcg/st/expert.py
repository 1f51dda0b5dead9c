"""The expert: chooses its style for each turn by playing imagined games, then plays like good.

It sees what a person sees: everything unseen is drawn anew for each imagined game.
"""

from __future__ import annotations

from typing import Any, Final

from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.st.decision import Decision
from asl_pbcg.st.game import AreaGame
from asl_pbcg.st.playout import Followed, Tally, compare, position_of
from asl_pbcg.st.policy import GoodPlayer
from asl_pbcg.st.policy_style import STEADY, STYLES, Style

FIRST: Final = 5
"""Imagined games of every style."""
MORE: Final = (7,)
"""Further imagined games of the better half that is left, round by round."""
SURE: Final = 0.7
"""Standard errors by which another style must be ahead of the steady one."""


class ExpertPlayer:
    """Weighs the styles at the beginning of each British Movement Phase, by common dice."""

    def __init__(self, seed: int | str, game: AreaGame, effort: float = 1.0) -> None:
        self.followed = Followed()
        """What the game that it plays tells it (see ``run.play``)."""
        self.chosen: list[str] = []
        """The style of each turn so far."""
        self._game = game
        self._effort = effort
        self._turn = 0
        self._seed = sum(map(ord, str(seed)))
        self._player = GoodPlayer(seed)

    def answer(self, prompt: Prompt) -> Any:
        """The answer that promises most."""
        if isinstance(prompt, Decision) and prompt.situation.state.ready:
            sit = prompt.situation
            if prompt.id in ("act", "declare") and sit.turn != self._turn:
                self._turn = sit.turn
                style = self._choose(prompt)
                self.chosen.append(style.name)
                self._player = GoodPlayer(self._seed, style)
        return self._player.answer(prompt)

    def _choose(self, decision: Decision) -> Style:
        """The style that does best in imagined games from here."""
        assert self.followed.state
        position = position_of(self.followed.state, self.followed.sent, decision)
        left = {style.name: ((), style) for style in STYLES}
        tallies = {name: Tally(position.state) for name in left}
        first = self._seed * 1000 + decision.situation.turn * 50
        for count in (FIRST, *MORE):
            games = max(2, round(count * self._effort))
            compare(self._game, position, left, tallies, range(first, first + games))
            first += games
            keep = sorted(left, key=lambda name: -tallies[name].outlook().vp)
            left = {name: left[name] for name in keep[: max(2, len(keep) // 2)]}
        best = max(left, key=lambda name: tallies[name].outlook().vp)
        return left[best][1] if self._better(tallies[best], tallies[STEADY.name]) else STEADY

    @staticmethod
    def _better(one: Tally, other: Tally) -> bool:
        """Whether a style beats the steady one by more than chance makes likely."""
        gains = [one.vp[number] - other.vp[number] for number in one.vp if number in other.vp]
        if len(gains) < 2:
            return False
        mean = sum(gains) / len(gains)
        spread = sum((gain - mean) ** 2 for gain in gains) / (len(gains) - 1)
        return bool(mean > SURE * (spread / len(gains)) ** 0.5)
