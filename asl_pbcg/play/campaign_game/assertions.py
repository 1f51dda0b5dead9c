"""Paper assertions: what stands on a roster on paper, held against the campaign file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import msgspec

from asl_pbcg.campaign.paper.roster_facts import NoSuchFact, RosterFacts, UnknownFact, Value, plain
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.kernel.entries import Entry
from asl_pbcg.kernel.errors import Fault, FaultsError, PBCGError
from asl_pbcg.kernel.player_notes import MAX_FACT, MAX_FACTS
from asl_pbcg.kernel.reader import plain_dashes, value_words
from asl_pbcg.kernel.session import Session
from asl_pbcg.play.campaign_game.campaign_facts import state_for
from asl_pbcg.play.plug import title_of

if TYPE_CHECKING:
    from asl_pbcg.play.open_game import OpenGame

BLANK: Final = ("", "-")
"""How a blank of the roster is typed."""
_NUMBER = re.compile(r"[+-]?\d{1,9}(\.\d{1,3})?")


class ComparedFact(msgspec.Struct, frozen=True, kw_only=True):
    """A fact as the paper and as the file have it; ``owner`` is the side whose secret it is."""

    fact: str
    paper: Value
    file: Value
    owner: str = ""

    @property
    def agrees(self) -> bool:
        """Whether paper and file say the same; a blank and 0 are the same."""
        if isinstance(self.paper, str) or isinstance(self.file, str):
            return plain(str(self.paper or "")) == plain(str(self.file or ""))
        return (self.paper or 0) == (self.file or 0)

    @property
    def sentence(self) -> str:
        """Say what the file has and what the paper says."""
        return (
            f"{self.fact}: the file has {_words(self.file)}, the paper says {_words(self.paper)}."
        )

    @property
    def plain_data(self) -> dict[str, Any]:
        """All of it, as answers in JSON have it."""
        kept = {"fact": self.fact, "paper": self.paper, "file": self.file}
        return {**kept, "agrees": self.agrees, "sentence": self.sentence}


def compare_facts(game: OpenGame, viewer: str, typed: Sequence[str]) -> list[ComparedFact]:
    """Hold facts as typed (``san/german=3``) against a campaign, as ``viewer`` may know it.

    Raises FaultsError with all that are unknown, malformed or another side's, and PBCGError for
    another game.
    """
    if "paper" not in game.plug.features:
        called = title_of(game.plug.game)
        raise PBCGError(
            f"{game.path.name} is of the {called}: only a campaign file has a roster to compare."
        )
    if not 0 < len(typed) <= MAX_FACTS:
        raise PBCGError(f"Write 1 to {MAX_FACTS} facts, each as FACT=VALUE.")
    facts = RosterFacts(state_for(game.session, viewer), viewer)
    compared: list[ComparedFact] = []
    faults: list[Fault] = []
    listed = False
    for text in typed:
        name, equals, value = plain_dashes(text).partition("=")
        try:
            compared.append(_compare(facts, name.strip(), equals, value.strip()))
        except NoSuchFact as error:
            forms = ""
            if isinstance(error, UnknownFact) and not listed:
                listed, forms = True, f"; facts are: {', '.join(facts.forms.values())}"
            faults.append(Fault(value_words(name), "", f"{error}{forms}"))
    if faults:
        raise FaultsError("What the paper says", faults)
    return compared


def _compare(facts: RosterFacts, name: str, equals: str, value: str) -> ComparedFact:
    if len(name) + len(value) > MAX_FACT:
        raise NoSuchFact(f"is too long: a fact can have {MAX_FACT} characters")
    fact = facts.find(name)
    if not equals:
        raise NoSuchFact("has no value: write FACT=VALUE, and - for a blank")
    if fact.name == "date":
        value = facts.date_named(value).value
    paper: Value = value if isinstance(fact.value, str) else _number(value)
    owner = fact.owner.value if fact.owner else ""
    return ComparedFact(fact=fact.name, paper=paper, file=fact.value, owner=owner)


def _number(typed: str) -> int | float | None:
    """Return a number as players write it: 12, 12.5, 12½; None for a blank."""
    if typed in BLANK:
        return None
    plain_number = re.sub(r"^(\d*)½$", lambda match: f"{match[1] or 0}.5", typed)
    if not _NUMBER.fullmatch(plain_number):
        raise NoSuchFact(f'must be a number, not "{typed}"')
    return float(plain_number) if "." in plain_number else int(plain_number)


def _words(value: Value) -> str:
    if value in (None, *BLANK):
        return "nothing"
    return str(value) if isinstance(value, str) else f"{value:g}"


def keep_assertion(game: OpenGame, compared: Sequence[ComparedFact], date: str) -> None:
    """Keep facts as entries of the journal, those of each side veiled for the other."""
    session: Session[Campaign] = game.session
    with session.together():
        for owner in dict.fromkeys(row.owner for row in compared):
            body = {row.fact: row.file for row in compared if row.owner == owner}
            session.journal.append(
                Entry(
                    kind="assertion",
                    step=f"{date}/roster",
                    side=owner,
                    secret=bool(owner),
                    body=body,
                )
            )
    game.note_change(plays_on=False)
