"""No refusal tells a secret: the same requests, put to twins that differ in what one side hides.

Each pair goes through two CG Dates. ``PBCG_REFUSALS=all`` asks all requests at every moment, in
CG I too (a soak of hours); else a sample is asked where a step is first seen, of each side's turns.
"""

from __future__ import annotations

import os
from fnmatch import fnmatch

import pytest
from refusal_sites import telling_sites
from refusal_walk import RefusalTwins, refusal_sites, walk

from asl_pbcg.campaign.module.pegasus_bridge import PEGASUS_BRIDGE
from asl_pbcg.campaign.terms import Side

ALL = os.environ.get("PBCG_REFUSALS") == "all"
SEEDS = {Side.GERMAN: (38, 1) if ALL else (38,), Side.BRITISH: (44, 1) if ALL else (44,)}
"""Twins of CG II that differ in each kind of secret and ask 9.616; of all also Nights of CG I."""
EVERY, MANY, CORRECTIONS = (1, 10**6, 200) if ALL else (1000, 6, 8)
STEPS = {f"9.{number}" for number in range(613, 621)}
KINDS = {
    Side.GERMAN: {
        "purchases", "CPP", "strength", "sw", "leaders", "Fortifications", "HIP", "Shift", "status",
        "CG9",
    },
    Side.BRITISH: {"Fortifications", "HIP", "Shift", "status", "CG9"},
}  # fmt: skip
"""The secrets of each side in which its twins have to differ."""

NOT_WALKED = {
    "one who enters a position asks his own Draft, made from what he may know "
    "(test_web_position: the draft tells nothing that only one side knows)": (
        "position_draft:*", "position_draft:*", "draft_orders:*", "position_raw:*",
        "position_check:read_parts", "piece_names:read_piece",
    ),
    "an end position, its hidden pieces, a setup and records of paper are held against what those "
    "who give it may know (test_refit_end_position_secrets, test_web_end_position_secrets)": (
        "end_position:*", "hidden_list:*", "against_ob:*", "position_document:*",
        "s600_scenario_end:*", "s620_commencement:*", "s913_paper:*", "campaign_from_paper:*",
        "paper_workbook:*",
    ),
    "the side that is asked answers about its own pieces; to anybody else its answers are refused "
    "before they are read (Seat._ready, walked)": (
        "s604_bog:*", "s606_isolated:*", "s613_shift:*", "s615_reinforcements:*",
        "setup_rules:*", "seat:Seat.answer_all",
    ),
    "what both answer openly, before anything is secret": (
        "s600_scenario_end:*", "s605_areas:*", "s605_areas:*", "waiting:*",
    ),
    "the catalogue of types is of the module, the same in every campaign": (
        "catalogue:*", "pieces:retype",
    ),
    "a correction is planned on the view; what the whole game refuses is told without its reason "
    "(test_refusal_structure: a seat passes on no refusal of the whole game)": (
        "correction_paths:*", "sequence:_check_status", "soundness:*", "session:Session._plan",
        "replay:correct", "seat:Seat._correct_now", "seat:Seat.correct", "plug:Plug.*",
        "session:Session._answers_behind",
    ),
    "a session refuses the umpire and games without secrets; a seat of a side asks undo_rights "
    "before (walked)": (
        "session:Session.answer", "session:Session.throw", "session:Session.give",
        "session:Session.undo", "session:Session.undo_back_to", "session:Session.check_undo",
        "session:Session.since",
    ),
    "a side's own part of a section knows nothing of the other side": ("side_part:*",),
    "about the file, its room on the disk and its rules, not about what happened": (
        "journal:*", "replay:*", "run:begin", "handed_back:*", "open_game:*",
        "seat:Seat.must_write", "seat:Seat._ready", "seat:Seat.roll",
    ),
    "before a game begins": ("campaign_beginnings:*", "plug:Beginning.make", "area_beginnings:*"),
    "games in which no side keeps a secret from who asks": (
        "area_*", "drop:*", "viewer_tables:viewer_tables", "assertions:compare_facts",
        "campaign_notes:keep_note",
    ),
    "of what the seat sees itself: its log, its notes, its sheets, its proposals": (
        "campaign_notes:*", "campaign_sheets:*", "campaign_prints:*", "reph_sheets:*",
        "vasl_save_next:*", "look_ahead:*", "seat:Seat.proposed_document",
        "consent:*", "campaign_groups:*",
    ),
    "a seal is of who asks, who holds the key of that side, and of what it held: the other side's "
    "is refused before it is opened (test_seals, test_web_seals)": (
        "campaign_seals:*", "seals:add_seal",
    ),
}  # fmt: skip
"""Why a refusal that could be made from the whole game need not be walked, by file and function."""


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> list[RefusalTwins]:
    folder = tmp_path_factory.mktemp("twins")
    return [
        walk(folder / f"{side}-{seed}", seed, side, EVERY, MANY, CORRECTIONS)
        for side, seeds in SEEDS.items()
        for seed in seeds
    ]


@pytest.mark.finding("J-02")
@pytest.mark.finding("J-03")
def test_no_refusal_differs_between_twins(walked: list[RefusalTwins]) -> None:
    told = [difference for twins in walked for difference in twins.differences]
    pairs = sum(twins.pairs["refused"] for twins in walked)
    print(f"{pairs} pairs of refusals compared, {len(told)} differ")
    assert not told, "\n".join(told[:20])
    assert pairs > 1500


@pytest.mark.finding("J-02")
@pytest.mark.parametrize("side", list(Side))
def test_each_step_and_each_kind_of_secret_is_walked(
    walked: list[RefusalTwins], side: Side
) -> None:
    twins = [each for each in walked if each.side is side]
    assert set().union(*(each.steps for each in twins)) >= STEPS
    assert set().union(*(each.differed for each in twins)) >= KINDS[side]
    assert set().union(*(each.undone for each in twins)) >= set(PEGASUS_BRIDGE.procedures)


@pytest.mark.finding("J-02")
def test_every_refusal_is_walked_or_says_why_not(walked: list[RefusalTwins]) -> None:
    reached = {site for twins in walked for one in twins.watched for site in one.reached}
    telling = telling_sites()
    unwalked = {where for site, where in telling.items() if site not in reached}
    patterns = [pattern for group in NOT_WALKED.values() for pattern in group]
    unnamed = {where for where in unwalked if not any(fnmatch(where, each) for each in patterns)}
    unused = [each for each in patterns if not any(fnmatch(where, each) for where in unwalked)]
    print(f"{len(refusal_sites())} refusals: {len(telling)} could tell, {len(reached)} walked")
    assert not unnamed and not unused
    assert len(telling) > 150 and len(reached) > 60
