tests_base_test_quantity_LDADD = $(TEST_CORE_LIBS)
tests_base_test_printable_LDADD = $(TEST_CORE_LIBS)
tests_base_test_json_writer_CFLAGS = $(AM_CFLAGS) $(JSON_CFLAGS)
tests_base_test_json_writer_LDADD = $(TEST_CORE_LIBS) $(JSON_LIBS)
VALGRIND_TESTS += tests/base/test-json-writer tests/trace/test-trace-reader
