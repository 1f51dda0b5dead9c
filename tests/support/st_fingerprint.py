"""A game in a few letters: everything asked, answered, rolled and settled, hashed.

``python tests/support/st_fingerprint.py --write`` writes ``golden_st/fingerprints.json`` anew;
that is right only after a rule was mended, never after something was made faster.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

from asl_pbcg.kernel.dice import DiceSpec
from asl_pbcg.kernel.prompts import Prompt
from asl_pbcg.st.game import AreaGame
from asl_pbcg.st.many.automatic_game import RandomDice, play
from asl_pbcg.st.player.policy import player
from asl_pbcg.st.rules.decision import Decision

FILE = Path(__file__).parent.parent / "golden_st" / "fingerprints.json"
SETTINGS: list[dict[str, Any]] = [
    {"mode": "historical"},
    *({"mode": "variable", "difficulty": each} for each in ("easy", "medium", "hard")),
    {"mode": "historical", "german": "resolute"},
    {"mode": "variable", "difficulty": "hard", "german": "resolute"},
]
NAMES = [f"{policy} {number}" for policy in ("good", "random") for number in range(12)]


class _Dice(RandomDice):
    def __init__(self, seed: int, found: hashlib._Hash) -> None:
        super().__init__(seed)
        self._found = found

    def throw(self, spec: DiceSpec, number: int, reason: str) -> tuple[int, ...]:
        faces = super().throw(spec, number, reason)
        self._found.update(repr(faces).encode())
        return faces


class _Listening:
    def __init__(self, policy: str, seed: int, found: hashlib._Hash) -> None:
        self._player = player("good" if policy == "good" else "random", seed)
        self._found = found

    def answer(self, prompt: Prompt) -> Any:
        answer = self._player.answer(prompt)
        assert isinstance(prompt, Decision)
        self._found.update(repr((prompt.id, list(prompt.ids), answer)).encode())
        return answer


def fingerprint(game: AreaGame, name: str) -> str:
    """The fingerprint of one of ``NAMES``."""
    policy, _, number = name.partition(" ")
    found = hashlib.sha256()
    state = game.begin(SETTINGS[int(number) % len(SETTINGS)])
    who = _Listening(policy, int(number), found)
    for after in play(game, state, who, _Dice(int(number), found)):
        found.update(game.encode(after))
    return found.hexdigest()[:16]


if __name__ == "__main__":
    made = {name: fingerprint(AreaGame(), name) for name in NAMES}
    if "--write" in sys.argv:
        FILE.write_text(json.dumps(made, indent=1) + "\n", encoding="ascii")
    else:
        known = json.loads(FILE.read_text(encoding="ascii"))
        print([name for name in NAMES if made[name] != known[name]] or "all the same")
