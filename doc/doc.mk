EXTRA_DIST += \
	doc/arrays.md \
	doc/building.md \
	doc/butterfly.md \
	doc/catalogues.md \
	doc/cluster.md \
	doc/convolution.md \
	doc/correlation.md \
	doc/file-formats.md \
	doc/harmonic-path.md \
	doc/healpy.md \
	doc/house.md \
	doc/memory.md \
	doc/nodes/cpu.node \
	doc/nodes/eighth.node \
	doc/nodes/h200.node \
	doc/nodes/half.node \
	doc/performance-log.md \
	doc/performance.md \
	doc/python-workflows.md \
	doc/ringing.png \
	doc/scaling.md \
	doc/smoothed.png \
	doc/speed.json \
	doc/speed.svg \
	doc/stages.md \
	doc/traces.md \
	doc/tuning.md \
	doc/workflow-files.md \
	doc/write-a-stage.md

# The page on the stages, from what the program says of them; make check compares.
.PHONY: stages-page
stages-page: armilla$(EXEEXT) $(plugin_LTLIBRARIES)
	$(srcdir)/build-aux/stages-page ./armilla$(EXEEXT) > $(srcdir)/doc/stages.md
EXTRA_DIST += build-aux/stages-page

# The reference of the C functions, in doc/reference/index.html; a warning of Doxygen's is an error.
.PHONY: reference
reference:
	$(AM_V_at)rm -rf doc/reference doc/reference-input && $(MKDIR_P) doc/reference-input
	$(AM_V_at)$(top_srcdir)/build-aux/reference-input doc/reference-input \
		$(addprefix $(top_srcdir)/,$(armillainclude_HEADERS) $(filter %.c,$(libcore_la_SOURCES) \
		$(libcodelets_la_SOURCES) $(libtasks_la_SOURCES) $(libplugins_la_SOURCES) \
		$(libworkflows_la_SOURCES)))
	$(AM_V_at)sed 's/@PACKAGE_VERSION@/$(PACKAGE_VERSION)/' $(top_srcdir)/doc/Doxyfile.in > doc/Doxyfile
	$(AM_V_GEN)doxygen doc/Doxyfile
	@test -s doc/reference/index.html
CLEANFILES += doc/Doxyfile
EXTRA_DIST += build-aux/reference-input doc/Doxyfile.in
