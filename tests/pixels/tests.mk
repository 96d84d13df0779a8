test_programs += tests/pixels/test-apply
GPU_TESTS += tests/pixels/test-apply

test_scripts += tests/pixels/test-maps-healpy
EXTRA_DIST += tests/reference/maps-healpy.py
test_scripts += tests/pixels/test-partial-sky.sh

test_programs += tests/pixels/test-arithmetic

test_programs += tests/pixels/test-rotate-map

test_programs += tests/pixels/test-statistics
GPU_TESTS += tests/pixels/test-statistics
test_scripts += tests/pixels/test-statistics.sh
test_programs += tests/pixels/test-statistics-cuda
GPU_TESTS += tests/pixels/test-statistics-cuda
tests_pixels_test_statistics_cuda_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CFLAGS)
tests_pixels_test_statistics_cuda_LDADD = $(TEST_CUDA_LIBS)

test_scripts += tests/pixels/test-expression.sh

test_scripts += tests/pixels/test-noise-map.sh

test_scripts += tests/pixels/test-set-fields.sh
