test_programs += tests/files/test-name-pattern
tests_files_test_name_pattern_LDADD = $(TEST_CORE_LIBS)

test_programs += tests/files/test-output
tests_files_test_output_LDADD = $(TEST_CORE_LIBS) $(ZLIB_LIBS)

test_programs += tests/files/test-output-faults
tests_files_test_output_faults_LDADD = $(TEST_CORE_LIBS) $(ZLIB_LIBS)

test_programs += tests/files/test-output-share
tests_files_test_output_share_SOURCES = tests/files/test-output-share.c $(FITS_TEST_SOURCES)
tests_files_test_output_share_CFLAGS = $(FITS_TEST_CFLAGS)
tests_files_test_output_share_LDADD = $(FITS_TEST_LIBS)

test_scripts += tests/files/test-shared-output.sh
