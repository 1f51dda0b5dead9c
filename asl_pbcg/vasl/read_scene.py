"""From the counters of a save to what stands where: pieces, Fortifications, terrain, markers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from asl_pbcg.campaign.module.catalogue import Catalogue
from asl_pbcg.campaign.position import MAX_CVP, Fortification, Glider, Terrain
from asl_pbcg.campaign.position_words import FortificationKind, GliderState, TerrainKind
from asl_pbcg.campaign.terms import Side
from asl_pbcg.vasl.archive import read_text
from asl_pbcg.vasl.heap import SECTIONS, Heap
from asl_pbcg.vasl.hiders import Hiders
from asl_pbcg.vasl.likeness import read_fortification, read_glider, read_terrain
from asl_pbcg.vasl.names import Meaning, facts
from asl_pbcg.vasl.save_board import (
    HexSpot,
    Placed,
    WrongBoard,
    find_arc,
    find_board,
    find_hex,
    measures,
)
from asl_pbcg.vasl.save_counters import Save, SaveCounter, read_counters
from asl_pbcg.vasl.scene import Doubt, Scene, Section, Seen, Unknown
from asl_pbcg.vasl.viewer import Owners, visible

if TYPE_CHECKING:
    from asl_pbcg.campaign.board.board import Board

_ASTRAY = 0.34  # of a hex's height; so far from centre and hexside no counter of this board lies
_IN_ONE_HEX = ("fortification", "terrain", "wreck", "glider", "control")


def read_scene(
    path: Path,
    board: Board,
    catalogue: Catalogue,
    viewers: Sequence[Side] = (),
    owners: Owners | None = None,
) -> Scene:
    """Return what the save ``path`` shows to ``viewers`` together; without any, all of it.

    ``owners`` says whose the Fortifications on record are. Raises PBCGError with one sentence if it
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
    """Return what the counters of a save show. Raises WrongBoard."""
    placed = find_board(save.boards)
    hiders = Hiders.of(save.counters, catalogue)
    maker = _Maker(placed, board, catalogue, hiders, viewers, owners or {})
    heaps: dict[tuple[int, int], list[SaveCounter]] = {}
    for counter in save.counters:
        own = (counter.stack, 0) if counter.stack >= 0 else (-1, counter.number)
        heaps.setdefault(own, []).append(counter)
    for heap in heaps.values():
        heap.sort(key=lambda counter: counter.depth)
        maker.heap(heap)
    maker.check()
    return msgspec.structs.replace(maker.scene(), casualties=_casualties(save))


def _casualties(save: Save) -> tuple[tuple[Side, int], ...]:
    """Return the CVP in the Casualties Bin by side, where the save counts them. Rule: 9.12."""
    totals = {
        side: save.numbers[name]
        for name, side in facts().casualties.items()
        if 0 <= save.numbers.get(name, -1) <= MAX_CVP
    }
    return tuple(totals.items()) if any(totals.values()) else ()


class _Maker:
    def __init__(
        self,
        placed: Placed,
        board: Board,
        catalogue: Catalogue,
        hiders: Hiders,
        viewers: Sequence[Side],
        owners: Owners,
    ) -> None:
        self.hiders = hiders
        self.viewers = tuple(viewers)
        self.owners = owners
        self.placed = placed
        self.board = board
        self.catalogue = catalogue
        self.pieces: list[Seen] = []
        self.parts: dict[str, list[Any]] = defaultdict(list)
        """All else, by its name in the scene."""
        self.numbers: dict[str, int] = {}
        self.astray = 0

    def scene(self) -> Scene:
        """Return what was read; for a side by hexes, so that no order tells when it was made."""
        order = self.board.grid.index

        def rank(part: Any) -> int:
            """Return where a part lies, by its place or that of what it begins with."""
            at = part[0] if isinstance(part, tuple) else part
            at = at if isinstance(at, str) else at.at
            return order(at.partition("/")[0]) if self.viewers else 0

        pieces = sorted(self.pieces, key=lambda piece: order(piece.hex))
        blank, beside = frozenset(self.parts.pop("blank", ())), tuple(self.parts.pop("beside", ()))
        control = dict.fromkeys(self.parts.pop("control", ()))
        parts: dict[str, Any] = {**self.parts, "control": control}
        lists = {name: tuple(sorted(entries, key=rank)) for name, entries in parts.items()}
        return Scene(tuple(_with_others_of_hex(pieces)), blank=blank, beside=beside, **lists)

    def check(self) -> None:
        """Refuse a save whose counters do not lie as on this board."""
        if self.astray > max(3, len(self.pieces) // 2):
            raise WrongBoard(
                f"The counters do not lie on the hexes of board {measures().name}: put it upper "
                "left of all boards, without Deluxe hexes, and save again."
            )

    def heap(self, counters: list[SaveCounter]) -> None:
        """Read one stack."""
        first = counters[0]
        on_board = self.placed.holds(first.x, first.y)
        spot = HexSpot("")
        if on_board:
            spot = find_hex(self.board.grid, *self.placed.on_board(first.x, first.y))
        meanings = self._meanings(counters)
        for viewer in self.viewers:
            counters = visible(counters, meanings, viewer, self.hiders, spot.hex, self.owners)
            meanings = self._meanings(counters)
        if not spot.hex:
            self._beside(counters, meanings)
            return
        keys = []
        for meant in meanings:
            keys.append(self._key(spot.hex))
            if meant.sort in SECTIONS and not spot.across and spot.far > _ASTRAY * measures().row:
                self.astray += 1
        heap = Heap.of(spot, counters, meanings, keys)
        if spot.hex not in self.board.buildings and not spot.across:
            self._no_levels(heap)
        for index in range(len(counters)):
            self._counter(heap, index)

    def _meanings(self, counters: Sequence[SaveCounter]) -> list[Meaning]:
        return [self.hiders.meaning(counter, self.catalogue) for counter in counters]

    def _no_levels(self, heap: Heap) -> None:
        """A level counter where no building is tells no level."""
        for index, meant in enumerate(heap.meanings):
            if meant.sort == "level" and heap.levels[index]:
                name = " ".join(heap.counters[index].states) or heap.counters[index].name
                self.parts["markers"].append(Unknown(heap.keys[index], name, heap.spot.hex))
        heap.levels = [None] * len(heap.levels)

    def _key(self, name: str) -> str:
        self.numbers[name] = self.numbers.get(name, 0) + 1
        return f"{name}.{self.numbers[name]}"

    def _beside(self, counters: list[SaveCounter], meanings: list[Meaning]) -> None:
        for counter, meant in zip(counters, meanings, strict=True):
            if meant.sort in SECTIONS:
                key, unseen = self._key("beside"), counter.hidden or counter.concealed
                self.parts["beside"].append(
                    Unknown(key, counter.name, "", meant.side, hidden=unseen)
                )

    # -- one counter -------------------------------------------------------------------

    def _counter(self, heap: Heap, index: int) -> None:
        counter, meant = heap.counters[index], heap.meanings[index]
        at = heap.at(index)
        unknown = Unknown(
            heap.keys[index], counter.name, at, meant.side, meant.meant, counter.hidden
        )
        if heap.spot.across and meant.sort in _IN_ONE_HEX and meant.type != TerrainKind.BREACH:
            self.parts["between"].append((unknown, heap.spot.across))
        if meant.sort in SECTIONS:
            self._piece(heap, index)
        elif meant.sort in ("unknown", "cloak"):
            self.parts["unknown"].append(unknown)
        elif meant.sort == "control" and meant.side:
            self.parts["control"].append((at, meant.side))
        elif meant.sort == "concealment" and meant.side:
            if self.viewers in ((), (meant.side,)) and not any(
                heap.conceals(index, beneath) for beneath in range(index)
            ):
                self.parts["dummies"].append((heap.spot.hex, meant.side))
        elif meant.sort == "level":
            levels = [state for state in counter.states if state in facts().other_levels]
            if levels:
                self.parts["unknown"].append(msgspec.structs.replace(unknown, name=levels[-1]))
        elif meant.sort == "marker":
            self._marker(heap, index, unknown)
        elif meant.sort == "glider":
            self._glider(heap, index, unknown)
        elif meant.sort == "wreck":
            self._wreck(heap, index)
        elif meant.sort == "terrain":
            self._terrain(heap, index)
        elif meant.sort == "fortification":
            self._fortification(heap, index)

    def _wreck(self, heap: Heap, index: int) -> None:
        meant = heap.meanings[index]
        on_it = {heap.counters[slot].name for slot in heap.lie_on_wreck(index)}
        burning = not on_it.isdisjoint(facts().blazes)
        self.parts["terrain"].append(
            Terrain(
                kind=TerrainKind.BURNING_WRECK if burning else TerrainKind.WRECK,
                at=heap.spot.hex,
                type=meant.type,
                side=meant.side,
                scrounged=facts().scrounged in on_it,
            )
        )

    def _terrain(self, heap: Heap, index: int) -> None:
        counter, meant = heap.counters[index], heap.meanings[index]
        spot = heap.spot
        kind = read_terrain(counter, meant)
        if kind == TerrainKind.BLAZE and any(
            heap.meanings[slot].sort == "wreck" for slot in range(index)
        ):
            return  # it is told with the wreck
        upper = kind in (TerrainKind.BLAZE, TerrainKind.FLAME, TerrainKind.BREACH)
        between = (
            "/".join(sorted((spot.hex, spot.across), key=self.board.grid.index))
            if spot.across
            else ""
        )
        self.parts["terrain"].append(
            Terrain(
                kind=TerrainKind(kind),
                at=heap.at(index) if upper else spot.hex,
                hexside=between if kind == TerrainKind.BREACH else "",
            )
        )

    def _glider(self, heap: Heap, index: int, unknown: Unknown) -> None:
        state = read_glider(heap.counters[index])
        if state:
            self.parts["gliders"].append(Glider(at=heap.spot.hex, state=GliderState(state)))
        else:
            self.parts["unknown"].append(unknown)

    def _fortification(self, heap: Heap, index: int) -> None:
        counter, meant = heap.counters[index], heap.meanings[index]
        part = read_fortification(counter, meant)
        if part is None:
            return
        kind, size, strength = part
        if not counter.hidden and counter.name in facts().minefields:
            self.parts["blank"].append((kind, heap.spot.hex))
        ca = self._arc(heap, counter, "ca") if kind == FortificationKind.PILLBOX else ""
        self.parts["fortifications"].append(
            Fortification(
                kind=FortificationKind(kind),
                at=heap.spot.hex,
                size=size,
                strength=strength,
                ca=ca,
                hidden=counter.hidden,
            )
        )

    def _arc(self, heap: Heap, counter: SaveCounter, prefix: str, hex: str = "") -> str:
        """Return a covered arc by the layer that names it, else by how the picture is turned."""
        layers = [
            state.removeprefix(prefix)
            for state in counter.states
            if state.startswith(prefix) and state.removeprefix(prefix) in set("123456")
        ]
        if layers:
            arc = int(layers[-1])
        elif counter.turned is not None and prefix != "tca":
            arc = (counter.turned + 2) % 6 + 1
        else:
            return ""
        return find_arc(self.board.grid, hex or heap.spot.hex, arc, self.placed.reversed)

    def _arcs(self, heap: Heap, index: int) -> dict[str, Any]:
        """The covered arcs of a Gun or vehicle, in the hex it is in and in the one across."""
        counter, meant = heap.counters[index], heap.meanings[index]
        if meant.sort != "vehicle" and meant.kind != "gun":
            return {}
        own = {"ca": "vca", "tca": "tca"} if meant.sort == "vehicle" else {"ca": "ca"}
        arcs = {name: self._arc(heap, counter, prefix) for name, prefix in own.items()}
        if heap.spot.across:
            for name, prefix in own.items():
                arcs[f"across_{name}"] = self._arc(heap, counter, prefix, heap.spot.across)
        return arcs

    # -- markers -----------------------------------------------------------------------

    def _marker(self, heap: Heap, index: int, unknown: Unknown) -> None:
        """Note a marker that nothing beneath it can be for; the others are told by their piece."""
        name = heap.counters[index].name
        if name == facts().scrounged or heap.marked_counter(index) is not None:
            return
        self.parts["markers"].append(unknown)

    # -- pieces ------------------------------------------------------------------------

    def _piece(self, heap: Heap, index: int) -> None:
        counter, meant, spot = heap.counters[index], heap.meanings[index], heap.spot
        section = SECTIONS[meant.sort]
        key = heap.keys[index]
        if not meant.type and meant.sort != "prisoner":
            self.parts["unknown"].append(
                Unknown(key, counter.name, spot.hex, meant.side, hidden=counter.hidden)
            )
            return
        above = range(index + 1, len(heap.keys))
        nearby = heap.units_near(index)
        beneath = [slot for slot in nearby if slot < index]
        doubts: list[Doubt] = []
        if section == "equipment" and not beneath:
            doubts.append("holder")
        if meant.sort == "prisoner":
            doubts += ["side"] if meant.type else ["side", "guard"]
        aboard = self._vehicle_of(heap, index) if section == "units" else ""
        if aboard and meant.kind != "armor_leader":
            doubts.append("aboard")
        at = self._place(heap, index, section, doubts)
        status, depleted = self._status(heap, index, section)
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
                status=status,
                across=spot.across,
                depleted=depleted,
                holder=heap.keys[beneath[0]] if beneath and section == "equipment" else "",
                nearby=tuple(heap.keys[slot] for slot in nearby),
                aboard=aboard,
                hidden=counter.hidden,
                concealed=counter.concealed or any(heap.conceals(slot, index) for slot in above),
                doubts=tuple(doubts),
                **self._arcs(heap, index),
            )
        )

    def _status(
        self, heap: Heap, index: int, section: Section
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the statuses of a piece by its layers and markers, and its depleted ammunition."""
        counter, meant = heap.counters[index], heap.meanings[index]
        above = range(index + 1, len(heap.keys))
        markers = [
            heap.counters[slot].name
            for slot in above
            if heap.meanings[slot].sort == "marker" and heap.marked_counter(slot) == index
        ]
        status = [
            word
            for name in (*counter.states, *markers)
            for word in facts().statuses.get(name, {}).get(section, ())
        ]
        if meant.sort == "prisoner":
            status.append("unarmed" if meant.type else "prisoner")
        concealed = counter.concealed or any(heap.conceals(slot, index) for slot in above)
        if counter.hidden:
            status.append("hidden")
        elif concealed and section != "equipment":
            status.append("concealed")
        depleted = (facts().depleted[name] for name in markers if name in facts().depleted)
        return tuple(dict.fromkeys(status)), tuple(depleted)

    def _vehicle_of(self, heap: Heap, index: int) -> str:
        """Return the key of the vehicle that a unit lies on, and so may be aboard of."""
        meant, vehicles = heap.meanings[index], heap.vehicles_near(index)
        able = meant.sort != "prisoner" or bool(meant.type)  # an Unarmed unit may be aboard
        leads = meant.kind == "armor_leader"
        near = bool(vehicles) and able and (leads or heap.touches(index, vehicles[0]))
        return heap.keys[vehicles[0]] if near else ""

    def _place(self, heap: Heap, index: int, section: Section, doubts: list[Doubt]) -> str:
        """Return where a piece is as far as the save tells, and note what it does not tell."""
        spot, at = heap.spot, heap.at(index)
        if section == "vehicles":
            at = spot.hex
        elif heap.is_in_pillbox(index):
            at = f"{spot.hex}/pillbox"
            doubts.append("pillbox")
        elif heap.levels[index] is None:
            hexes = self.board.grid.set(filter(None, (spot.hex, spot.across)))
            doubts += ["level"] if self.board.upper & hexes else []
        doubts += ["hex"] if spot.across else []
        return at


def _with_others_of_hex(pieces: list[Seen]) -> Iterator[Seen]:
    """Yield the pieces; the holder of a loose one may lie in another stack of the hex."""
    units: dict[str, list[str]] = {}
    for piece in pieces:
        if piece.section == "units" and piece.kind != "armor_leader" and not piece.is_prisoner:
            units.setdefault(piece.hex, []).append(piece.key)
    for piece in pieces:
        if piece.doubts:
            near = dict.fromkeys((*piece.nearby, *units.get(piece.hex, ())))
            piece = msgspec.structs.replace(piece, nearby=tuple(k for k in near if k != piece.key))
        yield piece
