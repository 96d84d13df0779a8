# The environment module, of this name in modules' way.
modulesdir = $(pkgdatadir)/modulefiles/armilla
nodist_modules_DATA = packaging/modules/$(PACKAGE_VERSION)
packaging/modules/$(PACKAGE_VERSION): packaging/modules/armilla.in Makefile
	$(AM_V_GEN)$(MKDIR_P) $(@D) && sed -e 's|[@]PACKAGE_VERSION[@]|$(PACKAGE_VERSION)|g' \
		-e 's|[@]pkgdatadir[@]|$(pkgdatadir)|g' -e 's|[@]bindir[@]|$(bindir)|g' \
		-e 's|[@]libdir[@]|$(libdir)|g' -e 's|[@]mandir[@]|$(mandir)|g' \
		$(srcdir)/packaging/modules/armilla.in > $@
CLEANFILES += packaging/modules/$(PACKAGE_VERSION)
