/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Applies compressed orders on a CPU. Orders are processed in quads, whose values share cache lines
 * of a tile: each line is read or written once for all of them. */
#include "codelets/butterfly/butterfly-cpu.h"

#include <string.h>

#include "codelets/legendre/delta-math.h"

#define QUAD 4

#define MIN(a, b) ((a) < (b) ? (a) : (b))

/* Real and imaginary part; and the four numbers of a field (butterfly-cpu.h). */
typedef double Two __attribute__ ((vector_size (16), aligned (8), may_alias));
typedef double Four __attribute__ ((vector_size (32), aligned (8), may_alias));

/* Returns the number of fields, including padding, of each group into which @n fields are
 * divided. */
static int64_t
group_fields (int64_t n)
{
  return n > 4 ? ARMILLA_BUTTERFLY_GROUP : n > 2 ? 4 : n;
}

/* Returns the number of groups that are processed together for @n fields. */
static int64_t
count_groups (int64_t n)
{
  const int64_t groups = (n + ARMILLA_BUTTERFLY_GROUP - 1) / ARMILLA_BUTTERFLY_GROUP;

  return MIN (groups, ARMILLA_BUTTERFLY_GROUPS);
}

/* Returns the number of doubles of a group of fields between two stages. */
static int64_t
group_size (const ArmillaButterflyBlock *block)
{
  return group_fields (block->n_fields) * armilla_butterfly_field_size (block);
}

/* Returns the number of doubles of all groups processed together, on all rows of the grid. */
static int64_t
rows_size (const ArmillaButterflyBlock *block)
{
  return count_groups (block->n_fields) * group_size (block);
}

/* Returns the number of doubles of scratch space that synthesis and adjoint need. */
int64_t
armilla_butterfly_apply_scratch (const ArmillaButterflyBlock *block)
{
  return (2 + QUAD) * rows_size (block) + ARMILLA_BUTTERFLY_PANEL + block->width
         + 3 * ARMILLA_BUTTERFLY_PAD;
}

/* Fields that pass through the stages together, for up to four orders (a quad) in sequence. @a, @b:
 * vectors between stages; @rows: [order of the quad]: results on the rows; @field, @n: first field
 * and number of fields; @order: the compressed orders of the quad */
typedef struct {
  const ArmillaButterflyBlock *block;
  const ArmillaButterflyKernels *kernels;
  double *a, *b, *rows[QUAD];
  ArmillaButterflyProduct p;
  int64_t field, n;
  ArmillaButterfly order[QUAD];
  int n_orders;
} Apply;

static void
apply_begin (Apply *a, const ArmillaButterflyBlock *block, double *scratch)
{
  const int64_t size = rows_size (block);

  /* Rows begin at cache lines. */
  scratch += -((uintptr_t) scratch / sizeof (double)) % ARMILLA_BUTTERFLY_PAD;
  *a = (Apply) { .block = block, .kernels = ARMILLA_FOR_ISA (block->isa, armilla_butterfly_kernels),
                 .a = scratch, .b = scratch + size };
  for (int i = 0; i < QUAD; i++)
    a->rows[i] = scratch + (2 + i) * size;
  a->p = (ArmillaButterflyProduct) { .n_fields = group_fields (block->n_fields),
                                     .stride = group_size (block),
                                     .panel = scratch + (2 + QUAD) * size };
}

/* Selects the quad of orders from @m on. */
static void
take_orders (Apply *a, const double *words, const int64_t *offsets, int64_t m)
{
  a->n_orders = (int) MIN (QUAD, a->block->m_last - m + 1);
  for (int i = 0; i < a->n_orders; i++)
    a->order[i] = armilla_butterfly_open (words + offsets[m - a->block->m_first + i]);
}

/* Selects the fields from @field on that are processed together. */
static void
take_fields (Apply *a, int64_t field)
{
  a->field = field;
  a->n = MIN (ARMILLA_BUTTERFLY_GROUPS * ARMILLA_BUTTERFLY_GROUP, a->block->n_fields - field);
  a->p.n_groups = count_groups (a->n);
}

/* Returns the address of field f in a vector. */
static double *
vector_of (const Apply *a, double *x, int64_t f)
{
  return x + f / a->p.n_fields * a->p.stride + f % a->p.n_fields * 4;
}

/* Sets the padding fields of a group to 0 in @n rows. */
static void
clear_rest (const Apply *a, double *x, int64_t n)
{
  for (int64_t f = a->n; f < a->p.n_groups * a->p.n_fields; f++)
    for (int64_t k = 0; k < n; k++)
      *(Four *) (vector_of (a, x, f) + k * 4 * a->p.n_fields) = (Four) { 0 };
}

/* Writes both rings of a pair, all fields and orders of a quad. */
static void
write_pair (const Apply *a, int64_t pair, double *tile)
{
  const ArmillaButterflyBlock *block = a->block;
  const int64_t south = 2 * (block->m_last - block->m_first + 1);

  for (int64_t f = 0; f < a->n; f++)
    {
      double *t = tile + armilla_butterfly_tile (block, a->field + f, pair,
                                                 a->order[0].head[ARMILLA_BUTTERFLY_M]);

      for (int i = 0; i < a->n_orders; i++, t += 2)
        {
          const int64_t row = pair - a->order[i].head[ARMILLA_BUTTERFLY_FIRST];
          Two even = { 0 }, odd = { 0 };

          if (row >= 0)
            {
              const double *x = vector_of (a, a->rows[i], f) + row * 4 * a->p.n_fields;

              even = *(const Two *) x;
              odd = *(const Two *) (x + 2) * a->order[i].cosine[row];
            }
          *(Two *) t = even + odd;
          *(Two *) (t + south) = even - odd;
        }
    }
}

/* The transpose of write_pair(). */
static void
read_pair (const Apply *a, int64_t pair, const double *tile)
{
  const ArmillaButterflyBlock *block = a->block;
  const int64_t south = 2 * (block->m_last - block->m_first + 1);

  for (int64_t f = 0; f < a->n; f++)
    {
      const double *t = tile + armilla_butterfly_tile (block, a->field + f, pair,
                                                       a->order[0].head[ARMILLA_BUTTERFLY_M]);

      for (int i = 0; i < a->n_orders; i++, t += 2)
        {
          const int64_t row = pair - a->order[i].head[ARMILLA_BUTTERFLY_FIRST];
          const Two up = *(const Two *) t, down = *(const Two *) (t + south);

          if (row >= 0)
            {
              double *x = vector_of (a, a->rows[i], f) + row * 4 * a->p.n_fields;

              *(Two *) x = up + down;
              *(Two *) (x + 2) = (up - down) * a->order[i].cosine[row];
            }
        }
    }
}

/* Prefetches a node's permutation and T, which are read once from memory, before the kernels need
 * them. */
static void
look_ahead (ArmillaButterflyProduct *p, const ArmillaButterflyNode *node)
{
  const int64_t count = node->rank * armilla_butterfly_terms (node);

  p->ahead = (const char *) (p->b->words + node->order);
  p->end = (const char *) (p->b->words + node->matrix
                           + armilla_butterfly_matrix_words (count, node->bytes));
}

/* Sets @rows to the matrix of the order times its coefficients, of which @coefficients is the
 * address for the first field. */
static void
order_forward (Apply *a, const ArmillaButterfly *b, const double *coefficients, double *rows)
{
  const int64_t n_columns = b->head[ARMILLA_BUTTERFLY_COLUMNS], width = 4 * a->p.n_fields;
  const int64_t n_stages = b->head[ARMILLA_BUTTERFLY_STAGES];

  for (int64_t f = 0; f < a->n; f++)
    {
      double *x = vector_of (a, a->a, f);

      for (int64_t k = 0; k < n_columns; k++, coefficients += 4, x += width)
        *(Four *) x = *(const Four *) coefficients * b->scale[k];
    }
  clear_rest (a, a->a, n_columns);
  a->p.b = b;
  for (int64_t s = 0; s < n_stages; s++)
    {
      const ArmillaButterflyStage *stage = &b->stage[s];

      a->p.in = s % 2 == 0 ? a->a : a->b;
      a->p.out = s == n_stages - 1 ? rows : s % 2 == 0 ? a->b : a->a;
      for (int64_t i = 0; i < stage->n_nodes; i++)
        {
          const ArmillaButterflyNode *node = &b->node[stage->first_node + i];

          if (stage->first_node + i + 1 < b->head[ARMILLA_BUTTERFLY_NODES])
            look_ahead (&a->p, node + 1);
          a->kernels->forward (&a->p, node);
        }
    }
}

static void
order_transposed (Apply *a, const ArmillaButterfly *b, double *rows, double *coefficients)
{
  const int64_t n_columns = b->head[ARMILLA_BUTTERFLY_COLUMNS], width = 4 * a->p.n_fields;
  const int64_t n_stages = b->head[ARMILLA_BUTTERFLY_STAGES];

  a->p.b = b;
  for (int64_t s = n_stages - 1; s >= 0; s--)
    {
      const ArmillaButterflyStage *stage = &b->stage[s];
      const int64_t n = s > 0 ? b->stage[s - 1].width : n_columns;

      a->p.in = s % 2 == 0 ? a->a : a->b;
      a->p.out = s == n_stages - 1 ? rows : s % 2 == 0 ? a->b : a->a;
      for (int64_t g = 0; g < a->p.n_groups; g++)
        memset (a->p.in + g * a->p.stride, 0, sizeof (double) * (size_t) (width * n));
      for (int64_t i = 0; i < stage->n_nodes; i++)
        {
          const ArmillaButterflyNode *node = &b->node[stage->first_node + i];

          if (i + 1 < stage->n_nodes)
            look_ahead (&a->p, node + 1);
          a->kernels->transposed (&a->p, node);
        }
    }
  for (int64_t f = 0; f < a->n; f++)
    {
      const double *x = vector_of (a, a->a, f);

      for (int64_t k = 0; k < n_columns; k++, coefficients += 4, x += width)
        *(Four *) coefficients += *(const Four *) x * b->scale[k];
    }
}

void
armilla_butterfly_synthesis_cpu (const ArmillaButterflyBlock *block, const double *words,
                                 const int64_t *offsets, const double *prepared, double *tile,
                                 double *scratch)
{
  Apply a;

  apply_begin (&a, block, scratch);
  for (int64_t m = block->m_first; m <= block->m_last; m += QUAD)
    {
      take_orders (&a, words, offsets, m);
      for (int64_t f = 0; f < block->n_fields; f += a.n)
        {
          take_fields (&a, f);
          for (int i = 0; i < a.n_orders; i++)
            order_forward (&a, &a.order[i],
                           prepared + armilla_butterfly_coefficients (block, m + i, f),
                           a.rows[i]);
          for (int64_t pair = 0; pair < block->n_pairs; pair++)
            write_pair (&a, pair, tile);
        }
    }
}

void
armilla_butterfly_adjoint_cpu (const ArmillaButterflyBlock *block, const double *words,
                               const int64_t *offsets, const double *tile, double *prepared,
                               double *scratch)
{
  Apply a;

  apply_begin (&a, block, scratch);
  for (int64_t m = block->m_first; m <= block->m_last; m += QUAD)
    {
      take_orders (&a, words, offsets, m);
      for (int64_t f = 0; f < block->n_fields; f += a.n)
        {
          take_fields (&a, f);
          for (int i = 0; i < a.n_orders; i++)
            clear_rest (&a, a.rows[i], a.order[i].head[ARMILLA_BUTTERFLY_ROWS]);
          for (int64_t pair = 0; pair < block->n_pairs; pair++)
            read_pair (&a, pair, tile);
          for (int i = 0; i < a.n_orders; i++)
            order_transposed (&a, &a.order[i], a.rows[i],
                              prepared + armilla_butterfly_coefficients (block, m + i, f));
        }
    }
}
