tests_run_test_runner_LDADD = $(TEST_WORKFLOWS_LIBS)
tests_run_test_journal_LDADD = $(TEST_WORKFLOWS_LIBS)
