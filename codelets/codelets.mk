noinst_LTLIBRARIES += libcodelets.la
libcodelets_la_CFLAGS = $(AM_CFLAGS) $(STARPU_CFLAGS) $(FFTW_CFLAGS) $(CUDA_CFLAGS)
libcodelets_la_LIBADD = $(STARPU_LIBS) $(FFTW_LIBS) $(LAPACK_LIBS) $(CUDA_LIBS) $(GLIB_LIBS) -lm
libcodelets_la_SOURCES = \
	codelets/arrays/array-codelets.c \
	codelets/arrays/array-codelets.h \
	codelets/arrays/array-copy-math.h \
	codelets/arrays/array-copy.c \
	codelets/arrays/array-copy.h \
	codelets/butterfly/butterfly-apply.c \
	codelets/butterfly/butterfly-codelets.c \
	codelets/butterfly/butterfly-codelets.h \
	codelets/butterfly/butterfly-compress.c \
	codelets/butterfly/butterfly-cpu.h \
	codelets/butterfly/butterfly-layout.h \
	codelets/butterfly/butterfly-levels.c \
	codelets/butterfly/butterfly-levels.h \
	codelets/butterfly/butterfly-matrix.c \
	codelets/butterfly/butterfly-pack.h \
	codelets/butterfly/butterfly-products.h \
	codelets/butterfly/butterfly.c \
	codelets/butterfly/butterfly.h \
	codelets/butterfly/interpolative.c \
	codelets/butterfly/interpolative.h \
	codelets/common/codelet.c \
	codelets/common/dd-math.h \
	codelets/common/devices.c \
	codelets/common/devices.h \
	codelets/common/fault.c \
	codelets/common/fault.h \
	codelets/common/host-device.h \
	codelets/common/isa.c \
	codelets/common/isa.h \
	codelets/common/rates.c \
	codelets/common/rates.h \
	codelets/common/simd.h \
	codelets/convolution/convolve-codelets.c \
	codelets/convolution/convolve-codelets.h \
	codelets/convolution/convolve-values.h \
	codelets/convolution/convolve.c \
	codelets/convolution/convolve.h \
	codelets/convolution/polar-cpu.h \
	codelets/convolution/reduction-cpu.h \
	codelets/correlation/cells-bucket.c \
	codelets/correlation/cells-curve.c \
	codelets/correlation/cells-fill.c \
	codelets/correlation/cells-nodes.c \
	codelets/correlation/cells-private.h \
	codelets/correlation/cells-sort.c \
	codelets/correlation/cells-squares.c \
	codelets/correlation/cells.c \
	codelets/correlation/cells.h \
	codelets/correlation/pair-codelets.c \
	codelets/correlation/pair-codelets.h \
	codelets/correlation/pair-cpu.h \
	codelets/correlation/pair-cut.c \
	codelets/correlation/pair-cut.h \
	codelets/correlation/pair-histogram.c \
	codelets/correlation/pair-histogram.h \
	codelets/correlation/pair-lanes.cuh \
	codelets/correlation/pair-leaves.h \
	codelets/correlation/pair-math.h \
	codelets/correlation/pair-simd.h \
	codelets/correlation/pair-tally.cuh \
	codelets/correlation/triple-codelets.c \
	codelets/correlation/triple-codelets.h \
	codelets/correlation/triple-cpu.h \
	codelets/correlation/triple-histogram.c \
	codelets/correlation/triple-histogram.h \
	codelets/correlation/triple-math.h \
	codelets/fields/alm-ops.c \
	codelets/fields/alm-ops.h \
	codelets/fields/dipole.c \
	codelets/fields/dipole.h \
	codelets/fields/each.cuh \
	codelets/fields/field-codelets.c \
	codelets/fields/field-codelets.h \
	codelets/fields/field-ops-math.h \
	codelets/fields/noise.h \
	codelets/fields/order-parts.h \
	codelets/fields/pixel-codelets.c \
	codelets/fields/pixel-codelets.h \
	codelets/fields/pixel-ops-math.h \
	codelets/fields/pixel-ops.c \
	codelets/fields/pixel-ops.h \
	codelets/fields/random-codelets.c \
	codelets/fields/random-codelets.h \
	codelets/fields/random-cpu.h \
	codelets/fields/random.c \
	codelets/fields/random.h \
	codelets/fields/statistics-codelets.c \
	codelets/fields/statistics-codelets.h \
	codelets/fields/statistics-math.h \
	codelets/fields/statistics.c \
	codelets/fields/statistics.h \
	codelets/fields/vector-ops.c \
	codelets/fields/vector-ops.h \
	codelets/legendre/delta-basis.c \
	codelets/legendre/delta-basis.h \
	codelets/legendre/delta-codelets.c \
	codelets/legendre/delta-codelets.h \
	codelets/legendre/delta-cpu.h \
	codelets/legendre/delta-fields.cuh \
	codelets/legendre/delta-lanes.cuh \
	codelets/legendre/delta-lanes.h \
	codelets/legendre/delta-math.h \
	codelets/legendre/delta-mma.cuh \
	codelets/legendre/delta-order.h \
	codelets/legendre/delta-part.h \
	codelets/legendre/delta-power.h \
	codelets/legendre/delta-prepare.c \
	codelets/legendre/delta-recurrence.c \
	codelets/legendre/delta-recurrence.h \
	codelets/legendre/delta-rows.h \
	codelets/legendre/delta-skip.h \
	codelets/legendre/delta-synthesis.h \
	codelets/legendre/delta-table.c \
	codelets/legendre/spin-codelets.c \
	codelets/legendre/spin-codelets.h \
	codelets/legendre/spin-couple.c \
	codelets/legendre/spin-coupling.h \
	codelets/legendre/spin-cpu.h \
	codelets/legendre/spin-math.h \
	codelets/legendre/spin-recurrence.c \
	codelets/legendre/spin-recurrence.h \
	codelets/peaks/node-model.c \
	codelets/peaks/node-model.h \
	codelets/peaks/peaks.c \
	codelets/peaks/peaks.h \
	codelets/rings/redistribute.c \
	codelets/rings/redistribute.h \
	codelets/rings/ring-codelets.c \
	codelets/rings/ring-codelets.h \
	codelets/rings/ring-dft.c \
	codelets/rings/ring-dft.h \
	codelets/rings/ring-fetch.h \
	codelets/rings/ring-fft-device.h \
	codelets/rings/ring-fft-math.h \
	codelets/rings/ring-fft-plans.h \
	codelets/rings/ring-fft.c \
	codelets/rings/ring-fft.h \
	codelets/rings/ring-fold.c \
	codelets/rings/ring-fold.h \
	codelets/rings/ring-simd.h \
	codelets/rings/ring-tables.h \
	codelets/rings/worker-plans.c \
	codelets/rings/worker-plans.h \
	codelets/rotation/rotate-codelets.c \
	codelets/rotation/rotate-codelets.h \
	codelets/rotation/rotate-math.h \
	codelets/rotation/rotate.c \
	codelets/rotation/rotate.h \
	codelets/spectra/coupling-codelets.c \
	codelets/spectra/coupling-codelets.h \
	codelets/spectra/coupling-cpu.h \
	codelets/spectra/coupling-math.h \
	codelets/spectra/coupling.c \
	codelets/spectra/coupling.h \
	codelets/theta/theta-codelets.c \
	codelets/theta/theta-codelets.h \
	codelets/theta/theta-cpu.h \
	codelets/theta/theta-interpolation.c \
	codelets/theta/theta-interpolation.h \
	codelets/theta/theta-limits.c \
	codelets/theta/theta-needed.h \
	codelets/theta/theta-parts.h \
	codelets/theta/theta-rows.h

# CPU kernels, compiled once for each instruction set; codelets/common/isa.h says how one is chosen.
# A processor is asked before anything of the wider two is called.
kernels_sources = \
	codelets/butterfly/butterfly-kernels.c \
	codelets/convolution/polar-kernels.c \
	codelets/convolution/reduction-kernels.c \
	codelets/correlation/cells-kernels.c \
	codelets/correlation/pair-kernels.c \
	codelets/correlation/triple-kernels.c \
	codelets/fields/collect-kernels.c \
	codelets/fields/random-kernels.c \
	codelets/legendre/delta-adjoint-kernels.c \
	codelets/legendre/delta-kernels.c \
	codelets/legendre/spin-kernels.c \
	codelets/rings/ring-kernels.c \
	codelets/spectra/coupling-kernels.c \
	codelets/theta/theta-kernels.c

noinst_LTLIBRARIES += libkernels-portable.la
libcodelets_la_LIBADD += libkernels-portable.la
libkernels_portable_la_SOURCES = $(kernels_sources)
libkernels_portable_la_CFLAGS = $(AM_CFLAGS) -DARMILLA_SIMD_PORTABLE $(PORTABLE_CFLAGS)

if HAVE_X86_KERNELS
AM_CPPFLAGS += -DHAVE_X86_KERNELS
noinst_LTLIBRARIES += libkernels-avx2.la libkernels-avx512.la
libcodelets_la_LIBADD += libkernels-avx2.la libkernels-avx512.la
libkernels_avx2_la_SOURCES = $(kernels_sources)
libkernels_avx2_la_CFLAGS = $(AM_CFLAGS) -DARMILLA_SIMD_AVX2 $(AVX2_CFLAGS)
libkernels_avx512_la_SOURCES = $(kernels_sources) codelets/legendre/delta-two.c
libkernels_avx512_la_CFLAGS = $(AM_CFLAGS) -DARMILLA_SIMD_AVX512 $(AVX512_CFLAGS)
endif

# CUDA kernels: a line for each, sorted. They go into the distribution in every configuration.
if HAVE_CUDA
libcodelets_la_SOURCES += codelets/fields/alm-ops.cu
libcodelets_la_SOURCES += codelets/convolution/convolve.cu
libcodelets_la_SOURCES += codelets/legendre/delta-adjoint-fields.cu
libcodelets_la_SOURCES += codelets/legendre/delta-adjoint-warps.cu
libcodelets_la_SOURCES += codelets/legendre/delta-adjoint.cu
libcodelets_la_SOURCES += codelets/legendre/delta-synthesis-fields.cu
libcodelets_la_SOURCES += codelets/legendre/delta-synthesis.cu
libcodelets_la_SOURCES += codelets/legendre/delta-table.cu
libcodelets_la_SOURCES += codelets/arrays/array-copy.cu
libcodelets_la_SOURCES += codelets/fields/dipole.cu
libcodelets_la_SOURCES += codelets/correlation/pair-histogram.cu
libcodelets_la_SOURCES += codelets/spectra/coupling.cu
libcodelets_la_SOURCES += codelets/peaks/peaks.cu
libcodelets_la_SOURCES += codelets/common/slow-gpu.cu
libcodelets_la_SOURCES += codelets/fields/pixel-ops.cu
libcodelets_la_SOURCES += codelets/fields/random.cu
libcodelets_la_SOURCES += codelets/rings/redistribute.cu
libcodelets_la_SOURCES += codelets/rings/ring-fft.cu
libcodelets_la_SOURCES += codelets/rings/ring-fft-kernels.cu
libcodelets_la_SOURCES += codelets/rings/ring-fft-plans.cu
libcodelets_la_SOURCES += codelets/rotation/rotate.cu
libcodelets_la_SOURCES += codelets/legendre/spin-couple.cu
libcodelets_la_SOURCES += codelets/legendre/spin-recurrence.cu
libcodelets_la_SOURCES += codelets/theta/theta-interpolation.cu
libcodelets_la_SOURCES += codelets/correlation/triple-histogram.cu
libcodelets_la_SOURCES += codelets/fields/statistics.cu
libcodelets_la_SOURCES += codelets/fields/vector-ops.cu
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
-include $(wildcard $(builddir)/codelets/*/$(DEPDIR)/*.cu.d)
CLEANFILES += codelets/*/$(DEPDIR)/*.cu.d
