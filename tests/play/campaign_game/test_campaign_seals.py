"""Seals of a campaign: what a side held, told by eight words, held against what stands."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from golden_campaign import FILE, folder_of
from golden_campaign import play as play_golden
from in_process import pbcg, run_pbcg
from play_help import play_cg2_to
from sentences import Tells

from asl_pbcg.campaign.state.campaign_state import with_account
from asl_pbcg.kernel.entries import Entry
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.seals import seals_of
from asl_pbcg.play.asked import AskedPrompt
from asl_pbcg.play.campaign_game import campaign_seals
from asl_pbcg.play.campaign_game.campaign_seals import (
    HIDDEN,
    PURCHASES,
    SETUP,
    check_seal,
    list_seals,
    seal_holdings,
    unseal,
)
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.play.seat import Seat

MINES = "6 x A-P Mine Factor (purchase 1): 9 FPP"


@pytest.fixture(scope="module")
def bought(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """CG II as the first setup is asked for; the British have bought mines."""
    file = tmp_path_factory.mktemp("seals") / "bought.pbcg"
    play_cg2_to(file, "9.620.2")
    return file


@pytest.fixture
def file(bought: Path, tmp_path: Path) -> Path:
    return shutil.copy(bought, tmp_path / "evening.pbcg")


@pytest.fixture
def game(file: Path) -> Iterator[OpenGame]:
    with OpenGame.open(file) as game:
        yield game


def buy_foxholes_instead(game: OpenGame) -> None:
    """Undo what the British bought and let them buy Foxholes; up to where they were."""
    seat = Seat(game, "umpire")
    mines = next(each for each in game.session.journal.standing() if each.body == "ap-mines")
    seat.undo_to(mines.seq, "another thought", sure=True)
    seat.answer("foxhole-3s")
    while (asked := seat.question()) is not None and asked.id != "9.620.2":
        assert isinstance(asked, AskedPrompt)
        legal = [each.id for each in asked.options if not each.refused]
        seat.answer("done" if "done" in legal else asked.default or legal[0])


# -- what is sealed ----------------------------------------------------------------------


def test_a_side_seals_purchases_hidden_pieces_and_setup(game: OpenGame) -> None:
    made = seal_holdings(Seat(game, "british"))
    assert made.date == "dawn" and made.side == "british"
    for heading in (PURCHASES, HIDDEN, SETUP):
        assert f"\n\n{heading}\n- " in made.text
    assert f"- {MINES}" in made.text
    assert "6-4-8 A-1" in made.text and "4-4-7" not in made.text
    assert "side: british\n" in made.text and "date: Dawn\n" in made.text


def test_each_side_seals_its_own(game: OpenGame) -> None:
    made = {side: seal_holdings(Seat(game, side)) for side in ("british", "german")}
    assert "4-4-7 E-1" in made["german"].text
    assert "6-4-8" not in made["german"].text and "A-P" not in made["german"].text
    assert made["german"].words != made["british"].words


def test_sealing_twice_gives_other_words(game: OpenGame) -> None:
    seat = Seat(game, "british")
    first, second = seal_holdings(seat), seal_holdings(seat)
    assert first.words != second.words
    held = [each.text.partition("\n\n")[2] for each in (first, second)]
    assert held[0] == held[1]
    assert check_seal(seat, first.words).stands and check_seal(seat, second.words).stands


@pytest.mark.parametrize("viewer", ["umpire", "both"])
def test_nobody_seals_for_both(tells: Tells, game: OpenGame, viewer: str) -> None:
    with pytest.raises(PBCGError) as refused:
        seal_holdings(Seat(game, viewer))
    tells(refused.value, "one side")


# -- held against what stands ----------------------------------------------------------------


def test_what_stands_is_proved(tells: Tells, game: OpenGame) -> None:
    made = seal_holdings(Seat(game, "british"))
    for viewer in ("british", "umpire"):
        check = check_seal(Seat(game, viewer), made.words)
        assert check.stands and not check.lost and not check.new
        tells(check.sentences[-1])


def test_a_purchase_changed_after_it_was_sealed_is_told(tells: Tells, game: OpenGame) -> None:
    made = seal_holdings(Seat(game, "british"))
    buy_foxholes_instead(game)
    check = check_seal(Seat(game, "british"), made.words)
    assert check.stands is False
    assert check.lost == (f"{PURCHASES}: {MINES}",)
    assert [each.partition(" (")[0] for each in check.new] == [f"{PURCHASES}: Foxhole 3S"]
    tells(list(check.sentences[1:]))


def test_the_other_side_learns_only_what_was_opened(tells: Tells, game: OpenGame) -> None:
    british, german = Seat(game, "british"), Seat(game, "german")
    made = seal_holdings(british)
    buy_foxholes_instead(game)
    closed = check_seal(german, made.words)
    assert closed.stands is None and not (closed.lost or closed.new)
    tells(closed.sentences[-1], "closed")
    with pytest.raises(PBCGError) as refused:
        unseal(german, made.words)
    tells(refused.value, "closed")
    with pytest.raises(PBCGError):
        unseal(german, made.words, to_all=True)
    assert "A-P" not in str(refused.value) + str(closed)
    unseal(british, made.words, to_all=True)
    told = check_seal(german, made.words)
    assert told.stands is False and told.lost == (f"{PURCHASES}: {MINES}",)
    assert told.new == () and "Foxhole" not in str(told)
    tells(list(told.sentences[1:]), "alone")


def test_an_undone_date_is_told(tells: Tells, game: OpenGame) -> None:
    made = seal_holdings(Seat(game, "british"))
    Seat(game, "umpire").undo_to(game.session.journal.standing()[0].seq, "again", sure=True)
    check = check_seal(Seat(game, "umpire"), made.words)
    assert check.stands is False and f"{PURCHASES}: {MINES}" in check.lost


def test_a_correction_after_it_is_told(game: OpenGame) -> None:
    made = seal_holdings(Seat(game, "british"))
    Seat(game, "umpire").correct("pieces/b-648-1/area", "B", "miscounted")
    check = check_seal(Seat(game, "british"), made.words)
    assert check.lost == (f"{SETUP}: Setup Area A: 6-4-8 A-1",)
    assert check.new == (f"{SETUP}: Setup Area B: 6-4-8 A-1",)


def test_a_waiting_side_seals_what_it_knows(game: OpenGame) -> None:
    """While the other acts in secret a seal tells nothing of how far it has come."""
    asked = game.session.pending
    assert asked is not None and asked.secret
    waiting = Seat(game, "british" if asked.side == "german" else "german")
    made = seal_holdings(waiting)
    Seat(game, asked.side).answer("none")
    assert check_seal(waiting, made.words).stands


def test_words_of_no_seal_name_the_nearest(tells: Tells, game: OpenGame) -> None:
    made = seal_holdings(Seat(game, "british"))
    first, *rest = made.words.split()
    other = "abandon" if first != "abandon" else "ability"
    with pytest.raises(PBCGError) as wrong:
        check_seal(Seat(game, "german"), " ".join([other, *rest]))
    assert made.words in str(wrong.value)
    with pytest.raises(PBCGError) as unknown:
        check_seal(Seat(game, "german"), " ".join(["zoo"] * 8))
    tells(unknown.value, "rewritten")


def test_both_read_in_the_log_that_something_was_sealed(game: OpenGame) -> None:
    made = seal_holdings(Seat(game, "british"))
    for viewer in ("british", "german", "umpire"):
        assert [line.text for line in Seat(game, viewer).lines()][-1] == f"Sealed: {made.words}."
    assert [each.text for each in list_seals(Seat(game, "german"))] == [""]


def test_a_seal_outlasts_an_undo_and_a_redo(game: OpenGame) -> None:
    umpire, british = Seat(game, "umpire"), Seat(game, "british")
    umpire.undo("a slip")
    made = seal_holdings(british)
    umpire.redo()
    assert unseal(british).words == made.words
    assert check_seal(british, made.words).stands


# -- the command, in processes of their own ------------------------------------------------------


def run(*args: str | Path, code: int = 0) -> str:
    found = subprocess.run(
        [sys.executable, "-m", "asl_pbcg", *map(str, args)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == code, found.stdout + found.stderr
    return found.stdout + found.stderr


@pytest.mark.parametrize("side", ["british", "german"])
def test_a_seal_goes_through_processes(file: Path, tmp_path: Path, side: str) -> None:
    other = "german" if side == "british" else "british"
    words = json.loads(run("seal", file, "--as", side, "--json"))["words"]
    assert words in run("unseal", file, "--as", side)
    run("verify", file, "--sealed", words, "--as", other, code=3)
    run("verify", file, "--sealed", words, "--as", side)
    opened = tmp_path / "opened.txt"
    run("unseal", file, words, "--as", side, "-o", opened)
    run("verify", opened, "--sealed", words, "--as", other)
    opened.write_text(opened.read_text(encoding="utf-8").replace("Area A", "Area B"))
    run("verify", opened, "--sealed", words, code=1)
    run("unseal", file, "--as", side, "--open")
    run("verify", file, "--sealed", words, "--as", other)


def test_a_changed_purchase_is_told_by_verify(tells: Tells, file: Path) -> None:
    words = json.loads(pbcg("seal", file, "--as", "british", "--json"))["words"]
    with OpenGame.open(file) as game:
        buy_foxholes_instead(game)
    told = pbcg("verify", file, "--sealed", words, code=1)
    tells(told, "A-P Mine")
    tells(told, "Foxhole")
    assert "whole" in told
    found = json.loads(run_pbcg("verify", file, "--sealed", words, "--json").out)
    assert found["sealed"]["stands"] is False and found["whole"]


def test_what_a_refusal_says_is_no_secret(file: Path) -> None:
    words = json.loads(pbcg("seal", file, "--as", "british", "--json"))["words"]
    for args in (["unseal", file], ["unseal", file, words], ["unseal", file, words, "--open"]):
        told = pbcg(*args, "--as", "german", code=2)
        assert "Mine" not in told and "648" not in told and "salt" not in told


def test_a_forged_seal_is_a_fault(file: Path) -> None:
    """Whoever rewrites the chain cannot make the words fit another text."""
    with OpenGame.open(file) as game:
        made = seal_holdings(Seat(game, "british"))
        journal = game.session.journal
        sealed = journal.entries_of("sealed")[-1]
        forged = {"text": made.text.replace(MINES, "1 x Wire")}
        with journal.transaction():
            journal.append(Entry(kind="opened", step=sealed.step, side="british", body=forged))
    assert "J20" in pbcg("verify", file, code=1)
    with OpenGame.open(file, look=True) as game:
        assert [each.text for each in seals_of(game.session.journal, "german")] == [""]


def test_a_seal_is_proved_at_later_dates(tells: Tells, tmp_path: Path) -> None:
    """The setup of Night II is opened when Night III sets up: what changed since is no matter."""
    play_golden("cg1", tmp_path, until="night-1", records=False)
    file = tmp_path / FILE
    words = json.loads(pbcg("seal", file, "--as", "german", "--json"))["words"]
    for path in folder_of("cg1").glob("night-2.*.yaml"):
        shutil.copy(path, tmp_path)
    position = ("--position", tmp_path / "night-2.position.yaml")
    pbcg("refit", file, *position, "--answers", tmp_path / "night-2.answers.yaml", "--as", "umpire")
    tells(pbcg("seal", file, "--as", "german"), "Sealed for German")
    pbcg("verify", file, "--sealed", words, "--as", "german")
    assert "date: Night II\n" in pbcg("unseal", file, words, "--as", "german")
    assert "date: Night III\n" in pbcg("unseal", file, "--as", "german")


def test_nothing_is_sealed_between_two_dates(
    tells: Tells, game: OpenGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = game.session.state
    over = with_account(state, cvp_lost=dict.fromkeys(state.sides, 0))
    monkeypatch.setattr(campaign_seals, "_state_known", lambda *_: over)
    with pytest.raises(PBCGError) as refused:
        seal_holdings(Seat(game, "british"))
    tells(refused.value, "Dawn")
