"""Remarks on a position without faults: things worth a second look."""

from __future__ import annotations

import re
from collections.abc import Iterator

from asl_pbcg.campaign.board import Board
from asl_pbcg.campaign.catalogue import Catalogue
from asl_pbcg.campaign.fortification_ground import fortification_refusal
from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.occupation import pieces_by_place, sole_occupants
from asl_pbcg.campaign.piece_names import name_piece, name_pieces
from asl_pbcg.campaign.position import Fortification, Position, VehicleEntry
from asl_pbcg.campaign.position_rules import MINES, mine_chart, missing_weapons
from asl_pbcg.campaign.position_words import VehicleStatus, status_words
from asl_pbcg.campaign.strategic import StrategicLocations
from asl_pbcg.kernel.wording import number_words


def remarks(position: Position, board: Board, catalogue: Catalogue) -> Iterator[str]:
    """Yield sentences for players about what may be a slip of the pen."""
    yield from _control_remarks(position, board, catalogue)
    for vehicle in position.vehicles:
        yield from _weapon_remarks(vehicle, catalogue)
    for part in position.fortifications:
        yield from _size_remarks(part, board)
    for part in position.fortifications:
        barred = fortification_refusal(board, position.terrain, part)
        if barred:
            ground, rule = barred
            hidden = "hidden " if part.hidden else ""
            yield f"{part.at} has {ground}: no {hidden}{part.kind.called} can be there ({rule})."
    wet = board.water - board.bridges
    pieces = (*position.units, *position.vehicles)
    water = [f"{name_piece(piece)} ({piece.at})" for piece in pieces if piece.location.hex in wet]
    if water:
        yield f"In a Water Obstacle: {', '.join(water)}."


def _control_remarks(position: Position, board: Board, catalogue: Catalogue) -> Iterator[str]:
    """Yield who is alone in a Location that its side does not Control. Rule: A26.11."""
    strategic = StrategicLocations(position, board, catalogue)
    control = position.control
    controller = {Location.parse(place): side for place, side in control.holders.items()}
    for place, pieces in pieces_by_place(position, catalogue).items():
        location, units = Location.parse(place), sole_occupants(pieces)
        if not units:
            continue
        enemy = units[0].side.other
        names = name_pieces(units)
        are = "is" if len(units) == 1 else "are"
        if controller.get(location) is enemy:
            side = f"the {enemy.title} side"
            yield f"{names} {are} alone in {location}, which {side} Controls (A26.11)."
        elif location not in controller and location in strategic:
            inside = controller.get(Location(location.hex, pillbox=True))
            if location.ground and inside and strategic.why(location) == ("pillbox",):
                continue
            yield f"Nobody Controls {location}, where {names} {are} alone (A26.11)."


def _weapon_remarks(vehicle: VehicleEntry, catalogue: Catalogue) -> Iterator[str]:
    for status, weapon, _ in missing_weapons(catalogue, vehicle):
        yield (
            f"{name_piece(vehicle)} is {status_words([status])}, but as far as the catalogue knows "
            f"a {vehicle.type} has no {weapon}: look at its counter."
        )
    for weapon in ("MA", "BMG", "CMG", "AAMG"):
        malfunctioned = VehicleStatus.of_weapon(weapon, "malfunctioned")
        disabled = VehicleStatus.of_weapon(weapon, "disabled")
        if vehicle.has(malfunctioned) and vehicle.has(disabled):
            yield (
                f"The {weapon} of {name_piece(vehicle)} is malfunctioned and disabled: it is taken "
                "as disabled, and no dr repairs it (9.6142)."
            )


def _size_remarks(part: Fortification, board: Board) -> Iterator[str]:
    if part.strength and not re.fullmatch(r"\d\+\d\+\d", part.strength):
        yield f"pillbox in {part.at}: {part.strength} is not a strength as 1+3+5."
    if part.kind in MINES and part.size and part.size not in mine_chart(board, part).sizes:
        sizes = ", ".join(map(str, mine_chart(board, part).sizes))
        factors = number_words(part.size, "factor")
        yield (
            f"{factors} of {part.kind.called} in {part.at}: minefields come with {sizes} "
            "(B28; house rule C-48)."
        )
