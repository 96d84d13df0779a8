noinst_LTLIBRARIES += libcore.la
libcore_la_CFLAGS = $(AM_CFLAGS) $(CFITSIO_CFLAGS) $(ZLIB_CFLAGS)
libcore_la_LIBADD = $(CFITSIO_LIBS) $(ZLIB_LIBS) $(GLIB_LIBS) -lm
libcore_la_SOURCES = \
	core/alm.c \
	core/coordinates.c \
	core/double-double.c \
	core/double-double.h \
	core/error.c \
	core/fields.c \
	core/fits-alm-reader.c \
	core/fits-alm-writer.c \
	core/fits-card.c \
	core/fits-cl-text.c \
	core/fits-cl.c \
	core/fits-cl.h \
	core/fits-column.c \
	core/fits-gzip.c \
	core/fits-gzip.h \
	core/fits-header.c \
	core/fits-input.c \
	core/fits-input.h \
	core/fits-map-grid.c \
	core/fits-map-header.c \
	core/fits-map-layout.c \
	core/fits-map-reader.c \
	core/fits-map-store.c \
	core/fits-map-writer.c \
	core/fits-map-writer.h \
	core/fits-map.h \
	core/fits-output.c \
	core/fits-output.h \
	core/fits-pieces.c \
	core/fits-pieces.h \
	core/fits-scan.c \
	core/fits-scan.h \
	core/fits-source.c \
	core/fits-source.h \
	core/fits-sum.c \
	core/fits-sum.h \
	core/fits-text-column.c \
	core/grid-equiangular.c \
	core/grid-gauss.c \
	core/grid-healpix.c \
	core/grid-pairs.c \
	core/grid-private.h \
	core/grid-rings.c \
	core/grid.c \
	core/healpix.c \
	core/json-writer.c \
	core/json-writer.h \
	core/output.c \
	core/pixel-weights.c \
	core/quantity.c \
	core/random-alm.c \
	core/temporary.c \
	core/temporary.h
