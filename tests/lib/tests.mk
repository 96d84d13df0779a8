# Preloaded, so that any one call can fail.
check_LTLIBRARIES += tests/lib/faulty-calls.la
tests_lib_faulty_calls_la_SOURCES = tests/lib/faulty-calls.c
tests_lib_faulty_calls_la_LDFLAGS = -module -avoid-version -shared -rpath /nowhere

# Preloaded by the test, so that files of one rank only can fail.
check_LTLIBRARIES += tests/lib/faulty-files.la
tests_lib_faulty_files_la_SOURCES = tests/lib/faulty-files.c
tests_lib_faulty_files_la_LDFLAGS = -module -avoid-version -shared -rpath /nowhere
check_LTLIBRARIES += tests/lib/slow-rank.la
tests_lib_slow_rank_la_SOURCES = tests/lib/slow-rank.c
tests_lib_slow_rank_la_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
tests_lib_slow_rank_la_LDFLAGS = -module -avoid-version -shared -rpath /nowhere
