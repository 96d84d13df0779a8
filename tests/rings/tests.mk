VALGRIND_TESTS += tests/rings/test-redistribute
tests_rings_test_redistribute_LDADD = $(TEST_CODELETS_LIBS)
GPU_TESTS += tests/rings/test-ring-cuda
tests_rings_test_ring_cuda_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CFLAGS)
tests_rings_test_ring_cuda_LDADD = $(TEST_CUDA_LIBS)
tests_rings_test_ring_fft_LDADD = $(TEST_CODELETS_LIBS)
tests_rings_test_ring_fft_identities_LDADD = $(TEST_CODELETS_LIBS)
