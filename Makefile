# make          the program, at build/audition
# make demo     a whole evaluation on recorded replies: no network, no key; LANGUAGE=zh or ja: a smaller one
# make test     every test; installs what it needs first
# make check    static analysis, formatting, layers
# make bench    speed and memory, as ratios within one run, written into docs/BENCHMARKS.md
# make coverage how often intervals hold the truth: the simulation behind docs/COVERAGE.md
# make load-test  200 raters at once on a server built with sanitizers
# make chaos    the long tests of kills: one process; one of four stopped; four machines in a storm
# make fuzz     each fuzzer for a minute (FUZZ_SECONDS=60)
# make setup    the Debian packages that the build needs; demo, test and check do this themselves
# make unit     the unit tests alone; make cli: the command tests alone
# make install  program, manual page and completions, under DESTDIR and PREFIX
# make packages tarball, wheel, npm package and .deb in dist/; or one of them: make wheel
# make test-packages   each of them in a clean environment; make machines: on a bare Debian 12 and 13
# make cross    for aarch64 with a cross compiler; unit tests under qemu
# make demo-live       a small evaluation with a real model, which comes from PyPI
# make release  all packages from the tag of this version, with checksums and signature
# make screenshots    every page at three widths, light and dark, in build/screenshots
# make clean
#
# SAN=address,undefined  or  SAN=thread   builds and tests with sanitizers, in a folder of its own
# CC=clang                                 the other compiler, likewise
# CROSS=aarch64-linux-gnu                  for another processor, with Debian's cross compiler, likewise

comma := ,
BUILD := build$(if $(CROSS),/$(CROSS))$(if $(findstring clang,$(CC)),/clang)$(if $(SAN),/san-$(subst $(comma),-,$(SAN)))

HOSTCC := $(CC)
PKG_CONFIG := pkg-config
ifneq ($(CROSS),)
CC := $(CROSS)-gcc
PKG_CONFIG := env PKG_CONFIG_LIBDIR=/usr/lib/$(CROSS)/pkgconfig:/usr/share/pkgconfig pkg-config
endif

PACKAGES := libcurl jansson libfyaml sqlite3 libpq libsodium libutf8proc zlib libzstd libqrencode libpcre2-8 gnutls
WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes \
        -Wformat=2 -Wcast-qual -Wwrite-strings -Wvla -Wundef -Wswitch-enum -Werror
CPPFLAGS += -D_GNU_SOURCE -Isrc -I$(BUILD) -MMD -MP
CFLAGS += -std=c17 -g -O2 $(WARN) -fPIE -fstack-protector-strong -fstack-clash-protection
CFLAGS += $(if $(filter x86_64%,$(shell $(CC) -dumpmachine)),-fcf-protection,-mbranch-protection=standard)
# The same bits on every machine: clang would fuse a * b + c where the processor can (aarch64).
CFLAGS += -ffp-contract=off
LDFLAGS += $(if $(SAN),-no-pie,-pie) -Wl,-z,relro,-z,now
ifneq ($(SAN),)
# Instrumented code confuses these three warnings of gcc; the plain build keeps them. A report needs
# lines, no variables. At a fixed address (above) a third of a million pointers in the tables of the
# sanitizers need not be moved at every start, which was a fifth of it. What is undefined traps, and the
# address sanitizer says where (handle_sigill=2): a table of every check was 6 MB, read for leaks at every end.
SANITIZE := -fsanitize=$(SAN) -fsanitize-undefined-trap-on-error
CFLAGS += $(SANITIZE) -fno-omit-frame-pointer -O1 -g1 -Wno-unknown-warning-option -Wno-format-truncation \
          -Wno-maybe-uninitialized -Wno-stringop-overflow
LDFLAGS += $(SANITIZE)
else
CPPFLAGS += -D_FORTIFY_SOURCE=3
endif
INCLUDES := $(shell $(PKG_CONFIG) --cflags $(PACKAGES) 2>/dev/null)
CPPFLAGS += $(INCLUDES)

# Most of a start is the loader binding libraries that the command at hand never calls. So what
# Debian has as an archive too is linked from there; elsewhere the shared libraries do.
LIBS    := $(shell $(PKG_CONFIG) --libs $(PACKAGES) 2>/dev/null)
LIBDIR  := $(shell $(PKG_CONFIG) --variable=libdir sqlite3 2>/dev/null)
DYNAMIC := -lcurl -lpq -lgnutls # their archives want a dozen others
archive  = $(firstword $(wildcard $(1:-l%=$(LIBDIR)/lib%.a)) $1)
# liblinear is C++; without that compiler only the soname of its library can be linked.
LINEAR  := $(wildcard $(addprefix $(LIBDIR)/,liblinear.a blas/libblas.a))
CXXLIB  := $(shell $(CC) -print-file-name=libstdc++.a 2>/dev/null)
RUNTIME := $(if $(findstring /,$(CXXLIB)),$(CXXLIB),-l:libstdc++.so.6)
LIBS    := $(foreach l,$(filter-out $(DYNAMIC),$(LIBS)),$(call archive,$l)) \
           $(if $(filter 2,$(words $(LINEAR))),$(LINEAR) $(RUNTIME),-llinear) $(filter $(DYNAMIC),$(LIBS))
LDLIBS  += $(LIBS) -lm

SOURCES := $(sort $(wildcard src/*/*.c))
SHARE   := $(sort $(shell find share -path share/words -prune -o -type f -print 2>/dev/null))
FOLDERS := $(sort $(shell find share -path share/words -prune -o -type d -print 2>/dev/null) sql/migrate)
QUERIES := $(sort $(wildcard sql/queries/*.sql))
MIGRATE := $(sort $(wildcard sql/migrate/*.sql))
WORDS   := $(addprefix share/words/,en zh ja messages)
GEN     := $(BUILD)/gen/queries.c $(BUILD)/gen/assets.c $(BUILD)/gen/words.c $(BUILD)/gen/sieve.c \
           $(BUILD)/gen/schema.c
OBJECTS := $(SOURCES:%.c=$(BUILD)/%.o) $(GEN:.c=.o)
LIBRARY := $(filter-out $(BUILD)/src/cmd/main.o,$(OBJECTS))
PROGRAM := $(BUILD)/audition
UNIT    := $(patsubst tests/unit/%.c,$(BUILD)/tests/%,$(sort $(wildcard tests/unit/test_*.c)))
MOCK    := $(BUILD)/tests/mockllm
ASK     := $(BUILD)/tests/ask

.PHONY: all
all: $(PROGRAM)

# What the linker took, from which archives, stands beside the program: the bill of materials is made of it.
TRACED = -Wl,-t,-t >$@.linked
$(PROGRAM): $(OBJECTS)
	@echo "  LINK  $@"
	@$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS) $(TRACED)

# Only what includes one of them (its .d file says so) is compiled again when it changes.
$(BUILD)/%.o: %.c | $(BUILD)/gen/queries.h $(BUILD)/gen/words.h
	@echo "  CC    $<"
	@mkdir -p $(@D)
	@$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

$(BUILD)/gen/%.o: $(BUILD)/gen/%.c
	@$(CC) $(CPPFLAGS) $(CFLAGS) -Wno-overlength-strings -c -o $@ $<

# Texts of queries, words and shared files become C tables.
$(BUILD)/tools/embed: tools/embed.c src/base/sieve.h
	@mkdir -p $(@D)
	@$(HOSTCC) -std=c17 -O1 -Wall -Wextra -o $@ $<

# Another text of a query changes queries.c alone: the header keeps its date unless a name changes.
$(BUILD)/gen/queries.c: $(BUILD)/tools/embed $(QUERIES)
	@mkdir -p $(BUILD)/gen
	@$(BUILD)/tools/embed queries $(BUILD)/gen $(QUERIES)
$(BUILD)/gen/queries.h: $(BUILD)/gen/queries.c ;

$(BUILD)/gen/words.h $(BUILD)/gen/words.c &: $(BUILD)/tools/embed $(WORDS)
	@mkdir -p $(BUILD)/gen
	@$(BUILD)/tools/embed words $(BUILD)/gen $(WORDS)

# Words that everybody knows, of Debian's cracklib-runtime; without it none are.
KNOWN := $(firstword $(wildcard /usr/share/dict/cracklib-small))
$(BUILD)/gen/sieve.c: $(BUILD)/tools/embed $(KNOWN)
	@mkdir -p $(BUILD)/gen
	@$(BUILD)/tools/embed sieve $(BUILD)/gen $(KNOWN)

# A new database gets the schema that the migrations lead to; they run once, here.
EXPAND := tools/schema.c src/db/db_expand.c src/base/str.c src/base/mem.c
$(BUILD)/tools/schema: $(EXPAND) src/db/db_expand.h
	@mkdir -p $(@D)
	@$(HOSTCC) -std=c17 -D_GNU_SOURCE -Isrc -O1 -Wall -Wextra -o $@ $(EXPAND) -lsqlite3
$(BUILD)/gen/schema.c: $(BUILD)/tools/schema $(MIGRATE) sql/migrate
	@mkdir -p $(BUILD)/gen
	@$(BUILD)/tools/schema $@ $(MIGRATE)

# The folders too: a file that got another name keeps its date.
$(BUILD)/gen/assets.c: $(BUILD)/tools/embed $(SHARE) $(MIGRATE) $(FOLDERS)
	@mkdir -p $(BUILD)/gen
	@$(BUILD)/tools/embed assets $(BUILD)/gen $(SHARE) $(MIGRATE)

-include $(OBJECTS:.o=.d)
include scripts/targets.mk
include packaging/package.mk
