EXTRA_DIST += tests/environment.sh tests/reference/random-alm.py tests/valgrind.supp
# A test program needs only the layer it tests: link it with the convenience libraries.
TEST_CORE_LIBS = libcore.la $(GLIB_LIBS) -lm
TEST_CODELETS_LIBS = libcodelets.la libcore.la $(GLIB_LIBS) -lm
# The whole library with all of its names, most of which the installed one keeps to itself. CUDA kernels
# weigh megabytes: a shared library has them once, and `make bundle` carries them once.
check_LTLIBRARIES += tests/libarmilla-all.la
tests_libarmilla_all_la_SOURCES =
tests_libarmilla_all_la_LIBADD = $(libarmilla_la_LIBADD)
tests_libarmilla_all_la_LDFLAGS = -avoid-version -shared -rpath /nowhere
TEST_LIBS = tests/libarmilla-all.la $(GLIB_LIBS) -lm
TEST_CUDA_LIBS = $(TEST_LIBS) $(CUDA_LIBS)

check_PROGRAMS += tests/test-accuracy
TESTS += tests/test-accuracy
EXTRA_DIST += tests/direct-sum-template.h
tests_test_accuracy_SOURCES = \
	tests/direct-synthesis.c \
	tests/direct-synthesis.h \
	tests/test-accuracy.c \
	tests/transform-helpers.h
tests_test_accuracy_LDADD = $(TEST_LIBS)

check_PROGRAMS += tests/test-binning
TESTS += tests/test-binning
tests_test_binning_SOURCES = tests/test-binning.c
tests_test_binning_LDADD = $(TEST_CORE_LIBS)

check_PROGRAMS += tests/test-catalogue
TESTS += tests/test-catalogue
tests_test_catalogue_SOURCES = tests/test-catalogue.c
tests_test_catalogue_LDADD = $(TEST_CORE_LIBS)

dist_check_SCRIPTS += tests/test-catalogue-files.sh
TESTS += tests/test-catalogue-files.sh

dist_check_SCRIPTS += tests/test-catalogue-healpy
TESTS += tests/test-catalogue-healpy
EXTRA_DIST += tests/reference/catalogue-healpy.py

check_PROGRAMS += tests/test-catalogue-reader
TESTS += tests/test-catalogue-reader
tests_test_catalogue_reader_SOURCES = tests/test-catalogue-reader.c $(FITS_TEST_SOURCES)
tests_test_catalogue_reader_CFLAGS = $(FITS_TEST_CFLAGS)
tests_test_catalogue_reader_LDADD = $(FITS_TEST_LIBS)

check_PROGRAMS += tests/bench-delta tests/test-delta
TESTS += tests/test-delta
tests_bench_delta_SOURCES = tests/bench-delta.c tests/delta-reference.c tests/delta-reference.h
tests_bench_delta_LDADD = $(TEST_CODELETS_LIBS)
tests_test_delta_SOURCES = tests/delta-reference.c tests/delta-reference.h tests/test-delta.c
tests_test_delta_LDADD = $(TEST_CODELETS_LIBS)

check_PROGRAMS += tests/test-delta-cuda
TESTS += tests/test-delta-cuda
GPU_TESTS += tests/test-delta-cuda
tests_test_delta_cuda_SOURCES = \
	tests/delta-reference.c \
	tests/delta-reference.h \
	tests/test-delta-cuda.c
tests_test_delta_cuda_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CFLAGS)
tests_test_delta_cuda_LDADD = $(TEST_CUDA_LIBS)

dist_check_SCRIPTS += tests/test-commands.sh
TESTS += tests/test-commands.sh

check_PROGRAMS += tests/test-correlation
TESTS += tests/test-correlation
tests_test_correlation_SOURCES = tests/graph-helpers.h tests/test-correlation.c
tests_test_correlation_LDADD = $(TEST_LIBS)

dist_check_SCRIPTS += tests/test-correlation.sh
TESTS += tests/test-correlation.sh

check_PROGRAMS += tests/test-estimator
TESTS += tests/test-estimator
tests_test_estimator_SOURCES = tests/test-estimator.c
tests_test_estimator_LDADD = $(TEST_CORE_LIBS)

check_PROGRAMS += tests/test-fields
TESTS += tests/test-fields
tests_test_fields_SOURCES = tests/test-fields.c
tests_test_fields_LDADD = $(TEST_CORE_LIBS)

FITS_TEST_SOURCES = tests/fits-fixture.c tests/fits-fixture.h
FITS_TEST_CFLAGS = $(AM_CFLAGS) $(CFITSIO_CFLAGS) $(ZLIB_CFLAGS)
FITS_TEST_LIBS = $(TEST_CORE_LIBS) $(CFITSIO_LIBS) $(ZLIB_LIBS)

dist_check_SCRIPTS += tests/test-first-start.sh
TESTS += tests/test-first-start.sh

check_PROGRAMS += tests/test-fits-alm
TESTS += tests/test-fits-alm
tests_test_fits_alm_SOURCES = tests/test-fits-alm.c $(FITS_TEST_SOURCES)
tests_test_fits_alm_CFLAGS = $(FITS_TEST_CFLAGS)
tests_test_fits_alm_LDADD = $(FITS_TEST_LIBS)

check_PROGRAMS += tests/test-fits-cl
TESTS += tests/test-fits-cl
tests_test_fits_cl_SOURCES = tests/test-fits-cl.c $(FITS_TEST_SOURCES)
tests_test_fits_cl_CFLAGS = $(FITS_TEST_CFLAGS)
tests_test_fits_cl_LDADD = $(FITS_TEST_LIBS)

check_PROGRAMS += tests/test-fits-columns
TESTS += tests/test-fits-columns
tests_test_fits_columns_SOURCES = tests/test-fits-columns.c $(FITS_TEST_SOURCES)
tests_test_fits_columns_CFLAGS = $(FITS_TEST_CFLAGS)
tests_test_fits_columns_LDADD = $(FITS_TEST_LIBS)

check_PROGRAMS += tests/test-fits-damaged
TESTS += tests/test-fits-damaged
tests_test_fits_damaged_SOURCES = tests/test-fits-damaged.c $(FITS_TEST_SOURCES)
tests_test_fits_damaged_CFLAGS = $(FITS_TEST_CFLAGS)
tests_test_fits_damaged_LDADD = $(FITS_TEST_LIBS)

check_PROGRAMS += tests/test-fits-gzip
TESTS += tests/test-fits-gzip
tests_test_fits_gzip_SOURCES = tests/test-fits-gzip.c $(FITS_TEST_SOURCES)
tests_test_fits_gzip_CFLAGS = $(FITS_TEST_CFLAGS)
tests_test_fits_gzip_LDADD = $(FITS_TEST_LIBS)

check_PROGRAMS += tests/fits-copy
dist_check_SCRIPTS += tests/test-fits-healpy
TESTS += tests/test-fits-healpy
EXTRA_DIST += tests/healpy-functions.sh tests/reference/comparison.py tests/reference/fits-healpy.py
tests_fits_copy_SOURCES = tests/fits-copy.c
tests_fits_copy_LDADD = $(TEST_CORE_LIBS)

check_PROGRAMS += tests/test-fits-map
TESTS += tests/test-fits-map
tests_test_fits_map_SOURCES = tests/test-fits-map.c $(FITS_TEST_SOURCES)
tests_test_fits_map_CFLAGS = $(FITS_TEST_CFLAGS)
tests_test_fits_map_LDADD = $(FITS_TEST_LIBS)

check_PROGRAMS += tests/fuzz/fuzz-fits
TESTS += tests/fuzz/fuzz-fits
FUZZ_FITS_SOURCES = \
	tests/fuzz/fits-mutate.c \
	tests/fuzz/fits-mutate.h \
	tests/fuzz/fits-seeds.c \
	tests/fuzz/fuzz-fits.c
tests_fuzz_fuzz_fits_SOURCES = $(FUZZ_FITS_SOURCES)
tests_fuzz_fuzz_fits_CFLAGS = $(FITS_TEST_CFLAGS)
tests_fuzz_fuzz_fits_LDADD = $(FITS_TEST_LIBS)

# The same with libFuzzer; tests/fuzz/fuzz-fits.c says how to run it.
FUZZ_CC = clang
FUZZ_CFLAGS = -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined
fuzz-fits:
	$(FUZZ_CC) -std=gnu11 $(FUZZ_CFLAGS) -DFUZZ_LIBFUZZER $(DEFS) $(AM_CPPFLAGS) $(FITS_TEST_CFLAGS) \
	  -Wno-error $(patsubst %,$(srcdir)/%,$(filter %.c,$(FUZZ_FITS_SOURCES) $(libcore_la_SOURCES))) \
	  -o tests/fuzz/fuzz-fits-libfuzzer $(CFITSIO_LIBS) $(ZLIB_LIBS) $(GLIB_LIBS) -lm
CLEANFILES += tests/fuzz/fuzz-fits-libfuzzer
.PHONY: fuzz-fits

check_PROGRAMS += tests/test-apply
TESTS += tests/test-apply
GPU_TESTS += tests/test-apply
tests_test_apply_SOURCES = tests/test-apply.c tests/transform-helpers.h
tests_test_apply_LDADD = $(TEST_LIBS)

check_PROGRAMS += tests/test-gradient
TESTS += tests/test-gradient
tests_test_gradient_SOURCES = tests/test-gradient.c tests/transform-helpers.h
tests_test_gradient_LDADD = libplugins.la $(TEST_LIBS)

check_PROGRAMS += tests/test-grid
TESTS += tests/test-grid
tests_test_grid_SOURCES = tests/test-grid.c
tests_test_grid_LDADD = $(TEST_CORE_LIBS)

check_PROGRAMS += tests/test-grid-rings
TESTS += tests/test-grid-rings
tests_test_grid_rings_SOURCES = tests/test-grid-rings.c
tests_test_grid_rings_LDADD = $(TEST_CORE_LIBS)

dist_check_SCRIPTS += tests/test-harmonics-healpy
TESTS += tests/test-harmonics-healpy
EXTRA_DIST += tests/reference/harmonic-healpy.py

dist_check_SCRIPTS += tests/test-maps-healpy
TESTS += tests/test-maps-healpy
EXTRA_DIST += tests/reference/maps-healpy.py

check_PROGRAMS += tests/test-healpix
TESTS += tests/test-healpix
tests_test_healpix_SOURCES = tests/test-healpix.c
tests_test_healpix_LDADD = $(TEST_CORE_LIBS)

check_PROGRAMS += tests/test-kernel
TESTS += tests/test-kernel
tests_test_kernel_SOURCES = tests/test-kernel.c
tests_test_kernel_LDADD = $(TEST_CORE_LIBS)

check_PROGRAMS += tests/test-output
TESTS += tests/test-output
tests_test_output_SOURCES = tests/test-output.c
tests_test_output_LDADD = $(TEST_CORE_LIBS) $(ZLIB_LIBS)

check_PROGRAMS += tests/test-legendre
TESTS += tests/test-legendre
tests_test_legendre_SOURCES = tests/legendre-helpers.h tests/test-legendre.c tests/transform-helpers.h
tests_test_legendre_CFLAGS = $(AM_CFLAGS) $(STARPUMPI_CFLAGS) $(STARPU_CFLAGS) $(MPI_CFLAGS)
tests_test_legendre_LDADD = $(TEST_LIBS) $(STARPU_LIBS)

check_PROGRAMS += tests/test-legendre-choice
TESTS += tests/test-legendre-choice
tests_test_legendre_choice_SOURCES = \
	tests/legendre-helpers.h \
	tests/test-legendre-choice.c \
	tests/transform-helpers.h
tests_test_legendre_choice_CFLAGS = $(AM_CFLAGS) $(STARPUMPI_CFLAGS) $(STARPU_CFLAGS) $(MPI_CFLAGS)
tests_test_legendre_choice_LDADD = $(TEST_LIBS) $(STARPU_LIBS)

check_PROGRAMS += tests/test-legendre-table
TESTS += tests/test-legendre-table
VALGRIND_TESTS += tests/test-legendre-table
tests_test_legendre_table_SOURCES = tests/test-legendre-table.c
tests_test_legendre_table_LDADD = $(TEST_CORE_LIBS)

check_PROGRAMS += tests/test-output-faults
TESTS += tests/test-output-faults
tests_test_output_faults_SOURCES = tests/test-output-faults.c
tests_test_output_faults_LDADD = $(TEST_CORE_LIBS) $(ZLIB_LIBS)

check_PROGRAMS += tests/test-output-share
TESTS += tests/test-output-share
tests_test_output_share_SOURCES = tests/test-output-share.c $(FITS_TEST_SOURCES)
tests_test_output_share_CFLAGS = $(FITS_TEST_CFLAGS)
tests_test_output_share_LDADD = $(FITS_TEST_LIBS)

# Preloaded, so that any one call can fail.
check_LTLIBRARIES += tests/faulty-calls.la
tests_faulty_calls_la_SOURCES = tests/faulty-calls.c
tests_faulty_calls_la_LDFLAGS = -module -avoid-version -shared -rpath /nowhere
dist_check_SCRIPTS += tests/test-faults.sh
TESTS += tests/test-faults.sh
EXTRA_DIST += tests/fault-functions.sh tests/faults-long.sh

# Preloaded by the test, so that files of one rank only can fail.
check_LTLIBRARIES += tests/faulty-files.la
tests_faulty_files_la_SOURCES = tests/faulty-files.c
tests_faulty_files_la_LDFLAGS = -module -avoid-version -shared -rpath /nowhere
dist_check_SCRIPTS += tests/test-shared-output.sh
TESTS += tests/test-shared-output.sh

check_PROGRAMS += tests/test-partial
TESTS += tests/test-partial
tests_test_partial_SOURCES = tests/test-partial.c tests/transform-helpers.h
tests_test_partial_LDADD = $(TEST_LIBS)

dist_check_SCRIPTS += tests/test-partial-sky.sh
TESTS += tests/test-partial-sky.sh
EXTRA_DIST += tests/test-functions.sh

check_PROGRAMS += tests/test-pixel-weights
TESTS += tests/test-pixel-weights
tests_test_pixel_weights_SOURCES = tests/test-pixel-weights.c $(FITS_TEST_SOURCES)
tests_test_pixel_weights_CFLAGS = $(FITS_TEST_CFLAGS)
tests_test_pixel_weights_LDADD = $(FITS_TEST_LIBS)

check_PROGRAMS += tests/test-pixel-window
TESTS += tests/test-pixel-window
tests_test_pixel_window_SOURCES = tests/test-pixel-window.c $(FITS_TEST_SOURCES)
tests_test_pixel_window_CFLAGS = $(FITS_TEST_CFLAGS)
tests_test_pixel_window_LDADD = $(FITS_TEST_LIBS)

check_PROGRAMS += tests/test-quantity
TESTS += tests/test-quantity
tests_test_quantity_SOURCES = tests/test-quantity.c
tests_test_quantity_LDADD = $(TEST_CORE_LIBS)

EXTRA_DIST += tests/kill-functions.sh
EXTRA_DIST += tests/kill-long.sh
EXTRA_DIST += tests/measure-deal.sh
EXTRA_DIST += tests/rank-functions.sh
check_PROGRAMS += tests/test-deal
TESTS += tests/test-deal
tests_test_deal_SOURCES = tests/test-deal.c
tests_test_deal_LDADD = $(TEST_LIBS)

check_PROGRAMS += tests/test-forecast
TESTS += tests/test-forecast
tests_test_forecast_SOURCES = tests/test-forecast.c
tests_test_forecast_CFLAGS = $(AM_CFLAGS) $(STARPUMPI_CFLAGS) $(STARPU_CFLAGS) $(MPI_CFLAGS)
tests_test_forecast_LDADD = $(TEST_LIBS) $(STARPU_LIBS)

check_PROGRAMS += tests/test-guard
TESTS += tests/test-guard
tests_test_guard_SOURCES = tests/test-guard.c
tests_test_guard_LDADD = libworkflows.la $(TEST_LIBS)

check_PROGRAMS += tests/test-launch
TESTS += tests/test-launch
tests_test_launch_CFLAGS = $(AM_CFLAGS) $(STARPUMPI_CFLAGS) $(STARPU_CFLAGS) $(MPI_CFLAGS)
tests_test_launch_SOURCES = tests/test-launch.c
tests_test_launch_LDADD = $(TEST_LIBS)

check_PROGRAMS += tests/test-patches
TESTS += tests/test-patches
tests_test_patches_SOURCES = tests/test-patches.c
tests_test_patches_LDADD = $(TEST_CORE_LIBS)

dist_check_SCRIPTS += tests/test-patches.sh
TESTS += tests/test-patches.sh

check_PROGRAMS += tests/test-random
TESTS += tests/test-random
tests_test_random_SOURCES = tests/test-random.c
tests_test_random_LDADD = $(TEST_CORE_LIBS)

check_PROGRAMS += tests/test-random-cuda
TESTS += tests/test-random-cuda
GPU_TESTS += tests/test-random-cuda
tests_test_random_cuda_SOURCES = tests/cuda-helpers.h tests/test-random-cuda.c
tests_test_random_cuda_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CFLAGS)
tests_test_random_cuda_LDADD = $(TEST_CUDA_LIBS)

check_PROGRAMS += tests/test-random-catalogue
TESTS += tests/test-random-catalogue
EXTRA_DIST += tests/reference/random-catalogue.py
tests_test_random_catalogue_SOURCES = tests/test-random-catalogue.c
tests_test_random_catalogue_LDADD = $(TEST_CORE_LIBS)

check_PROGRAMS += tests/test-redistribute
TESTS += tests/test-redistribute
VALGRIND_TESTS += tests/test-redistribute
tests_test_redistribute_SOURCES = tests/test-redistribute.c
tests_test_redistribute_LDADD = $(TEST_CODELETS_LIBS)

check_PROGRAMS += tests/test-field-ops
TESTS += tests/test-field-ops
tests_test_field_ops_SOURCES = tests/test-field-ops.c
tests_test_field_ops_LDADD = $(TEST_CODELETS_LIBS)

check_PROGRAMS += tests/test-field-cuda
TESTS += tests/test-field-cuda
GPU_TESTS += tests/test-field-cuda
tests_test_field_cuda_SOURCES = tests/cuda-helpers.h tests/test-field-cuda.c
tests_test_field_cuda_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CFLAGS)
tests_test_field_cuda_LDADD = $(TEST_CUDA_LIBS)

check_PROGRAMS += tests/test-ring-cuda
TESTS += tests/test-ring-cuda
GPU_TESTS += tests/test-ring-cuda
tests_test_ring_cuda_SOURCES = tests/cuda-helpers.h tests/test-ring-cuda.c
tests_test_ring_cuda_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CFLAGS)
tests_test_ring_cuda_LDADD = $(TEST_CUDA_LIBS)

check_PROGRAMS += tests/test-ring-fft tests/test-ring-fft-identities
TESTS += tests/test-ring-fft tests/test-ring-fft-identities
tests_test_ring_fft_SOURCES = tests/ring-block.h tests/test-ring-fft.c
tests_test_ring_fft_LDADD = $(TEST_CODELETS_LIBS)
tests_test_ring_fft_identities_SOURCES = tests/ring-block.h tests/test-ring-fft-identities.c
tests_test_ring_fft_identities_LDADD = $(TEST_CODELETS_LIBS)

check_PROGRAMS += tests/test-registry
TESTS += tests/test-registry
tests_test_registry_SOURCES = tests/test-registry.c
tests_test_registry_LDADD = $(TEST_LIBS)

# Modules for the tests of loading; -rpath makes libtool build a module that is not installed.
TEST_MODULE_LINK_FLAGS = $(PLUGIN_LINK_FLAGS) -rpath /nowhere
check_LTLIBRARIES += \
	tests/plugins/loose-end.la \
	tests/plugins/low-pass.la \
	tests/plugins/no-descriptor.la \
	tests/plugins/other-abi.la \
	tests/plugins/short-name.la \
	tests/plugins/toy.la
tests_plugins_loose_end_la_SOURCES = tests/plugins/loose-end.c
tests_plugins_loose_end_la_LDFLAGS = $(TEST_MODULE_LINK_FLAGS)
tests_plugins_loose_end_la_LIBADD = $(PLUGIN_LIBS)
tests_plugins_low_pass_la_SOURCES = tests/plugins/low-pass.c
tests_plugins_low_pass_la_LDFLAGS = $(TEST_MODULE_LINK_FLAGS)
tests_plugins_low_pass_la_LIBADD = $(PLUGIN_LIBS)
tests_plugins_no_descriptor_la_SOURCES = tests/plugins/no-descriptor.c
tests_plugins_no_descriptor_la_LDFLAGS = -module -avoid-version -shared -rpath /nowhere
tests_plugins_other_abi_la_SOURCES = tests/plugins/other-abi.c
tests_plugins_other_abi_la_LDFLAGS = $(TEST_MODULE_LINK_FLAGS)
tests_plugins_other_abi_la_LIBADD = $(PLUGIN_LIBS)
tests_plugins_short_name_la_SOURCES = tests/plugins/short-name.c
tests_plugins_short_name_la_LDFLAGS = $(TEST_MODULE_LINK_FLAGS)
tests_plugins_short_name_la_LIBADD = $(PLUGIN_LIBS)
tests_plugins_toy_la_SOURCES = tests/plugins/toy.c
tests_plugins_toy_la_LDFLAGS = $(TEST_MODULE_LINK_FLAGS)
tests_plugins_toy_la_LIBADD = $(PLUGIN_LIBS)

dist_check_SCRIPTS += tests/test-run-test.sh
TESTS += tests/test-run-test.sh

check_PROGRAMS += tests/test-render
TESTS += tests/test-render
tests_test_render_CFLAGS = $(AM_CFLAGS) $(CAIRO_CFLAGS)
tests_test_render_SOURCES = tests/test-render.c
tests_test_render_LDADD = librender.la $(TEST_CORE_LIBS)

check_PROGRAMS += tests/test-render-correlation
TESTS += tests/test-render-correlation
tests_test_render_correlation_CFLAGS = $(AM_CFLAGS) $(CAIRO_CFLAGS)
tests_test_render_correlation_SOURCES = tests/test-render-correlation.c
tests_test_render_correlation_LDADD = librender.la $(TEST_CORE_LIBS)

dist_check_SCRIPTS += tests/test-render-patches.sh
TESTS += tests/test-render-patches.sh

check_PROGRAMS += tests/test-render-plot
TESTS += tests/test-render-plot
tests_test_render_plot_CFLAGS = $(AM_CFLAGS) $(CAIRO_CFLAGS)
tests_test_render_plot_SOURCES = tests/test-render-plot.c
tests_test_render_plot_LDADD = librender.la $(TEST_CORE_LIBS)

TEST_WORKFLOWS_LIBS = libworkflows.la $(TEST_LIBS)
dist_check_SCRIPTS += tests/test-cli.sh
TESTS += tests/test-cli.sh

dist_check_SCRIPTS += tests/test-rank-death.sh
TESTS += tests/test-rank-death.sh

dist_check_SCRIPTS += tests/test-kill-resume.sh
TESTS += tests/test-kill-resume.sh

check_PROGRAMS += tests/test-runner
TESTS += tests/test-runner
tests_test_runner_SOURCES = tests/test-runner.c
tests_test_runner_LDADD = $(TEST_WORKFLOWS_LIBS)

check_PROGRAMS += tests/test-journal
TESTS += tests/test-journal
tests_test_journal_SOURCES = tests/test-journal.c
tests_test_journal_LDADD = $(TEST_WORKFLOWS_LIBS)

check_PROGRAMS += tests/test-scanner
TESTS += tests/test-scanner
tests_test_scanner_SOURCES = tests/test-scanner.c
tests_test_scanner_LDADD = $(TEST_WORKFLOWS_LIBS)

dist_check_SCRIPTS += tests/test-example-plugin.sh tests/test-uninstall.sh
TESTS += tests/test-example-plugin.sh tests/test-uninstall.sh
# make install links the modules again in the build folder: no other test may look for them meanwhile.
# (Names of their own: automake would take the target for the whole rule.)
last_log = tests/test-uninstall.sh.log
last_but_one_log = tests/test-example-plugin.sh.log
$(last_log): $(filter-out $(last_log),$(TEST_LOGS))
$(last_but_one_log): $(filter-out $(last_log) $(last_but_one_log),$(TEST_LOGS))

check_PROGRAMS += tests/test-validate
TESTS += tests/test-validate
tests_test_validate_SOURCES = tests/sample-stages.c tests/sample-stages.h tests/test-validate.c
tests_test_validate_LDADD = $(TEST_WORKFLOWS_LIBS)

check_PROGRAMS += tests/test-weights
TESTS += tests/test-weights
tests_test_weights_SOURCES = tests/test-weights.c $(FITS_TEST_SOURCES)
tests_test_weights_CFLAGS = $(FITS_TEST_CFLAGS)
tests_test_weights_LDADD = $(FITS_TEST_LIBS)

dist_check_SCRIPTS += tests/test-weights.sh
TESTS += tests/test-weights.sh

check_PROGRAMS += tests/test-workflow
TESTS += tests/test-workflow
tests_test_workflow_SOURCES = tests/test-workflow.c
tests_test_workflow_LDADD = $(TEST_WORKFLOWS_LIBS)

EXTRA_DIST += tests/graph-helpers.h
EXTRA_DIST += tests/peers/all
EXTRA_DIST += tests/peers/crossover.py
EXTRA_DIST += tests/peers/ducc0-convolve.py
EXTRA_DIST += tests/peers/ducc0-legendre.py
EXTRA_DIST += tests/peers/ducc0-transform.py
EXTRA_DIST += tests/peers/growth.py
EXTRA_DIST += tests/peers/healpy-times.py
EXTRA_DIST += tests/peers/healpy-transform.py
EXTRA_DIST += tests/peers/legendre-choice.py
EXTRA_DIST += tests/peers/memory.py
EXTRA_DIST += tests/peers/overhead.py
EXTRA_DIST += tests/peers/pair-counts.py
EXTRA_DIST += tests/peers/pairs.py
EXTRA_DIST += tests/peers/plot.py
EXTRA_DIST += tests/peers/scaling.py
EXTRA_DIST += tests/peers/schedulers.py
EXTRA_DIST += tests/peers/shtns-transform.py
EXTRA_DIST += tests/peers/tables.py
EXTRA_DIST += tests/peers/times.py
EXTRA_DIST += tests/peers/tracing.py

check_PROGRAMS += tests/bench-spin tests/test-spin tests/test-spin-threads
TESTS += tests/test-spin tests/test-spin-threads
tests_bench_spin_SOURCES = \
	tests/bench-spin.c \
	tests/delta-reference.c \
	tests/delta-reference.h \
	tests/spin-reference.c \
	tests/spin-reference.h
tests_bench_spin_LDADD = $(TEST_CODELETS_LIBS)
tests_test_spin_SOURCES = \
	tests/delta-reference.c \
	tests/delta-reference.h \
	tests/spin-block.h \
	tests/spin-reference.c \
	tests/spin-reference.h \
	tests/test-spin.c
tests_test_spin_LDADD = $(TEST_CODELETS_LIBS)
tests_test_spin_threads_SOURCES = \
	tests/delta-reference.c \
	tests/delta-reference.h \
	tests/spin-block.h \
	tests/spin-reference.c \
	tests/spin-reference.h \
	tests/test-spin-threads.c
tests_test_spin_threads_LDADD = $(TEST_CODELETS_LIBS)

check_PROGRAMS += tests/test-spin-cuda
TESTS += tests/test-spin-cuda
GPU_TESTS += tests/test-spin-cuda
tests_test_spin_cuda_SOURCES = \
	tests/cuda-helpers.h \
	tests/delta-reference.c \
	tests/delta-reference.h \
	tests/spin-reference.c \
	tests/spin-reference.h \
	tests/test-spin-cuda.c
tests_test_spin_cuda_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CFLAGS)
tests_test_spin_cuda_LDADD = $(TEST_CUDA_LIBS)

dist_check_SCRIPTS += tests/test-spin-healpy
TESTS += tests/test-spin-healpy
EXTRA_DIST += tests/reference/spin-healpy.py

check_PROGRAMS += tests/test-spin-transform
TESTS += tests/test-spin-transform
tests_test_spin_transform_SOURCES = \
	tests/delta-reference.c \
	tests/delta-reference.h \
	tests/spin-reference.c \
	tests/spin-reference.h \
	tests/test-spin-transform.c \
	tests/transform-helpers.h
tests_test_spin_transform_LDADD = $(TEST_LIBS)

dist_check_SCRIPTS += tests/test-terminal
TESTS += tests/test-terminal

check_PROGRAMS += tests/test-printable
TESTS += tests/test-printable
tests_test_printable_SOURCES = tests/test-printable.c
tests_test_printable_LDADD = $(TEST_CORE_LIBS)

dist_check_SCRIPTS += tests/test-starpu.sh
TESTS += tests/test-starpu.sh

check_PROGRAMS += tests/test-table
TESTS += tests/test-table
tests_test_table_SOURCES = tests/test-table.c $(FITS_TEST_SOURCES)
tests_test_table_CFLAGS = $(FITS_TEST_CFLAGS)
tests_test_table_LDADD = $(FITS_TEST_LIBS)

check_PROGRAMS += tests/test-theta
TESTS += tests/test-theta
VALGRIND_TESTS += tests/test-theta
tests_test_theta_SOURCES = \
	tests/delta-reference.c \
	tests/delta-reference.h \
	tests/test-theta.c \
	tests/theta-block.h
tests_test_theta_LDADD = $(TEST_CODELETS_LIBS)

check_PROGRAMS += tests/test-theta-cuda
TESTS += tests/test-theta-cuda
GPU_TESTS += tests/test-theta-cuda
tests_test_theta_cuda_SOURCES = \
	tests/delta-reference.c \
	tests/delta-reference.h \
	tests/test-theta-cuda.c \
	tests/theta-block.h
tests_test_theta_cuda_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CFLAGS)
tests_test_theta_cuda_LDADD = $(TEST_CUDA_LIBS)

check_PROGRAMS += tests/test-transform
TESTS += tests/test-transform
tests_test_transform_SOURCES = tests/test-transform.c tests/transform-helpers.h
tests_test_transform_LDADD = $(TEST_LIBS)

check_PROGRAMS += tests/test-tune-search
TESTS += tests/test-tune-search
VALGRIND_TESTS += tests/test-tune-search
tests_test_tune_search_SOURCES = tests/test-tune-search.c
tests_test_tune_search_LDADD = $(TEST_LIBS)

check_PROGRAMS += tests/test-tuning
TESTS += tests/test-tuning
VALGRIND_TESTS += tests/test-tuning
tests_test_tuning_SOURCES = tests/test-tuning.c
tests_test_tuning_LDADD = $(TEST_LIBS)

check_PROGRAMS += tests/test-arithmetic
TESTS += tests/test-arithmetic
tests_test_arithmetic_SOURCES = tests/test-arithmetic.c
tests_test_arithmetic_LDADD = $(TEST_LIBS)

check_PROGRAMS += tests/test-pixel-cuda
TESTS += tests/test-pixel-cuda
GPU_TESTS += tests/test-pixel-cuda
tests_test_pixel_cuda_SOURCES = tests/test-pixel-cuda.c
tests_test_pixel_cuda_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CFLAGS)
tests_test_pixel_cuda_LDADD = $(TEST_CUDA_LIBS)

check_PROGRAMS += tests/test-rotate-map
TESTS += tests/test-rotate-map
tests_test_rotate_map_SOURCES = tests/test-rotate-map.c tests/transform-helpers.h
tests_test_rotate_map_LDADD = $(TEST_LIBS)

check_PROGRAMS += tests/test-convolve
TESTS += tests/test-convolve
tests_test_convolve_SOURCES = tests/convolve-helpers.h tests/test-convolve.c tests/transform-helpers.h
tests_test_convolve_LDADD = $(TEST_LIBS)

check_PROGRAMS += tests/test-convolve-grid
TESTS += tests/test-convolve-grid
tests_test_convolve_grid_SOURCES = tests/convolve-helpers.h tests/exact-kernels.h tests/test-convolve-grid.c tests/transform-helpers.h
tests_test_convolve_grid_LDADD = $(TEST_LIBS)

dist_check_SCRIPTS += tests/test-convolve.sh
TESTS += tests/test-convolve.sh

check_PROGRAMS += tests/test-convolve-cuda
TESTS += tests/test-convolve-cuda
GPU_TESTS += tests/test-convolve-cuda
tests_test_convolve_cuda_SOURCES = tests/cuda-helpers.h tests/test-convolve-cuda.c
tests_test_convolve_cuda_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CFLAGS) $(STARPU_CFLAGS) $(STARPUMPI_CFLAGS) $(MPI_CFLAGS)
tests_test_convolve_cuda_LDADD = $(TEST_CUDA_LIBS) $(STARPU_LIBS)

check_PROGRAMS += tests/test-rotate
TESTS += tests/test-rotate
tests_test_rotate_SOURCES = tests/test-rotate.c
tests_test_rotate_LDADD = $(TEST_LIBS)

check_PROGRAMS += tests/test-graph
TESTS += tests/test-graph
tests_test_graph_SOURCES = tests/test-graph.c
tests_test_graph_CFLAGS = $(AM_CFLAGS) $(STARPUMPI_CFLAGS) $(STARPU_CFLAGS) $(MPI_CFLAGS)
tests_test_graph_LDADD = $(TEST_LIBS)

check_PROGRAMS += tests/test-gpu-memory
TESTS += tests/test-gpu-memory
tests_test_gpu_memory_CFLAGS = $(AM_CFLAGS) $(STARPUMPI_CFLAGS) $(STARPU_CFLAGS) $(MPI_CFLAGS)
tests_test_gpu_memory_SOURCES = tests/test-gpu-memory.c
tests_test_gpu_memory_LDADD = $(TEST_LIBS)

check_PROGRAMS += tests/dump-table
tests_dump_table_CFLAGS = $(AM_CFLAGS) $(STARPUMPI_CFLAGS) $(STARPU_CFLAGS) $(MPI_CFLAGS)
tests_dump_table_SOURCES = tests/dump-table.c
tests_dump_table_LDADD = $(TEST_LIBS)

check_PROGRAMS += tests/dump-transform
tests_dump_transform_SOURCES = tests/dump-transform.c
tests_dump_transform_LDADD = $(TEST_LIBS)
check_PROGRAMS += tests/peak
tests_peak_SOURCES = tests/peak.c
dist_check_SCRIPTS += tests/test-memory.sh
TESTS += tests/test-memory.sh

dist_check_SCRIPTS += tests/test-mpi.sh
TESTS += tests/test-mpi.sh
check_LTLIBRARIES += tests/slow-rank.la
tests_slow_rank_la_SOURCES = tests/slow-rank.c
tests_slow_rank_la_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
tests_slow_rank_la_LDFLAGS = -module -avoid-version -shared -rpath /nowhere
dist_check_SCRIPTS += tests/test-migrate.sh
TESTS += tests/test-migrate.sh
dist_check_SCRIPTS += tests/test-migrate-workflows.sh
TESTS += tests/test-migrate-workflows.sh
dist_check_SCRIPTS += tests/test-precompute.sh
TESTS += tests/test-precompute.sh
dist_check_SCRIPTS += tests/test-plan.sh tests/test-plan-examples.sh
TESTS += tests/test-plan.sh tests/test-plan-examples.sh
EXTRA_DIST += tests/measure-forecast.sh

# Preloaded by the test, so that one rank ends after the others.
check_LTLIBRARIES += tests/slow-end.la
tests_slow_end_la_SOURCES = tests/slow-end.c
tests_slow_end_la_LDFLAGS = -module -avoid-version -shared -rpath /nowhere
dist_check_SCRIPTS += tests/test-mpi-workflow.sh
TESTS += tests/test-mpi-workflow.sh

FUZZ_CASES_SOURCES = \
	tests/fuzz/cases.c \
	tests/fuzz/cases.h \
	tests/fuzz/fits-mutate.c \
	tests/fuzz/fits-mutate.h \
	tests/fuzz/fits-seeds.c \
	tests/fuzz/inputs.c \
	tests/fuzz/inputs.h
FUZZ_CASES_CFLAGS = $(AM_CFLAGS) $(ZLIB_CFLAGS)
FUZZ_CASES_LIBS = $(TEST_WORKFLOWS_LIBS) $(ZLIB_LIBS)

check_PROGRAMS += tests/fuzz/fuzz-files
EXTRA_DIST += tests/fuzz/long
TESTS += tests/fuzz/fuzz-files
tests_fuzz_fuzz_files_SOURCES = \
	tests/fuzz/fuzz-files.c \
	tests/fuzz/text-mutate.c \
	tests/fuzz/text-mutate.h \
	$(FUZZ_CASES_SOURCES)
tests_fuzz_fuzz_files_CFLAGS = $(FUZZ_CASES_CFLAGS)
tests_fuzz_fuzz_files_LDADD = $(FUZZ_CASES_LIBS)

check_PROGRAMS += tests/fuzz/fuzz-mutants
TESTS += tests/fuzz/fuzz-mutants
tests_fuzz_fuzz_mutants_SOURCES = \
	tests/fuzz/fuzz-mutants.c \
	tests/fuzz/text-mutate.c \
	tests/fuzz/text-mutate.h \
	$(FUZZ_CASES_SOURCES)
tests_fuzz_fuzz_mutants_CFLAGS = $(FUZZ_CASES_CFLAGS)
tests_fuzz_fuzz_mutants_LDADD = $(FUZZ_CASES_LIBS)

check_PROGRAMS += tests/fuzz/fuzz-stages
TESTS += tests/fuzz/fuzz-stages
tests_fuzz_fuzz_stages_SOURCES = tests/fuzz/fuzz-stages.c $(FUZZ_CASES_SOURCES)
tests_fuzz_fuzz_stages_CFLAGS = $(FUZZ_CASES_CFLAGS)
tests_fuzz_fuzz_stages_LDADD = $(FUZZ_CASES_LIBS)

check_PROGRAMS += tests/fuzz/fuzz-workflow
TESTS += tests/fuzz/fuzz-workflow
tests_fuzz_fuzz_workflow_SOURCES = \
	tests/fuzz/fuzz-workflow.c \
	tests/sample-stages.c \
	tests/sample-stages.h
tests_fuzz_fuzz_workflow_LDADD = $(TEST_WORKFLOWS_LIBS)

check_PROGRAMS += tests/test-polarisation
TESTS += tests/test-polarisation
tests_test_polarisation_SOURCES = tests/test-polarisation.c
tests_test_polarisation_LDADD = $(TEST_LIBS)

check_PROGRAMS += tests/test-stages
TESTS += tests/test-stages
tests_test_stages_SOURCES = tests/test-stages.c
tests_test_stages_LDADD = libstage-util.la $(TEST_LIBS)

dist_check_SCRIPTS += tests/test-account.sh
TESTS += tests/test-account.sh

dist_check_SCRIPTS += tests/test-agree.sh
TESTS += tests/test-agree.sh

dist_check_SCRIPTS += tests/test-alm-tools.sh
TESTS += tests/test-alm-tools.sh

dist_check_SCRIPTS += tests/test-polarised-input.sh
TESTS += tests/test-polarised-input.sh

# Skies in the dozens; a thousand of them by hand.
check_PROGRAMS += tests/check-means
dist_check_SCRIPTS += tests/test-skies.sh
TESTS += tests/test-skies.sh
tests_check_means_CFLAGS = $(AM_CFLAGS) $(CFITSIO_CFLAGS)
tests_check_means_LDADD = $(CFITSIO_LIBS) -lm
tests_check_means_SOURCES = tests/check-means.c
check-skies: all tests/check-fits tests/check-means
	SKIES=1000 RANKS_LIMIT=14000 $(MAKE) check TEST_LIMIT=15000 TESTS=tests/test-skies.sh
.PHONY: check-skies

# Whole workflows through the program; what they wrote is read by CFITSIO and cairo alone.
check_PROGRAMS += tests/check-fits tests/check-png
dist_check_SCRIPTS += tests/test-workflows.sh
TESTS += tests/test-workflows.sh
tests_check_fits_CFLAGS = $(AM_CFLAGS) $(CFITSIO_CFLAGS)
tests_check_fits_LDADD = $(CFITSIO_LIBS) -lm
tests_check_fits_SOURCES = tests/check-fits.c
tests_check_png_CFLAGS = $(AM_CFLAGS) $(CAIRO_CFLAGS)
tests_check_png_LDADD = $(CAIRO_LIBS) $(GLIB_LIBS)
tests_check_png_SOURCES = tests/check-png.c

dist_check_SCRIPTS += tests/test-peers.sh
TESTS += tests/test-peers.sh
dist_check_SCRIPTS += tests/test-stages-page.sh
TESTS += tests/test-stages-page.sh
VALGRIND_TESTS += tests/test-render tests/test-render-correlation tests/test-render-plot \
	tests/test-stages

EXTRA_DIST += tests/gpu-report.sh

check_PROGRAMS += tests/bench-butterfly
tests_bench_butterfly_SOURCES = tests/bench-butterfly.c
tests_bench_butterfly_LDADD = $(TEST_CODELETS_LIBS)

check_PROGRAMS += tests/test-butterfly
TESTS += tests/test-butterfly
tests_test_butterfly_SOURCES = \
	tests/butterfly-block.c \
	tests/butterfly-block.h \
	tests/delta-reference.c \
	tests/delta-reference.h \
	tests/test-butterfly.c
tests_test_butterfly_LDADD = $(TEST_CODELETS_LIBS)

check_PROGRAMS += tests/test-butterfly-compress-cuda
TESTS += tests/test-butterfly-compress-cuda
GPU_TESTS += tests/test-butterfly-compress-cuda
tests_test_butterfly_compress_cuda_SOURCES = \
	tests/butterfly-block.c \
	tests/butterfly-block.h \
	tests/cuda-helpers.h \
	tests/delta-reference.c \
	tests/delta-reference.h \
	tests/test-butterfly-compress-cuda.c
tests_test_butterfly_compress_cuda_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CFLAGS)
tests_test_butterfly_compress_cuda_LDADD = $(TEST_CUDA_LIBS)

check_PROGRAMS += tests/test-butterfly-cuda
TESTS += tests/test-butterfly-cuda
GPU_TESTS += tests/test-butterfly-cuda
tests_test_butterfly_cuda_SOURCES = \
	tests/butterfly-block.c \
	tests/butterfly-block.h \
	tests/cuda-helpers.h \
	tests/delta-reference.c \
	tests/delta-reference.h \
	tests/test-butterfly-cuda.c
tests_test_butterfly_cuda_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CFLAGS)
tests_test_butterfly_cuda_LDADD = $(TEST_CUDA_LIBS)

check_PROGRAMS += tests/test-cost
TESTS += tests/test-cost
tests_test_cost_CFLAGS = $(AM_CFLAGS) $(STARPU_CFLAGS)
tests_test_cost_SOURCES = tests/delta-reference.c tests/delta-reference.h tests/test-cost.c
tests_test_cost_LDADD = $(TEST_LIBS) $(STARPU_LIBS)

check_PROGRAMS += tests/test-json-writer
TESTS += tests/test-json-writer
tests_test_json_writer_CFLAGS = $(AM_CFLAGS) $(JSON_CFLAGS)
tests_test_json_writer_SOURCES = tests/test-json-writer.c
tests_test_json_writer_LDADD = $(TEST_CORE_LIBS) $(JSON_LIBS)

# Traces: what is written is looked at by json-glib alone, what is read is made by hand.
check_PROGRAMS += tests/check-trace tests/test-trace-reader tests/fuzz/fuzz-trace
dist_check_SCRIPTS += tests/test-trace.sh
TESTS += tests/fuzz/fuzz-trace tests/test-trace-reader tests/test-trace.sh
tests_check_trace_CFLAGS = $(AM_CFLAGS) $(JSON_CFLAGS)
tests_check_trace_SOURCES = tests/check-trace.c
tests_check_trace_LDADD = $(JSON_LIBS) $(GLIB_LIBS) -lm
tests_test_trace_reader_SOURCES = tests/test-trace-reader.c
tests_test_trace_reader_LDADD = $(TEST_WORKFLOWS_LIBS)
tests_fuzz_fuzz_trace_SOURCES = tests/fuzz/fuzz-trace.c
tests_fuzz_fuzz_trace_LDADD = $(TEST_WORKFLOWS_LIBS)
VALGRIND_TESTS += tests/test-json-writer tests/test-trace-reader

check_PROGRAMS += tests/bench-cells tests/bench-pairs tests/test-pairs
TESTS += tests/test-pairs
tests_bench_cells_SOURCES = tests/bench-cells.c tests/pair-helpers.h
tests_bench_cells_LDADD = $(TEST_LIBS)
tests_bench_pairs_SOURCES = tests/bench-pairs.c tests/pair-helpers.h
tests_bench_pairs_LDADD = $(TEST_LIBS)
tests_test_pairs_SOURCES = tests/pair-helpers.h tests/test-pairs.c
tests_test_pairs_LDADD = $(TEST_LIBS)

check_PROGRAMS += tests/test-jackknife
TESTS += tests/test-jackknife
GPU_TESTS += tests/test-jackknife
tests_test_jackknife_SOURCES = tests/pair-helpers.h tests/test-jackknife.c
tests_test_jackknife_LDADD = $(TEST_LIBS)

check_PROGRAMS += tests/test-pairs-cuda
TESTS += tests/test-pairs-cuda
GPU_TESTS += tests/test-pairs-cuda tests/test-pairs
tests_test_pairs_cuda_SOURCES = \
	tests/cuda-helpers.h \
	tests/pair-helpers.h \
	tests/pair-kernel-helpers.h \
	tests/test-pairs-cuda.c
tests_test_pairs_cuda_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CFLAGS)
tests_test_pairs_cuda_LDADD = $(TEST_CUDA_LIBS)

check_PROGRAMS += tests/test-triangles
TESTS += tests/test-triangles
GPU_TESTS += tests/test-triangles
tests_test_triangles_SOURCES = tests/pair-helpers.h tests/test-triangles.c
tests_test_triangles_LDADD = $(TEST_LIBS)

dist_check_SCRIPTS += tests/test-peer-counts.sh
TESTS += tests/test-peer-counts.sh

check_PROGRAMS += tests/dump-pairs tests/test-pair-sums
dist_check_SCRIPTS += tests/test-mpi-pairs.sh
TESTS += tests/test-mpi-pairs.sh tests/test-pair-sums
tests_dump_pairs_SOURCES = tests/dump-pairs.c tests/pair-helpers.h
tests_dump_pairs_LDADD = $(TEST_LIBS)
tests_test_pair_sums_SOURCES = tests/pair-helpers.h tests/test-pair-sums.c
tests_test_pair_sums_LDADD = $(TEST_LIBS)

check_PROGRAMS += tests/test-pair-kernels
TESTS += tests/test-pair-kernels
tests_test_pair_kernels_SOURCES = \
	tests/pair-helpers.h \
	tests/pair-kernel-helpers.h \
	tests/test-pair-kernels.c
tests_test_pair_kernels_LDADD = $(TEST_LIBS)
