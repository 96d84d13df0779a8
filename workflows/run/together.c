/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many realisations are asked for before their tasks are submitted, so that their transforms
 * share a recurrence. */
#include "config.h"

#include "workflows/run/together.h"

#include <armilla/harmonic.h>

/* More gain little: with eight fields the recurrence itself is a small part of a transform. */
#define MOST 8
/* Times that each rank is dealt some, at the least: ranks take different times. */
#define DEALS 3

static void
add_bytes (gpointer user, const ArmillaNode *node, gint64 pass, ArmillaData *const *outputs)
{
  double *bytes = user;

  (void) pass;
  for (int i = 0; i < node->n_outputs; i++)
    if (outputs[i] != NULL)
      *bytes += armilla_data_bytes (outputs[i]);
}

/**
 * armilla_realisations_together:
 * @workflow: a workflow
 * @first: a realisation that is prepared
 * @memory: bytes that all data of a realisation may take
 * @n_left: how many are to be computed
 * @n_dealing: ranks that compute whole realisations each; 1 where all share them
 *
 * The data of those that are computed together take a quarter of the memory at most; there are as
 * many again on their way. Whoever wants checkpoints wants one realisation done before the next.
 *
 * Returns: how many are computed together, of about equal parts of all that are left
 */
gint64
armilla_realisations_together (const ArmillaWorkflow *workflow, ArmillaRealisation *first,
                               double memory, gint64 n_left, int n_dealing)
{
  const gint64 most = workflow->together > 0 ? workflow->together : MOST;
  const gint64 each = n_dealing > 1 ? n_left / (DEALS * n_dealing) : n_left;
  double bytes = 1;
  gint64 n, n_batches;

  armilla_realisation_visit (first, add_bytes, &bytes);
  n = MIN (MIN (most, each), (gint64) MIN (memory / 4 / bytes, (double) most));
  if (n <= 1 || workflow->checkpoint > 0)
    return 1;
  n_batches = (each + n - 1) / n;
  return (each + n_batches - 1) / n_batches;
}
