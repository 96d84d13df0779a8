test_programs += tests/report/test-layout
tests_report_test_layout_LDADD = libprogram.la $(GLIB_LIBS) -lm

test_programs += tests/report/test-timeline
tests_report_test_timeline_LDADD = $(TEST_WORKFLOWS_LIBS)

test_scripts += tests/report/test-report.sh
EXTRA_DIST += tests/report/check-page.py tests/report/use-page.js
