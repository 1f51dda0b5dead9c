"""Artillery and aircraft: barrage, air attack, flak. Rules: Artillery, Air attack, Flak.

The text on air attack and flak is lost: what stands here of them is inferred or a house value.
"""

from __future__ import annotations

from typing import Final

from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Script
from asl_pbcg.kernel.tables import Rolled
from asl_pbcg.megagame.call import Call
from asl_pbcg.megagame.game_table import TableUnit
from asl_pbcg.megagame.line_content import LineContent
from asl_pbcg.megagame.mega_settings import capital
from asl_pbcg.megagame.targets import hit_by_anti_armour, losses_words

RULE: Final = "Artillery"
SUPPRESSED: Final = {
    "no_move_no_fire": "no movement and no fire until the marker is removed",
    "no_move": "no movement until the marker is removed",
    "no_fire": "no fire until the marker is removed",
    "marker_only": "marked",
}
_FROM_WORST: Final = ("shot_down", "driven_off", "no_effect")


def barrage(call: Call, line: LineContent, target: TableUnit) -> Script[None]:
    """Resolve artillery on one unit: its d10, what follows, and that it checks morale.

    An HQ unit or spotter team must see it. Raises IllegalAnswer. Rule: Artillery.
    """
    call.by = line.by.name
    sentence = "The target must be in sight of an HQ unit or a spotter team."
    call.require(RULE, (line.seen, sentence))
    call.change(target, marker=True)
    result = yield from _strike(call, line, target, f"barrage {line.shell}".strip())
    if result != "no_effect":
        call.trigger(target, "artillery")


def air_attack(call: Call, line: LineContent, target: TableUnit) -> Script[None]:
    """Resolve an air attack: flak first, then a surviving aircraft rolls on the barrage table.

    Rule: Air attack.
    """
    call.by = line.by.name
    if not line.seen:
        not_needed = call.value("air_spotting") != "needed"
        sentence = "The target of an air attack must be in sight of an HQ unit or a spotter team."
        call.require("Air attack", (not_needed, sentence))
    stopped = (yield from flak(call, line, main=False)) if line.guns else "no_effect"
    if stopped != "no_effect":
        verb = "is shot down" if stopped == "shot_down" else "leaves"
        call.say(f"The aircraft {verb} without attacking.")
        return
    call.value("air_uses_barrage_table")
    what = f"air attack {line.shell}".strip()
    result = yield from _strike(call, line, target, what, aircraft=True)
    if result != "no_effect" or call.value("aircraft_check_on_no_effect"):
        call.trigger(target, "aircraft")


def flak(call: Call, line: LineContent, main: bool = True) -> Script[str]:
    """Roll each flak weapon in reach at the aircraft before it attacks; return the worst result.

    Without a distance the umpire has seen that a weapon reaches. Raises IllegalAnswer if there is
    none. Rule: Flak.
    """
    if not line.guns:
        needed = "Name the flak weapons: light or heavy, each with its distance."
        raise IllegalAnswer(needed, "Flak")
    results = ["no_effect"]
    for kind in ("light", "heavy"):
        name, reaching = f"{capital(kind)} flak", 0
        for distance in (distance for gun, distance in line.guns if gun == kind):
            if distance is None or distance <= (reach := call.value(f"flak_reach.{kind}")):
                reaching += 1
            else:
                call.say(f"{name} at {distance} in. does not reach ({reach}).")
        if reaching:
            rolls = yield from call.roll("flak", name, None, reaching, main)
            worst = min(rolls, key=lambda rolled: _FROM_WORST.index(rolled.result))
            call.tell(name, rolls, worst.says)
            results.append(worst.result)
    call.outcome_result = min(results, key=_FROM_WORST.index)
    return call.outcome_result


def _strike(
    call: Call, line: LineContent, target: TableUnit, what: str, aircraft: bool = False
) -> Script[str]:
    """Roll on the barrage table and do what it says; return the result. Rule: Artillery."""
    # Every condition of this table, so that no modifier can be forgotten.
    circumstances = {
        "gun_75": _is_75(call, line),
        "hard_cover": line.cover == "hard",
        "big": bool(line.bomb) or (line.calibre or 0) > call.value("big_above"),
        "open": line.cover == "open",
        "aircraft": aircraft,
    }
    text = f"{capital(what)} on {target.name}"
    (rolled,) = yield from call.roll("barrage", text, circumstances, main=True)
    result = call.outcome_result = rolled.result
    call.tell(f"{capital(target.name)}, {what}", (rolled,), _result_words(call, target, rolled))
    if result == "suppress":
        call.change(target, marker=True, suppressed=True)
        call.say(f"{capital(SUPPRESSED[call.value('suppress_effect')])}.")
    elif result != "no_effect":
        yield from _drive_back(call, target, rolled)
        call.outcome_result = result
    return result


def _is_75(call: Call, line: LineContent) -> bool:
    """Return whether the modifier for 75 mm guns applies; it can be read two ways."""
    calibre, limit = line.calibre, int(call.value("gun_75"))
    if calibre is None or line.bomb or calibre == limit:
        return calibre == limit and not line.bomb
    return (call.value("gun_75_reading") == "smaller") is (calibre < limit)


def _result_words(call: Call, target: TableUnit, rolled: Rolled) -> str:
    """Return the result; to a vehicle casualties and destruction are a hit, and that is said."""
    if target.kind == "dismounts" or rolled.result in ("no_effect", "suppress", "retreat"):
        return rolled.says
    hit = call.value("barrage_on_vehicles")
    return rolled.says if hit == "none" else f"{rolled.says}: to a vehicle a {hit} AT hit"


def _drive_back(call: Call, target: TableUnit, rolled: Rolled) -> Script[None]:
    """Drive a unit back, with casualties or worse."""
    result, on_foot = rolled.result, target.kind == "dismounts"
    if result == "destroyed" and on_foot:
        call.end(target, "destroyed")
        call.lose(target, call.now(target).standing or 0)
    elif result == "retreat_with_casualties" and on_foot:
        many = rolled.final >= call.value("casualties_count.many_from")
        lost = call.lose(target, call.value(f"casualties_count.{'many' if many else 'few'}"))
        call.say(f"{losses_words(call, target, lost)}.")
    elif result != "retreat":
        hit = call.value("barrage_on_vehicles")
        if hit != "none":
            yield from hit_by_anti_armour(call, target, hit)
        elif result == "destroyed":
            call.end(target, "knocked_out")
    if not call.now(target).going:
        back = call.value(f"retreat_distance.{'dismounts' if on_foot else 'vehicles'}")
        call.facts["retreat"] = back
        call.say(f"Back {back} in.")
