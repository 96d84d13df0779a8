noinst_LTLIBRARIES += libworkflows.la
libworkflows_la_CFLAGS = $(AM_CFLAGS) $(JSON_CFLAGS)
libworkflows_la_LIBADD = $(JSON_LIBS) $(GLIB_LIBS)
libworkflows_la_SOURCES = \
	workflows/blame.c \
	workflows/blame.h \
	workflows/checkpoint.c \
	workflows/command-bench.c \
	workflows/command-check.c \
	workflows/command-inspect.c \
	workflows/command-machine.c \
	workflows/command-plan.c \
	workflows/command-run.c \
	workflows/command-trace.c \
	workflows/command-tune.c \
	workflows/commands.h \
	workflows/describe.c \
	workflows/describe.h \
	workflows/expand.c \
	workflows/expand.h \
	workflows/forecast-run.c \
	workflows/forecast-run.h \
	workflows/inputs.c \
	workflows/inputs.h \
	workflows/journal.c \
	workflows/journal.h \
	workflows/json-pieces.c \
	workflows/json-pieces.h \
	workflows/keys.c \
	workflows/keys.h \
	workflows/links.c \
	workflows/links.h \
	workflows/load.c \
	workflows/measure-rates.c \
	workflows/memory.c \
	workflows/memory.h \
	workflows/overrides.c \
	workflows/overrides.h \
	workflows/problems.c \
	workflows/problems.h \
	workflows/progress.c \
	workflows/progress.h \
	workflows/property.c \
	workflows/property.h \
	workflows/realisation.c \
	workflows/realisation.h \
	workflows/resume-files.c \
	workflows/resume-plan.c \
	workflows/resume-private.h \
	workflows/resume.c \
	workflows/resume.h \
	workflows/runner.c \
	workflows/runner.h \
	workflows/scanner.c \
	workflows/scanner.h \
	workflows/suggest.c \
	workflows/suggest.h \
	workflows/sweep.c \
	workflows/sweep.h \
	workflows/trace-idle.c \
	workflows/trace-idle.h \
	workflows/trace-overlap.c \
	workflows/trace-overlap.h \
	workflows/trace-reader.c \
	workflows/trace-reader.h \
	workflows/trace-table.c \
	workflows/trace-table.h \
	workflows/validate.c \
	workflows/validate.h \
	workflows/workflow.c \
	workflows/workflow.h

bin_PROGRAMS += armilla
armilla_SOURCES = \
	workflows/last-words.c \
	workflows/last-words.h \
	workflows/main.c \
	workflows/shortage.c \
	workflows/shortage.h
armilla_LDADD = libworkflows.la libarmilla.la $(GLIB_LIBS) -lm

# Ready to run where Debian's healpy-data is installed.
exampledir = $(pkgdatadir)/workflows
dist_example_DATA = \
	workflows/estimate-spectrum.workflow \
	workflows/polarisation.workflow \
	workflows/point-sources.fits \
	workflows/point-sources.workflow \
	workflows/realisations.workflow \
	workflows/simulate-sky.workflow \
	workflows/smooth-wmap.workflow \
	workflows/two-point.workflow
