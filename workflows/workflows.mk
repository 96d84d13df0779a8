# Ready to run where Debian's healpy-data is installed.
exampledir = $(pkgdatadir)/workflows
dist_example_DATA = \
	workflows/estimate-spectrum.workflow \
	workflows/realisations.workflow \
	workflows/simulate-sky.workflow \
	workflows/smooth-wmap.workflow

noinst_LTLIBRARIES += libworkflows.la
libworkflows_la_CFLAGS = $(AM_CFLAGS)
libworkflows_la_LIBADD = $(GLIB_LIBS)
libworkflows_la_SOURCES = \
	workflows/expand.c \
	workflows/expand.h \
	workflows/links.c \
	workflows/links.h \
	workflows/overrides.c \
	workflows/overrides.h \
	workflows/problems.c \
	workflows/problems.h \
	workflows/property.c \
	workflows/property.h \
	workflows/scanner.c \
	workflows/scanner.h \
	workflows/suggest.c \
	workflows/suggest.h \
	workflows/validate.c \
	workflows/validate.h \
	workflows/workflow.c \
	workflows/workflow.h
