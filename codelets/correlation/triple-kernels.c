/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Triangles of the apexes of one leaf: compiled once for each instruction set. */
#include <string.h>

#include "codelets/correlation/pair-simd.h"
#include "codelets/correlation/triple-cpu.h"
#include "codelets/correlation/triple-math.h"

/* edges tested together */
#define AT_ONCE 4
/* more than the rounding error of a chord against its square, or of the sum of two */
#define CHORD_SLACK 1e-14

/* Finds all neighbours of an apex: their coordinates and the bins of their sides. */
static int64_t
find_neighbours (ArmillaTripleWork *w, int64_t slot)
{
  const ArmillaTripleShape *s = w->shape;
  const double *a = w->input->points[0] + slot;
  const V x = v_set (a[0]), y = v_set (a[s->slots[0]]), z = v_set (a[2 * s->slots[0]]);
  const V first = v_set (w->input->edges[0]), last = v_set (w->input->edges[s->n_bins]);
  int64_t n = 0;

  for (int64_t i = 0; i < w->n_near; i++)
    for (int v = 0; v < ARMILLA_LEAF; v += VL)
      {
        const int64_t at = w->leaves[i] * ARMILLA_LEAF + v;
        const double *b = w->input->points[1] + at;
        const V bx = v_load (b), by = v_load (b + s->slots[1]), bz = v_load (b + 2 * s->slots[1]);
        const V dx = x - bx, dy = y - by, dz = z - bz;
        const V s2 = ARMILLA_PAIR_S2 (dx, dy, dz);
        double values[VL];
        int bits = v_bits (v_less (s2, last)) & ~v_bits (v_less (s2, first));

        /* Within one catalogue, the apex is the first of the three objects. */
        if (s->within && at <= slot)
          bits &= slot - at < VL ? (int) (~0u << (slot - at + 1)) : 0;
        if (bits == 0)
          continue;
        v_store (values, s2);
        for (; bits != 0; bits &= bits - 1)
          {
            const int j = __builtin_ctz ((unsigned) bits);

            w->found[n] = b[j];
            w->found[w->stride + n] = b[s->slots[1] + j];
            w->found[2 * w->stride + n] = b[2 * s->slots[1] + j];
            w->bin[n++] = armilla_edges_below (w->input->edges, values[j], 1, s->n_bins) - 1;
          }
      }
  return n;
}

/* Sorts neighbours by bin, in whole vectors. */
static void
sort_neighbours (ArmillaTripleWork *w, int64_t n)
{
  const int64_t n_bins = w->shape->n_bins;
  int64_t at = 0;

  memset (w->count, 0, sizeof (int64_t) * (size_t) n_bins);
  for (int64_t i = 0; i < n; i++)
    w->count[w->bin[i]]++;
  for (int64_t k = 0; k < n_bins; k++)
    {
      w->first[k] = at;
      at += (w->count[k] + VL - 1) / VL * VL;
      for (int64_t i = w->first[k] + w->count[k]; i < at; i++)
        for (int c = 0; c < 3; c++)
          w->sorted[c * w->stride + i] = NAN;
      w->count[k] = 0;
    }
  for (int64_t i = 0; i < n; i++)
    {
      const int64_t to = w->first[w->bin[i]] + w->count[w->bin[i]]++;

      for (int c = 0; c < 3; c++)
        w->sorted[c * w->stride + to] = w->found[c * w->stride + i];
    }
}

/* Counts the pairs of neighbours, one from each bin, below each edge. */
SIMD_INLINE void
sides_below (const ArmillaTripleWork *w, int64_t k1, int64_t k2, const double *edge,
             const int n_edges, int64_t *below)
{
  const double *a = w->sorted + w->first[k1], *b = w->sorted + w->first[k2];
  VI count[AT_ONCE];

  for (int k = 0; k < n_edges; k++)
    count[k] = vi_set (0);
  for (int64_t v = 0; v < w->count[k2]; v += VL)
    {
      const V x = v_load (b + v), y = v_load (b + w->stride + v);
      const V z = v_load (b + 2 * w->stride + v);

      for (int64_t i = 0; i < w->count[k1]; i++)
        {
          const V dx = v_set (a[i]) - x, dy = v_set (a[w->stride + i]) - y;
          const V dz = v_set (a[2 * w->stride + i]) - z;
          const V s2 = ARMILLA_PAIR_S2 (dx, dy, dz);

          for (int k = 0; k < n_edges; k++)
            count[k] = vi_count (count[k], v_less (s2, v_set (edge[k])));
        }
    }
  for (int k = 0; k < n_edges; k++)
    below[k] = vi_sum (count[k]);
}

/* Sets numbers[m], m from m0 to m1, to the number of pairs below edge m but not below edge m -
 * 1. */
static void
count_sides (ArmillaTripleWork *w, int64_t k1, int64_t k2, int64_t m0, int64_t m1)
{
  const int64_t n_a = w->count[k1];
  int64_t before = 0;

  for (int64_t m = m0; m < m1; m += AT_ONCE)
    {
      const int n_edges = (int) (m1 - m < AT_ONCE ? m1 - m : AT_ONCE);
      const double *edge = w->input->edges + m;
      int64_t below[AT_ONCE];

      switch (n_edges)
        {
        case 1: sides_below (w, k1, k2, edge, 1, below); break;
        case 2: sides_below (w, k1, k2, edge, 2, below); break;
        case 3: sides_below (w, k1, k2, edge, 3, below); break;
        default: sides_below (w, k1, k2, edge, AT_ONCE, below); break;
        }
      for (int k = 0; k < n_edges; k++)
        {
          /* Within a bin, each pair was counted twice, and each object with itself at distance
           * 0. */
          const int64_t pairs = k1 == k2 ? (below[k] - n_a) / 2 : below[k];

          w->numbers[m + k] = pairs - before;
          before = pairs;
        }
    }
  w->numbers[m1] = (k1 == k2 ? n_a * (n_a - 1) / 2 : n_a * w->count[k2]) - before;
}

/* Pairs two bins of neighbours: the third side is at least the difference of the other two, and at
 * most their sum. */
static void
join_bins (ArmillaTripleWork *w, int64_t k1, int64_t k2)
{
  const int64_t n = w->shape->n_bins;
  const double *chord = w->input->edges + n + 2;
  const double shortest = chord[k2] - chord[k1 + 1] - CHORD_SLACK;
  const double longest = chord[k1 + 1] + chord[k2 + 1] + CHORD_SLACK;
  int64_t m0 = armilla_edges_below (chord, shortest > 0 ? shortest : 0, 0, n + 1);
  int64_t m1 = armilla_edges_below (chord, longest, m0, n + 1);

  if (w->shape->equal)
    {
      /* The third side must be in the same bin, between its two edges. */
      m0 = m0 > k1 ? m0 : k1;
      m1 = m1 < k1 + 2 ? m1 : k1 + 2;
    }
  count_sides (w, k1, k2, m0, m1);
  for (int64_t m = m0 > 1 ? m0 : 1; m <= m1 && m <= n; m++)
    {
      const int64_t entry = armilla_triple_place (n, w->shape->equal, k1, k2, m - 1);

      if (entry >= 0)
        w->counts[entry] += w->numbers[m];
    }
}

void
SIMD_NAME (armilla_triple_leaf) (ArmillaTripleWork *w, int64_t leaf)
{
  const int64_t *nodes = (const int64_t *) (const void *) w->input->nodes[0];
  const int64_t n = nodes[ARMILLA_NODE_COUNT * w->shape->strides[0] + leaf];

  for (int64_t i = 0; i < n; i++)
    {
      const int64_t found = find_neighbours (w, leaf * ARMILLA_LEAF + i);

      if (found < 2)
        continue;
      sort_neighbours (w, found);
      for (int64_t k1 = 0; k1 < w->shape->n_bins; k1++)
        for (int64_t k2 = k1; k2 < (w->shape->equal ? k1 + 1 : w->shape->n_bins); k2++)
          if (w->count[k1] > 0 && w->count[k2] > 0)
            join_bins (w, k1, k2);
    }
}
