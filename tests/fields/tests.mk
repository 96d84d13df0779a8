test_programs += tests/fields/test-random
tests_fields_test_random_LDADD = $(TEST_CORE_LIBS)

test_programs += tests/fields/test-random-kernels
tests_fields_test_random_kernels_LDADD = $(TEST_CODELETS_LIBS)

test_programs += tests/fields/test-collect-kernels
tests_fields_test_collect_kernels_LDADD = $(TEST_CODELETS_LIBS)

test_programs += tests/fields/test-random-cuda
GPU_TESTS += tests/fields/test-random-cuda
tests_fields_test_random_cuda_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CFLAGS)
tests_fields_test_random_cuda_LDADD = $(TEST_CUDA_LIBS)

test_programs += tests/fields/test-field-ops
tests_fields_test_field_ops_LDADD = $(TEST_CODELETS_LIBS)

test_programs += tests/fields/test-field-cuda
GPU_TESTS += tests/fields/test-field-cuda
tests_fields_test_field_cuda_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CFLAGS)
tests_fields_test_field_cuda_LDADD = $(TEST_CUDA_LIBS)

test_programs += tests/fields/test-pixel-cuda
GPU_TESTS += tests/fields/test-pixel-cuda
tests_fields_test_pixel_cuda_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CFLAGS)
tests_fields_test_pixel_cuda_LDADD = $(TEST_CUDA_LIBS)

test_programs += tests/fields/test-random-noise
tests_fields_test_random_noise_LDADD = $(TEST_CODELETS_LIBS)
