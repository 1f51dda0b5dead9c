"""Exact odds of landing orders: sticks whole, dispersed and lost, gliders by hex and state.

The dice are followed through: the wind of the turn serves all drops, one drift die moves all
sticks aimed at a hex, places of a row that is not full are drawn, sticks of several drops that may
crowd one hex are looked at together, and each stick has its survival roll. The odds are those right
after the landing of each turn, without anti-aircraft fire and enemies.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Final, NamedTuple, TypeVar

from asl_pbcg.airborne.drop_map import DropMap
from asl_pbcg.airborne.drop_settings import SPEEDS, DropSettings, Speed
from asl_pbcg.airborne.drop_tables import NUMBERS, drift_row, sticks_per_hex, table
from asl_pbcg.airborne.glider_landing import GliderResult, glider_landing
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
_RESULTS: Final[tuple[GliderResult, ...]] = ("short", "on_target", "long")
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
                _add(numbers[name], number, chance)
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
    return tuple(_TurnOfDrops(orders, turn, dropmap, settings).over(winds) for turn in orders.turns)


def _winds(
    settings: DropSettings, side: int | None, speed: Speed | None
) -> Iterator[tuple[Fraction, Wind]]:
    """Yield every wind that may blow, with its chance. Rule: I.D, I.E."""
    chart = {speed: _SURE} if speed else table("wind_speed", settings).odds({})
    sides = (side,) if side else tuple(range(1, 7))
    for each in SPEEDS:
        for one in sides:
            if each in chart:
                yield chart[each] / len(sides), wind_from(one, each, settings)


def _add(chances: dict[K, Fraction], key: K, chance: Fraction) -> None:
    chances[key] = chances.get(key, Fraction()) + chance


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


def _sum_of_two(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    return one[0] + other[0], one[1] + other[1]


@dataclass(slots=True)
class _Gathered:
    """The odds of one drop or glider, added up over the winds."""

    fates: Fates = field(default_factory=dict)
    off_map: Fraction = Fraction()
    hexes: dict[str, Fraction] = field(default_factory=dict)
    states: dict[str, Fraction] = field(default_factory=dict)


class _TurnOfDrops:
    """Works out the odds of one turn, wind by wind."""

    def __init__(self, orders: Orders, turn: int, dropmap: DropMap, settings: DropSettings) -> None:
        self.turn = turn
        self.map = dropmap
        self.settings = settings
        drops = orders.drops_of(turn)
        self.sticks = {at: sum(drop.sticks for drop in drops[at]) for at in drops}
        self.gliders = orders.gliders_of(turn)
        self.most = sticks_per_hex(settings)
        self.after_survival = settings.cap_check == "after_survival"

    def over(self, winds: Sequence[tuple[Fraction, Wind]]) -> TurnOdds:
        """Add up what each wind brings."""
        drops = {at: _Gathered() for at in self.sticks}
        gliders = [_Gathered() for _ in self.gliders]
        for chance, wind in winds:
            rows = {at: self._rows(at, wind) for at in self.sticks}
            places = [self._glider_hexes(order, wind) for order in self.gliders]
            for spoiled, part in _crowded_by_gliders(places).items():
                falls = self._falls(rows, spoiled)
                for at, drop in drops.items():
                    for fate, share in falls.fates(at).items():
                        _add(drop.fates, fate, chance * part * share)
            for at, drop in drops.items():
                for part, names in rows[at]:
                    off = Fraction(names.count(None) * self.sticks[at], len(names))
                    drop.off_map += chance * part * off
            crowds = self._falls(rows, frozenset()).crowds() if gliders else {}
            for number, glider in enumerate(gliders):
                others = [*places[:number], *places[number + 1 :]]
                for at, part in places[number].items():
                    _add(glider.hexes, at, chance * part)
                    for state, share in self._glider_states(at, others, crowds).items():
                        _add(glider.states, state, chance * part * share)
        return TurnOdds(
            self.turn,
            tuple(
                StickOdds(self.turn, at, self.sticks[at], drop.fates, drop.off_map)
                for at, drop in drops.items()
            ),
            tuple(
                GliderOdds(order.load, order.at, _likeliest_first(glider.hexes), glider.states)
                for order, glider in zip(self.gliders, gliders, strict=True)
            ),
        )

    # Sticks

    def _rows(self, at: str, wind: Wind) -> list[tuple[Fraction, list[str | None]]]:
        """Return the hexes of the places of each drift row, with its chance. Rule: II.C."""
        odds = table("drift_pattern", self.settings).odds({"wind": wind.speed})
        rows = []
        for letter, chance in odds.items():
            row = drift_row(letter, self.settings)
            line = self.map.downwind_line(at, wind, len(row.sticks) - 1)
            names = [line[distance][1] for distance in row.places]
            if self.settings.stick_assignment != "random_slots":
                names = names[: self.sticks[at]]
            rows.append((chance, names))
        return rows

    def faces(self, at: str, spoiled: frozenset[str]) -> _Faces:
        """Return the faces of the survival die in a hex, by its worst row. Rule: II.D."""
        row = self.map.survival_rows(at, self.settings)[0]
        odds = table("jump_survival", self.settings).odds({"terrain": row})
        results = ("no effect", "dispersed", "eliminated")
        faces = _Faces(*(int(odds.get(result, 0) * 6) for result in results))
        return faces.crowded if at in spoiled else faces

    def _falls(
        self, rows: Mapping[str, list[tuple[Fraction, list[str | None]]]], spoiled: frozenset[str]
    ) -> _Falls:
        """Return how the sticks of each drop fall; ``spoiled`` are hexes that gliders crowd."""
        reach = Counter[str]()
        for at, lines in rows.items():
            most = Counter[str]()
            for _, names in lines:
                most |= Counter(name for name in names if name)
            for name, count in most.items():
                reach[name] += min(count, self.sticks[at])
        hexes = tuple(name for name, count in reach.items() if count > self.most)
        faces = {name: self.faces(name, spoiled) for name in reach}
        drops: dict[str, dict[tuple[Counts, int, int], Fraction]] = {}
        for at, lines in rows.items():
            drops[at] = {}
            for chance, names in lines:
                places = [
                    _Place(hexes.index(name) if name in hexes else -1, faces[name])
                    if name
                    else _OFF_MAP
                    for name in names
                ]
                args = (tuple(sorted(places)), self.sticks[at], len(hexes), self.after_survival)
                for key, share in _fall(*args).items():
                    _add(drops[at], key, chance * share)
        counted = [faces[name].survived if self.after_survival else faces[name] for name in hexes]
        return _Falls(hexes, tuple(counted), self.most, drops)

    # Gliders

    def _glider_hexes(self, order: GliderOrder, wind: Wind) -> dict[str, Fraction]:
        """Return where a glider may land in this wind; "" is off the map. Rule: III.F."""
        odds = table("glider_landing", self.settings).odds({})
        hexes: dict[str, Fraction] = {}
        for result in _RESULTS:
            landed = glider_landing(order.at, order.flight, result, wind, self.map, self.settings)
            _add(hexes, landed.at or "", odds.get(result, Fraction()))
        return hexes

    def _glider_states(
        self, at: str, others: Sequence[Mapping[str, Fraction]], crowds: Mapping[str, Fraction]
    ) -> dict[str, Fraction]:
        """Return the states of a glider that lands in a hex. Rule: III.E."""
        if not at:
            return {"lost": _SURE}
        number = {0: _SURE}
        for other in others:
            if at in other:
                number = together(number, {0: 1 - other[at], 1: other[at]}, int.__add__)
        most = NUMBERS.content.gliders_per_hex
        quiet = sum((chance for count, chance in number.items() if count < most), Fraction())
        quiet *= 1 - crowds.get(at, Fraction())
        states = {"undispersed": quiet, "dispersed": 1 - quiet}
        if self.settings.glider_terrain_check == "use_jump_table":
            faces = self.faces(at, frozenset())
            whole, eliminated = quiet * Fraction(faces.whole, 6), Fraction(faces.lost, 6)
            states = {"eliminated": eliminated, "undispersed": whole}
            states["dispersed"] = 1 - eliminated - whole
        return {state: chance for state, chance in states.items() if chance}


@dataclass(frozen=True, slots=True)
class _Falls:
    """How the sticks of each drop fall: chances of counts in ``hexes`` and fates of the others.

    ``counted`` are the faces of a stick that is counted in each hex; more than ``most`` there are
    all dispersed. Rule: I.F, II.C.
    """

    hexes: tuple[str, ...]
    counted: tuple[_Faces, ...]
    most: int
    drops: dict[str, dict[tuple[Counts, int, int], Fraction]]

    def fates(self, at: str) -> Fates:
        """Return what becomes of one drop: its own sticks, dispersed where others crowd them."""
        own = self.drops[at]
        near = [any(counts[n] for counts, _, _ in own) for n in range(len(self.hexes))]
        others: dict[Counts, Fraction] = {(0,) * len(near): _SURE}
        for other, falls in self.drops.items():
            if other != at:
                counts_of_other: dict[Counts, Fraction] = {}
                for (counts, _, _), chance in falls.items():
                    seen = tuple(n * here for n, here in zip(counts, near, strict=True))
                    _add(counts_of_other, seen, chance)
                others = together(others, counts_of_other, self._add_counts)
        fates: Fates = {}
        for (counts, whole, dispersed), chance in own.items():
            crowds: dict[tuple[bool, ...], Fraction] = {}
            for beside, part in others.items():
                pairs = zip(counts, beside, strict=True)
                _add(crowds, tuple(n > 0 and n + more > self.most for n, more in pairs), part)
            for crowded, part in crowds.items():
                counted = self._counted_fates(counts, crowded)
                for fate, share in counted.items():
                    total = _sum_of_two((whole, dispersed), fate)
                    _add(fates, total, chance * part * share)
        return fates

    def _add_counts(self, one: Counts, other: Counts) -> Counts:
        # That there are too many is enough to know.
        pairs = zip(one, other, strict=True)
        return tuple(min(n + more, self.most + 1) for n, more in pairs)

    def _counted_fates(self, counts: Counts, crowded: tuple[bool, ...]) -> Fates:
        fates: Fates = {(0, 0): _SURE}
        for count, too_many, faces in zip(counts, crowded, self.counted, strict=True):
            if count:
                now = faces.crowded if too_many else faces
                fates = together(fates, _fates_of(count, now), _sum_of_two)
        return fates

    def crowds(self) -> dict[str, Fraction]:
        """Return for each hex the chance that sticks crowd it."""
        crowds = {}
        for number, name in enumerate(self.hexes):
            total = {0: _SURE}
            for falls in self.drops.values():
                counts: dict[int, Fraction] = {}
                for key, chance in falls.items():
                    _add(counts, key[0][number], chance)
                total = together(total, counts, int.__add__)
            chances = (chance for count, chance in total.items() if count > self.most)
            crowds[name] = sum(chances, Fraction())
        return crowds


def _crowded_by_gliders(
    places: Sequence[Mapping[str, Fraction]],
) -> dict[frozenset[str], Fraction]:
    """Return every set of hexes that too many gliders may land in, with its chance."""
    most = NUMBERS.content.gliders_per_hex
    reach = Counter(at for hexes in places for at in hexes if at)
    near = tuple(at for at, number in reach.items() if number > most)
    landed: dict[Counts, Fraction] = {(0,) * len(near): _SURE}
    for hexes in places:
        one: dict[Counts, Fraction] = {}
        for at, part in hexes.items():
            _add(one, tuple(int(at == name) for name in near), part)
        landed = together(landed, one, lambda a, b: tuple(map(int.__add__, a, b)))
    crowded: dict[frozenset[str], Fraction] = {}
    for counts, chance in landed.items():
        over = frozenset(at for at, count in zip(near, counts, strict=True) if count > most)
        _add(crowded, over, chance)
    return crowded


def _likeliest_first(chances: Mapping[str, Fraction]) -> dict[str, Fraction]:
    return dict(sorted(chances.items(), key=lambda item: -item[1]))


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
