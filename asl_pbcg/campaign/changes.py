"""Only the changes since the last position, for players who do not want to write all of it.

A changes file (YAML or JSON) says what is different from the last position::

    format: pbcg-changes/1
    date: night-2                  # the CG Date just played
    control:                       # only Locations whose Control changed
      british: [Y19]
      german: [Z15/1]
      neither: [L9]                # nobody Controls it any more
    removed:                       # what is no longer on the map
      - b-648-3                    # a piece, by its id
      - {kind: wire, at: Z21}      # a Fortification, terrain change or glider, by kind and place
    units:
      - {id: b-648-1, at: Y21, status: [broken]}
      - {id: b-338-1, side: british, type: 3-3-8, at: Y21}
    casualty_vp: {british: 6, german: 11}

The lists gliders, fortifications, terrain, units, equipment and vehicles have the entries of a
position file. An entry whose id (of gliders, Fortifications and terrain: whose kind and place) is
known takes over what the last position or the OB says of it, and only the keys it writes are
changed: ``status: []`` takes all statuses away. Any other entry is new and must be complete.

What a unit possesses moves with it, as do a vehicle's Passengers, Riders and towed Guns and a
Guard's prisoners, unless they have an entry of their own that says where they are. A piece that
one unit is given leaves its old possessor. What ``removed`` names is then asked for: whether it
never entered or was Eliminated; ``eliminated: [b-648-3]``, or the status ``eliminated`` in its own
entry, says so at once. casualty_vp, ww_box, moved_first, turn, massacre, title and notes
are those of this scenario alone and are not carried over.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from asl_pbcg.campaign.merge import to_position
from asl_pbcg.campaign.pieces import Piece
from asl_pbcg.campaign.position import FORMAT, LISTS, Position
from asl_pbcg.campaign.position_raw import Raw, Spot
from asl_pbcg.campaign.position_spelling import spell_out
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.kernel.errors import Fault
from asl_pbcg.kernel.reader import nearest

CHANGES: Final = "pbcg-changes/1"
_PIECES = ("units", "equipment", "vehicles")
_GROUND = ("gliders", "fortifications", "terrain")
_SCENARIO = (
    "casualty_vp", "ww_box", "moved_first", "turn", "massacre", "eliminated", "title", "notes",
)  # fmt: skip
_SIDES = ("british", "german", "neither")
_KNOWN = ("format", "date", "control", "removed", *_GROUND, *_PIECES, *_SCENARIO)


class ChangePlaces:
    """Places of faults: an entry by its id or kind and place, with its number in the file."""

    def __init__(self) -> None:
        self.numbers: dict[tuple[str, int], int] = {}
        """By list and number in the merged list, the number in the changes file."""

    def top(self, key: str) -> str:
        """The place of a single fact."""
        return key

    def entry(self, section: str, number: int, id: str) -> str:
        """The place of an entry; one that the file does not write is of the last position."""
        written = self.numbers.get((section, number))
        named = f' (id "{id}")' if id else ""
        if written is None:
            return Spot(f"{section} of the last position{named}", section, number)
        return Spot(f"{section}, entry {written}{named}", section, number)

    def key(self, section: str, number: int, id: str, key: str) -> str:
        """The place of one value."""
        return Spot(f"{self.entry(section, number, id)}, {key}", section, number)

    def control(self, side: str, number: int) -> str:
        """The place of a Controlled Location."""
        return f"control, {side}"


class _Merge:
    """One merge: the last position as plain data, changed step by step; faults are gathered."""

    def __init__(
        self, state: Campaign, data: Mapping[str, Any], source: str, last: Position
    ) -> None:
        self.state = state
        self.data = spell_out(data, state.catalogue)
        self.raw = Raw(source, {}, ChangePlaces())
        self.base: dict[str, Any] = msgspec.to_builtins(last)
        self.lists: dict[str, list[dict[str, Any]]] = {
            name: [dict(entry) for entry in self.base.get(name, ())]
            for name in (*_GROUND, *_PIECES)
        }
        self.written: dict[str, dict[str, Any]] = {}
        """By id, what the changes file writes of a piece."""
        self.origin: dict[int, int] = {}
        """Of an entry the file writes (by identity): its number there."""

    def fault(self, where: str, value: object, wrong: str) -> None:
        """Note a fault."""
        self.raw.faults.append(Fault(where, str(value)[:60], wrong))

    def run(self) -> Raw:
        """The merged position, not yet checked, with the faults of the changes themselves."""
        for key in self.data:
            if key not in _KNOWN:
                near = nearest(str(key), _KNOWN) or f"; known are: {', '.join(_KNOWN)}"
                self.fault(str(key), "", f"is no key of a changes file{near}")
        for section in _PIECES:
            for number, entry in self._entries(section):
                self._merge_piece(section, number, entry)
        for section in _GROUND:
            for number, entry in self._entries(section):
                self._merge_ground(section, number, entry)
        self._fetch()
        self._remove()
        eliminated = self.data.get("eliminated")
        for id_ in eliminated if isinstance(eliminated, list) else ():
            if isinstance(id_, str):
                self._remove_piece("eliminated", id_)
        self._follow()
        self._hand_over()
        merged: dict[str, Any] = {
            "format": FORMAT,
            "date": self.data.get("date"),
            "control": self._control(),
            **self.lists,
        }
        merged |= {name: self.data[name] for name in _SCENARIO if name in self.data}
        places = self.raw.places
        assert isinstance(places, ChangePlaces)
        for section, entries in self.lists.items():
            for index, entry in enumerate(entries, 1):
                if id(entry) in self.origin:
                    places.numbers[section, index] = self.origin[id(entry)]
        box = self.data.get("ww_box")
        for number in range(1, len(box) + 1 if isinstance(box, list) else 1):
            places.numbers["ww_box", number] = number
        self.raw.data = merged
        return self.raw

    def _entries(self, section: str) -> list[tuple[int, dict[str, Any]]]:
        listed = self.data.get(section)
        if listed is None:
            return []
        if not isinstance(listed, list):
            self.fault(section, listed, "must be a list of entries")
            return []
        found = []
        for number, entry in enumerate(listed, 1):
            if isinstance(entry, dict):
                found.append((number, entry))
            else:
                self.fault(f"{section}, entry {number}", entry, "must have keys and values")
        return found

    # -- pieces --------------------------------------------------------------------------

    def _merge_piece(self, section: str, number: int, entry: dict[str, Any]) -> None:
        id_ = entry.get("id")
        where = f"{section}, entry {number}"
        if isinstance(id_, str) and id_ in self.written:
            self.fault(where, id_, "has an entry already")
            return
        if isinstance(id_, str):
            self.written[id_] = entry
            home = self._home(id_)
            if home and home != section:
                self.fault(where, id_, f"belongs into the list {home}")
                return
        for listed in self.lists[section]:
            if isinstance(id_, str) and listed.get("id") == id_:
                listed.update(entry)
                self.origin[id(listed)] = number
                return
        piece = self._piece(id_)
        new = {**(_of_ob(piece) if piece else {}), **entry}
        self.lists[section].append(new)
        self.origin[id(new)] = number

    def _piece(self, id_: object) -> Piece | None:
        return next((piece for piece in self.state.pieces if piece.id == id_), None)

    def _home(self, id_: str) -> str:
        """The list a known piece belongs to, or empty."""
        piece = self._piece(id_)
        if piece is None or not piece.is_unit_or_equipment:
            return ""
        if piece.is_vehicle:
            return "vehicles"
        return "equipment" if piece.is_weapon else "units"

    def _find_entry(self, id_: str) -> dict[str, Any] | None:
        return next(
            (entry for name in _PIECES for entry in self.lists[name] if entry.get("id") == id_),
            None,
        )

    # -- gliders, Fortifications and terrain ---------------------------------------------

    def _merge_ground(self, section: str, number: int, entry: dict[str, Any]) -> None:
        key = _ground_key(section, entry)
        for listed in self.lists[section]:
            if _ground_key(section, listed) == key:
                if id(listed) in self.origin:
                    self.fault(
                        f"{section}, entry {number}",
                        " ".join(filter(None, key)),
                        "stands there twice",
                    )
                listed.update(entry)
                self.origin[id(listed)] = number
                return
        new = dict(entry)
        self.lists[section].append(new)
        self.origin[id(new)] = number

    # -- removed -------------------------------------------------------------------------

    def _remove(self) -> None:
        listed = self.data.get("removed")
        if listed is None:
            return
        if not isinstance(listed, list):
            self.fault("removed", listed, "must be a list, as [b-648-3, {kind: wire, at: Z21}]")
            return
        for number, item in enumerate(listed, 1):
            where = f"removed, entry {number}"
            if isinstance(item, str):
                self._remove_piece(where, item)
            elif isinstance(item, dict):
                self._remove_ground(where, item)
            else:
                self.fault(where, item, "must be an id, or {kind: ..., at: ...}")

    def _remove_piece(self, where: str, id_: str) -> None:
        if id_ in self.written:
            self.fault(where, id_, "is removed and changed at once")
            return
        for section in _PIECES:
            for entry in self.lists[section]:
                if entry.get("id") == id_:
                    self.lists[section].remove(entry)
                    return
        if self._piece(id_) is None:
            known = [piece.id for piece in self.state.pieces]
            self.fault(where, id_, f"is no piece of either side{nearest(id_, known)}")

    def _remove_ground(self, where: str, item: dict[str, Any]) -> None:
        extra = [str(key) for key in item if key not in ("kind", "at", "hexside")]
        if extra or not isinstance(item.get("at"), str) or not isinstance(item.get("kind"), str):
            self.fault(where, item, "must be written {kind: wire, at: Z21}")
            return
        for section in _GROUND:
            for entry in self.lists[section]:
                kind = "glider" if section == "gliders" else entry.get("kind")
                same = (kind, entry.get("at")) == (item["kind"], item["at"])
                if same and item.get("hexside", entry.get("hexside", "")) == entry.get(
                    "hexside", ""
                ):
                    if id(entry) in self.origin:
                        self.fault(where, f"{kind} {item['at']}", "is removed and changed at once")
                    self.lists[section].remove(entry)
                    return
        self.fault(where, f"{item['kind']} {item['at']}", "stands nowhere in the last position")

    # -- what follows --------------------------------------------------------------------

    def _fetch(self) -> None:
        """List Equipment of the OB that somebody possesses now and that stood nowhere before."""
        for entry in list(self.written.values()):
            for id_ in _texts(entry.get("possesses")):
                piece = self._piece(id_)
                if piece and piece.is_weapon and not piece.at and self._find_entry(id_) is None:
                    holder = self._find_entry(str(entry.get("id")))
                    at = holder.get("at") if holder else entry.get("at")
                    self.lists["equipment"].append({**_of_ob(piece), "at": at})

    def _follow(self) -> None:
        """Move what is carried, towed, possessed or guarded with whoever moved."""
        pending = [
            id_ for id_, entry in self.written.items() if "at" in entry and self._find_entry(id_)
        ]
        seen = set(pending)
        while pending:
            mover = self._find_entry(pending.pop(0))
            if mover is None:
                continue
            for entry in self._with(mover):
                id_ = entry.get("id")
                own_place = "at" in self.written.get(str(id_), {})
                if own_place or not isinstance(id_, str) or id_ in seen:
                    continue
                entry["at"] = mover.get("at")
                seen.add(id_)
                pending.append(id_)

    def _with(self, mover: dict[str, Any]) -> list[dict[str, Any]]:
        id_ = mover.get("id")
        held: list[Any] = []
        for key in ("possesses", "tows"):
            value = mover.get(key)
            held += value if isinstance(value, list | tuple) else []
        found = []
        for name in _PIECES:
            for entry in self.lists[name]:
                if entry.get("id") in held or id_ in (entry.get("aboard"), entry.get("guarded_by")):
                    found.append(entry)
        return found

    def _hand_over(self) -> None:
        """Take what somebody was given, and what was removed, from its old possessor."""
        given: dict[str, str] = {}
        for id_, entry in self.written.items():
            for key in ("possesses", "tows"):
                given |= dict.fromkeys(_texts(entry.get(key)), id_)
        named = [
            entry
            for name in _PIECES
            for entry in self.lists[name]
            if isinstance(entry.get("id"), str)
        ]
        there = {entry["id"] for entry in named}
        for entry in named:
            own = self.written.get(entry["id"], {})
            for key in ("possesses", "tows"):
                if key not in own and entry.get(key):
                    entry[key] = [
                        held
                        for held in entry[key]
                        if held in there and given.get(held, entry["id"]) == entry["id"]
                    ]
            for key in ("aboard", "guarded_by"):
                if key not in own and entry.get(key) and entry[key] not in there:
                    entry[key] = ""

    # -- Control -------------------------------------------------------------------------

    def _control(self) -> dict[str, list[Any]]:
        control: dict[str, list[Any]] = {
            side: list(self.base.get("control", {}).get(side, ())) for side in _SIDES[:2]
        }
        changed = self.data.get("control")
        if changed is None:
            return control
        if not isinstance(changed, dict):
            self.fault("control", changed, "must have the keys british, german and neither")
            return control
        seen: dict[str, str] = {}
        for side, listed in changed.items():
            if side not in _SIDES:
                self.fault("control", side, "is no side: the keys are british, german and neither")
                continue
            if listed is None:
                continue
            if not isinstance(listed, list):
                self.fault(f"control, {side}", listed, "must be a list of Locations, as [Z15]")
                continue
            for number, place in enumerate(listed, 1):
                self._move_control(control, seen, side, number, place)
        return control

    def _move_control(
        self,
        control: dict[str, list[Any]],
        seen: dict[str, str],
        side: str,
        number: int,
        place: Any,
    ) -> None:
        where = f"control, {side}, entry {number}"
        if not isinstance(place, str):
            self.fault(where, place, "must be a Location, as Z15 or Z15/1")
            return
        if place in seen:
            self.fault(where, place, f"stands under {seen[place]} too")
            return
        seen[place] = side
        before = [name for name in ("british", "german") if place in control[name]]
        for name in before:
            control[name].remove(place)
        if side == "neither":
            if not before:
                self.fault(where, place, "was Controlled by nobody before")
            return
        control[side].append(place)


def _texts(value: Any) -> list[str]:
    """The texts in what should be a list of ids; what else it holds is a fault told later."""
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _ground_key(section: str, entry: Mapping[str, Any]) -> tuple[str, ...]:
    """What tells one glider, Fortification or terrain change from another."""
    names = {
        "gliders": ("at",),
        "fortifications": ("kind", "at"),
        "terrain": ("kind", "at", "hexside"),
    }
    return tuple(str(entry.get(name, "")) for name in names[section])


def _of_ob(piece: Piece) -> dict[str, Any]:
    """What the OB says of a piece that stood nowhere on the map."""
    found: dict[str, Any] = {"id": piece.id, "side": piece.side.value, "type": piece.type}
    if piece.status:
        found["status"] = list(piece.status)
    return found


def merge_changes(
    state: Campaign,
    data: Mapping[str, Any],
    source: str = "The changes file",
    last: Position | None = None,
) -> Raw:
    """The position ``last``, or that of ``state``, with the changes of ``data``, to be checked.

    Faults of the changes themselves stand in the answer; ``check_raw`` tells them together with
    those of the merged position.
    """
    return _Merge(state, data, source, last or to_position(state)).run()


assert set(LISTS) == {*_GROUND, *_PIECES, "ww_box"}, "a list of the position is not merged"
assert set(_SCENARIO) < set(Position.__struct_fields__)
