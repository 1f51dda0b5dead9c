"""Automatic area games on a real journal, with everything checked: accounts, log, replay.

Used by the tests for a small sample and by ``benchmarks/soak_st.py`` for thousands.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import dataclass
from typing import Any

from st_accounts import check

from asl_pbcg.kernel.answers import drive
from asl_pbcg.kernel.dice import DiceSpec, SeededDice
from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.verification.verify import BareReplay
from asl_pbcg.kernel.views import LogLine
from asl_pbcg.st.board.map import GameMap
from asl_pbcg.st.player import automatic_game as run
from asl_pbcg.st.player.automatic_game import RandomDice
from asl_pbcg.st.player.expert import ExpertPlayer
from asl_pbcg.st.player.policy import PolicyName, player
from asl_pbcg.st.rules.area_game_steps import AreaGame
from asl_pbcg.st.settings import ST_RULINGS
from asl_pbcg.st.state.game_rules import Rules
from asl_pbcg.st.state.game_state import State

KINDS: dict[str, dict[str, Any]] = {
    "historical": {"mode": "historical"},
    "full history": {"mode": "full_history"},
    "easy": {"mode": "variable", "difficulty": "easy"},
    "medium": {"mode": "variable", "difficulty": "medium"},
    "hard": {"mode": "variable", "difficulty": "hard"},
}
PHASES_PLAYED = 1 + 9 + 15 * 8 + 1
"""Set-up, nine phases of turn 1, eight of each later turn, the score."""
MAX_ANSWERS = 20_000
"""A game with more answers and rolls than this has stalled."""

BARE_EVERY = 7
"""Every so many games the whole journal is opened without its snapshots too."""


@dataclass(frozen=True)
class Task:
    """One game: its number in the run, who plays, the kind of game, its settings."""

    number: int
    policy: PolicyName
    kind: str
    settings: dict[str, Any]
    plain: bool
    """Whether the rulings are the defaults, but for the German."""

    @property
    def german(self) -> str:
        """Which German it plays against."""
        return str(self.settings.get("german", "rules"))


@dataclass(frozen=True)
class Ended:
    """What came of a game."""

    task: Task
    vp: int
    level: str
    answers: int
    rolls: int


class Automatic:
    """An automatic player as a session asks it."""

    def __init__(self, policy: PolicyName, seed: int | str) -> None:
        self._player = player(policy, seed)

    def answer(self, prompt: Prompt) -> Any:
        """Its answer."""
        return self._player.answer(prompt)

    def dice(self, roll: Roll) -> tuple[int, ...] | None:
        """None: the dice of the game are thrown."""
        return None

    def hear_refusal(self, prompt: Prompt | Roll, error: IllegalAnswer) -> None:
        """No answer of an automatic player may be illegal."""
        raise AssertionError(f"{prompt.id} refused: {error}") from error


def expert_tasks(games: int) -> list[Task]:
    """A few games of the expert, who takes thirty times as long: all kinds, both Germans."""
    kinds = list(KINDS)
    return [
        Task(
            number,
            "expert",
            kinds[number % len(kinds)],
            KINDS[kinds[number % len(kinds)]] | {"german": ("rules", "resolute")[number % 2]},
            plain=True,
        )
        for number in range(games)
    ]


def random_rulings(seed: int | str) -> dict[str, Any]:
    """A choice for every doubtful point, each as likely as the others."""
    draw = random.Random(f"rulings/{seed}")
    return {name: draw.choice(list(r.choices)) for name, r in ST_RULINGS.settable.items()}


def tasks(games: int, first: int = 0) -> list[Task]:
    """Games in turn: both players, all kinds, plain and random rulings alike, both Germans."""
    found = []
    kinds = list(KINDS)
    block = 4 * len(kinds)
    for number in range(first, first + games):
        policy: PolicyName = "good" if number % 2 else "random"
        kind = kinds[number // 2 % len(kinds)]
        plain = number // (2 * len(kinds)) % 2 == 0
        settings = dict(KINDS[kind])
        if not plain:
            settings |= random_rulings(number)
        elif number // block % 2:
            settings["german"] = "resolute"
        found.append(Task(number, policy, kind, settings, plain))
    return found


class Watched(AreaGame):
    """The game, with the state after each step in ``kept``."""

    def __init__(self, area_map: GameMap) -> None:
        super().__init__(area_map)
        self.kept: list[State] = []

    def encode(self, state: State) -> bytes:
        """The state as it is stored, when a step has ended."""
        self.kept.append(state)
        return super().encode(state)


def play(game: Watched, task: Task) -> Session[State]:
    """Play a game on a journal to its end. Raises AssertionError if it stalls."""
    session: Session[State] = Session(game, Journal.in_memory({"settings": task.settings}))
    asked = 0

    def stalled() -> bool:
        nonlocal asked
        asked += 1
        return asked > MAX_ANSWERS

    drive(session, Automatic(task.policy, task.number), SeededDice(task.number), until=stalled)
    assert session.state.over, f"waits for {session.pending} after {asked} answers and rolls"
    return session


def check_accounts(rules: Rules, found: list[State]) -> None:
    """The accounts after every phase and from phase to phase, and the VP at the end."""
    assert len(found) == PHASES_PLAYED, f"{len(found)} steps"
    before = None
    for state in found:
        check(rules, state, before)
        before = state
    last = found[-1]
    assert last.result
    by_hand = vp_by_hand(rules, found)
    assert last.result.vp == by_hand, f"{last.result.vp} VP, by hand {by_hand}"


def check_replay(game: Watched, session: Session[State]) -> None:
    """The entries of the journal, given to a new game, make the same game again.

    The same questions come in the same order, the log is the same to the last word, and so is
    the state after each phase.
    """
    settings = session.journal.meta("settings")
    other = Watched(game.map)
    again: Session[State] = Session(other, Journal.in_memory({"settings": settings}))
    for entry in session.journal.standing():
        assert again.pending and again.pending.id == entry.point
        if entry.kind == "roll":
            again.throw(tuple(entry.body))
        else:
            again.answer(entry.body)
    assert again.lines() == session.lines(), "another log"
    assert other.kept == game.kept, "other phases"


def check_bare(session: Session[State]) -> None:
    """A session that replays the whole journal by itself comes to the same state."""
    game: Any = session.game
    bare = BareReplay(AreaGame(game.map), session.journal)
    assert bare.run.pending is None and bare.run.state == session.state, (
        "the bare journal: another state"
    )


def whole(task: Task, area_map: GameMap) -> Ended:
    """Play a game on a journal and check everything of it, replay too."""
    game = Watched(area_map)
    session = play(game, task)
    check_accounts(game.rules(session.state.settings), game.kept)
    wrong = log_faults(session.state, session.lines())
    assert not wrong, "; ".join(wrong)
    check_replay(game, session)
    if task.number % BARE_EVERY == 0:
        check_bare(session)
    entries = session.journal.standing()
    rolls = sum(entry.kind == "roll" for entry in entries)
    return _ended(task, session.state, len(entries) - rolls, rolls)


class CountedDice(RandomDice):
    """Dice that know how often they were thrown; a game that throws on and on has stalled."""

    thrown = 0

    def throw(self, spec: DiceSpec, number: int, reason: str) -> tuple[int, ...]:
        self.thrown += 1
        assert self.thrown < MAX_ANSWERS, "the game has stalled"
        return super().throw(spec, number, reason)


def without_journal(task: Task, area_map: GameMap) -> Ended:
    """Play a game without a journal, as ``pbcg st sim`` does, and check its accounts."""
    game = AreaGame(area_map)
    dice = CountedDice(task.number)
    answers = 0

    def seen(_: Prompt) -> None:
        nonlocal answers
        answers += 1
        assert answers < MAX_ANSWERS, "the game has stalled"

    begun = game.begin(task.settings)
    found = list(run.play(game, begun, who(task, game), dice, seen))
    check_accounts(game.rules(found[-1].settings), found)
    return _ended(task, found[-1], answers, dice.thrown)


def who(task: Task, game: AreaGame) -> run.Player:
    """The player of a game."""
    if task.policy == "expert":
        return ExpertPlayer(task.number, game, effort=0.3)
    return player(task.policy, task.number)


def _ended(task: Task, state: State, answers: int, rolls: int) -> Ended:
    assert state.result
    return Ended(task, state.result.vp, state.result.level, answers, rolls)


# -- second opinions ----------------------------------------------------------------------


def vp_by_hand(rules: Rules, found: list[State]) -> int:
    """The VP after the last of the states of a game, counted again from map and counters."""
    state, loaded = found[-1], found[0]
    geo, settings = rules.geo, state.settings
    units = {unit.id: unit for unit in state.units}
    ours = {place for place, side in state.control.items() if side == "british"}
    scored = ours & {geo.pegasus, geo.ranville_bridge, geo.pillbox}
    if settings.control == "last_in":
        for area in (geo.pegasus, geo.ranville_bridge, geo.pillbox):
            there = {unit.side for unit in state.units if (unit.status, unit.area) == ("map", area)}
            if len(there) == 2:
                scored -= {area}
                scored |= {area} if state.entered.get(area) == "british" else set()
    gone = {unit.id for unit in state.units if unit.side == "british" and unit.status == "dead"}
    if settings.lost_glider_units_killed:
        lost = {glider.number for glider in state.gliders if glider.status == "lost"}
        gone |= {unit.id for unit in loaded.units if unit.glider in lost}
    if not settings.coffin_counts:
        gone -= {unit.id for unit in state.units if "coffin" in (unit.id, unit.under)}
    vp = 0
    if geo.pegasus in scored:
        vp += {"intact": 15, "damaged": 5, "destroyed": 0}[state.bridge]
    vp += 8 * (geo.ranville_bridge in scored) + 5 * (geo.pillbox in scored)
    vp += 2 * sum(area + "*" in ours for area in state.cleared)
    for weapon in state.weapons:
        held = weapon.held == "british" if weapon.held else weapon.place in ours
        british = weapon.carrier != "" or held
        if weapon.status == "destroyed" or (weapon.status == "map" and british):
            vp += {"mg": 3, "at": 5}.get(weapon.kind, 0)
    vp += 5 * sum(unit.kind == "tank" and unit.status == "wreck" for unit in state.units)
    vp += sum("schmidt" not in pow.id for pow in state.pows)
    schmidt = units.get("schmidt")
    guarded = any("schmidt" in pow.id for pow in state.pows)
    captured = guarded if settings.schmidt_vp == "held" else state.schmidt_captured
    vp += int(captured or (schmidt is not None and schmidt.status == "dead"))
    vp -= sum(units[id].kind == "leader" for id in gone)
    vp -= 5 * sum(units[id].kind == "platoon" for id in gone)
    vp -= 5 * sum(set(pair) <= gone for pair in rules.squads.values())
    car = units.get("mercedes")
    if car and car.status == "wreck":
        vp += settings.mercedes_vp
    return vp


_LOSES = re.compile(r" loses (\d+) SP(,| and)")


def log_faults(state: State, lines: list[LogLine]) -> list[str]:
    """Where the log and the ledger disagree, in words.

    The log is written where a thing happens and the ledger where it is booked.
    """
    told = Counter(line.point for line in lines if line.kind == "roll")
    notes = [line for line in lines if line.kind == "note"]
    rules = Counter(line.rule for line in notes)
    sp = sum(int(m[1]) for line in notes if (m := _LOSES.search(line.text)))
    ledger = state.ledger
    pairs = {
        "SP lost": (sp, ledger.british_sp + ledger.german_sp),
        "grenades thrown": (told["grenade"] + rules["ST-GRE-12"], ledger.grenades),
        "charges used": (told["gammon"] + told["piat_fire"], ledger.charges),
        "bunkers cleared": (told["bunker_clearing"], ledger.bunkers_cleared),
        "positions begun": (rules["ST-PRE-03"], ledger.positions_begun),
    }
    return [
        f"{what}: the log has {log}, the ledger {book}"
        for what, (log, book) in pairs.items()
        if log != book
    ]
