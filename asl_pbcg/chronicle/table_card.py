"""The table card: all that a side rolls and looks up in a Refit Phase on paper. Rule: 9.601-9.620.

Every figure comes from the module's data; this file only says where on the card it stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from asl_pbcg.campaign.module.campaign_module import Module, module_of
from asl_pbcg.campaign.module.charts import GroupChart, SupportWeapon
from asl_pbcg.campaign.sheets.scenario_card import modifier_words
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.kernel.tables import RollTable
from asl_pbcg.records.sheet import Sheet
from asl_pbcg.records.templates import load_layout
from asl_pbcg.refit.helpers.status_chart import chart
from asl_pbcg.refit.s604_bog import NUMBERS

_Row = dict[str, Any]
BRITISH, GERMAN = Side.BRITISH, Side.GERMAN

_MANY: Final = 5
"""From how many modifiers on those of a table stand by their value."""
_START: Final = ("9.601", "9.602", "9.603", "9.604", "9.605")
"""The steps before the status chart, which only words tell of."""
_ROLLS: Final = {
    "9.606": ("escape.infantry", "escape.vehicle", "escape.equipment"),
    "9.607": (),
    "9.608": (),
    "9.609": (),
    "9.610": ("wounded_leader",),
    "9.611": (),
    "9.612": ("san_adjustment",),
    "9.613": ("shift", "shift.casualties", "crew_survival"),
    "9.614": (
        "immobilization_repair", "stun_recovery", "weapon_repair", "captured_equipment",
        "special_ammo",
    ),
    "9.616": ("loss_points",),
}  # fmt: skip
"""By step the tables that are rolled on from Escape on; a step without any is told in words."""
_RECEIVED: Final = (
    "rg_strength", "sw.full", "sw.depleted", "sw.depleted_parentheses",
)  # fmt: skip
"""The tables that say what a purchased RG brings, leaders apart. Rule: 9.618."""


def table_card(
    campaign: str, side: Side, help: Mapping[str, str], templates: Path | None = None
) -> Sheet:
    """Return the card of a side in CG1 or CG2; ``help`` tells of each step in words.

    Rule: 9.601-9.620.
    """
    layout, module = load_layout("table_card", templates), module_of(campaign)
    game = module.frame.campaigns[campaign]
    tables: dict[str, Sequence[_Row]] = {
        "start": list(_steps(module, help)),
        "chart": list(_chart()),
        "rolls": list(_rolls(module, side, help, game.dates[1:])),
        "fortifications": list(_fortifications(module, side)),
        "order": list(_order(module, game.dates)),
    }
    if side is BRITISH:
        tables["reinforcements"] = list(_reinforcements(module, game.dates))
    else:
        tables["groups"] = list(_groups(module))
        tables["weapons"] = list(_weapons(module))
        tables["received"] = list(_rg_rolls(module))
        tables["leaders"] = list(_leaders(module))
    shown = tuple(table for table in layout.tables if table.key in tables)
    return Sheet(
        layout=msgspec.structs.replace(layout, tables=shown),
        tables=tables,
        title=f"{side.title} {layout.title}",
        subtitle=game.title,
        footer=f"{game.title}, the Refit Phase",
    )


# -- Steps and roll tables -------------------------------------------------------------------------


def _steps(module: Module, help: Mapping[str, str]) -> Iterator[_Row]:
    """Yield the steps before the status chart in words, and what helps a bogged vehicle."""
    bog = NUMBERS.content.bog_helpers
    drm = ", ".join(f"{value:+} {kind.replace('_', '-')}" for kind, value in bog.drm.items())
    for step in _START:
        yield {"roll": step, "text": f"{module.step_titles[step]}. {help[step]}"}
        if bog.rule.startswith(step):
            words = f"drm to the colored dr of Bog Removal by Vehicle Note L: {drm}."
            yield {"roll": bog.rule, "text": words}


def _rolls(
    module: Module, side: Side, help: Mapping[str, str], dates: Sequence[CGDate]
) -> Iterator[_Row]:
    """Yield the tables of the steps from Escape on, and in words the steps without one."""
    more = {"9.606": _portage, "9.612": _san, "9.616": _cpp}
    for step, names in _ROLLS.items():
        if not names:
            title = f"{step} {module.step_titles[step]}"
            yield {"section": title, "roll": "", "text": help[step]}
        if _OWN.get(step, side) is not side:
            continue
        for number, name in enumerate(names):
            table = module.tables[name if name in module.tables else f"{name}.{side.value}"]
            rows = list(_table_rows(table))
            yield from rows
            if step in more and not number:
                yield from ({**rows[0], **row} for row in more[step](module, dates))
        if (words := _BESIDE.get((step, side))) is not None:
            yield {**rows[0], **words}


_OWN: Final = {"9.616": GERMAN}
_BESIDE: Final = {
    ("9.610", BRITISH): {
        "roll": "WW",
        "text": "One Walking Wounded MMC for each full squad-equivalent of a type in the WW box, "
        "in any British Setup Area that is not Isolated (9.6102, CG17).",
    }
}


def _table_rows(table: RollTable) -> Iterator[_Row]:
    """Yield a roll table: its Finals, its DRM, what its numbers and notes mean."""
    section = f"{table.rule} {table.title}: {table.spec.name}"
    lines: list[tuple[str, str]] = [(name[0], need.what) for name, need in table.needs.items()]
    results = [(_span(row.span), _result(row.says or row.result, row.notes)) for row in table.rows]
    if all(row.at is not None for row in table.rows):
        words = "; ".join(f"{final}: {result}" for final, result in results)
        results = [(f"{results[0][0]}-{results[-1][0]}", words)]
    lines += results
    lines += _modifiers(table)
    notes = dict.fromkeys(note for row in table.rows for note in row.notes)
    lines += [(f"({note})", table.notes[note]) for note in notes]
    yield from ({"section": section, "roll": roll, "text": text} for roll, text in lines)


def _modifiers(table: RollTable) -> Iterator[tuple[str, str]]:
    """Yield the modifiers of a table together; of many those of one value."""
    if table.drm and len(table.drm) < _MANY:
        yield _drm(table), "; ".join(map(modifier_words, table.drm.values()))
        return
    alike: dict[int, list[str]] = {}
    for modifier in table.drm.values():
        if modifier.by or isinstance(modifier.value, str):
            alike.setdefault(0, []).append(modifier_words(modifier))
        else:
            alike.setdefault(modifier.value, []).append(
                f"per {modifier.per}" if modifier.per else modifier.why
            )
    for value, words in sorted(alike.items()):
        yield f"{_drm(table)} {value:+}" if value else _drm(table), "; ".join(words)


def _drm(table: RollTable) -> str:
    return table.spec.name + ("M" if table.spec.count > 1 else "m")


def _span(span: str) -> str:
    span = span.replace("number", "n").replace("Original", "Orig.")
    return span.replace("<=", "\N{LESS-THAN OR EQUAL TO} ").replace(
        ">=", "\N{GREATER-THAN OR EQUAL TO} "
    )


def _result(words: str, notes: Sequence[str]) -> str:
    return f"{words} ({', '.join(notes)})" if notes else words


def _portage(module: Module, _: Sequence[CGDate]) -> Iterator[_Row]:
    held = module.frame.portage
    yield {
        "roll": "PP",
        "text": f"carried at most, here and in 9.613: MMC {held.mmc}, Walking Wounded MMC "
        f"{held.walking_wounded_mmc}, SMC {held.smc}, wounded SMC {held.wounded_smc}.",
    }


def _san(module: Module, _: Sequence[CGDate]) -> Iterator[_Row]:
    san = module.frame.san
    yield {
        "roll": "SAN",
        "text": f"rolled from SAN {san.adjusted_from} on; a SAN below {san.least} rises to it.",
    }


def _cpp(module: Module, dates: Sequence[CGDate]) -> Iterator[_Row]:
    base, points = module.frame.cpp_base, module.frame.loss_points
    yield {
        "roll": "Base",
        "text": ", ".join(f"{date.title} {base[date]}" for date in dates if date in base)
        + " (9.6161).",
    }
    yield {
        "roll": "Loss",
        "text": f"the dr only from {points.first_date.title} on, if the CVP the German lost in the "
        f"scenario before (counted from {points.record_from.title} on) are {points.ratio} times "
        f"the British and {points.difference} more, or above.",
    }


def _chart() -> Iterator[_Row]:
    """Yield the status chart: by kind of piece what becomes of it where. Rule: 9.6056."""
    status_chart = chart()
    for row in status_chart.rows.values():
        for place, cell in row.cells.items():
            yield {
                "section": row.title,
                "where": status_chart.columns[place],
                "text": f"{cell.says}{''.join(map(_mark, cell.notes))} ({cell.rule})",
            }
    for note, words in status_chart.notes.items():
        yield {"section": "Notes of the chart", "where": _mark(note), "text": words}


def _mark(note: str) -> str:
    return {"dagger": "\N{DAGGER}"}.get(note, note)


# -- Charts ----------------------------------------------------------------------------------------


def _reinforcements(module: Module, dates: Sequence[CGDate]) -> Iterator[_Row]:
    calendar = module.charts.reinforcements
    for date in [cg_date for cg_date in calendar.dates if cg_date in dates[1:]]:
        arrivals = calendar.dates[date]
        units = (
            f"{'dm ' if type in arrivals.dismantled else ''}{type}{f' ×{count}' * (count > 1)}"
            for type, count in arrivals.units.items()
        )
        yield {
            "date": date.title,
            "text": ", ".join(units),
            "fpp": arrivals.fpp,
            "entry": arrivals.entry,
            "notes": ", ".join(map(str, arrivals.notes)),
        }
    for number, words in calendar.notes.items():
        yield {"date": f"Note {number}", "text": words}
    after = CGDate(calendar.withdrawal["after"])
    yield {
        "date": f"After {after.title}",
        "text": f"non-Airborne MMC (not crews) go with SW and SMC ({calendar.withdrawal['rule']})",
    }
    for arrow, area in module.entry_areas.items():
        if area.side is BRITISH:
            titles = ", ".join(CGDate(cg_date).title for cg_date in area.dates or ())
            yield {"date": arrow, "text": f"Entry Area, {titles or 'every CG Date'}"}


def _groups(module: Module) -> Iterator[_Row]:
    for id, group in module.charts.groups.groups.items():
        yield {
            "id": id,
            "name": group.name,
            "units": _units(group),
            "cost": _or_dash(group.cost),
            "date_max": _or_dash(group.date_max),
            "cg_max": _or_dash(group.cg_max),
            "notes": ", ".join(group.notes),
        }


def _units(group: GroupChart) -> str:
    if group.fpp:
        return f"{group.fpp} FPP"
    return "\n".join(f"{full}/{_or_dash(depleted)} {type}" for full, depleted, type in group.units)


def _or_dash(number: int | None) -> str:
    return "-" if number is None else str(number)


def _weapons(module: Module) -> Iterator[_Row]:
    """Yield by RG the Support Weapons and the Leader Allotment DR; RG alike stand together."""
    groups = module.charts.groups
    alike: dict[tuple[str, str], list[str]] = {}
    for id, leaders in groups.leaders.items():
        weapons = groups.support_weapons.get(id, {})
        words = ", ".join(f"{type} {_number(number)}" for type, number in weapons.items())
        title = module.tables[leaders.table].title.partition(", ")[2]
        alike.setdefault((words or "-", f"{leaders.rolls} {title}"), []).append(id)
    for (words, leaders_words), ids in alike.items():
        name = ids[0] if len(ids) == 1 else f"{ids[0]} to {ids[-1]}"
        yield {"rg": name, "weapons": words, "leaders": leaders_words}


def _number(weapon: SupportWeapon) -> str:
    return f"({weapon.p})" if weapon.p else str(weapon.n)


def _rg_rolls(module: Module) -> Iterator[_Row]:
    """Yield the notes of the RG chart, the CPP Entry Costs, and what a purchased RG rolls for."""
    groups = module.charts.groups
    for note, words in groups.notes.items():
        yield {"section": "9.617 Notes of the RG chart", "roll": note, "text": words}
    costs = ", ".join(
        f"{arrow} {area.cost:+}"
        for arrow, area in module.entry_areas.items()
        if area.cost is not None
    )
    yield {
        "section": "9.617 Notes of the RG chart",
        "roll": "Entry",
        "text": f"CPP for each RG: {costs}",
    }
    for name in _RECEIVED:
        yield from _table_rows(module.tables[name])
        if name == "rg_strength":
            exempt = ", ".join(groups.strength_dr_exempt)
            yield {"section": "9.6181 RG Strength: DR", "roll": "No DR", "text": exempt}


def _leaders(module: Module) -> Iterator[_Row]:
    """Yield what each Final brings in both columns of the leader tables. Rule: 9.6183."""
    personnel, armor = (module.tables[f"leader.{name}"] for name in ("personnel", "armor"))
    drm = "; ".join(map(modifier_words, personnel.drm.values()))
    for row in personnel.rows:
        final = next(bound for bound in row.bounds({}) if bound is not None)
        same = next(row for row in armor.rows if row.covers(final, {}))
        yield {
            "section": f"{_drm(personnel)}: {drm}",
            "final": _span(row.span),
            "personnel": row.says or row.result,
            "armor": same.says or same.result,
        }


def _fortifications(module: Module, side: Side) -> Iterator[_Row]:
    charts = module.charts.fortifications
    kinds = [kind for kind in charts.kinds.values() if kind.side in (None, side)]
    for kind in kinds:
        parts = [f"in {', '.join(map(str, kind.sizes))}"] if kind.sizes else []
        parts += [f"{kind.most} at most"] if kind.most else []
        yield {
            "name": kind.name,
            "cost": kind.cost,
            "notes": "; ".join([*parts, ", ".join(kind.notes)]).strip("; "),
        }
    used = {note for kind in kinds for note in kind.notes}
    for note, words in charts.notes.items():
        if note in used:
            yield {"name": f"Note {note}", "notes": words}


def _order(module: Module, dates: Sequence[CGDate]) -> Iterator[_Row]:
    alike: dict[tuple[str, str], list[str]] = {}
    for date in dates:
        order = module.frame.setup_order[date]
        alike.setdefault((order.first_setup.title, order.first_move.title), []).append(date.title)
    for (setup, move), titles in alike.items():
        yield {"setup": setup, "move": move, "dates": ", ".join(titles)}
