/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the kernels of pairs read and write, without a graph. */
#pragma once

#include "codelets/correlation/pair-cut.h"
#include "codelets/correlation/triple-histogram.h"
#include "codelets/legendre/delta-recurrence.h"
#include "tests/correlation/pair-helpers.h"

/* positions in space have coordinates up to this */
#define PAIR_CASE_SIDE 64

typedef struct {
  ArmillaPairShape shape;
  ArmillaCells *cells[2]; /* the second is the first for auto counts */
  double *edges;
  int64_t *items;
  gint64 n_words;
} PairCase;

/* side: of a cube from the origin, or from minus the side, that encloses positions in space; 0 for
 * unit vectors. */
static inline ArmillaCells *
pair_case_cells (const ArmillaCatalogue *c, gboolean patches, double side)
{
  const ArmillaCellsInput input
    = { .corner = { -side, -side, -side }, .side = 2 * side,
         .n = c->n, .x = c->x, .y = c->y, .z = c->z, .weight = c->weight, .g1 = c->g1,
        .g2 = c->g2, .patch = patches ? c->patch : NULL, .n_patches = c->n_patches,
        .n_rows = c->g1 ? ARMILLA_ROWS_SHEAR : ARMILLA_ROWS_MASS,
        .isa = (int32_t) armilla_isa_detect () };
  ArmillaCells *cells = armilla_cells_new (&input);
  double *points = g_new (double, cells->n_rows * MAX (cells->n_slots, 1));
  double *nodes = g_new (double, ARMILLA_NODE_ROWS * cells->node_stride);

  g_assert_true (armilla_cells_fill (cells, points, nodes, 2));
  return cells;
}

/* Objects without shears are lenses. For sums over terms the units are 2^-48: weights up to 3 and
 * shears up to 1. */
static inline PairCase
pair_case_new (const ArmillaCatalogue *a, const ArmillaCatalogue *b, const ArmillaBins *bins,
               int n_patches, int sums, gboolean brute, double max_pairs)
{
  PairCase p = { .shape = { .n_bins = bins->n, .n_patches = n_patches, .n_within = n_patches,
                            .sums = sums,
                            .is_auto = b == NULL, .brute = brute,
                            .isa = (int32_t) armilla_isa_detect () } };
  const ArmillaHistogramShape histogram
    = { ARMILLA_HISTOGRAM_PAIRS, bins->n, n_patches, sums, n_patches, bins->n2 };
  const double side = bins->separation == ARMILLA_SEPARATION_ANGLE ? 0 : PAIR_CASE_SIDE;
  GArray *items;

  p.shape.separation = (int32_t) bins->separation;
  p.shape.sight = (int32_t) bins->sight;
  p.shape.n2 = bins->n2;
  memcpy (p.shape.period, bins->period, sizeof p.shape.period);

  p.shape.lens = b && !a->g1;
  p.cells[0] = pair_case_cells (a, n_patches > 0, side);
  p.cells[1] = b ? pair_case_cells (b, n_patches > 0, side) : p.cells[0];
  for (int side = 0; side < 2; side++)
    {
      p.shape.slots[side] = p.cells[side]->n_slots;
      p.shape.strides[side] = p.cells[side]->node_stride;
    }
  p.shape.exponents[ARMILLA_SUM_WEIGHT]
    = p.cells[0]->weight_exponent + p.cells[1]->weight_exponent;
  for (int s = ARMILLA_SUM_SEPARATION; s < ARMILLA_N_SUMS; s++)
    p.shape.exponents[s] = -45;
  p.edges = g_new (double, 2 * (bins->n + 2) + bins->n2 + 1);
  for (int k = 0; bins->n2 > 0 && k <= bins->n2; k++)
    p.edges[2 * (bins->n + 2) + k] = bins->v2[k];
  for (int k = 0; k < bins->n + 2; k++)
    {
      p.edges[k] = k <= bins->n ? bins->s2[k] : INFINITY;
      p.edges[bins->n + 2 + k] = sqrt (p.edges[k]);
    }
  items = armilla_pair_cut (&p.shape, p.edges, p.cells[0], p.cells[1], max_pairs);
  p.shape.n_items = items->len;
  p.items = g_new (int64_t, ARMILLA_ITEM_WORDS * (gsize) MAX (items->len, 1));
  for (guint i = 0; i < items->len; i++)
    {
      memcpy (p.items + ARMILLA_ITEM_WORDS * i,
              g_array_index (items, ArmillaPairItem, i).words,
              sizeof (int64_t) * ARMILLA_ITEM_WORDS);
      p.shape.pairs += g_array_index (items, ArmillaPairItem, i).pairs;
    }
  g_array_unref (items);
  p.n_words = armilla_histogram_words (&histogram);
  return p;
}

static inline ArmillaPairInput
pair_case_input (const PairCase *p)
{
  return (ArmillaPairInput) { p->edges, p->items, { p->cells[0]->points, p->cells[1]->points },
                              { p->cells[0]->nodes, p->cells[1]->nodes } };
}

static inline int64_t *
pair_case_cpu (const PairCase *p)
{
  const ArmillaPairInput input = pair_case_input (p);
  g_autofree int64_t *scratch = g_new (int64_t, armilla_pair_histogram_scratch (&p->shape));
  int64_t *words = g_new (int64_t, p->n_words);

  memset (words, 0x7b, sizeof (int64_t) * (gsize) p->n_words);
  armilla_pair_histogram_cpu (&p->shape, &input, words, scratch);
  return words;
}

static inline void
pair_case_clear (PairCase *p)
{
  for (int side = p->shape.is_auto ? 0 : 1; side >= 0; side--)
    {
      g_free (p->cells[side]->points);
      g_free (p->cells[side]->nodes);
      armilla_cells_free (p->cells[side]);
    }
  g_free (p->edges);
  g_free (p->items);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PairCase, pair_case_clear)

/* Triangles within a, or of two of a and one of b. */
typedef struct {
  ArmillaTripleShape shape;
  ArmillaCells *cells[2]; /* of the apexes, then of the others */
  double *edges;
  gint64 n_words;
} TripleCase;

static inline ArmillaTripleInput
triple_case_input (const TripleCase *t)
{
  return (ArmillaTripleInput) { t->edges, { t->cells[0]->points, t->cells[1]->points },
                                { t->cells[0]->nodes, t->cells[1]->nodes } };
}

static inline TripleCase
triple_case_new (const ArmillaCatalogue *a, const ArmillaCatalogue *b, const ArmillaBins *bins,
                 int equal)
{
  TripleCase t = { .shape = { .n_bins = bins->n, .equal = equal, .within = b == NULL,
                              .isa = (int32_t) armilla_isa_detect () } };
  g_autofree int64_t *reach = NULL;
  ArmillaTripleInput input;

  t.cells[1] = pair_case_cells (a, FALSE, 0);
  t.cells[0] = b ? pair_case_cells (b, FALSE, 0) : t.cells[1];
  for (int side = 0; side < 2; side++)
    {
      t.shape.slots[side] = t.cells[side]->n_slots;
      t.shape.strides[side] = t.cells[side]->node_stride;
    }
  t.shape.n_leaves = t.cells[0]->n_slots / ARMILLA_LEAF;
  t.shape.n_nodes = t.cells[1]->n_nodes;
  t.shape.n_roots = t.cells[1]->n_roots;
  t.edges = g_new (double, 2 * (bins->n + 2));
  for (int k = 0; k < bins->n + 2; k++)
    {
      t.edges[k] = k <= bins->n ? bins->s2[k] : INFINITY;
      t.edges[bins->n + 2 + k] = sqrt (t.edges[k]);
    }
  input = triple_case_input (&t);
  reach = g_new (int64_t, t.shape.n_leaves + 1);
  armilla_triple_reach (&t.shape, &input, reach);
  for (int64_t i = 0; i < t.shape.n_leaves; i++)
    t.shape.reach = MAX (t.shape.reach, reach[i]);
  t.n_words = ARMILLA_HISTOGRAM_HEADER + armilla_triple_entries (&t.shape);
  return t;
}

static inline int64_t *
triple_case_cpu (const TripleCase *t)
{
  const ArmillaTripleInput input = triple_case_input (t);
  g_autofree double *scratch = g_new (double, armilla_triple_histogram_scratch (&t->shape));
  int64_t *words = g_new (int64_t, t->n_words);

  memset (words, 0x7b, sizeof (int64_t) * (gsize) t->n_words);
  armilla_triple_histogram_cpu (&t->shape, &input, words, scratch);
  return words;
}

static inline void
triple_case_clear (TripleCase *t)
{
  for (int side = t->shape.within ? 0 : 1; side >= 0; side--)
    {
      g_free (t->cells[side]->points);
      g_free (t->cells[side]->nodes);
      armilla_cells_free (t->cells[side]);
    }
  g_free (t->edges);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TripleCase, triple_case_clear)
