/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tasks/spectra/coupling-bins.h"

#include <math.h>
#include <string.h>

/* Returns the state for bandpowers, with the binned rows of coupling matrices. The pseudo-spectra
 * of @what may be NULL. */
ArmillaCouplingBins *
armilla_coupling_bins_new (const ArmillaDecoupling *what)
{
  ArmillaCl *const beams[ARMILLA_N_BEAMS] = { what->beam, what->beam2, what->pixels };
  ArmillaCouplingBins *self = g_atomic_rc_box_new0 (ArmillaCouplingBins);

  self->bins = armilla_degree_bins_ref (what->bins);
  self->spectra = g_array_copy ((GArray *) what->spectra);
  self->sigma = what->sigma;
  for (int i = 0; i < ARMILLA_N_BEAMS; i++)
    if (beams[i])
      {
        self->n_l[i] = armilla_cl_lmax (beams[i]) + 1;
        self->n_columns[i] = armilla_cl_n_fields (beams[i]);
      }
  for (int kind = 0; kind < ARMILLA_COUPLING_N_KINDS; kind++)
    {
      const gboolean needed = (armilla_spectra_kinds (what->spectra) & 1u << kind) != 0;
      const char *name = armilla_coupling_kind_names[kind];

      self->fields[kind] = needed ? armilla_matrix_find (what->coupling, name) : -1;
      self->slots[kind] = needed ? self->n_slots++ : -1;
    }
  return self;
}

static void
clear (gpointer user)
{
  ArmillaCouplingBins *self = user;

  armilla_degree_bins_unref (self->bins);
  g_array_unref (self->spectra);
}

void
armilla_coupling_bins_unref (gpointer user)
{
  g_atomic_rc_box_release_full (user, clear);
}

gint64
armilla_coupling_bins_size (const ArmillaCouplingBins *self)
{
  return self->bins->n * (self->bins->lmax + 1);
}

gint64
armilla_coupling_bins_size_of_all (const ArmillaCouplingBins *self)
{
  return self->n_slots * armilla_coupling_bins_size (self);
}

static gboolean
bin_block (gpointer user, const ArmillaMatrixBlock *block, double *matrix, double *binned,
           GError **error)
{
  const ArmillaCouplingBins *self = user;

  (void) error;
  if (block->first)
    memset (binned, 0, sizeof *binned * (gsize) armilla_coupling_bins_size_of_all (self));
  for (int kind = 0; kind < ARMILLA_COUPLING_N_KINDS; kind++)
    if (self->fields[kind] >= 0)
      armilla_decouple_add (self->bins, block->row, block->n_rows, block->column,
                            block->n_columns,
                            matrix + self->fields[kind] * block->n_rows * block->n_columns,
                            binned + self->slots[kind] * armilla_coupling_bins_size (self));
  return TRUE;
}

/* Bins the rows of @coupling into @binned, on its owner. */
gboolean
armilla_coupling_bins_submit (ArmillaCouplingBins *self, ArmillaGraph *graph,
                              ArmillaMatrix *coupling, const ArmillaTile *binned, GError **error)
{
  return armilla_matrix_each_block (graph, coupling, ARMILLA_BLOCKS_READ, binned, bin_block, self,
                                    armilla_coupling_bins_unref, error);
}

/* Multiplies the windows, [4][l] as in ArmillaDecoupleInput, by the product of two b_l: column @one
 * of @first and column @two of another beam; NULL: 1. */
static void
multiply_beams (const ArmillaCouplingBins *self, int one, const double *first, int two,
                const double *second, double *windows)
{
  const gint64 n_l = self->bins->lmax + 1;

  for (int window = 0; first && window < 4; window++)
    {
      const int spin1 = window / 2 && self->n_columns[one] > 1;
      const int spin2 = window % 2 && self->n_columns[two] > 1;
      const double *a = first + spin1 * self->n_l[one], *b = second + spin2 * self->n_l[two];

      for (gint64 l = 0; l < n_l; l++)
        windows[window * n_l + l] *= a[l] * b[l];
    }
}

/* Multiplies by b_l = exp (-(l (l + 1) - s^2) sigma^2 / 2) for a field of spin s. */
static void
multiply_gaussian (const ArmillaCouplingBins *self, double *windows)
{
  const gint64 n_l = self->bins->lmax + 1;

  for (int window = 0; self->sigma > 0 && window < 4; window++)
    for (gint64 l = 0; l < n_l; l++)
      windows[window * n_l + l]
        *= exp (-((double) l * (double) (l + 1) - 2 * (window / 2 + window % 2)) * self->sigma
                * self->sigma);
}

static gboolean
check_windows (const ArmillaCouplingBins *self, const double *windows, GError **error)
{
  const ArmillaDegreeBins *bins = self->bins;
  const gint64 n_l = bins->lmax + 1;

  for (gint64 bin = 0; bin < bins->n; bin++)
    for (int window = 0; window < 4; window++)
      {
        double sum = 0;

        for (gint64 l = MAX (bins->first[bin], 2); l <= bins->last[bin]; l++)
          sum += fabs (windows[window * n_l + l]);
        if (sum == 0 && bins->last[bin] >= 2)
          return armilla_fail (error, ARMILLA_ERROR_VALUE,
                               "beams and windows are 0 from l = %" G_GINT64_FORMAT " to %"
                               G_GINT64_FORMAT ": the sky is lost there; end the bins before",
                                               bins->first[bin], bins->last[bin]);
      }
  return TRUE;
}

gboolean
armilla_coupling_bins_windows (const ArmillaCouplingBins *self,
                               const double *const beams[ARMILLA_N_BEAMS], double *windows,
                               GError **error)
{
  const int second = beams[ARMILLA_BEAM2] ? ARMILLA_BEAM2 : ARMILLA_BEAM;

  for (gint64 i = 0; i < 4 * (self->bins->lmax + 1); i++)
    windows[i] = 1;
  multiply_beams (self, ARMILLA_BEAM, beams[ARMILLA_BEAM], second, beams[second], windows);
  multiply_beams (self, ARMILLA_PIXELS, beams[ARMILLA_PIXELS], ARMILLA_PIXELS,
                  beams[ARMILLA_PIXELS], windows);
  multiply_gaussian (self, windows);
  return check_windows (self, windows, error);
}

ArmillaDecoupleInput
armilla_coupling_bins_input (const ArmillaCouplingBins *self, const double *binned,
                             const double *windows)
{
  ArmillaDecoupleInput in = { .bins = self->bins, .spectra = self->spectra };

  for (int kind = 0; kind < ARMILLA_COUPLING_N_KINDS; kind++)
    if (self->slots[kind] >= 0)
      in.binned[kind] = binned + self->slots[kind] * armilla_coupling_bins_size (self);
  for (int i = 0; i < 4; i++)
    in.windows[i] = windows + i * (self->bins->lmax + 1);
  return in;
}
