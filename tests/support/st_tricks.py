"""Simple tricks against the Germans: the good player with one idea instead for some turns.

:func:`search` finds the best trick by itself: it plays many on few games, the better ones on
more, and varies the best. Game n has the same dice in each phase for everybody.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final, Literal, NamedTuple, get_args

from asl_pbcg.kernel.dice import DiceSpec
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.st.area_terms import BRITISH, area_of, is_bunker
from asl_pbcg.st.board.geometry import Geometry
from asl_pbcg.st.many.sim_report import share, spread
from asl_pbcg.st.player.automatic_game import RandomDice, play
from asl_pbcg.st.player.policy import GoodPlayer
from asl_pbcg.st.player.policy_plan import Objective, Style, TurnPlan, waiting_place
from asl_pbcg.st.procedures.movement import STEPS, Action
from asl_pbcg.st.rules.area_game_steps import AreaGame
from asl_pbcg.st.rules.scoring import victory_chart
from asl_pbcg.st.state.decision import Decision
from asl_pbcg.st.state.game_state import State, Unit
from asl_pbcg.st.state.phase_situation import Situation

SETTINGS: Final = {"mode": "historical", "german": "resolute"}
Idea = Literal["post", "bridges", "shelter", "run", "stay", "play"]
Who = Literal["all", "idle", "threatened", "platoons", "small"]
LAST: Final = 17
"""The turn after the last."""


@dataclass(frozen=True, order=True)
class Trick:
    """What some units do instead from one turn to before another.

    ``post``: go to the nearest of ``places`` and stay; ``bridges``: take cover by the bridges;
    ``shelter``: keep out of all fire; ``run``: get far from the roads; ``stay``: stand still;
    ``play``: as the good player does. ``small`` are HQ, sappers and squads.
    """

    idea: Idea
    places: tuple[str, ...] = ()
    since: int = 0
    """The first turn; 0 is the turn on which the column is due, -2 two turns before that."""
    until: int = LAST
    who: Who = "all"
    quiet: bool = False
    """Whether nobody fires meanwhile."""
    alone: bool = False
    """Whether each of the places gets one unit, and who is left over none."""
    avoid: tuple[str, ...] = ()
    """Areas that nobody enters meanwhile, and that are left by whoever stands there."""

    def __str__(self) -> str:
        where = f" {' '.join(self.places)}" if self.places else ""
        since = f"turn {self.since}" if self.since > 0 else "the column's turn"
        since = f"{-self.since} turns before the column" if self.since < 0 else since
        until = f"turn {self.until - 1}" if self.until < LAST else "the end"
        alone = " one by one" if self.alone else ""
        avoid = f", nobody in {' '.join(self.avoid)}" if self.avoid else ""
        quiet = ", holding fire" if self.quiet else ""
        return f"{self.idea}{where}{alone}, {self.who}, {since} to {until}{avoid}{quiet}"

    def first_turn(self, column: int) -> int:
        """Return the first turn, where the column is due on turn ``column`` (0: not known)."""
        if self.since > 0:
            return self.since
        return max(1, column + self.since) if column else LAST

    def holds(self, sit: Situation) -> bool:
        """Tell whether it is played this turn."""
        return self.first_turn(sit.german_turn) <= sit.turn < self.until


TRICKS: Final = {
    "two bunkers": Trick("post", ("B7*", "B8*"), until=12),
    "hold the bridge": Trick("post", ("PB",), since=1),
    "hold Ranville Bridge": Trick("post", ("RB",), since=1),
    "hold the pillbox": Trick("post", ("PX",), since=1),
    "hold what is taken": Trick("stay"),
    "hide": Trick("bridges"),
    "run": Trick("run"),
    "run and return": Trick("bridges", until=14),
    "lie low": Trick("shelter"),
    "lie low and return": Trick("shelter", until=14),
    "single units on the road": Trick(
        "post", ("BR1", "BR3", "LP2", "LP3", "LP4", "XR"), since=-2, who="small", alone=True
    ),
    "touch nothing": Trick("play", since=1, until=15, avoid=("PB", "PX", "RB")),
}
"""Tricks that people thought of; the search does not begin with them."""


class TrickPlayer(GoodPlayer):
    """Plans as the good player does, then sends the units of its trick elsewhere."""

    def __init__(self, trick: Trick) -> None:
        super().__init__()
        self.trick = trick

    def answer(self, prompt: Prompt) -> Any:
        """Return the good player's answer, unless fire is held."""
        if self.trick.quiet and prompt.id in ("fire", "opportunity_fire"):
            assert isinstance(prompt, Decision)
            if self.trick.holds(prompt.situation):
                return [] if prompt.id == "opportunity_fire" else prompt.ids[-1]
        return super().answer(prompt)

    def plan_for(self, sit: Situation) -> TurnPlan:
        """Return the plan of the turn with the trick in it."""
        fresh = self._plan is None or self._planned_in is not sit.state
        plan = super().plan_for(sit)
        if fresh and self.trick.holds(sit):
            if self.trick.idea == "shelter":
                plan.style = Style("shelter", attack=False)
            units = [unit for unit in sit.on_map(BRITISH) if unit.combat]
            if self.trick.idea != "play":
                self._send(sit, plan, [unit for unit in units if self._takes_part(plan, unit)])
            self._abandon(sit, plan, units)
        return plan

    def rank(
        self, sit: Situation, unit: Unit, legal: Sequence[Action]
    ) -> list[tuple[float, Action]]:
        """Return the good player's actions without the steps into what is avoided."""
        if self.trick.avoid and self.trick.holds(sit):
            avoid = self.trick.avoid
            legal = [a for a in legal if a.kind not in STEPS or a.target not in avoid]
        return super().rank(sit, unit, legal)

    def _send(self, sit: Situation, plan: TurnPlan, units: Sequence[Unit]) -> None:
        """Give ``units`` their new goals; alone each place is that of the nearest of them."""
        if not self.trick.alone:
            for unit in units:
                plan.goals[unit.id] = self._goal_of(sit, plan, unit)
            return
        ways = sorted(
            (plan.way(unit, area_of(place)), unit.id, place)
            for unit in units
            for place in self.trick.places
        )
        sent: set[str] = set()
        for _, id, place in ways:
            if sent.isdisjoint((id, place)):
                sent |= {id, place}
                plan.goals[id] = Objective(area_of(place), 1.0, 0.0, is_bunker(place))

    def _abandon(self, sit: Situation, plan: TurnPlan, units: Sequence[Unit]) -> None:
        """Keep units out of what is avoided, and lead them from there to the nearest other area."""
        avoid = self.trick.avoid
        for unit in units:
            goal = plan.goals.get(unit.id)
            if goal is None or goal.area not in avoid:
                continue
            near = (area for area in plan.ways.within(unit.area, sit.n.mp_british))
            others = [area for area in {unit.area, *near} if area not in avoid]
            if others:
                plan.goals[unit.id] = Objective(
                    min(others, key=lambda area: (plan.way(unit, area), area))
                )

    def _takes_part(self, plan: TurnPlan, unit: Unit) -> bool:
        goal = plan.goals.get(unit.id)
        match self.trick.who:
            case "idle":
                return goal is None or not goal.worth
            case "threatened":
                return plan.threat.get(unit.area, 0.0) > unit.strength
            case "platoons":
                return unit.sp > 1
            case "small":
                return unit.kind != "platoon"
            case _:
                return True

    def _goal_of(self, sit: Situation, plan: TurnPlan, unit: Unit) -> Objective:
        match self.trick.idea:
            case "post":
                places = self.trick.places
                place = min(places, key=lambda place: (plan.way(unit, area_of(place)), place))
                return Objective(area_of(place), 1.0, 0.0, is_bunker(place))
            case "run":
                within = plan.ways.within(unit.area, sit.n.mp_british)
                return Objective(max(within, key=lambda area: (_from_road(sit, area), area)))
            case "stay":
                return Objective(unit.area, inside=unit.inside)
            case _:
                return waiting_place(sit, plan, unit)


def _from_road(sit: Situation, area: str) -> int:
    """The MP from an area to the nearest road."""
    return min(sit.geo.away(road).get(area, 99) for road in sit.geo.roads)


# -- games --------------------------------------------------------------------------------------


class PhaseDice:
    """The dice of a game: each phase has its own, so that games differ by what is done alone."""

    def __init__(self, seed: str) -> None:
        self._seed = seed

    def begin(self, state: State) -> None:
        """Take the dice of the phase that begins."""
        self._dice = RandomDice(f"{self._seed}/{state.turn}/{state.phase}")

    def throw(self, spec: DiceSpec, number: int, reason: str) -> tuple[int, ...]:
        """Throw ``spec``."""
        return self._dice.throw(spec, number, reason)


class Outcome(NamedTuple):
    """How a game ended."""

    vp: int
    won: bool


@cache
def _the_game() -> AreaGame:
    return AreaGame()


def states(state: State, player: GoodPlayer, seed: str) -> Iterator[State]:
    """Yield ``state`` and the state after each phase that ``player`` plays."""
    dice = PhaseDice(seed)
    dice.begin(state)
    yield state
    for after in play(_the_game(), state, player, dice):
        dice.begin(after)
        yield after


@cache
def _turns_of_good(seed: str) -> dict[int, State]:
    """Return the good player's game: the state before each turn, and the end as the last."""
    turns: dict[int, State] = {}
    for state in states(_the_game().begin(SETTINGS), GoodPlayer(), seed):
        if state.result:
            turns[LAST] = state
        turns.setdefault(state.turn, state)
    return turns


def outcome(trick: Trick | None, seed: str) -> Outcome:
    """Return how the game of a seed ends, with the good player if there is no trick."""
    turns = _turns_of_good(seed)
    end = turns[LAST]
    if trick and (first := trick.first_turn(end.german_turn)) < LAST:
        *_, end = states(turns[first], TrickPlayer(trick), seed)
    assert end.result
    return Outcome(end.result.vp, end.result.level != victory_chart().levels[0])


# -- the search ---------------------------------------------------------------------------------


class Gain(NamedTuple):
    """What a trick wins over the good player on average: VP, and share of games."""

    vp: float
    won: float

    @property
    def score(self) -> float:
        """One figure for both; two VP weigh as much as three games of a hundred."""
        return self.vp / 2 + self.won / 0.03


@cache
def gain(trick: Trick, seeds: tuple[str, ...]) -> Gain:
    """Return what ``trick`` wins over the good player in the games of ``seeds``."""
    pairs = [(outcome(trick, seed), outcome(None, seed)) for seed in seeds]
    vp = spread([ours.vp - good.vp for ours, good in pairs])
    return Gain(vp.mean, sum(ours.won - good.won for ours, good in pairs) / len(pairs))


def random_trick(source: random.Random) -> Trick:
    """Return any trick."""
    idea: Idea = source.choice(("post", "post", *get_args(Idea)))
    since = source.choice((0, 0, 0, -1, -2, -3, 1, 1, 2, 4, 5, 6, 7, 8, 9, 10))
    trick = Trick(idea, (), since, source.choice(range(max(since, 8) + 1, LAST + 1)))
    return replace(
        trick,
        places=_any_places(source) if idea == "post" else (),
        who=source.choice(("all", *get_args(Who))),
        quiet=source.random() < 0.2,
        alone=idea == "post" and source.random() < 0.4,
        avoid=_any_avoided(source) if idea == "play" or source.random() < 0.2 else (),
    )


def _geometry() -> Geometry:
    return _the_game().rules(_the_game().begin(SETTINGS).settings).geo


def _prized() -> tuple[str, ...]:
    geo = _geometry()
    return (geo.pegasus, geo.pillbox, geo.ranville_bridge)


def _any_places(source: random.Random) -> tuple[str, ...]:
    """Return some places: bunkers, by the bridges and the pillbox, on one road, or anywhere."""
    geo = _geometry()
    near = sorted({there for area in _prized() for there in geo.solid[area]} | {*_prized()})
    bunkers = [f"{area}*" for area in geo.bunkers]
    roads, anywhere = sorted(geo.roads), sorted(geo.solid)
    pool = source.choice((bunkers, near, roads, anywhere))
    return tuple(sorted(source.sample(pool, source.choice((1, 2, 2, 3, 5)))))


def _any_avoided(source: random.Random) -> tuple[str, ...]:
    """Return areas to keep out of: what the Germans want back, some of it, or any places."""
    prized = _prized()
    pool = source.choice((prized, prized, source.sample(prized, 2), _any_places(source)))
    return tuple(sorted({area_of(place) for place in pool}))


def variant(trick: Trick, source: random.Random) -> Trick:
    """Return ``trick`` with one thing changed."""
    other = random_trick(source)
    match source.choice(("since", "until", "who", "quiet", "alone", "avoid", "places")):
        case "since":
            trick = replace(trick, since=other.since)
        case "until":
            trick = replace(trick, until=other.until)
        case "who":
            trick = replace(trick, who=other.who)
        case "quiet":
            trick = replace(trick, quiet=not trick.quiet)
        case "alone" if trick.places:
            trick = replace(trick, alone=not trick.alone)
        case "avoid":
            trick = replace(trick, avoid=() if trick.avoid else _any_avoided(source))
        case _:
            trick = replace(trick, places=_any_places(source)) if trick.places else other
    return trick if trick.since < trick.until else other


def search(
    seeds: Sequence[str],
    source: random.Random,
    width: int = 60,
    report: Callable[[str], object] = lambda words: None,
) -> list[tuple[Trick, Gain]]:
    """Return the tricks that win most in the games of ``seeds``, best first.

    The first round has ``width`` tricks and a sixth of the games, the second half of each with as
    many games again, and so on; each round adds variants of its best.
    """
    tricks = {random_trick(source) for _ in range(width)}
    games = max(1, len(seeds) // 6)
    while True:
        ranked = sorted(tricks, key=lambda each: (-gain(each, tuple(seeds[:games])).score, each))
        best = ranked[: max(3, len(ranked) // 5)]
        for each in best[:3]:
            vp, won = gain(each, tuple(seeds[:games]))
            report(f"{games} games: {vp:+.1f} VP, {won:+.1%}: {each}")
        if games == len(seeds):
            return [(each, gain(each, tuple(seeds))) for each in best]
        tricks = {*best, *(variant(each, source) for each in best for _ in range(2))}
        games = min(len(seeds), games * 2)


# -- the table ----------------------------------------------------------------------------------

MAX_VP, MAX_WON = 2.0, 0.03
"""What a trick may gain."""


def table(tricks: Mapping[str, Trick], seeds: Sequence[str]) -> tuple[list[str], bool]:
    """Return the lines of the table, and whether every goal is met."""
    good = [outcome(None, seed) for seed in seeds]
    won = share(sum(each.won for each in good), len(good))
    vp = spread([each.vp for each in good])
    met = 0.45 <= won.share <= 0.60
    lines = [
        f"{len(seeds)} fresh games. The good player: {vp.mean:.1f} VP ({vp.low:.1f} to "
        f"{vp.high:.1f}), {won.share:.1%} won ({won.low:.1%} to {won.high:.1%}).",
        "",
        "| trick | VP over good | 95% | games won | over good | 95% |",
        "|---|---|---|---|---|---|",
    ]
    for name, trick in tricks.items():
        ours = [outcome(trick, seed) for seed in seeds]
        gains = spread([mine.vp - its.vp for mine, its in zip(ours, good, strict=True)])
        more = spread([100 * (mine.won - its.won) for mine, its in zip(ours, good, strict=True)])
        met &= gains.mean <= MAX_VP or more.mean <= 100 * MAX_WON
        label = str(trick) if name == str(trick) else f"{name}: {trick}"
        lines.append(
            f"| {label} | {gains.mean:+.1f} | {gains.low:+.1f} to {gains.high:+.1f} | "
            f"{sum(each.won for each in ours) / len(ours):.1%} | {more.mean:+.1f}% | "
            f"{more.low:+.1f}% to {more.high:+.1f}% |"
        )
    return lines, met
