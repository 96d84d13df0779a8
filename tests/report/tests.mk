tests_report_test_layout_LDADD = libprogram.la $(GLIB_LIBS) -lm
tests_report_test_timeline_LDADD = $(TEST_WORKFLOWS_LIBS)
