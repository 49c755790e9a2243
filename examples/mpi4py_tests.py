#!/usr/bin/python3
"""Runs mpi4py's own tests of collectives, test/test_cco_*.py of its sources. Each rank leaves what
unittest says in the file unittest.RANK of the working directory; rank 0 prints how long it took.
Python needs Debian's packages python3-mpi4py and python3-numpy; the tests need the sources of that release.
usage: mpi4py_tests.py SOURCES [PATTERN]   (PATTERN: of the tests' files, test_cco_*.py)"""
import sys
import time
import unittest

from mpi4py import MPI

sources = sys.argv[1]
pattern = sys.argv[2] if len(sys.argv) > 2 else "test_cco_*.py"
start = time.monotonic()
with open(f"unittest.{MPI.COMM_WORLD.rank:03}", "w", encoding="utf-8") as said:
    # Whether tests fail is for the reader of these files: a rank that exits otherwise ends the others.
    unittest.main(
        module=None,
        argv=["mpi4py_tests.py", "discover", "-s", f"{sources}/test", "-p", pattern],
        testRunner=unittest.TextTestRunner(said, verbosity=2),
        exit=False,
    )
if MPI.COMM_WORLD.rank == 0:
    print(f"seconds tests {time.monotonic() - start:.2f}")
