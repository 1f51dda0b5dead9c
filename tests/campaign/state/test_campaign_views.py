"""Two campaigns that differ only in one side's secrets look the same to the other side."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest
from refit_helpers import by_point, campaign_at, piece, run_step, told
from sentences import Tells
from twin_campaigns import Twin, Twins, _answer
from typer.testing import CliRunner
from web_help import without_clock

from asl_pbcg.campaign.entry.end_position import settle_position
from asl_pbcg.campaign.module.pegasus_bridge import PEGASUS_BRIDGE
from asl_pbcg.campaign.position import Fortification
from asl_pbcg.campaign.position_words import FortificationKind
from asl_pbcg.campaign.sheets.ledger import force_lines
from asl_pbcg.campaign.state.campaign_state import Bought, Campaign, change
from asl_pbcg.campaign.state.ob_merge import to_position
from asl_pbcg.campaign.state.piece_changes import add_pieces, remove, update
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.state.seen import frozen, view_for
from asl_pbcg.campaign.terms import CGDate, Side
from asl_pbcg.cli.campaign_file import create_campaign, open_campaign
from asl_pbcg.cli.main import app
from asl_pbcg.kernel.errors import FaultsError, PBCGError
from asl_pbcg.kernel.journal import Journal
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.kernel.session import Session
from asl_pbcg.kernel.views import LogLine, for_side
from asl_pbcg.play.campaign_game.campaign_facts import facts
from asl_pbcg.refit.correction_policy import (
    correction_as_known,
    corrects_alone,
    known_state,
)
from asl_pbcg.refit.helpers.catalogue_questions import repair_number, without_secret_answers
from asl_pbcg.refit.s607_possession import hidden_fortifications
from asl_pbcg.refit.s620_commencement import commencement
from asl_pbcg.refit.sequence import CampaignGame

AS = ("FILE", "--as", "SIDE")
COMMANDS = [
    ("status", *AS),
    ("status", *AS, "--json"),
    ("log", *AS),
    ("log", *AS, "--json"),
    ("refit", *AS),
    ("history", *AS, "--honours", "--json"),
    ("history", *AS, "--luck", "--json"),
    ("areas", "FILE"),
    ("areas", "FILE", "--json"),
    ("areas", "FILE", "-o", "map.svg"),
    ("position", "template", "--campaign", *AS, "position.yaml"),
    ("position", "template", "--campaign", *AS, "position.json"),
    ("position", "template", "--campaign", *AS, "position.xlsx"),
    ("position", "template", "--records", "--campaign", *AS, "paper.yaml"),
    ("position", "template", "--records", "--campaign", *AS, "paper.xlsx"),
    ("records", *AS, "-o", "records.xlsx"),
    ("records", *AS, "-o", "records.pdf"),
]
WAITING = [
    ("status", *AS, "--json"),
    ("log", *AS),
    ("refit", *AS),
    ("history", *AS, "--json"),
    ("history", *AS, "--honours", "--json"),
    ("position", "template", "--campaign", *AS, "position.yaml"),
]
"""What tells a waiting side nothing of how far the other has come."""
SHEETS = [
    "roster", "purchases", "british-forces", "german-forces", "british-setup", "german-setup",
    "map", "campaign", "report",
]  # fmt: skip
REFUSED = [
    ("undo", *AS, "--to", "9.617", "--reason", "curious"),
    ("correct", "cpp=1", *AS, "--reason", "curious"),
    ("correct", "fpp/THEIRS=1", *AS, "--reason", "curious"),
    ("correct", "groups/I5-1/cost=1", *AS, "--reason", "curious"),
    ("correct", "pieces/SECRET/at=Y20", *AS, "--reason", "curious"),
    ("correct", "pieces/3/at=Y20", *AS, "--reason", "curious"),
    ("correct", "bought/b-fpp-1/factors=1", *AS, "--reason", "curious"),
    ("correct", "received_count/THEIRS=1", *AS, "--reason", "curious"),
    ("correct", "san/german=99", *AS, "--reason", "curious"),
    ("correct", *AS, "--agree", "0" * 32),
    ("refit", *AS, "--position", "none.yaml"),
    ("records", *AS, "-o", "records.xlsx", "--sheet", "THEIRS-setup"),
]
KINDS = {
    Side.BRITISH: {"Fortifications", "HIP", "Shift", "status", "CG9"},
    Side.GERMAN: {
        "purchases", "CPP", "strength", "sw", "leaders", "Fortifications", "HIP", "Shift",
        "status", "CG9",
    },
}  # fmt: skip
SEEDS = (2, 6)
"""Of the first everything is printed, of the others what is told on the screen."""


class Look:
    """What a side is shown of a campaign while it goes on."""

    def __init__(self, side: Side) -> None:
        self.side = side
        self._logs: dict[int, tuple[str, list[LogLine]]] = {}

    def __call__(self, session: Session[Campaign]) -> dict[str, Any]:
        """Its log, status, prompt, rosters and map."""
        asked, state = session.pending, session.state
        known = view_for(state, self.side)
        prompt: Any = None
        if asked:
            options = asked.options if isinstance(asked, Prompt) else ()
            prompt = [
                asked.id,
                asked.text,
                asked.side,
                [(each.id, each.refused) for each in options],
            ]
        return {
            "log": self._log(session),
            "status": facts(session, self.side.value),
            "prompt": prompt,
            "roster": force_lines(state, self.side.other, self.side.value),
            "map": msgspec.to_builtins(to_position(known, everything=True)),
        }

    def _log(self, session: Session[Campaign]) -> list[LogLine]:
        """All that was told; read again from the file only when a step has begun."""
        step = session.step.id if session.step else ""
        if self._logs.get(id(session), ("", []))[0] != step:
            self._logs[id(session)] = (step, for_side(session.lines(), self.side.value))
        return self._logs[id(session)][1]


def run(
    file: Path, side: Side, command: tuple[str, ...], monkeypatch: Any, fails: bool = False
) -> bytes:
    """What a command tells and writes, to the last byte; with ``fails`` it must be refused."""
    monkeypatch.chdir(file.parent)
    # The fingerprint of the whole file is another, of course.
    monkeypatch.setattr(Journal, "fingerprint", "9c1f-03ab-77de-4410")
    for suffix in (".yaml", ".json", ".xlsx", ".pdf", ".svg"):
        for made in file.parent.glob(f"*{suffix}"):
            made.unlink()
    given = {"FILE": file.name, "SIDE": side.value}
    words = [given.get(word, word.replace("THEIRS", side.other.value)) for word in command]
    result = CliRunner().invoke(app, words, input="p all\ns\n", env={"COLUMNS": "100"})
    if isinstance(result.exception, PBCGError) and (fails or "--piece" in command):
        return str(result.exception).encode()  # of some pieces nothing has been told yet
    assert not fails, (command, result.output)
    assert result.exit_code == 0, (command, result.output, result.exception)
    made = [path for path in file.parent.iterdir() if path.suffix != ".pbcg"]
    return result.output.encode() + b"".join(
        without_clock(path.read_bytes()) for path in sorted(made)
    )


def copies(twins: Twins, folder: Path) -> list[Path]:
    """Both campaign files as they stand, to be looked into."""
    found = []
    for file in twins.files:
        found.append(folder / file.parent.name / file.name)
        found[-1].parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, found[-1])
    return found


def same(
    files: list[Path], side: Side, commands: list[tuple[str, ...]], patch: Any, fails: bool = False
) -> None:
    for command in commands:
        seen = [run(file, side, command, patch, fails) for file in files]
        assert seen[0] == seen[1], command


def played(folder: Path, seed: int, side: Side, monkeypatch: Any) -> set[str]:
    """Twins through three Refit Phases, looked at in every way; the secrets they differed in."""
    twins = Twins(folder / "play", seed, side)
    look, kinds = Look(side.other), set[str]()
    commands = [
        *COMMANDS,
        *(("records", *AS, "-o", "sheet.pdf", "--sheet", name) for name in SHEETS
          if name != f"{side.value}-setup"),
    ]  # fmt: skip
    for date in range(3):
        goes_on = twins.reph(date == 2, look)
        kinds |= twins.kinds()
        for session in twins.sessions:
            session.journal.close()
        files = copies(twins, folder / str(date))
        if date:  # before the first scenario there are no Setup Areas
            secret = twins.one_secret_piece()
            wanted = [("log", *AS, "--piece", secret)] if secret else []
            looked = commands if date == 2 and seed == SEEDS[0] else COMMANDS[:5]
            same(files, side.other, looked + wanted, monkeypatch)
            refused = [
                tuple(word.replace("SECRET", secret or "x") for word in command)
                for command in REFUSED
            ]
            same(files, side.other, refused, monkeypatch, fails=True)
            set_up_last = PEGASUS_BRIDGE.frame.setup_order[twins.date].first_setup.other
            same(files, side.other, [("undo", *AS)], monkeypatch, fails=set_up_last is side)
        if not goes_on or date == 2:
            break
        twins.reopen()
        twins.battle(date)
    assert date == 2, "choose another seed: the campaign ended"
    own = [run(file, side, ("log", *AS), monkeypatch) for file in files]
    assert own[0] != own[1]  # the twins do differ
    return kinds


@pytest.mark.parametrize("side", list(Side))
def test_the_other_side_sees_no_difference(
    side: Side, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At every point where it may look, in every command and print; each kind of secret differs."""
    kinds = set[str]()
    for seed in SEEDS:
        kinds |= played(tmp_path / str(seed), seed, side, monkeypatch)
    assert kinds >= KINDS[side]


@pytest.mark.parametrize("side", list(Side))
def test_in_cg_i_too(side: Side, tmp_path: Path) -> None:
    twins = Twins(tmp_path, 1, side)
    look = Look(side.other)
    for date in range(2):
        assert twins.reph(date == 1, look)
        first, second = (known_state(session.state, side.other) for session in twins.sessions)
        assert change(first, determined=None) == change(second, determined=None)
        if not date:
            twins.battle(date)
    assert twins.kinds()


def test_a_secret_that_waits_is_not_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "evening.pbcg"
    meta = {"settings": {"campaign": "CG2"}, "seed": 0, "dice": "seeded"}
    session = create_campaign(file, meta)
    answers = Twin(5, Side.GERMAN, 1)
    answers.state = lambda: session.state
    seen, last = 0, ("", b"")
    while session.state.at != "scenario":
        asked = session.pending
        assert asked
        if asked.secret and isinstance(asked, Prompt):
            seen += 1
            session.journal.close()
            other = Side(asked.side).other
            told = b"".join(
                run(file, other, command, monkeypatch) for command in (COMMANDS[0], COMMANDS[4])
            )
            stands = b"".join(run(file, other, command, monkeypatch) for command in WAITING)
            assert last[0] != asked.side or last[1] == stands  # how far the other side has come
            last = asked.side, stands
            told += run(file, other, ("refit", *AS, "--position", "x.yaml"), monkeypatch, True)
            assert asked.text not in told.decode()
            session = open_campaign(file)
            asked = session.pending
        elif not asked.secret:
            last = ("", b"")
        if isinstance(asked, Prompt):
            session.answer(answers.answer(asked))
        else:
            assert asked
            session.throw(answers.dice(asked))
    session.journal.close()
    assert seen > 5


def test_where_copies_part_tells_no_step_of_the_other_side(tmp_path: Path) -> None:
    """Nor how far it has come in what both copies hold."""
    told = set()
    for step in ("9.617", "9.619"):
        file = tmp_path / step / "evening.pbcg"
        file.parent.mkdir()
        meta = {"settings": {"campaign": "CG2"}, "seed": 0, "dice": "seeded"}
        session = create_campaign(file, meta)
        playing = Twin(5, Side.GERMAN, 1)
        playing.state = lambda session=session: session.state  # type: ignore[misc]
        while not playing.is_own(session.pending):
            _answer(session, playing)
        while session.step and not session.step.id.endswith(step):
            _answer(session, playing)
        _answer(session, playing)
        assert playing.is_own(session.pending)
        session.journal.close()
        other = shutil.copy(file, file.with_name("other.pbcg"))
        CliRunner().invoke(app, ["note", str(other), "Mine.", "--as", "british"])
        words = ["compare", str(file), str(other), "--as", "british"]
        result = CliRunner().invoke(app, words)
        assert result.exit_code == 1 and "Mine." in result.output
        told.add(result.output.replace(str(file.parent), ""))
    assert len(told) == 1


# -- what is legitimately seen ----------------------------------------------------------------


def hidden_mines(*kinds: tuple[str, int]) -> list[Campaign]:
    """A campaign for each kind and size of a hidden British minefield in a German Setup Area."""
    found = []
    for kind, size in kinds:
        mines = Fortification(
            kind=FortificationKind(kind), at="M13", owner=Side.BRITISH, size=size, hidden=True
        )
        state = campaign_at(
            "9.607",
            piece("g1", Side.GERMAN, "4-6-7", "M12", area="A"),
            german=["M12"],
            british=["X18"],
            fortifications=[mines],
        )
        found.append(state)
    return found


@pytest.mark.rule("9.6073-b")
def test_a_minefield_counter_shows_neither_type_nor_strength() -> None:
    """Ruling P-93."""
    shown = []
    for state in hidden_mines(("ap-mines", 6), ("ap-mines", 12), ("at-mines", 3)):
        assert not view_for(state, Side.GERMAN).fortifications
        after, lines = run_step(state, hidden_fortifications)
        seen = for_side(lines, "german")
        shown.append((seen, view_for(after, Side.GERMAN).fortifications))
        assert view_for(after, Side.BRITISH).fortifications == after.fortifications
    assert shown[0] == shown[1] == shown[2]
    (counter,) = shown[0][1]
    assert (counter.kind, counter.at, counter.size) == (FortificationKind.MINEFIELD, "M13", None)


@pytest.mark.rule("9.6073-b")
def test_a_position_may_list_the_minefield_counter(tells: Tells) -> None:
    (state,) = hidden_mines(("ap-mines", 6))
    known = to_position(view_for(run_step(state, hidden_fortifications)[0], Side.GERMAN))
    settled = settle_position(state, known)
    assert not settled.fortifications  # its owner has it on record
    nowhere = msgspec.structs.replace(
        known, fortifications=(Fortification(kind=FortificationKind.MINEFIELD, at="Q10"),)
    )
    with pytest.raises(FaultsError) as refused:
        settle_position(state, nowhere)
    tells(refused, "ap-mines")


@pytest.mark.rule("9.619-k")
def test_the_san_increase_is_told_when_setup_begins(tells: Tells) -> None:
    """Ruling P-91: the SAN is open, what FPP are spent on is not."""
    file = Bought(key="b-fpp-1", side=Side.BRITISH, kind="san", date=CGDate.DAY_1, cost=10)
    state = campaign_at("9.620", date=CGDate.DAY_1, bought=(file,), san=dict.fromkeys(Side, 3))
    after, lines = run_step(state, commencement, by_point({}))
    tells(told(for_side(lines, "german")), "4 now", "SAN", "Increase", "British")
    assert after.account.san[Side.BRITISH] == 4


def test_what_a_side_received_in_secret_is_not_seen_and_nothing_shows_a_shift() -> None:
    there = piece("g1", Side.GERMAN, "4-6-7", "M12", area="A")
    state = frozen(campaign_at("9.613", there))
    gone = remove(state, "g1", "eliminated", "Shift", "9.613")
    hip = update(state, "g1", hip=True)
    away = update(state, "g1", at="off-map A7", area="A7", status=("wounded",))
    more = add_pieces(change(state, at="9.618"), Side.GERMAN, [("4-6-7", 12)], at="M13")
    for other in (gone, hip, away, more):
        assert view_for(other, Side.BRITISH).pieces == view_for(state, Side.BRITISH).pieces


def test_what_is_captured_tells_nothing_of_its_rg() -> None:
    tank = piece("g1", Side.BRITISH, "PzKpfw IVH", "M12", status="captured", rg="V3-1")
    state = campaign_at("9.610", tank)
    (line,) = force_lines(state, Side.BRITISH)
    assert line.rg == ""
    (vehicle,) = to_position(state).vehicles
    assert vehicle.rg == ""


# -- undo and correct by one side ---------------------------------------------------------------


def test_a_side_takes_back_its_own_answers_only(tells: Tells) -> None:
    session = Session(CampaignGame(), Journal.in_memory({"settings": {"campaign": "CG2"}}))
    assert session.pending
    assert session.pending.side == "german"
    session.answer("done")
    session.check_undo("german")
    session.check_undo("umpire")
    with pytest.raises(PBCGError) as refused:
        session.check_undo("british")
    tells(refused, "nothing to undo")
    with pytest.raises(PBCGError) as refused:
        session.check_undo("british", "dawn/9.606")
    tells(refused, "nothing")


@pytest.mark.finding("G-30")
@pytest.mark.parametrize(
    ("path", "side"),
    [
        ("pieces/g1/notes", "german"), ("pieces/g1/name", "german"), ("players/british", "british"),
        ("area_names/german/A", "german"), ("pieces/g1/at", ""), ("pieces/g1/status", ""),
        ("pieces/g1/notes/0", ""), ("pieces/nobody/notes", ""), ("pieces/0/notes", ""),
        ("cpp", ""), ("groups/I5-1/cost", ""), ("fpp/british", ""), ("san/german", ""),
        ("control/british", ""), ("at", ""), ("ended", ""), ("won_by", ""), ("campaign", ""),
        ("players", ""), ("", ""),
    ],
)  # fmt: skip
def test_a_side_alone_corrects_only_a_few_facts_of_its_own(path: str, side: str) -> None:
    state = campaign_at("9.606", piece("g1", Side.GERMAN, "4-6-7", "M12"))
    assert {each.value for each in Side if corrects_alone(state, each, path)} == {side} - {""}


@pytest.mark.finding("G-30")
def test_what_one_side_keeps_secret_is_not_even_proposed(tells: Tells) -> None:
    state = campaign_at("9.606", piece("g1", Side.GERMAN, "4-6-7", "M12"))
    for path in (
        "groups",
        "occupants/Y20",
        "bought/b-fpp-1/at",
        "gone/0/how",
        "seen/g1/at",
        "salt",
        "cpp",
    ):
        with pytest.raises(PBCGError, match=path) as refused:
            correction_as_known(state, Side.BRITISH, path, 3, alone=True)
    tells(refused, "cpp", "umpire")


def test_a_correction_of_what_was_shifted_is_its_side_s_secret() -> None:
    there = piece("g1", Side.GERMAN, "4-6-7", "M12", area="A")
    game, state = CampaignGame(), campaign_at("9.606", there)
    for now, secret in ((state, False), (frozen(change(state, at="9.614")), True)):
        _, line = game.correct(now, "pieces/g1/area", "B")
        assert (line.secret, line.side if line.secret else "") == (secret, "german" * secret)


@pytest.mark.parametrize(
    ("path", "value", "whose"),
    [
        ("accounts/0/cpp_left", 3, "umpire"), ("received_count/british", 7, "umpire"),
        ("cpp", 3, "german"), ("fpp/british", 3, "british"), ("san/german", 3, ""),
        ("pieces", [], "umpire"),
    ],
)  # fmt: skip
def test_whose_secret_a_correction_is(path: str, value: object, whose: str) -> None:
    state = campaign_at("9.606", piece("g1", Side.GERMAN, "4-6-7", "M12"))
    _, line = CampaignGame().correct(state, path, value)
    assert (line.secret, line.side) == (bool(whose), whose)


@pytest.mark.rule("9.6142-a")
def test_a_value_asked_for_in_secret_is_asked_of_the_other_side_too() -> None:
    """Else the other side would know by not being asked that there was something to repair."""
    state = campaign_at("9.614")
    german = piece("g1", Side.GERMAN, "50L AT", "M12")
    british = piece("b1", Side.BRITISH, "50L AT", "N12", status="captured")

    def asked(state: Campaign, gun: Piece) -> Campaign | None:
        """The state after the question for the Repair Number; None if it is not asked."""
        script = repair_number(state, gun)
        try:
            next(script)
            script.send(2)
        except StopIteration as settled:
            after: Campaign = settled.value[0]
            return None if after == state else after
        raise AssertionError

    in_secret = asked(state, german)
    assert in_secret and not asked(in_secret, german) and asked(in_secret, british)
    in_the_open = change(in_secret, at="9.607")
    assert asked(in_the_open, german)
    assert in_secret.catalogue_corrections["german"]["50L AT"] == {"repair": 2}
    assert not without_secret_answers(in_secret).catalogue_corrections["german"]["50L AT"]
    asked_again = asked(in_the_open, british)
    assert asked_again and not asked(asked_again, british)
    assert without_secret_answers(asked_again) == asked_again
