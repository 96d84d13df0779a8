tests_fits_test_fields_LDADD = $(TEST_CORE_LIBS)
tests_fits_test_fits_alm_SOURCES = tests/fits/test-fits-alm.c $(FITS_TEST_SOURCES)
tests_fits_test_fits_alm_CFLAGS = $(FITS_TEST_CFLAGS)
tests_fits_test_fits_alm_LDADD = $(FITS_TEST_LIBS)
tests_fits_test_fits_cl_SOURCES = tests/fits/test-fits-cl.c $(FITS_TEST_SOURCES)
tests_fits_test_fits_cl_CFLAGS = $(FITS_TEST_CFLAGS)
tests_fits_test_fits_cl_LDADD = $(FITS_TEST_LIBS)
tests_fits_test_fits_columns_SOURCES = tests/fits/test-fits-columns.c $(FITS_TEST_SOURCES)
tests_fits_test_fits_columns_CFLAGS = $(FITS_TEST_CFLAGS)
tests_fits_test_fits_columns_LDADD = $(FITS_TEST_LIBS)
tests_fits_test_fits_damaged_SOURCES = tests/fits/test-fits-damaged.c $(FITS_TEST_SOURCES)
tests_fits_test_fits_damaged_CFLAGS = $(FITS_TEST_CFLAGS)
tests_fits_test_fits_damaged_LDADD = $(FITS_TEST_LIBS)
tests_fits_test_fits_gzip_SOURCES = tests/fits/test-fits-gzip.c $(FITS_TEST_SOURCES)
tests_fits_test_fits_gzip_CFLAGS = $(FITS_TEST_CFLAGS)
tests_fits_test_fits_gzip_LDADD = $(FITS_TEST_LIBS)
check_PROGRAMS += tests/fits/fits-copy
tests_fits_fits_copy_LDADD = $(TEST_CORE_LIBS)
tests_fits_test_fits_map_SOURCES = tests/fits/test-fits-map.c $(FITS_TEST_SOURCES)
tests_fits_test_fits_map_CFLAGS = $(FITS_TEST_CFLAGS)
tests_fits_test_fits_map_LDADD = $(FITS_TEST_LIBS)

# Whole workflows through the program; what they wrote is read by CFITSIO and cairo alone.
check_PROGRAMS += tests/fits/check-fits tests/pictures/check-png
tests_fits_check_fits_CFLAGS = $(AM_CFLAGS) $(CFITSIO_CFLAGS)
tests_fits_check_fits_LDADD = $(CFITSIO_LIBS) -lm
