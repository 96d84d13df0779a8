GPU_TESTS += tests/pixels/test-apply
GPU_TESTS += tests/pixels/test-statistics
GPU_TESTS += tests/pixels/test-statistics-cuda
tests_pixels_test_statistics_cuda_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CFLAGS)
tests_pixels_test_statistics_cuda_LDADD = $(TEST_CUDA_LIBS)
