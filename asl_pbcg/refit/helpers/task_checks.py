"""Task Checks that the Refit Phase orders: who helps, and what came of the roll at the table."""

from __future__ import annotations

from asl_pbcg.campaign.location import where_words
from asl_pbcg.campaign.module.catalogue import InfantryType
from asl_pbcg.campaign.position_words import UnitStatus
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.piece_names import name_piece
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.kernel.prompts import Note, Option, Prompt, Script, ask
from asl_pbcg.refit.helpers.situation import at_location
from asl_pbcg.refit.helpers.subjects import piece_option

NO_LEADER = "none"


def leadership(state: Campaign, leader: Piece) -> int:
    """Return the DRM of a Leader, Armor Leader or Hero; a wounded leader's is one worse.

    Rule: A10.7, A17.2; ruling P-14.
    """
    entry = state.catalogue.find(leader.type, leader.side)
    printed = (entry.leadership or 0) if isinstance(entry, InfantryType) else 0
    return printed + (leader.kind == "leader" and leader.has(UnitStatus.WOUNDED))


def leaders_for(state: Campaign, piece: Piece) -> list[Piece]:
    """Return the leaders who can help a unit's TC: on foot those with it in its Location.

    The PRC of a vehicle are helped by a leader or Armor Leader aboard it only.

    Rule: 9.6041, 9.6042, A10.7, D3.4.
    """
    vehicle = piece.id if piece.is_vehicle else piece.aboard
    kinds = ("leader", "armor_leader") if vehicle else ("leader",)
    return [
        each
        for each in at_location(state, piece.at)
        if each.side is piece.side
        and each.id != piece.id
        and each.kind in kinds
        and each.aboard == vehicle
        and not each.is_prisoner
    ]


def task_check(
    state: Campaign, piece: Piece, check: str, point: str, failing: str, help: str = ""
) -> Script[bool]:
    """Decide whether a unit passes a TC, which its owner rolls at the table.

    ``check`` is 1TC or NTC, ``failing`` what a failure means. If a leader is with the unit the
    owner first says whether his DRM applies: the prompt ``point``; the result is ``point`` with
    an ``a`` behind it. Rule: 9.6041, 9.6042, A10.3.
    """
    drm = yield from _leader_used(state, piece, check, point)
    helped = "" if drm is None else f" with {drm:+d} leadership DRM"
    answer = yield from ask(
        Prompt(
            state=state,
            id=f"{point}a",
            subject=piece,
            options=(
                Option("passes", "passes"),
                Option("fails", "fails", failing),
            ),
            text=f"{check} of {name_piece(piece)} {where_words(piece.at)}{helped}: the result?",
            help=f"Roll the {check} against the unit's Morale Level (A10.3) and tell the result."
            f"{' ' if help else ''}{help}",
        )
    )
    return bool(answer == "passes")


def _leader_used(state: Campaign, piece: Piece, check: str, point: str) -> Script[int | None]:
    """The DRM of the leader whom the owner uses; None if nobody."""
    leaders = leaders_for(state, piece)
    if not leaders:
        return None
    answer = yield from ask(
        Prompt(
            state=state,
            id=point,
            subject=piece,
            options=(
                Option(NO_LEADER, "no leader"),
                *(
                    piece_option(leader, f"{leadership(state, leader):+d} DRM")
                    for leader in leaders
                ),
            ),
            default=NO_LEADER,
            text=f"{name_piece(piece)} {where_words(piece.at)} takes a {check}. Does a leader's "
            "DRM apply?",
        )
    )
    if answer == NO_LEADER:
        return None
    leader = state.piece(answer)
    yield Note(
        f"{name_piece(leader)} helps {name_piece(piece)}: {leadership(state, leader):+d} DRM "
        f"to its {check}.",
    )
    return leadership(state, leader)
