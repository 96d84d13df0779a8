FUZZ_FITS_SOURCES = tests/fuzz/fits-mutate.c tests/fuzz/fits-seeds.c tests/fuzz/fuzz-fits.c
tests_fuzz_fuzz_fits_SOURCES = $(FUZZ_FITS_SOURCES)
tests_fuzz_fuzz_fits_CFLAGS = $(FITS_TEST_CFLAGS)
tests_fuzz_fuzz_fits_LDADD = $(FITS_TEST_LIBS)

# The same with libFuzzer; tests/fuzz/fuzz-fits.c says how to run it.
FUZZ_CC = clang
FUZZ_CFLAGS = -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined
fuzz-fits:
	$(FUZZ_CC) -std=gnu11 $(FUZZ_CFLAGS) -DFUZZ_LIBFUZZER $(DEFS) $(AM_CPPFLAGS) $(FITS_TEST_CFLAGS) \
	  -Wno-error $(patsubst %,$(srcdir)/%,$(filter %.c,$(FUZZ_FITS_SOURCES) $(libcore_la_SOURCES))) \
	  -o tests/fuzz/fuzz-fits-libfuzzer $(CFITSIO_LIBS) $(MUPARSER_LIBS) $(ZLIB_LIBS) $(GLIB_LIBS) -lm
CLEANFILES += tests/fuzz/fuzz-fits-libfuzzer
.PHONY: fuzz-fits

# Preloaded by the test, so that one rank ends after the others.
check_LTLIBRARIES += tests/lib/slow-end.la
tests_lib_slow_end_la_SOURCES = tests/lib/slow-end.c
tests_lib_slow_end_la_LDFLAGS = -module -avoid-version -shared -rpath /nowhere
FUZZ_CASES_SOURCES = tests/fuzz/cases.c tests/fuzz/fits-mutate.c tests/fuzz/fits-seeds.c tests/fuzz/inputs.c
FUZZ_CASES_CFLAGS = $(AM_CFLAGS) $(ZLIB_CFLAGS)
FUZZ_CASES_LIBS = $(TEST_WORKFLOWS_LIBS) $(ZLIB_LIBS)
tests_fuzz_fuzz_files_SOURCES = tests/fuzz/fuzz-files.c tests/fuzz/text-mutate.c tests/fuzz/text-seeds.c \
  $(FUZZ_CASES_SOURCES)
tests_fuzz_fuzz_files_CFLAGS = $(FUZZ_CASES_CFLAGS)
tests_fuzz_fuzz_files_LDADD = $(FUZZ_CASES_LIBS)
tests_fuzz_fuzz_mutants_SOURCES = tests/fuzz/fuzz-mutants.c tests/fuzz/text-mutate.c $(FUZZ_CASES_SOURCES)
tests_fuzz_fuzz_mutants_CFLAGS = $(FUZZ_CASES_CFLAGS)
tests_fuzz_fuzz_mutants_LDADD = $(FUZZ_CASES_LIBS)
tests_fuzz_fuzz_stages_SOURCES = tests/fuzz/fuzz-stages.c $(FUZZ_CASES_SOURCES)
tests_fuzz_fuzz_stages_CFLAGS = $(FUZZ_CASES_CFLAGS)
tests_fuzz_fuzz_stages_LDADD = $(FUZZ_CASES_LIBS)
tests_fuzz_fuzz_workflow_SOURCES = tests/fuzz/fuzz-workflow.c tests/fuzz/text-mutate.c tests/lib/sample-stages.c
tests_fuzz_fuzz_workflow_LDADD = $(TEST_WORKFLOWS_LIBS)
tests_fuzz_fuzz_trace_SOURCES = tests/fuzz/fuzz-trace.c tests/fuzz/text-mutate.c
tests_fuzz_fuzz_trace_LDADD = $(TEST_WORKFLOWS_LIBS)
tests_fuzz_fuzz_expression_SOURCES = tests/fuzz/fuzz-expression.c tests/fuzz/text-mutate.c
tests_fuzz_fuzz_expression_LDADD = $(TEST_CORE_LIBS)
