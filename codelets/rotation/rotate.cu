/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each thread processes one output order and every 16th input order, four of these at a time, over
 * all l; the threads of a warp have adjacent output orders. The sums of the 16 groups are added in
 * order. More groups would be faster but need more scratch: these take 67 MB per field at lmax 4096
 * with blocks of 64 orders. */
#include "codelets/fields/field-ops-math.h"
#include "codelets/rotation/rotate.h"
#include "codelets/rotation/rotate-math.h"

#define GROUPS 16
#define AT_ONCE 4
#define LANES 64

typedef struct {
  double plus, plus_before, minus, minus_before;
  int64_t plus_scale, minus_scale;
} State;

int64_t
armilla_rotate_scratch_size (const ArmillaRotateShape *shape)
{
  return 2 * shape->n_fields
         * (GROUPS * (shape->lmax + 1 - shape->m_first) * (shape->m_last + 1 - shape->m_first)
            + armilla_block_offset (shape->lmax, shape->n_first, shape->n_last + 1));
}

static __device__ State
start (const ArmillaRotateShape *shape, const double *seeds, int64_t m, int64_t n)
{
  const double *seed = seeds + 4 * ((m - shape->m_first) * (shape->n_max + 1) + n);
  State state = { 0, 0, 0, 0, 0, 0 };
  double x;

  state.plus_scale = armilla_wigner_start (seed[0], seed[1], &x);
  state.plus = armilla_wigner_sign (m, n, 0) * x;
  state.minus_scale = armilla_wigner_start (seed[2], seed[3], &x);
  state.minus = armilla_wigner_sign (m, n, 1) * x;
  return state;
}

static __device__ void
rescale (double *value, double *before, int64_t *scale)
{
  if (*scale > 0 && fabs (*value) >= ARMILLA_WIGNER_BIG)
    {
      *value *= ARMILLA_WIGNER_SHRINK;
      *before *= ARMILLA_WIGNER_SHRINK;
      --*scale;
    }
}

static __device__ void
advance (State *state, ArmillaWignerStep step, int64_t m, int64_t n, int64_t l, double root,
         double inverse)
{
  const double coupling = (double) m * ((double) n * step.b);
  const double v = root * (step.g * armilla_wigner_root (l, n));
  const double w = inverse * (1 / armilla_wigner_root (l + 1, n));
  const double plus
    = ARMILLA_WIGNER_NEXT (step.a - coupling, v, w, state->plus, state->plus_before);
  const double minus
    = ARMILLA_WIGNER_NEXT (step.a + coupling, v, w, state->minus, state->minus_before);

  state->plus_before = state->plus;
  state->minus_before = state->minus;
  state->plus = plus;
  state->minus = minus;
}

/* Adds the terms of each group of input orders to its sums, scratch: complex,
 * [group][field][l - m_first][order], which the caller has set to 0. */
static __global__ void
rotate_kernel (ArmillaRotateShape shape, double cos_beta, int64_t count, const double *seeds,
               const double *in, double *scratch)
{
  const int64_t n_m = shape.m_last + 1 - shape.m_first, n_l = shape.lmax + 1 - shape.m_first;
  const int64_t lane = (int64_t) blockIdx.x * LANES + threadIdx.x, m = shape.m_first + lane;

  if (lane >= n_m)
    return;
  for (int64_t first = shape.n_first + blockIdx.y; first <= shape.n_last;
       first += GROUPS * AT_ONCE)
    {
      State states[AT_ONCE];

      for (int64_t l = m > first ? m : first; l <= shape.lmax; l++)
        {
          const ArmillaWignerStep step = armilla_wigner_step (l, cos_beta);
          const double root = armilla_wigner_root (l, m);
          const double inverse = 1 / armilla_wigner_root (l + 1, m);

          for (int64_t field = 0; field < shape.n_fields; field++)
            {
              double *to = scratch
                           + 2 * (((blockIdx.y * shape.n_fields + field) * n_l + l - shape.m_first)
                                    * n_m
                                  + lane);
              double re = to[0], im = to[1];

              for (int k = 0; k < AT_ONCE; k++)
                {
                  const int64_t n = first + k * GROUPS;
                  double plus, minus, sign;
                  const double *x;

                  if (n > shape.n_last || l < n)
                    continue;
                  if (field == 0 && l == (m > n ? m : n))
                    states[k] = start (&shape, seeds, m, n);
                  if (field == 0)
                    {
                      rescale (&states[k].plus, &states[k].plus_before, &states[k].plus_scale);
                      rescale (&states[k].minus, &states[k].minus_before, &states[k].minus_scale);
                    }
                  plus = states[k].plus_scale > 0 ? 0 : states[k].plus;
                  minus = states[k].minus_scale > 0 ? 0 : states[k].minus;
                  sign = n == 0 ? 0 : n % 2 ? -1 : 1;
                  x = in + 2 * (field * count + armilla_block_offset (shape.lmax, shape.n_first, n)
                                + l - n);
                  re += (plus + sign * minus) * x[0];
                  im += (plus - sign * minus) * x[1];
                  if (field == shape.n_fields - 1 && l < shape.lmax)
                    advance (&states[k], step, m, n, l, root, inverse);
                }
              to[0] = re;
              to[1] = im;
            }
        }
    }
}

/* turned <- in rotated by psi */
static __global__ void
turn_kernel (ArmillaRotateShape shape, int64_t count, const double *in, double *turned)
{
  for (int64_t n = shape.n_first + blockIdx.x; n <= shape.n_last; n += gridDim.x)
    {
      const double c = cos ((double) n * shape.psi), s = sin ((double) n * shape.psi);
      const int64_t row = blockIdx.y * count + armilla_block_offset (shape.lmax, shape.n_first, n);

      for (int64_t l = n + threadIdx.x; l <= shape.lmax; l += blockDim.x)
        {
          const double *x = in + 2 * (row + l - n);
          double *y = turned + 2 * (row + l - n);

          y[0] = c * x[0] + s * x[1];
          y[1] = n == 0 ? 0 : c * x[1] - s * x[0];
        }
    }
}

static __global__ void
finish_kernel (ArmillaRotateShape shape, int64_t count, const double *scratch, double *out)
{
  const int64_t n_m = shape.m_last + 1 - shape.m_first, n_l = shape.lmax + 1 - shape.m_first;

  for (int64_t m = shape.m_first + blockIdx.x; m <= shape.m_last; m += gridDim.x)
    {
      const double c = shape.last ? cos ((double) m * shape.phi) : 1;
      const double s = shape.last ? sin ((double) m * shape.phi) : 0;
      const int64_t row = blockIdx.y * count + armilla_block_offset (shape.lmax, shape.m_first, m);

      for (int64_t l = m + threadIdx.x; l <= shape.lmax; l += blockDim.x)
        {
          double *y = out + 2 * (row + l - m);
          double re = shape.first ? 0 : y[0], im = shape.first ? 0 : y[1];

          for (int group = 0; group < GROUPS; group++)
            {
              const double *x = scratch
                                + 2 * (((group * shape.n_fields + blockIdx.y) * n_l + l
                                        - shape.m_first)
                                         * n_m
                                       + m - shape.m_first);

              re += x[0];
              im += x[1];
            }
          y[0] = c * re + s * im;
          y[1] = m == 0 ? 0 : c * im - s * re;
        }
    }
}

int
armilla_rotate_launch (const ArmillaRotateShape *shape, const ArmillaOrderParts *parts,
                       const double *seeds, const double *in, double *out, double *scratch,
                       cudaStream_t stream)
{
  const int64_t n_m = shape->m_last + 1 - shape->m_first;
  const int64_t count_in = armilla_block_offset (shape->lmax, shape->n_first, shape->n_last + 1);
  const int64_t count_out = armilla_block_offset (shape->lmax, shape->m_first, shape->m_last + 1);
  const int64_t sums = armilla_rotate_scratch_size (shape) - 2 * shape->n_fields * count_in;
  const dim3 rows ((unsigned) (n_m < 65535 ? n_m : 65535), (unsigned) shape->n_fields);
  const int64_t n_n = shape->n_last + 1 - shape->n_first;
  const dim3 columns ((unsigned) (n_n < 65535 ? n_n : 65535), (unsigned) shape->n_fields);
  double *turned = scratch + sums;
  cudaError_t code = cudaSuccess;

  turn_kernel<<<columns, 128, 0, stream>>> (*shape, count_in, in, turned);
  for (int64_t p = 0; p < parts->n && code == cudaSuccess; p++)
    {
      ArmillaRotateShape part = *shape;
      const double *from
        = turned + 2 * armilla_block_offset (shape->lmax, shape->n_first, parts->first[p]);

      part.n_first = parts->first[p];
      part.n_last = parts->first[p + 1] - 1;
      part.first = shape->first && p == 0;
      part.last = shape->last && p == parts->n - 1;
      code = cudaMemsetAsync (scratch, 0, sizeof (double) * (size_t) sums, stream);
      if (code != cudaSuccess)
        break;
      rotate_kernel<<<dim3 ((unsigned) ((n_m + LANES - 1) / LANES), GROUPS), LANES, 0, stream>>> (
        part, cos (shape->beta), count_in, seeds, from, scratch);
      finish_kernel<<<rows, 128, 0, stream>>> (part, count_out, scratch, out);
      code = cudaGetLastError ();
    }
  return code;
}
