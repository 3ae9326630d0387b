"""pytest --qconform-backend module:Class: one test for each cell.

Also lets the tests of BackendTest share one run, with -k and with pytest-xdist.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from qconform._failure import CellFailure

if TYPE_CHECKING:
    from _pytest._code.code import TerminalRepr

    from qconform._cells import CellRun

_KINDS = ("simd", "onnxruntime", "oracle", "plugin", "process", "faulty", "py")


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("qconform", "conformance of ONNX's quantization operators")
    group.addoption(
        "--qconform-backend",
        metavar="BACKEND",
        help="judge this backend, one test for each cell: module:Class, or a text as qconform's "
        "--backend takes it (py:onnxruntime, plugin:./mine.so)",
    )
    group.addoption(
        "--qconform-cells",
        metavar="GLOB",
        action="append",
        help="only cells whose id matches (repeatable), such as '*/21/*-INT4/*'",
    )
    group.addoption(
        "--qconform-level",
        metavar="LEVEL",
        default="smoke",
        choices=["smoke", "standard", "exhaustive"],
        help="how many cases each cell is asked (default: smoke)",
    )
    group.addoption(
        "--qconform-known",
        metavar="FILE",
        help="known differences: cells that deviate as the file says are expected failures, "
        "and a difference that is no longer there is a failure",
    )
    group.addoption("--qconform-report", metavar="FILE", help="write the report as JSON")
    group.addoption(
        "--qconform-timeout", metavar="SECONDS", type=float, help="time limit of one case"
    )


class _Evidence:
    """What pytest prints of a failure, and the end of its line in the summary."""

    def __init__(self, failure: CellFailure) -> None:
        self.text = str(failure)
        self.reprcrash = _Crash(failure.message)

    def toterminal(self, writer: Any) -> None:
        writer.line(self.text)

    def __str__(self) -> str:
        return self.text


class _Crash:
    def __init__(self, message: str) -> None:
        self.message = message

    def __str__(self) -> str:
        return self.message


class _Item(pytest.Item):
    cell_run: CellRun

    def reportinfo(self) -> tuple[os.PathLike[str], int | None, str]:
        return self.config.rootpath, None, self.name

    def repr_failure(self, excinfo: Any, style: Any = None) -> str | TerminalRepr:
        from qconform._program import QconformError

        if isinstance(excinfo.value, QconformError):
            return "qconform: %s" % excinfo.value
        return super().repr_failure(excinfo, style)


class CellItem(_Item):
    """The test of one cell."""

    def runtest(self) -> None:
        outcome = self.cell_run.outcome(self.name)
        if outcome.kind == "skipped":
            pytest.skip(outcome.message)
        if outcome.kind == "known":
            pytest.xfail(outcome.message)
        if outcome.kind == "failed":
            raise CellFailure(outcome.message, outcome.text)


class KnownItem(_Item):
    """Fails if an entry of the known differences is expired or matches no cell."""

    def runtest(self) -> None:
        for cell in self.cell_run.selected:
            self.cell_run.outcome(cell)
        if self.cell_run.problems:
            first, *others = self.cell_run.problems
            raise CellFailure(first, "\n".join(others))


class CellCollector(pytest.Collector):
    """All cells that --qconform-cells selects."""

    def collect(self) -> Iterator[pytest.Item]:
        from qconform._cells import CellRun

        option = self.config.getoption
        cell_run = CellRun(
            _backend_text(option("--qconform-backend")),
            cells=option("--qconform-cells"),
            level=option("--qconform-level"),
            known=option("--qconform-known"),
            report=option("--qconform-report"),
            timeout=option("--qconform-timeout"),
        )
        items: list[_Item] = [CellItem.from_parent(self, name=cell) for cell in cell_run.cells]
        if option("--qconform-known"):
            items.append(KnownItem.from_parent(self, name="known differences"))
        for item in items:
            item.cell_run = cell_run
            yield item


def _backend_text(given: str) -> str:
    return given if given.partition(":")[0] in _KINDS else "py:" + given


def pytest_configure(config: pytest.Config) -> None:
    worker = getattr(config, "workerinput", None)
    if worker is not None and "qconform_folder" in worker:
        from qconform import _cells

        index = int(worker["workerid"].lstrip("gw"))
        _cells.shared = _cells.Shared(worker["qconform_folder"], index, worker["workercount"])


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Adds the cells, before -k chooses among them."""
    if not config.getoption("--qconform-backend"):
        return
    from qconform._program import QconformError

    collector = CellCollector.from_parent(session, name="qconform", nodeid="qconform")
    try:
        cells = list(collector.collect())
    except QconformError as error:
        raise pytest.UsageError("qconform: %s" % error) from None
    # Counted among those that were collected.
    report = pytest.CollectReport("qconform", "passed", None, [*cells])
    config.hook.pytest_collectreport(report=report)
    items += cells


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: Any) -> Iterator[None]:
    """Shows the evidence of a cell in place of a traceback."""
    outcome: Any = yield
    if call.excinfo is not None and isinstance(call.excinfo.value, CellFailure):
        report = outcome.get_result()
        if report.failed:
            report.longrepr = _Evidence(call.excinfo.value)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Tells each run which cells are tested."""
    selected: dict[CellRun, set[str]] = {}
    for item in session.items:
        of_class = getattr(item, "cls", None)
        cell_run: CellRun | None = getattr(item, "cell_run", getattr(of_class, "cell_run", None))
        cell = getattr(of_class, "cell_of", {}).get(item.name)
        if isinstance(item, CellItem):
            cell = item.name
        if cell_run is not None and cell is not None:
            selected.setdefault(cell_run, set()).add(cell)
    for cell_run, cells in selected.items():
        # In place of what was selected when pytest made an instance for each method.
        cell_run.selected = cells


class _Controller:
    """Of a session of pytest-xdist: the folder that its processes share."""

    folder: str | None = None


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    if _Controller.folder is None:
        _Controller.folder = tempfile.mkdtemp(prefix="qconform-")
    node.workerinput["qconform_folder"] = _Controller.folder


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    if _Controller.folder is not None:
        from qconform._cells import merge_shards

        merge_shards(_Controller.folder)
        _Controller.folder = None
