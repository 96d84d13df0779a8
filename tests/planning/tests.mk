tests_planning_test_forecast_CFLAGS = $(AM_CFLAGS) $(STARPUMPI_CFLAGS) $(STARPU_CFLAGS) $(MPI_CFLAGS)
tests_planning_test_forecast_LDADD = $(TEST_LIBS) $(STARPU_LIBS)
