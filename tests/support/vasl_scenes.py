"""Random positions that a save can tell, and damaged saves."""

from __future__ import annotations

import functools
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import golden_campaign
import msgspec
from vasl_writer import MARKERS, NAMES, UNIT_LAYERS, Writer, plain, writable, write_position
from web_help import answer, app_client, only_game

from asl_pbcg.campaign.board.board import load_board
from asl_pbcg.campaign.module.catalogue import InfantryType, VehicleType, WeaponType, load_catalogue
from asl_pbcg.campaign.position import FORMAT, Position
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.textfiles import read_yaml_or_json
from asl_pbcg.vasl.save_board import Placed, measures

BOARD = load_board()
HEXES = [name for name in BOARD.in_play if name in BOARD.enterable]
INSIDE = [name for name in HEXES if len(BOARD.grid.neighbours(name)) == 6]
UNITS = [
    each
    for each in load_catalogue()
    if isinstance(each, InfantryType) and each.kind != "armor_leader"
]
LEADERS = ("leader", "hero")


def before_night_two(place: Path) -> Path:
    """Fill a folder with a campaign that stands before Night II, and the save of Night I."""
    golden_campaign.play("cg1", place, until="night-1", records=False)
    writer = write_position(night_one(place), Writer(complete=True))
    (place / "night-1.vsav").write_bytes(writer.content())
    return place


def night_one(place: Path) -> Position:
    """Return the end position of Night I in the folder of a golden campaign."""
    return plain(msgspec.convert(read_yaml_or_json(place / "night-1.position.yaml"), Position))


def ask_for_the_end_position(place: Path) -> None:
    """Answer what is asked before the end position."""
    with app_client(place, "umpire") as client:
        game = only_game(client)
        for _ in range(9):
            asked = client.get(f"/api/games/{game}").json()["asked"]
            if asked["kind"] == "document":
                return
            value = "dr" if asked["id"] == "0.1" else asked["default"] or asked["least"] or "yes"
            assert answer(client, game, value).status_code == 200
    raise AssertionError("no end position is asked for")


def random_position(seed: int) -> Position:
    """A position as plain as a save can tell it: no names, groups or remarks."""
    source = random.Random(f"scene/{seed}")
    data: dict[str, Any] = {"format": FORMAT, "date": "night-1"}
    units: list[dict[str, Any]] = []
    equipment: list[dict[str, Any]] = []
    vehicles: list[dict[str, Any]] = []
    hexes = source.sample(INSIDE, 40)
    taken: set[str] = set()
    for number in range(source.randint(1, 45)):
        name = source.choice(hexes)
        at = name
        if name in BOARD.upper and source.random() < 0.5:
            at = f"{name}/{source.randint(1, 2)}"
        side = source.choice(list(Side))
        known = source.choice([each for each in UNITS if each.side is side])
        if not writable(known.name, side):
            continue
        able = [*UNIT_LAYERS, *(s for s in ("dm", "pinned", "cx", "no-move", "encircled"))]
        smc = known.is_smc
        able = [s for s in able if smc or s not in ("wounded", "heroic")]
        able = [s for s in able if known.kind == "leader" or s != "heroic"]
        status = source.sample(able, source.choice([0, 0, 1, 2]))
        status += source.choice([[], [], [], ["hidden"], ["concealed"]])
        unit = {"id": f"u{number}", "side": side, "type": known.name, "at": at, "status": status}
        if source.random() < 0.4:
            weapon = _weapon(source, side, f"w{number}", at, "sw")
            equipment.append(weapon)
            unit["possesses"] = [weapon["id"]]
        units.append(unit)
    for number in range(source.randint(0, 6)):
        name = source.choice(INSIDE)
        if name in taken:
            continue
        taken.add(name)
        side = source.choice(list(Side))
        gun = _weapon(source, side, f"g{number}", name, "gun")
        gun["ca"] = _arc(source, name)
        equipment.append(gun)
    for number in range(source.randint(0, 8)):
        name = source.choice(INSIDE)
        if name in taken:
            continue
        taken.add(name)
        side = source.choice(list(Side))
        types = [each for each in load_catalogue() if isinstance(each, VehicleType)]
        known_vehicle = source.choice(
            [each for each in types if each.side is side and writable(each.name, side)]
        )
        able = ["immobilized", "abandoned", "bogged", "shocked", "ma-malfunctioned", "motion", "ce"]
        able += ["stunned", "recall", "low-ammo", "hidden"]
        status = source.sample(able, source.choice([0, 1, 2]))
        if "stunned" in status and source.random() < 0.5:
            status.append("stun-plus-1")
        vehicles.append(
            {
                "id": f"v{number}",
                "side": side,
                "type": known_vehicle.name,
                "at": name,
                "status": status,
                "vca": _arc(source, name),
                "tca": _arc(source, name) if source.random() < 0.5 else "",
            }
        )
    data |= {"units": units, "equipment": equipment, "vehicles": vehicles}
    data["fortifications"] = [_fortification(source, source.choice(INSIDE)) for _ in range(6)]
    data["terrain"] = [_terrain(source, source.choice(INSIDE)) for _ in range(5)]
    data["gliders"] = [
        {"at": source.choice(INSIDE), "state": source.choice(["landed", "wrecked"])}
        for _ in range(source.randint(0, 3))
    ]
    import msgspec

    return msgspec.convert(data, Position)


def _weapon(source: random.Random, side: Side, id: str, at: str, kind: str) -> dict[str, Any]:
    types = [
        each
        for each in load_catalogue()
        if isinstance(each, WeaponType)
        and each.kind == kind
        and each.side is side
        and writable(each.name, side)
    ]
    known = source.choice(types)
    status = source.choice([[], [], ["malfunctioned"]])
    if known.dm and source.random() < 0.3:
        status = [*status, "dm"]
    return {"id": id, "side": side, "type": known.name, "at": at, "status": status}


def _arc(source: random.Random, name: str) -> str:
    near = BOARD.grid.neighbours(name)
    first = source.randrange(6)
    pair = sorted((near[first], near[(first + 1) % 6]), key=BOARD.grid.index)
    return "/".join(pair)


def _fortification(source: random.Random, name: str) -> dict[str, Any]:
    kind = source.choice(["foxhole", "trench", "wire", "pillbox", "ap-mines", "at-mines"])
    part: dict[str, Any] = {"kind": kind, "at": name, "hidden": source.random() < 0.2}
    if kind == "foxhole":
        part["size"] = source.randint(1, 3)
    elif kind == "pillbox":
        part |= {"strength": f"{source.randint(1, 3)}+3+5", "ca": _arc(source, name)}
    elif kind == "ap-mines":
        part["size"] = source.choice([6, 8, 12])
    elif kind == "at-mines":
        part["size"] = source.randint(1, 5)
    return part


def _terrain(source: random.Random, name: str) -> dict[str, Any]:
    kinds = ["blaze", "flame", "rubble-stone", "rubble-wood", "shellhole", "burnt-out-wreck"]
    kind = source.choice([*kinds, "wreck", "burning-wreck"])
    if kind in ("wreck", "burning-wreck"):
        row = source.choice([row for row in NAMES if row["kind"] == "wreck"])
        return {"kind": kind, "at": name, "type": row["type"], "side": row["side"]}
    return {"kind": kind, "at": name}


def random_writer(seed: int) -> Writer:
    """A save whose board lies anywhere: turned, cropped, zoomed, beside others."""
    source = random.Random(f"board/{seed}")
    edge = measures().edge
    turned, zoomed, beside, cut = (source.random() < 0.4 for _ in range(4))
    zoom = source.choice([0.5, 1.5, 2.0]) if zoomed else 1.0
    crop = (0, 0, -1, -1)
    name = f"{'r' if turned else ''}PB"
    if cut:
        x = source.randint(0, 20)
        crop = (x, 0, measures().width - x, measures().height)
        name += "\t" + "\t".join(map(str, crop))
    tail = f"VER\t6.1\tZOOM\t{zoom}" if zoomed else "VER\t6.1\t"
    left, top = edge, edge
    board = f"bd\t0\t0\t{name}\t{tail}"
    if beside:
        other = source.choice(["right", "above"])
        if other == "above":
            top += measures().geomorphic[1]
            board = f"bd\t0\t0\t03\tVER\t6.1\tbd\t0\t1\t{name}\t{tail}"
        else:
            left += measures().geomorphic[0]
            board = f"bd\t0\t0\tr04\tVER\t6.1\tbd\t1\t0\t{name}\t{tail}"
    placed = Placed(left, top, turned, crop, zoom)
    return Writer(placed, board, source.choice(["Main Map", "Map0"]))


def damaged(seed: int, good: list[bytes]) -> bytes:
    """A save that something has gone wrong with."""
    source = random.Random(f"damage/{seed}")
    content = bytearray(source.choice(good))
    how = source.randrange(6)
    if how == 0:
        del content[source.randrange(len(content)) :]
    elif how == 1:
        for _ in range(source.choice([1, 1, 3, 30])):
            content[source.randrange(len(content))] ^= 1 << source.randrange(8)
    elif how == 2:
        start = source.randrange(len(content))
        del content[start : start + source.randrange(1, 400)]
    else:
        return bytes(content) if how > 4 else _damaged_text(source, how)
    return bytes(content)


def _damaged_text(source: random.Random, how: int) -> bytes:
    """A whole archive with a broken text in it."""
    import io
    import zipfile

    text = bytearray(write_position(random_position(source.randrange(8))).text().encode())
    specials = [b"\x1b", b"\t", b"/", b";", b"\\", b"'", b"\xff", b"\\\x1b", b"9" * 40, b"emb2;"]
    for _ in range(source.choice([1, 5, 60])):
        at = source.randrange(len(text))
        if how == 3:
            text[at : at + 1] = source.choice(specials)
        else:
            del text[at : at + source.randrange(1, 60)]
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("savedGame", b"!VCSK00" + bytes(text).hex().encode())
    return out.getvalue()


@functools.cache
def bombs() -> tuple[tuple[str, bytes], ...]:
    """Return saves made to take all memory or time; a process packs them once."""
    return tuple(_pack_bombs())


def _pack_bombs() -> Iterator[tuple[str, bytes]]:
    import io
    import zipfile

    def zipped(*entries: tuple[str, bytes]) -> bytes:
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in entries:
                archive.writestr(name, content)
        return out.getvalue()

    def hidden(text: str) -> bytes:
        return b"!VCSK00" + text.encode().hex().encode()

    yield "a bomb", zipped(("savedGame", b"!VCSK00" + b"41" * 60_000_000))
    yield "deep commands", zipped(("savedGame", hidden("\\" * 50_000 + "\x1b" * 50_000)))
    nested = "a"
    for _ in range(40):
        nested = "\x1b".join(["b", nested.replace("\x1b", "\\\x1b")])
    yield "nested commands", zipped(("savedGame", hidden(nested)))
    yield "many commands", zipped(("savedGame", hidden("a\x1b" * 1_000_000)))
    many = "\x1b".join(f"+/{n}/piece;;;;A/Main Map;500;500;0" for n in range(10_000))
    yield "many counters", zipped(("savedGame", hidden(many)))
    traits = "a" + "".join("\\" * n + "\tb" for n in range(400))
    yield "many traits", zipped(("savedGame", hidden(f"+/1/{traits}/{traits}\x1b")))
    yield "a long counter", zipped(("savedGame", hidden("x\x1b+/1/" + "\t" * 4_000_000)))
    yield "many files", zipped(*((f"f{n}", b"") for n in range(500)))


assert set(MARKERS)
