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
LDADD = $(TEST_LIBS)

# Programs and scripts that are tests. A program of one file, with all layers, needs no more lines than one.
test_programs =
test_scripts =
check_PROGRAMS += $(test_programs)
dist_check_SCRIPTS += $(test_scripts)
TESTS += $(test_scripts) $(test_programs)

# Headers belong to no program alone.
EXTRA_DIST += \
	tests/bench-helpers.h \
	tests/butterfly-block.h \
	tests/convolve-helpers.h \
	tests/cuda-helpers.h \
	tests/delta-reference.h \
	tests/direct-sum-template.h \
	tests/direct-synthesis.h \
	tests/exact-kernels.h \
	tests/fits-fixture.h \
	tests/fuzz/cases.h \
	tests/fuzz/fits-mutate.h \
	tests/fuzz/inputs.h \
	tests/fuzz/text-mutate.h \
	tests/graph-helpers.h \
	tests/legendre-helpers.h \
	tests/output-helpers.h \
	tests/pair-helpers.h \
	tests/pair-kernel-helpers.h \
	tests/ring-block.h \
	tests/runtime-helpers.h \
	tests/sample-stages.h \
	tests/spin-block.h \
	tests/spin-reference.h \
	tests/theta-block.h \
	tests/transform-helpers.h

test_programs += tests/test-accuracy
tests_test_accuracy_SOURCES = tests/direct-synthesis.c tests/test-accuracy.c

test_programs += tests/test-binning
tests_test_binning_LDADD = $(TEST_CORE_LIBS)

test_programs += tests/test-catalogue
tests_test_catalogue_LDADD = $(TEST_CORE_LIBS)

test_scripts += tests/test-catalogue-files.sh
test_scripts += tests/test-catalogue-healpy
EXTRA_DIST += tests/reference/catalogue-healpy.py

test_programs += tests/test-catalogue-reader
tests_test_catalogue_reader_SOURCES = tests/test-catalogue-reader.c $(FITS_TEST_SOURCES)
tests_test_catalogue_reader_CFLAGS = $(FITS_TEST_CFLAGS)
tests_test_catalogue_reader_LDADD = $(FITS_TEST_LIBS)

check_PROGRAMS += tests/bench-delta
test_programs += tests/test-delta
tests_bench_delta_SOURCES = tests/bench-delta.c tests/delta-reference.c
tests_bench_delta_LDADD = $(TEST_CODELETS_LIBS)
tests_test_delta_SOURCES = tests/delta-reference.c tests/test-delta.c
tests_test_delta_LDADD = $(TEST_CODELETS_LIBS)

test_programs += tests/test-delta-cuda
GPU_TESTS += tests/test-delta-cuda
tests_test_delta_cuda_SOURCES = tests/delta-reference.c tests/test-delta-cuda.c
tests_test_delta_cuda_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CFLAGS)
tests_test_delta_cuda_LDADD = $(TEST_CUDA_LIBS)

test_scripts += tests/test-commands.sh
test_programs += tests/test-correlation
test_scripts += tests/test-correlation.sh

test_programs += tests/test-estimator
tests_test_estimator_LDADD = $(TEST_CORE_LIBS)

test_programs += tests/test-fields
tests_test_fields_LDADD = $(TEST_CORE_LIBS)

FITS_TEST_SOURCES = tests/fits-fixture.c
FITS_TEST_CFLAGS = $(AM_CFLAGS) $(CFITSIO_CFLAGS) $(ZLIB_CFLAGS)
FITS_TEST_LIBS = $(TEST_CORE_LIBS) $(CFITSIO_LIBS) $(ZLIB_LIBS)

test_scripts += tests/test-first-start.sh

test_programs += tests/test-fits-alm
tests_test_fits_alm_SOURCES = tests/test-fits-alm.c $(FITS_TEST_SOURCES)
tests_test_fits_alm_CFLAGS = $(FITS_TEST_CFLAGS)
tests_test_fits_alm_LDADD = $(FITS_TEST_LIBS)

test_programs += tests/test-fits-cl
tests_test_fits_cl_SOURCES = tests/test-fits-cl.c $(FITS_TEST_SOURCES)
tests_test_fits_cl_CFLAGS = $(FITS_TEST_CFLAGS)
tests_test_fits_cl_LDADD = $(FITS_TEST_LIBS)

test_programs += tests/test-fits-columns
tests_test_fits_columns_SOURCES = tests/test-fits-columns.c $(FITS_TEST_SOURCES)
tests_test_fits_columns_CFLAGS = $(FITS_TEST_CFLAGS)
tests_test_fits_columns_LDADD = $(FITS_TEST_LIBS)

test_programs += tests/test-fits-damaged
tests_test_fits_damaged_SOURCES = tests/test-fits-damaged.c $(FITS_TEST_SOURCES)
tests_test_fits_damaged_CFLAGS = $(FITS_TEST_CFLAGS)
tests_test_fits_damaged_LDADD = $(FITS_TEST_LIBS)

test_programs += tests/test-fits-gzip
tests_test_fits_gzip_SOURCES = tests/test-fits-gzip.c $(FITS_TEST_SOURCES)
tests_test_fits_gzip_CFLAGS = $(FITS_TEST_CFLAGS)
tests_test_fits_gzip_LDADD = $(FITS_TEST_LIBS)

check_PROGRAMS += tests/fits-copy
test_scripts += tests/test-fits-healpy
EXTRA_DIST += tests/healpy-functions.sh tests/reference/comparison.py tests/reference/fits-healpy.py
tests_fits_copy_LDADD = $(TEST_CORE_LIBS)

test_programs += tests/test-fits-map
tests_test_fits_map_SOURCES = tests/test-fits-map.c $(FITS_TEST_SOURCES)
tests_test_fits_map_CFLAGS = $(FITS_TEST_CFLAGS)
tests_test_fits_map_LDADD = $(FITS_TEST_LIBS)

test_programs += tests/fuzz/fuzz-fits
FUZZ_FITS_SOURCES = tests/fuzz/fits-mutate.c tests/fuzz/fits-seeds.c tests/fuzz/fuzz-fits.c
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

test_programs += tests/test-apply
GPU_TESTS += tests/test-apply

test_programs += tests/test-gradient

test_programs += tests/test-grid
tests_test_grid_LDADD = $(TEST_CORE_LIBS)

test_programs += tests/test-grid-rings
tests_test_grid_rings_LDADD = $(TEST_CORE_LIBS)

test_scripts += tests/test-harmonics-healpy
EXTRA_DIST += tests/reference/harmonic-healpy.py

test_scripts += tests/test-maps-healpy
EXTRA_DIST += tests/reference/maps-healpy.py

test_programs += tests/test-healpix
tests_test_healpix_LDADD = $(TEST_CORE_LIBS)

test_programs += tests/test-kernel
tests_test_kernel_LDADD = $(TEST_CORE_LIBS)

test_programs += tests/test-output
tests_test_output_LDADD = $(TEST_CORE_LIBS) $(ZLIB_LIBS)

test_programs += tests/test-legendre
tests_test_legendre_CFLAGS = $(AM_CFLAGS) $(STARPUMPI_CFLAGS) $(STARPU_CFLAGS) $(MPI_CFLAGS)
tests_test_legendre_LDADD = $(TEST_LIBS) $(STARPU_LIBS)

test_programs += tests/test-legendre-choice
tests_test_legendre_choice_CFLAGS = $(AM_CFLAGS) $(STARPUMPI_CFLAGS) $(STARPU_CFLAGS) $(MPI_CFLAGS)
tests_test_legendre_choice_LDADD = $(TEST_LIBS) $(STARPU_LIBS)

test_programs += tests/test-legendre-table
VALGRIND_TESTS += tests/test-legendre-table
tests_test_legendre_table_LDADD = $(TEST_CORE_LIBS)

test_programs += tests/test-output-faults
tests_test_output_faults_LDADD = $(TEST_CORE_LIBS) $(ZLIB_LIBS)

test_programs += tests/test-output-share
tests_test_output_share_SOURCES = tests/test-output-share.c $(FITS_TEST_SOURCES)
tests_test_output_share_CFLAGS = $(FITS_TEST_CFLAGS)
tests_test_output_share_LDADD = $(FITS_TEST_LIBS)

# Preloaded, so that any one call can fail.
check_LTLIBRARIES += tests/faulty-calls.la
tests_faulty_calls_la_SOURCES = tests/faulty-calls.c
tests_faulty_calls_la_LDFLAGS = -module -avoid-version -shared -rpath /nowhere
test_scripts += tests/test-faults.sh
EXTRA_DIST += tests/fault-functions.sh tests/faults-long.sh

# Preloaded by the test, so that files of one rank only can fail.
check_LTLIBRARIES += tests/faulty-files.la
tests_faulty_files_la_SOURCES = tests/faulty-files.c
tests_faulty_files_la_LDFLAGS = -module -avoid-version -shared -rpath /nowhere
test_scripts += tests/test-shared-output.sh
test_programs += tests/test-partial

test_scripts += tests/test-partial-sky.sh
EXTRA_DIST += tests/test-functions.sh

test_programs += tests/test-pixel-weights
tests_test_pixel_weights_SOURCES = tests/test-pixel-weights.c $(FITS_TEST_SOURCES)
tests_test_pixel_weights_CFLAGS = $(FITS_TEST_CFLAGS)
tests_test_pixel_weights_LDADD = $(FITS_TEST_LIBS)

test_programs += tests/test-pixel-window
tests_test_pixel_window_SOURCES = tests/test-pixel-window.c $(FITS_TEST_SOURCES)
tests_test_pixel_window_CFLAGS = $(FITS_TEST_CFLAGS)
tests_test_pixel_window_LDADD = $(FITS_TEST_LIBS)

test_programs += tests/test-quantity
tests_test_quantity_LDADD = $(TEST_CORE_LIBS)

EXTRA_DIST += tests/kill-functions.sh
EXTRA_DIST += tests/kill-long.sh
EXTRA_DIST += tests/measure-deal.sh
EXTRA_DIST += tests/rank-functions.sh
test_programs += tests/test-deal
test_programs += tests/test-forecast
tests_test_forecast_CFLAGS = $(AM_CFLAGS) $(STARPUMPI_CFLAGS) $(STARPU_CFLAGS) $(MPI_CFLAGS)
tests_test_forecast_LDADD = $(TEST_LIBS) $(STARPU_LIBS)

test_programs += tests/test-guard
tests_test_guard_LDADD = libworkflows.la $(TEST_LIBS)

test_programs += tests/test-launch
tests_test_launch_CFLAGS = $(AM_CFLAGS) $(STARPUMPI_CFLAGS) $(STARPU_CFLAGS) $(MPI_CFLAGS)

test_programs += tests/test-patches
tests_test_patches_LDADD = $(TEST_CORE_LIBS)

test_scripts += tests/test-patches.sh

test_programs += tests/test-random
tests_test_random_LDADD = $(TEST_CORE_LIBS)

test_programs += tests/test-random-cuda
GPU_TESTS += tests/test-random-cuda
tests_test_random_cuda_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CFLAGS)
tests_test_random_cuda_LDADD = $(TEST_CUDA_LIBS)

test_programs += tests/test-random-catalogue
EXTRA_DIST += tests/reference/random-catalogue.py
tests_test_random_catalogue_LDADD = $(TEST_CORE_LIBS)

test_programs += tests/test-redistribute
VALGRIND_TESTS += tests/test-redistribute
tests_test_redistribute_LDADD = $(TEST_CODELETS_LIBS)

test_programs += tests/test-field-ops
tests_test_field_ops_LDADD = $(TEST_CODELETS_LIBS)

test_programs += tests/test-field-cuda
GPU_TESTS += tests/test-field-cuda
tests_test_field_cuda_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CFLAGS)
tests_test_field_cuda_LDADD = $(TEST_CUDA_LIBS)

test_programs += tests/test-ring-cuda
GPU_TESTS += tests/test-ring-cuda
tests_test_ring_cuda_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CFLAGS)
tests_test_ring_cuda_LDADD = $(TEST_CUDA_LIBS)

test_programs += tests/test-ring-fft tests/test-ring-fft-identities
tests_test_ring_fft_LDADD = $(TEST_CODELETS_LIBS)
tests_test_ring_fft_identities_LDADD = $(TEST_CODELETS_LIBS)

test_programs += tests/test-registry
# Modules for the tests of loading; -rpath makes libtool build a module that is not installed.
TEST_MODULE_LINK_FLAGS = $(PLUGIN_LINK_FLAGS) -rpath /nowhere
check_LTLIBRARIES += \
	tests/plugins/loose-end.la \
	tests/plugins/low-pass.la \
	tests/plugins/no-descriptor.la \
	tests/plugins/other-abi.la \
	tests/plugins/profile.la \
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
tests_plugins_profile_la_SOURCES = tests/plugins/profile.c
tests_plugins_profile_la_LDFLAGS = $(TEST_MODULE_LINK_FLAGS)
tests_plugins_profile_la_LIBADD = $(PLUGIN_LIBS)
tests_plugins_short_name_la_SOURCES = tests/plugins/short-name.c
tests_plugins_short_name_la_LDFLAGS = $(TEST_MODULE_LINK_FLAGS)
tests_plugins_short_name_la_LIBADD = $(PLUGIN_LIBS)
tests_plugins_toy_la_SOURCES = tests/plugins/toy.c
tests_plugins_toy_la_LDFLAGS = $(TEST_MODULE_LINK_FLAGS)
tests_plugins_toy_la_LIBADD = $(PLUGIN_LIBS)

test_scripts += tests/test-run-test.sh

test_programs += tests/test-render
tests_test_render_CFLAGS = $(AM_CFLAGS) $(CAIRO_CFLAGS)
tests_test_render_LDADD = librender.la $(TEST_CORE_LIBS)

test_programs += tests/test-render-correlation
tests_test_render_correlation_CFLAGS = $(AM_CFLAGS) $(CAIRO_CFLAGS)
tests_test_render_correlation_LDADD = librender.la $(TEST_CORE_LIBS)

test_scripts += tests/test-render-patches.sh

test_programs += tests/test-render-plot
tests_test_render_plot_CFLAGS = $(AM_CFLAGS) $(CAIRO_CFLAGS)
tests_test_render_plot_LDADD = librender.la $(TEST_CORE_LIBS)

TEST_WORKFLOWS_LIBS = libworkflows.la $(TEST_LIBS)
test_scripts += tests/test-cli.sh
test_scripts += tests/test-rank-death.sh
test_scripts += tests/test-kill-resume.sh

test_programs += tests/test-runner
tests_test_runner_LDADD = $(TEST_WORKFLOWS_LIBS)

test_programs += tests/test-journal
tests_test_journal_LDADD = $(TEST_WORKFLOWS_LIBS)

test_programs += tests/test-scanner
tests_test_scanner_LDADD = $(TEST_WORKFLOWS_LIBS)

test_scripts += tests/test-example-plugin.sh tests/test-uninstall.sh
# make install links the modules again in the build folder: no other test may look for them meanwhile.
# (Names of their own: automake would take the target for the whole rule.)
last_log = tests/test-uninstall.sh.log
last_but_one_log = tests/test-example-plugin.sh.log
$(last_log): $(filter-out $(last_log),$(TEST_LOGS))
$(last_but_one_log): $(filter-out $(last_log) $(last_but_one_log),$(TEST_LOGS))

test_programs += tests/test-validate
tests_test_validate_SOURCES = tests/sample-stages.c tests/test-validate.c
tests_test_validate_LDADD = $(TEST_WORKFLOWS_LIBS)

test_programs += tests/test-weights
tests_test_weights_SOURCES = tests/test-weights.c $(FITS_TEST_SOURCES)
tests_test_weights_CFLAGS = $(FITS_TEST_CFLAGS)
tests_test_weights_LDADD = $(FITS_TEST_LIBS)

test_scripts += tests/test-weights.sh

test_programs += tests/test-workflow
tests_test_workflow_LDADD = $(TEST_WORKFLOWS_LIBS)

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

check_PROGRAMS += tests/bench-spin
test_programs += tests/test-spin tests/test-spin-threads
tests_bench_spin_SOURCES = tests/bench-spin.c tests/delta-reference.c tests/spin-reference.c
tests_bench_spin_LDADD = $(TEST_CODELETS_LIBS)
tests_test_spin_SOURCES = tests/delta-reference.c tests/spin-reference.c tests/test-spin.c
tests_test_spin_LDADD = $(TEST_CODELETS_LIBS)
tests_test_spin_threads_SOURCES = tests/delta-reference.c tests/spin-reference.c tests/test-spin-threads.c
tests_test_spin_threads_LDADD = $(TEST_CODELETS_LIBS)

test_programs += tests/test-spin-cuda
GPU_TESTS += tests/test-spin-cuda
tests_test_spin_cuda_SOURCES = tests/delta-reference.c tests/spin-reference.c tests/test-spin-cuda.c
tests_test_spin_cuda_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CFLAGS)
tests_test_spin_cuda_LDADD = $(TEST_CUDA_LIBS)

test_scripts += tests/test-spin-healpy
EXTRA_DIST += tests/reference/spin-healpy.py

test_programs += tests/test-spin-transform
tests_test_spin_transform_SOURCES = tests/delta-reference.c tests/spin-reference.c tests/test-spin-transform.c

test_scripts += tests/test-terminal

test_programs += tests/test-printable
tests_test_printable_LDADD = $(TEST_CORE_LIBS)

test_scripts += tests/test-starpu.sh

test_programs += tests/test-table
tests_test_table_SOURCES = tests/test-table.c $(FITS_TEST_SOURCES)
tests_test_table_CFLAGS = $(FITS_TEST_CFLAGS)
tests_test_table_LDADD = $(FITS_TEST_LIBS)

test_programs += tests/test-theta
VALGRIND_TESTS += tests/test-theta
tests_test_theta_SOURCES = tests/delta-reference.c tests/test-theta.c
tests_test_theta_LDADD = $(TEST_CODELETS_LIBS)

test_programs += tests/test-theta-cuda
GPU_TESTS += tests/test-theta-cuda
tests_test_theta_cuda_SOURCES = tests/delta-reference.c tests/test-theta-cuda.c
tests_test_theta_cuda_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CFLAGS)
tests_test_theta_cuda_LDADD = $(TEST_CUDA_LIBS)

test_programs += tests/test-transform

test_programs += tests/test-tune-search
VALGRIND_TESTS += tests/test-tune-search

test_programs += tests/test-tuning
VALGRIND_TESTS += tests/test-tuning

test_programs += tests/test-arithmetic
test_programs += tests/test-pixel-cuda
GPU_TESTS += tests/test-pixel-cuda
tests_test_pixel_cuda_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CFLAGS)
tests_test_pixel_cuda_LDADD = $(TEST_CUDA_LIBS)

test_programs += tests/test-rotate-map
test_programs += tests/test-convolve
test_programs += tests/test-convolve-grid
test_scripts += tests/test-convolve.sh

test_programs += tests/test-convolve-cuda
GPU_TESTS += tests/test-convolve-cuda
tests_test_convolve_cuda_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CFLAGS) $(STARPU_CFLAGS) $(STARPUMPI_CFLAGS) $(MPI_CFLAGS)
tests_test_convolve_cuda_LDADD = $(TEST_CUDA_LIBS) $(STARPU_LIBS)

test_programs += tests/test-rotate
test_programs += tests/test-graph
tests_test_graph_CFLAGS = $(AM_CFLAGS) $(STARPUMPI_CFLAGS) $(STARPU_CFLAGS) $(MPI_CFLAGS)

test_programs += tests/test-gpu-memory
tests_test_gpu_memory_CFLAGS = $(AM_CFLAGS) $(STARPUMPI_CFLAGS) $(STARPU_CFLAGS) $(MPI_CFLAGS)

check_PROGRAMS += tests/dump-table
tests_dump_table_CFLAGS = $(AM_CFLAGS) $(STARPUMPI_CFLAGS) $(STARPU_CFLAGS) $(MPI_CFLAGS)

check_PROGRAMS += tests/dump-transform
check_PROGRAMS += tests/peak
tests_peak_LDADD =
test_scripts += tests/test-data-type.sh
test_scripts += tests/test-memory.sh
test_scripts += tests/test-mpi.sh
check_LTLIBRARIES += tests/slow-rank.la
tests_slow_rank_la_SOURCES = tests/slow-rank.c
tests_slow_rank_la_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
tests_slow_rank_la_LDFLAGS = -module -avoid-version -shared -rpath /nowhere
test_scripts += tests/test-migrate.sh
test_scripts += tests/test-migrate-workflows.sh
test_scripts += tests/test-precompute.sh
test_scripts += tests/test-plan.sh tests/test-plan-examples.sh
EXTRA_DIST += tests/measure-forecast.sh

# Preloaded by the test, so that one rank ends after the others.
check_LTLIBRARIES += tests/slow-end.la
tests_slow_end_la_SOURCES = tests/slow-end.c
tests_slow_end_la_LDFLAGS = -module -avoid-version -shared -rpath /nowhere
test_scripts += tests/test-mpi-workflow.sh
FUZZ_CASES_SOURCES = tests/fuzz/cases.c tests/fuzz/fits-mutate.c tests/fuzz/fits-seeds.c tests/fuzz/inputs.c
FUZZ_CASES_CFLAGS = $(AM_CFLAGS) $(ZLIB_CFLAGS)
FUZZ_CASES_LIBS = $(TEST_WORKFLOWS_LIBS) $(ZLIB_LIBS)

test_programs += tests/fuzz/fuzz-files
EXTRA_DIST += tests/fuzz/long
tests_fuzz_fuzz_files_SOURCES = tests/fuzz/fuzz-files.c tests/fuzz/text-mutate.c $(FUZZ_CASES_SOURCES)
tests_fuzz_fuzz_files_CFLAGS = $(FUZZ_CASES_CFLAGS)
tests_fuzz_fuzz_files_LDADD = $(FUZZ_CASES_LIBS)

test_programs += tests/fuzz/fuzz-mutants
tests_fuzz_fuzz_mutants_SOURCES = tests/fuzz/fuzz-mutants.c tests/fuzz/text-mutate.c $(FUZZ_CASES_SOURCES)
tests_fuzz_fuzz_mutants_CFLAGS = $(FUZZ_CASES_CFLAGS)
tests_fuzz_fuzz_mutants_LDADD = $(FUZZ_CASES_LIBS)

test_programs += tests/fuzz/fuzz-stages
tests_fuzz_fuzz_stages_SOURCES = tests/fuzz/fuzz-stages.c $(FUZZ_CASES_SOURCES)
tests_fuzz_fuzz_stages_CFLAGS = $(FUZZ_CASES_CFLAGS)
tests_fuzz_fuzz_stages_LDADD = $(FUZZ_CASES_LIBS)

test_programs += tests/fuzz/fuzz-workflow
tests_fuzz_fuzz_workflow_SOURCES = tests/fuzz/fuzz-workflow.c tests/fuzz/text-mutate.c tests/sample-stages.c
tests_fuzz_fuzz_workflow_LDADD = $(TEST_WORKFLOWS_LIBS)

test_programs += tests/test-polarisation
test_programs += tests/test-stages
tests_test_stages_LDADD = libstage-util.la $(TEST_LIBS)

test_scripts += tests/test-account.sh
test_scripts += tests/test-agree.sh
test_scripts += tests/test-alm-tools.sh
test_scripts += tests/test-polarised-input.sh
# Skies in the dozens; a thousand of them by hand.
check_PROGRAMS += tests/check-means
test_scripts += tests/test-skies.sh
tests_check_means_CFLAGS = $(AM_CFLAGS) $(CFITSIO_CFLAGS)
tests_check_means_LDADD = $(CFITSIO_LIBS) -lm
check-skies: all tests/check-fits tests/check-means
	SKIES=1000 RANKS_LIMIT=14000 $(MAKE) check TEST_LIMIT=15000 TESTS=tests/test-skies.sh
.PHONY: check-skies

# Whole workflows through the program; what they wrote is read by CFITSIO and cairo alone.
check_PROGRAMS += tests/check-fits tests/check-png
test_scripts += tests/test-workflows.sh
test_scripts += tests/test-workflows-files.sh
tests_check_fits_CFLAGS = $(AM_CFLAGS) $(CFITSIO_CFLAGS)
tests_check_fits_LDADD = $(CFITSIO_LIBS) -lm
tests_check_png_CFLAGS = $(AM_CFLAGS) $(CAIRO_CFLAGS)
tests_check_png_LDADD = $(CAIRO_LIBS) $(GLIB_LIBS)

test_scripts += tests/test-peers.sh
test_scripts += tests/test-stages-page.sh
VALGRIND_TESTS += tests/test-render tests/test-render-correlation tests/test-render-plot \
	tests/test-stages

EXTRA_DIST += tests/gpu-report.sh

check_PROGRAMS += tests/bench-butterfly
tests_bench_butterfly_LDADD = $(TEST_CODELETS_LIBS)

test_programs += tests/test-butterfly
tests_test_butterfly_SOURCES = tests/butterfly-block.c tests/delta-reference.c tests/test-butterfly.c
tests_test_butterfly_LDADD = $(TEST_CODELETS_LIBS)

test_programs += tests/test-butterfly-compress-cuda
GPU_TESTS += tests/test-butterfly-compress-cuda
tests_test_butterfly_compress_cuda_SOURCES = \
	tests/butterfly-block.c \
	tests/delta-reference.c \
	tests/test-butterfly-compress-cuda.c
tests_test_butterfly_compress_cuda_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CFLAGS)
tests_test_butterfly_compress_cuda_LDADD = $(TEST_CUDA_LIBS)

test_programs += tests/test-butterfly-cuda
GPU_TESTS += tests/test-butterfly-cuda
tests_test_butterfly_cuda_SOURCES = \
	tests/butterfly-block.c \
	tests/delta-reference.c \
	tests/test-butterfly-cuda.c
tests_test_butterfly_cuda_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CFLAGS)
tests_test_butterfly_cuda_LDADD = $(TEST_CUDA_LIBS)

test_programs += tests/test-cost
tests_test_cost_CFLAGS = $(AM_CFLAGS) $(STARPU_CFLAGS)
tests_test_cost_SOURCES = tests/delta-reference.c tests/test-cost.c
tests_test_cost_LDADD = $(TEST_LIBS) $(STARPU_LIBS)

test_programs += tests/test-json-writer
tests_test_json_writer_CFLAGS = $(AM_CFLAGS) $(JSON_CFLAGS)
tests_test_json_writer_LDADD = $(TEST_CORE_LIBS) $(JSON_LIBS)

# Traces: what is written is looked at by json-glib alone, what is read is made by hand.
check_PROGRAMS += tests/check-trace
test_programs += tests/test-trace-reader tests/fuzz/fuzz-trace
test_scripts += tests/test-trace.sh
tests_check_trace_CFLAGS = $(AM_CFLAGS) $(JSON_CFLAGS)
tests_check_trace_LDADD = $(JSON_LIBS) $(GLIB_LIBS) -lm
tests_test_trace_reader_LDADD = $(TEST_WORKFLOWS_LIBS)
tests_fuzz_fuzz_trace_SOURCES = tests/fuzz/fuzz-trace.c tests/fuzz/text-mutate.c
tests_fuzz_fuzz_trace_LDADD = $(TEST_WORKFLOWS_LIBS)
VALGRIND_TESTS += tests/test-json-writer tests/test-trace-reader

check_PROGRAMS += tests/bench-cells tests/bench-pairs
test_programs += tests/test-pairs

test_programs += tests/test-jackknife
GPU_TESTS += tests/test-jackknife

test_programs += tests/test-pairs-cuda
GPU_TESTS += tests/test-pairs-cuda tests/test-pairs
tests_test_pairs_cuda_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CFLAGS)
tests_test_pairs_cuda_LDADD = $(TEST_CUDA_LIBS)

test_programs += tests/test-triangles
GPU_TESTS += tests/test-triangles

test_scripts += tests/test-peer-counts.sh
check_PROGRAMS += tests/dump-pairs
test_programs += tests/test-pair-sums
test_scripts += tests/test-mpi-pairs.sh

test_programs += tests/test-pair-kernels
