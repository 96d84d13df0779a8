/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statistics over realisations on the CPU: the operations of armilla_collect_add(), one vector at a
 * time, with the same bits. Compiled once for each instruction set. */
#include "codelets/common/simd.h"
#include "codelets/fields/vector-ops.h"

/* Adds a realisation after the first. All arrays are read before any is written: if they are a
 * multiple of 4096 bytes apart, which is frequent, a load would wait for the preceding store. */
SIMD_INLINE void
add_vector (ArmillaCollectShape shape, V share, V x, double *at)
{
  const V unseen = v_set (ARMILLA_UNSEEN_VALUE);
  const V bound = v_set (nextafter (1e-5 * 1.6375e30, INFINITY)); /* values below it are at most
                                                                   * UNSEEN */
  double *const squares = at + shape.n, *const minima = squares + (shape.squares ? shape.n : 0),
         *const maxima = minima + (shape.minimum ? shape.n : 0);
  const V before = v_load (at), d = x - before, mean = before + d * share;
  V square = mean, low = mean, high = mean;

  if (shape.squares)
    square = v_load (squares) + d * (x - mean);
  if (shape.minimum)
    low = v_select (v_less (x, v_load (minima)), x, v_load (minima));
  if (shape.maximum)
    high = v_select (v_less (v_load (maxima), x), x, v_load (maxima));
  /* UNSEEN if x or the previous mean is UNSEEN, otherwise x. */
  const V either = v_select (v_less (v_abs (before - unseen), bound), unseen, x);
  const VM none = v_less (v_abs (either - unseen), bound);

  v_store (at, shape.unseen ? v_select (none, unseen, mean) : mean);
  if (shape.squares)
    v_store (squares, shape.unseen ? v_select (none, unseen, square) : square);
  if (shape.minimum)
    v_store (minima, shape.unseen ? v_select (none, unseen, low) : low);
  if (shape.maximum)
    v_store (maxima, shape.unseen ? v_select (none, unseen, high) : high);
}

void
SIMD_NAME (armilla_collect_some) (const ArmillaCollectShape *shape, int64_t n,
                                  const double *values, double *at)
{
  const ArmillaCollectShape same = *shape; /* a copy that no store can alias */
  const double share = 1 / (double) same.count;
  int64_t i = 0;

  for (; same.count > 1 && i + VL <= n; i += VL)
    add_vector (same, v_set (share), v_load (values + i), at + i);
  for (; i < n; i++)
    armilla_collect_add (shape, share, values[i], at + i);
}
