"""What is said of damaged positions, changes, setups, corrections and orders of a campaign."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import msgspec
from campaign_generator import CampaignAnswers
from campaign_soak import begin
from damage import damaged
from fingerprints import Item, plain

from asl_pbcg.campaign.board.board import load_board
from asl_pbcg.campaign.board.board_corrections import FORMAT as BOARD
from asl_pbcg.campaign.board.board_corrections import Corrections
from asl_pbcg.campaign.entry.draft_orders import Editor
from asl_pbcg.campaign.entry.end_position import settle_position
from asl_pbcg.campaign.entry.position_changes import CHANGES
from asl_pbcg.campaign.entry.position_check import check_raw
from asl_pbcg.campaign.entry.position_draft import Draft
from asl_pbcg.campaign.entry.position_raw import Raw
from asl_pbcg.campaign.position import FORMAT, Position
from asl_pbcg.campaign.state.campaign_state import Campaign
from asl_pbcg.campaign.state.ob_merge import to_position
from asl_pbcg.campaign.state.pieces import Piece
from asl_pbcg.campaign.terms import Side
from asl_pbcg.kernel.answers import drive
from asl_pbcg.kernel.dice import SeededDice
from asl_pbcg.kernel.errors import FaultsError, PBCGError
from asl_pbcg.refit.correction_policy import corrects_alone
from asl_pbcg.refit.sequence import CampaignGame
from asl_pbcg.refit.setup.setup_check import check_setup
from asl_pbcg.refit.setup.setup_rules import setups

VALUES = "british german nobody X18 Z21/pillbox broken 9.606 scenario 6-4-8 4-4-7 HMG dawn day-3"
FACTS = """wire trench ap-mines foxhole X18 Y19 Z21 night-2 dusk I1-1 british german g-447-1 b-648-1
roadblock wreck flame rubble landed crashed 9.605 C-01 both"""
PIECE_FIELDS = """at status type side area guarded_by aboard rg possesses received name notes kind
formation"""
WORDS = "br dm cx pin wo prisoner mal -dm -cx hidden concealed stun bog aband captured ww p +broken"
LISTS = ("units", "equipment", "vehicles", "gliders", "fortifications", "terrain")


def scenes(seed: int) -> tuple[list[tuple[Campaign, dict[str, Any]]], list[Campaign]]:
    """Each end position of an automatic campaign with the campaign before it; states between."""
    session = begin(seed)
    answers = CampaignAnswers(seed, session)
    found: list[tuple[Campaign, dict[str, Any]]] = []
    give = answers.answer

    def answer(prompt: Any) -> Any:
        given = give(prompt)
        if prompt.id == "0.2":
            found.append((session.state, given))
        return given

    answers.answer = answer  # type: ignore[method-assign]
    drive(session, answers, SeededDice(seed))
    return found, [kept.state for kept in session.kept]


def said(what: Callable[[], Any]) -> str:
    """What comes of it, or every fault it is refused for."""
    try:
        return plain(what())
    except FaultsError as error:
        return plain([str(fault) for fault in error.faults])
    except PBCGError as error:
        return f"refused: {error}"


def told(seed: int, many: int = 6) -> Iterator[Item]:
    """All of it for the automatic campaign of ``seed``."""
    source = random.Random(f"faults/{seed}")
    found, states = scenes(seed)
    for state, document in found:
        where = str(state.date)
        for words in _positions(state, document, source, many):
            yield f"{where} positions", words
        for words in _drafts(state, document, source):
            yield f"{where} drafts", words
    for state in states:
        if state.at == "scenario":
            for words in _setups(state, source):
                yield f"{state.date} setups", words
    for state in source.sample(states, min(12, len(states))):
        for words in _corrections(state, source):
            yield f"{state.date}/{state.at} corrections", words
    for words in _boards(source):
        yield "board", words


def _positions(
    state: Campaign, document: dict[str, Any], source: random.Random, many: int
) -> Iterator[str]:

    def settled(data: Any) -> Callable[[], Any]:
        return lambda: settle_position(state, data)

    for number in range(many):
        data = damaged(document, source)
        if number % 4 == 0:
            data = _smaller(data, source)
        yield f"position {number}: {said(settled(data))}"
        yield f"remarks {number}: {said(partial(_remarks, data, state))}"
        yield f"changes {number}: {said(settled(_changes(data, state, source)))}"
        if number % 3 == 0:
            yield f"counted {number}: {said(settled(_counted(data, source)))}"


def _remarks(data: Any, state: Campaign) -> tuple[str, ...]:
    return check_raw(Raw("It", data), state.board, state.catalogue).remarks


def _smaller(data: Any, source: random.Random) -> Any:
    """Only some of the entries: what holds, guards or carries the others may be missing."""
    for name in LISTS:
        if isinstance(data.get(name), list):
            data[name] = [each for each in data[name] if source.random() < 0.7]
    return data


def _changes(data: dict[str, Any], state: Campaign, source: random.Random) -> dict[str, Any]:
    """A changes file with some of the entries, some values of each, and some that are removed."""
    found: dict[str, Any] = {"format": CHANGES, "date": state.date.value}
    for name in LISTS:
        listed = [each for each in _list(data, name) if isinstance(each, dict)]
        part = source.sample(listed, min(len(listed), source.randint(0, 4)))
        if part:
            found[name] = [_part(each, source) for each in part]
    ids = [piece.id for piece in state.pieces if piece.on_map]
    gone: list[Any] = source.sample(ids, min(len(ids), source.randint(0, 2)))
    if source.random() < 0.2:
        gone += [source.choice(["nobody", 3, {"at": "X18"}, {"kind": "trench", "at": "V17"}])]
    if gone:
        found["removed"] = gone
    if source.random() < 0.4:
        side = source.choice(["british", "german"])
        found["control"] = {
            side: source.sample(["X18", "Y20", "Z21/pillbox", "Y19", "II13", "Q9"], 2)
        }
    return damaged(found, source, 1) if source.random() < 0.3 else found


def _list(data: dict[str, Any], name: str) -> list[Any]:
    found = data.get(name)
    return found if isinstance(found, list) else []


def _part(entry: dict[str, Any], source: random.Random) -> dict[str, Any]:
    kept = ("id", "kind", "at")
    return {key: value for key, value in entry.items() if key in kept or source.random() < 0.7}


def _counted(data: dict[str, Any], source: random.Random) -> dict[str, Any]:
    """The position with types and counts in place of some of its ids."""
    found = dict(data)
    for name in ("units", "equipment", "vehicles"):
        entries = []
        for each in _list(data, name):
            if isinstance(each, dict) and source.random() < 0.5:
                each = {key: value for key, value in each.items() if key != "id"}
                if source.random() < 0.3:
                    each["count"] = source.choice([1, 2, 2, 3, 0, True, "two"])
            entries.append(each)
        found[name] = entries
    return found


def _setups(state: Campaign, source: random.Random) -> Iterator[str]:
    """Setups, most of them nearly allowed."""
    hexes = list(state.board.in_play)
    for side in state.sides:
        allowed = setups(state, side)
        whole = msgspec.to_builtins(to_position(state, everything=True))
        entries = {
            each["id"]: each
            for name in ("units", "equipment", "vehicles")
            for each in whole.get(name, ())
            for name in ("units", "equipment", "vehicles")
            for each in whole.get(name, ())
        }
        for _ in range(5):
            data: dict[str, Any] = {"format": FORMAT, "date": state.date.value}
            crowd = source.choice(hexes)
            for each in allowed:
                entry = dict(entries.get(each.piece.id) or {})
                if not entry or source.random() < 0.4:
                    continue
                places = list(each.hexes or ())
                at = source.choice(places) if places else each.fixed or entry.get("at") or ""
                if source.random() < 0.15:
                    at = source.choice([crowd, source.choice(hexes), "off-map A22", "X18"])
                entry["at"] = at or f"off-map {each.entry or 'A22'}"
                name = _list_of(each.piece.kind)
                if source.random() < 0.15:
                    entry |= _otherwise(name, source.choice(allowed).piece, side, source)
                data.setdefault(name, []).append(entry)
            kinds = ["wire", "trench", "pillbox", "foxhole"]
            data["fortifications"] = [
                {"kind": kind, "at": source.choice(["Z21", "Y20", source.choice(hexes)]),
                 "owner": side.value, "hidden": source.random() < 0.2}
                for kind in source.choices(kinds, k=source.randint(0, 3))
            ]  # fmt: skip
            if source.random() < 0.3:
                data = damaged(data, source, 1)
            try:
                setup = msgspec.convert(data, Position)
                faults = check_setup(state, side, setup)
            except (msgspec.ValidationError, ValueError, PBCGError):
                continue  # it is read before, and told there
            yield f"setup of {side}: {[str(fault) for fault in faults]}"


def _otherwise(name: str, other: Piece, side: Side, source: random.Random) -> dict[str, Any]:
    """What an entry of a list may say in place of what is true."""
    hidden: dict[str, Any] = {"status": ["hidden"]}
    of_list: dict[str, list[dict[str, Any]]] = {
        "units": [{"possesses": [other.id]}, {"aboard": other.id}],
        "equipment": [{"status": []}],
        "vehicles": [{"tows": [other.id]}, {"vca": "NE"}],
    }
    wrong = [{"type": other.type}, {"id": other.id}, {"side": side.other.value}]
    return source.choice([hidden, *wrong, *of_list[name]])


def _list_of(kind: str) -> str:
    return {"vehicle": "vehicles", "sw": "equipment", "gun": "equipment"}.get(kind, "units")


def _corrections(state: Campaign, source: random.Random) -> Iterator[str]:
    """Corrections of facts, sensible and not, and who may make them."""
    game = CampaignGame()
    plain_state = msgspec.to_builtins(state)
    for _ in range(24):
        path, value = _fact(plain_state, state, source)
        for side in Side:
            yield f"{side} alone may correct {path}: {corrects_alone(state, side, path)}"
        try:
            new, line = game.correct(state, path, value)
            yield f"{path} = {value!r}: {plain(line)}"
            game.check_correction(state, new)
        except FaultsError as error:
            yield f"{path} = {value!r}: {[str(fault) for fault in error.faults]}"
        except PBCGError as error:
            yield f"{path} = {value!r}: {error}"


def _fact(data: dict[str, Any], state: Campaign, source: random.Random) -> tuple[str, Any]:
    root = source.choice([*data, "pieces", "pieces", "pieces", "san", "fpp", "area_names", "units"])
    values: list[Any] = [*VALUES.split(), 0, 1, 5, -3, "", None, [], ["broken"], True]
    if root == "pieces" and state.pieces:
        one, other = source.choice(state.pieces), source.choice(state.pieces)
        field = source.choice(PIECE_FIELDS.split())
        pool = [getattr(other, field, ""), [other.id], other.id, *values]
        return f"pieces/{one.id}/{field}", msgspec.to_builtins(source.choice(pool))
    value: Any = source.choice(values)
    if source.random() < 0.6:
        return _somewhere(data, values, source)
    return source.choice([root, f"{root}/british", f"{root}/british/A", f"{root}/7"]), value


def _somewhere(data: dict[str, Any], values: list[Any], source: random.Random) -> tuple[str, Any]:
    """A path into what is there but pieces, and a value, mostly one that such a fact may have."""
    roots = [key for key in data if key != "pieces"]
    path = [source.choice(roots)]
    found = data[path[0]]
    while isinstance(found, dict | list) and found and source.random() < 0.9:
        key = source.choice(list(found) if isinstance(found, dict) else range(len(found)))
        found = found[key]
        path.append(str(key))
    alike = [found, f"{found}s", *FACTS.split()]
    return "/".join(path), source.choice(alike if source.random() < 0.6 else values)


def _drafts(state: Campaign, document: dict[str, Any], source: random.Random) -> Iterator[str]:
    """Orders for a draft, one after the other, sensible and not."""
    board, catalogue = state.board, state.catalogue
    position = settle_position(state, document)
    for start in (None, position):
        editor = Editor(Draft(state, board, catalogue, start))
        for _ in range(25):
            before = editor.draft.position
            if source.random() < 0.3:
                name, given = _by_hand(editor, state, source)
                yield f"{name} {given}: {said(partial(_edit, editor.draft, name, given))}"
            else:
                order = _order(editor, state, source)
                yield f"{order}: {said(partial(editor.do, order))}"
            if editor.draft.position != before:
                yield f"then {plain(_others(before, editor.draft.position))}"
        yield f"faults: {[str(fault) for fault in editor.draft.faults()]}"
        yield f"unplaced: {[piece.id for piece in editor.draft.pieces_to_place()]}"


def _edit(draft: Draft, name: str, given: list[Any]) -> Any:
    if name != "move":
        return getattr(draft, name)(*given)
    draft.entry(given[0])
    return draft.put(given[:1], given[1])


def _by_hand(editor: Editor, state: Campaign, source: random.Random) -> tuple[str, list[Any]]:
    """What a page does with a draft: pieces dragged, marked, turned, given, taken off."""
    ids = [piece.id for piece in source.sample(state.pieces, min(3, len(state.pieces)))]
    ids += [entry.id for entry in editor.draft.position.pieces[:40]]
    held = [unit.id for unit in editor.draft.position.units if unit.possesses]
    one, other = source.choice([*ids, *held]), source.choice(ids)
    at = source.choice(
        ["X18", "off-map A22", "Z21/pillbox", source.choice(list(state.board.in_play))]
    )
    status = source.choice(["broken", "dm", "captured", "prisoner", "malfunctioned", "motion"])
    changes: list[tuple[str, list[Any]]] = [
        ("put", [[one, other], at]), ("put", [[one], at]), ("move", [one, at]),
        ("face", [one, source.choice(["NE", "X19", "X18/X19"])]), ("give", [one, other]),
        ("guard", [one, other]), ("take_off", [[one, other]]), ("from_last", []),
        ("set_status", [[one, other], [status], ["broken"]]), ("infer_control", []),
    ]  # fmt: skip
    return source.choice(changes)


def _others(before: Position, after: Position) -> list[Any]:
    found: list[Any] = []
    for name in (*LISTS, "control"):
        old, new = getattr(before, name), getattr(after, name)
        found += [new] if name == "control" and old != new else []
        found += [each for each in new if each not in old] if name != "control" else []
    return found


def _order(editor: Editor, state: Campaign, source: random.Random) -> str:
    ids = [piece.id for piece in source.sample(state.pieces, min(4, len(state.pieces)))]
    ids += [entry.id for entry in editor.draft.position.pieces[:40]]
    one, other = source.choice(ids), source.choice(ids)
    types = [piece.type.replace("-", "").lower() for piece in state.pieces]
    type, at = (
        source.choice(types),
        source.choice(["x18", "y20", "z21/p", "z15/1", "n11", "k9", "zz9"]),
    )
    place = source.choice([at, source.choice(list(state.board.in_play)).lower()])
    status = source.choice(WORDS.split())
    some = source.choice([one, type])
    ground = source.choice(["glider", "foxhole", "wire", "trench", "flame", "rubble", "pillbox"])
    how = source.choice(["", "out", "german", "hidden", "2", "1+3+5", "crashed"])
    row = source.choice(["x17-x20", "x17-20", "x17-y20", "x20-x17"])
    who = source.choice(["british", "germ", "nobody", "x"])
    orders = [
        f"{source.randint(0, 4)} {type} {place}", f"3 2 {type} {place}",
        f"{type} {status} {place}",
        f"{type} {place} {at}", f"{type} {source.choice(types)} {place}",
        f"{one} {place}", f"{one} {status}", f"{one} has {other}", f"{one} {other} has",
        f"{one} guard {other}", f"{one} {other} {place}", f"{one} {other} {status}",
        f"{ground} {place} {how}", f"control {who} {place} {at}", f"control {who} {row}",
        f"out {one}", f"{place}", f"{some}", f"{place} {type}",
        *["nonsense", "control", "out", "undo", "redo", "u", "last", "infer", "b", "g"],
    ]  # fmt: skip
    return source.choice(orders)


def _boards(source: random.Random) -> Iterator[str]:
    """Corrections of the board, sensible and not."""
    board = load_board()
    names = [info.name for info in board]
    for _ in range(25):
        hexes: dict[str, Any] = {}
        for name in source.sample(names, 3):
            kept = msgspec.to_builtins(board[source.choice(names)])
            fields = [key for key in kept if key not in ("name", "row", "column")]
            hexes[name] = {key: kept[key] for key in source.sample(fields, min(2, len(fields)))}
        one = source.choice(names)
        sides = {
            f"{one}/{source.choice([*names[:40], one])}": {source.choice(["hedge", "wall"]): True}
        }
        data = {"format": BOARD, "hexes": hexes, "hexsides": sides if source.random() < 0.4 else {}}
        if source.random() < 0.6:
            data = damaged(data, source, 2)
        try:
            after = Corrections.of(data, board).lay_over(board)
            yield plain([info for info in after if info != board[info.name]])
        except FaultsError as error:
            yield plain([str(fault) for fault in error.faults])
        except PBCGError as error:
            yield str(error)
