"""Short orders for a draft: ``6 648 N11``, ``A-12 broken``, ``control british X17-X20``.

Types may be written without hyphens and by their unique beginning, statuses and words too; hexes
in small letters. One order may place several pieces, each with its statuses, and may place the same
in several Locations::

    648 piat 92 x18          a 6-4-8 with a PIAT and a 9-2 in X18
    447 i10 k9 k12           a 4-4-7 in each of three hexes
    6 648 n11  br dm 338 w18
"""

from __future__ import annotations

import re

from asl_pbcg.campaign.entry.position_draft import GROUND_KINDS, Draft, Ground, ground_part
from asl_pbcg.campaign.entry.position_fields import (
    OFF_MAP,
    PLACE,
    count_of,
    is_count,
    is_eliminated,
    is_place,
    is_status,
    only,
    place_of,
    plain_name,
    short_names,
    status_of,
    tokens_of,
)
from asl_pbcg.campaign.module.catalogue import MADE_IN_PLAY, AnyType, WeaponType
from asl_pbcg.campaign.position import (
    PieceEntry,
    UnitEntry,
    VehicleEntry,
)
from asl_pbcg.campaign.position_words import (
    GliderState,
    UnitStatus,
    VehicleStatus,
    status_words,
)
from asl_pbcg.campaign.state.piece_names import (
    pieces_called,
    read_piece,
    short_name,
    short_names_of,
    typed_name,
)
from asl_pbcg.campaign.state.pieces import CLASSES
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.reader import nearest
from asl_pbcg.kernel.wording import number_words

NEW = "new"
"""The end of an order for what is in no OB."""
_WORDS_OF_A_NAME = 4
_RANGE = re.compile(r"([a-z]{1,2})(\d{1,2})-(?:([a-z]{1,2}))?(\d{1,2})", re.IGNORECASE)
VERBS = {"has": "has", "guard": "guards", "guards": "guards", "tows": "tows", "aboard": "aboard"}
"""The verbs between ids, as they may be typed and as they are meant."""
_VERB_AS = {
    "has": "A-1 has LMG-1b",
    "guards": "A-1 guards E-3",
    "tows": "Marder-1 tows 50L-AT-1",
    "aboard": "E-3 aboard Marder-1",
}


class Editor:
    """Carries orders out on a draft, one after the other.

    ``side`` is whose pieces are meant where both sides have the type.
    """

    def __init__(self, draft: Draft, side: Side = Side.BRITISH) -> None:
        self.draft = draft
        self.side = side
        self._may_be_new = False

    @property
    def words(self) -> list[str]:
        """The orders that begin with a word."""
        return [*WORDS, *GROUND_KINDS]

    def do(self, order: str) -> str:
        """Carry out an order and say what was done. Raises PBCGError; nothing has changed then."""
        tokens = [self._by_id(token) for token in self._whole_names(tokens_of(order))]
        says_new = [token.lower() for token in tokens[-1:]] == [NEW]
        tokens = tokens[:-1] if says_new else tokens
        state = self.draft.state
        self._may_be_new = says_new or bool(state and state.has_no_pieces_yet)
        if not tokens:
            return ""
        first = tokens[0].lower()
        word = self._word(first)
        if word:
            return self._carry_out(word, tokens[1:])
        kind = only(first, GROUND_KINDS) if len(first) > 3 else ""
        if kind:
            return self._ground(kind, tokens[1:])
        ids = [token for token in tokens if self._is_id(token)]
        if ids and self._is_id(tokens[0]):
            return self._about(tokens)
        return self._place(tokens)

    def _whole_names(self, tokens: list[str]) -> list[str]:
        """Return the words of an order, each type's name as one word: 51 MTR (airborne)."""
        names = {name for type in self.draft.catalogue for name in short_names(type)}
        words: list[str] = []
        at = 0
        while at < len(tokens):
            longest = next(
                (
                    many
                    for many in range(min(_WORDS_OF_A_NAME, len(tokens) - at), 1, -1)
                    if plain_name("".join(tokens[at : at + many])) in names
                    and not any(map(is_place, tokens[at : at + many]))
                ),
                1,
            )
            words.append("".join(tokens[at : at + longest]))
            at += longest
        return words

    def _refuse_new(self, what: str, many: int) -> None:
        """Ask about what no OB can have, unless the order says that it is new. Raises PBCGError."""
        if not self._may_be_new:
            raise PBCGError(
                f"{'One' if many == 1 else many} of these would be in no OB: there is no more "
                f"{what} to place. If that is right, write {NEW} at the end of the order."
            )

    def _word(self, typed: str) -> str:
        if typed in ("b", "g", "u"):
            return {"b": "british", "g": "german", "u": "undo"}[typed]
        return only(typed, WORDS) if len(typed) > 2 else ""

    def _by_id(self, token: str) -> str:
        """Return the id of the piece that a word names, else the word."""
        if not any(map(str.isdigit, token)) or is_place(token):
            return token
        pieces: list[PieceEntry] = [
            *self.draft.position.pieces,
            *self.draft.pieces_to_place(),
        ]
        listed = {piece.id for piece in pieces}
        gone = (self.draft.known.get(id) for id in self.draft.position.eliminated)
        pieces += [piece for piece in gone if piece and piece.id not in listed]
        if token.lower() in listed or not pieces_called(token, pieces, self.side):
            return token
        return read_piece(token, pieces, self.side).id

    def _is_id(self, token: str) -> bool:
        id = token.lower()
        if any(entry.id == id for entry in self.draft.position.pieces):
            return True
        # An id that is also the name of a type means the type while its piece waits.
        if id in self.draft.position.eliminated:
            return True
        waits = any(piece.id == id for piece in self.draft.pieces_to_place())
        return waits and self._type(id) is None

    # -- words -----------------------------------------------------------------------------

    def _carry_out(self, word: str, tokens: list[str]) -> str:
        match word:
            case "british" | "german":
                self.side = Side(word)
                return f"The {self.side.people} now."
            case "undo":
                self.draft.past.undo()
                return "Undone."
            case "redo":
                self.draft.past.redo()
                return "Done again."
            case "last":
                return f"Where they were last: {number_words(self.draft.from_last(), 'piece')}."
            case "infer":
                return f"Control changed: {', '.join(self.draft.infer_control()) or 'nowhere'}."
            case "out":
                self.draft.take_off(token.lower() for token in tokens)
                return f"Off again: {short_names_of(tokens)}."
            case _:
                return self._control(tokens)

    def _control(self, tokens: list[str]) -> str:
        if not tokens:
            raise PBCGError("Write who Controls what, as: control british X17-X20.")
        names = [*(side.value for side in Side), "nobody"]
        who = only(tokens[0].lower(), names)
        if not who:
            raise PBCGError(f"{tokens[0]} is not one of: {', '.join(names)}.")
        places = [place for token in tokens[1:] for place in self._places(token)]
        if not places:
            raise PBCGError("Which Locations? As: control british X17-X20.")
        self.draft.set_control(None if who == "nobody" else Side(who), places)
        return f"{who}: {', '.join(places)}."

    def _places(self, token: str) -> list[str]:
        """Return one place, or several of one hexrow: X17-X20, X17-20."""
        span = _RANGE.fullmatch(token)
        if span:
            row, first, end_row, last = span.groups()
            if end_row and end_row.lower() != row.lower():
                raise PBCGError(f"{token}: a range stays in one hexrow, as X17-X20.")
            low, high = int(first), int(last)
            strategic = self.draft.strategic()
            named = [f"{row.upper()}{number}" for number in range(low, high + 1)]
            places = {*strategic.hexes, *strategic.objectives}
            return [name for name in named if name in places] or named
        return [place_of(token)]

    # -- gliders, Fortifications, terrain ----------------------------------------------------

    def _ground(self, kind: str, tokens: list[str]) -> str:
        places = [place_of(token) for token in tokens if PLACE.fullmatch(token)]
        words = [token.lower() for token in tokens if not PLACE.fullmatch(token)]
        if not places:
            raise PBCGError(f"Where is the {kind}? As: {kind} W21.")
        if "out" in words:
            for place in places:
                self.draft.remove_ground(kind, place)
            return f"{kind} off again: {', '.join(places)}."
        with self.draft.past.one_change():
            for place in places:
                part = self._part(kind, place, words)
                if not self.draft.is_on_record(part):
                    self._refuse_new(kind, 1)
                self.draft.add_ground(part)
        return f"{kind}: {', '.join(places)}."

    def _part(self, kind: str, at: str, words: list[str]) -> Ground:
        states = (only(word, list(GliderState)) for word in words)
        sides = (only(word, [side.value for side in Side]) for word in words)
        owner = next(filter(None, sides), "")
        return ground_part(
            kind,
            self.draft.place_of(at),
            state=next(filter(None, states), "landed"),
            owner=Side(owner) if owner else self.side,
            size=next((int(word) for word in words if word.isdecimal() and len(word) < 10), None),
            strength=next((word for word in words if "+" in word), ""),
            hidden="hidden" in words,
        )

    # -- pieces by their ids -----------------------------------------------------------------

    def _about(self, tokens: list[str]) -> str:
        """``E-1 -broken``, ``E-1 Z15 broken``, or a verb between pieces: ``A-1 has LMG-1b``."""
        ids = [token.lower() for token in tokens if self._is_id(token)]
        facts = [token for token in tokens if not self._is_id(token)]
        verb = facts[0].lower() if facts else ""
        if verb in VERBS:
            if len(ids) == 1 or len(facts) > 1:
                raise PBCGError(
                    f"{short_name(ids[0])} {verb} what? Pieces alone, as: {_VERB_AS[VERBS[verb]]}."
                )
            with self.draft.past.one_change():
                return self._tie(VERBS[verb], ids)
        if not facts:
            raise PBCGError(
                f"What of {short_name(ids[0])}? A place, a status, has, guards, tows, aboard "
                "or out."
            )
        if any(is_eliminated(token) for token in facts):
            return self._eliminate(ids, facts)
        places = [place_of(token) for token in facts if is_place(token)]
        if len(places) > 1:
            raise PBCGError(
                f"{short_name(ids[0])} can be in one Location only: {' or '.join(places)}?"
            )
        report = []
        with self.draft.past.one_change():
            if places:
                self.draft.put(ids, places[0])
                report.append(f"{short_names_of(ids)} to {places[0]}.")
            words = [token for token in facts if not is_place(token)]
            if words:
                self._mark(ids, words)
                now = status_words(self.draft.entry(ids[0]).status)
                report.append(f"{short_names_of(ids)}: {now or 'no status'}.")
        return " ".join(report)

    def _eliminate(self, ids: list[str], words: list[str]) -> str:
        """Say that pieces were Eliminated, or with a minus before the word that they were not."""
        if len(words) > 1:
            others = ", ".join(token for token in words if not is_eliminated(token))
            raise PBCGError(
                f"A piece is Eliminated or on the map: leave out {others}, as {short_name(ids[0])} "
                "eliminated."
            )
        if words[0].startswith("-"):
            self.draft.take_off(ids)
            return f"{short_names_of(ids)}: to be placed again."
        self.draft.eliminate(ids)
        return f"{short_names_of(ids)}: Eliminated."

    def _tie(self, verb: str, ids: list[str]) -> str:
        """Let the first of these pieces possess, guard or tow the others, or be aboard the last."""
        first, *others = ids
        if verb == "aboard":
            self.draft.board_vehicle(ids[:-1], ids[-1])
            return f"{short_names_of(ids[:-1])} aboard {short_name(ids[-1])}."
        for id in others:
            if verb == "has":
                self.draft.give(first, id)
            elif verb == "guards":
                self.draft.guard(id, first)
            else:
                self.draft.tow(first, id)
        return f"{short_name(first)} {verb} {short_names_of(others)}."

    def _mark(self, ids: list[str], words: list[str]) -> None:
        """Statuses of pieces, taken away with a minus before them."""
        add: list[str] = []
        remove: list[str] = []
        for token in words:
            plain = token.removeprefix("-").removeprefix("+").lower()
            status = status_of(plain, self.draft.entry(ids[0]).section)
            if not status and OFF_MAP.fullmatch(f"{token}a7"):
                raise PBCGError(
                    f"Off map at which Entry Area? As: {short_name(ids[0])} off-map Z28."
                )
            if not status:
                raise PBCGError(f"{token} is neither a status of {short_name(ids[0])} nor a place.")
            (remove if token.startswith("-") else add).append(status)
        self.draft.set_status(ids, add, remove)

    # -- placing -----------------------------------------------------------------------------

    def _place(self, tokens: list[str]) -> str:
        """``6 648 N11``: pieces, each with its statuses, then the Locations for all of them."""
        groups: list[tuple[int, AnyType, Side, list[str]]] = []
        places: list[str] = []
        count = 0
        for token in tokens:
            word = token.lower()
            if is_place(word):
                places.append(place_of(token))
                continue
            exact = bool(groups) and is_status(word, _section(groups[-1][1]))
            type_and_side = None if places or exact else self._type(word)
            if type_and_side is not None:
                groups.append((count or 1, *type_and_side, []))
                count = 0
            elif is_count(word) and not count and not places:
                count = count_of(word)
            elif (
                groups
                and (not places or len(groups) == 1)
                and (status := status_of(word, _section(groups[-1][1])))
            ):
                groups[-1][3].append(status)
            else:
                raise PBCGError(self._unknown(token, groups, places))
        if not groups or not places or count:
            raise PBCGError("Write what and where, as: 6 648 N11.")
        made: list[str] = []
        with self.draft.past.one_change():
            for place in places:
                for many, type, side, statuses in groups:
                    made += self._put(many, type, side, statuses, place)
            for _, type, _, _ in groups:
                new = [id for id in made if self._is_invented(id, type)]
                if new:
                    self._refuse_new(type.name, len(new))
        return f"{short_names_of(made)}: {', '.join(places)}.{self._otherwise(made)}"

    def _is_invented(self, id: str, type: AnyType) -> bool:
        """Whether a piece is in no OB and of a kind that does not come into being in play."""
        if self.draft.is_of_the_ob(id) or type.kind in MADE_IN_PLAY:
            return False
        return self.draft.entry(id).type == type.name

    def _otherwise(self, ids: list[str]) -> str:
        """Name the pieces placed that were of another type before, and those that no OB has."""
        if self.draft.state is None:
            return ""
        record = self.draft.known
        were = [id for id in ids if id in record and record[id].type != self.draft.entry(id).type]
        new = [id for id in ids if id not in record]
        report = ""
        if were:
            report += f" Until now: {', '.join(typed_name(record[id].type, id) for id in were)}."
        if new:
            report += f" New, in no OB: {short_names_of(new)}."
        return report

    def _put(
        self, many: int, type: AnyType, side: Side, status: list[str], place: str
    ) -> list[str]:
        has = self.side if isinstance(type, WeaponType) else side
        ids = self.draft.place(type.name, has, place, many, status, type.side)
        last = ids[-1]
        if isinstance(type, WeaponType):
            for id in ids:
                holder = self._holder(id, place, has)
                if holder:
                    self.draft.give(holder.id, id)
        elif "prisoner" in status:
            guards = [
                unit
                for unit in self.draft.at(place)
                if isinstance(unit, UnitEntry) and unit.side is not side and unit.id != last
            ]
            if guards:
                self.draft.guard(last, guards[0].id)
        elif self.draft.kind(self.draft.entry(last)) == "armor_leader":
            self._board(ids, place)
        return ids

    def _board(self, leaders: list[str], place: str) -> None:
        """Each Armor Leader is aboard a vehicle beside him that has none. Rule: D3.4."""
        side = self.draft.entry(leaders[0]).side
        own = [piece for piece in self.draft.at(self.draft.place_of(place)) if piece.side is side]
        led = {
            unit.aboard
            for unit in own
            if isinstance(unit, UnitEntry) and self.draft.kind(unit) == "armor_leader"
        }
        waiting = [
            piece.id
            for piece in own
            if isinstance(piece, VehicleEntry)
            and piece.id not in led
            and VehicleStatus.ABANDONED not in piece.status
        ]
        for leader, vehicle in zip(leaders, waiting, strict=False):
            self.draft.board_vehicle([leader], vehicle)

    def _holder(self, id: str, place: str, side: Side) -> PieceEntry | None:
        """Return the unit in a Location that gets a SW: its last possessor, else the last MMC."""
        able = [
            unit
            for unit in self.draft.at(self.draft.place_of(place))
            if unit.side is side
            and self.draft.can_hold(unit)
            and UnitStatus.PRISONER not in unit.status
        ]
        record = self.draft.known
        had = (unit for unit in able if unit.id in record and id in record[unit.id].possesses)
        return next(had, able[-1] if able else None)

    def _type(self, word: str) -> tuple[AnyType, Side] | None:
        """Return the type that a word means; the present side and unplaced pieces come first."""
        plain = plain_name(word)
        if not plain:
            return None
        for side in (self.side, self.side.other):
            waiting = {(piece.type, piece.maker) for piece in self.draft.pieces_to_place()}
            types = [type for type in self.draft.catalogue if type.side is side]
            names = {type: short_names(type) for type in types}
            exact = [type for type in types if plain in names[type]]
            if exact:
                return exact[0], side
            begun = [e for e in types if any(name.startswith(plain) for name in names[e])]
            likely = [type for type in begun if (type.name, side) in waiting] or begun
            if len(likely) == 1 and len(plain) > 1:
                return likely[0], side
        return None

    def _unknown(
        self, token: str, groups: list[tuple[int, AnyType, Side, list[str]]], places: list[str]
    ) -> str:
        if places and self._type(token.lower()):
            where = places[-1].lower()
            return f"{token}: what is placed is written before its place, as {token} {where}."
        if places and any(status_of(token.lower(), _section(group[1])) for group in groups):
            return (
                f"{token}: of several pieces a status is written behind its own, before the place."
            )
        if groups and is_eliminated(token):
            type = groups[-1][1]
            pieces = (*self.draft.pieces_to_place(), *self.draft.position.pieces)
            own = [short_name(p.id) for p in pieces if (p.type, p.side) == (type.name, type.side)]
            which = f": {', '.join(own[:12])}" if own else ""
            example = own[0] if own else "E-3"
            return f"Which {type.name}{which}? Name it, as {example} eliminated."
        if OFF_MAP.fullmatch(f"{token}a7"):
            return "Off map at which Entry Area? As: 2 648 off-map Z28."
        types = self.draft.catalogue.nearest(token, self.side) if len(token) > 1 else ()
        near = f"; nearest: {', '.join(types)}" if types else nearest(token, GROUND_KINDS)
        near = "" if token.lower() in GROUND_KINDS else near
        return f"{token} is not a type, status or Location{near}."


WORDS = ("british", "german", "control", "undo", "redo", "last", "out", "infer")
"""The words that begin an order about neither pieces nor the ground."""


def _section(type: AnyType) -> str:
    """Return the list of a position that pieces of a type belong to."""
    return CLASSES[type.kind].section
