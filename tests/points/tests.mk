tests_points_test_points_SOURCES = tests/points/test-points.c
tests_points_test_points_LDADD = $(TEST_CODELETS_LIBS)
GPU_TESTS += tests/points/test-points-cuda
tests_points_test_points_cuda_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CFLAGS)
tests_points_test_points_cuda_LDADD = $(TEST_CUDA_LIBS)
VALGRIND_TESTS += tests/points/test-points-delta
tests_points_test_points_delta_SOURCES = tests/legendre/delta-reference.c \
  tests/points/test-points-delta.c
tests_points_test_points_delta_LDADD = $(TEST_CODELETS_LIBS)
tests_points_test_points_chain_SOURCES = tests/legendre/delta-reference.c \
  tests/points/test-points-chain.c
tests_points_test_points_chain_LDADD = $(TEST_CODELETS_LIBS)
tests_points_test_points_graph_SOURCES = tests/legendre/delta-reference.c \
  tests/legendre/spin-reference.c tests/points/test-points-graph.c
GPU_TESTS += tests/points/test-points-delta-cuda
tests_points_test_points_delta_cuda_SOURCES = tests/legendre/delta-reference.c \
  tests/points/test-points-delta-cuda.c
tests_points_test_points_delta_cuda_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CFLAGS)
tests_points_test_points_delta_cuda_LDADD = $(TEST_CUDA_LIBS)
