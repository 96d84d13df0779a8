/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Realisations of a lot, as they come. Of maps and a_lm sums are kept, in tiles like theirs, which
 * are written when the lot is full. Spectra and tables are small: their numbers go to the file. */
#include "config.h"

#include <armilla/checkpoint.h>
#include <armilla/task.h>
#include <string.h>

#include "codelets/fields/field-codelets.h"
#include "tasks/data/lot.h"

struct _ArmillaLot {
  gint refs;
  gint64 size, n_asked;
  ArmillaCheckpoint *file; /* NULL once sums own it */
  ArmillaData *sums;       /* of maps and a_lm */
  GMutex lock;             /* guards what follows */
  gint64 n_come;
  ArmillaLotHead head;     /* of spectra and tables, when one has come */
  guint shape;
};

/* A realisation of a lot. */
typedef struct {
  ArmillaLot *lot;
  gint64 position, n_values;
  ArmillaCollectShape shape;
} Sample;

/**
 * armilla_lot_new:
 * @graph: the graph that computes its realisations
 * @path: name of the file that will keep what comes of them
 * @size: how many they are
 * @due: says that the file may be written
 * @user: for @due
 * @destroy: (nullable): frees @user
 *
 * Returns: (transfer full): a lot of which none has come
 */
ArmillaLot *
armilla_lot_new (ArmillaGraph *graph, const char *path, gint64 size, ArmillaCheckpointDue due,
                 gpointer user, GDestroyNotify destroy)
{
  ArmillaLot *self = g_new0 (ArmillaLot, 1);

  self->refs = 1;
  self->size = size;
  self->file = armilla_checkpoint_new (graph, path, due, user, destroy);
  g_mutex_init (&self->lock);
  return self;
}

/**
 * armilla_lot_is_full:
 * @self: a lot
 *
 * Returns: whether all of its realisations have been given to armilla_graph_collect()
 */
gboolean
armilla_lot_is_full (const ArmillaLot *self)
{
  return self->n_asked == self->size;
}

/**
 * armilla_lot_unref:
 * @self: (type ArmillaLot) (transfer full) (nullable): a lot
 */
void
armilla_lot_unref (gpointer self)
{
  ArmillaLot *lot = self;

  if (!lot || !g_atomic_int_dec_and_test (&lot->refs))
    return;
  g_clear_object (&lot->sums);
  g_clear_pointer (&lot->file, armilla_checkpoint_free);
  g_mutex_clear (&lot->lock);
  g_free (lot);
}

static Sample *
sample_new (ArmillaLot *lot)
{
  Sample *sample = g_new0 (Sample, 1);

  g_atomic_int_inc (&lot->refs);
  sample->lot = lot;
  sample->position = lot->n_asked;
  return sample;
}

static void
sample_free (gpointer data)
{
  Sample *sample = data;

  armilla_lot_unref (sample->lot);
  g_free (sample);
}

/* Whether the numbers of a realisation are as many as those of the others, and mean the same. */
static gboolean
check_shape (ArmillaLot *lot, gint64 n_values, guint shape, GError **error)
{
  gboolean same;

  g_mutex_lock (&lot->lock);
  if (lot->head.n_values == 0)
    {
      lot->head.n_values = n_values;
      lot->shape = shape;
    }
  same = lot->head.n_values == n_values && lot->shape == shape;
  g_mutex_unlock (&lot->lock);
  return same
         || armilla_fail (error, ARMILLA_ERROR_SHAPE,
                          "input: the rows or columns of the table differ between realisations; "
                          "what is collected must have the same in all of them");
}

/* The last one that comes, whichever that is, ends the file. */
static gboolean
come (const Sample *sample, GError **error)
{
  ArmillaLot *lot = sample->lot;
  gboolean last;

  g_mutex_lock (&lot->lock);
  last = ++lot->n_come == lot->size;
  g_mutex_unlock (&lot->lock);
  return !last || armilla_checkpoint_end (lot->file, error);
}

static gboolean
write_values (const Sample *sample, const double *values, gint64 n, GError **error)
{
  return armilla_checkpoint_write (sample->lot->file,
                                   (gint64) sizeof (ArmillaLotHead) + 8 * sample->position * n,
                                   values, 8 * n, error);
}

/* The first one tells what the numbers are; a description of tables stands behind them. */
static gboolean
write_head (const Sample *sample, gint64 n, GBytes *pattern, GError **error)
{
  const gsize size = pattern ? g_bytes_get_size (pattern) : 0;
  const ArmillaLotHead head = { n, (gint64) size };

  return sample->position > 0
         || (armilla_checkpoint_write (sample->lot->file, 0, &head, sizeof head, error)
             && (!size
                 || armilla_checkpoint_write (
                   sample->lot->file, (gint64) sizeof head + 8 * sample->lot->size * n,
                   g_bytes_get_data (pattern, NULL), (gint64) size, error)));
}

static gboolean
take_cl (gpointer user, double *values, GError **error)
{
  const Sample *sample = user;

  return check_shape (sample->lot, sample->n_values, 0, error)
         && write_head (sample, sample->n_values, NULL, error)
         && write_values (sample, values, sample->n_values, error);
}

static gboolean
done_cl (gpointer user, GError **error)
{
  return come (user, error);
}

static gboolean
take_table (gpointer user, const ArmillaTable *table, GError **error)
{
  const Sample *sample = user;
  g_autoptr (GBytes) pattern = armilla_lot_pattern (table);
  g_autofree double *values = NULL;
  gint64 n;

  values = armilla_lot_numbers (table, &n);
  if (n == 0)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "input: the table has no rows of numbers, of which there is nothing to "
                         "collect");
  return check_shape (sample->lot, n, armilla_lot_shape (table), error)
         && write_head (sample, n, pattern, error) && write_values (sample, values, n, error)
         && come (sample, error);
}

/* sums <- those with the tile beside. */
static gboolean
submit_tile (ArmillaGraph *graph, const ArmillaTileSet *tiles, gpointer user, GError **error)
{
  const Sample *sample = user;
  const gboolean first = sample->position == 0;
  ArmillaCollectArgs args = { armilla_graph_fault (graph), sample->shape };
  ArmillaUse uses[] = { { tiles->in[0]->handle, STARPU_R },
                        { first ? tiles->out->handle : tiles->in[1]->handle,
                          first ? STARPU_W : STARPU_RW } };

  args.shape.n = tiles->in[0]->n;
  return armilla_submit (graph, &armilla_collect_cl, tiles->rank, &args, sizeof args, uses, 2, 0,
                         error);
}

static ArmillaData *
new_sums (ArmillaData *data, int n_arrays)
{
  if (ARMILLA_IS_MAP (data))
    return ARMILLA_DATA (armilla_map_new (armilla_map_grid (ARMILLA_MAP (data)),
                                          n_arrays * armilla_map_n_fields (ARMILLA_MAP (data))));
  return ARMILLA_DATA (armilla_alm_new (armilla_alm_layout (ARMILLA_ALM (data)),
                                        n_arrays * armilla_alm_n_fields (ARMILLA_ALM (data))));
}

static gboolean
collect_sums (ArmillaGraph *graph, ArmillaData *data, ArmillaLot *lot, ArmillaCollectFlags flags,
              GError **error)
{
  Sample *sample = sample_new (lot);
  ArmillaCollectShape *shape = &sample->shape;
  ArmillaData *inputs[2] = { data };
  ArmillaCheckpoint *file;

  *shape = (ArmillaCollectShape) { .count = lot->n_asked + 1, .unseen = ARMILLA_IS_MAP (data),
                                   .squares = (flags & ARMILLA_COLLECT_SQUARES) != 0,
                                   .minimum = (flags & ARMILLA_COLLECT_MINIMUM) != 0,
                                   .maximum = (flags & ARMILLA_COLLECT_MAXIMUM) != 0 };
  if (!lot->sums)
    lot->sums = new_sums (data, 1 + shape->squares + shape->minimum + shape->maximum);
  inputs[1] = lot->sums;
  if (!armilla_graph_each_tile (graph, inputs, lot->n_asked > 0 ? 2 : 1,
                                lot->n_asked > 0 ? NULL : lot->sums, submit_tile, sample,
                                sample_free, error))
    return FALSE;
  if (++lot->n_asked < lot->size)
    return TRUE;
  file = g_steal_pointer (&lot->file);
  if (!ARMILLA_DATA_GET_CLASS (lot->sums)->save (lot->sums, graph, file, error))
    return FALSE;
  armilla_data_release (lot->sums);
  g_clear_object (&lot->sums);
  return TRUE;
}

/**
 * armilla_graph_collect:
 * @graph: the graph of @lot
 * @data: map, a_lm, spectra or table of the next realisation of @lot
 * @lot: a lot that is not full
 * @flags: what is kept of maps and a_lm, the same for all
 * @error: return location
 *
 * Asks to collect a realisation. What was asked for of the realisations before has been submitted.
 * The last one of a lot has its file written.
 *
 * Returns: whether that was possible; %ARMILLA_ERROR_SHAPE where the realisation has another shape
 *   than those before
 */
gboolean
armilla_graph_collect (ArmillaGraph *graph, ArmillaData *data, ArmillaLot *lot,
                       ArmillaCollectFlags flags, GError **error)
{
  Sample *sample;

  g_return_val_if_fail (lot->n_asked < lot->size, FALSE);
  if (ARMILLA_IS_MAP (data) || ARMILLA_IS_ALM (data))
    return collect_sums (graph, data, lot, flags, error);
  sample = sample_new (lot);
  lot->n_asked++;
  if (ARMILLA_IS_TABLE_DATA (data))
    return armilla_graph_drain_table (graph, ARMILLA_TABLE_DATA (data), take_table, sample,
                                      sample_free, error);
  sample->n_values = (armilla_cl_lmax (ARMILLA_CL (data)) + 1)
                     * armilla_cl_n_fields (ARMILLA_CL (data));
  return armilla_graph_drain_cl (graph, ARMILLA_CL (data), take_cl, done_cl, sample, sample_free,
                                 error);
}
