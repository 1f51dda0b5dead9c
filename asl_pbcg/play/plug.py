"""The protocol by which a game plugs into front ends: one object for each kind of file.

``sees_of`` says for whose eyes a viewer is served: a side, the umpire, or both on one screen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

import msgspec

from asl_pbcg.campaign.module.campaign_module import named_module
from asl_pbcg.kernel.entries import Entry
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.views import LogLine, visible

if TYPE_CHECKING:
    from asl_pbcg.chronicle.difference import Difference
    from asl_pbcg.records.sheet import Sheet
    from asl_pbcg.refit.correction_choices import CorrectableFact


BOTH: Final = "both"
"""The viewer at one screen for two: what is secret is shown to one at a time."""
OPEN: Final = "umpire"
"""The eyes of somebody who plays both sides and said that he may see everything."""


def sees_of(viewer: str) -> str:
    """Return whose eyes a viewer has: of one screen for two, those of both together (empty)."""
    return "" if viewer == BOTH else viewer


Feature = Literal[
    "board",  # a map of hexes
    "areas",  # a map of areas, on which orders are given
    "score",  # a page with the score
    "back",  # a page that looks back
    "paper",  # a roster on paper can be compared with the file
    "notes",  # players keep notes
    "correct",  # facts are corrected, and what was undone can be redone
]
"""A thing that front ends offer in some games alone."""


class StepState(msgspec.Struct, frozen=True, kw_only=True):
    """One station of the timeline.

    ``label`` stands on it in few characters, ``sentence`` says what a finished step came to.
    """

    id: str
    title: str
    rule: str = ""
    label: str = ""
    state: Literal["done", "now", "to-come"]
    sentence: str = ""


class StepName(msgspec.Struct, frozen=True, kw_only=True):
    """The name of a step in the log, and the part of the game it belongs to.

    ``station`` is its id on the timeline.
    """

    title: str
    part: str
    part_title: str
    station: str = ""


class SheetName(msgspec.Struct, frozen=True):
    """A sheet that can be printed: its name in commands and addresses, and its title.

    ``is_table`` says whether its rows can be had as a table for programs.
    """

    name: str
    title: str
    is_table: bool = False


class FormField(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that is chosen in a form; without a ``label`` the page does not ask for it.

    ``options`` are value, title and remark of each choice. ``only`` names the choices elsewhere
    in the form (``mode=variable``) with which it is asked for, if not always; of a file nothing
    behind the sign is that none was chosen.
    """

    name: str
    label: str
    kind: Literal["choice", "text", "date", "file"] = "choice"
    options: tuple[tuple[str, str, str], ...] = ()
    default: str = ""
    only: tuple[str, ...] = ()
    help: str = ""

    def check(self, value: str) -> str:
        """Return ``value``; raises PBCGError if it is not one of the options."""
        values = [option for option, _, _ in self.options]
        if values and value not in values:
            raise PBCGError(f'"{value}" is not a choice for {self.name}: {", ".join(values)} are.')
        return value


Chosen = Mapping[str, str]
"""The choices made in a form, by the names of its fields."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Beginning:
    """A way to begin a game: a form, and what makes the game file at a path from it.

    Without a ``button`` the page does not offer it. ``begin`` gets the seed, if there is one;
    ``begin_from`` also the file that was chosen in the form.
    """

    kind: str
    title: str
    begin: Callable[[Path, Chosen, int | None], None]
    begin_from: Callable[[Path, Chosen, int | None, Path], None] | None = None
    button: str = ""
    file: str = ""
    fields: tuple[FormField, ...] = ()

    def make(
        self, path: Path, chosen: Chosen, seed: int | None = None, file: Path | None = None
    ) -> None:
        """Make the game file. Raises PBCGError for what cannot be chosen."""
        fields = {field.name: field for field in self.fields}
        if unknown := chosen.keys() - fields.keys():
            raise PBCGError(f"There is nothing to choose called {', '.join(sorted(unknown))}.")
        defaults = {name: field.default for name, field in fields.items()}
        values = {name: fields[name].check(value) for name, value in chosen.items()}
        if file is None:
            self.begin(path, {**defaults, **values}, seed)
        elif self.begin_from is None:
            raise PBCGError(f"{self.title}: no file is taken here.")
        else:
            self.begin_from(path, {**defaults, **values}, seed, file)

    @property
    def form(self) -> dict[str, Any]:
        """The form that a page needs to ask for it."""
        fields = msgspec.to_builtins([field for field in self.fields if field.label])
        for field in fields:  # the name and the choice of each other field
            field["only"] = [condition.split("=") for condition in field["only"]]
        about = {"kind": self.kind, "title": self.title, "button": self.button, "file": self.file}
        return {**about, "fields": fields}


class Plug:
    """A kind of game as front ends see it; it holds no game itself.

    What is not overridden is so where a game has nothing of the kind: no map, no sheets, no
    corrections. Wherever ``sees`` is asked for it is a side, ``umpire`` for everything, or empty
    for what both sides may know.
    """

    kind: str
    """The kind in addresses and answers of the page."""
    called: str
    """The name of its kind on the page."""
    game: str
    """The name in the file's ``game``."""
    sides: tuple[str, ...] = ()
    """The sides that may sit at the table, in order."""
    features: tuple[Feature, ...] = ()
    """The things that front ends offer for it."""
    widgets: tuple[str, ...] = ()
    """The widgets it asks by, beside those of every game."""
    asks_one: bool = False
    """Whether all it asks is for whoever opened it to say, so that no side must agree."""
    terminal_command: str = ""
    """The command that plays it, where its lines are typed and the page only looks on."""

    def runner(self, journal: Journal) -> Any:
        """Return the game that stands on ``journal``, for the script runner."""
        raise PBCGError("There is nothing to go on with.")

    def session(self, journal: Journal) -> Session[Any]:
        """Open the game that stands on ``journal``; closes it if that fails."""
        try:
            return Session(self.runner(journal), journal)
        except BaseException:
            journal.close()
            raise

    def title(self, session: Session[Any]) -> str:
        """Return what the game is called: the campaign, the table."""
        raise NotImplementedError

    def players(self, state: Any) -> dict[str, tuple[str, ...]]:
        """Return the names of the players of each side; empty for a game that lists none."""
        return {}

    def date(self, session: Session[Any]) -> str:
        """Return the CG Date or turn, in words."""
        return self.title(session)

    def heading(self, session: Session[Any]) -> str:
        """Return what stands above every prompt of the moment."""
        return self.date(session)

    def next_thing(self, session: Session[Any]) -> str:
        """Return what comes next where nothing is asked: a scenario to be played, the end."""
        return ""

    def throws(self, roll: Roll, viewer: str) -> bool:
        """Whether ``viewer`` may throw this roll."""
        return True

    def throws_itself(self, roll: Roll, typed: bool) -> bool:
        """Whether the program throws this roll at once: nobody has to look at it first.

        ``typed``: real dice are used in this game.
        """
        return not typed

    def undo(self, session: Session[Any], viewer: str, reason: str) -> str:
        """Undo the last answer as this game does; says what. Raises NeedsReason, PBCGError."""
        entry = session.undo(reason)
        return f"the {entry.kind} to {entry.point}"

    def dates_undone(self, entries: Sequence[Entry]) -> list[str]:
        """Return the CG Dates that ``entries`` belong to, where an undo should not cross them."""
        return []

    def corrects_alone(self, session: Session[Any], path: str, side: str) -> bool:
        """Whether ``side`` may correct the fact at ``path`` alone."""
        return False

    def correctable_facts(
        self, session: Session[Any], sees: str, piece: str
    ) -> Sequence[CorrectableFact]:
        """Return the facts of a piece, or of the game, that can be corrected by choosing."""
        return ()

    def spell_correction(
        self, session: Session[Any], path: str, value: Any, sees: str
    ) -> tuple[str, Any]:
        """Return path and value with things by their ids that players call by their names."""
        return path, value

    def correction_as_known(
        self, session: Session[Any], path: str, value: Any, sees: str, alone: bool
    ) -> tuple[LogLine, str]:
        """Return the line a correction would bring, from what ``sees`` may know, and its full path.

        ``alone`` says that a side acts for itself. Raises PBCGError for what does not fit.
        """
        raise PBCGError("In this game no facts are corrected: undo what was answered wrong.")

    def named_fault(self, error: PBCGError) -> PBCGError:
        """Return why a correction was refused, with the names of things that players know."""
        return error

    def line_text(self, line: LogLine) -> str:
        """Return the words of a line of the log, as the page tells it."""
        return line.text

    def steps(self, session: Session[Any], lines: Sequence[LogLine]) -> list[StepState]:
        """Return the timeline of the moment; ``lines`` is what the viewer may see of the log."""
        return []

    def name_step(self, step: str) -> StepName:
        """Return the name of a step, by its id in lines of the log."""
        title = step[:1].upper() + step[1:]
        return StepName(title=title, part=step, part_title=title, station=step)

    def date_in_short(self, session: Session[Any]) -> str:
        """Return the date or turn in few words, for a small screen; empty without any."""
        return ""

    def facts(self, session: Session[Any], sees: str) -> dict[str, Any]:
        """Return where the game stands, as plain data with the same keys everywhere."""
        asked = session.pending
        shown = asked is not None and visible(asked, sees)
        return {
            "title": self.title(session),
            "date": self.date(session),
            "over": asked is None,
            "waiting_for": asked.side if asked else "",
            "asked": {"id": asked.id, "text": asked.text} if asked and shown else None,
        }

    def layers(self, session: Session[Any], sees: str, at: str) -> dict[str, Any] | None:
        """Return what lies on the map for ``sees``, now or at an earlier date; None without one."""
        return None

    def thumbnail(self, session: Session[Any], sees: str) -> bytes | None:
        """Draw the map small for ``sees``, as PNG; None without a map."""
        return None

    def piece(self, session: Session[Any], sees: str, id: str) -> dict[str, Any] | None:
        """Return the facts of one piece, None if ``sees`` may not know of it."""
        return None

    def sheets(self, session: Session[Any], sees: str) -> list[SheetName]:
        """Return the sheets there are for ``sees``."""
        return []

    def sheet(
        self, session: Session[Any], sees: str, names: Sequence[str], paper: str
    ) -> list[Sheet]:
        """Fill the sheets of these names (all without any)."""
        return []

    def as_asked(self, session: Session[Any], prompt: Prompt, sees: str) -> Prompt:
        """Return the prompt as ``sees`` is asked it: its answers are checked by what they know."""
        return prompt

    def difference(
        self, session: Session[Any], prompt: Prompt, value: Any, sees: str
    ) -> Difference | None:
        """Return what an answer changes of the game as ``sees`` knows it, if that can be seen."""
        return None

    def read_document(self, session: Session[Any], prompt: Prompt, path: str, sees: str) -> Any:
        """Read the file at ``path`` as the answer of ``sees`` to a prompt that asks for one."""
        raise PBCGError("No file is asked for here.")


class _Plugged(NamedTuple):
    plug: str
    """Module and class."""
    title: str
    """The name that players know it by."""
    command: str
    """The beginning of its commands."""
    beginnings: str = ""
    """The module whose ``BEGINNINGS`` make new files of it."""


CAMPAIGN: Final = _Plugged(
    "asl_pbcg.play.campaign_game.campaign_plug:CampaignPlug",
    "campaign",
    "pbcg",
    "asl_pbcg.play.campaign_game.campaign_beginnings",
)
"""The plug of the campaigns of every module."""
PLUGS: Final[Mapping[str, _Plugged]] = {
    "st": _Plugged(
        "asl_pbcg.play.area_play.area_game:AreaGamePlug",
        "area game",
        "pbcg st",
        "asl_pbcg.play.area_play.area_beginnings",
    ),
    "airborne": _Plugged("asl_pbcg.play.drop:DropPlug", "airborne drop", "pbcg drop"),
    "megagame": _Plugged("asl_pbcg.play.mega:MegaPlug", "megagame table", "pbcg mega"),
}
"""For each name of another game in a file its plug; imported when such a file is opened."""


def all_beginnings() -> list[Beginning]:
    """Return every way to begin a game from a form."""
    modules = [plug.beginnings for plug in (*PLUGS.values(), CAMPAIGN) if plug.beginnings]
    return [beginning for module in modules for beginning in import_module(module).BEGINNINGS]


def title_of(game: str) -> str:
    """Return what players call a game."""
    if module := named_module(game):
        return f"{module.title} campaign"
    return PLUGS[game].title if game in PLUGS else f"unknown game ({game})"


def commands_of(game: str) -> str:
    """Say what the commands of a game begin with, for example ``pbcg st``; empty if unknown."""
    plugged = CAMPAIGN if named_module(game) else PLUGS.get(game)
    if plugged is None:
        return ""
    command = plugged.command
    return f' Its commands begin with "{command}", for example "{command} log".'


def with_article(title: str) -> str:
    """Return what a game is called, with its article."""
    return f"{'an' if title[0] in 'aeiou' else 'a'} {title}"


def plug_for(game: str, source: str) -> Plug:
    """Return the plug of ``game``; raises PBCGError, naming ``source``, if there is none."""
    module = named_module(game)
    if module is None and game not in PLUGS:
        raise PBCGError(f"{source} holds another game ({game}), which this pbcg does not know.")
    file, _, name = (CAMPAIGN if module else PLUGS[game]).plug.partition(":")
    plug = getattr(import_module(file), name)
    made: Plug = plug(module) if module else plug()
    return made
