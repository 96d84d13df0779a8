# Stages that are part of the library.
noinst_LTLIBRARIES += libplugins.la
libplugins_la_CPPFLAGS = $(AM_CPPFLAGS) -DARMILLA_PLUGIN_DIR=\"$(plugindir)\" \
	-DHEALPY_DATA=\"$(HEALPY_DATA)\"
libplugins_la_CFLAGS = $(AM_CFLAGS)
libplugins_la_LIBADD = $(GLIB_LIBS)
libplugins_la_SOURCES = \
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
	plugins/arithmetic/ud-grade.c \
	plugins/base/registry.c \
	plugins/base/registry.h \
	plugins/base/stage-agree.c \
	plugins/base/stage-data.c \
	plugins/base/stage-legendre.c \
	plugins/base/stage-output.c \
	plugins/base/stage-rings.c \
	plugins/base/stage-util.c \
	plugins/base/stage-util.h \
	plugins/base/stage.c \
	plugins/base/stage.h \
	plugins/base/stages.h \
	plugins/builtin/builtin.c \
	plugins/builtin/builtin.h \
	plugins/catalogues/bin-catalogue.c \
	plugins/catalogues/catalogue-mask.c \
	plugins/catalogues/catalogue-private.h \
	plugins/catalogues/random-catalogue.c \
	plugins/catalogues/read-catalogue.c \
	plugins/catalogues/select-rows.c \
	plugins/catalogues/write-catalogue.c \
	plugins/convolution/convolve-kernel.c \
	plugins/convolution/convolve-kernel.h \
	plugins/convolution/convolve.c \
	plugins/correlation/correlation-bins.c \
	plugins/correlation/correlation-catalogues.c \
	plugins/correlation/correlation-private.h \
	plugins/correlation/pair-correlation.c \
	plugins/correlation/shear-correlation.c \
	plugins/correlation/triple-correlation.c \
	plugins/harmonic/alm2cl.c \
	plugins/harmonic/alm2map.c \
	plugins/harmonic/change-order.c \
	plugins/harmonic/filter-alm.c \
	plugins/harmonic/gradient.c \
	plugins/harmonic/map2alm-weights.c \
	plugins/harmonic/map2alm-weights.h \
	plugins/harmonic/map2alm.c \
	plugins/harmonic/random-alm.c \
	plugins/harmonic/remove-monopole.c \
	plugins/harmonic/resize-alm.c \
	plugins/harmonic/rotate.c \
	plugins/harmonic/rotation.c \
	plugins/harmonic/rotation.h \
	plugins/harmonic/smooth-alm.c \
	plugins/io/polarisation.c \
	plugins/io/polarisation.h \
	plugins/io/read-alm.c \
	plugins/io/read-cl.c \
	plugins/io/read-map.c \
	plugins/io/read-matrix.c \
	plugins/io/read-table.c \
	plugins/io/write-alm.c \
	plugins/io/write-cl.c \
	plugins/io/write-map.c \
	plugins/io/write-matrix.c \
	plugins/io/write-table.c \
	plugins/spectra/bandpowers.c \
	plugins/spectra/coupling.c \
	plugins/spectra/covariance.c \
	plugins/spectra/decouple.c \
	plugins/spectra/purify.c \
	plugins/spectra/spectra-bins.c \
	plugins/spectra/spectra-private.h

# Flags of a module: loaded by name, exports its descriptor only, checked to have no loose ends.
PLUGIN_LINK_FLAGS = -module -avoid-version -shared -export-symbols-regex '^armilla_plugin_desc$$' \
	-no-undefined
PLUGIN_LIBS = libarmilla.la $(GLIB_LIBS) -lm

# Stages that draw are a module, so that the library needs neither cairo nor what cairo needs.
plugin_LTLIBRARIES += plugins/render.la
plugins_render_la_CFLAGS = $(AM_CFLAGS) $(CAIRO_CFLAGS)
plugins_render_la_LDFLAGS = $(PLUGIN_LINK_FLAGS)
plugins_render_la_LIBADD = librender.la $(PLUGIN_LIBS)
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

# Stages of this build folder that were modules once would be loaded beside those of the library.
old_modules = arithmetic catalogue convolution correlation harmonic io spectra
all-local: remove-old-modules
.PHONY: remove-old-modules
remove-old-modules:
	$(AM_V_at)rm -f $(foreach name,$(old_modules),plugins/$(name).la plugins/.libs/$(name).*)
