noinst_LTLIBRARIES += libcore.la
libcore_la_CFLAGS = $(AM_CFLAGS) $(MUPARSER_CFLAGS) $(ZLIB_CFLAGS)
libcore_la_LIBADD = $(MUPARSER_LIBS) $(ZLIB_LIBS) $(LAPACK_LIBS) $(GLIB_LIBS) -lm
libcore_la_SOURCES = $(core_sources)
