VALGRIND_TESTS += tests/tables/test-legendre-table
tests_tables_test_legendre_table_LDADD = $(TEST_CORE_LIBS)
tests_tables_test_table_SOURCES = tests/tables/test-table.c $(FITS_TEST_SOURCES)
tests_tables_test_table_CFLAGS = $(FITS_TEST_CFLAGS)
tests_tables_test_table_LDADD = $(FITS_TEST_LIBS)
tests_tables_test_table_reader_SOURCES = tests/tables/test-table-reader.c $(FITS_TEST_SOURCES)
tests_tables_test_table_reader_CFLAGS = $(FITS_TEST_CFLAGS)
tests_tables_test_table_reader_LDADD = $(FITS_TEST_LIBS)
