"""Artillery: a barrage on one unit, and what the same table does for aircraft. Rule: Artillery."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Script
from asl_pbcg.kernel.tables import Rolled
from asl_pbcg.megagame.call import Call
from asl_pbcg.megagame.outcome import capital
from asl_pbcg.megagame.table import Unit
from asl_pbcg.megagame.targets import hit_by_anti_armour, losses_words

RULE: Final = "Artillery"
SUPPRESSED: Final = {
    "no_move_no_fire": "no movement and no fire until the marker is removed",
    "no_move": "no movement until the marker is removed",
    "no_fire": "no fire until the marker is removed",
    "marker_only": "marked",
}


@dataclass(frozen=True, slots=True)
class Shell:
    """What falls: a calibre in mm, None when nobody says, or a bomb or rocket."""

    calibre: int | None = None
    bomb: str = ""

    def __str__(self) -> str:
        return self.bomb or (f"{self.calibre} mm" if self.calibre else "")


def barrage(
    call: Call, target: Unit, shell: Shell, cover: tuple[str, ...] = (), seen: bool = True
) -> Script[None]:
    """Settle artillery on one unit: its d10, what follows, and that it checks morale.

    ``cover`` names the target's cover (open, soft, hard), at most one; ``seen`` says that an HQ
    unit or spotter team sees it. Raises IllegalAnswer. Rule: Artillery.
    """
    call.who = target.name
    call.require(RULE, (seen, "The target must be in sight of an HQ unit or a spotter team."))
    call.change(target, marker=True)
    result = yield from strike(call, target, shell, cover, f"barrage {shell}".strip())
    if result != "no_effect":
        call.trigger(target, "artillery")


def strike(
    call: Call,
    target: Unit,
    shell: Shell,
    cover: tuple[str, ...],
    what: str,
    aircraft: bool = False,
) -> Script[str]:
    """Roll on the barrage table and do what it says; gives the result. Rule: Artillery."""
    if len(set(cover)) > 1:
        raise IllegalAnswer(f"A target is in one kind of cover, not {' and '.join(cover)}.", RULE)
    # Every condition of this table, so that no modifier can be forgotten.
    given = {
        "gun_75": _is_75(call, shell),
        "hard_cover": "hard" in cover,
        "big": bool(shell.bomb) or (shell.calibre or 0) > call.value("big_above"),
        "open": "open" in cover,
        "aircraft": aircraft,
    }
    (rolled,) = yield from call.roll(
        "barrage", f"{capital(what)} on {target.name}", given, main=True
    )
    result = call.outcome_result = rolled.result
    call.tell(f"{capital(target.name)}, {what}", (rolled,), _result_words(call, target, rolled))
    if result == "suppress":
        call.change(target, marker=True, suppressed=True)
        call.say(f"{capital(SUPPRESSED[call.value('suppress_effect')])}.")
    elif result != "no_effect":
        yield from _drive_back(call, target, result, rolled.final)
    return result


def _result_words(call: Call, target: Unit, rolled: Rolled) -> str:
    """The result; what casualties and destruction mean for a vehicle is a hit, so that is said."""
    if target.kind == "dismounts" or rolled.result in ("no_effect", "suppress", "retreat"):
        return rolled.says
    hit = call.value("barrage_on_vehicles")
    return rolled.says if hit == "none" else f"{rolled.says}: to a vehicle a {hit} AT hit"


def _is_75(call: Call, shell: Shell) -> bool:
    """Whether the modifier for 75 mm guns applies; it can be read two ways."""
    calibre, limit = shell.calibre, call.value("gun_75")
    if calibre is None or shell.bomb:
        return False
    if calibre == limit:
        return True
    reading = call.value("gun_75_reading")
    return bool(calibre < limit if reading == "smaller" else calibre > limit)


def _drive_back(call: Call, target: Unit, result: str, final: int) -> Script[None]:
    """Retreat, with casualties or worse."""
    if target.kind == "dismounts":
        if result == "destroyed":
            call.end(target, "destroyed")
            call.lose(target, call.now(target).standing or 0)
            return
        if result == "retreat_with_casualties":
            many = final >= call.value("casualties_count.many_from")
            lost = call.lose(target, call.value(f"casualties_count.{'many' if many else 'few'}"))
            call.say(f"{losses_words(call, target, lost)}.")
    elif result != "retreat":
        hit = call.value("barrage_on_vehicles")
        if hit != "none":
            kept = call.outcome_result
            yield from hit_by_anti_armour(call, target, hit)
            call.outcome_result = kept
        elif result == "destroyed":
            call.end(target, "knocked_out")
    if not call.now(target).going:
        kind = "dismounts" if target.kind == "dismounts" else "vehicles"
        back = call.value(f"retreat_distance.{kind}")
        call.facts["retreat"] = back
        call.say(f"Back {back} in.")
