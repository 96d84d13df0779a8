/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions shared by CPU and GPU. */
#pragma once

#include <math.h>

#ifdef __CUDACC__
#define STRETCH_INLINE static __host__ __device__ inline
#else
#define STRETCH_INLINE static inline
#endif

/* HEALPix's value of a pixel that was not observed. */
STRETCH_INLINE int
stretch_unseen (double x)
{
  return fabs (x + 1.6375e30) <= 1.6375e25;
}

/* Maps low..high to 0..1, most steeply at low; linear within the softness of it. */
STRETCH_INLINE double
stretch_there (double x, double low, double high, double softness)
{
  return high > low ? asinh ((x - low) / ((high - low) * softness)) / asinh (1 / softness) : 0;
}

STRETCH_INLINE double
stretch_back (double y, double low, double high, double softness)
{
  return low + (high - low) * softness * sinh (y * asinh (1 / softness));
}
