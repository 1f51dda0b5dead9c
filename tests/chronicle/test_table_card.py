"""The table card holds every figure of data/ that a Refit Phase on paper rolls or looks up."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import pytest
from print_measure import misplaced, printed_pages

from asl_pbcg.campaign.module.campaign_module import module_of
from asl_pbcg.campaign.terms import Side
from asl_pbcg.chronicle.table_card import table_card
from asl_pbcg.kernel.data import data_path
from asl_pbcg.kernel.tables import RollTable
from asl_pbcg.kernel.textfiles import read_yaml_or_json
from asl_pbcg.play.help_texts import REFIT_HELP
from asl_pbcg.records import Paper, Sheet, to_pdf

BRITISH, GERMAN = Side.BRITISH, Side.GERMAN
MODULE = module_of("CG1")
SIDES = pytest.mark.parametrize("side", [BRITISH, GERMAN])
GERMAN_ONLY = re.compile(r"loss_points|rg_strength|sw\..*|leader\..*|san_adjustment\.german")
SMALLEST = 7.5


def card(side: Side) -> Sheet:
    return table_card("CG1", side, REFIT_HELP.content.steps)


def is_of(name: str, side: Side) -> bool:
    if name.startswith("san_adjustment."):
        return name.endswith(side.value)
    return side is GERMAN or not GERMAN_ONLY.fullmatch(name)


def flat(words: Iterable[object]) -> str:
    """Words without what breaks lines."""
    return re.sub(r"\s+", "", " ".join(map(str, words)))


def printed(side: Side, paper: Paper = Paper.A4) -> str:
    import io

    from pypdf import PdfReader

    pages = PdfReader(io.BytesIO(to_pdf(card(side), paper))).pages
    return flat(page.extract_text() for page in pages)


def section(side: Side, table: RollTable) -> list[dict[str, Any]]:
    """The rows of the card under the heading of a roll table."""
    head = f"{table.rule} {table.title}: {table.spec.name}"
    rows = [dict(row) for rows in card(side).tables.values() for row in rows]
    return [row for row in rows if row.get("section") == head]


@SIDES
def test_every_result_row_of_a_roll_table_stands_on_the_card(side: Side) -> None:
    counted = 0
    for name in MODULE.tables:
        table = MODULE.tables[name]
        if not is_of(name, side) or name.startswith("leader."):
            continue
        rows = section(side, table)
        for each in table.rows:
            counted += 1
            span = each.span.replace("number", "n").replace("Original", "Orig.")
            span = span.replace("<=", "≤ ").replace(">=", "≥ ")
            found = [row for row in rows if row["roll"] == span]
            if not found:  # all in one row
                assert f"{span}: {each.says}" in rows[0]["text"], name
            else:
                assert found[0]["text"].startswith(each.says or each.result), name
            for note in each.notes:
                assert any(row["text"] == table.notes[note] for row in rows)
    assert counted > (45 if side is GERMAN else 36)


@SIDES
def test_every_drm_of_a_roll_table_stands_on_the_card(side: Side) -> None:
    text = printed(side)
    for name in MODULE.tables:
        table = MODULE.tables[name]
        if not is_of(name, side):
            continue
        rows = section(side, table)
        for drm in table.drm.values():
            words = drm.per or drm.why
            assert flat([words]) in text, (name, words)
            value = f"{drm.value:+}" if isinstance(drm.value, int) and drm.value else ""
            there = [
                row for row in rows
                if row["roll"].lower().startswith("drm") and words in row["text"]
            ]  # fmt: skip
            if name.startswith("leader."):
                assert f"{value} {words}" in card(side).tables["leaders"][0]["section"]
            else:
                assert value in f"{there[0]['roll']} {there[0]['text']}", (name, words)


def test_every_final_of_the_leader_tables_stands_on_the_card() -> None:
    rows = card(GERMAN).tables["leaders"]
    for final in range(-1, 17):
        for column in ("personnel", "armor"):
            table = MODULE.tables[f"leader.{column}"]
            (row,) = [each for each in table.rows if each.covers(final, {})]
            found = [each for each in rows if covers(str(each["final"]), final)]
            assert [each[column] for each in found] == [row.says or row.result], (column, final)


def covers(span: str, final: int) -> bool:
    bounds = list(map(int, re.findall(r"\d+", span)))
    if "≤" in span:
        return final <= bounds[0]
    return final >= bounds[0] if "≥" in span else bounds[0] <= final <= bounds[-1]


def leaves(value: object) -> Iterable[object]:
    """The texts and numbers in a part of a data file."""
    if isinstance(value, dict):
        for each in value.values():
            yield from leaves(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from leaves(each)
    elif value is not None:
        yield value


def test_every_cell_of_the_charts_stands_on_the_card() -> None:
    texts = {side: printed(side) for side in (BRITISH, GERMAN)}
    chart: Any = read_yaml_or_json(data_path("pb/status_chart.yaml"))
    common = [chart["columns"], chart["notes"]]
    common += [row["title"] for row in chart["rows"].values()]
    common += [
        (cell["says"], cell["rule"]) for row in chart["rows"].values()
        for cell in row["cells"].values()
    ]  # fmt: skip
    bog: Any = read_yaml_or_json(data_path("pb/refit.yaml"))
    common += [[f"{value:+} {kind.replace('_', '-')}"
                for kind, value in bog["bog_helpers"]["drm"].items()]]  # fmt: skip
    frame: Any = read_yaml_or_json(data_path("pb/campaign.yaml"))
    common += [[frame["portage"][key]] for key in ("mmc", "smc")]
    for side, text in texts.items():
        for words in leaves(common):
            assert flat([words]) in text, (side, words)
    fortifications: Any = read_yaml_or_json(data_path("pb/fortifications.yaml"))
    for side, text in texts.items():
        for kind in fortifications["kinds"].values():
            if kind.get("side", side) == side:
                assert flat([kind["name"]]) in text
                assert all(flat([fortifications["notes"][note]]) in text
                           for note in kind.get("notes", ()))  # fmt: skip


def test_every_rg_and_every_reinforcement_stands_on_its_card() -> None:
    rows = {row["id"]: row for row in card(GERMAN).tables["groups"]}
    groups = MODULE.charts.groups
    assert rows.keys() == groups.groups.keys()
    text = printed(GERMAN)
    for id, group in groups.groups.items():
        for full, depleted, type in group.units:
            assert f"{full}/{'-' if depleted is None else depleted} {type}" in rows[id]["units"]
        for key in ("cost", "date_max", "cg_max"):
            value = getattr(group, key)
            assert rows[id][key] == ("-" if value is None else str(value))
    assert all(flat([note]) in text for note in groups.notes.values())
    for id, weapons in groups.support_weapons.items():
        row = next(each for each in card(GERMAN).tables["weapons"] if id in spread(each["rg"]))
        for type, each in weapons.items():
            assert f"{type} {f'({each.p})' if each.p else each.n}" in str(row["weapons"])
        assert str(row["leaders"]).startswith(str(groups.leaders[id].rolls))
    british = printed(BRITISH)
    found = MODULE.charts.reinforcements
    for row, (date, given) in zip(
        card(BRITISH).tables["reinforcements"], found.dates.items(), strict=False
    ):
        assert (row["date"], row["fpp"], row["entry"]) == (date.title, given.fpp, given.entry)
        for type, count in given.units.items():
            assert f"{type}{f' ×{count}' if count > 1 else ''}" in str(row["text"])
    assert all(flat([note]) in british for note in found.notes.values())
    base = ", ".join(f"{date.title} {cpp}" for date, cpp in MODULE.frame.cpp_base.items())
    assert flat([base]) in text
    for arrow, area in MODULE.entry_areas.items():
        assert flat([f"{arrow} {area.cost:+}"] if area.cost is not None else [arrow]) in (
            text if area.side is GERMAN else british
        )


def spread(name: object) -> list[str]:
    first, _, last = str(name).partition(" to ")
    if not last:
        return [first]
    letter, low, high = first[0], int(first[1:]), int(last[1:])
    return [f"{letter}{number}" for number in range(low, high + 1)]


@SIDES
@pytest.mark.parametrize("paper", list(Paper))
def test_a_card_is_two_pages_that_can_be_read(side: Side, paper: Paper) -> None:
    """Nothing leaves its frame, nothing but head and foot is smaller than 7.5 points."""
    content = to_pdf(card(side), paper)
    pages = 0
    for page in printed_pages(content):
        assert not misplaced(page)
        pages += 1
    assert pages <= 2
    sheet = card(side)
    assert min(table.font_size for table in sheet.layout.tables) >= SMALLEST
    assert sorted({size for size in sizes(content) if size < SMALLEST}) == [7.0]  # the foot


def sizes(content: bytes) -> set[float]:
    import io

    from pypdf import PdfReader

    found: set[float] = set()

    def note(text: str, _cm: Any, _tm: Any, _font: Any, size: float) -> None:
        if text.strip():
            found.add(round(size, 1))

    for page in PdfReader(io.BytesIO(content)).pages:
        page.extract_text(visitor_text=note)
    return found
