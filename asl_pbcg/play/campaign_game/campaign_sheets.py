"""The sheets of a campaign, filled for one reader, with notes on corrections and undone rolls.

A sheet whose campaign has corrections, rolls undone or dice other than its own says so at its
foot. A side gets its own Setup Sheet only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import msgspec

from asl_pbcg.campaign.sheets import ledger
from asl_pbcg.campaign.sheets.campaign_sheets_content import (
    cg_roster,
    force_roster,
    rg_purchase_record,
)
from asl_pbcg.campaign.state.campaign_events import PieceEvent
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.record_lines import RosterLine
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.chronicle.reph_sheets import map_record, report, setup_sheet
from asl_pbcg.chronicle.reph_summary import reph_summary
from asl_pbcg.chronicle.service import Chronicle, chronicle_of, moments_of, recent_events
from asl_pbcg.chronicle.service_sheets import service_record
from asl_pbcg.chronicle.table_card import table_card
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.journal import Snapshot
from asl_pbcg.kernel.player_notes import PlayerNote, notes_of
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.views import UMPIRE, LogLine, for_side
from asl_pbcg.play.campaign_game.campaign_poster import campaign_sheet
from asl_pbcg.play.campaign_game.history import ROSTER
from asl_pbcg.play.help_texts import REFIT_HELP
from asl_pbcg.play.plug import SheetName
from asl_pbcg.records.sheet import Sheet

MARKED = {
    "correction": ("correction", "corrections"),
    "undo": ("roll undone", "rolls undone"),
    "redo": ("roll or correction redone", "rolls or corrections redone"),
    "exception": ("roll with other dice", "rolls with other dice"),
}
"""The kinds of lines that nobody may overlook, and how they are counted."""
MAX_LISTED = 12
"""So many are told one by one; the others of the RePh are counted, as those before it are."""
_MAX_LETTERS = 240


def mark_notes(every: Sequence[LogLine], recent: Sequence[LogLine], sees: str) -> tuple[str, ...]:
    """The notes at the foot of a record, as ``sees`` may read them; none if nothing is marked.

    ``every`` is the whole log, ``recent`` its end that the record is about.
    """
    now = [line for line in for_side(recent, sees) if line.kind in MARKED]
    before = [
        line for line in for_side(every[: len(every) - len(recent)], sees) if line.kind in MARKED
    ]
    notes = [f"MARKED, {_when(line)}: {_short(line.text)}" for line in now[:MAX_LISTED]]
    if len(now) > MAX_LISTED:
        notes.append(
            f"MARKED, not listed here: {_count_words(now[MAX_LISTED:])}; the report has them."
        )
    if before:
        notes.append(f"MARKED before this RePh: {_count_words(before)}; the whole report has all.")
    return tuple(notes)


def _when(line: LogLine) -> str:
    date, _, at = line.step.partition("/")
    title = CGDate.title_of(date)
    return f"{title} {at}".strip() if at.startswith("9") else title


def _short(words: str) -> str:
    text = " ".join(words.split())
    return text if len(text) <= _MAX_LETTERS else f"{text[: _MAX_LETTERS - 3]}..."


def _count_words(lines: Sequence[LogLine]) -> str:
    counts = Counter(line.kind for line in lines)
    return ", ".join(
        f"{counts[kind]} {one if counts[kind] == 1 else more}"
        for kind, (one, more) in MARKED.items()
        if counts[kind]
    )


SUMMARY, PURCHASES, REPORT, MAP = "summary", "purchases", "report", "map"
CAMPAIGN = "campaign"
NO_TABLES = (MAP, SUMMARY, CAMPAIGN, REPORT)
"""The sheets that have no table of data to give as CSV or JSON."""


def _forces(side: Side) -> str:
    return f"{side.value}-forces"


def _setup(side: Side) -> str:
    return f"{side.value}-setup"


def _service(side: Side) -> str:
    return f"{side.value}-service"


def _card(side: Side) -> str:
    return f"{side.value}-card"


def _titles(state: Campaign) -> dict[str, str]:
    """Of each sheet the campaign's module prints its title."""
    titles = {
        SUMMARY: "Refit Phase in Short",
        ROSTER: "CG Roster",
        PURCHASES: "RG Purchase Record",
        **{_forces(side): f"{side.title} force roster" for side in state.sides},
        **{_setup(side): f"{side.title} Setup Sheet" for side in state.sides},
        MAP: "Map",
        CAMPAIGN: "The campaign on one page",
        **{_service(side): f"{side.title} Service Record" for side in state.sides},
        **{_card(side): f"{side.title} Table Card" for side in state.sides},
        REPORT: "Report of the RePh",
    }
    printed = state.module.sheets
    return {name: title for name, title in titles.items() if name.split("-")[-1] in printed}


def is_of_the_evening(name: str, ended: str = "") -> bool:
    """Whether a sheet is printed if nobody names one: log, service records and cards are not.

    The campaign on one page is once it has ``ended``.
    """
    on_request = name == REPORT or name.endswith(("-service", "-card"))
    return not on_request and (name != CAMPAIGN or bool(ended))


@dataclass(frozen=True, slots=True)
class Background:
    """The background of sheets: the log, and the campaign before the last scenario.

    ``lines`` are those for the report, ``every`` the whole log, ``recent`` that of the last RePh.
    """

    session: Session[Campaign]
    lines: list[LogLine]
    every: list[LogLine]
    recent: list[LogLine]
    before: Campaign | None = None
    start: Snapshot | None = None
    """The end of the last RePh before, as the file keeps it."""


def background(session: Session[Campaign], whole: bool = False) -> Background:
    """Gather what sheets tell of the RePh in progress or just done; ``whole`` for all its log."""
    state, lines = session.state, session.lines()
    played = state.date if state.at in _DURING else None
    if played is None and state.determined is not None:
        played = state.determined.date
    before, kept = None, None
    if played is not None:
        kept = session.journal.states.last(within=f"{played.value}/9.620")
        before = session.game.decode(kept.state) if kept is not None else None
    recent = last_reph(lines)
    return Background(session, lines if whole else recent, lines, recent, before, kept)


_DURING = tuple(f"9.6{number:02}" for number in range(1, 13))
"""The steps that belong to the CG Date just played."""


def sheet_names(state: Campaign, sees: str) -> list[SheetName]:
    """The sheets there are for ``sees`` now: a side gets its own Setup Sheet, none between the end
    of a scenario and the next CG Date, and a map once a CG scenario has been played."""
    others = [side for side in state.sides if sees not in (UMPIRE, side.value)]
    hidden = {name(side) for side in others for name in (_setup, _service, _card)}
    if state.scenario_over:
        hidden |= {_setup(side) for side in state.sides}
    if not state.determined:
        hidden |= {MAP, SUMMARY}
    return [
        SheetName(name, title, name not in NO_TABLES)
        for name, title in _titles(state).items()
        if name not in hidden
    ]


def last_reph(lines: list[LogLine]) -> list[LogLine]:
    """Of a campaign's log what belongs to the last RePh, from the end of its CG scenario on.

    Before the end of the first scenario that is all there is. What is corrected or undone
    before anything is answered of the next scenario still belongs to it.
    """
    starts: dict[str, int] = {}
    for number, line in enumerate(lines):
        if line.step.endswith("/scenario") and line.kind not in MARKED:
            starts.setdefault(line.step, number)
    return lines[max(starts.values()) :] if starts else lines


def campaign_sheets(
    state: Campaign,
    sees: str,
    only: Collection[str] = (),
    templates: Path | None = None,
    behind: Background | None = None,
    paper: str = "a4",
) -> list[Sheet]:
    """Fill the sheets as ``sees`` may see them: those of an evening if none is named.

    ``behind`` is what summary, service records and report tell from, and what CG Roster and RG
    Purchase Record mark at their foot: corrections, rolls undone, dice that were not the
    campaign's own. ``paper`` is that of the map sheet. Raises PBCGError for a sheet that is another
    side's secret.
    """
    makers = _sheet_makers(state, sees, only, templates, behind, paper)
    makers |= _card_makers(state, sees, templates)
    for name in only:
        if name not in makers:
            raise PBCGError(f'There is no sheet "{name}" for you now: {", ".join(makers)} are.')
    return [
        make()
        for name, make in makers.items()
        if (name in only if only else is_of_the_evening(name, state.ended))
    ]


def _sheet_makers(
    state: Campaign,
    sees: str,
    only: Collection[str],
    templates: Path | None,
    behind: Background | None,
    paper: str,
) -> dict[str, Callable[[], Sheet]]:
    """Return how each sheet is made that there is for ``sees``, in the order of printing."""
    header = ledger.header(state)
    notes = mark_notes(behind.every, behind.recent, sees) if behind else ()
    own = [side for side in state.sides if sees in (UMPIRE, side.value)]
    makers: dict[str, Callable[[], Sheet]] = {}
    if state.determined is not None:
        before = behind.before if behind else None
        makers[SUMMARY] = lambda: reph_summary(
            before, state, sees, templates, _recent_events(behind, state, sees)
        )
    written = notes_of(behind.session.journal, sees) if behind else []
    makers[ROSTER] = lambda: _with_notes(
        cg_roster(_with_diary(ledger.roster_lines(state), written), header, sees, templates), notes
    )
    makers[PURCHASES] = lambda: _with_notes(
        rg_purchase_record(ledger.purchase_lines(state), header, sees, templates), notes
    )
    for side in state.sides:
        makers[_forces(side)] = partial(_forces_of, state, side, sees, templates, written)
    # Between a scenario and the next CG Date nothing sets up.
    for side in () if state.scenario_over else state.sides:
        if side in own or _setup(side) in only:
            makers[_setup(side)] = partial(setup_sheet, state, side, sees, templates)
    if state.determined or MAP in only:
        makers[MAP] = partial(map_record, state, paper, templates)
    if behind is not None:
        for side in own:
            makers[_service(side)] = partial(_service_record, behind, side, sees, templates)
        makers[CAMPAIGN] = partial(campaign_sheet, behind.session, sees, paper)
        makers[REPORT] = partial(report, behind.lines, state, sees, templates=templates)
    printed = _titles(state)
    return {name: make for name, make in makers.items() if name in printed}


def _card_makers(
    state: Campaign, sees: str, templates: Path | None
) -> dict[str, Callable[[], Sheet]]:
    """Return how the table cards of ``sees`` are made, if the module has any."""
    steps, titles = REFIT_HELP.content.steps, _titles(state)
    return {
        _card(side): partial(table_card, state.campaign, side, steps, templates)
        for side in state.sides
        if sees in (UMPIRE, side.value) and _card(side) in titles
    }


def _forces_of(
    state: Campaign,
    side: Side,
    sees: str,
    templates: Path | None,
    written: Sequence[PlayerNote] = (),
) -> Sheet:
    lines, areas = ledger.force_lines(state, side, sees), ledger.area_names(state, side)
    head = ledger.header(state)
    lines = [
        msgspec.structs.replace(line, notes=_join_notes(line.notes, own))
        if (own := [note for note in written if note.about == line.id])
        else line
        for line in lines
    ]
    return force_roster(lines, side, head, sees, templates, areas, state.catalogue)


def _service_record(behind: Background, side: Side, sees: str, templates: Path | None) -> Sheet:
    return service_record(chronicle_of(behind.session, sees), side, templates)


def _recent_events(behind: Background | None, state: Campaign, sees: str) -> Sequence[PieceEvent]:
    if behind is None:
        return ()
    return recent_events(Chronicle(state, moments_of(behind.session, behind.start), sees))


def _with_diary(lines: Iterable[RosterLine], written: Sequence[PlayerNote]) -> list[RosterLine]:
    """Return the lines of the CG Roster with the diary of each CG Date among their notes."""
    diary = [note for note in written if not note.about and not note.line]
    return [
        msgspec.structs.replace(line, notes=_join_notes(line.notes, own))
        if (own := [note for note in diary if note.date == line.date])
        else line
        for line in lines
    ]


def _join_notes(words: str, notes: Iterable[PlayerNote]) -> str:
    for note in notes:
        between = " " if words.endswith((".", "!", "?")) else "; "
        words = f"{words}{between}{_of_sheet(note)}" if words else _of_sheet(note)
    return words


def _of_sheet(note: PlayerNote) -> str:
    """Return a note as a sheet has it, where its piece or date stands beside it."""
    return msgspec.structs.replace(note, about="").words


def _with_notes(sheet: Sheet, notes: tuple[str, ...]) -> Sheet:
    return replace(sheet, notes=sheet.notes + notes)
