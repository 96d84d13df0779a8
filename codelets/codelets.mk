noinst_LTLIBRARIES += libcodelets.la
libcodelets_la_CFLAGS = $(AM_CFLAGS) $(STARPU_CFLAGS) $(FFTW_CFLAGS) $(CUDA_CFLAGS)
libcodelets_la_LIBADD = $(STARPU_LIBS) $(FFTW_LIBS) $(LAPACK_LIBS) $(CUDA_LIBS) $(GLIB_LIBS) -lm
libcodelets_la_SOURCES = \
	codelets/alm-ops.c \
	codelets/alm-ops.h \
	codelets/butterfly-apply.c \
	codelets/butterfly-codelets.c \
	codelets/butterfly-codelets.h \
	codelets/butterfly-compress.c \
	codelets/butterfly-cost.c \
	codelets/butterfly-cpu.h \
	codelets/butterfly-cuda.h \
	codelets/butterfly-layout.h \
	codelets/butterfly-levels.c \
	codelets/butterfly-levels.h \
	codelets/butterfly-matrix.c \
	codelets/butterfly-pack.h \
	codelets/butterfly-products.h \
	codelets/butterfly-rows.h \
	codelets/butterfly.c \
	codelets/butterfly.h \
	codelets/cells-bucket.c \
	codelets/cells-curve.c \
	codelets/cells-fill.c \
	codelets/cells-nodes.c \
	codelets/cells-private.h \
	codelets/cells-sort.c \
	codelets/cells-squares.c \
	codelets/cells.c \
	codelets/cells.h \
	codelets/codelet-cost.c \
	codelets/codelet-cost.h \
	codelets/codelet.c \
	codelets/codelet.h \
	codelets/convolve-codelets.c \
	codelets/convolve-codelets.h \
	codelets/convolve-cost.c \
	codelets/convolve-cuda.h \
	codelets/convolve-values.h \
	codelets/convolve.c \
	codelets/convolve.h \
	codelets/cost.h \
	codelets/dd-math.h \
	codelets/delta-adjoint.h \
	codelets/delta-codelets.c \
	codelets/delta-codelets.h \
	codelets/delta-cost.c \
	codelets/delta-cpu.h \
	codelets/delta-cuda.h \
	codelets/delta-fields.cuh \
	codelets/delta-lanes.cuh \
	codelets/delta-lanes.h \
	codelets/delta-math.h \
	codelets/delta-mma.cuh \
	codelets/delta-order.h \
	codelets/delta-power.h \
	codelets/delta-prepare.c \
	codelets/delta-recurrence.c \
	codelets/delta-recurrence.h \
	codelets/delta-rows.h \
	codelets/delta-synthesis.h \
	codelets/delta-table.c \
	codelets/devices.c \
	codelets/devices.h \
	codelets/dipole.c \
	codelets/dipole.h \
	codelets/fault.c \
	codelets/fault.h \
	codelets/field-codelets.c \
	codelets/field-codelets.h \
	codelets/field-cost.c \
	codelets/field-ops-cuda.h \
	codelets/field-ops-math.h \
	codelets/order-parts.h \
	codelets/host-device.h \
	codelets/interpolative.c \
	codelets/interpolative.h \
	codelets/isa.c \
	codelets/isa.h \
	codelets/node-model.c \
	codelets/pair-codelets.c \
	codelets/pair-codelets.h \
	codelets/pair-cost.c \
	codelets/pair-cpu.h \
	codelets/pair-cuda.h \
	codelets/pair-cut.c \
	codelets/pair-cut.h \
	codelets/pair-histogram.c \
	codelets/pair-histogram.h \
	codelets/pair-lanes.cuh \
	codelets/pair-leaves.h \
	codelets/pair-math.h \
	codelets/pair-simd.h \
	codelets/pair-tally.cuh \
	codelets/peaks.c \
	codelets/peaks.h \
	codelets/pixel-codelets.c \
	codelets/pixel-codelets.h \
	codelets/pixel-cost.c \
	codelets/pixel-ops-cuda.h \
	codelets/pixel-ops-math.h \
	codelets/pixel-ops.c \
	codelets/pixel-ops.h \
	codelets/random-codelets.c \
	codelets/random-codelets.h \
	codelets/random-cuda.h \
	codelets/random.c \
	codelets/random.h \
	codelets/redistribute-cuda.h \
	codelets/redistribute.c \
	codelets/redistribute.h \
	codelets/reduction-cpu.h \
	codelets/ring-codelets.c \
	codelets/ring-codelets.h \
	codelets/ring-cost.c \
	codelets/ring-dft.c \
	codelets/ring-dft.h \
	codelets/ring-fetch.h \
	codelets/ring-fft-cuda.h \
	codelets/ring-fft-device.h \
	codelets/ring-fft-math.h \
	codelets/ring-fft-plans.h \
	codelets/ring-fft.c \
	codelets/ring-fft.h \
	codelets/ring-fold.c \
	codelets/ring-fold.h \
	codelets/ring-simd.h \
	codelets/ring-tables.h \
	codelets/rotate-codelets.c \
	codelets/rotate-codelets.h \
	codelets/rotate-cost.c \
	codelets/rotate-cuda.h \
	codelets/rotate-math.h \
	codelets/rotate.c \
	codelets/rotate.h \
	codelets/simd.h \
	codelets/spin-codelets.c \
	codelets/spin-codelets.h \
	codelets/spin-cost.c \
	codelets/spin-couple.c \
	codelets/spin-coupling.h \
	codelets/spin-cpu.h \
	codelets/spin-cuda.h \
	codelets/spin-math.h \
	codelets/spin-recurrence.c \
	codelets/spin-recurrence.h \
	codelets/theta-codelets.c \
	codelets/theta-codelets.h \
	codelets/theta-cost.c \
	codelets/theta-cpu.h \
	codelets/theta-cuda.h \
	codelets/theta-interpolation.c \
	codelets/theta-interpolation.h \
	codelets/theta-parts.h \
	codelets/theta-rows.h \
	codelets/triple-codelets.c \
	codelets/triple-codelets.h \
	codelets/triple-cpu.h \
	codelets/triple-cuda.h \
	codelets/triple-histogram.c \
	codelets/triple-histogram.h \
	codelets/triple-math.h \
	codelets/vector-ops.c \
	codelets/vector-ops.h \
	codelets/worker-plans.c \
	codelets/worker-plans.h \
	codelets/wrappers.h

# CPU kernels, compiled once for each instruction set; codelets/isa.h says how one is chosen. A
# processor is asked before anything of the wider two is called.
kernels_sources = \
	codelets/butterfly-kernels.c \
	codelets/cells-kernels.c \
	codelets/delta-kernels.c \
	codelets/pair-kernels.c \
	codelets/reduction-kernels.c \
	codelets/ring-kernels.c \
	codelets/spin-kernels.c \
	codelets/theta-kernels.c \
	codelets/triple-kernels.c

noinst_LTLIBRARIES += libkernels-portable.la
libcodelets_la_LIBADD += libkernels-portable.la
libkernels_portable_la_SOURCES = $(kernels_sources)
libkernels_portable_la_CFLAGS = $(AM_CFLAGS) -DARMILLA_SIMD_PORTABLE

if HAVE_X86_KERNELS
AM_CPPFLAGS += -DHAVE_X86_KERNELS
noinst_LTLIBRARIES += libkernels-avx2.la libkernels-avx512.la
libcodelets_la_LIBADD += libkernels-avx2.la libkernels-avx512.la
libkernels_avx2_la_SOURCES = $(kernels_sources)
libkernels_avx2_la_CFLAGS = $(AM_CFLAGS) -DARMILLA_SIMD_AVX2 $(AVX2_CFLAGS)
libkernels_avx512_la_SOURCES = $(kernels_sources) codelets/delta-two.c
libkernels_avx512_la_CFLAGS = $(AM_CFLAGS) -DARMILLA_SIMD_AVX512 $(AVX512_CFLAGS)
endif

# CUDA kernels: a line for each, sorted. They go into the distribution in every configuration.
if HAVE_CUDA
libcodelets_la_SOURCES += codelets/alm-ops.cu
libcodelets_la_SOURCES += codelets/butterfly.cu
libcodelets_la_SOURCES += codelets/butterfly-compress.cu
libcodelets_la_SOURCES += codelets/convolve.cu
libcodelets_la_SOURCES += codelets/delta-adjoint-fields.cu
libcodelets_la_SOURCES += codelets/delta-adjoint-warps.cu
libcodelets_la_SOURCES += codelets/delta-adjoint.cu
libcodelets_la_SOURCES += codelets/delta-synthesis-fields.cu
libcodelets_la_SOURCES += codelets/delta-synthesis.cu
libcodelets_la_SOURCES += codelets/delta-table.cu
libcodelets_la_SOURCES += codelets/dipole.cu
libcodelets_la_SOURCES += codelets/pair-histogram.cu
libcodelets_la_SOURCES += codelets/peaks.cu
libcodelets_la_SOURCES += codelets/pixel-ops.cu
libcodelets_la_SOURCES += codelets/random.cu
libcodelets_la_SOURCES += codelets/redistribute.cu
libcodelets_la_SOURCES += codelets/ring-fft.cu
libcodelets_la_SOURCES += codelets/ring-fft-kernels.cu
libcodelets_la_SOURCES += codelets/ring-fft-plans.cu
libcodelets_la_SOURCES += codelets/rotate.cu
libcodelets_la_SOURCES += codelets/spin-couple.cu
libcodelets_la_SOURCES += codelets/spin-recurrence.cu
libcodelets_la_SOURCES += codelets/theta-interpolation.cu
libcodelets_la_SOURCES += codelets/triple-histogram.cu
libcodelets_la_SOURCES += codelets/vector-ops.cu
endif

# libtool knows no CUDA, but all it wants of a compiler is to take -fPIC and -o.
SUFFIXES = .cu
AM_V_NVCC = $(am__v_NVCC_@AM_V@)
am__v_NVCC_ = $(am__v_NVCC_@AM_DEFAULT_V@)
am__v_NVCC_0 = @echo "  NVCC    " $@;
am__v_NVCC_1 =
.cu.lo:
	$(AM_V_at)$(MKDIR_P) $(@D)/$(DEPDIR)
	$(AM_V_NVCC)$(LIBTOOL) $(AM_V_lt) --tag=CC --mode=compile $(NVCC) $(DEFS) \
		$(DEFAULT_INCLUDES) $(INCLUDES) $(AM_CPPFLAGS) $(CPPFLAGS) $(STARPU_CFLAGS) $(GLIB_CFLAGS) \
		$(AM_NVCCFLAGS) $(NVCCFLAGS) -MD -MF $(@D)/$(DEPDIR)/$(*F).cu.d -MT $@ -MP -c -o $@ $<
-include $(wildcard $(builddir)/codelets/$(DEPDIR)/*.cu.d)
CLEANFILES += codelets/$(DEPDIR)/*.cu.d
