"""A made module as a palette: prototypes written out, whatever is wrong with them refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from vasl_modules import Traits, build_file, definition, module, uses
from vasl_writer import Chip, Layer, join

from asl_pbcg.campaign.module.catalogue import load_catalogue
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.vasl.archive import chain
from asl_pbcg.vasl.likeness import Likeness
from asl_pbcg.vasl.module_palette import ModulePalette
from asl_pbcg.vasl.save_counters import SaveCounter
from asl_pbcg.vasl.stock import Stock, pattern_of

SQUAD = Likeness("unit", "4-6-7", Side.GERMAN)
PLAIN = Chip("4-6-7 1sq", "ge").traits()
BROKEN_LAYER = Layer(["broken +"], -1, key="70,130").trait()


def squad_of(palette: ModulePalette) -> SaveCounter | None:
    """The squad that a stock makes of a palette."""
    found = Stock(load_catalogue(), palette.find).copy_of(SQUAD)
    return found[0].counter if found else None


@pytest.mark.parametrize("file", ["buildFile.xml", "buildFile"])
def test_prototypes_within_prototypes_are_written_out(file: str, tmp_path: Path) -> None:
    slots = {"4-6-7": [PLAIN[0], uses("Infantry"), PLAIN[-1]]}
    inner = definition(BROKEN_LAYER)
    rest = definition(*PLAIN[1:-1], uses("Broken"))
    text = build_file(slots, {"Infantry": rest, "Broken": inner}, "11467")
    palette = ModulePalette(module(tmp_path, text, file))
    counter = squad_of(palette)
    assert counter and (counter.name, counter.nation, counter.gpid) == ("4-6-7 1sq", "ge", "11467")
    ((type, states),) = palette.find(SQUAD, "")
    assert len(chain(type)) == len(states) == len(PLAIN) + 1
    assert chain(type)[-2] == BROKEN_LAYER[0]


@pytest.mark.parametrize(
    "prototypes",
    [
        {},  # missing
        {"A": definition(uses("A"))},  # within itself
        {"A": definition(uses("B")), "B": definition(uses("C")), "C": definition(uses("A"))},
        {"A": definition(("no-such-trait;1;2", "3"))},
        {"A": [("piece;;;;", ""), ("mark;x", "y")]},  # no piece at its end
    ],
    ids=["missing", "circular", "circle", "unknown", "unsound"],
)
def test_a_prototype_that_cannot_be_had_is_left_out(
    prototypes: dict[str, Traits], tmp_path: Path
) -> None:
    slots = {"4-6-7": [*PLAIN[:-1], uses("A"), PLAIN[-1]]}
    counter = squad_of(ModulePalette(module(tmp_path, build_file(slots, prototypes))))
    assert counter and counter.name == "4-6-7 1sq"


@pytest.mark.parametrize("deep", [False, True])
def test_a_counter_that_grows_without_end_is_left_out(deep: bool, tmp_path: Path) -> None:
    following = {f"P{n}": definition(*[uses(f"P{n + 1}")] * (1 if deep else 9)) for n in range(99)}
    slots = {"4-6-7": [*PLAIN[:-1], uses("P0"), PLAIN[-1]]}
    assert squad_of(ModulePalette(module(tmp_path, build_file(slots, following)))) is None


def test_what_a_counter_hides_for_the_modules_author_is_not_copied(tmp_path: Path) -> None:
    question = Chip("?", "ge", conceals="ge", password="author").traits()
    hidden = Chip("4-6-7 1sq", "ge", hidden=True, concealed=True, password="author").traits()
    for chip in (question, hidden):
        made = pattern_of(*both(chip), load_catalogue())
        assert made and "author" not in "".join((made.type, *made.traits, *made.states))


def both(traits: Traits) -> tuple[str, list[str]]:
    """Type and states of a counter."""
    type = traits[-1][0]
    for trait, _ in reversed(traits[:-1]):
        type = join((trait, type), "\t")
    return type, [*(state for _, state in traits[:-1]), "Main Map;1;2;3"]


BILLION = (
    '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>'
    "<VASSAL.build.GameModule>&b;</VASSAL.build.GameModule>"
)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (BILLION, "defines entities"),
        ("<a>" * 5_000, "far too much"),
        ("<a/>" * 10, "damaged"),
        (b"\0" * (33 * 1024 * 1024), "far too large"),
        (b"no build file", "damaged"),
        ("<x>" + "<a/>" * 500_001 + "</x>", "far too much"),
    ],
    ids=["entities", "deep", "unsound", "zeros", "text", "wide"],
)
def test_bombs_are_refused(content: str | bytes, words: str, tmp_path: Path) -> None:
    with pytest.raises(PBCGError, match=words):
        ModulePalette(module(tmp_path, content))


@pytest.mark.parametrize("what", ["missing", "no zip", "no build file", "folder"])
def test_another_file_is_no_module(what: str, tmp_path: Path) -> None:
    path = tmp_path / "VASL.vmod"
    if what == "no zip":
        path.write_bytes(b"PK nothing")
    elif what == "no build file":
        module(tmp_path, "x", "other.xml")
    elif what == "folder":
        path.mkdir()
    with pytest.raises(PBCGError) as caught:
        ModulePalette(path)
    assert str(caught.value).endswith(".")
