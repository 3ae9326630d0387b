"""python3 -m qconform_worker TARGET [KEY=VALUE ...]

Serves a Python backend. TARGET is one of
  onnxruntime                  the package, with opt_level=LEVEL threads=N provider=NAME
  onnx.reference               ONNX's reference evaluator
  [FOLDER/]MODULE:NAME         NAME is a class or module with the interface of
                               onnx.backend.base.Backend (prepare(model, **options) returns
                               an object with run(inputs)), a class that takes a model and
                               has run(None, feeds), or a function of @qconform.backend
  [FOLDER/]MODULE              a module with that interface
MODULE may be a file, mine.py.

python3 -m qconform_worker --connect SOCKET
  passes the messages on to the process that listens on that Unix socket.
"""

from __future__ import annotations

import os
import sys

if __name__ == "__main__" and not __package__:  # started as a file
    # As `python3 -m` does it, modules of the working directory can be imported.
    sys.path[0:1] = [os.path.dirname(os.path.dirname(os.path.abspath(__file__))), os.getcwd()]

from qconform_worker import protocol
from qconform_worker.serving import Target, Worker, serve


def relay(path: str) -> int:
    """Copies stdin to the socket, and what comes from there to stdout, until one ends."""
    import select
    import socket

    connection = socket.socket(socket.AF_UNIX)
    connection.connect(path)
    while True:
        ready: list[object] = select.select([0, connection], [], [])[0]  # type: ignore[type-var]
        if 0 in ready:
            data = os.read(0, 1 << 18)
            if not data:
                return 0
            connection.sendall(data)
        if connection in ready:
            data = connection.recv(1 << 18)
            if not data:
                sys.stderr.write("the Python process that serves the backend ended\n")
                return 1
            while data:
                data = data[os.write(1, data) :]


def main(arguments: list[str]) -> int:
    if len(arguments) == 2 and arguments[0] == "--connect":
        return relay(arguments[1])
    if not arguments or arguments[0].startswith("-"):
        sys.stderr.write(__doc__ or "")
        return 2
    requests, replies = protocol.take_standard_files()
    serve(Worker(Target(arguments[0], arguments[1:])), requests, replies)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
