noinst_LTLIBRARIES += libplugins.la
libplugins_la_CPPFLAGS = $(AM_CPPFLAGS) -DARMILLA_PLUGIN_DIR=\"$(plugindir)\"
libplugins_la_CFLAGS = $(AM_CFLAGS)
libplugins_la_LIBADD = $(GLIB_LIBS)
libplugins_la_SOURCES = \
	plugins/registry.c \
	plugins/registry.h \
	plugins/stage.c

# Flags of a module: loaded by name, exports its descriptor only, checked to have no loose ends.
PLUGIN_LINK_FLAGS = -module -avoid-version -shared -export-symbols-regex '^armilla_plugin_desc$$' \
	-no-undefined
PLUGIN_LIBS = libarmilla.la $(GLIB_LIBS) -lm
