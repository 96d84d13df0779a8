/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data shared by the tasks of a convolution by rings: the input rings of each output ring, the
 * azimuths of the kernel's samples, and the orders kept; see doc/convolution.md. */
#pragma once

#include "codelets/convolution/convolve.h"
#include "core/kernels/kernel.h"
#include "tasks/convolution/convolve.h"
#include "tasks/graph/graph-private.h"

G_BEGIN_DECLS

/* Output pairs of a ring block with one input block. */
typedef struct {
  int in_block;
  gboolean fresh; /* whether it is the first piece that writes its output pairs */
  ArmillaGriddingShape gridding;      /* shape of its gridding task */
  ArmillaReductionShape reduction;    /* shape of its reduction task for one field */
  ArmillaConvolveGroup *groups;       /* (array): [gridding.n_groups] */
  gint32 *first; /* (array): index of each output pair's first group, plus the end */
  starpu_data_handle_t groups_handle; /* groups, for StarPU */
  starpu_data_handle_t first_handle;  /* first, for StarPU */
} ArmillaConvolvePiece;

/* Plan of a convolution, made once per graph for equal kernels and options. */
typedef struct {
  ArmillaRingBlocks *rings;
  ArmillaKernel *kernel;
  ArmillaRingConvolution options;
  ArmillaKernelTable *table;
  gint64 band;                         /* multipole above which the kernel is negligible */
  gint64 *mmax;                        /* (array): highest order of each ring block */
  GArray **pieces; /* (array): for each output block, its pieces in the order of the input blocks */
  int *first_in;                       /* (array): first input block of each output block */
  int *last_in;                        /* (array): last input block of each output block */
  double *cosines;                     /* (array): cosines of the groups */
  gint64 n_cosines;
  starpu_data_handle_t cosines_handle; /* cosines, for StarPU */
  starpu_data_handle_t terms_handle;   /* the table's terms, for StarPU */
  gint64 n_rows; /* number of input ring pairs, summed over all output pairs */
  gint64 polar_pairs; /* ring pairs from the poles on that are summed directly, without a kernel
                       * table */
  int n_fields;
  gint64 first_block;                  /* index of ring block 0 in the workers' plans */
  ArmillaTile scratch;                 /* for ring transforms and direct sums */
} ArmillaConvolvePlan;

/* Minimum of the estimated errors, relative to the accuracy: large scales may lose more of a
 * kernel's last multipoles than noise. */
#define ARMILLA_CONVOLVE_MIN_REPORTED 1e-4
/* accuracy below which only the whole sum over pixels suffices */
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

/* A kernel and its approximation, given by one of the last three fields. */
typedef struct {
  const ArmillaKernel *kernel;     /* a kernel */
  const ArmillaKernelTable *table; /* table, up to a cut, that approximates it; may be NULL */
  const ArmillaKernel *taken;      /* kernel that approximates it; may be NULL */
  /* omitted part, if that is known more precisely than as a difference; may be NULL */
  const ArmillaKernel *left;
} ArmillaConvolvePart;

/* Root mean squares of errors. */
typedef struct {
  double noise, lost, of_mean;
} ArmillaConvolveLost;

ArmillaConvolveLost armilla_convolve_lost (const ArmillaGrid *grid,
                                           const ArmillaConvolvePart *part, double reach,
                                           gint64 some);

/* Seconds of a convolution by rings and through a_lm, by the built-in rates. */
typedef struct {
  double ring, harmonic;
} ArmillaConvolvePrediction;

ArmillaConvolvePrediction armilla_convolve_predict (ArmillaGraph *graph, ArmillaRingBlocks *rings,
                                                    ArmillaKernel *kernel,
                                                    const ArmillaConvolution *what, int n_fields);

G_END_DECLS
