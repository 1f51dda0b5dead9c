"""Where a campaign stands, as plain data: its date, what comes next, forces, points, steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any

from asl_pbcg.campaign.module.campaign_module import Module
from asl_pbcg.campaign.module.frame import SCENARIO
from asl_pbcg.campaign.scenario import fortification_control
from asl_pbcg.campaign.scenario.snipers import san_in_force
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.views import UMPIRE, LogLine, visible
from asl_pbcg.kernel.wording import points_words
from asl_pbcg.play.plug import StepName, StepState

PAPER_RECORDS = "9.13.1"
"""The decision point that asks for the records of a campaign on paper."""
END_POSITION = "0.2"
"""The decision point that asks for the end position."""
HIDDEN_PIECES = "0.2.0"
"""The decision point that asks a side for its hidden pieces."""
SETUP = "9.620.2"
"""The decision point that asks a side for its setup."""


def state_for(session: Session[Campaign], sees: str) -> Campaign:
    """The campaign as it stands for ``sees``: inside the step in progress, so far as he is asked.

    While the other side acts in secret it is as the step began.
    """
    asked = session.pending
    return session.now if asked is None or visible(asked, sees) else session.state


def heading(state: Campaign) -> str:
    """Return the head of each prompt: the campaign before its first scenario, else the RePh."""
    begins = state.step is None or state.step.initial
    if state.determined is None and not state.in_scenario and begins:
        return state.frame.campaigns[state.campaign].title.split(":")[0]
    played = state.date if state.in_scenario else state.date_played
    return f"RePh after {played.title}"


def next_thing(session: Session[Campaign]) -> str:
    """Say what comes next where the program asks nothing: a scenario to be played, or CG End."""
    state = session.state
    if state.ended:
        return f"CG End: {state.ended}"
    if session.own_branch and session.pending is None:
        return "you are done with this date; it goes on when both players are"
    if session.pending is None or (state.in_scenario and not session.begun):
        if state.has_no_pieces_yet:
            return f"give the end position of {state.date.title}"
        return f"play the {state.date.title} CG scenario, then pbcg refit"
    return ""


def facts(session: Session[Campaign], sees: str) -> dict[str, Any]:
    """Where the campaign stands, as ``sees`` may know it.

    ``asked`` is the id and text of the next question, None where nothing is asked or ``sees`` may
    not know it; ``waiting_for`` the side that is asked, ``both`` for both together.
    """
    state, asked = state_for(session, sees), session.pending
    order = state.frame.setup_order[state.date]
    coming = next_thing(session)
    data: dict[str, Any] = {
        "campaign": state.campaign,
        "title": state.frame.campaigns[state.campaign].title,
        "date": state.date.value,
        "date_title": state.date.title,
        "setup_first": order.first_setup.value,
        "move_first": order.first_move.value,
        "san": {side.value: san_in_force(state, side) for side in state.sides},
        "ended": state.ended,
        "next": coming,
        "step": "" if coming else state.at,
        "waiting_for": "" if coming or asked is None else asked.side or "both",
        "asked": None,
        "ob": {},
        "fpp": {},
        "cpp": state.cpp if sees in (UMPIRE, state.frame.cpp_side) else None,
    }
    if not coming and asked is not None and visible(asked, sees):
        data["asked"] = {"id": asked.id, "text": asked.text}
    for side in state.sides:
        if sees not in (UMPIRE, side.value):
            continue
        data["ob"][side.value] = ob_counts(state, side)
        if state.fpp.get(side):
            data["fpp"][side.value] = points_words(state.fpp[side])
    return data


def ob_counts(state: Campaign, side: Side) -> dict[str, int]:
    """How many pieces of each kind the OB of ``side`` has, as the Force Roster lists them.

    Rule: 9.2 OB.
    """

    from asl_pbcg.campaign.sheets import ledger

    kinds = Counter(piece.kind for piece in state.of(side))
    if state.played:  # those on the map
        kinds.pop("glider", 0)
        kinds.pop("fortification", 0)
        if side is Side.BRITISH and state.gliders:
            kinds["glider"] = len(state.gliders)
        holders = map(partial(fortification_control.holder, state), state.fortifications)
        if stand := sum(holder is side for holder in holders):
            kinds["fortification"] = stand
    if bought := len(ledger.fortifications_bought(state, side)):
        kinds["fortification"] += bought
    return dict(kinds)


def steps(session: Session[Campaign], lines: Sequence[LogLine]) -> list[StepState]:
    """Return the timeline: the end of the scenario, then the steps of the RePh.

    Before the first scenario it has the steps of the set-up alone. Each finished step has the last
    line of ``lines`` that belongs to it.
    """
    state = session.state
    first = not any(line.step.endswith(f"/{SCENARIO}") for line in lines) and (
        state.determined is None and not state.in_scenario
    )
    paper = state.module.from_paper
    came_in = any(line.step.endswith(f"/{paper}") for line in lines[:1]) and not state.determined
    ids = state.module.order(initial=first and not came_in)[:-1]
    ids = [paper, *ids] if came_in else ids
    titles = state.module.step_titles
    charts = {chart.step: chart for chart in state.frame.steps}
    begun = session.pending is not None and (not state.in_scenario or session.begun)
    now = ids.index(state.at) if state.at in ids and begun else (0 if not begun else len(ids))
    sentences = _last_words(lines)
    return [
        StepState(
            id=id,
            title=titles[id],
            label=charts[id].short if id in charts else "",
            rule=id if id[:1].isdigit() else "",
            state="done" if number < now else "now" if number == now and begun else "to-come",
            sentence=sentences.get(id, "") if number < now else "",
        )
        for number, id in enumerate(ids)
    ]


def name_step(module: Module, step: str) -> StepName:
    """Return the name of a step, as ``night-1/9.606``, and its CG Date."""
    date, _, id = step.partition("/")
    dates = {cg_date.value: cg_date.title for cg_date in module.dates}
    part_title = dates.get(date, date[:1].upper() + date[1:])
    words = [part_title, id, module.step_titles.get(id, "")]
    return StepName(
        title=" · ".join(filter(None, words)), part=date, part_title=part_title, station=id
    )


def _last_words(lines: Sequence[LogLine]) -> dict[str, str]:
    """Return the last line of each step since the last CG scenario ended."""
    sentences: dict[str, str] = {}
    before = ""
    for line in lines:
        id = line.step.rpartition("/")[2]
        if id == SCENARIO and before != SCENARIO:
            sentences = {}
        before = id
        sentences[id] = line.text
    return sentences
