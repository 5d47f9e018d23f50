# Targets that set up the machine, run the program, test it or install it. Included by the Makefile.

JOBS := $(shell nproc 2>/dev/null || echo 2)

# The libraries are looked up when the Makefile is read, so whatever installs packages first
# reads it again for the work itself.
AGAIN = $(MAKE) --no-print-directory $(if $(findstring -j,$(MAKEFLAGS)),,-j$(JOBS))

CURLLOOP := $(BUILD)/tests/curlloop
MEASURE  := $(BUILD)/tests/measure
LOAD     := $(BUILD)/tests/load
SIMULATE := $(BUILD)/tests/simulate
BENCH    := $(patsubst tests/bench/%.c,$(BUILD)/tests/%,$(sort $(wildcard tests/bench/bench_*.c)))
FUZZERS  := $(patsubst tests/fuzz/%.c,$(BUILD)/tests/%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))
FUZZ_OBJECTS := $(FUZZERS:$(BUILD)/tests/%=$(BUILD)/tests/fuzz/%.o)
COVERAGE := $(BUILD)/tests/cover
COVERAGE_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/coverage/*.c))
MOCK_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard tests/mock/*.c)))
ASK_OBJECTS := $(BUILD)/tests/asker/ask.o

# What the scripts under tests/ are told.
SCRIPT_ENV = REPO=$(CURDIR) AUDITION=$(CURDIR)/$(PROGRAM) MOCKLLM=$(CURDIR)/$(MOCK) \
             CURLLOOP=$(CURDIR)/$(CURLLOOP) MEASURE=$(CURDIR)/$(MEASURE) LOAD=$(CURDIR)/$(LOAD) SIMULATE=$(CURDIR)/$(SIMULATE)

# --- using it

.PHONY: setup demo install man clean help
setup:
	@scripts/setup.sh build

demo:
	@scripts/setup.sh build
	+@$(AGAIN) all
	@$(SCRIPT_ENV) scripts/demo.sh

PREFIX ?= /usr/local
SHARED = $(DESTDIR)$(PREFIX)/share
MANUALS := $(BUILD)/audition.1 $(BUILD)/audition.zh.1 $(BUILD)/audition.ja.1
install: all $(MANUALS)
	install -D -m 755 $(PROGRAM) $(DESTDIR)$(PREFIX)/bin/audition
	install -D -m 644 $(BUILD)/audition.1 $(SHARED)/man/man1/audition.1
	install -D -m 644 $(BUILD)/audition.zh.1 $(SHARED)/man/zh_CN/man1/audition.1
	install -D -m 644 $(BUILD)/audition.ja.1 $(SHARED)/man/ja/man1/audition.1
	@mkdir -p $(SHARED)/bash-completion/completions $(SHARED)/zsh/site-functions \
		$(SHARED)/fish/vendor_completions.d
	$(PROGRAM) completion bash >$(SHARED)/bash-completion/completions/audition
	$(PROGRAM) completion zsh >$(SHARED)/zsh/site-functions/_audition
	$(PROGRAM) completion fish >$(SHARED)/fish/vendor_completions.d/audition.fish

# The program writes its own manual, from the table that also makes --help, in its three languages.
man: $(BUILD)/audition.1
	@man -l $<

$(BUILD)/audition.1: $(PROGRAM)
	@$(PROGRAM) help --man --language en >$@
$(BUILD)/audition.%.1: $(PROGRAM)
	@$(PROGRAM) help --man --language $* >$@

clean:
	rm -rf build

help:
	@sed -n '/^#/!q; s/^# \{0,1\}//p' Makefile

# --- testing it

.PHONY: test test-programs unit cli chaos
test:
	@scripts/setup.sh test
	+@$(AGAIN) test-programs
	@BUILD=$(BUILD) scripts/test.sh

# Fuzzers are compiled, so that none is found broken on the day that it is needed; sanitizers need neither
# them nor the simulation.
test-programs: $(PROGRAM) $(UNIT) $(MOCK) $(if $(SAN),,$(COVERAGE) $(FUZZ_OBJECTS))

unit: $(UNIT)
	@BUILD=$(BUILD) scripts/test.sh unit

cli: $(PROGRAM) $(MOCK)
	@BUILD=$(BUILD) scripts/test.sh cli

chaos:
	@scripts/setup.sh test
	+@$(AGAIN) test-programs
	@$(SCRIPT_ENV) tests/chaos.sh
	@dir=$$(mktemp -d) && cd $$dir && $(SCRIPT_ENV) $(CURDIR)/tests/cli/106-stuck-worker.sh 90 && rm -rf $$dir
	@$(SCRIPT_ENV) tests/storm.sh

# Every page that people look at, at three widths, light and dark: build/screenshots, to be looked at.
.PHONY: screenshots
screenshots: $(PROGRAM)
	@$(SCRIPT_ENV) scripts/screenshots.sh

# --- measuring it

.PHONY: bench bench-programs coverage
coverage:
	@scripts/setup.sh build
	+@$(AGAIN) $(COVERAGE)
	@scripts/coverage.sh $(COVERAGE)

bench:
	@scripts/setup.sh build
	+@$(AGAIN) bench-programs
	@$(SCRIPT_ENV) scripts/bench.sh $(BENCH) $(wildcard tests/bench/bench_*.sh)

# 200 raters at once on a server with sanitizers.
.PHONY: load-test sanitized
load-test: $(LOAD)
	+@set -e; for san in thread address,undefined; do \
		$(AGAIN) SAN=$$san sanitized; \
		echo "200 raters, $$san"; \
		AUDITION=$(CURDIR)/build/san-$$(echo $$san | tr , -)/audition LOAD=$(CURDIR)/$(LOAD) tests/load.sh; \
	done
sanitized: $(PROGRAM)

bench-programs: $(PROGRAM) $(MOCK) $(BENCH) $(CURLLOOP) $(MEASURE) $(LOAD) $(SIMULATE)

# --- looking for mistakes

.PHONY: check tidy fuzz fuzzers
check:
	@scripts/setup.sh check
	@BUILD=$(BUILD) MAKE="$(MAKE)" JOBS=$(JOBS) scripts/check.sh

# clang-tidy is slow: a file is looked at again only after a change. Nearly all of its time is the
# analyzer walking on in functions that it has walked through: a limit of 20,000 steps reaches the same
# blocks as one of 50,000 (98.2 and 98.3 % of them, by its checker debug.Stats) in less than half of the time.
# `make tidy NODES=225000` walks as far as it would by itself. It says what clang warns of as well: nothing is
# compiled with clang for that.
NODES ?= 20000
# tidy FILES, OPTIONS, FLAGS
define tidy
@mkdir -p $(@D)
@clang-tidy --quiet --warnings-as-errors='*' $2 $1 -- $(filter-out -MMD -MP,$(CPPFLAGS)) -std=c17 $(WARN) \
	-Wreserved-identifier -Wreserved-macro-identifier $3 2>$@.err || { cat $@.err >&2; false; }
@touch $@
endef
TIDY := $(SOURCES:%.c=$(BUILD)/tidy/%.ok) $(BUILD)/tidy/tests.ok $(BUILD)/tidy/tables.ok
tidy: $(TIDY)
$(TIDY): .clang-tidy $(wildcard src/*/*.h) $(BUILD)/gen/queries.h $(BUILD)/gen/words.h
# One file at a time: in the second of several the analyzer of clang 14 no longer knows functions by name.
$(BUILD)/tidy/%.ok: %.c
	$(call tidy,$<,,-Xclang -analyzer-config -Xclang max-nodes=$(NODES))
# Of tests and tables the warnings count; without any check clang-tidy does not begin.
WARNINGS := --checks='-*,clang-diagnostic-*,bugprone-sizeof-*'
TESTS := $(sort $(wildcard tests/*/*.c))
$(BUILD)/tidy/tests.ok: $(TESTS) $(wildcard tests/*.h tests/*/*.h)
	$(call tidy,$(TESTS),$(WARNINGS),-Itests)
$(BUILD)/tidy/tables.ok: $(GEN)
	$(call tidy,$(GEN),$(WARNINGS),-Wno-overlength-strings)

# Each fuzzer for a while, from the committed seeds; what it finds new stays in build/. Whole paths:
# one of them works in a directory of its own.
FUZZ_SECONDS ?= 60
fuzz:
	@scripts/setup.sh check
	+@$(AGAIN) CC=clang BUILD=build/fuzz SAN=fuzzer-no-link,address,undefined fuzzers
	@set -e; for f in $(notdir $(FUZZERS)); do \
		name=$${f#fuzz_}; seeds=$(CURDIR)/tests/fuzz/corpus/$$name; dict=$(CURDIR)/tests/fuzz/$$name.dict; \
		echo "  FUZZ  $$name ($(FUZZ_SECONDS) s)"; \
		mkdir -p build/fuzz/corpus/$$name; \
		[ -d $$seeds ] || seeds=; [ -f $$dict ] && dict=-dict=$$dict || dict=; \
		LSAN_OPTIONS=suppressions=$(CURDIR)/tests/fuzz/leaks:print_suppressions=0 \
			build/fuzz/tests/$$f -max_total_time=$(FUZZ_SECONDS) -verbosity=0 -print_final_stats=1 \
			-artifact_prefix=$(CURDIR)/build/fuzz/$$name- $$dict $(CURDIR)/build/fuzz/corpus/$$name $$seeds; \
	done

fuzzers: $(FUZZERS)

# --- the programs for all that

# From an archive the linker takes only what a program calls.
ARCHIVE := $(BUILD)/audition.a
$(ARCHIVE): $(LIBRARY)
	@rm -f $@
	@ar rcsT $@ $^

# A hundred programs: where the faster linker is, it takes half the time.
GOLD := $(if $(CROSS),,$(if $(shell command -v ld.gold),-fuse-ld=gold))
define link-test
@echo "  LINK  $@"
@$(CC) $(CFLAGS) $(LDFLAGS) $(GOLD) -o $@ $(filter %.o,$^) $(ARCHIVE) $(LDLIBS)
endef

$(BUILD)/tests/%.o: private CPPFLAGS += -Itests
# What is tested is optimized; the tests themselves need not be.
$(BUILD)/tests/unit/%.o: private CPPFLAGS += -Itests -U_FORTIFY_SOURCE
$(BUILD)/tests/unit/%.o: private CFLAGS += -O0

$(UNIT): LDLIBS += -lcmocka
$(UNIT): $(BUILD)/tests/%: $(BUILD)/tests/unit/%.o $(ARCHIVE)
	$(link-test)

# Scripts look for the client beside the mock endpoint.
$(MOCK): $(MOCK_OBJECTS) $(ARCHIVE) | $(ASK)
	$(link-test)

$(ASK): $(ASK_OBJECTS) $(ARCHIVE)
	$(link-test)

$(CURLLOOP) $(MEASURE) $(LOAD) $(SIMULATE) $(BENCH): $(BUILD)/tests/%: $(BUILD)/tests/bench/%.o $(ARCHIVE)
	$(link-test)

$(COVERAGE): $(COVERAGE_OBJECTS) $(ARCHIVE)
	$(link-test)

$(FUZZERS): LDFLAGS += -fsanitize=fuzzer
$(FUZZERS): $(BUILD)/tests/%: $(BUILD)/tests/fuzz/%.o $(ARCHIVE)
	$(link-test)

# --- conditions of every build

# No program from sources that break the layers.
$(PROGRAM): | $(BUILD)/layers.ok
$(BUILD)/layers.ok: scripts/layers.sh $(wildcard src/*/*.c src/*/*.h)
	@scripts/layers.sh
	@mkdir -p $(@D)
	@touch $@

# Better a sentence than a page of compiler errors.
.PHONY: ready
ready:
	@{ command -v $(CC) && $(PKG_CONFIG) --exists $(PACKAGES); } >/dev/null 2>&1 || { \
		echo "The compiler or a library is missing; 'make setup' installs:" >&2; \
		scripts/setup.sh --list build >&2; exit 1; }
$(BUILD)/tools/embed $(BUILD)/tools/schema: | ready

.DELETE_ON_ERROR:

-include $(patsubst %.c,$(BUILD)/%.d,$(wildcard tests/unit/*.c tests/mock/*.c tests/asker/*.c tests/bench/*.c tests/coverage/*.c tests/fuzz/*.c))
