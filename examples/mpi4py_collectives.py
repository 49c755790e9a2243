#!/usr/bin/python3
"""The collectives as a Python program calls them by mpi4py: with numpy's buffers, which go as they
are, and with objects of Python, which mpi4py pickles. Every rank makes its data up from its number,
so that two runs print the same digests; rank 0 prints one for each call, of what all ranks got.
With a number of calls it only times so many with long buffers, and prints digests of what they got.
Debian's packages python3-mpi4py and python3-numpy.
usage: mpi4py_collectives.py [CALLS]"""
import hashlib
import pickle
import sys

import numpy
from mpi4py import MPI

WORLD = MPI.COMM_WORLD


def numbers(comm, count, dtype, salt=0):
    """An array that differs from rank to rank."""
    values = (numpy.arange(count) * 7919 + 104729 * comm.rank + salt) % 32749
    return values.astype(dtype)


def report(comm, name, result):
    """Rank 0 of the world prints a digest of what all ranks of the communicator have."""
    own = hashlib.sha256(pickle.dumps(result, protocol=4)).hexdigest()
    every = comm.gather(own, root=0)
    if WORLD.rank == 0:
        print(name, hashlib.sha256("".join(every).encode()).hexdigest()[:16], flush=True)


def buffers(comm, label, count, dtype):
    """The collectives by their names with a capital: buffers."""
    size = comm.size
    for root in sorted({0, size - 1}):
        got = numbers(comm, count, dtype, salt=root)
        comm.Bcast(got, root=root)
        report(comm, f"{label} Bcast from {root}", got)
    got = numpy.zeros(count * size, dtype)
    comm.Allgather(numbers(comm, count, dtype), got)
    report(comm, f"{label} Allgather", got)
    got = numbers(comm, count * size, dtype)
    comm.Allgather(MPI.IN_PLACE, got)
    report(comm, f"{label} Allgather in place", got)
    got = numpy.zeros(count * size, dtype)
    comm.Alltoall(numbers(comm, count * size, dtype), got)
    report(comm, f"{label} Alltoall", got)
    got = numbers(comm, count * size, dtype)
    comm.Alltoall(MPI.IN_PLACE, got)
    report(comm, f"{label} Alltoall in place", got)
    got = numpy.zeros(count, dtype)
    # Open MPI's sums of bytes stop at 127 on some processors, so that they depend on their order.
    comm.Allreduce(numbers(comm, count, dtype), got, op=MPI.MAX if dtype == "b" else MPI.SUM)
    report(comm, f"{label} Allreduce", got)
    got = numpy.zeros(count * size if comm.rank == 0 else 0, dtype)
    comm.Gather(numbers(comm, count, dtype), got if comm.rank == 0 else None, root=0)
    report(comm, f"{label} Gather", got)
    got = numpy.zeros(count, dtype)
    comm.Scatter(numbers(comm, count * size, dtype) if comm.rank == 0 else None, got, root=0)
    report(comm, f"{label} Scatter", got)


def uneven(comm, label, count):
    """The collectives whose blocks differ: the block from a to b has (a + b + 1) times the count."""
    size, rank = comm.size, comm.rank
    counts = [(rank + other + 1) * count for other in range(size)]
    got = numpy.zeros(sum(counts))
    comm.Alltoallv([numbers(comm, sum(counts), "d"), counts], [got, counts])
    report(comm, f"{label} Alltoallv", got)
    counts = [(other + 1) * count for other in range(size)]
    got = numpy.zeros(sum(counts))
    comm.Allgatherv(numbers(comm, counts[rank], "d"), [got, counts])
    report(comm, f"{label} Allgatherv", got)


def strided(comm, label, count):
    """A datatype with gaps: every other column of a matrix."""
    column = MPI.DOUBLE.Create_vector(count, 1, 2).Commit()
    got = numbers(comm, 2 * count, "d")
    comm.Bcast([got, 1, column], root=0)
    report(comm, f"{label} Bcast of a vector", got)
    column.Free()


def objects(comm, label, length):
    """The collectives by their small names: any object, pickled, of another length on each rank."""
    own = {"rank": comm.rank, "text": "x" * (length + 37 * comm.rank), "list": list(range(comm.rank))}
    report(comm, f"{label} bcast", comm.bcast(own, root=0))
    report(comm, f"{label} allgather", comm.allgather(own))
    report(comm, f"{label} alltoall", comm.alltoall([(own, other) for other in range(comm.size)]))
    report(comm, f"{label} scatter", comm.scatter([own] * comm.size if comm.rank == 0 else None))
    report(comm, f"{label} gather", comm.gather(own))
    report(comm, f"{label} allreduce", comm.allreduce(float(comm.rank)))


def timed(name, calls, call):
    """Rank 0 prints how long so many calls took, after one that isn't timed, and a digest."""
    call()
    WORLD.Barrier()
    start = MPI.Wtime()
    for _ in range(calls):
        result = call()
    WORLD.Barrier()
    if WORLD.rank == 0:
        print(f"seconds {name} {MPI.Wtime() - start:.3f}", flush=True)
    report(WORLD, name, result)


def long_buffers(calls):
    """Blocks of 64 KiB to all, of 16 KiB to each, and a whole of as much as all have."""
    size = WORLD.size
    part = numbers(WORLD, 8192, "d")
    table = numbers(WORLD, 2048 * size, "d")
    everything = numbers(WORLD, 8192 * size, "d")
    whole = numpy.zeros(8192 * size)
    exchanged = numpy.zeros(2048 * size)

    def bcast():
        WORLD.Bcast(everything, root=0)
        return everything

    def allgather():
        WORLD.Allgather(part, whole)
        return whole

    def alltoall():
        WORLD.Alltoall(table, exchanged)
        return exchanged

    timed("Bcast", calls, bcast)
    timed("Allgather", calls, allgather)
    timed("Alltoall", calls, alltoall)
    timed("allgather", calls, lambda: WORLD.allgather(part))


def every_call():
    """On the world and on communicators made from it, short and long, of several types."""
    halves = WORLD.Split(WORLD.rank % 2, WORLD.rank)
    twin = WORLD.Dup()
    grid = WORLD.Create_cart([WORLD.size], periods=[True])
    for comm, name in ((WORLD, "world"), (halves, "halves"), (twin, "twin"), (grid, "grid")):
        for count in (0, 1, 700, 5000):
            for dtype in ("b", "i", "d", "D"):
                buffers(comm, f"{name} {count} {dtype}", count, dtype)
        uneven(comm, name, 300)
        strided(comm, name, 3000)
        for length in (10, 20000):
            objects(comm, f"{name} {length}", length)
    for comm in (halves, twin, grid):
        comm.Free()


if len(sys.argv) > 1:
    long_buffers(int(sys.argv[1]))
else:
    every_call()
