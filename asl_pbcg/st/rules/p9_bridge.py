"""Bridge Disarming/Repair Phase. Rule: ST-SEQ-16, ST-SAP-02 to ST-SAP-05."""

from __future__ import annotations

from functools import partial

from asl_pbcg.kernel.prompts import Option, Script, ask
from asl_pbcg.st.area_terms import BRITISH
from asl_pbcg.st.procedures.odds import in_words
from asl_pbcg.st.state.area_tables import SapperRepair, odds, table
from asl_pbcg.st.state.decision import decide, note, throw_on
from asl_pbcg.st.state.game_rules import Rules
from asl_pbcg.st.state.game_state import State, Unit
from asl_pbcg.st.state.phase_situation import Situation, next_phase


def bridge(rules: Rules, state: State) -> Script[State]:
    """Sappers on Pegasus Bridge may remove the charge or try a repair."""
    if state.demo_marker == "none" and state.bridge != "damaged":
        return next_phase(state)
    sit = Situation(rules, state)
    yield from remove_charge(sit)
    yield from repairs(sit)
    return sit.end()


def sappers(sit: Situation) -> list[Unit]:
    """Return the sappers on Pegasus Bridge, in id order."""
    there = sit.at(BRITISH, sit.geo.pegasus)
    return sorted([unit for unit in there if unit.kind == "sapper"], key=lambda unit: unit.id)


def marker_there(sit: Situation) -> bool:
    """Tell whether a Demo Bridge marker lies in its box, as the player sees it. Rule: ST-SAP-02."""
    return sit.demo_marker != "none"


def remove_charge(sit: Situation) -> Script[None]:
    """A sapper on the bridge may remove the marker, unseen. Rule: ST-SAP-02, AMB-31."""
    there = sappers(sit)
    if not there or not marker_there(sit):
        return
    answer = yield from ask(
        decide(
            "remove_charge",
            f"Does {there[0].name} remove the marker in the Demo Bridge box?",
            rule="ST-SAP-02",
            situation=sit,
            ids=("yes", "no"),
            build=lambda: [
                Option("yes", "yes", consequence="the bridge can no longer be blown"),
                Option("no", "no"),
            ],
            pieces=(there[0].id,),
            default="yes",
        )
    )
    if answer == "yes":
        sit.demo_marker = "none"
        sit.demo = "over"
        yield note(sit, f"{there[0].name} removes the marker of the Demo Bridge box.", "ST-SAP-02")


def _repair_options(turns: int) -> list[Option]:
    chances = odds(table("sapper_repair"), {"turns": min(turns, 6)})
    return [Option("yes", "yes", odds=in_words(chances)), Option("no", "no")]


def repairs(sit: Situation) -> Script[None]:
    """Each sapper that has stayed for a full turn may try to repair. ST-SAP-03 to ST-SAP-05."""
    for unit in sappers(sit):
        turns = sit.turn - unit.came
        if sit.bridge != "damaged" or turns < 1:
            continue
        answer = yield from ask(
            decide(
                "repair",
                f"Does {unit.name} try to repair the bridge?",
                rule="ST-SAP-03",
                situation=sit,
                ids=("yes", "no"),
                build=partial(_repair_options, turns),
                pieces=(unit.id,),
                default="yes",
            )
        )
        if answer != "yes":
            continue
        rolled = yield from throw_on(
            sit,
            "sapper_repair",
            f"{unit.name} repairs the bridge",
            {"turns": min(turns, 6)},
            side=BRITISH,
        )
        if rolled.result == SapperRepair.REPAIRED:
            sit.bridge = "intact"
            yield note(sit, "Pegasus Bridge is repaired.", "ST-SAP-05")
