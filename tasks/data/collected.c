/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of all lots (groups of realisations). */
#include "tasks/data/checkpoint.h"
#include "tasks/data/collect.h"
#include "tasks/data/collected.h"

struct _ArmillaCollected {
  gint refs;
  char **paths;
  gint64 n_samples, n_lots;
  gint64 *firsts; /* [n_lots + 1]: number of the first realisation of each lot */
};

/* @paths: (array zero-terminated=1): files of the lots, in order; they need not exist yet;
 * @sizes: number of realisations of each. */
ArmillaCollected *
armilla_collected_new_lots (const char *const *paths, const gint64 *sizes)
{
  ArmillaCollected *self = g_new0 (ArmillaCollected, 1);

  self->refs = 1;
  self->paths = g_strdupv ((char **) paths);
  self->n_lots = (gint64) g_strv_length (self->paths);
  self->firsts = g_new0 (gint64, (gsize) self->n_lots + 1);
  for (gint64 lot = 0; lot < self->n_lots; lot++)
    self->firsts[lot + 1] = self->firsts[lot] + sizes[lot];
  self->n_samples = self->firsts[self->n_lots];
  return self;
}

ArmillaCollected *
armilla_collected_ref (ArmillaCollected *self)
{
  g_atomic_int_inc (&self->refs);
  return self;
}

void
armilla_collected_unref (gpointer self)
{
  ArmillaCollected *collected = self;

  if (!g_atomic_int_dec_and_test (&collected->refs))
    return;
  g_strfreev (collected->paths);
  g_free (collected->firsts);
  g_free (collected);
}

/* Returns the number of realisations of all lots. */
gint64
armilla_collected_n_samples (const ArmillaCollected *self)
{
  return self->n_samples;
}

const char *
armilla_collected_path (const ArmillaCollected *self, gint64 lot)
{
  return self->paths[lot];
}

/* Returns the number of realisations of a lot. */
gint64
armilla_collected_lot_size (const ArmillaCollected *self, gint64 lot)
{
  return self->firsts[lot + 1] - self->firsts[lot];
}

/* Returns the lot of a realisation; sample becomes its index in the lot. */
gint64
armilla_collected_find_lot (const ArmillaCollected *self, gint64 *sample)
{
  gint64 low = 0, high = self->n_lots;

  while (high - low > 1)
    {
      const gint64 middle = low + (high - low) / 2;

      if (self->firsts[middle] <= *sample)
        low = middle;
      else
        high = middle;
    }
  *sample -= self->firsts[low];
  return low;
}

/* Opens all files, or none on failure. */
gboolean
armilla_lot_files_open (ArmillaLotFiles *self, const ArmillaCollected *from, GError **error)
{
  self->files = g_new0 (ArmillaCheckpoint *, (gsize) from->n_lots);
  for (self->n = 0; self->n < from->n_lots; self->n++)
    {
      self->files[self->n] = armilla_checkpoint_open (from->paths[self->n], error);
      if (!self->files[self->n])
        {
          armilla_lot_files_close (self);
          return FALSE;
        }
    }
  return TRUE;
}

void
armilla_lot_files_close (ArmillaLotFiles *self)
{
  for (gint64 lot = 0; lot < self->n; lot++)
    armilla_checkpoint_free (self->files[lot]);
  g_clear_pointer (&self->files, g_free);
  self->n = 0;
}
