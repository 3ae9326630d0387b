"""Serves a backend of this process to the program, or names it so that a worker finds it."""

from __future__ import annotations

import contextlib
import inspect
import os
import shutil
import site
import socket
import sys
import tempfile
import threading
from types import TracebackType
from typing import Any

from qconform_worker import protocol
from qconform_worker.functions import FunctionBackend, FunctionBackends
from qconform_worker.serving import Target, Worker, as_backend, serve

from qconform._program import has_default_python


def _definition(backend: Any) -> Any:
    """Returns the class or function that a module defines."""
    if isinstance(backend, FunctionBackend):
        return backend.function
    if inspect.isclass(backend) or inspect.ismodule(backend):
        return backend
    return type(backend)


def _root_of(file: str, module: str) -> str:
    """Returns the folder from which `module`, which lies in `file`, is imported."""
    root = os.path.abspath(file)
    if os.path.basename(root) == "__init__.py":
        root = os.path.dirname(root)
    for _ in module.split("."):
        root = os.path.dirname(root)
    return root


def _is_installed(root: str) -> bool:
    folders = [*site.getsitepackages(), site.getusersitepackages(), os.path.dirname(os.__file__)]
    return root in (os.path.abspath(folder) for folder in folders)


class Named:
    """How a backend of this process is named in --backend."""

    def __init__(self, backend: Any) -> None:
        # Whether a worker can import it by that name.
        self.importable = False
        found = backend
        if isinstance(backend, (list, tuple)):
            self._name_list(backend)
            return
        if isinstance(backend, FunctionBackends):
            found = next(iter(backend.functions.values()))
        definition = _definition(found)
        self.name = getattr(definition, "__qualname__", "")
        module = getattr(definition, "__module__", None) or "__main__"
        if inspect.ismodule(definition):
            module, self.name = definition.__name__, ""
        self._name_in(module, backend)

    def _name_list(self, functions: Any) -> None:
        module = functions[0].function.__module__ if functions else "__main__"
        values = vars(sys.modules[module]) if module in sys.modules else {}
        self.name = next((name for name, value in values.items() if value is functions), "")
        if not self.name:
            self.name = "+".join(function.function.__name__ for function in functions)
        self._name_in(module, functions)

    def _name_in(self, module: str, backend: Any) -> None:
        loaded = sys.modules.get(module)
        file = getattr(loaded, "__file__", None)
        found: Any = loaded
        for part in self.name.split(".") if self.name else []:
            found = getattr(found, part, None)
        self.importable = found is backend and file is not None and os.path.exists(file)
        path = module
        if self.importable and file is not None:
            root = _root_of(file, module)
            if module == "__main__":
                path = os.path.abspath(file)
            elif not _is_installed(root):
                path = os.path.join(root, module)
        self.spec = "py:%s%s" % (path, ":" + self.name if self.name else "")

    @property
    def call(self) -> str:
        """The text of a Python expression, for what cannot be imported."""
        name = self.name.rpartition(".")[2]
        return name if name.isidentifier() else "backend"


class Served:
    """A backend as the program is to name it, while the `with` lasts.

    `arguments` are flags of the program, and `environment` is what it needs. A text is taken as
    --backend takes it. Anything else is served by threads of this process, or, if `isolate`, by
    a process that imports it.
    """

    def __init__(self, backend: Any, isolate: bool = False, python: str | None = None) -> None:
        self.arguments: list[str] = []
        self.environment: dict[str, str] = {}
        self.in_process = False
        self.replay_name: str | None = None  # of what only this process has
        self._folder: str | None = None
        if isinstance(backend, str):
            self.arguments = ["--backend", backend]
            if python is not None:
                self.arguments += ["--python", python]
            elif backend.startswith("py:") and not has_default_python():
                self.arguments += ["--python", sys.executable]
            return
        self._backend = as_backend(backend)
        named = Named(backend)
        if isolate and not named.importable:
            raise ValueError(
                "isolate: expected a backend that another process can import, got %s" % named.name
            )
        self.arguments = ["--backend", named.spec]
        if python is not None or not has_default_python():
            self.arguments += ["--python", python or sys.executable]
        self.in_process = not isolate
        if not named.importable:
            self.replay_name = named.call
        self._target = Target(named.spec.partition(":")[2])

    def __enter__(self) -> Served:
        if self.in_process:
            self._folder = tempfile.mkdtemp(prefix="qconform-")
            path = os.path.join(self._folder, "socket")
            self._listener = socket.socket(socket.AF_UNIX)
            self._listener.bind(path)
            self._listener.listen()
            self.environment["QCONFORM_WORKER_SOCKET"] = path
            threading.Thread(target=self._accept, daemon=True, name="qconform").start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._folder is not None:
            # Wakes accept(), which closing alone does not.
            self._listener.shutdown(socket.SHUT_RDWR)
            self._listener.close()
            shutil.rmtree(self._folder, ignore_errors=True)

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(
                target=self._serve, args=(connection,), daemon=True, name="qconform"
            ).start()

    def _serve(self, connection: socket.socket) -> None:
        worker = Worker(self._target, self._backend, trace=lambda: None)
        with connection, connection.makefile("rb", 1 << 16) as requests:
            replies = connection.makefile("wb", buffering=0)
            # The program ended, or gave this worker up.
            with contextlib.suppress(OSError, protocol.ProtocolError):
                serve(worker, requests, replies)  # type: ignore[arg-type]
