"""Faults of an end position against the OB of its campaign, where no entry is wrong by itself.

Among them is the number of MMC in the Walking Wounded box, which cannot exceed those lost.
Rule: CG17, A19.13.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from asl_pbcg.campaign.module.catalogue import MMC, SMC, Catalogue, InfantryType
from asl_pbcg.campaign.position import Fortification, PieceEntry, Position, UnitEntry
from asl_pbcg.campaign.position_words import FortificationKind, UnitStatus
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.piece_names import short_name
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.state.seen import MINES
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.errors import Fault
from asl_pbcg.kernel.reader import nearest

COUNTER = FortificationKind.MINEFIELD


def wrong_date(state: Campaign, date: CGDate) -> Iterator[Fault]:
    """Yield a fault for a position of another CG Date than the one just played."""
    if date is not state.date:
        yield Fault("date", date, f"must be {state.date}: that CG Date was played")


def other_pieces(state: Campaign, entries: Iterable[PieceEntry]) -> Iterator[Fault]:
    """Yield faults for entries that cannot be the pieces of their ids."""
    pieces = {piece.id: piece for piece in state.pieces}
    gone = {loss.piece.id: loss for loss in state.gone}
    for entry in entries:
        where = f"{entry.section} ({short_name(entry.id)})"
        piece = pieces.get(entry.id)
        if UnitStatus.EXITED in entry.status and not _may_exit(state, entry.side):
            wrong = "is for German pieces: this one is Eliminated (CG15, P-08)"
            yield Fault(where, "exited", wrong)
        if piece is not None:
            yield from _other_piece(where, piece, entry, state)
        elif lost := gone.get(entry.id):
            wrong = f"is {lost.piece.type}, {lost.how} in {lost.date.title}; what is new"
            yield Fault(where, "", f"{wrong} needs a name of its own")


def unknown_counters(state: Campaign, works: Iterable[Fortification]) -> Iterator[Fault]:
    """Yield faults for Minefield counters where no minefield is on record."""
    hexes = {work.location.hex for work in state.fortifications if work.kind in (*MINES, COUNTER)}
    for mines in works:
        if mines.kind is COUNTER and mines.location.hex not in hexes:
            wrong = "is for a minefield that is on record already; write ap-mines or at-mines"
            yield Fault(f"fortifications ({mines.at})", mines.kind, wrong)


def not_of_the_ob(state: Campaign, eliminated: Iterable[str]) -> Iterator[Fault]:
    """Yield faults for ids of Eliminated pieces that no piece of the campaign has or had."""
    names = {piece.id: short_name(piece.id) for piece in state.pieces if piece.section}
    had = {loss.piece.id for loss in state.gone}
    for id in eliminated:
        if id not in names and id not in had:
            near = nearest(name := short_name(id), names.values())
            yield Fault("eliminated", name, f"is not a piece of either side{near}")


def _may_exit(state: Campaign, side: Side) -> bool:
    """Say whether what exits by a friendly Entry Area is Retained. Rule: CG15; house rule P-08."""
    return side is Side.GERMAN or state.plays("P-08", "retained")


def _other_piece(where: str, piece: Piece, entry: PieceEntry, state: Campaign) -> Iterator[Fault]:
    """Yield faults for an entry that can no longer be the piece of that id."""
    if not piece.section:
        yield Fault(where, "", f"is the {piece.type} in the OB")
        return
    if isinstance(entry, UnitEntry):
        yield from _other_unit(where, piece, entry, state.catalogue)
        return
    if entry.type != piece.type:
        yield Fault(where, entry.type, f"is a {piece.type} in the OB")
        return
    of_piece = piece.maker
    if entry.maker is not of_piece:
        yield Fault(
            where,
            entry.side,
            f"must be captured: it is a {of_piece.title} {piece.type}"
            if entry.side is not of_piece
            else f"cannot be captured: it is a {of_piece.title} {piece.type} of its own side",
        )
    if state.frame.guns.is_bound(piece.type, piece.at) and entry.at != piece.at:
        yield Fault(where, entry.at, f"must stay in {piece.at}: that Gun never moves (CG11)")


def _other_unit(
    where: str, piece: Piece, entry: UnitEntry, catalogue: Catalogue
) -> Iterator[Fault]:
    if entry.side is not piece.side:
        yield Fault(where, entry.side, f"is a {piece.side.title} unit in the OB")
        return
    kind = catalogue.kind(entry.type, entry.side)
    if not is_of_a_kind(catalogue, entry, piece):
        yield Fault(
            where, entry.type, f"is a {piece.type} in the OB; what is new needs a name of its own"
        )
    elif piece.kind == "half_squad" and kind == "squad":
        yield Fault(
            where, entry.type, f"is a {piece.type} in the OB: HS Recombine in the RePh (9.6111)"
        )
    if piece.has(UnitStatus.WALKING_WOUNDED) and UnitStatus.WALKING_WOUNDED not in entry.status:
        yield Fault(where, "", "was Walking Wounded and never loses that status (CG17)")


def is_of_a_kind(catalogue: Catalogue, entry: PieceEntry, piece: Piece) -> bool:
    """Return whether a piece can become the entry in play: both MMC or both SMC."""
    kind = catalogue.kind(entry.type, entry.side)
    same = kind == piece.kind or any(kind in kinds and piece.kind in kinds for kinds in (MMC, SMC))
    return same and (kind == "crew") == (piece.kind == "crew")


HalfSquads = dict[str, int]
"""By British squad type, how many HS the MMC that belong to it are worth."""


def too_many_wounded(state: Campaign, position: Position) -> Iterator[Fault]:
    """Yield faults for more MMC in the Walking Wounded box than were lost. Rule: CG17."""
    catalogue = state.catalogue
    lost = half_squads(catalogue, state.ww_box.items())
    listed = {entry.id: entry for entry in position.units}
    for piece in state.of(Side.BRITISH):
        if not piece.airborne or piece.kind not in MMC or piece.has(UnitStatus.WALKING_WOUNDED):
            continue
        family, count = _family(catalogue, piece.type)
        lost[family] = lost.get(family, 0) + count
        entry = listed.get(piece.id)
        if entry and UnitStatus.WALKING_WOUNDED not in entry.status:
            # Replaced or not, what is left of it is no longer missing.
            lost[family] -= _family(catalogue, entry.type)[1]
    in_box = half_squads(catalogue, ((box.type, box.count) for box in position.ww_box))
    for family, count, missing in beyond(in_box, lost, catalogue):
        yield Fault(
            "ww_box",
            family,
            f"holds {squad_words(count)} squad-equivalents, but {squad_words(missing)} "
            "Airborne ones are missing from the map (CG17)",
        )


def half_squads(catalogue: Catalogue, types: Iterable[tuple[str, int]]) -> HalfSquads:
    """Return British MMC, given by type and number, by their squad types."""
    by_family: HalfSquads = {}
    for type, number in types:
        family, count = _family(catalogue, type)
        by_family[family] = by_family.get(family, 0) + count * number
    return by_family


def beyond(
    in_box: HalfSquads, lost: HalfSquads, catalogue: Catalogue
) -> Iterator[tuple[str, int, int]]:
    """Yield each squad type with more MMC in the box than the ``lost`` MMC account for.

    With it the HS in the box and the HS lost.
    """
    lost = {**lost}
    for family, count in in_box.items():
        able = [loss for loss in lost if family in _replacements(catalogue, loss)]
        missing = sum(lost[loss] for loss in able)
        if count > missing:
            yield family, count, missing
        for loss in sorted(able, key=lambda loss: loss != family):  # its own first
            taken = min(count, lost[loss])
            count -= taken
            lost[loss] -= taken


def _replacements(catalogue: Catalogue, family: str) -> set[str]:
    """Return a British squad type and all types that Replacement makes of it. Rule: A19.13."""
    types = {family}
    squad_type = catalogue.find(family, Side.BRITISH)
    while isinstance(squad_type, InfantryType) and squad_type.replaced_by not in ("", *types):
        types.add(squad_type.replaced_by)
        squad_type = catalogue.find(squad_type.replaced_by, Side.BRITISH)
    return types


def squad_words(half_squads: int) -> str:
    """Return HS as squad-equivalents: 2½."""
    whole, half = divmod(max(0, half_squads), 2)
    return f"{whole or ''}½" if half else str(whole)


def _family(catalogue: Catalogue, type: str) -> tuple[str, int]:
    """Return the squad type that a squad or HS belongs to, and its number in HS."""
    infantry = catalogue.find(type, Side.BRITISH)
    if isinstance(infantry, InfantryType):
        squad = catalogue.squad_of(type, Side.BRITISH)
        return (squad.name if squad else type), infantry.hs_equivalents
    return type, 0
