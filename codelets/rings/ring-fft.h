/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transforms rings of pixels to Fourier modes and back, for a block of rings. Raw-pointer kernels;
 * the StarPU codelets are declared in ring-codelets.h. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "codelets/common/host-device.h"
#include "core/grids/block-tables.h"

#ifdef __cplusplus
extern "C" {
#endif

/* modes: complex double, [field][slot][mmax + 1]; pixels: double, [field][n_pixels]. Only pixels of
 * the part are accessed; results do not depend on the division of a block into parts. */
typedef struct {
  int64_t mmax;       /* highest order */
  int64_t n_fields;   /* number of fields */
  int64_t n_slots;    /* number of ring slots (two per pair) */
  int64_t n_pixels;   /* pixels of the block, all rings of one field */
  int64_t first_slot; /* first slot of a part of the block, the first ring of a pair; CPUs only */
  int64_t end_slot;   /* end of the part, after a pair; 0: the whole block */
} ArmillaRingShape;

/* Returns the end of the part, or of the block. */
static inline int64_t
armilla_ring_shape_end (const ArmillaRingShape *shape)
{
  return shape->end_slot ? shape->end_slot : shape->n_slots;
}

/* FFTW plans by ring length; a transform looks them up without a lock, and lengths may be added at
 * any time. */
typedef struct _ArmillaFftPlans ArmillaFftPlans;
ArmillaFftPlans *armilla_fft_plans_new (void);
/* Makes the missing plans of the rings' lengths; may run while kernels use plans. Returns 0, or -1
 * if FFTW is out of memory. */
int armilla_fft_plans_add (ArmillaFftPlans *plans, const ArmillaRingSlot *slots, int64_t n_slots);
void armilla_fft_plans_free (ArmillaFftPlans *plans);

/* Returns the number of doubles of the CPU kernels' scratch. */
int64_t armilla_ring_scratch_size (int64_t longest_ring, int64_t mmax);

/* Modes in several tiles, one per block of orders. */
typedef struct {
  int64_t n;           /* number of tiles */
  /* first order of each tile, from 0 on; a tile ends where the next one begins, the last one with
   * the shape's mmax */
  const int64_t *first;
  double *const *tile; /* complex double, [field][slot][order - first] */
} ArmillaRingTiles;

/* Pixels of fields in several maps. On a GPU place is NULL, first is in device memory like the
 * tiles, and tiles of one field each are equally far apart. */
typedef struct {
  int64_t n_each;      /* fields per tile */
  /* [n_fields]: index among the fields of all tiles of each field of the modes; NULL: the same
   * index */
  const int64_t *place;
  double *const *tile; /* double, [field][n_pixels] */
  /* index of the first pixel of each ring of the shape in a field; each field is then a separate
   * tile (n_each is 1) that may hold other rings too; NULL: according to their slots */
  const int64_t *first;
} ArmillaRingPixels;

/* The kernels return 0, or -1 if a ring's length was not added to the plans.
 *
 * pixel j of a ring <- sum_{m=0..mmax} (2 - [m = 0]) Re (modes[m] exp (i m (phi0 + 2 pi j / n))).
 * Modes of absent rings and the imaginary part of order 0 are not read; only pixels of rings are
 * written. */
int armilla_ring_synthesis_cpu (const ArmillaRingShape *shape, const ArmillaRingSlot *slots,
                                const ArmillaFftPlans *plans, const ArmillaRingTiles *modes,
                                const ArmillaRingPixels *pixels, double *scratch);

typedef enum {
  ARMILLA_RING_WEIGHTED = 1 << 0,      /* multiply each ring by its weight */
  ARMILLA_RING_UNSEEN_IS_ZERO = 1 << 1 /* take UNSEEN pixels as 0 */
} ArmillaRingFlags;

/* modes[m] <- w sum_j pixel_j exp (-i m (phi0 + 2 pi j / n)), w = 1 or the ring's weight
 * (ArmillaRingFlags); slots without a ring get 0. With w = 1 this is the transpose of the synthesis
 * for the inner product that counts orders above 0 twice. */
int armilla_ring_adjoint_cpu (const ArmillaRingShape *shape, const ArmillaRingSlot *slots,
                              const ArmillaFftPlans *plans, int flags,
                              const ArmillaRingPixels *pixels, const ArmillaRingTiles *modes,
                              double *scratch);

/* modes <- weighted adjoint of their synthesis, without pixels or Fourier transforms: modes that
 * are aliases on the pixels of a ring are summed, and each becomes the sum. */
int armilla_ring_normal_cpu (const ArmillaRingShape *shape, const ArmillaRingSlot *slots,
                             const ArmillaFftPlans *plans, const ArmillaRingTiles *modes,
                             double *scratch);

/* Error of the CUDA kernels and their plans, set if they do not return cudaSuccess. Errors of cuFFT
 * become cudaErrorMemoryAllocation if it is out of memory, and cudaErrorUnknown otherwise. */
typedef struct {
  char text[200]; /* the failed operation, and the error code of CUDA or cuFFT */
} ArmillaCudaMessage;

/* cuFFT plans of one worker, and the division of each ring block into batches. One thread and one
 * stream at a time may use it. */
typedef struct _ArmillaCudaFftPlans ArmillaCudaFftPlans;

/* Returns an empty set of plans for the current device, which must be current in all calls; NULL if
 * out of memory. */
ArmillaCudaFftPlans *armilla_cuda_fft_plans_new (void);
void armilla_cuda_fft_plans_free (ArmillaCudaFftPlans *plans);
int armilla_cuda_fft_plans_add (ArmillaCudaFftPlans *plans, const ArmillaRingShape *shape,
                                const ArmillaRingSlot *slots, int64_t *block,
                                ArmillaCudaMessage *message);
size_t armilla_cuda_fft_plans_scratch (const ArmillaCudaFftPlans *plans, int64_t block);
int64_t armilla_cuda_fft_plans_count (const ArmillaCudaFftPlans *plans);
/* Prepares transforms other than those of rings: @batch sequences of one length. @work: bytes of
 * the work area that armilla_cuda_fft_run () needs. */
int armilla_cuda_fft_plans_add_length (ArmillaCudaFftPlans *plans, int64_t length, int64_t batch,
                                       size_t *work, ArmillaCudaMessage *message);
/* data[k] <- sum_j data_j exp (2 pi i j k / length) of each sequence; complex, contiguous. */
int armilla_cuda_fft_run (ArmillaCudaFftPlans *plans, int64_t length, int64_t batch, double *data,
                          void *work, cudaStream_t stream, ArmillaCudaMessage *message);

/* CUDA kernels: like the CPU kernels, with all arrays in device memory aligned to 16 bytes
 * (scratch: 256); the structure pixels itself is in host memory. They return cudaSuccess, or an
 * error with message. */
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
