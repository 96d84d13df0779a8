/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Coupling matrices with binned rows, beams and windows, for bandpowers and their covariances. */
#pragma once

#include <armilla/task.h>

#include "core/spectra/decouple.h"
#include "tasks/spectra/spectra.h"

G_BEGIN_DECLS

/* indices of beams in ArmillaCouplingBins */
enum { ARMILLA_BEAM, ARMILLA_BEAM2, ARMILLA_PIXELS, ARMILLA_N_BEAMS };

/* State for steps in I/O threads. It has no references to GObjects of the submitting thread, which
 * I/O threads must not drop. Allocated by g_atomic_rc_box_new0(), since several steps may share
 * it. */
typedef struct {
  ArmillaDegreeBins *bins;
  GArray *spectra;                     /* (element-type ArmillaSpectrum) */
  double sigma;                        /* width of a Gaussian beam of both skies, radian */
  /* index of each kind of matrix in the coupling, or -1 if the kind is not needed */
  int fields[ARMILLA_COUPLING_N_KINDS];
  int slots[ARMILLA_COUPLING_N_KINDS]; /* index of each kind of matrix among the binned matrices */
  int n_slots;                         /* number of binned matrices */
  gint64 n_l[ARMILLA_N_BEAMS];         /* [beam]: number of multipoles; 0: no beam */
  int n_columns[ARMILLA_N_BEAMS];      /* [beam]: number of columns */
} ArmillaCouplingBins;

ArmillaCouplingBins *armilla_coupling_bins_new (const ArmillaDecoupling *what);
void armilla_coupling_bins_unref (gpointer self);
/* Return the number of doubles of one binned matrix, and of all binned matrices. */
gint64 armilla_coupling_bins_size (const ArmillaCouplingBins *self);
gint64 armilla_coupling_bins_size_of_all (const ArmillaCouplingBins *self);
gboolean armilla_coupling_bins_submit (ArmillaCouplingBins *self, ArmillaGraph *graph,
                                       ArmillaMatrix *coupling, const ArmillaTile *binned,
                                       GError **error);
/* Computes windows, [4][l] as in ArmillaDecoupleInput; beams may be NULL. */
gboolean armilla_coupling_bins_windows (const ArmillaCouplingBins *self,
                                        const double *const beams[ARMILLA_N_BEAMS],
                                        double *windows, GError **error);
ArmillaDecoupleInput armilla_coupling_bins_input (const ArmillaCouplingBins *self,
                                                  const double *binned, const double *windows);

/* Block of a matrix that a step on the owner of tile @other processes; see
 * armilla_matrix_each_block(). */
typedef struct {
  gint64 row, n_rows, column, n_columns;
  gboolean first;
} ArmillaMatrixBlock;

/* Step for one block; @matrix: elements of the block. */
typedef gboolean (*ArmillaMatrixStep) (gpointer user, const ArmillaMatrixBlock *block,
                                       double *matrix, double *other, GError **error);
/* READ: steps read blocks, and the first one overwrites @other. GO_ON: steps read blocks and add to
 * @other. WRITE: steps read @other and write blocks. */
typedef enum { ARMILLA_BLOCKS_READ, ARMILLA_BLOCKS_GO_ON, ARMILLA_BLOCKS_WRITE } ArmillaBlocks;

/* @user: allocated by g_atomic_rc_box_new0(); each step holds a reference, and drops it by
 * @unref. */
gboolean armilla_matrix_each_block (ArmillaGraph *graph, ArmillaMatrix *matrix, ArmillaBlocks how,
                                    const ArmillaTile *other, ArmillaMatrixStep step,
                                    gpointer user, GDestroyNotify unref, GError **error);

G_END_DECLS
