"""A campaign begun on paper, as its players wrote it down: read as a whole, then given as answers.

One file holds the records of both sides and the end position. What one side alone knows becomes an
answer of that side; what the file leaves out is asked.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from asl_pbcg.campaign.board.board import load_board
from asl_pbcg.campaign.board.board_corrections import corrected_board
from asl_pbcg.campaign.entry.position_changes import CHANGES
from asl_pbcg.campaign.entry.position_check import check_rows
from asl_pbcg.campaign.entry.position_counts import read_rows
from asl_pbcg.campaign.entry.position_files import read_raw_position
from asl_pbcg.campaign.entry.position_raw import Raw, Rows
from asl_pbcg.campaign.entry.position_workbook import CONTROL
from asl_pbcg.campaign.module.campaign_module import module_of
from asl_pbcg.campaign.module.house_rules import campaign_rulings
from asl_pbcg.campaign.paper import paper_records
from asl_pbcg.campaign.paper.paper_checks import (
    faults_in,
    group_faults,
    san_without_ii13,
    wrong_group,
)
from asl_pbcg.campaign.paper.paper_limits import beyond_received, excess_words
from asl_pbcg.campaign.paper.paper_records import Records, part_of, with_records
from asl_pbcg.campaign.paper.paper_workbook import (
    CAMPAIGNS,
    ENDS,
    FORMAT,
    HOLDERS,
    HouseRule,
    PaperFacts,
    paper_layout,
)
from asl_pbcg.campaign.position import FORMAT as POSITION
from asl_pbcg.campaign.position import LISTS, PIECES, Position
from asl_pbcg.campaign.state.campaign_state import Campaign, change
from asl_pbcg.campaign.state.piece_changes import Ids
from asl_pbcg.campaign.state.seen import open_part, unseen_entries
from asl_pbcg.campaign.terms import NOBODY, CGDate, Side
from asl_pbcg.kernel.answers import by_default
from asl_pbcg.kernel.deciders import named_twice
from asl_pbcg.kernel.errors import FaultsError, PBCGError
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.struct_reader import ListItem, StructReader
from asl_pbcg.kernel.struct_reader import Path as Place
from asl_pbcg.play.campaign_game.campaign_facts import END_POSITION, PAPER_RECORDS
from asl_pbcg.refit.helpers.subjects import PASS
from asl_pbcg.refit.s913_paper import NONE
from asl_pbcg.refit.s950_initial import begin

HIDDEN: Final = "0.2.0"
_CVP, _END, _END_DR, _II13 = "0.2.8", "0.1", "0.1.dr", "9.13.3"


class PaperBook(msgspec.Struct, frozen=True, kw_only=True):
    """A file of a paper campaign, read; ``cvp`` has the sides whose Casualty VP it gives.

    ``remarks`` tell what is worth a second look.
    """

    settings: dict[str, Any]
    facts: PaperFacts
    records: Records
    position: Position | None
    cvp: tuple[Side, ...]
    remarks: tuple[str, ...] = ()

    def answer(self, prompt: Prompt) -> Any:
        """Return what the file says to ``prompt``; None if nothing."""
        side = Side(prompt.side) if prompt.side else None
        if prompt.id == PAPER_RECORDS:
            records = part_of(self.records, side)
            is_empty = records == Records(format=paper_records.FORMAT)
            return NONE if is_empty else msgspec.to_builtins(records)
        if prompt.id in (_END, _II13):
            return (self.facts.scenario_end if prompt.id == _END else self.facts.ii13) or None
        if prompt.id in (PASS, _END_DR):
            return prompt.default
        if self.position is None:
            return None
        if prompt.id == END_POSITION:
            return msgspec.to_builtins(open_part(self.position))
        if prompt.id == HIDDEN and side:
            return _hidden_part(self.position, side) or NONE
        if prompt.id == _CVP and Side(prompt.about) in self.cvp:
            return self.position.casualty_vp.of(Side(prompt.about))
        return None


def bring_in(session: Session[Campaign], book: PaperBook) -> None:
    """Answer what ``book`` knows, until something is asked that it does not say."""
    with session.together():
        while is_under_way(session, book) and isinstance(session.pending, Prompt):
            answer = book.answer(session.pending)
            if answer is None:
                return
            session.answer(answer)


def is_under_way(session: Session[Campaign], book: PaperBook) -> bool:
    """Whether the paper campaign is still being brought in: the Refit Phase has not begun."""
    module = session.state.module
    steps = (module.from_paper, module.scenario) if book.position else (module.from_paper,)
    return session.state.at in steps


# -- one side's part -------------------------------------------------------------------------------


def _hidden_part(position: Position, side: Side) -> dict[str, Any]:
    """Return what ``side`` alone knows, as changes: its unseen pieces, and the RG of the others."""
    works = [work for work in position.fortifications if work.hidden and work.owner is side]
    hidden = unseen_entries(position)
    lists: dict[str, list[Any]] = {"fortifications": works} if works else {}
    for piece in position.pieces:
        if piece.side is side and (piece.id in hidden or piece.rg):
            entry = piece if piece.id in hidden else {"id": piece.id, "rg": piece.rg}
            lists.setdefault(piece.section, []).append(entry)
    data: dict[str, Any] = msgspec.to_builtins(lists)
    return {"format": CHANGES, **data} if data else {}


# -- reading ---------------------------------------------------------------------------------------


class BookReader(Rows):
    """Reads what a position has not: every line needs its keys, and a list may hold one twice."""

    def miss(self, path: Place) -> None:
        """Note a key that is missing."""
        StructReader.miss(self, path)

    def _items(self, raw: Any, type: Any, path: Place, extra: dict[str, Any]) -> Any:
        return StructReader._items(self, raw, type, path, extra)


def read_book(path: Path, settings: Mapping[str, Any]) -> PaperBook:
    """Return what the file ``path`` says of a paper campaign.

    ``settings`` are those given beside it, and go before its own. Raises FaultsError with every
    fault of the file at once, PBCGError for what is not one.
    """
    raw = read_raw_position(path, paper_layout())
    if not isinstance(raw.data, dict):
        raise PBCGError(f"{path} is not a campaign from paper: it begins with format: {FORMAT}.")
    reader = BookReader(raw, load_board(), module_of(CAMPAIGNS[0]).catalogue)
    reader.numbers_as_text = True
    own = _own_data(raw)
    facts = reader.read({k: v for k, v in own.items() if k not in paper_records.LISTS}, PaperFacts)
    facts = facts or PaperFacts()
    read = {
        name: list(reader.entries(own.get(name), kind, (name,)))
        for name, kind in paper_records.LISTS.items()
    }
    lists: dict[str, Any] = {name: tuple(row for _, row in read[name]) for name in read}
    lists["rg"] = lists["rg"] or None
    records = Records(format=paper_records.FORMAT, **lists)
    chosen = _settings(facts, settings, raw.data.get("date"), reader)
    state = begin(chosen) if chosen.get("from_paper") else None
    cvp: tuple[Side, ...] = ()
    if state:
        numbers = {name: [number for number, _ in rows] for name, rows in read.items()}
        _check_records(records, numbers, state, reader)
        _check_ii13(facts, records, state, reader)
        cvp = _take_cvp(raw, records, state, reader)
    raw.faults = reader.faults
    board = begin(chosen).board if chosen.get("corrections") else corrected_board(None)
    position, remarks = None, tuple[str, ...]()
    rows, _ = by_default(read_rows(raw, None, board))
    if any(raw.data.get(name) for name in (CONTROL, *LISTS)):
        if state:
            is_whole = len(read["rg"]) == sum(1 for _ in reader.list_items(own.get("rg"), ("rg",)))
            _check_received(rows, records, state, is_whole)
        checked = check_rows(rows)
        position, remarks = _with_ids(checked.position, rows.made_ids), checked.remarks
    rows.raise_faults()
    return PaperBook(
        settings=chosen, facts=facts, records=records, position=position, cvp=cvp, remarks=remarks
    )


def is_paper_book(path: Path) -> bool:
    """Whether a file has records of a paper campaign, or says that it has."""
    try:
        data = read_raw_position(path, paper_layout()).data
    except PBCGError:
        return False  # whoever reads it says why
    if not isinstance(data, dict):
        return False
    return data.get("format") == FORMAT or any(data.get(name) for name in paper_records.LISTS)


def _check_records(
    records: Records, numbers: Mapping[str, Sequence[int]], state: Campaign, reader: BookReader
) -> None:
    """Note what is wrong with the records; ``numbers`` are those of their rows in the file."""
    for (name, item, *key), value, wrong in faults_in(records, state):
        assert isinstance(item, ListItem)
        number = numbers[str(name)][item.number - 1]
        reader.wrong((name, ListItem(number), *key), value, wrong)


def _check_received(rows: Rows, records: Records, state: Campaign, is_whole: bool) -> None:
    """Note what a position has that its sides never received. Rule: 9.6152, 9.6178.

    ``is_whole`` says that every row of the RG Purchase Record could be read.
    """
    groups = None
    if records.rg is not None and is_whole and not any(group_faults(records, state)):
        groups = with_records(state, records).groups
        for section in PIECES:
            for number, piece in rows.lists[section]:
                if piece.rg and (wrong := wrong_group(piece.rg, groups)):
                    rows.wrong(rows.at(section, number, piece, "rg"), piece.rg, wrong)
    for section, number, entry, key, value, wrong in beyond_received(
        rows.lists, state, groups, state.sides
    ):
        place = rows.place(rows.at(section, number, entry, key))
        rows.remarks.append(excess_words(place, value, wrong))


def read_part(path: Path, state: Campaign, prompt: Prompt) -> Any:
    """Return the records of a file that ``prompt`` asks for: of both sides, or of one.

    Raises PBCGError for a file of another campaign or CG Date.
    """
    book = read_book(path, {"campaign": state.campaign})
    if book.settings.get("from_paper") != state.date:
        raise PBCGError(f"{path} is of another CG Date: {state.date.title} has been played.")
    return book.answer(prompt)


def _with_ids(position: Position, made: Container[str]) -> Position:
    """Return the position with other ids for those ``made``, which tell nothing of the unseen.

    What both sides see is numbered one after the other, the rest at random.
    """
    hidden = unseen_entries(position)
    ids = Ids(None, (piece.id for piece in position.pieces if piece.id not in made))
    names = {
        piece.id: (ids.next_secret if piece.id in hidden else ids.next)(piece.side, piece.type)
        for piece in position.pieces
        if piece.id in made
    }
    return position.with_pieces(piece.rename(names) for piece in position.pieces)


def _own_data(raw: Raw) -> dict[str, Any]:
    """Take out of a file what a position has not; what is left is a position."""
    data = raw.data
    own = {
        name: data.pop(name)
        for name in (*PaperFacts.__struct_fields__, *paper_records.LISTS)
        if name in data
    }
    if data.get("format") == FORMAT:
        data["format"] = POSITION
    return own


def _settings(
    facts: PaperFacts, typed: Mapping[str, Any], date: object, reader: BookReader
) -> dict[str, Any]:
    """Return the settings of the campaign file: those given, then those of the file."""
    named = {"british": facts.british_player, "german": facts.german_player}
    players = {side: name for side, name in named.items() if name}
    campaign = typed.get("campaign") or facts.campaign.upper()
    if typed.get("campaign") and facts.campaign.upper() not in ("", campaign):
        reader.wrong(("campaign",), facts.campaign, f"is not {campaign}, which was asked for")
    elif campaign not in CAMPAIGNS:
        missing = "" if facts.campaign else "is missing: it "
        wrong = f"{missing}must be one of: {', '.join(CAMPAIGNS)}"
        reader.wrong(("campaign",), facts.campaign, wrong)
    for name, words in (("scenario_end", ENDS), ("ii13", HOLDERS)):
        if getattr(facts, name) not in ("", *words):
            reader.wrong((name,), getattr(facts, name), f"must be one of: {', '.join(words)}")
    for side, names in players.items():
        if twice := named_twice(names):
            reader.wrong((f"{side}_player",), names, f"names {twice} twice: each player once")
    settings = {
        **typed,
        "campaign": campaign,
        "players": {**players, **typed.get("players", {})},
        "balance": typed.get("balance") or (facts.balance or ""),
        "house_rules": {**_house_rules(facts.house_rules, reader), **typed.get("house_rules", {})},
    }
    word = "-".join(str(date or "").strip().lower().replace("_", " ").split())
    if campaign in CAMPAIGNS and word in list(CGDate):
        dates = module_of(campaign).frame.campaigns[campaign].dates
        if CGDate(word) not in dates:
            wrong = f"is not a CG Date of {campaign}: {', '.join(dates)}"
            reader.wrong(("date",), str(date), wrong)
        else:
            settings["from_paper"] = word
            first = min(module_of(campaign).frame.san.ii13_dates, key=lambda day: day.number)
            if facts.ii13 and CGDate(word).number < first.number:
                reader.wrong(("ii13",), facts.ii13, f"is for CG Dates from {first.title} on (CG13)")
    return settings


def _house_rules(rows: tuple[HouseRule, ...], reader: BookReader) -> dict[str, Any]:
    chosen: dict[str, Any] = {}
    for number, row in enumerate(rows, 1):
        if row.rule.upper() in chosen:
            place = ("house_rules", ListItem(number), "rule")
            reader.wrong(place, row.rule, "has two lines: keep one of them")
        try:
            chosen |= campaign_rulings().read_typed([f"{row.rule}={row.choice}"], "--house-rule")
        except FaultsError as error:
            for fault in error.faults:
                reader.wrong(("house_rules", ListItem(number)), fault.value, fault.wrong)
    return chosen


def _check_ii13(facts: PaperFacts, records: Records, state: Campaign, reader: BookReader) -> None:
    """Note a German SAN that II13, as the file has it, cannot have made. Rule: CG13."""
    if facts.ii13 not in HOLDERS or state.date not in state.frame.san.ii13_dates:
        return
    held = change(state, ii13="" if facts.ii13 == NOBODY else facts.ii13)
    for number, row in enumerate(records.roster, 1):
        san = row.german_san
        if row.date is state.date and san is not None and not san_without_ii13(held, san):
            holders = "neither side" if facts.ii13 == NOBODY else f"the {Side(facts.ii13).people}"
            wrong = f"cannot be while {holders} Controlled {state.frame.san.building} (CG13)"
            reader.wrong(("roster", ListItem(number), "german_san"), san, wrong)


def _take_cvp(raw: Raw, records: Records, state: Campaign, reader: BookReader) -> tuple[Side, ...]:
    """Give the position the Casualty VP of the roster; return the sides whose are known.

    Rule: 9.12.
    """
    number, row = next(
        ((n, line) for n, line in enumerate(records.roster, 1) if line.date is state.date),
        (0, records.line(state.date)),
    )
    lost = raw.data.get("casualty_vp")
    listed: dict[str, Any] = {
        side: points
        for side, points in (lost if isinstance(lost, dict) else {}).items()
        if points is not None
    }
    for side in state.sides:
        noted = getattr(row, f"{side}_cvp_lost")
        if noted is not None and listed.setdefault(side.value, noted) != noted:
            wrong = f"must be {listed[side.value]}, as casualty_vp has it"
            reader.wrong(("roster", ListItem(number), f"{side}_cvp_lost"), noted, wrong)
    raw.data["casualty_vp"] = listed
    return tuple(side for side in state.sides if side.value in listed)
