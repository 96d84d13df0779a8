test_programs += tests/harmonic/test-accuracy
tests_harmonic_test_accuracy_SOURCES = tests/harmonic/direct-synthesis.c tests/harmonic/test-accuracy.c

test_programs += tests/harmonic/test-gradient

test_scripts += tests/harmonic/test-harmonics-healpy
EXTRA_DIST += tests/reference/harmonic-healpy.py

test_programs += tests/harmonic/test-legendre
tests_harmonic_test_legendre_CFLAGS = $(AM_CFLAGS) $(STARPUMPI_CFLAGS) $(STARPU_CFLAGS) $(MPI_CFLAGS)
tests_harmonic_test_legendre_LDADD = $(TEST_LIBS) $(STARPU_LIBS)

test_programs += tests/harmonic/test-legendre-choice
tests_harmonic_test_legendre_choice_CFLAGS = $(AM_CFLAGS) $(STARPUMPI_CFLAGS) $(STARPU_CFLAGS) $(MPI_CFLAGS)
tests_harmonic_test_legendre_choice_LDADD = $(TEST_LIBS) $(STARPU_LIBS)

test_programs += tests/harmonic/test-normal-rings

test_programs += tests/harmonic/test-partial

test_scripts += tests/harmonic/test-spin-healpy
EXTRA_DIST += tests/reference/spin-healpy.py

test_programs += tests/harmonic/test-spin-transform
tests_harmonic_test_spin_transform_SOURCES = tests/legendre/delta-reference.c tests/legendre/spin-reference.c tests/harmonic/test-spin-transform.c

test_programs += tests/harmonic/test-transform

check_PROGRAMS += tests/harmonic/dump-transform
test_scripts += tests/harmonic/test-precompute.sh

test_programs += tests/harmonic/test-polarisation

test_scripts += tests/harmonic/test-alm-tools.sh
test_scripts += tests/harmonic/test-polarised-input.sh
# Skies in the dozens; a thousand of them by hand.
check_PROGRAMS += tests/harmonic/check-means
test_scripts += tests/harmonic/test-skies.sh
test_scripts += tests/harmonic/test-workers.sh
tests_harmonic_check_means_CFLAGS = $(AM_CFLAGS) $(CFITSIO_CFLAGS)
tests_harmonic_check_means_LDADD = $(CFITSIO_LIBS) -lm
check-skies: all tests/fits/check-fits tests/harmonic/check-means
	SKIES=1000 RANKS_LIMIT=14000 $(MAKE) check TEST_LIMIT=15000 TESTS=tests/harmonic/test-skies.sh
.PHONY: check-skies
