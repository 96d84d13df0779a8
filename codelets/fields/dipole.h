/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Monopole and dipole of a map: least-squares fit to its observed pixels, one ring block at a time.
 * Raw-pointer kernels. */
#pragma once

#include <stdint.h>

#include "codelets/common/host-device.h"
#include "core/grids/block-tables.h"

#ifdef __cplusplus
extern "C" {
#endif

/* doubles per field: [4][4] sums of products of (1, x, y, z), then [4] sums of 1, x, y and z times
 * the pixel */
#define ARMILLA_MOMENTS 20

typedef struct {
  int64_t n_fields; /* number of fields */
  int64_t n_slots;  /* number of ring slots, two per pair */
  int64_t n_pixels; /* pixels of one field of the block */
  double sin_cut;   /* pixels with |z| < sin_cut are excluded from the fit */
} ArmillaDipoleShape;

/* moments[field][ARMILLA_MOMENTS] <- moments of the block's observed pixels outside the cut; those
 * of several blocks can be added. slots: [n_slots], pairs: double [ARMILLA_PAIR_ROWS][n_slots / 2],
 * pixels: [field][n_pixels]. */
void armilla_dipole_moments_cpu (const ArmillaDipoleShape *shape, const ArmillaRingSlot *slots,
                                 const double *pairs, const double *pixels, double *moments);
/* fit[field][4] <- monopole and dipole (x, y, z; 0 unless @dipole) from the moments of the whole
 * map; status[field] <- 0, or 1 with fit = 0 if the observed pixels do not determine them. */
void armilla_dipole_solve_cpu (int64_t n_fields, int dipole, const double *moments, double *fit,
                               int32_t *status);
/* out <- in - (fit[0] + fit[1] x + fit[2] y + fit[3] z) at observed pixels, also those of the cut;
 * UNSEEN pixels stay UNSEEN. out may alias in. */
void armilla_dipole_remove_cpu (const ArmillaDipoleShape *shape, const ArmillaRingSlot *slots,
                                const double *pairs, const double *fit, const double *in,
                                double *out);

/* CUDA kernels: the same arguments, in device memory (shapes in host memory). The order of
 * additions is fixed: the same bits in every run and on every device. */
int64_t armilla_dipole_scratch_size (const ArmillaDipoleShape *shape); /* doubles */
int armilla_dipole_moments_launch (const ArmillaDipoleShape *shape,
                                   const ArmillaRingSlot *slots, const double *pairs,
                                   const double *pixels, double *moments, double *scratch,
                                   cudaStream_t stream);
int armilla_dipole_solve_launch (int64_t n_fields, int dipole, const double *moments,
                                 double *fit, int32_t *status, cudaStream_t stream);
int armilla_dipole_remove_launch (const ArmillaDipoleShape *shape,
                                  const ArmillaRingSlot *slots, const double *pairs,
                                  const double *fit, const double *in, double *out,
                                  cudaStream_t stream);

#ifdef __cplusplus
}
#endif
