/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes sums over the objects in each pixel. Sums are 128-bit integers in units of a power of 2,
 * so that the bits depend neither on the order of the objects nor on the threads. */

#include "core/catalogues/binning.h"
#include "core/grids/interpolation.h"

#include <armilla/map-header.h>
#include <math.h>
#include <stdlib.h>

/* bits of a sum, without its sign and a reserve of one bit */
#define SUM_BITS 126

typedef struct {
  gint64 pixel, object;
} Place;

/* Terms of a sum: the weights, or the weights times a column. */
typedef struct {
  int shift;               /* terms are multiplied by 2^shift */
  gint64 n_bad, first_bad; /* number of terms that are not finite, and the first object with one */
} Terms;

struct _ArmillaBinning {
  ArmillaCatalogue *catalogue;
  Place *places; /* by pixel, then by object */
  Terms *terms;  /* of the weights, then of each column */
};

static int
compare (const void *a, const void *b)
{
  const Place *p = a, *q = b;

  if (p->pixel != q->pixel)
    return p->pixel < q->pixel ? -1 : 1;
  return p->object < q->object ? -1 : p->object > q->object;
}

static void
find_places (ArmillaBinning *self, const ArmillaGrid *grid)
{
  const ArmillaCatalogue *c = self->catalogue;
  g_auto (ArmillaPixelFinder) finder = { NULL };

  armilla_pixel_finder_init (&finder, grid);
  for (gint64 i = 0; i < c->n; i++)
    {
      const double v[3] = { c->x[i], c->y[i], c->z[i] };

      self->places[i].object = i;
      self->places[i].pixel = armilla_pixel_finder_nearest (&finder, v);
    }
  qsort (self->places, (gsize) c->n, sizeof *self->places, compare);
}

/* Returns the contribution of an object to the sum of the weights (@value is -1), or of weights
 * times a column. Objects of weight 0 may lack the value. */
static double
term (const ArmillaCatalogue *c, int value, gint64 i)
{
  double w = c->weight != NULL ? c->weight[i] : 1;

  return value < 0 || w == 0 ? w : w * c->values[value].value[i];
}

/* Chooses the unit so that the sum of all terms, whatever their signs, stays below 2^SUM_BITS. */
static void
find_terms (ArmillaBinning *self, int value)
{
  const ArmillaCatalogue *c = self->catalogue;
  Terms *terms = &self->terms[1 + value];
  int above, of_number;
  double max_term = 0;

  for (gint64 i = 0; i < c->n; i++)
    {
      double t = fabs (term (c, value, i));

      if (isfinite (t))
        max_term = MAX (max_term, t);
      else if (terms->n_bad++ == 0)
        terms->first_bad = i;
    }
  (void) frexp (max_term, &above);
  (void) frexp ((double) c->n, &of_number);
  terms->shift = SUM_BITS - of_number - above;
}

/* Finds the pixel of each object: on HEALPix the one that contains it, on other grids the one
 * closest in azimuth on the ring closest in co-latitude. Returns the objects by pixels; NULL on
 * error. */
ArmillaBinning *
armilla_binning_new (ArmillaCatalogue *catalogue, ArmillaGrid *grid, GError **error)
{
  g_autoptr (ArmillaBinning) self = g_new0 (ArmillaBinning, 1);

  self->catalogue = armilla_catalogue_ref (catalogue);
  self->terms = g_new0 (Terms, 1 + catalogue->n_values);
  self->places = g_try_malloc_n ((gsize) MAX (catalogue->n, 1), sizeof *self->places);
  if (self->places == NULL)
    return armilla_fail_null (error, ARMILLA_ERROR_MEMORY,
                              "out of memory: cannot allocate the pixels of %" G_GINT64_FORMAT
                              " objects; reduce their number (sample)", catalogue->n);
  for (int value = -1; value < catalogue->n_values; value++)
    find_terms (self, value);
  find_places (self, grid);
  return g_steal_pointer (&self);
}

/* Returns the first entry whose pixel is at least @pixel. */
static gint64
first_place (const ArmillaBinning *self, gint64 pixel)
{
  gint64 low = 0, high = self->catalogue->n;

  while (low < high)
    {
      gint64 middle = (low + high) / 2;

      if (self->places[middle].pixel < pixel)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Returns a sum over objects; each term is rounded to the unit of the sum, and the sum once to a
 * double. */
static double
sum (const ArmillaBinning *self, int value, gint64 first, gint64 end)
{
  const int shift = self->terms[1 + value].shift;
  ArmillaInt128 total = 0;

  for (gint64 i = first; i < end; i++)
    total += (ArmillaInt128) rint (ldexp (term (self->catalogue, value, self->places[i].object),
                                          shift));
  return ldexp ((double) total, -shift);
}

static gboolean
check_terms (const ArmillaBinning *self, int value, GError **error)
{
  const ArmillaCatalogueValue *column = &self->catalogue->values[value];
  const Terms *terms = &self->terms[1 + value];

  if (terms->n_bad == 0)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_NUMERIC,
                       "%s: %" G_GINT64_FORMAT " of the %" G_GINT64_FORMAT " objects have a value "
                       "that is NaN or too large, the first is object %" G_GINT64_FORMAT " (%g); "
                       "exclude them with select-rows", column->name, terms->n_bad,
                       self->catalogue->n, terms->first_bad + 1, column->value[terms->first_bad]);
}

static double
binned (const ArmillaBinning *self, ArmillaBinned what, int value, gint64 first, gint64 end)
{
  double weight;

  if (what == ARMILLA_BINNED_COUNTS)
    return (double) (end - first);
  weight = sum (self, -1, first, end);
  if (what == ARMILLA_BINNED_WEIGHTS)
    return weight;
  return weight > 0 ? sum (self, value, first, end) / weight : ARMILLA_UNSEEN;
}

/* Computes the sums of all pixels. Sums are exact except for one rounding of each term, by at most
 * 2^-(126 - k) of the largest for fewer than 2^k objects, and one of the sum; the order of the
 * objects does not matter. Thread-safe. Returns FALSE with ARMILLA_ERROR_NUMERIC if a sum is not
 * finite, or if an object of nonzero weight has no value. */
gboolean
armilla_binning_fill (const ArmillaBinning *self, ArmillaBinned what, int value, gint64 first,
                      gint64 n, double *pixels, GError **error)
{
  gint64 at = first_place (self, first);

  g_return_val_if_fail (what != ARMILLA_BINNED_MEAN
                          || (value >= 0 && value < self->catalogue->n_values), FALSE);
  if (what == ARMILLA_BINNED_MEAN && !check_terms (self, value, error))
    return FALSE;
  for (gint64 i = 0; i < n; i++)
    {
      gint64 end = at;

      while (end < self->catalogue->n && self->places[end].pixel == first + i)
        end++;
      pixels[i] = binned (self, what, value, at, end);
      at = end;
      if (isfinite (pixels[i]))
        continue;
      return armilla_fail (error, ARMILLA_ERROR_NUMERIC,
                           "pixel %" G_GINT64_FORMAT ": the sum over its objects is too large",
                           first + i);
    }
  return TRUE;
}

void
armilla_binning_free (ArmillaBinning *self)
{
  if (self == NULL)
    return;
  armilla_catalogue_unref (self->catalogue);
  g_free (self->places);
  g_free (self->terms);
  g_free (self);
}
