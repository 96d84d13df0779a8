noinst_LTLIBRARIES += libcore.la
libcore_la_CFLAGS = $(AM_CFLAGS) $(CFITSIO_CFLAGS) $(ZLIB_CFLAGS)
libcore_la_LIBADD = $(CFITSIO_LIBS) $(ZLIB_LIBS) $(GLIB_LIBS) -lm
libcore_la_SOURCES = \
	core/alm.c \
	core/double-double.c \
	core/double-double.h \
	core/error.c \
	core/grid.c \
	core/grid-equiangular.c \
	core/grid-gauss.c \
	core/grid-healpix.c \
	core/grid-pairs.c \
	core/grid-private.h \
	core/grid-rings.c \
	core/healpix.c \
	core/linear.c \
	core/linear.h \
	core/output.c \
	core/quantity.c \
	core/random-alm.c
