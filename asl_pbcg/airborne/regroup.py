"""Forming whole platoons of undispersed sticks at the start of a turn. Rule: II.H."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import count

from asl_pbcg.airborne.drop_settings import tell_used
from asl_pbcg.airborne.drop_state import DropState, Stick, WholeUnit, rights_of
from asl_pbcg.airborne.turn_prompts import ask_which
from asl_pbcg.kernel.facts import facts_of
from asl_pbcg.kernel.prompts import Option, Prompt, Script, ask, tell


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
            reasons = (f"{each.at}, {each.type}: {each.refused.rstrip('.')}" for each in groups)
            yield from tell(f"No platoon can be formed: {'; '.join(reasons)}.", rule="II.H")
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
        yield from tell("Enemy units are in every hex where a platoon could form.", rule="II.H")
        return state.next_part()
    chosen = yield from ask(
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
    yield from tell(
        f"{', '.join(platoon.sticks)} form {platoon.id} in {platoon.at}. This turn it may move "
        f"and close assault, not direct fire.{abilities}",
        rule="II.H",
    )
    state = state.change(sticks, status="in a platoon", at="")
    return state.with_(units=(*state.units, platoon))
