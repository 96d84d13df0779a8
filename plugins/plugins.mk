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

# What the stages of the families share; its names stay inside each module.
noinst_LTLIBRARIES += libstage-util.la
libstage_util_la_CPPFLAGS = $(AM_CPPFLAGS) -DHEALPY_DATA=\"$(HEALPY_DATA)\"
libstage_util_la_CFLAGS = $(AM_CFLAGS)
libstage_util_la_SOURCES = \
	plugins/rotation.c \
	plugins/rotation.h \
	plugins/stage-agree.c \
	plugins/stage-legendre.c \
	plugins/stage-output.c \
	plugins/stage-properties.c \
	plugins/stage-rings.c \
	plugins/stage-util.c \
	plugins/stage-util.h \
	plugins/stages.h

plugin_LTLIBRARIES += \
	plugins/arithmetic.la \
	plugins/catalogue.la \
	plugins/correlation.la \
	plugins/convolution.la \
	plugins/harmonic.la \
	plugins/io.la \
	plugins/render.la
plugins_arithmetic_la_LDFLAGS = $(PLUGIN_LINK_FLAGS)
plugins_arithmetic_la_LIBADD = libstage-util.la $(PLUGIN_LIBS)
plugins_arithmetic_la_SOURCES = \
	plugins/arithmetic-plugin.c \
	plugins/combine.c \
	plugins/mask.c \
	plugins/rotate-map.c \
	plugins/ud-grade.c
plugins_catalogue_la_LDFLAGS = $(PLUGIN_LINK_FLAGS)
plugins_catalogue_la_LIBADD = libstage-util.la $(PLUGIN_LIBS)
plugins_catalogue_la_SOURCES = \
	plugins/bin-catalogue.c \
	plugins/catalogue-mask.c \
	plugins/catalogue-plugin.c \
	plugins/catalogue-private.h \
	plugins/random-catalogue.c \
	plugins/read-catalogue.c \
	plugins/write-catalogue.c
plugins_correlation_la_LDFLAGS = $(PLUGIN_LINK_FLAGS)
plugins_correlation_la_LIBADD = libstage-util.la $(PLUGIN_LIBS)
plugins_correlation_la_SOURCES = \
	plugins/correlation-bins.c \
	plugins/correlation-catalogues.c \
	plugins/correlation-plugin.c \
	plugins/correlation-private.h \
	plugins/pair-correlation.c \
	plugins/shear-correlation.c \
	plugins/triple-correlation.c
plugins_convolution_la_LDFLAGS = $(PLUGIN_LINK_FLAGS)
plugins_convolution_la_LIBADD = libstage-util.la $(PLUGIN_LIBS)
plugins_convolution_la_SOURCES = \
	plugins/convolution-plugin.c \
	plugins/convolve-kernel.c \
	plugins/convolve-kernel.h \
	plugins/convolve.c
plugins_harmonic_la_LDFLAGS = $(PLUGIN_LINK_FLAGS)
plugins_harmonic_la_LIBADD = libstage-util.la $(PLUGIN_LIBS)
plugins_harmonic_la_SOURCES = \
	plugins/alm2cl.c \
	plugins/alm2map.c \
	plugins/change-order.c \
	plugins/filter-alm.c \
	plugins/gradient.c \
	plugins/harmonic-plugin.c \
	plugins/map2alm-weights.c \
	plugins/map2alm-weights.h \
	plugins/map2alm.c \
	plugins/random-alm.c \
	plugins/remove-monopole.c \
	plugins/resize-alm.c \
	plugins/rotate.c \
	plugins/smooth-alm.c
plugins_io_la_LDFLAGS = $(PLUGIN_LINK_FLAGS)
plugins_io_la_LIBADD = libstage-util.la $(PLUGIN_LIBS)
plugins_io_la_SOURCES = \
	plugins/io-plugin.c \
	plugins/read-alm.c \
	plugins/read-cl.c \
	plugins/read-map.c \
	plugins/write-alm.c \
	plugins/write-cl.c \
	plugins/write-map.c \
	plugins/write-table.c
plugins_render_la_CFLAGS = $(AM_CFLAGS) $(CAIRO_CFLAGS)
plugins_render_la_LDFLAGS = $(PLUGIN_LINK_FLAGS)
plugins_render_la_LIBADD = librender.la libstage-util.la $(PLUGIN_LIBS)
plugins_render_la_SOURCES = \
	plugins/render-patches.c \
	plugins/render-plugin.c \
	plugins/render.c

# Drawing without the stage, for the module and its tests.
noinst_LTLIBRARIES += librender.la
librender_la_CFLAGS = $(AM_CFLAGS) $(CAIRO_CFLAGS)
librender_la_LIBADD = $(CAIRO_LIBS)
librender_la_SOURCES = \
	plugins/render-correlation.c \
	plugins/render-formula.c \
	plugins/render-frame.c \
	plugins/render-legend.c \
	plugins/render-map.c \
	plugins/render-palette.c \
	plugins/render-picture.c \
	plugins/render-plot.c \
	plugins/render-private.h \
	plugins/render-sky.c
