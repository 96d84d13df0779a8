noinst_LTLIBRARIES += libcodelets.la
libcodelets_la_CFLAGS = $(AM_CFLAGS) $(STARPU_CFLAGS) $(FFTW_CFLAGS) $(CUDA_CFLAGS)
libcodelets_la_LIBADD = $(STARPU_LIBS) $(FFTW_LIBS) $(LAPACK_LIBS) $(CUDA_LIBS) $(GLIB_LIBS) -lm
libcodelets_la_SOURCES = $(codelets_sources)

# CPU kernels, compiled once for each instruction set; codelets/common/isa.h says how one is chosen.
# A processor is asked before anything of the wider two is called.

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
libkernels_avx512_la_SOURCES = $(kernels_sources) $(avx512_sources)
libkernels_avx512_la_CFLAGS = $(AM_CFLAGS) -DARMILLA_SIMD_AVX512 $(AVX512_CFLAGS)
endif

# CUDA kernels go into the distribution in every configuration.
if HAVE_CUDA
libcodelets_la_SOURCES += $(cuda_sources)
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
