"""The front end without a skin: seats, curtains, proposals, undo, reading beside a writer."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from asl_pbcg.kernel.errors import IllegalAnswer, NeedsReason, PBCGError
from asl_pbcg.play.asked import AskedPrompt, AskedRoll, Curtain
from asl_pbcg.play.campaign_game.campaign_plug import CampaignPlug, create_campaign
from asl_pbcg.play.campaign_game.position_document import read_document
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.play.proposals import MAX_BYTES, proposals_file
from asl_pbcg.play.refusals import Moved, NeedsAgreement, NotYours, OnlyLooking
from asl_pbcg.play.seat import Seat

GOLDEN = Path(__file__).parent.parent / "golden_cg1"
SIDES = ("british", "german")


def begin(path: Path, dice: str = "seeded", campaign: str = "CG1") -> OpenGame:
    return create_campaign(
        path, {"settings": {"campaign": campaign, "players": {}}, "dice": dice, "seed": 7}
    )


def go_on(seat: Seat, source: random.Random) -> None:
    """Answer or roll once, whatever is asked."""
    asked = seat.question()
    if isinstance(asked, AskedRoll):
        faces = None
        if asked.typed:
            spec = seat.game.session.pending.spec  # type: ignore[union-attr]
            faces = tuple(source.randint(1, spec.sides) for _ in range(spec.count))
        seat.roll(faces, asked.seq, asked.id)
    else:
        assert isinstance(asked, AskedPrompt)
        prompt: Any = seat.game.session.pending
        seat.answer(prompt.random_answer(source), asked.seq, asked.id)


def to_scenario(game: OpenGame, source: random.Random) -> None:
    seat = Seat(game, "umpire")
    while game.session.state.at != "scenario":
        go_on(seat, source)


def until(game: OpenGame, source: random.Random, wanted: Any) -> None:
    """Play on at random until the pending prompt or roll is ``wanted``."""
    for _ in range(400):
        if game.session.pending is None or wanted(game.session.pending):
            return
        go_on(Seat(game, "umpire"), source)
    raise AssertionError("never came")


def proposed(seat: Seat) -> dict[str, Any]:
    """Return what each side proposes, as a seat is shown it."""
    shown = seat.question()
    assert isinstance(shown, AskedPrompt)
    return {each.by: each.value for each in shown.proposals}


def test_two_seats_see_their_own_and_answer_their_own(tmp_path: Path) -> None:
    with begin(tmp_path / "a.pbcg", campaign="CG2") as game:
        seats = {side: Seat(game, side) for side in SIDES}
        source = random.Random(1)
        secret = 0
        while game.session.state.at != "scenario":
            pending: Any = game.session.pending
            for side, seat in seats.items():
                other = next(each for each in SIDES if each != side)
                asked = seat.question()
                if pending.side == other:
                    assert asked is None and seat.waiting_for() == other
                    before = seat.seq, len(seat.lines())
                    with pytest.raises(NotYours):
                        seat.answer("1")
                    assert (seat.seq, len(seat.lines())) == before
                else:
                    assert asked is not None
            seat = seats[pending.side or "british"]
            other = next(seats[each] for each in SIDES if each != seat.viewer)
            mine, his = seat.seq, other.seq
            go_on(seat, source) if pending.side else go_on(Seat(game, "umpire"), source)
            assert seat.seq == mine + 1
            assert other.seq == his + (not pending.secret)
            secret += pending.secret
        assert secret
        assert not any(line.secret and line.side != "british" for line in seats["british"].lines())


def test_a_late_or_double_answer_changes_nothing(tmp_path: Path) -> None:
    with begin(tmp_path / "a.pbcg") as game:
        seat, source = Seat(game, "umpire"), random.Random(2)
        until(game, source, lambda asked: hasattr(asked, "options"))
        asked = seat.question()
        assert isinstance(asked, AskedPrompt)
        value = game.session.pending.random_answer(source)  # type: ignore[union-attr]
        seat.answer(value, asked.seq, asked.id)
        count = len(game.entries())
        with pytest.raises(Moved):
            seat.answer(value, asked.seq, asked.id)
        assert len(game.entries()) == count


def test_an_illegal_answer_names_its_rule_and_changes_nothing(tmp_path: Path) -> None:
    with begin(tmp_path / "a.pbcg") as game:
        seat = Seat(game, "umpire")
        until(game, random.Random(2), lambda asked: getattr(asked, "kind", "") == "choose")
        count = len(game.entries())
        with pytest.raises(IllegalAnswer) as refused:
            seat.answer("no such thing")
        assert refused.value.rule == seat.question().rule  # type: ignore[union-attr]
        assert len(game.entries()) == count


def test_a_curtain_stands_before_secrets_at_one_screen(tmp_path: Path) -> None:
    with begin(tmp_path / "a.pbcg", campaign="CG2") as game:
        seat, source = Seat(game, "both"), random.Random(3)
        until(game, source, lambda asked: asked.secret)
        curtain = seat.question()
        assert isinstance(curtain, Curtain) and curtain.side and not curtain.leaving
        assert not any(line.secret for line in seat.lines())
        with pytest.raises(NotYours):
            seat.answer("1")
        seat.lift(curtain.side)
        assert isinstance(seat.question(), AskedPrompt | AskedRoll)
        side = curtain.side
        until(game, source, lambda asked: not asked.secret)
        away = seat.question()
        if away is not None:
            assert away == Curtain(side="", leaving=side)
        seat.lift("umpire")
        assert not isinstance(seat.question(), Curtain)
        with pytest.raises(PBCGError):
            Seat(game, "german").lift("british")


def test_undo_needs_a_reason_for_a_roll_and_leave_of_the_other(tmp_path: Path) -> None:
    with begin(tmp_path / "a.pbcg", campaign="CG2") as game:
        source = random.Random(4)
        until(game, source, lambda asked: hasattr(asked, "dice"))
        go_on(Seat(game, "umpire"), source)
        last = game.session.journal.standing()[-1]
        assert last.kind == "roll"
        with pytest.raises(NeedsReason):
            Seat(game, "umpire").undo()
        if last.side:
            other = next(side for side in SIDES if side != last.side)
            with pytest.raises(PBCGError) as refused:
                Seat(game, other).undo("a slip")
            assert not isinstance(refused.value, NeedsReason)
        count = len(game.session.journal.standing())
        Seat(game, "umpire").undo("a slip")
        assert len(game.session.journal.standing()) == count - 1


@pytest.mark.finding("F-31")
def test_what_both_settle_is_proposed_by_one_and_agreed_by_the_other(tmp_path: Path) -> None:
    with begin(tmp_path / "a.pbcg") as game:
        source = random.Random(5)
        to_scenario(game, source)
        until(game, source, lambda asked: not asked.side and getattr(asked, "kind", "") == "choose")
        british, german = (Seat(game, side) for side in SIDES)
        prompt: Any = game.session.pending
        first, *others = [option.id for option in prompt.legal]
        count = len(game.entries())
        with pytest.raises(NeedsAgreement) as wanted:
            british.answer(first)
        assert wanted.value.side == "german" and len(game.entries()) == count
        assert proposed(german) == {"british": first}
        with pytest.raises(NeedsAgreement):
            german.answer(others[0])
        for seat in (german, british):  # each sees both
            assert proposed(seat) == {"british": first, "german": others[0]}
        german.answer(first)
        assert len(game.entries()) == count + 1


def test_a_proposal_is_kept_beside_the_game_until_the_game_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "a.pbcg"
    kept = proposals_file(path)
    with begin(path) as game:
        source = random.Random(5)
        to_scenario(game, source)
        until(game, source, lambda asked: not asked.side and getattr(asked, "kind", "") == "choose")
        prompt: Any = game.session.pending
        first, *_ = [option.id for option in prompt.legal]
        with pytest.raises(NeedsAgreement):
            Seat(game, "british").answer(first)

    def there() -> Any:
        with OpenGame.open(path, look=True) as game:
            return proposed(Seat(game, "german"))

    assert there() == {"british": first}
    content = kept.read_bytes()
    for damaged in (b"", content[:-4], b"[" * 100_000, b" " * (MAX_BYTES + 1)):
        kept.write_bytes(damaged)
        assert there() == {}
    kept.write_bytes(content)
    with OpenGame.open(path) as game:
        game.session.answer(first)
        game.session.undo("a slip")
    assert there() == {}  # it has gone on since, though the same is asked again
    kept.write_bytes(content)
    with OpenGame.open(path) as game:
        Seat(game, "umpire").answer(first)
    assert not kept.exists()


def test_a_position_proposed_before_is_agreed_to_after(tmp_path: Path, night_1: Path) -> None:
    """What is kept is compared with what the other gives, lists with lists."""
    path = tmp_path / "a.pbcg"
    shutil.copyfile(night_1, path)
    with OpenGame.open(path) as game:
        Seat(game, "umpire").answer("agreement")
        position = read_document(str(GOLDEN / "night-1.position.yaml"), game.session.state)
        with pytest.raises(NeedsAgreement):
            Seat(game, "german").answer(position)
        count = len(game.entries())
    with OpenGame.open(path) as game:
        Seat(game, "british").answer(position)
        assert len(game.entries()) > count


@pytest.mark.finding("F-36")
def test_looking_beside_a_writer(tmp_path: Path) -> None:
    path = tmp_path / "a.pbcg"
    with begin(path) as game:
        source = random.Random(6)
        for _ in range(12):
            go_on(Seat(game, "umpire"), source)
            with OpenGame.open(path, look=True) as looking:
                ours, theirs = Seat(game, "umpire"), Seat(looking, "umpire")
                assert theirs.lines() == ours.lines()
                assert theirs.question() == ours.question()
                assert theirs.facts() == ours.facts()
                with pytest.raises(OnlyLooking):
                    theirs.undo()
                with pytest.raises(OnlyLooking):
                    theirs.answer("1")
        with pytest.raises(PBCGError):
            OpenGame.open(path)
        for command in (["status"], ["log"], ["status", "--json"]):
            ran = subprocess.run(
                [sys.executable, "-m", "asl_pbcg", command[0], str(path), *command[1:]],
                capture_output=True,
                text=True,
                check=False,
            )
            assert ran.returncode == 0 and ran.stdout, ran.stderr


def test_a_file_that_cannot_be_played_is_let_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "evening.pbcg"
    begin(path).close()

    def fails(*_: object) -> None:
        raise PBCGError("It holds an answer that fits no question.")

    with monkeypatch.context() as patched:
        patched.setattr(CampaignPlug, "session", fails)
        for _ in range(2):  # nor is it held by the first when the second looks
            with pytest.raises(PBCGError, match="fits no question"):
                OpenGame.open(path)
    OpenGame.open(path).close()


def test_roll_all_stops_at_a_decision(tmp_path: Path) -> None:
    with begin(tmp_path / "a.pbcg", campaign="CG2") as game:
        source = random.Random(8)
        until(game, source, lambda asked: hasattr(asked, "dice"))
        seat = Seat(game, "umpire")
        rolled = seat.roll_all()
        assert rolled and not isinstance(seat.question(), AskedRoll)
        standing = game.session.journal.standing()[-len(rolled) :]
        assert [tuple(entry.body) for entry in standing] == [each.dice for each in rolled]


def test_steps_layers_and_sheets_of_a_new_campaign(tmp_path: Path) -> None:
    with begin(tmp_path / "a.pbcg") as game:
        seat = Seat(game, "umpire")
        to_scenario(game, random.Random(9))
        assert [each for each in seat.steps() if each.state == "now"] == []
        layers = seat.layers()
        assert layers and layers["counters"] and layers["first_setup"]
        id = layers["counters"][0]["id"]
        piece = seat.piece(id)
        assert piece and piece["id"] == id
        names = [each.name for each in seat.sheets()]
        assert "roster" in names and "british-setup" in names
        assert "german-setup" not in [each.name for each in Seat(game, "british").sheets()]
        (sheet,) = seat.sheet(["roster"])
        assert sheet.layout
        with pytest.raises(PBCGError):
            Seat(game, "british").sheet(["german-setup"])
