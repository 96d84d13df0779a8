tests_pictures_test_render_CFLAGS = $(AM_CFLAGS) $(CAIRO_CFLAGS)
tests_pictures_test_render_LDADD = librender.la $(TEST_CORE_LIBS)
tests_pictures_test_render_correlation_CFLAGS = $(AM_CFLAGS) $(CAIRO_CFLAGS)
tests_pictures_test_render_correlation_LDADD = librender.la $(TEST_CORE_LIBS)
tests_pictures_test_render_data_CFLAGS = $(AM_CFLAGS) $(CAIRO_CFLAGS)
tests_pictures_test_render_data_LDADD = librender.la $(TEST_CORE_LIBS)
tests_pictures_test_render_files_CFLAGS = $(AM_CFLAGS) $(CAIRO_CFLAGS)
tests_pictures_test_render_files_LDADD = librender.la $(TEST_CORE_LIBS)
tests_pictures_test_render_histogram_CFLAGS = $(AM_CFLAGS) $(CAIRO_CFLAGS)
tests_pictures_test_render_histogram_LDADD = librender.la $(TEST_CORE_LIBS)
tests_pictures_test_render_matrix_CFLAGS = $(AM_CFLAGS) $(CAIRO_CFLAGS)
tests_pictures_test_render_matrix_LDADD = librender.la $(TEST_CORE_LIBS)
tests_pictures_test_render_overlays_CFLAGS = $(AM_CFLAGS) $(CAIRO_CFLAGS)
tests_pictures_test_render_overlays_LDADD = librender.la $(TEST_CORE_LIBS)
tests_pictures_test_render_plot_CFLAGS = $(AM_CFLAGS) $(CAIRO_CFLAGS)
tests_pictures_test_render_plot_LDADD = librender.la $(TEST_CORE_LIBS)
tests_pictures_test_render_sky_CFLAGS = $(AM_CFLAGS) $(CAIRO_CFLAGS)
tests_pictures_test_render_sky_LDADD = librender.la $(TEST_CORE_LIBS)
tests_pictures_check_png_CFLAGS = $(AM_CFLAGS) $(CAIRO_CFLAGS)
tests_pictures_check_png_LDADD = $(CAIRO_LIBS) $(GLIB_LIBS)

# Not test-render-sky and test-render-overlays, whose many pictures take minutes there.
VALGRIND_TESTS += tests/pictures/test-render tests/pictures/test-render-correlation tests/pictures/test-render-data \
	tests/pictures/test-render-files tests/pictures/test-render-histogram tests/pictures/test-render-matrix \
	tests/pictures/test-render-plot tests/plugins/test-stages
