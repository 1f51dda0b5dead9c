"""The accounts of the area game: a small soak, and whatever is lost or made up is noticed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace
from sentences import Tells
from st_accounts import between, check, faults
from st_help import GAME, british, german, situation
from st_soak import KINDS, Ended, random_rulings, tasks, vp_by_hand, whole, without_journal

from asl_pbcg.st.player.automatic_game import RandomDice, play
from asl_pbcg.st.player.policy import player
from asl_pbcg.st.procedures import losses
from asl_pbcg.st.rules import scoring
from asl_pbcg.st.settings import ST_RULINGS
from asl_pbcg.st.state.game_state import Ledger, State

# -- a sample of the soak -------------------------------------------------------------------


@pytest.mark.parametrize("number", range(0, 40, 4))
def test_games_hold_and_replay(number: int) -> None:
    """Even numbers: the random player; the kinds in turn, plain and random rulings."""
    ended = whole(tasks(1, number + (number // 4) % 2)[0], GAME.map)
    assert isinstance(ended, Ended) and ended.answers > 100


def test_the_soak_plays_every_kind_and_every_choice() -> None:
    found = tasks(1000)
    assert {(each.policy, each.kind, each.plain) for each in found} == {
        (policy, kind, plain)
        for policy in ("random", "good")
        for kind in KINDS
        for plain in (False, True)
    }
    played = {(name, value) for task in found for name, value in task.settings.items()}
    for name, ruling in ST_RULINGS.settable.items():
        assert all((name, choice) in played for choice in ruling.choices), name
    assert random_rulings(1) == random_rulings(1) != random_rulings(2)


# -- a state tampered with ------------------------------------------------------------------


@cache
def game(policy: str, seed: int) -> tuple[State, ...]:
    settings = KINDS["hard" if seed % 2 else "historical"]
    who = player("good" if policy == "good" else "random", seed)
    return tuple(play(GAME, GAME.begin(settings), who, RandomDice(seed)))


def moments() -> Iterator[tuple[State, State]]:
    """Some phases of some games, each with the phase before."""
    for policy, seed, phases in (("random", 4, (10, 62)), ("good", 5, (31,)), ("good", 2, (95,))):
        states = game(policy, seed)
        for at in (*phases, len(states) - 1):
            yield states[at - 1], states[at]


def put(state: State, what: str, index: int, **fields: Any) -> State:
    """The state with one unit, weapon, glider, position or POW changed."""
    listed = list(getattr(state, what))
    listed[index] = replace(listed[index], **fields)
    return replace(state, **{what: tuple(listed)})


def without(state: State, what: str, index: int) -> State:
    listed = list(getattr(state, what))
    del listed[index]
    return replace(state, **{what: tuple(listed)})


def tampered(state: State) -> Iterator[tuple[str, State]]:
    """Everything that could be lost or made up in a state, one thing at a time."""
    for index, unit in enumerate(state.units):
        if unit.combat and unit.status in ("map", "dead"):
            yield f"SP lost by {unit.id}", put(state, "units", index, lost=unit.lost + 1)
        if unit.combat and unit.lost:
            yield f"SP back to {unit.id}", put(state, "units", index, lost=unit.lost - 1)
        if unit.grenades:
            yield f"grenade gone: {unit.id}", put(state, "units", index, grenades=unit.grenades - 1)
        if unit.kind in ("platoon", "squad") and unit.status == "map":
            yield f"grenade won: {unit.id}", put(state, "units", index, grenades=unit.grenades + 1)
        if unit.status == "dead":
            yield f"{unit.id} risen", put(state, "units", index, status="map")
        if unit.kind in ("leader", "platoon") and unit.status == "map":
            yield f"{unit.id} dead", put(state, "units", index, status="dead")
        if unit.kind == "tank" and unit.status in ("map", "wreck"):
            other = "wreck" if unit.status == "map" else "map"
            yield f"{unit.id} {other}", put(state, "units", index, status=other)
        yield f"no {unit.id}", without(state, "units", index)
    for index, weapon in enumerate(state.weapons):
        yield f"charge won: {weapon.id}", put(state, "weapons", index, charges=weapon.charges + 1)
        if weapon.charges:
            fewer = put(state, "weapons", index, charges=weapon.charges - 1)
            yield f"charge gone: {weapon.id}", fewer
        if weapon.kind in ("mg", "at"):
            other = "destroyed" if weapon.status == "map" else "map"
            yield f"{weapon.id} {other}", put(state, "weapons", index, status=other)
        yield f"no {weapon.id}", without(state, "weapons", index)
    for what in ("gliders", "pows", "positions"):
        for index in range(len(getattr(state, what))):
            yield f"one of {what} gone", without(state, what, index)
    for area in state.cleared:
        left = tuple(each for each in state.cleared if each != area)
        yield f"{area} not cleared", replace(state, cleared=left)
    for area in GAME.rules(state.settings).geo.bunkers:
        if area not in state.cleared:
            yield f"{area} cleared", replace(state, cleared=(*state.cleared, area))
    for place, side in state.control.items():
        if any(unit.status == "map" and unit.place == place for unit in state.units):
            other = {"british": "german", "german": "british"}[side]
            both = {u.side for u in state.units if u.status == "map" and u.place == place}
            if len(both) == 1 and place.rstrip("*") in GAME.rules(state.settings).geo.land:
                yield f"{place} to {other}", replace(state, control={**state.control, place: other})
        rest = {each: who for each, who in state.control.items() if each != place}
        yield f"nobody in {place}", replace(state, control=rest)
    yield (
        "a platoon booked",
        replace(state, ledger=replace(state.ledger, platoons=(*state.ledger.platoons, "coffin-9"))),
    )
    for name in Ledger.__struct_fields__:
        value = getattr(state.ledger, name)
        if isinstance(value, int):
            ledger = replace(state.ledger, **{name: value + 1})
            yield f"ledger {name} up", replace(state, ledger=ledger)
    if state.result:
        one_less = replace(state.result, vp=state.result.vp - 1)
        yield "a VP lost", replace(state, result=one_less)
        line = replace(state.result.scores[0], count=state.result.scores[0].count + 1)
        lines = replace(state.result, scores=(line, *state.result.scores[1:]))
        yield "a line counted twice", replace(state, result=lines)


def test_whatever_is_lost_or_made_up_is_noticed() -> None:
    tried = 0
    for before, state in moments():
        rules = GAME.rules(state.settings)
        assert faults(rules, state) == [] and between(rules, before, state) == []
        for what, wrong in tampered(state):
            tried += 1
            noticed = faults(rules, wrong) or between(rules, before, wrong)
            assert noticed, f"turn {state.turn}, phase {state.phase}: {what} is not noticed"
    assert tried > 1000


def test_the_check_names_turn_and_phase() -> None:
    before, state = next(moments())
    rules = GAME.rules(state.settings)
    check(rules, state, before)
    wrong = put(state, "weapons", 0, charges=9)
    with pytest.raises(AssertionError, match=rf"turn {state.turn}, phase {state.phase}: .*charges"):
        check(rules, wrong, before)


@pytest.mark.parametrize("carrier", ["howard", "infantry-01", "fox-a"])
def test_weapons_are_carried_by_british_combat_units(carrier: str) -> None:
    """No leader carries one, no German does. Rule: ST-PIA-02."""
    sit = situation()
    british(sit, "XR", "howard", "fox-a")
    german(sit, "XR", "infantry-01")
    piat = sit.weapons["piat-1"]
    sit.change_weapon(piat.id, area="XR", inside=False, carrier=carrier, status="map")
    state = sit.close()
    said = [fault for fault in faults(sit.rules, state) if fault.startswith("piat-1")]
    assert bool(said) == (carrier != "fox-a")


def test_what_cannot_come_about_in_one_phase(tells: Tells) -> None:
    states = game("random", 4)
    rules = GAME.rules(states[0].settings)
    last = states[-1]
    # The end of a game with an earlier phase after it.
    found = " ".join(between(rules, last, states[60]))
    tells(found, "SP", "again")
    assert "counts back" in found
    destroyed = replace(last, bridge="destroyed")
    assert any("destroyed" in each for each in between(rules, destroyed, last))
    blank, wired = replace(last, demo_marker="blank"), replace(last, demo_marker="wired")
    assert any("Demo Bridge" in each for each in between(rules, blank, wired))


# -- an engine that errs --------------------------------------------------------------------


def forget(name: str) -> Callable[[Any], None]:
    """A ledger that does not book ``name``."""
    from asl_pbcg.st.state.phase_situation import Situation

    book = Situation.book

    def wrong(self: Any, **amounts: Any) -> None:
        amounts.pop(name, None)
        if amounts:
            book(self, **amounts)

    return lambda patch: patch.setattr(Situation, "book", wrong)


def twice_lost(patch: Any) -> None:
    """An SP more is lost than is booked."""
    change = losses.Situation.change

    def wrong(self: Any, unit: str, **fields: Any) -> Any:
        old = self.units[unit]
        if fields.get("lost", 0) > old.lost and fields["lost"] < old.sp:
            fields["lost"] += 1
        return change(self, unit, **fields)

    patch.setattr(losses.Situation, "change", wrong)


def free_grenades(patch: Any) -> None:
    """A grenade is thrown and kept."""
    change = losses.Situation.change

    def wrong(self: Any, unit: str, **fields: Any) -> Any:
        if fields.get("grenades", 9) < self.units[unit].grenades and self.turn > 1:
            del fields["grenades"]
        return change(self, unit, **fields)

    patch.setattr(losses.Situation, "change", wrong)


def lost_markers(patch: Any) -> None:
    """A completed position is lost on the way."""
    close = losses.Situation.close

    def wrong(self: Any, **fields: Any) -> Any:
        if self.turn == 6:
            self.positions.clear()
        return close(self, **fields)

    patch.setattr(losses.Situation, "close", wrong)


def wrong_vp(patch: Any) -> None:
    """A destroyed MG counts nothing."""
    taken = scoring.weapon_taken

    def wrong(sit: Any, weapon: str) -> bool:
        return taken(sit, weapon) and sit.weapons[weapon].status == "map" and weapon != "mg-1"

    patch.setattr(scoring, "weapon_taken", wrong)


ERRORS: dict[str, Callable[[Any], None]] = {
    "an SP too many": twice_lost,
    "SP not booked": forget("german_sp"),
    "a grenade kept": free_grenades,
    "grenade not booked": forget("grenades"),
    "charge not booked": forget("charges"),
    "a marker lost": lost_markers,
    "bunker not booked": forget("bunkers_cleared"),
    "leader not booked": forget("leaders"),
    "VP miscounted": wrong_vp,
}


@pytest.mark.parametrize("error", list(ERRORS))
def test_an_engine_that_errs_is_found_out(error: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ERRORS[error](monkeypatch)
    with pytest.raises(AssertionError):
        for seed in range(6):
            whole(tasks(1, 6 + seed * 20)[0], GAME.map)


def test_the_vp_by_hand_are_a_second_opinion() -> None:
    states = list(game("good", 2))
    last = states[-1]
    rules = GAME.rules(last.settings)
    assert last.result and vp_by_hand(rules, states) == last.result.vp
    control = {**last.control, "PB": "german" if last.control["PB"] == "british" else "british"}
    assert vp_by_hand(rules, [states[0], replace(last, control=control)]) != last.result.vp


@pytest.mark.rule("ST-VIC-02", "ST-VIC-11")
@pytest.mark.parametrize("number", [90, 118, 139])
def test_the_vp_by_hand_know_the_rulings_on_control_and_schmidt(number: int) -> None:
    """Both stand on the bridge at the end (AMB-58), Schmidt has escaped (AMB-120)."""
    task = tasks(1, number)[0]
    assert {"control", "schmidt_vp"} & set(task.settings)
    without_journal(task, GAME.map)
