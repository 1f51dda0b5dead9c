"""What a game brings to be played: one object for each kind of file, looked up by its name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, Protocol

import msgspec

from asl_pbcg.campaign.module import named_module
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.views import Line

if TYPE_CHECKING:
    from asl_pbcg.records.sheet import Sheet

Kind = Literal["campaign", "st", "drop", "mega"]


class StepState(msgspec.Struct, frozen=True, kw_only=True):
    """One station of the timeline. ``sentence`` says what a finished step came to."""

    id: str
    title: str
    rule: str = ""
    state: Literal["done", "now", "to-come"]
    sentence: str = ""


class SheetName(msgspec.Struct, frozen=True):
    """A sheet that can be printed: its name in commands and addresses, and its title."""

    name: str
    title: str


class Plug(Protocol):
    """A kind of game as front ends see it; it holds no game itself.

    Wherever ``sees`` is asked for it is a side, ``umpire`` for everything, or empty for what
    both sides may know.
    """

    kind: Kind
    game: str
    """The name in the file's ``game``."""
    sides: tuple[str, ...]
    """Who may sit at the table, in order."""

    def session(self, journal: Journal) -> Session[Any]:
        """The game that stands on ``journal``; closes it if that fails."""
        ...

    def title(self, session: Session[Any]) -> str:
        """What the game is called: the campaign, the table."""
        ...

    def date(self, session: Session[Any]) -> str:
        """The CG Date or turn, in words."""
        ...

    def heading(self, session: Session[Any]) -> str:
        """What stands above every prompt of the moment."""
        ...

    def next_thing(self, session: Session[Any]) -> str:
        """What comes next where nothing is asked: a scenario to be played, the end."""
        ...

    def throws(self, roll: Roll, viewer: str) -> bool:
        """Whether ``viewer`` may throw this roll."""
        ...

    def throws_itself(self, roll: Roll, typed: bool) -> bool:
        """Whether the program throws this roll at once: nobody has to look at it first.

        ``typed``: real dice are used in this game.
        """
        ...

    def undo(self, session: Session[Any], viewer: str, reason: str) -> str:
        """Take back the last answer as this game does; says what. Raises NeedsReason, PBCGError."""
        ...

    def corrects_alone(self, session: Session[Any], path: str, side: str) -> bool:
        """Whether ``side`` may correct the fact at ``path`` alone."""
        ...

    def correction_as_known(self, session: Session[Any], path: str, value: Any, side: str) -> Line:
        """The line a correction by ``side`` would bring, from what that side may know.

        Raises PBCGError for a path or value that does not fit.
        """
        ...

    def visible_fault(self, session: Session[Any], error: PBCGError, sees: str) -> PBCGError:
        """Why a correction was refused, as ``sees`` may read it."""
        ...

    def steps(self, session: Session[Any], lines: Sequence[Line]) -> list[StepState]:
        """The timeline of the moment; ``lines`` is what the viewer may see of the log."""
        ...

    def facts(self, session: Session[Any], sees: str) -> dict[str, Any]:
        """Where the game stands, as plain data with the same keys everywhere."""
        ...

    def layers(self, session: Session[Any], sees: str, at: str) -> dict[str, Any] | None:
        """What lies on the map for ``sees``, now or at an earlier date; None without a map."""
        ...

    def piece(self, session: Session[Any], sees: str, id: str) -> dict[str, Any] | None:
        """The facts of one piece, None if ``sees`` may not know of it."""
        ...

    def sheets(self, session: Session[Any], sees: str) -> list[SheetName]:
        """The sheets there are for ``sees``."""
        ...

    def sheet(
        self, session: Session[Any], sees: str, names: Sequence[str], paper: str
    ) -> list[Sheet]:
        """The sheets of these names (all without any), filled."""
        ...

    def read_document(self, session: Session[Any], prompt: Prompt, path: str) -> Any:
        """The file at ``path`` as the answer to a prompt that asks for one."""
        ...


class NoCorrections:
    """The plug of a game in which no side proposes a correction."""

    def corrects_alone(self, session: Session[Any], path: str, side: str) -> bool:
        """Nothing."""
        return False

    def correction_as_known(self, session: Session[Any], path: str, value: Any, side: str) -> Line:
        """Refused. Raises PBCGError."""
        raise PBCGError("In this game no facts are corrected: undo what was answered wrong.")

    def visible_fault(self, session: Session[Any], error: PBCGError, sees: str) -> PBCGError:
        """Every fault: nothing is kept from a side."""
        return error


CAMPAIGN = "asl_pbcg.play.campaign:CampaignPlug"
"""The plug of the campaigns of every module."""

PLUGS: Mapping[str, str] = {
    "st": "asl_pbcg.play.area_game:AreaGamePlug",
    "airborne": "asl_pbcg.play.drop:DropPlug",
    "megagame": "asl_pbcg.play.mega:MegaPlug",
}
"""For each name of another game in a file its plug; imported when such a file is opened."""


_CALLED: Mapping[str, str] = {
    "st": "area game",
    "airborne": "airborne drop",
    "megagame": "megagame table",
}


def title_of(game: str) -> str:
    """What players call a game."""
    module = named_module(game)
    return f"{module.title} campaign" if module else _CALLED.get(game, f"unknown game ({game})")


def with_article(title: str) -> str:
    """Return what a game is called, with its article."""
    return f"{'an' if title[0] in 'aeiou' else 'a'} {title}"


def plug_for(game: str, source: str) -> Plug:
    """The plug of ``game``; raises PBCGError, naming ``source``, if there is none."""
    module = named_module(game)
    if module is None and game not in PLUGS:
        raise PBCGError(f"{source} holds another game ({game}), which this pbcg does not know.")
    file, _, name = (CAMPAIGN if module else PLUGS[game]).partition(":")
    plug = getattr(import_module(file), name)
    made: Plug = plug(module) if module else plug()
    return made
