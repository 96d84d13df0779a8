/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sizes of a compression and positions of its parts. */
#include "codelets/butterfly/butterfly-levels.h"

#include <string.h>

#define MAX(a, b) ((a) > (b) ? (a) : (b))

/* Returns the maximum number of outputs of a level in the decomposition of one order. */
static int64_t
max_outputs (const ArmillaButterflyShape *shape)
{
  return 4 * MAX (armilla_delta_steps (shape->lmax, shape->m), shape->n_pairs) + 1024;
}

/* Returns the maximum number of nodes of all levels. */
static int64_t
max_nodes (const ArmillaButterflyShape *shape)
{
  return max_outputs (shape) / 4;
}

/* Returns the maximum number of words of the data (permutations and T of all nodes) before the last
 * stage is added. */
static int64_t
max_data (const ArmillaButterflyShape *shape)
{
  return armilla_butterfly_pad (shape->n_pairs) * armilla_delta_steps (shape->lmax, shape->m)
         + ARMILLA_BUTTERFLY_PAD * max_nodes (shape);
}

/* Returns the maximum number of words before the data. */
int64_t
armilla_butterfly_max_begin (const ArmillaButterflyShape *shape)
{
  return armilla_butterfly_data_begin (armilla_delta_steps (shape->lmax, shape->m), shape->n_pairs,
                                       ARMILLA_BUTTERFLY_MAX_LEVELS + 1,
                                       max_nodes (shape));
}

/* Returns the maximum number of doubles that compressing the order writes. */
int64_t
armilla_butterfly_max_words (const ArmillaButterflyShape *shape)
{
  return armilla_butterfly_max_begin (shape) + max_data (shape)
         + ARMILLA_BUTTERFLY_MAX_LEVELS * max_outputs (shape) + 2 * ARMILLA_BUTTERFLY_PAD;
}

/* Returns the number of doubles that armilla_butterfly_work_init () takes. */
int64_t
armilla_butterfly_work_size (const ArmillaButterflyShape *shape)
{
  const int64_t k = armilla_delta_steps (shape->lmax, shape->m);
  const int64_t ld = armilla_butterfly_pad (shape->n_pairs);

  return ld * k + 3 * k + 1 + ld + ARMILLA_BUTTERFLY_MAX_LEVELS * max_outputs (shape)
         + 9 * max_nodes (shape);
}

static double *
take (double **scratch, int64_t n)
{
  double *p = *scratch;

  *scratch += n;
  return p;
}

/* Takes memory from scratch, which is advanced; the position of the data is set later. */
void
armilla_butterfly_work_init (ArmillaButterflyWork *work, const ArmillaButterflyShape *shape,
                             double **scratch)
{
  const int64_t outputs = ARMILLA_BUTTERFLY_MAX_LEVELS * max_outputs (shape);
  const int64_t nodes = max_nodes (shape);

  memset (work, 0, sizeof *work);
  work->shape = *shape;
  work->n_columns = armilla_delta_steps (shape->lmax, shape->m);
  work->ld = armilla_butterfly_pad (shape->n_pairs);
  work->max_nodes = nodes;
  work->max_data = max_data (shape);
  work->max_kept = outputs;
  work->matrix = take (scratch, work->ld * work->n_columns);
  work->table = take (scratch, 3 * work->n_columns + 1);
  work->row_squares = take (scratch, work->ld);
  work->kept = (int32_t *) take (scratch, outputs / 2);
  work->offset = (int32_t *) take (scratch, outputs / 2);
  work->node = (ArmillaButterflyNode *) take (scratch, 8 * nodes);
  work->kept_at = (int64_t *) take (scratch, nodes);
}
