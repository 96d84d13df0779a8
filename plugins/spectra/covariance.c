/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/armilla.h>
#include <math.h>
#include <string.h>

#include "core/grids/grid.h"
#include "core/spectra/gaussian.h"
#include "plugins/spectra/spectra-private.h"
#include "tasks/pixels/pixels.h"
#include "tasks/spectra/spectra.h"

enum { MASK, CL, COUPLING, MASK2, CL22, CL12, CL21, BEAM, BEAM2, PIXELS };

struct _ArmillaCovariance {
  ArmillaStage parent_instance;
  SpectraProperties properties;
  gint64 mask_lmax;
  int iterations;
  double fwhm;
  ArmillaPure pure;
  ArmillaGaussianMixing mixing;
  gint64 analysed; /* resolved value of mask_lmax */
  gint64 found; /* maximum multipole of the masks' spectra in the matrices: min (analysed, 2
                 * lmax) */
  ArmillaDegreeBins *bins;
  GArray *spectra; /* ArmillaSpectrum */
  ArmillaGaussian *gaussian;
};

ARMILLA_DEFINE_STAGE (ArmillaCovariance, armilla_covariance, ARMILLA, COVARIANCE)

static const ArmillaPort ports[] = {
  { "mask", armilla_map_get_type, ARMILLA_PORT_IN,
    "the mask, or weights, by which the map was multiplied: one field; UNSEEN counts as 0" },
  { "cl", armilla_cl_get_type, ARMILLA_PORT_IN,
    "known or expected auto spectra of the sky as it is in the map: with noise, beam and pixel "
    "window. Good values are the mean spectra of masked maps divided by the mean square of the "
    "mask" },
  { "coupling", armilla_matrix_get_type, ARMILLA_PORT_IN,
    "the coupling matrices used by decouple" },
  { "mask2", armilla_map_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "for cross spectra of two skies: the mask of the second sky; not connected: that of "
    "the first" },
  { "cl22", armilla_cl_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "for cross spectra: auto spectra of the second sky; requires cl12 and cl21" },
  { "cl12", armilla_cl_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "cross spectra of the first sky with the second" },
  { "cl21", armilla_cl_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "cross spectra of the second sky with the first" },
  { "beam", armilla_cl_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "as in decouple: b_l for which the bandpowers are corrected" },
  { "beam2", armilla_cl_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "b_l of the second sky of cross spectra; not connected: that of the first" },
  { "pixel-window", armilla_cl_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "the pixel window of both skies" },
  { "matrix", armilla_matrix_get_type, ARMILLA_PORT_OUT,
    "covariances, in the square of the unit of cl: the field 'TT EE' has a row for each bin of TT "
    "and a column for each bin of EE" },
  { NULL, NULL, 0, NULL },
};

static const char *const mixings[] = {
  [ARMILLA_GAUSSIAN_MIXING_HALF] = "half", [ARMILLA_GAUSSIAN_MIXING_NAMASTER] = "namaster", NULL,
};

static gboolean
is_cross (ArmillaData *const *inputs)
{
  return inputs[CL12] != NULL;
}

static gboolean
check_inputs (ArmillaData *const *inputs, GError **error)
{
  const ArmillaPort masks[] = { ports[MASK], ports[MASK2], { NULL, NULL, 0, NULL } };
  ArmillaData *const maps[] = { inputs[MASK], inputs[MASK2] };

  for (int i = MASK2; i <= CL21; i++)
    if ((inputs[i] != NULL) != is_cross (inputs) && (i != MASK2 || inputs[i] != NULL))
      return armilla_fail (error, ARMILLA_ERROR_VALUE,
                           "%s: a covariance of cross spectra requires cl22, cl12 and cl21; a "
                           "covariance of one sky accepts none of them, nor mask2",
                           ports[i].name);
  if (inputs[BEAM2] != NULL && inputs[BEAM] == NULL)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "beam2 requires beam: connect the beam of the first sky too");
  for (int i = 0; i < 2; i++)
    if (maps[i] != NULL && armilla_map_n_fields (ARMILLA_MAP (maps[i])) != 1)
      return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                           "%s has %d fields; must be one (read-map reads single columns)",
                           masks[i].name, armilla_map_n_fields (ARMILLA_MAP (maps[i])));
  for (int i = CL22; i <= CL21; i++)
    if (inputs[i] != NULL
        && armilla_cl_n_fields (ARMILLA_CL (inputs[i]))
             != armilla_cl_n_fields (ARMILLA_CL (inputs[CL])))
      return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                           "%s has %d spectra and cl %d; must be those of the same fields",
                           ports[i].name, armilla_cl_n_fields (ARMILLA_CL (inputs[i])),
                           armilla_cl_n_fields (ARMILLA_CL (inputs[CL])));
  return armilla_stage_agree (masks, maps, ARMILLA_AGREE_SHAPE | ARMILLA_AGREE_COORDINATES, error);
}

/* Describes the output: a field for each pair of spectra. */
static ArmillaMatrix *
describe (const ArmillaCovariance *self, const char *unit)
{
  const ArmillaMatrixAxis axis = { (char *) "l", (char *) "", self->bins->n,
                                   self->bins->effective };
  const ArmillaSpectrum *all = (const ArmillaSpectrum *) (gconstpointer) self->spectra->data;
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  ArmillaMatrixHeader *header;

  for (guint i = 0; i < self->spectra->len; i++)
    for (guint j = 0; j < self->spectra->len; j++)
      g_ptr_array_add (names, g_strdup_printf ("%s %s", all[i].name, all[j].name));
  header = armilla_matrix_header_new (&axis, &axis, (const char *const *) names->pdata,
                                      (int) names->len);
  if (*unit != '\0')
    {
      g_free (header->unit);
      header->unit = g_strdup_printf (strpbrk (unit, " ^*/()") != NULL ? "(%s)^2" : "%s^2", unit);
    }
  return armilla_matrix_new (header);
}

static ArmillaDecoupling
describe_decoupling (const ArmillaCovariance *self, ArmillaData *const *inputs)
{
  return (ArmillaDecoupling) {
    .cl = ARMILLA_CL (inputs[CL]), .beam = (ArmillaCl *) inputs[BEAM],
    .beam2 = (ArmillaCl *) inputs[BEAM2], .pixels = (ArmillaCl *) inputs[PIXELS],
    .sigma = self->fwhm / sqrt (8 * G_LN2), .coupling = ARMILLA_MATRIX (inputs[COUPLING]),
    .bins = self->bins, .spectra = self->spectra,
  };
}

/* Finds bins and spectra, and the couplings that their covariance needs. */
static gboolean
find_parts (ArmillaCovariance *self, ArmillaData *const *inputs, gint64 lmax, GError **error)
{
  g_auto (GStrv) names = armilla_spectra_names (&self->properties, ARMILLA_CL (inputs[CL]), error);

  if (names == NULL
      || !armilla_spectra_check_pure (ARMILLA_MATRIX (inputs[COUPLING]), self->pure, error))
    return FALSE;
  self->spectra = armilla_spectra_roles ((const char *const *) names, (int) g_strv_length (names),
                                         is_cross (inputs), self->pure, error);
  if (self->spectra == NULL)
    return FALSE;
  self->bins = armilla_spectra_bins (self, &self->properties, lmax, error);
  if (self->bins == NULL)
    return FALSE;
  self->gaussian = armilla_gaussian_new (self->spectra, (const char *const *) names,
                                         is_cross (inputs), self->pure, self->mixing, error);
  return self->gaussian != NULL;
}

static gboolean
covariance_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                    ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaCovariance *self = ARMILLA_COVARIANCE (stage);
  const ArmillaGrid *grid = armilla_grid_whole (armilla_map_grid (ARMILLA_MAP (inputs[MASK])));
  const gint64 lmax = armilla_matrix_header (ARMILLA_MATRIX (inputs[COUPLING]))->rows.n - 1;
  const gint64 all = armilla_grid_mask_lmax (grid, lmax);
  ArmillaDecoupling what;

  (void) context;
  if (!check_inputs (inputs, error) || !find_parts (self, inputs, lmax, error))
    return FALSE;
  what = describe_decoupling (self, inputs);
  if (!armilla_decoupling_check (&what, error))
    return FALSE;
  for (int i = CL22; i <= CL21; i++)
    if (inputs[i] != NULL && armilla_cl_lmax (ARMILLA_CL (inputs[i])) < lmax)
      return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                           "%s ends at l = %" G_GINT64_FORMAT ", but the coupling reaches up to %"
                           G_GINT64_FORMAT "; must be equal", ports[i].name,
                           armilla_cl_lmax (ARMILLA_CL (inputs[i])), lmax);
  self->analysed = self->mask_lmax >= 0 ? self->mask_lmax : all;
  self->found = MIN (self->analysed, 2 * lmax);
  outputs[0] = ARMILLA_DATA (describe (self, armilla_cl_unit (ARMILLA_CL (inputs[CL]))));
  for (int i = MASK; i <= PIXELS; i++)
    armilla_stage_inherit (outputs[0], inputs[i]);
  return TRUE;
}

/* Estimates the coupling matrices of products of masks, and the linear systems. */
static double
covariance_memory (ArmillaStage *stage, ArmillaData *const *inputs, ArmillaData *const *outputs)
{
  const ArmillaCovariance *self = ARMILLA_COVARIANCE (stage);
  const double n_l = (double) (self->bins->lmax + 1), n = (double) self->bins->n;
  const int n_products = is_cross (inputs) ? 3 : 1;
  double kinds = 0;

  for (int term = 0; term < 2; term++)
    for (guint bits = armilla_gaussian_kinds (self->gaussian, term); bits != 0; bits >>= 1)
      kinds += bits & 1u;
  return 8 * (kinds * n_l * n_l + armilla_gaussian_n_sums (self->gaussian) * n * n
              + 20 * n * n_l)
         + 3 * armilla_data_bytes (outputs[0]) + n_products * armilla_data_bytes (inputs[MASK]);
}

/* Computes the a_lm of the product of two masks. */
static ArmillaAlm *
analyse_product (ArmillaCovariance *self, ArmillaGraph *graph, ArmillaData *a, ArmillaData *b,
                 GError **error)
{
  const ArmillaMaskOptions options = { .outside_unseen = FALSE };
  const ArmillaAlmLayout layout = { self->analysed, self->analysed };
  g_autoptr (ArmillaMap) product = armilla_map_new (armilla_map_grid (ARMILLA_MAP (a)), 1);
  g_autoptr (ArmillaAlm) alm = armilla_alm_new (layout, 1);

  return armilla_graph_mask (graph, ARMILLA_MAP (a), ARMILLA_MAP (b), &options, product, error)
             && armilla_graph_analysis (graph, product, alm, self->iterations, error)
           ? g_steal_pointer (&alm) : NULL;
}

/* Computes the coupling matrix for two products of masks. */
static ArmillaMatrix *
couple (ArmillaCovariance *self, ArmillaGraph *graph, int term, ArmillaAlm *a, ArmillaAlm *b,
        GError **error)
{
  g_autoptr (ArmillaCl) cl = armilla_cl_new (self->found, NULL, 1);
  g_autoptr (ArmillaMatrix) matrix
    = armilla_coupling_matrix_new (self->bins->lmax, armilla_gaussian_kinds (self->gaussian, term));

  return armilla_graph_spectra (graph, a, b, cl, error)
             && armilla_graph_coupling (graph, cl, self->found, matrix, error)
           ? g_steal_pointer (&matrix) : NULL;
}

static gboolean
covariance_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                  ArmillaData *const *outputs, GError **error)
{
  ArmillaCovariance *self = ARMILLA_COVARIANCE (stage);
  const ArmillaDecoupling what = describe_decoupling (self, inputs);
  ArmillaData *const one = inputs[MASK], *const two = inputs[MASK2] != NULL ? inputs[MASK2] : one;
  ArmillaCl *const cl[] = { ARMILLA_CL (inputs[CL]), (ArmillaCl *) inputs[CL22],
                            (ArmillaCl *) inputs[CL12], (ArmillaCl *) inputs[CL21] };
  g_autoptr (ArmillaAlm) a = analyse_product (self, graph, one, one, error), b = NULL, c = NULL;
  g_autoptr (ArmillaMatrix) first = NULL, second = NULL;

  if (a != NULL)
    b = two != one ? analyse_product (self, graph, two, two, error) : g_object_ref (a);
  if (b != NULL)
    c = two != one ? analyse_product (self, graph, one, two, error) : g_object_ref (a);
  if (c == NULL)
    return FALSE;
  first = couple (self, graph, 0, a, b, error);
  if (first != NULL && is_cross (inputs))
    second = couple (self, graph, 1, c, c, error);
  if (first == NULL || (is_cross (inputs) && second == NULL))
    return FALSE;
  ArmillaMatrix *const masks[] = { first, second };
  return armilla_graph_covariance (graph, &what, self->gaussian, cl, masks,
                                   ARMILLA_MATRIX (outputs[0]), error);
}

static ArmillaTransforms
covariance_transforms (ArmillaStage *stage)
{
  return ARMILLA_COVARIANCE (stage)->iterations == 0 ? ARMILLA_TRANSFORMS_ANALYSIS
                                                     : ARMILLA_TRANSFORMS_BOTH;
}

static const ArmillaProperty properties[] = {
  { "fwhm", ARMILLA_QUANTITY (ArmillaCovariance, fwhm, ARMILLA_DIMENSION_ANGLE, 0, G_PI, 0),
    "as in decouple: full width at half maximum of a Gaussian beam for which the bandpowers are "
    "corrected; 0: none" },
  { "pure", ARMILLA_ENUM (ArmillaCovariance, pure, armilla_spectra_pures, ARMILLA_PURE_NONE),
    "as in decouple: fields purified by purify" },
  { "mixing", ARMILLA_ENUM (ArmillaCovariance, mixing, mixings, ARMILLA_GAUSSIAN_MIXING_HALF),
    "term of the mixing of E and B by the mask: half: (C_EE + C_BB) / 2, coupled by --, which "
    "agrees with simulated skies; namaster: as in NaMaster 3.0.1, twice as large, so that "
    "covariances of EE, EB and BB have four times its square, with the opposite sign" },
  { "mask-lmax", ARMILLA_INT64 (ArmillaCovariance, mask_lmax, -1, G_MAXINT32, -1),
    "highest multipole of the analysis of products of masks, of which those up to 2 lmax are "
    "used; -1: 3 nside - 1 for HEALPix masks, the highest that other grids determine" },
  { "iterations", ARMILLA_INT (ArmillaCovariance, iterations, 0, 1000, 3),
    "residual iterations of the analysis of the products, as in map2alm" },
};

static void
armilla_covariance_class_init (ArmillaCovarianceClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "covariance";
  armilla_stage_set_example (stage, "mask = mask; coupling = coupling; delta-l = 8");
  stage->summary = "Compute the covariance of the bandpowers of masked Gaussian skies";
  stage->description =
    "For Gaussian skies the covariance of bandpowers follows from the masks and the spectra, if "
    "these vary little over the range of multipoles that the masks mix. Compared with simulated "
    "skies with cuts of 5 to 40 deg, or holes, variances agree within about 10 % if cl are the "
    "mean spectra of masked maps, and BB (including the leakage from E) is more than a tenth of "
    "EE. If cl is a theory, the variance of BB is 0.65 to 0.75 of the simulated one at BB = EE / "
    "10 and 0.12 to 0.17 at EE / 100. Purify fainter B and use the mean spectra of the purified "
    "fields as cl; otherwise the run prints a note. Bins, spectra, beams and coupling are those "
    "of decouple. Cross spectra of B that cl lacks are taken as 0. The conventions are "
    "NaMaster's; mixing = namaster reproduces its values.";
  stage->reference = "Garcia-Garcia, Alonso and Bellini (2019), Disconnected pseudo-C_l "
                     "covariances for projected large-scale structure data; Efstathiou (2004), "
                     "Myths and truths concerning estimation of power spectra";
  stage->ports = ports;
  stage->prepare = covariance_prepare;
  stage->build = covariance_build;
  stage->memory = covariance_memory;
  stage->transforms = covariance_transforms;
  armilla_spectra_install (stage, G_STRUCT_OFFSET (ArmillaCovariance, properties));
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
  ARMILLA_STAGE_OWNS (stage, ArmillaCovariance, bins, armilla_degree_bins_unref);
  ARMILLA_STAGE_OWNS (stage, ArmillaCovariance, spectra, g_array_unref);
  ARMILLA_STAGE_OWNS (stage, ArmillaCovariance, gaussian, armilla_gaussian_unref);
}
