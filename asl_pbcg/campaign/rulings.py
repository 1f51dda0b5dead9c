"""The readings of doubtful rules, and the house rules among them.

``data/pb/rulings.yaml`` is the register; a campaign stores the choices its players made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

import msgspec

from asl_pbcg.campaign.terms import SHIPPED
from asl_pbcg.kernel.reader import Reader, nearest
from asl_pbcg.kernel.typed_data import DataFile, data_file, unless_known


class Ruling(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One reading: the place in the rules, what is doubtful, what is done and why."""

    kind: str
    rule: str
    issue: str
    ruling: str
    why: str
    default: str = ""
    choices: dict[str, str] = {}
    per_event: bool = False
    earlier: dict[int, str] = {}
    """The default up to an edition of the register; campaigns begun with it keep it."""
    replaced: dict[str, str] = {}
    """Choices that earlier versions offered, and the nearest one that is offered now."""

    @property
    def is_house_rule(self) -> bool:
        """Whether players may choose when a campaign begins."""
        return bool(self.choices)


def _check_defaults(found: dict[str, Ruling]) -> Iterator[tuple[str, str]]:
    for id, ruling in found.items():
        if ruling.choices or ruling.default:
            yield from unless_known(f"{id}.default", ruling.default, ruling.choices, "choice")
        for former, now in ruling.replaced.items():
            yield from unless_known(f"{id}.replaced.{former}", now, ruling.choices, "choice")
        for last, default in ruling.earlier.items():
            yield from unless_known(f"{id}.earlier.{last}", default, ruling.choices, "choice")


@cache
def rulings_file(folder: str = SHIPPED) -> DataFile[dict[str, Ruling]]:
    """The file of a module's register."""
    return data_file(f"{folder}/rulings.yaml", dict[str, Ruling], _check_defaults)


@cache
def rulings(folder: str = SHIPPED) -> dict[str, Ruling]:
    """The register of a module, by id; raises PBCGError if the file is broken."""
    found = rulings_file(folder).content
    # What procedures that several modules share ask for is read as here unless a module differs.
    return found if folder == SHIPPED else rulings() | found


def edition(folder: str = SHIPPED) -> int:
    """The edition of the register: one more than the last that had another default somewhere."""
    return 1 + max(
        (last for ruling in rulings(folder).values() for last in ruling.earlier), default=0
    )


def earlier_defaults(begun_with: int) -> dict[str, str]:
    """The defaults that have changed since a campaign began with an edition, as they were then."""
    found = {}
    for id, ruling in rulings().items():
        kept = [last for last in ruling.earlier if last >= begun_with]
        if kept:
            found[id] = ruling.earlier[min(kept)]
    return found


def choice(chosen: Mapping[str, str], id: str, folder: str = SHIPPED) -> str:
    """What a campaign that stored ``chosen`` plays for the house rule ``id``."""
    ruling = rulings(folder)[id]
    return replaced_choice(id, chosen.get(id) or ruling.default)


def replaced_choice(id: str, stored: str) -> str:
    """Return the choice played for a ``stored`` one, which may no longer be offered."""
    ruling = rulings().get(id)
    return ruling.replaced.get(stored, stored) if ruling else stored


def replaced_choices(chosen: Mapping[str, str]) -> Iterator[str]:
    """Say of each stored choice that is no longer offered which one is played in its place."""
    for id, stored in chosen.items():
        ruling = rulings().get(id)
        if ruling and stored in ruling.replaced:
            now = ruling.replaced[stored]
            yield (
                f"House rule {id}={stored} is no longer offered: {id}={now} is played "
                f"({ruling.choices[now]})."
            )


def read_house_rules(typed: Iterable[str]) -> dict[str, str]:
    """Read ``ID=CHOICE`` as players type it; raises FaultsError with all faults at once."""
    chosen: dict[str, str] = {}
    reader = Reader("The command")
    houses = {id: ruling for id, ruling in rulings().items() if ruling.is_house_rule}
    for item in typed:
        id, _, value = (part.strip() for part in item.partition("="))
        id = id.upper()
        if id not in houses:
            hint = nearest(id, houses, 0.3)
            reader.fault("--house-rule", item, f'names no house rule "{id}"{hint}')
        elif value not in houses[id].choices:
            legal = ", ".join(houses[id].choices)
            reader.fault("--house-rule", item, f"must be one of: {legal}")
        elif id in chosen:
            reader.fault("--house-rule", item, f"sets {id} twice")
        else:
            chosen[id] = value
    reader.raise_faults()
    return chosen
