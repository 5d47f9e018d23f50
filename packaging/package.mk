# Packages in dist/. Included by the Makefile.

PACK := $(BUILD)/packages
DIST ?= dist

.PHONY: tarball wheel npm deb sbom packages test-packages release machines cross demo-live
tarball wheel npm deb sbom:
	@scripts/setup.sh package
	@$(AGAIN) pack-programs
	@BUILD=$(BUILD) DIST=$(DIST) packaging/pack.sh $@

packages:
	@scripts/setup.sh package
	@$(AGAIN) pack-programs
	@BUILD=$(BUILD) DIST=$(DIST) packaging/pack.sh all

# Each package in a clean environment: chroots, a virtual environment, a folder of node_modules.
test-packages: packages
	@DIST=$(DIST) packaging/test.sh

# All of them from the tag of this version, with bill of materials, checksums and signature.
release:
	@scripts/setup.sh package
	@packaging/release.sh

# The commands of the README on a bare Debian 12 and 13.
machines:
	@scripts/machines.sh

# For aarch64, with a cross compiler; its unit tests under qemu.
cross:
	@scripts/cross.sh

# A small evaluation with a real model, which comes from PyPI.
demo-live:
	@scripts/setup.sh build
	@$(AGAIN) all
	@$(SCRIPT_ENV) scripts/demo-live.sh

# What is packed has no hash of the paths of the machine that built it. Elsewhere most libraries are
# missing, so archives are linked in as usual; in Debian all of them are packages.
.PHONY: pack-programs
pack-programs: $(PACK)/audition $(PACK)/audition-shared
PACKED = $(CC) $(CFLAGS) $(LDFLAGS) -Wl,--build-id=none -s -o $@ $(filter %.o,$^)
$(PACK)/audition $(PACK)/audition-shared: $(OBJECTS)
	@mkdir -p $(@D)
	@$(PACKED) $(if $(findstring shared,$@),$(shell $(PKG_CONFIG) --libs $(PACKAGES)) -llinear -lm,$(LDLIBS))
