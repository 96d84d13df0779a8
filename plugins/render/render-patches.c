/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "plugins/render/render-stage.h"

#define MAPS 4
#define GAP 0.02    /* gap between patches, in widths of a patch */
#define TITLE 0.12
#define FOOT 0.2
#define LETTER 0.045

struct _ArmillaRenderPatches {
  ArmillaStage parent_instance;
  char *file, *titles, *centres, *unit;
  double size, decades;
  ArmillaPalette palette;
  int width;
  ArmillaPictureKind kind;
  GArray *patches; /* ArmillaProjection */
  char **words; /* titles of the maps: those of the property, or the names of the maps */
  char *shown; /* unit of the colour bar: that of the property, or that of the maps */
  ArmillaStageOutput *output;
};

ARMILLA_DEFINE_STAGE (ArmillaRenderPatches, armilla_render_patches, ARMILLA, RENDER_PATCHES)

static const ArmillaPort ports[] = {
  { "map", armilla_map_get_type, ARMILLA_PORT_IN, "a map; its first field is drawn" },
  { "map2", armilla_map_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "another map, to its right" },
  { "map3", armilla_map_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL, "another one" },
  { "map4", armilla_map_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL, "another one" },
  { NULL, NULL, 0, NULL },
};

/* A picture that waits for its data, shared with the I/O threads. When the last reference of the
 * last map is dropped, it is drawn. */
typedef struct {
  gint references;
  ArmillaRenderPatches *stage;
  double largest; /* largest absolute value: the upper end of a scale in decades */
  int n_maps, n_done;
  ArmillaGrid *grids[MAPS];
  ArmillaSky **skies; /* [map][patch] */
  double low, high;
} Picture;

typedef struct {
  Picture *picture;
  int map;
} Panel;

static void
panel_free (gpointer data)
{
  Panel *panel = data;
  Picture *picture = panel->picture;

  g_free (panel);
  if (!g_atomic_int_dec_and_test (&picture->references))
    return;
  for (guint i = 0; i < (guint) picture->n_maps * picture->stage->patches->len; i++)
    armilla_sky_free (picture->skies[i]);
  for (int i = 0; i < picture->n_maps; i++)
    armilla_grid_unref (picture->grids[i]);
  g_free (picture->skies);
  g_object_unref (picture->stage);
  g_free (picture);
}

/* Returns the points of a patch of a map, created when its first pixels arrive: in an I/O thread,
 * on rank 0 only. */
static ArmillaSky *
find_sky (Picture *picture, int map, guint patch, GError **error)
{
  const ArmillaRenderPatches *self = picture->stage;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->output->lock);
  ArmillaSky **sky = &picture->skies[(guint) map * self->patches->len + patch];

  if (*sky == NULL)
    *sky = armilla_sky_new_projection (picture->grids[map],
                                       &g_array_index (self->patches, ArmillaProjection, patch),
                                       self->width, error);
  return *sky;
}

static gboolean
take_map (gpointer user, ArmillaPiece *piece, GError **error)
{
  const Panel *panel = user;

  for (guint i = 0; piece->field == 0 && i < panel->picture->stage->patches->len; i++)
    {
      ArmillaSky *sky = find_sky (panel->picture, panel->map, i, error);

      if (sky == NULL)
        return FALSE;
      armilla_sky_put (sky, piece->first, piece->n, piece->values);
    }
  return TRUE;
}

static double
height_of (const Picture *picture)
{
  const double width = picture->stage->width;

  return width * (TITLE + FOOT) + picture->stage->patches->len * width * (1 + GAP);
}

static double
width_of (const Picture *picture)
{
  return picture->n_maps * picture->stage->width * (1 + GAP) + picture->stage->width * GAP;
}

static char *
bar_title (const Picture *picture)
{
  const ArmillaRenderPatches *self = picture->stage;
  g_autofree char *unit = armilla_unit_formula (self->shown);
  char largest[G_ASCII_DTOSTR_BUF_SIZE];

  if (self->decades == 0)
    return armilla_bar_unit (armilla_bar_exponent (picture->low, picture->high), self->shown);
  g_ascii_formatd (largest, sizeof largest, "%.3g", picture->largest);
  return g_strdup_printf ("log_{10} (|value| / %s%s%s)", largest, *unit != '\0' ? " " : "", unit);
}

static void
draw_bar (const Picture *picture, cairo_t *cr)
{
  const double width = width_of (picture), unit = picture->stage->width;
  const double left = 0.2 * width, length = 0.6 * width;
  const double top = height_of (picture) - 0.9 * FOOT * unit, high = 0.06 * unit;
  g_autoptr (GArray) ticks
    = armilla_ticks (picture->low, picture->high,
                     /* so many labels that they do not touch */
                     (int) CLAMP (length / (5 * LETTER * unit), 2, 6));
  g_autofree char *title = bar_title (picture);
  const int exponent = armilla_bar_exponent (picture->low, picture->high);
  double table[ARMILLA_PALETTE_SIZE][3];

  armilla_palette_fill (picture->stage->palette, table);
  for (int i = 0; i < ARMILLA_PALETTE_SIZE; i++)
    {
      cairo_set_source_rgb (cr, table[i][0], table[i][1], table[i][2]);
      cairo_rectangle (cr, left + length * i / ARMILLA_PALETTE_SIZE, top,
                       length / ARMILLA_PALETTE_SIZE + 1, high);
      cairo_fill (cr);
    }
  cairo_set_source_rgb (cr, 0.1, 0.1, 0.1);
  for (guint i = 0; i < ticks->len; i++)
    {
      const double value = g_array_index (ticks, double, i);
      g_autofree char *label = armilla_tick_label (value / pow (10, exponent));

      armilla_text (cr, label,
                    left + length * (value - picture->low) / (picture->high - picture->low),
                    top + high + 0.2 * LETTER * unit, LETTER * unit, 0.5, 1);
    }
  armilla_formula (cr, title, 0.5 * width, top + high + 1.5 * LETTER * unit, LETTER * unit, 0.5, 1);
}

static gboolean
draw (gpointer user, cairo_t *cr, GError **error)
{
  Picture *picture = user;
  const double unit = picture->stage->width;

  (void) error;
  for (int map = 0; map < picture->n_maps; map++)
    {
      const double left = unit * (GAP + map * (1 + GAP));

      cairo_set_source_rgb (cr, 0, 0, 0);
      if (g_strv_length (picture->stage->words) > (guint) map)
        armilla_formula (cr, g_strstrip (picture->stage->words[map]), left + 0.5 * unit,
                         0.5 * TITLE * unit, 1.25 * LETTER * unit, 0.5, 0.5);
      for (guint i = 0; i < picture->stage->patches->len; i++)
        {
          cairo_surface_t *surface
            = armilla_sky_paint (picture->skies[(guint) map * picture->stage->patches->len + i],
                                 picture->stage->palette, picture->low, picture->high);

          cairo_set_source_surface (cr, surface, rint (left),
                                    rint (unit * (TITLE + i * (1 + GAP))));
          cairo_paint (cr);
          cairo_surface_destroy (surface);
        }
    }
  draw_bar (picture, cr);
  return TRUE;
}

/* Finds the colour range, which all patches share. */
static void
find_range (Picture *picture)
{
  const guint n = (guint) picture->n_maps * picture->stage->patches->len;
  double low = INFINITY, high = -INFINITY;

  for (guint i = 0; i < n; i++)
    {
      double from = NAN, to = NAN;

      armilla_sky_range (picture->skies[i], 0, &from, &to);
      low = MIN (low, from);
      high = MAX (high, to);
    }
  picture->low = low;
  picture->high = high;
  if (armilla_palette_is_diverging (picture->stage->palette) && low < 0 && high > 0)
    {
      picture->high = MAX (-low, high);
      picture->low = -picture->high;
    }
  if (picture->stage->decades > 0)
    {
      picture->largest = MAX (fabs (low), fabs (high));
      for (guint i = 0; i < n; i++)
        armilla_sky_to_decades (picture->skies[i], picture->largest > 0 ? picture->largest : 1,
                                picture->stage->decades);
      picture->low = -picture->stage->decades;
      picture->high = 0;
    }
}

static gboolean
map_done (gpointer user, GError **error)
{
  const Panel *panel = user;
  Picture *picture = panel->picture;
  ArmillaRenderPatches *self = picture->stage;
  gboolean last;

  for (guint i = 0; i < picture->stage->patches->len; i++)
    if (find_sky (picture, panel->map, i, error) == NULL)
      return FALSE;
  g_mutex_lock (&self->output->lock);
  last = ++picture->n_done == picture->n_maps;
  g_mutex_unlock (&self->output->lock);
  if (!last)
    return TRUE;
  find_range (picture);
  return armilla_render_write (self->output, self->kind, (int) ceil (width_of (picture)),
                               (int) ceil (height_of (picture)), draw, picture, error);
}

/* Parses the longitudes and latitudes of the centres of the patches. */
static gboolean
read_centres (ArmillaRenderPatches *self, GError **error)
{
  g_auto (GStrv) words = g_strsplit (self->centres, ",", -1);

  self->patches = g_array_new (FALSE, FALSE, sizeof (ArmillaProjection));
  for (char **word = words; *word != NULL; word++)
    {
      ArmillaProjection patch = { .kind = ARMILLA_PROJECTION_GNOMONIC, .size = self->size };
      char *end = NULL, *last = NULL;

      patch.longitude = g_ascii_strtod (*word, &end) * G_PI / 180;
      patch.latitude = g_ascii_strtod (end, &last) * G_PI / 180;
      if (end == *word || last == end || *g_strchug (last) != '\0'
          || !(fabs (patch.longitude) <= 4 * G_PI && fabs (patch.latitude) <= G_PI / 2))
        return armilla_fail (error, ARMILLA_ERROR_VALUE,
                             "centres: \"%s\" is not a longitude and a latitude in degrees, "
                             "separated by a blank", g_strstrip (*word));
      g_array_append_val (self->patches, patch);
    }
  if (self->patches->len <= 16)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE, "centres lists %u patches; must be 1 to 16",
                       self->patches->len);
}

static const char *
unit_of (ArmillaData *map)
{
  return armilla_map_header (ARMILLA_MAP (map))->fields.units[0];
}

/* Finds the unit of the colour bar: that of the property, or the unit that all maps with a unit
 * share. */
static void
find_unit (ArmillaRenderPatches *self, ArmillaData *const *inputs)
{
  const char *unit = self->unit;

  for (int i = 0; i < MAPS && *unit == '\0'; i++)
    if (inputs[i] != NULL)
      unit = unit_of (inputs[i]);
  self->shown = g_strdup (unit);
}

static void
find_titles (ArmillaRenderPatches *self, const ArmillaStageContext *context,
             ArmillaData *const *inputs)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  if (armilla_stage_given (self, "titles"))
    {
      self->words = g_strsplit (self->titles, ",", -1);
      return;
    }
  for (int i = 0; i < MAPS; i++)
    if (inputs[i] != NULL)
      g_ptr_array_add (names, armilla_stage_source (context, ports, i));
  g_ptr_array_add (names, NULL);
  self->words = (char **) g_ptr_array_free (g_steal_pointer (&names), FALSE);
}

static gboolean
render_patches_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                        ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaRenderPatches *self = ARMILLA_RENDER_PATCHES (stage);

  (void) outputs;
  if (!armilla_stage_need_file (self->file, error)
      || !armilla_stage_agree (ports, inputs,
                               ARMILLA_AGREE_COORDINATES
                                 | (*self->unit == '\0' ? ARMILLA_AGREE_FIRST_UNIT : 0), error)
      || !armilla_picture_kind (self->file, &self->kind, error) || !read_centres (self, error))
    return FALSE;
  find_unit (self, inputs);
  find_titles (self, context, inputs);
  self->output = armilla_stage_output_new (self->file, context, NULL, error);
  return self->output != NULL;
}

static double
render_patches_memory (ArmillaStage *stage, ArmillaData *const *inputs, ArmillaData *const *outputs)
{
  ArmillaRenderPatches *self = ARMILLA_RENDER_PATCHES (stage);
  double bytes = 0;

  (void) outputs;
  for (int i = 0; i < MAPS; i++)
    if (inputs[i] != NULL)
      bytes += self->patches->len * armilla_sky_bytes ((double) self->width * self->width);
  return bytes;
}

static gboolean
render_patches_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                      ArmillaData *const *outputs, GError **error)
{
  ArmillaRenderPatches *self = ARMILLA_RENDER_PATCHES (stage);
  Picture *picture = g_new0 (Picture, 1);
  Panel *panels[MAPS];
  gboolean ok = TRUE;

  (void) outputs;
  armilla_stage_output_begin (self->output, graph);
  picture->stage = g_object_ref (self);
  for (int i = 0; i < MAPS; i++)
    if (inputs[i] != NULL)
      {
        panels[picture->n_maps] = g_new (Panel, 1);
        *panels[picture->n_maps] = (Panel) { picture, picture->n_maps };
        picture->grids[picture->n_maps++]
          = armilla_grid_ref (armilla_map_grid (ARMILLA_MAP (inputs[i])));
      }
  picture->references = picture->n_maps;
  picture->skies = g_new0 (ArmillaSky *, (guint) picture->n_maps * self->patches->len);
  for (int i = 0, n = 0; i < MAPS; i++)
    if (inputs[i] != NULL)
      {
        Panel *panel = panels[n++];

        if (ok)
          ok = armilla_graph_drain (graph, inputs[i], take_map, map_done, panel, panel_free, error);
        else
          panel_free (panel);
      }
  return ok;
}

static const ArmillaProperty properties[] = {
  { "file", ARMILLA_TEXT (ArmillaRenderPatches, file, NULL),
    "name of the picture; ends in .png, .svg or .pdf", ARMILLA_PROPERTY_REQUIRED },
  { "centres", ARMILLA_TEXT (ArmillaRenderPatches, centres, NULL),
    "centres of the patches, longitude and latitude in degrees, separated by commas: 30 45, 30 0",
    ARMILLA_PROPERTY_REQUIRED },
  { "size", ARMILLA_QUANTITY (ArmillaRenderPatches, size, ARMILLA_DIMENSION_ANGLE, G_PI / 648000,
                              0.8 * G_PI, 10 * G_PI / 180),
    "side of a patch" },
  { "decades", ARMILLA_DOUBLE (ArmillaRenderPatches, decades, 0, 300, 0),
    "draw log10 of the absolute value, over this number of decades below the largest value; 0: "
    "the values" },
  { "titles", ARMILLA_TEXT (ArmillaRenderPatches, titles, ""),
    "a title for each map, separated by commas; not given: the names of the nodes" },
  { "unit", ARMILLA_TEXT (ArmillaRenderPatches, unit, ""),
    "unit to show; not given: that of the maps" },
  { "palette", ARMILLA_ENUM (ArmillaRenderPatches, palette, armilla_palette_names,
                            ARMILLA_PALETTE_SKY),
    "palette, with equal perceptual steps" },
  { "width", ARMILLA_INT (ArmillaRenderPatches, width, 50, 4096, 400),
    "width of a patch in points (pixels of a PNG)" },
};

static void
armilla_render_patches_class_init (ArmillaRenderPatchesClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "render-patches";
  armilla_stage_set_example (stage, "file = patches.png; centres = 30 45");
  stage->summary = "Draw squares of one map or several, side by side";
  stage->description =
    "Gnomonic pictures, north up and east to the left: one column per map, one row per patch. All "
    "have the same range of colours and the same unit: maps with different units are rejected "
    "unless unit is given. If there are both signs, zero is in the middle of a diverging palette. "
    "The file is renamed to its final name when it is complete.";
  stage->ports = ports;
  stage->prepare = render_patches_prepare;
  stage->build = render_patches_build;
  stage->memory = render_patches_memory;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
  ARMILLA_STAGE_OWNS (stage, ArmillaRenderPatches, patches, g_array_unref);
  ARMILLA_STAGE_OWNS (stage, ArmillaRenderPatches, words, g_strfreev);
  ARMILLA_STAGE_OWNS (stage, ArmillaRenderPatches, shown, g_free);
  ARMILLA_STAGE_OWNS (stage, ArmillaRenderPatches, output, armilla_stage_output_free);
}
