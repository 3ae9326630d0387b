"""run, explain, replay: the commands of the program with backends of this process."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Union

import numpy
from qconform_worker import arrays

from qconform._program import call
from qconform._report import Report, StrPath, with_python_rerun
from qconform._serving import Served

# "next  qconform report FILE -v", perhaps with another line below it.
_NEXT = re.compile(r"^next  qconform report .*\n( {6}(?=qconform))?", re.MULTILINE)
Patterns = Union[str, Sequence[str], None]


def _listed(patterns: Patterns) -> list[str]:
    if patterns is None:
        return []
    return [patterns] if isinstance(patterns, str) else list(patterns)


def selection(cells: Patterns, operators: Patterns, profile: StrPath | None) -> list[str]:
    """Returns the flags that select cells."""
    flags = []
    for flag, values in (("--cells", _listed(cells)), ("--operator", _listed(operators))):
        for value in values:
            flags += [flag, value]
    if profile is not None:
        flags += ["--profile", os.fspath(profile)]
    return flags


def list_cells(
    cells: Patterns = None, *, operators: Patterns = None, profile: StrPath | None = None
) -> list[str]:
    """Returns the ids of the cells that are selected, all of them by default."""
    finished = call(["list", "cells", "--ids", *selection(cells, operators, profile)])
    return finished.stdout.split()


def run(
    backend: Any,
    *,
    cells: Patterns = None,
    operators: Patterns = None,
    profile: StrPath | None = None,
    level: str = "standard",
    options: Mapping[str, object] | None = None,
    name: str | None = None,
    seed: int = 1,
    jobs: int | None = None,
    known: StrPath | None = None,
    timeout: float | None = None,
    isolate: bool = False,
    python: str | None = None,
    negative: bool | None = None,
    shard: str | None = None,
    progress: bool = False,
) -> Report:
    """Judges a backend in the selected cells, all of them by default.

    backend   a text as --backend takes it ("simd", "py:onnxruntime", "plugin:./mine.so"); a
              function of @qconform.backend, or a list of them; or a class or object with the
              interface of onnx.backend.base.Backend
    cells     a pattern of cell ids, or several: "*/21/*-INT4/*"
    level     smoke, standard or exhaustive
    options   of the backend
    name      of the backend in the report
    known     a file of known differences
    timeout   seconds for one case
    isolate   import a class or function in a process of its own, which may crash, in place
              of asking it in threads of this one
    python    the interpreter of a backend py:; by default this one
    negative  whether invalid and unusual models are asked too; by default if no cells are
              selected
    shard     "I/N": only part I of N equal parts, counted from 0
    progress  whether a progress bar is shown

    Raises QconformError if something is wrong with these. A deviation is no exception: see
    Report.deviates.
    """
    with tempfile.TemporaryDirectory(prefix="qconform-") as folder:
        path = os.path.join(folder, "report.json")
        with Served(backend, isolate, python) as served:
            arguments = ["run", *served.arguments, "--level", level, "--report", path]
            arguments += ["--seed", str(seed), *selection(cells, operators, profile)]
            for key, value in (options or {}).items():
                arguments += ["--backend-option", "%s=%s" % (key, value)]
            if served.in_process:
                jobs = 1
            for flag, given in (
                ("--name", name),
                ("--jobs", jobs),
                ("--known", known),
                ("--timeout-per-case", timeout),
                ("--shard", shard),
            ):
                if given is not None:
                    arguments += [flag, str(given)]
            if negative is not None:
                arguments.append("--negative" if negative else "--no-negative")
            if not progress:
                arguments.append("--no-progress")
            finished = call(arguments, served.environment, shows_progress=progress, width=100)
        # The line names a file that is gone; Report.details() shows the same.
        summary = _NEXT.sub(lambda m: "next  " if m[1] else "", finished.stdout)
        text = Path(path).read_text(encoding="utf-8")
        return Report(text, finished.code, summary, served.replay_name)


@dataclass
class Explanation:
    """How the right answer to a question comes about.

    text      what the program prints; also str(explanation)
    deviates  whether `actual`, or the answer of a backend, is wrong
    """

    text: str
    deviates: bool

    def __str__(self) -> str:
        return self.text


def _typed(value: Any) -> str:
    """Returns a value as `explain` takes it: a number, or codes with their type."""
    if isinstance(value, (str, bool, int, float)):
        return str(int(value) if isinstance(value, bool) else value)
    array = numpy.asarray(value)
    name = arrays.type_name(array.dtype)
    if name is None:
        raise ValueError("expected a dtype that ONNX has, got %s" % array.dtype)
    if arrays.BITS[name] < 8:
        codes = array.reshape(-1).view(numpy.uint8) & ((1 << arrays.BITS[name]) - 1)
    else:
        array = numpy.ascontiguousarray(array).reshape(array.shape)
        codes = array.reshape(-1).view("<u%d" % array.dtype.itemsize)

    def nested(part: Any) -> str:
        if isinstance(part, list):
            return "[%s]" % ",".join(nested(p) for p in part)
        return hex(part)

    return "%s:%s" % (nested(codes.reshape(array.shape).tolist()), name)


def explain(
    op_type: str,
    *,
    opset: int | None = None,
    actual: Any = None,
    backend: Any = None,
    element: int | None = None,
    **settings: Any,
) -> Explanation:
    """Works one question through: what is the right answer, and why.

    settings  the operands and attributes by name: arrays, numbers, or texts as
              `qconform explain` takes them ("[1,2]:FLOAT16")
    actual    an answer to judge
    backend   is asked as well; as run takes it
    """
    arguments = ["explain", op_type]
    for key, value in settings.items():
        if value is not None:
            arguments.append("%s=%s" % (key, _typed(value)))
    for flag, given in (("--opset", opset), ("--element", element)):
        if given is not None:
            arguments += [flag, str(given)]
    if actual is not None:
        arguments += ["--actual", _typed(actual)]
    if backend is None:
        finished = call(arguments)
    else:
        with Served(backend) as served:
            finished = call([*arguments, *served.arguments], served.environment)
    return Explanation(finished.stdout, finished.code == 1)


def replay(
    case: str,
    backend: Any,
    *,
    seed: int = 1,
    most: int | None = None,
    isolate: bool = False,
    python: str | None = None,
) -> Explanation:
    """Reruns one case of a report and shows each element that differs."""
    arguments = ["replay", case, "--seed", str(seed)]
    if most is not None:
        arguments += ["--most", str(most)]
    with Served(backend, isolate, python) as served:
        finished = call([*arguments, *served.arguments], served.environment)
    text = with_python_rerun(finished.stdout, served.replay_name)
    return Explanation(text, finished.code == 1)
