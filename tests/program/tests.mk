# make install links the modules again in the build folder: no other test may look for them meanwhile.
# (Names of their own: automake would take the target for the whole rule.)
last_log = tests/program/test-uninstall.sh.log
last_but_one_log = tests/plugins/test-example-plugin.sh.log
last_but_two_log = tests/python/test-python.sh.log
$(last_log): $(filter-out $(last_log),$(TEST_LOGS))
$(last_but_one_log): $(filter-out $(last_log) $(last_but_one_log),$(TEST_LOGS))
$(last_but_two_log): $(filter-out $(last_log) $(last_but_one_log) $(last_but_two_log),$(TEST_LOGS))
