/* SPDX-License-Identifier: GPL-3.0-or-later */
/* polar_sum on the CPU: compiled once for each instruction set.
 *
 * With g = gcd (n, N) for an output ring of n pixels and an input ring of N, a rotation by 2 pi / g
 * maps the pixels of each ring to pixels of the same ring. So only n / g output pixels need kernel
 * values, N each; the rest is a matrix product, in which each row of values serves g rotations,
 * both hemispheres and all fields. HEALPix rings have multiples of four pixels: a kernel value
 * serves at least eight sums per field. */
#include <string.h>

#include "codelets/common/simd.h"
#include "codelets/convolution/convolve-values.h"
#include "codelets/convolution/polar-cpu.h"

#define SUMS 8 /* sums computed together */
#define UNROLL _Pragma ("GCC unroll 8")

/* An input pair, prepared once for all output rings. Each ring is stored twice in sequence, so that
 * no window wraps. */
typedef struct {
  const ArmillaRingSlot *slots; /* northern and southern ring */
  int64_t pair;                 /* index of the pair in the input block */
  int64_t n, length;            /* number of pixels of a ring; doubles of a buffer */
  double *pixels;               /* [field][south][length], 0 instead of UNSEEN */
  double *sines, *cosines;      /* [length]: sines and cosines of half the azimuths */
  double *kernel;               /* kernel values of an output pixel, [n and padding] */
} Source;

static int64_t
common_divisor (int64_t a, int64_t b)
{
  while (b)
    {
      const int64_t rest = a % b;

      a = b;
      b = rest;
    }
  return a;
}

static const ArmillaRingSlot *
either (const ArmillaRingSlot *slots)
{
  return slots[0].n_phi > 0 ? slots : slots + 1;
}

static double
half_azimuth (const ArmillaRingSlot *slot, int64_t i)
{
  return 0.5 * armilla_slot_phi0 (slot) + 3.141592653589793 * (double) i / (double) slot->n_phi;
}

static void
source_fill (Source *source, int64_t n_fields, int64_t n_pixels, const double *in)
{
  const ArmillaRingSlot *ring = either (source->slots);
  const int64_t n = source->n, length = source->length;

  for (int64_t i = 0; i < 2 * n_fields; i++)
    {
      const ArmillaRingSlot *slot = source->slots + i % 2;
      const double *from = in + i / 2 * n_pixels + slot->offset;
      double *to = source->pixels + i * length;

      memset (to, 0, sizeof (double) * (size_t) length);
      for (int64_t j = 0; j < slot->n_phi; j++)
        to[j] = to[j + n] = slot->weight * armilla_unseen_to_zero (from[j]);
    }
  for (int64_t j = 0; j < n; j++)
    {
      const double beta = half_azimuth (ring, j);

      source->sines[j] = source->sines[j + n] = sin (beta);
      source->cosines[j] = source->cosines[j + n] = cos (beta);
    }
  for (int64_t j = 2 * n; j < length; j++)
    source->sines[j] = source->cosines[j] = 0;
}

/* Computes source->kernel, the kernel between an output pixel and the input pixels from *first on
 * that may be within its support. @alpha: half the azimuth of the output pixel. Returns the number
 * of values, padded by zeros to whole vectors. */
static int64_t
kernel_row (const ArmillaPolarShape *shape, const double *terms, const Source *source,
            double chord2, double sines, double alpha, int64_t *first)
{
  const double pi = 3.141592653589793, n = (double) source->n, rest = shape->chord2 - chord2;
  const double place = (alpha - half_azimuth (either (source->slots), 0)) * n / pi;
  const V sine = v_set (sin (alpha)), cosine = v_set (cos (alpha));
  double *to = source->kernel;
  int64_t count = source->n;

  *first = 0;
  if (rest < sines)
    {
      /* Half-width of the window of azimuths within the support, in pixels. */
      const double reach = asin (sqrt (rest / sines)) * n / pi * 2 + 1e-9 * n;
      const int64_t start = (int64_t) ceil (place - reach);
      const int64_t end = (int64_t) floor (place + reach) + 1;

      count = end - start < count ? end - start : count;
      *first = start % source->n < 0 ? start % source->n + source->n : start % source->n;
    }
  for (int64_t i = 0; i < count; i += VL)
    {
      const V s = sine * v_load (source->cosines + *first + i)
                  - cosine * v_load (source->sines + *first + i);

      v_store (to + i, v_set (chord2) + v_set (sines) * (s * s));
    }
  for (int64_t i = 0; i < count; i++)
    to[i] = armilla_kernel_at (terms, shape->n_intervals, shape->scale, shape->chord2, to[i]);
  while (count % VL != 0)
    to[count++] = 0;
  return count;
}

/* sums[i] <- kernel times from[i] */
SIMD_INLINE void
multiply (const double *kernel, int64_t count, const double *const from[SUMS], double *sums)
{
  V sum[SUMS];

  UNROLL for (int i = 0; i < SUMS; i++)
    {
      sum[i] = v_set (0);
      sums[i] = 0;
    }
  for (int64_t j = 0; j < count; j += VL)
    {
      const V k = v_load (kernel + j);

      UNROLL for (int i = 0; i < SUMS; i++)
        sum[i] = v_fma (k, v_load (from[i] + j), sum[i]);
    }
  v_add_eight_sums (sums, sum);
}

/* Adds the products of a row of kernel values, those of output pixel @at of @pair, to all rotations
 * of this pixel, both hemispheres and all fields. */
static void
add_row (const ArmillaPolarShape *shape, const ArmillaRingSlot *slots_out, int64_t pair,
         int64_t at, int across, const Source *source, int64_t first, int64_t count,
         int64_t n_fields, double *out)
{
  const ArmillaRingSlot *rings = slots_out + 2 * pair;
  const int64_t n = either (rings)->n_phi, turns = common_divisor (n, source->n);
  const int64_t step = n / turns, source_step = source->n / turns;
  const double *from[SUMS];
  double *to[SUMS], sums[SUMS];
  int k = 0;

  for (int64_t i = 0; i < 2 * n_fields; i++)
    {
      const ArmillaRingSlot *ring = rings + i % 2;
      const double *pixels = source->pixels + (i ^ across) * source->length;
      double *ring_out = out + i / 2 * shape->n_out_pixels + ring->offset + at;
      int64_t place = first;

      for (int64_t turn = 0; ring->n_phi > 0 && turn < turns; turn++)
        {
          from[k] = pixels + place;
          to[k++] = ring_out + turn * step;
          place += source_step;
          place -= place >= source->n ? source->n : 0;
          if (k == SUMS)
            {
              multiply (source->kernel, count, from, sums);
              while (k > 0)
                {
                  k--;
                  *to[k] += sums[k];
                }
            }
        }
    }
  if (k == 0)
    return;
  for (int i = k; i < SUMS; i++)
    from[i] = from[0];
  multiply (source->kernel, count, from, sums);
  for (int i = 0; i < k; i++)
    *to[i] += sums[i];
}

/* Adds one input pair to one output pair. */
static void
add_pair (const ArmillaPolarShape *shape, const ArmillaRingSlot *slots_out,
          const double *pairs_out, const double *pairs_in, const double *terms, int64_t pair,
          const Source *source, int64_t n_fields, double *out)
{
  const ArmillaRingSlot *ring = either (slots_out + 2 * pair);
  const int64_t pixels = ring->n_phi / common_divisor (ring->n_phi, source->n);

  for (int across = 0; across < 2; across++)
    {
      double sines;
      const double chord2 = armilla_meridian_chord2 (pairs_out, shape->n_out, pair, pairs_in,
                                                     shape->n_in, source->pair, across, &sines);

      if (!(chord2 <= shape->chord2))
        continue;
      for (int64_t at = 0; at < pixels; at++)
        {
          int64_t first;
          const int64_t count = kernel_row (shape, terms, source, chord2, sines,
                                            half_azimuth (ring, at), &first);

          if (count > 0)
            add_row (shape, slots_out, pair, at, across, source, first, count, n_fields, out);
        }
    }
}

/* Returns whether an input pair is within reach of any output pair. */
static int
is_near (const ArmillaPolarShape *shape, const double *pairs_out, const double *pairs_in,
         int64_t pair)
{
  for (int64_t p = 0; p < shape->n_rings; p++)
    for (int across = 0; across < 2; across++)
      {
        double sines;

        if (armilla_meridian_chord2 (pairs_out, shape->n_out, p, pairs_in, shape->n_in, pair,
                                     across, &sines) <= shape->chord2)
          return 1;
      }
  return 0;
}

/* Processes fields in groups, so that the scratch space does not depend on their number. */
static void
add_fields (const ArmillaPolarShape *shape, const ArmillaRingSlot *slots_out,
            const ArmillaRingSlot *slots_in, const double *pairs_out, const double *pairs_in,
            const double *terms, int64_t n_fields, const double *in, double *out, double *scratch)
{
  for (int64_t q = 0; q < shape->n_in; q++)
    {
      Source source = { .slots = slots_in + 2 * q, .pair = q };

      source.n = either (source.slots)->n_phi;
      source.length = 2 * source.n + ARMILLA_POLAR_PAD;
      source.sines = scratch;
      source.cosines = source.sines + source.length;
      source.kernel = source.cosines + source.length;
      source.pixels = source.kernel + source.length;
      if (source.n == 0 || !is_near (shape, pairs_out, pairs_in, q))
        continue;
      source_fill (&source, n_fields, shape->n_in_pixels, in);
      for (int64_t p = 0; p < shape->n_rings; p++)
        if (either (slots_out + 2 * p)->n_phi > 0)
          add_pair (shape, slots_out, pairs_out, pairs_in, terms, p, &source, n_fields, out);
    }
}

void
SIMD_NAME (armilla_polar_sum) (const ArmillaPolarShape *shape, const ArmillaRingSlot *slots_out,
                               const ArmillaRingSlot *slots_in, const double *pairs_out,
                               const double *pairs_in, const double *terms, const double *in,
                               double *out, double *scratch)
{
  _Static_assert (ARMILLA_POLAR_PAD >= VL, "a vector load beyond the last pixel stays in the "
                                           "padding");

  for (int64_t field = 0; shape->fresh && field < shape->n_fields; field++)
    for (int64_t slot = 0; slot < 2 * shape->n_rings; slot++)
      memset (out + field * shape->n_out_pixels + slots_out[slot].offset, 0,
              sizeof (double) * (size_t) slots_out[slot].n_phi);
  for (int64_t field = 0; field < shape->n_fields; field += ARMILLA_POLAR_FIELDS)
    {
      const int64_t left = shape->n_fields - field;

      add_fields (shape, slots_out, slots_in, pairs_out, pairs_in, terms,
                  left < ARMILLA_POLAR_FIELDS ? left : ARMILLA_POLAR_FIELDS,
                  in + field * shape->n_in_pixels, out + field * shape->n_out_pixels, scratch);
    }
}
