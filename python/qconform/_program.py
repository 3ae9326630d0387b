"""Finds and runs the program `qconform`."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


class QconformError(Exception):
    """The program could not do what it was asked to: bad input, or an error of its own."""


def program() -> str:
    """Returns the path of the program: what the environment variable QCONFORM names, the one
    that was installed with this package, or the first in PATH."""
    given = os.environ.get("QCONFORM")
    if given:
        if not os.access(given, os.X_OK):
            raise QconformError("QCONFORM: expected the program, got %r" % given)
        return os.path.abspath(given)
    folders = [
        sysconfig.get_path("scripts"),
        os.path.dirname(sys.executable),
        sysconfig.get_path("scripts", sysconfig.get_preferred_scheme("user"))
        if hasattr(sysconfig, "get_preferred_scheme")
        else None,
        # pip install --target
        str(Path(__file__).resolve().parent.parent / "bin"),
    ]
    for folder in folders:
        path = os.path.join(folder or "", "qconform")
        if folder and os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    found = shutil.which("qconform")
    if found is None:
        raise QconformError(
            "qconform: expected the program beside this package or in PATH, got none"
        )
    return found


@dataclass
class Finished:
    """What the program returned and printed."""

    code: int
    stdout: str
    stderr: str


def call(
    arguments: Sequence[str],
    environment: Mapping[str, str] | None = None,
    shows_progress: bool = False,
    width: int | None = None,
) -> Finished:
    """Runs the program. Raises QconformError if the exit code is 2, KeyboardInterrupt if the
    program was interrupted."""
    variables = {**os.environ, **(environment or {})}
    if width is not None:
        variables["COLUMNS"] = str(width)
    process = subprocess.Popen(
        [program(), *arguments],
        env=variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=None if shows_progress else subprocess.PIPE,
        text=True,
        encoding="utf-8",
        errors="backslashreplace",
    )
    try:
        stdout, stderr = process.communicate()
    except KeyboardInterrupt:
        # A terminal sends the signal to the program as well, a notebook does not.
        process.send_signal(signal.SIGINT)
        process.wait()
        raise
    if process.returncode == 130:
        raise KeyboardInterrupt
    if process.returncode not in (0, 1, 3, 4):
        reason = (stderr or "").strip().replace("qconform: ", "", 1)
        raise QconformError(reason or "qconform: exit code %d" % process.returncode)
    return Finished(process.returncode, stdout, stderr or "")


def has_default_python() -> bool:
    """Returns whether the program would start this interpreter if it is not told which."""
    own = os.path.dirname(os.path.abspath(sys.executable))
    home = os.path.dirname(os.path.dirname(os.path.realpath(program())))
    if os.path.exists(os.path.join(home, "pyvenv.cfg")):
        return own == os.path.join(home, "bin")
    found = shutil.which("python3")
    return found is not None and own == os.path.dirname(os.path.abspath(found))
