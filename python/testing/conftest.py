"""Tests of the package: against the installed wheel, or a build tree (QCONFORM, PYTHONPATH)."""

pytest_plugins = ["pytester"]
