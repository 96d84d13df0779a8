/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Coupling matrices whose rows are binned, with beams and windows: what bandpowers and their
 * covariances are made with. */
#pragma once

#include <armilla/task.h>

#include "core/spectra/decouple.h"
#include "tasks/spectra/spectra.h"

G_BEGIN_DECLS

/* Places of beams among those of ArmillaCouplingBins. */
enum { ARMILLA_BEAM, ARMILLA_BEAM2, ARMILLA_PIXELS, ARMILLA_N_BEAMS };

/* What steps in I/O threads need to know: no references to data, which I/O threads must not drop.
 * In a box of g_atomic_rc_box_new0(), which several may hold. */
typedef struct {
  ArmillaDegreeBins *bins;             /* the bins */
  GArray *spectra;                     /* (element-type ArmillaSpectrum): the spectra */
  double sigma;                        /* width of a Gaussian beam of both skies, radian */
  /* of each matrix its number in the coupling, or -1 where it is not needed */
  int fields[ARMILLA_COUPLING_N_KINDS];
  int slots[ARMILLA_COUPLING_N_KINDS]; /* likewise its number among the binned ones */
  int n_slots;                         /* how many are needed */
  gint64 n_l[ARMILLA_N_BEAMS];         /* degrees of each of the beams; 0: there is none */
  int n_columns[ARMILLA_N_BEAMS];      /* columns of each */
} ArmillaCouplingBins;

ArmillaCouplingBins *armilla_coupling_bins_new (const ArmillaDecoupling *what);
void armilla_coupling_bins_unref (gpointer self);
/* Doubles of one binned matrix, and of all that are needed. */
gint64 armilla_coupling_bins_size (const ArmillaCouplingBins *self);
gint64 armilla_coupling_bins_size_of_all (const ArmillaCouplingBins *self);
gboolean armilla_coupling_bins_submit (ArmillaCouplingBins *self, ArmillaGraph *graph,
                                       ArmillaMatrix *coupling, const ArmillaTile *binned,
                                       GError **error);
/* windows <- [4][l] as of ArmillaDecoupleInput, of beams that are NULL where there is none. */
gboolean armilla_coupling_bins_windows (const ArmillaCouplingBins *self,
                                        const double *const beams[ARMILLA_N_BEAMS],
                                        double *windows, GError **error);
ArmillaDecoupleInput armilla_coupling_bins_input (const ArmillaCouplingBins *self,
                                                  const double *binned, const double *windows);

/* A step on the owner of @other for each block of a matrix. */
typedef struct {
  gint64 row, n_rows, column, n_columns;
  gboolean first;
} ArmillaMatrixBlock;

/* buffers: the block, and what is beside it. */
typedef gboolean (*ArmillaMatrixStep) (gpointer user, const ArmillaMatrixBlock *block,
                                       double *matrix, double *other, GError **error);
/* READ: each block is read, and @other written, anew with the first block; GO_ON: and @other has
 * something in it already; WRITE: each block is written, and @other read. */
typedef enum { ARMILLA_BLOCKS_READ, ARMILLA_BLOCKS_GO_ON, ARMILLA_BLOCKS_WRITE } ArmillaBlocks;

/* @user is in a box of g_atomic_rc_box_new0(), which each step holds, and releases by @unref. */
gboolean armilla_matrix_each_block (ArmillaGraph *graph, ArmillaMatrix *matrix, ArmillaBlocks how,
                                    const ArmillaTile *other, ArmillaMatrixStep step,
                                    gpointer user, GDestroyNotify unref, GError **error);

G_END_DECLS
