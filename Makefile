# `make help` lists what there is. Each target installs what it needs of Debian 12 and builds into build/<preset>.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

# Real data that tests, benchmarks and the demo use where it is at hand.
export TERRAWAY_DATA ?= $(abspath ../shared/data)
JOBS ?= $(shell nproc)
install := tools/install-packages
npm_ready := tools/npm/node_modules/.package-lock.json
terraway := build/release/bin/terraway

.PHONY: help demo test bench soak determinism format lint clean

help:  ## this list
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' Makefile | expand -t 14

demo:  ## build the program and bake an island; and a town and a mountain where TERRAWAY_DATA is
	$(install) build
	cmake --preset release >/dev/null
	cmake --build build/release --target terraway -j $(JOBS)
	@tools/demo $(terraway) out

test:  ## build everything with assertions and run every test
	$(install) build test
	@$(MAKE) --no-print-directory $(npm_ready)
	cmake --preset dev >/dev/null
	cmake --build build/dev -j $(JOBS)
	ctest --preset dev -j $(JOBS) --progress

bench:  ## speed, beside delaunator in the same run
	$(install) build bench
	@$(MAKE) --no-print-directory $(npm_ready)
	cmake --preset release -DTERRAWAY_BENCHMARKS=ON >/dev/null
	cmake --build build/release -j $(JOBS)
	tools/bench build/release

soak:  ## the long runs: hundreds of seeds, a million cells, ten minutes of fuzzing a target
	$(install) build test clang
	cmake --preset release >/dev/null
	cmake --build build/release --target terraway -j $(JOBS)
	tools/soak $(terraway)

determinism:  ## one hash per case and stage, over compilers, processors and thread counts
	$(install) build clang wasm arm64
	tools/determinism

format:  ## clang-format every source in place
	$(install) lint
	tools/sources | xargs clang-format-22 -i

lint:  ## the checks of the house; TIDY=all looks at every file
	$(install) build test lint
	tools/check-format
	tools/check-includes
	tools/check-calls
	tools/check-headers
	cmake --preset dev >/dev/null
	cmake --build build/dev -j $(JOBS)
	tools/check-symbols build/dev
	tools/check-tidy build/dev

clean:  ## remove what was built
	rm -rf build out tools/npm/node_modules

$(npm_ready): tools/npm/package-lock.json
	cd tools/npm && npm ci --loglevel=error --no-audit --no-fund
	touch $@
