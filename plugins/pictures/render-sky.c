/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/memory.h>
#include <math.h>
#include <string.h>

#include "core/grids/grid.h"
#include "plugins/pictures/sky-private.h"

struct _ArmillaSky {
  int width, height;
  ArmillaSkySamples *samples; /* values of the pixels at the points, one per point */
};

static gint64
nearest_ring (const double *theta, gint64 n, double wanted)
{
  gint64 low = 0, high = n - 1;

  while (high - low > 1)
    {
      gint64 middle = low + (high - low) / 2;

      if (theta[middle] < wanted)
        low = middle;
      else
        high = middle;
    }
  return wanted - theta[low] <= theta[high] - wanted ? low : high;
}

static gint64
find_pixel (const ArmillaGrid *grid, const double *theta, const double vector[3])
{
  const ArmillaRing *ring;
  double phi0, step, k;

  if (grid->kind == ARMILLA_GRID_HEALPIX)
    return armilla_healpix_vector_to_pixel (grid->nside, vector);
  ring = &grid->rings[nearest_ring (theta, grid->n_rings,
                                    atan2 (hypot (vector[0], vector[1]), vector[2]))];
  phi0 = ring->phi0_den > 0 ? G_PI * (double) ring->phi0_num / (double) ring->phi0_den
    : ring->phi0;
  step = 2 * G_PI / (double) ring->n_phi;
  k = fmod (rint ((atan2 (vector[1], vector[0]) - phi0) / step), (double) ring->n_phi);
  return ring->offset + (gint64) (k < 0 ? k + (double) ring->n_phi : k);
}

/* Arguments of the threads that find the pixel of each point, row by row. */
typedef struct {
  const ArmillaGrid *grid;
  const ArmillaProjection *projection;
  double frame[3][3], half_u, half_v;
  const double *theta; /* [ring]: colatitude */
  int width, height;
  gint64 *pixels; /* (height, width); -1: outside the sky */
} Search;

static void
find_rows (gpointer user, gint64 first, gint64 n)
{
  const Search *search = user;

  for (gint64 row = first; row < first + n; row++)
    {
      const double v = search->half_v * (1 - 2 * ((double) row + 0.5) / search->height);

      for (int column = 0; column < search->width; column++)
        {
          const double u = search->half_u * (2 * (column + 0.5) / search->width - 1);
          double vector[3];

          search->pixels[row * search->width + column]
            = armilla_projection_vector (search->projection, search->frame, u, v, vector)
                ? find_pixel (search->grid, search->theta, vector) : -1;
        }
    }
}

/* Returns a picture without values. Points on rings that the grid lacks stay UNSEEN. */
ArmillaSky *
armilla_sky_new_projection (ArmillaGrid *part, const ArmillaProjection *projection, int width,
                            GError **error)
{
  const ArmillaGrid *grid = armilla_grid_whole (part);
  const int height = armilla_projection_height (projection, width);
  const gint64 n = (gint64) width * height;
  g_autoptr (ArmillaSky) self = g_new0 (ArmillaSky, 1);
  g_autofree double *theta = armilla_try_new (double, grid->n_rings, "the rings of a map", error);
  g_autofree gint64 *pixels = NULL;
  Search search = { .grid = grid, .projection = projection, .theta = theta, .width = width,
                    .height = height };

  if (theta == NULL)
    return NULL;
  search.pixels = pixels = armilla_try_new (gint64, n, "the pixels of a picture", error);
  if (pixels == NULL)
    return NULL;
  self->width = width;
  self->height = height;
  for (gint64 i = 0; i < grid->n_rings; i++)
    theta[i] = atan2 (grid->rings[i].sin_theta, grid->rings[i].cos_theta);
  armilla_projection_frame (projection, search.frame);
  armilla_projection_extent (projection, &search.half_u, &search.half_v);
  armilla_in_threads (height, 16, find_rows, &search);
  self->samples = armilla_sky_samples_new (pixels, (gsize) n, grid->n_pixels, error);
  return self->samples != NULL ? g_steal_pointer (&self) : NULL;
}

/* Returns the bytes of a picture with @n_points points, and of the surface on which it is drawn. */
double
armilla_sky_bytes (double n_points)
{
  return n_points * (sizeof (ArmillaSkySample) + sizeof (double) + 4);
}

/* Replaces values by log10 (|value| / unit), or -@decades if that is larger. */
void
armilla_sky_to_decades (ArmillaSky *self, double unit, double decades)
{
  double *values = self->samples->values;

  for (gsize i = 0; i < self->samples->n; i++)
    if (!armilla_is_unseen (values[i]))
      values[i] = MAX (log10 (fabs (values[i]) / unit), -decades);
}

/* Stores those of the pixels from @first on that the picture shows. Thread-safe for different
 * pixels. */
void
armilla_sky_put (ArmillaSky *self, gint64 first, gint64 n, const double *pixels)
{
  armilla_sky_samples_put (self->samples, first, n, pixels);
}

/* Sets ends of the colour axis that are NaN, as armilla_colours_range () does. */
void
armilla_sky_colours (ArmillaSky *self, double percentile, ArmillaAxis *colours)
{
  const ArmillaSkySamples *samples = self->samples;
  g_autofree double *values = g_memdup2 (samples->values, samples->n * sizeof *values);

  armilla_colours_range (colours, values, samples->n, percentile);
}

/* Like armilla_sky_colours () for a linear axis. */
void
armilla_sky_range (ArmillaSky *self, double percentile, double *low, double *high)
{
  ArmillaAxis colours = { ARMILLA_SCALE_LINEAR, *low, *high, 1 };

  armilla_sky_colours (self, percentile, &colours);
  *low = colours.low;
  *high = colours.high;
}

/* Returns the picture, transparent outside the sky; points without data are grey. */
cairo_surface_t *
armilla_sky_paint_table (ArmillaSky *self, const double table[ARMILLA_PALETTE_SIZE][3],
                         const ArmillaAxis *colours)
{
  guint32 packed[ARMILLA_PALETTE_SIZE + 1];
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, self->width,
                                                         self->height);
  int stride = cairo_image_surface_get_stride (surface);
  guchar *data = cairo_image_surface_get_data (surface);

  armilla_colours_pack (table, packed);
  if (data == NULL)
    return surface;
  for (gsize i = 0; i < self->samples->n; i++)
    {
      const guint32 at = self->samples->samples[i].at;

      memcpy (data + (gsize) (at / (guint32) self->width) * (gsize) stride
              + 4 * (at % (guint32) self->width),
              &packed[armilla_colours_find (colours, self->samples->values[i])], 4);
    }
  cairo_surface_mark_dirty (surface);
  return surface;
}

/* Like armilla_sky_paint_table () with the colours of a palette on a linear axis. */
cairo_surface_t *
armilla_sky_paint (ArmillaSky *self, ArmillaPalette palette, double low, double high)
{
  const ArmillaAxis colours = { ARMILLA_SCALE_LINEAR, low, high, 1 };
  double table[ARMILLA_PALETTE_SIZE][3];

  armilla_palette_fill (palette, table);
  return armilla_sky_paint_table (self, (const double (*)[3]) table, &colours);
}

void
armilla_sky_free (ArmillaSky *self)
{
  if (self == NULL)
    return;
  armilla_sky_samples_free (self->samples);
  g_free (self);
}
