"""A VASL save as its commands: counters and stacks by id, checked whole before it is written.

``docs/engineers/vasl-editing.md`` has the facts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Self

from asl_pbcg.kernel.files import make_new
from asl_pbcg.vasl.archive import (
    MAX_COMMANDS,
    Command,
    DamagedSave,
    NoSave,
    chain,
    chain_of_type,
    cut,
    parse_commands,
    read_bytes,
    repack,
    replace_in_chain,
    replace_parts,
    split,
)
from asl_pbcg.vasl.archive import encode as encode_part
from asl_pbcg.vasl.layers import CannotEdit, read_states
from asl_pbcg.vasl.save_counters import (
    MAPS,
    MAX_COUNTERS,
    MAX_LETTERS,
    MAX_PIXEL,
    SaveCounter,
    read_counters,
    whole_number,
)

PIECE = "+/"
_LAYER = "@@"
_UNIQUE = "UniqueID"
_NUMBER = re.compile(r"[0-9]{1,18}")


class SaveCommands:
    """The commands of a save. Counters and stacks are named by their id in the save.

    Every method raises CannotEdit for what is not possible, and then has changed nothing.
    """

    def __init__(self, content: bytes, text: str, name: str) -> None:
        self.archive, self._text, self.name = content, text, name
        self._root = parse_commands(text)
        if not self._root.parts:
            raise DamagedSave("the list of commands is missing in it", name)
        self._pieces: dict[str, Command] = {}
        self._stacks: dict[str, Command] = {}
        self._children: dict[str, tuple[str, ...]] = {}
        self._touched: set[str] = set()
        self._moved: set[str] = set()
        self._last: Command | None = None
        self._home: dict[str, str] = {}
        """The stack of each counter that lies in one: the last that lists it, as in VASSAL."""
        self._listed_twice: set[str] = set()
        self._next_id = 1
        self.boards = read_counters(text).boards  # refuses what goes beyond the reader's bounds
        for command in self._root.leaves():
            parts = piece_parts(command)
            if not parts:
                continue
            if parts[0] in self._pieces or parts[0] in self._stacks:
                raise NoSave(f"{name} has two counters with one id: VASL would lose one of them.")
            if parts[1] == "stack":
                self._stacks[parts[0]] = command
                self._children[parts[0]] = _children(parts[2])
                self._listed_twice.update(self._home.keys() & self._children[parts[0]])
                self._home.update(dict.fromkeys(self._children[parts[0]], parts[0]))
            else:
                self._pieces[parts[0]] = command
            if _NUMBER.fullmatch(parts[0]):
                self._next_id = max(self._next_id, int(parts[0]) + 1)
        self.check()
        self.map = self._main_map()
        """The save's name of the map of the game, to which counters are moved."""

    @classmethod
    def open(cls, path: Path) -> Self:
        """Read a save. Raises NoSave or PBCGError for a file that is not a sound save."""
        return cls(*read_bytes(path), path.name)

    def counters(self) -> dict[str, SaveCounter]:
        """Return the counters on the map as the reader sees them, by id."""
        save = read_counters(self.text())
        return dict(zip(save.ids, save.counters, strict=True))

    def counter(self, id: str) -> SaveCounter:
        """Return one counter as the reader sees it; place and stack are not told."""
        return read_states(*self.chains(id))

    def stacks(self) -> dict[str, tuple[str, ...]]:
        """Return the ids in each stack, bottom first, in the order of the save."""
        return dict(self._children)

    def stack_of(self, id: str) -> str | None:
        """Return the stack of a counter: the last one that lists it, as in VASSAL."""
        return self._home.get(id)

    def ids_on(self, map: str) -> list[str]:
        """Return the counters on a map, as in the Casualties Bin."""
        return [id for id in self._pieces if self._map_of(id) == map]

    def _map_of(self, id: str) -> str:
        try:
            return self.place(id)[0]
        except CannotEdit:
            return ""

    def has(self, id: str) -> bool:
        """Return whether the save has a counter."""
        return id in self._pieces

    def place(self, id: str) -> tuple[str, int, int]:
        """Return map and pixel of a counter or stack."""
        if id in self._stacks:
            return _place(piece_parts(self._stacks[id])[2])
        stack = self.stack_of(id)
        return self.place(stack) if stack else _place(self.chains(id)[1][-1])

    def text(self) -> str:
        """Return the text of the save as it is now. It is secret."""
        return self._root.whole_text()

    def chains(self, id: str) -> tuple[list[str], list[str]]:
        """Return traits and states of a counter, outermost first. They are secret."""
        if id not in self._pieces:
            raise CannotEdit("The save has no counter with that id.")
        _, type, state = piece_parts(self._pieces[id])
        traits, states = chain_of_type(type), chain(state)
        if len(traits) != len(states) or not traits[-1].startswith("piece;"):
            raise CannotEdit("The counter is damaged or not of a kind that can be changed.")
        return traits, states

    def content(self) -> bytes:
        """Return the file of the save; without a change it is the file that was read."""
        self.check()
        text = self.text()
        return self.archive if text == self._text else repack(self.archive, text, self.name)

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
            if parts := piece_parts(command):
                if parts[0] in before:
                    raise CannotEdit("Two counters would have one id.")
                if len(command.text) > MAX_LETTERS:
                    raise DamagedSave("a counter in it is far too long", self.name)
                if parts[1] == "stack" and not before.issuperset(_children(parts[2])):
                    raise DamagedSave("a stack in it lists a missing counter", self.name)
                before.add(parts[0])
        if len(self._pieces) > MAX_COUNTERS or len(texts) > MAX_COMMANDS:
            raise NoSave(f"{self.name} holds far more counters than any map.")
        if before != self._pieces.keys() | self._stacks.keys():
            raise CannotEdit("The ids of the counters would not be read again.")
        if [command.text for command in parse_commands(self.text()).leaves()] != texts:
            raise CannotEdit("The changed save would not be read again as it is meant.")
        for id in self._touched:
            self._check_touched(id)

    def _check_touched(self, id: str) -> None:
        """Check that a changed counter is whole, in one stack at most and lies where it does."""
        if id in self._stacks:
            return
        states = self.chains(id)[1]
        if id in self._moved and _place(states[-1]) != self.place(id):
            raise CannotEdit("A counter would not lie where its stack lies.")
        if sum(id in children for children in self._children.values()) > 1:
            raise CannotEdit("A counter would lie in two stacks.")
        unique = unique_field(states[-1])
        own_id = "" if unique is None else split(states[-1], ";")[unique]
        if own_id != id and own_id in self._pieces:
            raise CannotEdit("Two counters would have one id.")

    # -- what edits are made of ---------------------------------------------------------

    def _main_map(self) -> str:
        for command in reversed(self._stacks.values()):
            name = split(piece_parts(command)[2], ";", 1)[0]
            if name in MAPS:
                return name
        for command in self._pieces.values():
            name = piece_parts(command)[2].rpartition("\t")[2].partition(";")[0]
            if name in MAPS:
                return name
        return MAPS[0]

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
        unique_ids: set[str] = set()
        for id in ids:
            states = self.chains(id)[1]
            if id in unique_ids:
                raise CannotEdit("A counter cannot lie twice in a stack.")
            if len(cut(states[-1], ";", 3)) < 3:
                raise CannotEdit("The counter is damaged: it has no place.")
            unique_ids.add(id)

    def _check_room(self, present: dict[str, Command]) -> None:
        if len(present) >= MAX_COUNTERS:
            raise CannotEdit(f"A save holds {MAX_COUNTERS} counters at most.")

    def _new_id(self) -> str:
        """Return a number above all ids; VASSAL counts up from the time in milliseconds."""
        while str(self._next_id) in self._pieces or str(self._next_id) in self._stacks:
            self._next_id += 1
        return str(self._next_id)

    def _set_states(self, id: str, new: dict[int, str]) -> None:
        """Replace states of a counter, by the number of the trait."""
        if not new:
            return
        command = self._pieces[id]
        text = command.text.removeprefix(PIECE)
        state = replace_in_chain(split(text, "/", 3)[2], new)
        command.set_text(PIECE + replace_parts(text, "/", {2: state}, 3))
        self._touched.add(id)

    def _set_place(self, id: str, place: tuple[str, int, int]) -> None:
        self._check_movable([id])
        states = self.chains(id)[1]
        where = dict(enumerate(map(str, place)))
        self._set_states(id, {len(states) - 1: replace_parts(states[-1], ";", where)})
        self._moved.add(id)

    def _take(self, ids: Sequence[str], keep: str = "") -> None:
        """Take counters out of all stacks but ``keep``."""
        stacks: Iterable[str] = dict.fromkeys(self._home[id] for id in ids if id in self._home)
        if not self._listed_twice.isdisjoint(ids):
            stacks = [s for s in self._children if not set(ids).isdisjoint(self._children[s])]
        for stack in stacks:
            if stack == keep:
                continue
            others = [child for child in self._children[stack] if child not in ids]
            if others:
                self._write_stack(stack, others)
            else:
                self._drop(self._stacks.pop(stack))
                del self._children[stack]
                self._touched.discard(stack)
        for id in ids:
            self._home.pop(id, None)

    def _fill(self, stack: str, ids: Sequence[str], place: tuple[str, int, int]) -> None:
        for id in ids:
            self._set_place(id, place)
        self._write_stack(stack, ids, place)

    def _write_stack(
        self, stack: str, ids: Sequence[str], place: tuple[str, int, int] | None = None
    ) -> None:
        """Write a stack again, behind all counters; without a place where it was."""
        old = self._stacks[stack]
        before = split(piece_parts(old)[2], ";", MAX_COUNTERS)
        tail = [field for field in before[3:] if field.startswith(_LAYER)]
        fields = [*(map(str, place) if place else before[:3]), *ids, *tail]
        state = ";".join(encode_part(field, ";") for field in fields)
        parts = (encode_part(part, "/") for part in (stack, "stack", state))
        self._children.pop(stack, None)
        self._stacks[stack] = self._append(PIECE + "/".join(parts))
        self._drop(old)
        self._children[stack] = tuple(ids)
        self._home.update(dict.fromkeys(ids, stack))
        self._touched.add(stack)

    def _append(self, text: str) -> Command:
        """Add a command behind the last counter or stack; without any, at the end of a list."""
        last = self._last
        if last is None:
            last = next((e for e in reversed([*self._root.leaves()]) if piece_parts(e)), None)
        parent = (last and last.parent) or next((p for p in self._root.parts if p.parts), None)
        parent = parent or self._root
        command = Command("", "", parent)
        command.set_text(text)
        at = len(parent.parts)
        while last and at and parent.parts[at - 1] is not last:
            at -= 1
        parent.parts.insert(at, command)
        self._last = command
        return command

    def _drop(self, command: Command) -> None:
        if command is self._last:
            self._last = None
        parent = command.parent or self._root
        parent.parts.remove(command)
        while len(parent.parts) < 2:  # a list of one is read as what is in it
            parent.parts.append(Command("", "", parent))


def piece_parts(command: Command) -> list[str]:
    """Return id, type and state of a command that adds a piece, else nothing."""
    if not command.text.startswith(PIECE):
        return []
    parts = split(command.text[len(PIECE) :], "/", 3)
    return parts[:3] if len(parts) > 2 else []


def _children(state: str) -> tuple[str, ...]:
    fields = split(state, ";", MAX_COUNTERS)[3:]
    return tuple(field for field in fields if field and not field.startswith(_LAYER))


def _place(state: str) -> tuple[str, int, int]:
    """Return the place at the beginning of a state of a stack or of a piece."""
    name, *numbers = split(state, ";", 3)
    x, y = [whole_number(number) for number in [*numbers, "", ""][:2]]
    if x is None or y is None:
        raise CannotEdit("The save is damaged there: a counter or stack in it has no place.")
    return name, x, y


def unique_field(state: str) -> int | None:
    """Return the number of the field that repeats the id of a counter; only new versions do."""
    fields = split(state, ";")
    pairs = range(5, len(fields) - 1, 2)
    return next((number + 1 for number in pairs if fields[number] == _UNIQUE), None)
