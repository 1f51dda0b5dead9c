"""An independent reader of the log: each German move and choice of a target by the source's words.

It hears what is told (``... moves from A to B: the nearest British are in C``), looks at where
the counters stand, and settles with its own ways and its own list of preferences whether the
rules for the Germans say so. It uses nothing of the engine's code for the Germans.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from asl_pbcg.kernel.prompts import Note, Roll
from asl_pbcg.st.player.automatic_game import RandomDice
from asl_pbcg.st.rules.area_game_steps import AreaGame
from asl_pbcg.st.state.game_state import State, Unit

FAR = 10**6
INFANTRY = ("garrison", "infantry")
FIGHTS = ("platoon", "squad", "sapper", "hq", *INFANTRY)


class Reader:
    """Reads one German phase: ``hear`` every note, ``close`` it with the state after it."""

    def __init__(self, game: AreaGame, before: State) -> None:
        self.map = game.rules(before.settings).geo.map
        self.before = before
        self.faults: list[str] = []
        self.heard = 0
        self.entered: dict[str, list[int]] = {}
        self.walked: set[str] = set()
        self.british = {u.area for u in before.units if u.side == "british" and u.status == "map"}
        self.lines: dict[str, list[tuple[str, int, bool]]] = {a: [] for a in self.map.areas}
        for line in self.map.lines:
            if line.mp is not None:
                self.lines[line.a].append((line.b, line.mp, line.road))
                self.lines[line.b].append((line.a, line.mp, line.road))
        self.names = {unit.name: unit.id for unit in before.units if unit.side == "german"}

    # -- ways -------------------------------------------------------------------------------

    def toward(self, goal: str, sit: Any, bridge: str) -> dict[str, int]:
        """MP from every area to the goal; a British area costs 1 more to enter. ST-MOV-14."""
        away, queue = {goal: 0}, [(0, goal)]
        while queue:
            mp, area = heapq.heappop(queue)
            if mp > away[area]:
                continue
            extra = 1 if area in self.british else 0
            for there, cost, _ in self.lines[area]:
                if bridge == "destroyed" and "PB" in (area, there):
                    continue
                if mp + cost + extra < away.get(there, FAR):
                    away[there] = mp + cost + extra
                    heapq.heappush(queue, (away[there], there))
        return away

    def reachable(self, sit: Any, unit: Unit, mp: int) -> dict[str, int]:
        """Where a German on foot can end with its MP; it stops where it meets the British."""
        now = {u.area for u in sit.units.values() if u.side == "british" and u.status == "map"}
        best, queue = {unit.area: 0}, [(0, unit.area)]
        while queue:
            spent, area = heapq.heappop(queue)
            if spent > best[area] or (area in (now | self.british) and area != unit.area):
                continue
            for there, cost, _ in self.lines[area]:
                if sit.bridge == "destroyed" and "PB" in (area, there):
                    continue
                total = spent + cost + (1 if there in now else 0)
                if total > mp or total >= best.get(there, FAR):
                    continue
                if unit.kind != "leader" and self.full(sit, there):
                    continue
                best[there] = total
                heapq.heappush(queue, (total, there))
        return best

    @staticmethod
    def full(sit: Any, area: str) -> bool:
        """A tank, active or wrecked, and an infantry unit already. Rule: ST-STK-03."""
        there = [u for u in sit.units.values() if u.side == "german" and u.area == area]
        tank = any(u.kind == "tank" and u.status in ("map", "wreck") for u in there)
        return tank and any(u.kind in INFANTRY and u.status == "map" for u in there)

    def is_obstructed(self, sit: Any, area: str) -> bool:
        if self.map.areas[area].terrain == "obstructed":
            return True
        if any(glider.area == area for glider in sit.gliders.values()):
            return True
        return any(
            u.kind in ("tank", "mercedes") and u.status in ("map", "wreck") and u.area == area
            for u in sit.units.values()
        )

    # -- movement ---------------------------------------------------------------------------

    def hear(self, note: Note, sit: Any) -> None:
        text = note.text
        if found := re.match(r"(.+) moves from (\w+) to (\w+) .*?: the nearest .* in (\w+) ", text):
            self._infantry(sit, *found.groups(), with_mg=" with the " in text, text=text)
        elif found := re.match(r"(.+) drives from (\w+) to (\w+) .* nearest to the British", text):
            self._tank(sit, *found.groups(), text=text)
        elif found := re.match(r"(.+) enters? at (.+) for (\d+) MP", text):
            self.heard += 1
            self.entered.setdefault(found[2], []).append(int(found[3]))
        elif found := re.match(r"(.+) waits off the map", text):
            self._waits(sit, text)
        elif found := re.match(r"(.+): the best target is (.+)\.", text):
            self._target(sit, found[1], found[2], text)

    def _infantry(
        self, sit: Any, name: str, start: str, end: str, goal: str, *, with_mg: bool, text: str
    ) -> None:
        self.heard += 1
        unit = next(u for u in sit.units.values() if u.name == name and u.area == start)
        self.walked.add(unit.id)
        mp = (2 if unit.wounded else 3) - with_mg - sit.spent.get(unit.id, 0)
        if unit.suppressed or unit.face_down or unit.engaged >= sit.turn:
            self.fault(f"may not move: {text}")
        if start in self.british:
            self.fault(f"leaves the British: {text}")
        aways = {area: self.toward(area, sit, sit.bridge) for area in self.british}
        # The goal is entered too: 1 MP more, the same for every goal.
        nearest = min(away.get(start, FAR) for away in aways.values())
        if aways.get(goal, {}).get(start, FAR) != nearest:
            self.fault(f"not the nearest British: {text}")
            return
        tied = [area for area, away in aways.items() if away.get(start, FAR) == nearest]
        if not self._covered_before(goal) and any(map(self._covered_before, tied)):
            self.fault(f"an obstructed British area is as near: {text}")
        options = self.candidates(sit, unit, mp, goal)
        if end not in options:
            self.fault(f"cannot or may not end there with {mp} MP: {text}")
        elif options[end] > min(options.values()):
            better = [area for area in options if options[area] == min(options.values())]
            self.fault(f"better would be {better}: {text}")

    def candidates(self, sit: Any, unit: Unit, mp: int, goal: str) -> dict[str, tuple[int, int]]:
        """Each area the unit may end in: its class of the source's list, then how near."""
        away = self.toward(goal, sit, sit.bridge)
        found = {}
        for area, spent in self.reachable(sit, unit, mp).items():
            if area == unit.area or away.get(area, FAR) >= away.get(unit.area, FAR):
                continue
            covered = self.is_obstructed(sit, area)
            if area in self.british:
                found[area] = (0 if covered else 1, spent)
            else:
                found[area] = (2 if covered else 3, away[area])
        return found

    def _tank(self, sit: Any, name: str, start: str, end: str, text: str) -> None:
        self.heard += 1
        tank = sit.units[self.names[name]]
        if not self.map.areas[end].road:
            self.fault(f"leaves the road: {text}")
        near = {
            area: min(self.toward(goal, sit, sit.bridge).get(area, FAR) for goal in self.british)
            for area in (start, end)
        }
        if near[end] >= near[start] and end not in self.british:
            self.fault(f"comes no nearer: {text}")
        there = [u for u in sit.units.values() if u.area == end and u.id != tank.id]
        if any(u.kind == "tank" and u.status in ("map", "wreck") for u in there):
            self.fault(f"two tanks: {text}")

    def _waits(self, sit: Any, text: str) -> None:
        """Only a full entry area or 3 MP paid keep the rest of a column out. ST-TNK-04."""
        entry = text.split(" at ")[1].split(" waits")[0]
        oval = self.map.entry(entry)
        there = [u for u in sit.units.values() if u.side == "german" and u.area == oval]
        tank = any(u.kind == "tank" and u.status in ("map", "wreck") for u in there)
        stuck = [u for u in there if u.kind in INFANTRY and u.status == "map"]
        able = [
            u
            for u in stuck
            if not u.suppressed and u.engaged < sit.turn and oval not in self.british
        ]
        if tank or len(self.entered.get(entry, ())) > 3:
            return
        if len(stuck) > 1 and len(able) < len(stuck):
            return
        if sit.triggered and not any(self._could_go(sit, unit) for unit in able):
            return
        self.fault(f"the entry area is not full: {text}")

    def _could_go(self, sit: Any, unit: Unit) -> bool:
        return any(self.candidates(sit, unit, 3, goal) for goal in self.british)

    # -- fire -------------------------------------------------------------------------------

    def _target(self, sit: Any, firers: str, target: str, text: str) -> None:
        """Same area, adjacent, open, most SP. Rule: ST-FIR-04."""
        if "cannon" in firers or "AT gun" in firers:
            return
        self.heard += 1
        named = re.match(r"(.+) in (?:the bunker of )?(\w+) ", target + " ")
        assert named, text
        area = named[2]
        units = [u for u in self.before.units if u.side == "british" and u.status == "map"]
        hit = [u for u in units if u.area == area and u.name in named[1]]
        assert hit, text
        for name in firers.split(", "):
            firer = next(
                u for u in self.before.units if u.name == name and u.side == "german" and u.area
            )
            mine = self._liking(firer.area, hit[0], units)
            best = min(
                self._liking(firer.area, unit, units)
                for unit in units
                if unit.area == firer.area or self.map.adjacent(firer.area, unit.area)
            )
            if mine != best:
                self.fault(f"{name} has a better target: {text}")

    def _liking(self, area: str, unit: Unit, units: list[Unit]) -> tuple[bool, bool, int]:
        stack = [u for u in units if (u.area, u.inside) == (unit.area, unit.inside)]
        fighters = [u for u in stack if u.kind in FIGHTS]
        if unit.kind == "leader" and fighters:
            return (True, True, FAR)  # leaders with a unit are no target of their own
        sp = unit.sp - unit.lost if unit.kind in FIGHTS else 1
        covered = unit.inside or self._covered_before(unit.area)
        return (unit.area != area, covered, -sp)

    def _covered_before(self, area: str) -> bool:
        return (
            self.map.areas[area].terrain == "obstructed"
            or any(glider.area == area for glider in self.before.gliders)
            or any(
                u.kind in ("tank", "mercedes") and u.status in ("map", "wreck") and u.area == area
                for u in self.before.units
            )
        )

    # -- the end of the phase ---------------------------------------------------------------

    def fault(self, text: str) -> None:
        self.faults.append(f"turn {self.before.turn}: {text}")

    def close(self, after: State) -> None:
        tanks: dict[str, int] = {}
        for unit in after.units:
            if unit.kind == "tank" and unit.status in ("map", "wreck"):
                tanks[unit.area] = tanks.get(unit.area, 0) + 1
                if unit.retreat != "off_road" and not self.map.areas[unit.area].road:
                    self.fault(f"{unit.name} is off the road in {unit.area}")
        for area, count in tanks.items():
            infantry = [
                u.name
                for u in after.units
                if u.area == area and u.status == "map" and u.kind in INFANTRY
            ]
            if count > 1 or len(infantry) > 1:
                self.fault(f"{area} holds {count} tanks and {infantry}")
        for paid in self.entered.values():
            if paid != list(range(len(paid))):
                self.fault(f"the stacks paid {paid}")


def read_game(
    game: AreaGame,
    settings: dict[str, Any],
    player: Any,
    seed: int,
    opened: list[Any],
    ambush: bool = False,
) -> Iterator[Reader]:
    """Play a game; a reader for each German phase. ``opened`` holds the situation of the phase.

    With ``ambush`` the column has been attacked before it comes: it enters fighting.
    """
    dice, state = RandomDice(seed), game.begin(settings)
    while (step := game.next_step(state)) is not None:
        if ambush and state.german_turn and state.turn >= state.german_turn:
            state = replace(state, triggered=True)
        reader = Reader(game, state) if state.phase in (3, 5) and state.ready else None
        script, sent = step.script(state), None
        try:
            while True:
                asked = script.send(sent)
                sent = None
                if isinstance(asked, Roll):
                    sent = asked.resolve(dice.throw(asked.spec, 0, ""))
                elif isinstance(asked, Note):
                    if reader:
                        reader.hear(asked, opened[-1])
                else:
                    sent = player.answer(asked)
        except StopIteration as finished:
            state = finished.value
        if reader:
            reader.close(state)
            yield reader
