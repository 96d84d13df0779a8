/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Projections (Snyder 1987) of the sky as seen from inside. A point of a picture is (u, v) with the
 * origin at the centre, u to the right and v up; directions are rotated to a frame whose first axis
 * points to the centre of the picture, the second to the left (east) and the third up. */
#include <math.h>

#include "plugins/pictures/sky-private.h"

/* Gap between the two hemispheres, in units of their radius. */
#define APART 0.06

/* Returns half the width and half the height of a picture. */
void
armilla_projection_extent (const ArmillaProjection *self, double *u, double *v)
{
  switch (self->kind)
    {
    case ARMILLA_PROJECTION_MOLLWEIDE:
      *u = 2;
      *v = 1;
      break;
    case ARMILLA_PROJECTION_HEMISPHERES:
      *u = 2 + APART / 2;
      *v = 1;
      break;
    case ARMILLA_PROJECTION_GNOMONIC:
      *u = *v = tan (self->size / 2);
      break;
    case ARMILLA_PROJECTION_CARTESIAN:
      if (self->width > 0)
        {
          *u = self->width / 2;
          *v = self->height / 2;
          break;
        }
      *u = self->size > 0 ? self->size / 2 : G_PI;
      *v = self->size > 0 ? MIN (self->size / 2, G_PI / 2) : G_PI / 2;
      break;
    default:
      *u = *v = 1;
    }
}

/* Returns whether the picture has straight edges, which can carry axes. */
gboolean
armilla_projection_is_square (const ArmillaProjection *self)
{
  return self->kind == ARMILLA_PROJECTION_GNOMONIC || self->kind == ARMILLA_PROJECTION_CARTESIAN;
}

int
armilla_projection_height (const ArmillaProjection *self, int width)
{
  double u, v;

  armilla_projection_extent (self, &u, &v);
  return MAX ((int) floor (width * v / u + 1e-9), 1);
}

/* Computes the axes of the picture's frame, as rows of a matrix. */
void
armilla_projection_frame (const ArmillaProjection *self, double frame[3][3])
{
  const double sin_b = sin (self->latitude), cos_b = cos (self->latitude);
  const double sin_l = sin (self->longitude), cos_l = cos (self->longitude);
  const double rows[3][3] = { { cos_b * cos_l, cos_b * sin_l, sin_b },
                              { -sin_l, cos_l, 0 },
                              { -sin_b * cos_l, -sin_b * sin_l, cos_b } };

  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      frame[i][k] = rows[i][k];
}

static void
from_angles (double longitude, double latitude, double local[3])
{
  local[0] = cos (latitude) * cos (longitude);
  local[1] = cos (latitude) * sin (longitude);
  local[2] = sin (latitude);
}

static gboolean
from_mollweide (double u, double v, double local[3])
{
  const double t = asin (CLAMP (v, -1, 1));
  double across, longitude;

  if (u * u / 4 + v * v >= 1)
    return FALSE;
  local[2] = CLAMP ((2 * t + 2 * v * cos (t)) / G_PI, -1, 1);
  across = sqrt (1 - local[2] * local[2]);
  longitude = -G_PI * u / (2 * cos (t));
  local[0] = across * cos (longitude);
  local[1] = across * sin (longitude);
  return TRUE;
}

/* Returns the direction at a point of an orthographic picture; @far: of the hemisphere opposite to
 * the centre. */
static gboolean
from_orthographic (double u, double v, gboolean far, double local[3])
{
  const double square = 1 - u * u - v * v;

  if (square <= 0)
    return FALSE;
  local[0] = far ? -sqrt (square) : sqrt (square);
  local[1] = far ? u : -u;
  local[2] = v;
  return TRUE;
}

/* Finds the direction (a vector of any length) at a point of a picture; FALSE if the point is not
 * on the sky. */
gboolean
armilla_projection_vector (const ArmillaProjection *self, const double frame[3][3], double u,
                           double v, double vector[3])
{
  const double middle = 1 + APART / 2;
  double local[3] = { 1, -u, v };
  gboolean seen = TRUE;

  if (self->kind == ARMILLA_PROJECTION_MOLLWEIDE)
    seen = from_mollweide (u, v, local);
  else if (self->kind == ARMILLA_PROJECTION_ORTHOGRAPHIC)
    seen = from_orthographic (u, v, FALSE, local);
  else if (self->kind == ARMILLA_PROJECTION_HEMISPHERES)
    seen = from_orthographic (u < 0 ? u + middle : u - middle, v, u >= 0, local);
  else if (self->kind == ARMILLA_PROJECTION_CARTESIAN)
    from_angles (-u, v + self->middle, local);
  for (int k = 0; k < 3; k++)
    vector[k] = local[0] * frame[0][k] + local[1] * frame[1][k] + local[2] * frame[2][k];
  return seen;
}

/* Computes the Mollweide projection: x = -2 longitude cos t / pi, from -2 (longitude pi) to 2, and
 * y = sin t, where 2 t + sin 2 t = pi sin (latitude) is solved by Newton's method. The longitude,
 * -pi to pi, is relative to the centre. */
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

/* Projects a unit vector to a point, possibly outside the picture; FALSE if the projection does not
 * show it. */
gboolean
armilla_projection_point (const ArmillaProjection *self, const double frame[3][3],
                          const double vector[3], double *u, double *v)
{
  double local[3];

  for (int i = 0; i < 3; i++)
    local[i] = frame[i][0] * vector[0] + frame[i][1] * vector[1] + frame[i][2] * vector[2];
  *u = -local[1];
  *v = local[2];
  switch (self->kind)
    {
    case ARMILLA_PROJECTION_MOLLWEIDE:
      armilla_mollweide (atan2 (local[1], local[0]), atan2 (local[2], hypot (local[0], local[1])),
                         u, v);
      return TRUE;
    case ARMILLA_PROJECTION_HEMISPHERES:
      *u = local[0] >= 0 ? -local[1] - (1 + APART / 2) : local[1] + 1 + APART / 2;
      return TRUE;
    case ARMILLA_PROJECTION_GNOMONIC:
      *u = -local[1] / local[0];
      *v = local[2] / local[0];
      return local[0] > 1e-6;
    case ARMILLA_PROJECTION_CARTESIAN:
      *u = -atan2 (local[1], local[0]);
      *v = atan2 (local[2], hypot (local[0], local[1])) - self->middle;
      return TRUE;
    default:
      return local[0] >= 0;
    }
}
