# Packages in dist/. Included by the Makefile.

PACK := $(BUILD)/packages
DIST ?= dist

.PHONY: tarball wheel npm deb sbom packages test-packages release machines cross demo-live
tarball wheel npm deb sbom packages:
	@scripts/setup.sh package
	@$(AGAIN) pack-programs
	@BUILD=$(BUILD) DIST=$(DIST) CROSS=$(CROSS) packaging/pack.sh $(@:packages=all)

# Each package in a clean environment: chroots, a virtual environment, a folder of node_modules.
test-packages: packages $(MOCK)
	@DIST=$(DIST) packaging/test.sh

# All of them from the tag of this version, with bill of materials, checksums and signature.
release:
	@scripts/setup.sh package
	@packaging/release.sh

# The commands of the README on a bare Debian 12 and 13.
machines:
	@scripts/machines.sh

# For aarch64, with a cross compiler; its unit tests and its packages under qemu.
cross:
	@scripts/cross.sh

# A small evaluation with a real model, which comes from PyPI.
demo-live:
	@scripts/setup.sh build
	@$(AGAIN) all
	@$(SCRIPT_ENV) scripts/demo-live.sh

# What is packed has no hash of the paths of the machine that built it. Elsewhere most libraries are
# missing, so archives are linked in as usual, and libcurl and libpq that want few others; in Debian
# all of them are packages.
.PHONY: pack-programs
pack-programs: $(PACK)/audition $(PACK)/audition-shared
PACKED = @mkdir -p $(@D) && $(CC) $(CFLAGS) $(LDFLAGS) -Wl,--build-id=none -s -o $@ $(filter %.o,$^)
FEWER := $(addprefix $(PACK)/libs/,libcurl.a libpq.a libpgcommon.a libpgport.a)
$(PACK)/audition: $(OBJECTS) | $(FEWER)
	$(PACKED) $(FEWER) $(foreach l,-lnghttp2 -lssl -lcrypto,$(call archive,$l)) $(filter-out -lcurl -lpq,$(LDLIBS)) -lidn2 $(TRACED)
$(PACK)/audition-shared: $(OBJECTS)
	$(PACKED) $(shell $(PKG_CONFIG) --libs $(PACKAGES)) -llinear -lm
$(FEWER) &: packaging/libs.sh
	@echo "  LIBS  libcurl and libpq from Debian's sources: some minutes, once"
	@mkdir -p $(PACK) && packaging/libs.sh $(PACK)/libs $(CROSS) >$(PACK)/libs.log 2>&1 || { tail -n 20 $(PACK)/libs.log >&2; false; }
