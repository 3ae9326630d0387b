"""One test for each cell, from one run of the program for all cells that are tested."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import tempfile
import xml.etree.ElementTree
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qconform._api import Patterns, list_cells, run
from qconform._program import QconformError, call
from qconform._report import Report, with_python_rerun
from qconform._serving import Named


@dataclass
class Outcome:
    """What became of a cell.

    kind     passed, failed, skipped, or known: it deviates as a known difference says
    message  one line
    text     the evidence: the simplest wrong elements, and how to rerun them
    """

    kind: str
    message: str = ""
    text: str = ""


@dataclass
class Shared:
    """Where the processes of one test session (pytest-xdist) share their runs: each takes one
    shard first, and the others when it needs them and nobody has run them."""

    folder: str
    index: int
    count: int


# Set by the pytest plugin in a process of pytest-xdist.
shared: Shared | None = None


@dataclass
class Judged:
    outcomes: dict[str, Outcome]
    problems: list[str]  # of known differences that are about no cell


def _evidence(text: str, reason: str, replay_name: str | None) -> str:
    """Shortens a cell's evidence: without its id, and with its simplest example only."""
    sentences, *examples = with_python_rerun(text.strip(), replay_name).split("\n\n")
    lines = sentences.split("\n")[1:]
    is_declined = not reason.startswith("refused as invalid: ")
    if reason and lines and lines[0] == reason and examples and is_declined:
        lines[0] = "declined: " + reason
    return "\n".join([*lines, *examples[:1]])


def _read_junit(path: str, report: Report, replay_name: str | None) -> Judged:
    judged = Judged({}, [])
    reasons = {row["cell"]: row["reason"] for row in report}
    wrong: dict[str, str] = {}
    for case in xml.etree.ElementTree.parse(path).iter("testcase"):
        name, kind = case.get("name", ""), case.get("classname", "")
        found = next(iter(case), None)
        message = "" if found is None else found.get("message", "")
        if kind.startswith("known_differences."):
            if name.startswith("entry "):
                judged.problems.append(message)
            else:
                wrong[name] = message
            continue
        if found is None:
            judged.outcomes[name] = Outcome("passed")
        elif found.tag != "skipped":
            text = _evidence(found.text or "", reasons.get(name, ""), replay_name)
            judged.outcomes[name] = Outcome("failed", message, text)
        elif message.startswith("known difference: "):
            judged.outcomes[name] = Outcome("known", message[len("known difference: ") :])
        else:
            # The first line is the cell's id, the second says why.
            reason = (found.text or "").strip().split("\n")[1:2]
            judged.outcomes[name] = Outcome("skipped", ": ".join([message, *reason]))
    for name, message in wrong.items():
        before = judged.outcomes.get(name)
        if before is None or before.kind == "passed":
            judged.outcomes[name] = Outcome("failed", "XPASS(strict): " + message, message)
        elif before.kind == "failed":
            before.text += "\n\nknown differences: " + message
        else:
            judged.outcomes[name] = Outcome("failed", message, message)
    return judged


class CellRun:
    """The run of a backend in the cells that are tested. It begins when the first outcome is
    asked for, and takes all cells that were selected by then."""

    def __init__(
        self,
        backend: Any,
        cells: Patterns = None,
        operators: Patterns = None,
        profile: str | None = None,
        known: str | None = None,
        report: str | None = None,
        **settings: Any,
    ) -> None:
        self.backend = backend
        self.patterns = {"cells": cells, "operators": operators, "profile": profile}
        self.known = None if known is None else os.path.abspath(known)
        self.report = None if report is None else os.path.abspath(report)
        self.settings = settings
        self.cells: list[str] = list_cells(cells, operators=operators, profile=profile)
        self.selected: set[str] = set()
        self.outcomes: dict[str, Outcome] = {}
        self.problems: list[str] = []
        self._is_first = True
        self._sharded: list[str] = []  # what this session's processes run in shards
        self._judged_shards: set[int] = set()
        self._error: QconformError | None = None  # that ended a run
        self._replay_name: str | None = None

    def select(self, cells: Iterable[str]) -> None:
        self.selected.update(cells)

    def outcome(self, cell: str) -> Outcome:
        """Raises QconformError if the run failed: of one cell or another, it fails alike."""
        self.selected.add(cell)
        if self._error is not None:
            raise self._error
        try:
            return self._outcome(cell)
        except QconformError as error:
            self._error = error
            raise

    def _outcome(self, cell: str) -> Outcome:
        if cell not in self.outcomes:
            pending = [c for c in self.cells if c in self.selected and c not in self.outcomes]
            is_first, self._is_first = self._is_first, False
            if is_first and shared is not None:
                self._sharded = pending
            if shared is not None and cell in self._sharded:
                self._gather(shared, cell)
            else:
                report = self._run(pending)
                self._judge(report)
                if self.report is not None and is_first:
                    report.save(self.report)
        return self.outcomes[cell]

    def _selection(self, pending: list[str]) -> dict[str, Any]:
        return dict(self.patterns) if len(pending) == len(self.cells) else {"cells": pending}

    def _run(self, pending: list[str], **more: Any) -> Report:
        arguments = {**self.settings, **self._selection(pending), **more}
        report = run(self.backend, negative=False, **arguments)
        self._replay_name = report.replay_name
        return report

    def _judge(self, report: Report) -> None:
        with tempfile.TemporaryDirectory(prefix="qconform-") as folder:
            path = os.path.join(folder, "report.json")
            report.save(path)
            known = [] if self.known is None else ["--known", self.known]
            call(["report", path, "--junit", os.path.join(folder, "junit.xml"), *known])
            judged = _read_junit(os.path.join(folder, "junit.xml"), report, self._replay_name)
        self.outcomes.update(judged.outcomes)
        self.problems = list(dict.fromkeys([*self.problems, *judged.problems]))

    def _key(self) -> str:
        """Names this run alike in all processes of a session, and unlike any other run."""
        backend = self.backend if isinstance(self.backend, str) else Named(self.backend).spec
        asked = [backend, str(self.report), repr(sorted(self.settings.items())), *self._sharded]
        return hashlib.sha256("\n".join(asked).encode()).hexdigest()[:16]

    def _gather(self, session: Shared, cell: str) -> None:
        """Judges the cells in shards, this process's own first, until `cell` is among them. So
        each shard with a cell that some process tests is run, and once."""
        cells = self._sharded
        count = min(session.count, len(cells))
        folder = Path(session.folder, self._key())
        folder.mkdir(exist_ok=True)
        jobs = max(1, (os.cpu_count() or 1) // session.count)
        for i in range(count):
            number = (session.index + i) % count
            if number in self._judged_shards:
                continue
            path = folder / ("shard-%d.json" % number)
            with open(folder / ("lock-%d" % number), "w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                if path.exists():
                    report = Report(path.read_text(encoding="utf-8"), 0, "")
                else:
                    report = self._run(cells, shard="%d/%d" % (number, count), jobs=jobs)
                    report.save(path)
                    about = {"count": count, "report": self.report}
                    (folder / "about.json").write_text(json.dumps(about))
            self._judge(report)
            self._judged_shards.add(number)
            if cell in self.outcomes:
                return


def merge_shards(folder: str) -> None:
    """Writes the reports of a session's runs, and removes what its processes shared."""
    for about_path in Path(folder).glob("*/about.json"):
        about = json.loads(about_path.read_text())
        shards = [
            str(about_path.parent / ("shard-%d.json" % number)) for number in range(about["count"])
        ]
        if about["report"] is not None and all(os.path.exists(shard) for shard in shards):
            call(["merge", *shards, "--report", about["report"]])
    shutil.rmtree(folder, ignore_errors=True)
