"""The accounts of a game: what must balance after every phase, whatever was played.

The ledger counts losses and uses as they happen; the units, weapons and markers say what is
left. Both must agree, and nobody may stand where the rules allow nobody. From one phase to the
next no counter may vanish and nothing that is lost, used or wrecked come back (``between``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from asl_pbcg.st.area_terms import BRITISH, GERMAN, GERMAN_INFANTRY, PHASES, VEHICLES, area_of
from asl_pbcg.st.germans.german_resolute import resolute_numbers
from asl_pbcg.st.procedures.losses import is_killed
from asl_pbcg.st.rules.scoring import score_now
from asl_pbcg.st.state.game_rules import Rules, british_order, german_order
from asl_pbcg.st.state.game_state import Ledger, State, Unit


def faults(rules: Rules, state: State) -> list[str]:
    """Every account that does not balance, in words; empty when all is well."""
    if not state.ready:
        return []
    if found := list(_counters(rules, state)):
        return found
    for account in (
        _strength, _grenades, _charges, _leaders, _platoons, _prisoners, _markers,
        _vehicles, _places, _stacking, _carriers, _suppression, _control, _points,
    ):  # fmt: skip
        found += account(rules, state)
    return found


def check(rules: Rules, state: State, before: State | None = None) -> None:
    """Settle that every account balances, and follows from the phase ``before`` if given.

    Raises AssertionError with what does not.
    """
    found = faults(rules, state)
    if before is not None:
        found += between(rules, before, state)
    if found:
        raise AssertionError(f"turn {state.turn}, phase {state.phase}: " + "; ".join(found))


def _units(state: State, side: str) -> list[Unit]:
    return [unit for unit in state.units if unit.side == side]


def _counters(rules: Rules, state: State) -> Iterator[str]:
    """Every counter of the British and every glider is somewhere, each once. Rule: ST-GEN-04."""
    order = british_order()
    listed = Counter(unit.id for unit in state.units if unit.side == BRITISH)
    roster = Counter(list(rules.roster))
    if listed != roster:
        differ = sorted((listed - roster) + (roster - listed))
        yield f"not the British counters of the roster: {', '.join(differ)}"
    for unit in _units(state, BRITISH):
        if unit.id in rules.roster and unit.sp != rules.roster[unit.id].sp:
            yield f"{unit.id} has {unit.sp} SP at full strength"
    german = Counter(unit.id for unit in state.units if unit.side == GERMAN)
    if any(count > 1 for count in german.values()):
        yield "a German counter is there twice"
    weapons = Counter(weapon.id for weapon in state.weapons)
    guns = (*german_order().mgs, german_order().at_gun)
    printed = Counter([*guns, *(weapon.id for weapon in order.weapons)])
    if weapons != printed:
        differ = sorted((weapons - printed) + (printed - weapons))
        yield f"not the weapons of the game: {', '.join(differ)}"
    gliders = sorted(glider.number for glider in state.gliders)
    if gliders != sorted(order.gliders):
        yield f"the gliders are {gliders}"


def _strength(rules: Rules, state: State) -> Iterator[str]:
    """Initial SP less SP lost is the SP left, for each side and each unit. Rule: ST-FIR-22."""
    for side, booked in ((BRITISH, state.ledger.british_sp), (GERMAN, state.ledger.german_sp)):
        fighting = [unit for unit in _units(state, side) if unit.combat]
        lost = sum(unit.lost for unit in fighting)
        if lost != booked:
            yield f"{side} units lost {lost} SP, the ledger says {booked}"
        for unit in fighting:
            if not 0 <= unit.lost <= unit.sp:
                yield f"{unit.id} lost {unit.lost} of {unit.sp} SP"
            if (unit.status == "dead") != (unit.strength == 0):
                yield f"{unit.id} has {unit.strength} SP and is {unit.status}"


def _grenades(rules: Rules, state: State) -> Iterator[str]:
    """Grenades issued less those thrown are those left. Rule: ST-GRE-04."""
    left = sum(unit.grenades for unit in state.units)
    ledger = state.ledger
    if left != ledger.grenades_issued - ledger.grenades:
        yield f"{left} grenades left of {ledger.grenades_issued}, {ledger.grenades} thrown"
    resolute = state.settings.german == "resolute"
    for unit in state.units:
        if unit.grenades:
            german = resolute and unit.side == GERMAN
            most = resolute_numbers().grenades if german else rules.roster[unit.id].grenades
            if not 0 <= unit.grenades <= most:
                yield f"{unit.id} has {unit.grenades} grenades"


def _charges(rules: Rules, state: State) -> Iterator[str]:
    """Charges printed less those used are those left. Rule: ST-PIA-05, ST-GAM-02."""
    gammon = state.settings.gammon_uses
    printed = sum(
        gammon if weapon.kind == "gammon" else weapon.charges for weapon in british_order().weapons
    )
    left = sum(weapon.charges for weapon in state.weapons)
    if printed - state.ledger.charges != left:
        yield f"{left} charges left of {printed}, {state.ledger.charges} used"
    for weapon in state.weapons:
        if (weapon.status == "spent") != (
            weapon.kind in ("piat", "gammon") and weapon.charges == 0
        ):
            yield f"{weapon.id} has {weapon.charges} charges and is {weapon.status}"


def _leaders(rules: Rules, state: State) -> Iterator[str]:
    """Leaders killed are booked. Rule: ST-VIC-12."""
    for side, booked in (
        (BRITISH, state.ledger.leaders),
        (GERMAN, state.ledger.german_leaders),
    ):
        leaders = [unit for unit in _units(state, side) if unit.kind == "leader"]
        dead = sum(is_killed(state.settings, unit) for unit in leaders)
        if dead != booked:
            yield f"{dead} {side} leaders are dead, the ledger says {booked}"
        for unit in leaders:
            if (unit.status == "dead") != (unit.lost == unit.sp):
                yield f"{unit.id} is {unit.status} and lost {unit.lost} SP"


def _platoons(rules: Rules, state: State) -> Iterator[str]:
    """Platoons of which nothing is left are booked; platoon and squads never coexist. ST-VIC-13."""
    units = {unit.id: unit for unit in state.units}
    lost = {id for id, unit in units.items() if is_killed(state.settings, unit)}
    dead = {id for id in lost if units[id].kind == "platoon" and units[id].side == BRITISH}
    for platoon, pair in rules.squads.items():
        squads = [units[squad] for squad in pair]
        if lost.issuperset(pair):
            dead.add(platoon)
        used = [squad for squad in squads if squad.status in ("map", "dead", "aboard")]
        if used and units[platoon].status not in ("pool", "absent"):
            yield f"{platoon} is in play beside its squads"
        if used and len(used) != len(squads) and not any(s.status == "absent" for s in squads):
            yield f"one squad of {platoon} is missing"
    booked = state.ledger.platoons
    if set(booked) != dead:
        yield f"platoons gone: {sorted(dead)}, the ledger says {sorted(booked)}"
    if len(set(booked)) != len(booked):
        yield f"a platoon is booked twice: {booked}"


def _prisoners(rules: Rules, state: State) -> Iterator[str]:
    """POWs taken less those escaped are held, each by a unit on the map. Rule: ST-POW-07."""
    ledger = state.ledger
    if len(state.pows) != ledger.pows_taken - ledger.pows_escaped:
        yield f"{len(state.pows)} POWs, {ledger.pows_taken} taken, {ledger.pows_escaped} escaped"
    units = {unit.id: unit for unit in state.units}
    for pow in state.pows:
        escort = units[pow.escort]
        if escort.status != "map" or not escort.combat or escort.side != BRITISH:
            yield f"{pow.id} is guarded by {escort.id}, who is {escort.status}"


def _markers(rules: Rules, state: State) -> Iterator[str]:
    """Positions, cleared bunkers, destroyed weapons and the bridge agree with the ledger."""
    ledger = state.ledger
    if len(state.positions) != ledger.positions_begun - ledger.positions_removed:
        yield f"{len(state.positions)} prepared positions do not agree with the ledger"
    if len({position.area for position in state.positions}) != len(state.positions):
        yield "two prepared positions in one area"
    units = {unit.id: unit for unit in state.units}
    for position in state.positions:
        if position.builder and units[position.builder].area != position.area:
            yield f"{position.builder} builds in {position.area} from elsewhere"
    if len(state.cleared) != ledger.bunkers_cleared or not set(state.cleared) <= set(
        rules.geo.bunkers
    ):
        yield f"cleared bunkers {state.cleared} do not agree with the ledger"
    destroyed = sum(weapon.status == "destroyed" for weapon in state.weapons)
    if destroyed != ledger.weapons_destroyed:
        yield f"{destroyed} weapons destroyed, the ledger says {ledger.weapons_destroyed}"
    if state.demo_marker == "none" and state.demo in ("open", "malfunction"):
        yield f"no Demo Bridge marker, but the demolition is {state.demo}"


def _vehicles(rules: Rules, state: State) -> Iterator[str]:
    """Wrecked tanks are booked. Rule: ST-VIC-09."""
    wrecks = sum(unit.kind == "tank" and unit.status == "wreck" for unit in state.units)
    if wrecks != state.ledger.tanks:
        yield f"{wrecks} tanks are wrecked, the ledger says {state.ledger.tanks}"
    for unit in state.units:
        if unit.kind in VEHICLES and unit.suppressed:
            yield f"{unit.id} is suppressed"


def _places(rules: Rules, state: State) -> Iterator[str]:
    """Who is on the map stands in an area of it, in a bunker only where one is. ST-MOV-21."""
    inside: dict[str, set[str]] = {}
    for unit in state.units:
        if unit.status in ("map", "wreck"):
            if unit.area not in rules.geo.names:
                yield f"{unit.id} stands in {unit.area!r}"
            if unit.inside:
                inside.setdefault(unit.area, set()).add(unit.side)
                if unit.area not in rules.geo.has_bunker:
                    yield f"{unit.id} is in a bunker where none is"
        elif unit.status != "dead" and unit.area:
            yield f"{unit.id} is {unit.status} but stands in {unit.area}"
        driving = unit.kind in VEHICLES and unit.status == "map"
        if driving and unit.retreat != "off_road" and unit.area not in rules.geo.roads:
            yield f"{unit.id} is off the road in {unit.area}"
    for area, sides in inside.items():
        if len(sides) > 1:
            yield f"both sides are in the bunker of {area}"


def _stacking(rules: Rules, state: State) -> Iterator[str]:
    """One tank in an area, one German infantry unit beside it. Rule: ST-STK-02, ST-STK-03."""
    active = Counter(u.area for u in state.units if u.kind == "tank" and u.status == "map")
    wrecks = Counter(u.area for u in state.units if u.kind == "tank" and u.status == "wreck")
    tanks = active + wrecks if state.settings.wreck_blocks_road else active
    infantry = Counter(
        u.area
        for u in state.units
        if u.side == GERMAN and u.kind in GERMAN_INFANTRY and u.status == "map"
    )
    for area, count in tanks.items():
        if count > rules.n.tanks_per_area:
            yield f"{count} tanks in {area}"
        if infantry[area] > rules.n.infantry_with_tank:
            yield f"{infantry[area]} German infantry beside the tank in {area}"


def _carriers(rules: Rules, state: State) -> Iterator[str]:
    """Who carries a weapon stands where it is, and carries one of a kind. Rule: ST-PIA-02."""
    units = {unit.id: unit for unit in state.units}
    seen: set[tuple[str, str]] = set()
    for weapon in state.weapons:
        if not weapon.carrier:
            continue
        carrier = units[weapon.carrier]
        if carrier.side != BRITISH or not carrier.combat:
            yield f"{weapon.id} is carried by {carrier.id}"
        if weapon.status == "map" and (carrier.status != "map" or carrier.place != weapon.place):
            yield f"{weapon.id} in {weapon.place} is carried by {carrier.id} in {carrier.place}"
        if (weapon.carrier, weapon.kind) in seen:
            yield f"{carrier.id} carries two of {weapon.kind}"
        seen.add((weapon.carrier, weapon.kind))


def _suppression(rules: Rules, state: State) -> Iterator[str]:
    """Only units and leaders on the map (or dead) bear such marks. Rule: ST-SUP-01."""
    for unit in state.units:
        if unit.suppressed and unit.status != "map":
            yield f"{unit.id} is suppressed and {unit.status}"
        if unit.engaged > state.turn + 1:
            yield f"{unit.id} is engaged until turn {unit.engaged}"
        if unit.face_down and state.turn > rules.n.garrisons_wake_turn:
            yield f"{unit.id} still lies face down"


def _control(rules: Rules, state: State) -> Iterator[str]:
    """Whoever is alone in an area, or in its bunker, controls it. Rule: ST-VIC-02."""
    there: dict[str, set[str]] = {}
    for unit in state.units:
        if unit.status == "map":
            there.setdefault(unit.place, set()).add(unit.side)
    for place, sides in there.items():
        area = area_of(place)
        # On the ground and in a bunker: each is a place of its own.
        if len(sides) == 1 and area in rules.geo.land and state.control.get(place) not in sides:
            yield f"{place} is held by {sides}, but controlled by {state.control.get(place)}"
    for weapon in state.weapons:
        if weapon.held and (weapon.carrier or len(there.get(weapon.place, ())) < 2):
            yield f"{weapon.id} in {weapon.place} is said to be {weapon.held} without need"


def _points(rules: Rules, state: State) -> Iterator[str]:
    """The VP are the sum of their lines, within what the chart can give. Rule: ST-VIC-01."""
    result = score_now(rules, state)
    if state.result and state.result != result:
        yield f"the game was scored with {state.result.vp} VP, the map says {result.vp}"
    if result.vp != sum(score.vp for score in result.scores):
        yield "the VP are not the sum of their lines"
    most = {
        "bunker": len(rules.geo.bunkers), "mg": 4, "at_gun": 1, "schmidt": 1, "pillbox": 1,
        "ranville_bridge": 1, "tank": state.settings.german_tanks,
    }  # fmt: skip
    for score in result.scores:
        if not 0 <= score.count <= most.get(score.item, 99):
            yield f"{score.item} counts {score.count}"


# -- from phase to phase --------------------------------------------------------------------


def between(rules: Rules, before: State, after: State) -> list[str]:
    """What cannot come about in one phase, in words; empty when all is well."""
    if not before.ready:
        return []
    return [
        *_nothing_vanishes(before, after),
        *_nothing_comes_back(rules, before, after),
        *_ledger_grows(before, after),
        *_control_is_taken(before, after),
    ]


def _nothing_vanishes(before: State, after: State) -> Iterator[str]:
    for word, old, new in (
        ("unit", [u.id for u in before.units], [u.id for u in after.units]),
        ("weapon", [w.id for w in before.weapons], [w.id for w in after.weapons]),
        ("cleared bunker", before.cleared, after.cleared),
    ):
        if gone := sorted(set(old) - set(new)):
            yield f"{word} {', '.join(gone)} has vanished"
    sp = {unit.id: unit.sp for unit in after.units}
    for unit in before.units:
        if sp.get(unit.id, unit.sp) != unit.sp:
            yield f"{unit.id} had {unit.sp} SP at full strength and has {sp[unit.id]}"
    if len(after.gliders) != len(before.gliders):
        yield "a glider has vanished"


_FINAL = frozenset({"dead", "wreck", "left", "absent"})


def _nothing_comes_back(rules: Rules, before: State, after: State) -> Iterator[str]:
    """Lost SP, used grenades and charges, the dead and the wrecked stay what they are."""
    new = {unit.id: unit for unit in after.units}
    lost: Counter[str] = Counter()
    grenades: Counter[str] = Counter()
    for number, state in ((1, before), (-1, after)):
        for unit in state.units:
            family = rules.platoon_of.get(unit.id, unit.id)
            lost[family] += number * unit.lost
            grenades[family] += number * unit.grenades
    for family, more in lost.items():
        if more > 0:
            yield f"{family} has {more} SP again that were lost"
    fresh = {unit.id for unit in before.units if unit.status in ("pool", "waiting")}
    for family, more in grenades.items():
        if more < 0 and family not in fresh:
            yield f"{family} has {-more} grenades more than before"
    for unit in before.units:
        now = new.get(unit.id, unit)
        if unit.status in _FINAL and now.status != unit.status:
            yield f"{unit.id} was {unit.status} and is {now.status}"
        if unit.wounded and not now.wounded:
            yield f"{unit.id} was wounded and is not"
    weapons = {weapon.id: weapon for weapon in after.weapons}
    for weapon in before.weapons:
        found = weapons.get(weapon.id, weapon)
        if found.charges > weapon.charges:
            yield f"{weapon.id} has {found.charges} charges, {weapon.charges} before"
        if weapon.status in ("destroyed", "spent", "left") and found.status != weapon.status:
            yield f"{weapon.id} was {weapon.status} and is {found.status}"
    if before.bridge == "destroyed" != after.bridge:
        yield f"the bridge was destroyed and is {after.bridge}"
    if after.demo_marker not in (before.demo_marker, "none"):
        yield f"the Demo Bridge marker was {before.demo_marker} and is {after.demo_marker}"


def _ledger_grows(before: State, after: State) -> Iterator[str]:
    for name in Ledger.__struct_fields__:
        old, new = getattr(before.ledger, name), getattr(after.ledger, name)
        if isinstance(old, tuple) and new[: len(old)] != old:
            yield f"the ledger forgets {name}: {old}, then {new}"
        elif isinstance(old, int) and new < old:
            yield f"the ledger counts back {name}: {old}, then {new}"


def _control_is_taken(before: State, after: State) -> Iterator[str]:
    """Control passes to a side that has come there, or was there. Rule: ST-VIC-02."""
    for place in sorted(set(before.control) - set(after.control)):
        yield f"nobody controls {place} any more"
    old = {unit.id: (unit.place, unit.status) for unit in before.units}
    moved: set[str] = {u.side for u in after.units if old.get(u.id) != (u.place, u.status)}
    # In its own Movement Phase a unit may go round and come back.
    moved |= {side for side in (BRITISH, GERMAN) if PHASES[before.phase].name == f"{side}_movement"}
    standing = {
        (unit.area, unit.side)
        for state in (before, after)
        for unit in state.units
        if unit.status == "map"
    }
    for place, side in after.control.items():
        area = area_of(place)
        came = after.entered.get(area) == side and side in moved
        if before.control.get(place) != side and not came and (area, side) not in standing:
            yield f"{place} is controlled by the {side} side, who never came there"
