/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <armilla/task.h>

#include "codelets/fields/field-codelets.h"
#include "codelets/fields/pixel-codelets.h"
#include "tasks/harmonic/analysis-private.h"

/* Factors of a requested sum, one per input. */
typedef struct {
  int n, n_fields;
  double factors[ARMILLA_JOB_INPUTS];
} Sum;

static Sum *
sum_new (const double *factors, int n, int n_fields)
{
  Sum *sum = g_new (Sum, 1);

  *sum = (Sum) { .n = n, .n_fields = n_fields };
  for (int i = 0; i < n; i++)
    sum->factors[i] = factors[i];
  return sum;
}

/* Submits out <- factor 0 x in 0, then out <- factor i x in i + out in a fixed order. */
static gboolean
combine_map_tiles (ArmillaGraph *graph, const ArmillaTileSet *tiles, gpointer user, GError **error)
{
  const Sum *sum = user;

  for (int i = 0; i < sum->n; i++)
    {
      ArmillaPixelArgs args = { .fault = armilla_graph_fault (graph), .n_fields = sum->n_fields,
                                .n_pixels = tiles->n, .alpha = sum->factors[i], .beta = 1 };
      ArmillaUse uses[] = { { tiles->in[i]->handle, STARPU_R },
                            { tiles->out->handle, i == 0 ? STARPU_W : STARPU_RW } };

      if (!armilla_submit (graph, i == 0 ? &armilla_pixel_scale_cl : &armilla_pixel_combine_cl,
                           tiles->rank, &args, sizeof args, uses, G_N_ELEMENTS (uses), 0, error))
        return FALSE;
    }
  return TRUE;
}

/* Requests the sum of factor times map; UNSEEN where any map is UNSEEN. Returns whether the shapes
 * fit.
 * @out: a map of the same shape; written. */
gboolean
armilla_graph_combine_maps (ArmillaGraph *graph, ArmillaMap *const *maps, const double *factors,
                            int n, ArmillaMap *out, GError **error)
{
  ArmillaData *inputs[ARMILLA_JOB_INPUTS];

  g_return_val_if_fail (n > 0 && n <= ARMILLA_JOB_INPUTS, FALSE);
  for (int i = 0; i < n; i++)
    {
      if (!armilla_check_fields (armilla_map_n_fields (maps[i]), armilla_map_n_fields (out), error))
        return FALSE;
      inputs[i] = ARMILLA_DATA (maps[i]);
    }
  return armilla_graph_each_tile (graph, inputs, n, ARMILLA_DATA (out), combine_map_tiles,
                                  sum_new (factors, n, armilla_map_n_fields (out)), g_free, error);
}

static gboolean
combine_alm_tiles (ArmillaGraph *graph, const ArmillaTileSet *tiles, gpointer user, GError **error)
{
  const Sum *sum = user;

  for (int i = 0; i < sum->n; i++)
    {
      ArmillaVectorArgs args = { .fault = armilla_graph_fault (graph), .n = tiles->out->n,
                                 .alpha = sum->factors[i], .beta = i == 0 ? 0 : 1 };
      ArmillaUse uses[] = { { tiles->in[i]->handle, STARPU_R },
                            { tiles->out->handle, i == 0 ? STARPU_W : STARPU_RW } };

      if (!armilla_submit (graph, &armilla_combine_cl, tiles->rank, &args, sizeof args, uses,
                           G_N_ELEMENTS (uses), 0, error))
        return FALSE;
    }
  return TRUE;
}

/* Requests the sum of factor times a_lm. Returns whether the shapes fit. @out: like them;
 * written. */
gboolean
armilla_graph_combine_alm (ArmillaGraph *graph, ArmillaAlm *const *alms, const double *factors,
                           int n, ArmillaAlm *out, GError **error)
{
  ArmillaData *inputs[ARMILLA_JOB_INPUTS];

  g_return_val_if_fail (n > 0 && n <= ARMILLA_JOB_INPUTS, FALSE);
  for (int i = 0; i < n; i++)
    {
      if (!armilla_check_fields (armilla_alm_n_fields (alms[i]), armilla_alm_n_fields (out), error))
        return FALSE;
      inputs[i] = ARMILLA_DATA (alms[i]);
    }
  return armilla_graph_each_tile (graph, inputs, n, ARMILLA_DATA (out), combine_alm_tiles,
                                  sum_new (factors, n, armilla_alm_n_fields (out)), g_free, error);
}
