"""The ledger of luck: exact fractions that add up without a remainder."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import product

import campaign_soak
import pytest

from asl_pbcg.campaign.module.campaign_tables import table
from asl_pbcg.chronicle.luck_ledger import (
    fraction_words,
    luck_ledger,
    rarest,
    totals,
    unlikely_rolls,
)
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.moments import moments
from asl_pbcg.kernel.prompts import Roll
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.table_set import TableSet
from asl_pbcg.kernel.views import UMPIRE


@pytest.fixture(scope="module")
def session() -> Session:
    return campaign_soak.play(campaign_soak.begin(8), 8, check=False)


def throws(session: Session) -> list[tuple[Roll, str]]:
    """Every roll that stands and what it brought."""
    return [
        (moment.asked, moment.sent.result)
        for moment in {each.seq: each for each in moments(session.game, session.journal)}.values()
        if isinstance(moment.asked, Roll) and moment.asked.table
    ]


def expected(roll: Roll, worth: object) -> Fraction:
    """The mean worth of a roll, by throwing every throw."""
    assert roll.table
    spec = roll.table.spec
    faces = list(product(range(1, spec.sides + 1), repeat=spec.count))
    return Fraction(sum(worth(roll.resolve(each).result) for each in faces), len(faces))  # type: ignore[operator]


def tails(roll: Roll, result: str) -> tuple[Fraction, Fraction]:
    """The chances of a result of the same row or a lower one, and of the same or a higher one."""
    assert roll.table
    spec = roll.table.spec
    throws = sorted(product(range(1, spec.sides + 1), repeat=spec.count), key=sum)
    results = [roll.resolve(each).result for each in throws]
    order = list(dict.fromkeys(results))
    places = [order.index(each) for each in results]
    at, every = order.index(result), len(results)
    low, high = (sum(each <= at for each in places), sum(each >= at for each in places))
    return Fraction(low, every), Fraction(high, every)


def test_the_ledger_is_the_sum_of_its_rolls(session: Session) -> None:
    lines = luck_ledger(moments(session.game, session.journal), UMPIRE)
    due: dict[tuple[str, str, str], Fraction] = defaultdict(Fraction)
    came: dict[tuple[str, str, str], int] = defaultdict(int)
    for roll, result in throws(session):
        assert roll.table
        for each in roll.table.counts:
            key = (str(roll.side), each.kind, each.unit)
            due[key] += expected(roll, each.of)
            came[key] += each.of(result)
    found = {(line.side, line.kind, line.unit): line for line in totals(lines)}
    assert found.keys() == due.keys() and len(found) > 8
    for key, line in found.items():
        assert (line.expected, line.brought) == (due[key], came[key]), key
        parts = [each for each in lines if (each.side, each.kind, each.unit) == key]
        assert line.difference - sum(each.difference for each in parts) == 0  # no remainder
        assert isinstance(line.expected, Fraction)


def test_a_side_sees_its_own_secret_rolls_only(session: Session) -> None:
    found = moments(session.game, session.journal)
    german, british = (luck_ledger(found, side) for side in ("german", "british"))
    assert {"Leaders", "RG Strength"} <= {line.kind for line in german}
    assert not {"Leaders", "RG Strength"} & {line.kind for line in british}
    assert {line.side for line in british if line.kind == "Weapon repair"} <= {"british"}


def test_unlikely_rolls_are_unlikely(session: Session) -> None:
    found = unlikely_rolls(moments(session.game, session.journal), UMPIRE)
    assert [each.seq for each in found] == sorted(each.seq for each in found)
    due = {}
    for moment in moments(session.game, session.journal):
        roll = moment.asked
        if not isinstance(roll, Roll) or not roll.table or not roll.table.counts:
            continue
        low, high = tails(roll, moment.sent.result)
        if min(low, high) <= Fraction(1, 6):
            due[moment.seq] = min(low, high)
    assert {each.seq: each.chance for each in found} == due and due
    rare = rarest(found, 3)
    assert len(rare) == 3 and set(rare) <= set(found)
    assert max(each.chance for each in rare) == sorted(due.values())[2]


def test_leadership_and_loss_points_are_counted_by_their_numbers() -> None:
    for name in ("leader.personnel", "leader.armor"):
        (counted,) = table(name).counts
        for row in table(name).rows:
            modifiers = [int(each[-2:]) for each in row.facts["leaders"]]
            assert counted.of(row.result) == -sum(modifiers), row.result
    (counted,) = table("loss_points").counts
    assert all(counted.of(row.result) == int(row.result) for row in table("loss_points").rows)


def test_a_count_of_a_result_that_a_table_has_not_is_refused() -> None:
    body = {"title": "T", "rule": "9.6", "dice": "1d6", "rows": [{"result": "kept"}]}
    counts = [{"kind": "K", "unit": "U", "worth": {"kep": 1}}]
    with pytest.raises(PBCGError) as wrong:
        TableSet.read({"t": {**body, "counts": counts}}, "tables.yaml")
    assert '"kep"' in str(wrong.value)


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (Fraction(83, 6), "13 5/6"),
        (Fraction(-1, 6), "-1/6"),
        (Fraction(2), "+2"),
        (Fraction(0), "0"),
    ],
)
def test_a_fraction_in_words(number: Fraction, words: str) -> None:
    assert fraction_words(number, signed="+" in words) == words
