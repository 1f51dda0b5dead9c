"""Whether the teacher's chance of victory comes true: what it said against how the games ended.

Run: ``nice python benchmarks/calibrate_st.py --positions 300 --kept said.jsonl --write``. Each
position is the first question of a British Movement Phase of a game of any kind, on any turn: some
of its turns were played by the random player, the others by the good one. The teacher weighs the
three most likely things to do by eight imagined games each; then its first advice is taken and the
good player plays the true game on to its end. Written are ``docs/pictures/st-calibration.svg`` and
the numbers in ``docs/engineers/st-engine.md``.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from asl_pbcg.hexes.drawing import Drawing
from asl_pbcg.hexes.items import Pen
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.st.many.sim_report import share
from asl_pbcg.st.player.automatic_game import Followed, RandomDice, play
from asl_pbcg.st.player.playout import PhasePosition, compare, play_to_end, position_of
from asl_pbcg.st.player.policy import GoodPlayer, RandomPlayer
from asl_pbcg.st.rules.area_game_steps import AreaGame
from asl_pbcg.st.rules.scoring import victory_chart
from asl_pbcg.st.state.decision import Decision
from asl_pbcg.st.thinking.advice import BEST, ranked_advice
from asl_pbcg.st.thinking.choices import choices

DOCS = Path(__file__).resolve().parent.parent / "docs"
KINDS: list[dict[str, Any]] = [
    {"mode": "historical"},
    {"mode": "historical", "german": "resolute"},
    *({"mode": "variable", "difficulty": each} for each in ("easy", "medium", "hard")),
]
BINS = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0)


class Said(NamedTuple):
    """What the teacher said of a position, and how the game ended."""

    turn: int
    chance: float
    vp: float
    won: bool
    ended: int


class _Reached(Exception):
    """The position is there."""


class _Until:
    """Plays on until a turn: the random player on some turns, the good one on the others."""

    def __init__(self, number: int, turn: int, wild: set[int]) -> None:
        self.followed = Followed()
        self.found: tuple[PhasePosition, Decision] | None = None
        self._turn, self._wild = turn, wild
        self._good, self._random = GoodPlayer(number), RandomPlayer(f"wild/{number}")

    def answer(self, prompt: Prompt) -> Any:
        assert isinstance(prompt, Decision)
        turn = prompt.situation.turn
        if turn >= self._turn and prompt.id in ("act", "declare"):
            assert self.followed.state
            position = position_of(self.followed.state, self.followed.sent, prompt.situation)
            self.found = position, prompt
            raise _Reached
        wild = prompt.situation.state.ready and turn in self._wild
        return (self._random if wild else self._good).answer(prompt)


@cache
def the_game() -> AreaGame:
    """The game, made once in each process."""
    return AreaGame()


def one(number: int) -> Said | None:
    """One position; None if the game had no such turn (all British are dead)."""
    game = the_game()
    source = random.Random(f"calibrate/{number}")
    turn = source.randint(1, 15)
    share_wild = source.choice((0.0, 0.0, 0.2, 0.5))
    wild = {each for each in range(1, turn) if source.random() < share_wild}
    until = _Until(number, turn, wild)
    begun = game.begin(KINDS[number % len(KINDS)])
    try:
        for _ in play(game, begun, until, RandomDice(f"calibrate/{number}")):
            pass
    except _Reached:
        pass
    if until.found is None:
        return None
    position, decision = until.found
    listed = choices(decision)
    if not listed:
        return None
    answers = {name: choice.answers for name, choice in list(listed.items())[:BEST]}
    played = compare(game, position, answers, range(1000 * number, 1000 * number + 8))
    _, best = ranked_advice(position.state, listed, played)[0]
    state = play_to_end(game, position, best.choice.answers, f"true/{number}", truth=True)
    assert state.result
    won = state.result.level != victory_chart().levels[0]
    return Said(turn, best.outlook.win, best.outlook.vp, won, state.result.vp)


# -- what came of it ------------------------------------------------------------------------


class Bin(NamedTuple):
    """The positions whose chance was said to lie in one span."""

    said: float
    came: float
    low: float
    high: float
    count: int


def bins(found: list[Said]) -> list[Bin]:
    """Said against came true, span by span; 95% intervals."""
    made = []
    for low, high in pairwise(BINS):
        last = high == BINS[-1]
        there = [s for s in found if low <= s.chance and (s.chance < high or last)]
        if there:
            won = share(sum(s.won for s in there), len(there))
            said = statistics.fmean(s.chance for s in there)
            made.append(Bin(said, won.share, won.low, won.high, len(there)))
    return made


def picture(made: list[Bin], count: int) -> Drawing:
    """Said across, came true upward; on the line it was right."""
    ink, red, grid = "#2b2a26", "#9f2d20", "#ddd5bf"
    drawing = Drawing(520, 560, "The teacher's chance of victory")
    drawing.box(0, 0, 520, 560, Pen(fill="#fbf7ec"))
    drawing.text(24, 34, "DOES THE TEACHER'S CHANCE OF VICTORY COME TRUE?", 13, red, bold=True)
    drawing.text(24, 54, f"{count} positions, each played on once; bars: 95%", 10, ink)

    def x(chance: float) -> float:
        return 70 + 410 * chance

    def y(chance: float) -> float:
        return 490 - 410 * chance

    for tick in range(0, 11, 2):
        at = tick / 10
        drawing.line([(x(at), y(0)), (x(at), y(1))], Pen(stroke=grid, width=0.8))
        drawing.line([(x(0), y(at)), (x(1), y(at))], Pen(stroke=grid, width=0.8))
        drawing.text(x(at), y(0) + 18, f"{at:.0%}", 9, ink, anchor="middle")
        drawing.text(x(0) - 8, y(at) + 3, f"{at:.0%}", 9, ink, anchor="end")
    drawing.line([(x(0), y(0)), (x(1), y(1))], Pen(stroke=ink, width=0.8))
    drawing.text(x(0.5), 530, "what the teacher said", 10, ink, anchor="middle")
    drawing.text(24, 74, "games won", 10, ink)
    for each in made:
        bar = [(x(each.said), y(each.low)), (x(each.said), y(each.high))]
        drawing.line(bar, Pen(stroke=ink, width=1.6))
        drawing.circle(x(each.said), y(each.came), 5, Pen(fill=red))
        drawing.text(x(each.said) + 9, y(each.came) + 12, str(each.count), 9, ink)
    return drawing


def report(found: list[Said]) -> str:
    """The numbers, in Markdown."""
    brier = statistics.fmean((s.chance - s.won) ** 2 for s in found)
    base = statistics.fmean(s.won for s in found)
    gaps = [s.ended - s.vp for s in found]
    lines = [
        f"{len(found)} positions. Won: {base:.0%}; the teacher had said "
        f"{statistics.fmean(s.chance for s in found):.0%} on average. Brier score {brier:.3f} "
        f"(always saying {base:.0%}: {base * (1 - base):.3f}). The games ended with "
        f"{statistics.fmean(gaps):+.1f} VP against what was expected "
        f"(95%: ± {1.96 * statistics.stdev(gaps) / len(gaps) ** 0.5:.1f}).",
        "",
        "| said, mean | positions | won | 95% |",
        "|---|---|---|---|",
    ]
    for each in bins(found):
        lines.append(
            f"| {each.said:.0%} | {each.count} | {each.came:.0%} | {each.low:.0%} to "
            f"{each.high:.0%} |"
        )
    return "\n".join(lines)


def main() -> None:
    """Play, report, draw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=300)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--kept", type=Path, required=True, help="what is done; it goes on there")
    parser.add_argument("--only-kept", action="store_true", help="play nothing, only report")
    parser.add_argument("--write", action="store_true", help="write the picture and the numbers")
    given = parser.parse_args()
    kept: dict[int, Said | None] = {}
    if given.kept.exists():
        for line in given.kept.read_text(encoding="ascii").splitlines():
            at, said = json.loads(line)
            kept[at] = Said(*said) if said else None
    left = [] if given.only_kept else [at for at in range(given.positions) if at not in kept]
    with (
        ProcessPoolExecutor(given.processes) as pool,
        given.kept.open("a", encoding="ascii") as stream,
    ):
        for at, said in zip(left, pool.map(one, left), strict=True):
            kept[at] = said
            stream.write(json.dumps([at, said]) + "\n")
            stream.flush()
    found = [said for said in kept.values() if said]
    text = report(found)
    print(text)
    if given.write:
        picture(bins(found), len(found)).write(DOCS / "pictures" / "st-calibration.svg")
        page = DOCS / "engineers" / "st-engine.md"
        mark, end = "<!-- calibration -->\n", "<!-- end of calibration -->\n"
        before, _, rest = page.read_text(encoding="utf-8").partition(mark)
        after = rest.partition(end)[2]
        page.write_text(f"{before}{mark}\n{text}\n\n{end}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
