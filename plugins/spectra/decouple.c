/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/armilla.h>
#include <math.h>

#include "plugins/spectra/spectra-private.h"
#include "tasks/spectra/spectra.h"

enum { CL, COUPLING, CL2, NOISE, BEAM, BEAM2, PIXELS };

struct _ArmillaDecouple {
  ArmillaStage parent_instance;
  SpectraProperties properties;
  double fwhm;
  ArmillaPure pure;
  ArmillaDegreeBins *bins;
  GArray *spectra; /* ArmillaSpectrum */
};

ARMILLA_DEFINE_STAGE (ArmillaDecouple, armilla_decouple, ARMILLA, DECOUPLE)

static const ArmillaPort ports[] = {
  { "cl", armilla_cl_get_type, ARMILLA_PORT_IN, "spectra of masked maps, from alm2cl" },
  { "coupling", armilla_matrix_get_type, ARMILLA_PORT_IN,
    "the coupling matrices of the masks, from coupling; their lmax is the highest multipole used" },
  { "cl2", armilla_cl_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "for cross spectra of two skies: those with alm and alm2 exchanged, which have BE, ET, BT. "
    "Without them EB is taken as the spectrum of a sky with itself, for which BE is the same" },
  { "noise", armilla_cl_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "noise bias to subtract from cl: spectra of masked noise, as many as cl" },
  { "beam", armilla_cl_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "b_l of the beam: one column, or one for scalars and one for E and B" },
  { "beam2", armilla_cl_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "b_l of the second sky of cross spectra; not connected: that of the first" },
  { "pixel-window", armilla_cl_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "the pixel window of both skies, with the same columns as beam" },
  { "table", armilla_table_data_get_type, ARMILLA_PORT_OUT,
    "bandpowers: columns l (effective multipole), l_min, l_max, and one column per spectrum, in "
    "its unit" },
  { "windows", armilla_matrix_get_type, ARMILLA_PORT_OUT,
    "bandpower window functions: the mean bandpower is the sum over l of window times full-sky "
    "spectrum. Rows are bins, columns multipoles; the field 'EE of BB' is the contribution of BB "
    "to EE" },
  { NULL, NULL, 0, NULL },
};

static ArmillaMatrix *
describe_windows (const ArmillaDecouple *self)
{
  const gint64 n_l = self->bins->lmax + 1;
  g_auto (GStrv) names = armilla_spectra_window_names (self->spectra);
  g_autofree double *degrees = g_new (double, n_l);
  const ArmillaMatrixAxis rows = { (char *) "l", (char *) "", self->bins->n,
                                   self->bins->effective };
  const ArmillaMatrixAxis columns = { (char *) "l", (char *) "", n_l, degrees };

  for (gint64 l = 0; l < n_l; l++)
    degrees[l] = (double) l;
  return armilla_matrix_new (armilla_matrix_header_new (&rows, &columns,
                                                        (const char *const *) names,
                                                        (int) g_strv_length (names)));
}

static ArmillaDecoupling
describe_decoupling (const ArmillaDecouple *self, ArmillaData *const *inputs)
{
  return (ArmillaDecoupling) {
    .cl = (ArmillaCl *) inputs[CL], .exchanged = (ArmillaCl *) inputs[CL2],
    .noise = (ArmillaCl *) inputs[NOISE], .beam = (ArmillaCl *) inputs[BEAM],
    .beam2 = (ArmillaCl *) inputs[BEAM2], .pixels = (ArmillaCl *) inputs[PIXELS],
    .sigma = self->fwhm / sqrt (8 * G_LN2), .coupling = ARMILLA_MATRIX (inputs[COUPLING]),
    .bins = self->bins, .spectra = self->spectra,
  };
}

static gboolean
decouple_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                  ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaDecouple *self = ARMILLA_DECOUPLE (stage);
  const gint64 lmax = armilla_matrix_header (ARMILLA_MATRIX (inputs[COUPLING]))->rows.n - 1;
  g_auto (GStrv) names
    = armilla_spectra_names (&self->properties, ARMILLA_CL (inputs[CL]), error);
  ArmillaDecoupling what;

  if (names == NULL)
    return FALSE;
  if (!armilla_spectra_check_pure (ARMILLA_MATRIX (inputs[COUPLING]), self->pure, error))
    return FALSE;
  if (inputs[BEAM2] != NULL && inputs[BEAM] == NULL)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "beam2 requires beam: connect the beam of the first sky too");
  self->spectra = armilla_spectra_roles ((const char *const *) names,
                                         (int) g_strv_length (names), inputs[CL2] != NULL,
                                         self->pure, error);
  if (self->spectra == NULL)
    return FALSE;
  self->bins = armilla_spectra_bins (self, &self->properties, lmax, error);
  if (self->bins == NULL)
    return FALSE;
  what = describe_decoupling (self, inputs);
  if (!armilla_decoupling_check (&what, error))
    return FALSE;
  outputs[0] = ARMILLA_DATA (armilla_table_data_new ());
  outputs[1] = context->used >> 1 & 1 ? ARMILLA_DATA (describe_windows (self)) : NULL;
  for (int out = 0; out < 2 && outputs[out] != NULL; out++)
    for (int in = CL; in <= PIXELS; in++)
      armilla_stage_inherit (outputs[out], inputs[in]);
  return TRUE;
}

/* Estimates the binned matrices, the bandpower windows, and the linear systems. */
static double
decouple_memory (ArmillaStage *stage, ArmillaData *const *inputs, ArmillaData *const *outputs)
{
  const ArmillaDecouple *self = ARMILLA_DECOUPLE (stage);

  (void) inputs;
  return 20 * 8.0 * (double) self->bins->n * (double) (self->bins->lmax + 1)
         + (outputs[1] != NULL ? armilla_data_bytes (outputs[1]) : 0);
}

static gboolean
decouple_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                ArmillaData *const *outputs, GError **error)
{
  const ArmillaDecoupling what = describe_decoupling (ARMILLA_DECOUPLE (stage), inputs);

  return armilla_graph_decouple (graph, &what, ARMILLA_TABLE_DATA (outputs[0]),
                                 (ArmillaMatrix *) outputs[1], error);
}

static const ArmillaProperty properties[] = {
  { "fwhm", ARMILLA_QUANTITY (ArmillaDecouple, fwhm, ARMILLA_DIMENSION_ANGLE, 0, G_PI, 0),
    "full width at half maximum of a Gaussian beam of both skies, as in smooth-alm; 0: none" },
  { "pure", ARMILLA_ENUM (ArmillaDecouple, pure, armilla_spectra_pures, ARMILLA_PURE_NONE),
    "fields purified by purify: none, b, e, or both; the coupling must have the matrices of "
    "purified fields" },
};

static void
armilla_decouple_class_init (ArmillaDecoupleClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "decouple";
  armilla_stage_set_example (stage, "coupling = coupling; delta-l = 8");
  stage->summary = "Compute full-sky bandpowers from the spectra of masked maps";
  stage->description =
    "The spectra of masked maps are averaged in bins, and the binned coupling matrix is inverted: "
    "bandpowers are those of a sky whose spectrum is constant within each bin (C_l, or D_l with "
    "dl), corrected for the mask, beams and pixel windows. EE and BB, and EB and BE, are solved "
    "for together, unless one is purified. The conventions are NaMaster's, as are the window "
    "functions.";
  stage->reference = "Hivon et al. (2002), MASTER of the CMB anisotropy power spectrum; Alonso, "
                     "Sanchez and Slosar (2019), A unified pseudo-C_l framework, eqs. 17 to 20";
  stage->ports = ports;
  stage->prepare = decouple_prepare;
  stage->build = decouple_build;
  stage->memory = decouple_memory;
  armilla_spectra_install (stage, G_STRUCT_OFFSET (ArmillaDecouple, properties));
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
  ARMILLA_STAGE_OWNS (stage, ArmillaDecouple, bins, armilla_degree_bins_unref);
  ARMILLA_STAGE_OWNS (stage, ArmillaDecouple, spectra, g_array_unref);
}
