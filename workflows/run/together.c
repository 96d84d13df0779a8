/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses the size of batches: realisations of a batch are requested before their tasks are
 * submitted, so that their transforms share a recurrence. Also chooses whether data that are equal
 * in all realisations are computed once. */
#include "config.h"

#include "workflows/run/together.h"

#include <armilla/harmonic.h>

/* Maximum size of a batch. More would gain little: with eight fields the recurrence is a small part
 * of a transform. */
#define MAX_TOGETHER 8
/* Bytes of data up to which a realisation counts as small: its data fit into the caches of a core,
 * and scheduling its tasks takes about as long as their kernels. */
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

/* Chooses the size of batches, which are about equal, and which data realisations share. If
 * realisations are small and at least as many as workers, one worker computes each batch, and all
 * workers get the same number of batches (@n_workers is 0 if no worker can compute a batch alone).
 * A batch uses at most a quarter of memory, since as much may be in transit; shared data use at
 * most another quarter. With checkpoints, batches have one realisation, whose results are all in
 * files. */
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
