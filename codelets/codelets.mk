noinst_LTLIBRARIES += libcodelets.la
libcodelets_la_CFLAGS = $(AM_CFLAGS) $(STARPU_CFLAGS) $(FFTW_CFLAGS) $(CUDA_CFLAGS)
libcodelets_la_LIBADD = $(STARPU_LIBS) $(FFTW_LIBS) $(CUDA_LIBS) $(GLIB_LIBS) -lm
libcodelets_la_SOURCES = \
	codelets/delta-recurrence.h \
	codelets/ring-fft.h \
	codelets/ring-tables.h
