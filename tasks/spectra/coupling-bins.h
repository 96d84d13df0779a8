/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Coupling matrices with binned rows, beams and windows, for bandpowers and their covariances. */
#pragma once

#include <armilla/task.h>

#include "core/spectra/decouple.h"
#include "tasks/spectra/spectra.h"

G_BEGIN_DECLS

/* indices of beams in ArmillaCouplingBins */
enum { ARMILLA_BEAM, ARMILLA_BEAM2, ARMILLA_PIXELS, ARMILLA_N_BEAMS };

/* State for steps in I/O threads: has no references to data, which I/O threads must not drop. In a
 * box of g_atomic_rc_box_new0(), which several steps may hold. */
typedef struct {
  ArmillaDegreeBins *bins;
  GArray *spectra;                     /* (element-type ArmillaSpectrum) */
  double sigma;                        /* width of a Gaussian beam of both skies, radian */
  /* index of each kind of matrix in the coupling, or -1 if the kind is not needed */
  int fields[ARMILLA_COUPLING_N_KINDS];
  int slots[ARMILLA_COUPLING_N_KINDS]; /* index of each kind among the binned matrices */
  int n_slots;                         /* number of binned matrices */
  gint64 n_l[ARMILLA_N_BEAMS];         /* [beam]: number of multipoles; 0: no beam */
  int n_columns[ARMILLA_N_BEAMS];      /* [beam]: number of columns */
} ArmillaCouplingBins;

ArmillaCouplingBins *armilla_coupling_bins_new (const ArmillaDecoupling *what);
void armilla_coupling_bins_unref (gpointer self);
/* Return the number of doubles of one binned matrix, and of all needed ones. */
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

/* Types for armilla_matrix_each_block(): a step on the owner of @other for each block of a
 * matrix. */
typedef struct {
  gint64 row, n_rows, column, n_columns;
  gboolean first;
} ArmillaMatrixBlock;

/* @buffers: the block and @other. */
typedef gboolean (*ArmillaMatrixStep) (gpointer user, const ArmillaMatrixBlock *block,
                                       double *matrix, double *other, GError **error);
/* READ: blocks are read, and @other is overwritten at the first block; GO_ON: the steps add to
 * @other; WRITE: blocks are written, and @other is read. */
typedef enum { ARMILLA_BLOCKS_READ, ARMILLA_BLOCKS_GO_ON, ARMILLA_BLOCKS_WRITE } ArmillaBlocks;

/* @user: in a box of g_atomic_rc_box_new0(), which each step holds and releases by @unref. */
gboolean armilla_matrix_each_block (ArmillaGraph *graph, ArmillaMatrix *matrix, ArmillaBlocks how,
                                    const ArmillaTile *other, ArmillaMatrixStep step,
                                    gpointer user, GDestroyNotify unref, GError **error);

G_END_DECLS
