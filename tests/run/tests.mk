test_scripts += tests/run/test-collect.sh
EXTRA_DIST += tests/reference/collect-numpy.py
test_scripts += tests/run/test-faults.sh
EXTRA_DIST += tests/run/kill-long.sh
test_scripts += tests/run/test-kill-resume.sh
test_scripts += tests/run/test-once.sh
test_scripts += tests/run/test-opened.sh
test_scripts += tests/run/test-sweep-table.sh
test_scripts += tests/run/test-sweep.sh
test_scripts += tests/run/test-tally.sh
test_scripts += tests/run/test-together.sh
test_scripts += tests/run/test-written-files.sh

test_programs += tests/run/test-runner
tests_run_test_runner_LDADD = $(TEST_WORKFLOWS_LIBS)

test_programs += tests/run/test-journal
tests_run_test_journal_LDADD = $(TEST_WORKFLOWS_LIBS)
