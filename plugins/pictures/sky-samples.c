/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples of the pixels of a map, stored as pixels arrive in any order. */
#include "plugins/pictures/sky-private.h"

#include <armilla/memory.h>

/* Limits the memory for buckets, so that maps with many pixels do not need more than the
 * picture. */
#define MAX_BUCKETS 65536

/* Returns samples without values (UNSEEN). pixels[place] is the number of the pixel that sample
 * @place shows, or -1. Sorts into buckets in linear time; the order within a bucket does not
 * matter. */
ArmillaSkySamples *
armilla_sky_samples_new (const gint64 *pixels, gsize n_places, gint64 n_pixels, GError **error)
{
  g_autoptr (ArmillaSkySamples) self = g_new0 (ArmillaSkySamples, 1);
  g_autofree gsize *next = NULL;

  self->per_bucket = n_pixels / (gint64) MIN (n_places, MAX_BUCKETS) + 1;
  self->n_buckets = (gsize) ((n_pixels - 1) / self->per_bucket + 1);
  self->starts = g_new0 (gsize, self->n_buckets + 1);
  for (gsize i = 0; i < n_places; i++)
    if (pixels[i] >= 0)
      self->starts[pixels[i] / self->per_bucket + 1]++;
  for (gsize i = 0; i < self->n_buckets; i++)
    self->starts[i + 1] += self->starts[i];
  self->n = self->starts[self->n_buckets];
  self->samples = armilla_try_new (ArmillaSkySample, self->n, "the pixels of a picture", error);
  if (self->samples == NULL)
    return NULL;
  next = g_memdup2 (self->starts, self->n_buckets * sizeof *next);
  for (gsize i = 0; i < n_places; i++)
    if (pixels[i] >= 0)
      self->samples[next[pixels[i] / self->per_bucket]++]
        = (ArmillaSkySample) { pixels[i], (guint32) i };
  self->values = armilla_try_new (double, self->n, "the pixels of a picture", error);
  if (self->values == NULL)
    return NULL;
  for (gsize i = 0; i < self->n; i++)
    self->values[i] = ARMILLA_UNSEEN;
  return g_steal_pointer (&self);
}

/* Stores those of the pixels from @first on that are sampled. Thread-safe for different pixels. */
void
armilla_sky_samples_put (ArmillaSkySamples *self, gint64 first, gint64 n, const double *pixels)
{
  const gsize from = (gsize) (first / self->per_bucket);
  const gsize to = (gsize) ((first + n - 1) / self->per_bucket);

  for (gsize i = self->starts[from]; n > 0 && i < self->starts[to + 1]; i++)
    {
      const gint64 at = self->samples[i].pixel - first;

      if (at >= 0 && at < n)
        self->values[i] = pixels[at];
    }
}

void
armilla_sky_samples_free (ArmillaSkySamples *self)
{
  if (self == NULL)
    return;
  g_free (self->samples);
  g_free (self->starts);
  g_free (self->values);
  g_free (self);
}
