check_PROGRAMS += tests/correlation/bench-cells tests/correlation/bench-pairs
GPU_TESTS += tests/correlation/test-jackknife
GPU_TESTS += tests/correlation/test-pairs-cuda tests/correlation/test-pairs
tests_correlation_test_pairs_cuda_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CFLAGS)
tests_correlation_test_pairs_cuda_LDADD = $(TEST_CUDA_LIBS)
GPU_TESTS += tests/correlation/test-triangles
check_PROGRAMS += tests/correlation/dump-pairs
