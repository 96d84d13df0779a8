/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Positions in space: a direction and a column of distances, or columns x, y and z of a box. */
#include <math.h>

#include "core/catalogues/catalogue.h"
#include "core/catalogues/cosmology.h"

/* Periodic positions are multiples of 2^-PERIOD_BITS of a power of two that is at least the
 * period: then differences and displacements are exact. */
#define PERIOD_BITS 51
/* squares of squares of coordinates are finite */
#define COORDINATE_MAX 1e60

static const char *const axes[3] = { "x", "y", "z" };

/* Returns whether the objects have columns x, y and z, and no distances. */
gboolean
armilla_catalogue_is_box (const ArmillaCatalogue *self)
{
  return self->coordsys == 0 && armilla_catalogue_value (self, ARMILLA_DISTANCE) == NULL
         && armilla_catalogue_value (self, axes[0]) != NULL
         && armilla_catalogue_value (self, axes[1]) != NULL
         && armilla_catalogue_value (self, axes[2]) != NULL;
}

gboolean
armilla_catalogue_has_positions (const ArmillaCatalogue *self)
{
  return armilla_catalogue_value (self, ARMILLA_DISTANCE) != NULL
         || armilla_catalogue_is_box (self);
}

static gboolean
bad_value (gint64 object, const char *what, double value, const char *limit, GError **error)
{
  return armilla_fail (error, isfinite (value) ? ARMILLA_ERROR_VALUE : ARMILLA_ERROR_NUMERIC,
                       "object %" G_GINT64_FORMAT ": %s is %.12g; it must be %s", object + 1, what,
                       value, limit);
}

/* Sets the directions of positions in a box, and copies x, y and z to @to. The direction of the
 * origin is that of the z axis. ARMILLA_ERROR_NUMERIC or ARMILLA_ERROR_VALUE with the number of the
 * object. */
gboolean
armilla_catalogue_set_box (ArmillaCatalogue *self, gint64 first, gint64 n, const double *x,
                           const double *y, const double *z, double *const to[3], GError **error)
{
  const double *const from[3] = { x, y, z };

  for (gint64 i = 0; i < n; i++)
    {
      double length;

      for (int k = 0; k < 3; k++)
        {
          if (!(fabs (from[k][i]) <= COORDINATE_MAX))
            return bad_value (first + i, axes[k], from[k][i], "finite, and at most 1e60", error);
          to[k][first + i] = from[k][i];
        }
      length = hypot (hypot (x[i], y[i]), z[i]);
      self->x[first + i] = length > 0 ? x[i] / length : 0;
      self->y[first + i] = length > 0 ? y[i] / length : 0;
      self->z[first + i] = length > 0 ? z[i] / length : 1;
    }
  return TRUE;
}

static gboolean
from_distances (const ArmillaCatalogue *self, ArmillaCatalogue *out, GError **error)
{
  const double *distance = armilla_catalogue_value (self, ARMILLA_DISTANCE)->value;

  for (gint64 i = 0; i < self->n; i++)
    {
      if (!(distance[i] >= 0 && distance[i] <= COORDINATE_MAX))
        return bad_value (i, "the distance", distance[i], "from 0 to 1e60", error);
      out->x[i] = distance[i] * self->x[i];
      out->y[i] = distance[i] * self->y[i];
      out->z[i] = distance[i] * self->z[i];
    }
  return TRUE;
}

/* Checks that all coordinates are within one period, which may begin anywhere from minus a period
 * to 0, and rounds them. */
static gboolean
fit_period (double *at, gint64 n, int axis, double period, GError **error)
{
  double low = INFINITY, high = -INFINITY, unit;
  int exponent;

  for (gint64 i = 0; i < n; i++)
    {
      low = MIN (low, at[i]);
      high = MAX (high, at[i]);
    }
  if (n > 0 && !(high - low <= period && low >= -period && high <= period))
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "%s is from %.12g to %.12g, but the side of the box is %.12g; all objects "
                         "must be within one period, such as from 0 to %.12g", axes[axis], low,
                         high, period, period);
  (void) frexp (period, &exponent);
  unit = ldexp (1, exponent - PERIOD_BITS);
  for (gint64 i = 0; i < n; i++)
    at[i] = rint (at[i] / unit) * unit;
  return TRUE;
}

/* Returns (transfer full) the objects with their positions in space, instead of directions, in x, y
 * and z, without shears and values. @period: lengths after which positions repeat; 0: they do not.
 * NULL with ARMILLA_ERROR_SHAPE (no distances), ARMILLA_ERROR_VALUE, ARMILLA_ERROR_NUMERIC or
 * ARMILLA_ERROR_MEMORY. */
ArmillaCatalogue *
armilla_catalogue_positions (const ArmillaCatalogue *self, const double period[3], GError **error)
{
  const ArmillaCatalogueParts parts
    = armilla_catalogue_parts (self) & (ARMILLA_CATALOGUE_WEIGHT | ARMILLA_CATALOGUE_PATCH);
  g_autoptr (ArmillaCatalogue) out = NULL;

  if (!armilla_catalogue_has_positions (self))
    return armilla_fail_null (error, ARMILLA_ERROR_SHAPE, "there is no column of distances");
  out = armilla_catalogue_copy (self, parts, error);
  if (out == NULL)
    return NULL;
  if (!armilla_catalogue_is_box (self))
    return from_distances (self, out, error) ? g_steal_pointer (&out) : NULL;
  for (int k = 0; k < 3; k++)
    {
      double *const to = k == 0 ? out->x : k == 1 ? out->y : out->z;
      const double *from = armilla_catalogue_value (self, axes[k])->value;

      for (gint64 i = 0; i < self->n; i++)
        {
          if (!(fabs (from[i]) <= COORDINATE_MAX))
            {
              (void) bad_value (i, axes[k], from[i], "finite, and at most 1e60", error);
              return NULL;
            }
          to[i] = from[i];
        }
      if (period[k] > 0 && !fit_period (to, self->n, k, period[k], error))
        return NULL;
    }
  return g_steal_pointer (&out);
}
