test_programs += tests/convolution/test-convolve
test_programs += tests/convolution/test-convolve-grid
test_scripts += tests/convolution/test-convolve.sh

test_programs += tests/convolution/test-convolve-cuda
GPU_TESTS += tests/convolution/test-convolve-cuda
tests_convolution_test_convolve_cuda_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CFLAGS) $(STARPU_CFLAGS) $(STARPUMPI_CFLAGS) $(MPI_CFLAGS)
tests_convolution_test_convolve_cuda_LDADD = $(TEST_CUDA_LIBS) $(STARPU_LIBS)
