EXTRA_DIST += tests/arrays/array-helpers.h

test_programs += tests/arrays/test-array-transforms
tests_arrays_test_array_transforms_SOURCES = tests/harmonic/direct-synthesis.c \
	tests/arrays/test-array-transforms.c

test_programs += tests/arrays/test-array-alm
test_programs += tests/arrays/test-array-convolve
test_programs += tests/arrays/test-array-counts
test_programs += tests/arrays/test-session

check_PROGRAMS += tests/arrays/array-ranks
test_scripts += tests/arrays/test-array-ranks.sh
tests_arrays_array_ranks_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
tests_arrays_array_ranks_LDADD = libarmilla.la $(MPI_LIBS) $(GLIB_LIBS) -lm
