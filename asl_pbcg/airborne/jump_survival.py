"""Jump survival of every stick that landed, then enemies in its hex and mines.

Rule: II.D to II.G.
"""

from __future__ import annotations

from asl_pbcg.airborne.drop_settings import tell_used
from asl_pbcg.airborne.drop_state import DropState, Lander, Stick
from asl_pbcg.airborne.landing import disperse_sticks
from asl_pbcg.airborne.turn_prompts import ask_which, number_options, throw_on
from asl_pbcg.kernel.prompts import Option, Prompt, Script, ask, tell


def survival(state: DropState) -> Script[DropState]:
    """Roll jump survival for each stick, then take what enemies in the hex do to them.

    Rule: II.D to II.G.
    """
    settings = state.settings
    used: list[str] = []
    terrain: dict[str, str] = {}
    for stick in sticks_by_hex(state):
        state = yield from _roll_survival(state, stick, terrain, used)
        used.append("jump_survival")
    if settings.glider_terrain_check == "use_jump_table":
        for unit in state.units:
            if unit.glider and unit.turn == state.turn and unit.on_map:
                used.append("glider_terrain_check")
                state = yield from _roll_survival(state, unit, terrain, used)
    if settings.cap_check == "after_survival":
        state = yield from disperse_sticks(state, used)
    yield from tell_used(used, settings)
    if state.landed_now:
        state = yield from _enemy_attacks(state)
        yield from tell(
            "Sticks that landed on mines are attacked by them at the usual point of the turn.",
            rule="II.G",
        )
        yield from tell(
            "Sticks that landed this turn may not move; they may close assault, without the "
            "favourable -2.",
            rule="II.F",
        )
    for counter in state.counters:
        if counter.turn == state.turn and counter.aimed:
            state = state.change([counter], fate=counter.status)
    return state.next_part()


def sticks_by_hex(state: DropState) -> list[Stick]:
    """Return the sticks that landed this turn, hex after hex, the hexes of each drop downwind."""
    aimed = list(state.sealed.drops_of(state.turn))
    landed = sorted(state.landed_now, key=lambda stick: (aimed.index(stick.aimed), stick.drift))
    hexes = list(dict.fromkeys(stick.at for stick in landed))
    return sorted(landed, key=lambda stick: hexes.index(stick.at))


def _roll_survival(
    state: DropState, counter: Lander, terrain: dict[str, str], used: list[str]
) -> Script[DropState]:
    """Roll on the chart for one stick or glider load; ``terrain`` keeps the row of each hex."""
    at, is_stick = counter.at, isinstance(counter, Stick)
    if at not in terrain:
        terrain[at] = yield from _choose_row(state, at, used)
    row, what = terrain[at], "jump survival of" if is_stick else "glider of"
    id, words = "survival" if is_stick else "glider.survival", f"{what} {counter.id} in {at}, {row}"
    rolled = yield from throw_on(
        state, "jump_survival", id, counter.id, at, words, "II.D", terrain=row
    )
    status = counter.status if rolled.result == "no effect" else rolled.result
    return state.change([counter], status=status)


def _choose_row(state: DropState, at: str, used: list[str]) -> Script[str]:
    """Return the row of the Jump Survival Chart for a hex: the worst, or the one players name."""
    dropmap = state.make_map()
    rows = dropmap.survival_rows(at, state.settings)
    used += ["terrain_alias"] if dropmap.uses_alias(at) else []
    used += ["mixed_hex"] if len(rows) > 1 else []
    if len(rows) == 1 or state.settings.mixed_hex == "worst_row":
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


def _enemy_attacks(state: DropState) -> Script[DropState]:
    """Take what enemies do that attack at once in hexes where sticks landed. Rule: II.E."""
    landed = sticks_by_hex(state)
    attacked = yield from ask_which(
        "enemy.hexes",
        "Which of these hexes hold undispersed enemy units that did not fire anti-aircraft "
        "this turn?",
        "II.E",
        {stick.at: stick.at for stick in landed},
        "All of them attack the sticks in their hex at once.",
    )
    targets = {stick.id for stick in landed if stick.at in attacked}
    for at in attacked:
        names = ", ".join(stick.id for stick in landed if stick.at == at)
        yield from tell(f"The enemy in {at} attacks at once: {names}.", rule="II.E")
    for status in ("eliminated", "dispersed"):
        sticks = [
            stick for stick in state.landed_now if stick.id in targets and stick.status != status
        ]
        if not sticks:
            break
        hit = yield from ask_which(
            f"enemy.{status}",
            f"Which sticks are {status} by these attacks?",
            "II.E",
            number_options(f"{stick.id} in {stick.at}" for stick in sticks),
            "The attacks are resolved by the base game; type their result.",
        )
        state = state.change([sticks[int(number) - 1] for number in hit], status=status)
    return state
