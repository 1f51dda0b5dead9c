"""The sheets of the area game: rosters, weapons and charges, the VP sheet.

A sheet is filled from a state as its reader may see it
(:func:`asl_pbcg.st.state.player_view.view_for`), or blank with what is preprinted on the form.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from asl_pbcg.records.sheet import Sheet
from asl_pbcg.records.templates import load_layout
from asl_pbcg.st.area_terms import BRITISH, BRITISH_INFANTRY, GERMAN, PHASES, numbers
from asl_pbcg.st.many.sim import SimulatedGames
from asl_pbcg.st.many.sim_plot import set_up_words
from asl_pbcg.st.many.sim_report import report
from asl_pbcg.st.rules.scoring import score_now, victory_chart
from asl_pbcg.st.settings import Settings
from asl_pbcg.st.state.game_rules import Rules, british_order, german_order
from asl_pbcg.st.state.game_state import AreaWeapon, Result, State, Unit
from asl_pbcg.st.state.phase_situation import Situation

GAME = "Pegasus Bridge, Strategy & Tactics 122"
_NO_GRENADES = "\N{EN DASH}"
_GONE = {
    "pool": "",
    "waiting": "waits off the map",
    "aboard": "in the air",
    "map": "",
    "wreck": "wrecked",
    "dead": "eliminated",
    "left": "left the map",
    "absent": "not in this game",
    "pow": "POW",
}


def game_sheets(
    rules: Rules, state: State, seen: State, templates: Path | None = None
) -> list[Sheet]:
    """Return the filled sheets of a game: ``seen`` is the state as the reader may see it.

    The VP are counted from ``state`` itself; nothing that is counted is hidden.
    """
    facts = _facts(state)
    return [
        british_roster(rules, seen, facts, templates),
        german_roster(rules, seen, facts, templates),
        vp_sheet(state.result or score_now(rules, state), state.difficulty, facts, templates),
    ]


def blank_sheets(settings: Settings, templates: Path | None = None) -> list[Sheet]:
    """Return the forms for play on paper, with what is preprinted on them."""
    return [
        _sheet(
            "st_british_roster",
            {
                "units": [_blank_unit(line) for line in british_order().units],
                "weapons": [_blank_weapon(w, settings) for w in british_order().weapons],
            },
            (),
            templates,
        ),
        _sheet("st_german_roster", _blank_germans(settings), (), templates),
        vp_sheet(None, "", (), templates),
    ]


def _facts(state: State) -> tuple[tuple[str, str], ...]:
    if state.over:
        stands = "The game is over"
    else:
        stands = f"Turn {state.turn} of {numbers().turns}, {PHASES[state.phase].title}"
    mode = state.settings.mode.replace("_", " ").capitalize()
    return (("Stands at", stands), ("Set-up", mode), ("Difficulty", state.difficulty.capitalize()))


# -- British ------------------------------------------------------------------------------


def british_roster(
    rules: Rules,
    state: State,
    facts: Sequence[tuple[str, str]] = (),
    templates: Path | None = None,
) -> Sheet:
    """Return the British Unit Roster with the weapons. Rule: ST-GEN-04, ST-GRE-03, ST-PIA-05."""
    units = {unit.id: unit for unit in state.units}
    lines = [
        _british_row(rules, state, units[line.id])
        for line in british_order().units
        if line.id in units
    ]
    weapons = {weapon.id: weapon for weapon in state.weapons}
    armed = [
        _weapon_row(rules, state, weapons[w.id]) for w in british_order().weapons if w.id in weapons
    ]
    return _sheet("st_british_roster", {"units": lines, "weapons": armed}, facts, templates)


def _british_row(rules: Rules, state: State, unit: Unit) -> dict[str, Any]:
    here = unit.status == "map"
    listed = unit.status in ("map", "waiting", "aboard", "dead", "absent")
    issued = rules.roster[unit.id].grenades
    left = f"{unit.grenades} of {issued}" if listed and unit.status != "absent" else ""
    return {
        "roster": unit.roster,
        "unit": unit.name,
        "initial": unit.sp,
        "current": unit.strength if listed and unit.status != "absent" else None,
        "grenades": left if unit.kind in BRITISH_INFANTRY else _NO_GRENADES,
        "area": _place(rules, unit) if here else "",
        "notes": ", ".join(_unit_notes(state, unit)),
    }


def _unit_notes(state: State, unit: Unit) -> list[str]:
    notes = [_GONE[unit.status]] if _GONE[unit.status] else []
    if unit.status == "aboard" and unit.glider:
        notes = [f"in glider {unit.glider}"]
    elif unit.status == "absent" and unit.glider:
        notes = [f"lost with glider {unit.glider}"]
    if unit.side == BRITISH and unit.kind == "squad" and unit.status == "pool":
        notes = ["in its platoon"]
    elif unit.kind == "platoon" and unit.status == "pool" and _is_split(state, unit):
        notes = ["in two squads"]
    for word, holds in (
        ("suppressed", unit.suppressed),
        ("wounded", unit.wounded and unit.status == "map"),
        ("engaged", unit.engaged >= state.turn and unit.status == "map"),
        ("immobile", unit.immobile),
    ):
        if holds:
            notes.append(word)
    notes += [pow.name for pow in state.pows if pow.escort == unit.id]
    return notes


def _is_split(state: State, platoon: Unit) -> bool:
    """Tell whether the squads of a platoon are in play in its place. Rule: ST-BRK-01."""
    squads = [u for u in state.units if u.kind == "squad" and u.under == platoon.under]
    return any(squad.status != "pool" for squad in squads)


def _weapon_row(rules: Rules, state: State, weapon: AreaWeapon) -> dict[str, Any]:
    units = {unit.id: unit for unit in state.units}
    note = {"spent": "used up", "left": "lost with its glider", "destroyed": "destroyed"}
    printed = next(w for w in british_order().weapons if w.id == weapon.id)
    charges = printed.charges or state.settings.gammon_uses
    return {
        "weapon": weapon.name,
        "charges": f"{weapon.charges} of {charges}",
        "carrier": units[weapon.carrier].name if weapon.carrier in units else "",
        "area": _place(rules, weapon) if weapon.status == "map" else "",
        "notes": note.get(weapon.status, "" if weapon.status == "map" else "not on the map"),
    }


def _blank_unit(line: Any) -> dict[str, Any]:
    grenades = "  ".join(str(number) for number in range(1, line.grenades + 1))
    return {
        "roster": line.roster,
        "unit": line.name,
        "initial": line.sp,
        "grenades": grenades if line.kind in BRITISH_INFANTRY else _NO_GRENADES,
        "notes": _COMMANDS.get(line.id, ""),
    }


_COMMANDS = {
    "howard": "commands everybody",
    "neilson": "commands the sappers",
    "hq-1": "both HQ lost: everything is declared first",
    "hq-2": "both HQ lost: everything is declared first",
}


def _blank_weapon(weapon: AreaWeapon, settings: Settings) -> dict[str, Any]:
    charges = weapon.charges or settings.gammon_uses
    return {
        "weapon": weapon.name,
        "charges": "  ".join(str(number) for number in range(1, charges + 1)),
    }


# -- Germans ------------------------------------------------------------------------------


def german_roster(
    rules: Rules,
    state: State,
    facts: Sequence[tuple[str, str]] = (),
    templates: Path | None = None,
) -> Sheet:
    """Return every German in ``state`` that has come into play, and the guns. Rule: ST-GEN-04."""
    germans = [u for u in state.units if u.side == GERMAN and u.status != "pool" and not u.dummy]
    sit = Situation(rules, state)
    guns = [weapon for weapon in state.weapons if weapon.kind in ("mg", "at")]
    held = {BRITISH: "British", GERMAN: "Germans"}
    lines = [
        {
            "weapon": gun.name,
            "holder": held[sit.owner(gun)] if gun.status == "map" else "",
            "area": _place(rules, gun) if gun.status == "map" else "",
            "notes": "" if gun.status == "map" else gun.status,
        }
        for gun in guns
    ]
    return _sheet(
        "st_german_roster",
        {"units": [_german_row(rules, state, unit) for unit in germans], "weapons": lines},
        facts,
        templates,
    )


def _german_row(rules: Rules, state: State, unit: Unit) -> dict[str, Any]:
    visible = unit.combat and not unit.face_down
    notes = _unit_notes(state, unit)
    return {
        "unit": unit.name[:1].upper() + unit.name[1:],
        "initial": unit.sp if visible else None,
        "current": unit.strength if visible else None,
        "area": _place(rules, unit) if unit.status in ("map", "wreck") else "",
        "notes": ", ".join(["reinforcement", *notes] if unit.force else notes),
    }


def _blank_germans(settings: Settings) -> dict[str, list[dict[str, Any]]]:
    """Return a line for each counter of the mix. Rule: ST-SET-22, ST-GRN-04."""
    order = german_order()
    garrisons = max(chit.garrisons for chit in order.chits.values())
    rows: list[dict[str, Any]] = [{"unit": "Mjr Schmidt"}, {"unit": "Lt Hickman"}]
    rows += [
        {"unit": f"Garrison squad {number}", "initial": settings.garrison_sp}
        for number in range(1, garrisons + 1)
    ]
    rows += [
        {"unit": f"Infantry {number}", "initial": settings.infantry_sp}
        for number in range(1, settings.german_infantry + 1)
    ]
    rows += [{"unit": f"Tank {number}"} for number in range(1, settings.german_tanks + 1)]
    rows.append({"unit": "Mercedes"})
    guns = [f"MG {number}" for number in range(1, len(order.mgs) + 1)]
    return {"units": rows, "weapons": [{"weapon": gun} for gun in [*guns, "AT gun"]]}


# -- Victory ------------------------------------------------------------------------------


def vp_sheet(
    result: Result | None,
    difficulty: str,
    facts: Sequence[tuple[str, str]] = (),
    templates: Path | None = None,
) -> Sheet:
    """The Victory Point Chart with what each line earns, and the levels. Rule: ST-VIC-01, 14."""
    chart = victory_chart()
    earned = {score.item: score for score in result.scores} if result else {}
    rows: list[dict[str, Any]] = [
        {
            "item": line.text,
            "each": line.value,
            "count": earned[item].count if item in earned else None,
            "vp": earned[item].vp if item in earned else None,
            "rule": line.rule,
        }
        for item, line in chart.points.items()
    ]
    rows += [
        {"item": s.text, "each": s.vp // max(1, s.count), "count": s.count, "vp": s.vp}
        for s in earned.values()
        if s.item not in chart.points
    ]
    rows.append({"item": "Total", "vp": result.vp if result else None})
    return _sheet("st_vp_sheet", {"points": rows, "levels": _level_rows(result)}, facts, templates)


def _level_rows(result: Result | None) -> list[dict[str, Any]]:
    chart = victory_chart()
    rows = []
    for number, level in enumerate(chart.levels):
        row: dict[str, Any] = {
            "level": chart.names[level],
            "reached": "X" if result and result.level == level else "",
        }
        for difficulty, least in chart.least.items():
            above = chart.levels[number + 1] if number + 1 < len(chart.levels) else ""
            low = f"{least[level]}" if level in least else ""
            high = f"{least[above] - 1}" if above else ""
            words = f"{low} to {high}" if low and high else f"{low} and more" if low else ""
            row[difficulty] = words or f"up to {high}"
        rows.append(row)
    return rows


# -- frames -------------------------------------------------------------------------------


def _place(rules: Rules, piece: Unit | AreaWeapon) -> str:
    return rules.geo.text(piece.area) + (", bunker" if piece.inside else "")


def _sheet(
    name: str,
    rows: Mapping[str, Iterable[Mapping[str, Any]]],
    facts: Sequence[tuple[str, str]],
    templates: Path | None,
) -> Sheet:
    layout = load_layout(name, templates)
    return Sheet(
        layout=layout,
        tables={table.key: list(rows[table.key]) for table in layout.tables},
        subtitle=GAME,
        facts=tuple(facts),
        footer=GAME,
    )


# -- simulation ---------------------------------------------------------------------------


def simulation_sheet(results: SimulatedGames, templates: Path | None = None) -> Sheet:
    """Return the sheet of a simulation: its report, and a line for each game."""
    found = report(results)
    names = victory_chart().names
    vp = found.vp
    summary = {
        "Mean": vp.mean,
        "95% interval from": vp.low,
        "95% interval to": vp.high,
        "Standard deviation": vp.deviation,
        "Least": vp.least,
        "First quartile": vp.quarter,
        "Median": vp.median,
        "Third quartile": vp.three_quarters,
        "Most": vp.most,
    }
    rows: dict[str, list[dict[str, Any]]] = {
        "summary": [{"what": what, "value": round(value, 2)} for what, value in summary.items()],
        "levels": [
            {
                "level": names[level],
                "games": share.count,
                "share": round(share.share, 4),
                "low": round(share.low, 4),
                "high": round(share.high, 4),
            }
            for level, share in found.levels.items()
        ],
        "lines": [
            {"item": line.text, "mean": round(line.mean, 2), "vp": round(line.vp, 2)}
            for line in found.lines.values()
        ],
        "games": list(results.rows()),
    }
    facts = (
        ("Games", str(found.done)),
        ("Set-up", set_up_words(found).capitalize()),
        ("British player", found.policy.capitalize()),
        ("Seed", str(found.seed)),
    )
    return _sheet("st_sim", rows, facts, templates)
