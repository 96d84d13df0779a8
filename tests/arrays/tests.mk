tests_arrays_test_array_transforms_SOURCES = tests/harmonic/direct-synthesis.c \
	tests/arrays/test-array-transforms.c

GPU_TESTS += tests/arrays/test-array-gpu
tests_arrays_test_array_gpu_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CFLAGS) $(STARPU_CFLAGS)
tests_arrays_test_array_gpu_LDADD = $(TEST_CUDA_LIBS) $(STARPU_LIBS)
# The library as programs see it, beside which it finds its modules.
tests_arrays_test_flow_LDADD = libarmilla.la $(GLIB_LIBS) -lm
tests_arrays_test_stage_counts_LDADD = libarmilla.la $(GLIB_LIBS) -lm
tests_arrays_test_stage_call_LDADD = libarmilla.la $(GLIB_LIBS) -lm
check_PROGRAMS += tests/arrays/array-ranks
tests_arrays_array_ranks_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
tests_arrays_array_ranks_LDADD = libarmilla.la $(MPI_LIBS) $(GLIB_LIBS) -lm
