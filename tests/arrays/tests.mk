EXTRA_DIST += tests/arrays/array-helpers.h

test_programs += tests/arrays/test-array-transforms
tests_arrays_test_array_transforms_SOURCES = tests/harmonic/direct-synthesis.c \
	tests/arrays/test-array-transforms.c

test_programs += tests/arrays/test-array-alm
test_programs += tests/arrays/test-array-convolve
test_programs += tests/arrays/test-array-counts
test_programs += tests/arrays/test-session

# The library as programs see it, beside which it finds its modules.
test_programs += tests/arrays/test-flow
tests_arrays_test_flow_LDADD = libarmilla.la $(GLIB_LIBS) -lm
