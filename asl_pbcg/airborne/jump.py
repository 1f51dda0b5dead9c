"""Jump survival of every stick that landed, then enemies in its hex and mines.

Rule: II.D to II.G.
"""

from __future__ import annotations

import msgspec

from asl_pbcg.airborne import landing as rules
from asl_pbcg.airborne.dropmap import DropMap
from asl_pbcg.airborne.settings import tell_used
from asl_pbcg.airborne.state import DropState, make_map
from asl_pbcg.airborne.survival import after_roll, unit_after_roll
from asl_pbcg.airborne.tables import table
from asl_pbcg.airborne.units import Stick
from asl_pbcg.kernel.prompts import Option, Prompt, Roll, Script, ask, tell, throw


def stick_limit(state: DropState, used: list[str]) -> Script[DropState]:
    """Disperse all friendly units where too many sticks landed. Rule: I.F, II.C."""
    over = rules.over_stick_limit(state.sticks, state.turn, state.settings)
    if not over:
        return state
    used.append("cap_check")
    yield from rules.tell_dispersed(over, "sticks landed", "II.C")
    sticks, units = rules.disperse(state.sticks, state.units, over)
    return state.with_(sticks=sticks, units=units)


def survival(state: DropState) -> Script[DropState]:
    """Roll jump survival for each stick, then take what enemies in the hex do to them.

    Rule: II.D to II.G.
    """
    turn, settings = state.turn, state.settings
    dropmap = make_map(state)
    used: list[str] = []
    terrain: dict[str, str] = {}
    for stick in hex_by_hex(state):
        if stick.at not in terrain:
            terrain[stick.at] = yield from _terrain(state, dropmap, stick.at, used)
        rolled = yield from throw(
            Roll(
                id="survival",
                about=stick.id,
                text=f"Turn {turn}, jump survival of {stick.id} in {stick.at}, {terrain[stick.at]}",
                rule="II.D",
                table=table("jump_survival", settings),
                given={"terrain": terrain[stick.at]},
                side=state.side,
                where=stick.at,
            )
        )
        used.append("jump_survival")
        state = _set_stick(state, stick.id, after_roll(stick.status, rolled.result))
    if settings.glider_terrain_check == "use_jump_table":
        state = yield from _glider_survival(state, dropmap, terrain, used)
    if settings.cap_check == "after_survival":
        state = yield from stick_limit(state, used)
    yield from tell_used(used, settings)
    if any(stick.turn == turn and stick.on_map for stick in state.sticks):
        state = yield from _enemies(state)
        yield from tell(
            "Sticks that landed on mines are attacked by them at the usual point of the turn.",
            rule="II.G",
        )
        yield from tell(
            "Sticks that landed this turn may not move; they may close assault, without the "
            "favourable -2.",
            rule="II.F",
        )
    return _keep_fates(state).next_part()


def _keep_fates(state: DropState) -> DropState:
    """Keep the state of all that landed this turn as the landing and its attacks left it."""
    change = msgspec.structs.replace
    return state.with_(
        sticks=tuple(
            change(stick, fate=stick.status) if stick.turn == state.turn else stick
            for stick in state.sticks
        ),
        units=tuple(
            change(unit, fate=unit.status) if unit.glider and unit.turn == state.turn else unit
            for unit in state.units
        ),
    )


def hex_by_hex(state: DropState) -> list[Stick]:
    """The sticks that landed this turn, hex after hex, the hexes of each drop downwind."""
    landed = [stick for stick in state.sticks if stick.turn == state.turn and stick.on_map]
    aimed = list(state.sealed.drops_of(state.turn))
    landed.sort(key=lambda stick: (aimed.index(stick.aimed), stick.drift))
    hexes = list(dict.fromkeys(stick.at for stick in landed))
    return sorted(landed, key=lambda stick: hexes.index(stick.at))


def _terrain(state: DropState, dropmap: DropMap, at: str, used: list[str]) -> Script[str]:
    """The row of the Jump Survival Chart for a hex; the worst, or the one players name."""
    rows = dropmap.survival_rows(at, state.settings)
    if dropmap.uses_alias(at):
        used.append("terrain_alias")
    if len(rows) == 1:
        return rows[0]
    used.append("mixed_hex")
    if state.settings.mixed_hex == "worst_row":
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


def _glider_survival(
    state: DropState, dropmap: DropMap, terrain: dict[str, str], used: list[str]
) -> Script[DropState]:
    for unit in state.units:
        if not (unit.glider and unit.turn == state.turn and unit.on_map):
            continue
        used.append("glider_terrain_check")
        if unit.at not in terrain:
            terrain[unit.at] = yield from _terrain(state, dropmap, unit.at, used)
        rolled = yield from throw(
            Roll(
                id="glider.survival",
                about=unit.id,
                text=f"Turn {state.turn}, glider of {unit.id} in {unit.at}, {terrain[unit.at]}",
                rule="II.D",
                table=table("jump_survival", state.settings),
                given={"terrain": terrain[unit.at]},
                side=state.side,
                where=unit.at,
            )
        )
        status = unit_after_roll(unit.status, rolled.result)
        units = tuple(
            msgspec.structs.replace(each, status=status) if each.id == unit.id else each
            for each in state.units
        )
        state = state.with_(units=units)
    return state


def _enemies(state: DropState) -> Script[DropState]:
    """Enemies in a hex where sticks landed attack at once. Rule: II.E."""
    landed = hex_by_hex(state)
    hexes = tuple(dict.fromkeys(stick.at for stick in landed))
    attacked = yield from ask(
        Prompt(
            id="enemy.hexes",
            text=(
                "Which of these hexes hold undispersed enemy units that did not fire "
                "anti-aircraft this turn?"
            ),
            rule="II.E",
            kind="choose-some",
            options=tuple(Option(at, at) for at in hexes),
            default="none",
            help="All of them attack the sticks in their hex at once.",
        )
    )
    if not attacked:
        return state
    targets = [stick for stick in landed if stick.at in attacked]
    for at in attacked:
        names = ", ".join(stick.id for stick in targets if stick.at == at)
        yield from tell(f"The enemy in {at} attacks at once: {names}.", rule="II.E")
    for status, word in (("eliminated", "eliminated"), ("dispersed", "dispersed")):
        left = [
            stick
            for stick in state.sticks
            if stick.on_map and stick.status != status and stick.id in {each.id for each in targets}
        ]
        if not left:
            break
        hit = yield from ask(
            Prompt(
                id=f"enemy.{status}",
                text=f"Which sticks are {word} by these attacks?",
                rule="II.E",
                kind="choose-some",
                options=tuple(
                    Option(str(number), f"{stick.id} in {stick.at}")
                    for number, stick in enumerate(left, 1)
                ),
                default="none",
                help="The attacks are resolved by the base game; type their result.",
            )
        )
        for number in hit:
            state = _set_stick(state, left[int(number) - 1].id, status)
    return state


def _set_stick(state: DropState, id: str, status: str) -> DropState:
    return state.with_(
        sticks=tuple(
            msgspec.structs.replace(stick, status=status) if stick.id == id else stick
            for stick in state.sticks
        )
    )
