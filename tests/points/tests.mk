VALGRIND_TESTS += tests/points/test-points
tests_points_test_points_SOURCES = tests/points/test-points.c
tests_points_test_points_LDADD = $(TEST_CODELETS_LIBS)
