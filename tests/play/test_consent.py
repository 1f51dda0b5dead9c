"""Proposals kept beside the game: what a foreign or damaged file of them can do."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path
from typing import Any

import pytest
from both_questions import SIDES, BothQuestion, both_questions
from in_process import pbcg

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.play.asked import AskedPrompt
from asl_pbcg.play.open_game import OpenGame
from asl_pbcg.play.proposals import proposals_file
from asl_pbcg.play.refusals import NeedsAgreement, OwnProposal, ProposalChanged
from asl_pbcg.play.seat import Seat

VALUES: tuple[Any, ...] = (
    None, True, 0, -1, 10**30, 1.5, "", "dr", "x" * 500, [], ["dr"], [[["deep"]]], {}, {"units": 3},
    {"units": [{"id": []}]}, {"format": "pbcg-position/1", "units": [None]}, {"format": "x"},
)  # fmt: skip
TRIES = 200


@pytest.fixture(scope="module")
def questions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, BothQuestion]:
    return both_questions(tmp_path_factory.mktemp("both"), (1,))


def forge(file: Path, source: random.Random, point: str) -> None:
    """Write something that a file of proposals might be, right head and all."""
    with OpenGame.open(file, look=True) as game:
        head = game.session.journal.head
    made = [
        {
            "prompt": point,
            "side": source.choice([*SIDES, "umpire", "both", "", "nobody"]),
            "value": source.choice(["dr", source.choice(VALUES)]),
            "about": source.choice(["", "", "X18", "\u0000"]),
            "after": source.choice([0, -1, 10**18]),
        }
        for _ in range(source.randint(1, 3))
    ]
    correction = {
        "side": source.choice([*SIDES, "", "nobody"]),
        "path": source.choice(["san/german", "cpp", "", "pieces/+", "nonsense/a/b"]),
        "value": source.choice(VALUES),
        "reason": source.choice(["", "x", "x" * 9000, "\u0007"]),
        "words": source.choice(["", "SAN is 3"]),
    }
    kept = {"head": head, "made": made, "correction": source.choice([correction, None])}
    if source.random() < 0.1:
        kept["made"] = source.choice(VALUES)
    proposals_file(file).write_text(json.dumps(kept), encoding="utf-8")


@pytest.mark.finding("J-06")
@pytest.mark.parametrize("point", ["0.1", "0.2"])
def test_a_foreign_file_of_proposals_crashes_nothing(
    point: str, questions: dict[str, BothQuestion], tmp_path: Path
) -> None:
    source, settled = random.Random(point), 0
    for number in range(TRIES):
        file = tmp_path / f"{number}.pbcg"
        shutil.copyfile(questions[point].file, file)
        forge(file, source, point)
        with OpenGame.open(file) as game:
            seat = Seat(game, source.choice(SIDES))
            shown = seat.question()
            assert isinstance(shown, AskedPrompt)
            named = [each.digest for each in shown.proposals if each.by != seat.viewer]
            if seat.proposed_correction is not None:
                named.append(seat.proposed_correction.digest)
            assert {each.by for each in shown.proposals} <= {*SIDES}
            for digest in (*named, "0" * 32, ""):
                try:
                    seat.agree(digest)
                    settled += 1
                except PBCGError as error:
                    assert f"{error}"
    assert settled or point == "0.2"


@pytest.mark.finding("J-01")
def test_a_seat_takes_no_word_of_another(
    questions: dict[str, BothQuestion], tmp_path: Path
) -> None:
    for question in questions.values():
        file = tmp_path / question.file.name
        shutil.copyfile(question.file, file)
        with OpenGame.open(file) as game:
            german, british, count = (
                Seat(game, "german"),
                Seat(game, "british"),
                len(game.entries()),
            )
            for _ in range(2):
                with pytest.raises(NeedsAgreement):
                    german.answer(question.value)
            (proposal,) = german.question().proposals  # type: ignore[union-attr]
            with pytest.raises(OwnProposal):
                german.agree(proposal.digest)
            with pytest.raises(ProposalChanged):
                british.agree(proposal.digest.upper())
            assert len(game.entries()) == count
            british.agree(proposal.digest)
            assert len(game.entries()) > count


@pytest.mark.finding("J-01")
def test_an_umpire_and_both_at_one_screen_speak_for_both(
    questions: dict[str, BothQuestion], tmp_path: Path
) -> None:
    question = questions["0.1"]
    for number, (viewer, agrees) in enumerate(
        (viewer, agrees) for viewer in ("umpire", "both") for agrees in (True, False)
    ):
        file = tmp_path / f"{number}.pbcg"
        shutil.copyfile(question.file, file)
        with OpenGame.open(file) as game:
            seat = Seat(game, viewer)
            if not agrees:
                seat.answer(question.value)
                continue
            with pytest.raises(NeedsAgreement):
                Seat(game, "german").answer(question.value)
            (proposal,) = seat.question().proposals  # type: ignore[union-attr]
            seat.agree(proposal.digest)
            assert seat.question() and not getattr(seat.question(), "proposals", ())


@pytest.mark.finding("J-01")
@pytest.mark.parametrize("by", ["--auto", "--answers"])
def test_answers_by_themselves_are_one_sides_too(
    by: str, questions: dict[str, BothQuestion], tmp_path: Path
) -> None:
    file, listed = tmp_path / "a.pbcg", tmp_path / "answers.yaml"
    shutil.copyfile(questions["0.1"].file, file)
    before = file.read_bytes()
    listed.write_text("format: pbcg-answers/1\nanswers:\n- 0.1: german-concede\n", encoding="utf-8")
    told = pbcg("refit", file, "--as", "german", by, "3" if by == "--auto" else listed)
    assert "must agree" in " ".join(told.split())
    assert file.read_bytes() == before
    told = pbcg("refit", file, "--as", "british", typed="q\n")
    assert "German player" in " ".join(told.split())
    assert file.read_bytes() == before
