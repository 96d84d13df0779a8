# Part of the library, so that programs can run workflows on arrays.
noinst_LTLIBRARIES += libworkflows.la
libworkflows_la_CFLAGS = $(AM_CFLAGS) $(MUPARSER_CFLAGS)
libworkflows_la_LIBADD = $(MUPARSER_LIBS) $(GLIB_LIBS)
libworkflows_la_SOURCES = $(workflows_sources)

# Definitions that the library brings along.
stagesdir = $(pkgdatadir)/workflows/stages
dist_stages_DATA = $(definitions)
nodist_libworkflows_la_SOURCES = workflows/file/shipped-definitions.c
CLEANFILES += workflows/file/shipped-definitions.c

workflows/file/shipped-definitions.c: $(definitions) build-aux/embed-definitions
	$(AM_V_GEN)$(MKDIR_P) $(@D) && files= && for f in $(definitions); do \
	  files="$$files $(srcdir)/$$f"; done && \
	  $(srcdir)/build-aux/embed-definitions $$files >$@-t && mv $@-t $@

# What belongs to the program alone.
noinst_LTLIBRARIES += libprogram.la
libprogram_la_CPPFLAGS = $(AM_CPPFLAGS) -DARMILLA_NODE_DIR=\"$(nodesdir)\"
libprogram_la_CFLAGS = $(AM_CFLAGS) $(JSON_CFLAGS)
libprogram_la_LIBADD = $(JSON_LIBS) $(GLIB_LIBS)
libprogram_la_SOURCES = $(program_sources)

# The page that armilla run --report writes has its script and its style in it.
nodist_libprogram_la_SOURCES = workflows/report/report-assets.c
CLEANFILES += workflows/report/report-assets.c
report_assets = workflows/report/report.css workflows/report/report.js

workflows/report/report-assets.c: $(report_assets) build-aux/embed-text
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(srcdir)/build-aux/embed-text \
	  workflows/report/report-private.h \
	  armilla_report_style $(srcdir)/workflows/report/report.css \
	  armilla_report_script $(srcdir)/workflows/report/report.js >$@-t && mv $@-t $@

bin_PROGRAMS += armilla
armilla_SOURCES = workflows/program/main.c
armilla_LDADD = libprogram.la libarmilla.la $(GLIB_LIBS) -lm

# Ready to run where Debian's healpy-data is installed.
exampledir = $(pkgdatadir)/workflows
dist_example_DATA = $(example_files)
