"""The one way out of a command: it returns its answer, which is printed for people or as JSON.

A command reads its arguments, asks a game and returns a frozen struct::

    @app.command()
    @answers
    def tide(file: Path = FILE) -> Answer:
        \"\"\"Say when the canal rises.\"\"\"
        return Answer(tide_of(file), print_tide)

``answers`` adds the option ``--json``. What ``print_tide`` prints is for people; without it the
facts are listed by their names, many alike as a table. Options that several commands share stand
in a struct, an ``OptionGroup``; a parameter of its type gets all of them::

    class Water(OptionGroup, frozen=True, kw_only=True):
        moon: Annotated[str, typer.Option("--moon", help="new or full.")] = "new"

    def tide(file: Path = FILE, water: Water) -> Answer: ...
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import nullcontext, redirect_stdout
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import typer

from asl_pbcg.kernel.errors import PBCGError

if TYPE_CHECKING:
    from asl_pbcg.records.data_tables import Tables


_RUNNING: ContextVar[typer.Context] = ContextVar("running")
"""How the command that runs was called."""


def show_facts(data: Any) -> None:
    """List facts by their names; many of one kind as a table."""

    from rich import table as rich_table

    from asl_pbcg.cli.terminal import sentences

    plain = msgspec.to_builtins(data)
    if isinstance(plain, Mapping):
        names = {key: key.replace("_", " ").capitalize() for key in plain}
        width = max(map(len, names.values()), default=0) + 1
        for key, value in plain.items():
            typer.echo(f"{names[key] + ':':{width}} {_words(value)}")
        return
    rows = list(plain)
    table = rich_table.Table(box=None, pad_edge=False)
    for key in rows[0] if rows else ():
        table.add_column(key.replace("_", " "))
    for row in rows:
        table.add_row(*map(_words, row.values()))
    sentences.Sentences().print(table)


def _words(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_words(entry)}" for key, entry in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(_words, value))
    return "" if value is None else str(value)


class Answer(NamedTuple):
    """The answer of a command: its data, how it is printed for people, and the exit code.

    ``after`` is done once it has been printed.
    """

    data: Any
    show: Callable[[Any], None] = show_facts
    code: int = 0
    after: Callable[[], None] = lambda: None

    @classmethod
    def in_lines(cls, data: Any, lines: Iterable[str]) -> Answer:
        """Return the answer that people read as ``lines``."""

        def show(_: Any) -> None:
            for line in lines:
                typer.echo(line)

        return cls(data, show)


class OptionGroup(msgspec.Struct, frozen=True, kw_only=True):
    """Options that several commands share: each field is one, with its ``typer.Option``."""


class WrittenFiles(msgspec.Struct, frozen=True):
    """The files that a command wrote."""

    written: list[str]


def written_words(*files: object, more: str = "") -> str:
    """Say which files were written, and what is to be said of them besides."""
    return f"Written: {', '.join(map(str, files))}" + (f". {more}" if more else "")


def written_files(files: Iterable[object], more: str = "") -> Answer:
    """Answer which files were written; ``more`` is said of them to people besides."""
    names = [str(file) for file in files]
    return Answer(WrittenFiles(names), lambda _: typer.echo(written_words(*names, more=more)))


def answers(command: Callable[..., Answer]) -> Callable[..., None]:
    """Give a command the option ``--json`` and print the answer that it returns.

    With ``--json`` what else the command prints goes to stderr.

    A parameter whose type is an OptionGroup becomes the options of that group.
    """
    signature = inspect.signature(command)
    groups = {
        name: group for name in signature.parameters if (group := _option_group(command, name))
    }

    @functools.wraps(command)
    def run(*, ctx: typer.Context, as_json: bool, **arguments: Any) -> None:
        if "ctx" in signature.parameters:
            arguments["ctx"] = ctx
        for name, group in groups.items():
            arguments[name] = group(**{key: arguments.pop(key) for key in group.__struct_fields__})
        before = _RUNNING.set(ctx)
        try:
            # What a conversation says is for people: a program reads the answer alone.
            with redirect_stdout(sys.stderr) if as_json else nullcontext():
                answer = command(**arguments)
        finally:
            _RUNNING.reset(before)
        if as_json:
            typer.echo(json_text(answer.data))
        else:
            from asl_pbcg.cli.terminal import pager

            with pager.page_output():
                answer.show(answer.data)
        answer.after()
        if answer.code:
            raise typer.Exit(answer.code)

    parameters = [_parameter("ctx", typer.Context, inspect.Parameter.empty)]
    for name, field in signature.parameters.items():
        is_group = name in groups
        if name != "ctx":
            parameters += _group_parameters(groups[name]) if is_group else [field]
    parameters.append(_parameter("as_json", bool, _JSON_OPTION))
    run.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[field.replace(kind=inspect.Parameter.KEYWORD_ONLY) for field in parameters]
    )
    run.__annotations__ = {field.name: field.annotation for field in parameters}
    return run


_JSON_OPTION = typer.Option(False, "--json", help="Answer as JSON.")


def _parameter(name: str, kind: Any, default: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)


def _option_group(command: Callable[..., Any], name: str) -> type[OptionGroup] | None:
    """Return the group of options that a parameter of a command stands for, if it is one."""
    kind = command.__annotations__.get(name)
    kind = getattr(command, "__globals__", {}).get(kind) if isinstance(kind, str) else kind
    return kind if isinstance(kind, type) and issubclass(kind, OptionGroup) else None


def _group_parameters(group: type[OptionGroup]) -> Iterator[inspect.Parameter]:
    for field in msgspec.structs.fields(group):
        is_list = field.default is msgspec.NODEFAULT
        yield _parameter(field.name, field.type, [] if is_list else field.default)


def wants_json() -> bool:
    """Return whether the command that runs was given ``--json``: then nothing is asked."""
    context = _RUNNING.get(None)
    return context is not None and bool(context.params["as_json"])


def refuse_idle(where: str, *options: str) -> None:
    """Refuse options that were typed ``where`` they have no effect. Raises PBCGError."""
    context = _RUNNING.get()
    for parameter in context.command.params:
        name, names = str(parameter.name), [*parameter.opts, *parameter.secondary_opts]
        source = context.get_parameter_source(name)
        if source and source.name == "COMMANDLINE" and not set(options).isdisjoint(names):
            typed = max(parameter.opts, key=len) if context.params[name] else names[-1]
            raise PBCGError(f"{typed} has no effect {where}: leave it out.")


def json_text(data: Any) -> str:
    """Return data as JSON with one space of indent."""
    return msgspec.json.format(msgspec.json.encode(data), indent=1).decode()


def written_tables(tables: Tables, output: Path) -> Answer:
    """Write tables as .csv, .json or .xlsx and answer which files were written."""

    from asl_pbcg.records import data_tables

    return written_files(data_tables.write_tables(tables, output))
