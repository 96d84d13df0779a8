/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files of all lots. */
#include "tasks/data/collected.h"

struct _ArmillaCollected {
  gint refs;
  char **paths;
  gint64 n_samples, lot_size, n_lots;
};

/**
 * armilla_collected_new:
 * @paths: (array zero-terminated=1): the files of the lots, in their order; need not be there yet
 * @n_samples: realisations of all lots
 * @lot_size: realisations of each lot but the last
 *
 * Returns: (transfer full): the files
 */
ArmillaCollected *
armilla_collected_new (const char *const *paths, gint64 n_samples, gint64 lot_size)
{
  ArmillaCollected *self = g_new0 (ArmillaCollected, 1);

  self->refs = 1;
  self->paths = g_strdupv ((char **) paths);
  self->n_lots = (gint64) g_strv_length (self->paths);
  self->n_samples = n_samples;
  self->lot_size = lot_size;
  return self;
}

/**
 * armilla_collected_ref:
 * @self: files of lots
 *
 * Returns: (transfer full): @self
 */
ArmillaCollected *
armilla_collected_ref (ArmillaCollected *self)
{
  g_atomic_int_inc (&self->refs);
  return self;
}

/**
 * armilla_collected_unref:
 * @self: (type ArmillaCollected) (transfer full): files of lots
 */
void
armilla_collected_unref (gpointer self)
{
  ArmillaCollected *collected = self;

  if (!g_atomic_int_dec_and_test (&collected->refs))
    return;
  g_strfreev (collected->paths);
  g_free (collected);
}

/**
 * armilla_collected_n_samples:
 * @self: files of lots
 *
 * Returns: realisations of all lots
 */
gint64
armilla_collected_n_samples (const ArmillaCollected *self)
{
  return self->n_samples;
}

/**
 * armilla_collected_lot_size:
 * @self: files of lots
 * @lot: number of a lot
 *
 * Returns: its realisations
 */
gint64
armilla_collected_lot_size (const ArmillaCollected *self, gint64 lot)
{
  return MIN (self->lot_size, self->n_samples - lot * self->lot_size);
}

/**
 * armilla_lot_files_open:
 * @self: (out): the files
 * @from: their names
 * @error: return location
 *
 * Returns: whether all could be opened; %ARMILLA_ERROR_IO otherwise, and nothing is open
 */
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

/**
 * armilla_lot_files_close:
 * @self: files that are open, or none
 */
void
armilla_lot_files_close (ArmillaLotFiles *self)
{
  for (gint64 lot = 0; lot < self->n; lot++)
    armilla_checkpoint_free (self->files[lot]);
  g_clear_pointer (&self->files, g_free);
  self->n = 0;
}
