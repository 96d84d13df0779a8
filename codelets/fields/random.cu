/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gaussian a_lm on the GPU, one thread per coefficient: some 500 instructions, mostly Philox's
 * integer ones, against 16 bytes written. */
#include "codelets/fields/field-ops-math.h"
#include "codelets/fields/random.h"
#include "core/base/random-draw.h"

#define THREADS 256
#define MAX_GRID 65535

static __global__ void
scalar_kernel (ArmillaRandomShape shape, int64_t count, const double *__restrict__ cl, double2 *out)
{
  const int64_t field = blockIdx.z;

  cl += field * (shape.lmax_cl + 1);
  out += field * count;
  for (int64_t m = shape.m_first + blockIdx.y; m <= shape.m_last; m += gridDim.y)
    for (int64_t l = m + (int64_t) blockIdx.x * THREADS + threadIdx.x; l <= shape.lmax;
         l += (int64_t) gridDim.x * THREADS)
      {
        const int64_t at = armilla_block_offset (shape.lmax, shape.m_first, m) + l - m;
        double u[2], a[2];

        armilla_random_uniform (shape.seed, shape.realisation, l, m, (uint64_t) field, &u[0],
                                &u[1]);
        armilla_random_coefficient (l <= shape.lmax_cl ? cl[l] : 0, armilla_random_share (m), u[0],
                                    u[1], a);
        out[at] = make_double2 (a[0], a[1]);
      }
}

static __global__ void
polarised_kernel (ArmillaRandomShape shape, int64_t count, const double *__restrict__ cl,
                  double2 *out)
{
  for (int64_t m = shape.m_first + blockIdx.y; m <= shape.m_last; m += gridDim.y)
    for (int64_t l = m + (int64_t) blockIdx.x * THREADS + threadIdx.x; l <= shape.lmax;
         l += (int64_t) gridDim.x * THREADS)
      {
        const int64_t at = armilla_block_offset (shape.lmax, shape.m_first, m) + l - m;
        double c[ARMILLA_RANDOM_SPECTRA], u[3][2], a[3][2];

        armilla_random_spectra_at (cl, (int) shape.n_spectra, shape.lmax_cl, l, c);
        for (int f = 0; f < 3; f++)
          armilla_random_uniform (shape.seed, shape.realisation, l, m, (uint64_t) f, &u[f][0],
                                  &u[f][1]);
        armilla_random_polarised (c, armilla_random_share (m), u, a);
        for (int f = 0; f < 3; f++)
          out[f * count + at] = make_double2 (a[f][0], a[f][1]);
      }
}

/* Like armilla_random_cpu (), with the same bits, in device memory aligned to 16 bytes. Returns a
 * CUDA error code. */
int
armilla_random_launch (const ArmillaRandomShape *shape, const double *cl, double *out,
                       cudaStream_t stream)
{
  const bool polarised = shape->n_spectra != shape->n_fields;
  const int64_t count = armilla_random_count (shape);
  const int64_t orders = shape->m_last - shape->m_first + 1;
  const dim3 grid ((unsigned) ((shape->lmax - shape->m_first) / THREADS + 1),
                   (unsigned) (orders < MAX_GRID ? orders : MAX_GRID),
                   polarised ? 1 : (unsigned) shape->n_fields);

  if (polarised)
    polarised_kernel<<<grid, THREADS, 0, stream>>> (*shape, count, cl, (double2 *) out);
  else
    scalar_kernel<<<grid, THREADS, 0, stream>>> (*shape, count, cl, (double2 *) out);
  return cudaGetLastError ();
}
