check_PROGRAMS += tests/butterfly/bench-butterfly
tests_butterfly_bench_butterfly_LDADD = $(TEST_CODELETS_LIBS)
tests_butterfly_test_butterfly_SOURCES = tests/butterfly/butterfly-block.c tests/legendre/delta-reference.c tests/butterfly/test-butterfly.c
tests_butterfly_test_butterfly_LDADD = $(TEST_CODELETS_LIBS)
