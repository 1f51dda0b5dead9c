"""The situation while a phase runs: the state opened up for a script to work on.

A script makes one from the state, changes it through the methods here, and closes it into the
next state. Who stands where is in ``whereabouts.py``, who goes elsewhere in ``walking.py``.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from asl_pbcg.st.rules.rules import Rules
from asl_pbcg.st.rules.state import (
    BridgeState,
    DemoMarker,
    DemoState,
    Ledger,
    State,
    Unit,
    UnitStatus,
    Weapon,
)
from asl_pbcg.st.rules.walking import Walking
from asl_pbcg.st.rules.whereabouts import NOBODY
from asl_pbcg.st.terms import BRITISH, GERMAN, PHASES


def situation(rules: Rules, state: State) -> Situation:
    """The situation that a phase begins with.

    The one that the phase before has left goes on where nothing has come between: nobody asks
    that phase any more. It is not looked at anew who stands where.
    """
    last: Situation | None = rules.last_phase
    if last is None or last.ended is not state:
        return Situation(rules, state)
    rules.last_phase = None
    last.go_on(state)
    return last


class Situation(Walking):
    """The state of a game, opened up; ``state`` is the one it was made from."""

    __slots__ = (
        "at_crews", "attacked", "bridge", "british_force", "british_turn", "carried_mg",
        "cleared", "demo", "demo_marker", "german_force", "german_turn",
        "gun_fire_begun", "handled", "ledger", "mercedes_mp", "n", "pow_moved",
        "schmidt_captured", "settings", "shots", "slowed", "spent", "state", "triggered",
        "where",
    )  # fmt: skip

    def __init__(self, rules: Rules, state: State) -> None:
        super().__init__(rules, state)
        self.settings = state.settings
        self.n = rules.n
        self.state = state
        self.where = f"Turn {state.turn}, {PHASES[state.phase].title}"
        """The turn and phase as players read it."""
        self.cleared: set[str] = set(state.cleared)
        self.entered = dict(state.entered)
        self.bridge: BridgeState = state.bridge
        self.demo_marker: DemoMarker = state.demo_marker
        self.demo: DemoState = state.demo
        self.attacked = state.attacked
        self.triggered = state.triggered
        self.mercedes_mp = state.mercedes_mp
        self.gun_fire_begun = state.gun_fire_begun
        self.schmidt_captured = state.schmidt_captured
        self.german_force = state.german_force
        self.german_turn = state.german_turn
        self.british_force = state.british_force
        self.british_turn = state.british_turn
        self.ledger: Ledger = state.ledger
        self._begin_phase()

    def _begin_phase(self) -> None:
        """What lasts one phase only."""
        self.spent: dict[str, int] = {}
        """MP spent in this Movement Phase."""
        self.slowed: dict[str, int] = {}
        """Who moved with a POW: the allowance of the rest of the turn. Rule: ST-POW-04."""
        self.carried_mg: set[str] = set()
        """Who moved with an MG this turn. Rule: ST-MOV-06."""
        self.pow_moved: dict[str, int] = {}
        """MP each POW has moved this turn. Rule: ST-POW-06."""
        self.handled: set[tuple[str, str, str]] = set()
        """Which unit has taken or left which weapon or POW in this phase."""
        self.shots: set[str] = set()
        """Units and weapons that have fired in this Fire Phase."""
        self.at_crews: set[str] = set()
        """British units that fire the AT gun in this phase. Rule: ST-TAT-08."""

    def go_on(self, state: State) -> None:
        """A new phase begins at ``state``, the very one that this situation was closed into."""
        self.state = state
        self.turn = state.turn
        self.where = f"Turn {state.turn}, {PHASES[state.phase].title}"
        if self.joined:
            self.put_in_order()
        self.stirred = self.fires = None
        self._begin_phase()

    # -- changing -----------------------------------------------------------------------

    def change(self, unit: str, **fields: Any) -> Unit:
        """Change what does not concern where ``unit`` stands."""
        found = self.units[unit] = replace(self.units[unit], **fields)
        if found.side == GERMAN:
            self.fires = None
        else:
            self._look_if_hampered(found)
            self.stir(unit)
        return found

    def change_weapon(self, weapon: str, **fields: Any) -> Weapon:
        """Change a weapon: how it is, where it lies, who carries it."""
        old = self.weapons[weapon]
        found = replace(old, **fields)
        if found.carrier != old.carrier or found.status != old.status:
            # Who lays it down among enemies has it still, if any of his side stays there.
            laid_down = found.status == "map" and not found.carrier and found.place in self.british
            found = replace(found, held=self.held_by(BRITISH, found.place) if laid_down else "")
        self.weapons[weapon] = found
        self.stirred = self.fires = None
        if found.carrier != old.carrier:
            self._give(old, found)
        self._lay(old, found)
        return found

    def name_of(self, id: str) -> str:
        """A unit or weapon as players read it; a face-down counter has no name."""
        if id in self.weapons:
            return self.weapons[id].name
        return "face-down counter" if self.units[id].face_down else self.units[id].name

    def take_off(self, unit: str, status: UnitStatus) -> None:
        """Take ``unit`` off the map; what it carried stays where it stood."""
        old = self.units[unit]
        on_map = old.status == "map"
        if on_map:
            self._unindex(old)
        wreck = status == "wreck"
        self.units[unit] = replace(
            old,
            status=status,
            suppressed=False,
            engaged=0,
            area=old.area if wreck or status == "dead" else "",
            came=0,
            bank="",
        )
        if wreck:
            self._count_vehicle(old.area, 1)
        if on_map:
            self._settle(old.area)
        self.pows.places = None
        for weapon in tuple(self.bearers.get(unit, NOBODY)):
            self.change_weapon(weapon, carrier="")

    def book(self, **amounts: Any) -> None:
        """Enter amounts into the ledger; a number is added, a tuple appended."""
        self.ledger = replace(
            self.ledger,
            **{name: getattr(self.ledger, name) + amount for name, amount in amounts.items()},
        )

    def place_vehicle(self, area: str) -> None:
        """Count a glider that has come down in ``area``."""
        self._count_vehicle(area, 1)

    # -- closing ------------------------------------------------------------------------

    def end(self) -> State:
        """The phase is over: the state with which the next phase of the turn begins. ST-SEQ-01."""
        turn, phase = self._next_phase()
        return self._hand_on(self.close(turn=turn, phase=phase))

    def end_unchanged(self) -> State:
        """The same, if nothing has happened in the phase."""
        turn, phase = self._next_phase()
        return self._hand_on(replace(self.state, turn=turn, phase=phase))

    def _next_phase(self) -> tuple[int, int]:
        """Turn and phase after this one; gliders land on turn 1 only."""
        phase = self.state.phase + 1
        return (self.turn, phase) if phase < len(PHASES) else (self.turn + 1, 1)

    def _hand_on(self, state: State) -> State:
        self.ended = state
        self.rules.last_phase = self
        return state

    def close(self, **fields: Any) -> State:
        """The situation as a state, with ``fields`` changed."""
        return replace(
            self.state,
            units=tuple(self.units.values()),
            weapons=tuple(self.weapons.values()),
            gliders=tuple(self.gliders.values()),
            pows=tuple(self.pows.values()),
            positions=tuple(self.positions.values()),
            cleared=tuple(sorted(self.cleared)),
            control=dict(self.control),
            entered=dict(self.entered),
            bridge=self.bridge,
            demo_marker=self.demo_marker,
            demo=self.demo,
            attacked=self.attacked,
            triggered=self.triggered,
            mercedes_mp=self.mercedes_mp,
            gun_fire_begun=self.gun_fire_begun,
            schmidt_captured=self.schmidt_captured,
            german_force=self.german_force,
            german_turn=self.german_turn,
            british_force=self.british_force,
            british_turn=self.british_turn,
            ledger=self.ledger,
            **fields,
        )
