# Stages that are part of the library.
noinst_LTLIBRARIES += libplugins.la
libplugins_la_CPPFLAGS = $(AM_CPPFLAGS) -DARMILLA_PLUGIN_DIR=\"$(plugindir)\" \
	-DHEALPY_DATA=\"$(HEALPY_DATA)\"
libplugins_la_CFLAGS = $(AM_CFLAGS)
libplugins_la_LIBADD = $(GLIB_LIBS)
libplugins_la_SOURCES = $(plugins_sources)

# Flags of a module: loaded by name, exports its descriptor only, checked to have no loose ends.
PLUGIN_LINK_FLAGS = -module -avoid-version -shared -export-symbols-regex '^armilla_plugin_desc$$' \
	-no-undefined
PLUGIN_LIBS = libarmilla.la $(GLIB_LIBS) -lm

# Stages that draw are a module, so that the library needs neither cairo nor what cairo needs.
plugin_LTLIBRARIES += plugins/render.la
plugins_render_la_CFLAGS = $(AM_CFLAGS) $(CAIRO_CFLAGS)
plugins_render_la_LDFLAGS = $(PLUGIN_LINK_FLAGS)
plugins_render_la_LIBADD = librender.la $(PLUGIN_LIBS)
plugins_render_la_SOURCES = $(render_sources)

# Drawing without the stage, for the module and its tests.
noinst_LTLIBRARIES += librender.la
librender_la_CFLAGS = $(AM_CFLAGS) $(CAIRO_CFLAGS) $(ZLIB_CFLAGS)
librender_la_LIBADD = $(CAIRO_LIBS) $(ZLIB_LIBS)
librender_la_SOURCES = $(pictures_sources)

# Stages of this build folder that were modules once would be loaded beside those of the library.
old_modules = arithmetic catalogue convolution correlation harmonic io spectra
all-local: remove-old-modules
.PHONY: remove-old-modules
remove-old-modules:
	$(AM_V_at)rm -f $(foreach name,$(old_modules),plugins/$(name).la plugins/.libs/$(name).*)
