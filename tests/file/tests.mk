tests_file_test_arithmetic_LDADD = $(TEST_WORKFLOWS_LIBS)
tests_file_test_scanner_LDADD = $(TEST_WORKFLOWS_LIBS)
tests_file_test_validate_SOURCES = tests/lib/sample-stages.c tests/file/test-validate.c
tests_file_test_validate_LDADD = $(TEST_WORKFLOWS_LIBS)
tests_file_test_workflow_LDADD = $(TEST_WORKFLOWS_LIBS)
tests_file_test_definition_SOURCES = tests/lib/sample-stages.c tests/file/test-definition.c
tests_file_test_definition_LDADD = $(TEST_WORKFLOWS_LIBS)
