/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is collected over realisations, on the CPU: the operations of armilla_collect_add(), a
 * vector of numbers at a time, with the same bits. Compiled once for each instruction set. */
#include "codelets/common/simd.h"
#include "codelets/fields/vector-ops.h"

/* What is kept of a number: UNSEEN where x or the mean before it is. */
SIMD_INLINE void
keep (const ArmillaCollectShape *shape, V x, V before, V value, double *to)
{
  const V unseen = v_set (ARMILLA_UNSEEN_VALUE);
  const V bound = v_set (nextafter (1e-5 * 1.6375e30, INFINITY)); /* below it: at most without */

  if (shape->unseen)
    {
      value = v_select (v_less (v_abs (before - unseen), bound), unseen, value);
      value = v_select (v_less (v_abs (x - unseen), bound), unseen, value);
    }
  v_store (to, value);
}

/* Of a realisation that is not the first. */
SIMD_INLINE void
add_vector (const ArmillaCollectShape *shape, double share, V x, double *at)
{
  const V before = v_load (at), d = x - before, now = before + d * v_set (share);
  double *next = at + shape->n;

  keep (shape, x, before, now, at);
  if (shape->squares)
    {
      keep (shape, x, before, v_load (next) + d * (x - now), next);
      next += shape->n;
    }
  if (shape->minimum)
    {
      const V least = v_load (next);

      keep (shape, x, before, v_select (v_less (x, least), x, least), next);
      next += shape->n;
    }
  if (shape->maximum)
    {
      const V most = v_load (next);

      keep (shape, x, before, v_select (v_less (most, x), x, most), next);
    }
}

void
SIMD_NAME (armilla_collect_some) (const ArmillaCollectShape *shape, int64_t n,
                                  const double *values, double *at)
{
  const double share = 1 / (double) shape->count;
  int64_t i = 0;

  for (; shape->count > 1 && i + VL <= n; i += VL)
    add_vector (shape, share, v_load (values + i), at + i);
  for (; i < n; i++)
    armilla_collect_add (shape, share, values[i], at + i);
}
