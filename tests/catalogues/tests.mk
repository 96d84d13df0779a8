test_programs += tests/catalogues/test-binning
tests_catalogues_test_binning_LDADD = $(TEST_CORE_LIBS)

test_programs += tests/catalogues/test-catalogue
tests_catalogues_test_catalogue_LDADD = $(TEST_CORE_LIBS)

test_scripts += tests/catalogues/test-catalogue-files.sh
test_scripts += tests/catalogues/test-catalogue-healpy
EXTRA_DIST += tests/reference/catalogue-healpy.py

test_programs += tests/catalogues/test-catalogue-reader
tests_catalogues_test_catalogue_reader_SOURCES = tests/catalogues/test-catalogue-reader.c $(FITS_TEST_SOURCES)
tests_catalogues_test_catalogue_reader_CFLAGS = $(FITS_TEST_CFLAGS)
tests_catalogues_test_catalogue_reader_LDADD = $(FITS_TEST_LIBS)

test_programs += tests/catalogues/test-estimator
tests_catalogues_test_estimator_LDADD = $(TEST_CORE_LIBS)

test_programs += tests/catalogues/test-patches
tests_catalogues_test_patches_LDADD = $(TEST_CORE_LIBS)

test_scripts += tests/catalogues/test-patches.sh

test_programs += tests/catalogues/test-random-catalogue
EXTRA_DIST += tests/reference/random-catalogue.py
tests_catalogues_test_random_catalogue_LDADD = $(TEST_CORE_LIBS)

test_scripts += tests/catalogues/test-select-rows.sh
