/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers of spectra and tables of all realisations, read from the files of lots (groups of
 * realisations). */
#include "config.h"

#include <armilla/memory.h>

#include "tasks/data/checkpoint.h"
#include "tasks/data/collect.h"
#include "tasks/data/collected.h"
#include "tasks/data/lot.h"

typedef struct {
  ArmillaSamples samples; /* first member, since the structure is cast to ArmillaSamples */
  ArmillaCollected *collected;
  ArmillaLotFiles files;
} Samples;

static gboolean
read_pattern (ArmillaCheckpoint *file, gint64 lot_size, const ArmillaLotHead *head,
              ArmillaTable **pattern, GError **error)
{
  g_autofree guint8 *bytes = NULL;
  g_autoptr (GBytes) all = NULL;

  *pattern = NULL;
  if (head->pattern == 0)
    return TRUE;
  bytes = armilla_try_new (guint8, head->pattern, "the columns that are collected", error);
  if (bytes == NULL
      || !armilla_checkpoint_read (file, (gint64) sizeof *head + 8 * lot_size * head->n_values,
                                   bytes, head->pattern, error))
    return FALSE;
  all = g_bytes_new_take (g_steal_pointer (&bytes), (gsize) head->pattern);
  *pattern = armilla_lot_parse_pattern (all);
  return TRUE;
}

/* Reads the description of a lot. The first lot defines the meaning of the numbers; the others must
 * agree. */
static gboolean
read_lot (Samples *self, gint64 lot, GError **error)
{
  g_autoptr (ArmillaTable) pattern = NULL;
  ArmillaSamples *samples = &self->samples;
  ArmillaLotHead head;

  if (!armilla_checkpoint_read (self->files.files[lot], 0, &head, sizeof head, error)
      || !read_pattern (self->files.files[lot],
                        armilla_collected_lot_size (self->collected, lot), &head, &pattern, error))
    return FALSE;
  if (lot == 0)
    {
      samples->n_values = head.n_values;
      samples->pattern = g_steal_pointer (&pattern);
      return TRUE;
    }
  return (head.n_values == samples->n_values
          && (!pattern || armilla_lot_shape (pattern) == armilla_lot_shape (samples->pattern)))
         || armilla_fail (error, ARMILLA_ERROR_SHAPE,
                          "input: the rows or columns of the table differ between realisations; "
                          "must be equal in all of them");
}

/* Returns the table of a lot that was stored as a table, see armilla_data_new_table(); NULL with
 * %ARMILLA_ERROR_IO. */
ArmillaTable *
armilla_collected_table (const ArmillaCollected *self, gint64 lot, GError **error)
{
  ArmillaCheckpoint *file
    = armilla_checkpoint_open (armilla_collected_path (self, lot), error);
  ArmillaTable *table = NULL;
  ArmillaLotHead head;

  if (file == NULL)
    return NULL;
  if (armilla_checkpoint_read (file, 0, &head, sizeof head, error))
    read_pattern (file, 1, &head, &table, error);
  armilla_checkpoint_free (file);
  return table;
}

/* Opens the files of lots of spectra or tables; NULL with %ARMILLA_ERROR_IO if they cannot be read,
 * or %ARMILLA_ERROR_SHAPE if the lots differ. */
ArmillaSamples *
armilla_samples_open (ArmillaCollected *collected, GError **error)
{
  Samples *self = g_new0 (Samples, 1);
  gboolean ok;

  self->collected = armilla_collected_ref (collected);
  self->samples.n_samples = armilla_collected_n_samples (collected);
  ok = armilla_lot_files_open (&self->files, collected, error);
  for (gint64 lot = 0; ok && lot < self->files.n; lot++)
    ok = read_lot (self, lot, error);
  if (ok)
    return &self->samples;
  armilla_samples_free (&self->samples);
  return NULL;
}

/* Reads @n numbers of realisation @sample, from number @first on; FALSE with %ARMILLA_ERROR_IO on
 * error. */
gboolean
armilla_samples_read (ArmillaSamples *self, gint64 sample, gint64 first, gint64 n, double *values,
                      GError **error)
{
  Samples *all = (Samples *) self;
  const gint64 lot = armilla_collected_find_lot (all->collected, &sample);

  return armilla_checkpoint_read (all->files.files[lot],
                                  (gint64) sizeof (ArmillaLotHead)
                                    + 8 * (sample * self->n_values + first),
                                  values, 8 * n, error);
}

void
armilla_samples_free (ArmillaSamples *self)
{
  Samples *all = (Samples *) self;

  armilla_lot_files_close (&all->files);
  armilla_collected_unref (all->collected);
  g_clear_pointer (&self->pattern, armilla_table_free);
  g_free (all);
}
