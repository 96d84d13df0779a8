/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Codelets of small kernels: vectors, windows, spectra, monopole and dipole. */
#pragma once

#include <armilla/codelet.h>

#include "codelets/fields/alm-ops.h"
#include "codelets/fields/dipole.h"
#include "codelets/fields/vector-ops.h"
#include "core/grids/block-tables.h"

G_BEGIN_DECLS

typedef struct {
  ArmillaFault *fault; /* error latch of this rank */
  gint64 n;            /* number of doubles */
  gint64 first;        /* index of the first double (zero) */
  double alpha;        /* factor of x (combine) */
  double beta;         /* factor of y (combine) */
} ArmillaVectorArgs;

typedef struct {
  ArmillaFault *fault;     /* error latch of this rank */
  ArmillaAlmShape shape;   /* the block */
  gint64 n_copies;         /* number of output fields per input field (scale) */
  gint64 n_windows;        /* number of windows: 1, or the number of fields, or n_copies (scale) */
  gint64 lmax_window;      /* highest multipole of the windows (scale) */
  ArmillaOrderParts parts; /* how CUDA kernels sum over the block's orders (spectra) */
} ArmillaAlmArgs;

/* maximum number of ranges of fields in one task on a member of a batch */
#define ARMILLA_MEMBER_RANGES 8

/* A member of a batch whose a_lm share a block with those of others. */
typedef struct {
  ArmillaFault *fault;              /* error latch of this rank */
  ArmillaAlmShape shape;            /* the block; its number of fields is not used */
  ArmillaOrderParts parts;          /* how CUDA kernels sum over the block's orders (dot) */
  double sign;                      /* sign of the step (step, turn) */
  gboolean adds;                    /* whether the sum continues that of earlier fields (dot) */
  int member; /* number of the member, and of its scalar in the buffers of scalars */
  int n_ranges;                     /* number of ranges of fields of this member */
  int first[ARMILLA_MEMBER_RANGES]; /* first field of each range */
  int n[ARMILLA_MEMBER_RANGES];     /* number of fields of each range */
} ArmillaMemberArgs;

/* Maximum number of m-blocks that one task of armilla_spectra_cl sums over. */
#define ARMILLA_SPECTRA_BLOCKS 8

typedef struct {
  ArmillaFault *fault;                            /* error latch of this rank */
  int n_blocks;                                   /* number of m-blocks that the task sums over */
  gboolean cross; /* whether b differs from a and has buffers of its own */
  /* whether these are all m-blocks, so that the task divides the sums by 2 l + 1 */
  gboolean finishes;
  gint64 n_spectra;                               /* number of spectra */
  gint64 lmax;                                    /* highest multipole of the spectra */
  ArmillaAlmShape shapes[ARMILLA_SPECTRA_BLOCKS]; /* the m-blocks, in the order of their orders m */
  /* how CUDA kernels sum over the orders of each m-block */
  ArmillaOrderParts parts[ARMILLA_SPECTRA_BLOCKS];
} ArmillaSpectraArgs;

/* Sums @n_parts arrays of @n_spectra spectra up to @lmax, then divides by 2 l + 1. */
typedef struct {
  ArmillaFault *fault; /* error latch of this rank */
  int n_parts;
  gint64 n_spectra, lmax;
} ArmillaSumArgs;

typedef struct {
  ArmillaFault *fault;      /* error latch of this rank */
  ArmillaDipoleShape shape; /* the ring block */
} ArmillaDipoleArgs;

typedef struct {
  ArmillaFault *fault;       /* error latch of this rank */
  ArmillaCollectShape shape; /* the tile, and the number of the first realisation */
  int n_realisations;        /* number of realisations in this task */
} ArmillaCollectArgs;

/* Buffers: 0 W x. x <- 0 */
extern ArmillaCodelet armilla_zero_cl;
/* Buffers: 0 R x, 1 W (beta = 0) or RW y. y <- alpha x + beta y */
extern ArmillaCodelet armilla_combine_cl;
/* Buffers: 0 R numerators, 1 R denominators, 2 R x, 3 RW y. For a member, y <- y + sign
 * numerator/denominator x */
extern ArmillaCodelet armilla_step_cl;
/* Buffers: as armilla_step_cl. y <- x + sign numerator/denominator y */
extern ArmillaCodelet armilla_turn_cl;
/* Buffers: 0 W (with the first realisation) or RW sums, then R values of each realisation. */
extern ArmillaCodelet armilla_collect_cl;
/* Buffers: 0 R a, 1 R b, 2 W (the first member) or RW sums, 3 SCRATCH (CUDA: ARMILLA_DOT_SCRATCH).
 */
extern ArmillaCodelet armilla_dot_cl;
/* Buffers: 0 R a_lm, 1 R windows, 2 W out. */
extern ArmillaCodelet armilla_scale_alm_cl;
/* Buffers: 0 W sums over the orders of the blocks, then R a of each block, then R b of each block
 * if the spectra are cross spectra. */
extern ArmillaCodelet armilla_spectra_cl;
/* Buffers: 0 W spectra, then R sums of each part of the orders. */
extern ArmillaCodelet armilla_spectra_finish_cl;
/* Buffers: 0 R slots, 1 R pairs, 2 R map, 3 W moments, 4 SCRATCH (CUDA:
 * armilla_dipole_scratch_size()). */
extern ArmillaCodelet armilla_moments_cl;
/* Buffers: 0 R slots, 1 R pairs, 2 R fit, 3 R map, 4 W out. */
extern ArmillaCodelet armilla_remove_dipole_cl;

G_END_DECLS
