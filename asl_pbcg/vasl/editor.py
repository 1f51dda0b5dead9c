"""Edit a VASL save, or make an empty one for the eyes of one side.

``SaveEditor.open`` reads a save; its methods move, flip, remove and copy counters; ``write`` makes
a new file. A command that was not changed stays byte for byte and in its order. A changed stack
goes behind all counters, because VASSAL drops a counter from a stack that comes before it.
``docs/engineers/vasl-editing.md`` has the facts, ``save_commands.py`` the parts of a save.

A save holds the secrets of both sides and the players' passwords in clear. They stay inside: no
message and no ``repr`` contains a part of a save.

VASL hides by display only, so a save for one side is never made by taking things out.
``empty_save`` builds it anew from a white list, in one order: the boards, the open part of the
scenario's facts, one key and one date; no counter, id or order of the base save.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from asl_pbcg.kernel.files import read_line
from asl_pbcg.vasl.archive import (
    ESC,
    cut,
    encode,
    join_chain,
    new_archive,
    parse_commands,
    replace_parts,
    split,
)
from asl_pbcg.vasl.archive import (
    encode as encode_part,
)
from asl_pbcg.vasl.layers import CannotEdit, Layer, Stroke, press, read_states, turn
from asl_pbcg.vasl.names import facts
from asl_pbcg.vasl.save_commands import PIECE, SaveCommands, piece_parts, unique_field
from asl_pbcg.vasl.save_counters import SaveCounter, read_tokens

MAX_LABEL = 100  # letters
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

    def lay(self, traits: Sequence[str]) -> str:
        """Return the type of a "?" of these traits that this player lays."""
        return join_chain(
            [
                replace_parts(trait, ";", {1: self._token})
                if trait.startswith("concealment;")
                else trait
                for trait in traits
            ]
        )


class SaveEditor(SaveCommands):
    """A save that can be changed. Counters and stacks are named by their id in the save.

    Places are pixels of the save (``Placed.in_save``). A counter that lay in a stack gets a stack
    of its own when it is moved; one that lay by itself stays so. Every method raises CannotEdit
    for what is not possible, and then has changed nothing.
    """

    def strokes(self, id: str) -> tuple[Stroke, ...]:
        """Return the keys that change layers of a counter, for ``press``."""
        layers = (Layer.of(trait) for trait in reversed(self.chains(id)[0]))
        return tuple(dict.fromkeys(key for layer in layers if layer for key in layer.all_strokes()))

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
        return piece_parts(self._pieces[id])[1]

    def label_of(self, id: str) -> str:
        """Return the text on a counter; empty if it has none."""
        traits, states = self.chains(id)
        return next((s for t, s in zip(traits, states, strict=True) if t.startswith("label;")), "")

    def owner(self, id: str) -> Owner | None:
        """Return who hides a counter, else who conceals it; None if it lies open."""
        tokens = read_tokens(*self.chains(id))
        token = tokens["hide"] or tokens["conceal"]
        return Owner(token) if token else None

    def laid_by(self, id: str) -> Owner | None:
        """Return who laid a "?"; None of another counter, and of one that nobody laid."""
        token = read_tokens(*self.chains(id))["concealment"]
        return Owner(token) if token else None

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
        self._set_states(id, {n: state for n, state in new.items() if _differs(states[n], state)})

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
        self._stacks[stack] = self._append(f"{PIECE}{encode_part(stack, '/')}/stack/;")
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
        number = unique_field(state)
        if number is not None:
            state = replace_parts(state, ";", {number: copy})
        text = self._pieces[id].text.removeprefix(PIECE)
        text = replace_parts(text, "/", {0: copy}, 3)
        self._pieces[copy] = self._append(PIECE + text)
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
        number = unique_field(last)
        if number is not None:
            last = replace_parts(last, ";", {number: id})
        last = replace_parts(last, ";", dict(enumerate(map(str, target))))
        parts = (id, type, join_chain([*states[:-1], last]))
        self._pieces[id] = self._append(PIECE + "/".join(encode_part(p, "/") for p in parts))
        self._touched.add(id)
        return id

    # -- the scenario ------------------------------------------------------------------

    @property
    def environment(self) -> dict[str, int]:
        """Return the numbers of the fields of weather, wind and Night; none in older VASL."""
        info = (command.text for command in self._root.leaves() if command.text.startswith(_INFO))
        count = max((len(open_info(text)) for text in info), default=0)
        names = list(facts().scenario_info)
        first = count - len(names)
        return {name: first + n for n, name in enumerate(names)} if count > _OPEN_SAVE else {}

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


def _differs(state: str, new: str) -> bool:
    """Return whether a state that hides a counter says anything else than a new one."""
    return split(state, ";", 2)[0] != split(new, ";", 2)[0]


_INFO = "INFO\t"
_OPEN_SAVE = 7
"""Of the scenario's facts: who moves first, whose turn, the turn, and each side's ELR and SAN."""
_MAX_FACT = 20  # letters; a name of a side or a number


def open_info(command: str) -> list[str]:
    """Return the facts of Scenario Info that both sides know, without the players' notes.

    Newer VASL has Booby Traps, weather, EC, wind, Night and NVR behind them; what is none of the
    values that it offers there may be a note.
    """
    fields = split(command.removeprefix(_INFO), "\t")
    traps = ("", *facts().booby_traps)
    behind = [traps, traps, *facts().scenario_info.values()]
    values = fields[_OPEN_SAVE : _OPEN_SAVE + len(behind)]
    pairs = zip(values, behind, strict=False)
    is_newer = len(values) == len(behind) and all(
        value.strip() in offered for value, offered in pairs
    )
    return fields[: _OPEN_SAVE + (len(behind) if is_newer else 0)]


def empty_save(base: SaveEditor) -> SaveEditor:
    """Return a save without counters, of what both sides may know of a base save."""
    commands: list[str] = []
    for command in parse_commands(base.text()).leaves():
        if command.text.startswith(_INFO):
            fields = open_info(command.text)
            commands = [
                _INFO + "\t".join(field[:_MAX_FACT] for field in fields if field.isprintable())
            ]
    commands += [f"GlobalProperty\t;{name};0;Casualties" for name in _bin_totals(base)]
    parts = ["begin_save", ESC, *commands, base.boards, "end_save"]
    text = ESC.join(encode(part, ESC) for part in parts)
    return SaveEditor(new_archive(base.archive, text, base.name), text, base.name)


def _bin_totals(base: SaveEditor) -> list[str]:
    """Return the totals of the Casualties Bin that a save keeps."""
    return [name for name in facts().casualties if f"GlobalProperty\t;{name};" in base.text()]
