"""``pbcg verify``, ``check-page``, ``compare``, ``rescue``: is a file whole, and if not, where."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import typer

from asl_pbcg import __version__
from asl_pbcg.campaign.state.campaign_state import Campaign, accounts_balance
from asl_pbcg.cli.command_answers import Answer, answers, written_files, written_words
from asl_pbcg.cli.common import Viewer, as_option, in_quotes
from asl_pbcg.kernel.data import template_path
from asl_pbcg.kernel.entries import (
    Damaged,
    Entry,
    exception_of,
    faces_of,
    find_fingerprint,
    words_of,
)
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.files import write_atomic
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.journal_text import JournalText
from asl_pbcg.kernel.verification import rescue as rescuing
from asl_pbcg.kernel.verification import verify as verifying
from asl_pbcg.kernel.verification.handed_back import HandedBack
from asl_pbcg.kernel.views import visible
from asl_pbcg.play.campaign_game.campaign_seals import check_seal
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.play.plug import plug_for
from asl_pbcg.play.sealed_files import check_sealed, is_game_file
from asl_pbcg.play.seat import Seat

app = typer.Typer(add_completion=False)
compare_app = typer.Typer(add_completion=False)
rescue_app = typer.Typer(add_completion=False)
check_page_app = typer.Typer(add_completion=False)

_FILE = typer.Argument(..., help="A campaign, area game, drop or megagame table.")


@app.command()
@answers
def verify(
    file: Path = _FILE,
    head: str | None = typer.Option(
        None, "--head", metavar="FINGERPRINT", help="As records printed it: 9c1f-03ab-77de-4410."
    ),
    sealed: str | None = typer.Option(
        None, "--sealed", metavar="WORDS", help="The eight words of a seal; of any file, too."
    ),
    viewer: Viewer = as_option("Whose eyes look at what was sealed: british or german."),
) -> Answer:
    """Check a file from its first line to its last: chain, replay, checkpoints, books, dice.

    Exit code 0: whole. 3: whole, but not played again from its beginning, or with a seal that is
    closed to you. 1: not whole, or not what was sealed.

    A chain that somebody rewrote from end to end can be told only against a witness: --head takes
    the fingerprint that records and reports print, pbcg compare the other player's copy, and
    --sealed the words that a player told when something was sealed.
    """

    if sealed is not None and not is_game_file(file):
        proof = check_sealed(file, sealed)
        return _answer_seal(Answer(proof), list(proof.sentences), proof.stands)
    try:
        result, head_words = _verify(file, head)
    except Damaged as error:
        if error.code in ("J01", "J02"):  # there is nothing to verify
            raise
        data = {"whole": False, "faults": [str(error)], "code": error.code, "line": error.line}
        return _not_whole(Answer(data, lambda _: None), f"not whole: {error}")
    partly = f"It was played again {result.partly}." if result.partly else ""
    fingerprint = f"Fingerprint {result.fingerprint}. Dice: {result.dice}."
    lines = (result.sentence, fingerprint, *result.remarks, partly, head_words)
    data = {**msgspec.to_builtins(result), "whole": not result.faults, "head": head_words}
    answer = Answer.in_lines(data, filter(None, lines))
    if result.faults:
        return _not_whole(answer, f"{file} is not whole. {' '.join(result.faults)}")
    answer = answer._replace(code=3 if result.partly else 0)
    if sealed is None:
        return answer
    with OpenGame.open(file, look=True) as game:
        check = check_seal(Seat(game, viewer.value), sealed)
    data = {**data, "sealed": check}
    shown = [*filter(None, lines), *check.sentences]
    return _answer_seal(answer._replace(data=data), shown, check.stands)


def _answer_seal(answer: Answer, lines: list[str], stands: bool | None) -> Answer:
    """Return an answer with what a seal proves."""
    code = {None: 3, True: answer.code, False: 1}[stands]

    def show(_: Any) -> None:
        typer.echo("\n".join(lines))

    return answer._replace(show=show, code=code)


def _not_whole(answer: Answer, sentence: str) -> Answer:
    """Return the answer of a file with faults, ``sentence`` among the errors."""
    return answer._replace(code=1, after=lambda: typer.echo(sentence, err=True))


@check_page_app.command()
@answers
def check_page(
    output: Path = typer.Option(
        Path("check.html"), "-o", "--output", help="The page to write; an existing one is replaced."
    ),
) -> Answer:
    """Write a page that checks campaign files in any browser, without pbcg and without the net.

    Send it to the other player: dropped on it, a file is checked and its log shown, and two
    copies are compared.
    """

    write_atomic(output, template_path("check.html").read_bytes())
    return written_files([output], "Open it in a browser and drop a file on it.")


def _verify(file: Path, head: str | None) -> tuple[verifying.Verified, str]:

    with Journal.read(file, __version__, every_line=True) as journal:
        plug = plug_for(str(journal.meta("game")), str(file))
        result = verifying.verify(journal, plug.session(journal).game, _books, plug.players)
        return result, "" if head is None else _at_head(file, head, journal)


def _books(state: Any) -> list[str]:
    """Say what is wrong with the books of a state: campaigns keep accounts that must balance."""

    if isinstance(state, Campaign) and not accounts_balance(state):
        return ["more or fewer pieces were received than stand or were lost"]
    return []


def _at_head(file: Path, head: str, journal: Journal) -> str:
    """Say which line has a fingerprint, without telling how many lines there are."""

    heads = journal.text.heads
    at, last = find_fingerprint(head, heads), len(heads) - 1
    if at is None:
        raise PBCGError(
            f"No line of {file} has the fingerprint {head}: it is another campaign, or it was "
            "rewritten since that was printed (J30)."
        )
    later = "nothing came since" if at == last else "more came since"
    return f"The fingerprint {head} is one of this file's: {later}."


@compare_app.command()
@answers
def compare(
    first: Path = typer.Argument(..., help="One copy of a campaign."),
    second: Path = typer.Argument(..., help="The other player's copy."),
    viewer: Viewer = as_option("Whose eyes: british or german."),
) -> Answer:
    """Say where two copies of one campaign part; exit code 1 if they do."""

    with Journal.read(first, __version__) as one, Journal.read(second, __version__) as two:
        parting = verifying.compare(one, two, viewer.value)
        is_same = parting.first is None and parting.second is None and not parting.settings
        alike = one.head == two.head
    lines = ["Both say the same."] if is_same else []
    if is_same and not alike:
        lines.append(
            "Their fingerprints differ: some lines have other times, other entries together, "
            "or name another program or other rules."
        )
    if parting.settings:
        lines.append(
            f"They are not copies of one campaign, or somebody changed how it began: "
            f"{', '.join(parting.settings)}."
        )
    if not is_same:
        knowledge = "" if viewer is Viewer.UMPIRE else " that you know of"
        upto = f"in nothing{knowledge}"
        if parting.shared:
            upto = f"up to {_words(parting.shared, viewer.value)}"
        lines.append(f"They say the same {upto}.")
        for path, entry in ((first, parting.first), (second, parting.second)):
            words = _words(entry, viewer.value) if entry else "has nothing more"
            lines.append(f"  {path}: {words}")
    data = {"same": is_same, "alike": alike, "sentences": lines}
    return Answer(data, lambda _: typer.echo("\n".join(lines)), 0 if is_same else 1)


_MAX_SHOWN = 200


def _words(entry: Entry, viewer: str) -> str:
    """Name an entry as ``viewer`` may know it: what was decided or rolled about what."""

    if not visible(entry, viewer) and entry.side:  # which step it is tells how far that side is
        return f"what the {entry.side.capitalize()} player keeps secret"
    words = words_of(msgspec.structs.replace(entry, secret=not visible(entry, viewer)))
    if not visible(entry, viewer):
        return words
    if entry.kind == "roll":
        source = exception_of(entry.body)
        dice = " ".join(map(str, faces_of(entry.body)))
        return f"{words}: {dice}" + (f", other dice ({source})" if source else "")
    if entry.kind == "undo":
        reason = entry.body.get("reason")
        return f"{words}: undone back to there" + (f", {reason}" if reason else "")
    if entry.kind == "redo":
        return f"{words}: redoes what was undone"
    if isinstance(entry.body, dict | list):
        return f"{words}: {msgspec.json.encode(entry.body).decode()[:_MAX_SHOWN]}"
    return f"{words}: {str(entry.body)[:_MAX_SHOWN]}"


@rescue_app.command()
@answers
def rescue(
    file: Path = typer.Argument(..., help="The damaged file; it is not touched."),
    output: Path = typer.Option(None, "-o", "--output", help="The new file to write."),
    from_checkpoint: bool = typer.Option(
        False,
        "--from-checkpoint",
        help="Go on from the next state kept behind the damage; what comes before it is lost.",
    ),
    again: Path = typer.Option(
        None, "--again", metavar="ANSWERS", help="Give the answers that a rescue handed back again."
    ),
) -> Answer:
    """Put a damaged file right as its chain proves it, and leave out what it does not.

    What comes behind a line that is left out is handed back: answer the question of that line, then
    give the rest again.

    \b
      pbcg rescue evening.pbcg -o rescued.pbcg
      pbcg refit rescued.pbcg
      pbcg rescue rescued.pbcg --again rescued.pbcg.answers
    """

    if again and not output:
        return _give_again(file, again)
    if again or not output:
        raise PBCGError("Name the new file to write (-o), or the answers to give again (--again).")
    rescued = rescuing.rescue(file, output, plays_again, from_checkpoint)
    written = written_words(*rescued.written)
    checked = f"{in_quotes('verify', output)} says whether it fits together."
    lines = [*rescued.sentences, written, *([checked] if output in rescued.written else [])]
    data = {
        "written": [str(path) for path in rescued.written],
        "whole": rescued.whole,
        "sentences": list(rescued.sentences),
    }
    return Answer(data, lambda _: typer.echo("\n".join(lines)))


def plays_again(text: JournalText) -> bool:
    """Return whether a file can be played again from its beginning to its end."""
    journal = Journal(text, __version__)
    try:
        plug = plug_for(text.header.game, "The file")
        game = plug.session(journal).game
    except PBCGError:
        return False
    return not verifying.verify(journal, game, _books, plug.players).faults


def _give_again(file: Path, answers: Path) -> Answer:
    handed = HandedBack.read(answers)
    with OpenGame.open(file) as game:
        stopped = handed.give(game.session)
    handed.write(answers, again=True)
    lines = [f"All that {answers} holds was given again."]
    if stopped:
        again = in_quotes("rescue", file, "--again", answers)
        lines = [stopped, f"Answer what is asked now, then {again} gives the rest again."]
    data = {"whole": not stopped, "sentences": lines}
    return Answer(data, lambda _: typer.echo("\n".join(lines)))
