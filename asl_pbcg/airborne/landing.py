"""Where sticks come down, and what too many in one hex brings. Rule: I.F, II.C, III.E."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from asl_pbcg.airborne import limits
from asl_pbcg.airborne.drift import downwind_line
from asl_pbcg.airborne.dropmap import DropMap
from asl_pbcg.airborne.settings import DriftRow, Settings
from asl_pbcg.airborne.units import Stick, Unit
from asl_pbcg.airborne.wind import Wind
from asl_pbcg.kernel.dice import DiceSpec
from asl_pbcg.kernel.prompts import Option, Prompt, Roll, Script, ask, tell, throw


def assign_places(
    sticks: Sequence[Stick], row: DriftRow, settings: Settings, side: str = ""
) -> Script[dict[str, int]]:
    """Settle how far downwind each stick of one target hex comes down; no number is exceeded.

    ``sticks`` may be of several planes and types. Returns hexes downwind by stick id. Where the
    row is full and all sticks are of one type, or all its places lie in one hex, nothing is left to
    decide. Rule: II.C.
    """
    ordered = in_turn(sticks)
    if not ordered:
        return {}
    places = list(row.places)
    groups = _groups(ordered, len(places))
    one_hex = len(set(places)) == 1
    if settings.stick_assignment == "nearest_first" or len(groups) == 1 or one_hex:
        return {stick.id: place for stick, place in zip(ordered, places, strict=False)}
    if settings.stick_assignment == "owner_choice":
        return (yield from _owner_places(ordered, row, side))
    # The largest group needs no chits: it gets what the others leave.
    rest = max(groups, key=lambda group: len(groups[group]))
    found: dict[str, int] = {}
    chits = dict(enumerate(places, 1))
    for group, members in groups.items():
        if group == rest:
            continue
        for number, member in enumerate(members, 1):
            what = f"{group} stick" if group else "no stick (an empty place)"
            text = (
                f"{sticks[0].aimed}, row {row.letter}: chit 1 to {len(places)}, counted "
                f"from the target hex, for {what} {number} of {len(members)}"
            )
            about = f"{sticks[0].aimed} {group or 'empty'} {number}"
            chit = yield from _draw_chit(chits, len(places), about, text, sticks[0].aimed, side)
            place = chits.pop(chit)
            if member:
                found[member] = place
    for member, place in zip(groups[rest], chits.values(), strict=True):
        if member:
            found[member] = place
    return found


def _draw_chit(
    chits: Mapping[int, int], most: int, about: str, text: str, at: str, side: str
) -> Script[int]:
    """Draw a chit numbered 1 to ``most``; one that is drawn already is drawn again. Rule: II.C."""
    dice = DiceSpec(1, most)
    roll = Roll(
        id="drift.place", about=about, text=text, rule="II.C", dice=dice, side=side, where=at
    )
    while (rolled := (yield from throw(roll))).final not in chits:
        yield from tell(f"Chit {rolled.final} has been drawn already: once more.", rule="II.C")
    return rolled.final


def in_turn(sticks: Sequence[Stick]) -> list[Stick]:
    """Sticks in the order they take places: one of each plane in turn."""
    by_plane: dict[str, list[Stick]] = {}
    for stick in sticks:
        by_plane.setdefault(stick.platoon, []).append(stick)
    longest = max((len(plane) for plane in by_plane.values()), default=0)
    return [
        plane[number]
        for number in range(longest)
        for plane in by_plane.values()
        if number < len(plane)
    ]


def _groups(sticks: Sequence[Stick], places: int) -> dict[str, list[str]]:
    """Sticks by type, and under "" the places that stay empty."""
    groups: dict[str, list[str]] = {}
    for stick in sticks:
        groups.setdefault(stick.type, []).append(stick.id)
    if places > len(sticks):
        groups[""] = [""] * (places - len(sticks))
    return groups


def _owner_places(sticks: Sequence[Stick], row: DriftRow, side: str) -> Script[dict[str, int]]:
    """Ask the owner for each stick's place, as long as it makes a difference. Rule: II.C."""
    left = Counter(row.places)
    found: dict[str, int] = {}
    for number, stick in enumerate(sticks):
        places, coming = sorted(left.elements()), sticks[number:]
        alike = len({each.type for each in coming}) == 1
        if len(set(places)) == 1 or (alike and len(places) == len(coming)):
            return found | {each.id: at for each, at in zip(coming, places, strict=False)}
        options = tuple(
            Option(
                str(distance),
                "the target hex" if not distance else f"{distance} downwind",
                consequence=f"{left[distance]} of {most} places free",
                refused="" if left[distance] else "All places of this hex are taken.",
                rule="II.C",
            )
            for distance, most in enumerate(row.sticks)
            if most
        )
        nearest = next(option.id for option in options if not option.refused)
        chosen = yield from ask(
            Prompt(
                id="drift.owner_place",
                about=stick.id,
                text=f"Row {row.letter}: where does stick {stick.id} come down?",
                rule="II.C",
                side=side,
                options=options,
                default=nearest,
                where=stick.aimed,
            )
        )
        left[int(chosen)] -= 1
        found[stick.id] = int(chosen)
    return found


def put_down(stick: Stick, drift: int, row: DriftRow, wind: Wind, dropmap: DropMap) -> Stick:
    """The stick where it came down, or lost if that is off the map. Rule: II.C."""
    _, at = downwind_line(dropmap, stick.aimed, wind, drift)[-1]
    status = stick.status if at else "lost"
    return msgspec.structs.replace(
        stick,
        at=at or "",
        fell=at or "",
        status=status,
        fate=status,
        row=row.letter,
        drift=drift,
    )


def over_stick_limit(sticks: Iterable[Stick], turn: int, settings: Settings) -> dict[str, int]:
    """The hexes in which more than two platoons of sticks landed in ``turn``, with how many.

    Exactly two platoons are allowed. Rule: I.F, II.C.
    """
    landed = Counter(stick.at for stick in sticks if stick.turn == turn and stick.on_map)
    most = limits.sticks_per_hex(settings)
    return {at: number for at, number in landed.items() if number > most}


def over_glider_limit(units: Iterable[Unit], turn: int) -> dict[str, int]:
    """The hexes in which more than two gliders landed in ``turn``, with how many.

    Rule: I.F, III.E.
    """
    landed = Counter(unit.at for unit in units if unit.glider and unit.turn == turn and unit.on_map)
    return {at: number for at, number in landed.items() if number > limits.gliders_per_hex()}


def over_stacking(
    units: Iterable[Unit], turn: int, others: Mapping[str, int], settings: Settings
) -> dict[str, int]:
    """The hexes of this turn's gliders that hold more whole units than may stack, with how many.

    ``others`` counts friendly units of the base game by hex; sticks do not count. Rule: III.E.
    """
    standing = [unit for unit in units if unit.on_map]
    count = Counter(unit.at for unit in standing)
    hexes = dict.fromkeys(unit.at for unit in standing if unit.glider and unit.turn == turn)
    totals = {at: count[at] + others.get(at, 0) for at in hexes}
    return {at: number for at, number in totals.items() if number > settings.stacking_limit}


def disperse(
    sticks: tuple[Stick, ...], units: tuple[Unit, ...], hexes: Iterable[str]
) -> tuple[tuple[Stick, ...], tuple[Unit, ...]]:
    """Disperse all friendly sticks and units in these hexes. Rule: I.F, II.C, III.E."""
    where = set(hexes)
    change = msgspec.structs.replace
    return (
        tuple(
            change(stick, status="dispersed") if stick.on_map and stick.at in where else stick
            for stick in sticks
        ),
        tuple(
            change(unit, status="dispersed") if unit.on_map and unit.at in where else unit
            for unit in units
        ),
    )


def tell_dispersed(hexes: Mapping[str, int], what: str, rule: str) -> Script[None]:
    """Tell which hexes hold too many and that all friendly units there are dispersed."""
    for at, number in hexes.items():
        yield from tell(
            f"{number} {what} in {at}: all friendly units in {at} are dispersed, those that were "
            "there before too.",
            rule=rule,
        )
