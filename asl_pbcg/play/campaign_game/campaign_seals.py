"""Seals of a campaign: what a side holds at a CG Date, its eight words, and whether it stands.

A side seals its purchases, its hidden pieces and its setup as the campaign has them. Prisoners
are left out: where they are is their Guards' secret.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import chain
from typing import Final

import msgspec

from asl_pbcg.campaign.location import Area, Location
from asl_pbcg.campaign.sheets.ledger import purchase_lines
from asl_pbcg.campaign.state.campaign_state import Bought, Campaign
from asl_pbcg.campaign.state.piece_names import name_with_status, short_name, short_names_of
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.state.record_lines import PurchaseLine, lines_for_side
from asl_pbcg.campaign.state.seen import UNSEEN
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.moments import moments
from asl_pbcg.kernel.reader import near
from asl_pbcg.kernel.seals import (
    Seal,
    SealedText,
    add_seal,
    open_seal,
    read_words,
    seal_text,
    seals_of,
    time_now,
)
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.views import UMPIRE, visible
from asl_pbcg.play.plug import title_of
from asl_pbcg.play.seat import Seat
from asl_pbcg.refit.setup.recorded_setup import purchase_name

PURCHASES: Final = "Purchases"
HIDDEN: Final = "Hidden pieces"
SETUP: Final = "Setup"


# -- What a side holds ---------------------------------------------------------------------


def holdings(state: Campaign, side: Side) -> dict[str, tuple[str, ...]]:
    """Return the purchases, hidden pieces and setup of a side at its CG Date, in plain words."""
    own = [piece for piece in state.of(side) if not piece.is_prisoner]
    hidden = [piece for piece in own if piece.hip or piece.has(*UNSEEN)]
    return {
        PURCHASES: tuple(_purchases(state, side)),
        HIDDEN: (*sorted(map(_name_in_place, hidden)), *sorted(_hidden_works(state, side))),
        SETUP: tuple(sorted(map(_place_and_name, own))),
    }


def _purchases(state: Campaign, side: Side) -> Iterator[str]:
    for line in lines_for_side(purchase_lines(state), side.value):
        if line.date is state.date and not line.given:
            yield _group_words(line)
    for purchase in state.bought:
        if purchase.side is side and purchase.date is state.date:
            yield _bought_words(state, purchase)


def _group_words(line: PurchaseLine) -> str:
    sw = {"HMG": line.hmg, "MMG": line.mmg, "LMG": line.lmg, "50* MTR": line.mtr}
    strength = {"F": "Full Strength", "D": "Depleted"}.get(line.strength, "")
    parts = [
        strength,
        *(f"{unit.number} x {unit.type}" for unit in line.units),
        *(f"{count} x {name}" for name, count in sw.items() if count),
        *line.leaders,
        f"in {Area.parse(line.area)}" if line.area else "",
        f"{(line.cpp_cost or 0) + (line.entry_cost or 0)} CPP",
    ]
    return f"{line.rg} {line.group_type}: {', '.join(filter(None, parts))}"


def _bought_words(state: Campaign, bought: Bought) -> str:
    whom = f" for {short_name(bought.unit)}" if bought.unit else ""
    where = f" in {bought.at}" if bought.at else ""
    return f"{purchase_name(state, bought)}{whom}{where}: {bought.cost:g} FPP"


def _hidden_works(state: Campaign, side: Side) -> Iterator[str]:
    for work in state.fortifications:
        if work.hidden and work.owner is side:
            size = f" {work.size}" if work.size else ""
            yield f"{work.kind.value}{size} in {work.at}"


def _name_in_place(piece: Piece) -> str:
    hip = ", HIP" if piece.hip else ""
    return f"{_piece_words(piece)}{hip}, {_place(piece)}"


def _place_and_name(piece: Piece) -> str:
    return f"{_place(piece)}: {_piece_words(piece)}"


def _place(piece: Piece) -> str:
    if piece.at:
        return str(Location.parse(piece.at))
    return str(Area.parse(piece.area)) if piece.area else "not set up"


def _piece_words(piece: Piece) -> str:
    facings = {"CA": "ca", "VCA": "vca", "TCA": "tca", "Bypass": "bypass"}
    return ", ".join(
        filter(
            None,
            [
                name_with_status(piece),
                f"with {short_names_of(piece.possesses)}" if piece.possesses else "",
                f"towing {short_names_of(piece.tows)}" if piece.tows else "",
                f"aboard {short_name(piece.aboard)}" if piece.aboard else "",
                *(
                    f"{name} {value}"
                    for name, key in facings.items()
                    if (value := getattr(piece, key, ""))
                ),
            ],
        )
    )


def _state_known(session: Session[Campaign], side: str) -> Campaign:
    """Return the campaign as it stood when ``side`` last took part.

    While the other acts in secret nothing of how far it has come shows.
    """
    if session.state.in_scenario:
        return session.state
    asked = session.pending
    if asked is None or visible(asked, side):
        return session.now
    journal = session.journal
    seqs = [entry.seq for entry in journal.standing() if visible(entry, side)]
    start = journal.states.last(seqs[-1] - 1) if seqs else None
    history = moments(session.game, journal, start, seqs[-1] if seqs else 0)
    last = [
        moment
        for moment in history
        if moment.seq == (seqs[-1] if seqs else 0) and not moment.undone
    ]
    return last[0].after if last else session.state


def _state_of_date(session: Session[Campaign], side: str, date: str) -> Campaign | None:
    """Return the campaign before the scenario of a CG Date; None if none stands any more."""

    def is_of_date(state: Campaign) -> bool:
        return state.date.value == date and not state.scenario_over

    present = _state_known(session, side)
    if is_of_date(present):
        return present
    kept = (
        session.game.decode(snapshot.state) for snapshot in reversed(list(session.journal.states))
    )
    return next((state for state in kept if is_of_date(state)), None)


# -- Sealing -------------------------------------------------------------------------------------


def seal_holdings(seat: Seat) -> Seal:
    """Seal what the side at ``seat`` holds at the present CG Date; return the seal.

    Raises PBCGError where no side sits there alone, and between a scenario and the next CG Date.
    """
    seat.must_write()
    session: Session[Campaign] = seat.game.session
    side = _side_at(seat)
    state = _state_known(session, side.value)
    if state.scenario_over:
        raise PBCGError(
            f"{state.date.title} has been played: what it was played with can be sealed no more, "
            "and the next CG Date comes with 9.612."
        )
    facts = {
        "side": side.value,
        "campaign": state.campaign,
        "date": state.date.title,
        "sealed": time_now(time.time()),
    }
    sealed = seal_text(facts, holdings(state, side))
    with session.together():
        add_seal(session.journal, side.value, state.date.value, sealed)
    _note_sealed(seat)
    return seals_of(session.journal, side.value)[-1]


def list_seals(seat: Seat) -> list[Seal]:
    """Return the seals of a campaign as ``seat`` may know them."""
    _must_be_campaign(seat)
    return seals_of(seat.game.session.journal, seat.sees)


def unseal(seat: Seat, typed: str = "", to_all: bool = False) -> Seal:
    """Return a seal with what was sealed: that of the words ``typed``, else the seat's last.

    With ``to_all`` it is opened for the other side, too. Raises PBCGError for one that is closed.
    """
    seals = list_seals(seat)
    if typed:
        seal = find_seal(seals, typed)
    else:
        own = [entry for entry in seals if entry.side == seat.sees or seat.sees == UMPIRE]
        if not own:
            raise PBCGError("Nothing is sealed here that you can open.")
        seal = own[-1]
    if not seal.text:
        raise PBCGError(_closed_words(seal))
    if to_all and not seal.opened:
        seat.must_write()
        if seal.side != seat.sees and seat.sees != UMPIRE:
            raise PBCGError(_closed_words(seal))
        session = seat.game.session
        with session.together():
            open_seal(session.journal, seal)
        _note_sealed(seat)
        return seals_of(session.journal, seat.sees)[seal.number - 1]
    return seal


def find_seal(seals: list[Seal], typed: str) -> Seal:
    """Return the seal of the words ``typed``. Raises PBCGError if none has them."""
    words = read_words(typed)
    seal = next((candidate for candidate in seals if candidate.words == words), None)
    if seal is None:
        close = near(words, [candidate.words for candidate in seals], 1, 0.8)
        nearest = f' The nearest seal reads "{close[0]}".' if close else ""
        raise PBCGError(
            f'Nothing in this file was sealed as "{words}": it is another file\'s, or it was '
            f"rewritten since.{nearest}"
        )
    return seal


def _closed_words(seal: Seal) -> str:
    return (
        f"What the {seal.side.capitalize()} player sealed for {CGDate.title_of(seal.date)} is "
        "closed: that player can open it, now or at any later time."
    )


def _side_at(seat: Seat) -> Side:
    _must_be_campaign(seat)
    if seat.sees not in {*Side}:
        raise PBCGError("Whose? A seal is of one side: name the side with --as.")
    return Side(seat.sees)


def _must_be_campaign(seat: Seat) -> None:
    if not isinstance(seat.game.session.state, Campaign):
        called = title_of(seat.game.plug.game)
        raise PBCGError(f"What a side holds is sealed in campaigns, not in the {called}.")


def _note_sealed(seat: Seat) -> None:
    seat.game.note_change(plays_on=False)


# -- Checking ------------------------------------------------------------------------------------


class SealCheck(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A seal held against what stands: ``stands`` is None where it is closed to whoever asks.

    ``lost`` is what was sealed and stands no more, ``new`` what stands and was not sealed.
    """

    seal: Seal
    stands: bool | None = None
    lost: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    sentences: tuple[str, ...] = ()


def check_seal(seat: Seat, typed: str) -> SealCheck:
    """Hold what was sealed as ``typed`` against what stands, as ``seat`` may know it.

    The other side learns which sealed things stand no more, but not what stands in their place.
    """
    seal = find_seal(list_seals(seat), typed)
    whose = f"the {seal.side.capitalize()} player"
    date = CGDate.title_of(seal.date)
    made = f"These words were told when {whose} sealed {date}, at {seal.at}."
    if not seal.text:
        return SealCheck(seal=seal, sentences=(made, _closed_words(seal)))
    sealed = SealedText.read(seal.text)
    state = _state_of_date(seat.game.session, seal.side, seal.date)
    standing = SealedText(lists=holdings(state, Side(seal.side)) if state else {}).as_read.lists
    lost = _differences(sealed.lists, standing)
    new = _differences(standing, sealed.lists)
    knows = seat.sees in (UMPIRE, seal.side)
    if not lost and not new:
        words = "What stands is what was sealed, to the letter."
        return SealCheck(seal=seal, stands=True, sentences=(made, words))
    sentences = [made, "What stands now is not what was sealed."]
    if state is None:
        sentences.append(f"{date} was undone: nothing of it stands.")
    sentences += [f"Sealed, but it no longer stands: {line}." for line in lost]
    if knows:
        sentences += [f"It stands now, but was not sealed: {line}." for line in new]
    elif new:
        sentences.append(f"What stands in its place {whose} alone knows.")
    return SealCheck(
        seal=seal,
        stands=False,
        lost=lost,
        new=new if knows else (),
        sentences=tuple(sentences),
    )


def _differences(
    these: dict[str, tuple[str, ...]], those: dict[str, tuple[str, ...]]
) -> tuple[str, ...]:
    """Return what ``these`` lists hold and ``those`` do not, each under its heading."""
    return tuple(
        chain.from_iterable(
            (f"{heading}: {item}" for item in _without(items, those.get(heading, ())))
            for heading, items in these.items()
        )
    )


def _without(items: tuple[str, ...], others: tuple[str, ...]) -> list[str]:
    remaining = list(others)
    missing = []
    for item in items:
        if item in remaining:
            remaining.remove(item)
        else:
            missing.append(item)
    return missing
