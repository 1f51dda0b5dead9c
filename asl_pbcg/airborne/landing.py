"""Landing of sticks and gliders: where they come down, who survives, who forms platoons.

Sticks drift, too many in one hex disperse, and each makes its jump survival before enemies and
mines in its hex count; whole platoons form at the start of a turn. A glider lands short, on target
or long, and the wind shifts it. Rule: I.F, II.C to II.H, III.E, III.F.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Literal, NamedTuple

import msgspec

from asl_pbcg.airborne.drop_map import DropMap, DropPlace
from asl_pbcg.airborne.drop_settings import DriftRow, DropSettings, tell_used
from asl_pbcg.airborne.drop_state import DropState, Lander, Stick, WholeUnit, rights_of
from asl_pbcg.airborne.drop_tables import NUMBERS, sticks_per_hex
from asl_pbcg.airborne.turn_parts import ask_which, number_options, throw_on
from asl_pbcg.airborne.wind import Wind
from asl_pbcg.hexes.lattice import OPPOSITE
from asl_pbcg.kernel.dice import DiceSpec
from asl_pbcg.kernel.facts import facts_of
from asl_pbcg.kernel.prompts import Note, Option, Prompt, Roll, Script, ask, ask_some, throw
from asl_pbcg.kernel.wording import number_words

GliderResult = Literal["short", "on_target", "long"]


class GliderLanding(NamedTuple):
    """A glider's landing. ``at`` is None if it came down off the map and is lost.

    ``before_shift`` and ``place`` are where it would be without the wind and with it; ``clamped``
    says that it came down off the map and was put at its edge.
    """

    result: GliderResult
    before_shift: DropPlace
    place: DropPlace
    at: str | None
    clamped: bool = False

    @property
    def used(self) -> tuple[str, ...]:
        """Return the settings that the landing rests on."""
        off_map = self.at is None or self.clamped
        return ("glider_shift_direction", "glider_offboard")[: 1 + off_map]


def glider_landing(
    target: str,
    flight: str,
    result: GliderResult,
    wind: Wind,
    dropmap: DropMap,
    settings: DropSettings,
) -> GliderLanding:
    """Work out where a glider lands. ``flight`` is the compass hexside it flies towards.

    The wind of the turn shifts every glider by itself: one hex when low, two when gusty, three
    when high. Rule: III.F.1, III.F.2.
    """
    numbers = NUMBERS.content
    along = dropmap.directions[flight]
    start = dropmap.place(target)
    miss = {"short": -1, "on_target": 0, "long": 1}[result] * numbers.glider_miss
    before = start.step(along, miss)
    way = dropmap.directions[wind.blows_to]
    if settings.glider_shift_direction == "upwind":
        way = OPPOSITE[way]
    shifts = range(1, numbers.glider_shift[wind.speed] + 1)
    path = [start, before, *(before.step(way, hexes) for hexes in shifts)]
    at = dropmap.hex_at(path[-1])
    if at is None and settings.glider_offboard == "clamp_to_edge":
        last = next(name for place in reversed(path) if (name := dropmap.hex_at(place)))
        return GliderLanding(result, before, path[-1], last, True)
    return GliderLanding(result, before, path[-1], at)


def shift_words(landing: GliderLanding, wind: Wind, settings: DropSettings) -> str:
    """Say how far the wind shifts a glider, which way, and where it lands."""
    shift = number_words(NUMBERS.content.glider_shift[wind.speed], "hex", "hexes")
    downwind = settings.glider_shift_direction == "downwind"
    place = landing.at or "off the map, lost"
    if landing.clamped:
        place = f"off the map, put at its edge in {landing.at}"
    return f"{shift} towards {wind.blows_to if downwind else wind.comes_from}: {place}"


def survival(state: DropState) -> Script[DropState]:
    """Roll jump survival for each stick, then take what enemies in the hex do to them.

    Rule: II.D to II.G.
    """
    settings = state.settings
    used: list[str] = []
    terrain: dict[str, str] = {}
    for stick in sticks_by_hex(state):
        state = yield from _roll_survival(state, stick, terrain, used)
        used.append("jump_survival")
    if settings.glider_terrain_check == "use_jump_table":
        for unit in state.units:
            if unit.glider and unit.turn == state.turn and unit.on_map:
                used.append("glider_terrain_check")
                state = yield from _roll_survival(state, unit, terrain, used)
    if settings.cap_check == "after_survival":
        state = yield from disperse_sticks(state, used)
    yield from tell_used(used, settings)
    if state.landed_now:
        state = yield from _enemy_attacks(state)
        yield Note(
            "Sticks that landed on mines are attacked by them at the usual point of the turn.",
            rule="II.G",
        )
        yield Note(
            "Sticks that landed this turn may not move; they may close assault, without the "
            "favourable -2.",
            rule="II.F",
        )
    for counter in state.counters:
        if counter.turn == state.turn and counter.aimed:
            state = state.change([counter], fate=counter.status)
    return state.next_part()


def sticks_by_hex(state: DropState) -> list[Stick]:
    """Return the sticks that landed this turn, hex after hex, the hexes of each drop downwind."""
    aimed = list(state.sealed.drops_of(state.turn))
    landed = sorted(state.landed_now, key=lambda stick: (aimed.index(stick.aimed), stick.drift))
    hexes = list(dict.fromkeys(stick.at for stick in landed))
    return sorted(landed, key=lambda stick: hexes.index(stick.at))


def _roll_survival(
    state: DropState, counter: Lander, terrain: dict[str, str], used: list[str]
) -> Script[DropState]:
    """Roll on the chart for one stick or glider load; ``terrain`` keeps the row of each hex."""
    at, is_stick = counter.at, isinstance(counter, Stick)
    if at not in terrain:
        terrain[at] = yield from _choose_row(state, at, used)
    row, what = terrain[at], "jump survival of" if is_stick else "glider of"
    id, words = "survival" if is_stick else "glider.survival", f"{what} {counter.id} in {at}, {row}"
    rolled = yield from throw_on(
        state, "jump_survival", id, counter.id, at, words, "II.D", terrain=row
    )
    status = counter.status if rolled.result == "no effect" else rolled.result
    return state.change([counter], status=status)


def _choose_row(state: DropState, at: str, used: list[str]) -> Script[str]:
    """Return the row of the Jump Survival Chart for a hex: the worst, or the one players name."""
    dropmap = state.make_map()
    rows = dropmap.survival_rows(at, state.settings)
    used += ["terrain_alias"] if dropmap.uses_alias(at) else []
    used += ["mixed_hex"] if len(rows) > 1 else []
    if len(rows) == 1 or state.settings.mixed_hex == "worst_row":
        return rows[0]
    chosen = yield from ask(
        Prompt(
            id="survival.terrain",
            about=at,
            text=f"{at} holds {', '.join(dropmap.words(at))}. Which row of the chart?",
            rule="II.D",
            options=tuple(Option(row, row) for row in rows),
            default=rows[0],
            where=at,
        )
    )
    return str(chosen)


def _enemy_attacks(state: DropState) -> Script[DropState]:
    """Take what enemies do that attack at once in hexes where sticks landed. Rule: II.E."""
    landed = sticks_by_hex(state)
    attacked = yield from ask_which(
        "enemy.hexes",
        "Which of these hexes hold undispersed enemy units that did not fire anti-aircraft "
        "this turn?",
        "II.E",
        {stick.at: stick.at for stick in landed},
        "All of them attack the sticks in their hex at once.",
    )
    targets = {stick.id for stick in landed if stick.at in attacked}
    for at in attacked:
        names = ", ".join(stick.id for stick in landed if stick.at == at)
        yield Note(f"The enemy in {at} attacks at once: {names}.", rule="II.E")
    for status in ("eliminated", "dispersed"):
        sticks = [
            stick for stick in state.landed_now if stick.id in targets and stick.status != status
        ]
        if not sticks:
            break
        hit = yield from ask_which(
            f"enemy.{status}",
            f"Which sticks are {status} by these attacks?",
            "II.E",
            number_options(f"{stick.id} in {stick.at}" for stick in sticks),
            "The attacks are resolved by the base game; type their result.",
        )
        state = state.change([sticks[int(number) - 1] for number in hit], status=status)
    return state


@dataclass(frozen=True, slots=True)
class StickGroup:
    """The sticks of one type in one hex, the platoons they can form, or why they can form none."""

    at: str
    type: str
    platoons: tuple[tuple[Stick, ...], ...]
    refused: str = ""


def stick_groups(state: DropState, enemies: Collection[str] = ()) -> list[StickGroup]:
    """Return what can be formed at the start of the turn, hex by hex and type by type.

    A platoon takes undispersed sticks of one type that stood in one hex, free of ``enemies``, when
    the turn began, whatever plane they came from. Rule: II.H.
    """
    members: dict[tuple[str, str], list[Stick]] = {}
    for stick in state.sticks:
        if stick.on_map:
            members.setdefault((stick.at, stick.type), []).append(stick)
    need = state.settings.sticks_per_platoon
    groups = []
    for (at, kind), sticks in members.items():
        older = [stick for stick in sticks if stick.turn < state.turn]
        ready = [stick for stick in older if stick.status == "undispersed"]
        refused = f"Enemy units are in {at}." if at in enemies else ""
        if len(ready) < need and not refused:
            refused = _count_ready(sticks, older, ready, need)
        full = range(0, len(ready) - need + 1, need) if not refused else ()
        platoons = tuple(tuple(ready[start : start + need]) for start in full)
        groups.append(StickGroup(at, kind, platoons, refused))
    return groups


def _count_ready(
    sticks: Sequence[Stick], older: Sequence[Stick], ready: Sequence[Stick], need: int
) -> str:
    dispersed = sum(stick.status == "dispersed" for stick in sticks)
    others = [f"{dispersed} dispersed"] if dispersed else []
    others += [f"{len(sticks) - len(older)} landed this turn"] if len(older) < len(sticks) else []
    besides = f" ({', '.join(others)})" if others else ""
    return f"{len(ready)} of {need} sticks{besides}."


def regroup(state: DropState) -> Script[DropState]:
    """Form platoons of undispersed sticks before any other action of the turn. Rule: II.H."""
    groups = stick_groups(state)
    hexes = dict.fromkeys(group.at for group in groups if group.platoons)
    if not hexes:
        if groups:
            reasons = (f"{group.at}, {group.type}: {group.refused.rstrip('.')}" for group in groups)
            yield Note(f"No platoon can be formed: {'; '.join(reasons)}.", rule="II.H")
        return state.next_part()
    enemies = yield from ask_which(
        "regroup.enemies",
        "Which of these hexes hold enemy units?",
        "II.H",
        dict(zip(hexes, hexes, strict=True)),
        "Sticks combine only in a hex that is free of enemy units.",
    )
    options, members = _platoon_options(stick_groups(state, enemies))
    if not members:
        yield Note("Enemy units are in every hex where a platoon could form.", rule="II.H")
        return state.next_part()
    chosen = yield from ask_some(
        Prompt(
            id="regroup.form",
            text="Which platoons are formed?",
            rule="II.H",
            side=state.side,
            kind="choose-some",
            options=options,
            default=",".join(members),
            help="Sticks of one type combine, whatever plane they came from. A platoon formed "
            "now may move and close assault this turn, but not direct fire, and never breaks "
            "down into sticks again.",
        )
    )
    for id in chosen:
        state = yield from _form_platoon(state, members[id])
    yield from tell_used(("sticks_per_platoon",), state.settings)
    return state.next_part()


def _platoon_options(
    groups: list[StickGroup],
) -> tuple[tuple[Option, ...], dict[str, tuple[Stick, ...]]]:
    options, members = [], {}
    for group in groups:
        id = f"{group.at}.{group.type}"
        if group.refused:
            text = f"{group.type} in {group.at}"
            options.append(Option(id, text, refused=group.refused, rule="II.H"))
        for number, sticks in enumerate(group.platoons, 1):
            members[f"{id}.{number}"] = sticks
            names = ", ".join(stick.id for stick in sticks)
            text = f"{group.type} platoon in {group.at}"
            options.append(Option(f"{id}.{number}", text, names))
    return tuple(options), members


def _form_platoon(state: DropState, sticks: tuple[Stick, ...]) -> Script[DropState]:
    """Replace sticks by a platoon with the next free number of their type."""
    taken = {unit.id for unit in state.units} | {stick.platoon for stick in state.sticks}
    kind = sticks[0].type
    number = next(n for n in count(1) if f"{kind} {n}" not in taken)
    platoon = WholeUnit(
        **facts_of(sticks[0], "type kind at"),
        id=f"{kind} {number}",
        turn=state.turn,
        sticks=tuple(stick.id for stick in sticks),
    )
    engineer = rights_of(platoon, state.turn).engineer
    abilities = " It has all abilities of engineers (I.B.1)." if engineer else ""
    yield Note(
        f"{', '.join(platoon.sticks)} form {platoon.id} in {platoon.at}. This turn it may move "
        f"and close assault, not direct fire.{abilities}",
        rule="II.H",
    )
    state = state.change(sticks, status="in a platoon", at="")
    return state.with_(units=(*state.units, platoon))


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
                yield Note(again, rule="II.C")
            drawn[member] = chits.pop(rolled.final)
    drawn |= zip(groups[largest], chits.values(), strict=True)
    return {id: place for id, place in drawn.items() if id}


def _ask_owner(sticks: Sequence[Stick], row: DriftRow, side: str) -> Script[dict[str, int]]:
    """Ask the owner for each stick's place, as long as it makes a difference. Rule: II.C."""
    free = Counter(row.places)
    chosen: dict[str, int] = {}
    for number, stick in enumerate(sticks):
        places, coming = sorted(free.elements()), sticks[number:]
        alike = len({mate.type for mate in coming}) == 1
        if len(set(places)) == 1 or (alike and len(places) == len(coming)):
            return chosen | {mate.id: at for mate, at in zip(coming, places, strict=False)}
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
        yield Note(f"{number} {what} in {at}: {everyone}", rule=rule)
    crowded = [counter for counter in state.counters if counter.on_map and counter.at in hexes]
    return state.change(crowded, status="dispersed")


def disperse_sticks(state: DropState, used: list[str]) -> Script[DropState]:
    """Disperse all friendly units where too many sticks landed. Rule: I.F, II.C."""
    over = over_stick_limit(state)
    used += ["cap_check"] if over else []
    return (yield from disperse(state, over, "sticks landed", "II.C"))
