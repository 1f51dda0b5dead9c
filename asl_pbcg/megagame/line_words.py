"""The umpire's words: short, in any order, each understood by what it can mean in that line.

``fire 6 rifles elite at 8 green hard 10in`` says who fires with what, at whom, and how far.
Words before ``at`` speak of the one who acts, words after it of the target.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Literal

import msgspec

from asl_pbcg.kernel.errors import IllegalAnswer
from asl_pbcg.kernel.reader import nearest, plain_dashes
from asl_pbcg.kernel.typed_data import data_file, unless_known
from asl_pbcg.megagame.game_table import REMOVED, STATE_WORDS, Table, TableUnit, kind_of
from asl_pbcg.megagame.line_content import DescribedUnit, LineContent
from asl_pbcg.megagame.mega_settings import MEGA_RULINGS, UmpireSettings, plain_word, spell_out

MAX_NUMBER: Final = 1000
MAX_NAME: Final = 40
_INCHES: Final = re.compile(r"(\d+(?:\.\d+)?)\s*(?:in|inch|inches|\"|'')")
_COUNT: Final = re.compile(r"x?(\d+)x?")
_MM: Final = re.compile(r"(\d+)mm")
_GUN: Final = re.compile(r"(light|heavy)[:@]?(\d*)")
_GROUP: Final = re.compile(r"(\d+):?([a-z]*)")


@dataclass(frozen=True, slots=True)
class Grammar:
    """The words that one kind of line may have.

    ``start`` is the part the line begins with and ``number`` what a bare number means in each
    part; ``knows`` names the kinds of words it takes; a line without ``who`` names no units.
    """

    start: str
    number: Mapping[str, str]
    knows: tuple[str, ...]


_SHELLS: Final = ("calibre", "bomb", "cover", "who")
_FIRE: Final = Grammar(
    "by", {"by": "count", "at": "at.figures"}, ("weapon", "cover", "who", "shot")
)
_BARRAGE: Final = {"about": "calibre", "at": "at.figures"}
GRAMMARS: Final[Mapping[str, Grammar]] = {
    "barrage": Grammar("about", _BARRAGE, _SHELLS),
    "air": Grammar("about", _BARRAGE, (*_SHELLS, "flak")),
    "flak": Grammar("flak", {}, ("flak",)),
    "fire": _FIRE,
    "ambush": _FIRE,
    "armour": Grammar("about", {"about": "hits"}, ("anti_armour", "weapon", "who", "facing")),
    "assault": Grammar("by", {"by": "contact"}, ("who", "distance")),
    "morale": Grammar("about", {"about": "at.figures"}, ("who", "edge")),
    "unit": Grammar("about", {"about": "at.figures"}, ("who", "side")),
    "set": Grammar("about", {"about": "at.figures"}, ("who", "side", "state")),
    "move": Grammar("names", {}, ("names",)),
}
_FACING: Final = {"flank": "flank", "rear": "flank"}
_FLAGS: Final[Mapping[str, Mapping[str, str]]] = {
    "shot": {
        "building": "building",
        "bldg": "building",
        "house": "building",
        "short": "short",
        "moved": "moved",
        **_FACING,
    },
    "facing": _FACING,
}
"""Words that stand for themselves, by the kind of word."""

Meanings = dict[str | int, str]


class LineWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``data/megagame/words.yaml``: of each kind of word what it means."""

    quality: Meanings
    side: Meanings
    cover: Meanings
    bomb: Meanings
    flak: Meanings
    anti_armour: Meanings
    weapon: Meanings
    vehicle: Meanings
    calibre: dict[str | int, int | Literal["rocket"]]


_NAMES_IN: Final = {"weapon": "weapon_dice", "vehicle": "armour_class"}


def _check_words(words: LineWords) -> Iterator[tuple[str, str]]:
    for kind, key in _NAMES_IN.items():
        for word, meaning in getattr(words, kind).items():
            names = MEGA_RULINGS[key].default
            yield from unless_known(f"{kind}.{word}", meaning, names, kind)


WORDS: Final = data_file("megagame/words.yaml", LineWords, _check_words)


@cache
def _vocabulary(kind: str) -> Mapping[str, Any]:
    return {str(word): value for word, value in getattr(WORDS.content, kind, {}).items()}


def vocabulary(kind: str, settings: UmpireSettings) -> dict[str, Any]:
    """Return every word of one kind and what it means, the umpire's own names among them."""
    words = dict(_vocabulary(kind))
    if kind in _NAMES_IN:
        words |= {name: name for name in settings.whole(_NAMES_IN[kind])}
    return words


_NUMBERS: Final = {
    "count": "number of firers",
    "figures": "number of figures",
    "contact": "number of figures",
    "hits": "number of hits",
}


def whole_number(word: str, label: str, most: int = MAX_NUMBER) -> int:
    """Read a whole number from 0 to ``most``; raises IllegalAnswer."""
    if not re.fullmatch(r"\d{1,6}", word.strip()) or int(word) > most:
        raise IllegalAnswer(f'"{word}" is not a {label}: it is a whole number from 0 to {most}.')
    return int(word)


def inches(word: str) -> float:
    """Read a distance in inches, ``3`` or ``3.5``; raises IllegalAnswer."""
    bare = word.strip()
    if not re.fullmatch(r"\d{1,6}(\.\d{1,2})?", bare) or float(bare) > MAX_NUMBER:
        right = f"it is inches from 0 to {MAX_NUMBER}, as 3 or 3.5"
        raise IllegalAnswer(f'"{word}" is not a distance: {right}.')
    distance = float(bare)
    return int(distance) if distance.is_integer() else distance


def read_words(do: str, words: Iterable[str], table: Table, content: LineContent) -> None:
    """Read the ``words`` of a line of the kind ``do`` at ``table`` into ``content``.

    Raises IllegalAnswer for a word that means nothing there, with the nearest ones.
    """
    if do == "house":
        _read_fight(list(map(plain_dashes, words)), content)
    elif do in GRAMMARS:
        _WordReader(do, list(map(plain_dashes, words)), table, content).read()
    else:
        content.text = " ".join(words)


def read_option(key: str, text: str, table: Table, content: LineContent) -> None:
    """Read what an option says of ``key``: a name, a number or a word. Raises IllegalAnswer."""
    text = plain_dashes(text)
    kind, plain = key.rpartition(".")[2], plain_word(text)
    vehicles = vocabulary("vehicle", table.settings)
    if kind in ("quality", "cover", "weapon"):
        words = vocabulary(kind, table.settings)
        if plain not in words:
            most = f"; known are {', '.join(dict.fromkeys(map(str, words.values())))}"
            raise IllegalAnswer(f'"{text}" is not a {kind}{nearest(plain, words) or most}.')
        content.put(key, words[plain])
    elif kind == "name":
        unit = table.find_begun(text)
        if unit is None and key == "at.name" and plain in vehicles:
            content.put("at.vehicle", vehicles[plain])
        else:
            content.put(key, unit.name if unit else text)
    elif kind == "guns":
        gun, _, distance = text.partition(":")
        if plain_word(gun) not in ("light", "heavy"):
            raise IllegalAnswer(f'"{text}" is not flak: write light:20 or heavy:30.', "Flak")
        content.put(key, (plain_word(gun), inches(distance) if distance else None))
    else:
        bare = re.sub(r'\s*(in|mm|")$', "", text.lower())
        far = kind in ("distance", "edge")
        content.put(key, inches(bare) if far else whole_number(bare, _NUMBERS.get(kind, kind)))


class _WordReader:
    """Reads a line word by word; ``part`` is what the words speak of now."""

    def __init__(self, do: str, words: list[str], table: Table, content: LineContent) -> None:
        self.do = do
        self.grammar = GRAMMARS[do]
        self.words = words
        self.table = table
        self.content = content
        self.part = self.grammar.start
        self.place = 0

    def read(self) -> None:
        if self.do in ("unit", "set") and self.words:
            self._read_first_name()
        while self.place < len(self.words):
            read = self._read_keyword() or self._read_listed_name() or self._read_word()
            if not read and not self._read_quoted_name():
                self._refuse(self.words[self.place])

    @property
    def who(self) -> str:
        """Return of which unit the words speak now: ``by`` or ``at``."""
        return "by" if self.part == "by" else "at"

    def _take(self, words: int = 1) -> str:
        taken = " ".join(self.words[self.place : self.place + words])
        self.place += words
        return taken

    def _words_from(self, words: int) -> str:
        return " ".join(self.words[self.place : self.place + words])

    # -- names ------------------------------------------------------------------------

    def _read_first_name(self) -> None:
        """Read the name a line about one unit begins with, known or new, of one word or more."""
        if self.do == "set" and self._read_listed_name():
            return
        name = [self._take()]
        while self.place < len(self.words):
            word = self.words[self.place]
            if self._meanings(word) or _COUNT.fullmatch(word.lower()):
                break
            name.append(self._take())
        self.content.put("at.name", " ".join(name))

    def _read_keyword(self) -> bool:
        """Read ``at``, ``by``, ``vs``, ``flak`` or ``@``, and the name that may follow."""
        word = self.words[self.place]
        if self.part == "names":
            return False
        if word.startswith("@") and len(word) > 1:
            self.words[self.place] = word[1:]
        elif word.lower() in ("at", "by", "vs") and self.place + 1 < len(self.words):
            self.place += 1
        elif word.lower() == "flak" and "flak" in self.grammar.knows:
            self.place += 1
            self.part = "flak"
            return True
        else:
            return False
        # What follows is a name, unless it is a word that says something else.
        self.part = "by" if word.lower() == "by" else "at"
        if not self._read_listed_name(True) and not self._read_word():
            self.content.put(f"{self.who}.name", self._take())
        return True

    def _read_listed_name(self, after_keyword: bool = False) -> bool:
        """Read a unit of the table, also one whose name has several words or is only begun."""
        for length in range(len(self.words) - self.place, 0, -1):
            name = self._words_from(length)
            unit = self.table.find(name)
            again = unit and unit.name == getattr(self.content, self.who).name
            if unit and not (again and self._meanings(name)):
                return self._put_name(unit.name, length, after_keyword)
        begun = self._begun_name()
        if begun:
            return self._put_name(*begun, after_keyword)
        word = self.words[self.place]
        if _COUNT.fullmatch(word.lower()) or _INCHES.fullmatch(word.lower()):
            return False
        units = self.table.all_beginning_with(word)
        meanings = self._meanings(word)
        if meanings:
            # "Sherman" is a kind of vehicle, but at a table with a Sherman it is that one.
            pair = self._words_from(2)
            if self.do in ("unit", "set") or (pair != word and self._meanings(pair)):
                return False
            if not all(key.endswith(".vehicle") for key, _ in meanings):
                return False
            units = [unit for unit in units if unit.vehicle]
        if len(units) > 1:
            names = " or ".join(unit.name for unit in units)
            raise IllegalAnswer(f'"{word}" may be {names}: say which.')
        return bool(units) and self._put_name(units[0].name, 1, after_keyword)

    def _begun_name(self) -> tuple[str, int] | None:
        """Return a name that several words without quotes begin, and how many words they are.

        A number that is not needed to tell the unit from others counts what fires.
        """
        first = self.words[self.place]
        if self._meanings(first) or _COUNT.fullmatch(first.lower()):
            return None
        for length in range(len(self.words) - self.place, 1, -1):
            units = self.table.all_beginning_with(self._words_from(length))
            last = self.words[self.place + length - 1].lower()
            shorter = self.table.all_beginning_with(self._words_from(length - 1))
            idle = _COUNT.fullmatch(last) and len(shorter) == 1
            if len(units) == 1 and not idle:
                return units[0].name, length
        return None

    def _read_quoted_name(self) -> bool:
        """Read several words in quotes: a name, also one that is new here."""
        word = self.words[self.place]
        takes_names = {"who", "names"} & set(self.grammar.knows)
        return " " in word and bool(takes_names) and self._put_name(word, 1, False)

    def _put_name(self, name: str, words: int, after_keyword: bool) -> bool:
        """Note a unit's name that takes up so many words."""
        if self.part == "names":
            self.content.put("names", name)
        else:
            content = self.content
            acts = not content.by.is_blank or content.weapon or content.count is not None
            if self.part == "by" and acts and not after_keyword and not self._target_follows():
                # The unit that acts is named first; a name that comes later is the target's.
                self.part = "at"
            content.put(f"{self.who}.name", name)
        self.place += words
        return True

    # -- words that mean something ----------------------------------------------------

    def _meanings(self, word: str) -> list[tuple[str, Any]]:
        """Return what ``word`` can mean in this line: key and value, the likeliest first."""
        plain, settings = plain_word(word), self.table.settings
        knows, meanings = self.grammar.knows, list[tuple[str, Any]]()
        kinds = ["quality"] * ("who" in knows)
        kinds += [
            kind
            for kind in ("calibre", "cover", "bomb", "anti_armour", "weapon", "side")
            if kind in knows
        ]
        for kind in [*kinds, *["vehicle"] * ("who" in knows)]:
            words = vocabulary(kind, settings)
            if plain in words:
                meanings.append((self._key(kind, words[plain]), words[plain]))
        for kind in ("shot", "facing"):
            if kind in knows and plain in _FLAGS[kind]:
                meanings.append((_FLAGS[kind][plain], True))
        if "state" in knows and plain in (*STATE_WORDS, REMOVED):
            meanings.append(("state", plain))
        return meanings

    def _key(self, kind: str, value: Any) -> str:
        if kind == "calibre":
            return "calibre" if isinstance(value, int) else "bomb"
        if kind == "vehicle":
            return f"{self.who if self._target_follows() else 'at'}.vehicle"
        return f"{self.who}.{kind}" if kind in ("quality", "side") else kind

    def _target_follows(self) -> bool:
        """Return whether the target is still to come: a vehicle before it is the one that acts."""
        coming = [word.lower() for word in self.words[self.place + 1 :]]
        return any(word in ("at", "vs") or word[:1] == "@" for word in coming)

    def _read_word(self) -> bool:
        word = self.words[self.place]
        if self._read_gun(word) or (not self._meanings(word) and self._read_number(word)):
            self.place += 1
            return True
        # Two words can be one: "tiger ii", "light tank".
        pair = self._meanings(self._words_from(2)) if self.place + 1 < len(self.words) else []
        meanings = pair or self._meanings(word)
        if meanings:
            self.content.put(*meanings[0])
            self.place += 2 if pair else 1
        return bool(meanings)

    def _read_gun(self, word: str) -> bool:
        """Read a flak weapon or the distance of the last one."""
        if self.part != "flak":
            return False
        match = _GUN.fullmatch(word.lower().removesuffix("in"))
        guns = self.content.guns
        if match:
            guns.append((match[1], int(match[2]) if match[2] else None))
            return True
        number = _INCHES.fullmatch(word.lower()) or re.fullmatch(r"(\d{1,4}(?:\.\d{1,2})?)", word)
        if number and guns and guns[-1][1] is None:
            guns[-1] = (guns[-1][0], inches(number[1]))
            return True
        return False

    def _read_number(self, word: str) -> bool:
        low, knows = word.lower(), self.grammar.knows
        if match := _INCHES.fullmatch(low):
            key = "edge" if "edge" in knows else "distance"
            if not {"shot", "distance", "edge"} & set(knows):
                return False
            self.content.put(key, inches(match[1]))
        elif "calibre" in knows and (match := _MM.fullmatch(low)):
            self.content.put("calibre", whole_number(match[1], "calibre"))
        elif (key := self.grammar.number.get(self.part, "")) and (match := _COUNT.fullmatch(low)):
            self.content.put(key, whole_number(match[1], "number"))
        else:
            return False
        return True

    def _refuse(self, word: str) -> None:
        words = [unit.name.lower() for unit in self.table.units]
        kinds = [*self.grammar.knows, *["quality", "vehicle"] * ("who" in self.grammar.knows)]
        for kind in kinds:
            words += vocabulary(kind, self.table.settings) or _FLAGS.get(kind, {})
        hint = "; a new name comes after at or by"
        if self.do in ("unit", "set"):
            states = f" or {', '.join((*STATE_WORDS, REMOVED))}" if self.do == "set" else ""
            facts = f"side, quality (green, veteran, elite), figures, vehicle{states}"
            hint = f"; what is said of a unit is its {facts}"
        if self.part == "names":
            hint = "; the units of the table are what can be named"
        close = nearest(plain_word(word), words) or nearest(word, words)
        raise IllegalAnswer(f'"{word}" is not understood in {self.do}{close or hint}.')


# -- the units that a line speaks of ------------------------------------------------------


def described_unit(words: DescribedUnit, table: Table, default: str) -> TableUnit:
    """Return the unit that a line speaks of: of the table, or as the words describe it.

    What the table does not know of its unit yet is taken from the line; what it knows otherwise
    is refused. Raises IllegalAnswer.
    """
    if len(words.name) > MAX_NAME:
        raise IllegalAnswer(f"A name has at most {MAX_NAME} letters.")
    unit = table.find(words.name) if words.name else None
    unit = unit or TableUnit(name=words.name or default, listed=bool(words.name))
    new: dict[str, Any] = {}
    for key in ("side", "quality", "vehicle", "figures"):
        value, before = getattr(words, key), getattr(unit, key)
        if value in ("", None):
            continue
        if before not in ("", None, value):
            raise IllegalAnswer(
                f"{unit.name} has {key} {spell_out(str(before))} at this table, not "
                f"{spell_out(str(value))}; set changes it."
            )
        new[key] = value
    if "vehicle" in new:
        new["kind"] = kind_of(new["vehicle"], table.settings)
    if unit.started is None and "figures" in new:
        new["started"] = new["figures"]
    return msgspec.structs.replace(unit, **new)


def described_group(word: str, table: Table, default: str) -> TableUnit:
    """Return a side's unit in a house fight: of the table by name, or ``3:veteran``.

    Raises IllegalAnswer.
    """
    unit = table.find_begun(word)
    if unit:
        return unit
    match = _GROUP.fullmatch(word.lower())
    qualities = {"": "", **vocabulary("quality", table.settings)}
    if not match or match[2] not in qualities:
        right = "write 3:veteran, or the name of a unit"
        raise IllegalAnswer(f'"{word}" is not a group of figures: {right}.')
    figures = whole_number(match[1], "number of figures", 200)
    return TableUnit(
        name=default,
        quality=qualities[match[2]],
        figures=figures,
        started=figures,
        listed=False,
    )


def _read_fight(words: list[str], content: LineContent) -> None:
    """Read the words of a house fight: the groups of either side, and the building after ``in``.

    ``3:veteran 2:elite`` are attackers and defenders, ``+`` joins groups of a side; ``vs`` stands
    between more words. Raises IllegalAnswer.
    """
    sides: tuple[list[str], list[str]] = ([], [])
    second, words = False, list(words)
    while words:
        word = words.pop(0)
        if word.lower() in ("vs", "v", "against"):
            second = True
        elif word.lower() == "in" and words:
            content.put("house", words.pop(0))
        else:
            sides[second].append(word)
    first, second_side = sides
    if not second and len(first) > 2:
        example = "for example 3:elite 4:green vs 5:veteran"
        raise IllegalAnswer(f"Say vs between attackers and defenders: {example}.", "House to house")
    if not second and len(first) == 2:
        first, second_side = first[:1], first[1:]
    content.attackers = [part for word in first for part in word.split("+") if part]
    content.defenders = [part for word in second_side for part in word.split("+") if part]
