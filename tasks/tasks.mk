noinst_LTLIBRARIES += libtasks.la
libtasks_la_CFLAGS = $(AM_CFLAGS) $(STARPUMPI_CFLAGS) $(STARPU_CFLAGS) $(MPI_CFLAGS)
libtasks_la_LIBADD = $(STARPUMPI_LIBS) $(STARPU_LIBS) $(MPI_LIBS) $(GLIB_LIBS) -lm
libtasks_la_SOURCES = \
	tasks/alm.c \
	tasks/analysis-private.h \
	tasks/analysis.c \
	tasks/benchmark.c \
	tasks/blocks.c \
	tasks/blocks.h \
	tasks/cl.c \
	tasks/combine.c \
	tasks/conjugate-gradients.c \
	tasks/data-private.h \
	tasks/data.c \
	tasks/fxt.c \
	tasks/fxt.h \
	tasks/gather.c \
	tasks/gather.h \
	tasks/graph-private.h \
	tasks/graph.c \
	tasks/host-step.c \
	tasks/jobs.c \
	tasks/jobs.h \
	tasks/label.c \
	tasks/machine.c \
	tasks/machine.h \
	tasks/machine-json.c \
	tasks/map.c \
	tasks/mask.c \
	tasks/monopole.c \
	tasks/random-alm.c \
	tasks/rotate.c \
	tasks/runtime-private.h \
	tasks/runtime.c \
	tasks/shared-tables.c \
	tasks/signals.c \
	tasks/sources-sinks.c \
	tasks/spectra.c \
	tasks/starpu-mpi.h \
	tasks/submit.c \
	tasks/synthesis.c \
	tasks/tile-pool.c \
	tasks/trace-gather.c \
	tasks/trace-memory.c \
	tasks/trace-private.h \
	tasks/trace-transfers.c \
	tasks/trace-write.c \
	tasks/trace.c \
	tasks/transform.c \
	tasks/transform.h \
	tasks/tune.c \
	tasks/tuning-file.c \
	tasks/tuning-file.h \
	tasks/tuning.c \
	tasks/tuning.h \
	tasks/ud-grade.c
