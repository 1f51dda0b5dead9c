"""``pbcg refit``: go on with a campaign, through the Refit Phase step by step."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from asl_pbcg.cli.common import (
    NO_SEED,
    Viewer,
    WithAuto,
    as_option,
    command,
    in_quotes,
)
from asl_pbcg.cli.position_vasl import POINTS, asks, side_of
from asl_pbcg.kernel.errors import PBCGError

if TYPE_CHECKING:
    from collections.abc import Callable

    from asl_pbcg.campaign.state import Campaign
    from asl_pbcg.cli.terminal import Terminal
    from asl_pbcg.kernel.answers import Answers
    from asl_pbcg.kernel.errors import IllegalAnswer
    from asl_pbcg.kernel.prompts import Prompt, Roll
    from asl_pbcg.kernel.session import Session
    from asl_pbcg.play.game import OpenGame

app = typer.Typer(add_completion=False)

SCENARIO = "scenario"
"""Where a campaign stands while a CG scenario is played."""


@app.command(cls=WithAuto)
def refit(
    file: Path = typer.Argument(..., help="The campaign file."),
    viewer: Viewer = as_option("Only this side's prompts."),
    position: Path = typer.Option(None, "--position", help="The position at the scenario's end."),
    answers: Path = typer.Option(None, "--answers", help="Answer the prompts from a file."),
    auto: int | None = typer.Option(None, "--auto", metavar="[SEED]", help="Legal random answers."),
    as_json: bool = typer.Option(False, "--json", help="Say at the end as JSON where it stands."),
    manual: bool = typer.Option(
        None,
        "--manual/--seeded",
        help="Other dice than the campaign's own; both sides see it marked.",
    ),
) -> None:
    """Go through the Refit Phase; leave at any prompt and go on later, here or elsewhere."""
    if auto is not None and answers:
        raise PBCGError("Give --answers or --auto, not both.")
    by_itself = auto is not None
    if auto == NO_SEED:
        auto = 0
    from asl_pbcg.cli.campaign_file import open_game

    with open_game(file) as game:
        session = game.session
        if session.state.ended:
            typer.echo(f"The campaign has ended: {session.state.ended}")
            return
        if session.pending is None:
            typer.echo(f"Nothing waits: the {session.state.date.title} CG scenario is played now.")
            return
        from asl_pbcg.cli.kept_position import (
            forget_position,
            is_given,
            keep_position,
            kept_position,
        )

        kept = kept_position(file, session) if not (position or answers or by_itself) else None
        document = None
        if position:
            document = position_for(session, position, viewer.value, answers, by_itself)
        elif kept:
            try:
                document = position_for(session, kept, viewer.value)
                typer.echo(f"{kept}, given before, will be taken.", err=True)
            except PBCGError as error:
                typer.echo(f"{kept}, given before, is not taken. {error}", err=True)
        if manual is not None:
            game.typed_dice = manual
        evening = Evening(game, viewer.value, document)
        evening.go_on(answers, auto)
        evening.tell_end(as_json)
        if evening.at_next or session.state.at != SCENARIO or is_given(session):
            forget_position(file)
        elif position:
            keep_position(file, session, position)
            typer.echo(f"{position} is kept for when the position is asked for.", err=True)


def position_for(
    session: Session[Campaign],
    path: Path,
    viewer: str,
    answers: Path | None = None,
    by_itself: bool = False,
) -> Any:
    """The end position of the scenario in a file; its faults are told before anything is asked.

    Of a VASL save what it cannot tell is asked first, or taken from the ``answers`` file; then the
    position is held against the OB, unless all goes ``by_itself``. Raises PBCGError if the end
    position is not still to come.
    """
    import msgspec

    from asl_pbcg.campaign.end_position import settle_position
    from asl_pbcg.cli.kept_position import is_given
    from asl_pbcg.cli.position_vasl import hold_against_ob
    from asl_pbcg.kernel.views import visible
    from asl_pbcg.play.position_document import read_document

    state, asked = session.state, session.pending
    if state.at != "scenario" or is_given(session) or asked is None:
        raise PBCGError(
            "No position is asked for now: "
            + (
                "nothing waits."
                if asked is None
                else f"the next question is {asked.id} {asked.text}"
                if visible(asked, viewer)
                else f"it is the {asked.side.capitalize()} player's turn."
            )
        )
    document = read_document(str(path), state, asks(answers, viewer), side_of(Viewer(viewer)))
    settled = settle_position(state, document, state.board, state.catalogue, str(path))
    held = hold_against_ob(state, settled, answers, viewer, by_itself)
    return document if held is settled else msgspec.to_builtins(held)


class WithPosition:
    """Gives the end position when it is asked for, and leaves all else to somebody else."""

    def __init__(self, others: Answers, given: dict[str, Any]) -> None:
        self._others = others
        self._given = given

    def answer(self, prompt: Prompt) -> Any:
        """The document once; a refused one is asked for again elsewhere."""
        if prompt.id in self._given:
            return self._given.pop(prompt.id)
        return self._others.answer(prompt)

    def dice(self, roll: Roll) -> tuple[int, ...] | None:
        """Whatever the others bring."""
        return self._others.dice(roll)

    def hear_refusal(self, prompt: Prompt | Roll, error: IllegalAnswer) -> None:
        """The others hear of it."""
        self._others.hear_refusal(prompt, error)


class Evening:
    """One sitting at a campaign: from where it stands up to the next scenario, or until he leaves.

    ``document`` is the end position, for when it is asked for.
    """

    def __init__(self, game: OpenGame, viewer: str, document: Any = None) -> None:
        from asl_pbcg.play.campaign_facts import END_POSITION

        self._game = game
        self._viewer = viewer
        self._given = {} if document is None else {END_POSITION: document}
        state = game.session.state
        self._began = (state.at, state.date)

    @property
    def at_next(self) -> bool:
        """Whether a CG scenario is to be played that was not when this sitting began."""
        state = self._game.session.state
        return state.at == SCENARIO and (state.at, state.date) != self._began

    def go_on(self, answers: Path | None, auto: int | None) -> None:
        """Answer what waits: at random, from a file, then by asking."""
        from asl_pbcg.cli.listed import drive_listed
        from asl_pbcg.kernel.answers import Leave, ListedAnswers, RandomAnswers
        from asl_pbcg.play.position_document import read_document

        if auto is not None:
            self._drive(RandomAnswers(auto), lambda: self._wants_position() or self._theirs())
            return
        if answers:
            session = self._game.session
            reader = asks(answers, self._viewer)
            listed = ListedAnswers.read(
                answers,
                lambda name: read_document(beside(answers, name), session.state, reader),
                without=POINTS,
            )
            try:
                done = drive_listed(
                    self._game,
                    answers,
                    WithPosition(listed, self._given),
                    lambda: self.at_next or self._theirs(),
                    self._terminal,
                )
            except Leave:
                return
            if done:
                if listed.unused:
                    typer.echo(listed.unused, err=True)
                return
            typer.echo("The answers file ends here; the rest is asked.", err=True)
        self.ask()

    def ask(self) -> None:
        """Ask the player at the keyboard."""
        self._terminal().play(lambda: self.at_next)

    def _terminal(self) -> Terminal:
        from asl_pbcg.cli.refit_manner import RefitManner
        from asl_pbcg.cli.terminal import Terminal
        from asl_pbcg.play.seat import Seat
        from asl_pbcg.play.viewers import BOTH

        manner = RefitManner()
        seat = Seat(self._game, BOTH if self._viewer == "umpire" else self._viewer)
        terminal = Terminal(seat, manner, given=self._given)
        manner.begin()
        return terminal

    def _drive(self, answers: Answers, stop: Callable[[], bool]) -> bool:
        from asl_pbcg.kernel.answers import drive

        dice = self._game.dice
        found = drive(
            self._game.session,
            WithPosition(answers, self._given),
            dice,
            until=lambda: self.at_next or stop(),
        )
        self._game.note_change()
        return found

    def _wants_position(self) -> bool:
        from asl_pbcg.play.campaign_facts import END_POSITION

        asked = self._game.session.pending
        return asked is not None and asked.id == END_POSITION and not self._given

    def _theirs(self) -> bool:
        """Whether the other side is due, and only one side answers here by itself."""
        asked = self._game.session.pending
        if self._viewer == "umpire" or asked is None or asked.side in ("", self._viewer):
            return False
        typer.echo(f"It is the {asked.side.capitalize()} player's turn now.")
        return True

    def tell_end(self, as_json: bool = False) -> None:
        """Say where the campaign stands when the program stops."""
        if as_json:
            from asl_pbcg.play.campaign_facts import facts

            typer.echo(json.dumps(facts(self._game.session, self._viewer), ensure_ascii=False))
            return
        state = self._game.session.state
        if state.ended:
            typer.echo(f"CG End: {state.ended}")
        elif self.at_next:
            typer.echo(ready_words(state))
            typer.echo("Setup sheet and records, to be printed:")
            for side in state.sides:
                if self._viewer in ("umpire", side.value):
                    file, name = self._game.path, side.value
                    typer.echo(f"  {command('records', file, '--as', name, '-o', f'{name}.pdf')}")
        else:
            # Whoever saw one side's prompts types this, and is not to see the other side's.
            eyes = () if self._viewer == "umpire" else ("--as", self._viewer)
            typer.echo(f"Kept up to here. {in_quotes('refit', self._game.path, *eyes)} goes on.")


def ready_words(state: Campaign) -> str:
    """That a CG scenario can be played, and who sets up and moves first."""
    order = state.frame.setup_order[state.date]
    return (
        f"{state.date.title} is ready: {order.first_setup.title} set up first, "
        f"{order.first_move.title} move first (9.62023)."
    )


def beside(answers: Path, name: str) -> str:
    """A file named in an answers file stands beside it."""
    path = Path(name)
    return str(path if path.is_absolute() else answers.parent / path)
