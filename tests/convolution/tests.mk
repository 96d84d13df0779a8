GPU_TESTS += tests/convolution/test-convolve-cuda
tests_convolution_test_convolve_cuda_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CFLAGS) $(STARPU_CFLAGS) $(STARPUMPI_CFLAGS) $(MPI_CFLAGS)
tests_convolution_test_convolve_cuda_LDADD = $(TEST_CUDA_LIBS) $(STARPU_LIBS)
