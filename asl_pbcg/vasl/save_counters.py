"""The counters of a save: what is printed on each, where it lies, in which order stacks lie.

Who may look at a hidden or concealed counter a save tells by the player's password, in clear. Here
it becomes the number of a player and goes no further: it is in no message and no file.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import msgspec

from asl_pbcg.vasl.archive import DamagedSave, chain, chain_of_type, commands, split

MAPS = ("Main Map", "Map0")
MAX_COUNTERS = 4000  # a campaign scenario has about 300
MAX_LETTERS = 256 * 1024  # letters of one command; a vehicle has about 6,000
MAX_PIXEL = 100_000  # pixels; no map is larger
_NULL = ("null", "")
Players = dict[str, int]
"""The number of each player by the password in the save. It is secret."""
_PROPERTY = "GlobalProperty\t;"
_MAX_PROPERTIES = 500  # a save of VASL 6.6 has about 60


class SaveCounter(msgspec.Struct, frozen=True):
    """One counter on the map, as VASL's players see it.

    ``name`` is what its uppermost layer says, ``beneath`` what the layers under that one say (a
    minefield's strength under its blank side), ``states`` what layers add to it: broken, vca3.
    """

    number: int
    """Its place in the save, from 0."""
    base: str
    name: str
    nation: str
    """br or ge, as the folder of its pictures is called; empty if none tells."""
    gpid: str
    x: int
    y: int
    beneath: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    turned: int | None = None
    """How many sixths of a circle its picture is turned."""
    hidden: bool = False
    """Whether it is HIP."""
    concealed: bool = False
    conceals: str = ""
    """Of a "?": the nation whose counters beneath it are concealed."""
    player: int = -1
    """The player who hides or conceals it, or whose "?" it is, by a number of the reader's own;
    -1 if it lies open. Which side that is, ``hiders.py`` says."""
    stack: int = -1
    """The stack it lies in, from 0; -1 if it lies by itself."""
    depth: int = 0
    """How many counters lie beneath it in the stack."""

    def says(self, name: str) -> bool:
        """Return whether a layer adds ``name``."""
        return name in self.states


class Save(msgspec.Struct, frozen=True):
    """The useful contents of a save: counters in the order they lie, and its boards."""

    counters: tuple[SaveCounter, ...]
    boards: str
    ids: tuple[str, ...] = ()
    """The id of each counter in the save, in the same order: for whoever edits it."""
    numbers: dict[str, int] = {}
    """The global properties of the module that are whole numbers, by name."""


def read_counters(text: str) -> Save:
    """Return all counters on the map of a save's ``text``. Raises NoSave for what is damaged."""
    counters: dict[str, SaveCounter] = {}
    stacks: list[list[str]] = []
    boards = ""
    numbers: dict[str, int] = {}
    players: Players = {}
    for command in commands(text):
        if command.startswith("+/"):
            if len(command) > MAX_LETTERS:
                raise DamagedSave("a counter in it is far too long")
            _add(command, counters, stacks, players)
            if len(counters) > MAX_COUNTERS:
                raise DamagedSave("it holds far more counters than any map")
        elif command.startswith("bd\t") and command.strip() != "bd":
            boards = command
        elif command.startswith(_PROPERTY) and len(numbers) < _MAX_PROPERTIES:
            _, name, value, *_ = *split(command, ";", 3), "", ""
            number = whole_number(value)
            if number is not None:
                numbers[name[:60]] = number
    placed = dict(counters)
    for number, ids in enumerate(stacks):
        for depth, id in enumerate(child for child in ids if child in counters):
            placed[id] = msgspec.structs.replace(counters[id], stack=number, depth=depth)
    return Save(tuple(placed.values()), boards, tuple(placed), numbers)


def _add(
    command: str, counters: dict[str, SaveCounter], stacks: list[list[str]], players: Players
) -> None:
    parts = split(command[2:], "/", 3)
    if len(parts) < 3:
        return
    id, kind, state = parts[:3]
    if kind == "stack":
        where = split(state, ";", MAX_COUNTERS)
        if where[0] in MAPS:
            stacks.append([child for child in where[3:] if not child.startswith("@@")])
        return
    counter = read_counter(len(counters), chain_of_type(kind), chain(state), players)
    if counter is not None:
        counters[id] = counter


def read_counter(
    number: int, traits: list[str], states: list[str], players: Players
) -> SaveCounter | None:
    """Return the counter of a chain of traits, outermost first; None if it is on no map."""
    if len(traits) != len(states) or not traits[-1].startswith("piece;"):
        return None
    where = split(states[-1], ";", 8)
    if len(where) < 3 or where[0] not in MAPS:
        return None
    x, y = whole_number(where[1]), whole_number(where[2])
    if x is None or y is None or max(abs(x), abs(y)) > MAX_PIXEL:
        return None
    piece = split(traits[-1], ";", 8)
    base = piece[4].strip() if len(piece) > 4 else ""
    pictures = [piece[3]] if len(piece) > 3 else []
    names, added = [base], list[str]()
    fields: dict[str, object] = {}
    nation = ""
    for trait, state in zip(reversed(traits[:-1]), reversed(states[:-1]), strict=True):
        kind, _, fields_text = trait.partition(";")
        if kind == "emb2":
            _layer(trait, state, names, added, pictures)
        elif kind == "rotate":
            turned = whole_number(state)
            if turned is not None:
                fields["turned"] = turned % 6
        elif kind == "conceal":
            nation = nation or _field(fields_text, 2)
        elif kind == "concealment":
            fields["conceals"] = _field(fields_text, 1)
    tokens = read_tokens(traits, states)
    named = next(filter(None, tokens.values()), "")
    return SaveCounter(
        number=number,
        base=base[:60],
        name=names[-1][:60],
        nation=(nation or _folder(pictures))[:8],
        gpid=(where[3] if len(where) > 3 else "")[:20],
        x=x,
        y=y,
        beneath=tuple(name[:60] for name in names[:-1]),
        states=tuple(dict.fromkeys(word[:60] for word in added)),
        hidden=bool(tokens["hide"]),
        concealed=bool(tokens["conceal"]),
        player=players.setdefault(named, len(players)) if named else -1,
        **fields,  # type: ignore[arg-type]
    )


def read_tokens(traits: list[str], states: list[str]) -> dict[str, str]:
    """Return the passwords by which a counter is hidden, concealed, or a "?" is laid. Secret."""
    tokens = {"hide": "", "conceal": "", "concealment": ""}
    for trait, state in zip(reversed(traits), reversed(states), strict=True):
        kind, _, settings = trait.partition(";")
        token = ""
        if kind == "hide":
            token = "" if state.split(";")[0] in _NULL else state
        elif kind in ("conceal", "obs"):
            kind, token = "conceal", split(state, ";", 2)[0]
        elif kind == "concealment":
            token = _field(settings, 0)
        if kind in tokens:
            tokens[kind] = "" if token in _NULL else token
    return tokens


def _layer(trait: str, state: str, names: list[str], added: list[str], pictures: list[str]) -> None:
    """Read what one layer says: another name, or something besides the name."""
    level = whole_number(state.partition(";")[0])
    layer = _parse_layer(trait)
    if layer is None or level is None or level < 1:
        return
    listed, shown = layer
    if level <= len(shown):
        pictures.append(shown[level - 1])
    if level > len(listed) or listed[level - 1] is None:
        return
    word, adds = listed[level - 1] or ("", True)
    if not adds:
        names.append(word)
    elif word:
        added.append(word)


@lru_cache(maxsize=2000)  # like counters have like layers; there is no secret in them
def _parse_layer(trait: str) -> tuple[list[tuple[str, bool] | None], list[str]] | None:
    """Return the words of a layer's levels and their pictures; None where no state tells it."""
    parts = split(trait, ";", 30)
    if len(parts) < 18 or (len(parts) > 22 and parts[22] == "true"):
        return None  # its level follows a property
    names = split(parts[17], ",", 100)
    return [layer_word(name) if name else None for name in names], split(parts[16], ",", 100)


def layer_word(name: str) -> tuple[str, bool]:
    """Return the word of a layer's name, and whether it adds to the name beneath it."""
    parts = split(name, "+", 10)
    if len(parts) == 1:
        return parts[0].strip(), False
    return "+".join(part for part in parts if part).strip(" :"), True


def _field(text: str, number: int) -> str:
    parts = split(text, ";", number + 1)
    return parts[number] if number < len(parts) else ""


def _folder(pictures: Iterable[str]) -> str:
    """Return the nation by the folder of the pictures: ``br/br648S`` is British."""
    for picture in pictures:
        folder, slash, _ = picture.partition("/")
        if slash and len(folder) == 2 and folder.islower():
            return folder
    return ""


def whole_number(text: str) -> int | None:
    """Return the number that a field holds, or None if it is not a whole number."""
    text = text.strip()
    digits = text[1:] if text[:1] == "-" else text
    return int(text) if digits.isascii() and digits.isdecimal() and len(digits) < 10 else None
