test_programs += tests/correlation/test-correlation
test_scripts += tests/correlation/test-correlation.sh

check_PROGRAMS += tests/correlation/bench-cells tests/correlation/bench-pairs
test_programs += tests/correlation/test-pairs

test_programs += tests/correlation/test-jackknife
GPU_TESTS += tests/correlation/test-jackknife

test_programs += tests/correlation/test-pairs-cuda
GPU_TESTS += tests/correlation/test-pairs-cuda tests/correlation/test-pairs
tests_correlation_test_pairs_cuda_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CFLAGS)
tests_correlation_test_pairs_cuda_LDADD = $(TEST_CUDA_LIBS)

test_programs += tests/correlation/test-triangles
GPU_TESTS += tests/correlation/test-triangles

test_scripts += tests/correlation/test-peer-counts.sh
check_PROGRAMS += tests/correlation/dump-pairs
test_programs += tests/correlation/test-pair-sums
test_scripts += tests/correlation/test-mpi-pairs.sh
test_scripts += tests/correlation/test-same-counts.sh

test_programs += tests/correlation/test-pair-kernels
