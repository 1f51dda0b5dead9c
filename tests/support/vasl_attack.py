"""Gives mutated saves, logs, palettes and modules to the commands and to the page."""

from __future__ import annotations

import base64
import json
import random
import shutil
import traceback
from collections import Counter
from pathlib import Path
from typing import Any

from in_process import Told, run_pbcg
from vasl_modules import module
from vasl_mutations import mutated_build_file, mutated_log, mutated_save
from vasl_writer import PASSWORD
from web_help import app_client, only_game

VIEWERS = ("umpire", "german", "british")
KINDS = ("read", "read", "next", "next", "onto", "palette", "module", "log")


class VaslAttack:
    """A folder with a campaign that asks for an end position, and a sound save ``night-1.vsav``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ends: Counter[str] = Counter()
        self.clients = {viewer: app_client(folder, viewer) for viewer in VIEWERS}
        self.base = (folder / "night-1.vsav").read_bytes()

    def __enter__(self) -> VaslAttack:
        for client in self.clients.values():
            client.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        for client in self.clients.values():
            client.__exit__(*error)

    def attack(self, seed: int) -> list[str]:
        """Give one mutation to a command or to the page; return what went wrong."""
        source = random.Random(f"vasl/{seed}")
        kind, viewer = source.choice(KINDS), source.choice(VIEWERS)
        through = self._at_terminal if kind == "log" or source.random() < 0.5 else self._in_page
        try:
            wrong = through(kind, viewer, source)
        except Exception as error:  # anything: it is what is looked for
            last = traceback.extract_tb(error.__traceback__)[-1]
            wrong = [f"{type(error).__name__}: {error} ({Path(last.filename).name}:{last.lineno})"]
        where = "page" if through == self._in_page else "terminal"
        return [f"seed {seed}, {kind} for {viewer} at the {where}: {each[:300]}" for each in wrong]

    def _files(self, kind: str, source: random.Random) -> dict[str, bytes]:
        """Return the files that are given, by the option that gives them."""
        if kind == "log":
            return {"vlog": mutated_log(source)}
        if kind == "module":
            place = self.folder / "module"
            place.mkdir(exist_ok=True)
            text = mutated_build_file(source).encode("utf-8", "surrogatepass")
            return {"base": self.base, "module": module(place, text).read_bytes()}
        odd = mutated_save(source)
        if kind in ("read", "next"):
            return {"base": odd}
        return {"base": self.base, kind: odd}

    # -- the terminal ------------------------------------------------------------------

    def _at_terminal(self, kind: str, viewer: str, source: random.Random) -> list[str]:
        place = self.folder / "typed"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        endings = {"module": "vmod", "vlog": "vlog"}
        paths = {}
        for name, content in self._files(kind, source).items():
            paths[name] = place / f"{name}.{endings.get(name, 'vsav')}"
            paths[name].write_bytes(content)
        campaign, made = self.folder / "evening.pbcg", place / "next.vsav"
        told: list[Told] = []
        if kind == "log":
            told.append(run_pbcg("dice", "--vlog", paths["vlog"]))
            told.append(run_pbcg("dice", "--vlog", paths["vlog"], "-o", place / "dice.csv"))
        elif kind == "read":
            told.append(run_pbcg("position", "check", paths["base"]))
            told.append(run_pbcg("areas", paths["base"]))
            words = ("from-vasl", paths["base"], "--campaign", campaign, "--as", viewer)
            told.append(run_pbcg("position", *words, "--force", typed="\n" * 300))
        else:
            more = [word for name, path in paths.items() for word in (f"--{name}", path)]
            words = ("to-vasl", campaign, *more, "--as", viewer, "-o", made)
            told.append(run_pbcg("position", *words))
            if told[0].code == 0:  # what was written is read again
                words = ("to-vasl", campaign, "--base", made, "--as", viewer)
                told.append(run_pbcg("position", *words, "-o", place / "again.vsav"))
        return [wrong for each in told for wrong in self._judge(each)]

    def _judge(self, told: Told) -> list[str]:
        self.ends[f"exit {told.code}"] += 1
        text = told.out + told.err
        wrong = [] if told.code in (0, 2) else [f"exit {told.code}: {text[-400:]}"]
        wrong += ["a traceback"] if "Traceback" in text else []
        wrong += ["no sentence"] if told.code == 2 and not told.err.strip() else []
        wrong += ["a password"] if PASSWORD in text else []
        wrong += ["a control code"] if "\x1b[2J" in text else []
        return wrong

    # -- the page ----------------------------------------------------------------------

    def _in_page(self, kind: str, viewer: str, source: random.Random) -> list[str]:
        client = self.clients[viewer]
        url = f"/api/games/{only_game(client)}/position"
        files = self._files(kind, source)
        if kind == "read":
            return self._answered(client, f"{url}/vasl", files["base"])
        sent: dict[str, Any] = {
            name: {"name": f"{name}.vsav", "content": base64.b64encode(content).decode()}
            for name, content in files.items()
        }
        if "palette" in sent:
            sent["palettes"] = [sent.pop("palette")]
        return self._judge_reply(client.post(f"{url}/next-save", json=sent))

    def _answered(self, client: Any, url: str, content: bytes) -> list[str]:
        """Answer what is asked about a save as Enter would; return what went wrong."""
        answers: list[Any] = []
        for _ in range(400):
            reply = client.post(url, params={"answers": json.dumps(answers)}, content=content)
            wrong = self._judge_reply(reply)
            if wrong or reply.status_code != 200 or reply.json()["position"] is not None:
                return wrong
            asked = reply.json()["asked"]
            answers.append(asked["default"] or asked["options"][0]["id"])
        return ["it asks without end"]

    def _judge_reply(self, reply: Any) -> list[str]:
        self.ends[f"status {reply.status_code}"] += 1
        wrong = [] if reply.status_code in (200, 422) else [f"{reply.status_code}: {reply.text}"]
        wrong += ["a password"] if PASSWORD in reply.text else []
        wrong += (
            ["no sentence"] if reply.status_code == 422 and not reply.json()["sentence"] else []
        )
        return wrong
