check_PROGRAMS += tests/legendre/bench-delta
test_programs += tests/legendre/test-delta
tests_legendre_bench_delta_SOURCES = tests/legendre/bench-delta.c tests/legendre/delta-reference.c
tests_legendre_bench_delta_LDADD = $(TEST_CODELETS_LIBS)
tests_legendre_test_delta_SOURCES = tests/legendre/delta-reference.c tests/legendre/test-delta.c
tests_legendre_test_delta_LDADD = $(TEST_CODELETS_LIBS)

test_programs += tests/legendre/test-delta-cuda
GPU_TESTS += tests/legendre/test-delta-cuda
tests_legendre_test_delta_cuda_SOURCES = tests/legendre/delta-reference.c tests/legendre/test-delta-cuda.c
tests_legendre_test_delta_cuda_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CFLAGS)
tests_legendre_test_delta_cuda_LDADD = $(TEST_CUDA_LIBS)

check_PROGRAMS += tests/legendre/bench-spin
test_programs += tests/legendre/test-spin tests/legendre/test-spin-threads
tests_legendre_bench_spin_SOURCES = tests/legendre/bench-spin.c tests/legendre/delta-reference.c tests/legendre/spin-reference.c
tests_legendre_bench_spin_LDADD = $(TEST_CODELETS_LIBS)
tests_legendre_test_spin_SOURCES = tests/legendre/delta-reference.c tests/legendre/spin-reference.c tests/legendre/test-spin.c
tests_legendre_test_spin_LDADD = $(TEST_CODELETS_LIBS)
tests_legendre_test_spin_threads_SOURCES = tests/legendre/delta-reference.c tests/legendre/spin-reference.c tests/legendre/test-spin-threads.c
tests_legendre_test_spin_threads_LDADD = $(TEST_CODELETS_LIBS)

test_programs += tests/legendre/test-spin-cuda
GPU_TESTS += tests/legendre/test-spin-cuda
tests_legendre_test_spin_cuda_SOURCES = tests/legendre/delta-reference.c tests/legendre/spin-reference.c tests/legendre/test-spin-cuda.c
tests_legendre_test_spin_cuda_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CFLAGS)
tests_legendre_test_spin_cuda_LDADD = $(TEST_CUDA_LIBS)
