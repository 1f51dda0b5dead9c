"""The area game at the keyboard: `?` on any terminal, help of the Germans in play, wrong words."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console
from st_terminal import Stopping, Typist, memory_game

from asl_pbcg.cli.area_commands import st_manner
from asl_pbcg.cli.area_commands.st_help import rules_like
from asl_pbcg.cli.terminal.streams import GuardedStream
from asl_pbcg.cli.terminal.terminal import Terminal
from asl_pbcg.kernel.answers import RandomAnswers, drive
from asl_pbcg.kernel.dice import SeededDice
from asl_pbcg.kernel.player_notes import PlayerNote, add_note
from asl_pbcg.kernel.session import Session
from asl_pbcg.play.help_texts import AREA_GAME_HELP
from asl_pbcg.st.state.decision import Decision
from asl_pbcg.st.state.game_state import State
from asl_pbcg.st.thinking import advice

COMMANDS = re.compile(r"\x1b(?!\[[\d;]*m)|<U\+")
"""Control codes other than colours, and the signs that a guarded stream writes for them."""
INTERNAL = re.compile(r"\b[a-z]+-(?:platoon|squad|[0-9])")
"""Names that the program gives to units."""


def begun(point: str = "act", **settings: str) -> Session[State]:
    """A historical game at its first question of a kind."""
    session = memory_game(**{"mode": "historical", **settings})
    drive(session, Stopping(RandomAnswers(1), lambda asked: asked.id == point), SeededDice(7))
    return session


@pytest.mark.finding("J-71")
@pytest.mark.parametrize("term", ["dumb", "linux", "xterm-256color", "vt100", ""])
@pytest.mark.parametrize("width", [40, 80, 200])
def test_best_prints_no_control_codes(
    term: str, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", term)
    monkeypatch.setattr(st_manner, "FIRST_WORDS", 0.0)
    typist, printed = Typist(begun()), io.StringIO()
    stream = GuardedStream(printed)
    console = Console(file=stream, width=width, height=60, force_terminal=True)  # type: ignore[arg-type]
    console.input = lambda *_, **__: "q"  # type: ignore[method-assign]
    terminal = Terminal(typist.terminal.seat, typist.manner, console)
    asked = terminal.seat.question()
    assert asked and not hasattr(asked, "side_left")
    typist.manner._best("0.1", asked)  # type: ignore[arg-type]
    said = " ".join(printed.getvalue().split())
    assert "imagined game" in said and "So far" in said
    assert not COMMANDS.search(printed.getvalue())


class SlowClock:
    """A clock that goes on by a second whenever it is read, as on a very busy machine."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


@pytest.mark.finding("J-71")
def test_best_has_numbers_on_a_busy_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where five seconds bring a game or two, the best are played on until they mean something."""
    monkeypatch.setattr(advice, "monotonic", SlowClock())
    monkeypatch.setattr(advice, "OVERTIME", 20.0)
    said = Typist(begun()).type("? 4")
    assert advice.TOO_FEW not in said
    assert said.count(" VP (") == 4  # three and that of the question


@pytest.mark.finding("J-71")
def test_best_ends_in_any_case(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SlowClock()
    monkeypatch.setattr(advice, "monotonic", clock)
    monkeypatch.setattr(advice, "OVERTIME", 2.0)
    assert advice.TOO_FEW in Typist(begun()).type("? 4")
    assert clock.now < 20


@pytest.mark.finding("J-73")
def test_goals_and_help_are_of_the_germans_in_play() -> None:
    texts = AREA_GAME_HELP.content
    for german, other in (("rules", "resolute"), ("resolute", "rules")):
        said = " ".join(Typist(begun(german=german)).type("h goals").split())
        assert all(" ".join(goal.split()) in said for goal in texts.goals)
        assert all(" ".join(goal.split()) in said for goal in texts.germans[german].goals)
        assert not any(" ".join(goal.split()) in said for goal in texts.germans[other].goals)
    for rule in re.findall(r"RES-\d", " ".join(texts.germans["resolute"].goals)):
        assert rules_like(rule)


@pytest.mark.finding("J-73")
def test_a_remark_does_not_stop_orders_typed_ahead() -> None:
    """Neither that the teacher was asked, nor a player's own."""
    session = begun()
    typist = Typist(session)
    typist.type("? 0.1")
    add_note(session.journal, PlayerNote(text="A remark.", date="1", by="british"))
    typist.type("4 S11 S8 S4")
    decision = session.pending
    assert isinstance(decision, Decision)
    assert decision.situation.units["hq-1"].area == "S4"


@pytest.mark.finding("J-73")
def test_what_one_ordered_does_not_stop_what_comes_after_it() -> None:
    """Nor does the note that a position is begun."""
    session = begun()
    Typist(session).type("27 p 4 S11 S8")
    decision = session.pending
    assert isinstance(decision, Decision)
    assert decision.situation.units["hq-1"].area == "S8"


@pytest.mark.finding("J-73")
@pytest.mark.parametrize("point", ["act", "action", "stack", "h2h_losses", "fire", "firers"])
def test_a_wrong_number_is_named_as_it_was_typed(point: str) -> None:
    session = memory_game(mode="historical")
    drive(session, Stopping(RandomAnswers(3), lambda asked: asked.id == point), SeededDice(3))
    typist = Typist(session)
    typist.manner._orders.ask_next()
    said = typist.type("99").rpartition("> 99\n")[2].partition("\n >")[0]
    assert "99" in said
    assert not INTERNAL.search(said), said
    assert not re.search(r"\(ST-[A-Z]+-\d+\)", said), said
