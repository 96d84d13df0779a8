/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <float.h>
#include <math.h>
#include <string.h>

#include "plugins/base/stage-util.h"
#include "plugins/base/stages.h"
#include "plugins/pictures/render-private.h"

/* Of the whole width of a picture of a map, the rest is margin. */
#define ELLIPSE 0.94

enum {
  PROP_FILE = 1, PROP_FIELD, PROP_TITLE, PROP_UNIT, PROP_MIN, PROP_MAX, PROP_PERCENTILE,
  PROP_PALETTE, PROP_GRATICULE, PROP_WIDTH, PROP_CENTRE, PROP_X_SCALE, PROP_Y_SCALE, PROP_SPECTRA,
  N_PROPS
};

struct _ArmillaRender {
  ArmillaStage parent_instance;
  char *file, *field, *title, *unit, *spectra;
  double min, max, percentile, centre;
  ArmillaPalette palette;
  gboolean graticule;
  int width;
  ArmillaScale x_scale, y_scale;
  gboolean given[N_PROPS];
  ArmillaPictureKind kind;
  int chosen;
  GArray *plotted; /* int, numbers of spectra */
  ArmillaOutput *output;
};

G_DECLARE_FINAL_TYPE (ArmillaRender, armilla_render, ARMILLA, RENDER, ArmillaStage)
G_DEFINE_FINAL_TYPE (ArmillaRender, armilla_render, ARMILLA_TYPE_STAGE)

static GParamSpec *props[N_PROPS];

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
    && armilla_graph_commit (picture->graph, g_steal_pointer (&picture->output), error);
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
refuse (ArmillaRender *self, const int *properties, const char *port, GError **error)
{
  for (; *properties != 0; properties++)
    if (self->given[*properties])
      {
        g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE, "%s belongs to pictures of a %s",
                     props[*properties]->name, port);
        return FALSE;
      }
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
  static const int of_map[] = { PROP_FIELD, PROP_PERCENTILE, PROP_PALETTE, PROP_GRATICULE,
                                PROP_CENTRE, 0 };
  static const int of_cl[] = { PROP_SPECTRA, 0 };
  static const int of_plot[] = { PROP_X_SCALE, PROP_Y_SCALE, 0 };
  const ArmillaMapHeader *header;
  g_autoptr (GArray) chosen = NULL;

  if ((inputs[0] != NULL) + (inputs[1] != NULL) + (inputs[2] != NULL) != 1)
    {
      g_set_error_literal (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE,
                           "connect either map or cl or table, one of the three");
      return FALSE;
    }
  if (self->given[PROP_MIN] && self->given[PROP_MAX] && !(self->min < self->max))
    {
      g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE,
                   "min = %g must be less than max = %g", self->min, self->max);
      return FALSE;
    }
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
  g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE, "field = %s names %u fields; name one",
               self->field, chosen->len);
  return FALSE;
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
  double low = self->given[PROP_MIN] ? self->min : NAN;
  double high = self->given[PROP_MAX] ? self->max : NAN;

  picture->graph = graph;
  picture->output = g_steal_pointer (&self->output);
  picture->kind = self->kind;
  picture->title = g_strdup (self->given[PROP_TITLE] ? self->title : title);
  picture->unit = g_strdup (self->given[PROP_UNIT] ? self->unit : unit);
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
    .title = picture->title, .width = self->width, .x_given = self->given[PROP_X_SCALE],
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

static char **
place_of_text (ArmillaRender *self, guint id)
{
  return id == PROP_FILE    ? &self->file
         : id == PROP_FIELD ? &self->field
         : id == PROP_TITLE ? &self->title
         : id == PROP_UNIT  ? &self->unit
                            : &self->spectra;
}

static void
render_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  ArmillaRender *self = ARMILLA_RENDER (object);

  switch (id)
    {
    case PROP_FILE:
    case PROP_FIELD:
    case PROP_TITLE:
    case PROP_UNIT:
    case PROP_SPECTRA:
      g_value_set_string (value, *place_of_text (self, id));
      break;
    case PROP_MIN:
    case PROP_MAX:
    case PROP_PERCENTILE:
    case PROP_CENTRE:
      g_value_set_double (value, id == PROP_MIN ? self->min : id == PROP_MAX ? self->max
                          : id == PROP_CENTRE ? self->centre : self->percentile);
      break;
    case PROP_PALETTE:
      g_value_set_enum (value, self->palette);
      break;
    case PROP_X_SCALE:
    case PROP_Y_SCALE:
      g_value_set_enum (value, id == PROP_X_SCALE ? self->x_scale : self->y_scale);
      break;
    case PROP_GRATICULE:
      g_value_set_boolean (value, self->graticule);
      break;
    case PROP_WIDTH:
      g_value_set_int (value, self->width);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
set_text (char **target, const GValue *value)
{
  g_free (*target);
  *target = g_strdup (g_value_get_string (value) != NULL ? g_value_get_string (value) : "");
}

static void
render_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  ArmillaRender *self = ARMILLA_RENDER (object);

  switch (id)
    {
    case PROP_FILE:
    case PROP_FIELD:
    case PROP_TITLE:
    case PROP_UNIT:
    case PROP_SPECTRA:
      set_text (place_of_text (self, id), value);
      break;
    case PROP_MIN:
    case PROP_MAX:
    case PROP_PERCENTILE:
    case PROP_CENTRE:
      *(id == PROP_MIN ? &self->min : id == PROP_MAX ? &self->max
        : id == PROP_CENTRE ? &self->centre : &self->percentile) = g_value_get_double (value);
      break;
    case PROP_PALETTE:
      self->palette = g_value_get_enum (value);
      break;
    case PROP_X_SCALE:
    case PROP_Y_SCALE:
      *(id == PROP_X_SCALE ? &self->x_scale : &self->y_scale) = g_value_get_enum (value);
      break;
    case PROP_GRATICULE:
      self->graticule = g_value_get_boolean (value);
      break;
    case PROP_WIDTH:
      self->width = g_value_get_int (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      return;
    }
  self->given[id] = TRUE;
}

static void
render_finalize (GObject *object)
{
  ArmillaRender *self = ARMILLA_RENDER (object);

  g_free (self->file);
  g_free (self->field);
  g_free (self->title);
  g_free (self->unit);
  g_free (self->spectra);
  g_clear_pointer (&self->plotted, g_array_unref);
  g_clear_pointer (&self->output, armilla_output_free);
  G_OBJECT_CLASS (armilla_render_parent_class)->finalize (object);
}

static void
install_properties (GObjectClass *object)
{
  GType scale = armilla_stage_enum ("ArmillaRenderScale", scales);

  props[PROP_FILE] = armilla_param_spec_required (
    g_param_spec_string ("file", NULL, "name of the picture; ends in .png, .svg or .pdf", NULL,
                         ARMILLA_PARAM_RW));
  props[PROP_FIELD] = g_param_spec_string (
    "field", NULL, "field of the map, by name or number from 0", "0", ARMILLA_PARAM_RW);
  props[PROP_TITLE] = g_param_spec_string (
    "title", NULL, "title; not given: the name of the field", "", ARMILLA_PARAM_RW);
  props[PROP_UNIT] = g_param_spec_string (
    "unit", NULL, "unit to show; not given: that of the map", "", ARMILLA_PARAM_RW);
  props[PROP_MIN] = g_param_spec_double (
    "min", NULL, "lower end of colours or vertical axis; not given: from the data", -DBL_MAX,
    DBL_MAX, 0, ARMILLA_PARAM_RW);
  props[PROP_MAX] = g_param_spec_double (
    "max", NULL, "upper end of colours or vertical axis; not given: from the data", -DBL_MAX,
    DBL_MAX, 0, ARMILLA_PARAM_RW);
  props[PROP_PERCENTILE] = g_param_spec_double (
    "percentile", NULL,
    "share of the picture, in percent, whose values may lie beyond either end of the colours where "
    "min or max is not given; 0 shows the whole range", 0, 49, 0.5, ARMILLA_PARAM_RW);
  props[PROP_PALETTE] = g_param_spec_enum (
    "palette", NULL, "colours of a map, in equal steps to the eye",
    armilla_stage_enum ("ArmillaRenderPalette", palettes), ARMILLA_PALETTE_SKY, ARMILLA_PARAM_RW);
  props[PROP_GRATICULE] = g_param_spec_boolean (
    "graticule", NULL, "lines every 30 degrees of latitude and 60 degrees of longitude", FALSE,
    ARMILLA_PARAM_RW);
  props[PROP_WIDTH] = g_param_spec_int (
    "width", NULL, "width of the picture in points (pixels of a PNG)", 200, 8192, 1000,
    ARMILLA_PARAM_RW);
  props[PROP_CENTRE] = armilla_param_spec_quantity (
    "centre", "longitude in the middle of the picture of a map", ARMILLA_DIMENSION_ANGLE,
    -2 * G_PI, 2 * G_PI, 0);
  props[PROP_X_SCALE] = g_param_spec_enum (
    "x-scale", NULL, "scale of the multipoles of a plot; of angles: log where not given",
    scale, ARMILLA_SCALE_LINEAR, ARMILLA_PARAM_RW);
  props[PROP_Y_SCALE] = g_param_spec_enum (
    "y-scale", NULL, "scale of the values of a plot", scale, ARMILLA_SCALE_LINEAR,
    ARMILLA_PARAM_RW);
  props[PROP_SPECTRA] = g_param_spec_string (
    "spectra", NULL, "spectra of a plot: names or numbers from 0, separated by commas, or all",
    "all", ARMILLA_PARAM_RW);
  g_object_class_install_properties (object, N_PROPS, props);
}

static void
armilla_render_class_init (ArmillaRenderClass *klass)
{
  GObjectClass *object = G_OBJECT_CLASS (klass);
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  object->get_property = render_get_property;
  object->set_property = render_set_property;
  object->finalize = render_finalize;
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
  install_properties (object);
}

static void
armilla_render_init (ArmillaRender *self)
{
  self->field = g_strdup ("0");
  self->spectra = g_strdup ("all");
  self->title = g_strdup ("");
  self->unit = g_strdup ("");
  self->percentile = 0.5;
  self->width = 1000;
}
