tests_runtime_test_launch_CFLAGS = $(AM_CFLAGS) $(STARPUMPI_CFLAGS) $(STARPU_CFLAGS) $(MPI_CFLAGS)
tests_runtime_test_signals_LDADD = libprogram.la $(TEST_LIBS)

# Linked with the library as it is installed: it knows the public headers alone.
check_PROGRAMS += tests/runtime/guest
tests_runtime_guest_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
tests_runtime_guest_LDADD = libarmilla.la $(MPI_LIBS) $(GLIB_LIBS) -lm
