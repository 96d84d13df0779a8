noinst_LTLIBRARIES += libplugins.la
libplugins_la_CPPFLAGS = $(AM_CPPFLAGS) -DARMILLA_PLUGIN_DIR=\"$(plugindir)\"
libplugins_la_CFLAGS = $(AM_CFLAGS)
libplugins_la_LIBADD = $(GLIB_LIBS)
libplugins_la_SOURCES = \
	plugins/base/registry.c \
	plugins/base/stage-data.c \
	plugins/base/stage.c

# Flags of a module: loaded by name, exports its descriptor only, checked to have no loose ends.
PLUGIN_LINK_FLAGS = -module -avoid-version -shared -export-symbols-regex '^armilla_plugin_desc$$' \
	-no-undefined
PLUGIN_LIBS = libarmilla.la $(GLIB_LIBS) -lm

# What the stages of the families share; its names stay inside each module.
noinst_LTLIBRARIES += libstage-util.la
libstage_util_la_CPPFLAGS = $(AM_CPPFLAGS) -DHEALPY_DATA=\"$(HEALPY_DATA)\"
libstage_util_la_CFLAGS = $(AM_CFLAGS)
libstage_util_la_SOURCES = \
	plugins/base/stage-agree.c \
	plugins/base/stage-legendre.c \
	plugins/base/stage-output.c \
	plugins/base/stage-rings.c \
	plugins/base/stage-util.c \
	plugins/base/stage-util.h \
	plugins/base/stages.h \
	plugins/harmonic/rotation.c \
	plugins/harmonic/rotation.h

plugin_LTLIBRARIES += \
	plugins/arithmetic.la \
	plugins/catalogue.la \
	plugins/correlation.la \
	plugins/convolution.la \
	plugins/harmonic.la \
	plugins/io.la \
	plugins/render.la \
	plugins/spectra.la
plugins_arithmetic_la_LDFLAGS = $(PLUGIN_LINK_FLAGS)
plugins_arithmetic_la_LIBADD = libstage-util.la $(PLUGIN_LIBS)
plugins_arithmetic_la_SOURCES = \
	plugins/arithmetic/arithmetic-plugin.c \
	plugins/arithmetic/collect-tables.c \
	plugins/arithmetic/collect-tables.h \
	plugins/arithmetic/collect.c \
	plugins/arithmetic/combine.c \
	plugins/arithmetic/expression-cl.c \
	plugins/arithmetic/expression-table.c \
	plugins/arithmetic/expression.c \
	plugins/arithmetic/formula-numbers.c \
	plugins/arithmetic/formula-values.c \
	plugins/arithmetic/formulas.c \
	plugins/arithmetic/formulas.h \
	plugins/arithmetic/map-statistics.c \
	plugins/arithmetic/mask.c \
	plugins/arithmetic/names.c \
	plugins/arithmetic/noise-map.c \
	plugins/arithmetic/rotate-map.c \
	plugins/arithmetic/set-fields.c \
	plugins/arithmetic/sweep-table.c \
	plugins/arithmetic/ud-grade.c
plugins_catalogue_la_LDFLAGS = $(PLUGIN_LINK_FLAGS)
plugins_catalogue_la_LIBADD = libstage-util.la $(PLUGIN_LIBS)
plugins_catalogue_la_SOURCES = \
	plugins/catalogues/bin-catalogue.c \
	plugins/catalogues/catalogue-mask.c \
	plugins/catalogues/catalogue-plugin.c \
	plugins/catalogues/catalogue-private.h \
	plugins/catalogues/random-catalogue.c \
	plugins/catalogues/read-catalogue.c \
	plugins/catalogues/select-rows.c \
	plugins/catalogues/write-catalogue.c
plugins_correlation_la_LDFLAGS = $(PLUGIN_LINK_FLAGS)
plugins_correlation_la_LIBADD = libstage-util.la $(PLUGIN_LIBS)
plugins_correlation_la_SOURCES = \
	plugins/correlation/correlation-bins.c \
	plugins/correlation/correlation-catalogues.c \
	plugins/correlation/correlation-plugin.c \
	plugins/correlation/correlation-private.h \
	plugins/correlation/pair-correlation.c \
	plugins/correlation/shear-correlation.c \
	plugins/correlation/triple-correlation.c
plugins_convolution_la_LDFLAGS = $(PLUGIN_LINK_FLAGS)
plugins_convolution_la_LIBADD = libstage-util.la $(PLUGIN_LIBS)
plugins_convolution_la_SOURCES = \
	plugins/convolution/convolution-plugin.c \
	plugins/convolution/convolve-kernel.c \
	plugins/convolution/convolve-kernel.h \
	plugins/convolution/convolve.c
plugins_harmonic_la_LDFLAGS = $(PLUGIN_LINK_FLAGS)
plugins_harmonic_la_LIBADD = libstage-util.la $(PLUGIN_LIBS)
plugins_harmonic_la_SOURCES = \
	plugins/harmonic/alm2cl.c \
	plugins/harmonic/alm2map.c \
	plugins/harmonic/change-order.c \
	plugins/harmonic/filter-alm.c \
	plugins/harmonic/gradient.c \
	plugins/harmonic/harmonic-plugin.c \
	plugins/harmonic/map2alm-weights.c \
	plugins/harmonic/map2alm-weights.h \
	plugins/harmonic/map2alm.c \
	plugins/harmonic/random-alm.c \
	plugins/harmonic/remove-monopole.c \
	plugins/harmonic/resize-alm.c \
	plugins/harmonic/rotate.c \
	plugins/harmonic/smooth-alm.c
plugins_io_la_LDFLAGS = $(PLUGIN_LINK_FLAGS)
plugins_io_la_LIBADD = libstage-util.la $(PLUGIN_LIBS)
plugins_io_la_SOURCES = \
	plugins/io/io-plugin.c \
	plugins/io/read-alm.c \
	plugins/io/read-cl.c \
	plugins/io/polarisation.c \
	plugins/io/polarisation.h \
	plugins/io/read-map.c \
	plugins/io/read-matrix.c \
	plugins/io/read-table.c \
	plugins/io/write-alm.c \
	plugins/io/write-cl.c \
	plugins/io/write-map.c \
	plugins/io/write-matrix.c \
	plugins/io/write-table.c
plugins_spectra_la_LDFLAGS = $(PLUGIN_LINK_FLAGS)
plugins_spectra_la_LIBADD = libstage-util.la $(PLUGIN_LIBS)
plugins_spectra_la_SOURCES = \
	plugins/spectra/bandpowers.c \
	plugins/spectra/coupling.c \
	plugins/spectra/covariance.c \
	plugins/spectra/decouple.c \
	plugins/spectra/purify.c \
	plugins/spectra/spectra-bins.c \
	plugins/spectra/spectra-plugin.c \
	plugins/spectra/spectra-private.h
plugins_render_la_CFLAGS = $(AM_CFLAGS) $(CAIRO_CFLAGS)
plugins_render_la_LDFLAGS = $(PLUGIN_LINK_FLAGS)
plugins_render_la_LIBADD = librender.la libstage-util.la $(PLUGIN_LIBS)
plugins_render_la_SOURCES = \
	plugins/render/render-colours.c \
	plugins/render/render-described.c \
	plugins/render/render-maps.c \
	plugins/render/render-matrices.c \
	plugins/render/render-overlays.c \
	plugins/render/render-page.c \
	plugins/render/render-panels.c \
	plugins/render/render-patches.c \
	plugins/render/render-plots.c \
	plugins/render/render-plugin.c \
	plugins/render/render-stage.h \
	plugins/render/render.c

# Drawing without the stage, for the module and its tests.
noinst_LTLIBRARIES += librender.la
librender_la_CFLAGS = $(AM_CFLAGS) $(CAIRO_CFLAGS) $(ZLIB_CFLAGS)
librender_la_LIBADD = $(CAIRO_LIBS) $(ZLIB_LIBS)
librender_la_SOURCES = \
	plugins/pictures/matrix-elements.c \
	plugins/pictures/matrix-picture.c \
	plugins/pictures/matrix-private.h \
	plugins/pictures/picture-colours.c \
	plugins/pictures/picture-png.c \
	plugins/pictures/picture-threads.c \
	plugins/pictures/plot-arrange.c \
	plugins/pictures/plot-axis.c \
	plugins/pictures/plot-curve.c \
	plugins/pictures/plot-figure.c \
	plugins/pictures/plot-frame.c \
	plugins/pictures/plot-legend.c \
	plugins/pictures/plot-mark.c \
	plugins/pictures/plot-private.h \
	plugins/pictures/plot-range.c \
	plugins/pictures/plot-residuals.c \
	plugins/pictures/plot-spectra.c \
	plugins/pictures/plot-table.c \
	plugins/pictures/render-formula.c \
	plugins/pictures/render-map.c \
	plugins/pictures/render-palette.c \
	plugins/pictures/render-picture.c \
	plugins/pictures/render-private.h \
	plugins/pictures/render-sky.c \
	plugins/pictures/sky-contours.c \
	plugins/pictures/sky-graticule.c \
	plugins/pictures/sky-layout.c \
	plugins/pictures/sky-marks.c \
	plugins/pictures/sky-private.h \
	plugins/pictures/sky-projection.c \
	plugins/pictures/sky-samples.c
