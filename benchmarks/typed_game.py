"""A whole historical area game at the terminal by counter orders: lines and keys typed a turn.

A typist types what the good automatic player would do, as orders of the terminal
(``23 22 N6 PX g``), and answers whatever the terminal asks. What he types ahead he reckons with
other dice than those that fall, as a person would. Run: ``python benchmarks/typed_game.py [SEED]``.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))

from st_terminal import Typist  # noqa: E402

from asl_pbcg.kernel.dice import SeededDice  # noqa: E402
from asl_pbcg.kernel.entries import faces_of  # noqa: E402
from asl_pbcg.kernel.journal import Journal  # noqa: E402
from asl_pbcg.kernel.prompts import Prompt, Roll  # noqa: E402
from asl_pbcg.kernel.session import Session  # noqa: E402
from asl_pbcg.st.british.orders import (  # noqa: E402
    ACTION_POINTS,
    FIRE_POINTS,
    FIRER_POINTS,
    UNIT_POINTS,
    action_words,
    attack_words,
    counter_word,
    firer_word,
)
from asl_pbcg.st.player.policy import GoodPlayer  # noqa: E402
from asl_pbcg.st.procedures.gun_fire import Attack  # noqa: E402
from asl_pbcg.st.rules.area_game_steps import AreaGame  # noqa: E402
from asl_pbcg.st.state.decision import Decision  # noqa: E402
from asl_pbcg.st.state.game_state import State  # noqa: E402

MAX_AHEAD = 40
MAX_LINES = 900
LONGEST = 24
"""So many letters a line of orders has about: two or three units."""


class Typing:
    """What the typist types at each question, and how much that is."""

    def __init__(self, session: Session[State]) -> None:
        self._session = session
        self.lines: Counter[int] = Counter()
        self.keys: Counter[int] = Counter()

    def __iter__(self) -> Iterator[str]:
        while not self._session.state.over:
            line = self._line()
            if sum(self.lines.values()) > MAX_LINES:
                raise AssertionError(f"{MAX_LINES} lines are typed and the game is not over")
            turn = self._session.state.turn
            self.lines[turn] += 1
            self.keys[turn] += len(line) + 1
            yield line

    def _line(self) -> str:
        asked = self._session.pending
        assert isinstance(asked, Decision), asked
        answers = list(self._ahead())
        decision, value = answers[0]
        if decision.id in UNIT_POINTS | ACTION_POINTS:
            return self._orders(answers)
        if decision.id in FIRE_POINTS:
            attacks = [each for each in decision.choices if isinstance(each, Attack)]
            return attack_words(decision.situation, attacks).get(value, "e")
        if decision.id in FIRER_POINTS:
            return " ".join(firer_word(decision.situation, each) for each in value) or "none"
        if decision.kind == "choose-some":
            return " ".join(counter_word(decision.situation, each) for each in value) or "none"
        if value == decision.default:
            return ""
        return str([option.id for option in decision.options].index(value) + 1)

    def _orders(self, answers: list[tuple[Decision, Any]]) -> str:
        """The orders of one unit or stack in a line; those of the next if this one is done."""
        line: list[str] = []
        words: list[str] = []
        orders = False
        for decision, value in answers:
            sit = decision.situation
            if decision.id in UNIT_POINTS:
                if orders:
                    line += words
                    if len(" ".join(line)) > LONGEST:
                        return " ".join(line)
                words, orders = [], False
                if value in ("end-phase", "end-declaration"):
                    break
                if value in sit.units:
                    words = [counter_word(sit, value)]
            elif decision.id == "stack":
                words = [counter_word(sit, unit) for unit in value]
            elif decision.id in ACTION_POINTS:
                if value == "stop":
                    continue
                unit, orders = decision.pieces[0], True
                words.append(action_words(sit, unit, decision.choices)[value])
            else:
                break
        line += words if orders else []
        return " ".join(line) or "ee"

    def _ahead(self) -> Iterator[tuple[Decision, Any]]:
        """What the good player would answer from here on, if the dice fell as he imagines."""
        step = self._session.step
        assert step
        standing = [e for e in self._session.journal.standing() if e.step == step.id]
        given: list[Any] = [
            faces_of(each.body) if each.kind == "roll" else each.body for each in standing
        ]
        player, dice = GoodPlayer(), SeededDice(len(standing))
        script = step.script(self._session.state)
        sent: Any = None
        told = 0
        try:
            while told < MAX_AHEAD:
                asked = script.send(sent)
                sent = None
                if isinstance(asked, Roll):
                    if given:
                        sent = asked.resolve(given.pop(0))
                    else:
                        sent = asked.resolve(dice.throw(asked.spec, told, asked.text))
                elif isinstance(asked, Prompt):
                    assert isinstance(asked, Decision)
                    if given:
                        sent = given.pop(0)
                    else:
                        told += 1
                        sent = player.answer(asked)
                        yield asked, sent
        except StopIteration:
            return


def main(seed: int) -> None:
    meta = {"settings": {"mode": "historical"}, "dice": "seeded", "seed": seed}
    session = Session(AreaGame(), Journal.in_memory(meta))
    typing = Typing(session)
    typist = Typist(session, iter(typing), width=80)
    typist.play(SeededDice(seed))
    state = session.state
    print("turn   lines   keys")
    for turn in sorted(typing.lines):
        print(f"{turn:4} {typing.lines[turn]:7} {typing.keys[turn]:6}")
    lines, keys = sum(typing.lines.values()), sum(typing.keys.values())
    answers = sum(entry.kind == "answer" for entry in session.journal.standing())
    result = f"{state.result.vp} VP, {state.result.level}" if state.result else "not over"
    print(f"{result}: {lines} lines, {keys} keys for {answers} decisions")
    print(f"busiest turn: {max(typing.lines.values())} lines")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 11)
