"""Exact odds of landing orders: sticks whole, dispersed and lost, gliders by hex and state.

The dice are followed through: the wind of the turn serves all drops, one drift die moves all
sticks aimed at a hex, places of a row that is not full are drawn, sticks of several drops that may
crowd one hex are looked at together, and each stick has its survival roll. The odds are those right
after the landing of each turn, without anti-aircraft fire and enemies.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Final, NamedTuple, TypeVar

from asl_pbcg.airborne.drop_map import DropMap
from asl_pbcg.airborne.drop_settings import SPEEDS, DropSettings, Speed
from asl_pbcg.airborne.drop_tables import NUMBERS, drift_row, sticks_per_hex, table
from asl_pbcg.airborne.landing import GliderResult, glider_landing
from asl_pbcg.airborne.landing_orders import GliderOrder, Orders
from asl_pbcg.airborne.wind import Wind, wind_from
from asl_pbcg.kernel.distribution import together
from asl_pbcg.kernel.tables import percent

K = TypeVar("K", bound=Hashable)
Fates = dict[tuple[int, int], Fraction]
"""For a number of sticks the chance of each (whole, dispersed); the others are lost."""
Counts = tuple[int, ...]
"""For each hex that may be crowded, how many sticks count there towards the limit."""

OUTCOMES: Final = ("whole", "dispersed", "lost")
_SURE: Final = Fraction(1)


@dataclass(frozen=True, slots=True)
class StickOdds:
    """The odds of all sticks aimed at one hex in one turn; ``off_map`` is a mean number."""

    turn: int
    at: str
    sticks: int
    fates: Fates
    off_map: Fraction

    @property
    def numbers(self) -> dict[str, dict[int, Fraction]]:
        """Return the chance of each number of sticks whole, dispersed and lost."""
        numbers: dict[str, dict[int, Fraction]] = {name: {} for name in OUTCOMES}
        for (whole, dispersed), chance in sorted(self.fates.items()):
            counts = (whole, dispersed, self.sticks - whole - dispersed)
            for name, number in zip(OUTCOMES, counts, strict=True):
                _mix(numbers[name], {number: chance})
        return {name: dict(sorted(chances.items())) for name, chances in numbers.items()}

    def mean(self, outcome: str) -> Fraction:
        """Return the mean number of sticks ``whole``, ``dispersed`` or ``lost``."""
        chances = self.numbers[outcome].items()
        return sum((number * chance for number, chance in chances), Fraction())

    @property
    def eliminated(self) -> Fraction:
        """Return the mean number of sticks that jump survival eliminates."""
        return self.mean("lost") - self.off_map


@dataclass(frozen=True, slots=True)
class GliderOdds:
    """The odds of one glider: where it lands ("" is off the map) and in which state."""

    load: str
    at: str
    hexes: dict[str, Fraction]
    states: dict[str, Fraction]


@dataclass(frozen=True, slots=True)
class TurnOdds:
    """The odds of one turn: each drop and each glider."""

    turn: int
    drops: tuple[StickOdds, ...]
    gliders: tuple[GliderOdds, ...]

    @property
    def sticks(self) -> int:
        """Return the number of sticks of the turn."""
        return sum(drop.sticks for drop in self.drops)

    def mean(self, outcome: str) -> Fraction:
        """Return the mean number of sticks of the turn ``whole``, ``dispersed`` or ``lost``."""
        return sum((drop.mean(outcome) for drop in self.drops), Fraction())


def drop_odds(
    orders: Orders,
    dropmap: DropMap,
    settings: DropSettings,
    *,
    side: int | None = None,
    speed: Speed | None = None,
) -> tuple[TurnOdds, ...]:
    """Work out the exact odds of all orders, turn by turn.

    ``side`` (hexside 1 to 6 the wind blows from) and ``speed`` take the place of the dice where
    the wind is known.
    """
    winds = list(_winds(settings, side, speed))
    return tuple(_turn_odds(orders, turn, dropmap, settings, winds) for turn in orders.turns)


def _turn_odds(
    orders: Orders,
    turn: int,
    dropmap: DropMap,
    settings: DropSettings,
    winds: Sequence[tuple[Fraction, Wind]],
) -> TurnOdds:
    """Add up what each wind brings."""
    drops, gliders = orders.drops_of(turn), orders.gliders_of(turn)
    sticks = {at: sum(drop.sticks for drop in drops[at]) for at in drops}
    fates: dict[str, Fates] = {at: {} for at in sticks}
    off_map = dict.fromkeys(sticks, Fraction())
    hexes: list[dict[str, Fraction]] = [{} for _ in gliders]
    states: list[dict[str, Fraction]] = [{} for _ in gliders]
    for chance, wind in winds:
        landing = _LandingInWind(sticks, gliders, wind, dropmap, settings)
        for at in sticks:
            _mix(fates[at], landing.fates(at), chance)
            off_map[at] += chance * landing.off_map(at)
        for number in range(len(gliders)):
            _mix(hexes[number], landing.glider_hexes[number], chance)
            _mix(states[number], landing.glider_states(number), chance)
    return TurnOdds(
        turn,
        tuple(StickOdds(turn, at, sticks[at], fates[at], off_map[at]) for at in sticks),
        tuple(
            GliderOdds(order.load, order.at, _likeliest_first(hexes[number]), states[number])
            for number, order in enumerate(gliders)
        ),
    )


def _winds(
    settings: DropSettings, side: int | None, speed: Speed | None
) -> Iterator[tuple[Fraction, Wind]]:
    """Yield every wind that may blow, with its chance. Rule: I.D, I.E."""
    chart = {speed: _SURE} if speed else table("wind_speed", settings).odds({})
    sides = (side,) if side else tuple(range(1, 7))
    for wind_speed in SPEEDS:
        for one in sides:
            if wind_speed in chart:
                yield chart[wind_speed] / len(sides), wind_from(one, wind_speed, settings)


def _mix(total: dict[K, Fraction], chances: Mapping[K, Fraction], share: Fraction = _SURE) -> None:
    """Add a ``share`` of some chances to a total."""
    for key, chance in chances.items():
        total[key] = total.get(key, Fraction()) + share * chance


def _likeliest_first(chances: Mapping[str, Fraction]) -> dict[str, Fraction]:
    return dict(sorted(chances.items(), key=lambda item: -item[1]))


class _Faces(NamedTuple):
    """How many faces of a die leave a stick whole, disperse it and lose it."""

    whole: int
    dispersed: int
    lost: int

    @property
    def crowded(self) -> _Faces:
        """Return the faces where all units of the hex are dispersed."""
        return _Faces(0, self.whole + self.dispersed, self.lost)

    @property
    def survived(self) -> _Faces:
        """Return the faces of a stick that has survived."""
        return _Faces(self.whole, self.dispersed, 0)


class _Place(NamedTuple):
    """A place of a drift row: the number of its hex among those that may be crowded, or -1."""

    crowd: int
    faces: _Faces


_OFF_MAP: Final = _Place(-1, _Faces(0, 0, 6))


@lru_cache(maxsize=4096)
def _fall(
    places: tuple[_Place, ...], sticks: int, crowds: int, after_survival: bool
) -> dict[tuple[Counts, int, int], Fraction]:
    """Return the chances of ``sticks`` in as many of these places, every choice equally likely.

    A stick in a hex that may be crowded is counted there, ``after_survival`` if it survives; of the
    others it is known whether they are whole or dispersed.
    """
    ways = {(0, (0,) * crowds, 0, 0): 1}
    for number, (crowd, faces) in enumerate(places, 1):
        new = Counter[tuple[int, Counts, int, int]]()
        for (used, counts, whole, dispersed), count in ways.items():
            if used + len(places) - number >= sticks:
                new[used, counts, whole, dispersed] += count
            if used == sticks:
                continue
            lost, counted = faces.lost, faces.whole + faces.dispersed
            if crowd < 0:
                new[used + 1, counts, whole + 1, dispersed] += count * faces.whole
                new[used + 1, counts, whole, dispersed + 1] += count * faces.dispersed
            else:
                if not after_survival:
                    lost, counted = 0, 6
                more = (*counts[:crowd], counts[crowd] + 1, *counts[crowd + 1 :])
                new[used + 1, more, whole, dispersed] += count * counted
            new[used + 1, counts, whole, dispersed] += count * lost
        ways = {key: count for key, count in new.items() if count}
    total = comb(len(places), sticks) * 6**sticks
    return {key[1:]: Fraction(count, total) for key, count in ways.items()}


@lru_cache(maxsize=1024)
def _fates_of(sticks: int, faces: _Faces) -> Fates:
    """Return what becomes of ``sticks`` that each roll one die with these faces."""
    one = {(1, 0): faces.whole, (0, 1): faces.dispersed, (0, 0): faces.lost}
    odds = {key: Fraction(count, sum(faces)) for key, count in one.items() if count}
    fates: Fates = {(0, 0): _SURE}
    for _ in range(sticks):
        fates = together(fates, odds, _sum_of_two)
    return fates


def _sum_of_two(one: tuple[int, int], second: tuple[int, int]) -> tuple[int, int]:
    return one[0] + second[0], one[1] + second[1]


class _LandingInWind:
    """The landing of one turn in one wind.

    ``near`` are the hexes that may be crowded; ``falls`` says of each drop how many sticks count
    in each of them and what becomes of the others. Rule: I.F, II.C, III.E, III.F.
    """

    def __init__(
        self,
        sticks: Mapping[str, int],
        gliders: Sequence[GliderOrder],
        wind: Wind,
        dropmap: DropMap,
        settings: DropSettings,
    ) -> None:
        self.sticks, self.wind, self.map, self.settings = sticks, wind, dropmap, settings
        self.most = sticks_per_hex(settings)
        self.most_gliders = NUMBERS.content.gliders_per_hex
        self.after_survival = settings.cap_check == "after_survival"
        self.rows = {at: self._rows(at) for at in sticks}
        self.glider_hexes = [self._glider_hexes(order) for order in gliders]
        reach = self._reach()
        landed = Counter(at for hexes in self.glider_hexes for at in hexes)
        self.near = tuple(
            at
            for at, number in reach.items()
            if number > self.most or landed[at] > self.most_gliders
        )
        self.faces = {at: self._faces(at) for at in {*reach, *landed} - {""}}
        self.falls = {at: self._falls(at) for at in sticks}

    # Sticks

    def _rows(self, at: str) -> list[tuple[Fraction, list[str | None]]]:
        """Return the hexes of the places of each drift row, with its chance. Rule: II.C."""
        odds = table("drift_pattern", self.settings).odds({"wind": self.wind.speed})
        rows = []
        for letter, chance in odds.items():
            row = drift_row(letter, self.settings)
            line = self.map.downwind_line(at, self.wind, len(row.sticks) - 1)
            names = [line[distance][1] for distance in row.places]
            if self.settings.stick_assignment != "random_slots":
                names = names[: self.sticks[at]]
            rows.append((chance, names))
        return rows

    def _reach(self) -> Counter[str]:
        """Return how many sticks may come down in each hex at the most."""
        reach = Counter[str]()
        for at, rows in self.rows.items():
            most = Counter[str]()
            for _, names in rows:
                most |= Counter(name for name in names if name)
            reach.update({name: min(count, self.sticks[at]) for name, count in most.items()})
        return reach

    def _faces(self, at: str) -> _Faces:
        """Return the faces of the survival die in a hex, by its worst row. Rule: II.D."""
        row = self.map.survival_rows(at, self.settings)[0]
        odds = table("jump_survival", self.settings).odds({"terrain": row})
        results = ("no effect", "dispersed", "eliminated")
        return _Faces(*(int(odds.get(result, 0) * 6) for result in results))

    def _falls(self, at: str) -> dict[tuple[Counts, int, int], Fraction]:
        """Return the chances of one drop: sticks that count in each near hex, whole, dispersed."""
        falls: dict[tuple[Counts, int, int], Fraction] = {}
        for chance, names in self.rows[at]:
            places = [
                _Place(self.near.index(name) if name in self.near else -1, self.faces[name])
                if name
                else _OFF_MAP
                for name in names
            ]
            args = (self.sticks[at], len(self.near), self.after_survival)
            _mix(falls, _fall(tuple(sorted(places)), *args), chance)
        return falls

    def off_map(self, at: str) -> Fraction:
        """Return the mean number of sticks of a drop that come down off the map."""
        shares = (chance * names.count(None) / len(names) for chance, names in self.rows[at])
        return self.sticks[at] * sum(shares, Fraction())

    def fates(self, at: str) -> Fates:
        """Return what becomes of one drop: its own sticks, dispersed where others crowd them."""
        own = self.falls[at]
        mine = [any(counts[n] for counts, _, _ in own) for n in range(len(self.near))]
        others = self._crowding_gliders()
        for target, falls in self.falls.items():
            if target != at:
                counted: dict[Counts, Fraction] = {}
                for (counts, _, _), chance in falls.items():
                    crowding = tuple(n * is_mine for n, is_mine in zip(counts, mine, strict=True))
                    _mix(counted, {crowding: chance})
                others = together(others, counted, self._add_counts)
        fates: Fates = {}
        for (counts, whole, dispersed), chance in own.items():
            crowds: dict[tuple[bool, ...], Fraction] = {}
            for more, part in others.items():
                pairs = zip(counts, more, strict=True)
                _mix(crowds, {tuple(n > 0 and n + m > self.most for n, m in pairs): part})
            elsewhere = {(whole, dispersed): _SURE}
            for crowded, part in crowds.items():
                own_fates = self._counted_fates(counts, crowded)
                _mix(fates, together(elsewhere, own_fates, _sum_of_two), chance * part)
        return fates

    def _add_counts(self, one: Counts, more_counts: Counts) -> Counts:
        # That there are too many is enough to know.
        pairs = zip(one, more_counts, strict=True)
        return tuple(min(n + more, self.most + 1) for n, more in pairs)

    def _counted_fates(self, counts: Counts, crowded: tuple[bool, ...]) -> Fates:
        fates: Fates = {(0, 0): _SURE}
        for count, too_many, at in zip(counts, crowded, self.near, strict=True):
            if count:
                faces = self.faces[at].survived if self.after_survival else self.faces[at]
                now = faces.crowded if too_many else faces
                fates = together(fates, _fates_of(count, now), _sum_of_two)
        return fates

    # Gliders

    def _glider_hexes(self, order: GliderOrder) -> dict[str, Fraction]:
        """Return where a glider may land in this wind; "" is off the map. Rule: III.F."""
        hexes: dict[str, Fraction] = {}
        for result, chance in table("glider_landing", self.settings).odds({}).items():
            flown: GliderResult = result  # type: ignore[assignment]
            landed = glider_landing(
                order.at, order.flight, flown, self.wind, self.map, self.settings
            )
            _mix(hexes, {landed.at or "": chance})
        return hexes

    def _crowding_gliders(self) -> dict[Counts, Fraction]:
        """Return for each near hex as many sticks as crowd it, where too many gliders land."""
        landed: dict[Counts, Fraction] = {(0,) * len(self.near): _SURE}
        for hexes in self.glider_hexes:
            one: dict[Counts, Fraction] = {}
            for at, part in hexes.items():
                _mix(one, {tuple(int(at == name) for name in self.near): part})
            landed = together(landed, one, lambda a, b: tuple(map(int.__add__, a, b)))
        crowding: dict[Counts, Fraction] = {}
        for counts, chance in landed.items():
            over = tuple((self.most + 1) * (count > self.most_gliders) for count in counts)
            _mix(crowding, {over: chance})
        return crowding

    def glider_states(self, number: int) -> dict[str, Fraction]:
        """Return in which states a glider may land. Rule: III.E."""
        states: dict[str, Fraction] = {}
        others = [*self.glider_hexes[:number], *self.glider_hexes[number + 1 :]]
        for at, chance in self.glider_hexes[number].items():
            if not at:
                _mix(states, {"lost": chance})
                continue
            chances = [hexes.get(at, Fraction()) for hexes in others]
            parts = [{0: 1 - part, 1: part} for part in chances]
            quiet = _at_most(self.most_gliders - 1, parts) * _at_most(self.most, self._counts(at))
            whole, eliminated = quiet, Fraction()
            if self.settings.glider_terrain_check == "use_jump_table":
                faces = self.faces[at]
                whole, eliminated = quiet * Fraction(faces.whole, 6), Fraction(faces.lost, 6)
            dispersed = 1 - whole - eliminated
            glider_fates = {"eliminated": eliminated, "undispersed": whole, "dispersed": dispersed}
            _mix(states, {state: part for state, part in glider_fates.items() if part}, chance)
        return states

    def _counts(self, at: str) -> list[dict[int, Fraction]]:
        """Return of each drop how many of its sticks count in a hex; of one not near, nothing."""
        counts: list[dict[int, Fraction]] = []
        for falls in self.falls.values() if at in self.near else ():
            counts.append({})
            for (counted, _, _), chance in falls.items():
                _mix(counts[-1], {counted[self.near.index(at)]: chance})
        return counts


def _at_most(most: int, parts: Iterable[dict[int, Fraction]]) -> Fraction:
    """Return the chance that numbers add up to ``most`` or less."""
    total = {0: _SURE}
    for part in parts:
        total = together(total, part, int.__add__)
    return sum((chance for number, chance in total.items() if number <= most), Fraction())


def forecast_lines(orders: Orders, dropmap: DropMap, settings: DropSettings) -> list[str]:
    """Say for each hexside the wind may blow from what to expect of ``orders``.

    That is the share of all sticks that is lost on average, and for each glider the chance that it
    comes down in water or off the map. Rule: I.D, II.C, II.D, III.F.
    """
    lines = ["Wind from   sticks lost   gliders that may end in water or off the map"]
    sticks = sum(drop.sticks for drop in orders.drops)
    for number, side in settings.wind_numbering.items():
        turns = drop_odds(orders, dropmap, settings, side=number)
        lost = sum((turn.mean("lost") for turn in turns), Fraction())
        wet = []
        for glider in (glider for turn in turns for glider in turn.gliders):
            chances = (
                part
                for at, part in glider.hexes.items()
                if not at or "sea" in dropmap.survival_rows(at, settings)
            )
            if chance := sum(chances, Fraction()):
                wet.append(f"{glider.load} {percent(chance)}")
        share = percent(lost / sticks if sticks else Fraction())
        lines.append(f"  {side:<10}{share:>8}      {', '.join(wet) or '-'}")
    return lines
