"""The exact chances of what RG may bring, by the program's own scripts. Rule: 9.618."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any, Final

import msgspec

from asl_pbcg.campaign.module.charts import Groups
from asl_pbcg.campaign.state.campaign_state import Campaign, ReceivedGroup, group_key
from asl_pbcg.kernel.distribution import distribution, together
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.kernel.tables import percent
from asl_pbcg.play.refusals import Moved
from asl_pbcg.play.seat import Seat
from asl_pbcg.refit.s617_purchase import places_for
from asl_pbcg.refit.s618_strength import ARMOR_LEADERS, leaders, strength, support_weapons

PURCHASE: Final = ("basket", "basket-place")
"""The widgets of the prompts by which RG are bought."""
KINDS: Final = ("units", "SW", "leaders", "leader")
"""The kinds of things that come, in the order they are listed."""

Chances = dict[int, Fraction]
"""The exact chance of each count."""
Thing = tuple[str, str]
"""Kind and name of a thing."""


class CountChances(msgspec.Struct, frozen=True, kw_only=True):
    """How many of one thing come: ``kind`` is one of KINDS or FPP, ``chances`` exact."""

    what: str
    kind: str
    chances: Chances

    @property
    def mean(self) -> Fraction:
        """Return the mean count."""
        return sum((count * part for count, part in self.chances.items()), Fraction(0))

    def plain(self, price: int = 0) -> dict[str, Any]:
        """Return plain data: each count with its chance, the mean, the mean for each CPP."""
        data = {
            "what": self.what,
            "kind": self.kind,
            "chances": [
                {"count": count, "chance": str(part), "percent": percent(part)}
                for count, part in sorted(self.chances.items())
            ],
            "mean": round(float(self.mean), 3),
        }
        return data | ({"per_cpp": round(float(self.mean) / price, 3)} if price else {})


class GroupChances(msgspec.Struct, frozen=True, kw_only=True):
    """The chances of one RG: of each Strength, and of each count of each thing."""

    id: str
    cost: int
    strength: dict[str, Fraction]
    spreads: tuple[CountChances, ...]

    def plain(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "id": self.id,
            "cost": self.cost,
            "strength": {
                name: {
                    "chance": str(part),
                    "percent": percent(part),
                    "share": round(float(part), 3),
                }
                for name, part in self.strength.items()
            },
            "spreads": [spread.plain(self.cost) for spread in self.spreads],
        }


def group_chances(state: Campaign, id: str) -> GroupChances:
    """Return the exact distribution of what an RG ``id`` bought now would bring.

    Raises PBCGError for an RG there is not. Rule: 9.618.
    """
    charts = state.charts.groups
    if id not in charts.groups:
        raise PBCGError(f'There is no RG "{id}": {", ".join(charts.groups)}.')
    return _group_chances(_Charts(state, charts), id)


class _Charts:
    """A state for its charts alone: nothing else decides what an RG brings."""

    def __init__(self, state: Campaign, charts: Groups) -> None:
        self.state, self.charts = state, charts

    def __hash__(self) -> int:
        return id(self.charts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Charts) and other.charts is self.charts


@lru_cache(maxsize=64)
def _group_chances(charts: _Charts, id: str) -> GroupChances:
    state, chart = charts.state, charts.charts.groups[id]
    cost = chart.cost or 0
    if not chart.units:  # Fortifications: no Strength, nothing to throw for
        fpp = CountChances(what="FPP", kind="FPP", chances={int(chart.fpp or 0): Fraction(1)})
        return GroupChances(id=id, cost=cost, strength={}, spreads=(fpp,))
    new = ReceivedGroup(key=group_key(state, id), id=id, date=state.date, cost=cost)
    allotted = charts.charts.leaders.get(id)
    armor = "Armor " if allotted and allotted.table == ARMOR_LEADERS else ""
    strengths: dict[str, Fraction] = {}
    cases: list[tuple[dict[Thing, int], Fraction]] = []
    for stored, part in distribution(lambda: strength(state, new), _encode, _default).items():
        group = _decode(stored)
        strengths[group.strength] = strengths.get(group.strength, Fraction(0)) + part
        cases.append(({("units", type): count for count, type in group.units}, part))
        # SW and leaders depend on the Strength and on nothing else.
        for script in (support_weapons, leaders):
            settled = distribution(partial(script, state, group), _encode, _default)
            cases += [
                (_weapons_and_leaders(_decode(outcome), armor), part * share)
                for outcome, share in settled.items()
            ]
    return GroupChances(
        id=id,
        cost=cost,
        strength=dict(sorted(strengths.items(), key=lambda item: -item[1])),
        spreads=_spreads(cases),
    )


def _encode(group: ReceivedGroup) -> bytes:
    return msgspec.json.encode(group)


def _decode(stored: bytes) -> ReceivedGroup:
    return msgspec.json.decode(stored, type=ReceivedGroup)


def _default(prompt: Prompt) -> Any:
    return prompt.default


def _weapons_and_leaders(group: ReceivedGroup, armor: str) -> dict[Thing, int]:
    things: Counter[Thing] = Counter({("SW", sw): count for sw, count in group.sw.items()})
    for leader in group.leaders:
        things["leader", f"{leader} Armor Leader" if armor else leader] += 1
        things["leaders", f"{armor}Leaders" if armor else "leaders"] += 1
    return dict(things)


def _spreads(cases: Sequence[tuple[dict[Thing, int], Fraction]]) -> tuple[CountChances, ...]:
    """Return how many of each thing come; what a case does not name does not come in it."""
    spreads: dict[Thing, Chances] = {}
    for things, part in cases:
        for thing, count in things.items():
            chances = spreads.setdefault(thing, {})
            chances[count] = chances.get(count, Fraction(0)) + part
    for chances in spreads.values():
        if none := 1 - sum(chances.values()):
            chances[0] = chances.get(0, Fraction(0)) + none
    ordered = sorted(spreads, key=lambda thing: (KINDS.index(thing[0]), thing[1]))
    return tuple(
        CountChances(what=what, kind=kind, chances=spreads[kind, what]) for kind, what in ordered
    )


def basket_chances(state: Campaign, ids: Sequence[str]) -> list[CountChances]:
    """Return the exact distribution of what all the RG ``ids`` together would bring.

    No RG's dice depend on another's, so of each thing the counts are added up. Rule: 9.618.
    """
    totals: dict[Thing, Chances] = {}
    for spread in (spread for id in ids for spread in group_chances(state, id).spreads):
        before = totals.get((spread.kind, spread.what), {0: Fraction(1)})
        totals[spread.kind, spread.what] = together(before, spread.chances, int.__add__)
    return [
        CountChances(what=what, kind=kind, chances=chances)
        for (kind, what), chances in totals.items()
    ]


def basket_price(state: Campaign, chosen: Iterable[tuple[str, str]]) -> int:
    """Return what RG cost together, each with the CPP Entry Cost of its place. Rule: 9.61741."""
    entry = {place.id: place.cost for place in places_for(state)}
    charts = state.charts.groups.groups
    return sum((charts[id].cost or 0) + entry.get(place, 0) for id, place in chosen)


def is_purchase(seat: Seat) -> bool:
    """Whether RG are being bought at this seat now."""
    asked = seat.pending
    return isinstance(asked, Prompt) and asked.widget in PURCHASE


def what_groups_bring(seat: Seat, chosen: Iterable[str]) -> dict[str, Any]:
    """Return what each RG would bring and what ``chosen`` (``I5@J0``) would bring together.

    Raises Moved unless RG are being bought at this seat.
    """
    if not is_purchase(seat):
        raise Moved("No RG are bought now.")
    state = seat.game.session.state
    charts = state.charts.groups.groups
    basket = [(id, place) for id, _, place in (word.partition("@") for word in chosen)]
    bring = basket_chances(state, [id for id, _ in basket])
    price = basket_price(state, basket)
    return {
        "groups": {
            id: group_chances(state, id).plain()
            for id, chart in charts.items()
            if chart.cost is not None
        },
        "basket": [spread.plain(price) for spread in bring],
        "price": price,
    }
