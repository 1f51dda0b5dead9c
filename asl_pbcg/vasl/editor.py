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
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from asl_pbcg.kernel.files import make_new
from asl_pbcg.kernel.foreign_text import read_line
from asl_pbcg.vasl.archive import NoSave, read_bytes, repack
from asl_pbcg.vasl.layers import CannotEdit, Layer, Stroke, press, read_states, turn
from asl_pbcg.vasl.save_counters import (
    MAPS,
    MAX_COUNTERS,
    MAX_LETTERS,
    MAX_PIXEL,
    SaveCounter,
    read_counters,
    whole_number,
)
from asl_pbcg.vasl.sequences import (
    MAX_COMMANDS,
    Command,
    chain,
    chain_of_type,
    cut,
    join_chain,
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
_CONCEALS = ("conceal", "obs")
_OPEN = {"hide": "null", "conceal": "null;", "obs": "null;"}
"""The states of traits that hide a counter, while they do not."""
_MARKS = "$<{"  # VASSAL reads properties, web pages and expressions in a label that has these


class Owner:
    """The name in a save of the player who hides a counter: a password, so it is never shown."""

    __slots__ = ("_token",)

    def __init__(self, token: str) -> None:
        self._token = token

    def __eq__(self, other: object) -> bool:
        """Return whether two counters are hidden by one player."""
        return isinstance(other, Owner) and other._token == self._token

    def __hash__(self) -> int:
        """Return a number that equal ones share."""
        return hash(self._token)

    def __lt__(self, other: Owner) -> bool:
        """Rank owners in an order that nothing in a save decides."""
        return self._token < other._token

    def state(self, trait: str) -> str | None:
        """Return the state of a trait that hides a counter for this player; None of others."""
        kind = trait.partition(";")[0]
        if kind == "hide":
            return self._token
        return f"{encode_part(self._token, ';')};|0" if kind in _CONCEALS else None


class SaveEditor:
    """A save that can be changed. Counters and stacks are named by their id in the save.

    Places are pixels of the save (``Placed.in_save``). A counter that lay in a stack gets a stack
    of its own when it is moved; one that lay by itself stays so. Every method raises CannotEdit
    for what is not possible, and then has changed nothing.
    """

    def __init__(self, content: bytes, text: str, name: str) -> None:
        self.archive, self._text, self.name = content, text, name
        self._root = parse_commands(text)
        if not self._root.parts:
            raise NoSave(f"{name} is damaged: there is no list of commands in it.")
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
            parts = _parts(command)
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

    def place(self, id: str) -> tuple[str, int, int]:
        """Return map and pixel of a counter or stack."""
        if id in self._stacks:
            return _place(_parts(self._stacks[id])[2])
        stack = self.stack_of(id)
        return self.place(stack) if stack else _place(self.chains(id)[1][-1])

    def strokes(self, id: str) -> tuple[Stroke, ...]:
        """Return the keys that change layers of a counter, for ``press``."""
        found = (Layer.of(trait) for trait in reversed(self.chains(id)[0]))
        return tuple(dict.fromkeys(key for layer in found if layer for key in layer.all_strokes()))

    def text(self) -> str:
        """Return the text of the save as it is now. It is secret."""
        return self._root.whole_text()

    # -- changes of a counter ----------------------------------------------------------

    def press(self, id: str, stroke: Stroke) -> SaveCounter:
        """Press a key on a counter: all its layers obey, as in VASSAL. Return it as it is then."""
        traits, states = self.chains(id)
        self._set_states(id, press(traits, states, stroke))
        return self.counter(id)

    def turn(self, id: str, word: str, on: bool = True) -> SaveCounter:
        """Flip a counter until it says ``word`` (``broken``, ``CE``, a name), or until not."""
        traits, states = self.chains(id)
        result = turn(traits, states, word, on)
        self.set_states(id, result)
        return read_states(traits, result)

    def set_states(self, id: str, states: Sequence[str]) -> None:
        """Give a counter other states of its traits, outermost first."""
        before = self.chains(id)[1]
        self._set_states(id, {n: new for n, new in enumerate(states) if new != before[n]})

    def label(self, id: str, text: str) -> None:
        """Write a text on a counter that can have one; an empty text takes it away.

        A label on the map is a ``clone`` of a counter of the save with another text.
        """
        line = read_line(text, "The text of a label", MAX_LABEL)
        if any(mark in line for mark in _MARKS):
            raise CannotEdit("The text of a label cannot have one of the signs $ < {.")
        traits = self.chains(id)[0]
        number = next((n for n, t in enumerate(traits) if t.startswith("label;")), None)
        if number is None:
            raise CannotEdit("The counter has no place for a text: choose another.")
        self._set_states(id, {number: line})

    def type_of(self, id: str) -> str:
        """Return the type of a counter as it stands in the save."""
        self.chains(id)
        return _parts(self._pieces[id])[1]

    def label_of(self, id: str) -> str:
        """Return the text on a counter; empty if it has none."""
        traits, states = self.chains(id)
        return next((s for t, s in zip(traits, states, strict=True) if t.startswith("label;")), "")

    def owner(self, id: str) -> Owner | None:
        """Return who hides or conceals a counter, or None if it lies open."""
        for trait, state in zip(*self.chains(id), strict=True):
            kind = trait.partition(";")[0]
            token = state if kind == "hide" else split(state, ";", 2)[0]
            if kind in _OPEN and token not in ("", "null"):
                return Owner(token)
        return None

    def hide(self, id: str, owner: Owner, conceal: bool = False) -> None:
        """Hide a counter for its owner; ``conceal`` it instead, so that a "?" is seen."""
        self._cover(id, owner, _CONCEALS if conceal else ("hide",))

    def show(self, id: str) -> None:
        """Let everybody see a counter."""
        self._cover(id, None, ())

    def _cover(self, id: str, owner: Owner | None, kinds: Sequence[str]) -> None:
        """Let the traits of these kinds hide a counter, and no others."""
        traits, states = self.chains(id)
        new: dict[int, str] = {}
        for number, trait in enumerate(traits):
            kind = trait.partition(";")[0]
            if kind in _OPEN:
                hidden = owner.state(trait) if owner and kind in kinds else None
                new[number] = hidden or _OPEN[kind]
        if owner and not any(traits[number].partition(";")[0] in kinds for number in new):
            raise CannotEdit("The counter cannot be hidden.")
        self._set_states(id, {n: each for n, each in new.items() if _differs(states[n], each)})

    def settle(self, id: str) -> None:
        """Take the mark off a counter that says that it has moved."""
        traits, states = self.chains(id)
        moved = (n for n, t in enumerate(traits) if t.startswith("moved") and states[n] == "true")
        self._set_states(id, dict.fromkeys(moved, "false"))

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
        states = self.chains(id)[1]
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

    def add(self, type: str, states: Sequence[str], x: int, y: int) -> str:
        """Add a counter by its type and states, outermost first, by itself; return its id."""
        target = self._target(x, y, "")
        self._check_room(self._pieces)
        id = self._new_id()
        last = states[-1]
        number = _unique_field(last)
        if number is not None:
            last = replace_parts(last, ";", {number: id})
        last = replace_parts(last, ";", dict(enumerate(map(str, target))))
        parts = (id, type, join_chain([*states[:-1], last]))
        self._pieces[id] = self._append(_PIECE + "/".join(encode_part(p, "/") for p in parts))
        self._touched.add(id)
        return id

    # -- the scenario ------------------------------------------------------------------

    def set_fields(self, begin: str, delimiter: str, fields: Mapping[int, str]) -> bool:
        """Replace fields, by number, of the command that begins so; say whether it is there."""
        for command in self._root.leaves():
            if command.text.startswith(begin):
                text = command.text.removeprefix(begin)
                if len(cut(text, delimiter)) > max(fields):
                    text = replace_parts(text, delimiter, fields)
                    if begin + text != command.text:
                        command.set_text(begin + text)
                    return True
        return False

    # -- writing -----------------------------------------------------------------------

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
            if parts := _parts(command):
                if parts[0] in before:
                    raise CannotEdit("Two counters would have one id.")
                if len(command.text) > MAX_LETTERS:
                    raise NoSave(f"{self.name} is damaged: a counter in it is far too long.")
                if parts[1] == "stack" and not before.issuperset(_children(parts[2])):
                    raise NoSave(f"{self.name} is damaged: a stack in it lists a missing counter.")
                before.add(parts[0])
        if len(self._pieces) > MAX_COUNTERS or len(texts) > MAX_COMMANDS:
            raise NoSave(f"{self.name} holds far more counters than any map.")
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
        states = self.chains(id)[1]
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

    def chains(self, id: str) -> tuple[list[str], list[str]]:
        """Return traits and states of a counter, outermost first. They are secret."""
        if id not in self._pieces:
            raise CannotEdit("The save has no counter with that id.")
        _, type, state = _parts(self._pieces[id])
        traits, states = chain_of_type(type), chain(state)
        if len(traits) != len(states) or not traits[-1].startswith("piece;"):
            raise CannotEdit("The counter is damaged or not of a kind that can be changed.")
        return traits, states

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
            states = self.chains(id)[1]
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
        while str(self._next_id) in self._pieces or str(self._next_id) in self._stacks:
            self._next_id += 1
        return str(self._next_id)

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
            others = [each for each in self._children[stack] if each not in ids]
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
        before = split(_parts(old)[2], ";", MAX_COUNTERS)
        tail = [each for each in before[3:] if each.startswith(_LAYER)]
        fields = [*(map(str, place) if place else before[:3]), *ids, *tail]
        state = ";".join(encode_part(each, ";") for each in fields)
        parts = (encode_part(each, "/") for each in (stack, "stack", state))
        self._children.pop(stack, None)
        self._stacks[stack] = self._append(_PIECE + "/".join(parts))
        self._drop(old)
        self._children[stack] = tuple(ids)
        self._home.update(dict.fromkeys(ids, stack))
        self._touched.add(stack)

    def _append(self, text: str) -> Command:
        """Add a command behind the last counter or stack; without any, at the end of a list."""
        last = self._last
        if last is None:
            last = next((e for e in reversed([*self._root.leaves()]) if _parts(e)), None)
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


def _parts(command: Command) -> list[str]:
    """Return id, type and state of a command that adds a piece, else nothing."""
    if not command.text.startswith(_PIECE):
        return []
    parts = split(command.text[len(_PIECE) :], "/", 3)
    return parts[:3] if len(parts) > 2 else []


def _differs(state: str, new: str) -> bool:
    """Return whether a state that hides a counter says anything else than a new one."""
    return split(state, ";", 2)[0] != split(new, ";", 2)[0]


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
