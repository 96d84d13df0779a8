/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Selects and reorders fields of a_lm. */
#include "config.h"

#include <armilla/task.h>
#include <string.h>

#include "tasks/harmonic/harmonic.h"

/* maximum number of selected fields */
#define MAX_FIELDS 32

/* @field: input field of each output field; @n: doubles per field */
typedef struct {
  ArmillaFault *fault;
  gint64 n;
  int n_fields, field[MAX_FIELDS];
} SelectArgs;

static void
select_fields (const SelectArgs *args, const double *in, double *out)
{
  for (int f = 0; f < args->n_fields; f++)
    memcpy (out + f * args->n, in + args->field[f] * args->n, (gsize) args->n * sizeof (double));
}

ARMILLA_CPU_WRAPPER (select_alm, SelectArgs,
                     select_fields (args, ARMILLA_BUFFER (0), ARMILLA_BUFFER (1)))
ARMILLA_COST (select_alm, SelectArgs,
              (ArmillaCost) { 0, 16.0 * (double) (args->n_fields * args->n) })
static ArmillaCodelet select_alm_cl = ARMILLA_CPU_CODELET (select_alm, "1");

static gboolean
submit_select (ArmillaGraph *graph, const ArmillaTileSet *tiles, gpointer user, GError **error)
{
  SelectArgs args = *(const SelectArgs *) user;
  ArmillaUse uses[] = { { tiles->in[0]->handle, STARPU_R }, { tiles->out->handle, STARPU_W } };

  args.fault = armilla_graph_fault (graph);
  args.n = 2 * tiles->n;
  return armilla_submit (graph, &select_alm_cl, tiles->rank, &args, sizeof args, uses,
                         G_N_ELEMENTS (uses), 0, error);
}

/* Requests fields of a_lm in any order. Only CPUs do this, since it only copies. Returns whether
 * the shapes fit. @out: a_lm of the same layout, at most 32 fields; written. */
gboolean
armilla_graph_select_alm (ArmillaGraph *graph, ArmillaAlm *alm, const int *fields, ArmillaAlm *out,
                          GError **error)
{
  ArmillaData *input = ARMILLA_DATA (alm);
  SelectArgs args = { .n_fields = armilla_alm_n_fields (out) };

  if (args.n_fields > MAX_FIELDS)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "%d fields of a_lm cannot be chosen together; at most %d can",
                         args.n_fields, MAX_FIELDS);
  for (int f = 0; f < args.n_fields; f++)
    {
      if (fields[f] < 0 || fields[f] >= armilla_alm_n_fields (alm))
        return armilla_fail (error, ARMILLA_ERROR_SHAPE, "there is no field %d of a_lm", fields[f]);
      args.field[f] = fields[f];
    }
  return armilla_graph_each_tile (graph, &input, 1, ARMILLA_DATA (out), submit_select,
                                  g_memdup2 (&args, sizeof args), g_free, error);
}
