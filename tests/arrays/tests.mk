EXTRA_DIST += tests/arrays/array-helpers.h

test_programs += tests/arrays/test-array-transforms
tests_arrays_test_array_transforms_SOURCES = tests/harmonic/direct-synthesis.c \
	tests/arrays/test-array-transforms.c

test_programs += tests/arrays/test-array-alm
test_programs += tests/arrays/test-array-batch
test_programs += tests/arrays/test-array-convolve
test_programs += tests/arrays/test-array-counts
test_programs += tests/arrays/test-array-memory
test_programs += tests/arrays/test-session
test_programs += tests/arrays/test-small-plans

test_programs += tests/arrays/test-array-gpu
GPU_TESTS += tests/arrays/test-array-gpu
tests_arrays_test_array_gpu_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CFLAGS) $(STARPU_CFLAGS)
tests_arrays_test_array_gpu_LDADD = $(TEST_CUDA_LIBS) $(STARPU_LIBS)
# The library as programs see it, beside which it finds its modules.
test_programs += tests/arrays/test-flow
tests_arrays_test_flow_LDADD = libarmilla.la $(GLIB_LIBS) -lm
test_programs += tests/arrays/test-stage-call
tests_arrays_test_stage_call_LDADD = libarmilla.la $(GLIB_LIBS) -lm
check_PROGRAMS += tests/arrays/array-ranks
test_scripts += tests/arrays/test-array-ranks.sh
tests_arrays_array_ranks_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
tests_arrays_array_ranks_LDADD = libarmilla.la $(MPI_LIBS) $(GLIB_LIBS) -lm
