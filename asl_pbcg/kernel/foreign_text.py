"""Text of people and foreign files: what may hide in a line, and what no file can be called.

Control characters and C1 command a terminal, bidirectional and other format characters change the
order or the look of a line without being seen. They are refused where somebody enters a line, and
``cli/streams.py`` prints those of a file as visible signs.
"""

from __future__ import annotations

import re

from asl_pbcg.kernel.errors import PBCGError

UNSEEN = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\ud800-\udfff\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0001-\U000e007f\U000e0100-\U000e01ef"
)
"""The characters, as a class of a regular expression; line feed and tab are none of them."""
_UNSEEN = re.compile(f"[{UNSEEN}]")
_DEVICE = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(\..*)?", re.I)
LONGEST_NAME = 60
"""Letters of a player's name."""
_SIGNS = '<>:"/\\|?*'


def unseen(text: str) -> str:
    """Return the first character of a line that cannot be seen, as U+202E, or an empty text."""
    found = _UNSEEN.search(text) or re.search(r"[\n\t]", text)
    return f"U+{ord(found[0]):04X}" if found else ""


def with_signs(text: str) -> str:
    """Return ``text`` with a sign such as ``<U+202E>`` for each character that cannot be seen."""
    return _UNSEEN.sub(lambda found: f"<U+{ord(found[0]):04X}>", text)


def read_line(text: str, what: str, most: int) -> str:
    """Return a line that somebody entered, without blanks round it. Raises PBCGError.

    ``what`` begins the sentence that refuses it, as ``A player's name``.
    """
    line = text.strip()
    if len(line) > most or re.search(r"[\r\n\t]", line):
        raise PBCGError(f"{what} is one line of {most} characters at most.")
    if sign := unseen(line):
        raise PBCGError(f"{what} holds a character that cannot be seen ({sign}): leave it out.")
    return line


def check_file_name(name: str) -> None:
    """Refuse a name that no file can have on every system. Raises PBCGError.

    Windows keeps the names of devices for itself and drops a dot or blank at the end. Commands
    take a name that begins with a dash for an option, and shells ``~`` for a home folder.
    """
    shown = with_signs(name)
    if name.startswith(("-", "~")):
        words = "commands take for options" if name[0] == "-" else "shells take for a home folder"
        raise PBCGError(
            f"{shown} begins with {name[0]}, which {words}: begin it with a letter or number."
        )
    if _DEVICE.fullmatch(name):
        raise PBCGError(f"{shown} is the name of a device on Windows: choose another name.")
    if name != name.rstrip(". "):
        raise PBCGError(f"{shown} ends with a dot or blank, which Windows drops: leave it out.")
    signs = [each for each in name if each in _SIGNS]
    if signs or unseen(name):
        said = f"a {signs[0]}" if signs else f"a character that cannot be seen ({unseen(name)})"
        raise PBCGError(f"{shown} holds {said}, which no file on Windows can: choose another name.")
