/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "core/spectra/degree-bins.h"
#include "tasks/data/make.h"
#include "tasks/spectra/spectra.h"

#include <armilla/task.h>

typedef struct {
  ArmillaDegreeBins *bins;
  char **names, *unit;
  gint64 n_l;
} Plan;

static void
plan_free (gpointer user)
{
  Plan *plan = user;

  armilla_degree_bins_unref (plan->bins);
  g_strfreev (plan->names);
  g_free (plan->unit);
  g_free (plan);
}

static gboolean
make_table (gpointer user, const ArmillaPiece *in, ArmillaPiece *out, GError **error)
{
  const Plan *plan = user;
  const double *cl = in[0].values;
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
  out->table = armilla_degree_bins_table (plan->bins, "BANDPOWERS",
                                    (const char *const *) names->pdata, (int) names->len,
                                    plan->unit, values);
  return TRUE;
}

/* Requests the means of spectra in multipole bins, written to @table. Returns FALSE with an error
 * if @cl ends below the highest multipole of @bins, or its spectra have no names. */
gboolean
armilla_graph_bandpowers (ArmillaGraph *graph, ArmillaCl *cl, ArmillaDegreeBins *bins,
                          const char *const *names, ArmillaTableData *table, GError **error)
{
  ArmillaData *const input[] = { ARMILLA_DATA (cl) };
  Plan *plan;

  if (armilla_cl_lmax (cl) < bins->lmax
      || (int) g_strv_length ((char **) names) != armilla_cl_n_fields (cl))
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "%d spectra up to l = %" G_GINT64_FORMAT " do not fit %u names, and bins "
                         "up to %" G_GINT64_FORMAT, armilla_cl_n_fields (cl), armilla_cl_lmax (cl),
                         g_strv_length ((char **) names), bins->lmax);
  plan = g_new (Plan, 1);
  *plan = (Plan) { armilla_degree_bins_ref (bins), g_strdupv ((char **) names),
                   g_strdup (armilla_cl_unit (cl)), armilla_cl_lmax (cl) + 1 };
  return armilla_graph_make (graph, input, 1, ARMILLA_DATA (table), make_table, plan, plan_free,
                             error);
}
