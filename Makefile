# A short cut to CMake's presets. Of the packages in packages.txt, those that a target needs are
# installed where missing.
PREFIX ?= /usr/local

.PHONY: all build check check-quick demo install clean packages packages-all

all: build

packages:
	@tools/install-packages build

packages-all:
	@tools/install-packages all

# Configuring again is cheap, and then a moved checkout or a new compiler can't surprise. Only what
# CMake complains of is shown.
build: packages
	@cmake --preset default >/dev/null
	@cmake --build --preset default

# Everything: the other compiler, the sanitizers, the fuzz targets for a while, and last every test, so
# that CTest's count ends it.
check: packages-all build
	@cmake --preset clang >/dev/null
	@cmake --build --preset clang
	@cmake --preset sanitizers >/dev/null
	@cmake --build --preset sanitizers
	@ctest --preset sanitizers
	@cmake --preset fuzz >/dev/null
	@cmake --build --preset fuzz
	@ctest --preset fuzz
	@ctest --preset default

# What isn't labelled slow, in less than a minute.
check-quick: packages-all build
	@ctest --preset quick

demo: packages-all build
	@tools/demo

install: build
	@DESTDIR="$(DESTDIR)" cmake --install build --prefix "$(PREFIX)"

clean:
	@rm -rf build build-clang build-sanitizers build-fuzz
