/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <armilla/task.h>

#include "codelets/fields/field-codelets.h"
#include "codelets/fields/pixel-codelets.h"
#include "tasks/harmonic/analysis-private.h"

/* Factors of a requested sum, one per input. */
typedef struct {
  int n, n_fields;
  gboolean has_pixels;
  double factors[ARMILLA_JOB_INPUTS];
} Sum;

/* Submits out <- factor x in for the first input, out <- factor x in + out for the others. */
static gboolean
add (ArmillaGraph *graph, const Sum *sum, int i, const ArmillaTileSet *tiles, GError **error)
{
  const ArmillaPixelArgs pixels = { .fault = armilla_graph_fault (graph),
                                    .n_fields = sum->n_fields, .n_pixels = tiles->n,
                                    .alpha = sum->factors[i], .beta = 1 };
  const ArmillaVectorArgs numbers = { .fault = pixels.fault, .n = tiles->out->n,
                                      .alpha = pixels.alpha, .beta = i == 0 ? 0 : 1 };
  const ArmillaUse uses[] = { { tiles->in[i]->handle, STARPU_R },
                              { tiles->out->handle, i == 0 ? STARPU_W : STARPU_RW } };

  if (sum->has_pixels)
    return armilla_submit (graph, i == 0 ? &armilla_pixel_scale_cl : &armilla_pixel_combine_cl,
                           tiles->rank, &pixels, sizeof pixels, uses, 2, 0, error);
  return armilla_submit (graph, &armilla_combine_cl, tiles->rank, &numbers, sizeof numbers, uses, 2,
                         0, error);
}

static gboolean
add_all (ArmillaGraph *graph, const ArmillaTileSet *tiles, gpointer user, GError **error)
{
  const Sum *sum = user;
  gboolean ok = TRUE;

  for (int i = 0; ok && i < sum->n; i++)
    ok = add (graph, sum, i, tiles, error);
  return ok;
}

/* Requests out = sum over i of factors[i] inputs[i], added in this order, for maps, a_lm or
 * spectra. A pixel that is UNSEEN in any input is UNSEEN in @out. Returns FALSE if the numbers of
 * fields differ. */
gboolean
armilla_graph_combine (ArmillaGraph *graph, ArmillaData *const *inputs, const double *factors,
                       int n, ArmillaData *out, GError **error)
{
  const int n_fields = armilla_data_fields (out)->n;
  Sum sum = { .n = n, .n_fields = n_fields, .has_pixels = armilla_data_verbs (out)->has_pixels };

  g_return_val_if_fail (n > 0 && n <= ARMILLA_JOB_INPUTS, FALSE);
  for (int i = 0; i < n; i++)
    {
      if (!armilla_check_fields (armilla_data_fields (inputs[i])->n, n_fields, error))
        return FALSE;
      sum.factors[i] = factors[i];
    }
  return armilla_graph_each_tile (graph, inputs, n, out, add_all, g_memdup2 (&sum, sizeof sum),
                                  g_free, error);
}
