# Packages of Armilla; doc/packages.md says how to use them.
EXTRA_DIST += \
	packaging/conda/build.sh \
	packaging/conda/meta.yaml \
	packaging/container/Containerfile \
	packaging/debian/armilla-doc.doc-base \
	packaging/debian/armilla-doc.install \
	packaging/debian/armilla-plugins.install \
	packaging/debian/armilla.install \
	packaging/debian/changelog \
	packaging/debian/control \
	packaging/debian/copyright \
	packaging/debian/libarmilla-dev.install \
	packaging/debian/libarmilla1.dirs \
	packaging/debian/libarmilla1.install \
	packaging/debian/libarmilla1.symbols \
	packaging/debian/python3-armilla.install \
	packaging/debian/not-installed \
	packaging/debian/rules \
	packaging/debian/source/format \
	packaging/debian/tests/c-example \
	packaging/debian/tests/control \
	packaging/debian/tests/first-recipe \
	packaging/modules/armilla.in \
	packaging/slurm/armilla.sbatch \
	packaging/spack/packages/armilla/package.py \
	packaging/spack/repo.yaml

# The environment module, of this name in modules' way.
modulesdir = $(pkgdatadir)/modulefiles/armilla
nodist_modules_DATA = packaging/modules/$(PACKAGE_VERSION)
packaging/modules/$(PACKAGE_VERSION): packaging/modules/armilla.in Makefile
	$(AM_V_GEN)$(MKDIR_P) $(@D) && sed -e 's|[@]PACKAGE_VERSION[@]|$(PACKAGE_VERSION)|g' \
		-e 's|[@]pkgdatadir[@]|$(pkgdatadir)|g' -e 's|[@]bindir[@]|$(bindir)|g' \
		-e 's|[@]libdir[@]|$(libdir)|g' -e 's|[@]mandir[@]|$(mandir)|g' \
		$(srcdir)/packaging/modules/armilla.in > $@
CLEANFILES += packaging/modules/$(PACKAGE_VERSION)
