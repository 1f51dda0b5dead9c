"""What if: what would be asked after answers that nobody has given yet, and what RG may bring.

Everything is found by the program's own scripts on a state of their own; nothing is kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, Final

import msgspec

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.kernel.tables import percent
from asl_pbcg.play.asked import AskedPrompt, AskedRoll, ask_of
from asl_pbcg.play.errors import Moved

if TYPE_CHECKING:
    from asl_pbcg.campaign.charts import Groups
    from asl_pbcg.campaign.recorded import ReceivedGroup
    from asl_pbcg.campaign.state import Campaign
    from asl_pbcg.play.seat import Seat

MOST: Final = 60
"""So many answers may be tried one after the other."""
PURCHASE: Final = ("basket", "basket-place")
"""The widgets of the prompts by which RG are bought."""

Chances = dict[int, Fraction]
"""The exact chance of each count."""
Came = dict[tuple[str, str], int]
"""How many of each thing came, by kind and name."""


# -- looking ahead ------------------------------------------------------------------------


class Ahead(msgspec.Struct, frozen=True):
    """What would be asked of the same side after some answers; None if something else comes.

    ``said`` tells what would follow without a question, where the side acts in secret.
    """

    asked: AskedPrompt | AskedRoll | None
    said: tuple[str, ...] = ()


def look_ahead(seat: Seat, answers: Sequence[Any]) -> Ahead:
    """What ``seat`` would be asked after ``answers``; nothing is written.

    Raises IllegalAnswer as the answers themselves would, Moved if nothing is asked of the seat,
    and PBCGError where dice, the other side or the end of the step come before an answer.
    """
    first = seat.pending
    if not isinstance(first, Prompt):
        raise Moved("No decision is asked of you now.")
    if len(answers) > MOST:
        raise PBCGError(f"{MOST} answers at most can be tried.")
    session = seat.game.session
    run = session.ahead()
    told = len(run.lines)
    for value in answers:
        asked = run.pending
        if not isinstance(asked, Prompt) or not _alike(asked, first):
            raise PBCGError("Something else comes before that can be answered.")
        run.feed(asked.check(value), run.seq + 1)
    asked = run.pending
    if run.done or asked is None or not _alike(asked, first):
        return Ahead(None)
    title = run.step.title if run.step else ""
    found = ask_of(
        asked, seat.seq + len(answers), title, seat.game.plug.heading(session),
        seat.game.typed_dice,
    )  # fmt: skip
    said = [line.text for line in run.lines[told:] if line.kind == "note" and line.secret]
    return Ahead(found, tuple(said))


def _alike(asked: Any, first: Prompt) -> bool:
    return bool((asked.side, asked.secret) == (first.side, first.secret))


def legal_places(seat: Seat, names: Iterable[str]) -> dict[str, str]:
    """For each of ``names`` why it is no answer to what is asked; empty if it is one.

    Raises Moved unless words are asked for that may name a hex.
    """
    asked = seat.pending
    if not isinstance(asked, Prompt) or asked.kind != "text" or asked.verify is None:
        raise Moved("No place is asked of you now.")
    return {name: _refusal(asked, name) for name in names}


def _refusal(asked: Prompt, name: str) -> str:
    try:
        asked.check(name)
    except PBCGError as error:
        return str(error)
    return ""


# -- what RG bring --------------------------------------------------------------------------


class Spread(msgspec.Struct, frozen=True, kw_only=True):
    """How many of one thing come: ``kind`` is units, SW or leaders, ``chances`` exact."""

    what: str
    kind: str
    chances: Chances

    @property
    def mean(self) -> Fraction:
        """The mean count."""
        return sum((count * part for count, part in self.chances.items()), Fraction(0))

    def plain(self, price: int = 0) -> dict[str, Any]:
        """As plain data: each count with its chance, the mean, and the mean for each CPP."""
        found = {
            "what": self.what,
            "kind": self.kind,
            "chances": [
                {"count": count, "chance": str(part), "percent": percent(part)}
                for count, part in sorted(self.chances.items())
            ],
            "mean": round(float(self.mean), 3),
        }
        return found | ({"per_cpp": round(float(self.mean) / price, 3)} if price else {})


class GroupChances(msgspec.Struct, frozen=True, kw_only=True):
    """What one RG brings: the chance of each Strength, and of each count of each thing."""

    id: str
    cost: int
    strength: dict[str, Fraction]
    spreads: tuple[Spread, ...]

    def plain(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "id": self.id,
            "cost": self.cost,
            "strength": {
                name: {"chance": str(part), "percent": percent(part)}
                for name, part in self.strength.items()
            },
            "spreads": [each.plain(self.cost) for each in self.spreads],
        }


def group_chances(state: Campaign, id: str) -> GroupChances:
    """The exact distribution of what an RG ``id`` bought now would bring. Rule: 9.618.

    Raises PBCGError for an RG there is not.
    """
    charts = state.charts.groups
    if id not in charts.groups:
        raise PBCGError(f'There is no RG "{id}": {", ".join(charts.groups)}.')
    return _group_chances(_Charts(state, charts), id)


class _Charts:
    """A state for its charts alone: what an RG brings depends on nothing else."""

    def __init__(self, state: Campaign, charts: Groups) -> None:
        self.state, self.charts = state, charts

    def __hash__(self) -> int:
        return id(self.charts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Charts) and other.charts is self.charts


@lru_cache(maxsize=64)
def _group_chances(known: _Charts, id: str) -> GroupChances:
    from asl_pbcg.campaign.recorded import ReceivedGroup
    from asl_pbcg.campaign.state import group_key
    from asl_pbcg.kernel.distribution import distribution
    from asl_pbcg.refit.s618_strength import ARMOR_LEADERS, leaders, strength, support_weapons

    state, chart = known.state, known.charts.groups[id]
    cost = chart.cost or 0
    if not chart.units:  # Fortifications: no Strength, nothing to throw for
        fpp = Spread(what="FPP", kind="FPP", chances={int(chart.fpp or 0): Fraction(1)})
        return GroupChances(id=id, cost=cost, strength={}, spreads=(fpp,))
    new = ReceivedGroup(key=group_key(state, id), id=id, date=state.date, cost=cost)
    allotted = known.charts.leaders.get(id)
    armor = "Armor " if allotted and allotted.table == ARMOR_LEADERS else ""
    strengths: dict[str, Fraction] = {}
    came: list[tuple[Came, Fraction]] = []
    settled = distribution(lambda: strength(state, new), _store_group, _by_default)
    for stored, part in settled.items():
        group = _read_group(stored)
        strengths[group.strength] = strengths.get(group.strength, Fraction(0)) + part
        units = {("units", type): count for count, type in group.units}
        came.append((units, part))
        # SW and leaders depend on the Strength and on nothing else.
        for script in (support_weapons, leaders):
            found = distribution(partial(script, state, group), _store_group, _by_default)
            came += [
                (_came(_read_group(each), armor), part * share) for each, share in found.items()
            ]
    return GroupChances(
        id=id,
        cost=cost,
        strength=dict(sorted(strengths.items(), key=lambda each: -each[1])),
        spreads=_spreads(came),
    )


def _store_group(group: ReceivedGroup) -> bytes:
    return msgspec.json.encode(group)


def _read_group(stored: bytes) -> ReceivedGroup:
    from asl_pbcg.campaign.recorded import ReceivedGroup

    return msgspec.json.decode(stored, type=ReceivedGroup)


def _by_default(prompt: Prompt) -> Any:
    return prompt.default


def _came(group: ReceivedGroup, armor: str) -> Came:
    """The SW and leaders of a group; nothing of its units."""
    found: Counter[tuple[str, str]] = Counter()
    for weapon, count in group.sw.items():
        found["SW", weapon] += count
    for leader in group.leaders:
        found["leader", f"{leader} Armor Leader" if armor else leader] += 1
        found["leaders", f"{armor}Leaders" if armor else "leaders"] += 1
    return dict(found)


def _spreads(came: Sequence[tuple[Came, Fraction]]) -> tuple[Spread, ...]:
    """How many of each thing come; what a case does not name does not come in it."""
    spreads: dict[tuple[str, str], Chances] = {}
    for things, part in came:
        for thing, count in things.items():
            chances = spreads.setdefault(thing, {})
            chances[count] = chances.get(count, Fraction(0)) + part
    for chances in spreads.values():
        if none := 1 - sum(chances.values()):
            chances[0] = chances.get(0, Fraction(0)) + none
    order = ("units", "SW", "leaders", "leader")
    ordered = sorted(spreads, key=lambda each: (order.index(each[0]), each[1]))
    return tuple(
        Spread(what=what, kind=kind, chances=spreads[kind, what]) for kind, what in ordered
    )


def basket_chances(state: Campaign, ids: Sequence[str]) -> list[Spread]:
    """The exact distribution of what all the RG ``ids`` together would bring. Rule: 9.618.

    No RG's dice depend on another's, so of each thing the counts are added up.
    """
    from asl_pbcg.kernel.distribution import together

    totals: dict[tuple[str, str], Chances] = {}
    for id in ids:
        for each in group_chances(state, id).spreads:
            before = totals.get((each.kind, each.what), {0: Fraction(1)})
            totals[each.kind, each.what] = together(before, each.chances, int.__add__)
    return [
        Spread(what=what, kind=kind, chances=chances) for (kind, what), chances in totals.items()
    ]


def basket_price(state: Campaign, chosen: Iterable[tuple[str, str]]) -> int:
    """What RG cost together, each with the CPP Entry Cost of its place. Rule: 9.61741."""
    from asl_pbcg.refit.s617_purchase import places_for

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
    groups = [id for id, chart in state.charts.groups.groups.items() if chart.cost is not None]
    basket = [(id, place) for id, _, place in (each.partition("@") for each in chosen)]
    together = basket_chances(state, [id for id, _ in basket])
    price = basket_price(state, basket)
    return {
        "groups": {id: group_chances(state, id).plain() for id in groups},
        "basket": [each.plain(price) for each in together],
        "price": price,
    }
