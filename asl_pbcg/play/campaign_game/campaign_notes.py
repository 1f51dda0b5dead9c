"""Notes of the players of a campaign: what they may be about, and whose they are."""

from __future__ import annotations

import msgspec

from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.piece_names import (
    Named,
    first_type,
    name_piece,
    pieces_called,
    read_piece,
    short_name,
    typed_name,
)
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.player_notes import PlayerNote, add_note, read_note, standing_notes
from asl_pbcg.kernel.views import UMPIRE
from asl_pbcg.kernel.wording import stands_in
from asl_pbcg.play.campaign_game.campaign_facts import state_for
from asl_pbcg.play.campaign_game.campaign_map import pieces_known
from asl_pbcg.play.plug import title_of
from asl_pbcg.play.seat import Seat


def keep_note(
    seat: Seat, text: str, *, about: str = "", line: str = "", date: str = "", private: bool = False
) -> PlayerNote:
    """Keep a note of whoever sits at ``seat`` and return it.

    ``about`` is a piece or a hex, ``line`` words of a line of the log, ``date`` the CG Date of a
    diary if not the present one. Raises PBCGError for what cannot be kept, and for an open note
    that would tell the other side of what it does not know.
    """
    seat.must_write()
    session = seat.game.session
    if not isinstance(session.state, Campaign):
        raise PBCGError(f"Notes are kept in campaigns, not in the {title_of(seat.game.plug.game)}.")
    text = read_note(text)
    if not text:
        raise PBCGError("A note without words is not kept.")
    if private and not seat.sees:
        raise PBCGError("Whose note is it? Only one side at the screen can keep a private one.")
    if about and line:
        raise PBCGError("A note is about a piece or hex, or about a line of the log: give one.")
    subject = _subject(seat, about, private) if about else ""
    note = PlayerNote(
        text=text,
        date=_date(session.state, date),
        by=seat.sees if private or seat.sees != UMPIRE else "",
        private=private,
        about=subject,
        called=called if (called := short_name(subject)) != subject else "",
        line=_line(seat, line, private) if line else "",
    )
    with session.together():
        add_note(session.journal, note)
    seat.game.note_change(plays_on=False)
    return note


def own_notes(seat: Seat) -> list[PlayerNote]:
    """Return the notes that whoever sits at ``seat`` wrote and may correct or withdraw."""
    notes = standing_notes(seat.game.session.journal, seat.sees).values()
    return [note for note in notes if note.by == _writer(seat)]


def revise_note(seat: Seat, number: int, text: str = "") -> PlayerNote:
    """Put other words in place of a note of whoever sits at ``seat``; without words, withdraw it.

    The log keeps both. Raises PBCGError for a note that is not the seat's own.
    """
    seat.must_write()
    session = seat.game.session
    text = read_note(text)
    notes = standing_notes(session.journal, seat.sees)
    seq = next((seq for seq, note in notes.items() if note.number == number), None)
    if seq is None:
        raise PBCGError(f'No note {number} stands that you can see: "pbcg note" lists them.')
    note = notes[seq]
    if note.by != _writer(seat):
        whose = f"the {note.by.capitalize()} player" if note.by else "both sides or the umpire"
        raise PBCGError(f"Note {number} is of {whose}: only its writer can change it.")
    if text == note.text:
        raise PBCGError(f"Note {number} says that already.")
    revised = msgspec.structs.replace(note, text=text)
    with session.together():
        add_note(session.journal, revised, seq, note.text)
    seat.game.note_change(plays_on=False)
    return revised if text else note


def _writer(seat: Seat) -> str:
    return seat.sees if seat.sees != UMPIRE else ""


def _date(state: Campaign, typed: str) -> str:
    if not typed:
        return str(state.date.value)
    word = "-".join(typed.lower().split())
    dates = [account.date for account in state.accounts]
    for date in dates:
        if word in (date.value, "-".join(date.title.lower().split())):
            return str(date.value)
    reached = ", ".join(date.value for date in dates)
    raise PBCGError(f'"{typed[:40]}" is not a CG Date of this campaign so far: {reached}.')


def find_subject(seat: Seat, about: str) -> str:
    """Return the id or hex that players who sit at ``seat`` call ``about``, else that itself."""
    pieces = pieces_known(state_for(seat.game.session, seat.sees), seat.sees)
    side = Side(seat.sees) if seat.sees in {*Side} else None
    return read_piece(about, pieces, side).id if pieces_called(about, pieces, side) else about


def _subject(seat: Seat, about: str, private: bool) -> str:
    """Return the piece or hex that a note is about, as the campaign writes it."""
    session = seat.game.session
    place = about.strip().upper()
    if place in session.state.board:
        return str(Location(place))
    pieces = pieces_known(state_for(session, seat.sees), seat.sees)
    side = Side(seat.sees) if seat.sees in {*Side} else None
    if not pieces_called(about, pieces, side):
        raise PBCGError(f'"{about[:40]}" is neither a piece that you know of nor a hex.')
    piece = read_piece(about, pieces, side)
    if not (private or _known_to_both(seat, piece)):
        raise PBCGError(
            f"The other side does not know of {short_name(piece.id)}: make the note private."
        )
    return piece.id


def _known_to_both(seat: Seat, piece: Named) -> bool:
    """Return whether the other side knows a piece: it is seen, or the open log names it."""
    shown = {line.id for line in pieces_known(state_for(seat.game.session, ""), "")}
    names = {name_piece(piece), typed_name(first_type(piece.id), piece.id)}
    return piece.id in shown or any(
        stands_in(name, line.text) for line in seat.game.lines("") for name in names
    )


def _line(seat: Seat, words: str, private: bool) -> str:
    """Return the last line of the log that holds all of some words."""
    wanted = words.lower().split()
    lines = [line for line in seat.lines() if line.kind != "remark"]
    for line in reversed(lines):
        if all(word in line.text.lower() for word in wanted):
            if line.secret and not private:
                raise PBCGError("The other side does not know of that line: make the note private.")
            return line.text[:200]
    raise PBCGError(f'No line of the log holds "{words[:60]}".')
