/* SPDX-License-Identifier: GPL-3.0-or-later */
/* theta_reduction: each thread computes one order of one output pair. Neighbouring thread blocks
 * have neighbouring output pairs and the same orders, so that their reads of input rings share the
 * second-level cache. Samples of the kernel are in shared memory, eight rows at a time. */
#include "codelets/convolution/convolve.h"
#include "codelets/convolution/convolve-values.h"

#define ROWS ARMILLA_CONVOLVE_ROWS
#define THREADS 128
#define STAGED 64 /* samples per row in shared memory: 4 KiB */
#define FIELDS 4  /* fields processed together */
#define MAX_BLOCKS 65535

/* One thread block per group; each thread computes a sample of one row at a time. */
static __global__ void
gridding_kernel (ArmillaGriddingShape shape, const ArmillaConvolveGroup *groups,
                 const double *table, const double *terms, const double *pairs_out,
                 const double *pairs_in, double *values)
{
  for (int64_t g = blockIdx.x; g < shape.n_groups; g += gridDim.x)
    {
      const ArmillaConvolveGroup *group = groups + g;
      const int64_t n = (int64_t) group->n_samples * ROWS;

      for (int64_t i = threadIdx.x; i < n; i += blockDim.x)
        values[group->values + i] = armilla_gridding_value (&shape, group, table, terms, pairs_out,
                                                            pairs_in, i / ROWS, i % ROWS);
    }
}

static __device__ int64_t
place (int64_t field, int64_t n_pairs, int64_t pair, int south, int64_t mmax)
{
  return (2 * (field * n_pairs + pair) + south) * (mmax + 1);
}

/* Sets k[row] to the kernel modes of order m. All threads of the block must call it, since they
 * share the samples, even those with m >= stride. */
static __device__ void
kernel_modes (const ArmillaConvolveGroup *group, const double *table, const double *values,
              int64_t m, double *staged, double *k)
{
  const bool any = m < group->stride;
  const double *cosines = table + group->cosines + (any ? m : 0);

  for (int r = 0; r < ROWS; r++)
    k[r] = 0;
  for (int first = 0; first < group->n_samples; first += STAGED)
    {
      const int n = min (STAGED, group->n_samples - first);

      __syncthreads ();
      for (int i = (int) threadIdx.x; i < n * ROWS; i += THREADS)
        staged[i] = values[group->values + (int64_t) first * ROWS + i];
      __syncthreads ();
      for (int c = 0; any && c < n; c++)
        {
          const double cosine = cosines[(int64_t) (first + c) * group->stride];

          for (int r = 0; r < ROWS; r++)
            k[r] = fma (staged[c * ROWS + r], cosine, k[r]);
        }
    }
}

template <int N>
static __global__ void
__launch_bounds__ (THREADS)
reduction_kernel (ArmillaReductionShape shape, const ArmillaConvolveGroup *groups,
                  const int32_t *first, const double *table, const double *values,
                  const double2 *in, double2 *out, int64_t field)
{
  __shared__ double staged[STAGED * ROWS];
  const int64_t m = (int64_t) blockIdx.y * THREADS + threadIdx.x;

  for (int64_t p = blockIdx.x; p <= shape.out_last - shape.out_first; p += gridDim.x)
    {
      const int64_t pair = shape.out_first + p;
      double2 north[N], south[N];

      for (int f = 0; f < N; f++)
        north[f] = south[f] = make_double2 (0, 0);
      for (int32_t g = first[p]; g < first[p + 1]; g++)
        {
          const ArmillaConvolveGroup *group = groups + g;
          double k[ROWS];

          if ((int64_t) blockIdx.y * THREADS >= group->stride)
            continue;
          kernel_modes (group, table, values, m, staged, k);
          for (int r = 0; r < ROWS; r++)
            if (m < group->n_modes[r])
              for (int f = 0; f < N; f++)
                {
                  const int swap = group->across[r];
                  const double2 a
                    = in[place (field + f, shape.n_in, group->pair[r], swap, shape.mmax_in) + m];
                  const double2 b
                    = in[place (field + f, shape.n_in, group->pair[r], !swap, shape.mmax_in) + m];

                  north[f].x = fma (k[r], a.x, north[f].x);
                  north[f].y = fma (k[r], a.y, north[f].y);
                  south[f].x = fma (k[r], b.x, south[f].x);
                  south[f].y = fma (k[r], b.y, south[f].y);
                }
        }
      if (m > shape.mmax_out)
        continue;
      for (int f = 0; f < N; f++)
        {
          double2 *a = out + place (field + f, shape.n_out, pair, 0, shape.mmax_out) + m;
          double2 *b = out + place (field + f, shape.n_out, pair, 1, shape.mmax_out) + m;
          const double2 before_a = shape.fresh ? make_double2 (0, 0) : *a;
          const double2 before_b = shape.fresh ? make_double2 (0, 0) : *b;

          *a = make_double2 (before_a.x + north[f].x, before_a.y + north[f].y);
          *b = make_double2 (before_b.x + south[f].x, before_b.y + south[f].y);
        }
    }
}

/* One thread per pixel; blockIdx.y is the ring, blockIdx.z the field. */
static __global__ void
polar_kernel (ArmillaPolarShape shape, const ArmillaRingSlot *slots_out,
              const ArmillaRingSlot *slots_in, const double *pairs_out, const double *pairs_in,
              const double *terms, const double *in, double *out)
{
  for (int64_t slot = blockIdx.y; slot < 2 * shape.n_rings; slot += gridDim.y)
    for (int64_t i = (int64_t) blockIdx.x * blockDim.x + threadIdx.x; i < slots_out[slot].n_phi;
         i += (int64_t) gridDim.x * blockDim.x)
      for (int64_t field = blockIdx.z; field < shape.n_fields; field += gridDim.z)
        {
          double *to = out + field * shape.n_out_pixels + slots_out[slot].offset + i;
          const double sum
            = armilla_polar_pixel (&shape, slots_out, slots_in, pairs_out, pairs_in, terms,
                                   in + field * shape.n_in_pixels, slot, i);

          *to = (shape.fresh ? 0 : *to) + sum;
        }
}

static __global__ void
unseen_kernel (int64_t n, const double *in, double *out)
{
  for (int64_t i = (int64_t) blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += (int64_t) gridDim.x * blockDim.x)
    if (armilla_is_unseen_value (in[i]))
      out[i] = -1.6375e30;
}

static unsigned
blocks (int64_t n)
{
  return (unsigned) (n < 1 ? 1 : n > MAX_BLOCKS ? MAX_BLOCKS : n);
}

int
armilla_kernel_gridding_launch (const ArmillaGriddingShape *shape,
                                const ArmillaConvolveGroup *groups, const double *table,
                                const double *terms, const double *pairs_out,
                                const double *pairs_in, double *values, cudaStream_t stream)
{
  gridding_kernel<<<blocks (shape->n_groups), 64, 0, stream>>> (*shape, groups, table, terms,
                                                                pairs_out, pairs_in, values);
  return cudaGetLastError ();
}

int
armilla_theta_reduction_launch (const ArmillaReductionShape *shape,
                                const ArmillaConvolveGroup *groups, const int32_t *first,
                                const double *table, const double *values, const double *in,
                                double *out, cudaStream_t stream)
{
  const double2 *from = (const double2 *) in;
  double2 *to = (double2 *) out;
  /* Output that is written for the first time includes the orders beyond all rows, which are 0. */
  const int64_t n_orders = shape->mmax_out + 1;
  const dim3 grid (blocks (shape->out_last - shape->out_first + 1),
                   blocks ((n_orders + THREADS - 1) / THREADS));

  for (int64_t field = 0; field < shape->n_fields; field += FIELDS)
    switch (shape->n_fields - field)
      {
      case 1:
        reduction_kernel<1><<<grid, THREADS, 0, stream>>> (*shape, groups, first, table, values,
                                                           from, to, field);
        break;
      case 2:
        reduction_kernel<2><<<grid, THREADS, 0, stream>>> (*shape, groups, first, table, values,
                                                           from, to, field);
        break;
      case 3:
        reduction_kernel<3><<<grid, THREADS, 0, stream>>> (*shape, groups, first, table, values,
                                                           from, to, field);
        break;
      default:
        reduction_kernel<FIELDS><<<grid, THREADS, 0, stream>>> (*shape, groups, first, table,
                                                                values, from, to, field);
      }
  return cudaGetLastError ();
}

int
armilla_polar_sum_launch (const ArmillaPolarShape *shape, const ArmillaRingSlot *slots_out,
                          const ArmillaRingSlot *slots_in, const double *pairs_out,
                          const double *pairs_in, const double *terms, const double *in,
                          double *out, cudaStream_t stream)
{
  const dim3 grid (16, blocks (2 * shape->n_rings), blocks (shape->n_fields));

  polar_kernel<<<grid, 64, 0, stream>>> (*shape, slots_out, slots_in, pairs_out, pairs_in, terms,
                                         in, out);
  return cudaGetLastError ();
}

int
armilla_unseen_back_launch (int64_t n, const double *in, double *out, cudaStream_t stream)
{
  unseen_kernel<<<blocks ((n + 255) / 256), 256, 0, stream>>> (n, in, out);
  return cudaGetLastError ();
}
