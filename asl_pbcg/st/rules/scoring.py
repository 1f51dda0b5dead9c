"""Victory points and levels. Rule: ST-VIC-01 to ST-VIC-14."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from asl_pbcg.kernel.prompts import Note, Script
from asl_pbcg.kernel.typed_data import data_file, unless_known
from asl_pbcg.st.area_terms import BRITISH, GERMAN
from asl_pbcg.st.procedures.losses import MERCEDES
from asl_pbcg.st.state.game_rules import Rules, german_order
from asl_pbcg.st.state.game_state import Result, Score, State
from asl_pbcg.st.state.phase_situation import Situation


class Points(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of the Victory Point Chart."""

    value: int
    rule: str
    text: str


class VictoryChart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The Victory Point Chart and the victory levels, ``data/st/victory.yaml``."""

    points: dict[str, Points]
    levels: tuple[str, ...]
    names: dict[str, str]
    least: dict[str, dict[str, int]]


def _check_chart(chart: VictoryChart) -> Iterator[tuple[str, str]]:
    for level in chart.levels:
        yield from unless_known("levels", level, chart.names, "level with a name")
    for difficulty, least in chart.least.items():
        for level in least:
            yield from unless_known(f"least.{difficulty}", level, chart.levels, "level")


VICTORY: Final = data_file("st/victory.yaml", VictoryChart, _check_chart)


def victory_chart() -> VictoryChart:
    """Return the Victory Point Chart and levels."""
    return VICTORY.content


def counts(sit: Situation) -> dict[str, int]:
    """Tell how often each line of the chart counts now. Rule: ST-VIC-02 to ST-VIC-13."""
    geo = sit.geo
    control = sit.control
    holds = is_british(sit, geo.pegasus)
    orders = german_order()
    ledger = sit.ledger
    coffin = sit.settings.coffin_counts
    leaders = ledger.leaders
    platoons = len(ledger.platoons)
    if not coffin:
        dead = [u for u in sit.units.values() if u.side == BRITISH and u.status == "dead"]
        leaders -= sum(u.id == "coffin" for u in dead)
        platoons -= sum(u.under == "coffin" for u in dead)
    schmidt = sit.units["schmidt"].status if "schmidt" in sit.units else ""
    captured = sit.schmidt_captured
    if sit.settings.schmidt_vp == "held":
        captured = "pow-schmidt" in sit.pows
    return {
        "pegasus_bridge_intact": int(holds and sit.bridge == "intact"),
        "pegasus_bridge_damaged": int(holds and sit.bridge == "damaged"),
        "pegasus_bridge_destroyed": int(holds and sit.bridge == "destroyed"),
        "ranville_bridge": int(is_british(sit, geo.ranville_bridge)),
        "pillbox": int(is_british(sit, geo.pillbox)),
        "bunker": sum(
            area in sit.cleared and control.get(sit.rules.bunker_in[area]) == BRITISH
            for area in geo.bunkers
        ),
        "mg": sum(weapon_taken(sit, mg) for mg in orders.mgs),
        "at_gun": int(weapon_taken(sit, orders.at_gun)),
        "tank": ledger.tanks,
        "pow": sum(pow.id != "pow-schmidt" for pow in sit.pows.values()),
        "schmidt": int(schmidt == "dead" or captured),
        "leader_killed": leaders,
        "platoon_killed": platoons,
    }


def is_british(sit: Situation, area: str) -> bool:
    """Tell whether the British control an area for victory. Rule: ST-VIC-02, AMB-58."""
    both = sit.is_occupied(BRITISH, area) and sit.is_occupied(GERMAN, area)
    if both and sit.settings.control == "last_in":
        return sit.entered.get(area, GERMAN) == BRITISH
    return sit.control.get(area) == BRITISH


def weapon_taken(sit: Situation, weapon: str) -> bool:
    """Tell whether a German MG or the AT gun is destroyed or British now. ST-VIC-07, ST-VIC-08."""
    found = sit.weapons.get(weapon)
    if found is None:
        return False
    return found.status == "destroyed" or (found.status == "map" and sit.owner(found) == BRITISH)


def scores(sit: Situation) -> tuple[Score, ...]:
    """Return every line of the chart with what it earns now."""
    chart = victory_chart()
    found = [
        Score(
            item=item,
            text=chart.points[item].text,
            count=count,
            vp=count * chart.points[item].value,
            rule=chart.points[item].rule,
        )
        for item, count in counts(sit).items()
    ]
    car = sit.units.get(MERCEDES)
    if sit.settings.mercedes_vp and car and car.status == "wreck":
        vp = sit.settings.mercedes_vp
        found.append(Score(item="mercedes", text="Mercedes wrecked", count=1, vp=vp, rule="AMB-65"))
    return tuple(found)


def level(vp: int, difficulty: str) -> str:
    """Return the victory level of ``vp`` at a difficulty. Rule: ST-VIC-14."""
    chart = victory_chart()
    reached = chart.levels[0]
    for name in chart.levels[1:]:
        if vp >= chart.least[difficulty][name]:
            reached = name
    return reached


def score_now(rules: Rules, state: State) -> Result:
    """Return the VP and the level if the game ended now."""
    found = scores(Situation(rules, state))
    vp = sum(score.vp for score in found)
    return Result(vp=vp, level=level(vp, state.difficulty), scores=found)


def final_score(rules: Rules, state: State) -> Script[State]:
    """Count the VP after the last turn. Rule: ST-VIC-01."""
    result = score_now(rules, state)
    for score in result.scores:
        if score.count:
            yield Note(f"{score.text}: {score.count}, {score.vp:+d} VP.", score.rule)
    yield Note(f"{result.vp} VP: {victory_chart().names[result.level]}.", "ST-VIC-14")
    return msgspec.structs.replace(state, result=result)
