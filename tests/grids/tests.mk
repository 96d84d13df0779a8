test_programs += tests/grids/test-gauss-of-rings
tests_grids_test_gauss_of_rings_LDADD = $(TEST_CORE_LIBS)

test_programs += tests/grids/test-grid
tests_grids_test_grid_LDADD = $(TEST_CORE_LIBS)

test_programs += tests/grids/test-grid-rings
tests_grids_test_grid_rings_LDADD = $(TEST_CORE_LIBS)

test_programs += tests/grids/test-healpix
tests_grids_test_healpix_LDADD = $(TEST_CORE_LIBS)
