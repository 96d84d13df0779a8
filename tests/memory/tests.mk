tests_memory_test_gpu_memory_CFLAGS = $(AM_CFLAGS) $(STARPUMPI_CFLAGS) $(STARPU_CFLAGS) $(MPI_CFLAGS)
check_PROGRAMS += tests/memory/peak
tests_memory_peak_LDADD =
