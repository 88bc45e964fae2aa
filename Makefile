# A thin hand over CMake. `make run` and `make test` are all a newcomer needs.
#
#   make              build the libraries and the commands into build/ (the command: build/graze)
#   make run          build, then the main job: 500 moving cubes, and every method on the same cubes; a few minutes at first
#   make cases        build, then ask Graze the reported failures of others, and verify every answer
#   make test         build, then run the tests of the tier GRAZE_TIER: test (the default) or ci
#   make lua          the Lua module, and its tests alone (on Debian: installs every Lua, busted and LÖVE)
#   make python       the Python package, in the environment build/python (on Debian: installs what is missing)
#   make python-example  that, then 10,000 placements of a part beside other libraries: build/placements.png
#   make python-test  that, then its tests and type checks
#   make python-wheels  the source distribution and the wheels, in build/dist, imported with each CPython from 3.10 that is found
#   make check        layers, map, budgets, cycles, headers, layout, words, manual
#   make format       lay the C files, and the C++ files of the bindings, out as check wants them (clang-format 14)
#   make soak         all tests with full counts, sanitized tests, long fuzzing; writes build/soak/table.txt. A second call goes on
#                     where the first was interrupted (FRESH=1: from the start; ONLY=regex: of these tests)
#   make mutants      change the narrow phase, motion and verifier in 120 places and count how many changes the quick tier detects;
#                     writes build/mutants-LABEL.md (LABEL=after); hours, resumable
#   make amalgamate   the library as one source and its public headers: build/amalgamated/graze.c, graze.h, batch.h …
#   make gallery      the pictures and pages of docs/gallery/queries.jsonl and an index of them: build/gallery/index.html
#   make pictures     docs/pictures/ anew; one of them is measured, so let nothing else run (needs chromium, chromedriver)
#   make bench        measure Graze beside its peers, build/bench/results.json and docs/benchmarks.md: let nothing else run;
#                     about 20 minutes, after a build of 10 to 20 the first time
#   make bench-quick  a look at the same, of fewer pairs, in two minutes after that build; writes build/bench/quick.json alone
#   make counts       write bench/instructions.txt anew, over the old one and without a word of it (git diff shows the
#                     change): questions cost more or fewer instructions on purpose
#   make golden       write the hashes of tests/golden anew: answers have changed on purpose
#   make docs         the reference from graze.h, build/docs/html/index.html (needs doxygen)
#   make install      PREFIX=/usr/local DESTDIR=
BUILD ?= build
PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
CMAKE_FLAGS ?=
# Labels of the tests that belong to later tiers.
LATER = $(if $(filter soak,$(GRAZE_TIER)),^$$,$(if $(filter ci,$(GRAZE_TIER)),^soak$$,^(ci|soak)$$))
CTEST = ctest --test-dir $(BUILD) --output-on-failure

.PHONY: all build run cases test lua python python-example python-test python-wheels check format soak mutants amalgamate gallery pictures bench bench-quick bench-build counts golden docs install clean

all:
	@tools/setup.sh core
	@$(MAKE) --no-print-directory build

build:
	@cmake -S . -B $(BUILD) -DCMAKE_INSTALL_PREFIX=$(PREFIX) $(CMAKE_FLAGS)
	@cmake --build $(BUILD) -j $(JOBS) $(if $(TARGET),--target $(TARGET))

run:
	@tools/setup.sh run
	@$(MAKE) --no-print-directory build TARGET=graze-command
	@mkdir -p $(BUILD)/simulate
	@$(BUILD)/graze simulate --compare --svg $(BUILD)/simulate/compare.svg
	@echo
	@$(BUILD)/graze simulate --count 500 --method fccd --html $(BUILD)/simulate/cubes.html
	@echo
	@echo "The plot of the first table: $(BUILD)/simulate/compare.svg"
	@echo "The 500 cubes, to be played in a browser: $(BUILD)/simulate/cubes.html"

cases:
	@tools/setup.sh run
	@$(MAKE) --no-print-directory build
	@python3 tools/report.py --graze $(BUILD)/graze

test:
	@tools/setup.sh test
	@$(MAKE) --no-print-directory build
	@$(CTEST) -j $(JOBS) --timeout 900 --label-exclude '$(LATER)'

lua:
	@tools/setup.sh test
	@tools/setup.sh lua
	@$(MAKE) --no-print-directory build
	@$(CTEST) -j $(JOBS) -R '^lua/'

PYTHON = $(BUILD)/python/bin/python
COMMA = ,
# python_install NAME: the package, with the packages of one of its tasks. Without isolation, a second build is short.
define python_install
	@tools/setup.sh python
	@[ -x $(PYTHON) ] || python3 -m venv $(BUILD)/python
	@$(PYTHON) -m pip install -q --disable-pip-version-check scikit-build-core nanobind
	@CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) $(PYTHON) -m pip install -q --disable-pip-version-check --no-build-isolation \
	  './bindings/python[$(1)]'
endef

python:
	$(call python_install,arrays)
	@echo "Start it with $(PYTHON)"

python-example:
	$(call python_install,example)
	@$(PYTHON) bindings/python/examples/placements.py --plot $(BUILD)/placements.png

python-test:
	$(call python_install,test$(COMMA)check)
	@[ -x $(BUILD)/graze ] || echo "Tests that compare with the command are skipped: make builds it."
	@GRAZE=$(wildcard $(abspath $(BUILD)/graze)) $(BUILD)/python/bin/pytest bindings/python/tests

python-wheels:
	@tools/setup.sh python
	@CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) python3 bindings/python/wheels.py --out $(BUILD)/dist $(VERSIONS)

check:
	@failed=0; \
	for tool in check_layers.py check_map.py check_budgets.py "check_cycles.py --strict" check_reading.py "amalgamate.py --check" check_headers.py \
	  check_format.py "check_words.py --summary --strict"; do \
	  python3 tools/$$tool || failed=1; \
	done; \
	if [ -x $(BUILD)/graze ]; then python3 tools/check_man.py $(BUILD)/graze || failed=1; \
	else echo "manual: skipped, there is no $(BUILD)/graze"; fi; \
	exit $$failed

format:
	@python3 tools/check_format.py --write

soak:
	@tools/setup.sh soak
	@$(MAKE) --no-print-directory build
	@$(MAKE) --no-print-directory amalgamate
	@python3 tools/soak.py $(if $(FRESH),--fresh) $(BUILD) $(BUILD)/soak/table.txt '$(ONLY)'

mutants:
	@tools/setup.sh test
	@python3 tools/mutants.py --build $(BUILD)/mutants --label $(or $(LABEL),after)

amalgamate:
	@python3 tools/amalgamate.py $(BUILD)/amalgamated

gallery:
	@tools/setup.sh run
	@$(MAKE) --no-print-directory build TARGET=graze-command
	@$(BUILD)/graze explain --gallery $(BUILD)/gallery docs/gallery/queries.jsonl
	@echo "The gallery: $(BUILD)/gallery/index.html"

pictures:
	@tools/setup.sh run
	@$(MAKE) --no-print-directory build
	@python3 tools/pictures.py $(BUILD)/graze docs/pictures

bench-build:
	@tools/setup.sh bench
	@cmake -S bench -B $(BUILD)/bench -DGRAZE_BENCH_PEERS=ON -DGRAZE_BENCH_FETCH=ON
	@cmake --build $(BUILD)/bench -j $(JOBS)

bench: bench-build
	@python3 tools/bench.py $(BUILD)/bench

bench-quick: bench-build
	@python3 tools/bench.py --quick $(BUILD)/bench

counts:
	@$(MAKE) --no-print-directory build
	@python3 tools/check_instructions.py $(BUILD)/graze_counted --write

golden: build amalgamate
	@python3 tests/golden/run.py $(BUILD)/amalgamated --library $(BUILD)/libgraze_compare.a --write

docs:
	@mkdir -p $(BUILD)/docs
	@(cat docs/Doxyfile; echo "PROJECT_NUMBER = $$(sed -n 's/^#define GRAZE_VERSION "\(.*\)"$$/\1/p' include/graze/graze.h)"; \
	  echo "OUTPUT_DIRECTORY = $(BUILD)/docs") | doxygen -

install:
	@$(MAKE) --no-print-directory build TARGET=graze-product
	@cmake --install $(BUILD)

clean:
	@rm -rf $(BUILD)
