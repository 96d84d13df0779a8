/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Copies numbers from arrays of other programs to tiles, and back. Raw-pointer kernels. */
#pragma once

#include <stdint.h>

#include "codelets/common/host-device.h"
#include "core/grids/block-tables.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One component of an array. */
typedef struct {
  /* address of number 0; NULL for an absent row, which reads as zeros and is not written */
  char *data;
  int64_t stride; /* bytes from one number to the next */
  int n_reals;    /* 1, or 2 for complex numbers */
  int single;     /* whether they are float32 */
  /* lmax + 1 for a_lm, which begin with those of m = 0: their imaginary parts are ignored and read
   * as 0; 0 for other numbers */
  int64_t n_zonal;
} ArmillaArrayRow;

void armilla_array_read_cpu (const ArmillaArrayRow *rows, int64_t n_rows, int64_t first, int64_t n,
                             double *tile);
void armilla_array_write_cpu (const ArmillaArrayRow *rows, int64_t n_rows, int64_t first,
                              int64_t n, const double *tile);
void armilla_array_read_rings_cpu (const ArmillaArrayRow *rows, int64_t n_rows, int64_t n_slots,
                                   int64_t n_pixels, const ArmillaRingSlot *slots,
                                   const int64_t *first_pixel, double *tile);
void armilla_array_write_rings_cpu (const ArmillaArrayRow *rows, int64_t n_rows, int64_t n_slots,
                                    int64_t n_pixels, int weighted, const ArmillaRingSlot *slots,
                                    const int64_t *first_pixel, const double *tile);

/* CUDA kernels: the same arguments; the arrays and tiles are in device memory, rows in host
 * memory. */
int armilla_array_read_launch (const ArmillaArrayRow *rows, int64_t n_rows, int64_t first,
                               int64_t n, double *tile, cudaStream_t stream);
int armilla_array_write_launch (const ArmillaArrayRow *rows, int64_t n_rows, int64_t first,
                                int64_t n, const double *tile, cudaStream_t stream);
int armilla_array_read_rings_launch (const ArmillaArrayRow *rows, int64_t n_rows, int64_t n_slots,
                                     int64_t n_pixels, const ArmillaRingSlot *slots,
                                     const int64_t *first_pixel, double *tile,
                                     cudaStream_t stream);
int armilla_array_write_rings_launch (const ArmillaArrayRow *rows, int64_t n_rows,
                                      int64_t n_slots, int64_t n_pixels, int weighted,
                                      const ArmillaRingSlot *slots, const int64_t *first_pixel,
                                      const double *tile, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
