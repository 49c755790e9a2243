# A short cut to CMake's presets. Of the packages in packages.txt, those that a target needs are
# installed where missing.
PREFIX ?= /usr/local

.PHONY: all build check check-quick check-whole demo performance performance-quick site install deb deb-check first-run-check clean packages packages-all

all: build

packages:
	@tools/install-packages build

packages-all:
	@tools/install-packages all

# Configuring again is cheap; where that fails (a moved checkout, another compiler), it begins afresh.
# Only what CMake then complains of is shown.
configure = cmake --preset $(1) >/dev/null 2>&1 || cmake --fresh --preset $(1) >/dev/null

build: packages
	@$(call configure,default)
	@cmake --build --preset default

# The tutorials' tests build the project again, each in a copy: what is the same is compiled once.
check check-quick check-whole: export CMAKE_C_COMPILER_LAUNCHER = $(shell command -v ccache)
check check-quick check-whole: export CCACHE_BASEDIR = $(CURDIR)
check check-quick check-whole: export CCACHE_NOHASHDIR = 1

# The other compiler, the sanitizers, the fuzz targets for a while, and last the tests, so that CTest's count ends it. Of long ones
# it has samples.
check: packages-all build
	@$(call configure,clang)
	@cmake --build --preset clang
	@$(call configure,sanitizers)
	@cmake --build --preset sanitizers
	@ctest --preset sanitizers
	@$(call configure,threads)
	@cmake --build --preset threads
	@ctest --preset threads
	@$(call configure,fuzz)
	@cmake --build --preset fuzz
	@ctest --preset fuzz
	@ctest --preset default

# What isn't labelled slow or long, in about a minute.
check-quick: packages-all build
	@ctest --preset quick

# What make check has samples of, whole: long tests, and the conformance suite, as it is and with each sanitizer. Takes hours.
check-whole: packages-all build
	@ctest --preset whole
	@$(call configure,sanitizers)
	@cmake --build --preset sanitizers
	@ctest --test-dir build-sanitizers -L long -V
	@$(call configure,threads)
	@cmake --build --preset threads --target tourney_openmpi tourney_mpich tourney_yield tourney_tool \
	  conformance_c_openmpi conformance_c_mpich conformance_choose
	@ctest --test-dir build-threads -L conformance -V

demo: packages-all build
	@tools/demo

# Every cell of docs/performance.md, measured in the lab; goes on where it was interrupted. OPTIONS: as
# tools/performance --help has them.
performance: packages-all build
	@tools/performance $(OPTIONS)

# A tenth of them, in less than twelve minutes.
performance-quick: packages-all build
	@tools/performance --quick $(OPTIONS)

# The documentation site, in build/site.
site:
	@tools/install-packages site
	@tools/make-site

install: build
	@DESTDIR="$(DESTDIR)" cmake --install build --prefix "$(PREFIX)"

# Debian packages, in build-deb/.
deb: packages
	@tools/install-packages package
	@tools/make-deb

# The same, judged by lintian, installed in an empty Debian 12, used and removed. As root or through sudo.
deb-check: deb
	@tools/check-deb

# docs/first-run.md, each of its paths in an empty Debian 12, or those of PATHS, as PATHS=machines: to a faster program in
# ten minutes and nine command lines.
first-run-check:
	@tools/install-packages package
	@tools/check-first-run $(PATHS)

clean:
	@rm -rf build build-deb build-clang build-sanitizers build-threads build-fuzz
