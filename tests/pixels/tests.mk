test_programs += tests/pixels/test-apply
GPU_TESTS += tests/pixels/test-apply

test_scripts += tests/pixels/test-maps-healpy
EXTRA_DIST += tests/reference/maps-healpy.py
test_scripts += tests/pixels/test-partial-sky.sh

test_programs += tests/pixels/test-arithmetic

test_programs += tests/pixels/test-rotate-map
