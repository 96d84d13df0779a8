/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matrix product of a warp in double precision; for delta-*-fields.cu. */
#pragma once

/* c[16][8] += a[16][8] b[8][8]. Lane 4 g + t holds
 *   a: a[g][t], a[g + 8][t], a[g][t + 4], a[g + 8][t + 4]
 *   b: b[t][g], b[t + 4][g]
 *   c: c[g][2 t], c[g][2 t + 1], c[g + 8][2 t], c[g + 8][2 t + 1]
 * Hopper does it in one instruction, at twice the rate of four smaller ones. */
__device__ __forceinline__ void
warp_multiply (double (&c)[4], const double (&a)[4], double b0, double b1)
{
#if __CUDA_ARCH__ >= 900
  asm ("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
       "{%8, %9}, {%0, %1, %2, %3};"
       : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
       : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b0), "d"(b1));
#else
# pragma unroll
  for (int i = 0; i < 4; i++)
    asm ("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
         : "+d"(c[2 * (i % 2)]), "+d"(c[2 * (i % 2) + 1])
         : "d"(a[i]), "d"(i < 2 ? b0 : b1));
#endif
}
