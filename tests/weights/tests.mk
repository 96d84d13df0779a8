test_programs += tests/weights/test-pixel-weights
tests_weights_test_pixel_weights_SOURCES = tests/weights/test-pixel-weights.c $(FITS_TEST_SOURCES)
tests_weights_test_pixel_weights_CFLAGS = $(FITS_TEST_CFLAGS)
tests_weights_test_pixel_weights_LDADD = $(FITS_TEST_LIBS)

test_programs += tests/weights/test-weights
tests_weights_test_weights_SOURCES = tests/weights/test-weights.c $(FITS_TEST_SOURCES)
tests_weights_test_weights_CFLAGS = $(FITS_TEST_CFLAGS)
tests_weights_test_weights_LDADD = $(FITS_TEST_LIBS)

test_scripts += tests/weights/test-weights.sh
