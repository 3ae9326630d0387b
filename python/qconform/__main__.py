"""python -m qconform: the program."""

import os
import sys

from qconform._program import program

if __name__ == "__main__":
    found = program()
    os.execv(found, [found, *sys.argv[1:]])
