test_scripts += tests/runtime/test-first-start.sh

test_programs += tests/runtime/test-launch
tests_runtime_test_launch_CFLAGS = $(AM_CFLAGS) $(STARPUMPI_CFLAGS) $(STARPU_CFLAGS) $(MPI_CFLAGS)

test_scripts += tests/runtime/test-rank-death.sh
test_programs += tests/runtime/test-signals
tests_runtime_test_signals_LDADD = libprogram.la $(TEST_LIBS)

test_scripts += tests/runtime/test-starpu.sh
test_programs += tests/runtime/test-team

# Linked with the library as it is installed: it knows the public headers alone.
check_PROGRAMS += tests/runtime/guest
test_scripts += tests/runtime/test-guest.sh
tests_runtime_guest_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
tests_runtime_guest_LDADD = libarmilla.la $(MPI_LIBS) $(GLIB_LIBS) -lm
