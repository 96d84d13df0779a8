/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stage render for maps. */
#include <math.h>

#include "core/grids/car.h"
#include "core/grids/grid.h"
#include "plugins/render/render-stage.h"

#define MAX_PANELS 9

/* Height of a title above several panels, in units of the letter height. */
#define HEAD 2.045

/* A panel: one field of the map. */
typedef struct {
  int field;
  ArmillaSky *sky;
  ArmillaSkyStyle style;
} Panel;

/* A picture that waits for its data, shared with the I/O threads. A part is a map, or all
 * catalogues together. */
typedef struct {
  ArmillaDrawing drawing;
  /* (nullable): map to draw, and map whose contours are drawn, which may be the same */
  ArmillaMap *map, *contours;
  int n_panels;
  Panel panels[MAX_PANELS];
  GArray *levels;
} Picture;

static void
panel_clear (Panel *panel)
{
  ArmillaSkyStyle *style = &panel->style;

  for (int i = 0; i < ARMILLA_SKY_CATALOGUES; i++)
    armilla_sky_marks_free (style->marks[i]);
  armilla_contours_free (style->contours);
  g_clear_pointer (&style->legend, g_array_unref);
  armilla_sky_free (panel->sky);
}

static void
picture_free (ArmillaDrawing *drawing)
{
  Picture *picture = (Picture *) drawing;

  for (int i = 0; i < picture->n_panels; i++)
    panel_clear (&picture->panels[i]);
  g_clear_pointer (&picture->levels, g_array_unref);
  g_clear_object (&picture->contours);
  g_clear_object (&picture->map);
  g_free (picture);
}

/* Returns the points of a panel, created when its first pixels arrive: in an I/O thread, on rank 0
 * only. */
static ArmillaSky *
panel_sky (Picture *picture, Panel *panel, GError **error)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (armilla_drawing_lock (&picture->drawing));

  if (panel->sky == NULL)
    panel->sky = armilla_sky_new_projection (armilla_map_grid (picture->map),
                                             &panel->style.projection,
                                             armilla_sky_box (&panel->style).width, error);
  return panel->sky;
}

static ArmillaContours *
panel_contours (Picture *picture, Panel *panel, GError **error)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (armilla_drawing_lock (&picture->drawing));
  ArmillaSkyStyle *style = &panel->style;

  if (style->contours == NULL)
    style->contours = armilla_contours_new (armilla_map_grid (picture->contours),
                                            &style->projection, armilla_sky_box (style).width,
                                            error);
  return style->contours;
}

static gboolean
take_contours (gpointer user, ArmillaPiece *piece, GError **error)
{
  Picture *picture = user;

  for (int i = 0; piece->field == 0 && i < picture->n_panels; i++)
    {
      ArmillaContours *contours = panel_contours (picture, &picture->panels[i], error);

      if (contours == NULL)
        return FALSE;
      armilla_contours_put (contours, piece->first, piece->n, piece->values);
    }
  return TRUE;
}

static gboolean
take_map (gpointer user, ArmillaPiece *piece, GError **error)
{
  Picture *picture = user;

  for (int i = 0; i < picture->n_panels; i++)
    {
      Panel *panel = &picture->panels[i];
      ArmillaContours *contours;
      ArmillaSky *sky;

      if (panel->field != piece->field)
        continue;
      if ((sky = panel_sky (picture, panel, error)) == NULL)
        return FALSE;
      armilla_sky_put (sky, piece->first, piece->n, piece->values);
      if (picture->contours != picture->map)
        continue;
      if ((contours = panel_contours (picture, panel, error)) == NULL)
        return FALSE;
      armilla_contours_put (contours, piece->first, piece->n, piece->values);
    }
  return TRUE;
}

/* Returns the height of a title above several panels. */
static double
head_of (const Picture *picture)
{
  const ArmillaCell *cell = &picture->drawing.cell;

  return picture->n_panels > 1 && *picture->drawing.stage->title != '\0'
           ? HEAD * armilla_letter (cell->width, cell->columns) : 0;
}

static int
height_of (ArmillaDrawing *drawing, int room)
{
  const Picture *picture = (Picture *) drawing;
  const int columns = armilla_panel_columns (picture->n_panels);
  const int rows = (picture->n_panels + columns - 1) / columns;

  (void) room;
  return (int) ceil (head_of (picture)) + rows * armilla_sky_height (&picture->panels[0].style);
}

static gboolean
draw_map (ArmillaDrawing *drawing, cairo_t *cr, GError **error)
{
  Picture *picture = (Picture *) drawing;
  const int columns = armilla_panel_columns (picture->n_panels);
  const double head = head_of (picture);

  (void) error;
  cairo_set_source_rgb (cr, 0, 0, 0);
  if (head > 0)
    armilla_formula (cr, drawing->stage->title, drawing->cell.width / 2.0, 0.6 * head,
                     0.55 * head, 0.5, 0.5);
  for (int i = 0; i < picture->n_panels; i++)
    {
      const Panel *panel = &picture->panels[i];

      cairo_save (cr);
      cairo_translate (cr, i % columns * panel->style.width,
                       ceil (head) + i / columns * armilla_sky_height (&panel->style));
      armilla_sky_draw (panel->sky, &panel->style, cr);
      cairo_restore (cr);
    }
  return TRUE;
}

static gboolean
end_contours (Picture *picture, Panel *panel, GError **error)
{
  const gboolean own = picture->contours == picture->map;
  ArmillaContours *contours = panel_contours (picture, panel, error);
  ArmillaSkyStyle *style = &panel->style;
  g_autofree char *name = NULL;

  if (contours == NULL)
    return FALSE;
  armilla_contours_end (contours, (const double *) (gpointer) picture->levels->data,
                        (int) picture->levels->len);
  name = armilla_render_levels_name (
    contours, own ? "" : picture->drawing.stage->sources[ARMILLA_RENDER_CONTOURS],
    own ? style->unit : armilla_map_header (picture->contours)->fields.units[0]);
  if (style->legend == NULL)
    style->legend = armilla_legend_new ();
  armilla_legend_add (style->legend, ARMILLA_MARK_LINE, FALSE, (const double[3]) { 0, 0, 0 }, name);
  return TRUE;
}

static gboolean
panel_done (Picture *picture, Panel *panel, GError **error)
{
  ArmillaRender *self = picture->drawing.stage;
  ArmillaAxis *colours = &panel->style.colours;
  ArmillaSky *sky = panel_sky (picture, panel, error);

  if (sky == NULL || (picture->contours != NULL && !end_contours (picture, panel, error)))
    return FALSE;
  armilla_sky_colours (sky, self->percentile, colours);
  if (armilla_render_is_centred (self))
    armilla_colours_centre (colours);
  return armilla_axis_check (colours, "colour", error);
}

/* Completes a picture when all pixels and all catalogues have arrived. */
static gboolean
finish (ArmillaDrawing *drawing, GError **error)
{
  Picture *picture = (Picture *) drawing;

  for (int i = 0; i < picture->n_panels; i++)
    if (!panel_done (picture, &picture->panels[i], error))
      return FALSE;
  return TRUE;
}

static gboolean
part_done (gpointer user, GError **error)
{
  return armilla_drawing_part_done (user, error);
}

/* Checks size and centre; a gnomonic picture must be smaller than half the sky. */
static gboolean
check_projection (ArmillaRender *self, GError **error)
{
  if (self->projection != ARMILLA_PROJECTION_GNOMONIC
      && self->projection != ARMILLA_PROJECTION_CARTESIAN
      && armilla_stage_given (self, "size"))
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "size requires projection = gnomonic or cartesian");
  if (self->projection == ARMILLA_PROJECTION_GNOMONIC && self->size > 0.8 * G_PI)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "size = %g deg: a gnomonic picture shows at most 144 deg; "
                         "projection = orthographic shows half the sky", self->size * 180 / G_PI);
  return TRUE;
}

/* Makes the picture show an image of a part of the sky. Its height is between a quarter and twice
 * its width. */
static void
frame_image (const ArmillaCar *car, ArmillaProjection *projection)
{
  const double degree = G_PI / 180;
  const double edges[] = { (0.5 - car->crpix[1]) * car->cdelt[1] * degree,
                           ((double) car->n_y + 0.5 - car->crpix[1]) * car->cdelt[1] * degree };
  const double middle = 0.5 * (edges[0] + edges[1]);
  const double width = (double) car->n_x * fabs (car->cdelt[0]) * degree;
  const double height = MAX (fabs (edges[1] - edges[0]), width / 4);
  const double low = MAX (middle - height / 2, -G_PI / 2);
  const double high = MIN (middle + height / 2, G_PI / 2);

  projection->width = MIN (MAX (width, (high - low) / 2), 2 * G_PI);
  projection->height = high - low;
  projection->middle = 0.5 * (low + high);
  projection->longitude
    = (car->crval + (0.5 * (double) (car->n_x + 1) - car->crpix[0]) * car->cdelt[0]) * degree;
}

/* Returns the projection that the properties choose. By default an image of a part of the sky is
 * shown as such, in the projection cartesian. */
static ArmillaProjection
projection_of (ArmillaRender *self, const ArmillaGrid *grid)
{
  ArmillaProjection projection = { .kind = self->projection, .longitude = self->centre,
                                   .latitude = self->latitude };
  const ArmillaGrid *whole = armilla_grid_whole ((ArmillaGrid *) grid);
  ArmillaCar car;
  gint64 first;

  if (self->projection == ARMILLA_PROJECTION_GNOMONIC
      || (self->projection == ARMILLA_PROJECTION_CARTESIAN && armilla_stage_given (self, "size")))
    projection.size = self->size;
  else if (self->projection == ARMILLA_PROJECTION_CARTESIAN
           && !armilla_stage_given (self, "centre") && !armilla_stage_given (self, "latitude")
           && armilla_grid_car (grid, &car, &first)
           && (car.n_x < whole->rings[0].n_phi || car.n_y < whole->n_rings))
    frame_image (&car, &projection);
  return projection;
}

static ArmillaSkyStyle
style_of (ArmillaRender *self, ArmillaData *map, int n_panels, const ArmillaCell *cell)
{
  const int columns = armilla_panel_columns (n_panels);

  return (ArmillaSkyStyle) {
    .width = cell->width / columns,
    .larger = armilla_letter (1, columns * cell->columns) / armilla_letter (1, 1) - 1,
    .projection = projection_of (self, armilla_map_grid (ARMILLA_MAP (map))),
    .graticule = self->graticule,
    .colours = armilla_render_colours (self),
  };
}

/* Estimates the bytes of a picture, without rotated catalogues. */
double
armilla_render_map_bytes (ArmillaRender *self, ArmillaData *const *inputs, ArmillaCell cell)
{
  const int n = (int) self->chosen->len;
  const ArmillaSkyStyle style = style_of (self, inputs[ARMILLA_RENDER_MAP], n, &cell);
  const ArmillaSkyBox box = armilla_sky_box (&style);
  const double points = (double) box.width * box.height;
  double bytes = armilla_sky_bytes (points) + 4.0 * style.width * armilla_sky_height (&style);

  for (int i = 0; i < ARMILLA_SKY_CATALOGUES; i++)
    if (inputs[ARMILLA_RENDER_CATALOGUE + i] != NULL)
      bytes += armilla_sky_marks_bytes (points);
  if (armilla_stage_given (self, "levels") || inputs[ARMILLA_RENDER_CONTOURS] != NULL)
    bytes += armilla_contours_bytes (points);
  return n * bytes;
}

gboolean
armilla_render_map_check (ArmillaRender *self, ArmillaData *const *inputs, GError **error)
{
  const ArmillaMapHeader *header = armilla_map_header (ARMILLA_MAP (inputs[ARMILLA_RENDER_MAP]));
  double table[ARMILLA_PALETTE_SIZE][3];
  g_autoptr (GArray) levels = armilla_render_levels (self, error);

  g_clear_pointer (&self->chosen, g_array_unref);
  if (levels == NULL || !check_projection (self, error)
      || !armilla_render_palette (self, table, error)
      || !armilla_render_marks_check (self, inputs, error))
    return FALSE;
  self->chosen = armilla_stage_columns (self->field, (const char *const *) header->fields.names,
                                        header->fields.n, "field", "the map", error);
  if (self->chosen == NULL)
    return FALSE;
  if (self->chosen->len <= MAX_PANELS)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "field = %s names %u fields; must be at most %d", self->field,
                       self->chosen->len, MAX_PANELS);
}

static gboolean
put_marks (gpointer user, const ArmillaPiece *in, ArmillaPiece *out, GError **error)
{
  ArmillaCatalogue *catalogues[ARMILLA_SKY_CATALOGUES];
  Picture *picture = user;

  if (!armilla_drawing_is_own (&picture->drawing)) /* another rank draws */
    return TRUE;
  (void) out;
  for (int i = 0; i < ARMILLA_SKY_CATALOGUES; i++)
    catalogues[i] = in[i].catalogue;
  for (int i = 0; i < picture->n_panels; i++)
    if (!armilla_render_marks_put (&picture->panels[i].style,
                                   armilla_map_header (picture->map)->fields.coordsys, catalogues,
                                   error))
      return FALSE;
  return part_done (&picture->drawing, error);
}

/* Requests the objects of the catalogues. */
static gboolean
visit (Picture *picture, ArmillaGraph *graph, ArmillaData *const *inputs, GError **error)
{
  int n = 0;

  for (int i = 0; i < ARMILLA_SKY_CATALOGUES; i++)
    n += inputs[ARMILLA_RENDER_CATALOGUE + i] != NULL;
  if (n == 0)
    return TRUE;
  armilla_drawing_expect (&picture->drawing);
  return armilla_graph_make (graph, &inputs[ARMILLA_RENDER_CATALOGUE], ARMILLA_SKY_CATALOGUES, NULL,
                             put_marks, picture, armilla_drawing_unref, error);
}

/* Requests the pixels of a map. */
static gboolean
drain (Picture *picture, ArmillaGraph *graph, ArmillaMap *map, ArmillaHostPiece take,
       GError **error)
{
  armilla_drawing_expect (&picture->drawing);
  return armilla_graph_drain (graph, ARMILLA_DATA (map), take, part_done, picture,
                              armilla_drawing_unref, error);
}

/* Creates a panel for a field and its overlays. */
static gboolean
panel_new (Picture *picture, int number, ArmillaData *const *inputs, GError **error)
{
  ArmillaRender *self = picture->drawing.stage;
  const ArmillaMapHeader *header = armilla_map_header (ARMILLA_MAP (inputs[ARMILLA_RENDER_MAP]));
  const int n = (int) self->chosen->len, field = g_array_index (self->chosen, int, number);
  Panel *panel = &picture->panels[number];

  picture->n_panels++;
  panel->field = field;
  panel->style = style_of (self, inputs[ARMILLA_RENDER_MAP], n, &picture->drawing.cell);
  panel->style.title
    = n == 1 && armilla_stage_given (self, "title") ? self->title : header->fields.names[field];
  panel->style.unit = armilla_stage_given (self, "unit") ? self->unit : header->fields.units[field];
  armilla_render_marks_new (self, inputs, &panel->style);
  return armilla_render_palette (self, panel->style.table, error);
}

ArmillaDrawing *
armilla_render_map_new (void)
{
  Picture *picture = g_new0 (Picture, 1);

  picture->drawing = (ArmillaDrawing) { .finish = finish, .height = height_of, .draw = draw_map,
                                        .free = picture_free };
  return &picture->drawing;
}

/* Requests everything that a picture of a map shows. */
gboolean
armilla_render_map_build (ArmillaDrawing *drawing, ArmillaGraph *graph,
                          ArmillaData *const *inputs, GError **error)
{
  Picture *picture = (Picture *) drawing;
  ArmillaRender *self = drawing->stage;
  ArmillaData *other = inputs[ARMILLA_RENDER_CONTOURS];

  picture->map = g_object_ref (ARMILLA_MAP (inputs[ARMILLA_RENDER_MAP]));
  picture->levels = armilla_render_levels (self, NULL);
  if (other != NULL)
    picture->contours = g_object_ref (ARMILLA_MAP (other));
  else if (picture->levels->len > 0)
    picture->contours = g_object_ref (picture->map);
  for (guint i = 0; i < self->chosen->len; i++)
    if (!panel_new (picture, (int) i, inputs, error))
      return FALSE;
  return visit (picture, graph, inputs, error)
         && (picture->contours == NULL || picture->contours == picture->map
             || drain (picture, graph, picture->contours, take_contours, error))
         && drain (picture, graph, picture->map, take_map, error);
}
