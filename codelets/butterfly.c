/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/butterfly-cpu.h"

#include <string.h>

#include "codelets/delta-math.h"

/* Fields that go through the stages together: their vectors stay in a core's second-level cache
 * while each T is read from memory once. */
#define FIELDS 8

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

/* Kernels of an instruction set. */
const ArmillaButterflyKernels *
armilla_butterfly_kernels (int32_t isa)
{
#ifdef __x86_64__
  if (isa == ARMILLA_ISA_AVX512)
    return &armilla_butterfly_kernels_avx512;
  if (isa == ARMILLA_ISA_AVX2)
    return &armilla_butterfly_kernels_avx2;
#else
  (void) isa;
#endif
  return &armilla_butterfly_kernels_portable;
}

/**
 * armilla_butterfly_shape_init:
 * @shape: (out): the shape
 * @lmax: highest degree
 * @m: the order
 * @n_pairs: ring pairs of the grid
 * @tolerance: RMS error, relative
 *
 * Chunks of 32 columns on halves of the rows: the smallest tables, within 2 %, from lmax 512 to
 * 4096; larger chunks give larger tables, smaller ones take longer.
 */
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
  const int64_t kept = node->dense ? 0 : node->rank;
  const int32_t *order = (const int32_t *) (b->words + node->order);

  if (!fits (0, node->n_in, in) || !fits (node->in, 0, in) || node->out % ARMILLA_BUTTERFLY_PAD
      || !fits (node->out, node->rank, out) || kept > node->n_in)
    return "a node reaches beyond its stage";
  if (!fits (node->order, (node->n_in + 1) / 2, n)
      || !fits (node->matrix, node->rank * (node->n_in - kept), n))
    return "a matrix reaches beyond the end";
  for (int64_t j = 0; j < node->n_in; j++)
    if (!fits (node->in + order[j], 1, in))
      return "a permutation reaches beyond its stage";
  return NULL;
}

/**
 * armilla_butterfly_check:
 * @words: (in): what shall be a compressed order
 * @n_words: doubles that are there
 * @lmax: highest degree that is expected
 * @m: order that is expected
 * @n_pairs: ring pairs that are expected
 *
 * Whether kernels can be let loose on it: they believe what they read.
 *
 * Returns: (nullable): what is wrong, in English; %NULL: nothing
 */
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
    return "it is no compressed order";
  if (head[ARMILLA_BUTTERFLY_LMAX] != lmax || head[ARMILLA_BUTTERFLY_M] != m
      || head[ARMILLA_BUTTERFLY_PAIRS] != n_pairs
      || head[ARMILLA_BUTTERFLY_COLUMNS] != armilla_delta_steps (lmax, m))
    return "it is another order";
  if (head[ARMILLA_BUTTERFLY_WORDS] > n_words || head[ARMILLA_BUTTERFLY_FIRST] < 0
      || head[ARMILLA_BUTTERFLY_ROWS] != n_pairs - head[ARMILLA_BUTTERFLY_FIRST]
      || head[ARMILLA_BUTTERFLY_ROWS] < 0 || !fits (0, head[ARMILLA_BUTTERFLY_STAGES], 64)
      || !fits (0, head[ARMILLA_BUTTERFLY_NODES], n_words)
      || armilla_butterfly_data_begin (
           head[ARMILLA_BUTTERFLY_COLUMNS], head[ARMILLA_BUTTERFLY_ROWS],
           head[ARMILLA_BUTTERFLY_STAGES], head[ARMILLA_BUTTERFLY_NODES])
             + ARMILLA_BUTTERFLY_PAD > head[ARMILLA_BUTTERFLY_WORDS])
    return "its header contradicts itself";
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
           ? NULL : "the last stage does not give the rows";
}

/**
 * armilla_butterfly_apply_scratch:
 * @block: the block
 *
 * Returns: doubles of scratch space that armilla_butterfly_synthesis_cpu() and
 *   armilla_butterfly_adjoint_cpu() need
 */
int64_t
armilla_butterfly_apply_scratch (const ArmillaButterflyBlock *block)
{
  return (2 * MIN (block->n_fields, FIELDS) + 1) * armilla_butterfly_field_size (block);
}

/**
 * armilla_butterfly_device_scratch:
 * @block: the block
 *
 * Returns: doubles of scratch space that the CUDA kernels need: two vectors a thread block
 */
int64_t
armilla_butterfly_device_scratch (const ArmillaButterflyBlock *block)
{
  return 2 * ARMILLA_BUTTERFLY_DEVICE_BLOCKS
         * MIN (block->n_fields, ARMILLA_BUTTERFLY_DEVICE_FIELDS)
         * armilla_butterfly_field_size (block);
}

/* Both rings of each pair from what the last stage gave: [row][4]. */
static void
write_rows (const ArmillaButterflyBlock *block, const ArmillaButterfly *b, int64_t field,
            const double *x, double *tile)
{
  const int64_t m = b->head[ARMILLA_BUTTERFLY_M], first = b->head[ARMILLA_BUTTERFLY_FIRST];
  const int64_t south = 2 * (block->m_last - block->m_first + 1);

  for (int64_t p = 0; p < first; p++)
    {
      double *t = tile + armilla_butterfly_tile (block, field, p, m);

      t[0] = t[1] = t[south] = t[south + 1] = 0;
    }
  for (int64_t i = 0; i < b->head[ARMILLA_BUTTERFLY_ROWS]; i++, x += 4)
    {
      double *t = tile + armilla_butterfly_tile (block, field, first + i, m);
      const double re = b->cosine[i] * x[2], im = b->cosine[i] * x[3];

      t[0] = x[0] + re;
      t[1] = x[1] + im;
      t[south] = x[0] - re;
      t[south + 1] = x[1] - im;
    }
}

/* The transpose of write_rows(). */
static void
read_rows (const ArmillaButterflyBlock *block, const ArmillaButterfly *b, int64_t field,
           const double *tile, double *x)
{
  const int64_t m = b->head[ARMILLA_BUTTERFLY_M], first = b->head[ARMILLA_BUTTERFLY_FIRST];
  const int64_t south = 2 * (block->m_last - block->m_first + 1);

  for (int64_t i = 0; i < b->head[ARMILLA_BUTTERFLY_ROWS]; i++, x += 4)
    {
      const double *t = tile + armilla_butterfly_tile (block, field, first + i, m);

      x[0] = t[0] + t[south];
      x[1] = t[1] + t[south + 1];
      x[2] = b->cosine[i] * (t[0] - t[south]);
      x[3] = b->cosine[i] * (t[1] - t[south + 1]);
    }
}

/* What all orders of a block share. */
typedef struct {
  const ArmillaButterflyBlock *block;
  const ArmillaButterflyKernels *kernels;
  double *x, *y, *work; /* [field][width][4] */
} Apply;

static Apply
apply_begin (const ArmillaButterflyBlock *block, double *scratch)
{
  const int64_t n = MIN (block->n_fields, FIELDS) * armilla_butterfly_field_size (block);

  return (Apply) { block, armilla_butterfly_kernels (block->isa), scratch, scratch + n,
                   scratch + 2 * n };
}

/* Asks for a node's permutation and T before it is their turn: they come from memory, once. */
static void
prefetch (const ArmillaButterfly *b, const ArmillaButterflyNode *node)
{
  const double *p = b->words + node->order;
  const double *end
    = b->words + node->matrix + node->rank * (node->n_in - (node->dense ? 0 : node->rank));

  for (; p < end; p += 8)
    __builtin_prefetch (p);
}

/* @n fields from the first on; coefficients: those of the order, of the first of them */
static void
order_forward (Apply *a, const ArmillaButterfly *b, int64_t field, int64_t n,
               const double *coefficients, double *tile)
{
  const int64_t stride = armilla_butterfly_field_size (a->block);
  const int64_t n_columns = b->head[ARMILLA_BUTTERFLY_COLUMNS];

  for (int64_t f = 0; f < n; f++)
    for (int64_t k = 0; k < n_columns; k++, coefficients += 4)
      for (int c = 0; c < 4; c++)
        a->x[f * stride + 4 * k + c] = b->scale[k] * coefficients[c];
  for (int64_t s = 0; s < b->head[ARMILLA_BUTTERFLY_STAGES]; s++)
    {
      const ArmillaButterflyStage *stage = &b->stage[s];
      double *t = a->x;

      for (int64_t i = 0; i < stage->n_nodes; i++)
        {
          const ArmillaButterflyNode *node = &b->node[stage->first_node + i];

          if (stage->first_node + i + 1 < b->head[ARMILLA_BUTTERFLY_NODES])
            prefetch (b, node + 1);
          for (int64_t f = 0; f < n; f++)
            a->kernels->forward (b, node, a->x + f * stride, a->y + f * stride, a->work);
        }
      a->x = a->y;
      a->y = t;
    }
  for (int64_t f = 0; f < n; f++)
    write_rows (a->block, b, field + f, a->x + f * stride, tile);
}

static void
order_transposed (Apply *a, const ArmillaButterfly *b, int64_t field, int64_t n,
                  const double *tile, double *coefficients)
{
  const int64_t stride = armilla_butterfly_field_size (a->block);
  const int64_t n_columns = b->head[ARMILLA_BUTTERFLY_COLUMNS];

  for (int64_t f = 0; f < n; f++)
    read_rows (a->block, b, field + f, tile, a->x + f * stride);
  for (int64_t s = b->head[ARMILLA_BUTTERFLY_STAGES] - 1; s >= 0; s--)
    {
      const ArmillaButterflyStage *stage = &b->stage[s];
      const int64_t width = s > 0 ? b->stage[s - 1].width : n_columns;
      double *t = a->x;

      for (int64_t f = 0; f < n; f++)
        memset (a->y + f * stride, 0, sizeof (double) * 4 * (size_t) width);
      for (int64_t i = 0; i < stage->n_nodes; i++)
        {
          const ArmillaButterflyNode *node = &b->node[stage->first_node + i];

          if (i + 1 < stage->n_nodes)
            prefetch (b, node + 1);
          for (int64_t f = 0; f < n; f++)
            a->kernels->transposed (b, node, a->x + f * stride, a->y + f * stride, a->work);
        }
      a->x = a->y;
      a->y = t;
    }
  for (int64_t f = 0; f < n; f++)
    for (int64_t k = 0; k < n_columns; k++, coefficients += 4)
      for (int c = 0; c < 4; c++)
        coefficients[c] += b->scale[k] * a->x[f * stride + 4 * k + c];
}

/**
 * armilla_butterfly_synthesis_cpu:
 * @block: the block
 * @words: (in): its compressed orders
 * @offsets: (in): [m - m_first]: where each begins in @words
 * @prepared: (in): from armilla_delta_prepare_cpu()
 * @tile: (out): complex, [field][2 n_pairs][m - m_first]: north and south of each pair
 * @scratch: armilla_butterfly_apply_scratch() doubles
 *
 * What armilla_delta_synthesis_cpu() computes, on all pairs of the grid, to the table's tolerance.
 */
void
armilla_butterfly_synthesis_cpu (const ArmillaButterflyBlock *block, const double *words,
                                 const int64_t *offsets, const double *prepared, double *tile,
                                 double *scratch)
{
  Apply a = apply_begin (block, scratch);

  for (int64_t m = block->m_first; m <= block->m_last; m++)
    {
      const ArmillaButterfly b = armilla_butterfly_open (words + offsets[m - block->m_first]);

      for (int64_t f = 0; f < block->n_fields; f += FIELDS)
        order_forward (&a, &b, f, MIN (FIELDS, block->n_fields - f),
                       prepared + armilla_butterfly_coefficients (block, m, f), tile);
    }
}

/**
 * armilla_butterfly_adjoint_cpu:
 * @block: the block
 * @words: (in): its compressed orders
 * @offsets: (in): [m - m_first]: where each begins in @words
 * @tile: (in): as the synthesis writes it; 0 for rings that do not exist
 * @prepared: (inout): [m - m_first][field][k][4], the adjoint of armilla_butterfly_synthesis_cpu()
 *   is added
 * @scratch: armilla_butterfly_apply_scratch() doubles
 *
 * The same factors, transposed, in the reverse order.
 */
void
armilla_butterfly_adjoint_cpu (const ArmillaButterflyBlock *block, const double *words,
                               const int64_t *offsets, const double *tile, double *prepared,
                               double *scratch)
{
  Apply a = apply_begin (block, scratch);

  for (int64_t m = block->m_first; m <= block->m_last; m++)
    {
      const ArmillaButterfly b = armilla_butterfly_open (words + offsets[m - block->m_first]);

      for (int64_t f = 0; f < block->n_fields; f += FIELDS)
        order_transposed (&a, &b, f, MIN (FIELDS, block->n_fields - f), tile,
                          prepared + armilla_butterfly_coefficients (block, m, f));
    }
}
