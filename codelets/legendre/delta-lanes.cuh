/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ring pairs in the registers of a thread, and the steps of the recurrence; for delta-*.cu.
 *
 * A warp processes 32 R neighbouring pairs, independently of other warps: it skips steps until one
 * of its pairs contributes. All its pairs use one form of the recurrence at a time. If they need
 * several forms (rings in no order), it processes the order once per form, with the other pairs set
 * to 0. */
#pragma once

#include "codelets/legendre/delta-recurrence.h"
#include "codelets/legendre/delta-math.h"

constexpr unsigned all_lanes = ~0u;
constexpr int warp_size = 32;
/* Steps between two checks, and steps whose coefficients a warp loads together. */
constexpr int batch = ARMILLA_DELTA_CHECK;
constexpr int chunk = 32;

static_assert (chunk % batch == 0, "checks happen at chunk boundaries");

/* State of a warp's ring pairs at the current order. */
enum class Phase
{
  SKIP,  /* no pair contributes yet */
  MIXED, /* some pairs contribute, and some are too small for a double */
  FULL   /* all pairs are plain doubles */
};

/* Forms of the recurrence (delta-math.h). Difference: d += z q; q += d. Sum: d = z q - d; q = d -
 * q. Plain: q, d = z q - d, q. Here z = a x + p, where x is -sin^2 in the first form, cos^2 in the
 * second and cos^2 - 1/2 in the third: x is always small, so that its rounding hardly changes z. */
enum class Form
{
  DIFFERENCE,
  SUM,
  PLAIN
};

constexpr int n_forms = 3;

__device__ __forceinline__ int
lane_id ()
{
  return (int) (threadIdx.x % warp_size);
}

/* Coefficients of one order for a form of the recurrence, columns of n values in the table: a_k,
 * and p, the addend of a_k x. */
struct Columns
{
  const double *a, *p;
  double half, shift; /* half times a, and shift, are added to p */
  int n;

  /* a and p of step k; 0 after the last */
  __device__ __forceinline__ double2
  get (int k) const
  {
    return k < n ? make_double2 (a[k], p[k] + fma (half, a[k], shift)) : make_double2 (0, 0);
  }
};

/* One order of a block. */
struct Order
{
  int64_t m;
  int n;                /* steps */
  const double *table;  /* the order's three columns */
  double norm;
  int64_t before;       /* number of steps of the block's earlier orders */
};

__device__ __forceinline__ Order
order_get (const ArmillaDeltaShape &shape, const double *table, int64_t m)
{
  Order o;

  o.m = m;
  o.n = (int) armilla_delta_steps (shape.lmax, m);
  o.before = armilla_delta_steps_before (shape.lmax, shape.m_first, m);
  o.table = table + (shape.m_last - shape.m_first + 1) + 3 * o.before;
  o.norm = table[m - shape.m_first];
  return o;
}

/* sin^m of a thread's pairs, in shared memory; multiplied by the sine from order to order. */
template <int R> struct Powers
{
  double hi[R][warp_size], lo[R][warp_size];
  int scale[R][warp_size];
};

__device__ __forceinline__ ArmillaDd
pair_sine (const double *__restrict__ pairs, int64_t n, int64_t i)
{
  const double s = pairs[ARMILLA_PAIR_SIN * n + i];

  if (s < ARMILLA_DELTA_POLE)
    return armilla_dd_from (0, 0);
  return armilla_dd_from (s, pairs[ARMILLA_PAIR_SIN_LO * n + i]);
}

template <int R>
__device__ __forceinline__ void
powers_first (Powers<R> &powers, const double *__restrict__ pairs, int64_t n, int64_t at, int64_t m)
{
#pragma unroll
  for (int r = 0; r < R; r++)
    if (at + warp_size * r < n)
      {
        double scale;
        const ArmillaDd p
          = armilla_delta_power (pair_sine (pairs, n, at + warp_size * r), m, &scale);

        powers.hi[r][lane_id ()] = p.hi;
        powers.lo[r][lane_id ()] = p.lo;
        powers.scale[r][lane_id ()] = (int) scale;
      }
}

template <int R>
__device__ __forceinline__ void
powers_next (Powers<R> &powers, const double *__restrict__ pairs, int64_t n, int64_t at)
{
#pragma unroll
  for (int r = 0; r < R; r++)
    if (at + warp_size * r < n)
      {
        const int i = lane_id ();
        ArmillaDd p = armilla_dd_from (powers.hi[r][i], powers.lo[r][i]);

        p = armilla_dd_multiply (p, pair_sine (pairs, n, at + warp_size * r));
        if (p.hi < ARMILLA_DELTA_SMALL)
          {
            p = armilla_dd_scale (p, ARMILLA_DELTA_UP);
            powers.scale[r][i]--;
          }
        powers.hi[r][i] = p.hi;
        powers.lo[r][i] = p.lo;
      }
}

__device__ __forceinline__ bool
is_polar (double cosine)
{
  return cosine * cosine >= ARMILLA_DELTA_POLAR_X;
}

/* Returns the forms that a warp's pairs need, the same for all orders, as bits (1 << form). A lane
 * has the pairs at, at + 32 .. */
template <int R>
__device__ __forceinline__ unsigned
forms_wanted (const double *__restrict__ pairs, int64_t n, int64_t at)
{
  bool middle = true, polar = false, equatorial = false;

#pragma unroll
  for (int r = 0; r < R; r++)
    if (at + warp_size * r < n)
      {
        const double c = pairs[ARMILLA_PAIR_COS * n + at + warp_size * r];
        const double s = pairs[ARMILLA_PAIR_SIN * n + at + warp_size * r];

        middle &= fmin (c * c, s * s) >= ARMILLA_DELTA_PLAIN_X;
        polar |= is_polar (c);
        equatorial |= !is_polar (c);
      }
  polar = __any_sync (all_lanes, polar);
  equatorial = __any_sync (all_lanes, equatorial);
  if (__all_sync (all_lanes, middle))
    return polar || equatorial ? 1u << (int) Form::PLAIN : 0;
  return (polar ? 1u << (int) Form::DIFFERENCE : 0) | (equatorial ? 1u << (int) Form::SUM : 0);
}

__device__ __forceinline__ bool
is_wanted (unsigned forms, Form form)
{
  return forms >> (int) form & 1;
}

__device__ __forceinline__ Columns
columns_get (const Order &o, Form form)
{
  const bool plain = form == Form::PLAIN;

  return { o.table, o.table + (form == Form::DIFFERENCE ? 1 : 2) * o.n, plain ? .5 : 0.,
           plain ? -2. : 0., o.n };
}

/* R ring pairs; values of absent pairs and of those that use another form are 0. */
template <int R> struct Lanes
{
  double q[R], d[R], x[R];
  int scale[R];
  Phase phase;

  template <Form FORM>
  __device__ __forceinline__ void
  step (double2 c)
  {
#pragma unroll
    for (int r = 0; r < R; r++)
      {
        const double z = fma (c.x, x[r], c.y), last = q[r];

        if (FORM == Form::DIFFERENCE)
          {
            d[r] = fma (z, last, d[r]);
            q[r] = last + d[r];
          }
        else if (FORM == Form::SUM)
          {
            d[r] = fma (z, last, -d[r]);
            q[r] = d[r] - last;
          }
        else
          {
            q[r] = fma (z, last, -d[r]);
            d[r] = last;
          }
      }
  }

  /* Returns q, or 0 while it is so small that it counts as 0. */
  __device__ __forceinline__ double
  value (int r) const
  {
    return scale[r] < 0 ? 0 : q[r];
  }

  /* Increases the scale of values that have grown (delta-math.h). */
  __device__ __forceinline__ void
  rescale ()
  {
#pragma unroll
    for (int r = 0; r < R; r++)
      if (fabs (q[r]) > ARMILLA_DELTA_BIG)
        {
          q[r] *= ARMILLA_DELTA_DOWN;
          d[r] *= ARMILLA_DELTA_DOWN;
          scale[r]++;
        }
    set_phase ();
  }

  /* Sets the phase. If some pairs contribute and all others are one scale below, the latter are
   * converted to scale 0, where they are too small to change a sum. */
  __device__ __forceinline__ void
  set_phase ()
  {
    bool far_below = false, contributes = false;

#pragma unroll
    for (int r = 0; r < R; r++)
      {
        far_below |= scale[r] < -1;
        contributes |= scale[r] >= 0 && q[r] != 0;
      }
    if (!__any_sync (all_lanes, contributes))
      phase = Phase::SKIP;
    else if (__any_sync (all_lanes, far_below))
      phase = Phase::MIXED;
    else
      {
        phase = Phase::FULL;
#pragma unroll
        for (int r = 0; r < R; r++)
          if (scale[r] < 0)
            {
              q[r] *= ARMILLA_DELTA_DOWN;
              d[r] *= ARMILLA_DELTA_DOWN;
              scale[r] = 0;
            }
      }
  }

  /* Sets the start values of the pairs that use @form. Returns whether any of them can
   * contribute. */
  __device__ __forceinline__ bool
  start (const ArmillaDeltaShape &shape, const double *__restrict__ pairs, int64_t at,
         const Order &o, Form form, const Powers<R> &powers)
  {
    const int64_t n = shape.n_pairs;
    double sine = -1, cosine = 0; /* sine and cosine of the pair nearest to the equator */

#pragma unroll
    for (int r = 0; r < R; r++)
      {
        const int64_t i = at + warp_size * r;

        q[r] = d[r] = x[r] = 0;
        scale[r] = 0;
        if (i >= n)
          continue;

        const double c = pairs[ARMILLA_PAIR_COS * n + i];
        const ArmillaDd s = pair_sine (pairs, n, i);

        if (form != Form::PLAIN && is_polar (c) != (form == Form::DIFFERENCE))
          continue;
        if (form == Form::DIFFERENCE)
          x[r] = -armilla_dd_multiply (s, s).hi;
        else
          {
            const ArmillaDd cc = { c, pairs[ARMILLA_PAIR_COS_LO * n + i] };
            const ArmillaDd square = armilla_dd_multiply (cc, cc);

            x[r] = form == Form::SUM ? square.hi : (square.hi - .5) + square.lo;
          }
        cosine = s.hi > sine ? c : cosine;
        sine = fmax (sine, s.hi);
        q[r] = fma (powers.hi[r][lane_id ()], o.norm, powers.lo[r][lane_id ()] * o.norm);
        d[r] = form == Form::PLAIN ? 0 : q[r];
        scale[r] = q[r] == 0 ? 0 : powers.scale[r][lane_id ()]; /* 0: at a pole */
      }
    set_phase ();
    return __any_sync (all_lanes, sine >= 0
                                    && !armilla_delta_negligible (shape.lmax, o.m, sine, cosine));
  }

  /* Takes steps until a pair contributes and returns their number: a multiple of the batch, or at
   * least columns.n. @c: shared memory of this warp. */
  template <Form FORM>
  __device__ __forceinline__ int
  skip (const Columns &columns, double2 (&c)[chunk])
  {
    int k = 0;

    if (phase != Phase::SKIP)
      return k;
    double2 next = columns.get (lane_id ());

    while (phase == Phase::SKIP && k < columns.n)
      {
        __syncwarp ();
        c[lane_id ()] = next;
        __syncwarp ();
        next = columns.get (k + chunk + lane_id ());
        for (int i = 0; i < chunk && phase == Phase::SKIP && k < columns.n; i += batch)
          {
#pragma unroll
            for (int j = 0; j < batch; j++)
              step<FORM> (c[i + j]);
            k += batch;
            rescale ();
          }
      }
    __syncwarp ();
    return k;
  }
};

/* A tile: complex double, [field][2 n_pairs][orders], slot 2 pair + south. */
__device__ __forceinline__ int64_t
tile_index (const ArmillaDeltaShape &shape, int64_t field, int64_t pair, int64_t m)
{
  return (field * shape.n_pairs + pair) * 2 * (shape.m_last - shape.m_first + 1)
         + (m - shape.m_first);
}

/* Stores Delta_m on both rings of a pair: even + cosine odd, and even - cosine odd. */
__device__ __forceinline__ void
tile_store (const ArmillaDeltaShape &shape, double2 *tile, int64_t field, int64_t pair, int64_t m,
            double cosine, double2 even, double2 odd)
{
  double2 *north = tile + tile_index (shape, field, pair, m);
  const double re = odd.x * cosine, im = odd.y * cosine;

  north[0] = make_double2 (even.x + re, even.y + im);
  north[shape.m_last - shape.m_first + 1] = make_double2 (even.x - re, even.y - im);
}

/* The transpose of tile_store(). */
__device__ __forceinline__ void
tile_load (const ArmillaDeltaShape &shape, const double2 *__restrict__ tile, int64_t field,
           int64_t pair, int64_t m, double cosine, double2 *even, double2 *odd)
{
  const double2 *at = tile + tile_index (shape, field, pair, m);
  const double2 north = at[0], south = at[shape.m_last - shape.m_first + 1];

  *even = make_double2 (north.x + south.x, north.y + south.y);
  *odd = make_double2 (cosine * (north.x - south.x), cosine * (north.y - south.y));
}
