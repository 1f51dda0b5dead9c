"""Whatever stands in an orders, map or settings file: a sentence, and nothing else."""

from __future__ import annotations

from typing import Any

from airborne_help import plain, with_settings
from hypothesis import given, settings
from hypothesis import strategies as st

from asl_pbcg.airborne.drop_map import build_map, read_spec
from asl_pbcg.airborne.drop_settings import DROP_RULINGS, settings_of
from asl_pbcg.airborne.landing_orders import read_orders
from asl_pbcg.kernel.errors import PBCGError

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 70),
    st.floats(allow_nan=False),
    st.sampled_from(["", "X24", "K10", "W", "NE", "battery", "para", "clear", "air_phase", "X"]),
    st.text(max_size=12),
)
anything = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)
LINE = ("turn", "at", "platoon", "type", "sticks", "kind", "load", "flight", "enters", "odd")
lines = st.dictionaries(st.sampled_from(LINE), anything, max_size=7)


@settings(max_examples=150, deadline=None)
@given(
    st.one_of(
        anything,
        st.fixed_dictionaries(
            {"format": st.just("pbcg-drop-orders/1")},
            optional={
                "title": anything,
                "side": anything,
                "map": anything,
                "drops": st.one_of(anything, st.lists(lines, max_size=3)),
                "gliders": st.one_of(anything, st.lists(lines, max_size=3)),
            },
        ),
    )
)
def test_orders(raw: Any) -> None:
    chosen = with_settings()
    try:
        found = read_orders(raw, plain(chosen), chosen, "orders.yaml")
    except PBCGError as error:
        assert str(error)
    else:
        assert read_orders(found.to_data(), plain(chosen), chosen, "again") == found


@settings(max_examples=150, deadline=None)
@given(
    st.one_of(
        anything,
        st.dictionaries(
            st.sampled_from(["format", "board", "columns", "rows", "sheet_top", "default", "odd"]),
            scalars,
            max_size=5,
        ),
        st.fixed_dictionaries(
            {"columns": st.integers(0, 30), "rows": st.integers(0, 30)},
            optional={
                "terrain": st.dictionaries(
                    st.sampled_from(["forest", "wood", "sea"]), anything, max_size=2
                ),
                "default": anything,
            },
        ),
    )
)
def test_maps(raw: Any) -> None:
    chosen = with_settings()
    try:
        there = build_map(read_spec(raw, chosen, "map.yaml"), chosen)
    except PBCGError as error:
        assert str(error)
    else:
        assert there.survival_rows(there.grid.names[0], chosen)


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(st.sampled_from([*DROP_RULINGS, "odd"]), anything, max_size=4))
def test_settings(raw: dict[str, Any]) -> None:
    try:
        found = settings_of(raw, "house.yaml")
    except PBCGError as error:
        assert str(error)
    else:
        assert type(found).of_data(found.to_data()) == found
