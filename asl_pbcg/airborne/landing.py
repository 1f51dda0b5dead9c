"""Where sticks come down, and what too many in one hex brings. Rule: I.F, II.C, III.E."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from asl_pbcg.airborne.drift_diagrams import DriftRow
from asl_pbcg.airborne.drop_map import DropMap
from asl_pbcg.airborne.drop_settings import DropSettings
from asl_pbcg.airborne.drop_state import DropState, Stick
from asl_pbcg.airborne.drop_tables import NUMBERS, sticks_per_hex
from asl_pbcg.airborne.wind import Wind
from asl_pbcg.kernel.dice import DiceSpec
from asl_pbcg.kernel.prompts import Option, Prompt, Roll, Script, ask, tell, throw


def assign_places(
    sticks: Sequence[Stick], row: DriftRow, settings: DropSettings, side: str = ""
) -> Script[dict[str, int]]:
    """Assign the sticks of one target hex to the places of a row; no number is exceeded.

    ``sticks`` may be of several planes and types. Returns hexes downwind by stick id. Where the
    row is full and all sticks are of one type, or all its places lie in one hex, nothing is left to
    decide. Rule: II.C.
    """
    ordered = _plane_by_plane(sticks)
    places = list(row.places)
    types = {stick.type for stick in ordered}
    full = len(types) == 1 and len(ordered) == len(places)
    if settings.stick_assignment == "nearest_first" or full or len(set(places)) == 1:
        return {stick.id: place for stick, place in zip(ordered, places, strict=False)}
    if settings.stick_assignment == "owner_choice":
        return (yield from _ask_owner(ordered, row, side))
    return (yield from _draw_places(ordered, row, side))


def _plane_by_plane(sticks: Sequence[Stick]) -> list[Stick]:
    """Return sticks in the order they take places: one of each plane in turn."""
    numbers = Counter[str]()
    turns = []
    planes = list(dict.fromkeys(stick.platoon for stick in sticks))
    for stick in sticks:
        turns.append((numbers[stick.platoon], planes.index(stick.platoon), stick))
        numbers[stick.platoon] += 1
    return [stick for _, _, stick in sorted(turns, key=lambda turn: turn[:2])]


def _draw_places(sticks: Sequence[Stick], row: DriftRow, side: str) -> Script[dict[str, int]]:
    """Draw a numbered chit for each stick of the smaller types; the largest gets the rest."""
    groups: dict[str, list[str]] = {}
    for stick in sticks:
        groups.setdefault(stick.type, []).append(stick.id)
    if row.total > len(sticks):
        groups[""] = [""] * (row.total - len(sticks))
    largest = max(groups, key=lambda group: len(groups[group]))
    chits = dict(enumerate(row.places, 1))
    drawn: dict[str, int] = {}
    at = sticks[0].aimed
    for group, members in groups.items():
        if group == largest:
            continue
        for number, member in enumerate(members, 1):
            what = f"{group} stick" if group else "no stick (an empty place)"
            roll = Roll(
                id="drift.place",
                about=f"{at} {group or 'empty'} {number}",
                text=f"{at}, row {row.letter}: chit 1 to {row.total}, counted from the target "
                f"hex, for {what} {number} of {len(members)}",
                rule="II.C",
                dice=DiceSpec(1, row.total),
                side=side,
                where=at,
            )
            while (rolled := (yield from throw(roll))).final not in chits:
                again = f"Chit {rolled.final} has been drawn already: once more."
                yield from tell(again, rule="II.C")
            drawn[member] = chits.pop(rolled.final)
    drawn |= zip(groups[largest], chits.values(), strict=True)
    return {id: place for id, place in drawn.items() if id}


def _ask_owner(sticks: Sequence[Stick], row: DriftRow, side: str) -> Script[dict[str, int]]:
    """Ask the owner for each stick's place, as long as it makes a difference. Rule: II.C."""
    free = Counter(row.places)
    chosen: dict[str, int] = {}
    for number, stick in enumerate(sticks):
        places, coming = sorted(free.elements()), sticks[number:]
        alike = len({other.type for other in coming}) == 1
        if len(set(places)) == 1 or (alike and len(places) == len(coming)):
            return chosen | {other.id: at for other, at in zip(coming, places, strict=False)}
        options = tuple(
            Option(
                str(distance),
                "the target hex" if not distance else f"{distance} downwind",
                consequence=f"{free[distance]} of {most} places free",
                refused="" if free[distance] else "All places of this hex are taken.",
                rule="II.C",
            )
            for distance, most in enumerate(row.sticks)
            if most
        )
        answer = yield from ask(
            Prompt(
                id="drift.owner_place",
                about=stick.id,
                text=f"Row {row.letter}: where does stick {stick.id} come down?",
                rule="II.C",
                side=side,
                options=options,
                default=str(places[0]),
                where=stick.aimed,
            )
        )
        free[int(answer)] -= 1
        chosen[stick.id] = int(answer)
    return chosen


def land_stick(stick: Stick, drift: int, row: DriftRow, wind: Wind, dropmap: DropMap) -> Stick:
    """Return the stick where it came down, or lost if that is off the map. Rule: II.C."""
    _, name = dropmap.downwind_line(stick.aimed, wind, drift)[-1]
    at, status = name or "", stick.status if name else "lost"
    return msgspec.structs.replace(
        stick, at=at, fell=at, status=status, fate=status, row=row.letter, drift=drift
    )


# More in a hex than may land there


def over_stick_limit(state: DropState) -> dict[str, int]:
    """Return the hexes in which more than two platoons of sticks landed this turn, with how many.

    Exactly two platoons are allowed. Rule: I.F, II.C.
    """
    landed = Counter(stick.at for stick in state.landed_now)
    most = sticks_per_hex(state.settings)
    return {at: number for at, number in landed.items() if number > most}


def over_glider_limit(state: DropState) -> dict[str, int]:
    """Return the hexes in which more than two gliders landed this turn. Rule: I.F, III.E."""
    gliders = [unit for unit in state.units if unit.glider and unit.turn == state.turn]
    landed = Counter(unit.at for unit in gliders if unit.on_map)
    most = NUMBERS.content.gliders_per_hex
    return {at: number for at, number in landed.items() if number > most}


def over_stacking_limit(state: DropState) -> dict[str, int]:
    """Return the hexes of this turn's gliders with more whole units than may stack. Rule: III.E.

    Friendly units of the base game count, sticks do not.
    """
    units = [unit for unit in state.units if unit.on_map]
    count = Counter(unit.at for unit in units)
    hexes = dict.fromkeys(unit.at for unit in units if unit.glider and unit.turn == state.turn)
    totals = {at: count[at] + state.others.get(at, 0) for at in hexes}
    return {at: number for at, number in totals.items() if number > state.settings.stacking_limit}


def disperse(state: DropState, hexes: Mapping[str, int], what: str, rule: str) -> Script[DropState]:
    """Disperse all friendly units in hexes that hold too many, and say so.

    Rule: I.F, II.C, III.E.
    """
    for at, number in hexes.items():
        everyone = f"all friendly units in {at} are dispersed, those that were there before too."
        yield from tell(f"{number} {what} in {at}: {everyone}", rule=rule)
    crowded = [counter for counter in state.counters if counter.on_map and counter.at in hexes]
    return state.change(crowded, status="dispersed")


def disperse_sticks(state: DropState, used: list[str]) -> Script[DropState]:
    """Disperse all friendly units where too many sticks landed. Rule: I.F, II.C."""
    over = over_stick_limit(state)
    used += ["cap_check"] if over else []
    return (yield from disperse(state, over, "sticks landed", "II.C"))
