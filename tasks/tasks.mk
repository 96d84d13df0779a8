noinst_LTLIBRARIES += libtasks.la
libtasks_la_CFLAGS = $(AM_CFLAGS) $(STARPUMPI_CFLAGS) $(STARPU_CFLAGS) $(MPI_CFLAGS)
libtasks_la_LIBADD = $(STARPUMPI_LIBS) $(STARPU_LIBS) $(MPI_LIBS) $(GLIB_LIBS) -lm
libtasks_la_SOURCES = $(tasks_sources)
