"""From the content of a line to the rules procedure it asks for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Script
from asl_pbcg.megagame import upkeep
from asl_pbcg.megagame.artillery import air_attack, barrage, flak
from asl_pbcg.megagame.call import Call, Outcome
from asl_pbcg.megagame.direct_fire import ambush, close_assault, direct_fire
from asl_pbcg.megagame.game_table import STATE_WORDS, Table, TableUnit
from asl_pbcg.megagame.house import house_fight
from asl_pbcg.megagame.line_content import LineContent
from asl_pbcg.megagame.line_words import described_group, described_unit
from asl_pbcg.megagame.targets import anti_armour, check_morale


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
    kind = _LINES[do]
    units = tuple(part(call, line) for part in kind.units)
    script = kind.procedure(call, line, *units)
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


def _target(call: Call, line: LineContent) -> TableUnit:
    return _named_target(call, line, "the target")


def _named_target(call: Call, line: LineContent, default: str) -> TableUnit:
    unit = described_unit(line.at, call.table, "the vehicle" if line.at.vehicle else default)
    _check_present(unit)
    call.who = unit.name
    return unit


def _target_or_none(call: Call, line: LineContent) -> TableUnit | None:
    """Return the target, or None when nothing is said of one and only hits are counted."""
    return None if line.at.is_blank else _target(call, line)


def _actor(default: str) -> Callable[[Call, LineContent], TableUnit]:
    """Return how the unit that acts is read, by ``default`` where no name is said."""

    def actor(call: Call, line: LineContent) -> TableUnit:
        unit = described_unit(line.by, call.table, default)
        _check_present(unit)
        call.by = unit.name
        return unit

    return actor


# -- lines that need more than their units ------------------------------------------------


def _morale(call: Call, line: LineContent) -> Script[None]:
    """Check one unit; without words, every check that is due at the table."""
    if line.at.name or line.at.quality:
        yield from check_morale(call, _named_target(call, line, "the unit"), line.edge)
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


class _LineKind(NamedTuple):
    """How lines of a kind are settled: by which procedure, with which units of the line."""

    procedure: Callable[..., Script[Any] | None]
    units: tuple[Callable[[Call, LineContent], TableUnit | None], ...] = ()


_LINES: Final[Mapping[str, _LineKind]] = {
    "barrage": _LineKind(barrage, (_target,)),
    "air": _LineKind(air_attack, (_target,)),
    "flak": _LineKind(flak),
    "fire": _LineKind(direct_fire, (_actor("the firers"), _target_or_none)),
    "ambush": _LineKind(ambush, (_actor("the ambushers"), _target_or_none)),
    "armour": _LineKind(anti_armour, (_target,)),
    "assault": _LineKind(close_assault, (_actor("the attackers"), _target)),
    "house": _LineKind(_house),
    "morale": _LineKind(_morale),
    "unit": _LineKind(_unit),
    "set": _LineKind(upkeep.set_unit),
    "move": _LineKind(_move),
    "note": _LineKind(upkeep.add_note),
    "next": _LineKind(upkeep.next_phase),
}
