"""VASL save files: from file to text to commands and back, with bounds on time and memory.

A save is a zip archive with an entry ``savedGame``. VASSAL hides its text so that nobody reads the
other side's secrets by accident: ``!VCSK``, two digits of a key and each byte, xored with the key,
as two digits; newer versions write ``VOBS``, one byte of key and the xored bytes themselves.

The text is nested lists: parts by a delimiter, where a delimiter after a backslash is a letter. A
list within a list has one backslash more before its delimiters, so they are undone one level at a
time. A list nested deeper than in any save is refused before it is read.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from asl_pbcg.kernel.errors import PBCGError
from asl_pbcg.kernel.textfiles import read_limited

FILE_LIMIT = 8 * 1024 * 1024  # bytes of the zip; a save of a whole campaign has about 60,000
TEXT_LIMIT = 16 * 1024 * 1024  # bytes of text; a save of 500 counters has about 2,000,000
_ENTRY = "savedGame"
_ENTRIES = 64  # of the zip; a save has three
_MODULE_LIMIT = 16 * 1024  # bytes; what a save tells of its module has about 300
_KEPT = {"savedata": ("VassalVersion",), "moduledata": ("name", "version", "VassalVersion")}
"""The entries about a save beside its text, and which of their facts go into a new one."""
_HEX, _BYTES = b"!VCSK", b"VOBS"
_LOGGED = re.compile(r"\x1b'?LOG\t")
"""How each move recorded in a log begins; the part before the first is the map as it was then."""
LOG_SUFFIX = ".vlog"
BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    OSError,
    NotImplementedError,
    RuntimeError,
    ValueError,
)
"""The errors that zipfile raises for an archive that is damaged or not of a kind it knows."""


class NoSave(PBCGError):
    """A file that is not a save which can be read; ``str(error)`` says why."""


class DamagedSave(NoSave):
    """A save that was damaged: ``wrong`` says where."""

    def __init__(self, wrong: str, name: str = "The save") -> None:
        again = "Save the game in VASL once more, or take another copy of the file."
        super().__init__(f"{name} is damaged: {wrong}. {again}")


def read_text(path: Path) -> str:
    """Return the commands of the save ``path`` as VASSAL wrote them.

    It holds secrets of both sides and the players' passwords in clear: it goes to
    ``save_counters.py`` alone, which takes no password over. Raises NoSave or PBCGError with one
    sentence.
    """
    text = decode(_unzip(read_limited(path, FILE_LIMIT), path.name), path.name)
    refuse_log(path, text)
    return text


def read_log(path: Path) -> str:
    """Return the text of a log. It is as secret as that of ``read_text``. Raises PBCGError."""
    return decode(_unzip(read_limited(path, FILE_LIMIT), path.name), path.name)


def refuse_log(path: Path, text: str) -> None:
    """Refuse a log, by its name or its commands. Raises NoSave."""
    if path.suffix.lower() == LOG_SUFFIX or _LOGGED.search(text):
        raise NoSave(
            f"{path.name} is a VASL log, which holds the map as it was when the log began: step "
            "through it to its end in VASL, save the game there (.vsav) and give that file."
        )


def read_bytes(path: Path) -> tuple[bytes, str]:
    """Return the file of a save and its text, to be edited.

    Bytes of the text that are not UTF-8 stay what they are (surrogateescape). The text is as
    secret as that of ``read_text``. Raises NoSave or PBCGError with one sentence.
    """
    content = read_limited(path, FILE_LIMIT)
    text = decode(_unzip(content, path.name), path.name, "surrogateescape")
    refuse_log(path, text)
    if not content.startswith(b"PK"):
        raise NoSave(f"{path.name} is only a part of a save: give the whole .vsav file.")
    return content, text


def repack(content: bytes, text: str, name: str) -> bytes:
    """Return the save ``content`` with another text; its other entries stay as they are.

    The text is hidden as ``!VCSK``, which every version reads, under the key it had. Raises NoSave.
    """
    plain = text.encode("utf-8", "surrogateescape")
    if len(plain) > TEXT_LIMIT:
        raise NoSave(f"{name} would be too large for a VASL save.")
    out = io.BytesIO()
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(out, "w") as new:
            size = 0
            last = {info.filename: info for info in old.infolist()}
            for entry in last.values():
                with old.open(entry) as stream:
                    held = stream.read(2 * TEXT_LIMIT + 17 - size)
                size += len(held)
                if size > 2 * TEXT_LIMIT + 16:
                    raise NoSave(f"{name} is too large for a VASL save.")
                if entry.filename == _ENTRY:
                    key = _key(held)
                    held = _HEX + f"{key:02x}".encode() + _xor(plain, key).hex().encode()
                kept = zipfile.ZipInfo(entry.filename, entry.date_time)
                kept.external_attr = entry.external_attr
                new.writestr(kept, held, zipfile.ZIP_DEFLATED)
    except BROKEN as error:
        raise DamagedSave("its zip archive cannot be unpacked", name) from error
    if out.tell() > FILE_LIMIT:
        raise NoSave(f"{name} would be too large for a VASL save.")
    return out.getvalue()


def new_archive(content: bytes, text: str, name: str) -> bytes:
    """Return a save with a text of its own, of which nothing tells when or by whom it was made.

    Of what the save ``content`` says of itself only the module and the versions are taken over: the
    comment typed at saving and its date stay behind. The text is written with ``repack``, under the
    key that this one has.
    """
    out = io.BytesIO()
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(out, "w") as new:
            hidden = _HEX + b"00" + text.encode("utf-8", "surrogateescape").hex().encode()
            new.writestr(zipfile.ZipInfo(_ENTRY), hidden, zipfile.ZIP_DEFLATED)
            for entry, kept in _KEPT.items():
                if entry in old.namelist():
                    held = _read_facts(old, entry, kept).encode()
                    new.writestr(zipfile.ZipInfo(entry), held, zipfile.ZIP_DEFLATED)
    except BROKEN as error:
        raise DamagedSave("its zip archive cannot be unpacked", name) from error
    return out.getvalue()


def _read_facts(archive: zipfile.ZipFile, entry: str, kept: Iterable[str]) -> str:
    """Return an entry about a save with nothing but some of its facts, a word or number each."""
    with archive.open(entry) as stream:
        entry_text = stream.read(_MODULE_LIMIT).decode("utf-8", "replace")
    matches = {
        fact: re.search(rf"<{fact}>([\w.+ -]{{1,40}})</{fact}>", entry_text, re.ASCII)
        for fact in kept
    }
    facts = (f"<{fact}>{match[1]}</{fact}>" for fact, match in matches.items() if match)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<data version="1">{"".join(facts)}</data>\n'


def _key(content: bytes) -> int:
    return int(content[5:7], 16) if content.startswith(_HEX) else content[len(_BYTES)]


def _unzip(content: bytes, name: str) -> bytes:
    if not content:
        raise NoSave(f"{name} is empty.")
    if not content.startswith(b"PK"):
        if content.startswith((_HEX, _BYTES)):  # the entry by itself, taken out of its zip
            return content
        raise NoSave(f"{name} is not a VASL save: a save (.vsav) is a zip archive.")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = archive.infolist()
            if len(entries) > _ENTRIES:
                raise NoSave(f"{name} is not a VASL save: it holds far too many files.")
            saves = [entry for entry in entries if entry.filename == _ENTRY]
            if not saves:
                raise NoSave(f"{name} is not a VASL save: there is no {_ENTRY} in it.")
            if saves[-1].flag_bits & 1:
                raise NoSave(f"{name} is locked with a password; save it without one.")
            _check_module(archive, name)
            limit = 2 * TEXT_LIMIT + 16
            with archive.open(saves[-1]) as stream:
                text = stream.read(limit + 1)  # never more, whatever the archive says of itself
    except BROKEN as error:
        raise DamagedSave("its zip archive cannot be unpacked", name) from error
    if len(text) > limit:
        raise NoSave(f"{name} is too large for a VASL save.")
    return text


def _check_module(archive: zipfile.ZipFile, name: str) -> None:
    """Refuse the save of another game: a save says of which module it is."""
    if "moduledata" not in archive.namelist():
        return
    with archive.open("moduledata") as stream:
        about = stream.read(_MODULE_LIMIT).decode("utf-8", "replace")
    match = re.search(r"<name>\s*([^<]{1,60}?)\s*</name>", about)
    if match and "vasl" not in match[1].lower() and match[1].isprintable():
        raise NoSave(f"{name} is not a VASL save: it is one of the module {match[1]}.")


def decode(content: bytes, name: str, errors: str = "replace") -> str:
    """Return the text of a ``savedGame`` in either form; ``errors`` is as for ``bytes.decode``.

    Raises NoSave.
    """
    if content.startswith(_HEX):
        try:
            key = int(content[5:7], 16)
            plain = _xor(bytes.fromhex(content[7:].decode("ascii")), key)
        except (ValueError, UnicodeDecodeError) as error:
            raise DamagedSave("what hides its text is broken", name) from error
    elif content.startswith(_BYTES) and len(content) > len(_BYTES):
        plain = _xor(content[len(_BYTES) + 1 :], content[len(_BYTES)])
    else:
        raise NoSave(f"{name} is not a save of VASSAL 3: its {_ENTRY} begins with other letters.")
    if len(plain) > TEXT_LIMIT:
        raise NoSave(f"{name} is too large for a VASL save.")
    return plain.decode("utf-8", errors)


def _xor(content: bytes, key: int) -> bytes:
    return content.translate(bytes(byte ^ key for byte in range(256)))


MAX_TRAITS = 200  # traits of one counter; a vehicle has about forty
MAX_COMMANDS = 20_000
_COMMAND_DEPTH = 12
ESC = "\x1b"
TAB = "\t"


def split(text: str, delimiter: str, most: int = 10_000) -> list[str]:
    """The parts of ``text``, one level of backslashes undone: ``most`` of them and the rest."""
    if delimiter not in text:
        return [_unquote(text)]
    return [plain(part, delimiter) for part in cut(text, delimiter, most)]


def cut(text: str, delimiter: str, most: int = 10_000) -> list[str]:
    """Return the parts of ``text`` as they are written, backslashes and quotes included."""
    parts: list[str] = []
    start = 0
    search = 0
    while len(parts) < most:
        at = text.find(delimiter, search)
        if at < 0:
            break
        search = at + 1
        if at > 0 and text[at - 1] == "\\":
            continue
        parts.append(text[start:at])
        start = search
    parts.append(text[start:])
    return parts


def plain(part: str, delimiter: str) -> str:
    """Return a part that ``cut`` gave without its backslashes and quotes."""
    return _unquote(part.replace("\\" + delimiter, delimiter))


def encode(part: str, delimiter: str, like: str = "") -> str:
    """Write a part of a list; ``like`` is what was written in its place before.

    Quotes stand round a part that begins or ends with a backslash or has quotes of its own: every
    version of VASSAL reads that. A part that was quoted stays quoted, and where an older version
    wrote a backslash at the beginning without quotes it goes on without them.
    """
    before = plain(like, delimiter)
    if like and before == part:
        return like
    begins = part[:1] == "\\" and not (before[:1] == "\\" and not _is_quoted(like))
    quoted = begins or part[-1:] == "\\" or _is_quoted(part) or _is_quoted(like)
    written = part.replace(delimiter, "\\" + delimiter)
    return f"'{written}'" if quoted else written


def replace_parts(text: str, delimiter: str, new: Mapping[int, str], most: int = 10_000) -> str:
    """Return a list with some parts replaced, by their number; the others stay as written."""
    parts = cut(text, delimiter, most)
    for index, part in new.items():
        parts[index] = encode(part, delimiter, parts[index])
    return delimiter.join(parts)


def join_chain(parts: Sequence[str]) -> str:
    """Return a chain of traits, outermost first, as it is written."""
    *others, text = parts
    for part in reversed(others):
        text = f"{encode(part, TAB)}{TAB}{encode(text, TAB)}"
    return text


def replace_in_chain(text: str, new: Mapping[int, str]) -> str:
    """Return a chain of traits with some replaced, by their number; the others stay as written."""
    outer: list[list[str]] = []
    for _ in range(max(new, default=-1)):
        outer.append(cut(text, "\t", 1))
        text = plain(outer[-1][1], "\t")
    outer.append(cut(text, "\t", 1))
    inner: str | None = None
    for index in reversed(range(len(outer))):
        parts = outer[index]
        if inner is not None:
            parts[1] = encode(inner, "\t", parts[1])
        if index in new:
            parts[0] = encode(new[index], "\t", parts[0])
        inner = "\t".join(parts)
    return inner or ""


def _is_quoted(part: str) -> bool:
    return len(part) > 1 and part[0] == part[-1] == "'"


def _unquote(part: str) -> str:
    """VASSAL puts a part in quotes that ends with a backslash or has quotes of its own."""
    return part[1:-1] if _is_quoted(part) else part


def chain(text: str) -> list[str]:
    """Return the traits of a counter from the outermost to the piece itself. Raises NoSave."""
    traits: list[str] = []
    while len(traits) < MAX_TRAITS:
        first, *inner = split(text, "\t", 1)
        traits.append(first)
        if not inner:
            return traits
        text = inner[0]
    raise DamagedSave("a counter in it has more traits than there are")


@lru_cache(maxsize=500)  # counters of one kind have one type
def chain_of_type(text: str) -> list[str]:
    """Return the traits of a counter's type, outermost first; nobody changes them."""
    return chain(text)


class Command:
    """One command of a save, or a list of commands if it has ``parts``."""

    __slots__ = ("parent", "parts", "text", "written")

    def __init__(self, text: str, written: str, parent: Command | None = None) -> None:
        self.text = text
        """The command itself; empty for a list."""
        self.written = written
        """How it stands in the list that it is part of."""
        self.parent = parent
        self.parts: list[Command] = []

    def set_text(self, text: str) -> None:
        """Let the command say something else."""
        self.text, self.written = text, encode(text, ESC, self.written)

    def leaves(self) -> Iterator[Command]:
        """Go through the single commands in their order."""
        if not self.parts:
            yield self
        for part in self.parts:
            yield from part.leaves()

    def whole_text(self) -> str:
        """Return the text of the command with everything in it."""
        if not self.parts:
            return self.text
        return ESC.join(
            encode(part.whole_text(), ESC, part.written) if part.parts else part.written
            for part in self.parts
        )


def parse_commands(text: str) -> Command:
    """Return the commands of a save as the tree that they are nested in. Raises NoSave."""
    root = Command(text, text)
    waiting = [(root, 0)]
    count = 0
    while waiting:
        command, depth = waiting.pop()
        if ESC not in command.text:
            count += 1
            if count > MAX_COMMANDS:
                raise DamagedSave("there is far more in it than on any map")
            continue
        if depth >= _COMMAND_DEPTH:
            raise DamagedSave("its commands are nested too deeply")
        parts = cut(command.text, ESC, MAX_COMMANDS)
        command.parts = [Command(plain(part, ESC), part, command) for part in parts]
        command.text = ""
        waiting += [(part, depth + 1) for part in reversed(command.parts)]
    return root


def commands(text: str) -> list[str]:
    """Return all commands of a save, those within others too, in their order. Raises NoSave."""
    return [command.text for command in parse_commands(text).leaves()]
