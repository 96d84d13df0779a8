/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <float.h>
#include <math.h>
#include <string.h>

#include "plugins/base/stage-util.h"
#include "plugins/pictures/render-private.h"

/* Of the whole width of a picture of a map, the rest is margin. */
#define ELLIPSE 0.94

struct _ArmillaRender {
  ArmillaStage parent_instance;
  char *file, *field, *title, *unit, *spectra;
  double min, max, percentile, centre;
  ArmillaPalette palette;
  gboolean graticule;
  int width;
  ArmillaScale x_scale, y_scale;
  ArmillaPictureKind kind;
  int chosen;
  GArray *plotted; /* int, numbers of spectra */
  ArmillaOutput *output;
};

ARMILLA_DEFINE_STAGE (ArmillaRender, armilla_render, ARMILLA, RENDER)

static const ArmillaPort ports[] = {
  { "map", armilla_map_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "a map to picture; connect one of map, cl and table" },
  { "cl", armilla_cl_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "spectra to plot, all in one frame" },
  { "table", armilla_table_data_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "a correlation function to plot with its errors" },
  { NULL, NULL, 0, NULL },
};

static const GEnumValue palettes[] = {
  { ARMILLA_PALETTE_SKY, "ARMILLA_RENDER_SKY", "sky" },
  { ARMILLA_PALETTE_THERMAL, "ARMILLA_RENDER_THERMAL", "thermal" },
  { ARMILLA_PALETTE_GREY, "ARMILLA_RENDER_GREY", "grey" },
  { 0, NULL, NULL },
};

static const GEnumValue scales[] = {
  { ARMILLA_SCALE_LINEAR, "ARMILLA_RENDER_LINEAR", "linear" },
  { ARMILLA_SCALE_LOG, "ARMILLA_RENDER_LOG", "log" },
  { 0, NULL, NULL },
};

/* What the I/O threads hold while pixels or spectra come in and are drawn. */
typedef struct {
  ArmillaGraph *graph;
  ArmillaFault *fault; /* of the node */
  ArmillaOutput *output;
  ArmillaPictureKind kind;
  char *title, *unit;
  int field;
  double percentile;
  ArmillaGrid *grid;
  ArmillaSky *sky;
  GMutex lock;
  ArmillaSkyStyle style;
  ArmillaPlot plot;
  ArmillaCorrelationPlot correlation;
  GArray *plotted;
  char **names;
  double *values;
} Picture;

static void
picture_free (gpointer data)
{
  Picture *picture = data;

  g_clear_pointer (&picture->output, armilla_output_free);
  g_clear_pointer (&picture->grid, armilla_grid_unref);
  armilla_sky_free (picture->sky);
  g_free (picture->title);
  g_free (picture->unit);
  g_clear_pointer (&picture->plotted, g_array_unref);
  g_strfreev (picture->names);
  g_free (picture->values);
  g_mutex_clear (&picture->lock);
  g_free (picture);
}

static gboolean
picture_commit (Picture *picture, int width, int height, ArmillaDraw draw, GError **error)
{
  return armilla_picture_write (picture->output, picture->kind, width, height, draw, picture, error)
    && armilla_graph_commit (picture->graph, picture->fault, g_steal_pointer (&picture->output),
                             error);
}

/* The table of points is made with the first pixels: in an I/O thread, and on rank 0 only. */
static ArmillaSky *
picture_sky (Picture *picture)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&picture->lock);

  if (picture->sky == NULL)
    picture->sky = armilla_sky_new (picture->grid, (int) lrint (picture->style.width * ELLIPSE),
                                    picture->style.centre);
  return picture->sky;
}

static gboolean
render_take_map (gpointer user, int field, gint64 first, gint64 n, double *pixels, GError **error)
{
  Picture *picture = user;

  (void) error;
  if (field == picture->field)
    armilla_sky_put (picture_sky (picture), first, n, pixels);
  return TRUE;
}

static gboolean
draw_map (gpointer user, cairo_t *cr, GError **error)
{
  Picture *picture = user;

  (void) error;
  armilla_sky_draw (picture->sky, &picture->style, cr);
  return TRUE;
}

static gboolean
render_map_done (gpointer user, GError **error)
{
  Picture *picture = user;
  ArmillaSkyStyle *style = &picture->style;

  armilla_sky_range (picture_sky (picture), picture->percentile, &style->low, &style->high);
  return picture_commit (picture, style->width, armilla_sky_height (style->width), draw_map, error);
}

static gboolean
render_take_cl (gpointer user, double *values, GError **error)
{
  Picture *picture = user;
  gint64 n = picture->plot.lmax + 1;

  (void) error;
  for (int i = 0; i < picture->plot.n_fields; i++)
    memcpy (picture->values + i * n, values + g_array_index (picture->plotted, int, i) * n,
            (gsize) n * sizeof (double));
  return TRUE;
}

static gboolean
draw_cl (gpointer user, cairo_t *cr, GError **error)
{
  return armilla_plot_draw (&((Picture *) user)->plot, cr, error);
}

static gboolean
render_cl_done (gpointer user, GError **error)
{
  Picture *picture = user;
  int width = picture->plot.width;

  return picture_commit (picture, width, armilla_plot_height (width), draw_cl, error);
}

static gboolean
draw_table (gpointer user, cairo_t *cr, GError **error)
{
  return armilla_correlation_plot_draw (&((Picture *) user)->correlation, cr, error);
}

static gboolean
render_take_table (gpointer user, const ArmillaTable *table, GError **error)
{
  Picture *picture = user;
  int width = picture->correlation.width;

  picture->correlation.table = table;
  return picture_commit (picture, width, armilla_plot_height (width), draw_table, error);
}

static gboolean
refuse (ArmillaRender *self, const char *const *names, const char *port, GError **error)
{
  for (; *names != NULL; names++)
    if (armilla_stage_given (self, *names))
      return armilla_fail (error, ARMILLA_ERROR_VALUE, "%s belongs to pictures of a %s", *names,
                           port);
  return TRUE;
}

static gboolean
choose_spectra (ArmillaRender *self, ArmillaCl *cl, GError **error)
{
  g_clear_pointer (&self->plotted, g_array_unref);
  self->plotted = armilla_stage_columns (self->spectra, armilla_cl_names (cl),
                                         armilla_cl_n_fields (cl), "spectra", "cl", error);
  return self->plotted != NULL;
}

static gboolean
check_input (ArmillaRender *self, ArmillaData *const *inputs, GError **error)
{
  static const char *const of_map[]
    = { "field", "percentile", "palette", "graticule", "centre", NULL };
  static const char *const of_cl[] = { "spectra", NULL };
  static const char *const of_plot[] = { "x-scale", "y-scale", NULL };
  const ArmillaMapHeader *header;
  g_autoptr (GArray) chosen = NULL;

  if ((inputs[0] != NULL) + (inputs[1] != NULL) + (inputs[2] != NULL) != 1)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "connect either map or cl or table, one of the three");
  if (armilla_stage_given (self, "min") && armilla_stage_given (self, "max")
      && !(self->min < self->max))
    return armilla_fail (error, ARMILLA_ERROR_VALUE, "min = %g must be less than max = %g",
                         self->min, self->max);
  if (inputs[2] != NULL)
    return refuse (self, of_map, "map", error) && refuse (self, of_cl, "cl", error);
  if (inputs[0] == NULL)
    return refuse (self, of_map, "map", error)
      && choose_spectra (self, ARMILLA_CL (inputs[1]), error);
  if (!refuse (self, of_cl, "cl", error) || !refuse (self, of_plot, "cl", error))
    return FALSE;
  header = armilla_map_header (ARMILLA_MAP (inputs[0]));
  chosen = armilla_stage_columns (self->field, (const char *const *) header->names,
                                  header->n_fields, "field", "the map", error);
  if (chosen == NULL)
    return FALSE;
  self->chosen = g_array_index (chosen, int, 0);
  if (chosen->len == 1)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE, "field = %s names %u fields; name one",
                       self->field, chosen->len);
}

static gboolean
render_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaRender *self = ARMILLA_RENDER (stage);

  (void) outputs;
  if (!armilla_stage_need_file (self->file, error)
      || !armilla_picture_kind (self->file, &self->kind, error)
      || !check_input (self, inputs, error))
    return FALSE;
  g_clear_pointer (&self->output, armilla_output_free);
  if (context->rank == 0)
    self->output = armilla_output_new (self->file, context->overwrite, error);
  return context->rank != 0 || self->output != NULL;
}

static double
render_memory (ArmillaStage *stage, ArmillaData *const *inputs, ArmillaData *const *outputs)
{
  double width = ARMILLA_RENDER (stage)->width;

  (void) outputs;
  return inputs[0] != NULL ? armilla_sky_bytes (width * width / 2) : 4 * width * width;
}

static Picture *
new_picture (ArmillaRender *self, ArmillaGraph *graph, const char *title, const char *unit)
{
  Picture *picture = g_new0 (Picture, 1);
  double low = armilla_stage_given (self, "min") ? self->min : NAN;
  double high = armilla_stage_given (self, "max") ? self->max : NAN;

  picture->graph = graph;
  picture->fault = armilla_graph_fault (graph);
  picture->output = g_steal_pointer (&self->output);
  picture->kind = self->kind;
  picture->title = g_strdup (armilla_stage_given (self, "title") ? self->title : title);
  picture->unit = g_strdup (armilla_stage_given (self, "unit") ? self->unit : unit);
  picture->field = self->chosen;
  picture->percentile = self->percentile;
  picture->style = (ArmillaSkyStyle) {
    .title = picture->title, .unit = picture->unit, .width = self->width,
    .palette = self->palette, .low = low, .high = high, .graticule = self->graticule,
    .centre = self->centre,
  };
  picture->plot = (ArmillaPlot) {
    .title = picture->title, .unit = picture->unit, .width = self->width,
    .x_scale = self->x_scale, .y_scale = self->y_scale, .low = low, .high = high,
  };
  picture->correlation = (ArmillaCorrelationPlot) {
    .title = picture->title, .width = self->width, .x_given = armilla_stage_given (self, "x-scale"),
    .x_scale = self->x_scale, .y_scale = self->y_scale, .low = low, .high = high,
  };
  g_mutex_init (&picture->lock);
  return picture;
}

static gboolean
render_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
              ArmillaData *const *outputs, GError **error)
{
  ArmillaRender *self = ARMILLA_RENDER (stage);
  Picture *picture;

  (void) outputs;
  if (inputs[0] != NULL)
    {
      ArmillaMap *map = ARMILLA_MAP (inputs[0]);
      const ArmillaMapHeader *header = armilla_map_header (map);

      picture = new_picture (self, graph, header->names[self->chosen],
                             header->units[self->chosen]);
      picture->grid = armilla_grid_ref (armilla_map_grid (map));
      return armilla_graph_drain_map (graph, map, render_take_map, render_map_done, picture,
                                      picture_free, error);
    }
  if (inputs[2] != NULL)
    {
      picture = new_picture (self, graph, "", "");
      return armilla_graph_drain_table (graph, ARMILLA_TABLE_DATA (inputs[2]), render_take_table,
                                        picture, picture_free, error);
    }
  picture = new_picture (self, graph, "Power spectrum", "");
  picture->plotted = g_steal_pointer (&self->plotted);
  picture->plot.lmax = armilla_cl_lmax (ARMILLA_CL (inputs[1]));
  picture->plot.n_fields = (int) picture->plotted->len;
  picture->names = g_new0 (char *, picture->plot.n_fields + 1);
  for (int i = 0; i < picture->plot.n_fields; i++)
    picture->names[i] = g_strdup (
      armilla_cl_names (ARMILLA_CL (inputs[1]))[g_array_index (picture->plotted, int, i)]);
  picture->plot.names = (const char *const *) picture->names;
  picture->values = g_new0 (double, picture->plot.n_fields * (picture->plot.lmax + 1));
  picture->plot.values = picture->values;
  return armilla_graph_drain_cl (graph, ARMILLA_CL (inputs[1]), render_take_cl, render_cl_done,
                                 picture, picture_free, error);
}

static void
render_finalize (GObject *object)
{
  ArmillaRender *self = ARMILLA_RENDER (object);

  g_clear_pointer (&self->plotted, g_array_unref);
  g_clear_pointer (&self->output, armilla_output_free);
  G_OBJECT_CLASS (armilla_render_parent_class)->finalize (object);
}

static const ArmillaProperty properties[] = {
  { "file", ARMILLA_TEXT (ArmillaRender, file, NULL),
    "name of the picture; ends in .png, .svg or .pdf", ARMILLA_PROPERTY_REQUIRED },
  { "field", ARMILLA_TEXT (ArmillaRender, field, "0"),
    "field of the map, by name or number from 0" },
  { "title", ARMILLA_TEXT (ArmillaRender, title, ""), "title; not given: the name of the field" },
  { "unit", ARMILLA_TEXT (ArmillaRender, unit, ""), "unit to show; not given: that of the map" },
  { "min", ARMILLA_DOUBLE (ArmillaRender, min, -DBL_MAX, DBL_MAX, 0),
    "lower end of colours or vertical axis; not given: from the data" },
  { "max", ARMILLA_DOUBLE (ArmillaRender, max, -DBL_MAX, DBL_MAX, 0),
    "upper end of colours or vertical axis; not given: from the data" },
  { "percentile", ARMILLA_DOUBLE (ArmillaRender, percentile, 0, 49, 0.5),
    "share of the picture, in percent, whose values may lie beyond either end of the colours where "
    "min or max is not given; 0 shows the whole range" },
  { "palette", ARMILLA_ENUM (ArmillaRender, palette, palettes, ARMILLA_PALETTE_SKY),
    "colours of a map, in equal steps to the eye" },
  { "graticule", ARMILLA_BOOLEAN (ArmillaRender, graticule, FALSE),
    "lines every 30 degrees of latitude and 60 degrees of longitude" },
  { "width", ARMILLA_INT (ArmillaRender, width, 200, 8192, 1000),
    "width of the picture in points (pixels of a PNG)" },
  { "centre", ARMILLA_QUANTITY (ArmillaRender, centre, ARMILLA_DIMENSION_ANGLE, -2 * G_PI,
                                2 * G_PI, 0),
    "longitude in the middle of the picture of a map" },
  { "x-scale", ARMILLA_ENUM (ArmillaRender, x_scale, scales, ARMILLA_SCALE_LINEAR),
    "scale of the multipoles of a plot; of angles: log where not given" },
  { "y-scale", ARMILLA_ENUM (ArmillaRender, y_scale, scales, ARMILLA_SCALE_LINEAR),
    "scale of the values of a plot" },
  { "spectra", ARMILLA_TEXT (ArmillaRender, spectra, "all"),
    "spectra of a plot: names or numbers from 0, separated by commas, or all" },
};

static void
armilla_render_class_init (ArmillaRenderClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = render_finalize;
  stage->nick = "render";
  stage->summary = "Draw a map, a power spectrum or a correlation function";
  stage->description =
    "A map: all of the sky in Mollweide's projection, longitude growing to the left, with a colour "
    "bar; pixels without data are grey. Spectra: l (l + 1) C_l / 2 pi from l = 2 on, one curve a "
    "spectrum. A correlation function: points with their errors at the mean separation of the bin, "
    "on a logarithmic axis of angles unless the first bin begins at 0. On y-scale = log negative "
    "values are drawn as hollow points at their absolute value. A legend covers no data: where "
    "there is no room for it in the frame, it is beside it. In units, u before a capital letter "
    "becomes the sign of micro, ^2 is raised and _CMB is lowered. The file appears under its name "
    "when it is whole.";
  stage->ports = ports;
  stage->prepare = render_prepare;
  stage->build = render_build;
  stage->memory = render_memory;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
}
