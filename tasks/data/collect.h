/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data collected over realisations: groups of realisations whose results are stored together, the
 * files of these groups ("lots"), and samples. */
#pragma once

#include "tasks/data/checkpoint.h"

G_BEGIN_DECLS

ArmillaLot *armilla_lot_new (ArmillaGraph *graph, const char *path, gint64 size,
                             ArmillaCheckpointDue due, gpointer user, GDestroyNotify destroy);
void armilla_lot_unref (gpointer self);
ArmillaCollected *armilla_collected_new_lots (const char *const *paths, const gint64 *sizes);
gint64 armilla_collected_n_samples (const ArmillaCollected *self);
ArmillaTable *armilla_collected_table (const ArmillaCollected *self, gint64 lot, GError **error);
ArmillaCollected *armilla_collected_ref (ArmillaCollected *self);
void armilla_collected_unref (gpointer self);

/* All numbers that were collected of spectra or tables, in files of groups of realisations. */
typedef struct {
  gint64 n_samples; /* realisations */
  gint64 n_values;  /* numbers per realisation */
  /* table of the first realisation; the collected numbers are those of its numeric columns,
   * [column][row]; NULL for spectra */
  ArmillaTable *pattern;
} ArmillaSamples;

ArmillaSamples *armilla_samples_open (ArmillaCollected *collected, GError **error);
gboolean armilla_samples_read (ArmillaSamples *self, gint64 sample, gint64 first, gint64 n,
                               double *values, GError **error);
void armilla_samples_free (ArmillaSamples *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaSamples, armilla_samples_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaCollected, armilla_collected_unref)

G_END_DECLS
