/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that keep what a node gives, for a run that is resumed; and what is collected over
 * realisations. Functions are called by the thread that builds, on every rank alike, but for those
 * that read and write a file: these are for host steps. */
#pragma once

#include <armilla/graph.h>
#include <armilla/table-data.h>

G_BEGIN_DECLS

/**
 * ArmillaCheckpoint:
 *
 * The file that keeps the values of one data object: bytes, in whatever order its class chooses.
 * Shape, names and units need not be in it: the stage describes its output again before it is
 * loaded. Who made the file, and whether its bytes are what was written, is known before, too.
 */
typedef struct _ArmillaCheckpoint ArmillaCheckpoint;

/**
 * ArmillaCheckpointDue:
 * @user: what the caller gave
 *
 * Called once, in any thread, when the first piece exists.
 *
 * Returns: whether it is to be kept, and all that follow
 */
typedef gboolean (*ArmillaCheckpointDue) (gpointer user);

ArmillaCheckpoint *armilla_checkpoint_new (ArmillaGraph *graph, const char *path,
                                           ArmillaCheckpointDue due, gpointer user,
                                           GDestroyNotify destroy);
ArmillaCheckpoint *armilla_checkpoint_open (const char *path, GError **error);
gboolean armilla_checkpoint_write (ArmillaCheckpoint *self, gint64 offset, gconstpointer bytes,
                                   gint64 size, GError **error);
gboolean armilla_checkpoint_read (ArmillaCheckpoint *self, gint64 offset, gpointer bytes,
                                  gint64 size, GError **error);
gboolean armilla_checkpoint_end (gpointer self, GError **error);
void armilla_checkpoint_free (gpointer self);

/* What is collected over realisations. They are divided into lots of consecutive ones, which depend
 * on nothing but their number. Those of a lot are added in their order, on whatever ranks; what
 * comes of each lot is kept in a file, and at the end the lots are put together in their order. So
 * a result has the same bits on any ranks, and a run that is resumed makes again what lots lack. */

/**
 * ArmillaCollectFlags:
 * @ARMILLA_COLLECT_SQUARES: squared differences from the mean
 * @ARMILLA_COLLECT_MINIMUM: minima
 * @ARMILLA_COLLECT_MAXIMUM: maxima
 * @ARMILLA_COLLECT_WHOLE: of lots of one table or of one set of spectra: all of it, for
 *   armilla_collected_table()
 *
 * What is kept: of maps and a_lm beside their means, of tables and spectra beside their numbers.
 */
typedef enum {
  ARMILLA_COLLECT_SQUARES = 1 << 0,
  ARMILLA_COLLECT_MINIMUM = 1 << 1,
  ARMILLA_COLLECT_MAXIMUM = 1 << 2,
  ARMILLA_COLLECT_WHOLE = 1 << 3
} ArmillaCollectFlags;

/**
 * ArmillaCollectWhat:
 * @ARMILLA_COLLECTED_MEAN: mean
 * @ARMILLA_COLLECTED_VARIANCE: squared differences from the mean over their number less 1; of
 *   complex numbers squared absolute values, as the real part
 * @ARMILLA_COLLECTED_DEVIATION: the square root of that
 * @ARMILLA_COLLECTED_MINIMUM: minimum
 * @ARMILLA_COLLECTED_MAXIMUM: maximum
 *
 * What is asked for at the end. NaN where one realisation says nothing of it.
 */
typedef enum {
  ARMILLA_COLLECTED_MEAN,
  ARMILLA_COLLECTED_VARIANCE,
  ARMILLA_COLLECTED_DEVIATION,
  ARMILLA_COLLECTED_MINIMUM,
  ARMILLA_COLLECTED_MAXIMUM
} ArmillaCollectWhat;

/**
 * ArmillaLot:
 *
 * Realisations that follow each other, while they are collected; of one node.
 */
typedef struct _ArmillaLot ArmillaLot;

ArmillaLot *armilla_lot_new (ArmillaGraph *graph, const char *path, gint64 size,
                             ArmillaCheckpointDue due, gpointer user, GDestroyNotify destroy);
gboolean armilla_lot_is_full (const ArmillaLot *self);
void armilla_lot_unref (gpointer self);
gboolean armilla_graph_collect (ArmillaGraph *graph, ArmillaData *data, ArmillaLot *lot,
                                ArmillaCollectFlags flags, GError **error);

/**
 * ArmillaCollected:
 *
 * The files of all lots.
 */
typedef struct _ArmillaCollected ArmillaCollected;

ArmillaCollected *armilla_collected_new (const char *const *paths, gint64 n_samples,
                                         gint64 lot_size);
ArmillaCollected *armilla_collected_new_lots (const char *const *paths, const gint64 *sizes);
gint64 armilla_collected_n_samples (const ArmillaCollected *self);
ArmillaTable *armilla_collected_table (const ArmillaCollected *self, gint64 lot, GError **error);
ArmillaCollected *armilla_collected_ref (ArmillaCollected *self);
void armilla_collected_unref (gpointer self);
gboolean armilla_graph_fill_collected (ArmillaGraph *graph, ArmillaCollected *collected,
                                       ArmillaCollectFlags flags, ArmillaCollectWhat what,
                                       double factor, ArmillaData *out, GError **error);

/**
 * ArmillaSamples:
 * @n_samples: realisations
 * @n_values: numbers of each
 * @pattern: (nullable): of tables, that of the first realisation. The numbers are those of its
 *   columns of numbers, [column][row]
 *
 * All numbers that were collected of spectra or tables, in files.
 */
typedef struct {
  gint64 n_samples, n_values;
  ArmillaTable *pattern;
} ArmillaSamples;

ArmillaSamples *armilla_samples_open (ArmillaCollected *collected, GError **error);
gboolean armilla_samples_read (ArmillaSamples *self, gint64 sample, gint64 first, gint64 n,
                               double *values, GError **error);
void armilla_samples_free (ArmillaSamples *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaSamples, armilla_samples_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaCollected, armilla_collected_unref)

G_END_DECLS
