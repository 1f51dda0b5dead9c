"""How the campaign speaks at the terminal: position, map, status, steps; help in players' words."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from rich.text import Text

from asl_pbcg.campaign.piece_names import name_piece
from asl_pbcg.campaign.state import Campaign
from asl_pbcg.cli.agreement_keys import AgreementKeys
from asl_pbcg.cli.campaign_commands import status_words
from asl_pbcg.cli.command_answers import written_words
from asl_pbcg.cli.manner import Manner
from asl_pbcg.cli.position_vasl import asks, hold_against_ob
from asl_pbcg.cli.terminal_keys import Key, Shown
from asl_pbcg.hexes.grid import Grid
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.lazy_import import lazy_import
from asl_pbcg.kernel.views import UMPIRE
from asl_pbcg.play.asked import AskedPrompt
from asl_pbcg.play.campaign_facts import END_POSITION, HIDDEN_PIECES, PAPER_RECORDS
from asl_pbcg.play.help_texts import REFIT_HELP
from asl_pbcg.play.position_document import read_document
from asl_pbcg.play.viewers import BOTH, sees_of

if TYPE_CHECKING:
    from asl_pbcg.campaign import end_position, seen
    from asl_pbcg.cli import refit_show
    from asl_pbcg.play import campaign_groups, campaign_moves, vasl_save
else:
    end_position = lazy_import("asl_pbcg.campaign.end_position")
    seen = lazy_import("asl_pbcg.campaign.seen")
    refit_show = lazy_import("asl_pbcg.cli.refit_show")
    vasl_save = lazy_import("asl_pbcg.play.vasl_save")
    campaign_groups = lazy_import("asl_pbcg.play.campaign_groups")
    campaign_moves = lazy_import("asl_pbcg.play.campaign_moves")

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
    known = seen.known_by(state, viewers)
    settled = end_position.settle_position(
        known, document, state.board, state.catalogue, source, viewers
    )
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
                lambda rest, asked: self.terminal.redo()),
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
            here = step.id if step else ""
            terminal.told = next(
                (i for i, line in enumerate(lines) if line.step == here), len(lines)
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
        found = REFIT_HELP.content.steps.get(_step_of(asked.id))
        self.paragraphs([found] if found else [])
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

    def odds(self, asked: Shown, rest: str) -> bool:
        """Print what RG would bring, while they are bought: ``o``, or ``o I5 V3`` for a basket.

        Before Escape and Shift every destination and grouping.
        """
        terminal = self.terminal
        if campaign_moves.is_move(terminal.seat):
            refit_show.print_moves(terminal.screen.console, campaign_moves.moves(terminal.seat))
            return True
        if not campaign_groups.is_purchase(terminal.seat):
            return False
        ids = rest.replace(",", " ").upper().split()
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
            owner = next(each for each in state.sides if each.value == asked.side)
            return vasl_save.hidden_changes(Path(plain), state, owner, asks(None, viewer))
        document = read_document(path, state, asks(None, viewer), seat.sees)
        if asked.id != END_POSITION:
            return document
        return held_document(state, document, path, None, viewer)

    # -- keys -----------------------------------------------------------------------------

    @property
    def _state(self) -> Campaign:
        """The campaign as it stands inside the step in progress."""
        state: Campaign = self.terminal.seat.game.session.now
        return state

    def _place(self, typed: str, asked: Shown) -> str | None:
        """The hex a key is about: the one typed, or the prompt's; None for the whole map."""
        grid: Grid = self._state.board.grid
        if typed:
            return None if typed.lower() == "all" else grid.check(typed.upper())
        pieces = [piece for piece in self._state.pieces if name_piece(piece) == asked.where]
        if pieces:
            return next((piece.location.hex for piece in pieces if piece.on_map), None)
        words = asked.where.replace("/", " ").replace(",", " ").split()
        return next((word for word in words if word in grid), None)

    def _position(self, rest: str, asked: Shown) -> None:
        place = self._place(rest, asked)
        refit_show.print_position(
            self.terminal.screen.console, self._state, self.terminal.seat.sees, place
        )

    def _map(self, rest: str, asked: Shown) -> None:
        place, sees = self._place(rest, asked), self.terminal.seat.sees
        if place:
            refit_show.print_map(self.terminal.screen.console, self._state, sees, place)
        written = refit_show.write_map(self._state, sees, place, self.terminal.path)
        self.terminal.screen.say(written_words(written), "dim")

    def _status(self, rest: str, asked: Shown) -> None:
        for name, value in status_words(self.terminal.seat.facts()).items():
            self.terminal.screen.console.print(Text(f"   {name + ':':14} {value}"))

    def _steps(self, rest: str, asked: Shown) -> None:
        marks = {"done": ("+", "dim"), "now": (">", "bold"), "to-come": (" ", "")}
        for step in self.terminal.seat.steps():
            mark, style = marks[step.state]
            line = Text(f" {mark} {step.rule:6} {step.title}", style)
            line.truncate(self.terminal.screen.width - 1, overflow="ellipsis")
            self.terminal.screen.console.print(line)


def _step_of(number: str) -> str:
    """The step that a decision point or rule belongs to: 9.6053.1 belongs to 9.605."""
    root, dot, rest = number.partition(".")
    if root == "0":
        return "scenario"
    return f"{root}{dot}{rest.split('.')[0][:3]}" if rest[:1] == "6" else f"{root}{dot}{rest[:1]}"
