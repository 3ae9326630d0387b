"""Judge implementations of ONNX's quantization operators, bit by bit.

    import qconform

    report = qconform.run("py:onnx.reference", cells="*/13/*", level="smoke")
    print(report)

The program `qconform` is the one implementation; this package starts it and reads its
reports. docs/python.md has examples.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from qconform_worker.functions import FunctionBackend, Refused, Unsupported, backend

    from qconform._api import Explanation, explain, list_cells, replay, run
    from qconform._program import QconformError, program
    from qconform._report import Diff, Report, Row, diff, load_report
    from qconform.backend_test import BackendTest

__all__ = [
    "BackendTest",
    "Diff",
    "Explanation",
    "FunctionBackend",
    "QconformError",
    "Refused",
    "Report",
    "Row",
    "Unsupported",
    "backend",
    "diff",
    "explain",
    "list_cells",
    "load_report",
    "program",
    "replay",
    "run",
]

# pytest imports this package to find the plugin, also where nothing is judged: each module is
# imported when a name of it is first used.
_MODULES = {
    "qconform._api": ("Explanation", "explain", "list_cells", "replay", "run"),
    "qconform._program": ("QconformError", "program"),
    "qconform._report": ("Diff", "Report", "Row", "diff", "load_report"),
    "qconform.backend_test": ("BackendTest",),
    "qconform_worker.functions": ("FunctionBackend", "Refused", "Unsupported", "backend"),
}


def __getattr__(name: str) -> Any:
    for module, names in _MODULES.items():
        if name in names:
            value = getattr(importlib.import_module(module), name)
            globals()[name] = value
            return value
    raise AttributeError("module %r has no attribute %r" % (__name__, name))
