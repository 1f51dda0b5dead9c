"""Questions that a position leaves open: which pieces a row without ids is, and where some are.

Whoever fills in a position may say how many of a type stand in a Location. In a campaign the
likeliest pieces are taken for them (``piece_matching.py``) and the players are asked only where the
choice matters: which of them is Walking Wounded, who holds the LMG. Without a campaign ids are
made up.
"""

from __future__ import annotations

from typing import Any

import msgspec

from asl_pbcg.campaign.board.board import Board
from asl_pbcg.campaign.entry.position_check import complete, place_with_holders, read_parts
from asl_pbcg.campaign.entry.position_raw import COUNT, GoneEntry, PieceNames, Raw, Rows, Written
from asl_pbcg.campaign.entry.position_rules import TYPES
from asl_pbcg.campaign.module.catalogue import MMC, Catalogue
from asl_pbcg.campaign.position import PIECES
from asl_pbcg.campaign.position_words import ELIMINATED, EquipmentStatus, UnitStatus, status_words
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.piece_changes import Ids
from asl_pbcg.campaign.state.piece_matching import NEW, Identities, Wanted
from asl_pbcg.campaign.state.piece_names import typed_name
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import NOBODY, Side
from asl_pbcg.kernel.prompts import Option, Prompt, Script, ask
from asl_pbcg.kernel.wording import number_words

MAX_PIECES = 700
"""So many pieces a list may hold: more than both OB of a whole campaign, and settled in seconds."""
_LOOK = "look"
_NAMED = 12
"""So many pieces without a place are named in the question."""


def read_rows(
    raw: Raw,
    state: Campaign | None,
    board: Board,
    catalogue: Catalogue | None = None,
    ask_places: bool = False,
) -> Script[Rows]:
    """Return the parts of ``raw``, each piece with an id: of a piece of the OB, else a new one.

    ``ask_places`` asks what became of pieces without a place, before it is a fault. The parts are
    still to be checked (``check_rows``). Raises PBCGError for what is not a position. Rule: 9.2 OB.
    """
    rows = read_parts(raw, board, catalogue)
    PieceNames(rows, state.pieces if state else ()).settle()
    if rows.is_counted:
        yield from _Count(rows, state).settle()
    if ask_places:
        yield from _ask_places(rows)
    complete(rows)
    return rows


class _Row(msgspec.Struct):
    """One piece that has no id yet."""

    key: str
    entry: Written
    wanted: Wanted | None


class _Count:
    """The pieces of rows without ids."""

    def __init__(self, rows: Rows, state: Campaign | None) -> None:
        self.rows = rows
        self.state = state
        self.counted: list[_Row] = []

    def settle(self) -> Script[None]:
        """Give every piece an id, and every counted SW a possessor."""
        for section in PIECES:
            self.rows.raw.missing.add((section, "id"))
            self.rows.written[section] = self._spread(section)
        if self.state is not None:
            yield from self._identify(self.state)
        ids = Ids(self.state, (entry.id for entry in self.rows.pieces()))
        for row in self.counted:
            if "id" not in row.entry.values:
                side = row.wanted.side if row.wanted else Side.BRITISH
                id = ids.next(side, str(row.entry.values.get("type") or "piece"))
                row.entry.values["id"] = id
                self.rows.made_ids.add(id)
        yield from self._hand_out()

    # -- rows to pieces ------------------------------------------------------------------

    def _spread(self, section: str) -> list[Written]:
        """Return as many entries of each row as it counts."""
        entries: list[Written] = []
        for written in self.rows.written[section]:
            many = self._many(written)
            if len(entries) + many > MAX_PIECES:
                where = self.rows.at(section, written.number, Written(section, 0, {}))
                wrong = f"is one too many: {section} holds at most {MAX_PIECES:,} pieces"
                self.rows.wrong(where, "", wrong)
                break
            entries += [self._one(written) for _ in range(many)]
        return entries

    def _many(self, written: Written) -> int:
        count: int = written.values.get(COUNT, 1)
        if count > 1 and "id" in written.values:
            where = self.rows.at(written.section, written.number, written, COUNT)
            self.rows.wrong(where, count, "is for rows whose id is empty: one name, one piece")
            return 1
        return count

    def _one(self, written: Written) -> Written:
        values = {key: value for key, value in written.values.items() if key != COUNT}
        made = Written(written.section, written.number, values, written.named)
        if "id" not in values:
            side = self._side(made)
            if side and "side" not in values:
                values["side"] = side
            key = f"{values.get('at') or ''} {values.get('type') or ''} {len(self.counted) + 1}"
            self.counted.append(_Row(key, made, self._want(key, made, side)))
        return made

    def _side(self, written: Written) -> Side | None:
        """Return the side of a row: as written, else the only one that has such a type."""
        if "side" in written.values:
            side: Side | None = written.values["side"]
            return side
        type, kind = str(written.values.get("type") or ""), TYPES[written.section][0]
        able = [s for s in Side if isinstance(self.rows.catalogue.find(type, s), kind)]
        return able[0] if len(able) == 1 else None

    def _want(self, key: str, written: Written, side: Side | None) -> Wanted | None:
        values, section = written.values, written.section
        status, type, at = values.get("status", ()), values.get("type"), values.get("at")
        if side is None or status is None or not type or not at:
            return None
        captured = section != "units" and EquipmentStatus.CAPTURED in status
        maker = side.other if captured else side
        if self.rows.catalogue.find(type, maker) is None:
            return None
        formation = values.get("formation")
        formations = (formation,) if formation else ()
        status = tuple(map(str, status))
        return Wanted(key, section, type, maker, at, status=status, formations=formations)

    # -- which pieces they are -------------------------------------------------------------

    def _identify(self, state: Campaign) -> Script[None]:
        """Decide which pieces of the campaign the rows are; ask where it matters."""
        taken = {entry.id for entry in self.rows.pieces()}
        free = [piece for piece in state.pieces if piece.id not in taken]
        wanted = [row.wanted for row in self.counted if row.wanted]
        identities = Identities(wanted, free, state, groups=False)
        while doubtful := identities.doubtful():
            piece = doubtful[0]
            answer = yield from ask(
                Prompt(
                    id="count.piece",
                    about=piece.key,
                    where=piece.at,
                    rule="9.2 OB",
                    options=tuple(identities.options(piece, "Deployed or created in play")),
                    default=identities.best(piece) or NEW,
                    text=f"Which piece is the {piece.type} in {piece.at}?",
                )
            )
            identities.answer({piece.key: str(answer)})
        for row in self.counted:
            if id := identities.matching.ids.get(row.key, ""):
                row.entry.values["id"] = id
                _keep(row.entry.values, state.piece(id))

    # -- who holds what ------------------------------------------------------------------------

    def _hand_out(self) -> Script[None]:
        """Settle who possesses each SW that a row counts and no unit names."""
        units = self.rows.written["units"]
        held = {id for unit in units for id in unit.values.get("possesses") or ()}
        for row in self.counted:
            if row.entry.section != "equipment" or row.wanted is None or row.entry.id in held:
                continue
            able = [unit for unit in units if self._can_hold(unit, row.entry)]
            holder = yield from self._holder(row.entry, able)
            if holder is not None:
                own = holder.values.get("possesses") or ()
                holder.values["possesses"] = (*own, row.entry.id)

    def _can_hold(self, unit: Written, weapon: Written) -> bool:
        values = unit.values
        if any(values.get(key) != weapon.values.get(key) for key in ("at", "side")):
            return False
        type = self.rows.catalogue.find(str(values.get("type")), values["side"])
        prisoner = UnitStatus.PRISONER in (values.get("status") or ())
        return type is not None and type.kind in MMC and not prisoner

    def _holder(self, weapon: Written, able: list[Written]) -> Script[Written | None]:
        """Return the unit that possesses a SW: asked only where it makes a difference."""
        if self.state is not None:
            had = {piece.id for piece in self.state.pieces if weapon.id in piece.possesses}
            before = [unit for unit in able if unit.id in had]
            if before:
                return before[0]
        empty = [unit for unit in able if not unit.values.get("possesses")] or able
        if len({_alike(unit) for unit in able}) <= 1:
            return empty[0] if empty else None
        options = [
            Option(
                unit.id,
                typed_name(unit.values["type"], unit.id),
                status_words(unit.values.get("status") or ()),
            )
            for unit in able
        ]
        answer = yield from ask(
            Prompt(
                id="count.holder",
                about=weapon.id,
                where=weapon.values["at"],
                rule="A4.43",
                options=(*options, Option(NOBODY, "nobody")),
                default=empty[0].id,
                text=f"Who holds the {weapon.values['type']} in {weapon.values['at']}?",
            )
        )
        return next((unit for unit in able if unit.id == answer), None)


def _alike(unit: Written) -> tuple[str, tuple[str, ...]]:
    status = unit.values.get("status") or ()
    return str(unit.values.get("type")), tuple(sorted(map(str, status)))


def _keep(values: dict[str, Any], piece: Piece) -> None:
    """Add what a row need not say again of its piece: statuses that never end, its name."""
    if piece.has(UnitStatus.WALKING_WOUNDED):
        status = (*(values.get("status") or ()), UnitStatus.WALKING_WOUNDED)
        values["status"] = tuple(dict.fromkeys(status))
    if piece.name and not piece.is_weapon:
        values.setdefault("name", piece.name)


# -- pieces without a place -------------------------------------------------------------------


def _ask_places(rows: Rows) -> Script[None]:
    """Ask whether pieces without a place were Eliminated; if not, each is a fault.

    Rule: 9.2 Eliminated.
    """
    place_with_holders(rows)
    lost = [row for row in rows.pieces() if row.named and "at" not in row.values]
    if not lost:
        return
    names = [typed_name(str(row.values.get("type") or ""), row.id) for row in lost]
    more = len(names) - _NAMED
    named = ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")
    answer = yield from ask(
        Prompt(
            id="ob.unplaced",
            rule="9.2 Eliminated",
            options=(
                Option(ELIMINATED, "yes, Eliminated"),
                Option(_LOOK, "no: show where their places are missing"),
            ),
            text=f"No place is given for {number_words(len(names), 'piece')}: {named}. Were they "
            "Eliminated?",
            help="A piece that was Eliminated has eliminated as its status or place, or no row at "
            "all. What never entered waits at its Entry Area, as off-map A7.",
        )
    )
    if answer == ELIMINATED:
        for row in lost:
            rows.written[row.section].remove(row)
            side = row.values.get("side")
            rows.eliminated.append(GoneEntry(row.section, row.number, row.id, side))
