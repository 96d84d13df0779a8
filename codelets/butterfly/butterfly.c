/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/butterfly/butterfly-cpu.h"

#include <math.h>
#include <string.h>

#include "codelets/legendre/delta-math.h"

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

/* Chunks of 32 columns on half of the rows give the smallest tables, within 2 %, from lmax 512 to
 * 4096; larger chunks give larger tables, smaller ones take longer. */
void
armilla_butterfly_shape_init (ArmillaButterflyShape *shape, int64_t lmax, int64_t m,
                              int64_t n_pairs, double tolerance)
{
  *shape = (ArmillaButterflyShape) { .lmax = lmax, .m = m, .n_pairs = n_pairs,
                                     .tolerance = tolerance, .chunk = 32, .pieces = 2 };
}

static int
fits (int64_t at, int64_t n, int64_t end)
{
  return at >= 0 && n >= 0 && at <= end && n <= end - at;
}

static const char *
check_node (const ArmillaButterfly *b, const ArmillaButterflyNode *node, int64_t in, int64_t out)
{
  const int64_t n = b->head[ARMILLA_BUTTERFLY_WORDS] - ARMILLA_BUTTERFLY_PAD;
  const int64_t terms = armilla_butterfly_terms (node);
  const int32_t *order = (const int32_t *) (b->words + node->order);

  if (!fits (0, node->n_in, in) || !fits (node->in, 0, in) || node->out % ARMILLA_BUTTERFLY_PAD
      || !fits (node->out, node->rank, out) || terms < 0)
    return "a node extends beyond its stage";
  if (node->bytes < 2 || node->bytes > 8 || node->bytes == 7 || !isfinite (node->step))
    return "the numbers of a node have an invalid size";
  if (!fits (node->order, (node->n_in + 1) / 2, n)
      || !fits (node->matrix, armilla_butterfly_matrix_words (node->rank * terms, node->bytes), n))
    return "a matrix extends beyond the end";
  for (int64_t j = 0; j < node->n_in; j++)
    if (!fits (node->in + order[j], 1, in))
      return "a permutation refers to indices outside its stage";
  return NULL;
}

const char *
armilla_butterfly_check (const double *words, int64_t n_words, int64_t lmax, int64_t m,
                         int64_t n_pairs)
{
  const int64_t *head = (const int64_t *) words;
  const char *wrong = NULL;
  ArmillaButterfly b;
  int64_t width, widest;

  if (n_words < ARMILLA_BUTTERFLY_HEADER
      || head[ARMILLA_BUTTERFLY_MAGIC] != ARMILLA_BUTTERFLY_MAGIC_WORD)
    return "not a compressed order";
  if (head[ARMILLA_BUTTERFLY_LMAX] != lmax || head[ARMILLA_BUTTERFLY_M] != m
      || head[ARMILLA_BUTTERFLY_PAIRS] != n_pairs
      || head[ARMILLA_BUTTERFLY_COLUMNS] != armilla_delta_steps (lmax, m))
    return "contains another order";
  if (head[ARMILLA_BUTTERFLY_WORDS] > n_words || head[ARMILLA_BUTTERFLY_FIRST] < 0
      || head[ARMILLA_BUTTERFLY_ROWS] != n_pairs - head[ARMILLA_BUTTERFLY_FIRST]
      || head[ARMILLA_BUTTERFLY_ROWS] < 0 || !fits (0, head[ARMILLA_BUTTERFLY_STAGES], 64)
      || !fits (0, head[ARMILLA_BUTTERFLY_NODES], n_words)
      || armilla_butterfly_data_begin (
           head[ARMILLA_BUTTERFLY_COLUMNS], head[ARMILLA_BUTTERFLY_ROWS],
           head[ARMILLA_BUTTERFLY_STAGES], head[ARMILLA_BUTTERFLY_NODES])
             + ARMILLA_BUTTERFLY_PAD > head[ARMILLA_BUTTERFLY_WORDS])
    return "inconsistent header";
  b = armilla_butterfly_open (words);
  width = widest = b.head[ARMILLA_BUTTERFLY_COLUMNS];
  for (int64_t s = 0; s < b.head[ARMILLA_BUTTERFLY_STAGES]; s++)
    {
      const ArmillaButterflyStage *stage = &b.stage[s];

      if (!fits (stage->first_node, stage->n_nodes, b.head[ARMILLA_BUTTERFLY_NODES])
          || !fits (0, stage->width, b.head[ARMILLA_BUTTERFLY_WORDS]))
        return "a stage contradicts the header";
      for (int64_t i = 0; !wrong && i < stage->n_nodes; i++)
        wrong = check_node (&b, &b.node[stage->first_node + i], width, stage->width);
      if (wrong)
        return wrong;
      width = stage->width;
      widest = MAX (widest, width);
    }
  if (armilla_butterfly_pad (widest) != b.head[ARMILLA_BUTTERFLY_WIDTH])
    return "a stage contradicts the header";
  return width == armilla_butterfly_pad (b.head[ARMILLA_BUTTERFLY_ROWS])
           ? NULL : "the last stage has not as many outputs as there are rows";
}
