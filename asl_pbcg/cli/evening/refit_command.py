"""``pbcg refit``: go on with a campaign, through the Refit Phase step by step.

``Evening`` is one sitting; ``RefitManner`` is the manner of the campaign at the terminal:
position, map, status, steps, and help in players' words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import typer
from rich.text import Text

from asl_pbcg.campaign.entry import end_position
from asl_pbcg.campaign.module.frame import SCENARIO
from asl_pbcg.campaign.state import seen
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.piece_names import name_piece, short_name
from asl_pbcg.cli.campaign_file import (
    is_given,
    kept_position,
    open_game,
)
from asl_pbcg.cli.command_answers import Answer, answers, written_words
from asl_pbcg.cli.common import ANSWERS, AUTO, NO_SEED, Viewer, WithAuto, command, table_option
from asl_pbcg.cli.evening import refit_show
from asl_pbcg.cli.evening.agreement_keys import AgreementKeys
from asl_pbcg.cli.evening.campaign_commands import status_words
from asl_pbcg.cli.evening.position_vasl import POINTS, asks, hold_against_ob
from asl_pbcg.cli.terminal.listed import drive_listed
from asl_pbcg.cli.terminal.manner import Key, Manner, Shown
from asl_pbcg.cli.terminal.terminal import Terminal
from asl_pbcg.hexes.hexset import Grid
from asl_pbcg.kernel.answers import Answers, Leave, ListedAnswers, RandomAnswers, drive
from asl_pbcg.kernel.errors import IllegalAnswer, PBCGError
from asl_pbcg.kernel.prompts import Prompt, Roll
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.views import UMPIRE, visible
from asl_pbcg.play.asked import AskedPrompt
from asl_pbcg.play.campaign_game import vasl_save
from asl_pbcg.play.campaign_game.campaign_facts import (
    END_POSITION,
    HIDDEN_PIECES,
    PAPER_RECORDS,
    facts,
)
from asl_pbcg.play.campaign_game.position_document import read_document
from asl_pbcg.play.help_texts import REFIT_HELP
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.play.plug import BOTH, OPEN, sees_of
from asl_pbcg.play.refusals import NeedsAgreement
from asl_pbcg.play.seat import Seat
from asl_pbcg.play.waiting import as_seen

app = typer.Typer(add_completion=False)


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
    reader = viewer.value if viewer else UMPIRE
    with open_game(file) as game:
        from asl_pbcg.cli.evening import bringing_in

        session, state = game.session, game.session.state
        if state.ended or session.pending is None:
            nothing = f"Nothing waits: the {state.date.title} CG scenario is played now."
            sentence = f"The campaign has ended: {state.ended}" if state.ended else nothing
            return Answer(facts(session, reader), lambda _: typer.echo(sentence))
        if manual is not None:
            game.typed_dice = manual
        asks_all = not (listed or by_itself or position) and eyes in (BOTH, UMPIRE)
        if asks_all and not bringing_in.go_on_bringing_in(game, Evening(game, eyes).terminal):
            return Answer(facts(session, reader), lambda _: bringing_in.print_kept(game, eyes))
        document = None
        if position:
            document = position_for(session, position, eyes, listed, by_itself)
        elif not (listed or by_itself):
            document = _document_kept(file, session, eyes)
        evening = Evening(game, eyes, document)
        evening.go_on(listed, 0 if auto == NO_SEED else auto)
        if evening.at_next or not session.state.in_scenario or is_given(session):
            for side in game.viewers:
                kept_position(file, side).forget()
        elif evening.has_proposed_position:
            kept_position(file, eyes).forget()
        elif position:
            kept_position(file, eyes).keep(session, position)
            typer.echo(f"{position} is kept for when the position is asked for.", err=True)
        view = as_seen(game, reader)
        return Answer(facts(view.session, reader), lambda _: evening.print_end())


def _document_kept(file: Path, session: Session[Campaign], viewer: str) -> Any:
    """Return the end position that was given before it was asked for; None if there is none."""
    kept = kept_position(file, viewer).find(session)
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
    if not state.in_scenario or is_given(session):
        coming = f"it is the {asked.side.capitalize()} player's turn."
        if visible(asked, viewer):
            coming = f"the next question is {asked.id} {asked.text}"
        raise PBCGError(f"No position is asked for now: {coming}")
    document = read_document(str(path), state, asks(listed, viewer), sees_of(viewer))
    return held_document(state, document, str(path), listed, viewer, by_itself)


class WithPosition:
    """Answers the question for the end position with a file; ``others`` answer all other questions.

    A side at ``seat`` cannot settle it alone: then it is proposed, and ``proposed`` is true.
    """

    def __init__(self, others: Answers, documents: dict[str, Any], seat: Seat) -> None:
        self._others = others
        self._given = documents
        self._seat = seat
        self.proposed = False

    def answer(self, prompt: Prompt) -> Any:
        """Return the document once; a refused one is asked for again elsewhere. Raises Leave."""
        is_document = prompt.id in self._given
        answer = self._given.pop(prompt.id) if is_document else self._others.answer(prompt)
        game = self._seat.game
        asked = game.plug.as_asked(game.session, prompt, self._seat.sees)
        if not is_document and prompt.id == END_POSITION:
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
        """Return whether one side alone sits here."""
        return self._viewer in self._game.plug.sides

    @property
    def at_next(self) -> bool:
        """Whether the Refit Phase of this sitting is over: the next CG scenario is to be played."""
        state = self._game.session.state
        return state.in_scenario and (state.at, state.date) != self._began

    @property
    def has_proposed_position(self) -> bool:
        """Return whether this side proposes an end position, and waits for the other."""
        asked = self._game.session.pending
        if not isinstance(asked, Prompt) or asked.id != END_POSITION:
            return False
        return any(offer.side == self._viewer for offer in self._seat.consent.proposals(asked))

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
        is_finished = drive(
            self._game.session,
            WithPosition(answers, self._given, self._seat),
            dice,
            until=lambda: self.at_next or stop(),
        )
        self._game.note_change()
        return is_finished

    @property
    def _seat(self) -> Seat:
        return Seat(self._game, self._viewer)

    def _wants_position(self) -> bool:
        asked = self._game.session.pending
        return asked is not None and asked.id == END_POSITION and not self._given

    def _theirs(self) -> bool:
        """Return whether the other side is due, and only one side answers here by itself."""
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
            from asl_pbcg.cli.evening import bringing_in

            bringing_in.print_position_next(self._game)
        elif self.at_next:
            typer.echo(ready_words(state))
            typer.echo("Setup sheet and records, to be printed:")
            for side in state.sides:
                if not self._is_side or self._viewer == side.value:
                    file, name = self._game.path, side.value
                    typer.echo(f"  {command('records', file, '--as', name, '-o', f'{name}.pdf')}")
        else:
            from asl_pbcg.cli.evening import bringing_in

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


PASS = "pass"
"""The decision point of a question that is there only so that waiting tells nothing."""


def held_document(
    state: Campaign,
    document: Any,
    source: str,
    listed: Path | None,
    viewer: str,
    by_itself: bool = False,
) -> Any:
    """Return the end position ``document`` when it has been held against the OB."""
    viewers = seen.sides_that_look(sees_of(viewer))
    visible_state = seen.known_by(state, viewers)
    settled = end_position.settle_position(visible_state, document, source, viewers)
    held = hold_against_ob(state, settled, listed, viewer, by_itself)
    return document if held is settled and not viewers else msgspec.to_builtins(held)


class RefitManner(Manner):
    """The manner of CG I and CG II."""

    odds_words = "exact odds of a roll, of RG (o I5 V3), of Escape and Shift"

    def keys(self) -> Sequence[Key]:
        """Position, map, status, steps and redo."""
        return (
            Key(("p", "position", "pieces"), "position", "what stands near here; p Y20, p all",
                self._position, takes=True),
            Key(("m", "map"), "map", "the map near here, also as a picture; m Y20, m all",
                self._map, takes=True),
            Key(("s", "status"), "status", "CG Date, SAN, points, forces", self._status),
            Key(("t", "steps"), "steps", "the steps, done and to come", self._steps),
            Key(("z", "redo"), "", "redo what was just undone, with the same dice",
                lambda argument, asked: self.terminal.redo()),
            *AgreementKeys(self.terminal).all,
        )  # fmt: skip

    def ahead(self, asked: AskedPrompt) -> Any:
        """Answer an empty question of a side for a player who sees both."""
        if asked.id == PASS and UMPIRE in (self.terminal.seat.viewer, self.terminal.seat.eyes):
            return asked.default
        return super().ahead(asked)

    # -- telling --------------------------------------------------------------------------

    def begin(self) -> None:
        """Tell only what came since this side last answered; both hear the step in progress."""
        terminal = self.terminal
        seat = terminal.seat
        lines = seat.game.lines(seat.viewer if seat.is_side else "umpire")
        if seat.is_side:
            own = [
                i
                for i, line in enumerate(lines)
                if line.side == seat.viewer and line.kind in ("answer", "roll")
            ]
            terminal.told = own[-1] + 1 if own else 0
        else:
            step = seat.game.session.step
            step_id = step.id if step else ""
            terminal.told = next(
                (i for i, line in enumerate(lines) if line.step == step_id), len(lines)
            )
        terminal.here = len(lines)
        proposed = seat.proposed_correction
        if proposed is not None and proposed.side != seat.viewer:
            side = proposed.side.capitalize()
            terminal.screen.say(
                f"The {side} player proposes a correction: {proposed.words} "
                f"Leave with q and agree to it: pbcg correct {terminal.path.name} --as "
                f"{seat.viewer} --agree {proposed.digest}, or --decline {proposed.digest}.",
                "yellow",
            )

    # -- help -----------------------------------------------------------------------------

    def help(self, asked: Shown, topic: str) -> None:
        """Print what the step is about and what the question wants; or the step ``topic``."""
        if topic:
            self.explain(asked, topic)
            return
        paragraph = REFIT_HELP.content.steps.get(_step_of(asked.id))
        self.paragraphs([paragraph] if paragraph else [])
        self.paragraphs(self._about(asked))

    def explain(self, asked: Shown, rule: str) -> None:
        """Print in our words what a rule does here. Raises PBCGError for an unknown rule."""
        wanted = rule.strip() or asked.rule
        texts = [] if rule else self._about(asked)
        step = REFIT_HELP.content.steps.get(_step_of(wanted))
        if step:
            texts.append(step)
        if not texts:
            raise PBCGError(
                f'Nothing is written of "{wanted}" here; the steps go from 9.601 to 9.620. '
                f'"pbcg rules {wanted}" lists what the program does with it.'
            )
        self.terminal.screen.say(wanted, "bold")
        self.paragraphs(texts)

    def _about(self, asked: Shown) -> list[str]:
        """Return the help texts of this very question."""
        texts = [REFIT_HELP.content.points.get(asked.id, "")]
        if isinstance(asked, AskedPrompt):
            texts.append(asked.help)
        return list(dict.fromkeys(text for text in texts if text))

    def odds(self, asked: Shown, argument: str) -> bool:
        """Print what RG would bring, while they are bought: ``o``, or ``o I5 V3`` for a basket.

        Before Escape and Shift every destination and grouping.
        """

        from asl_pbcg.play.campaign_game import campaign_groups, campaign_moves

        terminal = self.terminal
        if campaign_moves.is_move(terminal.seat):
            refit_show.print_moves(terminal.screen.console, campaign_moves.moves(terminal.seat))
            return True
        if not campaign_groups.is_purchase(terminal.seat):
            return False
        ids = argument.replace(",", " ").upper().split()
        show = refit_show.print_basket if ids else refit_show.print_groups
        show(terminal.screen.console, self._state, ids)
        return True

    def read_document(self, asked: AskedPrompt, path: str) -> Any:
        """Return a position or changes; what a VASL save cannot tell is asked here."""
        seat, state = self.terminal.seat, self._state
        viewer = seat.sees or BOTH
        plain = path.strip().strip('"')
        if asked.id == PAPER_RECORDS:
            return super().read_document(asked, plain)
        if asked.id == HIDDEN_PIECES and plain.lower().endswith(".vsav"):
            owner = next(side for side in state.sides if side.value == asked.side)
            return vasl_save.hidden_changes(Path(plain), state, owner, asks(None, viewer))
        document = read_document(path, state, asks(None, viewer), seat.sees)
        if asked.id != END_POSITION:
            return document
        return held_document(state, document, path, None, viewer)

    # -- keys -----------------------------------------------------------------------------

    @property
    def _state(self) -> Campaign:
        """Return the campaign as it stands inside the step in progress."""
        state: Campaign = self.terminal.seat.game.session.now
        return state

    def _place(self, typed: str, asked: Shown) -> str | None:
        """Return the hex a key is about: the one typed, or the prompt's; None for the whole map."""
        grid: Grid = self._state.board.grid
        if typed:
            return None if typed.lower() == "all" else grid.check(typed.upper())
        pieces = [piece for piece in self._state.pieces if name_piece(piece) == asked.where]
        if pieces:
            return next((piece.location.hex for piece in pieces if piece.on_map), None)
        words = asked.where.replace("/", " ").replace(",", " ").split()
        return next((word for word in words if word in grid), None)

    def _position(self, argument: str, asked: Shown) -> None:
        place = self._place(argument, asked)
        refit_show.print_position(
            self.terminal.screen.console, self._state, self.terminal.seat.sees, place
        )

    def _map(self, argument: str, asked: Shown) -> None:
        place, sees = self._place(argument, asked), self.terminal.seat.sees
        if place:
            refit_show.print_map(self.terminal.screen.console, self._state, sees, place)
        written = refit_show.write_map(self._state, sees, place, self.terminal.path)
        self.terminal.screen.say(written_words(written), "dim")

    def _status(self, argument: str, asked: Shown) -> None:
        for name, value in status_words(self.terminal.seat.facts()).items():
            self.terminal.screen.console.print(Text(f"   {name + ':':14} {value}"))

    def _steps(self, argument: str, asked: Shown) -> None:
        marks = {"done": ("+", "dim"), "now": (">", "bold"), "to-come": (" ", "")}
        for step in self.terminal.seat.steps():
            mark, style = marks[step.state]
            line = Text(f" {mark} {step.rule:6} {step.title}", style)
            line.truncate(self.terminal.screen.width - 1, overflow="ellipsis")
            self.terminal.screen.console.print(line)


def _step_of(number: str) -> str:
    """Return the step that a decision point or rule belongs to: 9.6053.1 belongs to 9.605."""
    root, dot, tail = number.partition(".")
    if root == "0":
        return SCENARIO
    return f"{root}{dot}{tail.split('.')[0][:3]}" if tail[:1] == "6" else f"{root}{dot}{tail[:1]}"
