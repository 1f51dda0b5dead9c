"""CG14: what a CG scenario leaves on the ground stays there from scenario to scenario."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from asl_pbcg.campaign.module.catalogue import VehicleType
from asl_pbcg.campaign.position import Fortification, Position, Terrain
from asl_pbcg.campaign.position_words import WRECKS, TerrainKind
from asl_pbcg.campaign.state.campaign_events import (
    FortificationsChanged,
    GroundChanged,
    happen,
    happen_to_each,
)
from asl_pbcg.campaign.state.campaign_state import Bought, Campaign, Told, change
from asl_pbcg.campaign.state.piece_events import FortificationLost, Wrecked
from asl_pbcg.campaign.state.piece_names import name_piece
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.prompts import Note, Option, Prompt, Script, ask, ask_some, paragraph
from asl_pbcg.kernel.topic import Topic
from asl_pbcg.refit.helpers.subjects import whole_side
from asl_pbcg.refit.helpers.vehicle_actions import dead, fortifications_lost, to_wreck
from asl_pbcg.refit.setup.recorded_setup import (
    match_purchases,
    newly_bought,
    purchase_name,
    unplaced_purchases,
    with_purchases_placed,
)
from asl_pbcg.refit.setup.setup_rules import placement_prompt

_RUBBLE = frozenset({TerrainKind.RUBBLE_STONE, TerrainKind.RUBBLE_WOOD})
_FIRES = frozenset({TerrainKind.BLAZE, TerrainKind.FLAME})
_IN_PLAY = "in play"
NOWHERE = "none"


Ground = Sequence[Fortification | Terrain]
Unlisted = tuple[Ground, Ground]
"""Things on the map that a position does not list, and those of them that are still there."""


@paragraph("CG14")
def hidden_ground(
    state: Campaign, before: Campaign, position: Position, side: Side
) -> Script[Unlisted]:
    """Ask a side which of its hidden and new Fortifications, that nobody listed, are still there.

    Rule: CG14, 9.602(6).
    """
    listed = change(before, fortifications=position.fortifications)
    hidden = [
        each
        for each in (*(old for old in before.fortifications if old.hidden), *newly_bought(before))
        if each.owner is side and not _stands(listed, each)
    ]
    still = yield from _still_there(
        hidden,
        Prompt(
            state=state,
            id="0.2.5",
            subject=whole_side(side),
            kind="choose-some",
            text="Which of your hidden Fortifications are no longer there?",
            help="They were hidden before the scenario and the position does not list them.",
        ),
    )
    return hidden, still


@paragraph("CG14")
def ground_that_stays(before: Campaign, state: Told, hidden: Iterable[Unlisted]) -> Script[Told]:
    """Keep the Fortifications and terrain changes of earlier scenarios that are still there.

    What the position no longer lists is asked of both sides; what is ``hidden`` its owner has told.
    Rule: CG14, 9.602.
    """
    rest = FortificationsChanged()
    for perhaps, still in hidden:
        after = fortifications_lost(_with_ground(state, still), perhaps, _IN_PLAY)
        owner = next((each.owner for each in perhaps if isinstance(each, Fortification)), None)
        own = FortificationsChanged(side=owner or "", secret=True)
        state = yield from happen_to_each(state, after, FortificationLost, own=True, rest=own)
    seen = [
        fortification
        for fortification in before.fortifications
        if not fortification.hidden and not is_accounted_for(state, fortification)
    ]
    gone = [terrain for terrain in before.terrain if not is_accounted_for(state, terrain)]
    unlisted: list[Fortification | Terrain] = [*seen, *gone]
    left = yield from _still_there(
        unlisted,
        Prompt(
            state=state,
            id="0.2.6",
            kind="choose-some",
            text="The position no longer lists these. Which were removed?",
            help="Fortifications, Rubble, Breach, Trailbreak, Shellholes and Wrecks stay on map "
            "from scenario to scenario unless cleared or removed (CG14).",
        ),
    )
    after = fortifications_lost(_with_ground(state, left), unlisted, _IN_PLAY)
    return (yield from happen_to_each(state, after, FortificationLost, rest=rest))


@paragraph("9.62022")
def places_of_purchases(
    state: Campaign, before: Campaign, position: Position, side: Side
) -> Script[Campaign]:
    """Ask a side where each Fortification set up that it bought and no hex is recorded for.

    What the position lists needs no question. Rule: 9.62022, 9.619.
    """
    new = [
        fortification
        for fortification in position.fortifications
        if not _stands(before, fortification)
    ]
    before = with_purchases_placed(before, match_purchases(before, side, new)[0])
    for purchase in unplaced_purchases(before, side):
        at = yield from ask(_where_it_set_up(state, before, purchase))
        if at != NOWHERE:
            before = with_purchases_placed(before, {purchase.key: at})
        else:
            yield Note(f"{purchase_name(before, purchase)} did not set up and is lost.", side=side)
    return before


def _where_it_set_up(state: Campaign, before: Campaign, bought: Bought) -> Prompt:
    prompt = Prompt(
        state=state,
        id="0.2.5a",
        text=f"In which hex did {purchase_name(before, bought)} set up?",
        help="It was bought for this CG scenario and no hex is recorded for it. Name the hex of "
        'the Setup Area where it set up, for example "M12", or "none" if it never set up: it is '
        "lost then.",
    )
    return placement_prompt(state, before, bought, NOWHERE, prompt)


def _with_ground(state: Campaign, stays: Ground) -> Campaign:
    fortifications = [each for each in stays if isinstance(each, Fortification)]
    terrain = [each for each in stays if isinstance(each, Terrain)]
    return change(
        state,
        fortifications=(*state.fortifications, *fortifications),
        terrain=(*state.terrain, *terrain),
    )


def _still_there(
    unlisted: Sequence[Fortification | Terrain], prompt: Prompt
) -> Script[list[Fortification | Terrain]]:
    """Return what of ``unlisted`` the players say is still there."""
    if not unlisted:
        return []
    ids = [_id_of(each, unlisted[:number]) for number, each in enumerate(unlisted)]
    options = tuple(
        Option(id, f"{each.kind.called} {each.at}", topic=Topic(places=(each.at,)))
        for id, each in zip(ids, unlisted, strict=True)
    )
    removed = yield from ask_some(msgspec.structs.replace(prompt, options=options, default="none"))
    still = [each for id, each in zip(ids, unlisted, strict=True) if id not in removed]
    if still:
        words = ", ".join(f"{each.kind.called} {each.at}" for each in still)
        yield Note(f"Still there: {words}.")
    return still


def _id_of(thing: Fortification | Terrain, before: Sequence[Fortification | Terrain]) -> str:
    """Return the name of a thing on the map in an answer: ``foxhole-Z12``, ``foxhole-Z12-2``."""
    same = sum((each.kind, each.at) == (thing.kind, thing.at) for each in before)
    return f"{thing.kind.value}-{thing.at}" + (f"-{same + 1}" if same else "")


def is_accounted_for(state: Campaign, thing: Fortification | Terrain) -> bool:
    """Return whether the position that ``state`` took says what became of a thing on the map.

    Players are asked whether the others were removed. Rule: CG14.
    """
    if isinstance(thing, Fortification):
        return _stands(state, thing)
    return _lies(state, thing)


def _stands(state: Campaign, wanted: Fortification) -> bool:
    return any(
        (fortification.kind, fortification.at) == (wanted.kind, wanted.at)
        for fortification in state.fortifications
    )


def _lies(state: Campaign, wanted: Terrain) -> bool:
    """Return whether the position lists ``wanted``, or what it has since turned into."""
    if wanted.kind in _FIRES:
        return True  # a fire that is no longer listed burnt out or was put out
    kinds = WRECKS if wanted.kind in WRECKS else frozenset({wanted.kind})
    if wanted.kind in _RUBBLE:
        kinds = _RUBBLE | {TerrainKind.SHELLHOLE}
    return any(
        terrain.at == wanted.at and terrain.kind in kinds and terrain.hexside == wanted.hexside
        for terrain in state.terrain
    )


# -- Vehicles and wrecks -----------------------------------------------------------------


@paragraph("CG14")
def wrecks(state: Told) -> Script[Told]:
    """Turn into Burnt-Out Wrecks what CG14 turns: dead vehicles and Scrounged Wrecks.

    Rule: CG14.
    """
    for piece in state.pieces:
        if dead(state, piece):
            yield Note(
                f"{name_piece(piece)} in {piece.at} is Immobilized, Abandoned and without a "
                "working Inherent Weapon: a Burnt-Out Wreck.",
            )
            state = yield from happen(state, to_wreck(state, piece, "CG14"), Wrecked(piece=piece))
    terrain = []
    for each in state.terrain:
        if each.kind is TerrainKind.WRECK and each.scrounged and _had_weapons(state, each):
            each = msgspec.structs.replace(each, kind=TerrainKind.BURNT_OUT_WRECK)
            yield Note(f"The Scrounged Wreck in {each.at} is now Burnt-Out.")
        terrain.append(each)
    return (yield from happen(state, change(state, terrain=tuple(terrain)), GroundChanged()))


def _had_weapons(state: Campaign, wreck: Terrain) -> bool:
    """Return whether a Scrounged Wreck had Scroungeable Weapons; one of unknown type counts so."""
    if not wreck.type or wreck.side is None:
        return True
    entry = state.catalogue.find(wreck.type, wreck.side)
    return not isinstance(entry, VehicleType) or bool(entry.mg or entry.main_armament)
