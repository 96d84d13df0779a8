/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects the realisations of a lot (a group of realisations whose results are stored in one
 * file). Maps and a_lm are added to sums in tiles of the same shape, which are written when the lot
 * is complete. Spectra and tables are small: their numbers are written to the file. Requests for
 * several realisations of a lot that are submitted together are executed together: one task per
 * tile, or one step for all spectra. */
#include "config.h"

#include <armilla/checkpoint.h>
#include <armilla/memory.h>
#include <armilla/task.h>
#include <string.h>

#include "codelets/fields/field-codelets.h"
#include "tasks/data/checkpoint.h"
#include "tasks/data/collect.h"
#include "tasks/data/data-private.h"
#include "tasks/data/lot.h"
#include "tasks/graph/jobs.h"

struct _ArmillaLot {
  gint refs;
  gint64 size, n_asked;
  ArmillaCheckpoint *file; /* file of the lot; NULL for maps and a_lm, whose sums own it */
  ArmillaData *sums;       /* sums of maps and a_lm; NULL for other data */
  GMutex lock;             /* guards the following fields */
  gint64 n_come;
  ArmillaLotHead head; /* header of the file of spectra and tables, set by the first realisation */
  guint shape;
};

/* A realisation of a lot. */
typedef struct {
  ArmillaLot *lot;
  gint64 position, n_values;
  ArmillaCollectShape shape;
  ArmillaTable *spectra; /* (nullable): names and multipoles of spectra that are stored as tables */
} Sample;

/* Returns an empty lot of @size realisations, which will be stored in the file @path. @due, @user
 * and @destroy: see armilla_checkpoint_new(). */
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
  g_clear_pointer (&sample->spectra, armilla_table_free);
  g_free (sample);
}

/* Checks that the realisation has as many numbers, with the same meaning, as the others. */
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
                          "must be equal in all of them");
}

/* Counts @n written realisations, in any order, and completes the file after the last one. */
static gboolean
come (ArmillaLot *lot, gint64 n, GError **error)
{
  gboolean last;

  g_mutex_lock (&lot->lock);
  lot->n_come += n;
  last = lot->n_come == lot->size;
  g_mutex_unlock (&lot->lock);
  return !last || armilla_checkpoint_end (lot->file, error);
}

/* Writes the numbers of @n_samples realisations from @first on. */
static gboolean
write_values (const Sample *first, gint64 n_samples, const double *values, gint64 n,
              GError **error)
{
  return armilla_checkpoint_write (first->lot->file,
                                   (gint64) sizeof (ArmillaLotHead) + 8 * first->position * n,
                                   values, 8 * n_samples * n, error);
}

/* Writes the header, and for tables a description of their columns, if this is the first
 * realisation of the lot, which defines the meaning of the numbers. */
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

/* Writes a table as a whole: the only one of its lot. */
static gboolean
take_whole (const Sample *sample, const ArmillaTable *table, GError **error)
{
  g_autoptr (GBytes) pattern = armilla_lot_pattern (table);

  return write_head (sample, 0, pattern, error) && come (sample->lot, 1, error);
}

static gboolean
take_whole_cl (const Sample *sample, const double *values, GError **error)
{
  const ArmillaTable *table = sample->spectra;

  for (int c = 1; c < table->n_columns; c++)
    memcpy (table->columns[c].doubles, values + (c - 1) * table->n_rows,
            sizeof (double) * (gsize) table->n_rows);
  return take_whole (sample, table, error);
}

static gboolean
take_whole_table (gpointer user, ArmillaPiece *piece, GError **error)
{
  return take_whole (user, piece->table, error);
}

/* Writes spectra of consecutive realisations. */
static gboolean
take_cls (gpointer user, double *const *buffers, GError **error)
{
  const GPtrArray *samples = user;
  const Sample *first = g_ptr_array_index (samples, 0);
  const gint64 n = first->n_values;
  g_autofree double *values = NULL;

  if (first->spectra != NULL)
    return take_whole_cl (first, buffers[0], error);
  values = armilla_try_new (double, samples->len * (gsize) n, "the spectra of realisations", error);
  if (values == NULL)
    return FALSE;
  for (guint i = 0; i < samples->len; i++)
    {
      const Sample *sample = g_ptr_array_index (samples, i);

      if (!check_shape (sample->lot, sample->n_values, 0, error))
        return FALSE;
      memcpy (values + i * n, buffers[i], sizeof (double) * (gsize) n);
    }
  return write_head (first, n, NULL, error)
         && write_values (first, samples->len, values, n, error)
         && come (first->lot, samples->len, error);
}

static gboolean
take_table (gpointer user, ArmillaPiece *piece, GError **error)
{
  const ArmillaTable *table = piece->table;
  const Sample *sample = user;
  g_autoptr (GBytes) pattern = armilla_lot_pattern (table);
  g_autofree double *values = NULL;
  gint64 n;

  values = armilla_lot_numbers (table, &n, error);
  if (values == NULL)
    return FALSE;
  if (n == 0)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "input: the table has no rows of numbers; must have at least one");
  return check_shape (sample->lot, n, armilla_lot_shape (table), error)
         && write_head (sample, n, pattern, error) && write_values (sample, 1, values, n, error)
         && come (sample->lot, 1, error);
}

static gboolean
same_lot (ArmillaGraph *graph G_GNUC_UNUSED, const ArmillaJob *a, const ArmillaJob *b)
{
  return ((const Sample *) a->user)->lot == ((const Sample *) b->user)->lot;
}

/* Submits tasks that add the tiles of all jobs, in their order, to the sums. */
static gboolean
submit_tiles (ArmillaGraph *graph, ArmillaJob *const *jobs, int n, const ArmillaTile *const *tiles,
              const ArmillaTile *sums, int number, GError **error)
{
  const Sample *sample = jobs[0]->user;
  ArmillaCollectArgs args = { armilla_graph_fault (graph), sample->shape, n };
  ArmillaUse *uses = g_newa (ArmillaUse, (gsize) n + 1);

  args.shape.n = tiles[0][number].n;
  uses[0] = (ArmillaUse) { sums[number].handle, sample->position == 0 ? STARPU_W : STARPU_RW };
  for (int i = 0; i < n; i++)
    uses[1 + i] = (ArmillaUse) { tiles[i][number].handle, STARPU_R };
  return armilla_submit (graph, &armilla_collect_cl, sums[number].owner, &args, sizeof args, uses,
                         1 + n, 0, error);
}

static gboolean
run_sums (ArmillaGraph *graph, ArmillaJob *const *jobs, int n, GError **error)
{
  const ArmillaTile **tiles = g_newa (const ArmillaTile *, (gsize) n);
  ArmillaData *sums = jobs[0]->in[1];
  const ArmillaTile *to = armilla_data_tiles (sums, graph, error);
  const gboolean first = ((const Sample *) jobs[0]->user)->position == 0;
  ArmillaCut cut = { .writes = TRUE };
  gboolean ok = to && armilla_data_cut (sums, graph, &cut, error);

  for (int i = 0; ok && i < n; i++)
    {
      ArmillaCut own = { .writes = FALSE };
      ArmillaRingBlocks *both[] = { cut.rings, NULL };

      ok = armilla_data_cut (jobs[i]->in[0], graph, &own, error);
      both[1] = own.rings;
      ok = ok && (!cut.rings || armilla_check_same_cut (both, 2, error))
           && (tiles[i] = armilla_data_tiles (jobs[i]->in[0], graph, error));
    }
  for (int b = 0; ok && b < cut.n_tiles; b++)
    {
      for (int i = 0; ok && i < n; i++)
        ok = armilla_data_tile_begin (jobs[i]->in[0], graph, b, error);
      ok = ok && submit_tiles (graph, jobs, n, tiles, to, b, error)
           && (!first || armilla_data_tile_pass (sums, graph, b, error));
      for (int i = 0; ok && i < n; i++)
        ok = armilla_data_tile_end (jobs[i]->in[0], graph, b, error);
    }
  return ok;
}

static gboolean
run_cls (ArmillaGraph *graph, ArmillaJob *const *jobs, int n, GError **error)
{
  enum starpu_data_access_mode *modes = g_newa (enum starpu_data_access_mode, (gsize) n);
  ArmillaTile *tiles = g_newa (ArmillaTile, (gsize) n);
  GPtrArray *samples = g_ptr_array_new_with_free_func (sample_free);

  for (int i = 0; i < n; i++)
    {
      const ArmillaTile *tile = armilla_cl_tile (ARMILLA_CL (jobs[i]->in[0]), graph, error);

      if (!tile)
        {
          g_ptr_array_unref (samples);
          return FALSE;
        }
      tiles[i] = *tile;
      modes[i] = STARPU_R;
      g_ptr_array_add (samples, armilla_job_steal_user (jobs[i]));
    }
  return armilla_host_step (graph, 0, tiles, modes, n, take_cls, samples,
                            (GDestroyNotify) g_ptr_array_unref, error);
}

static const ArmillaJobKind sums_kind = { .alike = same_lot, .run = run_sums },
                            cls_kind = { .alike = same_lot, .run = run_cls };

static void
defer (ArmillaGraph *graph, const ArmillaJobKind *kind, ArmillaData *data, Sample *sample)
{
  const ArmillaJob job = { .kind = kind, .in = { data, sample->lot->sums }, .user = sample,
                           .destroy = sample_free };

  armilla_graph_defer (graph, &job);
}

static gboolean
collect_sums (ArmillaGraph *graph, ArmillaData *data, ArmillaLot *lot, ArmillaCollectFlags flags,
              GError **error)
{
  const ArmillaDataVerbs *verbs = armilla_data_verbs (data);
  const ArmillaCollectShape shape = { .count = lot->n_asked + 1,
                                      .unseen = verbs->has_pixels,
                                      .squares = (flags & ARMILLA_COLLECT_SQUARES) != 0,
                                      .minimum = (flags & ARMILLA_COLLECT_MINIMUM) != 0,
                                      .maximum = (flags & ARMILLA_COLLECT_MAXIMUM) != 0 };
  ArmillaCheckpoint *file;
  Sample *sample;

  if (!lot->sums)
    lot->sums = armilla_data_new_like (data, (1 + shape.squares + shape.minimum + shape.maximum)
                                               * armilla_data_fields (data)->n);
  if (!verbs->same_shape (data, "one realisation", lot->sums, "another", error))
    return FALSE;
  sample = sample_new (lot);
  sample->shape = shape;
  defer (graph, &sums_kind, data, sample);
  if (++lot->n_asked < lot->size)
    return TRUE;
  file = g_steal_pointer (&lot->file);
  if (!ARMILLA_DATA_GET_CLASS (lot->sums)->save (lot->sums, graph, file, error))
    return FALSE;
  armilla_data_release (lot->sums);
  g_clear_object (&lot->sums);
  return TRUE;
}

gboolean
armilla_graph_collect (ArmillaGraph *graph, ArmillaData *data, ArmillaLot *lot,
                       ArmillaCollectFlags flags, GError **error)
{
  const ArmillaDataVerbs *verbs = armilla_data_verbs (data);
  Sample *sample;

  g_return_val_if_fail (lot->n_asked < lot->size, FALSE);
  if (!verbs->is_whole)
    return collect_sums (graph, data, lot, flags, error);
  sample = sample_new (lot);
  lot->n_asked++;
  if (!verbs->new_table)
    return armilla_graph_drain (graph, data,
                                flags & ARMILLA_COLLECT_WHOLE ? take_whole_table : take_table,
                                NULL, sample, sample_free, error);
  if (flags & ARMILLA_COLLECT_WHOLE)
    sample->spectra = verbs->new_table (data);
  sample->n_values = (armilla_cl_lmax (ARMILLA_CL (data)) + 1)
                     * armilla_cl_n_fields (ARMILLA_CL (data));
  defer (graph, &cls_kind, data, sample);
  return TRUE;
}
