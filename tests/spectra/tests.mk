tests_spectra_test_coupling_kernels_LDADD = $(TEST_CODELETS_LIBS)
GPU_TESTS += tests/spectra/test-coupling-cuda
tests_spectra_test_coupling_cuda_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CFLAGS)
tests_spectra_test_coupling_cuda_LDADD = $(TEST_CUDA_LIBS)
tests_spectra_test_degree_bins_LDADD = $(TEST_CORE_LIBS)
