# A test program needs only the layer it tests: link it with the convenience libraries.
TEST_CORE_LIBS = libcore.la $(GLIB_LIBS) -lm
TEST_CODELETS_LIBS = libcodelets.la libcore.la $(GLIB_LIBS) -lm
# The whole library with all of its names, most of which the installed one keeps to itself. CUDA kernels
# weigh megabytes: a shared library has them once, and `make bundle` carries them once.
check_LTLIBRARIES += tests/libarmilla-all.la
tests_libarmilla_all_la_SOURCES =
tests_libarmilla_all_la_LIBADD = $(libarmilla_la_LIBADD)
tests_libarmilla_all_la_LDFLAGS = -avoid-version -shared -rpath /nowhere \
	-Wl,--version-script=tests/libarmilla-all.map
EXTRA_tests_libarmilla_all_la_DEPENDENCIES = tests/libarmilla-all.map
# The same versions of the same names, and all others without one.
tests/libarmilla-all.map: libarmilla.map
	$(AM_V_GEN)$(MKDIR_P) $(@D) && sed '/^local:$$/d; /^  \*;$$/d' libarmilla.map > $@
CLEANFILES += tests/libarmilla-all.map
TEST_LIBS = tests/libarmilla-all.la $(GLIB_LIBS) -lm
TEST_CUDA_LIBS = $(TEST_LIBS) $(CUDA_LIBS)
LDADD = $(TEST_LIBS)

# test-*.c and fuzz-*.c are programs of one file and link all layers, unless the tests.mk of a directory
# overrides that.
check_PROGRAMS += $(test_programs)
dist_check_SCRIPTS += $(test_scripts)
TESTS += $(test_scripts) $(test_programs)

FITS_TEST_SOURCES = tests/lib/fits-fixture.c
FITS_TEST_CFLAGS = $(AM_CFLAGS) $(CFITSIO_CFLAGS) $(ZLIB_CFLAGS)
FITS_TEST_LIBS = $(TEST_CORE_LIBS) $(CFITSIO_LIBS) $(ZLIB_LIBS)

TEST_WORKFLOWS_LIBS = libprogram.la $(TEST_LIBS)

include tests/arrays/tests.mk
include tests/base/tests.mk
include tests/butterfly/tests.mk
include tests/catalogues/tests.mk
include tests/convolution/tests.mk
include tests/correlation/tests.mk
include tests/expressions/tests.mk
include tests/fields/tests.mk
include tests/file/tests.mk
include tests/files/tests.mk
include tests/fits/tests.mk
include tests/fuzz/tests.mk
include tests/graph/tests.mk
include tests/grids/tests.mk
include tests/harmonic/tests.mk
include tests/kernels/tests.mk
include tests/legendre/tests.mk
include tests/lib/tests.mk
include tests/memory/tests.mk
include tests/pictures/tests.mk
include tests/pixels/tests.mk
include tests/planning/tests.mk
include tests/plugins/tests.mk
include tests/points/tests.mk
include tests/program/tests.mk
include tests/report/tests.mk
include tests/rings/tests.mk
include tests/run/tests.mk
include tests/runtime/tests.mk
include tests/spectra/tests.mk
include tests/tables/tests.mk
include tests/theta/tests.mk
include tests/trace/tests.mk
include tests/tuning/tests.mk
include tests/weights/tests.mk
