"""What stands in a cell, in which letters, and how wide columns are."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from asl_pbcg.records import paragraphs, values
from asl_pbcg.records.layout import Format
from asl_pbcg.records.sheet_grid import settle, share, squeeze


@pytest.mark.parametrize(
    ("value", "form", "printed"),
    [
        (3, Format.WHOLE, "3"),
        (3.0, Format.WHOLE, "3"),
        (2.5, Format.WHOLE, "2.5"),
        (0, Format.WHOLE, "0"),
        ("None", Format.WHOLE, "None"),
        (9.5, Format.HALVES, "9½"),
        (0.5, Format.HALVES, "½"),
        (-0.5, Format.HALVES, "-½"),
        (-1.5, Format.HALVES, "-1½"),
        (10.0, Format.HALVES, "10"),
        (1.25, Format.HALVES, "1.25"),
        (2, Format.SIGNED, "+2"),
        (-1, Format.SIGNED, "-1"),
        (0, Format.SIGNED, "0"),
        (123456789, Format.SIGNED, "+123456789"),
        (0.25, Format.DECIMAL, "0.25"),
        (0.5, Format.DECIMAL, "0.50"),
        (0.125, Format.DECIMAL, "0.125"),
        (0.25, Format.PERCENT, "25%"),
        (1 / 3, Format.PERCENT, "33.3%"),
        (Fraction(3, 2), Format.HALVES, "1½"),
        (Decimal("4"), Format.WHOLE, "4"),
        (True, Format.TEXT, "yes"),
        (None, Format.WHOLE, ""),
        (float("nan"), Format.WHOLE, ""),
        (pd.NA, Format.WHOLE, ""),
        (pd.NaT, Format.TEXT, ""),
        (np.int64(7), Format.WHOLE, "7"),
        (np.float64(1.5), Format.HALVES, "1½"),
        (float("inf"), Format.WHOLE, "inf"),
        (10**20, Format.WHOLE, "1" + "0" * 20),
        ("a\r\nb\rc\x00", Format.TEXT, "a\nb\nc\ufffd"),
    ],
)
def test_what_is_printed_for_a_value(value: object, form: Format, printed: str) -> None:
    assert values.text(value, form) == printed


def test_a_number_is_a_number_unless_a_spreadsheet_could_not_keep_it() -> None:
    assert values.number(3.0) == 3
    assert isinstance(values.number(3.0), int)
    assert values.number(Fraction(1, 2)) == 0.5
    for no_number in ("3", True, None, float("nan"), float("inf"), 10**15):
        assert values.number(no_number) is None


@pytest.mark.parametrize(
    ("value", "form", "shown_as"),
    [
        (3, Format.WHOLE, "0"),
        (2.5, Format.WHOLE, "General"),
        (2, Format.SIGNED, "+0;-0;0"),
        (2.5, Format.SIGNED, "General"),
        (0.125, Format.DECIMAL, "General"),
        (0.12, Format.DECIMAL, "0.00"),
        (0.5, Format.PERCENT, "0%"),
        (1 / 3, Format.PERCENT, "0.0%"),
    ],
)
def test_no_number_format_hides_part_of_a_number(value: float, form: Format, shown_as: str) -> None:
    assert values.excel_format(value, form) == shown_as


@pytest.mark.parametrize(
    ("written", "drawn"),
    [
        ("Jürgen Groß, François, Bénouville", "Jürgen Groß, François, Bénouville"),
        ("½ ≤ ≥ × – € “x”", "½ ≤ ≥ × – € “x”"),
        ("Łukasz", "Łukasz"),
        ("Dvořák Őrs Иван Щука Οδυσσεύς", "Dvořák Őrs Иван Щука Οδυσσεύς"),
        ("e\u0301", "é"),
        ("\u202eabc\u200b", "abc"),
        ("中文 かな 한글", "中文 かな 한글"),
        ("Ａﬁ①", "Aﬁ1"),
        ("สมชาย x", "[5 Thai letters] x"),
        ("משה א", "[3 Hebrew letters] [1 Hebrew letter]"),
        ("\U0001f600☠", "[grinning face][skull and crossbones]"),
        ("a\tb", "a    b"),
        ("\ufffd", "[replacement character]"),
        ("→ ✓", "→ [check mark]"),
    ],
)
def test_letters_no_font_has_stand_in_brackets(written: str, drawn: str) -> None:
    assert paragraphs.drawable(written) == drawn


def test_markup_is_never_taken_from_what_players_write() -> None:
    assert paragraphs.markup("<b>&\n≤中", paragraphs.SANS) == (
        '&lt;b&gt;&amp;<br/>≤<font name="STSong-Light">中</font>'
    )


@given(st.text(max_size=40))
def test_what_is_drawn_needs_no_letter_that_is_missing(words: str) -> None:
    drawn = paragraphs.drawable(values.clean(words))
    assert paragraphs.drawable(drawn) == drawn
    assert paragraphs.width(drawn, paragraphs.BOLD, 9) >= 0


@given(
    st.lists(st.tuples(st.floats(3, 300), st.floats(0, 120)), min_size=1, max_size=30),
    st.floats(200, 900),
)
def test_columns_fill_the_page_and_none_is_too_narrow(
    columns: list[tuple[float, float]], total: float
) -> None:
    wanted = [column[0] for column in columns]
    needed = [column[1] for column in columns]
    widths = share(wanted, needed, total)
    if widths is None:
        assert sum(needed) > total
        widths = squeeze(wanted, needed, total)
    else:
        assert all(have >= need - 1e-6 for have, need in zip(widths, needed, strict=True))
    assert sum(widths) == pytest.approx(total)
    assert all(width > 0 for width in widths)


def test_a_narrow_page_takes_from_columns_that_can_give() -> None:
    assert share([10, 10, 20], [0, 20, 0], 40) == pytest.approx([20 / 3, 20, 40 / 3])


def test_width_that_nobody_uses_goes_to_texts_that_wrap() -> None:
    assert settle([60, 60, 60], [10] * 3, [20, 100, 55], [1, 1, 1]) == pytest.approx([40, 85, 55])
    assert settle([60, 60], [10, 10], [20, 30], [5, 5]) == [60, 60]
    # First where most rows are so wide.
    assert settle([60, 60, 60], [10] * 3, [20, 75, 99], [9, 8, 1]) == pytest.approx([40, 75, 65])
