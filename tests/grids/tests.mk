tests_grids_test_gauss_of_rings_LDADD = $(TEST_CORE_LIBS)
tests_grids_test_grid_LDADD = $(TEST_CORE_LIBS)
tests_grids_test_grid_rings_LDADD = $(TEST_CORE_LIBS)
tests_grids_test_healpix_LDADD = $(TEST_CORE_LIBS)
