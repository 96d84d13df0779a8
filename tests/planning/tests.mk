test_programs += tests/planning/test-forecast
tests_planning_test_forecast_CFLAGS = $(AM_CFLAGS) $(STARPUMPI_CFLAGS) $(STARPU_CFLAGS) $(MPI_CFLAGS)
tests_planning_test_forecast_LDADD = $(TEST_LIBS) $(STARPU_LIBS)

test_scripts += tests/planning/test-plan.sh tests/planning/test-plan-examples.sh
EXTRA_DIST += tests/planning/measure-forecast.sh
