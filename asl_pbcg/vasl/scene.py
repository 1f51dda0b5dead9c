"""What stands where in a save: counters made into pieces, Fortifications, terrain and markers.

Nothing here is taken for granted that a save cannot tell: a piece carries its ``doubts``, and
``review.py`` asks about each. What belongs to what follows VASL's and the players' custom: the
level counter nearest beneath a counter tells its level, a SW belongs to the first unit beneath it,
a marker to the first counter beneath it that it can be for, a "?" conceals the counters of its
nation beneath it down to the next "?".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from asl_pbcg.campaign.catalogue import Catalogue
from asl_pbcg.campaign.position import (
    Fortification,
    FortificationKind,
    Glider,
    GliderState,
    Terrain,
    TerrainKind,
)
from asl_pbcg.campaign.terms import Side
from asl_pbcg.vasl.archive import read_text
from asl_pbcg.vasl.boards import Placed, Spot, WrongBoard, find_arc, find_board, find_hex, measures
from asl_pbcg.vasl.counters import Counter, Save, read_counters
from asl_pbcg.vasl.names import Meaning, facts, meaning
from asl_pbcg.vasl.viewer import Owners, visible

if TYPE_CHECKING:
    from asl_pbcg.campaign.board import Board

Section = Literal["units", "equipment", "vehicles"]
Doubt = Literal["hex", "level", "pillbox", "holder", "guard", "side", "aboard"]
_SECTIONS: dict[str, Section] = {
    "unit": "units",
    "prisoner": "units",
    "equipment": "equipment",
    "vehicle": "vehicles",
}
_ASTRAY = 0.34  # of a hex's height; so far from centre and hexside no counter of this board lies


class Seen(msgspec.Struct, frozen=True):
    """One unit, piece of Equipment or vehicle as the save shows it."""

    key: str
    """Names it in questions and answers: hex and number in the stack, as ``Z15.3``."""
    section: Section
    kind: str
    type: str
    """Empty for a counter of VASL's that we have no type for."""
    side: Side | None
    """Whose counter it is; None for a prisoner counter, which tells no side."""
    at: str
    name: str
    """What VASL calls it."""
    formation: str = ""
    status: tuple[str, ...] = ()
    level_told: bool = False
    across: str = ""
    """The other hex, if it lies midway between two."""
    ca: str = ""
    tca: str = ""
    depleted: tuple[str, ...] = ()
    holder: str = ""
    """The key of the unit it belongs to by its place in the stack."""
    nearby: tuple[str, ...] = ()
    """Keys of the units in its Location, nearest in the stack first."""
    aboard: str = ""
    """The key of the vehicle it lies on or under, if it may be aboard."""
    hidden: bool = False
    concealed: bool = False
    doubts: tuple[Doubt, ...] = ()

    @property
    def hex(self) -> str:
        """The hex it is in."""
        return self.at.partition("/")[0]


class Unknown(msgspec.Struct, frozen=True):
    """A counter that stands for nothing we know, or that lies beside the board."""

    key: str
    name: str
    at: str
    side: Side | None = None
    meant: str = ""
    hidden: bool = False
    type: str = ""
    section: str = ""


class Scene(msgspec.Struct, frozen=True):
    """All that a save shows on the board."""

    pieces: tuple[Seen, ...] = ()
    fortifications: tuple[Fortification, ...] = ()
    terrain: tuple[Terrain, ...] = ()
    gliders: tuple[Glider, ...] = ()
    control: tuple[tuple[str, Side], ...] = ()
    """Control markers: Location and side."""
    unknown: tuple[Unknown, ...] = ()
    beside: tuple[Unknown, ...] = ()
    """Units, Equipment and vehicles that lie beside the board."""
    dummies: tuple[tuple[str, Side], ...] = ()
    """"?" with nothing of its nation beneath: the hex and the side."""
    markers: tuple[Unknown, ...] = ()
    """Markers that lie on nothing they can be for."""


def read_scene(
    path: Path,
    board: Board,
    catalogue: Catalogue,
    viewers: Sequence[Side] = (),
    owners: Owners | None = None,
) -> Scene:
    """What the save ``path`` shows to ``viewers`` together; to nobody in particular, all of it.

    ``owners`` says whose the Fortifications of a hex are. Raises PBCGError with one sentence if it
    cannot be read.
    """
    save = read_counters(read_text(path))
    return make_scene(save, board, catalogue, viewers, owners)


def make_scene(
    save: Save,
    board: Board,
    catalogue: Catalogue,
    viewers: Sequence[Side] = (),
    owners: Owners | None = None,
) -> Scene:
    """What the counters of a save show. Raises WrongBoard."""
    placed = find_board(save.boards)
    maker = _Maker(placed, board, catalogue, viewers, owners or {})
    heaps: dict[tuple[int, int], list[Counter]] = {}
    for counter in save.counters:
        own = (counter.stack, 0) if counter.stack >= 0 else (-1, counter.number)
        heaps.setdefault(own, []).append(counter)
    for heap in heaps.values():
        heap.sort(key=lambda counter: counter.depth)
        maker.heap(heap)
    maker.check()
    return maker.scene()


class _Heap(msgspec.Struct):
    """One stack while it is read: its counters bottom first, with what they stand for."""

    spot: Spot
    counters: list[Counter]
    meanings: list[Meaning]
    keys: list[str]
    levels: list[int | None]


class _Maker:
    def __init__(
        self,
        placed: Placed,
        board: Board,
        catalogue: Catalogue,
        viewers: Sequence[Side],
        owners: Owners,
    ) -> None:
        self.viewers = tuple(viewers)
        self.owners = owners
        self.placed = placed
        self.board = board
        self.catalogue = catalogue
        self.pieces: list[Seen] = []
        self.fortifications: list[Fortification] = []
        self.terrain: list[Terrain] = []
        self.gliders: list[Glider] = []
        self.control: list[tuple[str, Side]] = []
        self.unknown: list[Unknown] = []
        self.beside: list[Unknown] = []
        self.dummies: list[tuple[str, Side]] = []
        self.markers: list[Unknown] = []
        self.numbers: dict[str, int] = {}
        self.astray = 0

    def scene(self) -> Scene:
        """What has been read."""
        order = self.board.grid.index
        return Scene(
            tuple(sorted(self.pieces, key=lambda seen: order(seen.hex))),
            tuple(self.fortifications),
            tuple(self.terrain),
            tuple(self.gliders),
            tuple(dict.fromkeys(self.control)),
            tuple(self.unknown),
            tuple(self.beside),
            tuple(self.dummies),
            tuple(self.markers),
        )

    def check(self) -> None:
        """Refuse a save whose counters do not lie as on this board."""
        if self.astray > max(3, len(self.pieces) // 2):
            raise WrongBoard(
                f"The counters do not lie on the hexes of board {measures().name}: put it upper "
                "left of all boards, without Deluxe hexes, and save again."
            )

    def heap(self, counters: list[Counter]) -> None:
        """Read one stack."""
        first = counters[0]
        on_board = self.placed.holds(first.x, first.y)
        spot = Spot("")
        if on_board:
            spot = find_hex(self.board.grid, *self.placed.on_board(first.x, first.y))
        meanings = [meaning(counter, self.catalogue) for counter in counters]
        for viewer in self.viewers:
            counters = visible(counters, meanings, viewer, self.owners.get(spot.hex))
            meanings = [meaning(counter, self.catalogue) for counter in counters]
        if not spot.hex:
            self._beside(counters, meanings)
            return
        keys = []
        for counter, meant in zip(counters, meanings, strict=True):
            keys.append(self._key(spot.hex))
            if meant.sort in _SECTIONS and not spot.across and self._is_astray(spot, counter):
                self.astray += 1
        heap = _Heap(spot, counters, meanings, keys, _levels(counters, meanings))
        for index in range(len(counters)):
            self._counter(heap, index)

    def _is_astray(self, spot: Spot, counter: Counter) -> bool:
        return spot.far > _ASTRAY * measures().row

    def _key(self, name: str) -> str:
        self.numbers[name] = self.numbers.get(name, 0) + 1
        return f"{name}.{self.numbers[name]}"

    def _beside(self, counters: list[Counter], meanings: list[Meaning]) -> None:
        for counter, meant in zip(counters, meanings, strict=True):
            if meant.sort in _SECTIONS:
                self.beside.append(
                    Unknown(
                        self._key("beside"),
                        counter.name,
                        "",
                        meant.side,
                        hidden=counter.hidden or counter.concealed,
                        type=meant.type,
                        section=_SECTIONS[meant.sort],
                    )
                )

    # -- one counter -------------------------------------------------------------------

    def _counter(self, heap: _Heap, index: int) -> None:
        counter, meant = heap.counters[index], heap.meanings[index]
        at = _at(heap, index)
        unknown = Unknown(
            heap.keys[index], counter.name, at, meant.side, meant.meant, counter.hidden
        )
        if meant.sort in _SECTIONS:
            self._piece(heap, index)
        elif meant.sort in ("unknown", "cloak"):
            self.unknown.append(unknown)
        elif meant.sort == "control" and meant.side:
            self.control.append((at, meant.side))
        elif meant.sort == "concealment" and meant.side:
            if self.viewers in ((), (meant.side,)) and not any(
                _concealed_by(heap, index, beneath) for beneath in range(index)
            ):
                self.dummies.append((heap.spot.hex, meant.side))
        elif meant.sort == "level":
            if any(state in facts().other_levels for state in counter.states):
                self.unknown.append(unknown)
        elif meant.sort == "marker":
            self._marker(heap, index, unknown)
        elif meant.sort == "glider":
            self._glider(heap, index, unknown)
        elif meant.sort == "wreck":
            burning = any(self._burns(heap, above) for above in range(index + 1, len(heap.keys)))
            self.terrain.append(
                Terrain(
                    kind=TerrainKind.BURNING_WRECK if burning else TerrainKind.WRECK,
                    at=heap.spot.hex,
                    type=meant.type,
                    side=meant.side,
                    scrounged=any(each.name == facts().scrounged for each in heap.counters),
                )
            )
        elif meant.sort == "terrain":
            self._terrain(heap, index)
        elif meant.sort == "fortification":
            self._fortification(heap, index)

    def _burns(self, heap: _Heap, index: int) -> bool:
        return heap.counters[index].name in facts().blazes

    def _terrain(self, heap: _Heap, index: int) -> None:
        counter, meant = heap.counters[index], heap.meanings[index]
        spot = heap.spot
        kind = meant.type
        if kind == "rubble":
            kind = next(
                (facts().rubble[each] for each in counter.states if each in facts().rubble), ""
            )
            if not kind:
                kind = TerrainKind.RUBBLE_STONE
        if kind == TerrainKind.BLAZE and any(
            heap.meanings[each].sort == "wreck" for each in range(index)
        ):
            return  # it is told with the wreck
        upper = kind in (TerrainKind.BLAZE, TerrainKind.FLAME, TerrainKind.BREACH)
        between = (
            "/".join(sorted((spot.hex, spot.across), key=self.board.grid.index))
            if spot.across
            else ""
        )
        self.terrain.append(
            Terrain(
                kind=TerrainKind(kind),
                at=_at(heap, index) if upper else spot.hex,
                hexside=between if kind == TerrainKind.BREACH else "",
            )
        )

    def _glider(self, heap: _Heap, index: int, unknown: Unknown) -> None:
        states = [
            facts().gliders[each] for each in heap.counters[index].states if each in facts().gliders
        ]
        if states:
            self.gliders.append(Glider(at=heap.spot.hex, state=GliderState(states[-1])))
        else:
            self.unknown.append(unknown)

    def _fortification(self, heap: _Heap, index: int) -> None:
        counter, meant = heap.counters[index], heap.meanings[index]
        kind, size, strength, ca = meant.type, None, "", ""
        if kind == "minefield":
            if facts().dummy_minefield in (counter.name, *counter.beneath):
                return
            # The blank side shows no type: it stands in the layer beneath, the owner's secret.
            for name in (counter.name, *reversed(counter.beneath)):
                number, _, rest = name.partition(" ")
                if number.isdecimal() and rest in ("FP Minefield", "AT Minefield"):
                    kind = "ap-mines" if rest.startswith("FP") else "at-mines"
                    size = int(number)
                    break
        elif kind == "foxhole":
            size = next((int(each[0]) for each in counter.states if each in ("1S", "2S", "3S")), 1)
        elif kind == "pillbox":
            own = counter.name.removesuffix(" Pillbox")
            capacity = next((each for each in counter.states if each in ("1+", "2+", "3+")), "")
            strength = own if own.count("+") > 1 else f"{capacity}{own}"
            ca = self._arc(heap, counter, "ca")
        self.fortifications.append(
            Fortification(
                kind=FortificationKind(kind),
                at=heap.spot.hex,
                size=size,
                strength=strength,
                ca=ca,
                hidden=counter.hidden,
            )
        )

    def _arc(self, heap: _Heap, counter: Counter, prefix: str) -> str:
        """A covered arc by the layer that names it, else by how the picture is turned."""
        found = [
            state.removeprefix(prefix)
            for state in counter.states
            if state.startswith(prefix) and state.removeprefix(prefix) in set("123456")
        ]
        if found:
            arc = int(found[-1])
        elif counter.turned is not None and prefix != "tca":
            arc = (counter.turned + 2) % 6 + 1
        else:
            return ""
        return find_arc(self.board.grid, heap.spot.hex, arc, self.placed.reversed)

    # -- markers -----------------------------------------------------------------------

    def _marker(self, heap: _Heap, index: int, unknown: Unknown) -> None:
        """Note a marker that nothing beneath it can be for; the others are told by their piece."""
        name = heap.counters[index].name
        if name == facts().scrounged or self._marked(heap, index) is not None:
            return
        self.markers.append(unknown)

    def _marked(self, heap: _Heap, index: int) -> int | None:
        """The counter that a marker is for: the first beneath it that it can be for."""
        name = heap.counters[index].name
        sections: set[str] = set(facts().statuses.get(name, ()))
        if name in facts().depleted:
            sections = {"equipment", "vehicles"}
        elif name == facts().bypass:
            sections = {"vehicles"}
        for beneath in range(index - 1, -1, -1):
            if _SECTIONS.get(heap.meanings[beneath].sort) in sections:
                return beneath
        return None

    # -- pieces ------------------------------------------------------------------------

    def _piece(self, heap: _Heap, index: int) -> None:
        counter, meant, spot = heap.counters[index], heap.meanings[index], heap.spot
        section = _SECTIONS[meant.sort]
        key = heap.keys[index]
        if not meant.type and meant.sort != "prisoner":
            self.unknown.append(
                Unknown(key, counter.name, spot.hex, meant.side, hidden=counter.hidden)
            )
            return
        status = list(self._states(counter, section))
        depleted: list[str] = []
        for above in range(index + 1, len(heap.keys)):
            if heap.meanings[above].sort == "marker" and self._marked(heap, above) == index:
                name = heap.counters[above].name
                status += facts().statuses.get(name, {}).get(section, ())
                if name in facts().depleted:
                    depleted.append(facts().depleted[name])
        if meant.sort == "prisoner":
            status.append("unarmed" if meant.type else "prisoner")
        concealed = counter.concealed or any(
            _concealed_by(heap, above, index) for above in range(index + 1, len(heap.keys))
        )
        if counter.hidden:
            status.append("hidden")
        elif concealed and section != "equipment":
            status.append("concealed")
        nearby = _units_near(heap, index)
        holder, doubts = "", []
        if section == "equipment":
            beneath = [each for each in nearby if each < index]
            holder = heap.keys[beneath[0]] if beneath else ""
            if not holder:
                doubts.append("holder")
        if meant.sort == "prisoner":
            doubts += ["side"] if meant.type else ["side", "guard"]
        aboard = ""
        if section == "units":
            vehicles = [
                each
                for each in sorted(range(len(heap.keys)), key=lambda each: abs(each - index))
                if heap.meanings[each].sort == "vehicle"
            ]
            leads = meant.kind == "armor_leader"
            if vehicles and (leads or _touches(heap, index, vehicles[0])):
                aboard = heap.keys[vehicles[0]]
                doubts += [] if leads else ["aboard"]
        level = heap.levels[index]
        at = _at(heap, index)
        if section != "vehicles" and level is None:
            if any(_is_pillbox(heap, above) for above in range(index + 1, len(heap.keys))):
                at = f"{spot.hex}/pillbox"
                doubts.append("pillbox")
            elif spot.hex in self.board.upper:
                doubts.append("level")
        elif section == "vehicles":
            at = spot.hex
        if spot.across:
            doubts.append("hex")
        self.pieces.append(
            Seen(
                key=key,
                section=section,
                kind=meant.kind,
                type="" if meant.sort == "prisoner" else meant.type,
                side=meant.side,
                at=at,
                name=counter.name,
                formation=meant.formation,
                status=tuple(dict.fromkeys(status)),
                level_told=level is not None,
                across=spot.across,
                ca=self._arc(heap, counter, "vca" if section == "vehicles" else "ca")
                if section == "vehicles" or meant.kind == "gun"
                else "",
                tca=self._arc(heap, counter, "tca") if section == "vehicles" else "",
                depleted=tuple(depleted),
                holder=holder,
                nearby=tuple(heap.keys[each] for each in nearby),
                aboard=aboard,
                hidden=counter.hidden,
                concealed=concealed,
                doubts=tuple(doubts),  # type: ignore[arg-type]
            )
        )

    def _states(self, counter: Counter, section: Section) -> Iterator[str]:
        """The statuses its own layers tell."""
        for state in counter.states:
            yield from facts().statuses.get(state, {}).get(section, ())


def _levels(counters: list[Counter], meanings: list[Meaning]) -> list[int | None]:
    """The building level of each counter: that of the nearest level counter beneath it."""
    found: list[int | None] = []
    level: int | None = None
    for counter, meant in zip(counters, meanings, strict=True):
        if meant.sort == "level":
            told = [facts().levels[each] for each in counter.states if each in facts().levels]
            level = told[-1] if told else None
        found.append(level)
    return found


def _at(heap: _Heap, index: int) -> str:
    level = heap.levels[index]
    return f"{heap.spot.hex}/{level}" if level else heap.spot.hex


def _touches(heap: _Heap, index: int, vehicle: int) -> bool:
    """Whether only units and their markers lie between a unit and a vehicle."""
    low, high = sorted((index, vehicle))
    return all(
        heap.meanings[each].sort in ("unit", "marker", "equipment") for each in range(low + 1, high)
    )


def _is_pillbox(heap: _Heap, index: int) -> bool:
    meant = heap.meanings[index]
    return meant.sort == "fortification" and meant.type == FortificationKind.PILLBOX


def _concealed_by(heap: _Heap, above: int, beneath: int) -> bool:
    """Whether the "?" at ``above`` conceals the counter at ``beneath``."""
    question = heap.meanings[above]
    if question.sort != "concealment" or above <= beneath:
        return False
    if any(heap.meanings[each].sort == "concealment" for each in range(beneath + 1, above)):
        return False
    meant = heap.meanings[beneath]
    return meant.sort in _SECTIONS and meant.side is question.side


def _units_near(heap: _Heap, index: int) -> list[int]:
    """Units that may hold what lies at ``index``: beneath it, nearest first, then above it."""
    same = [
        each
        for each in range(len(heap.keys))
        if heap.meanings[each].sort == "unit"
        and heap.meanings[each].kind != "armor_leader"
        and heap.levels[each] == heap.levels[index]
        and each != index
    ]
    return [each for each in reversed(same) if each < index] + [
        each for each in same if each > index
    ]
