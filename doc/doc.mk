EXTRA_DIST += \
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
