/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tasks of a convolution by rings share: which input rings each output ring needs, at
 * which azimuths the kernel is sampled, and how many orders are kept; see doc/convolution.md. */
#pragma once

#include "codelets/convolution/convolve.h"
#include "core/kernels/kernel.h"
#include "tasks/convolution/convolve.h"
#include "tasks/graph/graph-private.h"

G_BEGIN_DECLS

/* Some output pairs of a ring block with one input block. */
typedef struct {
  int in_block;                       /* number of the input ring block */
  gboolean fresh;                     /* whether it writes its output pairs for the first time */
  ArmillaGriddingShape gridding;      /* what its gridding task is about */
  ArmillaReductionShape reduction;    /* what its reduction task is about, for one field */
  ArmillaConvolveGroup *groups;       /* (array): [gridding.n_groups] */
  gint32 *first; /* (array): number of each output pair's first group; one more */
  starpu_data_handle_t groups_handle; /* groups, for StarPU */
  starpu_data_handle_t first_handle;  /* first, for StarPU */
} ArmillaConvolvePiece;

/* Made once a graph for equal kernels and options. */
typedef struct {
  ArmillaRingBlocks *rings;            /* ring blocks */
  ArmillaKernel *kernel;               /* the kernel */
  ArmillaRingConvolution options;      /* what was asked for */
  ArmillaKernelTable *table;           /* its table */
  gint64 band;                         /* degrees above this one do not matter */
  gint64 *mmax;                        /* (array): highest order of each ring block */
  GArray **pieces; /* (array): for each output block, its pieces in the order of the input blocks */
  int *first_in;                       /* (array): first input block of each output block */
  int *last_in;                        /* (array): last one */
  double *cosines;                     /* (array): what the groups point into */
  gint64 n_cosines;                    /* number of doubles */
  starpu_data_handle_t cosines_handle; /* cosines, for StarPU */
  starpu_data_handle_t terms_handle;   /* the table's terms, for StarPU */
  gint64 n_rows;                       /* input ring pairs of all output pairs */
  gint64 polar_pairs; /* ring pairs from the poles on that are summed pixel by pixel */
  int n_fields;                        /* number of fields */
  gint64 first_block;                  /* number of ring block 0 in the workers' plans */
  ArmillaTile scratch;                 /* of ring transforms and of sums pixel by pixel */
} ArmillaConvolvePlan;

/* Where estimates of errors end, as a part of the accuracy: what large scales lose of a kernel's
 * last degrees may be more than what noise does. */
#define ARMILLA_CONVOLVE_MIN_REPORTED 1e-4
/* Where nothing but the whole pixel sum will do. */
#define ARMILLA_CONVOLVE_EXACT 1e-9

gint64 armilla_convolve_order (double band, double sine, double tolerance);
gint64 armilla_convolve_circle (gint64 order);
double armilla_convolve_tolerance (const ArmillaRingConvolution *options);
ArmillaConvolvePlan *armilla_convolve_plan_new (ArmillaRingBlocks *rings, ArmillaKernel *kernel,
                                                const ArmillaRingConvolution *options,
                                                GError **error);
void armilla_convolve_plan_free (ArmillaConvolvePlan *plan);
const ArmillaConvolvePlan *armilla_graph_convolve_plan (ArmillaGraph *graph,
                                                        ArmillaRingBlocks *rings,
                                                        ArmillaKernel *kernel,
                                                        const ArmillaRingConvolution *options,
                                                        int n_fields, GError **error);

/* A kernel, and what a method makes of it, by one of the last three. */
typedef struct {
  const ArmillaKernel *kernel;     /* a kernel */
  const ArmillaKernelTable *table; /* its table, up to a cut, which is taken for it; may be NULL */
  const ArmillaKernel *taken;      /* another kernel that is taken for it; may be NULL */
  /* what is left out of it, if that is known better than by a difference; may be NULL */
  const ArmillaKernel *left;
} ArmillaConvolvePart;

/* Roots of means of squares. */
typedef struct {
  double noise, lost, of_mean;
} ArmillaConvolveLost;

ArmillaConvolveLost armilla_convolve_lost (const ArmillaGrid *grid,
                                           const ArmillaConvolvePart *part, double reach,
                                           gint64 some);

/* Seconds of a convolution by rings, and through a_lm: as built-in rates have it. */
typedef struct {
  double ring, harmonic;
} ArmillaConvolvePrediction;

ArmillaConvolvePrediction armilla_convolve_predict (ArmillaGraph *graph, ArmillaRingBlocks *rings,
                                                    ArmillaKernel *kernel,
                                                    const ArmillaConvolution *what, int n_fields);

G_END_DECLS
