tests_kernels_test_kernel_LDADD = $(TEST_CORE_LIBS)
tests_kernels_test_pixel_window_SOURCES = tests/kernels/test-pixel-window.c $(FITS_TEST_SOURCES)
tests_kernels_test_pixel_window_CFLAGS = $(FITS_TEST_CFLAGS)
tests_kernels_test_pixel_window_LDADD = $(FITS_TEST_LIBS)
