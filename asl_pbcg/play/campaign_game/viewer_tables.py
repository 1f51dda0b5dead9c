"""Tables of a campaign as data, each as whoever sits at a seat may know it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from asl_pbcg.campaign.module.frame import SCENARIO
from asl_pbcg.campaign.sheets.ledger import roster_lines
from asl_pbcg.campaign.sheets.record_tables import roster_tables
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.record_lines import lines_for_side
from asl_pbcg.chronicle.luck_ledger import luck_ledger
from asl_pbcg.chronicle.service import (
    Chronicle,
    Honour,
    PieceLoss,
    ServiceLine,
    ServiceRecord,
    chronicle_of,
    moments_of,
)
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.facts import facts_of
from asl_pbcg.kernel.player_notes import notes_of
from asl_pbcg.kernel.views import UMPIRE, LogLine
from asl_pbcg.play.campaign_game.history import ROSTER, Fall, dates, dice_falls
from asl_pbcg.play.seat import Seat
from asl_pbcg.records.data_tables import Tables
from asl_pbcg.records.sheet import DataTable
from asl_pbcg.vasl.log_dice import LoggedRoll


def viewer_tables(seat: Seat, name: str) -> Tables:
    """Return the tables ``name`` of a campaign; raises PBCGError for a name that is not one."""
    if not isinstance(seat.game.session.state, Campaign):
        raise PBCGError("Only a campaign has tables as data; print its sheets.")
    if name not in _TABLES:
        raise PBCGError(f'There is no table "{name[:40]}": choose one of {", ".join(_TABLES)}.')
    return _TABLES[name](seat)


def log_rows(lines: Iterable[LogLine]) -> Tables:
    """Return lines of the log as a table."""
    return {"log": DataTable(_LOG, list(map(_log_row, lines)))}


def dice_rows(falls: Iterable[Fall]) -> Tables:
    """Return a row for each total of the dice: how often it came, and its exact chance."""
    return {
        "dice": [
            {
                **facts_of(fall, "side dice"),
                "total": total,
                "came": came,
                "chance": chance,
                "expected": fall.count * chance,
            }
            for fall in falls
            for total, (came, chance) in enumerate(
                zip(fall.faces, fall.chances, strict=True), fall.dice
            )
        ]
    }


def throw_rows(
    rolls: Iterable[LoggedRoll], names: Mapping[str, str], lines: Iterable[LogLine] = ()
) -> Tables:
    """Return a row for each throw of VASL logs and, in ``lines``, of the Refit Phases.

    ``names`` says the side of each player, by name in small letters.
    """
    rows = [
        _throw_row(line.roll.dice, side=line.side, player=line.by, phase=line.step)
        for line in lines
        if line.roll is not None
    ]
    rows += [
        _throw_row(
            roll.dice,
            log=roll.log,
            phase=SCENARIO,
            side=names.get(roll.player.casefold(), ""),
            player=roll.player,
            kind=roll.kind,
        )
        for roll in rolls
    ]
    return {"throws": DataTable(_THROWS, rows)}


_THROWS: Final = ("log", "phase", "side", "player", "kind", "dice", "total")


def _throw_row(dice: tuple[int, ...], **facts: str) -> dict[str, Any]:
    words = ",".join(map(str, dice))
    return {**dict.fromkeys(_THROWS, ""), **facts, "dice": words, "total": sum(dice)}


def loss_rows(chronicle: Chronicle) -> Tables:
    """Return the honours and the losses of each side that the chronicle's viewer is."""
    sees = chronicle.viewer
    sides = [side for side in chronicle.state.sides if sees in (UMPIRE, side.value)]
    return {
        "honours": _deeds(
            _HONOUR, (honour for side in sides for honour in chronicle.honours(side))
        ),
        "losses": _deeds(_LOSS, (loss for side in sides for loss in chronicle.losses(side))),
    }


def service_rows(record: ServiceRecord) -> Tables:
    """Return the deeds of a piece."""
    return {"service": _deeds(_SERVICE, record.lines)}


_ENTRIES: Final = ("first_entry", "last_entry")
"""The numbers of the first and the last entry of the log that a deed comes from."""
_HONOUR: Final = ("side", "kind", "date", "title", "piece", "type", "text", *_ENTRIES)
_LOSS: Final = (
    "side", "date", "title", "rule", "kind", "piece", "type", "squads", "cvp", "text", *_ENTRIES,
)  # fmt: skip
_SERVICE: Final = ("date", "title", "rule", "text", "undone", *_ENTRIES)


def _deeds(
    columns: tuple[str, ...], deeds: Iterable[Honour | PieceLoss | ServiceLine]
) -> DataTable:
    rows = []
    for deed in deeds:
        on_paper = getattr(deed, "cvp", None) is not None
        named = "" if on_paper else getattr(deed, "piece", "")
        type, _, mark = named.rpartition(" ")
        ends = (deed.entries[0], deed.entries[-1]) if deed.entries else (None, None)
        row = facts_of(deed, deed.__struct_fields__) | dict(zip(_ENTRIES, ends, strict=True))
        rows.append({**row, "piece": mark if "-" in mark else named, "type": type})
    return DataTable(columns, rows)


_LOG: Final = (
    "seq", "date", "step", "kind", "side", "by", "secret", "point", "rule", "where", "text",
    "die_1", "die_2", "drm", "final", "result",
)  # fmt: skip


def _log_row(line: LogLine) -> dict[str, Any]:
    date, _, step = line.step.rpartition("/")
    row = {**facts_of(line, "seq kind side by secret point rule where text"), "date": date}
    if rolled := line.roll:
        row |= {f"die_{number}": die for number, die in enumerate(rolled.dice, 1)}
        row |= {"drm": rolled.total_drm, "final": rolled.final, "result": rolled.result}
    return {**row, "step": step}


def _dates(seat: Seat) -> Tables:
    session = seat.game.session
    state, sees = session.state, seat.sees
    notes = notes_of(session.journal, sees)
    if ROSTER not in state.module.sheets:
        return {"dates": dates(state, sees, notes)}
    lines = roster_lines(state)
    for side in () if sees == UMPIRE else [sees] if sees else state.sides:
        lines = lines_for_side(lines, side)
    diary = [{**facts_of(note, note.__struct_fields__), "written": note.at} for note in notes]
    return {**roster_tables(lines, sees), "notes": DataTable(_DIARY, diary)}


_DIARY: Final = ("date", "written", "by", "private", "called", "about", "line", "text")


def _luck(seat: Seat) -> Tables:
    ledger = luck_ledger(moments_of(seat.game.session), seat.sees)
    names = "phase side kind unit rolls expected brought difference"
    return {"luck": [facts_of(line, names) for line in ledger]}


def _losses(seat: Seat) -> Tables:
    if not seat.sees:
        raise PBCGError("Losses and honours of a side are told where that side alone looks.")
    return loss_rows(chronicle_of(seat.game.session, seat.sees))


_TABLES: Final[Mapping[str, Callable[[Seat], Tables]]] = {
    "dates": _dates,
    "dice": lambda seat: dice_rows(dice_falls(seat.lines())),
    "log": lambda seat: log_rows(seat.lines()),
    "losses": _losses,
    "luck": _luck,
}
