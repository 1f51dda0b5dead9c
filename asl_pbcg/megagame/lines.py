"""From what a line says to the rules procedure it asks for, one small function for each kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Script
from asl_pbcg.megagame import upkeep
from asl_pbcg.megagame.air import Gun, air_attack, flak
from asl_pbcg.megagame.artillery import Shell, barrage
from asl_pbcg.megagame.assault import close_assault
from asl_pbcg.megagame.call import Call
from asl_pbcg.megagame.cards import Card
from asl_pbcg.megagame.fire import Ambush, Shots, ambush, direct_fire
from asl_pbcg.megagame.house import deal_only, house_fight
from asl_pbcg.megagame.morale import check_all, check_morale
from asl_pbcg.megagame.outcome import Outcome, capital
from asl_pbcg.megagame.settings import spell_out
from asl_pbcg.megagame.table import STATE_WORDS, Table, Unit
from asl_pbcg.megagame.targets import hit_by_anti_armour
from asl_pbcg.megagame.who import group_said, unit_said
from asl_pbcg.megagame.words import Said

Build = Callable[[Call, Said], Script[None] | None]


def settle_line(
    do: str,
    said: Said,
    table: Table,
    *,
    modifier: int = 0,
    result: str = "",
    because: str = "",
    check_now: bool = False,
) -> Script[Outcome]:
    """Settle one line of the kind ``do`` at ``table``; gives all that it came to.

    ``modifier`` and ``result`` are the umpire's own, for the reason ``because``; with
    ``check_now`` the morale checks that it makes due are rolled at once. Raises IllegalAnswer.
    """
    call = Call(do, table, modifier=modifier, result=result, because=because)
    upkeep.in_phase(call)
    script = BUILDS[do](call, said)
    if script is not None:
        yield from script
    checks = call.take_checks()
    if check_now:
        known = tuple(check for check in checks if check.quality)
        yield from check_all(call, known, said.get("edge"))
        checks = tuple(check for check in checks if not check.quality)
    return call.outcome(checks)


def _there(*units: Unit) -> None:
    """Settle that units are still in the game; only ``set`` brings one back."""
    for unit in units:
        if unit.gone:
            raise IllegalAnswer(f"{unit.name} is out of the game: {STATE_WORDS[unit.state]}.")


def _target(call: Call, said: Said, default: str = "") -> Unit:
    label = "the vehicle" if said.get("at.vehicle") else "the target"
    unit = unit_said(said, "at", call.table, default or label)
    _there(unit)
    return unit


def _firer(call: Call, said: Said, default: str) -> Unit:
    unit = unit_said(said, "by", call.table, default)
    _there(unit)
    return unit


def _cover(said: Said) -> tuple[str, ...]:
    return tuple(said.get("cover", ()))


def _shell(said: Said) -> Shell:
    return Shell(calibre=said.get("calibre"), bomb=said.get("bomb", ""))


def _guns(said: Said) -> tuple[Gun, ...]:
    return tuple(Gun(kind, distance) for kind, distance in said.get("guns", ()))


def _shots(said: Said) -> Shots:
    return Shots(
        weapon=said.get("weapon", ""),
        count=said.get("count"),
        dice=said.get("dice"),
        distance=said.get("distance"),
        cover=_cover(said),
        building=said.get("building", False),
        short=said.get("short", False),
        moved=said.get("moved", False),
        flank=said.get("flank", False),
    )


def _fire_target(call: Call, said: Said) -> Unit | None:
    """The target, or None when nothing is said of one and only hits are counted."""
    if not any(key.startswith("at.") for key in said.things):
        return None
    return _target(call, said)


def _barrage(call: Call, said: Said) -> Script[None]:
    call.by = said.get("by.name", "")
    yield from barrage(
        call, _target(call, said), _shell(said), _cover(said), said.get("seen", True)
    )


def _air(call: Call, said: Said) -> Script[None]:
    call.by = said.get("by.name", "")
    yield from air_attack(
        call, _target(call, said), _shell(said), _cover(said), _guns(said), said.get("seen", True)
    )


def _flak(call: Call, said: Said) -> Script[None]:
    yield from flak(call, _guns(said))


def _fire(call: Call, said: Said) -> Script[None]:
    firer = _firer(call, said, "the firers")
    yield from direct_fire(call, firer, _fire_target(call, said), _shots(said))


def _ambush(call: Call, said: Said) -> Script[None]:
    firer = _firer(call, said, "the ambushers")
    target = _fire_target(call, said)
    upkeep.right_side(call, firer, target)
    conditions = Ambush(
        covered=said.get("covered", True),
        unseen=said.get("unseen", True),
        still=said.get("still", True),
        in_front=said.get("in_front", True),
    )
    yield from ambush(call, firer, target, _shots(said), conditions)


def _armour(call: Call, said: Said) -> Script[None]:
    target = _target(call, said)
    call.who = target.name
    value = said.get("anti_armour")
    if weapon := said.get("weapon"):
        known = call.settings.whole("weapon_anti_armour")
        if known.get(weapon, "none") == "none":
            raise IllegalAnswer(
                f"{capital(spell_out(weapon))} has no anti-armour value: it does nothing to "
                "armour.",
                "Combat results",
            )
        value = call.value(f"weapon_anti_armour.{weapon}")
    if not value:
        raise IllegalAnswer("Say the hit: light, medium or heavy, or the weapon.", "Combat results")
    if not target.vehicle:
        raise IllegalAnswer(
            "Say the vehicle: for example medium_tank, tiger or truck.", "Combat results"
        )
    hits = said.get("hits", 1)
    if not 1 <= hits <= 20:
        raise IllegalAnswer(f"{hits} hits cannot be rolled at once: 1 to 20 can.", "Combat results")
    yield from hit_by_anti_armour(call, target, value, hits, said.get("flank", False), main=True)


def _assault(call: Call, said: Said) -> Script[None]:
    attacker = _firer(call, said, "the attackers")
    target = _target(call, said)
    upkeep.right_side(call, None, attacker)
    distance, figures = said.get("distance"), said.get("contact")
    yield from close_assault(call, attacker, target, distance, figures)


def _morale(call: Call, said: Said) -> Script[None]:
    """One unit's check; without words, every check that is due at the table."""
    if said.get("at.name") or said.get("at.quality"):
        label = "the vehicle" if said.get("at.vehicle") else "the unit"
        yield from check_morale(call, _target(call, said, label), said.get("edge"))
        return
    if not call.table.turn:
        raise IllegalAnswer("Say who checks: green, veteran or elite.", "Morale")
    if not call.table.due:
        call.say("No morale check is due.")
        call.idle = True
    for check in call.table.due:
        unit = call.now(call.table.unit(check.unit))
        if unit.going:
            call.done.append(unit.name)
        else:
            yield from check_morale(call, unit, said.get("edge"))
    call.who = ", ".join(dict.fromkeys(check.unit for check in call.table.due))


def _house(call: Call, said: Said) -> Script[None]:
    sides: list[tuple[Unit, ...]] = []
    for side in ("attackers", "defenders"):
        groups: list[Unit] = []
        for number, word in enumerate(said.get(side, ()), 1):
            default = f"the {side}" if number == 1 else f"the {side} ({number})"
            groups.append(group_said(word, call.table, default))
        _there(*groups)
        sides.append(tuple(groups))
    names = [unit.name for side in sides for unit in side]
    if len(set(names)) < len(names):
        raise IllegalAnswer("A unit stands in this fight twice.", "House to house")
    if said.get("deal"):
        deal_only(call, *sides)
        return
    hands: tuple[tuple[Card, ...], tuple[Card, ...]] | None = said.get("hands")
    yield from house_fight(
        call,
        sides[0],
        sides[1],
        said.get("building", ""),
        real_cards=said.get("real", False),
        hands=hands,
    )


def _unit(call: Call, said: Said) -> None:
    name = said.get("at.name", "")
    if not name:
        raise IllegalAnswer('A unit needs a name, in quotes if need be: unit "A Coy" british 9.')
    if call.table.find(name):
        raise IllegalAnswer(f"{name} stands at this table already: set changes it.")
    upkeep.add_unit(call, unit_said(said, "at", call.table, name))


def _set(call: Call, said: Said) -> None:
    unit = call.table.unit(said.get("at.name", ""))
    keys = ("side", "quality", "figures", "vehicle")
    fields = {key: said.get(f"at.{key}") for key in keys if said.get(f"at.{key}") is not None}
    if said.get("state"):
        fields["state"] = said.get("state")
    upkeep.set_unit(call, unit, fields)


def _move(call: Call, said: Said) -> None:
    units = tuple(call.table.unit(name) for name in said.get("names", ()))
    if not units:
        raise IllegalAnswer("Say which units moved.")
    _there(*units)
    upkeep.move(call, units, said.get("what", ""))


BUILDS: Final[Mapping[str, Build]] = {
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
    "set": _set,
    "move": _move,
    "note": lambda call, said: upkeep.note(call, said.get("text", "")),
    "next": lambda call, said: upkeep.next_phase(call, said.get("to", "")),
    "settings": lambda call, said: upkeep.use_settings(call, said.get("own"), said.get("source")),
}


def house_words(
    words: list[str], attackers: bool = False, defenders: bool = False
) -> tuple[list[str], list[str], str]:
    """Read the words of a house fight: the groups of either side, and the building after ``in``.

    ``3:veteran 2:elite`` are attackers and defenders, ``+`` joins groups of a side; ``vs`` stands
    between more words. Words are of the other side if ``attackers`` or ``defenders`` are named
    already. Raises IllegalAnswer.
    """
    sides: tuple[list[str], list[str]] = ([], [])
    building, second = "", False
    words = list(words)
    while words:
        word = words.pop(0)
        if word.lower() in ("vs", "v", "against"):
            second = True
        elif word.lower() == "in" and words:
            building = words.pop(0)
        else:
            sides[second].append(word)
    first, other = sides
    if not second and attackers is not defenders:
        first, other = ([], first) if attackers else (first, [])
    elif not second and len(first) == 2:
        first, other = first[:1], first[1:]
    elif not second and len(first) > 2:
        raise IllegalAnswer(
            "Say vs between attackers and defenders: for example 3:elite 4:green vs 5:veteran.",
            "House to house",
        )
    return _groups(first), _groups(other), building


def _groups(words: list[str]) -> list[str]:
    return [part for word in words for part in word.split("+") if part]


def as_side(word: str) -> str:
    """A side of a house fight as it is typed: a, att, attackers, d ..."""
    found = [side for side in ("attackers", "defenders", "both") if side.startswith(word.lower())]
    if len(found) != 1 or not word:
        raise IllegalAnswer(f'"{word}" is no side: attackers, defenders or both.')
    return found[0]
