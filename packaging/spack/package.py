"""Spack's recipe for Tourney: put this folder's file into a repository of yours as packages/tourney/package.py."""
from spack.package import *


class Tourney(CMakePackage):
    """MPI collectives planned for a cluster's network, proved, and run under unmodified programs."""

    homepage = "https://example.org/tourney"  # to be set
    url = "https://example.org/tourney/tourney-0.1.0.tar.gz"  # to be set, and the version's sha256 with it
    git = "https://example.org/tourney/tourney.git"  # to be set

    license("MIT")

    version("main", branch="main")

    depends_on("c", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("mpi")
    depends_on("graphviz")
    depends_on("expat")
    depends_on("libyaml")
    depends_on("jansson")
    depends_on("libxml2")
    depends_on("pmix", when="^[virtuals=mpi] openmpi")
    requires("^[virtuals=mpi] openmpi", "^[virtuals=mpi] mpich", policy="one_of")

    generator("ninja")

    def cmake_args(self):
        mpi = self.spec["mpi"]
        variable = "OPENMPI_COMPILER" if mpi.name == "openmpi" else "MPICH_COMPILER"
        return [
            self.define("TOURNEY_MPIS", mpi.name),
            self.define(variable, mpi.mpicc),
            self.define("BUILD_TESTING", False),
            self.define("TOURNEY_EXAMPLES", False),
            self.define("TOURNEY_WERROR", False),
        ]
