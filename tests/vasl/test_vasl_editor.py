"""Edits of VASL saves: what is edited changes, everything else stays byte for byte."""

from __future__ import annotations

import random
import zipfile
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from vasl_scenes import bombs, damaged, random_position, random_writer
from vasl_writer import ESC, PASSWORD, Chip, Layer, Writer, chip_of, join, marker, write_position

from asl_pbcg.campaign.module.catalogue import load_catalogue
from asl_pbcg.campaign.position import Fortification
from asl_pbcg.campaign.position_words import FortificationKind
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.vasl.archive import (
    NoSave,
    chain,
    cut,
    encode,
    parse_commands,
    plain,
    read_text,
    split,
)
from asl_pbcg.vasl.editor import MAX_LABEL, Owner, SaveEditor
from asl_pbcg.vasl.layers import CannotEdit, press, read_states, read_stroke, turn
from asl_pbcg.vasl.layers import Layer as CounterLayer
from asl_pbcg.vasl.likeness import of_fortification
from asl_pbcg.vasl.names import minefield
from asl_pbcg.vasl.save_counters import SaveCounter, read_counters
from asl_pbcg.vasl.stock import Stock, pattern_of

DIALECTS = {"old": ("Map0", "hex"), "": ("Main Map", "hex"), "new": ("Main Map", "raw")}
FLIP = "70,130"
CTRL_F, CTRL_V = read_stroke(FLIP), read_stroke("86,130")
LABELS = {"old": "\\begins/;", "": "note/;\\", "new": "a\\/;b"}
"""Labels that the dialect can write so that they are read again."""


def squad(broken: int = -1, **fields: object) -> Chip:
    """A counter that is flipped with Ctrl-F and made a HS with Ctrl-V, in both versions."""
    layers = (
        Layer(["4-6-7"]),
        Layer(["broken +"], broken, key=FLIP),
        Layer(["2-4-7"], -1, keys="V"),
        Layer(["broken +"], broken, keys="FV", pressed="F" if broken > 0 else ""),
        Layer(["+ BU", "+ CE", "+ UP"], 1, up="93,130"),
    )
    return Chip("9-9-9", "ge", layers, **fields)  # type: ignore[arg-type]


def save(tmp_path: Path, writer: Writer, stage: str = "hex") -> SaveEditor:
    """The save of a writer, opened."""
    path = tmp_path / "base.vsav"
    path.write_bytes(writer.content(stage))
    return SaveEditor.open(path)


def random_save(seed: int, dialect: str) -> tuple[Writer, str]:
    """A save of a random position in one of the dialects, and how its text is hidden."""
    map, stage = DIALECTS[dialect]
    writer = random_writer(seed)
    writer.map, writer.dialect, writer.always_stacks = map, dialect, seed % 2 == 0
    writer.label = LABELS[dialect]
    writer.heap([squad(), marker("DM"), squad()], 900, 900)
    return write_position(random_position(seed), writer), stage


def with_label(dialect: str) -> Writer:
    writer = Writer(map=DIALECTS[dialect][0], dialect=dialect, label=LABELS[dialect])
    writer.always_stacks = True
    writer.stack([squad(), Chip("LMG", "ge", hidden=True)], "X18")
    writer.stack([squad()], "Y19")
    writer.always_stacks = False
    writer.heap([Chip("Note")], 700, 800)
    return writer


def written(text: str) -> list[tuple[str, str]]:
    """Every command as it stands in the save, with its id if it is a counter or stack."""
    return [
        (split(each.text[2:], "/", 3)[0] if each.text.startswith("+/") else "", each.written)
        for each in parse_commands(text).leaves()
    ]


def types(text: str) -> dict[str, str]:
    """The type of every counter and stack, by id."""
    parts = (each.text[2:] for each in parse_commands(text).leaves() if each.text[:2] == "+/")
    return {id: kind for id, kind, *_ in (split(each, "/", 3) for each in parts)}


def without_order(counter: SaveCounter) -> SaveCounter:
    return msgspec.structs.replace(counter, number=0, player=-1, stack=0, depth=0)


# -- unchanged ----------------------------------------------------------------------------


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("seed", range(4))
def test_an_unchanged_save_is_byte_for_byte_the_same(
    seed: int, dialect: str, tmp_path: Path
) -> None:
    writer, stage = random_save(seed, dialect)
    editor = save(tmp_path, writer, stage)
    assert editor.text() == writer.text()
    editor.write(tmp_path / "next.vsav")
    assert (tmp_path / "next.vsav").read_bytes() == (tmp_path / "base.vsav").read_bytes()


@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_edit_undone_gives_the_same_commands(dialect: str, tmp_path: Path) -> None:
    editor = save(tmp_path, with_label(dialect), DIALECTS[dialect][1])
    before = sorted(written(editor.text()))
    for id in [id for id, counter in editor.counters().items() if counter.base == "9-9-9"]:
        for _ in range(2):
            editor.press(id, CTRL_F)
    for stack in editor.stacks():
        _, x, y = editor.place(stack)
        editor.move_stack(stack, x + 5, y)
        editor.move_stack(stack, x, y)
    assert sorted(written(editor.text())) == before
    editor.check()


def test_other_entries_of_the_archive_and_odd_bytes_stay(tmp_path: Path) -> None:
    text = with_label("").text().encode().replace(b"plans", b"pl\xff\xfens")
    path = tmp_path / "base.vsav"
    extra = {"savedata": b"<data>\x00\xff</data>", "moduledata": b"<name>VASL</name>"}
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("savedGame", b"!VCSKc3" + bytes(b ^ 0xC3 for b in text).hex().encode())
        for name, content in extra.items():
            archive.writestr(name, content)
    editor = SaveEditor.open(path)
    editor.remove(next(iter(editor.counters())))
    editor.write(tmp_path / "next.vsav")
    with zipfile.ZipFile(tmp_path / "next.vsav") as archive:
        assert archive.namelist() == ["savedGame", *extra]
        assert {name: archive.read(name) for name in extra} == extra
        game = archive.read("savedGame")
    assert game.startswith(b"!VCSKc3")
    assert b"pl\xff\xfens" in bytes(b ^ 0xC3 for b in bytes.fromhex(game[7:].decode()))


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.text(alphabet="a\\';/\t,", max_size=6), min_size=1, max_size=5),
    st.sampled_from("\t;/,"),
)
def test_every_list_is_read_again_as_it_was_written(parts: list[str], delimiter: str) -> None:
    text = delimiter.join(encode(part, delimiter) for part in parts)
    assert split(text, delimiter) == parts
    again = [encode(plain(part, delimiter), delimiter, part) for part in cut(text, delimiter)]
    assert delimiter.join(again) == text


def test_a_part_keeps_the_quotes_it_had() -> None:
    assert encode("a", ";", "'b'") == "'a'"
    assert encode("ends\\", ";", "ends\\") == "ends\\"
    assert encode("\\begins", ";", "\\before") == "\\begins"
    assert encode("\\begins", ";", "before") == "'\\begins'"


# -- locality and invariants ----------------------------------------------------------------


class Edits:
    """Random edits of one save, and which ids they were of."""

    def __init__(self, editor: SaveEditor, seed: int) -> None:
        self.editor, self.source = editor, random.Random(seed)
        self.edited: set[str] = set()
        self.ids = list(editor.counters())
        self.placed: dict[str, tuple[int, int]] = {}
        self.labels: dict[str, str] = {}

    def step(self) -> None:
        editor, source = self.editor, self.source
        ids, stacks = self.ids, list(editor.stacks())
        id, x, y = source.choice(ids), source.randrange(400, 3000), source.randrange(400, 3000)
        some = [id, *source.sample([each for each in ids if each != id], 2)]
        self.edited |= {each for each in (editor.stack_of(one) for one in some) if each}
        match source.randrange(9 if stacks else 4):
            case 0:
                editor.move(id, x, y)
                self._at([id], x, y)
            case 1:
                editor.remove(id)
                self.edited.add(id)
                self.placed.pop(id, None)
                ids.remove(id)
            case 2:
                copy = editor.clone(id, x, y)
                self._at([copy], x, y)
                ids.append(copy)
            case 3:
                editor.pile(some, x, y)
                self._at(some, x, y)
            case 4:
                stack = source.choice(stacks)
                editor.move_stack(stack, x, y)
                self._at(editor.stacks()[stack], x, y)
                self.edited.add(stack)
            case 5:
                stack = source.choice(stacks)
                _, x, y = editor.place(stack)
                editor.put(some, stack, source.choice([None, 0, 1]))
                self._at(editor.stacks()[stack], x, y)
                self.edited.add(stack)
            case 6:
                traits, states = editor.chains(id)
                copy = editor.add(editor.type_of(id), states, x, y)
                assert editor.chains(copy)[0] == traits
                self._at([copy], x, y)
                ids.append(copy)
            case 7:
                self.edited.add(id)
                if source.random() < 0.5:
                    editor.show(id)
                elif any(t.startswith("hide;") for t in editor.chains(id)[0]):
                    editor.hide(id, Owner("a;b/c\\"))
            case _:
                self.labels[id] = source.choice(["a\\", "\\", "'x'", "to II13; /x", ""])
                editor.label(id, self.labels[id])
                self.edited.add(id)

    def _at(self, ids: list[str] | tuple[str, ...], x: int, y: int) -> None:
        self.edited |= set(ids)
        self.placed |= dict.fromkeys(ids, (x, y))


@settings(
    max_examples=100,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    save_seed=st.integers(0, 5),
    dialect=st.sampled_from(sorted(DIALECTS)),
    seed=st.integers(0, 10**6),
)
def test_random_edits_change_what_was_edited_and_nothing_else(
    save_seed: int, dialect: str, seed: int, tmp_path: Path
) -> None:
    editor = save(tmp_path, *random_save(save_seed, dialect))
    before_text = editor.text()
    before, counters = written(before_text), editor.counters()
    edits = Edits(editor, seed)
    for _ in range(8):
        edits.step()
    path = tmp_path / "next.vsav"
    path.write_bytes(editor.content())
    text = read_text(path)
    assert text == editor.text()
    after = written(text)
    known = {id for id, _ in before}
    old_types = types(before_text)
    assert all(kind == old_types.get(id, kind) for id, kind in types(text).items())
    kept = [each for each in after if each[0] not in edits.edited and each[0] in known]
    assert kept == [each for each in before if each[0] not in edits.edited]
    check_invariants(text)
    now = read_counters(text)
    found = dict(zip(now.ids, now.counters, strict=True))
    for id, counter in counters.items():
        if id not in edits.edited:
            assert without_order(found[id]) == without_order(counter)
    assert {id: (found[id].x, found[id].y) for id in edits.placed} == edits.placed
    for stack, ids in editor.stacks().items():
        at = {(found[id].x, found[id].y, found[id].stack) for id in ids if id in edits.placed}
        assert len(at) < 2, stack
        assert [found[id].depth for id in ids if id in found] == list(range(len(ids)))


def check_invariants(text: str) -> None:
    """The facts that VASSAL takes for granted, found without the editor."""
    before: set[str] = set()
    lying: set[str] = set()
    for command in parse_commands(text).leaves():
        if not command.text.startswith("+/"):
            continue
        id, kind, state, *_ = split(command.text[2:], "/", 3)
        assert id not in before
        if kind == "stack":
            children = [each for each in split(state, ";")[3:] if not each.startswith("@@")]
            assert before.issuperset(children)
            assert lying.isdisjoint(children)
            lying |= set(children)
        else:
            traits, states = chain(kind), chain(state)
            assert len(traits) == len(states)
            last = split(states[-1], ";")
            if "UniqueID" in last:
                assert last[last.index("UniqueID") + 1] == id
        before.add(id)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_counter_comes_before_every_stack_that_lists_it(dialect: str, tmp_path: Path) -> None:
    editor = save(tmp_path, with_label(dialect))
    first, second = editor.stacks()
    (id,) = editor.stacks()[second]
    editor.put([id], first, depth=0)
    copy = editor.clone(id, 500, 500)
    editor.put([copy], first)
    assert list(editor.stacks()) == [first]
    assert editor.stacks()[first][0] == id
    assert editor.stacks()[first][-1] == copy
    check_invariants(editor.text())


def test_a_counter_is_hidden_for_somebody_and_shown_again(tmp_path: Path) -> None:
    editor = save(tmp_path, with_label(""))
    hidden = next(id for id, each in editor.counters().items() if each.hidden)
    other = next(id for id, each in editor.counters().items() if each.name == "4-6-7")
    owner = editor.owner(hidden)
    assert owner == Owner(PASSWORD) and editor.owner(other) is None
    assert PASSWORD not in repr(owner) + str(owner)
    for conceal in (False, True):
        editor.hide(other, owner, conceal)
        now = editor.counters()[other]
        assert (now.hidden, now.concealed) == (not conceal, conceal)
        assert editor.owner(other) == owner
    editor.show(other)
    now = editor.counters()[other]
    assert not now.hidden and not now.concealed and editor.owner(other) is None
    editor.check()
    note = next(id for id, each in editor.counters().items() if each.base == "Note")
    with pytest.raises(CannotEdit):
        editor.hide(note, owner, conceal=True)  # it has no nation


def test_what_lay_by_itself_stays_so_and_the_others_get_stacks(tmp_path: Path) -> None:
    editor = save(tmp_path, with_label(""))
    loose = next(id for id in editor.counters() if editor.stack_of(id) is None)
    weapon = next(id for id, each in editor.counters().items() if each.base == "LMG")
    for id in (loose, weapon):
        editor.move(id, 1000, 1100)
        assert editor.place(id) == ("Main Map", 1000, 1100)
    assert editor.stack_of(loose) is None
    assert editor.stacks()[editor.stack_of(weapon) or ""] == (weapon,)
    assert editor.stack_of(editor.clone(loose, 1, 2)) is None
    assert editor.stack_of(editor.clone(weapon, 1, 2))


# -- flips -----------------------------------------------------------------------------------


def states(editor: SaveEditor, id: str) -> list[str]:
    """The states of the layers of a counter, innermost first."""
    for command in parse_commands(editor.text()).leaves():
        if command.text.startswith(f"+/{id}/"):
            _, kind, state, *_ = split(command.text[2:], "/", 3)
            both = zip(chain(kind), chain(state), strict=True)
            return [state for trait, state in both if trait.startswith("emb2")][::-1]
    raise AssertionError(id)


def test_a_key_turns_the_layers_of_both_versions_together(tmp_path: Path) -> None:
    editor = save(tmp_path, Writer(always_stacks=True).stack([squad()], "X18"))
    (id,) = editor.counters()
    assert (editor.counter(id).name, editor.counter(id).states) == ("4-6-7", ("BU",))
    broken = editor.turn(id, "broken")
    assert (broken.name, broken.says("broken")) == ("4-6-7", True)
    assert states(editor, id) == ["1", "1", "-1;", "-1;F", "1"]
    half = editor.press(id, CTRL_V)
    assert (half.name, half.says("broken")) == ("2-4-7", True)
    assert states(editor, id) == ["1", "1", "1;V", "1;FV", "1"]
    rallied = editor.turn(id, "broken", on=False)
    assert (rallied.name, rallied.says("broken")) == ("2-4-7", False)
    assert states(editor, id) == ["1", "-1", "1;V", "-1;V", "1"]
    assert editor.counters()[id].name == "2-4-7"


def test_a_flip_goes_by_the_counters_own_keys(tmp_path: Path) -> None:
    editor = save(tmp_path, Writer(always_stacks=True).stack([squad(), marker("DM")], "X18"))
    id, dm = editor.counters()
    assert editor.turn(id, "UP").states == ("UP",)
    assert editor.turn(id, "CE").states == ("CE",)  # once round
    assert editor.turn(id, "2-4-7").name == "2-4-7"
    before = editor.text()
    with pytest.raises(CannotEdit):
        editor.turn(id, "Fanatic")
    with pytest.raises(CannotEdit):
        editor.turn(dm, "broken")
    assert editor.press(dm, CTRL_F) == editor.counter(dm)
    assert editor.text() == before
    assert set(editor.strokes(id)) == {CTRL_F, CTRL_V, read_stroke("93,130")}


def test_the_numbers_of_ctrl_in_old_and_new_saves_are_one_key() -> None:
    assert read_stroke("70,130") == read_stroke("70,2") == read_stroke("70,128")
    assert read_stroke("70,130") != read_stroke("70,650")
    assert read_stroke("57348,0,Flip") != read_stroke("57348,0,Turn")


def test_a_reset_sets_the_level_and_a_random_key_is_refused() -> None:
    trait = (
        f"emb2;;2;;;2;;;2;;R;82,130;2;false;0;0;a,b,c;A,B,C;true;;88,130;;false;;1;1;false;{FLIP};;"
    )
    assert press([trait], ["-1"], read_stroke("82,130")) == {0: "2"}
    assert press([trait], ["-3"], CTRL_F) == {0: "3"}
    off = trait.replace(";2;false", ";-3;false")
    assert press([off], ["1"], read_stroke("82,130")) == {0: "-3"}
    with pytest.raises(CannotEdit):
        press([trait], ["1"], read_stroke("88,130"))
    assert CounterLayer.of("label;76,130") is None


def test_a_layer_that_follows_a_property_goes_up_by_no_key() -> None:
    trait = "emb2;;2;;;2;;;2;;;;0;false;0;0;a,b;A,B;true;;;;true;Level;1;1;true;;93,130;"
    assert press([trait], ["1"], read_stroke("93,130")) == {}


def test_of_several_keys_the_one_that_changes_least_is_pressed(tmp_path: Path) -> None:
    half = (Layer(["2-4-7"], keys="V", pressed="V"), Layer(["broken +"], keys="VF", pressed="VF"))
    editor = save(tmp_path, Writer(always_stacks=True).stack([Chip("4-6-7", "ge", half)], "X18"))
    (id,) = editor.counters()
    assert editor.turn(id, "broken", on=False).name == "2-4-7"
    assert states(editor, id) == ["1;V", "-1;V"]


UP = "93,130"
OFF_ON = Layer(["MA malf +", "MA disabled +"], -1, key="77,130", up=UP)
"""A layer that is off: one key turns it on, another goes up."""
COVERED = (Layer(["Unarmed SQ"], -1, key="85,130"), Layer(["Prisoner SQ"], 1, key="80,130"))
"""A layer that lies under another as long as that is on."""


@pytest.mark.finding("J-61")
@pytest.mark.parametrize(
    ("layers", "word"),
    [
        ((OFF_ON,), "MA malf"),
        ((OFF_ON,), "MA disabled"),
        ((Layer(["CE +"], -1, key="67,130"), OFF_ON), "MA disabled"),
        (COVERED, "Unarmed SQ"),
        ((Layer(["Prisoner SQ"], 1, key="80,130"),), "Unarmed"),
    ],
)
def test_what_takes_several_keys_is_made(layers: tuple[Layer, ...], word: str) -> None:
    traits, states = zip(*Chip("Unarmed", "ge", layers).traits(), strict=True)
    placed = [*states[:-1], "Main Map;1;2;3"]
    counter = read_states(list(traits), turn(list(traits), placed, word))
    assert counter.says(word) or counter.name == word
    assert {*counter.states} <= {word}


@pytest.mark.finding("J-61")
@pytest.mark.parametrize(
    ("kind", "size", "base"),
    [("ap-mines", size, "AP") for size in (6, 8, 12)]
    + [("at-mines", size, "AT") for size in (1, 2, 3, 4, 5)],
)
def test_every_minefield_is_made_of_one_counter(kind: str, size: int, base: str) -> None:
    """Its strength lies under its blank side, which nobody turns over."""
    names = {"AP": "6 FP,8 FP,12 FP", "AT": "1 AT,2 AT,3 AT,4 AT,5 AT"}[base]
    strengths = Layer([f"{each} Minefield" for each in names.split(",")], up=UP)
    traits = Chip(f"Minefield {base}", layers=(strengths, Layer(["Minefield"]))).traits()
    stock = Stock(load_catalogue())
    made = pattern_of(joined(traits), [state for _, state in traits], load_catalogue())
    assert made
    stock.patterns.append(made)
    found = stock.copy_of(
        of_fortification(Fortification(kind=FortificationKind(kind), at="X20", size=size))
    )
    assert found
    counter = read_states(found[0].traits, found[1])
    assert (counter.name, minefield(counter)) == ("Minefield", (kind, size))


def joined(traits: list[tuple[str, str]]) -> str:
    """The type of a counter."""
    type = traits[-1][0]
    for trait, _ in reversed(traits[:-1]):
        type = join((trait, type), "\t")
    return type


def test_an_old_layer_without_its_keys_is_on_if_its_level_says_so() -> None:
    trait, _ = Layer(["broken +"], keys="F").trait()
    assert press([trait], ["1"], CTRL_F) == {0: "-1;"}
    assert press([trait], ["-1"], CTRL_F) == {0: "1;F"}


# -- labels and clones ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["Setup Area B: 12", "ends\\", "\\begins", "'quoted'", "a;b/c,d", ""]
)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_label_is_read_again_as_it_was_written(dialect: str, text: str, tmp_path: Path) -> None:
    editor = save(tmp_path, with_label(dialect))
    source = next(id for id, each in editor.counters().items() if each.base == "Note")
    note = editor.clone(source, 640, 640)
    editor.label(note, text)
    editor.check()
    command = next(c for c in parse_commands(editor.text()).leaves() if c.text[2:].startswith(note))
    _, kind, state, *_ = split(command.text[2:], "/", 3)
    told = dict(zip(chain(kind), chain(state), strict=True))
    assert next(s for trait, s in told.items() if trait.startswith("label;")) == text
    assert (editor.counters()[note].x, editor.counters()[note].base) == (640, "Note")


@pytest.mark.parametrize(
    "text", ["a\x1bb", "a\tb", "$password$", "{x}", "<html>", "x" * (MAX_LABEL + 1), "\u202ex"]
)
def test_a_label_that_vassal_would_obey_is_refused(text: str, tmp_path: Path) -> None:
    editor = save(tmp_path, with_label(""))
    before = editor.text()
    for id in editor.counters():
        with pytest.raises(PBCGError):
            editor.label(id, text)
    assert editor.text() == before


# -- refusals ------------------------------------------------------------------------------


def wrong_edits(editor: SaveEditor) -> Iterator[object]:
    id, *_ = editor.counters()
    stack, *_ = editor.stacks()
    yield lambda: editor.move("no such id", 1, 1)
    yield lambda: editor.move(stack, 1, 1)
    yield lambda: editor.move(id, 10**9, 1)
    yield lambda: editor.move_stack(id, 1, 1)
    yield lambda: editor.pile([], 1, 1)
    yield lambda: editor.pile([id, id], 1, 1)
    yield lambda: editor.put([id, "no such id"], stack)
    yield lambda: editor.put([id], "no such id")
    yield lambda: editor.put([id], stack, -1)
    yield lambda: editor.remove(stack)
    yield lambda: editor.clone("no such id", 1, 1)
    yield lambda: editor.turn("no such id", "broken")


def test_a_wrong_edit_gets_a_sentence_and_changes_nothing(tmp_path: Path) -> None:
    editor = save(tmp_path, with_label(""))
    before, stacks = editor.text(), editor.stacks()
    for edit in wrong_edits(editor):
        with pytest.raises(CannotEdit) as caught:
            edit()  # type: ignore[operator]
        assert str(caught.value).endswith(".")
        assert (editor.text(), editor.stacks()) == (before, stacks)


def test_no_secret_is_in_a_message_or_a_repr(tmp_path: Path) -> None:
    editor = save(tmp_path, with_label(""))
    assert PASSWORD in editor.text()
    told = [repr(editor), *(repr(each) for each in editor.counters().values())]
    for edit in wrong_edits(editor):
        with pytest.raises(CannotEdit) as caught:
            edit()  # type: ignore[operator]
        told.append(repr(caught.value))
    assert not [each for each in told if PASSWORD in each or "the player" in each]


def test_nothing_is_written_over_a_file(tmp_path: Path) -> None:
    editor = save(tmp_path, with_label(""))
    before = (tmp_path / "base.vsav").read_bytes()
    editor.remove(next(iter(editor.counters())))
    with pytest.raises(PBCGError):
        editor.write(tmp_path / "base.vsav")
    with pytest.raises(PBCGError):
        editor.write(tmp_path / "no folder" / "next.vsav")
    assert (tmp_path / "base.vsav").read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["base.vsav"]


@pytest.mark.parametrize(
    "commands",
    [
        ["+/1/piece;;;;A/Main Map;5;5;0", "+/1/piece;;;;B/Main Map;5;5;0"],
        ["+/2/stack/Main Map;5;5;1", "+/1/piece;;;;A/Main Map;5;5;0"],
        ["+/2/stack/Main Map;5;5;1"],
    ],
)
def test_a_base_that_vassal_would_read_otherwise_is_refused(
    commands: list[str], tmp_path: Path
) -> None:
    writer = Writer(commands=commands)
    with pytest.raises(NoSave):
        save(tmp_path, writer)


def test_a_counter_that_is_not_understood_stays_and_cannot_be_changed(tmp_path: Path) -> None:
    odd = "+/7/" + join(("mark;x", "piece;;;;A"), "\t") + "/Main Map;5;5;0"
    editor = save(tmp_path, Writer(commands=[odd]).stack([squad(), marker("DM")], "X18"))
    for edit in (lambda: editor.move("7", 1, 1), lambda: editor.remove("7")):
        with pytest.raises(CannotEdit):
            edit()
    editor.remove(next(iter(editor.counters())))
    editor.check()
    assert ("7", odd) in [
        (id, each.replace("\\" + ESC, ESC)) for id, each in written(editor.text())
    ]


def test_a_log_and_a_part_of_a_save_are_refused(tmp_path: Path) -> None:
    log, part = tmp_path / "log.vsav", tmp_path / "part.vsav"
    writer = with_label("")
    part.write_bytes(b"!VCSK00" + writer.text().encode().hex().encode())
    writer.logged = ["D/1/x"]
    log.write_bytes(writer.content())
    for path in (log, part):
        with pytest.raises(NoSave):
            SaveEditor.open(path)


@pytest.mark.parametrize(("what", "content"), bombs(), ids=[name for name, _ in bombs()])
def test_bombs_are_refused(what: str, content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "bomb.vsav"
    path.write_bytes(content)
    with pytest.raises(PBCGError):
        SaveEditor.open(path)


def test_a_damaged_base_gives_a_sentence_or_a_whole_file(tmp_path: Path) -> None:
    good = [write_position(random_position(seed)).content() for seed in range(3)]
    base, out = tmp_path / "base.vsav", tmp_path / "next.vsav"
    results = {"written": 0, "refused": 0}
    for seed in range(150):
        base.write_bytes(damaged(seed, good))
        try:
            editor = SaveEditor.open(base)
            for id, counter in list(editor.counters().items())[:5]:
                editor.press(id, CTRL_F)
                editor.move(id, counter.x + 3, counter.y)
            editor.write(out)
        except PBCGError as error:
            assert PASSWORD not in str(error)
            assert not out.exists()
            results["refused"] += 1
        else:
            check_invariants_of_changed(read_text(out))
            out.unlink()
            results["written"] += 1
    assert min(results.values()) > 10


def check_invariants_of_changed(text: str) -> None:
    ids = [id for id, _ in written(text) if id]
    assert len(ids) == len(set(ids))
    assert read_counters(text).counters


def test_a_save_of_many_counters_is_edited_in_bounded_time(tmp_path: Path) -> None:
    writer = Writer(always_stacks=True)
    for number in range(100):
        writer.heap([squad(), chip_of("LMG", Side.GERMAN)], 500 + 10 * number, 700)
    editor = save(tmp_path, writer)
    ids = list(editor.counters())
    for number, id in enumerate(ids):
        editor.move(id, 600 + number, 900)
    stack = editor.pile(ids[:50], 800, 800)
    assert editor.stacks()[stack] == tuple(ids[:50])
    assert len(editor.stacks()) == 151
    editor.write(tmp_path / "next.vsav")


def test_a_save_without_its_last_counter_is_still_a_list(tmp_path: Path) -> None:
    editor = save(tmp_path, with_label(""))
    for id in editor.counters():
        editor.remove(id)
    editor.write(tmp_path / "next.vsav")
    assert SaveEditor.open(tmp_path / "next.vsav").counters() == editor.stacks() == {}


def test_a_list_that_loses_all_its_commands_is_still_a_list(tmp_path: Path) -> None:
    pieces = [f"+/{id}/piece;;;;A/Main Map;5;5;0" for id in (1, 2)]
    text = join(["begin_save", join(pieces, ESC), "end_save"], ESC)
    content = Writer().content()
    editor = SaveEditor(content, text, "base.vsav")
    for id in "12":
        editor.remove(id)
    editor.check()
    assert "+/" not in editor.text()


def test_a_damaged_stack_keeps_what_it_says_when_a_counter_leaves_it(tmp_path: Path) -> None:
    writer = Writer().stack([squad(), marker("DM"), squad()], "X18")
    x, _ = writer.pixel("X18")
    writer.commands[-1] = writer.commands[-1].replace(f";{x};", ";nowhere;")
    editor = save(tmp_path, writer)
    (stack,) = editor.stacks()
    first, *others = editor.stacks()[stack]
    with pytest.raises(CannotEdit):
        editor.put([first], stack)
    editor.move(first, 500, 500)
    editor.check()
    assert editor.stacks()[stack] == tuple(others)
    assert ";nowhere;" in editor.text()
