/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws and selects objects at random. The result for an object depends only on its number, not on
 * threads or ranks. */
#include "core/catalogues/catalogue.h"
#include "core/catalogues/random-catalogue.h"

#include <armilla/memory.h>

#include <math.h>

#include <Random123/philox.h>

/* Word 3 of the counter: 0 is used by random-alm, so that one seed may serve all. */
enum { STREAM_POSITION = 1, STREAM_CHOICE = 2 };

/* maximum number of draws per object: more mean that the footprint is practically empty */
#define DRAWS_LIMIT 1000000

/* objects that a thread processes at a time */
#define BLOCK 4096

/* ((x >> 11) + 1/2) 2^-53, the sum rounded to even: (0, 1] */
static double
uniform (guint64 x)
{
  return ((double) (x >> 11) + 0.5) * 0x1p-53;
}

typedef struct {
  const ArmillaRandomSky *sky;
  ArmillaCatalogue *out;
  double z[2];
  gboolean turned; /* whether the coordinates of the footprint differ from those of the catalogue */
  double matrix[3][3];
  gint next;                 /* next block */
  gint failed;
} Draw;

static gboolean
inside (const Draw *d, const double v[3])
{
  double u[3];

  if (d->sky->footprint == NULL)
    return TRUE;
  for (int i = 0; i < 3; i++)
    u[i] = d->turned ? (d->matrix[i][0] * v[0] + d->matrix[i][1] * v[1]) + d->matrix[i][2] * v[2]
                     : v[i];
  return armilla_footprint_has (d->sky->footprint, u);
}

/* Draws an object uniformly on the sphere: z is uniform (Archimedes). */
static gboolean
draw_object (const Draw *d, gint64 i)
{
  const ArmillaRandomSky *sky = d->sky;
  philox4x64_key_t key = { { sky->seed, sky->realisation } };

  for (guint64 attempt = 0; attempt < DRAWS_LIMIT; attempt++)
    {
      philox4x64_ctr_t counter = { { (guint64) i, attempt, 0, STREAM_POSITION } };
      philox4x64_ctr_t words = philox4x64_R (10, counter, key);
      double z = d->z[0] + (d->z[1] - d->z[0]) * uniform (words.v[0]);
      double lon = sky->longitude[0]
                   + (sky->longitude[1] - sky->longitude[0]) * uniform (words.v[1]);
      double r, v[3];

      z = CLAMP (z, d->z[0], d->z[1]);
      r = sqrt ((1 - z) * (1 + z));
      v[0] = r * cos (lon);
      v[1] = r * sin (lon);
      v[2] = z;
      if (!inside (d, v))
        continue;
      d->out->x[i] = v[0];
      d->out->y[i] = v[1];
      d->out->z[i] = v[2];
      return TRUE;
    }
  return FALSE;
}

static gpointer
draw_blocks (gpointer user)
{
  Draw *d = user;
  gint64 first;

  while ((first = (gint64) g_atomic_int_add (&d->next, 1) * BLOCK) < d->out->n
         && !g_atomic_int_get (&d->failed))
    for (gint64 i = first; i < MIN (first + BLOCK, d->out->n); i++)
      if (!draw_object (d, i))
        {
          g_atomic_int_set (&d->failed, 1);
          break;
        }
  return NULL;
}

/* Computes the matrix that rotates vectors from one system to another. */
static gboolean
turn_matrix (char from, char to, double m[3][3], GError **error)
{
  g_autoptr (ArmillaCatalogue) axes = armilla_catalogue_new (3, 0, error);
  g_autoptr (ArmillaCatalogue) turned = NULL;

  if (axes == NULL)
    return FALSE;
  axes->coordsys = from;
  axes->x[0] = axes->y[1] = axes->z[2] = 1;
  turned = armilla_catalogue_rotate (axes, to, error);
  for (int k = 0; turned != NULL && k < 3; k++)
    {
      m[0][k] = turned->x[k];
      m[1][k] = turned->y[k];
      m[2][k] = turned->z[k];
    }
  return turned != NULL;
}

static gboolean
check_sky (const ArmillaRandomSky *sky, GError **error)
{
  double width = sky->longitude[1] - sky->longitude[0];

  if (sky->n < 1)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "%" G_GINT64_FORMAT " objects; must be at least 1", sky->n);
  if (!(width > 0 && width <= 2 * G_PI && sky->latitude[0] < sky->latitude[1]
        && sky->latitude[0] >= -G_PI_2 && sky->latitude[1] <= G_PI_2))
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "there is no sky between longitude %g and %g deg and latitude %g and %g "
                         "deg",
                         sky->longitude[0] * 180 / G_PI, sky->longitude[1] * 180 / G_PI,
                         sky->latitude[0] * 180 / G_PI, sky->latitude[1] * 180 / G_PI);
  if (sky->footprint == NULL || sky->footprint->n_inside > 0)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "the mask has no positive pixel; it must be above 0 where objects may be "
                       "drawn");
}

/* Draws objects uniformly on a part of the sphere. With u = ((word >> 11) + 0.5) 2^-53 of words 0
 * and 1 of Philox4x64-10 (Salmon et al. 2011), key {seed, realisation}, counter {object, attempt,
 * 0, 1}: z = z0 + (z1 - z0) u0, lon = lon0 + (lon1 - lon0) u1, z0 and z1 being the sines of the
 * limits, and the vector is (r cos lon, r sin lon, z), r = sqrt ((1 - z) (1 + z)). An object
 * outside the footprint is drawn again, with the next attempt. So a larger number of objects keeps
 * the first ones, and another mask keeps those that are inside both masks at their first attempt.
 * Returns the objects; NULL with ARMILLA_ERROR_VALUE if the allowed area is empty, or if the
 * footprint covers less than a few millionths of the area within the limits. */
ArmillaCatalogue *
armilla_random_catalogue (const ArmillaRandomSky *sky, int n_threads, GError **error)
{
  g_autoptr (ArmillaCatalogue) out = NULL;
  g_autofree GThread **threads = NULL;
  Draw d = { .sky = sky };

  if (!check_sky (sky, error))
    return NULL;
  out = armilla_catalogue_new (sky->n, 0, error);
  if (out == NULL)
    return NULL;
  out->coordsys = sky->coordsys;
  d.out = out;
  for (int k = 0; k < 2; k++)
    d.z[k] = sin (sky->latitude[k]);
  if (sky->footprint != NULL && sky->footprint->coordsys != 0
      && sky->footprint->coordsys != sky->coordsys)
    {
      d.turned = TRUE;
      if (!turn_matrix (sky->coordsys, sky->footprint->coordsys, d.matrix, error))
        return NULL;
    }
  n_threads = (int) CLAMP (n_threads, 1, (sky->n + BLOCK - 1) / BLOCK);
  threads = g_new (GThread *, n_threads);
  /* if the system cannot start a thread, the others do its work */
  for (int t = 1; t < n_threads; t++)
    threads[t] = g_thread_try_new ("draw", draw_blocks, &d, NULL);
  draw_blocks (&d);
  for (int t = 1; t < n_threads; t++)
    if (threads[t] != NULL)
      g_thread_join (threads[t]);
  if (!d.failed)
    return g_steal_pointer (&out);
  return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                            "none of %d positions drawn for an object is inside the mask, which "
                            "covers too small a part of the area within the limits; restrict "
                            "longitude and latitude to the mask", DRAWS_LIMIT);
}

static gboolean
chosen (guint64 seed, gint64 i, double fraction)
{
  philox4x64_key_t key = { { seed, 0 } };
  philox4x64_ctr_t counter = { { (guint64) i, 0, 0, STREAM_CHOICE } };

  return fraction >= 1 || uniform (philox4x64_R (10, counter, key).v[0]) <= fraction;
}

/* Selects objects. Whether object i is selected depends on @seed, i and @fraction only: u <=
 * fraction, u from word 0 of Philox4x64-10 with the key {seed, 0} and the counter {i, 0, 0, 2}; so
 * a larger fraction includes the objects of a smaller one, whatever the mask. Returns the selected
 * objects in their order; NULL with ARMILLA_ERROR_VALUE if there are none, or
 * ARMILLA_ERROR_MEMORY. */
ArmillaCatalogue *
armilla_catalogue_cut (ArmillaCatalogue *catalogue, const ArmillaFootprint *footprint,
                       double fraction, guint64 seed, GError **error)
{
  Draw d = { .sky = &(ArmillaRandomSky) { .footprint = footprint } };
  g_autofree gint64 *which = NULL;
  gint64 n = 0;

  if (footprint == NULL && fraction >= 1)
    return armilla_catalogue_ref (catalogue);
  d.turned = footprint != NULL && footprint->coordsys != 0 && catalogue->coordsys != 0
             && footprint->coordsys != catalogue->coordsys;
  if (d.turned && !turn_matrix (catalogue->coordsys, footprint->coordsys, d.matrix, error))
    return NULL;
  which = armilla_try_new (gint64, catalogue->n, "the numbers of the selected objects", error);
  if (which == NULL)
    return NULL;
  for (gint64 i = 0; i < catalogue->n; i++)
    {
      const double v[3] = { catalogue->x[i], catalogue->y[i], catalogue->z[i] };

      if (chosen (seed, i, fraction) && inside (&d, v))
        which[n++] = i;
    }
  if (n > 0)
    return armilla_catalogue_select (catalogue, which, n, error);
  return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                            "of %" G_GINT64_FORMAT " objects none is selected by %s; is the mask "
                            "in the coordinates of the catalogue?", catalogue->n,
                            footprint != NULL ? "the mask" : "sample");
}
