/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Combines the sums of all lots (groups of realisations), in order, into a map or a_lm: piece by
 * piece, with as little memory as any map that is read from a file. */
#include "config.h"

#include <armilla/memory.h>
#include <math.h>

#include "codelets/fields/pixel-ops-math.h"
#include "tasks/data/collect.h"
#include "tasks/data/collected.h"
#include "tasks/data/data-private.h"

typedef struct {
  ArmillaCollected *collected;
  ArmillaCollectFlags flags;
  ArmillaCollectWhat what;
  double factor;
  int n_fields;
  gint64 n_numbers;      /* doubles per field */
  gboolean is_complex;
  GMutex lock;           /* guards the following fields */
  ArmillaLotFiles files; /* opened when the first piece is requested */
} Source;

static void
source_free (gpointer data)
{
  Source *source = data;

  armilla_lot_files_close (&source->files);
  g_mutex_clear (&source->lock);
  armilla_collected_unref (source->collected);
  g_free (source);
}

static gboolean
open_files (Source *source, GError **error)
{
  gboolean ok;

  g_mutex_lock (&source->lock);
  ok = source->files.files || armilla_lot_files_open (&source->files, source->collected, error);
  g_mutex_unlock (&source->lock);
  return ok;
}

/* Returns the index of the array of minima or maxima in a file, which follows those of means and of
 * sums of squared differences. */
static int
array_of (const Source *source)
{
  int array = 1 + ((source->flags & ARMILLA_COLLECT_SQUARES) != 0);

  return source->what == ARMILLA_COLLECTED_MAXIMUM
           ? array + ((source->flags & ARMILLA_COLLECT_MINIMUM) != 0)
           : array;
}

static gboolean
read_array (const Source *source, gint64 lot, int array, int field, gint64 first, gint64 n,
            double *values, GError **error)
{
  return armilla_checkpoint_read (
    source->files.files[lot],
    8 * ((array * source->n_fields + field) * source->n_numbers + first), values, 8 * n, error);
}

static gboolean
fill_extremes (const Source *source, int field, gint64 first, gint64 n, double *out,
               GError **error)
{
  const double sign = source->what == ARMILLA_COLLECTED_MINIMUM ? 1 : -1;
  g_autofree double *next = armilla_try_new (double, n, "the extremes of realisations", error);

  if (next == NULL)
    return FALSE;
  for (gint64 lot = 0; lot < source->files.n; lot++)
    {
      if (!read_array (source, lot, array_of (source), field, first, n, lot ? next : out, error))
        return FALSE;
      for (gint64 i = 0; lot > 0 && i < n; i++)
        if (armilla_is_unseen_value (out[i]) || armilla_is_unseen_value (next[i]))
          out[i] = ARMILLA_UNSEEN_VALUE;
        else if (sign * next[i] < sign * out[i])
          out[i] = next[i];
    }
  return TRUE;
}

/* Combines the means, and the sums of squared differences from them, of two sets of realisations
 * (Chan, Golub and LeVeque 1979). */
static void
merge (gint64 n, double before, double more, const double *mean, const double *squares,
       gboolean unseen, double *all_mean, double *all_squares)
{
  const double share = more / (before + more);

  for (gint64 i = 0; i < n; i++)
    {
      const double d = mean[i] - all_mean[i];

      if (unseen && (armilla_is_unseen_value (mean[i]) || armilla_is_unseen_value (all_mean[i])))
        {
          all_mean[i] = all_squares[i] = ARMILLA_UNSEEN_VALUE;
          continue;
        }
      all_mean[i] += d * share;
      all_squares[i] += squares[i] + d * d * (before * share);
    }
}

/* numbers processed at a time, of all lots, so that they stay in the cache */
#define AT_ONCE 8192

static gboolean
merge_piece (const Source *source, int field, gint64 first, gint64 n, gboolean unseen,
             double *mean, double *squares, double *next, GError **error)
{
  const gboolean has_squares = source->what != ARMILLA_COLLECTED_MEAN;
  double before = 0;

  for (gint64 lot = 0; lot < source->files.n; lot++)
    {
      const double more = (double) armilla_collected_lot_size (source->collected, lot);

      if (!read_array (source, lot, 0, field, first, n, lot ? next : mean, error)
          || (has_squares
              && !read_array (source, lot, 1, field, first, n, lot ? next + n : squares, error)))
        return FALSE;
      if (lot > 0)
        merge (n, before, more, next, next + n, unseen, mean, squares);
      before += more;
    }
  return TRUE;
}

static gboolean
merge_lots (const Source *source, int field, gint64 first, gint64 n, gboolean unseen,
            double *mean, double *squares, GError **error)
{
  g_autofree double *next = g_new0 (double, 2 * MIN (n, AT_ONCE));
  gboolean ok = TRUE;

  for (gint64 i = 0; ok && i < n; i += AT_ONCE)
    ok = merge_piece (source, field, first + i, MIN (n - i, AT_ONCE), unseen, mean + i,
                      squares + i, next, error);
  return ok;
}

/* Returns the requested statistic of one number from its sum of squared differences from the
 * mean. */
static double
spread (const Source *source, double squares)
{
  const double n = (double) armilla_collected_n_samples (source->collected);
  const double variance = n > 1 ? squares / (n - 1) : NAN;

  return source->factor * (source->what == ARMILLA_COLLECTED_VARIANCE ? variance : sqrt (variance));
}

static gboolean
fill (gpointer user, ArmillaPiece *piece, GError **error)
{
  Source *source = user;
  const gint64 n = piece->n_values, first = piece->place - piece->field * source->n_numbers;
  const int step = source->is_complex ? 2 : 1;
  double *values = piece->values;
  g_autofree double *squares = NULL;

  if (!open_files (source, error))
    return FALSE;
  if (source->what >= ARMILLA_COLLECTED_MINIMUM)
    return fill_extremes (source, piece->field, first, n, values, error);
  squares = armilla_try_new (double, n, "the scatter of realisations", error);
  if (squares == NULL
      || !merge_lots (source, piece->field, first, n, !source->is_complex, values, squares, error))
    return FALSE;
  for (gint64 i = 0; source->what != ARMILLA_COLLECTED_MEAN && i < n; i += step)
    if (source->is_complex)
      {
        values[i] = spread (source, squares[i] + squares[i + 1]);
        values[i + 1] = 0;
      }
    else if (!armilla_is_unseen_value (values[i]))
      values[i] = spread (source, squares[i]);
  return TRUE;
}

gboolean
armilla_graph_fill_collected (ArmillaGraph *graph, ArmillaCollected *collected,
                              ArmillaCollectFlags flags, ArmillaCollectWhat what, double factor,
                              ArmillaData *out, GError **error)
{
  ArmillaCut cut = { .writes = TRUE };
  Source *source;

  if (!armilla_data_cut (out, graph, &cut, error))
    return FALSE;
  source = g_new (Source, 1);
  *source = (Source) { .collected = armilla_collected_ref (collected), .flags = flags,
                       .what = what, .factor = factor, .n_fields = cut.n_fields,
                       .is_complex = cut.verbs->is_complex, .n_numbers = cut.n_numbers };
  g_mutex_init (&source->lock);
  return armilla_graph_fill (graph, out, fill, source, source_free, error);
}
