"""Tests of the package: against the installed wheel, or a build tree (QCONFORM, PYTHONPATH)."""

import qconform

pytest_plugins = ["pytester"]

# After each of its tests pytester forgets the modules that were first imported in it. The package
# imports its modules when a name is used, so there would be two of each class.
for name in qconform.__all__:
    getattr(qconform, name)
