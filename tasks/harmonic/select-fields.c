/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Selects and reorders fields of maps, a_lm or spectra. */
#include "config.h"

#include <armilla/task.h>
#include <stddef.h>
#include <string.h>

#include "core/fits/fields.h"
#include "tasks/harmonic/harmonic.h"

/* maximum number of selected fields */
#define MAX_FIELDS 1024

/* Arguments of a task. @field: input field of each of the @n_fields output fields; @n: doubles per
 * field */
typedef struct {
  ArmillaFault *fault;
  gint64 n;
  int n_fields, field[MAX_FIELDS];
} SelectArgs;

static void
select_in_tile (const SelectArgs *args, const double *in, double *out)
{
  for (int f = 0; f < args->n_fields; f++)
    memcpy (out + f * args->n, in + args->field[f] * args->n, (gsize) args->n * sizeof (double));
}

ARMILLA_CPU_WRAPPER (select_fields, SelectArgs,
                     select_in_tile (args, ARMILLA_BUFFER (0), ARMILLA_BUFFER (1)))
ARMILLA_COST (select_fields, SelectArgs,
              (ArmillaCost) { 0, 16.0 * (double) (args->n_fields * args->n) })
static ArmillaCodelet select_fields_cl = ARMILLA_CPU_CODELET (select_fields, "1");

static gboolean
submit_select (ArmillaGraph *graph, const ArmillaTileSet *tiles, gpointer user, GError **error)
{
  SelectArgs args = *(const SelectArgs *) user;
  ArmillaUse uses[] = { { tiles->in[0]->handle, STARPU_R }, { tiles->out->handle, STARPU_W } };

  args.fault = armilla_graph_fault (graph);
  args.n = tiles->out->n / args.n_fields;
  return armilla_submit (graph, &select_fields_cl, tiles->rank, &args,
                         offsetof (SelectArgs, field) + sizeof (int) * (gsize) args.n_fields, uses,
                         G_N_ELEMENTS (uses), 0, error);
}

/* Requests fields of a map, a_lm or spectra in any order. Only CPUs do this, since it only copies.
 * Returns whether the shapes fit. @out: of the same shape, at most 1024 fields; written. */
gboolean
armilla_graph_select_fields (ArmillaGraph *graph, ArmillaData *in, const int *fields,
                             ArmillaData *out, GError **error)
{
  SelectArgs args = { .n_fields = armilla_data_fields (out)->n };

  if (args.n_fields > MAX_FIELDS)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "%d fields selected; must be at most %d", args.n_fields,
                         MAX_FIELDS);
  for (int f = 0; f < args.n_fields; f++)
    {
      if (fields[f] < 0 || fields[f] >= armilla_data_fields (in)->n)
        return armilla_fail (error, ARMILLA_ERROR_SHAPE, "no field %d", fields[f]);
      args.field[f] = fields[f];
    }
  return armilla_graph_each_tile (graph, &in, 1, out, submit_select, g_memdup2 (&args, sizeof args),
                                  g_free, error);
}
