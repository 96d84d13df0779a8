/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data shared by the tasks of a convolution by rings: the input rings of each output ring, the
 * azimuths of the kernel's samples, and the orders kept; see doc/convolution.md. */
#pragma once

#include "codelets/convolution/convolve.h"
#include "core/kernels/kernel.h"
#include "tasks/convolution/convolve.h"
#include "tasks/graph/graph-private.h"

G_BEGIN_DECLS

/* Output ring pairs of one block with the input pairs of one block: the unit of two tasks, which
 * sample the kernel (gridding), and sum products of its modes and those of the input
 * (reduction). */
typedef struct {
  int in_block;
  /* whether its output pairs have no earlier piece, so that it overwrites them instead of adding */
  gboolean fresh;
  ArmillaGriddingShape gridding;      /* shape of its gridding task */
  ArmillaReductionShape reduction;    /* shape of its reduction task for one field */
  ArmillaConvolveGroup *groups;       /* (array): [gridding.n_groups] */
  /* (array): index of the first group of each output pair, and the number of groups */
  gint32 *first;
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
  /* number of ring pairs, counted from the poles, that are summed pixel by pixel */
  gint64 polar_pairs;
  int n_fields;
  gint64 first_block; /* index of the cuFFT plan of ring block 0 among those of a worker */
  ArmillaTile scratch;                 /* for ring transforms and direct sums */
} ArmillaConvolvePlan;

/* Smallest error to report, relative to the requested accuracy: estimates hold for noise, but a
 * large-scale sky may lose more. */
#define ARMILLA_CONVOLVE_MIN_REPORTED 1e-4
/* accuracy below which orders must not be omitted */
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

/* A kernel and its approximation: a table, another kernel, or the kernel minus a known part. */
typedef struct {
  const ArmillaKernel *kernel;     /* exact kernel */
  const ArmillaKernelTable *table; /* table of the kernel up to a cut; may be NULL */
  const ArmillaKernel *taken;      /* approximate kernel; may be NULL */
  /* part that the approximation lacks; may be NULL */
  const ArmillaKernel *left;
} ArmillaConvolvePart;

/* Output of an exact kernel, and errors of an approximation: rms of convolved noise of rms 1 per
 * pixel (without its mean), rms of its error, error of the convolved map of constant value 1. */
typedef struct {
  double noise, lost, of_mean;
} ArmillaConvolveLost;

ArmillaConvolveLost armilla_convolve_lost (const ArmillaGrid *grid,
                                           const ArmillaConvolvePart *part, double reach,
                                           gint64 some);

/* Predicted seconds of both methods, from the built-in rates. */
typedef struct {
  double ring, harmonic;
} ArmillaConvolvePrediction;

ArmillaConvolvePrediction armilla_convolve_predict (ArmillaGraph *graph, ArmillaRingBlocks *rings,
                                                    ArmillaKernel *kernel,
                                                    const ArmillaConvolution *what, int n_fields);

G_END_DECLS
