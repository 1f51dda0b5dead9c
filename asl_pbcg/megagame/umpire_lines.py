"""From the content of a line to the rules procedure it asks for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Script
from asl_pbcg.megagame import upkeep
from asl_pbcg.megagame.artillery import air_attack, barrage, flak
from asl_pbcg.megagame.assault import close_assault
from asl_pbcg.megagame.call import Call
from asl_pbcg.megagame.direct_fire import ambush, direct_fire
from asl_pbcg.megagame.game_table import STATE_WORDS, Table, TableUnit
from asl_pbcg.megagame.house import house_fight
from asl_pbcg.megagame.line_content import LineContent
from asl_pbcg.megagame.line_words import described_group, described_unit
from asl_pbcg.megagame.mega_settings import capital, spell_out
from asl_pbcg.megagame.morale import check_morale
from asl_pbcg.megagame.outcome import Outcome
from asl_pbcg.megagame.targets import hit_by_anti_armour

MAX_HITS: Final = 20


def settle_line(
    do: str,
    line: LineContent,
    table: Table,
    *,
    modifier: int = 0,
    result: str = "",
    because: str = "",
    check_now: bool = False,
) -> Script[Outcome]:
    """Settle one line of the kind ``do`` at ``table``; return all that it brings.

    ``modifier`` and ``result`` are the umpire's own, for the reason ``because``; with
    ``check_now`` the morale checks that it makes due are rolled at once. Raises IllegalAnswer.
    """
    call = Call(do, table, modifier=modifier, result=result, because=because)
    upkeep.check_phase(call)
    script = _PROCEDURES[do](call, line)
    if script is not None:
        yield from script
    checks = call.take_checks()
    if check_now:
        for check in checks:
            unit = call.unit_named(check.unit)
            if check.quality and not unit.going:
                yield from check_morale(call, unit, line.edge)
        checks = tuple(check for check in checks if not check.quality)
    return call.outcome(checks)


def settle_settings(own: dict[str, Any], source: str, table: Table) -> Script[Outcome]:
    """Put the umpire's own settings in force for the rest of the game."""
    call = Call("settings", table)
    upkeep.use_settings(call, own, source)
    yield from ()
    return call.outcome()


# -- the units of a line ------------------------------------------------------------------


def _check_present(*units: TableUnit) -> None:
    """Check that units are still in the game; only ``set`` brings one back."""
    for unit in units:
        if unit.gone:
            raise IllegalAnswer(f"{unit.name} is out of the game: {STATE_WORDS[unit.state]}.")


def _target(call: Call, line: LineContent, default: str = "the target") -> TableUnit:
    unit = described_unit(line.at, call.table, "the vehicle" if line.at.vehicle else default)
    _check_present(unit)
    call.who = unit.name
    return unit


def _target_or_none(call: Call, line: LineContent) -> TableUnit | None:
    """Return the target, or None when nothing is said of one and only hits are counted."""
    return None if line.at.is_blank else _target(call, line)


def _actor(call: Call, line: LineContent, default: str) -> TableUnit:
    unit = described_unit(line.by, call.table, default)
    _check_present(unit)
    call.by = unit.name
    return unit


# -- one small function for each kind of line ---------------------------------------------


def _barrage(call: Call, line: LineContent) -> Script[None]:
    call.by = line.by.name
    return barrage(call, line, _target(call, line))


def _air(call: Call, line: LineContent) -> Script[None]:
    call.by = line.by.name
    return air_attack(call, line, _target(call, line))


def _flak(call: Call, line: LineContent) -> Script[None]:
    yield from flak(call, line)


def _fire(call: Call, line: LineContent) -> Script[None]:
    firer = _actor(call, line, "the firers")
    return direct_fire(call, line, firer, _target_or_none(call, line))


def _ambush(call: Call, line: LineContent) -> Script[None]:
    firer, target = _actor(call, line, "the ambushers"), _target_or_none(call, line)
    upkeep.check_movement(call, target, firer)
    return ambush(call, line, firer, target)


def _armour(call: Call, line: LineContent) -> Script[None]:
    target, value, rule = _target(call, line), line.anti_armour, "Combat results"
    if line.weapon:
        values = call.settings.whole("weapon_anti_armour")
        if values.get(line.weapon, "none") == "none":
            nothing = "has no anti-armour value: it does nothing to armour"
            raise IllegalAnswer(f"{capital(spell_out(line.weapon))} {nothing}.", rule)
        value = call.value(f"weapon_anti_armour.{line.weapon}")
    hits = 1 if line.hits is None else line.hits
    if not value:
        raise IllegalAnswer("Say the hit: light, medium or heavy, or the weapon.", rule)
    if not target.vehicle:
        raise IllegalAnswer("Say the vehicle: for example medium_tank, tiger or truck.", rule)
    if not 1 <= hits <= MAX_HITS:
        raise IllegalAnswer(f"{hits} hits cannot be rolled at once: 1 to {MAX_HITS} can.", rule)
    return hit_by_anti_armour(call, target, value, hits, line.flank, main=True)


def _assault(call: Call, line: LineContent) -> Script[None]:
    attacker, target = _actor(call, line, "the attackers"), _target(call, line)
    upkeep.check_movement(call, attacker)
    return close_assault(call, line, attacker, target)


def _morale(call: Call, line: LineContent) -> Script[None]:
    """Check one unit; without words, every check that is due at the table."""
    if line.at.name or line.at.quality:
        yield from check_morale(call, _target(call, line, "the unit"), line.edge)
        return
    if not call.table.turn:
        raise IllegalAnswer("Say who checks: green, veteran or elite.", "Morale")
    if not call.table.due:
        call.say("No morale check is due.")
        call.idle = True
    call.who = ", ".join(dict.fromkeys(check.unit for check in call.table.due))
    for check in call.table.due:
        unit = call.now(call.table.unit(check.unit))
        if unit.going:
            call.done.append(unit.name)
        else:
            yield from check_morale(call, unit, line.edge)


def _house(call: Call, line: LineContent) -> Script[None]:
    sides = []
    for side, words in (("attackers", line.attackers), ("defenders", line.defenders)):
        names = [f"the {side}{f' ({n})' if n > 1 else ''}" for n in range(1, len(words) + 1)]
        pairs = zip(words, names, strict=True)
        units = tuple(described_group(word, call.table, name) for word, name in pairs)
        _check_present(*units)
        sides.append(units)
    names = [unit.name for units in sides for unit in units]
    if len(set(names)) < len(names):
        raise IllegalAnswer("A unit stands in this fight twice.", "House to house")
    return house_fight(call, line, *sides)


def _unit(call: Call, line: LineContent) -> None:
    name = line.at.name
    if not name:
        raise IllegalAnswer('A unit needs a name, in quotes if need be: unit "A Coy" british 9.')
    if call.table.find(name):
        raise IllegalAnswer(f"{name} stands at this table already: set changes it.")
    upkeep.add_unit(call, described_unit(line.at, call.table, name))


def _move(call: Call, line: LineContent) -> None:
    units = tuple(call.table.unit(name) for name in line.names)
    _check_present(*units)
    upkeep.move_units(call, line, units)


_PROCEDURES: Final[Mapping[str, Callable[[Call, LineContent], Script[None] | None]]] = {
    "barrage": _barrage,
    "air": _air,
    "flak": _flak,
    "fire": _fire,
    "ambush": _ambush,
    "armour": _armour,
    "assault": _assault,
    "house": _house,
    "morale": _morale,
    "unit": _unit,
    "set": upkeep.set_unit,
    "move": _move,
    "note": lambda call, line: upkeep.add_note(call, line.text),
    "next": lambda call, line: upkeep.next_phase(call, line.text),
}
