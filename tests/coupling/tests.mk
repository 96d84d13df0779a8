EXTRA_DIST += tests/coupling/coupling-helpers.h tests/coupling/wigner-3j.h tests/reference/wigner-3j.py

test_programs += tests/coupling/test-coupling-kernels
tests_coupling_test_coupling_kernels_LDADD = $(TEST_CODELETS_LIBS)

test_programs += tests/coupling/test-coupling-cuda
GPU_TESTS += tests/coupling/test-coupling-cuda
tests_coupling_test_coupling_cuda_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CFLAGS)
tests_coupling_test_coupling_cuda_LDADD = $(TEST_CUDA_LIBS)
