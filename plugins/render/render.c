/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <float.h>

#include "plugins/render/render-stage.h"

ARMILLA_DEFINE_STAGE (ArmillaRender, armilla_render, ARMILLA, RENDER)

#define OPTIONAL (ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL)

/* Inputs that a picture may show. */
#define INPUTS \
  { "map", armilla_map_get_type, OPTIONAL, \
    "a map to draw" }, \
  { "contours", armilla_map_get_type, OPTIONAL, \
    "a map whose contours are drawn over the map: its first field, on any grid" }, \
  { "catalogue", armilla_objects_get_type, OPTIONAL, \
    "objects to mark on the map, converted to its coordinates" }, \
  { "catalogue2", armilla_objects_get_type, OPTIONAL, "others" }, \
  { "catalogue3", armilla_objects_get_type, OPTIONAL, "others" }, \
  { "matrix", armilla_matrix_get_type, OPTIONAL, \
    "matrices to draw: couplings, window functions, covariances" }, \
  { "covariance", armilla_table_data_get_type, OPTIONAL, \
    "a table of covariances to draw as matrices: columns bin1 and bin2, as collect and " \
    "correlation functions have them; axes follow NAME1_min and NAME1_max, if they are there" }, \
  { "cl", armilla_cl_get_type, OPTIONAL, \
    "spectra to plot as lines; the first line is the reference for residuals" }, \
  { "cl2", armilla_cl_get_type, OPTIONAL, "others" }, \
  { "cl3", armilla_cl_get_type, OPTIONAL, "others" }, \
  { "cl4", armilla_cl_get_type, OPTIONAL, "others" }, \
  { "table", armilla_table_data_get_type, OPTIONAL, \
    "points with errors to plot: bandpowers, a correlation function, a histogram, or columns of " \
    "numbers against the first of them" }, \
  { "table2", armilla_table_data_get_type, OPTIONAL, "others" }, \
  { "table3", armilla_table_data_get_type, OPTIONAL, "others" }, \
  { "table4", armilla_table_data_get_type, OPTIONAL, "others" }

static const ArmillaPort ports[] = { INPUTS, { NULL, NULL, 0, NULL } };

static const ArmillaPort panel_ports[] = {
  INPUTS,
  { "picture", armilla_picture_get_type, ARMILLA_PORT_OUT, "the picture, for render-panels" },
  { NULL, NULL, 0, NULL },
};

G_STATIC_ASSERT (G_N_ELEMENTS (ports) == ARMILLA_RENDER_PORTS + 1);

static const char *const projections[] = {
  [ARMILLA_PROJECTION_MOLLWEIDE] = "mollweide",
  [ARMILLA_PROJECTION_ORTHOGRAPHIC] = "orthographic",
  [ARMILLA_PROJECTION_HEMISPHERES] = "hemispheres", [ARMILLA_PROJECTION_GNOMONIC] = "gnomonic",
  [ARMILLA_PROJECTION_CARTESIAN] = "cartesian", NULL,
};

static const char *const scales[] = {
  [ARMILLA_SCALE_LINEAR] = "linear", [ARMILLA_SCALE_LOG] = "log",
  [ARMILLA_SCALE_SYMLOG] = "symlog", [ARMILLA_SCALE_LOG_LINEAR] = "log-linear", NULL,
};

static const char *const colour_scales[] = {
  [ARMILLA_SCALE_LINEAR] = "linear", [ARMILLA_SCALE_LOG] = "log",
  [ARMILLA_SCALE_SYMLOG] = "symlog", NULL,
};

static const char *const quantities[] = {
  [ARMILLA_QUANTITY_DL] = "dl", [ARMILLA_QUANTITY_CL] = "cl", NULL,
};

static const char *const residuals[] = {
  [ARMILLA_RESIDUALS_NONE] = "none", [ARMILLA_RESIDUALS_DIFFERENCE] = "difference",
  [ARMILLA_RESIDUALS_SIGMA] = "sigma", [ARMILLA_RESIDUALS_RATIO] = "ratio", NULL,
};

/* Kinds of pictures, as a bit mask. */
typedef enum { KIND_PLOT = 1 << 0, KIND_MAP = 1 << 1, KIND_MATRIX = 1 << 2 } Kinds;

static const struct {
  Kinds kind;
  gboolean (*check) (ArmillaRender *self, ArmillaData *const *inputs, GError **error);
  double (*bytes) (ArmillaRender *self, ArmillaData *const *inputs, ArmillaCell cell);
  ArmillaDrawing *(*drawing) (void);
  gboolean (*build) (ArmillaDrawing *drawing, ArmillaGraph *graph, ArmillaData *const *inputs,
                     GError **error);
} kinds[] = {
  { KIND_PLOT, armilla_render_plot_check, armilla_render_plot_bytes, armilla_render_plot_new,
    armilla_render_plot_build },
  { KIND_MAP, armilla_render_map_check, armilla_render_map_bytes, armilla_render_map_new,
    armilla_render_map_build },
  { KIND_MATRIX, armilla_render_matrix_check, armilla_render_matrix_bytes,
    armilla_render_matrix_new, armilla_render_matrix_build },
};

/* Properties that apply to some kinds of pictures only; those that are not listed apply to all. */
static const struct {
  const char *name;
  Kinds kinds;
} uses[] = {
  { "field", KIND_MAP | KIND_MATRIX }, { "percentile", KIND_MAP | KIND_MATRIX },
  { "palette", KIND_MAP | KIND_MATRIX }, { "palette-file", KIND_MAP | KIND_MATRIX },
  { "colour-scale", KIND_MAP | KIND_MATRIX }, { "colour-threshold", KIND_MAP | KIND_MATRIX },
  { "graticule", KIND_MAP }, { "centre", KIND_MAP }, { "latitude", KIND_MAP },
  { "size", KIND_MAP }, { "projection", KIND_MAP }, { "levels", KIND_MAP },
  { "correlation", KIND_MATRIX },
  { "x-label", KIND_PLOT | KIND_MATRIX }, { "y-label", KIND_PLOT | KIND_MATRIX },
  { "x-scale", KIND_PLOT }, { "y-scale", KIND_PLOT }, { "x-min", KIND_PLOT },
  { "x-max", KIND_PLOT }, { "x-threshold", KIND_PLOT }, { "y-threshold", KIND_PLOT },
  { "labels", KIND_PLOT | KIND_MAP }, { "colours", KIND_PLOT | KIND_MAP },
  { "residuals", KIND_PLOT },
  { "spectra", KIND_PLOT }, { "quantity", KIND_PLOT }, { "panels", KIND_PLOT },
};

static const char *
kinds_name (Kinds of)
{
  return of == KIND_PLOT                  ? "spectra and tables"
         : of == KIND_MAP                 ? "a map"
         : of == KIND_MATRIX              ? "a matrix"
         : of == (KIND_MAP | KIND_MATRIX) ? "a map or a matrix"
         : of == (KIND_PLOT | KIND_MAP)   ? "a map, or spectra and tables"
                                          : "a matrix, or spectra and tables";
}

static gboolean
check_uses (ArmillaRender *self, Kinds kind, GError **error)
{
  for (gsize i = 0; i < G_N_ELEMENTS (uses); i++)
    if (!(uses[i].kinds & kind) && armilla_stage_given (self, uses[i].name))
      return armilla_fail (error, ARMILLA_ERROR_VALUE, "%s applies to pictures of %s only; leave "
                                                       "it out",
                           uses[i].name, kinds_name (uses[i].kinds));
  return TRUE;
}

static gboolean
check_ends (ArmillaRender *self, const char *low, double min, const char *high, double max,
            GError **error)
{
  if (!armilla_stage_given (self, low) || !armilla_stage_given (self, high) || min < max)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE, "%s = %g must be less than %s = %g", low, min,
                       high, max);
}

/* Returns the index of the kind of picture that the inputs determine; -1 if they determine none, or
 * several. */
static int
find_kind (ArmillaData *const *inputs)
{
  const int n_matrices = (inputs[ARMILLA_RENDER_MATRIX] != NULL)
                         + (inputs[ARMILLA_RENDER_COVARIANCE] != NULL);
  const gboolean map = inputs[ARMILLA_RENDER_MAP] != NULL;
  gboolean plotted = FALSE, marked = inputs[ARMILLA_RENDER_CONTOURS] != NULL;

  for (int i = ARMILLA_RENDER_CL; i < ARMILLA_RENDER_PORTS; i++)
    plotted = plotted || inputs[i] != NULL;
  for (int i = 0; i < ARMILLA_SKY_CATALOGUES; i++)
    marked = marked || inputs[ARMILLA_RENDER_CATALOGUE + i] != NULL;
  if (plotted + map + n_matrices != 1 || (marked && !map))
    return -1;
  return plotted ? 0 : map ? 1 : 2;
}

static gboolean
check_input (ArmillaRender *self, ArmillaData *const *inputs, GError **error)
{
  const int kind = find_kind (inputs);

  if (kind < 0)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "connect either a map, with contours and catalogues or without, or a "
                         "matrix, or spectra and tables to plot");
  return check_ends (self, "min", self->min, "max", self->max, error)
         && check_ends (self, "x-min", self->x_min, "x-max", self->x_max, error)
         && check_uses (self, kinds[kind].kind, error)
         && armilla_stage_agree (ports, inputs, ARMILLA_AGREE_COORDINATES, error)
         && kinds[kind].check (self, inputs, error);
}

/* Checks for render and panel that the properties fit the inputs, as far as these are known. */
gboolean
armilla_render_prepare (ArmillaRender *self, const ArmillaStageContext *context,
                        ArmillaData *const *inputs, GError **error)
{
  self->sources = g_new0 (char *, ARMILLA_RENDER_PORTS + 1);
  for (int i = 0; i < ARMILLA_RENDER_PORTS; i++)
    self->sources[i] = armilla_stage_source (context, ports, i);
  return check_input (self, inputs, error);
}

/* Returns the bytes for drawing a picture of this size. */
double
armilla_render_bytes (ArmillaRender *self, ArmillaData *const *inputs, ArmillaCell cell)
{
  return kinds[find_kind (inputs)].bytes (self, inputs, cell);
}

/* Requests the data of a picture and adds it to a page. @name: prefix of its errors (may be NULL);
 * must live as long as the stage that writes the page. */
gboolean
armilla_render_build (ArmillaRender *self, ArmillaGraph *graph, ArmillaData *const *inputs,
                      ArmillaPage *page, const char *name, GError **error)
{
  const int kind = find_kind (inputs);
  ArmillaDrawing *drawing = kinds[kind].drawing ();

  armilla_page_add (page, drawing, self, name);
  return kinds[kind].build (drawing, graph, inputs, error);
}

static gboolean
render_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaRender *self = ARMILLA_RENDER (stage);

  (void) outputs;
  if (!armilla_stage_need_file (self->file, error)
      || !armilla_picture_kind (self->file, &self->kind, error)
      || !armilla_render_prepare (self, context, inputs, error))
    return FALSE;
  self->output = armilla_stage_output_new (self->file, context, NULL, error);
  return self->output != NULL;
}

static double
render_memory (ArmillaStage *stage, ArmillaData *const *inputs, ArmillaData *const *outputs)
{
  ArmillaRender *self = ARMILLA_RENDER (stage);

  (void) outputs;
  return armilla_render_bytes (self, inputs, (ArmillaCell) { self->width, 1 });
}

static gboolean
render_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
              ArmillaData *const *outputs, GError **error)
{
  ArmillaRender *self = ARMILLA_RENDER (stage);
  const ArmillaCell cell = { self->width, 1 };
  ArmillaPage *page = armilla_page_new (stage, self->output, self->kind, cell, "");
  gboolean ok;

  (void) outputs;
  armilla_stage_output_begin (self->output, graph);
  ok = armilla_render_build (self, graph, inputs, page, NULL, error);
  armilla_page_unref (page);
  return ok;
}

/* The stage panel, which describes a picture; another stage draws it on its page. */
struct _ArmillaPanel {
  ArmillaRender render;
};

ARMILLA_DEFINE_STAGE (ArmillaPanel, armilla_panel, ARMILLA, PANEL)

static gboolean
panel_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
               ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaRender *self = &ARMILLA_PANEL (stage)->render;

  if (!armilla_render_prepare (self, context, inputs, error))
    return FALSE;
  outputs[0] = armilla_picture_new (self, inputs, kinds_name (kinds[find_kind (inputs)].kind));
  return TRUE;
}

/* Does nothing: the stage that draws the picture requests its data. */
static gboolean
panel_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
             ArmillaData *const *outputs, GError **error)
{
  (void) stage, (void) graph, (void) inputs, (void) outputs, (void) error;
  return TRUE;
}

static const ArmillaProperty file_properties[] = {
  { "file", ARMILLA_TEXT (ArmillaRender, file, NULL),
    "name of the picture; ends in .png, .svg or .pdf", ARMILLA_PROPERTY_REQUIRED },
  { "width", ARMILLA_INT (ArmillaRender, width, 200, 8192, 1000),
    "width of the picture in points (pixels of a PNG)" },
};

static const ArmillaProperty properties[] = {
  { "field", ARMILLA_TEXT (ArmillaRender, field, "0"),
    "fields of the map or of matrices, by name or number from 0, separated by commas, or all; "
    "each has a panel. Not given: the first field of a map, all fields of matrices" },
  { "title", ARMILLA_TEXT (ArmillaRender, title, ""),
    "title; not given: the name of the field, if there is one" },
  { "unit", ARMILLA_TEXT (ArmillaRender, unit, ""), "unit to show; not given: that of the data" },
  { "min", ARMILLA_DOUBLE (ArmillaRender, min, -DBL_MAX, DBL_MAX, 0),
    "lower end of colours or vertical axis; not given: from the data" },
  { "max", ARMILLA_DOUBLE (ArmillaRender, max, -DBL_MAX, DBL_MAX, 0),
    "upper end of colours or vertical axis; not given: from the data" },
  { "percentile", ARMILLA_DOUBLE (ArmillaRender, percentile, 0, 49, 0.5),
    "percentage of pixels whose values may be outside the colour range at either end if min or "
    "max is not given; 0: the whole range, the default for matrices" },
  { "palette", ARMILLA_ENUM (ArmillaRender, palette, armilla_palette_names, ARMILLA_PALETTE_SKY),
    "palette, with equal steps of lightness: sky, balance and heather are diverging, lightest in "
    "the middle; phase, for angles, is cyclic; the others are sequential" },
  { "palette-file", ARMILLA_TEXT (ArmillaRender, palette_file, ""),
    "text file of colours to use instead of palette, one per line from the lowest value to the "
    "highest: #RRGGBB, or three numbers from 0 to 1 or to 255" },
  { "colour-scale", ARMILLA_ENUM (ArmillaRender, colour_scale, colour_scales,
                                  ARMILLA_SCALE_LINEAR),
    "scale of the colours: symlog is linear between -colour-threshold and colour-threshold" },
  { "colour-threshold", ARMILLA_DOUBLE (ArmillaRender, colour_threshold, DBL_MIN, DBL_MAX, 1),
    "threshold of colour-scale = symlog; not given: a thousandth of the largest value" },
  { "correlation", ARMILLA_BOOLEAN (ArmillaRender, correlation, FALSE),
    "draw a covariance as a correlation: divide by the square roots of the variances of its row "
    "and column" },
  { "projection", ARMILLA_ENUM (ArmillaRender, projection, projections,
                                ARMILLA_PROJECTION_MOLLWEIDE),
    "projection: full sky (mollweide, cartesian), one hemisphere (orthographic), both hemispheres "
    "(hemispheres), or a square region (gnomonic, cartesian with size)" },
  { "graticule", ARMILLA_BOOLEAN (ArmillaRender, graticule, FALSE),
    "meridians and parallels, with labels" },
  { "levels", ARMILLA_TEXT (ArmillaRender, levels, ""),
    "values of contours, separated by commas, of the map at contours or, without it, of map; not "
    "given: some round numbers for contours, none for map" },
  { "centre", ARMILLA_QUANTITY (ArmillaRender, centre, ARMILLA_DIMENSION_ANGLE, -2 * G_PI,
                                2 * G_PI, 0),
    "longitude of the centre of the picture of a map" },
  { "latitude", ARMILLA_QUANTITY (ArmillaRender, latitude, ARMILLA_DIMENSION_ANGLE, -G_PI / 2,
                                  G_PI / 2, 0),
    "latitude of the centre of the picture of a map" },
  { "size", ARMILLA_QUANTITY (ArmillaRender, size, ARMILLA_DIMENSION_ANGLE, G_PI / 64800,
                              G_PI, 10 * G_PI / 180),
    "side of a gnomonic or cartesian picture; a cartesian picture without size, centre and "
    "latitude shows the image of a part of the sky, or the full sky" },
  { "x-scale", ARMILLA_ENUM (ArmillaRender, x_scale, scales, ARMILLA_SCALE_LINEAR),
    "scale of the horizontal axis of a plot: symlog is linear up to x-threshold and logarithmic "
    "above, log-linear the reverse; not given: log for angles" },
  { "y-scale", ARMILLA_ENUM (ArmillaRender, y_scale, scales, ARMILLA_SCALE_LINEAR),
    "scale of the values of a plot: symlog is linear between -y-threshold and y-threshold" },
  { "x-threshold", ARMILLA_DOUBLE (ArmillaRender, x_threshold, DBL_MIN, DBL_MAX, 30),
    "threshold of x-scale = symlog or log-linear" },
  { "y-threshold", ARMILLA_DOUBLE (ArmillaRender, y_threshold, DBL_MIN, DBL_MAX, 1),
    "threshold of y-scale = symlog or log-linear" },
  { "x-min", ARMILLA_DOUBLE (ArmillaRender, x_min, -DBL_MAX, DBL_MAX, 0),
    "left end of a plot; not given: from the data" },
  { "x-max", ARMILLA_DOUBLE (ArmillaRender, x_max, -DBL_MAX, DBL_MAX, 0),
    "right end of a plot; not given: from the data" },
  { "x-label", ARMILLA_TEXT (ArmillaRender, x_label, ""),
    "label of the horizontal axis; not given: from the data" },
  { "y-label", ARMILLA_TEXT (ArmillaRender, y_label, ""),
    "label of the vertical axis; not given: from the data" },
  { "quantity", ARMILLA_ENUM (ArmillaRender, quantity, quantities, ARMILLA_QUANTITY_DL),
    "scaling of spectra: dl, l (l + 1) C_l / 2 pi, or cl" },
  { "spectra", ARMILLA_TEXT (ArmillaRender, spectra, "all"),
    "spectra or columns to plot, such as TT, EE or xi_plus: names, or numbers from 0, separated "
    "by commas; all: if there are lines and tables, those of lines that the tables also have" },
  { "labels", ARMILLA_TEXT (ArmillaRender, labels, ""),
    "names for the legend, separated by commas: one for each curve, spectrum, or input, or for "
    "each catalogue on a map; not given: those of the spectra, and of the connected nodes" },
  { "colours", ARMILLA_TEXT (ArmillaRender, colours, ""),
    "colours of curves, separated by commas: names such as black, red, blue, orange, or #RRGGBB; "
    "one for each curve, spectrum, or input, or for each catalogue on a map" },
  { "residuals", ARMILLA_ENUM (ArmillaRender, residuals, residuals, ARMILLA_RESIDUALS_NONE),
    "residuals below a plot: data minus the first line of the same spectrum, averaged over the "
    "multipoles of a bandpower: the difference, divided by the error (sigma), or by the line "
    "(ratio)" },
  { "panels", ARMILLA_BOOLEAN (ArmillaRender, panels, FALSE),
    "draw each spectrum in a frame of its own" },
};

/* Installs the ports and properties that render and panel have in common. */
static void
install (ArmillaStageClass *stage)
{
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
  ARMILLA_STAGE_OWNS (stage, ArmillaRender, sources, g_strfreev);
  ARMILLA_STAGE_OWNS (stage, ArmillaRender, chosen, g_array_unref);
}

static void
armilla_render_class_init (ArmillaRenderClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "render";
  armilla_stage_set_example (stage, "file = map.png; map = map");
  stage->summary = "Draw a map or matrices, or plot spectra, bandpowers, correlations, histograms";
  stage->description =
    "Maps: the full sky or a part of it, with longitude increasing to the left and a colour bar; "
    "pixels without data are grey. If neither min nor max is given, the middle of a diverging "
    "palette is zero if the map has both signs. Gnomonic pictures have axes and a scale bar. "
    "Contours are interpolated between pixels. Marks of objects are smaller if there are many. "
    "Matrices: rows run downwards, with a panel for each field and one colour bar. Spectra are "
    "lines from l = 2 on. Tables are points with errors from the column NAME_error for the column "
    "NAME: bandpowers (columns l, l_min, l_max) with horizontal bars from l_min to l_max; "
    "correlation functions at the mean separation of the bin, on a logarithmic axis of angles "
    "unless the first bin begins at 0; histograms, if the table has the edges of bins; tables of "
    "more than 150 rows are lines with a band of one error. Points of several curves at the same "
    "abscissae are drawn side by side. Colours distinguish spectra if there are several, "
    "otherwise inputs. With y-scale = log negative points are hollow and negative lines dashed, "
    "at their absolute value. A legend covers no data: it is placed beside the frame if there is "
    "no space inside. Texts may contain formulas: _{} for subscripts, ^{} for superscripts, *{} "
    "for italics. In units, u before a capital letter becomes the micro sign, ^2 is a superscript "
    "and _CMB a subscript. The file is renamed to its final name when it is complete.";
  stage->ports = ports;
  stage->prepare = render_prepare;
  stage->build = render_build;
  stage->memory = render_memory;
  armilla_stage_install (stage, 0, file_properties, G_N_ELEMENTS (file_properties));
  install (stage);
  ARMILLA_STAGE_OWNS (stage, ArmillaRender, output, armilla_stage_output_free);
}

static void
armilla_panel_class_init (ArmillaPanelClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "panel";
  armilla_stage_set_example (stage, "map = map");
  stage->summary = "Describe one panel of a picture of several, drawn by render-panels";
  stage->description = "The stage render describes what is drawn.";
  stage->ports = panel_ports;
  stage->prepare = panel_prepare;
  stage->build = panel_build;
  install (stage);
}
