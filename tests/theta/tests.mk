VALGRIND_TESTS += tests/theta/test-theta
tests_theta_test_theta_SOURCES = tests/legendre/delta-reference.c tests/theta/test-theta.c
tests_theta_test_theta_LDADD = $(TEST_CODELETS_LIBS)
GPU_TESTS += tests/theta/test-theta-cuda
tests_theta_test_theta_cuda_SOURCES = tests/legendre/delta-reference.c tests/theta/test-theta-cuda.c
tests_theta_test_theta_cuda_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CFLAGS)
tests_theta_test_theta_cuda_LDADD = $(TEST_CUDA_LIBS)
tests_theta_test_resample_SOURCES = tests/legendre/delta-reference.c tests/theta/test-resample.c
tests_theta_test_resample_LDADD = $(TEST_CODELETS_LIBS)
GPU_TESTS += tests/theta/test-resample-cuda
tests_theta_test_resample_cuda_SOURCES = tests/legendre/delta-reference.c \
  tests/theta/test-resample-cuda.c
tests_theta_test_resample_cuda_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CFLAGS)
tests_theta_test_resample_cuda_LDADD = $(TEST_CUDA_LIBS)
