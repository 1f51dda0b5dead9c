"""Keys and layers of a counter: what a key that a player presses does to its state.

A trait ``emb2`` is a layer. It exists in two versions, side by side on one counter. In version 1
the state is the level, negative while the layer is off, and one key turns it on and off. In version
0 the state is the level and the keys pressed so far, and the layer is on only while all of its keys
are pressed: a broken half-squad has both the key of the half-squad and the key of broken.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import product

import msgspec

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.vasl.archive import encode, split
from asl_pbcg.vasl.save_counters import (
    MAPS,
    SaveCounter,
    layer_word,
    read_counter,
    whole_number,
)

MAX_LEVELS = 100
Stroke = tuple[int, int, str]
"""A key as the number of its letter, the keys held down with it, and a name some have."""
_NONE: Stroke = (0, 0, "")
_ALL = 40  # fields of a layer; newer versions have a few more than thirty


class CannotEdit(PBCGError):
    """A change of a save that is not possible; ``str(error)`` says why and names no secret."""


def read_stroke(text: str) -> Stroke:
    """Return a key written as ``70,130`` (Ctrl-F); older numbers of Ctrl and others are the same.

    A text that is not a key gives a stroke that no layer has.
    """
    code, _, tail = text.partition(",")
    held, _, name = tail.partition(",")
    number = whole_number(code)
    return _NONE if not number else (number, _key_bits(held), name)


def _key_bits(text: str) -> int:
    """Return the keys held down (Shift, Ctrl, Meta, Alt) as bits; each has two numbers."""
    bits = whole_number(text) or 0
    return (bits & 0b1111) | (bits >> 6 & 0b1111)


class Layer(msgspec.Struct, frozen=True):
    """One layer of a counter, with the keys it obeys."""

    words: tuple[str, ...]
    """The word of each level, as the reader has it: ``broken``."""
    levels: int
    keys: str
    """Of version 0: the letters that must all be pressed."""
    strokes: tuple[Stroke, ...]
    """Of version 0 one for each of the keys, else the one that turns the layer on and off."""
    up: tuple[Stroke, ...]
    down: tuple[Stroke, ...]
    reset: Stroke
    reset_level: int | None
    random: Stroke
    loops: bool
    is_old: bool

    @classmethod
    @lru_cache(maxsize=2000)  # like counters have like layers; there is no secret in them
    def of(cls, trait: str) -> Layer | None:
        """Return the layer that a trait is, or None for a trait of another kind."""
        if not trait.startswith("emb2;"):
            return None
        fields = split(trait, ";", _ALL)
        fields += [""] * (_ALL - len(fields))
        pictures, names = (split(fields[n], ",", MAX_LEVELS) for n in (16, 17))
        is_old = fields[25] != "1"
        follows = fields[22] == "true"

        def letters(number: int) -> tuple[Stroke, ...]:
            held = _key_bits(fields[number - 1])
            return tuple((ord(key), held, "") for key in fields[number])

        def strokes(old: int, new: int) -> tuple[Stroke, ...]:
            return letters(old) if is_old else (read_stroke(fields[new]),)

        always = fields[26] == "true" and not is_old
        return cls(
            words=tuple(layer_word(name)[0] for name in names),
            levels=max(len(pictures), len(names)),
            keys=fields[3] if is_old else "",
            strokes=() if always else strokes(3, 27),
            up=() if follows else strokes(6, 28),
            down=() if follows else strokes(9, 29),
            reset=_NONE if follows else read_stroke(fields[11]),
            reset_level=whole_number(fields[12]),
            random=_NONE if follows else read_stroke(fields[20]),
            loops=fields[18] != "false",
            is_old=is_old,
        )

    def all_strokes(self) -> tuple[Stroke, ...]:
        """Return the keys that change the layer, without the one that draws a level at random."""
        every = (*self.strokes, *self.up, *self.down, self.reset)
        return tuple(dict.fromkeys(stroke for stroke in every if stroke != _NONE))

    def press(self, state: str, stroke: Stroke) -> str:
        """Return the state after a key was pressed. Raises CannotEdit for a key that rolls."""
        if stroke == _NONE or stroke not in (*self.all_strokes(), self.random):
            return state
        number, _, keys = state.partition(";")
        value = whole_number(number)
        if value is None:
            raise CannotEdit("A layer of the counter has no level: its keys cannot be pressed.")
        if stroke == self.random:
            raise CannotEdit("The key draws a level at random: it can only be pressed in VASL.")
        if self.is_old:
            if ";" not in state:
                keys = self.keys if value > 0 else ""
            if stroke in self.strokes:
                key = self.keys[self.strokes.index(stroke)]
                keys = keys.replace(key, "", 1) if key in keys else keys + key
                value = abs(value) if len(keys) == len(self.keys) else -abs(value)
        elif stroke in self.strokes:
            value = -value
        level = abs(value)
        if stroke in self.up:
            level = level + 1 if level < self.levels else (1 if self.loops else self.levels)
        if stroke in self.down:
            level = level - 1 if level > 1 else (self.levels if self.loops else 1)
        value = level if value > 0 else -level
        if stroke == self.reset and self.reset_level is not None:
            level = min(max(abs(self.reset_level), 1), self.levels)
            value = level if self.reset_level > 0 else -level
        return f"{value};{keys}" if self.is_old or ";" in state else str(value)


def press(traits: list[str], states: list[str], stroke: Stroke) -> dict[int, str]:
    """Return the states that a key changes on a counter, by the number of the trait."""
    changed: dict[int, str] = {}
    for number, (trait, state) in enumerate(zip(traits, states, strict=True)):
        layer = Layer.of(trait)
        after = layer.press(state, stroke) if layer else state
        if after != state:
            changed[number] = after
    return changed


def read_states(traits: list[str], states: list[str]) -> SaveCounter:
    """Read a counter wherever it lies. Raises CannotEdit for one that is not understood."""
    gpid = [*split(states[-1], ";", 4), "", "", "", ""][3]
    counter = read_counter(0, traits, [*states[:-1], f"{MAPS[0]};0;0;{encode(gpid, ';')}"], {})
    if counter is None:
        raise CannotEdit("The counter is damaged or not of a kind that can be changed.")
    return counter


def words_of(traits: list[str]) -> frozenset[str]:
    """Return the words that a counter can say: those of its layers and its own name."""
    own = [*split(traits[-1], ";", 8), "", "", "", ""][4].strip()
    layers = (layer for layer in map(Layer.of, traits) if layer)
    return frozenset((own, *(word for layer in layers for word in layer.words)))


def has_key(traits: list[str], word: str) -> bool:
    """Return whether a key changes a layer of a counter that has a word."""
    layers = (layer for layer in map(Layer.of, traits) if layer and word in layer.words)
    return any(layer.all_strokes() for layer in layers)


def turn(
    traits: list[str], states: list[str], word: str, on: bool = True, beneath: bool = False
) -> list[str]:
    """Return the states of a counter that was flipped until it says ``word``, or until not.

    The key is found in the layer that has the word. Where several keys do it, the one that
    changes least of what else the counter says is pressed. Where none does it alone, several keys
    are pressed that change nothing else: of that layer, then of all that lie over it. With
    ``beneath`` it is enough that the word lies under another layer. Raises CannotEdit.
    """
    before = read_states(traits, states)
    if _says(before, word, beneath) is on:
        return states
    best: tuple[int, int] | None = None
    result = states
    layers = [layer for layer in map(Layer.of, reversed(traits)) if layer]
    own = [layer for layer in layers if word in layer.words]
    alike = {name for layer in own for name in layer.words}
    for stroke in _strokes(own):
        trial = states
        for presses in range(max(layer.levels for layer in own)):
            changed = press(traits, trial, stroke)
            trial = [changed.get(number, state) for number, state in enumerate(trial)]
            after = read_states(traits, trial)
            if _says(after, word, beneath) is on:
                cost = (len((_words(before) ^ _words(after)) - alike), presses)
                if best is None or cost < best:
                    best, result = cost, trial
                break
    if best is not None:
        return result

    def fits(trial: list[str]) -> bool:
        after = read_states(traits, trial)
        renamed = {before.name, after.name} if word in (before.name, after.name) else set[str]()
        side_effects = (_words(before) ^ _words(after)) - alike - renamed
        return _says(after, word, beneath) is on and not side_effects

    for keys in (_strokes(own), _strokes(layers)):
        if (solution := _press_several(traits, states, keys, fits)) is not None:
            return solution
    raise CannotEdit(f'The counter has no key that turns "{word}" {"on" if on else "off"}.')


def _strokes(layers: list[Layer]) -> tuple[Stroke, ...]:
    return tuple(dict.fromkeys(key for layer in layers for key in layer.all_strokes()))


_MAX_PRESSES = 5
_MAX_TRIALS = 300


def _press_several(
    traits: list[str],
    states: list[str],
    strokes: Sequence[Stroke],
    fits: Callable[[list[str]], bool],
) -> list[str] | None:
    """Return the states after as few keys as it takes until they fit; None if none do."""
    tried, last = {tuple(states)}, [states]
    for _ in range(_MAX_PRESSES):
        trials = []
        for before, stroke in product(last, strokes):
            try:
                changed = press(traits, before, stroke)
            except CannotEdit:
                continue
            after = [changed.get(number, state) for number, state in enumerate(before)]
            if tuple(after) in tried:
                continue
            if fits(after):
                return after
            tried.add(tuple(after))
            trials.append(after)
            if len(tried) > _MAX_TRIALS:
                return None
        last = trials
    return None


def _says(counter: SaveCounter, word: str, beneath: bool) -> bool:
    return counter.says(word) or counter.name == word or (beneath and word in counter.beneath)


def _words(counter: SaveCounter) -> set[str]:
    return {counter.name, *counter.states}
