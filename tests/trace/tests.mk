# Traces: what is written is looked at by json-glib alone, what is read is made by hand.
check_PROGRAMS += tests/trace/check-trace
tests_trace_check_trace_CFLAGS = $(AM_CFLAGS) $(JSON_CFLAGS)
tests_trace_check_trace_LDADD = $(JSON_LIBS) $(GLIB_LIBS) -lm
tests_trace_test_trace_reader_LDADD = $(TEST_WORKFLOWS_LIBS)
tests_trace_test_trace_idle_CFLAGS = $(AM_CFLAGS) $(STARPUMPI_CFLAGS) $(STARPU_CFLAGS) $(MPI_CFLAGS)
tests_trace_test_trace_idle_LDADD = $(TEST_WORKFLOWS_LIBS) $(STARPU_LIBS)
