/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rings of pixels <-> Fourier modes along the ring, for a block of rings. Raw-pointer kernels; the
 * StarPU codelets are declared in ring-fft-codelets.h. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "codelets/common/host-device.h"
#include "codelets/rings/ring-tables.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * ArmillaRingShape:
 * @mmax: highest order
 * @n_fields: number of fields
 * @n_slots: number of ring slots (two a pair)
 * @n_pixels: pixels of the block, all rings of one field
 * @first_slot: where a part of the block begins, with the first ring of a pair; CPUs only
 * @end_slot: where it ends, behind a pair; 0: it is the whole block
 *
 * modes: complex double, [field][slot][mmax + 1]; pixels: double, [field][n_pixels]. Of those only
 * the part's are read and written, and they do not depend on how a block is cut into parts.
 */
typedef struct {
  int64_t mmax;
  int64_t n_fields;
  int64_t n_slots;
  int64_t n_pixels;
  int64_t first_slot, end_slot;
} ArmillaRingShape;

/* Where the part ends, or the block. */
static inline int64_t
armilla_ring_shape_end (const ArmillaRingShape *shape)
{
  return shape->end_slot ? shape->end_slot : shape->n_slots;
}

/* Plans by ring length; a transform looks them up without a lock, and lengths may be added at any
 * time. */
typedef struct _ArmillaFftPlans ArmillaFftPlans;
ArmillaFftPlans *armilla_fft_plans_new (void);
/* 0, or -1 without memory. Making a length twice costs nothing. */
int armilla_fft_plans_add (ArmillaFftPlans *plans, const ArmillaRingSlot *slots, int64_t n_slots);
void armilla_fft_plans_free (ArmillaFftPlans *plans);

/* doubles, CPU kernels' scratch */
int64_t armilla_ring_scratch_size (int64_t longest_ring, int64_t mmax);

/* Modes as they come from blocks of orders. */
typedef struct {
  int64_t n;           /* number of tiles */
  /* the first order of each, from 0 on; a tile ends where the next begins, the last one with the
   * shape's mmax */
  const int64_t *first;
  double *const *tile; /* complex double, [field][slot][order - first] */
} ArmillaRingTiles;

/* Pixels of fields that are in several maps. On a GPU place is NULL, first is in device memory,
 * as the tiles are, and tiles of one field each are equally far apart. */
typedef struct {
  int64_t n_each;      /* fields of each tile */
  /* number, among the fields of all tiles, of the field that field i of the modes is; NULL: i */
  const int64_t *place;
  double *const *tile; /* double, [field][n_pixels] */
  /* where the rings of the shape begin in a field, which is a tile of its own then (n_each is 1)
   * and may hold other rings, too; NULL: as their slots say */
  const int64_t *first;
} ArmillaRingPixels;

/* The kernels return 0, or -1 where a ring's length was not added to the plans; those of tiles are
 * the same with the modes, or the fields of the pixels, in several pieces.
 *
 * pixel j of a ring <- sum_{m=0..mmax} (2 - [m = 0]) Re (modes[m] exp (i m (phi0 + 2 pi j / n))) */
int armilla_ring_synthesis_cpu (const ArmillaRingShape *shape, const ArmillaRingSlot *slots,
                                const ArmillaFftPlans *plans, const ArmillaRingTiles *modes,
                                const ArmillaRingPixels *pixels, double *scratch);

typedef enum {
  ARMILLA_RING_WEIGHTED = 1 << 0,      /* multiply each ring by its weight */
  ARMILLA_RING_UNSEEN_IS_ZERO = 1 << 1 /* take UNSEEN pixels as 0 */
} ArmillaRingFlags;

/* modes[m] <- w sum_j pixel_j exp (-i m (phi0 + 2 pi j / n)); slots without a ring get 0. */
int armilla_ring_adjoint_cpu (const ArmillaRingShape *shape, const ArmillaRingSlot *slots,
                              const ArmillaFftPlans *plans, int flags,
                              const ArmillaRingPixels *pixels, const ArmillaRingTiles *modes,
                              double *scratch);

/* modes <- the weighted adjoint of their synthesis, without pixels in between. */
int armilla_ring_normal_cpu (const ArmillaRingShape *shape, const ArmillaRingSlot *slots,
                             const ArmillaFftPlans *plans, const ArmillaRingTiles *modes,
                             double *scratch);

/* Filled by the CUDA kernels and their plans when they do not return cudaSuccess. What cuFFT
 * reports comes back as cudaErrorMemoryAllocation where it is out of memory, and as
 * cudaErrorUnknown otherwise. */
typedef struct {
  char text[200]; /* what failed, and the code that CUDA or cuFFT gave */
} ArmillaCudaMessage;

/* cuFFT plans of one worker, and how each ring block is cut into batches. One thread and one stream
 * at a time may use it. */
typedef struct _ArmillaCudaFftPlans ArmillaCudaFftPlans;

/* For the current device, which must be the current one in all calls. NULL when out of memory. */
ArmillaCudaFftPlans *armilla_cuda_fft_plans_new (void);
void armilla_cuda_fft_plans_free (ArmillaCudaFftPlans *plans);
int armilla_cuda_fft_plans_add (ArmillaCudaFftPlans *plans, const ArmillaRingShape *shape,
                                const ArmillaRingSlot *slots, int64_t *block,
                                ArmillaCudaMessage *message);
size_t armilla_cuda_fft_plans_scratch (const ArmillaCudaFftPlans *plans, int64_t block);
int64_t armilla_cuda_fft_plans_count (const ArmillaCudaFftPlans *plans);

int armilla_ring_synthesis_launch (ArmillaCudaFftPlans *plans, int64_t block,
                                   const ArmillaRingSlot *slots, const double *modes,
                                   const ArmillaRingPixels *pixels, void *scratch,
                                   cudaStream_t stream, ArmillaCudaMessage *message);
int armilla_ring_adjoint_launch (ArmillaCudaFftPlans *plans, int64_t block,
                                 const ArmillaRingSlot *slots, int flags,
                                 const ArmillaRingPixels *pixels, double *modes, void *scratch,
                                 cudaStream_t stream, ArmillaCudaMessage *message);
int armilla_ring_normal_launch (ArmillaCudaFftPlans *plans, int64_t block,
                                const ArmillaRingSlot *slots, double *modes, void *scratch,
                                cudaStream_t stream, ArmillaCudaMessage *message);

#ifdef __cplusplus
}
#endif
