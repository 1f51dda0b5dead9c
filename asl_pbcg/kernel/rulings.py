"""Rulings and settings of every game: where its rules are open, what is played there and why.

``data/FOLDER/rulings.yaml`` is the register of a game, a :class:`Ruling` for each key; a point
that players do not choose is a :class:`Reading`. A ruling with ``choices`` is for the players to
decide when a game begins; where a game has a struct of settings, each field is such a decision,
and the field's type says which values it takes. A game file keeps the choices of its players and
nothing else.

A game needs a struct, a file and one line::

    class DropSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
        night: bool
        stacking_limit: Annotated[int, msgspec.Meta(ge=1, le=20)]
        chosen: tuple[str, ...] = ()

    DROP_RULINGS = Register("airborne", DropSettings)

    DROP_RULINGS.settings({"night": True})            # the defaults with a choice laid over them
    DROP_RULINGS.read_file(path, "pbcg-drop-settings/1")
    DROP_RULINGS.certainty("night", settings.chosen)  # "set by the players", or that of the data

Defaults stand in the file. A struct gives them too only where a stored state leaves them out; the
two must agree. Defaults that have changed since a game began are kept by ``earlier``, choices no
longer offered by ``replaced``.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar, cast

import msgspec

from asl_pbcg.kernel import struct_reader, textfiles
from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.reader import Reader, nearest, nearest_or_all, value_words
from asl_pbcg.kernel.typed_data import Check, DataFile, data_file, unless_known


class Reading(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A doubtful point, how it is read, and why."""

    rule: str
    question: str
    reading: str
    reason: str


SET_BY_PLAYERS = "set by the players"
MAX_NAMES = 200
"""How many names a setting with a value for each name may have."""


Certainty = Literal[
    "", "source", "recovered", "inferred", "house", "certain", "high", "medium", "reconstruction"
]


class Ruling(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A point that the rules leave open: the place, the question, what is played and why."""

    rule: str
    question: str
    why: str = ""
    id: str = ""
    """The number of the point in the register, where its key is the name of a setting."""
    kind: str = ""
    """Why the point is open: damaged print, a contradiction, unclear, found by the program."""
    reading: str = ""
    """The reading that is played where nothing is chosen."""
    choices: dict[Any, str] = {}
    """The values that players may choose, each with its meaning."""
    default: Any = None
    certainty: Certainty | dict[str, Certainty] = ""
    """How sure the default is; of a setting with a value for each name, name by name."""
    expects: str = ""
    """In words what a setting takes, where its type does not say it."""
    alternatives: tuple[str, ...] = ()
    names: Literal["", "fixed", "open"] = ""
    """Of a setting with a value for each name: "" replaces all of them, ``fixed`` only values of
    the names there are, ``open`` also takes new names."""
    per_event: bool = False
    """Whether the players are asked each time it matters."""
    earlier: dict[int, Any] = {}
    """The default up to an edition of the register; games begun with it keep it."""
    replaced: dict[Any, Any] = {}
    """Choices that earlier versions offered, and the nearest one that is offered now."""

    @property
    def is_settable(self) -> bool:
        """Whether the players choose from a list when a game begins."""
        return bool(self.choices)


S = TypeVar("S")


class Register(Mapping[str, Ruling], Generic[S]):
    """The rulings of one game by their keys, and the settings that its players choose.

    The file is read when it is first asked for; PBCGError says what is wrong with it.
    ``base`` is the register whose rulings hold where this one has none. ``check`` says which
    settings do not fit together: the key, and what would be right.
    """

    def __init__(
        self,
        folder: str,
        settings: type[S] | None = None,
        check: Check[S] | None = None,
        base: Register[Any] | None = None,
    ) -> None:
        self.struct = settings
        self.base = base
        self.check = check
        self.file: DataFile[dict[str, Ruling]] = data_file(
            f"{folder}/rulings.yaml", dict[str, Ruling], self._misfits
        )

    @cached_property
    def _rulings(self) -> dict[str, Ruling]:
        return {**dict(self.base or {}), **self.file.content}

    def __getitem__(self, key: str) -> Ruling:
        return self._rulings[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rulings)

    def __len__(self) -> int:
        return len(self._rulings)

    @cached_property
    def settable(self) -> Mapping[str, Ruling]:
        """The rulings that players choose from a list when a game begins, by their key."""
        return {key: ruling for key, ruling in self.items() if ruling.is_settable}

    # -- what is played ---------------------------------------------------------------------------

    def choice(self, chosen: Mapping[str, Any], key: str) -> Any:
        """Return what a game that stored ``chosen`` plays for ``key``."""
        return self.current_choice(key, chosen.get(key) or self[key].default)

    def current_choice(self, key: str, stored: Any) -> Any:
        """Return the choice played for a ``stored`` one, which may no longer be offered."""
        ruling = self.get(key)
        return ruling.replaced.get(stored, stored) if ruling else stored

    def settings(self, chosen: Mapping[str, Any], source: str = "The list of settings") -> S:
        """Return the defaults with ``chosen`` laid over them.

        Raises FaultsError with every fault: the setting, the value and what would be right.
        """
        reader = Reader(source)
        known = {name for name in self._types if name != "chosen"}
        values: dict[str, Any] = {}
        for key, value in chosen.items():
            if key not in known:
                reader.fault(key, "", f"is not a setting{nearest_or_all(key, known)}")
            else:
                self._read_value(reader, key, value, values)
        settings = self._complete(values)
        if not reader.faults and self.check:
            for key, wrong in self.check(settings):
                given = chosen.get(key)
                reader.fault(key, "" if isinstance(given, dict) else given, wrong)
        reader.raise_faults()
        return settings

    def _complete(self, values: Mapping[str, Any]) -> S:
        defaults = {key: value for key, value in self._defaults.items() if key not in values}
        if "chosen" in self._types:
            defaults["chosen"] = tuple(key for key in self if key in values)
        assert self.struct
        return self.struct(**defaults, **values)

    def _read_value(self, reader: Reader, key: str, value: Any, values: dict[str, Any]) -> None:
        """Put the value of one setting into ``values``, or note what is wrong with it."""
        ruling = self.get(key)
        if ruling and ruling.choices:
            match = [choice for choice in ruling.choices if _is_same(choice, value)]
            if match:
                values[key] = match[0]
            else:
                reader.fault(key, value, f"must be {_one_of(map(value_words, ruling.choices))}")
        elif ruling and ruling.names and not isinstance(value, dict):
            name, default = next(iter(ruling.default.items()))
            example = f"{{{name}: {choice_words(default)}}}"
            reader.fault(key, value, f"must have a value for each name, as {example}")
        elif ruling and ruling.names:
            own = {self.entry_name(str(name)): each for name, each in value.items()}
            for name in own if ruling.names == "fixed" else ():
                if name not in ruling.default:
                    hint = nearest_or_all(name, ruling.default)
                    reader.fault(f"{key}, {name}", "", f"is not a name of {key}{hint}")
            if len({**ruling.default, **own}) > MAX_NAMES:
                reader.fault(key, "", f"has too many names: at most {MAX_NAMES}")
            self._read(reader, key, {**ruling.default, **own}, values)
        else:
            self._read(reader, key, value, values)

    def _read(self, reader: Reader, key: str, value: Any, values: dict[str, Any]) -> None:
        """Read a value by the type of its field."""
        inner = struct_reader.StructReader(strict=True)
        values[key] = inner.value(value, struct_reader.type_of(self._types[key]), (key,))
        expects = self[key].expects if key in self else ""
        for where, quoted, wrong, _ in inner.faults:
            reader.fault(where, quoted, f"must be {expects}" if expects else wrong)

    def entry_name(self, name: str) -> str:
        """Return a name of a setting with a value for each name as the data writes it."""
        return name

    def certainty(self, name: str, chosen: Container[str]) -> str:
        """Return how sure the value of ``name`` (a key, or key.entry) is that is in force."""
        key, _, entry = name.partition(".")
        if key in chosen or name in chosen:
            return SET_BY_PLAYERS
        certainty = self[key].certainty
        return certainty if isinstance(certainty, str) else certainty.get(entry, "")

    # -- games begun with an earlier edition ------------------------------------------------------

    @cached_property
    def edition(self) -> int:
        """The edition of the register: one more than the last with another default somewhere."""
        return 1 + max((last for each in self.values() for last in each.earlier), default=0)

    def earlier_defaults(self, begun_with: int) -> dict[str, Any]:
        """Return the defaults, as they were, that have changed since edition ``begun_with``."""
        return {
            key: ruling.earlier[min(kept)]
            for key, ruling in self.items()
            if (kept := [last for last in ruling.earlier if last >= begun_with])
        }

    def replaced_choices(self, chosen: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
        """Yield of each stored choice that is no longer offered key, choice and its replacement."""
        for key, stored in chosen.items():
            ruling = self.get(key)
            if ruling and stored in ruling.replaced:
                yield key, stored, ruling.replaced[stored]

    # -- what players write -----------------------------------------------------------------------

    def read_typed(self, typed: Iterable[str], option: str) -> dict[str, Any]:
        """Read ``NAME=CHOICE`` as players type it after ``option``, a name or an id.

        Raises FaultsError with every fault.
        """
        reader = Reader("The command")
        kind = option.lstrip("-").replace("-", " ")
        chosen: dict[str, Any] = {}
        for item in typed:
            name, _, words = (part.strip() for part in item.partition("="))
            keys = self.keys_named(name)
            if len(keys) != 1:
                hint = nearest(name, self.settable, 0.3)
                which = f": say which, {' or '.join(keys)}" if keys else f' "{name}"{hint}'
                reader.fault(option, item, f"does not name a {kind}{which}")
                continue
            choices = {choice_words(choice): choice for choice in self.settable[keys[0]].choices}
            if words not in choices:
                reader.fault(option, item, f"must be {_one_of(choices)}")
            elif keys[0] in chosen:
                reader.fault(option, item, f"sets {keys[0]} twice")
            else:
                chosen[keys[0]] = choices[words]
        reader.raise_faults()
        return chosen

    def typed_choices(self, key: str) -> list[str]:
        """Return the choices of a ruling as players type them after ``NAME=``."""
        return [choice_words(choice) for choice in self.settable[key].choices]

    def keys_named(self, name: str) -> list[str]:
        """Return the keys of the settable rulings that go by ``name``, a key or an id."""
        keys = [key for key in self.settable if key.lower() == name.lower()]
        return keys or [
            key for key, ruling in self.settable.items() if ruling.id.lower() == name.lower()
        ]

    def read_file(self, path: Path, file_format: str) -> S:
        """Read a settings file of the players; ``format`` may be left out of it.

        Raises PBCGError if it cannot be read, FaultsError with every fault.
        """
        raw = textfiles.read_yaml_or_json(path)
        if not isinstance(raw, dict):
            raise PBCGError(
                f"{path} is not a settings file: write one setting a line, NAME: VALUE."
            )
        if raw.get("format", file_format) != file_format:
            reader = Reader(str(path))
            reader.fault("format", raw["format"], f"is another kind of file: write {file_format}")
            reader.raise_faults()
        return self.settings({key: raw[key] for key in raw if key != "format"}, str(path))

    # -- the file -----------------------------------------------------------------------------

    @cached_property
    def _types(self) -> dict[str, Any]:
        return {field.name: field.type for field in self._fields}

    @cached_property
    def _fields(self) -> tuple[msgspec.structs.FieldInfo, ...]:
        return msgspec.structs.fields(cast(Any, self.struct)) if self.struct else ()

    @cached_property
    def _defaults(self) -> dict[str, Any]:
        """The defaults of the file as values of the struct."""
        return {
            key: _convert(ruling.default, self._types[key])
            for key, ruling in self.items()
            if key in self._types
        }

    def _misfits(self, rulings: dict[str, Ruling]) -> Iterator[tuple[str, str]]:
        """Yield what does not fit together in the file: the key, and what would be right."""
        for key, ruling in rulings.items():
            if ruling.choices or (ruling.default and not self.struct):
                listed = [("default", ruling.default)]
                listed += [(f"replaced.{former}", now) for former, now in ruling.replaced.items()]
                listed += [(f"earlier.{last}", each) for last, each in ruling.earlier.items()]
                for place, choice in listed:
                    yield from unless_known(f"{key}, {place}", choice, ruling.choices, "choice")
            if self.struct and ruling.default is not None and key not in self._types:
                yield from unless_known(key, key, self._types, "setting")
            elif key in self._types:
                for fault in struct_reader.find_faults(ruling.default, self._types[key]):
                    place = ", ".join(filter(None, (key, "default", fault.where)))
                    yield place, str(fault._replace(where=""))
        for field in self._fields:
            if field.name in rulings:
                default = rulings[field.name].default
                if not (field.required or _is_same(field.default, default)):
                    yield f"{field.name}, default", f"the program has {value_words(field.default)}"
            elif field.required:
                yield field.name, "the setting is missing"


def choice_words(choice: Any) -> str:
    """Return a choice as players write it: yes and no for true and false."""
    return {True: "yes", False: "no"}[choice] if isinstance(choice, bool) else str(choice)


def _one_of(choices: Iterable[str]) -> str:
    return f"one of: {', '.join(choices)}"


def _is_same(choice: Any, value: Any) -> bool:
    """Return whether a value is that choice; 1 and true are different."""
    return bool(choice == value) and type(choice) is type(value)


def _convert(value: Any, kind: Any) -> Any:
    """Convert plain data; keys of a map are text in JSON and in what is stored."""
    return msgspec.convert(value, kind, str_keys=isinstance(value, dict))


def find_rulings(
    words: Sequence[str], listed: Sequence[tuple[str, str, Ruling]]
) -> list[tuple[str, str, Ruling]]:
    """Return the rulings that go by an id, else by a rule number, else those with all words.

    A ruling is listed as the game it is of, its key and itself.
    """
    word = _plain(" ".join(words))
    by_id = [each for each in listed if word in (_plain(each[1]), _plain(each[2].id))]
    if by_id:
        return by_id
    looks_like_a_rule = any(letter.isdigit() for letter in word) or "-" in words[0]
    by_rule = [each for each in listed if word in _plain(each[2].rule)]
    if looks_like_a_rule and by_rule:
        return by_rule
    parts = [part.lower() for part in words]
    return [each for each in listed if all(part in _text(*each[1:]) for part in parts)]


def _plain(word: str) -> str:
    """Return a word as ids and rule numbers are compared: C14 is C-14."""
    return word.lower().replace("-", "").replace("_", "")


def _text(key: str, ruling: Ruling) -> str:
    """Return everything that is written of a ruling, in small letters."""
    choices = (f"{choice_words(value)} {words}" for value, words in ruling.choices.items())
    parts = (key, ruling.id, ruling.rule, ruling.question, ruling.reading, ruling.why, *choices)
    return " ".join(parts).lower()
