/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contours of a map: values are interpolated to the nodes of a mesh on the picture, and lines
 * connect the points where the edges of the mesh cross a level. */
#include <armilla/memory.h>
#include <math.h>
#include <string.h>

#include "core/grids/grid.h"
#include "plugins/pictures/sky-private.h"

/* Distance of mesh nodes, in points of the picture. */
#define STEP 2

/* Number of pixels from which a node is interpolated. */
#define NEAR 4

/* Difference from a level, as a fraction of the range of values, up to which a value below it
 * counts as equal, because of rounding errors in the map and in the interpolation. */
#define ROUNDING 1e-6

/* Automatic levels: percentage of values below the lowest and above the highest, and their
 * approximate number. */
#define SHARE 2
#define ABOUT 5

struct _ArmillaContours {
  ArmillaProjection projection;
  int across, down;        /* number of nodes in each direction */
  double step;             /* distance of nodes, in widths of the picture */
  /* [down][across][NEAR]: weights of the pixels from which nodes are interpolated */
  float *weights;
  ArmillaSkySamples *samples; /* values of these pixels; freed after the interpolation */
  double *values;          /* [down][across]: interpolated values of nodes; NaN: no data */
  double rounding;         /* tolerance of the values */
  double levels[ARMILLA_MAX_LEVELS];
  int n_levels;
  GArray *lines;           /* ArmillaContourPoint, computed last */
};

/* Finds the two pixels of a ring adjacent to an azimuth, and their weights. */
static void
find_in_ring (const ArmillaRing *ring, double phi, double share, gint64 pixels[2],
              float weights[2])
{
  const double phi0 = ring->phi0_den > 0
                        ? G_PI * (double) ring->phi0_num / (double) ring->phi0_den : ring->phi0;
  const double k = (phi - phi0) / (2 * G_PI) * (double) ring->n_phi, first = floor (k);

  for (int i = 0; i < 2; i++)
    {
      const gint64 at = (gint64) fmod (first + i, (double) ring->n_phi);

      pixels[i] = ring->offset + (at < 0 ? at + ring->n_phi : at);
      weights[i] = (float) (share * (i == 0 ? 1 - (k - first) : k - first));
    }
}

/* Finds the pixels and weights of linear interpolation on and between the rings above and below.
 * Beyond the last ring, the same ring is used at both sides of the pole. */
static void
interpolate (const ArmillaGrid *grid, const double *theta, const double vector[3],
             gint64 pixels[NEAR], float weights[NEAR])
{
  const double t = atan2 (hypot (vector[0], vector[1]), vector[2]);
  const double phi = atan2 (vector[1], vector[0]);
  const gint64 last = grid->n_rings - 1;
  gint64 above = -1, below = last + 1;
  double high, low;

  while (below - above > 1)
    {
      const gint64 middle = above + (below - above) / 2;

      *(theta[middle] <= t ? &above : &below) = middle;
    }
  high = above < 0 ? -theta[0] : theta[above];
  low = below > last ? 2 * G_PI - theta[last] : theta[below];
  find_in_ring (&grid->rings[MAX (above, 0)], above < 0 ? phi + G_PI : phi,
                (low - t) / (low - high), pixels, weights);
  find_in_ring (&grid->rings[MIN (below, last)], below > last ? phi + G_PI : phi,
                (t - high) / (low - high), pixels + 2, weights + 2);
}

/* Arguments of the threads that find the pixels of nodes. */
typedef struct {
  ArmillaContours *self;
  const ArmillaGrid *grid;
  const double *theta; /* [ring]: colatitude */
  double frame[3][3], half_u, half_v;
  gint64 *pixels; /* [down][across][NEAR] */
} Search;

static void
find_rows (gpointer user, gint64 first, gint64 n)
{
  const Search *search = user;
  const ArmillaContours *self = search->self;

  for (gint64 row = first; row < first + n; row++)
    for (gint64 column = 0; column < self->across; column++)
      {
        const gint64 at = NEAR * (row * self->across + column);
        const double u = search->half_u * (2 * (double) column * self->step - 1);
        const double v = search->half_v - search->half_u * 2 * (double) row * self->step;
        double vector[3];

        if (armilla_projection_vector (&self->projection, search->frame, u, v, vector))
          interpolate (search->grid, search->theta, vector, search->pixels + at,
                       self->weights + at);
        else
          for (int i = 0; i < NEAR; i++)
            search->pixels[at + i] = -1;
      }
}

/* Returns contours without values. */
ArmillaContours *
armilla_contours_new (ArmillaGrid *part, const ArmillaProjection *projection, int width,
                      GError **error)
{
  const ArmillaGrid *grid = armilla_grid_whole (part);
  const int height = armilla_projection_height (projection, width);
  ArmillaContours *self = NULL;
  g_autofree double *theta = armilla_try_new (double, grid->n_rings, "the rings of a map", error);
  g_autofree gint64 *pixels = NULL;
  Search search = { .grid = grid, .theta = theta };
  gsize n;

  if (theta == NULL)
    return NULL;
  search.self = self = g_new0 (ArmillaContours, 1);
  self->projection = *projection;
  self->step = (double) STEP / width;
  self->across = width / STEP + 1;
  self->down = height / STEP + 1;
  n = NEAR * (gsize) self->across * (gsize) self->down;
  self->weights = armilla_try_new (float, n, "the contours of a picture", error);
  pixels = self->weights != NULL
             ? armilla_try_new (gint64, n, "the contours of a picture", error) : NULL;
  if (pixels == NULL)
    {
      armilla_contours_free (self);
      return NULL;
    }
  search.pixels = pixels;
  for (gint64 i = 0; i < grid->n_rings; i++)
    theta[i] = atan2 (grid->rings[i].sin_theta, grid->rings[i].cos_theta);
  armilla_projection_frame (projection, search.frame);
  armilla_projection_extent (projection, &search.half_u, &search.half_v);
  armilla_in_threads (self->down, 16, find_rows, &search);
  self->samples = armilla_sky_samples_new (pixels, n, grid->n_pixels, error);
  if (self->samples == NULL)
    g_clear_pointer (&self, armilla_contours_free);
  return self;
}

/* Returns the bytes of contours in a picture of @n_points points. */
double
armilla_contours_bytes (double n_points)
{
  const double nodes = n_points / (STEP * STEP);

  return nodes * (8 + 2 * 2 * sizeof (gint32)
                  + NEAR * (sizeof (float) + 8 + sizeof (ArmillaSkySample) + 8));
}

/* Stores those of the pixels from @first on from which nodes are interpolated. Thread-safe for
 * different pixels. */
void
armilla_contours_put (ArmillaContours *self, gint64 first, gint64 n, const double *pixels)
{
  armilla_sky_samples_put (self->samples, first, n, pixels);
}

/* Computes the values of nodes that have more than half of their weight on observed pixels. Adds
 * weighted differences from one of the pixels, so that nodes between equal pixels get exactly their
 * value. */
static void
find_values (ArmillaContours *self)
{
  const gsize n = (gsize) self->across * (gsize) self->down;
  const ArmillaSkySamples *samples = self->samples;
  g_autofree float *seen = g_new0 (float, n);
  g_autofree double *first = g_new (double, n);
  double low = INFINITY, high = -INFINITY;

  self->values = g_new0 (double, n);
  for (gsize i = 0; i < samples->n; i++)
    if (isfinite (samples->values[i]) && !armilla_is_unseen (samples->values[i]))
      {
        const float weight = self->weights[samples->samples[i].at];
        const gsize node = (gsize) samples->samples[i].at / NEAR;

        if (seen[node] == 0)
          first[node] = samples->values[i];
        self->values[node] += weight * (samples->values[i] - first[node]);
        seen[node] += weight;
      }
  for (gsize i = 0; i < n; i++)
    {
      self->values[i] = seen[i] > 0.5F ? first[i] + self->values[i] / seen[i] : NAN;
      low = MIN (low, isnan (self->values[i]) ? low : self->values[i]);
      high = MAX (high, isnan (self->values[i]) ? high : self->values[i]);
    }
  self->rounding = high > low ? ROUNDING * (high - low) : 0;
}

static void
choose_levels (ArmillaContours *self)
{
  const gsize n = (gsize) self->across * (gsize) self->down;
  g_autofree double *values = g_memdup2 (self->values, n * sizeof *values);
  ArmillaAxis axis = { ARMILLA_SCALE_LINEAR, NAN, NAN, 1 };
  g_autoptr (GArray) ticks = NULL;

  armilla_colours_range (&axis, values, n, SHARE);
  ticks = armilla_ticks (axis.low, axis.high, ABOUT);
  for (guint i = 0; i < ticks->len && self->n_levels < ARMILLA_MAX_LEVELS; i++)
    self->levels[self->n_levels++] = g_array_index (ticks, double, i);
}

/* Lines of one level. Edges of the mesh are numbered: 2 i goes from node i to the right, 2 i + 1
 * downwards. A line is a chain of edges that it crosses. */
typedef struct {
  const ArmillaContours *self;
  double level;
  gint32 (*links)[2]; /* [edge]: previous and next edge of the line; -1: none */
} Mesh;

static gboolean
is_above (const Mesh *mesh, double value)
{
  return value >= mesh->level - mesh->self->rounding;
}

static gboolean
is_crossed (const Mesh *mesh, gint32 from, gint32 to)
{
  const double *values = mesh->self->values;

  return is_above (mesh, values[from]) != is_above (mesh, values[to]);
}

static void
join (Mesh *mesh, gint32 a, gint32 b)
{
  mesh->links[a][mesh->links[a][0] >= 0] = b;
  mesh->links[b][mesh->links[b][0] >= 0] = a;
}

/* Links the edges of a cell that the level crosses. If it crosses all four, the mean of the cell
 * decides which of them are linked. */
static void
join_cell (Mesh *mesh, gint32 node)
{
  const gint32 across = mesh->self->across;
  const gint32 corners[4] = { node, node + 1, node + across + 1, node + across };
  const gint32 sides[4] = { 2 * node, 2 * (node + 1) + 1, 2 * (node + across), 2 * node + 1 };
  const double *values = mesh->self->values;
  double middle = 0;
  gint32 crossed[4];
  int n = 0;

  for (int i = 0; i < 4; i++)
    middle += values[corners[i]] / 4;
  for (int i = 0; !isnan (middle) && i < 4; i++)
    if (is_crossed (mesh, corners[i], corners[(i + 1) % 4]))
      crossed[n++] = sides[i];
  if (n == 4 && is_above (mesh, middle) != is_above (mesh, values[node]))
    {
      join (mesh, crossed[3], crossed[0]);
      join (mesh, crossed[1], crossed[2]);
      return;
    }
  for (int i = 0; i < n; i += 2)
    join (mesh, crossed[i], crossed[i + 1]);
}

/* Returns the point where the level crosses an edge, in units of the mesh. */
static ArmillaContourPoint
point_of (const Mesh *mesh, gint32 side, gboolean begins)
{
  const gint32 across = mesh->self->across, from = side / 2;
  const gint32 to = side % 2 ? from + across : from + 1;
  const double low = mesh->self->values[from], high = mesh->self->values[to];
  const double t = CLAMP ((mesh->level - low) / (high - low), 0, 1);

  return (ArmillaContourPoint) { begins, from % across + (side % 2 ? 0 : t),
                                 from / across + (side % 2 ? t : 0) };
}

static gint32
take_link (Mesh *mesh, gint32 from)
{
  const int k = mesh->links[from][0] >= 0 ? 0 : 1;
  const gint32 to = mesh->links[from][k];

  if (to >= 0)
    {
      mesh->links[from][k] = -1;
      mesh->links[to][mesh->links[to][0] == from ? 0 : 1] = -1;
    }
  return to;
}

static void
add_line (Mesh *mesh, gint32 side, GArray *lines)
{
  for (gboolean begins = TRUE; side >= 0; begins = FALSE)
    {
      const ArmillaContourPoint point = point_of (mesh, side, begins);

      g_array_append_val (lines, point);
      side = take_link (mesh, side);
    }
}

/* Finds the lines of a level: first those with two ends, then closed ones. */
static void
find_lines (ArmillaContours *self, double level)
{
  const gint32 n = self->across * self->down;
  Mesh mesh = { self, level, g_malloc (2 * (gsize) n * sizeof *mesh.links) };

  for (gint32 i = 0; i < 2 * n; i++)
    mesh.links[i][0] = mesh.links[i][1] = -1;
  for (gint32 y = 0; y + 1 < self->down; y++)
    for (gint32 x = 0; x + 1 < self->across; x++)
      join_cell (&mesh, y * self->across + x);
  for (int n_links = 1; n_links <= 2; n_links++)
    for (gint32 i = 0; i < 2 * n; i++)
      if ((mesh.links[i][0] >= 0) + (mesh.links[i][1] >= 0) == n_links)
        add_line (&mesh, i, self->lines);
  g_free (mesh.links);
}

/* Computes the lines of @n levels, at most ARMILLA_MAX_LEVELS; if @n is 0, of automatic round
 * levels. All pixels must have been stored. */
void
armilla_contours_end (ArmillaContours *self, const double *levels, int n)
{
  find_values (self);
  g_clear_pointer (&self->samples, armilla_sky_samples_free);
  g_clear_pointer (&self->weights, g_free);
  self->n_levels = n;
  if (n > 0)
    memcpy (self->levels, levels, sizeof *levels * (gsize) n);
  else
    choose_levels (self);
  self->lines = g_array_new (FALSE, FALSE, sizeof (ArmillaContourPoint));
  for (int i = 0; i < self->n_levels; i++)
    find_lines (self, self->levels[i]);
  g_clear_pointer (&self->values, g_free);
}

/* Returns the levels, after armilla_contours_end (). */
const double *
armilla_contours_levels (const ArmillaContours *self, int *n)
{
  *n = self->n_levels;
  return self->levels;
}

/* Returns all lines (ArmillaContourPoint) concatenated. */
const GArray *
armilla_contours_lines (const ArmillaContours *self)
{
  return self->lines;
}

/* Strokes each line separately, since cairo would compute intersections between all lines of a
 * path. */
static void
stroke_lines (const ArmillaContours *self, const ArmillaSkyBox *box, cairo_t *cr)
{
  const double size = self->step * box->width;

  cairo_new_path (cr);
  for (guint i = 0; i < self->lines->len; i++)
    {
      const ArmillaContourPoint *point = &g_array_index (self->lines, ArmillaContourPoint, i);

      if (point->begins)
        cairo_stroke (cr);
      cairo_line_to (cr, box->left + point->x * size, box->top + point->y * size);
    }
  cairo_stroke (cr);
}

/* Draws dark lines with a light rim; the caller clips to the outline of the sky. */
void
armilla_contours_draw (const ArmillaContours *self, const ArmillaSkyBox *box, double width,
                       cairo_t *cr)
{
  const double line = MAX (width / 800, 1);

  cairo_save (cr);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
  cairo_set_source_rgba (cr, 1, 1, 1, 0.65);
  cairo_set_line_width (cr, 2.6 * line);
  stroke_lines (self, box, cr);
  cairo_set_source_rgb (cr, 0, 0, 0);
  cairo_set_line_width (cr, line);
  stroke_lines (self, box, cr);
  cairo_restore (cr);
}

void
armilla_contours_free (ArmillaContours *self)
{
  if (self == NULL)
    return;
  armilla_sky_samples_free (self->samples);
  g_free (self->weights);
  g_free (self->values);
  g_clear_pointer (&self->lines, g_array_unref);
  g_free (self);
}
