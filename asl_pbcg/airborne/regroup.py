"""Forming whole platoons of undispersed sticks. Rule: II.H."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from asl_pbcg.airborne.settings import Settings
from asl_pbcg.airborne.units import Stick, Unit
from asl_pbcg.kernel.errors import IllegalAnswer


@dataclass(frozen=True, slots=True)
class Chance:
    """Sticks of one type in one hex at the start of a turn, and how many platoons they can form.

    ``refused`` says why they can form none.
    """

    at: str
    type: str
    sticks: tuple[Stick, ...]
    platoons: int
    refused: str = ""


def verify_platoon(
    sticks: Sequence[Stick | Unit],
    turn: int,
    enemies: Collection[str],
    settings: Settings,
    *,
    acted: bool = False,
) -> None:
    """Settle that these sticks may form a platoon at the start of ``turn``.

    ``enemies`` are hexes with enemy units; ``acted`` whether anything else was done this turn.
    Raises IllegalAnswer that says what is missing. Rule: II.H.
    """
    found: list[Stick] = []
    for stick in sticks:
        if isinstance(stick, Unit):
            raise IllegalAnswer(f"{stick.id} is a whole unit and stays one.", "II.H")
        found.append(stick)
    if acted:
        raise IllegalAnswer("Platoons are formed before any other action of the turn.", "II.H")
    need = settings.sticks_per_platoon
    if len(found) != need or len({stick.id for stick in found}) != need:
        raise IllegalAnswer(f"A platoon needs {need} sticks, not {len(found)}.", "II.H")
    for stick in found:
        _verify_stick(stick, turn)
    kinds = dict.fromkeys(stick.type for stick in found)
    if len(kinds) > 1:
        raise IllegalAnswer(
            f"Sticks of different types do not combine: these are {' and '.join(kinds)}.", "II.H"
        )
    hexes = dict.fromkeys(stick.at for stick in found)
    if len(hexes) > 1:
        raise IllegalAnswer(
            f"The sticks must be in one hex: these are in {', '.join(hexes)}.", "II.H"
        )
    if found[0].at in enemies:
        raise IllegalAnswer(f"Enemy units are in {found[0].at}.", "II.H")


def _verify_stick(stick: Stick, turn: int) -> None:
    if not stick.on_map:
        raise IllegalAnswer(f"{stick.id} is not on the map ({stick.status}).", "II.H")
    if stick.turn >= turn:
        raise IllegalAnswer(f"{stick.id} landed this turn and cannot combine yet.", "II.H")
    if stick.status == "dispersed":
        raise IllegalAnswer(f"{stick.id} is dispersed.", "II.H")


def form_platoon(
    id: str,
    sticks: Sequence[Stick],
    turn: int,
    enemies: Collection[str],
    settings: Settings,
    *,
    acted: bool = False,
) -> Unit:
    """The platoon that replaces these sticks. Raises IllegalAnswer as ``verify_platoon``.

    Rule: II.H.
    """
    verify_platoon(sticks, turn, enemies, settings, acted=acted)
    return Unit(
        id=id,
        type=sticks[0].type,
        kind=sticks[0].kind,
        turn=turn,
        at=sticks[0].at,
        sticks=tuple(stick.id for stick in sticks),
    )


def chances(
    sticks: Iterable[Stick], turn: int, enemies: Collection[str], settings: Settings
) -> list[Chance]:
    """What can be formed at the start of ``turn``, hex by hex and type by type, and what not.

    Rule: II.H.
    """
    groups: dict[tuple[str, str], list[Stick]] = {}
    for stick in sticks:
        if stick.on_map:
            groups.setdefault((stick.at, stick.type), []).append(stick)
    found = []
    for (at, kind), members in groups.items():
        ready = [stick for stick in members if stick.turn < turn and stick.status == "undispersed"]
        platoons = len(ready) // settings.sticks_per_platoon
        refused = _why_none(at, members, ready, turn, enemies, settings)
        found.append(Chance(at, kind, tuple(ready), 0 if refused else platoons, refused))
    return found


def _why_none(
    at: str,
    members: Sequence[Stick],
    ready: Sequence[Stick],
    turn: int,
    enemies: Collection[str],
    settings: Settings,
) -> str:
    if at in enemies:
        return f"Enemy units are in {at}."
    need = settings.sticks_per_platoon
    if len(ready) >= need:
        return ""
    dispersed = sum(stick.status == "dispersed" for stick in members)
    fresh = sum(stick.turn >= turn for stick in members)
    more = [f"{dispersed} dispersed"] if dispersed else []
    more += [f"{fresh} landed this turn"] if fresh else []
    beside = f" ({', '.join(more)})" if more else ""
    return f"{len(ready)} of {need} sticks{beside}."
