"""Work of the page that takes long, as the functions that ``Workers`` run in a process.

Each opens the game file to look at, beside whoever plays, and sits down at the seat of the viewer:
what that seat may not see is not drawn, printed or told.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from asl_pbcg import __version__
from asl_pbcg.kernel.canonical import digest
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import write_atomic
from asl_pbcg.kernel.journal_cache import cache_folder, keep_newest
from asl_pbcg.kernel.paper_letters import hear_missing_letters
from asl_pbcg.kernel.rules_print import program_stamp
from asl_pbcg.play.area_play import area_look
from asl_pbcg.play.area_play.area_game import rules_of
from asl_pbcg.play.area_play.area_words import GAME_FILE, cards_in
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.play.seat import Seat
from asl_pbcg.play.waiting import as_seen
from asl_pbcg.records.data_tables import tables_as
from asl_pbcg.records.output import tables_of, to_excel, to_pdf
from asl_pbcg.st.area_terms import PHASES
from asl_pbcg.st.many.score_card import ScoreCard, compare_cards, read_cards
from asl_pbcg.st.player.workers import cores
from asl_pbcg.st.rules.area_game_steps import AreaGame
from asl_pbcg.st.rules.game_record import record_of
from asl_pbcg.web.worker_processes import Tell

ALL: Final = "all"
"""The name of all sheets together."""
MAX_PICTURES: Final = 1000
"""So many pictures are kept on the disk."""
WEIGHING: Final = 0.7
"""The share of the time of a report that the weighing takes, about."""


class ViewerPlace(NamedTuple):
    """A viewer's place at a game file."""

    path: Path
    viewer: str
    eyes: str


def own_viewer(game: OpenGame, viewer: str) -> str:
    """Return the viewer that sits down: in a game of one side, or of none, who is there plays."""
    if viewer == "both" and "both" not in game.viewers:
        return next(iter(game.plug.sides), "umpire")
    return viewer


@contextlib.contextmanager
def _seat(place: ViewerPlace) -> Iterator[Seat]:
    with OpenGame.open(place.path, look=True) as game:
        viewer = own_viewer(game, place.viewer)
        yield Seat(as_seen(game, viewer), viewer, place.eyes if viewer == "both" else "")


# -- pictures of the home page -------------------------------------------------------------


def kept_picture(seat: Seat) -> Path | None:
    """Return where the small picture of the map is kept for a seat; None where nothing is.

    A picture is kept for one viewer, by the last entry of which he knows: while the other side
    acts in secret neither the picture nor the time that it takes changes.
    """
    folder = cache_folder("pictures")
    if folder is None:
        return None
    session, journal = seat.game.session, seat.game.session.journal
    head = journal.head if session.until is None else journal.head_of(session.until)
    about = (program_stamp(__version__), head, seat.viewer, seat.eyes)
    return folder / f"{digest(' '.join(about).encode())}.png"


def draw_picture(tell: Tell, place: ViewerPlace) -> bytes | None:
    """Draw the map small as a viewer sees it, and keep it; None without a map."""
    with _seat(place) as seat:
        drawn = seat.game.plug.thumbnail(seat.game.session, seat.sees)
        file = kept_picture(seat)
    if drawn and file:
        with contextlib.suppress(OSError, PBCGError):  # it is drawn again then
            keep_newest(file.parent, file.suffix, MAX_PICTURES)
            write_atomic(file, drawn, private=True)
    return drawn


# -- sheets --------------------------------------------------------------------------------


def print_sheets(
    tell: Tell, place: ViewerPlace, name: str, paper: str, kind: str
) -> tuple[bytes, str]:
    """Print a sheet, or all of the evening, as ``pdf`` or ``xlsx``.

    With it comes a sentence on texts whose letters have no font on paper; empty if there are none.
    """
    with _seat(place) as seat:
        if not seat.sees:
            raise PBCGError("Say whose sheets: what is on them is for one player's eyes.")
        tell(0.2)
        filled = seat.sheet(() if name == ALL else (name,), paper)
    tell(0.6)  # to fill them and to print them take about as long
    remarks: list[str] = []
    with hear_missing_letters(remarks.append):
        made = (to_pdf if kind == "pdf" else to_excel)(filled, paper)
    return made, " ".join(remarks)


def export_table(tell: Tell, place: ViewerPlace, name: str, kind: str) -> bytes:
    """Write a table of a campaign, or the tables of a sheet of that name, as a csv or xlsx file."""
    with _seat(place) as seat:
        from asl_pbcg.play.campaign_game import viewer_tables

        if name in {each.name for each in seat.sheets()}:
            return tables_as(tables_of(seat.sheet((name,))), kind)
        return tables_as(viewer_tables.viewer_tables(seat, name), kind)


def draw_page(
    tell: Tell, place: ViewerPlace, name: str, paper: str, page: int
) -> tuple[bytes, int, str]:
    """Draw one page of a sheet as PNG; with it how many there are, and what print_sheets says."""

    import pypdfium2

    printed, remark = print_sheets(tell, place, name, paper, "pdf")
    with pypdfium2.PdfDocument(printed) as document:
        if page > len(document):
            raise PBCGError(f"This sheet has {len(document)} pages.")
        image = document[page - 1].render(scale=1.6).to_pil()
        out = io.BytesIO()
        image.save(out, "PNG")
        return out.getvalue(), len(document), remark


# -- the area game -------------------------------------------------------------------------


def make_film(tell: Tell, place: ViewerPlace) -> str:
    """Make the film of an area game, a page that stands alone."""
    with _seat(place) as seat:
        return area_look.film_of(seat.game.session)


def make_film_events(tell: Tell, place: ViewerPlace) -> bytes:
    """Return the frames of the film as JSON, for the page's own film."""
    with _seat(place) as seat:
        return msgspec.json.encode({"frames": area_look.film_events(seat.game.session)})


class WeighedGame(msgspec.Struct, frozen=True):
    """The report on an area game: a page that stands alone, and what the page itself shows."""

    page: str
    curve: list[dict[str, Any]]
    sections: list[tuple[str, list[str]]]


def weigh_game(tell: Tell, place: ViewerPlace) -> WeighedGame:
    """Make the report on an area game that is over."""

    from asl_pbcg.st.thinking import analysis, analysis_report

    with _seat(place) as seat:
        session = seat.game.session
        game, record, state = AreaGame(rules_of(session).map), record_of(session), session.state
    found = analysis.analyse(game, record, tell=lambda done: tell(done * WEIGHING), jobs=cores())
    games = analysis.AGAINST
    analysis.compare_with_good(
        found, game, state, games, lambda n: tell(WEIGHING + (1 - WEIGHING) * n / games), cores()
    )
    german = next(each.title for each in PHASES if each.name == "german_movement")
    curve = [
        {
            "turn": point.turn,
            "phase": point.phase,
            "vp": round(point.vp, 1),
            "error": round(2 * point.error, 1),
            "german": point.phase == german,
            "end": point.phase == analysis.END,
        }
        for point in found.curve
    ]
    page = analysis_report.html_report(found)
    return WeighedGame(page, curve, analysis_report.report_lines(found))


def compare_challenge(tell: Tell, place: ViewerPlace, day: str, pasted: str) -> list[ScoreCard]:
    """Return the cards of a challenge in the folder, and those in a text, as a table."""
    cards = list(cards_in(sorted(place.path.parent.glob(f"*{GAME_FILE}")), day))
    if pasted.strip():
        cards += read_cards(pasted, "What is pasted")
    return compare_cards(cards, day)
