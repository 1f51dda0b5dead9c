"""A small writer of plain saves for the tests: counters made here, nothing of VASL's.

It writes what a save says in the way VASSAL nests it, with made-up pictures and numbers: names of
counters and layers are those of ``data/pb/vasl_names.csv`` and ``vasl.yaml``.
"""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from asl_pbcg.campaign.board.board import load_board
from asl_pbcg.campaign.position import Fortification, Position, UnitEntry
from asl_pbcg.campaign.terms import Side
from asl_pbcg.hexes.lattice import DIRECTIONS
from asl_pbcg.kernel.data import data_path
from asl_pbcg.vasl.save_board import Placed, centre, measures

GRID = load_board().grid
ESC = "\x1b"
NATION = {Side.BRITISH: "br", Side.GERMAN: "ge"}
PASSWORD = "correct-horse-42"


def join(parts: Iterable[str], delimiter: str, dialect: str = "") -> str:
    """Parts of a list, a delimiter within one of them behind a backslash.

    The dialects of VASSAL differ in the backslash for which they quote a part: ``old`` at its end,
    ``new`` at its beginning; without one, both.
    """
    found = []
    for part in parts:
        escaped = part.replace(delimiter, "\\" + delimiter)
        quoted = part[:1] == part[-1:] == "'" and len(part) > 1
        quoted |= dialect != "old" and part.startswith("\\")
        quoted |= dialect != "new" and part.endswith("\\")
        found.append(f"'{escaped}'" if quoted else escaped)
    return delimiter.join(found)


@dataclass(frozen=True)
class Layer:
    """A layer of a counter: the names it can say, and at which level it stands."""

    names: Sequence[str]
    level: int = 1
    key: str = ""
    """The key that turns it on and off, as 70,130; without one it is always on."""
    keys: str = ""
    """Of a layer of version 0 the letters that must all be pressed with Ctrl."""
    pressed: str = ""
    up: str = ""

    def trait(self) -> tuple[str, str]:
        """Type and state."""
        pictures, names = ",".join("" for _ in self.names), ",".join(self.names)
        head = f"emb2;;2;{self.keys};;2;{'' if self.keys else 'X'};;2;;;;0;false;0;0"
        always = "false" if self.key or self.keys else "true"
        version = "0" if self.keys else "1"
        tail = f"true;;;;false;;1;{version};{always};{self.key};{self.up};"
        state = f"{self.level};{self.pressed}" if self.keys else str(self.level)
        return f"{head};{pictures};{names};{tail}", state


@dataclass(frozen=True)
class Chip:
    """A counter to write; its first layer is the innermost."""

    base: str
    nation: str = ""
    layers: tuple[Layer, ...] = ()
    turned: int | None = None
    hidden: bool = False
    concealed: bool = False
    conceals: str = ""
    gpid: str = "0"
    owner: str = "the player"
    label: str = "note/;\\"
    piece: str = ""
    """The id of the piece it is, for the tests."""
    password: str = PASSWORD
    """Of the player for whom it is hidden or concealed."""

    def traits(self) -> list[tuple[str, str]]:
        """Traits with their states, outermost first."""
        picture = f"{self.nation}/{self.nation}made" if self.nation else " "
        inner: list[tuple[str, str]] = []
        for layer in self.layers:
            inner.append(layer.trait())
        outer = [("PROP;Owner;false,0,100,false;:77,650:P,$PlayerName$", self.owner)]
        if self.turned is not None:
            outer.append(("rotate;6;88,130;90,130;cw;ccw;;;", str(self.turned)))
        outer.append(("hide;72,130;HIP;;player:;0.3", self.password if self.hidden else "null"))
        outer.append(("moved;moved", "false"))
        outer.append(
            ("label;76,130;Label;10;;0,0,0;c;0;c;0;b;c;$pieceName$ ($label$);;", self.label)
        )
        if self.conceals:
            outer.append((f"concealment;{self.password};{self.conceals}", ""))
        elif self.nation:
            state = f"{self.password};|0" if self.concealed else "null;"
            outer.append((f"conceal;C;{self.nation}/q;{self.nation};;", state))
        return [*outer, *reversed(inner), (f"piece;K;D;{picture};{self.base}", "")]


@dataclass
class Writer:
    """A save that grows stack by stack."""

    placed: Placed = field(default_factory=lambda: Placed(measures().edge, measures().edge))
    board: str = "bd\t0\t0\tPB\tVER\t6.1\t"
    map: str = "Main Map"
    commands: list[str] = field(default_factory=list)
    next_id: int = 1_500_000_000_000
    keys: dict[str, str] = field(default_factory=dict)
    """What questions about the save call a piece, by its id."""
    counted: dict[str, int] = field(default_factory=dict)
    properties: dict[str, str] = field(default_factory=dict)
    """Global properties of the module, as the totals of the Casualties Bin."""
    dialect: str = ""
    """How its lists are quoted, see ``join``; ``new`` also repeats the id in the last state."""
    label: str = ""
    """The label of every counter, instead of its own."""
    always_stacks: bool = False
    """Whether a counter by itself lies in a stack, as in VASSAL."""
    complete: bool = False
    """Whether counters have all layers that VASL's have, with keys, and so can be flipped."""
    passwords: dict[str, str] = field(default_factory=dict)
    """The passwords of the players of each nation; of counters of none by an empty name."""
    facts: list[str] = field(default_factory=list)
    """More commands, as INFO, UNMASK and PNOTES."""
    comment: str = "as we left it"
    """What was typed when it was saved."""
    logged: list[str] = field(default_factory=list)
    """Moves recorded after the opening position: with any, it is a log."""

    def id(self) -> str:
        """An id of VASSAL's kind."""
        self.next_id += 7
        return str(self.next_id)

    def pixel(self, name: str, across: str = "") -> tuple[int, int]:
        """Where a hex, or the middle between two, lies in the save."""
        x, y = centre(GRID, name)
        if across:
            other_x, other_y = centre(GRID, across)
            x, y = (x + other_x) / 2, (y + other_y) / 2
        found = self.placed.in_save(x, y)
        return round(found[0]), round(found[1])

    def stack(self, chips: Sequence[Chip], name: str, across: str = "") -> Writer:
        """Put counters on a hex, bottom first."""
        for chip in chips:
            self.counted[name] = self.counted.get(name, 0) + 1
            if chip.piece:
                self.keys[chip.piece] = f"{name}.{self.counted[name]}"
        self.heap(chips, *self.pixel(name, across))
        return self

    def heap(self, chips: Sequence[Chip], x: int, y: int) -> None:
        """Put counters at a pixel, bottom first."""
        ids = []
        for chip in chips:
            id = self.id()
            ids.append(id)
            chip = replace(chip, label=self.label) if self.label else chip
            if chip.password == PASSWORD:
                own = self.passwords.get(chip.nation or chip.conceals, PASSWORD)
                chip = replace(chip, password=own)
            traits = (completed(chip) if self.complete else chip).traits()
            more = f"2;OldX;17;UniqueID;{id}" if self.dialect == "new" else "0"
            kind, state = traits[-1][0], f"{self.map};{x};{y};{chip.gpid};{more}"
            for trait, told in reversed(traits[:-1]):
                kind, state = self.join((trait, kind), "\t"), self.join((told, state), "\t")
            self.commands.append("+/" + self.join((id, kind, state), "/"))
        if len(ids) > 1 or self.always_stacks:
            state = ";".join([self.map, str(x), str(y), *ids, "@@0"])
            self.commands.append(f"+/{self.id()}/stack/{self.join((state,), '/')}")

    def join(self, parts: Iterable[str], delimiter: str) -> str:
        """Join a list in the dialect of the save."""
        return join(parts, delimiter, self.dialect)

    def text(self) -> str:
        """The whole save as VASSAL's text."""
        inner = self.join(["", *self.commands], ESC)
        set_ = [
            f"GlobalProperty\t;{name};{value};Casualties" for name, value in self.properties.items()
        ]
        moves = [f"LOG\t{self.join(['', move], ESC)}" for move in self.logged]
        return self.join(
            [
                "begin_save",
                inner,
                self.board,
                *set_,
                *self.facts,
                "NOTES\tplans",
                "end_save",
                *moves,
            ],
            ESC,
        )

    def content(self, stage: str = "hex", key: int = 0x5A) -> bytes:
        """The save as a file's content; ``stage`` is hex or raw."""
        plain = bytes(each ^ key for each in self.text().encode())
        hidden = b"VOBS" + bytes([key]) + plain
        if stage == "hex":
            hidden = b"!VCSK" + f"{key:02x}".encode() + plain.hex().encode()
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("savedGame", hidden)
            archive.writestr("savedata", SAVEDATA.format(self.comment, key))
            archive.writestr("moduledata", MODULEDATA)
        return out.getvalue()


SAVEDATA = """<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<data version="1"><version/><VassalVersion>3.7.5</VassalVersion><description>{}</description>
<dateSaved>1700000000{:03}</dateSaved></data>
"""
MODULEDATA = """<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<data version="1"><name>VASL</name><version>6.7.0</version><VassalVersion>3.7.5</VassalVersion>
<description>Virtual ASL</description><dateSaved>1700000000000</dateSaved></data>
"""
FLIPS = {
    "unit": {
        "broken +": "70",
        "Fanatic +": "71",
        "Berserk +": "82",
        "Heroic +": "72",
        "Wnd +": "87",
    },
    "equipment": {"malf +": "77", "dm +": "68"},
    "vehicle": {"+ Wreck": "88"},
}
"""The layers that VASL's counters have, with the keys that turn them on and off."""
HALF = {"4-6-7 1sq": "2-4-7 1hs", "4-4-7 2sq": "2-3-7 2hs", "6-4-8 OBLI Esq": "3-3-8 OBLI Ehs"}


def completed(chip: Chip) -> Chip:
    """The counter with all layers that VASL's has, each with its key."""
    name = name_of(chip)
    kinds = [row["kind"] for row in NAMES if row["vasl_name"] == name]
    sort = {"sw": "equipment", "gun": "equipment", "vehicle": "vehicle"}.get(
        kinds[0] if kinds else ""
    )
    sort = sort or ("unit" if kinds and chip.nation and kinds[0] != "glider" else "")
    layers = []
    shown = {text for layer in chip.layers for text in layer.names if layer.level > 0}
    for layer in chip.layers:
        words = [each for each in layer.names if each]
        flips = set(words) & set(FLIPS.get(sort, {}))
        if not flips and {"+ BU"} & set(words):
            layer = replace(layer, up="93,130")
        layers += [] if flips else [layer]
    if name in HALF:
        layers.append(Layer([HALF[name]], -1, key="86,130"))
    for text, key in FLIPS.get(sort, {}).items():
        layers.append(Layer([text], 1 if text in shown else -1, key=f"{key},130"))
    return replace(chip, layers=tuple(layers))


def name_of(chip: Chip) -> str:
    """What a counter is called: by its uppermost layer that replaces the name."""
    names = [chip.base]
    for layer in chip.layers:
        word = layer.names[layer.level - 1] if 0 < layer.level <= len(layer.names) else ""
        names += [word.replace("\\+", "+")] if word and "+" not in word.replace("\\+", "") else []
    return names[-1]


# -- counters of ours ----------------------------------------------------------------------


def _names() -> list[dict[str, str]]:
    text = data_path("pb/vasl_names.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


NAMES = _names()


def writable(type: str, side: Side, kinds: Iterable[str] = ()) -> bool:
    """Whether there is a counter of VASL's for a type of ours."""
    return any(
        type in row["type"].split("|")
        and row["side"] == side
        and row["kind"] not in ("wreck", "control")
        for row in NAMES
    )


def chip_of(type: str, side: Side, formation: str = "", dm: bool = False) -> Chip:
    """The counter of a type of ours."""
    rows = [
        row
        for row in NAMES
        if type in row["type"].split("|") and row["side"] == side and row["kind"] != "wreck"
    ]
    own = [row for row in rows if row["formation"] == formation] or rows
    row = own[0]
    nation = NATION[side]
    chip = Chip(row["vasl_name"], nation, gpid=(row["gpids"].split() or ["0"])[0])
    if row["kind"] == "leader":
        bases = {"ox-and-bucks": "brLDRo", "7th-battalion": "brLDRp", "airborne": "brLDRp"}
        names = ["10-3", "10-2", "9-2", "9-1", "8-1", "8-0", "7-0", "6\\+1"]
        level = names.index(type.replace("+", "\\+")) + 1
        base = bases.get(formation, f"{nation}LDR")
        chip = Chip(base, nation, (Layer(names, level),), gpid=chip.gpid)
    elif row["kind"] == "squad":
        names = ["9-9-9 Esq", row["vasl_name"]]
        chip = replace(chip, base="9-9-9 Esq", layers=(Layer(names, 2),))
    return replace(chip, layers=(*chip.layers, Layer(["", "dm +"], 2))) if dm else chip


def arc_layer(prefix: str, hexes: str, at: str, reversed_board: bool = False) -> Layer:
    """The layer that says a covered arc, given as the two hexes beside it."""
    order = [3, 4, 5, 6, 1, 2]
    names = [f"+ {prefix}{arc}" for arc in order]
    wanted = set(hexes.split("/"))
    for arc in range(1, 7):
        pair = {
            GRID.neighbour(at, DIRECTIONS[(arc - 1) % 6]),
            GRID.neighbour(at, DIRECTIONS[arc % 6]),
        }
        if pair - {None} == wanted:
            shown = (arc + 2) % 6 + 1 if reversed_board else arc
            return Layer(names, order.index(shown) + 1)
    raise ValueError(f"{hexes} is not a hexspine of {at}")


def is_spine(hexes: str, at: str) -> bool:
    """Whether two hexes lie beside a hexspine of a hex."""
    near = [GRID.neighbour(at, direction) for direction in DIRECTIONS]
    pairs = [{near[number - 1], near[number]} - {None} for number in range(6)]
    return set(hexes.split("/")) in pairs


def plain(position: Position) -> Position:
    """The position without covered arcs that are none: a save cannot show them."""
    import msgspec

    def kept(part: Any, *names: str) -> Any:
        wrong = {
            name: ""
            for name in names
            if getattr(part, name) and not is_spine(getattr(part, name), part.location.hex)
        }
        return msgspec.structs.replace(part, **wrong)

    return msgspec.structs.replace(
        position,
        equipment=tuple(kept(part, "ca") for part in position.equipment),
        vehicles=tuple(kept(part, "vca", "tca") for part in position.vehicles),
    )


def marker(name: str) -> Chip:
    """A marker of its own."""
    return Chip(name)


def level(number: int) -> Chip:
    """A level counter."""
    names = ["+ Cellar", "+ Ground Level", "+ Level 1", "+ Level 2", "+ Level 3", "+ Roof Level"]
    return Chip("Building", layers=(Layer(names, number + 2),))


UNIT_LAYERS = {"broken": "broken +", "berserk": "Berserk +", "fanatic": "Fanatic +"}
UNIT_LAYERS |= {"heroic": "Heroic +", "wounded": "Wnd +"}
MARKERS = {
    "dm": "DM",
    "disrupted": "Disrupt",
    "pinned": "Pin",
    "cx": "CX",
    "walking-wounded": "Walking Wounded",
    "encircled": "Encircled",
    "no-move": "No Move",
    "immobilized": "Immob.",
    "abandoned": "Aband.",
    "bogged": "Bog",
    "mired": "Mired",
    "shocked": "Shock",
    "uk": "UK",
    "recall": "RECALL",
    "ma-malfunctioned": "MA Malf",
    "ma-disabled": "MA disabled",
    "bmg-malfunctioned": "BMG malf",
    "bmg-disabled": "BMG disabled",
    "cmg-malfunctioned": "CMG malf",
    "cmg-disabled": "CMG disabled",
    "aamg-malfunctioned": "AAMG malf",
    "aamg-disabled": "AAMG disabled",
    "low-ammo": "Low Ammo",
    "motion": "Motion",
    "hooked": "Limbered",
}


NO_AMMO = {"s": "No Smoke", "HE": "No HE", "AP": "No AP", "H": "No HEAT", "D": "No APDS"}


def told_statuses() -> set[str]:
    """Every status that a save can tell."""
    others = {"malfunctioned", "dm", "ce", "concealed", "hidden", "prisoner", "stunned"}
    return set(UNIT_LAYERS) | set(MARKERS) | others


def write_position(
    position: Position, writer: Writer | None = None, ground_levels: bool = True
) -> Writer:
    """A save in which everything of a position stands where it stands."""
    out = writer or Writer()
    turned = out.placed.reversed
    held = {id: unit for unit in position.units for id in unit.possesses}
    weapons = {piece.id: piece for piece in position.equipment}
    places = dict.fromkeys(
        part.at
        for part in (*position.units, *position.equipment, *position.vehicles)
        if part.location.on_map
    )

    def unit_chips(unit: UnitEntry) -> list[Chip]:
        if unit.has("prisoner"):  # type: ignore[arg-type]
            return [replace(marker("Prisoner SQ"), piece=unit.id)]
        chip = chip_of(unit.type, unit.side, unit.formation)
        layers = [Layer([text]) for key, text in UNIT_LAYERS.items() if key in unit.status]
        chip = replace(
            chip,
            layers=(*chip.layers, *layers),
            hidden="hidden" in unit.status,
            concealed="concealed" in unit.status,
            piece=unit.id,
        )
        return [chip, *(marker(MARKERS[each]) for each in unit.status if each in MARKERS)]

    def weapon_chips(id: str) -> list[Chip]:
        piece = weapons[id]
        chip = chip_of(piece.type, piece.maker, dm="dm" in piece.status)
        if "malfunctioned" in piece.status:
            chip = replace(chip, layers=(*chip.layers, Layer(["malf +"])))
        if piece.ca:
            arc = arc_layer("ca", piece.ca, piece.location.hex, turned)
            chip = replace(chip, layers=(*chip.layers, arc))
        chip = replace(chip, hidden="hidden" in piece.status, piece=id)
        extra = [marker(MARKERS[each]) for each in piece.status if each in ("low-ammo", "hooked")]
        return [
            chip,
            *extra,
            *(marker(NO_AMMO[s.rstrip("0123456789")]) for s in piece.depleted),
        ]

    pillboxes = {f.location.hex: f for f in position.fortifications if f.kind == "pillbox"}
    for place in places:
        chips: list[Chip] = []
        name, _, rest = place.partition("/")
        if rest.isdecimal():
            chips.append(level(int(rest)))
        elif ground_levels and rest != "pillbox" and name in load_board().upper:
            chips.append(level(0))
        for piece in position.equipment:
            if piece.at == place and piece.id not in held:
                chips += weapon_chips(piece.id)
        for vehicle in position.vehicles:
            if vehicle.at != place:
                continue
            chip = chip_of(vehicle.type, vehicle.maker)
            if vehicle.vca:
                arc = arc_layer("vca", vehicle.vca, vehicle.location.hex, turned)
                chip = replace(chip, layers=(*chip.layers, arc))
            if vehicle.tca:
                arc = arc_layer("tca", vehicle.tca, vehicle.location.hex, turned)
                chip = replace(chip, layers=(*chip.layers, arc))
            ce = 2 if "ce" in vehicle.status else 1
            chip = replace(
                chip,
                layers=(*chip.layers, Layer(["+ BU", "+ CE"], ce)),
                hidden="hidden" in vehicle.status,
                concealed="concealed" in vehicle.status,
                piece=vehicle.id,
            )
            chips.append(chip)
            statuses = set(vehicle.status)
            if "stun-plus-1" in statuses:
                chips.append(marker("stun +1"))
                statuses -= {"stunned"}
            if "stunned" in statuses:
                chips.append(Chip("stun +1", layers=(Layer(["stun"]),)))
            chips += [marker(MARKERS[each]) for each in vehicle.status if each in MARKERS]
        # Who is aboard lies on the vehicle, the others on top of them.
        there = [unit for unit in position.units if unit.at == place]
        for unit in sorted(there, key=lambda unit: not unit.aboard):
            chips += unit_chips(unit)
            for id in unit.possesses:
                chips += weapon_chips(id)
        if rest == "pillbox":
            chips.append(fortification_chip(pillboxes.pop(name), turned))
        out.stack(chips, name)
    for part in position.fortifications:
        if part.kind != "pillbox" or part.location.hex in pillboxes:
            out.stack([fortification_chip(part, turned)], part.location.hex)
    for change in position.terrain:
        terrain(out, change)
    for glider in position.gliders:
        names = ["Airborne +", "Landed +", "+ Wreck"]
        state = 2 if glider.state == "landed" else 3
        out.stack([Chip("Horsa", "br", (Layer(names, state),))], glider.location.hex)
    return out


def terrain(out: Writer, change: object) -> None:
    """Put a terrain change on the map."""
    kind = str(change.kind)  # type: ignore[attr-defined]
    at = change.location.hex  # type: ignore[attr-defined]
    names = {
        "blaze": "Blaze",
        "flame": "Flame",
        "shellhole": "Shellholes",
        "breach": "Breach",
        "trail-break": "Trailbreak",
        "burnt-out-wreck": "Burnt Out Wreck",
    }
    if kind.startswith("rubble"):
        word = "Stone +" if kind.endswith("stone") else "Wood +"
        out.stack([Chip("Rubble", layers=(Layer([word]), Layer(["+ Ground Level"])))], at)
    elif kind in names:
        place = str(change.at).partition("/")[2]  # type: ignore[attr-defined]
        beneath = [level(int(place))] if place.isdecimal() else []
        out.stack([*beneath, marker(names[kind])], at)
    else:
        side = change.side or Side.GERMAN  # type: ignore[attr-defined]
        row = next(
            row
            for row in NAMES
            if row["kind"] == "wreck" and row["type"] == change.type and row["side"] == side  # type: ignore[attr-defined]
        )
        fire = [marker("Blaze")] if kind == "burning-wreck" else []
        out.stack([Chip(row["vasl_name"], NATION[side]), *fire], at)


def fortification_chip(part: Fortification, turned: bool = False) -> Chip:
    """The counter of a Fortification."""
    kind = str(part.kind)
    if kind == "foxhole":
        chip = Chip("Foxhole", layers=(Layer(["1S +", "2S +", "3S +"], part.size or 1),))
    elif kind == "pillbox":
        capacity, _, rest = part.strength.partition("+")
        chip = Chip(f"{rest} Pillbox", layers=(Layer(["1\\++", "2\\++", "3\\++"], int(capacity)),))
        if part.ca:
            arc = arc_layer("ca", part.ca, part.location.hex, turned)
            chip = replace(chip, layers=(*chip.layers, arc))
    elif kind == "ap-mines":
        names = ["6 FP Minefield", "8 FP Minefield", "12 FP Minefield"]
        chip = Chip(
            "Minefield AP", layers=(Layer([f"{part.size} FP Minefield"]), Layer(["Minefield"]))
        )
        assert f"{part.size} FP Minefield" in names
    elif kind == "at-mines":
        chip = Chip(
            "Minefield AT", layers=(Layer([f"{part.size} AT Minefield"]), Layer(["Minefield"]))
        )
    else:
        chip = Chip({"trench": "Trench", "wire": "Wire", "minefield": "Minefield"}[kind])
    return replace(chip, hidden=part.hidden)


def palette() -> Writer:
    """A save with one counter of everything, as a player may put it together from the palette."""
    out = Writer(complete=True)
    for number, chip in enumerate(palette_chips()):
        out.heap([chip], 20 + number, 20)
    return out


def palette_chips() -> list[Chip]:
    """One counter of everything."""
    types = [(row["type"].split("|")[0], Side(row["side"])) for row in NAMES if row["type"]
             and row["kind"] in ("squad", "half_squad", "crew", "leader", "hero", "armor_leader",
                                 "sw", "gun", "vehicle")]  # fmt: skip
    chips = [chip_of(type, side, formation) for type, side in types
             for formation in ("", "ox-and-bucks", "7th-battalion")]  # fmt: skip
    chips += [replace(marker(name), base=name) for name in sorted({*MARKERS.values(),
              *NO_AMMO.values(), "stun +1", "STUN", "Scrounged", "Blaze", "Flame", "Shellholes",
              "Burnt Out Wreck", "Trench", "Wire", "Breach", "Trailbreak", "Prisoner SQ",
              "Prisoner HS", "POW Leader", "Unarmed SQ", "Unarmed HS"})]  # fmt: skip
    chips += [level(number) for number in range(4)]
    chips += [Chip("Foxhole", layers=(Layer(["1S +", "2S +", "3S +"], n),)) for n in (1, 2, 3)]
    chips += [Chip("Rubble", layers=(Layer([f"{word} +"]),)) for word in ("Stone", "Wood")]
    sizes = [("AP", "FP", each) for each in (6, 8, 12)] + [
        ("AT", "AT", each) for each in range(1, 6)
    ]
    for kind, sign, size in sizes:
        names = Layer([f"{size} {sign} Minefield"]), Layer(["Minefield"])
        chips.append(Chip(f"Minefield {kind}", layers=names))
    glider = Chip("Horsa", "br", (Layer(["Airborne +", "Landed +", "+ Wreck"], up="93,130"),))
    questions = [Chip("?", conceals=nation, password="palette") for nation in NATION.values()]
    return [completed(chip) for chip in [*chips, glider, Chip("Perimeter"), *questions]]
