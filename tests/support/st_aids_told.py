"""What the aids of the area game make of the last turns of a game: film, report, simulation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from fingerprints import Item, plain
from st_recorded import RecordedPlayer
from st_soak import Task

from asl_pbcg.hexes.drawing import Drawing
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.st.many.sim import Spec, simulate
from asl_pbcg.st.many.sim_plot import plot, plot_study
from asl_pbcg.st.many.sim_report import to_csv, to_json
from asl_pbcg.st.many.study import StudyRun, study_of
from asl_pbcg.st.picture.film import frames_of, html
from asl_pbcg.st.picture.follow import follow
from asl_pbcg.st.player.automatic_game import RandomDice, play
from asl_pbcg.st.player.expert import ExpertPlayer
from asl_pbcg.st.player.playout import PhasePosition, add_games, compare, position_of
from asl_pbcg.st.player.policy import GoodPlayer
from asl_pbcg.st.rules.area_game_steps import AreaGame
from asl_pbcg.st.rules.game_record import Record
from asl_pbcg.st.state.decision import Decision
from asl_pbcg.st.state.game_state import State
from asl_pbcg.st.thinking.advice import BEST, Advice, advice_words, ranked_advice
from asl_pbcg.st.thinking.analysis import analyse
from asl_pbcg.st.thinking.analysis_report import html_report, report_lines
from asl_pbcg.st.thinking.choices import choices

ELEMENT = re.compile(r"<[^>]*>[^<]*")
EVERY = 9
"""At every so many questions the teacher is asked."""


def told(game: AreaGame, task: Task, last: int) -> Iterator[Item]:
    """The last turns of a game, from ``last`` on, and what the aids make of them."""
    begun = _before(game, task, last)
    expert = ExpertPlayer(task.number, game, effort=0.1)
    kept = RecordedPlayer(expert, RandomDice(task.number))
    asked_so_far, advised = 0, list[str]()

    def advise(asked: Prompt) -> None:
        nonlocal asked_so_far
        asked_so_far += 1
        state = expert.followed.state
        if asked_so_far % EVERY == 0 and state and isinstance(asked, Decision):
            position = position_of(state, expert.followed.sent, asked.situation)
            advised.append(plain(advice_words(state, _advice(game, position, asked))))

    for _ in play(game, begun, kept, kept, advise):
        pass
    for words in advised:
        yield "teacher", words
    yield "expert", plain(expert.chosen)
    record = Record(begun, kept.entries)
    events = list(follow(game, record, skip=20))
    for event in events:
        words = [event.step, event.kind, event.text, event.rule, event.point, event.effect]
        yield "events", plain([*words, event.side, event.came_from, event.at])
    yield from _drawn("film", html(game.map, frames_of(game.map, events)))
    found = analyse(game, record, effort=0.01)
    yield "report", plain(report_lines(found))
    yield "report", plain([found.curve, [(each.event.words, each.vp) for each in found.luck]])
    yield from _drawn("report", html_report(found))


def _before(game: AreaGame, task: Task, turn: int) -> State:
    """A game of the good player as that turn begins."""
    begun = game.begin(task.settings)
    for state in play(game, begun, GoodPlayer(task.number), RandomDice(task.number)):
        if state.turn == turn:
            return state
    raise AssertionError("a game has more turns")


def _advice(game: AreaGame, position: PhasePosition, asked: Decision) -> list[Advice]:
    """One imagined game for each choice, another for the best three."""
    listed = choices(asked)
    answers = {name: choice.answers for name, choice in listed.items()}
    played = compare(game, position, answers, [0])
    best = [name for name, _ in ranked_advice(position.state, listed, played)[:BEST]]
    again = {name: answers[name] for name in best}
    add_games(played, compare(game, position, again, [1]))
    ranked = ranked_advice(position.state, listed, {name: played[name] for name in best})
    return [advice for _, advice in ranked]


def simulated(folder: Path) -> Iterator[Item]:
    """Two small simulations, a study that compares them, their tables and pictures."""
    for policy, settings in (
        ("good", {"mode": "historical"}),
        ("random", {"mode": "variable", "difficulty": "hard", "german": "resolute"}),
    ):
        results = simulate(Spec.of(policy, 3, settings, None), 8)  # type: ignore[arg-type]
        yield policy, to_json(results).decode()
        yield policy, to_csv(results).removeprefix("\ufeff")
        yield from _drawn(policy, plot(results))
    choices = {"german": ["rules", "resolute"]}
    study = study_of(["random", "good"], choices, {"mode": "historical"}, 5, 4)
    runs = StudyRun(study, folder)
    runs.run(1, "", lambda done: None)
    runs.write(folder)
    for name in ("summary.csv", "games.csv"):
        yield "study", (folder / name).read_text("utf-8-sig")
    yield from _drawn("study", plot_study(runs.compare_arms()))


def _drawn(name: str, drawing: Drawing | str) -> Iterator[Item]:
    """A page or picture, element by element; pictures in it only by where they are."""
    text = drawing if isinstance(drawing, str) else drawing.to_svg()
    for element in ELEMENT.findall(re.sub(r'base64,[^"\']*', "base64,", text)):
        yield name, element
