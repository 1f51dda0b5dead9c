"""The house rules that a program can check: style, types, rooms, marks, what is committed."""

from __future__ import annotations

import ast
import gc
import importlib.util
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from rule_marks import marks, obligations

from asl_pbcg.campaign.module.pegasus_bridge import PEGASUS_BRIDGE
from asl_pbcg.kernel.prompts import COMMON_WIDGETS
from asl_pbcg.play.area_play.area_game import AreaGamePlug
from asl_pbcg.play.campaign_game.campaign_plug import CampaignPlug
from asl_pbcg.play.drop import DropPlug
from asl_pbcg.play.mega import MegaPlug
from asl_pbcg.st.germans.german_resolute import resolute_rules

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "asl_pbcg"

# Each room may import from the rooms named here, and from itself.
_BASE = {"kernel", "records", "hexes"}
_GAMES = {"campaign", "refit", "chronicle", "st", "airborne", "megagame", "vasl"}
ROOMS: dict[str, set[str]] = {
    "kernel": set(),
    "records": {"kernel"},
    "hexes": {"kernel", "records"},
    "campaign": _BASE,
    "refit": {*_BASE, "campaign"},
    "chronicle": {*_BASE, "campaign", "refit"},
    "st": _BASE,
    "airborne": _BASE,
    "megagame": _BASE,
    "vasl": {*_BASE, "campaign"},
    "play": {*_BASE, *_GAMES},
    "cli": {*_BASE, *_GAMES, "play"},
    "web": {*_BASE, *_GAMES, "play"},
}


@pytest.mark.parametrize("command", [["check", "."], ["format", "--check", "."]])
def test_ruff(command: list[str]) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "ruff", *command, "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout


def test_mypy_strict() -> None:
    """What did not change since the last time is not checked again; in CI all of it is new."""
    result = subprocess.run(
        [sys.executable, "-m", "mypy"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout


def load_house() -> Any:
    """Return ``benchmarks/house.py`` as a module."""
    spec = importlib.util.spec_from_file_location("house", ROOT / "benchmarks" / "house.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["house"] = module
    spec.loader.exec_module(module)
    return module


house = load_house()


@cache
def sources() -> dict[Path, Any]:
    """Return each file of the package, parsed once for all tests of this file."""
    gc.disable()  # a third of the time: all syntax trees stay
    try:
        return {PACKAGE / each.name: each for each in house.source_files(ROOT, PACKAGE.name)}
    finally:
        gc.enable()


@pytest.fixture(scope="module", autouse=True)
def forget_sources() -> Iterator[None]:
    """Free the syntax trees after the last test of this file."""
    yield
    sources.cache_clear()


def nodes_of(path: Path) -> list[ast.AST]:
    """Return every node of the syntax tree of a file of the package."""
    nodes: list[ast.AST] = sources()[path].nodes
    return nodes


def imports(path: Path) -> set[str]:
    """The rooms that a module imports from."""
    found = set()
    for node in nodes_of(path):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module] + [f"{node.module}.{each.name}" for each in node.names]
        elif isinstance(node, ast.Import):
            names = [each.name for each in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] == "asl_pbcg" and len(parts) > 1 and parts[1] in ROOMS:
                found.add(parts[1])
    return found


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_from_the_rooms_before_it(room: str) -> None:
    modules = list((PACKAGE / room).rglob("*.py"))
    for module in modules:
        wrong = imports(module) - ROOMS[room] - {room}
        assert not wrong, f"{module.relative_to(ROOT)} imports from {', '.join(sorted(wrong))}"


BELOW_CAMPAIGN = ("kernel", "records", "hexes")
OF_A_GAME = re.compile(
    r"\b(british|germans?|pegasus|(night|day)[ -](\d|i+)|dawn|dusk)\b|\b(pb|st|airborne|megagame)/",
    re.IGNORECASE,
)


def _body(node: ast.AST) -> list[ast.stmt]:
    body = getattr(node, "body", [])
    return body if isinstance(body, list) else []


def strings_of(path: Path) -> list[tuple[int, str]]:
    """Every string of a module that is not a docstring, with its line."""
    nodes = nodes_of(path)
    docstrings = {
        id(statement.value)
        for node in nodes
        for statement in _body(node)
        if isinstance(statement, ast.Expr)
    }
    return [
        (node.lineno, node.value)
        for node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if id(node) not in docstrings
    ]


def words_of(path: Path) -> list[tuple[int, str]]:
    """Every string and name of a module that is not a docstring, with its line."""
    names = [
        (node.lineno, (node.id if isinstance(node, ast.Name) else node.arg).replace("_", " "))
        for node in nodes_of(path)
        if isinstance(node, ast.Name | ast.arg)
    ]
    return [*strings_of(path), *names]


@pytest.mark.parametrize("room", BELOW_CAMPAIGN)
def test_a_room_below_campaign_names_no_side_no_date_and_no_data_of_a_game(room: str) -> None:
    for module in (PACKAGE / room).rglob("*.py"):
        for line, words in words_of(module):
            found = OF_A_GAME.search(words)
            where = f"{module.relative_to(ROOT)}:{line}"
            assert not found, f'{where} says "{found[0] if found else ""}"'


@pytest.mark.parametrize("room", sorted(ROOMS.keys() - {"cli", "web"}))
def test_only_a_skin_prints_and_reads_what_is_typed(room: str) -> None:
    wrong = [
        f"{path.name}:{getattr(node, 'lineno', 0)}"
        for path in (PACKAGE / room).rglob("*.py")
        for node in nodes_of(path)
        if is_of_a_screen(node)
    ]
    assert not wrong


def is_of_a_screen(node: ast.AST) -> bool:
    """Whether it prints, reads what is typed, or imports what does."""
    if isinstance(node, ast.Call):
        return ast.unparse(node.func) in ("print", "input")
    if isinstance(node, ast.Attribute):
        return ast.unparse(node) in TERMINAL
    if isinstance(node, ast.ImportFrom):
        return (node.module or "").split(".")[0] in SCREENS
    return isinstance(node, ast.Import) and any(
        each.name.split(".")[0] in SCREENS for each in node.names
    )


TERMINAL = ("sys.stdin", "sys.stdout", "sys.stderr")
SCREENS = {"typer", "rich", "click", "prompt_toolkit", "fastapi", "pydantic", "uvicorn"}


# What of play stands for one game: the area game has two sides for good, these read its data files.
OF_ONE_GAME = {
    "area_beginnings.py",
    "campaign_beginnings.py",
    "campaign_from_paper.py",
    "area_game.py",
    "area_look.py",
    "area_words.py",
    "module_files.py",
    "help_texts.py",
    "obligations.py",
}


def test_what_front_ends_share_names_no_side_and_no_date_of_a_campaign() -> None:
    wrong = [
        f"{path.name}:{line} says {words}"
        for path in (PACKAGE / "play").rglob("*.py")
        if path.name not in OF_ONE_GAME
        for line, words in words_of(path)
        if OF_A_GAME.search(words)
    ]
    assert not wrong


# Front ends: what belongs to one game, by how its files are called.
PLAY_OF_ONE_GAME = ("campaign", "area_", "drop", "mega", "module_files", "plug")
PLAY_OF_ONE_GAME += ("against_ob", "to_fill_in", "vasl_save", "obligations")
FRONT_ENDS = {
    "play": PLAY_OF_ONE_GAME,
    "web": ("routes_area", "routes_campaign"),
    "web/static/js": ("area",),
    "web/static/js/board": (),
    "web/static/js/editor": (),
    "web/static/js/records": (),
    "web/static/js/widgets": (),
}
COMMON_COMMANDS = ("terminal", "manner", "listed", "screen", "streams")
RULE_NUMBER = re.compile(r"\b9\.[1-9]\d|\bST-[A-Z]{3}|\bSTU?-\d")
GAME_NAME = re.compile(r"campaign|st|drop|mega|airborne|megagame|pegasus-bridge")


def front_end_files() -> list[Path]:
    """Every file of front ends that is not one game's own."""
    files = [PACKAGE / "cli/terminal" / f"{name}.py" for name in COMMON_COMMANDS]
    for folder, own in FRONT_ENDS.items():
        suffix = "*.js" if "static" in folder else "*.py"
        files += [each for each in (PACKAGE / folder).glob(suffix) if not each.name.startswith(own)]
    return files


@pytest.mark.parametrize("path", front_end_files(), ids=lambda path: path.name)
def test_front_end_knows_no_rule_and_no_game(path: Path) -> None:
    if path.suffix == ".py":
        texts = [text for _, text in strings_of(path)]
    else:
        texts = re.findall(r"""["'`](.*?)["'`]""", path.read_text(encoding="utf-8"))
    assert not [each for each in texts if RULE_NUMBER.search(each) or GAME_NAME.fullmatch(each)]


SCRIPTS = PACKAGE / "web/static/js"
READS_WORDS = re.compile(
    r"\.(test|match|matchAll|exec|split|startsWith|endsWith|replace|replaceAll|indexOf|search)\("
    r"|new RegExp"
    r"|(text|words|message|sentence|title|consequence|where|content|Case\(\)|id|name|type)\.includes\("
    r"|[!=]== ?\"[^\"]* [^\"]*\""
    r"|\b(each|one|option|asked|line|fault|step)\??\.(id|text|title|step|where|rule|point)"
    r" ?[!=]== ?\"[^\"]+\""
)
"""The ways in which a script could read a meaning from a sentence or from the spelling of an id."""
TYPED, SHOWN_ID = (
    "what the player typed is read",
    "an id is shown as words, nothing follows from it",
)
READING_ALLOWED = {
    "hexOf = (place) =>": "the notation of a Location, here alone",
    "isOffMap = (place) =>": "the notation of a Location, here alone",
    "levelOf = (place) =>": "the notation of a Location, here alone",
    "stemOf = (file) =>": "the ending of a file's name",
    'kept.indexOf("\\n\\n")': "the form of server-sent events",
    'line.startsWith("data:")': "the form of server-sent events",
    '`<g id="${id}"`': "the drawing of the board is markup",
    "kept.replace": "the drawing of the board is markup",
    "NAMED": "where a line may break; nothing else follows from it",
    'event.key === " "': "a key",
    "test(event.key)": "a key",
    "replaceAll": SHOWN_ID,
    'name.replace("_", " ")': SHOWN_ID,
    'each.replace("_", " ")': SHOWN_ID,
    "this.replace(": "a method of that name",
    "field.value": TYPED,
    "this.typed.value": TYPED,
    "typed.toLowerCase()": TYPED,
    "typed.toUpperCase()": TYPED,
    "test(typed)": TYPED,
    "event.target.value": TYPED,
    "words.every((word) =>": TYPED,
    "name.value": TYPED,
    "textContent.toLowerCase()": "a search by the player",
    "toLowerCase().includes(word)": "a search by the player",
    "test(next)": TYPED,
    'value.split(",")': TYPED,
    "test(value)": "what YAML would read otherwise is quoted",
    "test(file.name)": "the ending of a file's name",
    "files[0].name": "the ending of a file's name",
    "reader.result": "the form of a data URL",
    "buildFile": "a file within an archive",
    'error.message.split("\\n")': "lines are set below each other",
    "pairs.indexOf": "a list",
}
"""Parts of the lines in which a script does so all the same, each with the reason."""


def test_no_script_reads_meaning_from_a_sentence_or_an_id() -> None:
    wrong, used = [], set()
    for path in sorted(SCRIPTS.rglob("*.js")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if READS_WORDS.search(line):
                reasons = {part for part in READING_ALLOWED if part in line}
                used |= reasons
                if not reasons:
                    wrong.append(f"{path.relative_to(SCRIPTS)}:{number} {line.strip()[:120]}")
    assert not wrong
    assert used == READING_ALLOWED.keys()


@pytest.mark.parametrize(
    "line",
    [
        'if (option.id.startsWith("stack ")) group();',
        'const [title, brings] = option.text.split(": ");',
        'if (line.text === "nothing more for now") return;',
        "const named = places.filter((place) => error.message.includes(place));",
        'if (found.asked?.id === "ob.missing") return;',
        "const told = line.text.match(ASKED);",
    ],
)
def test_a_script_that_would_read_words_is_found(line: str) -> None:
    assert READS_WORDS.search(line) and not [part for part in READING_ALLOWED if part in line]


def test_every_widget_can_be_drawn_by_the_page() -> None:
    drawn = PACKAGE / "web/static/js"
    page = (drawn / "prompt.js").read_text(encoding="utf-8")
    own = page[page.index("const WIDGETS = {") : page.index("};", page.index("const WIDGETS = {"))]
    files = {each.stem for each in (drawn / "widgets").glob("*.js")}
    plugs = (CampaignPlug(PEGASUS_BRIDGE), AreaGamePlug(), DropPlug(), MegaPlug())
    listed = [*COMMON_WIDGETS, *(name for plug in plugs for name in plug.widgets)]
    missing = [name for name in listed if name not in files and not re.search(rf"\b{name}\b", own)]
    assert missing == ["dice"]  # a roll


@pytest.mark.parametrize(
    "room, widgets", [("refit", CampaignPlug.widgets), ("st", AreaGamePlug.widgets)]
)
def test_every_widget_that_is_asked_by_is_registered(room: str, widgets: tuple[str, ...]) -> None:
    named = {
        each.value.value
        for path in (PACKAGE / room).rglob("*.py")
        for call in nodes_of(path)
        if isinstance(call, ast.Call)
        for each in call.keywords
        if each.arg == "widget" and isinstance(each.value, ast.Constant)
    }
    assert named and named <= {*widgets, *COMMON_WIDGETS}


def test_what_every_module_shares_goes_through_no_sides_but_its_own() -> None:
    wrong = [
        f"{path.name}:{node.iter.lineno}"
        for room in ("play", "refit")
        for path in (PACKAGE / room).rglob("*.py")
        for node in nodes_of(path)
        if isinstance(node, ast.For | ast.comprehension)
        and ast.unparse(node.iter) in ("Side", "CGDate")
    ]
    assert not wrong


@pytest.mark.parametrize("room", sorted(ROOMS))
def test_no_room_names_what_is_private_in_another(room: str) -> None:
    wrong = [
        f"{path.name}: {name.name}"
        for path in (PACKAGE / room).rglob("*.py")
        for node in nodes_of(path)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("asl_pbcg.")
        and (node.module or "").split(".")[1] != room
        for name in node.names
        if name.name.startswith("_") and name.name != "__version__"
    ]  # fmt: skip
    assert not wrong


def test_every_folder_of_the_package_is_a_room() -> None:
    folders = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert folders <= set(ROOMS)


def test_marks_name_obligations_that_exist() -> None:
    known = {each.id for each in obligations()} | resolute_rules().keys()
    wrong = {id: where for id, where in marks().items() if id not in known}
    assert not wrong
    assert resolute_rules().keys() <= marks().keys()


FORBIDDEN = re.compile(
    "|".join(["/" + "work/", "/" + "root/", r"\." + "\\./shared", "pypi" + r"\.org", "/" + "opt/"])
)


def committed() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    names = listed.stdout.split("\n") if listed.returncode == 0 else []
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]


def test_no_machine_paths_or_registry_hosts() -> None:
    for path in committed():
        if (
            path.suffix in (".png", ".pdf", ".xlsx", ".gz", ".pbcg", ".ttf")
            or path.name == Path(__file__).name
        ):
            continue
        text = path.read_text(encoding="utf-8")
        found = FORBIDDEN.search(text)
        assert not found, f"{path.relative_to(ROOT)} names {found[0] if found else ''}"


def test_no_file_is_large() -> None:
    large = [path.name for path in committed() if path.stat().st_size > 1_500_000]
    assert not large


# -- one context a step --------------------------------------------------------------------------

LOADERS = {
    "load_catalogue",
    "load_board",
    "choice",
    "frame",
    "fortifications",
    "initial_scenarios",
    "reinforcements",
    "reinforcement_groups",
}
# What has no campaign at hand, or holds one against what it should be.
WITHOUT_A_CAMPAIGN = {
    "sequence.py",
    "soundness.py",
    "reph_sheets.py",
    "s950_initial.py",
}


def test_a_step_asks_its_campaign_and_loads_nothing() -> None:
    for path in (PACKAGE / "refit").rglob("*.py"):
        if path.name in WITHOUT_A_CAMPAIGN:
            continue
        for node in nodes_of(path):
            if isinstance(node, ast.ImportFrom):
                wrong = {each.name for each in node.names} & LOADERS
                assert not wrong, f"{path.name} loads by itself: {', '.join(sorted(wrong))}"


def test_a_step_asks_for_the_entry_areas_of_its_own_board() -> None:
    calls = [
        (path.name, call)
        for path in (PACKAGE / "refit").rglob("*.py")
        for call in nodes_of(path)
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "entry_areas"
    ]
    assert len(calls) > 3
    assert not [name for name, call in calls if not call.args]


# What may be cut at a stroke: paths of corrections, steps in the log, keys of area names.
WITH_STROKES = {
    *("correction_policy.py", "sequence.py", "reph_sheets.py", "s605_areas.py"),
    *("deeds.py", "luck_ledger.py", "sequence.py"),
}


def test_no_rule_cuts_the_notation_of_a_place() -> None:
    wrong = [
        f"{path.name}:{call.lineno}"
        for path in (PACKAGE / "refit").rglob("*.py")
        if path.name not in WITH_STROKES
        for call in nodes_of(path)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr in ("partition", "split", "rpartition")
        and [ast.unparse(each) for each in call.args] == ["'/'"]
    ]
    assert not wrong


def test_a_prompt_about_a_piece_takes_side_and_place_from_it() -> None:
    for path in (PACKAGE / "refit").rglob("*.py"):
        for call in nodes_of(path):
            if not isinstance(call, ast.Call):
                continue
            said = {each.arg: ast.unparse(each.value) for each in call.keywords}
            name = said.get("about", "").removesuffix(".id")
            by_hand = said.get("side") == f"{name}.side" or said.get("where") == f"{name}.at"
            assert not (name and "side" in said and by_hand), f"{path.name}: {call.lineno}"


# What no step, paragraph or subject can tell a prompt: why it is said by hand there.
BY_HAND = {
    ("s600_scenario_end.py", "rule"): 1,  # its step has no number in the rulebook
    ("s603_rally.py", "rule"): 1,  # each campaign has its own, which stands in data/
    ("vehicle_actions.py", "rule"): 1,  # five steps send here, each by its own paragraph or note
    ("vehicle_paths.py", "rule"): 1,  # in the same way
    ("scrounging.py", "secret"): 3,  # an owner's own affair, in an open step too (9.6071)
    ("retained_equipment.py", "secret"): 1,  # in the same way
    ("s601_results.py", "rule"): 1,  # Casualty VP in the middle of what Melee did
    ("unit_choices.py", "rule"): 1,  # whoever lets a unit be chosen says it
    ("unit_choices.py", "secret"): 1,  # in the same way
}


def test_prompts_have_rule_side_place_and_secrecy_from_what_they_stand_under() -> None:
    found: dict[tuple[str, str], int] = {}
    for path in (PACKAGE / "refit").rglob("*.py"):
        for call in nodes_of(path):
            if isinstance(call, ast.Call) and ast.unparse(call.func) in ("Prompt", "Roll"):
                for each in call.keywords:
                    if each.arg in ("rule", "side", "where", "secret"):
                        key = (path.name, each.arg)
                        found[key] = found.get(key, 0) + 1
    assert found == BY_HAND


# What runs another script and hands on what comes back; all others ask by `ask` and `throw`.
HAND_ON = {"kernel/prompts.py": 6, "refit/helpers/subjects.py": 1, "refit/s614_repair.py": 1}


def test_an_answer_has_the_type_of_its_question() -> None:
    found: dict[str, int] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        alone = {id(node.value) for node in nodes_of(path) if isinstance(node, ast.Expr)}
        for node in nodes_of(path):
            if isinstance(node, ast.Yield) and id(node) not in alone:
                name = path.relative_to(PACKAGE).as_posix()
                found[name] = found.get(name, 0) + 1
    assert found == HAND_ON


_STEP = re.compile(r"9\.6\d\d?(\.\w+)?|scenario")


def test_no_room_but_the_steps_decides_by_the_number_of_a_step() -> None:
    """What is special about a step stands in its chart (``StepChart``); else it is only cited."""
    wrong = []
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.is_relative_to(PACKAGE / "refit"):
            continue
        for node in nodes_of(path):
            if isinstance(node, ast.Compare):
                wrong += [
                    f"{path.relative_to(PACKAGE)}:{part.lineno}: {part.value}"
                    for side in (node.left, *node.comparators)
                    for part in ast.walk(side)
                    if isinstance(part, ast.Constant)
                    if isinstance(part.value, str) and _STEP.fullmatch(part.value)
                ]
    assert not wrong


def test_every_reading_a_rule_looks_for_is_one_of_its_house_rule() -> None:
    from asl_pbcg.campaign.module.house_rules import campaign_rulings

    found = [
        match
        for path in PACKAGE.rglob("*.py")
        for match in re.findall(
            r'\.plays\(\s*"([A-Z]-\d+)",\s*"([^"]+)"', path.read_text(encoding="utf-8")
        )
    ]
    assert len(found) > 40
    for id, reading in found:
        assert reading in campaign_rulings()[id].choices, f'{id} has no reading "{reading}"'


# -- Helpers stand below steps --------------------------------------------------------------------

STEP_FILE = re.compile(r"s(\d{3})_\w+")
ABOVE_STEPS = {"sequence"}
"""What runs the steps, and what mends the state of old files by what a step would have done."""


def imported_files(path: Path) -> set[str]:
    """The files of the package that one imports, deferred or not: ``asl_pbcg.refit.sequence``."""
    found = set()
    for node in nodes_of(path):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("asl_pbcg"):
            for each in node.names:
                inner = f"{node.module}.{each.name}"
                is_file = (ROOT / Path(*inner.split("."))).with_suffix(".py").exists()
                found.add(inner if is_file else node.module)
        elif isinstance(node, ast.Import):
            found |= {each.name for each in node.names if each.name.startswith("asl_pbcg")}
    return found


def test_no_file_of_a_step_is_imported_by_another_step_or_by_a_helper() -> None:
    wrong = []
    for path in (PACKAGE / "refit").rglob("*.py"):
        own = STEP_FILE.fullmatch(path.stem)
        for name in imported_files(path):
            step = STEP_FILE.fullmatch(name.rpartition(".")[2])
            if step and path.stem not in ABOVE_STEPS and not (own and own[1] == step[1]):
                wrong.append(f"{path.stem} imports {name}")
    assert not wrong


def circles(graph: dict[str, set[str]]) -> set[frozenset[str]]:
    """The sets of files of which each can be reached from each."""

    def reached(start: str) -> set[str]:
        found: set[str] = set()
        waiting = [start]
        while waiting:
            new = {each for each in graph.get(waiting.pop(), ()) if each in graph} - found
            found |= new
            waiting += new
        return found

    far = {name: reached(name) for name in graph}
    return {
        frozenset(other for other in far[name] if name in far[other])
        for name in far
        if name in far[name]
    }


def test_no_files_import_each_other_in_a_circle() -> None:
    graph = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts): imported_files(path)
        for path in PACKAGE.rglob("*.py")
        if path.name != "__init__.py"
    }
    assert len(graph) > 400
    assert sorted(map(sorted, circles(graph))) == []


def test_nothing_is_imported_for_a_side_effect() -> None:
    text = {path: path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")}
    assert not [path.name for path, lines in text.items() if "F401" in lines]


def test_nobody_looks_for_words_in_an_error() -> None:
    looking = re.compile(r"\bin str\((error|exc|e)\)|str\((error|exc|e)\)\.startswith")
    wrong = [
        f"{path.relative_to(PACKAGE)}:{number}"
        for path in PACKAGE.rglob("*.py")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if looking.search(line)
    ]
    assert not wrong


# -- Names --------------------------------------------------------------------------------------

PARTICIPLE = re.compile(
    r"_?(?:[a-z]+ed|told|named|shown|stays|seen|noted|kept|taken|given|found|left|held|met|made"
    r"|drawn|known|gone|thrown|built|written|heard|sent|lost)"
)
VERBS = {"need", "feed", "speed", "_feed", "exceed"}


def is_property(node: ast.FunctionDef) -> bool:
    """Whether a function is read as an adjective: ``state.finished``."""
    return any("property" in ast.unparse(each) for each in node.decorator_list)


def test_no_function_is_called_by_a_bare_participle() -> None:
    wrong = [
        f"{path.relative_to(PACKAGE)}: {node.name}"
        for path in PACKAGE.rglob("*.py")
        for node in nodes_of(path)
        if isinstance(node, ast.FunctionDef)
        and PARTICIPLE.fullmatch(node.name)
        and node.name not in VERBS
        and not is_property(node)
    ]
    assert not wrong


# How large the house may be: what benchmarks/house.py counted when it was last made smaller, and a
# little room. Lower a bound with every reshaping that allows it.
BOUNDS = {
    "code lines of asl_pbcg": 83_110,
    "AST nodes": 828_080,
    "st": 15_250,
    "airborne and megagame, all parts": 7_060,
    "entering a position, all forms": 8_740,
    "functions over 40 lines": 25,
    "imports inside functions": 109,
    "public class names in two files": 0,
    "module names in two rooms": 0,
    "docstrings that begin with What, Who, The same": 0,
}


def test_house_stays_as_small_as_it_is() -> None:
    figures = house.package_figures([*sources().values()])
    larger = {name: (figures[name], most) for name, most in BOUNDS.items() if figures[name] > most}
    assert not larger
