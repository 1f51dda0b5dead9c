"""Random positions on the real board for the tests of Setup Areas, the same for the same seed."""

from __future__ import annotations

import random
from typing import Any

import brute_areas
from brute_areas import TABLE, Hex, name_of

DATES = brute_areas.DATES
SIDES = brute_areas.SIDES


class Maker:
    """Builds one position file's content, piece by piece."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(f"areas/{seed}")
        self.content: dict[str, Any] = {
            "format": "pbcg-position/1",
            "date": self.random.choice(DATES),
            "control": {side: [] for side in SIDES},
        }
        for key in ("gliders", "fortifications", "terrain", "units", "equipment", "vehicles"):
            self.content[key] = []
        self.taken: set[str] = set()

    def control(self, side: str, location: str) -> None:
        if location not in self.taken:
            self.taken.add(location)
            self.content["control"][side].append(location)

    def unit(self, side: str, at: str, *status: str) -> None:
        kind = "6-4-8" if side == "british" else "4-6-7"
        number = len(self.content["units"])
        self.content["units"].append(
            {"id": f"u{number}", "side": side, "type": kind, "at": at, "status": list(status)}
        )

    def add(self, what: str, **fields: Any) -> None:
        if what in ("equipment", "vehicles"):
            fields = {"id": f"{what[0]}{len(self.content[what])}", **fields}
        self.content[what].append(fields)

    def side(self, at: Hex, front: float) -> str:
        """Whose a hex is when a front runs across the map, with some mixing."""
        if self.random.random() < 0.15:
            return self.random.choice(SIDES)
        return SIDES[at[0] + self.random.randint(-3, 3) > front]

    def make_strategic(self, at: Hex, side: str) -> str | None:
        """Put something into a hex that makes it Strategic; gives the Location to Control."""
        name = name_of(at)
        if at in TABLE.building | TABLE.bridge:
            return name
        if at in TABLE.water:
            return None
        kind = self.random.choice(["foxhole", "trench", "pillbox", "gun", "vehicle", "glider"])
        if kind in ("foxhole", "trench"):
            self.add("fortifications", kind=kind, at=name, owner=side)
        elif kind == "pillbox":
            self.add("fortifications", kind=kind, at=name, owner=side)
            if self.random.random() < 0.5:
                return name + "/pillbox"
        elif kind == "gun":
            gun = "57L AT" if side == "british" else "50L AT"
            status = self.random.choice([[], [], ["malfunctioned"], ["hooked"]])
            self.add("equipment", side=side, type=gun, at=name, status=status)
            return None if status else name
        elif kind == "vehicle":
            tank = "Churchill VII" if side == "british" else "PzKpfw IVH"
            wrong = self.random.choice([[], [], ["abandoned"], ["ma-disabled"]])
            status = ["immobilized", *wrong]
            if self.random.random() < 0.2:
                tank, wrong = "Loyd Carrier" if side == "british" else "Kfz 1", ["no MA"]
            self.add("vehicles", side=side, type=tank, at=name, status=status)
            return None if wrong else name
        else:
            state = self.random.choice(["landed", "landed", "wrecked"])
            self.add("gliders", at=name, state=state)
            return name if state == "landed" else None
        return name


LARGE = [at for at in sorted(TABLE.building) if len(TABLE.building_hexes(at)) > 4]
"""The hexes of large buildings."""


def _hexes(maker: Maker) -> list[Hex]:
    """Where this position happens: the whole map, one part of it, or close to an edge."""
    everywhere = sorted(TABLE.in_play)
    kind = maker.random.random()
    if kind < 0.25:
        return everywhere
    centre = maker.random.choice(everywhere)
    if kind < 0.4:
        centre = maker.random.choice(sorted(TABLE.edge & TABLE.in_play))
    return sorted(TABLE.within({centre}, maker.random.randint(4, 11)) & TABLE.in_play)


def random_position(seed: int) -> dict[str, Any]:
    """A position with anything in it that Setup Areas depend on."""
    maker = Maker(seed)
    draw = maker.random
    hexes = _hexes(maker)
    strategic = TABLE.building | TABLE.bridge
    buildings = [at for at in hexes if at in strategic]
    draw.shuffle(buildings)
    wanted = draw.randint(1, 40)
    chosen = buildings[: draw.randint(0, wanted)]
    chosen += draw.sample(hexes, min(len(hexes), draw.randint(1, wanted)))
    front = draw.uniform(hexes[0][0] - 4, hexes[-1][0] + 4)
    for at in dict.fromkeys(chosen):
        side = maker.side(at, front)
        location = maker.make_strategic(at, side)
        if location and draw.random() < 0.85:
            maker.control(side, location)
            if draw.random() < 0.4:
                maker.unit(side, location)
        elif location and draw.random() < 0.5:
            maker.unit(draw.choice(SIDES), location, *draw.choice([[], ["prisoner"]]))
    _levels(maker, front, [at for at in buildings if at in TABLE.building])
    if draw.random() < 0.4:
        for _ in range(draw.randint(1, 3)):
            _ring(maker, draw.choice(hexes))
    if draw.random() < 0.6:
        _fires(maker, hexes)
    if draw.random() < 0.2:
        for name in ("X20", "Y18", "Y21", "Z18"):  # SSR PB4: Strategic or not
            maker.control(draw.choice(SIDES), name)
    if draw.random() < 0.3:
        _enclosed(maker, draw.choice(hexes))
    return maker.content


def _levels(maker: Maker, front: float, buildings: list[Hex]) -> None:
    """Upper levels, most of them with the other side below."""
    draw = maker.random
    for at in buildings[:8] + (LARGE if draw.random() < 0.2 else []):
        for level in (1, 2):
            if draw.random() < 0.4:
                side = draw.choice([maker.side(at, front), *SIDES])
                where = f"{name_of(at)}/{level}"
                if where in maker.taken:
                    continue
                maker.control(side, where)
                if draw.random() < 0.6:
                    maker.unit(side, where)


def _ring(maker: Maker, centre: Hex) -> None:
    """Foxholes of one side all round a hex, two or three hexes off, so that it is surrounded."""
    draw = maker.random
    side = draw.choice(SIDES)
    distance = draw.choice([1, 2, 3, 4])
    ring = TABLE.within({centre}, distance) - TABLE.within({centre}, distance - 1)
    for at in sorted(ring & TABLE.in_play - TABLE.water - TABLE.bridge - TABLE.building):
        if draw.random() < 0.8:
            maker.add("fortifications", kind="foxhole", at=name_of(at), owner=side, size=1)
            maker.control(side, name_of(at))
    what = draw.random()
    if what < 0.3 and centre not in TABLE.water:
        maker.add("terrain", kind="blaze", at=name_of(centre))
    elif what < 0.7 and centre not in TABLE.water:
        maker.add("fortifications", kind="trench", at=name_of(centre))
        maker.unit(draw.choice(SIDES), name_of(centre))


def _enclosed(maker: Maker, centre: Hex) -> None:
    """One or two hexes of a side, often empty, with the other side's on all hexsides of them."""
    draw = maker.random
    side, other = draw.sample(SIDES, 2)
    inside = {centre}
    if draw.random() < 0.3:
        inside.add(draw.choice(TABLE.near[centre]))
    gone = {item["at"] for item in maker.content["terrain"] if item["kind"] == "shellhole"}
    for at in sorted(TABLE.within(inside, 1) & TABLE.in_play):
        name = name_of(at)
        if name in gone:
            continue
        if at not in TABLE.building | TABLE.bridge | TABLE.water:
            maker.add("fortifications", kind="trench", at=name)
        if at not in TABLE.water:
            maker.control(side if at in inside else other, name)
        if at in inside and draw.random() < 0.3:
            maker.unit(draw.choice(SIDES), name)


def _fires(maker: Maker, hexes: list[Hex]) -> None:
    draw = maker.random
    held = [where for side in SIDES for where in maker.content["control"][side]]
    burning = {name_of(at) for at in draw.sample(hexes, min(len(hexes), draw.randint(0, 25)))}
    if held:
        burning |= set(draw.sample(held, min(len(held), draw.randint(0, 5))))
    for where in sorted(burning):
        if "pillbox" not in where:
            maker.add("terrain", kind="blaze", at=where)
    for at in draw.sample(hexes, min(len(hexes), 4)):
        name = name_of(at)
        free = all(name != where.split("/")[0] for where in maker.taken)
        kind = draw.choice(["rubble-stone", "flame", "burning-wreck", "burnt-out-wreck"])
        if at in TABLE.building and free:
            kind = "shellhole"
        maker.add("terrain", kind=kind, at=name)
