/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses how many realisations are requested before their tasks are submitted, so that their
 * transforms share a recurrence, and whether data that are equal in all of them are computed
 * once. */
#include "config.h"

#include "workflows/run/together.h"

#include <armilla/harmonic.h>

/* Larger batches gain little: with eight fields the recurrence is a small part of a transform. */
#define MAX_TOGETHER 8
/* A realisation whose data have at most so many bytes is small: they fit into the caches of a core,
 * and scheduling its tasks one by one takes about as long as their kernels. */
#define SMALL_BYTES (4 << 20)

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
count (const ArmillaWorkflow *workflow, double bytes, double memory, gint64 each, gint64 at_once)
{
  const gint64 max_together = workflow->together > 0 ? workflow->together : MAX_TOGETHER;
  const gint64 n
    = MIN (MIN (max_together, each),
           (gint64) MIN (memory / 4 / (1 + bytes), (double) max_together));
  gint64 n_batches;

  if (n <= 1 || workflow->checkpoint > 0)
    return 1;
  n_batches = (each + n * at_once - 1) / (n * at_once) * at_once;
  return (each + n_batches - 1) / n_batches;
}

/* Decides how many realisations are computed together, in about equal batches, and which data they
 * share. If they are small and at least as many as the workers (@n_workers; 0: no worker can
 * compute a batch alone), one worker computes each batch, and all workers get equally many. Their
 * data use at most a quarter of memory, since an equal amount is in transit; shared data use at
 * most another quarter. With checkpoints, one realisation at a time is computed, with all its
 * results in files. */
ArmillaTogether
armilla_realisations_together (const ArmillaWorkflow *workflow, ArmillaRealisation *once,
                               double memory, gint64 n_left, int n_dealing, int n_workers)
{
  const gint64 each = n_dealing > 1 ? n_left / n_dealing : n_left;
  Bytes bytes = { 0, 0 };
  gboolean makes, small;

  armilla_realisation_visit (once, add_bytes, &bytes);
  makes = n_left > 1 && workflow->checkpoint == 0 && bytes.same > 0 && bytes.same <= memory / 4;
  if (!makes)
    bytes.own += bytes.same;
  small = n_workers > 0 && each >= MAX (n_workers, 2) && bytes.own <= SMALL_BYTES;
  return (ArmillaTogether) {
    .n = count (workflow, bytes.own, memory, each, small ? n_workers : 1),
    .small = small,
    .once = makes,
  };
}
