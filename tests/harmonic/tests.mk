tests_harmonic_test_accuracy_SOURCES = tests/harmonic/direct-synthesis.c tests/harmonic/test-accuracy.c
tests_harmonic_test_legendre_CFLAGS = $(AM_CFLAGS) $(STARPUMPI_CFLAGS) $(STARPU_CFLAGS) $(MPI_CFLAGS)
tests_harmonic_test_legendre_LDADD = $(TEST_LIBS) $(STARPU_LIBS)
tests_harmonic_test_legendre_choice_CFLAGS = $(AM_CFLAGS) $(STARPUMPI_CFLAGS) $(STARPU_CFLAGS) $(MPI_CFLAGS)
tests_harmonic_test_legendre_choice_LDADD = $(TEST_LIBS) $(STARPU_LIBS)
tests_harmonic_test_spin_transform_SOURCES = tests/legendre/delta-reference.c tests/legendre/spin-reference.c tests/harmonic/test-spin-transform.c
check_PROGRAMS += tests/harmonic/dump-transform

# Skies in the dozens; a thousand of them by hand.
check_PROGRAMS += tests/harmonic/check-means
tests_harmonic_check_means_CFLAGS = $(AM_CFLAGS) $(CFITSIO_CFLAGS)
tests_harmonic_check_means_LDADD = $(CFITSIO_LIBS) -lm
check-skies: all tests/fits/check-fits tests/harmonic/check-means
	SKIES=1000 RANKS_LIMIT=14000 $(MAKE) check TEST_LIMIT=15000 TESTS=tests/harmonic/test-skies.sh
.PHONY: check-skies
