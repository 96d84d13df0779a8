/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/catalogue.h>

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/base/double-double.h"
#include "core/catalogues/catalogue.h"

/* Deviation from unit length up to which vectors are normalised: files in float32 round each
 * component by 6e-8. */
#define LENGTH_TOLERANCE 1e-3
/* Number of quarter turns up to which their products with units per quarter turn are exact, and
 * with them the differences to angles. */
#define EXACT_QUARTERS 1e9

static const struct {
  ArmillaAngleUnit unit;
  const char *noun;
  double quarter; /* units of a quarter turn; exact except for radian */
  const char *names;
} units[] = {
  { ARMILLA_ANGLE_RAD, "rad", G_PI_2, "rad radian radians" },
  { ARMILLA_ANGLE_DEG, "deg", 90, "deg degree degrees d \xc2\xb0" },
  { ARMILLA_ANGLE_ARCMIN, "arcmin", 5400, "arcmin amin arcminute arcminutes" },
  { ARMILLA_ANGLE_ARCSEC, "arcsec", 324000, "arcsec asec arcsecond arcseconds" },
  { ARMILLA_ANGLE_HOUR, "h", 6, "h hr hour hours hourangle" },
};

/* Parses a unit of angle, as in FITS files (TUNIT) or given by users; FALSE if it is unknown.
 * @text: name of the unit; @unit: the result. */
gboolean
armilla_angle_unit_parse (const char *text, ArmillaAngleUnit *unit, GError **error)
{
  g_autofree char *trimmed = g_strstrip (g_strdup (text));

  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    {
      g_auto (GStrv) names = g_strsplit (units[i].names, " ", -1);

      for (char **name = names; *name != NULL; name++)
        if (g_ascii_strcasecmp (*name, trimmed) == 0)
          {
            *unit = units[i].unit;
            return TRUE;
          }
    }
  return armilla_fail (error, ARMILLA_ERROR_UNKNOWN,
                       "\"%s\" is not a unit of angle; must be one of rad, deg, arcmin, arcsec, h",
                       trimmed);
}

/* Reduction of angles of a unit. */
typedef struct {
  gboolean radian;
  double quarter, inverse;      /* units of a quarter turn, and their reciprocal */
  double radians, radians_low;  /* radians per unit, as a sum of two numbers */
  double radians_1, radians_2;  /* radians, as a sum of two numbers of half the digits */
} Reduction;

/* Dekker's splitting: returns the upper half of the digits. */
static inline double
upper_half (double x)
{
  const double scaled = 134217729.0 * x; /* 2^27 + 1 */

  return scaled - (scaled - x);
}

static Reduction
reduction_of (ArmillaAngleUnit unit)
{
  static const ArmillaDd pi = { 3.141592653589793116, 1.2246467991473532e-16 };
  const double quarter = units[unit].quarter, high = pi.hi / (2 * quarter);

  return (Reduction) { unit == ARMILLA_ANGLE_RAD, quarter, 1 / quarter, high,
                       (fma (-high, 2 * quarter, pi.hi) + pi.lo) / (2 * quarter),
                       upper_half (high), high - upper_half (high) };
}

/* Sine and cosine of x + low, |x| <= pi / 4: Chebyshev series of (sin x - x) / x^3 and of
 * (cos x - 1 + x^2 / 2) / x^4 as polynomials in x^2, with errors below 2e-17. */
static inline void
octant_sin_cos (double x, double low, double *sine, double *cosine)
{
  const double z = x * x, half = 0.5 * z, about = 1 - half;
  const double s
    = -0x1.5555555555555p-3
      + z * (0x1.1111111110bb2p-7
             + z * (-0x1.a01a019e839d7p-13
                    + z * (0x1.71de3796740e1p-19
                           + z * (-0x1.ae600ae816ae0p-26 + z * 0x1.5e0b0f516cacbp-33))));
  const double c
    = 0x1.5555555555555p-5
      + z * (-0x1.6c16c16c16967p-10
             + z * (0x1.a01a019f4ea7cp-16
                    + z * (-0x1.27e4fa17cd3fep-22
                           + z * (0x1.1eeb68da438c7p-29 + z * -0x1.907d97ace1924p-37))));

  *sine = x + (x * z * s + low * about);
  *cosine = about + (((1 - about) - half) + (z * z * c - x * low));
}

/* Angles whose sines are computed together: compilers make vectors of loops of this length. */
#define LANES 8

/* Reduces angles to an octant: radians as the sum of two numbers, and the number of quarter
 * turns. */
static void
reduce (const Reduction *r, const double *angle, double *x, double *low, int *quarters)
{
  double rest[LANES];

  for (int i = 0; i < LANES; i++)
    {
      const double turns = angle[i] * r->inverse;

      quarters[i] = (int) (turns + (turns < 0 ? -0.5 : 0.5));
      rest[i] = angle[i] - quarters[i] * r->quarter;
    }
  for (int i = 0; i < LANES; i++)
    if (!(fabs (angle[i] * r->inverse) < EXACT_QUARTERS))
      rest[i] = remquo (angle[i], r->quarter, &quarters[i]);
  for (int i = 0; i < LANES; i++)
    {
      const double upper = upper_half (rest[i]), lower = rest[i] - upper;

      x[i] = rest[i] * r->radians;
      low[i] = ((upper * r->radians_1 - x[i]) + upper * r->radians_2 + lower * r->radians_1)
               + lower * r->radians_2 + rest[i] * r->radians_low;
    }
}

static void
sin_cos (const Reduction *r, const double *angle, double *sine, double *cosine)
{
  double x[LANES], low[LANES], s[LANES], c[LANES];
  int quarters[LANES];

  if (r->radian)
    {
      for (int i = 0; i < LANES; i++)
        {
          sine[i] = sin (angle[i]);
          cosine[i] = cos (angle[i]);
        }
      return;
    }
  reduce (r, angle, x, low, quarters);
  for (int i = 0; i < LANES; i++)
    octant_sin_cos (x[i], low[i], &s[i], &c[i]);
  for (int i = 0; i < LANES; i++)
    {
      const double a = quarters[i] & 1 ? c[i] : s[i], b = quarters[i] & 1 ? s[i] : c[i];

      sine[i] = quarters[i] & 2 ? -a : a;
      cosine[i] = (quarters[i] + 1) & 2 ? -b : b;
    }
}

/* Computes sine and cosine of an angle, accurate to about 1 ulp for units that divide a quarter
 * turn: the angle is reduced to an octant exactly, and the rounding of the product with pi is
 * compensated. So sin 180 deg is 0, not 1e-16. */
void
armilla_angle_sin_cos (double angle, ArmillaAngleUnit unit, double *sine, double *cosine)
{
  const Reduction reduction = reduction_of (unit);
  double s[LANES], c[LANES], lanes[LANES] = { angle };

  sin_cos (&reduction, lanes, s, c);
  *sine = s[0];
  *cosine = c[0];
}

static void *
column_new (gint64 n, gsize size, gboolean wanted, gboolean *good)
{
  void *column;

  if (!wanted || !*good)
    return NULL;
  column = g_try_malloc0_n ((gsize) MAX (n, 1), size);
  *good = column != NULL;
  return column;
}

ArmillaCatalogue *
armilla_catalogue_new (gint64 n, ArmillaCatalogueParts parts, GError **error)
{
  ArmillaCatalogue *self;
  gboolean good = TRUE;

  g_return_val_if_fail (n >= 0, NULL);
  self = g_new0 (ArmillaCatalogue, 1);
  self->refs = 1;
  self->n = n;
  self->x = column_new (n, sizeof (double), TRUE, &good);
  self->y = column_new (n, sizeof (double), TRUE, &good);
  self->z = column_new (n, sizeof (double), TRUE, &good);
  self->weight = column_new (n, sizeof (double), parts & ARMILLA_CATALOGUE_WEIGHT, &good);
  self->g1 = column_new (n, sizeof (double), parts & ARMILLA_CATALOGUE_SHEAR, &good);
  self->g2 = column_new (n, sizeof (double), parts & ARMILLA_CATALOGUE_SHEAR, &good);
  self->patch = column_new (n, sizeof (gint32), parts & ARMILLA_CATALOGUE_PATCH, &good);
  if (good)
    return self;
  g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_MEMORY,
               "out of memory: cannot allocate a catalogue of %" G_GINT64_FORMAT " objects; reduce "
               "their number (sample)", n);
  armilla_catalogue_unref (self);
  return NULL;
}

ArmillaCatalogue *
armilla_catalogue_ref (ArmillaCatalogue *self)
{
  g_atomic_int_inc (&self->refs);
  return self;
}

/* Returns (transfer full) a catalogue with the same objects and columns, to which further columns
 * can be added. It has the memory of the columns of @self, which it keeps alive. */
ArmillaCatalogue *
armilla_catalogue_share (ArmillaCatalogue *self)
{
  ArmillaCatalogue *out = g_memdup2 (self, sizeof *self);

  out->refs = 1;
  out->lender = armilla_catalogue_ref (self);
  out->values = g_memdup2 (self->values, sizeof *self->values * (gsize) self->n_values);
  for (int i = 0; i < out->n_values; i++)
    {
      out->values[i].name = g_strdup (out->values[i].name);
      out->values[i].unit = g_strdup (out->values[i].unit);
    }
  return out;
}

static void
free_columns (ArmillaCatalogue *self)
{
  g_free (self->x);
  g_free (self->y);
  g_free (self->z);
  g_free (self->weight);
  g_free (self->g1);
  g_free (self->g2);
  g_free (self->patch);
}

void
armilla_catalogue_unref (ArmillaCatalogue *self)
{
  ArmillaCatalogue *lender;

  if (self == NULL || !g_atomic_int_dec_and_test (&self->refs))
    return;
  lender = self->lender;
  if (lender == NULL)
    free_columns (self);
  for (int i = 0; i < self->n_values; i++)
    {
      g_free (self->values[i].name);
      g_free (self->values[i].unit);
      if (lender == NULL || i >= lender->n_values)
        g_free (self->values[i].value);
    }
  g_free (self->values);
  g_free (self);
  armilla_catalogue_unref (lender);
}

double *
armilla_catalogue_add_value (ArmillaCatalogue *self, const char *name, const char *unit,
                             GError **error)
{
  gboolean good = TRUE;
  double *value = column_new (self->n, sizeof (double), TRUE, &good);

  if (!good)
    return armilla_fail_null (error, ARMILLA_ERROR_MEMORY,
                              "out of memory: cannot allocate the column \"%s\" of a catalogue "
                              "of %" G_GINT64_FORMAT " objects; reduce their number (sample)", name,
                              self->n);
  self->values = g_renew (ArmillaCatalogueValue, self->values, self->n_values + 1);
  self->values[self->n_values++]
    = (ArmillaCatalogueValue) { g_strdup (name), g_strdup (unit), value };
  return value;
}

/* Returns the further column of that name; NULL if there is none. */
const ArmillaCatalogueValue *
armilla_catalogue_value (const ArmillaCatalogue *self, const char *name)
{
  for (int i = 0; i < self->n_values; i++)
    if (g_ascii_strcasecmp (self->values[i].name, name) == 0)
      return &self->values[i];
  return NULL;
}

/* Returns the parts of the catalogue in addition to positions. */
ArmillaCatalogueParts
armilla_catalogue_parts (const ArmillaCatalogue *self)
{
  return (self->weight ? ARMILLA_CATALOGUE_WEIGHT : 0) | (self->g1 ? ARMILLA_CATALOGUE_SHEAR : 0)
         | (self->patch ? ARMILLA_CATALOGUE_PATCH : 0)
         | (self->n_values > 0 ? ARMILLA_CATALOGUE_VALUES : 0);
}

static gboolean
object_error (gint64 object, GError **error, const char *what, double value, const char *unit,
              const char *limit)
{
  return armilla_fail (error, isfinite (value) ? ARMILLA_ERROR_VALUE : ARMILLA_ERROR_NUMERIC,
                       "object %" G_GINT64_FORMAT ": %s is %.12g%s; it must be %s", object + 1,
                       what, value, unit, limit);
}

/* Returns whether the latitude is valid; pi/2 rounded to float32, which exceeds pi/2, is
 * accepted. */
static gboolean
latitude_good (double latitude, ArmillaAngleUnit unit)
{
  double limit = unit == ARMILLA_ANGLE_RAD ? (double) (float) G_PI_2 : units[unit].quarter;

  return fabs (latitude) <= limit; /* FALSE for NaN */
}

static gboolean
angle_error (gint64 object, gboolean latitude, double value, ArmillaAngleUnit unit, GError **error)
{
  g_autofree char *after = g_strdup_printf (" %s", units[unit].noun);
  g_autofree char *limit = g_strdup_printf ("from -%g to %g%s", units[unit].quarter,
                                            units[unit].quarter, after);

  return object_error (object, error, latitude ? "the declination (latitude)" :
                                                 "the right ascension (longitude)",
                       value, after, latitude ? limit : "finite");
}

/* Rotates the shear of an object at a pole, which is relative to the meridian of the given
 * longitude, to that of longitude 0. */
static void
turn_pole_shear (double *g1, double *g2, double sine, double cosine, gboolean south)
{
  double c2 = cosine * cosine - sine * sine, s2 = (south ? 2 : -2) * cosine * sine;
  double h1 = *g1;

  *g1 = h1 * c2 - *g2 * s2;
  *g2 = h1 * s2 + *g2 * c2;
}

/* Sets a position from the sines and cosines of longitude and latitude. */
static inline void
set_position (ArmillaCatalogue *self, gint64 i, double sl, double cl, double sb, double cb)
{
  /* cos (pi/2) is 6e-17 in radian, and -4e-8 for float32's pi/2: the pole is meant */
  if (cb < 1e-16)
    {
      cb = 0;
      sb = sb < 0 ? -1 : 1;
      if (self->g1 != NULL)
        turn_pole_shear (&self->g1[i], &self->g2[i], sl, cl, sb < 0);
    }
  self->x[i] = cb * cl;
  self->y[i] = cb * sl;
  self->z[i] = sb;
}

gboolean
armilla_catalogue_set_angles (ArmillaCatalogue *self, gint64 first, gint64 n,
                              const double *longitude, ArmillaAngleUnit longitude_unit,
                              const double *latitude, ArmillaAngleUnit latitude_unit,
                              GError **error)
{
  const Reduction of_longitude = reduction_of (longitude_unit);
  const Reduction of_latitude = reduction_of (latitude_unit);

  g_return_val_if_fail (first >= 0 && n >= 0 && first + n <= self->n, FALSE);
  for (gint64 i = 0; i < n; i++)
    {
      if (!isfinite (longitude[i]))
        return angle_error (first + i, FALSE, longitude[i], longitude_unit, error);
      if (!latitude_good (latitude[i], latitude_unit))
        return angle_error (first + i, TRUE, latitude[i], latitude_unit, error);
    }
  for (gint64 i = 0; i < n; i += LANES)
    {
      double few[2][LANES] = { { 0 }, { 0 } }, sl[LANES], cl[LANES], sb[LANES], cb[LANES];
      const gint64 n_here = MIN (n - i, LANES);

      memcpy (few[0], longitude + i, sizeof (double) * (gsize) n_here);
      memcpy (few[1], latitude + i, sizeof (double) * (gsize) n_here);
      sin_cos (&of_longitude, few[0], sl, cl);
      sin_cos (&of_latitude, few[1], sb, cb);
      for (gint64 k = 0; k < n_here; k++)
        set_position (self, first + i + k, sl[k], cl[k], sb[k], cb[k]);
    }
  return TRUE;
}

/* Sets positions from vectors, which are normalised; those of unit length to rounding are kept.
 * Returns FALSE unless all have unit length to 1e-3; ARMILLA_ERROR_VALUE or ARMILLA_ERROR_NUMERIC
 * with the number of the object, counted from 1. */
gboolean
armilla_catalogue_set_vectors (ArmillaCatalogue *self, gint64 first, gint64 n, const double *x,
                               const double *y, const double *z, GError **error)
{
  g_return_val_if_fail (first >= 0 && n >= 0 && first + n <= self->n, FALSE);
  for (gint64 i = 0; i < n; i++)
    {
      double length = sqrt (x[i] * x[i] + y[i] * y[i] + z[i] * z[i]);

      if (!(fabs (length - 1) <= LENGTH_TOLERANCE))
        return object_error (first + i, error, "the length of its vector", length, "",
                             "1 (directions are unit vectors)");
      /* three squares and two sums are rounded by 2.5 ulp at most */
      if (fabs (length - 1) < 4 * DBL_EPSILON)
        length = 1;
      self->x[first + i] = x[i] / length;
      self->y[first + i] = y[i] / length;
      self->z[first + i] = z[i] / length;
    }
  return TRUE;
}

/* Returns whether all weights are finite and not negative. The error contains the number of invalid
 * weights. */
static gboolean
check_weights (const ArmillaCatalogue *self, GError **error)
{
  gint64 n_bad = 0, first = 0;
  g_autofree char *text = NULL;

  for (gint64 i = 0; self->weight != NULL && i < self->n; i++)
    if (!(isfinite (self->weight[i]) && self->weight[i] >= 0) && n_bad++ == 0)
      first = i;
  if (n_bad == 0)
    return TRUE;
  text = g_strdup_printf ("finite and not negative (%" G_GINT64_FORMAT " of %" G_GINT64_FORMAT
                          " objects are wrong)", n_bad, self->n);
  return object_error (first, error, "the weight", self->weight[first], "", text);
}

/* Returns whether the shears of objects that count are finite; ARMILLA_ERROR_NUMERIC with the
 * number of the first object, counted from 1, and of those like it otherwise. */
gboolean
armilla_catalogue_check_shears (const ArmillaCatalogue *self, GError **error)
{
  gint64 n_bad = 0, first = 0;

  for (gint64 i = 0; self->g1 != NULL && i < self->n; i++)
    if ((self->weight == NULL || self->weight[i] > 0)
        && !(isfinite (self->g1[i]) && isfinite (self->g2[i])) && n_bad++ == 0)
      first = i;
  if (n_bad == 0)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_NUMERIC,
                       "the shear of object %" G_GINT64_FORMAT " is %.12g, %.12g, and %"
                       G_GINT64_FORMAT " of %" G_GINT64_FORMAT " objects have shears that are not "
                                       "finite; exclude them with select-rows, or set their weight "
                                       "to 0", first + 1,
                       self->g1[first], self->g2[first], n_bad, self->n);
}

/* Checks values that the setters do not see: weights must be finite and not negative (counts and
 * errors would be meaningless with negative ones; a weight of 0 excludes an object), patches must
 * be in range. Shears and further values are checked when they are used. Returns whether the
 * objects can be counted; ARMILLA_ERROR_VALUE or ARMILLA_ERROR_NUMERIC with the number of the
 * object, counted from 1. */
gboolean
armilla_catalogue_check (const ArmillaCatalogue *self, GError **error)
{
  if (!check_weights (self, error))
    return FALSE;
  for (gint64 i = 0; self->patch != NULL && i < self->n; i++)
    if (self->patch[i] < 0 || self->patch[i] >= self->n_patches)
      return object_error (i, error, "the patch", self->patch[i], "",
                           "from 0 to the number of patches minus 1");
  return TRUE;
}
