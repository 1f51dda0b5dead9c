"""A table for tests of the area game: put counters on the map, throw chosen dice, see all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from asl_pbcg.kernel.prompts import Note, Prompt, Roll, Script
from asl_pbcg.kernel.tables import Rolled
from asl_pbcg.st.area_terms import PHASES
from asl_pbcg.st.board.map_load import load_map
from asl_pbcg.st.germans.german_setup import add_german, place_units, place_weapons
from asl_pbcg.st.player.automatic_game import Player, RandomDice
from asl_pbcg.st.procedures.movement import move
from asl_pbcg.st.rules.area_game_steps import AreaGame
from asl_pbcg.st.rules.setup import fresh
from asl_pbcg.st.settings import ST_RULINGS
from asl_pbcg.st.state.game_rules import Rules, german_order
from asl_pbcg.st.state.game_state import State
from asl_pbcg.st.state.phase_situation import Situation

GAME = AreaGame(load_map())


def rules(**settings: Any) -> Rules:
    return GAME.rules(ST_RULINGS.settings({"mode": "historical", **settings}))


def state(turn: int = 2, phase: str = "british_movement", **settings: Any) -> State:
    number = [term.name for term in PHASES].index(phase)
    begun = State(
        settings=ST_RULINGS.settings({"mode": "historical", **settings}),
        difficulty=settings.get("difficulty", "easy"),
        ready=True,
        turn=turn,
        phase=number,
    )
    return fresh(begun)


def situation(
    turn: int = 2, phase: str = "british_movement", chit: str = "B", **settings: Any
) -> Situation:
    """The map with the German guns, and nobody else; the counters of ``chit`` are in the pool."""
    begun = state(turn, phase, **settings)
    begun = State(
        **{name: getattr(begun, name) for name in State.__struct_fields__} | {"chit": chit}
    )
    sit = Situation(rules(**settings), begun)
    place_weapons(sit)
    place_units(sit, german_order().chits[chit])
    for unit in list(sit.units.values()):
        if unit.side == "german" and unit.status == "map":
            sit.take_off(unit.id, "pool")
    for number in range(1, sit.settings.german_tanks + 1):
        add_german(sit, f"tank-{number}", f"tank {number}", "tank")
    sit.tanks = tuple(unit.id for unit in sit.units.values() if unit.kind == "tank")
    sit.control = {}
    sit.entered = {}
    return sit


def british(sit: Situation, area: str, *ids: str, inside: bool = False, **fields: Any) -> None:
    """Put British units into an area, with the grenades of the roster unless said."""
    for id in ids:
        grenades = fields.get("grenades", sit.rules.roster[id].grenades)
        sit.put(id, area, inside)
        sit.change(id, **{**fields, "grenades": grenades})


def german(sit: Situation, area: str, *ids: str, inside: bool = False, **fields: Any) -> None:
    """Put German units of the counter mix (infantry-01, tank-1, schmidt ...) into an area."""
    for id in ids:
        sit.put(id, area, inside)
        if fields:
            sit.change(id, **fields)


def garrison(sit: Situation, area: str, inside: bool = True, **fields: Any) -> str:
    """Put an active garrison squad (or, with face_down, a counter) into an area."""
    id = f"garrison-{area.lower()}"
    add_german(sit, id, f"garrison squad of {area}", "garrison", sp=sit.settings.garrison_sp)
    sit.put(id, area, inside and area in sit.geo.has_bunker)
    if fields:
        sit.change(id, **fields)
    return id


def come_in(sit: Situation, *units: str) -> Script[None]:
    """The script of what happens when British units have come to where they stand."""
    return move(sit, units, sit.units[units[0]].area)


def give(sit: Situation, weapon: str, unit: str) -> None:
    """Let a British unit carry a weapon."""
    found = sit.units[unit]
    sit.change_weapon(weapon, status="map", area=found.area, inside=found.inside, carrier=unit)


@dataclass
class Played:
    """What a script did: its result, notes, rolls with their texts, prompts with their answers."""

    result: Any = None
    notes: list[str] = field(default_factory=list)
    rolls: list[tuple[Roll, Rolled]] = field(default_factory=list)
    asked: list[tuple[Prompt, Any]] = field(default_factory=list)

    @property
    def tables(self) -> list[str]:
        """The decision points of the rolls, in order."""
        return [roll.id for roll, _ in self.rolls]

    @property
    def points(self) -> list[str]:
        """The decision points of the prompts, in order."""
        return [prompt.id for prompt, _ in self.asked]

    def drm(self, number: int = 0) -> dict[str, int]:
        """The modifiers of one roll."""
        return {drm.name: drm.value for drm in self.rolls[number][1].drm}


def run(
    script: Script[Any], dice: Iterable[int | tuple[int, ...]] = (), answers: Sequence[Any] = ()
) -> Played:
    """Run a script on given dice and answers; all of both must be used, and be legal."""
    played = Played()
    faces, left = list(dice), list(answers)
    sent: Any = None
    try:
        while True:
            asked = script.send(sent)
            if isinstance(asked, Note):
                played.notes.append(asked.text)
                sent = None
            elif isinstance(asked, Roll):
                assert faces, f"no dice left for {asked.id}: {asked.text}"
                face = faces.pop(0)
                sent = asked.resolve(face if isinstance(face, tuple) else (face,))
                played.rolls.append((asked, sent))
            else:
                assert left, f"no answer left for {asked.id}: {asked.text}"
                sent = asked.check(left.pop(0))
                played.asked.append((asked, sent))
    except StopIteration as finished:
        played.result = finished.value
    assert not faces, f"dice left over: {faces}; thrown {played.tables}"
    assert not left, f"answers left over: {left}; asked {played.points}"
    return played


def plays(
    sit: Situation, player: Player, script: Any, phase: int
) -> tuple[State, list[tuple[str, Any]]]:
    """A phase as ``player`` plays it, with what it answered."""
    dice, answered = RandomDice(1), []
    running = script(sit.rules, sit.close(phase=phase))
    sent: Any = None
    try:
        while True:
            asked = running.send(sent)
            sent = None
            if isinstance(asked, Roll):
                sent = asked.resolve(dice.throw(asked.spec, 0, ""))
            elif isinstance(asked, Prompt):
                sent = asked.check(player.answer(asked))
                answered.append((asked.id, sent))
    except StopIteration as finished:
        return finished.value, answered


def legal(prompt: Prompt) -> set[str]:
    """The answers a choice allows."""
    return {option.id for option in prompt.legal}
