/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of the matrix of an order by the recurrence, several at a time. */
#include <math.h>

#include "codelets/butterfly/butterfly.h"
#include "codelets/legendre/delta-math.h"

#define LANES ARMILLA_BUTTERFLY_PAD

/* Recurrence of several pairs, see delta-math.h. */
typedef struct {
  double x[LANES]; /* -sin^2 near a pole, else cos^2 */
  double q[LANES], d[LANES], scale[LANES];
  int polar[LANES], live[LANES];
} State;

static void
lane_begin (State *s, int lane, const ArmillaButterflyShape *shape, double norm,
            const double *pairs, int64_t pair)
{
  const int64_t n = shape->n_pairs;
  const ArmillaDd c = { pairs[ARMILLA_PAIR_COS * n + pair],
                        pairs[ARMILLA_PAIR_COS_LO * n + pair] };
  const ArmillaDd sine = { pairs[ARMILLA_PAIR_SIN * n + pair],
                           pairs[ARMILLA_PAIR_SIN_LO * n + pair] };
  const ArmillaDd square = armilla_dd_multiply (c, c);
  ArmillaDd power;

  if (shape->m > 0
      && (sine.hi < ARMILLA_DELTA_POLE
          || armilla_delta_negligible (shape->lmax, shape->m, sine.hi, c.hi)))
    return;
  s->live[lane] = 1;
  s->polar[lane] = square.hi >= ARMILLA_DELTA_POLAR_X;
  s->x[lane] = s->polar[lane] ? -armilla_dd_multiply (sine, sine).hi : square.hi;
  power = armilla_delta_power (sine, shape->m, &s->scale[lane]);
  s->q[lane] = s->d[lane] = fma (power.hi, norm, power.lo * norm);
}

static void
lane_rescale (State *s, int lane)
{
  if (fabs (s->q[lane]) <= ARMILLA_DELTA_BIG)
    return;
  s->q[lane] *= ARMILLA_DELTA_DOWN;
  s->d[lane] *= ARMILLA_DELTA_DOWN;
  s->scale[lane] += 1;
}

/* Computes all steps of the pairs from @pair on, into out[k][pairs of the grid, padded][lane]; rows
 * after the last pair are 0. */
static void
fill_rows (const ArmillaButterflyShape *shape, const double *table, const double *pairs,
           int64_t pair, double *out)
{
  const int64_t n = armilla_delta_steps (shape->lmax, shape->m);
  const int64_t ld = armilla_butterfly_pad (shape->n_pairs);
  const double *a = table + 1, *difference = a + n, *sum = a + 2 * n;
  State s;

  for (int i = 0; i < LANES; i++)
    {
      s.x[i] = s.q[i] = s.d[i] = s.scale[i] = 0;
      s.polar[i] = s.live[i] = 0;
      if (pair + i < shape->n_pairs)
        lane_begin (&s, i, shape, table[0], pairs, pair + i);
    }
  for (int64_t k = 0; k < n; k++)
    {
      const double root = sqrt (a[k]);

      for (int i = 0; i < LANES; i++)
        {
          const double z = fma (a[k], s.x[i], s.polar[i] ? difference[k] : sum[k]);

          out[k * ld + i] = s.live[i] && s.scale[i] > -0.5 ? root * s.q[i] : 0;
          s.d[i] = fma (z, s.q[i], s.polar[i] ? s.d[i] : -s.d[i]);
          s.q[i] = s.polar[i] ? s.q[i] + s.d[i] : s.d[i] - s.q[i];
          if (k % ARMILLA_DELTA_CHECK == ARMILLA_DELTA_CHECK - 1 && s.scale[i] < -0.5)
            lane_rescale (&s, i);
        }
    }
}

void
armilla_butterfly_matrix (const ArmillaButterflyShape *shape, const double *table,
                          const double *pairs, double *matrix)
{
  for (int64_t pair = 0; pair < shape->n_pairs; pair += LANES)
    fill_rows (shape, table, pairs, pair, matrix + pair);
}
