"""unittest's test cases from cells, with the interface of onnx.backend.test.BackendTest."""

from __future__ import annotations

import re
import sys
import unittest
from typing import TYPE_CHECKING, Any, Callable

from qconform._cells import CellRun
from qconform._failure import CellFailure

if TYPE_CHECKING:
    from qconform._api import Patterns

__unittest = True  # unittest leaves the frames of this module out of tracebacks


class _CellTest(unittest.TestCase):
    """The tests of one operator."""

    cell_run: CellRun
    cell_of: dict[str, str]  # the name of a test -> its cell

    def __init__(self, methodName: str = "runTest") -> None:
        super().__init__(methodName)
        # unittest makes all tests that it will run first, so this is the selection. pytest
        # makes others too; its plugin chooses among them.
        if methodName in self.cell_of:
            self.cell_run.select([self.cell_of[methodName]])


def _test(cell: str) -> Callable[[_CellTest], None]:
    def test(self: _CellTest) -> None:
        __tracebackhide__ = True
        outcome = self.cell_run.outcome(cell)
        if outcome.kind in ("skipped", "known"):
            self.skipTest(outcome.message)
        if outcome.kind == "failed":
            raise CellFailure(outcome.message, outcome.text)

    test.__doc__ = None
    return test


class BackendTest:
    """Judges a backend, one unittest for each cell:

        backend_test = qconform.BackendTest(MyBackend, __name__)
        backend_test.include("_21_.*INT4").xfail("per_axis")
        globals().update(backend_test.enable_report().test_cases)

    backend        a class with the interface of onnx.backend.base.Backend, a function of
                   @qconform.backend, or a text as --backend takes it
    parent_module  where the test cases appear to be defined: __name__
    Further arguments are those of qconform.run; the level is smoke by default.

    A pattern is searched in the name of a test (test_OP_21_FLOAT_FLOAT_INT4_per_tensor) and in
    the id of its cell (OP/21/FLOAT-FLOAT-INT4/per_tensor).
    """

    def __init__(
        self,
        backend: Any,
        parent_module: str | None = None,
        *,
        cells: Patterns = None,
        operators: Patterns = None,
        profile: str | None = None,
        level: str = "smoke",
        known: str | None = None,
        **settings: Any,
    ) -> None:
        self._module = parent_module
        self._arguments = {
            "cells": cells,
            "operators": operators,
            "profile": profile,
            "level": level,
            "known": known,
            **settings,
        }
        self._backend = backend
        self._includes: list[re.Pattern[str]] = []
        self._excludes: list[re.Pattern[str]] = []
        self._xfails: list[re.Pattern[str]] = []
        self._report: str | None = None

    def include(self, pattern: str) -> BackendTest:
        """Skips every test that no pattern of include() matches."""
        self._includes.append(re.compile(pattern))
        return self

    def exclude(self, pattern: str) -> BackendTest:
        """Skips the tests that match."""
        self._excludes.append(re.compile(pattern))
        return self

    def xfail(self, pattern: str) -> BackendTest:
        """Expects the tests that match to fail; one that passes is a failure."""
        self._xfails.append(re.compile(pattern))
        return self

    def enable_report(self, path: str = "qconform-report.json") -> BackendTest:
        """Writes the report of the run to `path`."""
        self._report = path
        return self

    @property
    def test_cases(self) -> dict[str, type[unittest.TestCase]]:
        """One class for each operator, by name, to be put into a module's globals()."""
        cell_run = CellRun(self._backend, report=self._report, **self._arguments)
        members: dict[str, dict[str, Any]] = {}
        for cell in cell_run.cells:
            op_type = cell.partition("/")[0]
            name = "test_" + re.sub(r"\W", "_", cell)
            test: Any = _test(cell)
            test.__name__ = name
            of_class = members.setdefault("%sTest" % op_type, {"cell_of": {}})
            reason = self._skips(name, cell)
            if reason is not None:
                test = unittest.skip(reason)(test)
            else:
                of_class["cell_of"][name] = cell
                if any(p.search(name) or p.search(cell) for p in self._xfails):
                    test = unittest.expectedFailure(test)
            of_class[name] = test
        module = self._module or sys._getframe(1).f_globals.get("__name__", __name__)
        return {
            name: type(name, (_CellTest,), {"cell_run": cell_run, "__module__": module, **values})
            for name, values in members.items()
        }

    def _skips(self, name: str, cell: str) -> str | None:
        def matches(patterns: list[re.Pattern[str]]) -> re.Pattern[str] | None:
            return next((p for p in patterns if p.search(name) or p.search(cell)), None)

        if self._includes and matches(self._includes) is None:
            return "no include() matches"
        excluded = matches(self._excludes)
        return None if excluded is None else "exclude(%r)" % excluded.pattern

    @property
    def test_suite(self) -> unittest.TestSuite:
        """All tests, for unittest.TextTestRunner().run()."""
        load = unittest.defaultTestLoader.loadTestsFromTestCase
        return unittest.TestSuite(load(case) for case in self.test_cases.values())
