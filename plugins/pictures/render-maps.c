/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stage render, of maps. */
#include <math.h>

#include "plugins/pictures/render-stage.h"

/* What the I/O threads hold while pixels come in and are drawn. */
typedef struct {
  gint references; /* of maps, and of catalogues */
  ArmillaGraph *graph;
  ArmillaFault *fault; /* of the node */
  ArmillaOutput *output;
  ArmillaPictureKind kind;
  char *title, *unit, *coordsys;
  int field;
  double percentile;
  int n_maps, n_done;
  ArmillaGrid *grid, *contour_grid; /* (nullable): of contours, if there are any */
  ArmillaSky *sky;
  gboolean own; /* contours of the map itself */
  GArray *levels;
  char *contour_name, *contour_unit;
  gboolean centred; /* the range, on 0 */
  GMutex lock;
  ArmillaSkyStyle style;
} Picture;

static void
picture_unref (gpointer data)
{
  Picture *picture = data;

  if (!g_atomic_int_dec_and_test (&picture->references))
    return;
  for (int i = 0; i < ARMILLA_SKY_CATALOGUES; i++)
    armilla_sky_marks_free (picture->style.marks[i]);
  armilla_contours_free (picture->style.contours);
  g_clear_pointer (&picture->style.legend, g_array_unref);
  g_clear_pointer (&picture->levels, g_array_unref);
  g_clear_pointer (&picture->contour_grid, armilla_grid_unref);
  g_free (picture->contour_name);
  g_free (picture->contour_unit);
  g_clear_pointer (&picture->output, armilla_output_free);
  g_clear_pointer (&picture->grid, armilla_grid_unref);
  armilla_sky_free (picture->sky);
  g_free (picture->title);
  g_free (picture->unit);
  g_free (picture->coordsys);
  g_mutex_clear (&picture->lock);
  g_free (picture);
}

/* The table of points is made with the first pixels: in an I/O thread, and on rank 0 only. */
static ArmillaSky *
picture_sky (Picture *picture)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&picture->lock);

  if (picture->sky == NULL)
    picture->sky = armilla_sky_new_projection (picture->grid, &picture->style.projection,
                                               armilla_sky_box (&picture->style).width);
  return picture->sky;
}

static ArmillaContours *
picture_contours (Picture *picture)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&picture->lock);
  ArmillaSkyStyle *style = &picture->style;

  if (style->contours == NULL)
    style->contours = armilla_contours_new (picture->contour_grid, &style->projection,
                                            armilla_sky_box (style).width);
  return style->contours;
}

static gboolean
take_contours (gpointer user, int field, gint64 first, gint64 n, double *pixels, GError **error)
{
  (void) error;
  if (field == 0)
    armilla_contours_put (picture_contours (user), first, n, pixels);
  return TRUE;
}

static gboolean
take_map (gpointer user, int field, gint64 first, gint64 n, double *pixels, GError **error)
{
  Picture *picture = user;

  (void) error;
  if (field == picture->field)
    armilla_sky_put (picture_sky (picture), first, n, pixels);
  if (field == picture->field && picture->own)
    armilla_contours_put (picture_contours (picture), first, n, pixels);
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

static void
end_contours (Picture *picture)
{
  ArmillaContours *contours = picture_contours (picture);
  ArmillaSkyStyle *style = &picture->style;
  g_autofree char *name = NULL;

  armilla_contours_end (contours, (const double *) (gpointer) picture->levels->data,
                        (int) picture->levels->len);
  name = armilla_render_levels_name (contours, picture->contour_name, picture->contour_unit);
  if (style->legend == NULL)
    style->legend = armilla_legend_new ();
  armilla_legend_add (style->legend, ARMILLA_MARK_LINE, FALSE, (const double[3]) { 0, 0, 0 }, name);
}

/* The last of the maps draws. */
static gboolean
map_done (gpointer user, GError **error)
{
  Picture *picture = user;
  ArmillaSkyStyle *style = &picture->style;
  gboolean last;

  g_mutex_lock (&picture->lock);
  last = ++picture->n_done == picture->n_maps;
  g_mutex_unlock (&picture->lock);
  if (!last)
    return TRUE;
  if (picture->contour_grid != NULL)
    end_contours (picture);
  armilla_sky_colours (picture_sky (picture), picture->percentile, &style->colours);
  if (picture->centred)
    armilla_colours_centre (&style->colours);
  return armilla_axis_check (&style->colours, "colour", error)
         && armilla_picture_write (picture->output, picture->kind, style->width,
                                   armilla_sky_height (style), draw_map, picture, error)
         && armilla_graph_commit (picture->graph, picture->fault,
                                  g_steal_pointer (&picture->output), error);
}

/* Squares have a size; a gnomonic picture of half the sky or more there is not. */
static gboolean
check_projection (ArmillaRender *self, GError **error)
{
  if (self->projection != ARMILLA_PROJECTION_GNOMONIC
      && self->projection != ARMILLA_PROJECTION_CARTESIAN
      && armilla_stage_given (self, "size"))
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "size belongs to projection = gnomonic or cartesian");
  if (self->projection == ARMILLA_PROJECTION_GNOMONIC && self->size > 0.8 * G_PI)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "size = %g deg: a gnomonic picture shows at most 144 deg; "
                         "projection = orthographic shows half the sky", self->size * 180 / G_PI);
  return TRUE;
}

static ArmillaProjection
projection_of (const ArmillaRender *self)
{
  const gboolean sized = self->projection == ARMILLA_PROJECTION_GNOMONIC
                         || (self->projection == ARMILLA_PROJECTION_CARTESIAN
                             && armilla_stage_given ((ArmillaRender *) self, "size"));

  return (ArmillaProjection) { self->projection, self->centre, self->latitude,
                               sized ? self->size : 0 };
}

/* Bytes of a picture, less those of catalogues that are turned. */
double
armilla_render_map_bytes (const ArmillaRender *self, ArmillaData *const *inputs)
{
  const ArmillaSkyStyle style = { .width = self->width, .projection = projection_of (self) };
  const ArmillaSkyBox box = armilla_sky_box (&style);
  const double points = (double) box.width * box.height;
  double marks = 0;

  for (int i = 0; i < ARMILLA_SKY_CATALOGUES; i++)
    if (inputs[ARMILLA_RENDER_CATALOGUE + i] != NULL)
      marks += armilla_sky_marks_bytes (points);
  if (armilla_stage_given ((ArmillaRender *) self, "levels")
      || inputs[ARMILLA_RENDER_CONTOURS] != NULL)
    marks += armilla_contours_bytes (points);
  return marks + armilla_sky_bytes (points)
         + 4.0 * self->width * armilla_sky_height (&style);
}

gboolean
armilla_render_map_check (ArmillaRender *self, ArmillaData *const *inputs, GError **error)
{
  const ArmillaMapHeader *header = armilla_map_header (ARMILLA_MAP (inputs[ARMILLA_RENDER_MAP]));
  double table[ARMILLA_PALETTE_SIZE][3];
  g_autoptr (GArray) levels = armilla_render_levels (self, error);
  g_autoptr (GArray) chosen = levels == NULL ? NULL
    : armilla_stage_columns (self->field, (const char *const *) header->names, header->n_fields,
                             "field", "the map", error);

  if (chosen == NULL || !check_projection (self, error)
      || !armilla_render_palette (self, table, error)
      || !armilla_render_marks_check (self, inputs, error))
    return FALSE;
  self->chosen = g_array_index (chosen, int, 0);
  if (chosen->len == 1)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE, "field = %s names %u fields; name one",
                       self->field, chosen->len);
}

static gboolean
put_marks (gpointer user, ArmillaCatalogue *const *catalogues, GError **error)
{
  Picture *picture = user;

  return picture->output == NULL
         || armilla_render_marks_put (&picture->style, picture->coordsys, catalogues, error);
}

/* Looks at the catalogues, if there are any, before the pixels come. */
static gboolean
visit (Picture *picture, ArmillaGraph *graph, ArmillaData *const *inputs, GError **error)
{
  ArmillaObjects *objects[ARMILLA_SKY_CATALOGUES];
  int n = 0;

  for (int i = 0; i < ARMILLA_SKY_CATALOGUES; i++)
    {
      objects[i] = (ArmillaObjects *) inputs[ARMILLA_RENDER_CATALOGUE + i];
      n += objects[i] != NULL;
    }
  if (n == 0)
    return TRUE;
  g_atomic_int_inc (&picture->references);
  return armilla_graph_visit_objects (graph, objects, ARMILLA_SKY_CATALOGUES, put_marks, picture,
                                      picture_unref, error);
}

/* What contours are there. */
static void
set_contours (Picture *picture, ArmillaRender *self, ArmillaData *const *inputs)
{
  const gboolean other = inputs[ARMILLA_RENDER_CONTOURS] != NULL;
  const int port = other ? ARMILLA_RENDER_CONTOURS : ARMILLA_RENDER_MAP;
  ArmillaMap *map = ARMILLA_MAP (inputs[port]);
  const ArmillaMapHeader *header = armilla_map_header (map);

  picture->levels = armilla_render_levels (self, NULL);
  picture->own = !other && picture->levels->len > 0;
  if (!other && !picture->own)
    return;
  picture->n_maps += other;
  picture->contour_grid = armilla_grid_ref (armilla_map_grid (map));
  picture->contour_name = g_strdup (other ? self->sources[port] : "");
  picture->contour_unit = g_strdup (other ? header->units[0] : picture->unit);
}

/* Asks for all that is drawn; each part of it has the picture until it has come. */
static gboolean
drain (Picture *picture, ArmillaGraph *graph, ArmillaData *const *inputs, GError **error)
{
  ArmillaMap *contours = (ArmillaMap *) inputs[ARMILLA_RENDER_CONTOURS];
  gboolean ok = visit (picture, graph, inputs, error);

  if (ok && contours != NULL)
    {
      g_atomic_int_inc (&picture->references);
      ok = armilla_graph_drain_map (graph, contours, take_contours, map_done, picture,
                                    picture_unref, error);
    }
  if (ok)
    return armilla_graph_drain_map (graph, ARMILLA_MAP (inputs[ARMILLA_RENDER_MAP]), take_map,
                                    map_done, picture, picture_unref, error);
  picture_unref (picture);
  return FALSE;
}

gboolean
armilla_render_map_build (ArmillaRender *self, ArmillaGraph *graph, ArmillaData *const *inputs,
                          GError **error)
{
  ArmillaMap *map = ARMILLA_MAP (inputs[ARMILLA_RENDER_MAP]);
  const ArmillaMapHeader *header = armilla_map_header (map);
  Picture *picture = g_new0 (Picture, 1);

  picture->references = 1;
  picture->graph = graph;
  picture->fault = armilla_graph_fault (graph);
  picture->output = g_steal_pointer (&self->output);
  picture->kind = self->kind;
  picture->title = g_strdup (armilla_stage_given (self, "title") ? self->title
                                                                 : header->names[self->chosen]);
  picture->unit = g_strdup (armilla_stage_given (self, "unit") ? self->unit
                                                               : header->units[self->chosen]);
  picture->coordsys = g_strdup (header->coordsys);
  picture->field = self->chosen;
  picture->percentile = self->percentile;
  picture->style = (ArmillaSkyStyle) {
    .title = picture->title, .unit = picture->unit, .width = self->width,
    .projection = projection_of (self), .graticule = self->graticule,
    .colours = armilla_render_colours (self),
  };
  picture->centred = armilla_render_is_centred (self);
  g_mutex_init (&picture->lock);
  if (!armilla_render_palette (self, picture->style.table, error))
    {
      picture_unref (picture);
      return FALSE;
    }
  picture->grid = armilla_grid_ref (armilla_map_grid (map));
  picture->n_maps = 1;
  set_contours (picture, self, inputs);
  armilla_render_marks_new (self, inputs, &picture->style);
  return drain (picture, graph, inputs, error);
}
