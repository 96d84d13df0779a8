# Part of the library: whoever has arrays can run workflows.
noinst_LTLIBRARIES += libworkflows.la
libworkflows_la_CFLAGS = $(AM_CFLAGS) $(MUPARSER_CFLAGS)
libworkflows_la_LIBADD = $(MUPARSER_LIBS) $(GLIB_LIBS)
libworkflows_la_SOURCES = \
	workflows/arrays/columns.c \
	workflows/arrays/columns.h \
	workflows/arrays/flow-run.c \
	workflows/arrays/flow.c \
	workflows/arrays/flow.h \
	workflows/arrays/given.c \
	workflows/arrays/given.h \
	workflows/arrays/hand-out.c \
	workflows/arrays/hand-out.h \
	workflows/arrays/input.c \
	workflows/arrays/input.h \
	workflows/arrays/result.c \
	workflows/arrays/result.h \
	workflows/arrays/stage-call.c \
	workflows/arrays/taken.c \
	workflows/arrays/taken.h \
	workflows/file/blame.c \
	workflows/file/blame.h \
	workflows/file/copies.c \
	workflows/file/copies.h \
	workflows/file/definition.c \
	workflows/file/definition.h \
	workflows/file/include.c \
	workflows/file/include.h \
	workflows/file/instance.c \
	workflows/file/instance.h \
	workflows/file/keys.c \
	workflows/file/keys.h \
	workflows/file/links.c \
	workflows/file/links.h \
	workflows/file/load.c \
	workflows/file/load.h \
	workflows/file/overrides.c \
	workflows/file/overrides.h \
	workflows/file/passes.c \
	workflows/file/passes.h \
	workflows/file/roles.c \
	workflows/file/roles.h \
	workflows/file/shipped-definitions.h \
	workflows/file/slot-use.c \
	workflows/file/slot-use.h \
	workflows/file/stage-infos.c \
	workflows/file/stage-infos.h \
	workflows/file/sweep.c \
	workflows/file/sweep.h \
	workflows/file/validate.c \
	workflows/file/validate.h \
	workflows/file/workflow.c \
	workflows/file/workflow.h \
	workflows/file/written.c \
	workflows/file/written.h \
	workflows/resume/checkpoint.c \
	workflows/resume/journal.c \
	workflows/resume/journal.h \
	workflows/resume/resume-files.c \
	workflows/resume/resume-lots.c \
	workflows/resume/resume-plan.c \
	workflows/resume/resume-private.h \
	workflows/resume/resume.c \
	workflows/resume/resume.h \
	workflows/run/collecting.c \
	workflows/run/collecting.h \
	workflows/run/dry-run.c \
	workflows/run/history.c \
	workflows/run/history.h \
	workflows/run/inputs.c \
	workflows/run/inputs.h \
	workflows/run/log.c \
	workflows/run/log.h \
	workflows/run/memory.c \
	workflows/run/memory.h \
	workflows/run/progress.c \
	workflows/run/progress.h \
	workflows/run/realisation.c \
	workflows/run/realisation-build.c \
	workflows/run/realisation-private.h \
	workflows/run/realisation.h \
	workflows/run/run-passes.c \
	workflows/run/run-passes.h \
	workflows/run/runner.c \
	workflows/run/runner.h \
	workflows/run/tally-gather.c \
	workflows/run/tally-private.h \
	workflows/run/tally-text.c \
	workflows/run/tally.c \
	workflows/run/tally.h \
	workflows/run/terminal.c \
	workflows/run/terminal.h \
	workflows/run/together.c \
	workflows/run/together.h \
	workflows/run/tries.c \
	workflows/run/tries.h \
	workflows/text/arithmetic.c \
	workflows/text/arithmetic.h \
	workflows/text/expand.c \
	workflows/text/expand.h \
	workflows/text/points-table.c \
	workflows/text/points.c \
	workflows/text/points.h \
	workflows/text/problems.c \
	workflows/text/problems.h \
	workflows/text/property.c \
	workflows/text/property.h \
	workflows/text/scanner.c \
	workflows/text/scanner.h \
	workflows/text/suggest.c \
	workflows/text/suggest.h

# Definitions that the library brings along.
definitions = \
	workflows/stages/anafast.workflow \
	workflows/stages/cross-spectra.workflow \
	workflows/stages/iqu2teb.workflow \
	workflows/stages/masked-spectra.workflow \
	workflows/stages/observed-sky.workflow \
	workflows/stages/read-camb.workflow \
	workflows/stages/smoothing.workflow \
	workflows/stages/synfast.workflow \
	workflows/stages/teb2iqu.workflow \
	workflows/stages/two-point.workflow
stagesdir = $(pkgdatadir)/workflows/stages
dist_stages_DATA = $(definitions)
nodist_libworkflows_la_SOURCES = workflows/file/shipped-definitions.c
CLEANFILES += workflows/file/shipped-definitions.c
EXTRA_DIST += build-aux/embed-definitions

workflows/file/shipped-definitions.c: $(definitions) build-aux/embed-definitions
	$(AM_V_GEN)$(MKDIR_P) $(@D) && files= && for f in $(definitions); do \
	  files="$$files $(srcdir)/$$f"; done && \
	  $(srcdir)/build-aux/embed-definitions $$files >$@-t && mv $@-t $@

# What belongs to the program alone.
noinst_LTLIBRARIES += libprogram.la
libprogram_la_CPPFLAGS = $(AM_CPPFLAGS) -DARMILLA_NODE_DIR=\"$(nodesdir)\"
libprogram_la_CFLAGS = $(AM_CFLAGS) $(JSON_CFLAGS)
libprogram_la_LIBADD = $(JSON_LIBS) $(GLIB_LIBS)
libprogram_la_SOURCES = \
	workflows/plan/forecast-run.c \
	workflows/plan/forecast-run.h \
	workflows/program/command-bench.c \
	workflows/program/command-check.c \
	workflows/program/command-inspect.c \
	workflows/program/command-machine.c \
	workflows/program/command-plan.c \
	workflows/program/command-run.c \
	workflows/program/command-trace.c \
	workflows/program/command-tune.c \
	workflows/program/commands.h \
	workflows/program/load.c \
	workflows/program/node-files.c \
	workflows/program/node-files.h \
	workflows/program/process.c \
	workflows/program/process.h \
	workflows/program/signals.c \
	workflows/program/signals.h \
	workflows/program/reporting.c \
	workflows/program/reporting.h \
	workflows/report/html.c \
	workflows/report/html.h \
	workflows/report/layout.c \
	workflows/report/layout.h \
	workflows/report/report-files.c \
	workflows/report/report-graph.c \
	workflows/report/report-nodes.c \
	workflows/report/report-private.h \
	workflows/report/report-provenance.c \
	workflows/report/report-time.c \
	workflows/report/report-timeline.c \
	workflows/report/report.c \
	workflows/report/report.h \
	workflows/trace/json-pieces.c \
	workflows/trace/json-pieces.h \
	workflows/trace/measure-rates.c \
	workflows/trace/trace-groups.c \
	workflows/trace/trace-groups.h \
	workflows/trace/trace-idle.c \
	workflows/trace/trace-idle.h \
	workflows/trace/trace-overlap.c \
	workflows/trace/trace-overlap.h \
	workflows/trace/trace-reader.c \
	workflows/trace/trace-reader.h \
	workflows/trace/trace-table.c \
	workflows/trace/trace-table.h

# The page that armilla run --report writes has its script and its style in it.
nodist_libprogram_la_SOURCES = workflows/report/report-assets.c
CLEANFILES += workflows/report/report-assets.c
report_assets = workflows/report/report.css workflows/report/report.js
EXTRA_DIST += build-aux/embed-text $(report_assets)

workflows/report/report-assets.c: $(report_assets) build-aux/embed-text
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(srcdir)/build-aux/embed-text \
	  workflows/report/report-private.h \
	  armilla_report_style $(srcdir)/workflows/report/report.css \
	  armilla_report_script $(srcdir)/workflows/report/report.js >$@-t && mv $@-t $@

bin_PROGRAMS += armilla
armilla_SOURCES = \
	workflows/program/last-words.c \
	workflows/program/last-words.h \
	workflows/program/main.c
armilla_LDADD = libprogram.la libarmilla.la $(GLIB_LIBS) -lm

# Ready to run where Debian's healpy-data is installed.
exampledir = $(pkgdatadir)/workflows
dist_example_DATA = \
	workflows/beam-profile.workflow \
	workflows/difference-map.workflow \
	workflows/e-and-b-maps.workflow \
	workflows/estimate-spectrum.workflow \
	workflows/hundred-skies.workflow \
	workflows/masked-spectrum.workflow \
	workflows/nested-to-equatorial.workflow \
	workflows/paper-figure.workflow \
	workflows/polarisation.workflow \
	workflows/point-sources.fits \
	workflows/point-sources.workflow \
	workflows/realisations.workflow \
	workflows/shear-bins.workflow \
	workflows/simulate-sky.workflow \
	workflows/smooth-and-plot.workflow \
	workflows/smooth-wmap.workflow \
	workflows/tomography.workflow \
	workflows/two-point.workflow \
	workflows/w-of-theta.workflow
