"""Rows of a position without ids: ``6`` x ``6-4-8`` at ``N11``.

Whoever fills in a position may say how many of a type stand in a Location. In a campaign the
likeliest pieces are taken for them (``matching.py``) and the players are asked only where the
choice matters: which of them is Walking Wounded, who holds the LMG. Without a campaign ids are
made up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from asl_pbcg.campaign.catalogue import MMC, Catalogue, InfantryType, VehicleType, WeaponType
from asl_pbcg.campaign.identity import Ids
from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.matching import LASTING, Matching, Wanted, match
from asl_pbcg.campaign.pieces import Piece
from asl_pbcg.campaign.position_fields import COUNT
from asl_pbcg.campaign.position_raw import Places, Raw
from asl_pbcg.campaign.position_spelling import is_eliminated, spell_out
from asl_pbcg.campaign.position_words import UnitStatus
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.errors import Fault, PBCGError
from asl_pbcg.kernel.prompts import Option, Prompt, Script, ask
from asl_pbcg.kernel.reader import value_words

if TYPE_CHECKING:
    from asl_pbcg.campaign.board import Board

MOST = 60
"""So many pieces a row may stand for."""
MOST_PIECES = 700
"""So many pieces a list may hold: more than both OB of a whole campaign, and settled in seconds."""
SECTIONS: dict[str, type[InfantryType] | type[WeaponType] | type[VehicleType]] = {
    "units": InfantryType,
    "equipment": WeaponType,
    "vehicles": VehicleType,
}
_NEW, _NOBODY = "new", "nobody"


class CountedPlaces:
    """Places of faults: what a row was made into still stands in that row."""

    def __init__(self, written: Places, rows: dict[str, list[int]], made: set[str]) -> None:
        self._written = written
        self._rows = rows
        self._made = made  # ids that nobody has written

    def _row(self, section: str, number: int) -> int:
        rows = self._rows.get(section, [])
        return rows[number - 1] if number <= len(rows) else number

    def top(self, key: str) -> str:
        """The place of a single fact."""
        return self._written.top(key)

    def entry(self, section: str, number: int, id: str) -> str:
        """The place of an entry."""
        id = "" if id in self._made else id
        return self._written.entry(section, self._row(section, number), id)

    def key(self, section: str, number: int, id: str, key: str) -> str:
        """The place of one value."""
        id = "" if id in self._made else id
        return self._written.key(section, self._row(section, number), id, key)

    def control(self, side: str, number: int) -> str:
        """The place of a Controlled Location."""
        return self._written.control(side, number)


def with_ids(raw: Raw, state: Campaign | None, board: Board, catalogue: Catalogue) -> Script[Raw]:
    """Give every piece of ``raw`` an id: of the campaign's pieces, else a new one.

    What cannot be read is left as it is, for ``check_raw`` to tell. Rule: 9.2 OB.
    """
    maker = _Maker(raw, state, board, catalogue)
    maker.spread()
    if state is not None:
        yield from maker.identify(state)
    maker.name_the_rest()
    yield from maker.hand_out()
    return maker.raw


class _Row(msgspec.Struct):
    """One piece that has no id yet."""

    key: str
    section: str
    entry: dict[str, Any]
    wanted: Wanted | None


class _Maker:
    def __init__(
        self, raw: Raw, state: Campaign | None, board: Board, catalogue: Catalogue
    ) -> None:
        self.board = board
        self.catalogue = catalogue
        self.state = state
        self.rows: list[_Row] = []
        self.data: dict[str, Any] = spell_out(raw.data, catalogue)
        self.numbers: dict[str, list[int]] = {}
        self.made: set[str] = set()
        self.raw = Raw(
            raw.source,
            self.data,
            CountedPlaces(raw.places, self.numbers, self.made),
            raw.faults,
            raw.yes_no,
            raw.told_missing | {(section, "id") for section in SECTIONS},
        )
        self.written = raw.places

    # -- rows to pieces ------------------------------------------------------------------

    def spread(self) -> None:
        """Make as many entries of each row as it counts."""
        for section in SECTIONS:
            listed = self.data.get(section)
            if not isinstance(listed, list):
                continue
            entries: list[Any] = []
            numbers = self.numbers.setdefault(section, [])
            for number, entry in enumerate(listed, 1):
                many = self._many(section, number, entry) if isinstance(entry, dict) else 1
                if len(entries) + many > MOST_PIECES:
                    where = self.written.entry(section, number, "")
                    wrong = f"is one too many: {section} holds at most {MOST_PIECES:,} pieces"
                    self.raw.faults.append(Fault(where, "", wrong))
                    break
                for _ in range(many):
                    numbers.append(number)
                    entries.append(self._one(section, entry))
            self.data[section] = entries

    def _many(self, section: str, number: int, entry: dict[str, Any]) -> int:
        value = entry.get(COUNT)
        if value in (None, ""):
            return 1
        where = self.written.key(section, number, str(entry.get("id", "")), COUNT)
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST:
            self.raw.faults.append(
                Fault(where, value_words(value), f"must be a whole number from 1 to {MOST}")
            )
            return 1
        if entry.get("id") and value > 1:
            self.raw.faults.append(
                Fault(where, value_words(value), "is for rows without an id: one id, one piece")
            )
            return 1
        return value

    def _one(self, section: str, entry: Any) -> Any:
        if not isinstance(entry, dict):
            return entry
        made = {key: value for key, value in entry.items() if key != COUNT}
        if made.get("id") or is_eliminated(section, made):
            return made
        made.pop("id", None)
        side = self._side(section, made)
        if side and "side" not in made:
            made["side"] = side.value
        key = f"{made.get('at', '')} {made.get('type', '')} {len(self.rows) + 1}"
        self.rows.append(_Row(key, section, made, self._want(key, section, made)))
        return made

    def _side(self, section: str, entry: dict[str, Any]) -> Side | None:
        """The side of a row: as written, else the only one that has such a type."""
        written = entry.get("side")
        if written:
            return Side(written) if written in list(Side) else None
        type = str(entry.get("type", ""))
        able = [s for s in Side if isinstance(self.catalogue.find(type, s), SECTIONS[section])]
        return able[0] if len(able) == 1 else None

    def _want(self, key: str, section: str, entry: dict[str, Any]) -> Wanted | None:
        side = self._side(section, entry)
        status = entry.get("status") or []
        if side is None or not isinstance(status, list):
            return None
        maker = side.other if section != "units" and "captured" in status else side
        type = entry.get("type")
        if not isinstance(type, str) or self.catalogue.find(type, maker) is None:
            return None
        try:
            place = Location.parse(str(entry.get("at", "")))
        except PBCGError:
            return None
        if place.on_map and place.hex not in self.board:
            return None
        formation = str(entry.get("formation") or "")
        return Wanted(
            key=key,
            section=section,
            type=type,
            side=maker,
            at=str(place),
            status=tuple(str(each) for each in status),
            formations=(formation,) if formation else (),
        )

    # -- which pieces they are -------------------------------------------------------------

    def identify(self, state: Campaign) -> Script[None]:
        """Settle which pieces of the campaign the rows are; ask where it matters."""
        taken = {
            str(entry["id"])
            for section in SECTIONS
            for entry in self._entries(section)
            if entry.get("id")
        }
        free = [piece for piece in state.pieces if piece.id not in taken]
        wanted = [row.wanted for row in self.rows if row.wanted]
        known: dict[str, str] = {}
        matching = match(wanted, free, self.board, self.catalogue)
        while True:
            each = next(
                (w for w in wanted if w.key not in known and w.key in matching.doubts), None
            )
            if each is None:
                break
            known[each.key] = yield from self._which(each, matching, state)
            best = matching.ids.get(each.key, "")
            if known[each.key] == best and not any(best in ids for ids in matching.doubts.values()):
                continue  # the rest stays as it is, and hundreds of rows take no time
            named = {key: id for key, id in known.items() if id}
            rest = [one for one in wanted if known.get(one.key) != ""]
            matching = match(rest, free, self.board, self.catalogue, named)
        for row in self.rows:
            id = matching.ids.get(row.key, "")
            if id:
                row.entry["id"] = id
                self._keep(row.entry, state.piece(id))

    def _keep(self, entry: dict[str, Any], piece: Piece) -> None:
        """What a row need not say again of its piece: statuses that never end, its name."""
        if piece.has(UnitStatus.WALKING_WOUNDED):
            entry["status"] = list(dict.fromkeys([*(entry.get("status") or []), "walking-wounded"]))
        if piece.name and "name" not in entry and not piece.is_weapon:
            entry["name"] = piece.name

    def _which(self, each: Wanted, matching: Matching, state: Campaign) -> Script[str]:
        best = matching.ids.get(each.key, "")
        ids = [id for id in (best, *matching.doubts[each.key]) if id]
        options = [
            Option(id, f"{state.piece(id).type} {id}", _about(state.piece(id), each)) for id in ids
        ]
        options.append(Option(_NEW, "new", "Deployed or created in play"))
        answer = yield from ask(
            Prompt(
                id="count.piece",
                about=each.key,
                where=each.at,
                rule="9.2 OB",
                options=tuple(options),
                default=best or _NEW,
                text=f"Which piece is the {each.type} in {each.at}?",
            )
        )
        return "" if answer == _NEW else str(answer)

    def name_the_rest(self) -> None:
        """Give a new id to what is no known piece."""
        taken = [
            str(entry["id"])
            for section in SECTIONS
            for entry in self._entries(section)
            if entry.get("id")
        ]
        ids = Ids(self.state, taken)
        for row in self.rows:
            if "id" not in row.entry:
                side = row.wanted.side if row.wanted else Side.BRITISH
                row.entry["id"] = ids.next(side, str(row.entry.get("type") or "piece"))
                self.made.add(row.entry["id"])

    def _entries(self, section: str) -> list[dict[str, Any]]:
        listed = self.data.get(section)
        found = listed if isinstance(listed, list) else []
        return [entry for entry in found if isinstance(entry, dict)]

    # -- who holds what ------------------------------------------------------------------------

    def hand_out(self) -> Script[None]:
        """Settle who possesses each SW that a row counts and no unit names."""
        held = {id for unit in self._entries("units") for id in _texts(unit.get("possesses"))}
        for row in self.rows:
            if row.section != "equipment" or row.wanted is None or row.entry["id"] in held:
                continue
            able = [
                unit
                for unit in self._entries("units")
                if unit.get("at") == row.wanted.at
                and unit.get("side") == row.entry.get("side")
                and self._can_hold(unit)
            ]
            holder = yield from self._holder(row, able)
            if holder is not None:
                own = holder.get("possesses") or []
                if isinstance(own, list):
                    holder["possesses"] = [*own, row.entry["id"]]

    def _can_hold(self, unit: dict[str, Any]) -> bool:
        known = self.catalogue.find(str(unit.get("type")), Side(unit["side"]))
        status = _texts(unit.get("status"))
        return known is not None and known.kind in MMC and "prisoner" not in status

    def _holder(self, row: _Row, able: list[dict[str, Any]]) -> Script[dict[str, Any] | None]:
        """The unit that possesses it: asked only where it makes a difference."""
        if self.state is not None:
            had = {piece.id for piece in self.state.pieces if row.entry["id"] in piece.possesses}
            before = [unit for unit in able if unit.get("id") in had]
            if before:
                return before[0]
        empty = [unit for unit in able if not unit.get("possesses")] or able
        if len({_alike(unit) for unit in able}) <= 1:
            return empty[0] if empty else None
        options = [
            Option(
                str(unit["id"]),
                f"{unit['type']} {unit['id']}",
                ", ".join(_texts(unit.get("status"))),
            )
            for unit in able
        ]
        answer = yield from ask(
            Prompt(
                id="count.holder",
                about=str(row.entry["id"]),
                where=row.wanted.at if row.wanted else "",
                rule="A4.43",
                options=(*options, Option(_NOBODY, "nobody")),
                default=str(empty[0]["id"]),
                text=f"Who holds the {row.entry['type']} in {row.entry['at']}?",
            )
        )
        return next((unit for unit in able if unit["id"] == answer), None)


def _texts(listed: object) -> list[str]:
    """The texts of a list; what is none is told by ``check_raw``."""
    return [each for each in listed if isinstance(each, str)] if isinstance(listed, list) else []


def _alike(unit: dict[str, Any]) -> tuple[Any, ...]:
    return str(unit.get("type")), tuple(sorted(_texts(unit.get("status"))))


def _about(piece: Piece, each: Wanted) -> str:
    parts = [f"{each.type} now"] if piece.type != each.type else []
    parts += [status for status in LASTING if piece.has(status)]
    parts += filter(None, (piece.name, piece.own_formation))
    parts += [f"was in {piece.at}"] if piece.at else []
    return ", ".join(parts)
