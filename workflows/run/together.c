/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses how many realisations are requested before their tasks are submitted, so that their
 * transforms share a recurrence, and whether data that are equal in all of them are computed
 * once. */
#include "config.h"

#include "workflows/run/together.h"

#include <armilla/harmonic.h>

/* Larger batches gain little: with eight fields the recurrence is a small part of a transform. */
#define MOST 8

typedef struct {
  double same; /* bytes of data that are equal in all realisations */
  double own;  /* bytes of all other data of a realisation */
} Bytes;

static void
add_bytes (gpointer user, const ArmillaNode *node, gint64 pass, ArmillaData *const *outputs)
{
  Bytes *bytes = user;
  const gboolean once = (node->passes & ARMILLA_PASS_ONCE) != 0;
  double *sum = once ? &bytes->same : &bytes->own;

  (void) pass;
  for (int i = 0; i < node->n_outputs && (!once || (node->passes & ARMILLA_PASS_EACH)); i++)
    if (outputs[i] != NULL)
      *sum += armilla_data_bytes (outputs[i]);
}

static gint64
count (const ArmillaWorkflow *workflow, double bytes, double memory, gint64 n_left, int n_dealing)
{
  const gint64 most = workflow->together > 0 ? workflow->together : MOST;
  const gint64 each = n_dealing > 1 ? n_left / n_dealing : n_left;
  const gint64 n
    = MIN (MIN (most, each), (gint64) MIN (memory / 4 / (1 + bytes), (double) most));
  gint64 n_batches;

  if (n <= 1 || workflow->checkpoint > 0)
    return 1;
  n_batches = (each + n - 1) / n;
  return (each + n_batches - 1) / n_batches;
}

/* Decides how many realisations are computed together, in about equal batches, and which data they
 * share. Their data use at most a quarter of memory, since an equal amount is in transit; shared
 * data use at most another quarter. With checkpoints, one realisation at a time is computed, with
 * all its results in files. */
ArmillaTogether
armilla_realisations_together (const ArmillaWorkflow *workflow, ArmillaRealisation *once,
                               double memory, gint64 n_left, int n_dealing)
{
  Bytes bytes = { 0, 0 };
  gboolean makes;

  armilla_realisation_visit (once, add_bytes, &bytes);
  makes = n_left > 1 && workflow->checkpoint == 0 && bytes.same > 0 && bytes.same <= memory / 4;
  return (ArmillaTogether) {
    .n = count (workflow, makes ? bytes.own : bytes.own + bytes.same, memory, n_left, n_dealing),
    .once = makes,
  };
}
