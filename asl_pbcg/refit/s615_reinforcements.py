"""9.615 OB-given reinforcements of the British, and the withdrawal after Day II."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from asl_pbcg.campaign.areas.area_map import SetupArea
from asl_pbcg.campaign.location import Location
from asl_pbcg.campaign.module.catalogue import Formation
from asl_pbcg.campaign.module.charts import Allotment
from asl_pbcg.campaign.position_words import EquipmentStatus
from asl_pbcg.campaign.scenario.reinforcement_places import (
    BRITISH,
    NOTE_1,
    NOTE_3,
    entry_hexes,
    listed_entry,
    note_areas,
)
from asl_pbcg.campaign.state.campaign_events import PointsReceived, happen, happen_to_each
from asl_pbcg.campaign.state.campaign_state import Campaign, Told, change, with_account
from asl_pbcg.campaign.state.piece_changes import add_pieces, update
from asl_pbcg.campaign.state.piece_events import PlacedByNote, Received
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.prompts import (
    Note,
    Option,
    Prompt,
    Script,
    ask,
    ask_some,
    paragraph,
    under,
    yes_no,
)
from asl_pbcg.kernel.topic import IDLE, Topic
from asl_pbcg.refit.helpers.catalogue_questions import in_own_catalogue
from asl_pbcg.refit.helpers.situation import area_words
from asl_pbcg.refit.helpers.subjects import About, area_option, own_turn, piece_option
from asl_pbcg.refit.helpers.withdrawal import withdrawal
from asl_pbcg.refit.setup.stacking import no_room


def obg_reinforcements(state: Told) -> Script[Told]:
    """Decide what the British receive on the new CG Date, where it goes, and who is withdrawn.

    Rule: 9.615-9.6153.
    """
    state = yield from receive(state)
    part = in_own_catalogue(state, BRITISH, place_reinforcements)
    state = yield from own_turn(state, part, BRITISH, "9.6151")
    return (yield from withdrawal(state))


# -- 9.6152 ---------------------------------------------------------------------------------


@paragraph("9.6152")
def receive(state: Told) -> Script[Told]:
    """Give the British the units, Equipment and FPP of the CG Date. Rule: 9.6152."""
    allotment = state.charts.reinforcements.dates.get(state.date)
    if allotment is None:
        yield Note(f"No reinforcements are listed for {state.date.title}.", topic=IDLE)
        return state
    if 2 in allotment.notes and state.campaign == "CG2":
        yield Note(f"The {state.date.title} reinforcements are not received.", "9.6152 note 2")
        return state
    if allotment.units:
        state = yield from happen_to_each(state, _units(state, allotment), Received)
        formation = _formation(state, allotment)
        text = f"The British receive {listing(allotment)}: {formation.name}."
        yield Note(text)
    else:
        yield Note(f"No units are listed for {state.date.title}.", topic=IDLE)
    fpp = state.fpp.get(BRITISH, 0) + allotment.fpp
    after = with_account(
        change(state, fpp={**state.fpp, BRITISH: float(fpp)}),
        reinforcements=listing(allotment),
        fpp_received={**state.account.fpp_received, BRITISH: float(allotment.fpp)},
    )
    words = f"The British receive {allotment.fpp} FPP."
    return (yield from happen(state, after, PointsReceived(text=words)))


def listing(allotment: Allotment) -> str:
    """Return an allotment as the CG Roster has it: ``6-4-8, LMG x4``."""
    return ", ".join(
        ("dm " if type in allotment.dismantled else "") + (f"{type} x{n}" if n > 1 else type)
        for type, n in allotment.units.items()
    )


def _formation(state: Campaign, allotment: Allotment) -> Formation:
    """Return the formation the notes name. Rule: 9.6152 notes 4, 5; ruling C-34."""
    named = state.charts.reinforcements.formations
    id = next((id for note, id in named.items() if note in (0, *allotment.notes)), "")
    return state.catalogue.formations[id]


def _units(state: Campaign, allotment: Allotment) -> Campaign:
    """Return the pieces of an allotment, each with its formation and the place it is held to.

    Airborne are the non-crew MMC, and the SMC, SW and Guns that belong to them.

    Rule: 9.6151, 9.6152 notes 4, 5, 9.6153.
    """
    formation = _formation(state, allotment)
    entry = listed_entry(state, state.date)
    for type, count in allotment.units.items():
        known = state.catalogue.get(type, BRITISH)
        note = NOTE_3 if known.kind == "gun" and 3 in allotment.notes else NOTE_1
        fields: dict[str, Any] = {
            "formation": formation.name,
            "airborne": formation.airborne and known.kind != "crew",
            "ox_and_bucks": formation.ox_and_bucks,
            "status": (EquipmentStatus.DM,) if type in allotment.dismantled else (),
            "listed_at": entry or note,
            "area": entry,
            "at": str(Location.off_map(entry)) if entry else "",
        }
        state = add_pieces(state, BRITISH, [(type, count)], openly=True, **fields)
    return state


# -- 9.6151, notes 1 and 3 ------------------------------------------------------------------


def place_reinforcements(state: Told) -> Script[Told]:
    """Decide where reinforcements go that are off map: those just received and those held.

    Rule: 9.6151, 9.6152 notes 1, 3.
    """
    waiting = [piece for piece in state.of(BRITISH) if piece.listed_at and is_off_map(piece)]
    for entry in dict.fromkeys(piece.listed_at for piece in waiting):
        if entry not in (NOTE_1, NOTE_3):
            units = [piece for piece in waiting if piece.listed_at == entry]
            open_now = bool(entry_hexes(state, units[0]))
            how = "to enter on any turn or not at all" if open_now else "not open on this CG Date"
            yield Note(
                f"Off map at Entry Area {entry}, {how}: {_count_words(units)}.",
                "9.6151",
            )
    state = yield from _guns(state, [piece for piece in waiting if piece.listed_at == NOTE_3])
    others = [piece.id for piece in waiting if piece.listed_at == NOTE_1]
    units = [piece for piece in state.of(BRITISH) if piece.id in others]
    return (yield from _by_note(state, NOTE_1, [u for u in units if u.listed_at == NOTE_1]))


def is_off_map(piece: Piece) -> bool:
    """Return whether a reinforcement is not on map and in no Setup Area yet."""
    return not piece.on_map and (not piece.area or piece.off_map)


def _count_words(units: Sequence[Piece]) -> str:
    types = [unit.type for unit in units]
    return ", ".join(
        f"{type} x{types.count(type)}" if types.count(type) > 1 else type
        for type in dict.fromkeys(types)
    )


def _guns(state: Told, guns: list[Piece]) -> Script[Told]:
    """Place the Guns of note 3; if no area can take them they are Manhandled on at Z28.

    Crews may then go with them. Rule: 9.6152 note 3; ruling P-78.
    """
    fallback = bool(guns) and not note_areas(state, NOTE_3)
    state = yield from _by_note(state, NOTE_3, guns)
    crews = [
        piece
        for piece in state.of(BRITISH)
        if piece.kind == "crew" and piece.listed_at == NOTE_1 and is_off_map(piece)
    ]
    if fallback and crews and note_areas(state, NOTE_1):
        entry = state.charts.reinforcements.fallback_entry
        goes = yield from yes_no(
            state,
            "9.6152.4",
            f"Do the crews ({_count_words(crews)}) enter at {entry} with the Guns they Manhandle?",
            "9.6152 note 3",
            default="no",
            about=entry,
        )
        for crew in crews if goes else ():
            after = update(_off_map(state, crew.id, entry), crew.id, listed_at=NOTE_3)
            state = yield from happen(state, after, PlacedByNote(piece=crew))
    return state


def _by_note(state: Told, note: str, units: list[Piece]) -> Script[Told]:
    return under(_place_by_note(state, note, units), rule=f"9.6152 {note}")


def _place_by_note(state: Told, note: str, units: list[Piece]) -> Script[Told]:
    """Assign units to the Setup Areas their note allows, or hold them off map.

    Without such an area they wait at Z28. Rule: 9.6152 notes 1, 3; house rule B-12.
    """
    if not units:
        return state
    areas = note_areas(state, note)
    entry = state.charts.reinforcements.fallback_entry
    for unit in units:
        state = yield from happen(state, _off_map(state, unit.id, entry), PlacedByNote(piece=unit))
    if not areas:
        hexes = entry_hexes(state, units[0])
        where = f"hex {entry}" if len(hexes) == 1 else f"Entry Area {entry}"
        how = ", Manhandled" if note == NOTE_3 else ""
        yield Note(
            f"No Setup Area can take {_count_words(units)}: they may enter at {where}{how}.",
        )
        return state
    answer = yield from ask(_all_together(state, note, units, areas))
    if answer == "hold":
        return state
    if answer != "split":
        for unit in units:
            after = update(state, unit.id, at="", area=answer)
            state = yield from happen(state, after, PlacedByNote(piece=unit))
        return state
    waiting = [unit.id for unit in units]
    for area in areas:
        if waiting:
            chosen = yield from ask_some(_some_of(state, note, waiting, area))
            for id in chosen:
                after = update(state, id, at="", area=area.id)
                state = yield from happen(state, after, PlacedByNote(piece=state.piece(id)))
            waiting = [id for id in waiting if id not in chosen]
    return state


def _off_map(state: Campaign, id: str, entry: str) -> Campaign:
    return update(state, id, area=entry, at=str(Location.off_map(entry)))


def _all_together(state: Campaign, note: str, units: list[Piece], areas: list[SetupArea]) -> Prompt:
    least = state.charts.reinforcements.gun_hex_number_least
    limit = f" in hexes numbered {least} or more"
    options = []
    for area in areas:
        refused = _refusal(state, area, units)
        name = f"all in {area_words(area.id)}"
        rule = "A5.1" if refused else ""
        options.append(area_option(area.id, name, refused=refused, rule=rule))
    return Prompt(
        state=state,
        id="9.6152.2",
        about=note,
        options=(
            *options,
            Option("split", "piece by piece"),
            Option("hold", "all held off map", "until the next RePh"),
        ),
        text=f"Where do they set up{limit if note == NOTE_3 else ''}: {_count_words(units)}?",
        help="Any British Setup Area that is not Isolated. What is held off map is Retained and "
        "keeps this place for the next CG Date (9.6151).",
    )


def _refusal(state: Campaign, area: SetupArea, units: Sequence[Piece]) -> str:
    """Return why units cannot all set up in an area; empty if they can. Rule: 9.6152, A5.1."""
    excess = no_room(state, area, units)
    return f"There would not be room for all in {area_words(area.id)}: {excess}." if excess else ""


def _some_of(state: Campaign, note: str, ids: list[str], area: SetupArea) -> Prompt:
    def fits(chosen: list[str]) -> list[str]:
        refused = _refusal(state, area, [state.piece(id) for id in chosen])
        if refused:
            raise IllegalAnswer(refused, "A5.1")
        return chosen

    def room_for(wanted: Sequence[str]) -> list[str]:
        """Return as many of ``wanted`` as there is room for, one after the other."""
        found: list[str] = []
        for id in wanted:
            if not _refusal(state, area, [state.piece(each) for each in (*found, id)]):
                found.append(id)
        return found

    return Prompt(
        state=state,
        id="9.6152.3",
        subject=About(f"{note} {area.id}", BRITISH, area.id, Topic(areas=(area.id,))),
        kind="choose-some",
        options=tuple(piece_option(state.piece(id)) for id in ids),
        default="none",
        verify=fits,
        draw=lambda source: room_for([id for id in ids if source.random() < 1 / 2]),
        text=f"Which of these set up in {area_words(area.id)}?",
        help="What no Setup Area is chosen for is held off map.",
    )
