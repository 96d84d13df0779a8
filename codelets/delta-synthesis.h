/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Synthesis on the CPU; part of delta-kernels.h. */
#pragma once

#include "codelets/delta-order.h"

/* sums[4][GL] += prepared[n][4] x q[n][GL] */
static void
tile_synthesis (const double *prepared, const double *q, int64_t n, double *sums)
{
  for (int64_t at = 0; at < GL; at += V_TILE * VL)
    {
      V s[4][V_TILE];

      UNROLL for (int c = 0; c < 4; c++)
        UNROLL for (int i = 0; i < V_TILE; i++)
          s[c][i] = v_load (sums + c * GL + at + i * VL);
      for (int64_t k = 0; k < n; k++)
        UNROLL for (int i = 0; i < V_TILE; i++)
          {
            const V t = v_load (q + k * GL + at + i * VL);

            UNROLL for (int c = 0; c < 4; c++)
              s[c][i] = v_fma (t, v_set (prepared[4 * k + c]), s[c][i]);
          }
      UNROLL for (int c = 0; c < 4; c++)
        UNROLL for (int i = 0; i < V_TILE; i++)
          v_store (sums + c * GL + at + i * VL, s[c][i]);
    }
}

/* Steps k .. end - 1 of one field where every lane matters: recurrence and sums in one loop. */
SIMD_INLINE void
fused_synthesis (const Form form, Lanes *lanes, int64_t group, const Order *o,
                 const double *prepared, int64_t k0, double *sums)
{
  const double *a = o->c.a, *p = group_column (lanes, group, &o->c);

  for (int64_t at = 0; at < GL; at += V_TILE * VL)
    {
      const int64_t lane = group * GL + at;
      V q[V_TILE], d[V_TILE], x[V_TILE], s[4][V_TILE];

      UNROLL for (int i = 0; i < V_TILE; i++)
        {
          q[i] = v_load (lanes->q + lane + i * VL);
          d[i] = v_load (lanes->d + lane + i * VL);
          x[i] = v_load (lanes->x + lane + i * VL);
          UNROLL for (int c = 0; c < 4; c++)
            s[c][i] = v_load (sums + c * GL + at + i * VL);
        }
      _Pragma ("GCC unroll 2") for (int64_t k = k0; k < o->n_steps; k++)
        {
          UNROLL for (int c = 0; c < 4; c++)
            {
              const V t = v_set (prepared[4 * k + c]);

              UNROLL for (int i = 0; i < V_TILE; i++)
                s[c][i] = v_fma (q[i], t, s[c][i]);
            }
          STEP (form, V_TILE, q, d, x, a[k], p[k]);
        }
      UNROLL for (int c = 0; c < 4; c++)
        UNROLL for (int i = 0; i < V_TILE; i++)
          v_store (sums + c * GL + at + i * VL, s[c][i]);
    }
}

static void
fused_synthesis_difference (Lanes *lanes, int64_t group, const Order *o, const double *prepared,
                            int64_t k, double *sums)
{
  fused_synthesis (FORM_DIFFERENCE, lanes, group, o, prepared, k, sums);
}

static void
fused_synthesis_sum (Lanes *lanes, int64_t group, const Order *o, const double *prepared,
                     int64_t k, double *sums)
{
  fused_synthesis (FORM_SUM, lanes, group, o, prepared, k, sums);
}

static void
fused_synthesis_plain (Lanes *lanes, int64_t group, const Order *o, const double *prepared,
                       int64_t k, double *sums)
{
  fused_synthesis (FORM_PLAIN, lanes, group, o, prepared, k, sums);
}

/* sums[field][4][GL] of one group. @q: buffer of a segment. */
static void
group_synthesis (Lanes *lanes, int64_t group, const Order *o, const double *prepared, double *q,
                 double *sums)
{
  void (*const fused[]) (Lanes *, int64_t, const Order *, const double *, int64_t, double *)
    = { fused_synthesis_difference, fused_synthesis_sum, fused_synthesis_plain };
  int64_t k = 0;

  memset (sums, 0, sizeof (double) * (size_t) (o->n_fields * 4 * GL));
  while (k < o->n_steps && !(V_FUSED && o->n_fields == 1 && lanes->phase[group] == PHASE_FULL))
    {
      const int64_t end = k + SEGMENT < o->n_steps ? k + SEGMENT : o->n_steps;
      const int64_t first = group_advance (lanes, group, &o->c, k, end, q);

      if (first < end)
        for (int64_t f = 0; f < o->n_fields; f++)
          tile_synthesis (prepared + (f * o->n_steps + first) * 4, q + (first - k) * GL,
                          end - first, sums + f * 4 * GL);
      k = end;
    }
  if (k < o->n_steps)
    fused[(Form) lanes->form[group]](lanes, group, o, prepared, k, sums);
}

/* Even and odd parts of one field -> the two rings of each pair: consecutive pairs from @tile. */
static void
run_store (const double *cosine, const double *sums, int64_t n_pairs, double *tile)
{
  for (int64_t i = 0; i < GL; i += VL)
    {
      const V c = v_load (cosine + i), re = v_load (sums + 2 * GL + i) * c;
      const V im = v_load (sums + 3 * GL + i) * c;

      v_store (tile + i, v_load (sums + i) + re);
      v_store (tile + n_pairs + i, v_load (sums + GL + i) + im);
      v_store (tile + 2 * n_pairs + i, v_load (sums + i) - re);
      v_store (tile + 3 * n_pairs + i, v_load (sums + GL + i) - im);
    }
}

/* The same for any pairs. */
static void
pairs_store (const double *pair, const double *cosine, const double *sums, int64_t n_pairs,
             double *tile)
{
  for (int64_t i = 0; i < GL; i++)
    if (pair[i] >= 0)
      {
        double *t = tile + (int64_t) pair[i];
        const double re = sums[2 * GL + i] * cosine[i], im = sums[3 * GL + i] * cosine[i];

        t[0] = sums[i] + re;
        t[n_pairs] = sums[GL + i] + im;
        t[2 * n_pairs] = sums[i] - re;
        t[3 * n_pairs] = sums[GL + i] - im;
      }
}

/* @tile: [field][4][n_pairs] */
static void
group_store (const Lanes *lanes, int64_t group, const double *sums, int64_t n_fields,
             int64_t n_pairs, double *tile)
{
  const double *pair = lanes->pair + group * GL, *cosine = lanes->cosine + group * GL;
  const int64_t run = (int64_t) lanes->run[group];

  for (int64_t f = 0; f < n_fields; f++, sums += 4 * GL, tile += 4 * n_pairs)
    if (run >= 0)
      run_store (cosine, sums, n_pairs, tile + run);
    else
      pairs_store (pair, cosine, sums, n_pairs, tile);
}

static void
delta_synthesis (const ArmillaDeltaShape *shape, const double *table, const double *prepared,
                 const double *pairs, double *tile, double *scratch)
{
  const int64_t n_pairs = shape->n_pairs, n_fields = shape->n_fields;
  double *plain, *q, *sums;
  Lanes lanes;

  if (n_pairs == 0)
    return;
  lanes_init (&lanes, shape, pairs, scratch);
  plain = lanes.work;
  q = plain + 2 * armilla_delta_steps (shape->lmax, shape->m_first);
  sums = q + SEGMENT * GL;
  for (int64_t m = shape->m_first; m <= shape->m_last; m++, tile += n_fields * 4 * n_pairs)
    {
      const Order o = order_get (shape, table, m, plain);

      lanes_start (&lanes, m, o.norm);
      for (int64_t g = 0; g < lanes.n_groups; g++)
        {
          if (lanes.phase[g] != PHASE_NEVER)
            group_synthesis (&lanes, g, &o, prepared + o.prepared, q, sums);
          else
            memset (sums, 0, sizeof (double) * (size_t) (n_fields * 4 * GL));
          group_store (&lanes, g, sums, n_fields, n_pairs, tile);
        }
    }
}
