"""Plain values of what is asked of one viewer: every skin draws these and nothing else."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

import msgspec

from asl_pbcg.kernel.prompts import WIDGETS, NumberField, Option, Prompt, Roll
from asl_pbcg.kernel.tables import DRM, percent
from asl_pbcg.kernel.topic import NOTHING, Topic


class Chance(msgspec.Struct, frozen=True):
    """One result of a roll: its key, its words, its exact chance (``10/36``) and as percent.

    ``share`` is the chance as a number from 0 to 1.
    """

    result: str
    says: str
    chance: str
    percent: str
    share: float


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """The common part of a prompt and a roll; ``seq`` is the viewer's own count of the journal.

    ``side`` decides or rolls, both sides together where it is empty. ``step`` is the title of the
    step, ``heading`` what stands above all prompts of the moment (``RePh after Night I``),
    ``decider`` which of several players of the side it was handed to.
    """

    id: str
    seq: int
    text: str
    rule: str = ""
    side: str = ""
    secret: bool = False
    where: str = ""
    topic: Topic = NOTHING
    step: str = ""
    heading: str = ""
    decider: str = ""


class ShownProposal(msgspec.Struct, frozen=True, kw_only=True):
    """An answer that the side ``by`` proposes, in ``words``; the other agrees by its ``digest``."""

    by: str
    digest: str
    words: str
    value: Any


class AskedPrompt(Asked, frozen=True, kw_only=True, tag_field="asked", tag="prompt"):
    """A decision. Where both must agree ``proposals`` are what each side has proposed."""

    kind: str
    widget: str
    options: tuple[Option, ...] = ()
    fields: tuple[NumberField, ...] = ()
    least: int = 0
    most: int = 0
    default: Any = None
    help: str = ""
    proposals: tuple[ShownProposal, ...] = ()


class AskedRoll(Asked, frozen=True, kw_only=True, tag_field="asked", tag="roll"):
    """Dice that are due. ``dice`` as ``2d6``; ``typed``: real dice are read, none is thrown.

    ``count`` dice with so many ``sides`` each go by ``dice_name``, as DR.
    """

    dice: str
    dice_name: str
    count: int
    sides: int
    widget: str = "dice"
    drm: tuple[DRM, ...] = ()
    odds: tuple[Chance, ...] = ()
    typed: bool = False


class Curtain(msgspec.Struct, frozen=True, kw_only=True, tag_field="asked", tag="curtain"):
    """At one screen: before going on ``side`` alone must sit there (both again where it is empty).

    ``leaving`` is the side whose secrets stand on the screen now and must be wiped.
    """

    side: str = ""
    leaving: str = ""


_COMMON: Final = ("id", "text", "rule", "side", "secret", "where", "topic")


def ask_of(
    pending: Prompt | Roll, seq: int, step: str, heading: str, typed: bool
) -> AskedPrompt | AskedRoll:
    """The pending prompt or roll as plain values, odds worked out."""
    common: dict[str, Any] = {name: getattr(pending, name) for name in _COMMON}
    common |= {"seq": seq, "step": step, "heading": heading}
    if isinstance(pending, Prompt):
        return AskedPrompt(
            **common,
            kind=pending.kind,
            widget=pending.widget or WIDGETS[pending.kind],
            options=tuple(pending.options),
            fields=pending.fields,
            least=pending.least,
            most=pending.most,
            default=pending.default,
            help=pending.help,
        )
    return AskedRoll(
        **{**common, "rule": pending.rule or (pending.table.rule if pending.table else "")},
        dice=str(pending.spec),
        dice_name=pending.spec.name,
        count=pending.spec.count,
        sides=pending.spec.sides,
        drm=pending.table.modifiers(pending.given) if pending.table else (),
        odds=chances(pending),
        typed=typed,
    )


def chances(roll: Roll) -> tuple[Chance, ...]:
    """The exact chance of each result of a roll on a table; none for plain dice."""
    if not roll.table:
        return ()
    says = {row.result: row.says or row.result for row in roll.table.rows}
    counts, outcomes = roll.table.odds_counts(roll.given)
    return tuple(
        Chance(
            result,
            says.get(result, result),
            f"{n}/{outcomes}",
            percent(Fraction(n, outcomes)),
            round(n / outcomes, 3),
        )
        for result, n in counts.items()
        if n
    )
