/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "plugins/render-private.h"

/* A point of the picture and the pixel of the map that it shows. */
typedef struct {
  gint64 pixel;
  guint32 at;
} Sample;

struct _ArmillaSky {
  int width, height;
  gsize n;
  Sample *samples;  /* by pixel */
  double *values;   /* of each sample */
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
find_pixel (const ArmillaGrid *grid, const double *theta, double longitude, double latitude)
{
  const ArmillaRing *ring;
  double phi0, step, k;

  if (grid->kind == ARMILLA_GRID_HEALPIX)
    {
      double vector[3] = { cos (latitude) * cos (longitude), cos (latitude) * sin (longitude),
                           sin (latitude) };

      return armilla_healpix_vector_to_pixel (grid->nside, vector);
    }
  ring = &grid->rings[nearest_ring (theta, grid->n_rings, G_PI / 2 - latitude)];
  phi0 = ring->phi0_den > 0 ? G_PI * (double) ring->phi0_num / (double) ring->phi0_den
    : ring->phi0;
  step = 2 * G_PI / (double) ring->n_phi;
  k = fmod (rint ((longitude - phi0) / step), (double) ring->n_phi);
  return ring->offset + (gint64) (k < 0 ? k + (double) ring->n_phi : k);
}

static int
compare_samples (gconstpointer a, gconstpointer b)
{
  gint64 x = ((const Sample *) a)->pixel, y = ((const Sample *) b)->pixel;

  return x < y ? -1 : x > y;
}

/* Centre of a point of the picture to the sphere; FALSE outside of the ellipse. Longitude grows to
 * the left, as seen from inside the sphere. */
static gboolean
point_to_sphere (const ArmillaSky *self, int column, int row, double centre, double *longitude,
                 double *latitude)
{
  double x = 4 * (column + 0.5) / self->width - 2;
  double y = 1 - 2 * (row + 0.5) / self->height;
  double t;

  if (x * x / 4 + y * y >= 1)
    return FALSE;
  t = asin (y);
  *latitude = asin (CLAMP ((2 * t + sin (2 * t)) / G_PI, -1, 1));
  *longitude = centre - G_PI * x / (2 * cos (t));
  return TRUE;
}

/**
 * armilla_sky_new:
 * @part: grid of the map
 * @width: width of the ellipse in points; it is half as high
 * @centre: longitude in the middle, radian
 *
 * Returns: (transfer full): a picture that waits for its pixels; those of rings that the grid
 *   leaves out never come
 */
ArmillaSky *
armilla_sky_new (ArmillaGrid *part, int width, double centre)
{
  const ArmillaGrid *grid = armilla_grid_whole (part);
  ArmillaSky *self = g_new0 (ArmillaSky, 1);
  g_autofree double *theta = g_new (double, grid->n_rings);

  self->width = width;
  self->height = width / 2;
  for (gint64 i = 0; i < grid->n_rings; i++)
    theta[i] = atan2 (grid->rings[i].sin_theta, grid->rings[i].cos_theta);
  self->samples = g_new (Sample, (gsize) self->width * (gsize) self->height);
  for (int row = 0; row < self->height; row++)
    for (int column = 0; column < self->width; column++)
      {
        double longitude, latitude;

        if (!point_to_sphere (self, column, row, centre, &longitude, &latitude))
          continue;
        self->samples[self->n].pixel = find_pixel (grid, theta, longitude, latitude);
        self->samples[self->n++].at = (guint32) row * (guint32) self->width + (guint32) column;
      }
  qsort (self->samples, self->n, sizeof (Sample), compare_samples);
  self->values = g_new (double, self->n);
  for (gsize i = 0; i < self->n; i++)
    self->values[i] = ARMILLA_UNSEEN;
  return self;
}

/* North is up, east to the left, as seen from inside the sphere. */
static void
patch_to_sphere (const ArmillaPatch *patch, double x, double y, double *longitude,
                 double *latitude)
{
  const double s = sin (patch->latitude), c = cos (patch->latitude);
  const double up = c * y + s, ahead = c - s * y; /* of a point at distance 1 */

  *longitude = patch->longitude + atan2 (-x, ahead);
  *latitude = atan2 (up, hypot (ahead, x));
}

/**
 * armilla_sky_new_patch:
 * @part: grid of the map
 * @patch: what to show: a gnomonic picture of a square
 * @width: its width in points
 *
 * Returns: (transfer full): a picture that waits for its pixels
 */
ArmillaSky *
armilla_sky_new_patch (ArmillaGrid *part, const ArmillaPatch *patch, int width)
{
  const ArmillaGrid *grid = armilla_grid_whole (part);
  const double scale = 2 * tan (0.5 * patch->size) / width;
  ArmillaSky *self = g_new0 (ArmillaSky, 1);
  g_autofree double *theta = g_new (double, grid->n_rings);

  self->width = self->height = width;
  for (gint64 i = 0; i < grid->n_rings; i++)
    theta[i] = atan2 (grid->rings[i].sin_theta, grid->rings[i].cos_theta);
  self->samples = g_new (Sample, (gsize) width * (gsize) width);
  for (int row = 0; row < width; row++)
    for (int column = 0; column < width; column++)
      {
        double longitude, latitude;

        patch_to_sphere (patch, scale * (column + 0.5 - 0.5 * width),
                         scale * (0.5 * width - row - 0.5), &longitude, &latitude);
        self->samples[self->n].pixel = find_pixel (grid, theta, longitude, latitude);
        self->samples[self->n++].at = (guint32) row * (guint32) width + (guint32) column;
      }
  qsort (self->samples, self->n, sizeof (Sample), compare_samples);
  self->values = g_new (double, self->n);
  for (gsize i = 0; i < self->n; i++)
    self->values[i] = ARMILLA_UNSEEN;
  return self;
}

/**
 * armilla_sky_to_decades:
 * @self: a picture with its pixels
 * @unit: what counts as 1
 * @decades: how far down
 *
 * Values become log10 (|value| / @unit), at least -@decades.
 */
void
armilla_sky_to_decades (ArmillaSky *self, double unit, double decades)
{
  for (gsize i = 0; i < self->n; i++)
    if (!armilla_is_unseen (self->values[i]))
      self->values[i] = MAX (log10 (fabs (self->values[i]) / unit), -decades);
}

/**
 * armilla_sky_put:
 * @self: a picture
 * @first: number of the first pixel
 * @n: number of pixels
 * @pixels: (array length=n): their values
 *
 * Keeps what the picture shows of these pixels. Calls for different pixels may run side by side.
 */
void
armilla_sky_put (ArmillaSky *self, gint64 first, gint64 n, const double *pixels)
{
  gsize low = 0, high = self->n;

  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (self->samples[middle].pixel < first)
        low = middle + 1;
      else
        high = middle;
    }
  for (; low < self->n && self->samples[low].pixel < first + n; low++)
    self->values[low] = pixels[self->samples[low].pixel - first];
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

/**
 * armilla_sky_range:
 * @self: a picture with its pixels
 * @percentile: share of the points, in percent, to leave out at either end
 * @low: (inout): lower end of the colours; set where it is NaN
 * @high: (inout): upper end of the colours; set where it is NaN
 *
 * Points without data do not count. The range is widened where it would be empty.
 */
void
armilla_sky_range (ArmillaSky *self, double percentile, double *low, double *high)
{
  g_autofree double *seen = g_new (double, self->n);
  gsize n = 0;

  for (gsize i = 0; i < self->n; i++)
    if (isfinite (self->values[i]) && !armilla_is_unseen (self->values[i]))
      seen[n++] = self->values[i];
  qsort (seen, n, sizeof *seen, compare_doubles);
  if (isnan (*low))
    *low = n > 0 ? seen[(gsize) floor (percentile / 100 * (double) (n - 1))]
      : isnan (*high) ? 0 : *high - 1;
  if (isnan (*high))
    *high = n > 0 ? seen[(gsize) ceil ((1 - percentile / 100) * (double) (n - 1))] : *low + 1;
  if (!(*high > *low))
    {
      double margin = *low != 0 ? fabs (*low) * 0.01 : 1;

      *high = *low + margin;
      *low = *low - margin;
    }
}

static guint32
pack (const double rgb[3])
{
  return 0xff000000u | (guint32) lrint (rgb[0] * 255) << 16 | (guint32) lrint (rgb[1] * 255) << 8
    | (guint32) lrint (rgb[2] * 255);
}

/**
 * armilla_sky_paint:
 * @self: a picture with its pixels
 * @palette: colours
 * @low: value of the first colour
 * @high: value of the last colour, above @low
 *
 * Returns: (transfer full): the ellipse, transparent around it; points without data are grey
 */
cairo_surface_t *
armilla_sky_paint (ArmillaSky *self, ArmillaPalette palette, double low, double high)
{
  const double bad[3] = { ARMILLA_UNSEEN_LEVEL, ARMILLA_UNSEEN_LEVEL, ARMILLA_UNSEEN_LEVEL };
  double table[ARMILLA_PALETTE_SIZE][3];
  guint32 colours[ARMILLA_PALETTE_SIZE];
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, self->width,
                                                         self->height);
  int stride = cairo_image_surface_get_stride (surface);
  guchar *data = cairo_image_surface_get_data (surface);

  armilla_palette_fill (palette, table);
  for (int i = 0; i < ARMILLA_PALETTE_SIZE; i++)
    colours[i] = pack (table[i]);
  if (data == NULL)
    return surface;
  for (gsize i = 0; i < self->n; i++)
    {
      double value = self->values[i];
      double t = (value - low) / (high - low) * ARMILLA_PALETTE_SIZE;
      guint32 at = self->samples[i].at;
      guint32 colour = !isfinite (value) || armilla_is_unseen (value) ? pack (bad)
        : colours[(int) CLAMP (t, 0, ARMILLA_PALETTE_SIZE - 1)];

      memcpy (data + (gsize) (at / (guint32) self->width) * (gsize) stride
              + 4 * (at % (guint32) self->width), &colour, 4);
    }
  cairo_surface_mark_dirty (surface);
  return surface;
}

/**
 * armilla_sky_free:
 * @self: (transfer full) (nullable): a picture
 */
void
armilla_sky_free (ArmillaSky *self)
{
  if (self == NULL)
    return;
  g_free (self->samples);
  g_free (self->values);
  g_free (self);
}

/**
 * armilla_mollweide:
 * @longitude: from the middle of the picture, radian, -pi..pi
 * @latitude: radian, -pi/2..pi/2
 * @x: (out): from -2 (longitude pi) to 2 (longitude -pi)
 * @y: (out): from -1 (south) to 1 (north)
 *
 * Solves 2 t + sin 2 t = pi sin(latitude) by Newton's method: x = -2 longitude cos t / pi and
 * y = sin t.
 */
void
armilla_mollweide (double longitude, double latitude, double *x, double *y)
{
  double t = latitude;

  for (int i = 0; i < 50; i++)
    {
      double f = 2 * t + sin (2 * t) - G_PI * sin (latitude);
      double slope = 2 + 2 * cos (2 * t);

      if (slope < 1e-12)
        break;
      t -= f / slope;
      if (fabs (f) < 1e-12)
        break;
    }
  t = CLAMP (t, -G_PI / 2, G_PI / 2);
  *x = -2 * longitude * cos (t) / G_PI;
  *y = sin (t);
}
