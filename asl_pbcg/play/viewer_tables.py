"""Tables of a campaign as data, each as whoever sits at a seat may know it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from asl_pbcg.campaign.state import Campaign
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.facts import facts_of
from asl_pbcg.kernel.player_notes import notes_of
from asl_pbcg.kernel.views import UMPIRE, LogLine
from asl_pbcg.play.history import Fall, dates, dice_falls
from asl_pbcg.play.seat import Seat
from asl_pbcg.refit.luck_ledger import luck_ledger
from asl_pbcg.refit.service import Chronicle, chronicle_of, moments_of

Tables = Mapping[str, Iterable[Any]]


def viewer_tables(seat: Seat, name: str) -> Tables:
    """Return the tables ``name`` of a campaign; raises PBCGError for a name that is not one."""
    if not isinstance(seat.game.session.state, Campaign):
        raise PBCGError("Only a campaign has tables as data; print its sheets.")
    if name not in _TABLES:
        raise PBCGError(f'There is no table "{name[:40]}": choose one of {", ".join(_TABLES)}.')
    return _TABLES[name](seat)


def log_rows(lines: Iterable[LogLine]) -> Tables:
    """Return lines of the log as a table."""
    return {"log": map(_log_row, lines)}


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


def loss_rows(chronicle: Chronicle) -> Tables:
    """Return the honours and the losses of each side that the chronicle's viewer is."""
    sees = chronicle.viewer
    sides = [side for side in chronicle.state.sides if sees in (UMPIRE, side.value)]
    return {
        "honours": [each for side in sides for each in chronicle.honours(side)],
        "losses": [each for side in sides for each in chronicle.losses(side)],
    }


def _log_row(line: LogLine) -> dict[str, Any]:
    rolled = line.roll
    return facts_of(line, "seq step kind side secret point rule where text") | {
        "dice": " ".join(map(str, rolled.dice)) if rolled else None,
        "drm": rolled.total_drm if rolled else None,
        "final": rolled.final if rolled else None,
        "result": rolled.result if rolled else None,
    }


def _dates(seat: Seat) -> Tables:
    session = seat.game.session
    return {"dates": dates(session.state, seat.sees, notes_of(session.journal, seat.sees))}


def _luck(seat: Seat) -> Tables:
    ledger = luck_ledger(moments_of(seat.game.session), seat.sees)
    names = "phase side kind unit rolls expected brought difference"
    return {"luck": [facts_of(line, names) for line in ledger]}


_TABLES: Final[Mapping[str, Callable[[Seat], Tables]]] = {
    "dates": _dates,
    "dice": lambda seat: dice_rows(dice_falls(seat.lines())),
    "log": lambda seat: log_rows(seat.lines()),
    "losses": lambda seat: loss_rows(chronicle_of(seat.game.session, seat.sees)),
    "luck": _luck,
}
