/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expectation values of bandpowers of masked skies: sums of full-sky spectra times the window
 * functions of the bandpowers. Rank 0 processes the blocks in a fixed order. */
#include "config.h"

#include "tasks/data/make.h"
#include "tasks/spectra/coupling-bins.h"

#include <math.h>
#include <string.h>

/* tolerance of the check that windows reproduce a spectrum that is constant in each bin; it covers
 * rounding errors of the inverse matrix */
#define FLAT 1e-6

/* A window function: contribution of full-sky spectrum @source to bandpowers @target. */
typedef struct {
  int target;
  int source;   /* index of the spectrum; -1: it is assumed to be 0 */
  gboolean own; /* whether source and target have the same name */
} Window;

typedef struct {
  ArmillaDegreeBins *bins;
  GArray *windows;  /* Window */
  GPtrArray *names; /* names of the targets */
  char *unit;
  gint64 n_l, n_rows; /* multipoles of a spectrum, rows of a matrix */
  int n_columns;
} Plan;

typedef struct {
  Plan *plan;
  ArmillaCl *cl;
  ArmillaMatrix *windows;
  ArmillaTableData *table;
} Job;

static void
plan_clear (gpointer user)
{
  Plan *plan = user;

  g_clear_pointer (&plan->bins, armilla_degree_bins_unref);
  g_clear_pointer (&plan->windows, g_array_unref);
  g_clear_pointer (&plan->names, g_ptr_array_unref);
  g_free (plan->unit);
}

static void
plan_unref (gpointer user)
{
  g_atomic_rc_box_release_full (user, plan_clear);
}

static void
job_free (gpointer user)
{
  Job *job = user;

  plan_unref (job->plan);
  g_object_unref (job->cl);
  g_object_unref (job->windows);
  g_object_unref (job->table);
  g_free (job);
}

/* Returns the index of the spectrum of a pair of fields, such as EB or BE, which are equal in
 * theory. */
static int
find_spectrum (const char *const *names, const char *pair)
{
  const char exchanged[] = { pair[1], pair[0], '\0' };

  for (int k = 0; k < 2; k++)
    for (int i = 0; names[i] != NULL; i++)
      if (strcmp (armilla_spectrum_pair (names[i]), k == 0 ? pair : exchanged) == 0)
        return i;
  return -1;
}

static gboolean
add_window (Plan *plan, const char *name, const char *const *names, GError **error)
{
  g_autofree char *target = g_strndup (name, 2);
  const char *source = name + 6;
  Window window = { .target = 0 };
  guint number;

  if (strlen (name) != 8 || strncmp (name + 2, " of ", 4) != 0)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "windows has a field \"%s\"; must be window functions, with names such as "
                         "\"EE of BB\": connect windows of decouple, or of a file that contains "
                         "them", name);
  window.own = strcmp (target, source) == 0;
  window.source = find_spectrum (names, source);
  if (window.source < 0 && (source[0] == 'B') == (source[1] == 'B'))
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "cl has no %s, which the bandpowers %s require; set spectra to the names "
                         "of its spectra", source, target);
  if (!g_ptr_array_find_with_equal_func (plan->names, target, g_str_equal, &number))
    {
      number = plan->names->len;
      g_ptr_array_add (plan->names, g_steal_pointer (&target));
    }
  window.target = (int) number;
  g_array_append_val (plan->windows, window);
  return TRUE;
}

static Plan *
plan_new (ArmillaCl *cl, const char *const *names, ArmillaDegreeBins *bins,
          ArmillaMatrix *windows, GError **error)
{
  const ArmillaMatrixHeader *header = armilla_matrix_header (windows);
  Plan *plan = g_atomic_rc_box_new0 (Plan);
  gboolean ok = TRUE;

  *plan = (Plan) { .bins = armilla_degree_bins_ref (bins),
                   .windows = g_array_new (FALSE, FALSE, sizeof (Window)),
                   .names = g_ptr_array_new_with_free_func (g_free),
                   .unit = g_strdup (armilla_cl_unit (cl)), .n_l = armilla_cl_lmax (cl) + 1,
                   .n_rows = header->rows.n, .n_columns = armilla_cl_n_fields (cl) };
  if (header->rows.n != bins->n)
    ok = armilla_fail (error, ARMILLA_ERROR_SHAPE,
                       "windows are those of %" G_GINT64_FORMAT " bins, but there are %"
                       G_GINT64_FORMAT "; set edges, delta-l, lmin and lmax as in decouple",
                       header->rows.n, bins->n);
  else if (header->columns.n != bins->lmax + 1 || plan->n_l < header->columns.n)
    ok = armilla_fail (error, ARMILLA_ERROR_SHAPE,
                       "cl ends at l = %" G_GINT64_FORMAT ", but windows contain multipoles up to %"
                       G_GINT64_FORMAT, plan->n_l - 1, header->columns.n - 1);
  for (int i = 0; ok && i < header->n_fields; i++)
    ok = add_window (plan, header->names[i], names, error);
  if (!ok)
    g_clear_pointer (&plan, plan_unref);
  return plan;
}

/* Returns the offset of the sums in the work tile, after the spectra: for each window and bin, the
 * sum of window times spectrum; then the sum of window times a spectrum that is 1 in the bin. */
static gint64
sums_at (const Plan *plan)
{
  return plan->n_columns * plan->n_l;
}

static gint64
work_size (const Plan *plan)
{
  return sums_at (plan) + 2 * (gint64) plan->windows->len * plan->n_rows;
}

static gboolean
begin (gpointer user, double *const *buffers, GError **error)
{
  const Plan *plan = user;

  (void) error;
  memset (buffers[0], 0, sizeof (double) * (gsize) work_size (plan));
  memcpy (buffers[0], buffers[1], sizeof (double) * (gsize) (plan->n_columns * plan->n_l));
  return TRUE;
}

static gboolean
add_block (gpointer user, const ArmillaMatrixBlock *block, double *values, double *work,
           GError **error)
{
  const Plan *plan = user;
  const ArmillaDegreeBins *bins = plan->bins;
  double *sums = work + sums_at (plan), *flat = sums + plan->windows->len * plan->n_rows;

  (void) error;
  for (guint f = 0; f < plan->windows->len; f++)
    {
      const Window *window = &g_array_index (plan->windows, Window, f);
      const double *cl = window->source >= 0 ? work + window->source * plan->n_l : NULL;

      for (gint64 i = 0; i < block->n_rows; i++, values += block->n_columns)
        {
          const gint64 bin = block->row + i, at = (gint64) f * plan->n_rows + bin;

          for (gint64 k = 0; k < block->n_columns; k++)
            {
              const gint64 l = block->column + k;

              if (cl != NULL)
                sums[at] += values[k] * cl[l];
              if (window->own && l >= bins->first[bin] && l <= bins->last[bin])
                flat[at] += values[k] / bins->factors[l];
            }
        }
    }
  return TRUE;
}

static gboolean
make_table (gpointer user, const ArmillaPiece *in, ArmillaPiece *out, GError **error)
{
  const Plan *plan = user;
  const double *sums = in[0].values + sums_at (plan);
  const double *flat = sums + plan->windows->len * plan->n_rows;
  g_autofree double *values = g_new0 (double, plan->names->len * plan->n_rows);

  for (guint f = 0; f < plan->windows->len; f++)
    for (gint64 bin = 0; bin < plan->n_rows; bin++)
      {
        const Window *window = &g_array_index (plan->windows, Window, f);
        const gint64 at = (gint64) f * plan->n_rows + bin;

        if (window->own && !(fabs (flat[at] - 1) <= FLAT))
          return armilla_fail (error, ARMILLA_ERROR_VALUE,
                                    "windows do not match these bins: the one from l = %"
                                    G_GINT64_FORMAT " to %" G_GINT64_FORMAT " has the sum %g "
                                                    "instead of 1; set edges, delta-l, lmin, lmax "
                                                    "and dl as in decouple",
                                    plan->bins->first[bin], plan->bins->last[bin], flat[at]);
        values[window->target * plan->n_rows + bin] += sums[at];
      }
  out->table = armilla_degree_bins_table (plan->bins, "BANDPOWERS",
                                    (const char *const *) plan->names->pdata,
                                    (int) plan->names->len, plan->unit, values);
  return TRUE;
}

static gboolean
submit (ArmillaGraph *graph, gpointer user, GError **error)
{
  const Job *job = user;
  Plan *plan = job->plan;
  const ArmillaTile *cl = armilla_cl_tile (job->cl, graph, error);
  const enum starpu_data_access_mode modes[] = { STARPU_W, STARPU_R };
  ArmillaTile tiles[2] = { { 0 } };
  gboolean ok = cl != NULL && armilla_tile_new (graph, 0, work_size (plan), &tiles[0], error);

  if (ok)
    tiles[1] = *cl;
  ok = ok
       && armilla_host_step (graph, 0, tiles, modes, 2, begin, g_atomic_rc_box_acquire (plan),
                             plan_unref, error)
       && armilla_matrix_each_block (graph, job->windows, ARMILLA_BLOCKS_GO_ON, &tiles[0],
                                     add_block, plan, plan_unref, error)
       && armilla_host_make (graph, &tiles[0], 1, ARMILLA_DATA (job->table), make_table,
                             g_atomic_rc_box_acquire (plan), plan_unref, error);
  armilla_tile_drop (&tiles[0]);
  return ok;
}

/* Returns whether armilla_graph_expect_bandpowers() accepts the windows. */
gboolean
armilla_windows_check (ArmillaCl *cl, const char *const *names, ArmillaDegreeBins *bins,
                       ArmillaMatrix *windows, GError **error)
{
  Plan *plan = plan_new (cl, names, bins, windows, error);

  if (plan == NULL)
    return FALSE;
  plan_unref (plan);
  return TRUE;
}

/* Requests the means of the bandpowers of masked skies whose full-sky spectra are @cl. Returns
 * whether the shapes fit; ARMILLA_ERROR_SHAPE otherwise. Windows of other bins fail the run with
 * ARMILLA_ERROR_VALUE. @bins: up to the lmax of @windows; @table: written. */
gboolean
armilla_graph_expect_bandpowers (ArmillaGraph *graph, ArmillaCl *cl, const char *const *names,
                                 ArmillaDegreeBins *bins, ArmillaMatrix *windows,
                                 ArmillaTableData *table, GError **error)
{
  ArmillaData *const inputs[] = { ARMILLA_DATA (cl), ARMILLA_DATA (windows) };
  Plan *plan = plan_new (cl, names, bins, windows, error);
  Job *job;

  if (plan == NULL)
    return FALSE;
  job = g_new (Job, 1);
  *job = (Job) { plan, g_object_ref (cl), g_object_ref (windows), g_object_ref (table) };
  armilla_graph_later (graph, inputs, G_N_ELEMENTS (inputs), submit, job, job_free);
  return TRUE;
}
