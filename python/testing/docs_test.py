"""The examples of docs/python.md run as a reader runs them, and print what the page says."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import qconform

PAGE = Path(__file__).resolve().parents[2] / "docs" / "python.md"
_BLOCK = re.compile(r"^```(python|text|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def check(expected, got):
    """`...` stands for any text, and any white space is alike."""
    words, at = " ".join(got.split()), 0
    for part in expected.split("..."):
        part = " ".join(part.split())
        found = words.find(part, at)
        assert found >= 0, "expected\n%s\ngot\n%s\nwithout\n%s" % (expected, got, part)
        at = found + len(part)


def test_the_examples(tmp_path, monkeypatch, capsys):
    if not PAGE.exists():
        pytest.skip("the page is not beside the tests")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    folders = [os.path.dirname(qconform.program()), os.path.dirname(sys.executable)]
    path = os.pathsep.join([*folders, os.environ["PATH"]])
    names = {"__name__": "page"}
    printed = ""
    done = 0
    for kind, text in _BLOCK.findall(PAGE.read_text()):
        done += 1
        file = re.match(r"# (\w+\.py)\n", text)
        if kind == "python" and file:
            (tmp_path / file[1]).write_text(text)
        elif kind == "python":
            exec(compile(text, str(PAGE), "exec"), names)
            printed = capsys.readouterr().out
        elif kind == "text":
            check(text, printed)
        else:
            command, _, expected = text.partition("\n")
            ran = subprocess.run(
                command[2:],
                shell=True,
                env={**os.environ, "PATH": path},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            check(expected, ran.stdout)
    assert done > 5
