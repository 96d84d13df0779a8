/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws the objects of catalogues on a map. */
#include <math.h>
#include <string.h>

#include "plugins/pictures/sky-private.h"

/* Number of cells along each side of a point of the picture. */
#define FINE 4

/* Maximum and minimum radius of a marker in widths of the picture, and fraction of the sky that
 * markers may cover before they become smaller. */
#define MAX_RADIUS 0.0042
#define MIN_RADIUS 0.0007
#define COVER 0.06

/* Number of markers that are filled by one call of cairo. */
#define AT_ONCE 200

/* Width of the light rim, in units of a marker's radius. */
#define RIM 0.4

struct _ArmillaSkyMarks {
  ArmillaProjection projection;
  double frame[3][3], half_u, half_v;
  ArmillaMark mark;
  double colour[3];
  gint64 width, height; /* in cells */
  gint64 n;             /* number of occupied cells */
  guint8 *taken;        /* one bit per cell: whether an object is in it */
};

/* Returns marks without objects. They store a bit per cell of the picture instead of the objects:
 * objects in the same cell are drawn once. */
ArmillaSkyMarks *
armilla_sky_marks_new (const ArmillaProjection *projection, const ArmillaSkyBox *box,
                       ArmillaMark mark, const double colour[3])
{
  ArmillaSkyMarks *self = g_new0 (ArmillaSkyMarks, 1);

  self->projection = *projection;
  armilla_projection_frame (&self->projection, self->frame);
  armilla_projection_extent (&self->projection, &self->half_u, &self->half_v);
  self->mark = mark;
  memcpy (self->colour, colour, sizeof self->colour);
  self->width = (gint64) FINE * box->width;
  self->height = (gint64) FINE * box->height;
  self->taken = g_malloc0 ((gsize) (self->width * self->height / 8 + 1));
  return self;
}

/* Returns the bytes of the marks in a picture of n_points points. */
double
armilla_sky_marks_bytes (double n_points)
{
  return n_points * FINE * FINE / 8;
}

/* Adds the objects that are visible. @x, @y, @z: unit vectors in the map's coordinates */
void
armilla_sky_marks_put (ArmillaSkyMarks *self, gint64 n, const double *x, const double *y,
                       const double *z)
{
  for (gint64 i = 0; i < n; i++)
    {
      const double vector[3] = { x[i], y[i], z[i] };
      gint64 column, row, at;
      double u, v;

      if (!armilla_projection_point (&self->projection, self->frame, vector, &u, &v)
          || !(fabs (u) < self->half_u && fabs (v) < self->half_v))
        continue;
      column = (gint64) ((u / self->half_u + 1) / 2 * (double) self->width);
      row = (gint64) ((1 - v / self->half_v) / 2 * (double) self->height);
      at = MIN (row, self->height - 1) * self->width + MIN (column, self->width - 1);
      self->n += !(self->taken[at / 8] >> at % 8 & 1);
      self->taken[at / 8] |= (guint8) (1u << at % 8);
    }
}

gint64
armilla_sky_marks_count (const ArmillaSkyMarks *self)
{
  return self->n;
}

/* Fills markers in batches, since each call to cairo has a fixed cost. */
static void
fill_all (const ArmillaSkyMarks *self, const ArmillaSkyBox *box, double radius, cairo_t *cr)
{
  int waiting = 0;

  cairo_new_path (cr);
  for (gint64 at = 0; at < self->width * self->height; at++)
    {
      if (self->taken[at / 8] == 0)
        at |= 7; /* skip eight empty cells */
      else if (self->taken[at / 8] >> at % 8 & 1)
        {
          armilla_mark_path (cr, self->mark,
                             box->left + ((double) (at % self->width) + 0.5) / FINE,
                             box->top + ((double) (at / self->width) + 0.5) / FINE, radius);
          if (++waiting % AT_ONCE == 0)
            cairo_fill (cr);
        }
    }
  cairo_fill (cr);
}

/* Draws markers with a light rim, visible on dark colours; the caller clips to the outline. */
void
armilla_sky_marks_draw (const ArmillaSkyMarks *self, const ArmillaSkyBox *box, double width,
                        cairo_t *cr)
{
  const double fair = sqrt (COVER * box->width * box->height / (G_PI * (double) MAX (self->n, 1)));
  const double radius = CLAMP (fair, MIN_RADIUS * width, MAX_RADIUS * width);

  cairo_set_source_rgb (cr, 1, 1, 1);
  fill_all (self, box, radius * (1 + RIM), cr);
  cairo_set_source_rgb (cr, self->colour[0], self->colour[1], self->colour[2]);
  fill_all (self, box, radius, cr);
}

void
armilla_sky_marks_free (ArmillaSkyMarks *self)
{
  if (self == NULL)
    return;
  g_free (self->taken);
  g_free (self);
}
