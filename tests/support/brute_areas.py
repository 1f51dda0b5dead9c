"""Setup Areas worked out the slow, plain way: sets of hexes, one breadth-first search per question.

It shares nothing with the program but the printed board (``data/pb/board.csv``) and the content of
a position file, and it gives the answer of ``pbcg areas --json``. The property tests hold the
program against it.
"""

from __future__ import annotations

import csv
import re
from collections import deque
from functools import cache
from itertools import combinations, product
from pathlib import Path
from typing import Any

Hex = tuple[int, int]  # column from 0, number as printed
Location = tuple[Hex, float]  # hex and level; inside a pillbox is half a level up
Area = dict[str, Any]

ROWS = 29
SIDES = ("british", "german")
ARROWS = {
    "german": {"A7": "all", "J0": "all", "U1": "all", "KK1": "all"},
    "british": {"Z28": "all", "TT14": ("day-2", "dusk")},
}
DATES = ["night-1", "night-2", "night-3", "dawn", "day-1", "day-2", "day-3", "dusk"]
GUNS = {"57L AT", "50L AT"}
WITHOUT_MA = {"Kfz 1", "Loyd Carrier"}
STUCK = {"immobilized", "bogged", "mired"}
USELESS = {"abandoned", "ma-malfunctioned", "ma-disabled"}
AS_DESIGNED = {
    "A-05": "TT14",
    "B-03": "glider-z28-eligible",
    "B-04": "always",
    "B-06": "rest",
    "C-05": "control-passes",
    "C-06": "edge-opens",
    "C-07": "any-level",
    "C-11": "any-path",
    "P-01": "stop",
    "P-04": "traced",
    "P-40": "one",
}


@cache
def hex_of(name: str) -> Hex:
    letters, number = re.fullmatch(r"([A-Z]+)(\d+)", name).groups()  # type: ignore[union-attr]
    return (ord(letters[0]) - 65 + 26 * (len(letters) - 1), int(number))


@cache
def name_of(at: Hex) -> str:
    column, number = at
    return chr(65 + column % 26) * (column // 26 + 1) + str(number)


def location_of(text: str) -> Location:
    name, _, level = text.partition("/")
    return hex_of(name), 0.5 if level == "pillbox" else float(level or 0)


def text_of(location: Location) -> str:
    at, level = location
    return name_of(at) + {0: "", 0.5: "/pillbox"}.get(level, f"/{level:.0f}")


def sides_of(at: Hex) -> dict[str, Hex]:
    """The six neighbours by hexside, whether they are on the map or not."""
    column, number = at
    low = number if column % 2 else number - 1  # the higher of the two in the next column
    return {
        "N": (column, number - 1),
        "NE": (column + 1, low),
        "SE": (column + 1, low + 1),
        "S": (column, number + 1),
        "SW": (column - 1, low + 1),
        "NW": (column - 1, low),
    }


class Table:
    """The printed board as dictionaries."""

    def __init__(self) -> None:
        path = Path(__file__).parent.parent.parent / "data" / "pb" / "board.csv"
        with path.open(newline="", encoding="utf-8") as stream:
            rows = {hex_of(row["hex"]): row for row in csv.DictReader(stream)}
        self.all = set(rows)
        self.rows = rows
        self.in_play = {at for at in rows if rows[at]["in_play"]}
        self.bridge = {at for at in rows if rows[at]["bridge"]}
        self.water = {at for at in rows if rows[at]["water_obstacle"]} - self.bridge
        self.building = {at for at in rows if rows[at]["building"]}
        self.near = {at: [n for n in sides_of(at).values() if n in rows] for at in rows}
        self.edge = {at for at in rows if len(self.near[at]) < 6}

    @cache  # noqa: B019
    def across(self, barred: tuple[str, ...]) -> dict[Hex, list[Hex]]:
        """The hexes Infantry can go to from each; ``barred`` are the hexsides that stop it too."""
        return {
            at: [
                other
                for side, other in sides_of(at).items()
                if other in self.rows
                and self.open(at, side, barred)
                and self.open(other, opposite(side), barred)
            ]
            for at in self.rows
        }

    def open(self, at: Hex, side: str, barred: tuple[str, ...]) -> bool:
        row = self.rows[at]
        if any(side in row[hexside].split(";") for hexside in barred):
            return False
        return not row["bridge"] or side in (row["paved"] + ";" + row["unpaved"]).split(";")

    @cache  # noqa: B019
    def building_hexes(self, at: Hex) -> set[Hex]:
        named = self.rows[at]["building_id"]
        if not named:
            return {at}
        return {other for other in self.building if self.rows[other]["building_id"] == named}

    def within(self, starts: set[Hex], distance: int) -> set[Hex]:
        found = set(starts)
        for _ in range(distance):
            found.update(*map(self.near.__getitem__, tuple(found)))
        return found

    @cache  # noqa: B019 - there is one table
    def entry(self, arrow: str) -> set[Hex]:
        return self.within({hex_of(arrow)}, 4) & self.edge & self.in_play


def opposite(side: str) -> str:
    turn = str.maketrans("NSEW", "SNWE")
    return side.translate(turn)


TABLE = Table()
BARRED: dict[str, tuple[str, ...]] = {
    "stop": ("cliff", "rowhouse"), "bars": ("rowhouse",), "cross": (),
}  # fmt: skip


class Solver:
    """One position, worked out."""

    def __init__(
        self, position: dict[str, Any], coming: str | None, rulings: dict[str, str] | None = None
    ) -> None:
        self.position = position
        self.coming = coming
        self.rulings = {**AS_DESIGNED, **(rulings or {})}
        self.across = TABLE.across(BARRED[self.rulings["P-01"]])
        terrain = [(item["kind"], location_of(item["at"])) for item in position.get("terrain", [])]
        self.blaze = {where for kind, where in terrain if kind == "blaze"}
        self.enterable = {
            at for at in TABLE.in_play if at not in TABLE.water and (at, 0) not in self.blaze
        }
        gone = {where[0] for kind, where in terrain if kind == "shellhole"}
        self.building = TABLE.building - gone
        self.strategic = self.building | TABLE.bridge
        self.strategic |= {w[0] for kind, w in terrain if kind.startswith("rubble")}
        for item in position.get("fortifications", []):
            if item["kind"] in ("trench", "foxhole", "pillbox"):
                self.strategic.add(location_of(item["at"])[0])
        for item in position.get("gliders", []):
            if item["state"] == "landed":
                self.strategic.add(location_of(item["at"])[0])
        for item in position.get("vehicles", []):
            status = set(item.get("status", []))
            if item["type"] not in WITHOUT_MA and status & STUCK and not status & USELESS:
                self.strategic.add(location_of(item["at"])[0])
        for item in position.get("equipment", []):
            status = set(item.get("status", []))
            if item["type"] in GUNS and not status & {"hooked", "malfunctioned"}:
                self.strategic.add(location_of(item["at"])[0])
        self.units: dict[str, set[Location]] = {side: set() for side in SIDES}
        for item in position.get("units", []):
            if "prisoner" not in item.get("status", []):
                self.units[item["side"]].add(location_of(item["at"]))
        for item in position.get("vehicles", []):
            if "abandoned" not in item.get("status", []) and not item.get("bypass"):
                self.units[item["side"]].add(location_of(item["at"]))
        # Of a hex without a Strategic Location Control may be known (A26.11): it makes no area.
        self.control = {
            side: {
                location
                for location in map(location_of, position["control"].get(side, []))
                if location[0] in self.strategic
            }
            for side in SIDES
        }
        self.happened: set[str] = set()
        self.work()
        if self.rulings["C-05"] == "control-passes" and self.pass_control():
            self.work()

    # the eight points of 9.2 and 9.605-9.6057

    def work(self) -> None:
        self.held = {side: {loc[0] for loc in self.control[side]} for side in SIDES}
        near = {}
        for side in SIDES:
            reaching = self.held[side]
            if self.rulings["C-07"] == "ground-only":
                reaching = {at for at, level in self.control[side] if level < 1}
            near[side] = TABLE.within(reaching, 2)
        # points 1 and 2
        self.no_mans_land = {
            at
            for at in TABLE.in_play - self.strategic
            if at in near["british"] and at in near["german"]
        }
        if any(at not in self.held["british"] | self.held["german"] for at in self.strategic):
            self.happened.add("1 uncontrolled")
        # point 5: whose is a hex in which both Control
        owner: dict[Hex, str] = {}
        for at in self.held["british"] | self.held["german"]:
            lowest = {
                side: min((loc[1] for loc in self.control[side] if loc[0] == at), default=99)
                for side in SIDES
            }
            owner[at] = min(SIDES, key=lambda side: lowest[side])
        self.areas: dict[str, list[Area]] = {side: [] for side in SIDES}
        self.cut_off: dict[str, set[Hex]] = {side: set() for side in SIDES}
        self.comes_out: dict[str, set[Hex]] = {side: set() for side in SIDES}
        self.ways: dict[str, tuple[set[Hex], set[Hex]]] = {}
        contested = self.held["british"] & self.held["german"]
        if any((at, 0) in self.blaze for at in owner):
            self.happened.add("4 burning")
        for side in SIDES:
            other = SIDES[1 - SIDES.index(side)]
            own = {at for at in self.held[side] if owner[at] == side}
            # point 3
            ring = (near[side] - near[other] - self.strategic) & self.enterable
            if self.rulings["C-11"] == "two-hexes":
                ring &= self.two_steps(own, ring)
            candidates = own | ring
            # point 4
            left = set(candidates)
            while left:
                piece = {min(left)}
                todo = list(piece)
                while todo:
                    at = todo.pop()
                    for step in self.across[at]:
                        if step not in left or step in piece:
                            continue
                        if step in self.enterable or at in self.enterable:
                            piece.add(step)
                            todo.append(step)
                left -= piece
                if piece & own:
                    held = {loc for loc in self.control[side] if loc[0] in piece}
                    self.areas[side].append({"hexes": piece, "held": held, "lone": False})
                else:
                    self.happened.add("4 drops out")
        # point 5: the Locations of the side that does not have the hex
        for at in sorted(contested):
            side = SIDES[1 - SIDES.index(owner[at])]
            if all(level >= 1 for where, level in self.control[owner[at]] if where == at):
                self.happened.add("5 no ground level")
            for loc in sorted(self.control[side]):
                if loc[0] != at:
                    continue
                if loc in self.units[side]:
                    self.happened.add("5 lone")
                    self.areas[side].append({"hexes": set(), "held": {loc}, "lone": True})
                else:
                    self.happened.add("5 joins")
                    self.area_at(at, owner[at])["held"].add(loc)
        # point 6
        taken = {at for side in SIDES for area in self.areas[side] for at in area["hexes"]}
        self.uncontrolled = TABLE.in_play - self.no_mans_land - taken
        left = set(self.uncontrolled)
        while left:
            piece = self.spread_out(min(left), left)
            left -= piece
            self.enclose(piece)
        if self.rulings["B-06"] == "distance":
            self.uncontrolled -= near["british"] | near["german"]
        # P-04: a Location above the enemy that reaches own ground by 9.6057
        if self.rulings["P-04"] == "traced":
            for side in SIDES:
                for area in [area for area in self.areas[side] if area["lone"]]:
                    (loc,) = area["held"]
                    below = self.ground_below(side, loc)
                    if below:
                        self.areas[side].remove(area)
                        self.area_at(below[0], side)["held"].add(loc)
        if self.rulings["P-40"] == "one":
            for side in SIDES:
                self.join_lone(side)
        # names
        for side in SIDES:
            self.areas[side].sort(key=lambda area: min(self.naming(area, side)))

    def naming(self, area: Area, side: str) -> set[Location]:
        return {loc for loc in area["held"] if loc in self.control[side]}

    def two_steps(self, own: set[Hex], ring: set[Hex]) -> set[Hex]:
        found = {step for at in own for step in self.across[at] if step in ring}
        return found | {step for at in found for step in self.across[at] if step in ring}

    def spread_out(self, start: Hex, among: set[Hex]) -> set[Hex]:
        piece = {start}
        rim = {start}
        while rim:
            around: set[Hex] = set().union(*map(TABLE.near.__getitem__, rim))
            rim = (around & among) - piece
            piece |= rim
        return piece

    def area_at(self, at: Hex, side: str) -> Area:
        (found,) = [area for area in self.areas[side] if at in area["hexes"]]
        return found

    def all_areas(self) -> list[tuple[str, Area]]:
        return [(side, area) for side in SIDES for area in self.areas[side]]

    def encloser(self, piece: set[Hex]) -> tuple[str, Area] | None:
        """The one Setup Area all round a piece."""
        outside = {other for at in piece for other in TABLE.near[at]} - piece
        if self.rulings["C-06"] == "edge-opens":
            if piece & TABLE.edge or outside - TABLE.in_play:
                return None
        else:
            outside &= TABLE.in_play
        found = [(side, area) for side, area in self.all_areas() if outside & area["hexes"]]
        if len(found) != 1 or not outside <= found[0][1]["hexes"]:
            return None
        return found[0]

    def enclose(self, piece: set[Hex]) -> None:
        found = self.encloser(piece)
        if found is None:
            return
        side, area = found
        enemy = SIDES[1 - SIDES.index(side)]
        if any(loc[0] in piece & self.strategic for loc in self.units[enemy]):
            self.happened.add("6 enemy-occupied")
            return
        self.happened.add("6 building" if piece & self.building else "6 enclosed")
        area["hexes"] |= piece
        self.uncontrolled -= piece

    def pass_control(self) -> bool:
        """C-05: what is enclosed and empty changes hands, an upper level like a whole area."""
        passed = False
        floors = []
        for side in SIDES:
            enemy = SIDES[1 - SIDES.index(side)]
            for loc in self.control[enemy]:
                below = [level for at, level in self.control[side] if at == loc[0]]
                above = [level for at, level in self.control[enemy] if at == loc[0]]
                theirs = below and min(below) < min(above)
                if theirs and loc not in self.units[enemy]:
                    floors.append((side, enemy, loc))
        for side, enemy, loc in floors:
            self.happened.add("C-05 level")
            self.control[enemy] = self.control[enemy] - {loc}
            self.control[side] = self.control[side] | {loc}
            passed = True
        for side in SIDES:
            enemy = SIDES[1 - SIDES.index(side)]
            for area in self.areas[enemy]:
                if area["lone"] or not area["hexes"]:
                    continue
                found = self.encloser(area["hexes"])
                occupied = {loc[0] for loc in self.units[enemy]} & area["hexes"]
                if found is None or found[0] != side or occupied:
                    continue
                mine = {loc for loc in self.control[enemy] if loc[0] in area["hexes"]}
                self.control[enemy] = self.control[enemy] - mine
                self.control[side] = self.control[side] | mine
                self.happened.add("C-05 area")
                passed = True
        return passed

    # point 7

    def arrows(self, side: str) -> dict[str, bool]:
        found = {}
        for arrow, dates in ARROWS[side].items():
            found[arrow] = dates == "all" or self.coming in dates
        if side == "british":
            if self.rulings["A-05"] == "TT4":
                found["TT4"] = self.coming == "day-2"
                found["TT14"] = self.coming == "dusk"
            if self.rulings["B-04"] == "when-in-use":
                found["Z28"] = self.coming in ("night-2", "night-3", "dawn")
        return found

    def entry(self, arrow: str) -> set[Hex]:
        return TABLE.entry(arrow)

    def goals(self, side: str) -> set[Hex]:
        found: set[Hex] = set()
        for arrow, eligible in self.arrows(side).items():
            counts = eligible
            if side == "british" and self.rulings["B-03"] == "glider-z28":
                counts = eligible and arrow == "Z28"
            if counts:
                found |= self.entry(arrow)
        if side == "british":
            for item in self.position.get("gliders", []):
                if item["state"] == "landed":
                    found.add(hex_of(item["at"]))
        return found

    def hex_isolated(self, side: str, start: Hex) -> bool:
        if start in self.cut_off[side]:
            return True
        if start in self.comes_out[side]:
            return False
        if side not in self.ways:
            friendly = {at for area in self.areas[side] for at in area["hexes"]}
            allowed = (friendly | self.uncontrolled) & self.enterable
            self.ways[side] = (allowed, self.goals(side))
        allowed, goals = self.ways[side]
        if start in goals:
            return False
        seen = {start}
        queue = deque([start])
        while queue:
            for step in self.across[queue.popleft()]:
                if step in allowed and step not in seen:
                    if step in goals:
                        if start in allowed:  # what is reached on the way comes out as well
                            self.comes_out[side] |= seen
                        return False
                    seen.add(step)
                    queue.append(step)
        self.cut_off[side] |= seen  # what cannot be left from here cannot be left from there
        return True

    def isolated(self, side: str, location: Location) -> bool:
        at, level = location
        if level < 1:
            return self.hex_isolated(side, at)
        return self.ground_below(side, location) is None

    def ground_below(self, side: str, location: Location) -> Location | None:
        # 9.6057: along own building Locations down to a ground level that is not Isolated
        seen = {location}
        queue = deque([location])
        while queue:
            where, height = queue.popleft()
            around = [(where, height + 1), (where, height - 1)] if self.stairs(where) else []
            around += [
                (other, height)
                for other in self.across[where]
                if other in TABLE.building_hexes(where)
            ]
            for step in around:
                if step in seen or step not in self.control[side] or step in self.blaze:
                    continue
                if step[0] not in self.building:
                    continue
                if step[1] == 0 and not self.hex_isolated(side, step[0]):
                    return step
                seen.add(step)
                queue.append(step)
        return None

    def join_lone(self, side: str) -> None:
        # 9.2, P-40: those above the enemy that touch inside a building are one Setup Area
        lone = [area for area in self.areas[side] if area["lone"]]
        again = True
        while again:
            again = False
            for one, other in combinations(lone, 2):
                pairs = product(one["held"], other["held"])
                if any(self.touch(a, b) or self.touch(b, a) for a, b in pairs):
                    self.happened.add("5 lone ones touch")
                    one["held"] |= other["held"]
                    lone.remove(other)
                    self.areas[side].remove(other)
                    again = True
                    break

    def touch(self, one: Location, other: Location) -> bool:
        """Whether Infantry could go from the one into the other without leaving the building."""
        (where, height), (there, level) = one, other
        if other in self.blaze or 0.5 in (height, level):
            return False
        if where == there:
            return abs(height - level) == 1 and self.stairs(where)
        inside = there in TABLE.building_hexes(where) and there in self.across[where]
        return height == level and inside

    def stairs(self, at: Hex) -> bool:
        footprint = TABLE.building_hexes(at)
        marked = {h for h in footprint if TABLE.rows[h]["stairs"] in ("square", "circle")}
        return at in marked or not marked

    # the answer

    def answer(self) -> dict[str, Any]:
        def names(hexes: set[Hex]) -> list[str]:
            return [name_of(at) for at in sorted(hexes)]

        sides: dict[str, Any] = {}
        every = {at for _, area in self.all_areas() for at in area["hexes"]}
        for side in SIDES:
            own = {at for area in self.areas[side] for at in area["hexes"]}
            hostile = (every - own) | self.no_mans_land | self.uncontrolled
            listed = []
            for number, area in enumerate(self.areas[side]):
                if area["lone"]:
                    alone = True
                else:
                    alone = all(self.hex_isolated(side, at) for at in area["hexes"]) and all(
                        self.isolated(side, loc) for loc in self.naming(area, side)
                    )
                listed.append(
                    {
                        "id": chr(65 + number % 26) * (number // 26 + 1),
                        "hexes": names(area["hexes"]),
                        "strategic_locations": [text_of(loc) for loc in sorted(area["held"])],
                        "isolated": alone,
                        "front_line": names(
                            {at for at in area["hexes"] if hostile & set(TABLE.near[at])}
                        ),
                        "isolated_locations": [
                            text_of(loc)
                            for loc in sorted(area["held"])
                            if alone or self.isolated(side, loc)
                        ],
                    }
                )
            entries = [
                {"id": arrow, "hexes": names(self.entry(arrow)), "eligible": eligible}
                for arrow, eligible in self.arrows(side).items()
            ]
            sides[side] = {"setup_areas": listed, "entry_areas": entries}
        return {
            "date": self.position["date"],
            "no_mans_land": names(self.no_mans_land),
            "uncontrolled": names(self.uncontrolled),
            "sides": sides,
        }


def solve(
    position: dict[str, Any], coming: str | None = "", rulings: dict[str, str] | None = None
) -> dict[str, Any]:
    """The whole answer for a position; ``coming`` is the next CG Date if it is not the usual."""
    if coming == "":
        after = DATES.index(position["date"]) + 1
        coming = DATES[after] if after < len(DATES) else None
    return Solver(position, coming, rulings).answer()
