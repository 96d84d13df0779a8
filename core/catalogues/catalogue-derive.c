/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Derives catalogues from others: a subset of the objects, or all objects in other coordinates. */
#include "core/catalogues/catalogue.h"
#include "core/grids/grid.h"

#include <armilla/catalogue.h>

#include <math.h>

/* Returns a zeroed catalogue of @n objects with @parts, and with the coordinates, patches and
 * further columns of @self. */
static ArmillaCatalogue *
new_like (const ArmillaCatalogue *self, gint64 n, ArmillaCatalogueParts parts, GError **error)
{
  g_autoptr (ArmillaCatalogue) out = armilla_catalogue_new (n, parts, error);

  if (out == NULL)
    return NULL;
  out->coordsys = self->coordsys;
  out->n_patches = out->patch != NULL ? self->n_patches : 0;
  for (int i = 0; i < self->n_values && (parts & ARMILLA_CATALOGUE_VALUES); i++)
    if (armilla_catalogue_add_value (out, self->values[i].name, self->values[i].unit, error)
        == NULL)
      return NULL;
  return g_steal_pointer (&out);
}

/* Copies the objects @which; %NULL: all in their order. Either column may be absent. */
static void
take (double *to, const double *from, const gint64 *which, gint64 n)
{
  for (gint64 i = 0; to != NULL && from != NULL && i < n; i++)
    to[i] = from[which != NULL ? which[i] : i];
}

static void
take_all (ArmillaCatalogue *to, const ArmillaCatalogue *from, const gint64 *which)
{
  take (to->x, from->x, which, to->n);
  take (to->y, from->y, which, to->n);
  take (to->z, from->z, which, to->n);
  take (to->weight, from->weight, which, to->n);
  take (to->g1, from->g1, which, to->n);
  take (to->g2, from->g2, which, to->n);
  for (gint64 i = 0; to->patch != NULL && from->patch != NULL && i < to->n; i++)
    to->patch[i] = from->patch[which != NULL ? which[i] : i];
  for (int k = 0; k < to->n_values; k++)
    take (to->values[k].value, from->values[k].value, which, to->n);
}

/* Returns a catalogue of the objects @which, in that order, or NULL with ARMILLA_ERROR_MEMORY. */
ArmillaCatalogue *
armilla_catalogue_select (const ArmillaCatalogue *self, const gint64 *which, gint64 n,
                          GError **error)
{
  ArmillaCatalogue *out = new_like (self, n, armilla_catalogue_parts (self), error);

  if (out != NULL)
    take_all (out, self, which);
  return out;
}

/* Returns a copy of the objects with positions and @parts; NULL on error. Weights, shears and
 * patches that @self lacks are 0. */
ArmillaCatalogue *
armilla_catalogue_copy (const ArmillaCatalogue *self, ArmillaCatalogueParts parts, GError **error)
{
  ArmillaCatalogue *out = new_like (self, self->n, parts, error);

  if (out != NULL)
    take_all (out, self, NULL);
  return out;
}

/* Returns the same objects, patches and coordinates with weights that are multiplied by the values,
 * and so may be negative. NULL with ARMILLA_ERROR_MEMORY. */
ArmillaCatalogue *
armilla_catalogue_weigh (const ArmillaCatalogue *self, const double *values, GError **error)
{
  const ArmillaCatalogueParts parts
    = ARMILLA_CATALOGUE_WEIGHT | (armilla_catalogue_parts (self) & ARMILLA_CATALOGUE_PATCH);
  ArmillaCatalogue *out = new_like (self, self->n, parts, error);

  if (out == NULL)
    return NULL;
  take_all (out, self, NULL);
  for (gint64 i = 0; i < self->n; i++)
    {
      const double w = self->weight != NULL ? self->weight[i] : 1;

      out->weight[i] = w > 0 ? w * values[i] : 0;
    }
  return out;
}

/* Computes the directions of north and east, times r instead of unit length, so that a pole needs
 * no division. */
static void
basis (const double v[3], double north[3], double east[3])
{
  double r2 = v[0] * v[0] + v[1] * v[1];

  if (r2 == 0)
    {
      north[0] = v[2] > 0 ? -1 : 1;
      north[1] = north[2] = 0;
      east[0] = east[2] = 0;
      east[1] = 1;
      return;
    }
  north[0] = -v[0] * v[2];
  north[1] = -v[1] * v[2];
  north[2] = r2;
  east[0] = -v[1];
  east[1] = v[0];
  east[2] = 0;
}

static void
turn (const double m[3][3], const double v[3], double out[3])
{
  for (int i = 0; i < 3; i++)
    out[i] = (m[i][0] * v[0] + m[i][1] * v[1]) + m[i][2] * v[2];
}

static double
dot (const double a[3], const double b[3])
{
  return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

/* Rotates a shear, |g| exp (2 i psi), to the new basis. The old north is at angle a from the new
 * north, towards the new east: psi becomes psi + a. */
static void
turn_shear (const double m[3][3], const double v[3], const double u[3], double *g1, double *g2)
{
  double north[3], east[3], new_north[3], new_east[3], old[3], c, s, length, c2, s2, h1;

  basis (v, north, east);
  turn (m, north, old);
  basis (u, new_north, new_east);
  c = dot (old, new_north);
  s = dot (old, new_east);
  length = c * c + s * s;
  c2 = (c * c - s * s) / length;
  s2 = 2 * c * s / length;
  h1 = *g1;
  *g1 = h1 * c2 - *g2 * s2;
  *g2 = h1 * s2 + *g2 * c2;
}

/* Computes R = Rz (phi) Ry (theta) Rz (psi), which rotates vectors as defined by
 * armilla_coordinates_angles(). */
static void
matrix_of (const double angles[3], double m[3][3])
{
  double cp = cos (angles[0]), sp = sin (angles[0]);
  double ct = cos (angles[1]), st = sin (angles[1]);
  double cf = cos (angles[2]), sf = sin (angles[2]);
  const double r[3][3] = { { cf * ct * cp - sf * sp, -cf * ct * sp - sf * cp, cf * st },
                           { sf * ct * cp + cf * sp, -sf * ct * sp + cf * cp, sf * st },
                           { -st * cp, st * sp, ct } };

  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      m[i][j] = r[i][j];
}

/* Returns the same objects in other coordinates, shears in the new basis; @self itself if it has
 * these coordinates already; NULL on error. */
ArmillaCatalogue *
armilla_catalogue_rotate (const ArmillaCatalogue *self, char to, GError **error)
{
  ArmillaCatalogue *out;
  double angles[3], m[3][3];

  if (!armilla_coordinates_angles (self->coordsys, to, angles, error))
    return NULL;
  if (self->coordsys == to)
    return armilla_catalogue_ref ((ArmillaCatalogue *) self);
  out = armilla_catalogue_copy (self, armilla_catalogue_parts (self), error);
  if (out == NULL)
    return NULL;
  matrix_of (angles, m);
  out->coordsys = to;
  for (gint64 i = 0; i < self->n; i++)
    {
      const double v[3] = { self->x[i], self->y[i], self->z[i] };
      double u[3], length;

      turn (m, v, u);
      length = sqrt (dot (u, u));
      for (int k = 0; k < 3; k++)
        u[k] /= length;
      out->x[i] = u[0];
      out->y[i] = u[1];
      out->z[i] = u[2];
      if (out->g1 != NULL)
        turn_shear (m, v, u, &out->g1[i], &out->g2[i]);
    }
  return out;
}
