# A thin hand over CMake. `make run` and `make test` are all a newcomer needs.
#
#   make              build the libraries and the commands into build/ (the command: build/graze)
#   make run          build, then show Graze at work on real cases
#   make test         build, then run every test
#   make check        layers, budgets, headers, layout, manual
#   make format       lay the C files out as check wants them (clang-format 14)
#   make soak         the tests with full counts; writes docs/soak.txt
#   make amalgamate   the library as two files, build/amalgamated/graze.c and graze.h
#   make golden       write tests/golden/hash.txt anew: answers have changed on purpose
#   make docs         the reference from graze.h, build/docs/html/index.html (needs doxygen)
#   make install      PREFIX=/usr/local DESTDIR=
BUILD ?= build
PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
CMAKE_FLAGS ?=
CTEST = ctest --test-dir $(BUILD) --output-on-failure

.PHONY: all build run test check format soak amalgamate golden docs install clean

all:
	@tools/setup.sh core
	@$(MAKE) --no-print-directory build

build:
	@cmake -S . -B $(BUILD) -DCMAKE_INSTALL_PREFIX=$(PREFIX) $(CMAKE_FLAGS)
	@cmake --build $(BUILD) -j $(JOBS)

run:
	@tools/setup.sh run
	@$(MAKE) --no-print-directory build
	@python3 tools/report.py --graze $(BUILD)/graze

test:
	@tools/setup.sh test
	@$(MAKE) --no-print-directory build
	@$(CTEST) -j $(JOBS) --timeout 900

check:
	@failed=0; \
	for tool in check_layers.py check_budgets.py "amalgamate.py --check" check_headers.py check_format.py; do \
	  python3 tools/$$tool || failed=1; \
	done; \
	if [ -x $(BUILD)/graze ]; then python3 tools/check_man.py $(BUILD)/graze || failed=1; \
	else echo "manual: skipped, there is no $(BUILD)/graze"; fi; \
	exit $$failed

format:
	@python3 tools/check_format.py --write

soak:
	@tools/setup.sh test
	@$(MAKE) --no-print-directory build
	@$(MAKE) --no-print-directory amalgamate
	@python3 tools/soak.py $(BUILD) docs/soak.txt

amalgamate:
	@python3 tools/amalgamate.py $(BUILD)/amalgamated

golden: amalgamate
	@python3 tests/golden/run.py $(BUILD)/amalgamated --write

docs:
	@mkdir -p $(BUILD)/docs
	@(cat docs/Doxyfile; echo "PROJECT_NUMBER = $$(sed -n 's/^#define GRAZE_VERSION "\(.*\)"$$/\1/p' include/graze/graze.h)"; \
	  echo "OUTPUT_DIRECTORY = $(BUILD)/docs") | doxygen -

install: build
	@cmake --install $(BUILD)

clean:
	@rm -rf $(BUILD)
