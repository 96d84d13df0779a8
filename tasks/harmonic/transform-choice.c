/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses the orders for which a transform uses a table of compressed matrices, and reports the
 * choice, from measured speeds of both methods. */
#include "config.h"

#include "tasks/harmonic/transform.h"

/* Estimated cost of a table that does not exist, computed once per graph. */
typedef struct {
  const ArmillaRingBlocks *rings;
  const ArmillaOrderBlocks *orders;
  double tolerance;
  const char *failure; /* why the estimate failed */
  ArmillaLegendreEstimate estimate;
} Known;

/* Records a line for the user, which is printed after the run, once per graph. */
void
armilla_graph_tell_once (ArmillaGraph *graph, const char *format, ...)
{
  g_autofree char *line = NULL;
  va_list words;

  va_start (words, format);
  line = g_strdup_vprintf (format, words);
  va_end (words);
  for (const char *at = strstr (graph->cuts->str, line); at; at = strstr (at + 1, line))
    if (at == graph->cuts->str || at[-1] == '\n')
      return;
  g_string_append (graph->cuts, line);
}

/* Returns the cost of the present recurrence relative to one on every ring of the grid; it is below
 * 1 if rings are interpolated. */
static double
recurrence_share (const ArmillaTransform *t)
{
  return t->theta ? armilla_theta_grid_share (t->theta, t->n_fields, t->n_groups) : 1;
}

static double
seconds_by_recurrence (const ArmillaTransform *t, const ArmillaLegendreSpeed *speed,
                       const double *pairs, gint64 m_first, gint64 m_last)
{
  const ArmillaDeltaShape shape = { .lmax = t->orders->layout.lmax, .m_first = m_first,
                                    .m_last = m_last, .n_fields = t->n_fields,
                                    .n_pairs = t->rings->grid->n_pairs };

  return recurrence_share (t) * armilla_legendre_seconds_by_recurrence (speed, &shape, pairs);
}

static double
seconds_by_table (const ArmillaTransform *t, const ArmillaLegendreSpeed *speed,
                  const ArmillaButterflyBlock *block)
{
  return armilla_legendre_seconds_by_table (speed, t->n_fields, (double) block->elements,
                                            (double) block->n_words);
}

/* Chooses the m-blocks that use the table (method all: every one that it contains) from the table
 * alone, so that every run and rank chooses alike. Returns their number. */
int
armilla_transform_choose_table (const ArmillaTransform *t, const ArmillaLegendreTable *table,
                                gboolean all, gboolean *use)
{
  const ArmillaLegendreSpeed *speed = armilla_legendre_file_speed (table->file);
  g_autofree double *pairs = armilla_legendre_pairs (t->rings->grid);
  int n = 0;

  for (int b = 0; b < t->orders->n; b++)
    {
      const ArmillaButterflyBlock *block = &table->block[b];

      use[b] = block->n_words > 0
               && (all
                   || seconds_by_table (t, speed, block)
                        < seconds_by_recurrence (t, speed, pairs, block->m_first, block->m_last));
      n += use[b];
    }
  return n;
}

/* Reports the choice and its gain or, if the table is not used, what using it would cost. */
void
armilla_transform_tell_table (ArmillaTransform *t, const ArmillaLegendreTable *table,
                              const gboolean *use, int n_used)
{
  const ArmillaLegendreFile *file = table->file;
  const ArmillaLegendreSpeed *speed = armilla_legendre_file_speed (file);
  g_autofree double *pairs = armilla_legendre_pairs (t->rings->grid);
  g_autofree char *even = NULL;
  double recurrence = 0, butterfly = 0;

  for (int b = 0; b < t->orders->n; b++)
    {
      const ArmillaButterflyBlock *block = &table->block[b];
      const double plain = seconds_by_recurrence (t, speed, pairs, t->orders->m_first[b],
                                                  t->orders->m_last[b]);

      recurrence += plain;
      butterfly += use[b] || (n_used == 0 && block->n_words > 0)
                     ? seconds_by_table (t, speed, block)
                     : plain;
    }
  even = armilla_legendre_break_even (armilla_legendre_file_seconds (file), recurrence, butterfly,
                                      t->n_fields);
  armilla_graph_tell_once (t->graph, "table %s (%.3g GB, tolerance %g): %d of %d blocks of orders "
                           "by table, the others by recurrence; %s\n", table->path,
                           1e-9 * (double) armilla_legendre_file_size (file),
                           armilla_legendre_file_key (file)->tolerance, n_used, t->orders->n, even);
}

static const ArmillaExtraKind estimates_kind = { .free = g_free };

/* Estimates once the cost of a table: compresses some orders and times kernels. */
static const Known *
find_estimate (ArmillaTransform *t, double tolerance, const double *pairs)
{
  GPtrArray *all = armilla_extras_get (t->graph->extras, &estimates_kind);
  g_autoptr (GError) error = NULL;
  Known *known;

  for (guint i = 0; i < all->len; i++)
    {
      known = g_ptr_array_index (all, i);
      if (known->rings == t->rings && known->orders == t->orders && known->tolerance == tolerance)
        return known;
    }
  known = g_new0 (Known, 1);
  *known = (Known) { .rings = t->rings, .orders = t->orders, .tolerance = tolerance };
  if (!armilla_legendre_estimate (&known->estimate, t->orders->layout, pairs,
                                  t->rings->grid->n_pairs, tolerance, t->graph->view.isa,
                                  &error))
    known->failure = g_string_chunk_insert (t->graph->names, error->message);
  g_ptr_array_add (all, known);
  return known;
}

/* Reports the estimated cost of a table. */
void
armilla_transform_tell_no_table (ArmillaTransform *t, const ArmillaLegendreOptions *options)
{
  g_autofree double *pairs = NULL;
  g_autofree char *even = NULL;
  const ArmillaLegendreEstimate *estimate;
  const Known *known;

  /* If each rank has a graph of its own, only rank 0 reports. */
  if (t->graph->runtime->rank != 0)
    return;
  pairs = armilla_legendre_pairs (t->rings->grid);
  known = find_estimate (t, options->tolerance, pairs);
  estimate = &known->estimate;
  if (known->failure)
    {
      armilla_graph_tell_once (t->graph, "no table %s: all orders by recurrence; the cost of a "
                                         "table is unknown: %s\n", options->table, known->failure);
      return;
    }
  even = armilla_legendre_break_even (
    estimate->compress,
    seconds_by_recurrence (t, &estimate->speed, pairs, 0, t->orders->layout.mmax),
    armilla_legendre_seconds_by_table (&estimate->speed, t->n_fields, estimate->elements,
                                       estimate->words), t->n_fields);
  armilla_graph_tell_once (t->graph, "no table %s: all orders by recurrence. armilla precompute "
                                     "would create a table of about %.3g GB; %s\n", options->table,
                           8e-9 * estimate->words, even);
}
