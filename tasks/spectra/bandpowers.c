/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "core/spectra/degree-bins.h"
#include "tasks/data/host-table.h"
#include "tasks/spectra/spectra.h"

#include <armilla/task.h>

typedef struct {
  ArmillaDegreeBins *bins;
  char **names, *unit;
  gint64 n_l;
} Plan;

typedef struct {
  Plan *plan;
  ArmillaCl *cl;
  ArmillaTableData *table;
} Job;

static void
plan_clear (gpointer user)
{
  Plan *plan = user;

  armilla_degree_bins_unref (plan->bins);
  g_strfreev (plan->names);
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
  g_object_unref (job->table);
  g_free (job);
}

static ArmillaTable *
make_table (gpointer user, const gint64 *const *words, GError **error)
{
  const Plan *plan = user;
  const double *cl = (const double *) (gconstpointer) words[0];
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree double *values = g_new (double, plan->bins->n * g_strv_length (plan->names));

  (void) error;
  for (int i = 0; plan->names[i] != NULL; i++)
    {
      if (g_str_equal (plan->names[i], "-"))
        continue;
      armilla_degree_bins_average (plan->bins, cl + i * plan->n_l,
                                   values + names->len * plan->bins->n);
      g_ptr_array_add (names, plan->names[i]);
    }
  return armilla_degree_bins_table (plan->bins, "BANDPOWERS",
                                    (const char *const *) names->pdata, (int) names->len,
                                    plan->unit, values);
}

static gboolean
submit (ArmillaGraph *graph, gpointer user, GError **error)
{
  const Job *job = user;
  const ArmillaTile *tile = armilla_cl_tile (job->cl, graph, error);

  if (!tile)
    return FALSE;
  return armilla_host_table (graph, tile, 1, make_table, g_atomic_rc_box_acquire (job->plan),
                             plan_unref, job->table, error);
}

/* Asks for the means of spectra in bins of degrees. Returns whether @cl reaches the lmax of
 * @bins, and each has a name. @bins: bins up to their lmax, or less; @table: written: means of
 * the bins. */
gboolean
armilla_graph_bandpowers (ArmillaGraph *graph, ArmillaCl *cl, ArmillaDegreeBins *bins,
                          const char *const *names, ArmillaTableData *table, GError **error)
{
  ArmillaData *input = ARMILLA_DATA (cl);
  Job *job;

  if (armilla_cl_lmax (cl) < bins->lmax
      || (int) g_strv_length ((char **) names) != armilla_cl_n_fields (cl))
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "%d spectra up to l = %" G_GINT64_FORMAT " do not fit %u names, and bins "
                         "up to %" G_GINT64_FORMAT, armilla_cl_n_fields (cl), armilla_cl_lmax (cl),
                         g_strv_length ((char **) names), bins->lmax);
  job = g_new (Job, 1);
  *job = (Job) { g_atomic_rc_box_new0 (Plan), g_object_ref (cl), g_object_ref (table) };
  *job->plan = (Plan) { armilla_degree_bins_ref (bins), g_strdupv ((char **) names),
                        g_strdup (armilla_cl_unit (cl)), armilla_cl_lmax (cl) + 1 };
  armilla_graph_later (graph, &input, 1, submit, job, job_free);
  return TRUE;
}
