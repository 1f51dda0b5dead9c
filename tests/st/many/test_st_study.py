"""Studies and challenges: paired games, kept and gone on with; the same game for everyone."""

from __future__ import annotations

import csv
import json
import re
import tracemalloc
from pathlib import Path

import pandas as pd
import pytest
from golden_st import pbcg
from sentences import Tells

from asl_pbcg.cli.area_commands.st_file import opened_game
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.st.many.score_card import WEEK, challenge_of, read_date
from asl_pbcg.st.many.sim import SimulatedGames, Spec, columns, play_game, simulate
from asl_pbcg.st.many.sim_plot import plot_study
from asl_pbcg.st.many.study import Compared, StudyRun, study_of


def test_a_study_is_kept_and_goes_on_where_it_stopped(tells: Tells, tmp_path: Path) -> None:
    def told(done: int) -> None:
        if done >= 3:
            raise KeyboardInterrupt

    few = study_of(["random"], {"gammon_uses": [2, 3]}, {"mode": "historical"}, 5, 6)
    assert [arm.name for arm in few.arms] == ["random, gammon_uses=2", "random, gammon_uses=3"]
    begun = StudyRun(few, tmp_path)
    assert begun.run(1, "", told) is False
    kept = (tmp_path / "arm-1.csv").read_text()
    assert 3 <= len(kept.splitlines()) < 6
    with (tmp_path / "arm-1.csv").open("a") as stream:
        stream.write("6")  # cut off by a kill: a line written behind it would be that of game 61
    again = StudyRun(few, tmp_path)
    assert (tmp_path / "arm-1.csv").read_text() == kept
    assert 3 <= again.done < 6
    assert again.run(1, "", lambda done: None)
    assert again.done == 12
    assert StudyRun(few, tmp_path).done == 12
    whole = StudyRun(few, tmp_path / "whole")
    whole.run(1, "", lambda done: None)
    assert [a.column("vp") for a in again.results] == [w.column("vp") for w in whole.results]
    first, second = again.compare_arms()
    assert first.gain == 0
    paired = [
        b - a for a, b in zip(*(result.column("vp") for result in again.results), strict=True)
    ]
    assert second.gain == pytest.approx(sum(paired) / 6)
    other = study_of(["random"], {}, {"mode": "historical"}, 6, 6)
    with pytest.raises(PBCGError) as refused:
        StudyRun(other, tmp_path)
    tells(refused, "another")


def test_a_study_does_not_go_on_under_other_rules(tells: Tells, tmp_path: Path) -> None:
    study = study_of(["random"], {}, {"mode": "historical"}, 5, 4)

    def stops(done: int) -> None:
        if done >= 2:
            raise KeyboardInterrupt

    StudyRun(study, tmp_path).run(1, "", stops)
    file = tmp_path / "arm-1.csv"
    number, vp, *others = file.read_text().splitlines()[1].split(",")
    other_way = ",".join([number, str(int(vp) + 1), *others])
    file.write_text(f"{file.read_text().splitlines()[0]}\n{other_way}\n")
    with pytest.raises(PBCGError) as refused:
        StudyRun(study, tmp_path).run(1, "", lambda done: None)
    tells(refused, "another folder", f"game {number}")


@pytest.mark.parametrize(("games", "compared"), [(1, []), (2, [2])])
def test_an_arm_is_compared_from_two_games_on(
    tmp_path: Path, games: int, compared: list[int]
) -> None:
    runs = StudyRun(study_of(["random"], {}, {"mode": "historical"}, 5, games), tmp_path)
    runs.run(1, "", lambda done: None)
    assert [each.games for each in runs.compare_arms()] == compared


@pytest.mark.parametrize("line", ["7,1", "x,1", "0" + ",1" * 99, "1" + ",99999" * 99, "é"])
def test_a_line_that_is_no_game_is_played_again(tmp_path: Path, line: str) -> None:
    few = study_of(["random"], {}, {"mode": "historical"}, 5, 2)
    wide = len(columns())
    StudyRun(few, tmp_path)
    spoilt = ",".join(line.split(",")[: wide + 1])
    (tmp_path / "arm-1.csv").write_text(f"{spoilt}\n1{',3' * wide}\n", encoding="utf-8")
    assert StudyRun(few, tmp_path).results[0].numbers() == [1]


def test_the_table_of_many_games_says_what_the_rows_say() -> None:
    results = simulate(Spec(policy="random", seed=5, settings={"mode": "variable"}), 5)
    half = SimulatedGames(results.spec, 9)
    for number in (1, 3, 4):
        half.keep(number, results.values(number))
    for each in (results, half):
        assert each.table().astype(object).to_dict("records") == list(each.rows())


def test_a_study_of_many_games_takes_little_room(tmp_path: Path) -> None:
    study = study_of(["random", "good"], {}, {"mode": "historical"}, 5, 10_000)
    runs = StudyRun(study, tmp_path)
    game = [40, 2, *[0] * (len(columns()) - 2)]
    for results in runs.results:
        for number in range(1, 10_001):
            results.keep(number, game)
    runs.write(tmp_path)  # what it needs is loaded
    tracemalloc.start()
    runs.write(tmp_path)
    assert tracemalloc.get_traced_memory()[1] < 20 * 2**20  # as rows 50
    tracemalloc.stop()
    assert len(pd.read_parquet(tmp_path / "games.parquet")) == 20_000


def test_a_study_through_the_command_line(tmp_path: Path) -> None:
    players = ["--player", "random", "--player", "good"]
    said = pbcg("st", "sim", "-n", "3", *players, "-j", "1", "--keep", tmp_path / "s")
    assert "random" in said and "good" in said
    text = (tmp_path / "s" / "games.csv").read_text("utf-8-sig")
    rows = list(csv.DictReader(text.splitlines()))
    assert len(rows) == 6
    frame = pd.read_parquet(tmp_path / "s" / "games.parquet")
    assert list(frame["vp"]) == [int(row["vp"]) for row in rows]
    assert (tmp_path / "s" / "study.svg").read_text().count("<svg") == 1
    assert "gain" in (tmp_path / "s" / "summary.csv").read_text()


def test_what_is_not_kept_is_compared_all_the_same(tmp_path: Path) -> None:
    options = ["-n", "2", "-j", "1", "--player", "random", "--vary", "gammon_uses=2,3"]
    kept = pbcg("st", "sim", *options, "--keep", tmp_path / "s", "--json")
    arms = json.loads(kept)
    assert [arm["name"] for arm in arms] == ["random, gammon_uses=2", "random, gammon_uses=3"]
    assert json.loads(pbcg("st", "sim", *options, "--json")) == arms


def test_one_simulation_goes_on_in_its_folder(tmp_path: Path) -> None:
    """``--keep`` keeps the games of one player too; more games later play only the others."""
    options = ["-j", "1", "--player", "random", "--seed", "5", "--keep", tmp_path / "s"]
    pbcg("st", "sim", "-n", "2", *options)
    first = (tmp_path / "s" / "arm-1.csv").read_bytes()
    more = json.loads(pbcg("st", "sim", "-n", "3", *options, "--json"))
    assert (tmp_path / "s" / "arm-1.csv").read_bytes().startswith(first)
    assert more["done"] == 3


@pytest.mark.parametrize(("high", "apart"), [(50.0, 5), (90.0, 10)])
def test_a_study_s_plot_has_a_scale_that_can_be_read(high: float, apart: int) -> None:
    arm = Compared(
        name="good", games=10, vp=40.0, low=20.0, high=high,
        victory=0.5, victory_low=0.4, victory_high=0.6,
    )  # fmt: skip
    words = re.findall(r">(\d+)<", plot_study([arm]).to_svg())
    ticks = [int(each) for each in words]
    assert ticks == list(range(ticks[0], ticks[-1] + 1, apart))
    assert 3 <= len(ticks) <= 14


def test_everyone_gets_the_same_game_of_a_date(tells: Tells, tmp_path: Path) -> None:
    logs = []
    for name in ("a", "b"):
        file = tmp_path / f"{name}.pbcg"
        pbcg("st", "challenge", "2026-11-22", file)
        pbcg("st", "play", file, "--auto", "good")
        logs.append(pbcg("st", "log", file))
    assert logs[0] == logs[1]
    card = pbcg("st", "challenge", "2026-11-22", file, "--card")
    assert card.splitlines()[0].startswith("PEGASUS BRIDGE 2026-11-22")
    assert "0 undone" in card
    assert card == pbcg("st", "challenge", "2026-11-22", tmp_path / "a.pbcg", "--card")
    assert len({challenge_of(read_date(f"2026-11-{day}")).seed for day in range(10, 30)}) == 20
    assert len(WEEK) == 7
    with pytest.raises(PBCGError) as refused:
        pbcg("st", "challenge", "2026-11-23", file, "--card")
    tells(refused, "hold")
    with pytest.raises(PBCGError) as refused:
        read_date("22.11.2026")
    tells(refused, "date")


@pytest.mark.rule("ST-SET-23", "ST-SET-26")
def test_a_score_card_tells_no_secret_rolls_while_the_game_goes_on(tmp_path: Path) -> None:
    """How many there were tells the chit: each has its own dummies, wiring and tanks."""
    file = tmp_path / "a.pbcg"
    pbcg("st", "challenge", "2026-11-20", file)
    counted = []
    for until in ("2", "17"):
        pbcg("st", "play", file, "--auto", "good", "--until", until)
        card = pbcg("st", "challenge", "2026-11-20", file, "--card").splitlines()
        with opened_game(file, look=True) as session:
            made = [each.secret for each in session.journal.standing()]
        counted.append((int(card[-2].split()[0]), made.count(False), made.count(True)))
    (playing, open_then, hidden), (over, open_now, also_hidden) = counted
    assert hidden and playing == open_then
    assert over == open_now + also_hidden


def test_a_score_card_in_the_middle_of_a_phase(tmp_path: Path) -> None:
    """It counts what has been done in the phase; a decision undone counts once."""
    file, again, script = tmp_path / "a.pbcg", tmp_path / "b.pbcg", tmp_path / "answers.yaml"
    for each in (file, again):
        pbcg("st", "challenge", "2026-11-20", each)
    pbcg("st", "play", file, "--auto", "good", "--until", "4")
    answers = pbcg("st", "log", file, "--answers").splitlines(keepends=True)
    last = max(n for n, line in enumerate(answers) if "clear-bunker" in line)
    script.write_text("".join(answers[: last + 1]), encoding="utf-8")
    pbcg("st", "play", again, "--answers", script)
    vp = json.loads(pbcg("st", "score", again, "--json"))["vp"]
    card = pbcg("st", "challenge", "2026-11-20", again, "--card").splitlines()
    assert card[1].startswith(f"{vp} VP ")
    many = int(card[-2].split()[0])
    pbcg("st", "undo", again, "--reason", "a slip")
    left = pbcg("st", "challenge", "2026-11-20", again, "--card").splitlines()
    assert int(left[1].split()[0]) < vp
    assert [int(word) for word in left[-2].split() if word.isdigit()] == [many - 2, 2, 3]


def test_the_published_study_is_of_these_rules() -> None:
    """Its header names what it was computed with; the first games of each arm still go so."""
    page = Path(__file__).parents[3] / "docs" / "engineers" / "st-study.md"
    text = page.read_text(encoding="utf-8").partition("<!-- arms -->")[2].strip()
    header = re.match(
        r"Computed with pbcg \S+, seed (\d+), ([\d,]+) games of each arm\. "
        r"VP of games 1 to \d+: (.*)\.\n",
        text,
    )
    assert header, "Write it: nice python benchmarks/study_st.py --kept FOLDER --write"
    seed, games, told = header.groups()
    study = study_of(
        ["good", "random"], {"german": ["rules", "resolute"]}, {"mode": "historical"}, int(seed), 2
    )
    for arm, words in zip(study.arms, told.split("; "), strict=True):
        name, vp = words.split(": ")
        assert name == arm.name and f"| {name} | {games} |" in text
        first = [play_game(arm.spec, number)[0] for number in range(1, vp.count(",") + 2)]
        assert ", ".join(map(str, first)) == vp, f"{page.name} is older than the rules"
