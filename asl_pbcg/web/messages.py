"""The messages at the browser's edge, as pydantic models: the published schema is made of these."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from asl_pbcg.kernel.reader import plain_dashes, with_plain_dashes

Seq = Annotated[int, Field(ge=0, le=10**9)]
Short = Annotated[str, Field(max_length=200)]
Words = Annotated[Short, AfterValidator(plain_dashes)]
"""Words that are matched: names, places, orders; a player's own words stay as they are."""
Document = Annotated[dict[str, Any], AfterValidator(with_plain_dashes)]


def _plain_unless_text(sent: Any) -> Any:
    """Return an answer with plain dashes; a text is read by its prompt, as its own words or not."""
    return sent if isinstance(sent, str) else with_plain_dashes(sent)


Answer = Annotated[Any, AfterValidator(_plain_unless_text)]


class _In(BaseModel):
    """A message that a page sends; a field it does not know is refused."""

    model_config = ConfigDict(extra="forbid", strict=True)

    @model_validator(mode="before")
    @classmethod
    def _must_be_text(cls, sent: Any) -> Any:
        """Half of a sign, which JSON can write and no file can hold, is refused as unreadable."""
        msgspec.json.encode(sent)  # raises UnicodeEncodeError, a ValueError
        return sent


class AnswerIn(_In):
    """An answer to the prompt that was asked at ``seq``."""

    seq: Seq
    prompt: Short
    value: Answer = None
    more: list[Answer] = Field(
        [], max_length=60, description="Answers to what is asked next: all are taken or none."
    )


class OrdersIn(_In):
    """Orders of the area game by counter, given at ``seq``."""

    seq: Seq
    line: Annotated[str, Field(min_length=1, max_length=300)]


class BranchIn(_In):
    """A new game, called ``name``, that goes on from a turn or frame of another; 0 is neither."""

    name: Short
    turn: Annotated[int, Field(ge=0, le=16)] = 0
    german: bool = Field(False, description="At the German Movement Phase of the turn.")
    frame: Annotated[int, Field(ge=0, le=10**6)] = 0


class CardsIn(_In):
    """Score cards that were pasted, to be compared with those of the folder."""

    text: Annotated[str, Field(max_length=100_000)] = ""


class RollIn(_In):
    """A roll: the program's dice, or ``faces`` thrown at the table; ``all`` while none decides."""

    seq: Seq
    roll: Short
    faces: list[Annotated[int, Field(ge=1, le=1000)]] | None = Field(None, max_length=20)
    all: bool = False


class UndoIn(_In):
    """Undo the last answer, or all since the first question of ``step`` or a ``line``."""

    seq: Seq
    reason: Annotated[str, Field(max_length=300)] = ""
    step: Short = ""
    line: int | None = Field(None, ge=0, description="The number of a line of the viewer's log.")
    sure: bool = Field(False, description="Also where that is much: over a CG Date, many answers.")


class RedoIn(_In):
    """Redo what was undone last."""

    seq: Seq


class CorrectableOut(BaseModel):
    """The facts of a piece, or of the game, that can be corrected by choosing."""

    facts: list[dict[str, Any]]


class CorrectionIn(_In):
    """Change one fact, with a reason that stays in the log; a side alone mostly proposes it."""

    seq: Seq
    path: Words
    value: Answer = None
    typed: Annotated[str, Field(max_length=2000)] | None = Field(
        None, description="The value as a player types it, in place of `value`."
    )
    reason: Annotated[str, Field(max_length=300)]
    lose: bool = Field(False, description="Also where answers find no place any more.")


class AgreementIn(_In):
    """Agree to what the other side proposes, decline it, or withdraw what one proposes."""

    seq: Seq
    proposal: Short = Field(description="The digest of what was read: that, and nothing else.")
    agree: bool
    lose: bool = Field(False, description="Also where answers find no place any more.")


class AssertionsIn(_In):
    """Facts of a roster on paper, each as ``san/german=3``; ``keep`` what agrees in the log."""

    facts: Annotated[
        list[Annotated[str, Field(max_length=250)]], Field(min_length=1, max_length=200)
    ]
    keep: bool = False


class NoteIn(_In):
    """A note of the players: on a piece or hex, on a line of the log, or of the diary."""

    text: Annotated[str, Field(min_length=1, max_length=1000)]
    about: Words = ""
    line: Short = Field("", description="Words that the line of the log holds.")
    date: Short = ""
    private: bool = False


class RevisedNoteIn(_In):
    """The words that a note has from now on; none withdraw it."""

    text: Annotated[str, Field(max_length=1000)] = ""


class SealWordsIn(_In):
    """The eight words of a seal."""

    words: Short


class HandIn(_In):
    """The player to whom what a side decides is handed."""

    name: Annotated[str, Field(min_length=1, max_length=60)]
    side: Short = ""


class NewGameIn(_In):
    """A new game file in the folder, and what was chosen in its form, field by field."""

    model_config = ConfigDict(extra="allow", strict=True)
    __pydantic_extra__: dict[str, Short] = Field(init=False)

    kind: Short
    name: Annotated[str, Field(min_length=1, max_length=60)]
    seed: Annotated[int, Field(ge=0, le=10**9)] | None = None


class Refusal(BaseModel):
    """Why something was refused, as a sentence for players."""

    sentence: str
    rule: str = ""
    topic: dict[str, Any] = Field({}, description="The places and pieces that it is about.")
    needs_reason: bool = False
    confirm: bool = Field(False, description="Much would be undone: send it again with `sure`.")
    agreement: str = Field("", description="The side that has still to agree.")
    lost: list[str] = Field([], description="Answers that would find no place: see `lose`.")
    faults: list[dict[str, Any]] = []


class StepOut(BaseModel):
    """A station of the timeline."""

    id: str
    title: str
    rule: str
    label: str = Field(description="What stands on it, in few characters.")
    state: Literal["done", "now", "to-come"]
    sentence: str


class StateOut(BaseModel):
    """Where a game stands for one viewer."""

    id: str
    seq: int
    viewer: str
    eyes: str
    sides: list[str]
    kind: str
    called: str
    features: list[str] = Field(description="What a page offers in this game alone.")
    file: str
    title: str
    date: str
    date_short: str = Field(description="The turn, where a small screen needs few words.")
    played: str
    heading: str
    steps: list[StepOut]
    asked: dict[str, Any] | None = Field(description="A PROMPT, a ROLL or a curtain.")
    waiting_for: str
    next: str = Field(description="What comes where nothing is asked.")
    lines: list[dict[str, Any]] = Field(description="The latest lines this viewer may see.")
    line_count: int
    redo: bool
    """Whether what was undone last can be redone by this viewer."""
    correction: dict[str, Any] | None = Field(
        None,
        description="The correction a side proposes: side, path, value, reason, words, digest.",
    )
    typed_dice: bool
    players: dict[str, list[str]] = Field(description="The players of each side, by name.")
    draft: int = Field(description="The number of the draft of the end position.")
    said: list[str] = Field([], description="What an order of the area game could not do, and why.")


class MovedOut(Refusal):
    """The game has gone on: ``state`` is the present one."""

    state: StateOut | None = None


class GameCard(BaseModel):
    """A game file of the folder."""

    id: str
    file: str
    kind: str
    called: str
    features: list[str]
    title: str
    date: str
    waiting_for: str
    next: str
    played: str = Field(description="When this viewer last knew it to go on; empty before.")
    fault: str = ""
    read: bool = Field(description="Whether the file has been read: if not, ask for its card.")


class Games(BaseModel):
    """Every game file of the folder, and who looks."""

    viewer: str
    folder: str
    keeps: bool = Field(description="Whether this viewer renames, copies and deletes games.")
    games: list[GameCard]
    forms: list[dict[str, Any]] = Field(description="What this viewer may begin, and its forms.")


class NameIn(_In):
    """The name of a game's file, without its ending."""

    name: Annotated[str, Field(min_length=1, max_length=60)]


class ProgressOut(BaseModel):
    """How far a piece of work is."""

    done: float


class DeletedGame(BaseModel):
    """Where a deleted game lies, in the served folder."""

    file: str


class Made(BaseModel):
    """A game that was made."""

    id: str


class LogOut(BaseModel):
    """The log from a line on."""

    lines: list[dict[str, Any]]
    line_count: int


class KeyOut(BaseModel):
    """A viewer's new key."""

    viewer: str
    key: str


class LinkOut(BaseModel):
    """The address of a viewer, and a QR picture of it."""

    viewer: str
    address: str
    near: str = Field(description="Where alone it works; empty if elsewhere too.")
    picture: str = Field(description="An SVG picture, as an address of the data in it.")


class LinksOut(BaseModel):
    """The addresses of the viewers who sit elsewhere."""

    links: list[LinkOut]


class SheetOut(BaseModel):
    """A sheet that can be printed, perhaps as a table for programs too."""

    name: str
    title: str
    is_table: bool


class SheetsOut(BaseModel):
    """The sheets there are for this viewer."""

    sheets: list[SheetOut]


class FactFormsOut(BaseModel):
    """How the facts of a roster on paper are written."""

    forms: list[str]


class ComparedOut(BaseModel):
    """A fact as paper and file have it, and the difference in a sentence."""

    fact: str
    paper: int | float | str | None
    file: int | float | str | None
    agrees: bool
    sentence: str


class AssertionsOut(BaseModel):
    """The facts of a roster on paper, held against the file; whether that was kept."""

    facts: list[ComparedOut]
    kept: bool


class DocumentOut(BaseModel):
    """The contents of a file: the value to answer with, and a few words about it."""

    value: Any
    summary: str


class SaveOut(BaseModel):
    """Where the questions about a VASL save stand."""

    asked: Any
    lines: list[dict[str, str]]
    counted: str
    position: dict[str, Any] | None
    likeliest: list[Any] = Field(description="Likely answers to this question and all after it.")


class FileIn(_In):
    """A file that goes along in a message."""

    name: Annotated[str, Field(min_length=1, max_length=80)]
    content: str = Field(description="The file, in base64.")


class NextSaveIn(_In):
    """The base, the other files and the choices of the next VASL save."""

    base: FileIn = Field(description="The save of the scenario just played.")
    onto: FileIn | None = Field(None, description="The save of the other side's setup, to add to.")
    palettes: list[FileIn] = Field(
        [], max_length=8, description="Other saves, to copy counters from."
    )
    module: FileIn | None = Field(
        None, description="The player's own module, or an archive with its build file alone."
    )
    side: Literal["", "british", "german"] = Field(
        "", description="For whose eyes; a player's own, an umpire's everything, if empty."
    )
    perimeters: bool = False


class NextSaveOut(BaseModel):
    """The VASL save of the next scenario, and what was done for it."""

    file: str = Field(description="The save, in base64.")
    stayed: int = Field(description="How many pieces stay as they were.")
    report: list[dict[str, Any]] = Field(description="What was moved, flipped, added ...: lines.")


class HeldIn(_In):
    """An end position to hold against the OB, and the answers about it so far."""

    position: Document
    answers: list[Answer] = Field([], max_length=500)


class HeldOut(BaseModel):
    """The next question about an end position, or the position to answer with."""

    asked: Any
    position: dict[str, Any] | None
    told: str = Field(description="Why it is not taken, if it is not.")
    lines: list[dict[str, Any]] = Field(description="What stands above the question.")


class DraftIn(_In):
    """A draft that follows the one with this number."""

    number: Seq
    position: Document


class DraftOrder(_In):
    """One order to the draft: what is done (``do``), to which pieces or places."""

    do: Literal[
        "put", "off", "status", "level", "face", "give", "guard", "tow", "aboard", "control",
        "ground", "clear", "eliminate", "last", "empty", "infer", "type", "undo", "redo", "played",
    ]  # fmt: skip
    ids: list[Words] = Field(
        [], max_length=500, description="Pieces; who possesses, guards, tows or carries first."
    )
    at: Words = Field("", description="A Location, or the two hexes of a facing.")
    name: Words = Field("", description="A status, what lies on the map, or a typed order.")
    kind: Literal["", "landed", "wrecked"] = ""
    on: bool = True
    by: Literal[1, -1] = 1
    side: Literal["", "british", "german"] = ""
    places: list[Words] = Field([], max_length=2000)
    size: Annotated[int, Field(ge=1, le=12)] | None = None


class DraftOrdersIn(_In):
    """Orders to the draft with this number: all are carried out as one change, or none."""

    number: Seq
    orders: list[DraftOrder] = Field(min_length=1, max_length=500)


class JudgedOut(BaseModel):
    """The faults of a draft, the areas it makes, the hexes with a Strategic Location."""

    number: int
    faults: list[dict[str, Any]]
    remarks: list[str] = Field(description="What is odd in a draft: look again.")
    areas: dict[str, Any] | None
    strategic: list[str]
    undo: bool = Field(description="Whether something can be undone.")
    redo: bool
    marks: dict[str, str] = Field(description="By id, what tells a piece from others of its type.")


class WorkedOut(JudgedOut):
    """The draft after orders."""

    position: dict[str, Any]


class DraftOut(WorkedOut):
    """A draft and the pieces that may be placed; of a setup where each of them may."""

    task: Literal["end", "setup", "hidden"]
    side: str
    hides_groups: bool = Field(
        description="Whether what RG brought comes only once the players say that they have played."
    )
    pieces: list[dict[str, Any]]
    places: list[dict[str, Any]]
    difference: dict[str, Any] | None = Field(description="What a proposal changes, by hex.")


class AheadIn(_In):
    """Answers to try one after the other, from what was asked at ``seq`` on."""

    seq: Seq
    answers: list[Answer] = Field(max_length=60)


class AheadOut(BaseModel):
    """The question that would come then, and what would follow without a question."""

    asked: dict[str, Any] | None
    said: list[str]


class WhatIfOut(BaseModel):
    """The chances of each RG, and of those named together."""

    groups: dict[str, Any]
    basket: list[dict[str, Any]]
    price: int


class MovesOut(BaseModel):
    """The ways from each place: where to, the chance of each result, and how units are grouped."""

    moves: list[dict[str, Any]]


class PlacesOut(BaseModel):
    """The hexes that may be the answer, and why the others may not."""

    legal: list[str]
    refused: dict[str, str]


class MapStartOut(BaseModel):
    """A blank map of the area game, the reconstruction, and the words that may stand in one."""

    blank: dict[str, Any]
    reconstruction: dict[str, Any]
    bridges: list[str] = Field(description="The areas of the reconstruction that are bridges.")
    choices: dict[str, Any]


class MapJudgedOut(BaseModel):
    """A map as far as it could be read, its faults, and how it differs from the reconstruction."""

    file: str
    faults: list[dict[str, Any]]
    groups: list[dict[str, Any]]
    map: dict[str, Any]
    unread: list[str]
    differences: list[dict[str, Any]]
    counts: dict[str, Any] | None = Field(description="Areas and lines, if nothing breaks a rule.")
