/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gaussian a_lm on the GPU, one thread per l and m: some 500 instructions per field, mostly
 * Philox's integer ones, against 16 bytes written. */
#include "codelets/fields/field-ops-math.h"
#include "codelets/fields/random.h"
#include "core/base/random-draw.h"

#define THREADS 256
#define MAX_GRID 65535

static __global__ void
draw_kernel (ArmillaRandomShape shape, int64_t count, const double *__restrict__ factor,
             double2 *out)
{
  const int64_t n_l = shape.lmax_cl + 1;

  for (int64_t m = shape.m_first + blockIdx.y; m <= shape.m_last; m += gridDim.y)
    for (int64_t l = m + (int64_t) blockIdx.x * THREADS + threadIdx.x; l <= shape.lmax;
         l += (int64_t) gridDim.x * THREADS)
      {
        const double *lower = armilla_random_factor_of (factor, shape.n_fields, shape.lmax_cl, m);
        double2 *a = out + armilla_block_offset (shape.lmax, shape.m_first, m) + l - m;

        for (int64_t f = 0; f < shape.n_fields; f++)
          {
            double u[2], g[2];

            armilla_random_uniform (shape.seed, shape.realisation, l, m, (uint64_t) f, &u[0],
                                    &u[1]);
            armilla_random_normal (u[0], u[1], g);
            a[f * count] = make_double2 (g[0], m == 0 ? 0 : g[1]);
          }
        /* Field f needs the numbers of fields 0 to f only, so the last field is replaced first. */
        for (int64_t f = shape.n_fields - 1; f >= 0; f--)
          {
            double2 sum;

            for (int64_t k = 0; k <= f; k++)
              {
                const double by = l < n_l ? lower[armilla_random_place (f, k) * n_l + l] : 0;
                const double2 g = a[k * count];
                const double2 product = make_double2 (by * g.x, by * g.y);

                sum = k == 0 ? product : make_double2 (sum.x + product.x, sum.y + product.y);
              }
            a[f * count] = sum;
          }
      }
}

int
armilla_random_launch (const ArmillaRandomShape *shape, const double *factor, double *out,
                       cudaStream_t stream)
{
  const int64_t orders = shape->m_last - shape->m_first + 1;
  const dim3 grid ((unsigned) ((shape->lmax - shape->m_first) / THREADS + 1),
                   (unsigned) (orders < MAX_GRID ? orders : MAX_GRID));

  draw_kernel<<<grid, THREADS, 0, stream>>> (*shape, armilla_random_count (shape), factor,
                                             (double2 *) out);
  return cudaGetLastError ();
}
