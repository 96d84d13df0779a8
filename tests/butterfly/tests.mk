check_PROGRAMS += tests/butterfly/bench-butterfly
tests_butterfly_bench_butterfly_LDADD = $(TEST_CODELETS_LIBS)

test_programs += tests/butterfly/test-butterfly
tests_butterfly_test_butterfly_SOURCES = tests/butterfly/butterfly-block.c tests/legendre/delta-reference.c tests/butterfly/test-butterfly.c
tests_butterfly_test_butterfly_LDADD = $(TEST_CODELETS_LIBS)

test_programs += tests/butterfly/test-butterfly-compress-cuda
GPU_TESTS += tests/butterfly/test-butterfly-compress-cuda
tests_butterfly_test_butterfly_compress_cuda_SOURCES = \
	tests/butterfly/butterfly-block.c \
	tests/legendre/delta-reference.c \
	tests/butterfly/test-butterfly-compress-cuda.c
tests_butterfly_test_butterfly_compress_cuda_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CFLAGS)
tests_butterfly_test_butterfly_compress_cuda_LDADD = $(TEST_CUDA_LIBS)

test_programs += tests/butterfly/test-butterfly-cuda
GPU_TESTS += tests/butterfly/test-butterfly-cuda
tests_butterfly_test_butterfly_cuda_SOURCES = \
	tests/butterfly/butterfly-block.c \
	tests/legendre/delta-reference.c \
	tests/butterfly/test-butterfly-cuda.c
tests_butterfly_test_butterfly_cuda_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CFLAGS)
tests_butterfly_test_butterfly_cuda_LDADD = $(TEST_CUDA_LIBS)
