"""Reports and differences, as the program writes them."""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

from qconform._program import call

if TYPE_CHECKING:
    import pandas

StrPath = Union[str, "os.PathLike[str]"]
Row = dict[str, Any]


def _shown(value: dict[str, str]) -> str:
    """Returns the code and the number, as the program prints them: "0x40200000 (2.5)"."""
    number = value["value"]
    if "0x" in number:
        number = "%.9g" % float.fromhex(number)
    return "%s (%s)" % (value["bits"], number)


def _row(cell: dict[str, Any]) -> Row:
    """Returns a cell of the report as a flat dict, with its simplest counterexample."""
    example: dict[str, Any] = next(iter(cell.get("counterexamples", [])), {})
    return {
        "cell": cell["cell"],
        "op_type": cell["op_type"],
        "since_version": cell["since_version"],
        "types": tuple(cell["types"]),
        "granularity": cell["granularity"],
        "verdict": cell["verdict"],
        "diagnosis": cell.get("diagnosis", ""),
        "reason": cell.get("reason", ""),
        "cases": cell["cases"],
        "elements": sum(cell["elements"].values()),
        "mismatches": sum(cell["mismatches"].values()),
        "clause": example.get("clause", ""),
        "operands": {o["name"]: _shown(o) for o in example.get("operands", [])},
        "expected": _shown(example["expected"]) if "expected" in example else "",
        "actual": _shown(example["actual"]) if "actual" in example else "",
        "rerun": example.get("replay", ""),
    }


class Report:
    """The report of a run.

    data       the JSON document (docs/report_format.md)
    exit_code  of the program: 0 all pass, 1 a deviation, 3 no deviation, but something is
               unsupported, refused although it is legal, or not judged, 4 nothing is supported
    text       what the program prints about it; also str(report)
    """

    def __init__(
        self, text: str, exit_code: int, summary: str, replay_name: str | None = None
    ) -> None:
        self._json = text
        self.data: dict[str, Any] = json.loads(text)
        self.exit_code = exit_code
        self.replay_name = replay_name  # of a backend that only this process has
        self.text = with_python_rerun(summary, replay_name)
        if replay_name is None:
            return
        for cell in self.data["results"]["cells"]:
            for example in [*cell.get("counterexamples", []), cell.get("example") or {}]:
                if "replay" in example:
                    example["replay"] = with_python_rerun(example["replay"], replay_name)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        counts = {k: v for k, v in self.counts.items() if v}
        words = ", ".join("%d %s" % (number, verdict) for verdict, number in counts.items())
        return "<qconform.Report of %s: %s>" % (self.backend, words or "no cells")

    @property
    def backend(self) -> str:
        """The name of the backend."""
        return str(self.data["results"]["backend"]["name"])

    @property
    def deviates(self) -> bool:
        """Whether the backend is wrong somewhere (known differences aside)."""
        return self.exit_code == 1

    @property
    def counts(self) -> dict[str, int]:
        """How many cells have each verdict."""
        cells = self.data["results"]["totals"]["cells"]
        return {k: v for k, v in cells.items() if k not in ("selected", "total")}

    @property
    def findings(self) -> list[dict[str, Any]]:
        """What is behind the deviations, the findings of most cells first."""
        return list(self.data["results"].get("findings", []))

    @property
    def rows(self) -> list[Row]:
        """One dict for each cell."""
        return [_row(cell) for cell in self.data["results"]["cells"]]

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.data["results"]["cells"])

    def __getitem__(self, cell: str) -> Row:
        for record in self.data["results"]["cells"]:
            if record["cell"] == cell:
                return _row(record)
        raise KeyError(cell)

    def to_pandas(self) -> pandas.DataFrame:
        """One row for each cell. Needs pandas."""
        import pandas

        return pandas.DataFrame(self.rows).set_index("cell")

    def details(self, *cells: str) -> str:
        """Returns what `qconform report -v` prints: with the simplest wrong elements, worked
        through step by step. With patterns of cells, only those."""
        with tempfile.TemporaryDirectory(prefix="qconform-") as folder:
            path = os.path.join(folder, "report.json")
            self.save(path)
            flags = [word for cell in cells for word in ("--cells", cell)] or ["-v"]
            text = call(["report", path, *flags], width=100).stdout
        return with_python_rerun(text.replace(folder + os.sep, ""), self.replay_name)

    def save(self, path: StrPath) -> None:
        """Writes the report as JSON."""
        Path(path).write_text(self._json, encoding="utf-8")

    def write(self, **files: StrPath) -> None:
        """Writes other formats: html=FILE, csv=FILE, junit=FILE, markdown=FILE, badge=FILE."""
        with tempfile.TemporaryDirectory(prefix="qconform-") as folder:
            path = os.path.join(folder, "report.json")
            self.save(path)
            flags = [word for f, p in files.items() for word in ("--" + f, os.fspath(p))]
            call(["report", path, *flags])


# "rerun: qconform replay CASE --backend ...", as the program prints it.
_RERUN = re.compile(r"qconform replay (\S+|'[^']*') --backend \S*py:.*")


def with_python_rerun(text: str, name: str | None) -> str:
    """Replaces the lines that rerun a case by Python's, for a backend `name` that exists only
    in this process."""
    if name is None:
        return text
    return _RERUN.sub(lambda m: "qconform.replay(%r, %s)" % (m.group(1).strip("'"), name), text)


def load_report(path: StrPath) -> Report:
    """Reads a report or the journal of a run. Raises QconformError if it is none."""
    with tempfile.TemporaryDirectory(prefix="qconform-") as folder:
        copy = os.path.join(folder, "report.json")
        finished = call(["report", os.fspath(path), "--json", copy], width=100)
        return Report(Path(copy).read_text(encoding="utf-8"), finished.code, finished.stdout)


class Diff:
    """What changed between two reports.

    data       the JSON document of `qconform diff`
    exit_code  0 nothing got worse, 1 something did, 3 the reports cannot be compared
    """

    def __init__(self, data: dict[str, Any], exit_code: int, text: str) -> None:
        self.data = data
        self.exit_code = exit_code
        self.text = text

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return "<qconform.Diff: %s>" % (", ".join(self.words) or "nothing changed")

    @property
    def worse(self) -> bool:
        """Whether something got worse."""
        return self.exit_code == 1

    @property
    def words(self) -> list[str]:
        """How many cells each word is true of, such as "3 regressed"."""
        counts = self.data["counts"]
        return ["%d %s" % (n, word) for word, n in counts.items() if n and word != "unchanged"]

    @property
    def cells(self) -> list[dict[str, Any]]:
        """The cells that changed."""
        return list(self.data["cells"])


def diff(old: Report | StrPath, new: Report | StrPath, *, known: StrPath | None = None) -> Diff:
    """Compares two reports."""
    with tempfile.TemporaryDirectory(prefix="qconform-") as folder:
        paths = []
        for name, report in (("old.json", old), ("new.json", new)):
            path = os.path.join(folder, name)
            if isinstance(report, Report):
                report.save(path)
            else:
                shutil.copyfile(report, path)
            paths.append(path)
        output = os.path.join(folder, "diff.json")
        more = [] if known is None else ["--known", os.fspath(known)]
        finished = call(["diff", *paths, "--json", output, *more], width=100)
        data = json.loads(Path(output).read_text(encoding="utf-8"))
        return Diff(data, finished.code, finished.stdout.replace(folder + os.sep, ""))
