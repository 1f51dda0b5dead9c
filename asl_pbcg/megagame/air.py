"""Air attack and flak. Their text is lost: what stands here is inferred or a house value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import Script
from asl_pbcg.megagame.artillery import Shell, strike
from asl_pbcg.megagame.call import Call
from asl_pbcg.megagame.table import Unit

RULE: Final = "Air attack"
_WORST: Final = ("no_effect", "driven_off", "shot_down")


@dataclass(frozen=True, slots=True)
class Gun:
    """A flak weapon, light or heavy, and its distance in inches if that is in question."""

    kind: str
    distance: float | None = None


def flak(call: Call, guns: tuple[Gun, ...], main: bool = True) -> Script[str]:
    """Each flak weapon in reach rolls at the aircraft before it attacks; gives the worst result.

    Raises IllegalAnswer if there is no gun. Rule: Flak.
    """
    if not guns:
        raise IllegalAnswer(
            "Name the flak weapons: light or heavy, each with its distance.", "Flak"
        )
    worst = "no_effect"
    for kind in ("light", "heavy"):
        reaching = 0
        for gun in guns:
            if gun.kind != kind:
                continue
            # Without a distance the umpire has seen that it reaches.
            reach = call.value(f"flak_reach.{kind}") if gun.distance is not None else 0
            if gun.distance is not None and gun.distance > reach:
                call.say(
                    f"{kind.capitalize()} flak at {gun.distance} in. does not reach ({reach})."
                )
            else:
                reaching += 1
        if reaching:
            rolls = yield from call.roll("flak", f"{kind.capitalize()} flak", None, reaching, main)
            found = max((rolled.result for rolled in rolls), key=_WORST.index)
            says = next(rolled.says for rolled in rolls if rolled.result == found)
            call.tell(f"{kind.capitalize()} flak", rolls, says)
            worst = max(worst, found, key=_WORST.index)
    call.outcome_result = worst
    return worst


def air_attack(
    call: Call,
    target: Unit,
    shell: Shell,
    cover: tuple[str, ...] = (),
    guns: tuple[Gun, ...] = (),
    seen: bool = True,
) -> Script[None]:
    """Settle an air attack: flak first, then a surviving aircraft rolls on the barrage table.

    ``seen`` matters only where the setting ``air_spotting`` asks for an HQ unit or spotter team.
    Rule: Air attack.
    """
    call.who = target.name
    if not seen:
        needed = call.value("air_spotting") == "needed"
        sentence = "The target of an air attack must be in sight of an HQ unit or a spotter team."
        call.require(RULE, (not needed, sentence))
    stopped = (yield from flak(call, guns, main=False)) if guns else "no_effect"
    if stopped != "no_effect":
        verb = "is shot down" if stopped == "shot_down" else "leaves"
        call.say(f"The aircraft {verb} without attacking.")
        return
    call.value("air_uses_barrage_table")
    result = yield from strike(
        call, target, shell, cover, f"air attack {shell}".strip(), aircraft=True
    )
    if result != "no_effect" or call.value("aircraft_check_on_no_effect"):
        call.trigger(target, "aircraft")
