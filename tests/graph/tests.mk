tests_graph_test_graph_CFLAGS = $(AM_CFLAGS) $(STARPUMPI_CFLAGS) $(STARPU_CFLAGS) $(MPI_CFLAGS)
tests_graph_test_cost_CFLAGS = $(AM_CFLAGS) $(STARPUMPI_CFLAGS) $(STARPU_CFLAGS) $(MPI_CFLAGS)
tests_graph_test_cost_SOURCES = tests/legendre/delta-reference.c tests/graph/test-cost.c
tests_graph_test_cost_LDADD = $(TEST_LIBS) $(STARPU_LIBS)
tests_graph_test_workers_CFLAGS = $(AM_CFLAGS) $(STARPUMPI_CFLAGS) $(STARPU_CFLAGS) $(MPI_CFLAGS)
tests_graph_test_workers_LDADD = $(TEST_LIBS) $(STARPU_LIBS)
tests_graph_test_in_thread_CFLAGS = $(AM_CFLAGS) $(STARPUMPI_CFLAGS) $(STARPU_CFLAGS) $(MPI_CFLAGS)
tests_graph_test_in_thread_LDADD = $(TEST_LIBS) $(STARPU_LIBS)
