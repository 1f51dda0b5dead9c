"""``pbcg refit``: go on with a campaign, through the Refit Phase step by step."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from asl_pbcg.campaign.piece_names import short_name
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.cli.campaign_file import open_game
from asl_pbcg.cli.command_answers import Answer, answers
from asl_pbcg.cli.common import (
    ANSWERS,
    AUTO,
    NO_SEED,
    Viewer,
    WithAuto,
    command,
    table_option,
)
from asl_pbcg.cli.kept_position import forget_position, is_given, keep_position, kept_position
from asl_pbcg.cli.listed import drive_listed
from asl_pbcg.cli.position_vasl import POINTS, asks
from asl_pbcg.cli.refit_manner import RefitManner, held_document
from asl_pbcg.cli.terminal import Terminal
from asl_pbcg.kernel.answers import Answers, Leave, ListedAnswers, RandomAnswers, drive
from asl_pbcg.kernel.errors import IllegalAnswer, PBCGError
from asl_pbcg.kernel.lazy_import import lazy_import
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.views import UMPIRE, visible
from asl_pbcg.play.campaign_facts import END_POSITION, facts
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.play.position_document import read_document
from asl_pbcg.play.refusals import NeedsAgreement
from asl_pbcg.play.seat import Seat
from asl_pbcg.play.viewers import BOTH, OPEN, sees_of
from asl_pbcg.play.waiting import as_seen

if TYPE_CHECKING:
    from asl_pbcg.cli import bringing_in
else:
    bringing_in = lazy_import("asl_pbcg.cli.bringing_in")

app = typer.Typer(add_completion=False)

SCENARIO = "scenario"
"""Where a campaign stands while a CG scenario is played."""


@app.command(cls=WithAuto)
@answers
def refit(
    file: Path = typer.Argument(..., help="The campaign file."),
    viewer: Viewer | None = table_option("Only this side's prompts; umpire sees all."),
    position: Path = typer.Option(None, "--position", help="The position at the scenario's end."),
    listed: Path = ANSWERS,
    auto: int | None = AUTO,
    manual: bool = typer.Option(
        None,
        "--manual/--seeded",
        help="Other dice than the campaign's own; both sides see it marked.",
    ),
) -> Answer:
    """Go through the Refit Phase; leave at any prompt and go on later, here or elsewhere."""
    if auto is not None and listed:
        raise PBCGError("Give --answers or --auto, not both.")
    by_itself = auto is not None
    eyes = viewer.value if viewer else BOTH
    told = viewer.value if viewer else UMPIRE
    with open_game(file) as game:
        session, state = game.session, game.session.state
        if state.ended or session.pending is None:
            nothing = f"Nothing waits: the {state.date.title} CG scenario is played now."
            sentence = f"The campaign has ended: {state.ended}" if state.ended else nothing
            return Answer(facts(session, told), lambda _: typer.echo(sentence))
        if manual is not None:
            game.typed_dice = manual
        asks_all = not (listed or by_itself or position) and eyes in (BOTH, UMPIRE)
        if asks_all and not bringing_in.go_on_bringing_in(game, Evening(game, eyes).terminal):
            return Answer(facts(session, told), lambda _: bringing_in.print_kept(game, eyes))
        document = None
        if position:
            document = position_for(session, position, eyes, listed, by_itself)
        elif not (listed or by_itself):
            document = _document_kept(file, session, eyes)
        evening = Evening(game, eyes, document)
        evening.go_on(listed, 0 if auto == NO_SEED else auto)
        if evening.at_next or session.state.at != SCENARIO or is_given(session):
            forget_position(file, *game.viewers)
        elif evening.has_proposed_position:
            forget_position(file, eyes)
        elif position:
            keep_position(file, session, position, eyes)
            typer.echo(f"{position} is kept for when the position is asked for.", err=True)
        seen = as_seen(game, told)
        return Answer(facts(seen.session, told), lambda _: evening.print_end())


def _document_kept(file: Path, session: Session[Campaign], viewer: str) -> Any:
    """Return the end position that was given before it was asked for; None if there is none."""
    kept = kept_position(file, session, viewer)
    if not kept:
        return None
    try:
        document = position_for(session, kept, viewer)
    except PBCGError as error:
        typer.echo(f"{kept}, given before, is not taken. {error}", err=True)
        return None
    typer.echo(f"{kept}, given before, will be taken.", err=True)
    return document


def position_for(
    session: Session[Campaign],
    path: Path,
    viewer: str,
    listed: Path | None = None,
    by_itself: bool = False,
) -> Any:
    """Return the end position in a file; its faults are told before anything is asked.

    What a VASL save cannot tell is asked first, or taken from the ``listed`` answers; then the
    position is held against the OB, unless all goes ``by_itself``. Raises PBCGError if the end
    position is not still to come.
    """
    state, asked = session.state, session.pending
    if asked is None:
        raise PBCGError("No position is asked for now: nothing waits.")
    if state.at != SCENARIO or is_given(session):
        coming = f"it is the {asked.side.capitalize()} player's turn."
        if visible(asked, viewer):
            coming = f"the next question is {asked.id} {asked.text}"
        raise PBCGError(f"No position is asked for now: {coming}")
    document = read_document(str(path), state, asks(listed, viewer), sees_of(viewer))
    return held_document(state, document, str(path), listed, viewer, by_itself)


class WithPosition:
    """Gives the end position when it is asked for, and leaves all else to somebody else.

    What takes the word of a side that does not sit at ``seat`` is proposed: ``proposed`` says so.
    """

    def __init__(self, others: Answers, given: dict[str, Any], seat: Seat) -> None:
        self._others = others
        self._given = given
        self._seat = seat
        self.proposed = False

    def answer(self, prompt: Prompt) -> Any:
        """The document once; a refused one is asked for again elsewhere. Raises Leave."""
        given = prompt.id in self._given
        answer = self._given.pop(prompt.id) if given else self._others.answer(prompt)
        game = self._seat.game
        asked = game.plug.as_asked(game.session, prompt, self._seat.sees)
        if not given and prompt.id == END_POSITION:
            answer = asked.check(answer)
        try:
            if self._seat.consent.needs_both(prompt):
                self._seat.consent.take(prompt, asked.check(answer))
        except NeedsAgreement as error:
            typer.echo(f"{prompt.id} is proposed. {error}", err=True)
            self.proposed = True
            raise Leave from None
        return answer

    def dice(self, roll: Roll) -> tuple[int, ...] | None:
        """Whatever the others bring."""
        return self._others.dice(roll)

    def hear_refusal(self, prompt: Prompt | Roll, error: IllegalAnswer) -> None:
        """The others hear of it."""
        self._others.hear_refusal(prompt, error)


class Evening:
    """One sitting at a campaign: from where it stands up to the next scenario, or until he leaves.

    ``viewer`` is a side, ``umpire``, or ``both`` at one screen. ``document`` is the end position,
    for when it is asked for.
    """

    def __init__(self, game: OpenGame, viewer: str, document: Any = None) -> None:
        self._game = game
        self._viewer = viewer
        self._given = {} if document is None else {END_POSITION: document}
        state = game.session.state
        self._began = (state.at, state.date)

    @property
    def _is_side(self) -> bool:
        """Whether one side alone sits here."""
        return self._viewer in self._game.plug.sides

    @property
    def at_next(self) -> bool:
        """Whether a CG scenario is to be played that was not when this sitting began."""
        state = self._game.session.state
        return state.at == SCENARIO and (state.at, state.date) != self._began

    @property
    def has_proposed_position(self) -> bool:
        """Whether this side proposes an end position, and waits for the other."""
        asked = self._game.session.pending
        if not isinstance(asked, Prompt) or asked.id != END_POSITION:
            return False
        return any(each.side == self._viewer for each in self._seat.consent.proposals(asked))

    def go_on(self, listed: Path | None, auto: int | None) -> None:
        """Answer the prompts: at random, from a file, then by asking."""
        if auto is not None:
            self._drive(RandomAnswers(auto), lambda: self._wants_position() or self._theirs())
        elif listed is None or self._give_listed(listed):
            self.terminal().play(lambda: self.at_next)

    def _give_listed(self, file: Path) -> bool:
        """Give the answers of a file; return whether the rest is to be asked."""
        session = self._game.session
        reader, sees = asks(file, self._viewer), sees_of(self._viewer)
        listed = ListedAnswers.read(
            file,
            lambda name: read_document(beside(file, name), session.state, reader, sees),
            without=POINTS,
            called=short_name,
        )
        answers = WithPosition(listed, self._given, self._seat)
        try:
            done = drive_listed(
                self._game,
                file,
                answers,
                lambda: self.at_next or self._theirs(),
                self.terminal,
            )
        except Leave:
            return False
        if done and listed.unused:
            typer.echo(listed.unused, err=True)
        if done or answers.proposed:
            return False
        typer.echo("The answers file ends here; the rest is asked.", err=True)
        return True

    def terminal(self) -> Terminal:
        """Return a terminal at which what comes next is asked."""
        manner = RefitManner()
        game = as_seen(self._game, self._viewer)
        seat = Seat(game, self._viewer)
        if self._viewer == UMPIRE:
            seat = Seat(game, BOTH, OPEN)
        terminal = Terminal(seat, manner, given=self._given)
        manner.begin()
        return terminal

    def _drive(self, answers: Answers, stop: Callable[[], bool]) -> bool:
        dice = self._game.dice
        found = drive(
            self._game.session,
            WithPosition(answers, self._given, self._seat),
            dice,
            until=lambda: self.at_next or stop(),
        )
        self._game.note_change()
        return found

    @property
    def _seat(self) -> Seat:
        return Seat(self._game, self._viewer)

    def _wants_position(self) -> bool:
        asked = self._game.session.pending
        return asked is not None and asked.id == END_POSITION and not self._given

    def _theirs(self) -> bool:
        """Whether the other side is due, and only one side answers here by itself."""
        asked = self._game.session.pending
        if not self._is_side or asked is None or asked.side in ("", self._viewer):
            return False
        typer.echo(f"It is the {asked.side.capitalize()} player's turn now.")
        return True

    def print_end(self) -> None:
        """Print where the campaign stands when the program stops."""
        state = self._game.session.state
        if state.ended:
            typer.echo(f"CG End: {state.ended}")
        elif self.at_next and state.has_no_pieces_yet:
            bringing_in.print_position_next(self._game)
        elif self.at_next:
            typer.echo(ready_words(state))
            typer.echo("Setup sheet and records, to be printed:")
            for side in state.sides:
                if not self._is_side or self._viewer == side.value:
                    file, name = self._game.path, side.value
                    typer.echo(f"  {command('records', file, '--as', name, '-o', f'{name}.pdf')}")
        else:
            bringing_in.print_kept(self._game, self._viewer)


def ready_words(state: Campaign) -> str:
    """Return that a CG scenario can be played, and who sets up and moves first."""
    order = state.frame.setup_order[state.date]
    return (
        f"{state.date.title} is ready: {order.first_setup.title} set up first, "
        f"{order.first_move.title} move first (9.62023)."
    )


def beside(listed: Path, name: str) -> str:
    """Return the place of a file named in an answers file: beside it."""
    path = Path(name)
    return str(path if path.is_absolute() else listed.parent / path)
