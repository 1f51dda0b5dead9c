"""From a file to the text of a VASL save and back, with bounds on time and memory.

A save is a zip archive with an entry ``savedGame``. VASSAL hides its text so that nobody reads the
other side's secrets by accident: ``!VCSK``, two digits of a key and each byte, xored with the key,
as two digits; newer versions write ``VOBS``, one byte of key and the xored bytes themselves.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterable
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
    """The commands of the save ``path`` as VASSAL wrote them.

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
            last = {each.filename: each for each in old.infolist()}
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
        told = stream.read(_MODULE_LIMIT).decode("utf-8", "replace")
    matches = {
        each: re.search(rf"<{each}>([\w.+ -]{{1,40}})</{each}>", told, re.ASCII) for each in kept
    }
    facts = (f"<{each}>{match[1]}</{each}>" for each, match in matches.items() if match)
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
            found = [each for each in entries if each.filename == _ENTRY]
            if not found:
                raise NoSave(f"{name} is not a VASL save: there is no {_ENTRY} in it.")
            if found[-1].flag_bits & 1:
                raise NoSave(f"{name} is locked with a password; save it without one.")
            _check_module(archive, name)
            limit = 2 * TEXT_LIMIT + 16
            with archive.open(found[-1]) as stream:
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
        told = stream.read(_MODULE_LIMIT).decode("utf-8", "replace")
    found = re.search(r"<name>\s*([^<]{1,60}?)\s*</name>", told)
    if found and "vasl" not in found[1].lower() and found[1].isprintable():
        raise NoSave(f"{name} is not a VASL save: it is one of the module {found[1]}.")


def decode(content: bytes, name: str, errors: str = "replace") -> str:
    """The text of a ``savedGame`` in either form; ``errors`` is as for ``bytes.decode``.

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
    return content.translate(bytes(each ^ key for each in range(256)))
