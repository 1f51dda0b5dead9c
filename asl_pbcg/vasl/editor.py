"""Edits a VASL save: moves, flips, removes and copies counters; everything else stays as it was.

``SaveEditor.open`` reads a save, its methods change it, ``write`` makes a new file. A command that
was not changed stays byte for byte and in its order. A changed stack goes behind all counters, as
VASSAL drops a counter from a stack that comes before it. ``docs/engineers/vasl-editing.md`` has
the facts.

A save holds the secrets of both sides and the players' passwords in clear. They stay inside: no
message and no ``repr`` contains a part of a save.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from asl_pbcg.kernel.files import make_new
from asl_pbcg.kernel.foreign_text import read_line
from asl_pbcg.vasl.archive import NoSave, read_bytes, repack
from asl_pbcg.vasl.layers import CannotEdit, Layer, Stroke, press
from asl_pbcg.vasl.save_counters import (
    MAPS,
    MAX_COUNTERS,
    MAX_LETTERS,
    MAX_PIXEL,
    SaveCounter,
    read_counter,
    read_counters,
    whole_number,
)
from asl_pbcg.vasl.sequences import (
    MAX_COMMANDS,
    Command,
    chain,
    cut,
    parse_commands,
    replace_in_chain,
    replace_parts,
    split,
)
from asl_pbcg.vasl.sequences import encode as encode_part

MAX_LABEL = 100  # letters
_PIECE = "+/"
_LAYER = "@@"
_UNIQUE = "UniqueID"
_NUMBER = re.compile(r"[0-9]{1,18}")
_MARKS = "$<{"  # VASSAL reads properties, web pages and expressions in a label that has these


class SaveEditor:
    """A save that can be changed. Counters and stacks are named by their id in the save.

    Places are pixels of the save (``Placed.in_save``). A counter that lay in a stack gets a stack
    of its own when it is moved; one that lay by itself stays so. Every method raises CannotEdit
    for what is not possible, and then has changed nothing.
    """

    def __init__(self, content: bytes, text: str, name: str) -> None:
        self._content, self._text, self._name = content, text, name
        self._root = parse_commands(text)
        if not self._root.parts:
            raise NoSave(f"{name} is damaged: there is no list of commands in it.")
        self._pieces: dict[str, Command] = {}
        self._stacks: dict[str, Command] = {}
        self._children: dict[str, tuple[str, ...]] = {}
        self._touched: set[str] = set()
        self._moved: set[str] = set()
        self._traits: dict[str, list[str]] = {}
        self._last: Command | None = None
        read_counters(text)  # refuses what goes beyond the bounds of the reader
        for command in self._root.leaves():
            parts = _parts(command)
            if not parts:
                continue
            if parts[0] in self._pieces or parts[0] in self._stacks:
                raise NoSave(f"{name} has two counters with one id: VASL would lose one of them.")
            if parts[1] == "stack":
                self._stacks[parts[0]] = command
                self._children[parts[0]] = _children(parts[2])
            else:
                self._pieces[parts[0]] = command
        self.check()
        self.map = self._main_map()
        """The save's name of the map of the game, to which counters are moved."""

    @classmethod
    def open(cls, path: Path) -> SaveEditor:
        """Read a save. Raises NoSave or PBCGError for a file that is not a sound save."""
        return cls(*read_bytes(path), path.name)

    # -- queries -----------------------------------------------------------------------

    def counters(self) -> dict[str, SaveCounter]:
        """Return the counters on the map as the reader sees them, by id."""
        save = read_counters(self.text())
        return dict(zip(save.ids, save.counters, strict=True))

    def counter(self, id: str) -> SaveCounter:
        """Return one counter as the reader sees it; place and stack are not told."""
        return self._read(*self._chains(id))

    def stacks(self) -> dict[str, tuple[str, ...]]:
        """Return the ids in each stack, bottom first, in the order of the save."""
        return dict(self._children)

    def stack_of(self, id: str) -> str | None:
        """Return the stack of a counter: the last one that lists it, as in VASSAL."""
        return next((s for s in reversed(self._children) if id in self._children[s]), None)

    def place(self, id: str) -> tuple[str, int, int]:
        """Return map and pixel of a counter or stack."""
        if id in self._stacks:
            return _place(_parts(self._stacks[id])[2])
        stack = self.stack_of(id)
        return self.place(stack) if stack else _place(self._chains(id)[1][-1])

    def strokes(self, id: str) -> tuple[Stroke, ...]:
        """Return the keys that change layers of a counter, for ``press``."""
        found = (Layer.of(trait) for trait in reversed(self._chains(id)[0]))
        return tuple(dict.fromkeys(key for layer in found if layer for key in layer.all_strokes()))

    def text(self) -> str:
        """Return the text of the save as it is now. It is secret."""
        return self._root.whole_text()

    # -- changes of a counter ----------------------------------------------------------

    def press(self, id: str, stroke: Stroke) -> SaveCounter:
        """Press a key on a counter: all its layers obey, as in VASSAL. Return it as it is then."""
        traits, states = self._chains(id)
        self._set_states(id, press(traits, states, stroke))
        return self.counter(id)

    def turn(self, id: str, word: str, on: bool = True) -> SaveCounter:
        """Flip a counter until it says ``word`` (``broken``, ``CE``, a name), or until not.

        The key is found in the layer that has the word. Where several keys do it, the one that
        changes least of what else the counter says is pressed.
        """
        traits, states = self._chains(id)
        before = self._read(traits, states)
        if _says(before, word) is on:
            return before
        best: tuple[int, int] | None = None
        result = states
        layers = [layer for layer in map(Layer.of, reversed(traits)) if layer]
        own = [layer for layer in layers if word in layer.words]
        alike = {each for layer in own for each in layer.words}
        for stroke in dict.fromkeys(key for layer in own for key in layer.all_strokes()):
            trial = states
            for presses in range(max(layer.levels for layer in own)):
                trial = _with(trial, press(traits, trial, stroke))
                after = self._read(traits, trial)
                if _says(after, word) is on:
                    cost = (len((_words(before) ^ _words(after)) - alike), presses)
                    if best is None or cost < best:
                        best, result = cost, trial
                    break
        if best is None:
            raise CannotEdit(f'The counter has no key that turns "{word}" {"on" if on else "off"}.')
        self._set_states(id, {n: new for n, new in enumerate(result) if new != states[n]})
        return self._read(traits, result)

    def label(self, id: str, text: str) -> None:
        """Write a text on a counter that can have one; an empty text takes it away.

        A label on the map is a ``clone`` of a counter of the save with another text.
        """
        line = read_line(text, "The text of a label", MAX_LABEL)
        if any(mark in line for mark in _MARKS):
            raise CannotEdit("The text of a label cannot have one of the signs $ < {.")
        traits = self._chains(id)[0]
        number = next((n for n, t in enumerate(traits) if t.startswith("label;")), None)
        if number is None:
            raise CannotEdit("The counter has no place for a text: choose another.")
        self._set_states(id, {number: line})

    # -- changes of places -------------------------------------------------------------

    def move(self, id: str, x: int, y: int, map: str = "") -> None:
        """Move one counter out of its stack to a place."""
        if self.stack_of(id):
            self.pile([id], x, y, map)
        else:
            self._set_place(id, self._target(x, y, map))

    def move_stack(self, stack: str, x: int, y: int, map: str = "") -> None:
        """Move a stack with all that lies in it."""
        target = self._target(x, y, map)
        ids = self._of_stack(stack)
        self._check_movable(ids)
        self._fill(stack, ids, target)

    def pile(self, ids: Sequence[str], x: int, y: int, map: str = "") -> str:
        """Put counters, bottom first, into a new stack at a place; return the stack's id."""
        target = self._target(x, y, map)
        self._check_movable(ids)
        self._check_room(self._stacks)
        if not ids:
            raise CannotEdit("A new stack needs a counter.")
        self._take(ids)
        stack = self._new_id()
        self._stacks[stack] = self._append(f"{_PIECE}{encode_part(stack, '/')}/stack/;")
        self._fill(stack, ids, target)
        return stack

    def put(self, ids: Sequence[str], stack: str, depth: int | None = None) -> None:
        """Put counters, bottom first, into a stack: on ``depth`` of its others, or on top."""
        if depth is not None and depth < 0:
            raise CannotEdit("A depth in a stack is 0 or more.")
        others = [id for id in self._of_stack(stack) if id not in ids]
        where = len(others) if depth is None else depth
        self._check_movable([*others, *ids])
        target = self.place(stack)
        self._take(ids, keep=stack)
        self._fill(stack, [*others[:where], *ids, *others[where:]], target)

    def remove(self, id: str) -> None:
        """Remove a counter; a stack that is empty then goes too."""
        self._check_movable([id])
        self._take([id])
        self._drop(self._pieces.pop(id))
        self._touched.discard(id)

    def clone(self, id: str, x: int, y: int, map: str = "") -> str:
        """Add a copy of a counter at a place, with an id of its own; return that."""
        target = self._target(x, y, map)
        states = self._chains(id)[1]
        self._check_movable([id])
        self._check_room(self._pieces)
        self._check_room(self._stacks)
        copy = self._new_id()
        state = states[-1]
        number = _unique_field(state)
        if number is not None:
            state = replace_parts(state, ";", {number: copy})
        text = self._pieces[id].text.removeprefix(_PIECE)
        text = replace_parts(text, "/", {0: copy}, 3)
        self._pieces[copy] = self._append(_PIECE + text)
        self._set_states(copy, {len(states) - 1: state})
        if self.stack_of(id):
            self.pile([copy], *target[1:], target[0])
        else:
            self._set_place(copy, target)
        return copy

    # -- writing -----------------------------------------------------------------------

    def content(self) -> bytes:
        """Return the file of the save; without a change it is the file that was read."""
        self.check()
        text = self.text()
        return self._content if text == self._text else repack(self._content, text, self._name)

    def write(self, path: Path) -> None:
        """Write a new file, whole or not at all. Raises PBCGError if one stands there."""
        make_new(path, self.content())

    def check(self) -> None:
        """Check what VASSAL takes for granted in a save. Raises NoSave or CannotEdit.

        The order of counters and stacks, the places of what was changed, bounds, and that the
        text is read again as exactly these commands.
        """
        before: set[str] = set()
        texts: list[str] = []
        for command in self._root.leaves():
            texts.append(command.text)
            if parts := _parts(command):
                if parts[0] in before:
                    raise CannotEdit("Two counters would have one id.")
                if len(command.text) > MAX_LETTERS:
                    raise NoSave(f"{self._name} is damaged: a counter in it is far too long.")
                if parts[1] == "stack" and not before.issuperset(_children(parts[2])):
                    raise NoSave(f"{self._name} is damaged: a stack in it lists a missing counter.")
                before.add(parts[0])
        if len(self._pieces) > MAX_COUNTERS or len(texts) > MAX_COMMANDS:
            raise NoSave(f"{self._name} holds far more counters than any map.")
        if before != self._pieces.keys() | self._stacks.keys():
            raise CannotEdit("The ids of the counters would not be read again.")
        if [each.text for each in parse_commands(self.text()).leaves()] != texts:
            raise CannotEdit("The changed save would not be read again as it is meant.")
        for id in self._touched:
            self._check_touched(id)

    def _check_touched(self, id: str) -> None:
        """Check that a changed counter is whole, in one stack at most and lies where it does."""
        if id in self._stacks:
            return
        states = self._chains(id)[1]
        if id in self._moved and _place(states[-1]) != self.place(id):
            raise CannotEdit("A counter would not lie where its stack lies.")
        if sum(id in children for children in self._children.values()) > 1:
            raise CannotEdit("A counter would lie in two stacks.")
        unique = _unique_field(states[-1])
        told = "" if unique is None else split(states[-1], ";")[unique]
        if told != id and told in self._pieces:
            raise CannotEdit("Two counters would have one id.")

    # -- within ------------------------------------------------------------------------

    def _main_map(self) -> str:
        for command in reversed(self._stacks.values()):
            name = split(_parts(command)[2], ";", 1)[0]
            if name in MAPS:
                return name
        for command in self._pieces.values():
            name = _parts(command)[2].rpartition("\t")[2].partition(";")[0]
            if name in MAPS:
                return name
        return MAPS[0]

    def _chains(self, id: str) -> tuple[list[str], list[str]]:
        """Return traits and states of a counter, outermost first."""
        if id not in self._pieces:
            raise CannotEdit("The save has no counter with that id.")
        _, type, state = _parts(self._pieces[id])
        if type not in self._traits:
            self._traits[type] = chain(type)
        traits, states = self._traits[type], chain(state)
        if len(traits) != len(states) or not traits[-1].startswith("piece;"):
            raise CannotEdit("The counter is damaged or not of a kind that can be changed.")
        return traits, states

    def _read(self, traits: list[str], states: list[str]) -> SaveCounter:
        """Read a counter wherever it lies."""
        gpid = [*split(states[-1], ";", 4), "", "", "", ""][3]
        anywhere = f"{MAPS[0]};0;0;{encode_part(gpid, ';')}"
        counter = read_counter(0, traits, [*states[:-1], anywhere])
        if counter is None:
            raise CannotEdit("The counter is damaged or not of a kind that can be changed.")
        return counter

    def _target(self, x: int, y: int, map: str) -> tuple[str, int, int]:
        if max(abs(x), abs(y)) > MAX_PIXEL:
            raise CannotEdit("The place lies beyond every map.")
        return map or self.map, x, y

    def _of_stack(self, stack: str) -> tuple[str, ...]:
        if stack not in self._stacks:
            raise CannotEdit("The save has no stack with that id.")
        return self._children[stack]

    def _check_movable(self, ids: Iterable[str]) -> None:
        """Check counters before anything is changed: each once, known and with a place."""
        seen: set[str] = set()
        for id in ids:
            states = self._chains(id)[1]
            if id in seen:
                raise CannotEdit("A counter cannot lie twice in a stack.")
            if len(cut(states[-1], ";", 3)) < 3:
                raise CannotEdit("The counter is damaged: it has no place.")
            seen.add(id)

    def _check_room(self, present: dict[str, Command]) -> None:
        if len(present) >= MAX_COUNTERS:
            raise CannotEdit(f"A save holds {MAX_COUNTERS} counters at most.")

    def _new_id(self) -> str:
        """Return a number above all ids; VASSAL counts up from the time in milliseconds."""
        ids = self._pieces.keys() | self._stacks.keys()
        new = 1 + max((int(id) for id in ids if _NUMBER.fullmatch(id)), default=0)
        while str(new) in ids:
            new += 1
        return str(new)

    def _set_states(self, id: str, new: dict[int, str]) -> None:
        """Replace states of a counter, by the number of the trait."""
        if not new:
            return
        command = self._pieces[id]
        text = command.text.removeprefix(_PIECE)
        state = replace_in_chain(split(text, "/", 3)[2], new)
        command.set_text(_PIECE + replace_parts(text, "/", {2: state}, 3))
        self._touched.add(id)

    def _set_place(self, id: str, place: tuple[str, int, int]) -> None:
        self._check_movable([id])
        states = self._chains(id)[1]
        where = dict(enumerate(map(str, place)))
        self._set_states(id, {len(states) - 1: replace_parts(states[-1], ";", where)})
        self._moved.add(id)

    def _take(self, ids: Sequence[str], keep: str = "") -> None:
        """Take counters out of all stacks but ``keep``."""
        for stack, children in list(self._children.items()):
            if stack == keep or set(ids).isdisjoint(children):
                continue
            others = [each for each in children if each not in ids]
            if others:
                self._write_stack(stack, others)
            else:
                self._drop(self._stacks.pop(stack))
                del self._children[stack]
                self._touched.discard(stack)

    def _fill(self, stack: str, ids: Sequence[str], place: tuple[str, int, int]) -> None:
        for id in ids:
            self._set_place(id, place)
        self._write_stack(stack, ids, place)

    def _write_stack(
        self, stack: str, ids: Sequence[str], place: tuple[str, int, int] | None = None
    ) -> None:
        """Write a stack again, behind all counters; without a place where it was."""
        old = self._stacks[stack]
        before = split(_parts(old)[2], ";", MAX_COUNTERS)
        tail = [each for each in before[3:] if each.startswith(_LAYER)]
        fields = [*(map(str, place) if place else before[:3]), *ids, *tail]
        state = ";".join(encode_part(each, ";") for each in fields)
        parts = (encode_part(each, "/") for each in (stack, "stack", state))
        self._children.pop(stack, None)
        self._stacks[stack] = self._append(_PIECE + "/".join(parts))
        self._drop(old)
        self._children[stack] = tuple(ids)
        self._touched.add(stack)

    def _append(self, text: str) -> Command:
        """Add a command behind the last counter or stack."""
        if self._last is None:
            *_, self._last = (each for each in self._root.leaves() if _parts(each))
        parent = self._last.parent or self._root
        command = Command("", "", parent)
        command.set_text(text)
        parent.parts.insert(parent.parts.index(self._last) + 1, command)
        self._last = command
        return command

    def _drop(self, command: Command) -> None:
        if command is self._last:
            self._last = None
        parent = command.parent or self._root
        parent.parts.remove(command)
        while len(parent.parts) < 2:  # a list of one is read as what is in it
            parent.parts.append(Command("", "", parent))


def _parts(command: Command) -> list[str]:
    """Return id, type and state of a command that adds a piece, else nothing."""
    if not command.text.startswith(_PIECE):
        return []
    parts = split(command.text[len(_PIECE) :], "/", 3)
    return parts[:3] if len(parts) > 2 else []


def _children(state: str) -> tuple[str, ...]:
    fields = split(state, ";", MAX_COUNTERS)[3:]
    return tuple(each for each in fields if each and not each.startswith(_LAYER))


def _place(state: str) -> tuple[str, int, int]:
    """Return the place at the beginning of a state of a stack or of a piece."""
    name, *rest = split(state, ";", 3)
    x, y = [whole_number(each) for each in [*rest, "", ""][:2]]
    if x is None or y is None:
        raise CannotEdit("The save is damaged there: a counter or stack in it has no place.")
    return name, x, y


def _unique_field(state: str) -> int | None:
    """Return the number of the field that repeats the id of a counter; only new versions do."""
    fields = split(state, ";")
    pairs = range(5, len(fields) - 1, 2)
    return next((number + 1 for number in pairs if fields[number] == _UNIQUE), None)


def _with(states: list[str], new: dict[int, str]) -> list[str]:
    return [new.get(number, state) for number, state in enumerate(states)]


def _says(counter: SaveCounter, word: str) -> bool:
    return counter.says(word) or counter.name == word


def _words(counter: SaveCounter) -> set[str]:
    return {counter.name, *counter.states}
