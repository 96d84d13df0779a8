EXTRA_DIST += tests/spectra/coupling-helpers.h tests/spectra/wigner-3j.h tests/reference/wigner-3j.py

test_programs += tests/spectra/test-coupling-kernels
tests_spectra_test_coupling_kernels_LDADD = $(TEST_CODELETS_LIBS)

test_programs += tests/spectra/test-coupling-cuda
GPU_TESTS += tests/spectra/test-coupling-cuda
tests_spectra_test_coupling_cuda_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CFLAGS)
tests_spectra_test_coupling_cuda_LDADD = $(TEST_CUDA_LIBS)

test_scripts += tests/spectra/test-spectrum-files.sh
test_scripts += tests/spectra/test-masked-healpy
EXTRA_DIST += tests/reference/masked-healpy.py
test_scripts += tests/spectra/test-masked.sh
test_scripts += tests/spectra/test-covariance.sh
test_scripts += tests/spectra/test-purify.sh

test_programs += tests/spectra/test-degree-bins
tests_spectra_test_degree_bins_LDADD = $(TEST_CORE_LIBS)
