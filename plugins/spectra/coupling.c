/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/armilla.h>

#include "core/grids/grid.h"
#include "plugins/spectra/spectra-private.h"
#include "tasks/harmonic/harmonic.h"
#include "tasks/spectra/spectra.h"

enum { MASK, MASK2, CL, NOISE };

struct _ArmillaCoupling {
  ArmillaStage parent_instance;
  gint64 lmax, mask_lmax;
  int spins, iterations;
  gboolean pure;
  gint64 analysed; /* resolved value of mask_lmax */
  gint64 found; /* maximum multipole of the mask's spectrum in the matrices */
};

ARMILLA_DEFINE_STAGE (ArmillaCoupling, armilla_coupling, ARMILLA, COUPLING)

static const ArmillaPort ports[] = {
  { "mask", armilla_map_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "the mask, or weights, by which the map was multiplied: one field; UNSEEN counts as 0" },
  { "mask2", armilla_map_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "mask of the other map, for cross spectra: the same pixels and coordinates" },
  { "cl", armilla_cl_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "spectrum of the mask, instead of masks" },
  { "noise", armilla_cl_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "with cl: noise bias to subtract from it, such as mask-noise of catalogue2alm" },
  { "matrix", armilla_matrix_get_type, ARMILLA_PORT_OUT,
    "the matrices 00, 0+, ++ and --, or those selected by spins, and with pure 0p, +p and pp: "
    "rows are multipoles of the masked sky, columns multipoles of the full sky" },
  { NULL, NULL, 0, NULL },
};

enum { SPINS_ALL, SPINS_0, SPINS_0X2, SPINS_2 };

static const char *const spins[] = {
  [SPINS_ALL] = "all", [SPINS_0] = "0", [SPINS_0X2] = "0x2", [SPINS_2] = "2", NULL,
};

static ArmillaCouplingKinds
kinds_of (int chosen, gboolean pure)
{
  static const ArmillaCouplingKinds kinds[] = {
    [SPINS_0] = ARMILLA_COUPLING_KIND_00,
    [SPINS_0X2] = ARMILLA_COUPLING_KIND_0P,
    [SPINS_2] = ARMILLA_COUPLING_KIND_PP | ARMILLA_COUPLING_KIND_MM,
    [SPINS_ALL] = ARMILLA_COUPLING_KIND_00 | ARMILLA_COUPLING_KIND_0P | ARMILLA_COUPLING_KIND_PP
                  | ARMILLA_COUPLING_KIND_MM,
  };
  static const ArmillaCouplingKinds purified[] = {
    [SPINS_0X2] = ARMILLA_COUPLING_KIND_0PURE,
    [SPINS_2] = ARMILLA_COUPLING_KIND_PPURE | ARMILLA_COUPLING_KIND_PUREPURE,
    [SPINS_ALL] = ARMILLA_COUPLING_KIND_0PURE | ARMILLA_COUPLING_KIND_PPURE
                  | ARMILLA_COUPLING_KIND_PUREPURE,
  };

  return kinds[chosen] | (pure ? purified[chosen] : 0);
}

/* Fails unless the noise is one spectrum as long as that of the mask. */
static gboolean
check_noise (ArmillaData *const *inputs, GError **error)
{
  const int n = armilla_cl_n_fields (ARMILLA_CL (inputs[NOISE]));
  const gint64 end = armilla_cl_lmax (ARMILLA_CL (inputs[NOISE]));
  const gint64 mask_end = armilla_cl_lmax (ARMILLA_CL (inputs[CL]));

  return (n == 1 && end == mask_end)
         || armilla_fail (error, ARMILLA_ERROR_SHAPE,
                          "noise has %d spectra up to l = %" G_GINT64_FORMAT "; must have one up "
                          "to %" G_GINT64_FORMAT ", as cl", n, end, mask_end);
}

static gboolean
check_inputs (ArmillaCoupling *self, ArmillaData *const *inputs, GError **error)
{
  const ArmillaPort masks[] = { ports[MASK], ports[MASK2], { NULL, NULL, 0, NULL } };

  if ((inputs[MASK] != NULL) == (inputs[CL] != NULL))
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "mask and cl: connect exactly one, a mask or its spectrum");
  if (inputs[MASK2] != NULL && inputs[MASK] == NULL)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "mask2 requires mask; connect mask too, and not cl");
  for (int i = MASK; i <= MASK2; i++)
    if (inputs[i] != NULL && armilla_map_n_fields (ARMILLA_MAP (inputs[i])) != 1)
      return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                           "%s has %d fields; must be one (read-map reads single columns)",
                           ports[i].name, armilla_map_n_fields (ARMILLA_MAP (inputs[i])));
  if (inputs[CL] != NULL && armilla_cl_n_fields (ARMILLA_CL (inputs[CL])) != 1)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "cl has %d spectra; must be 1: the spectrum of a mask",
                         armilla_cl_n_fields (ARMILLA_CL (inputs[CL])));
  if (inputs[NOISE] != NULL && inputs[CL] == NULL)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "noise requires cl, the spectrum of a mask; connect cl, or disconnect "
                         "noise");
  if (inputs[NOISE] != NULL && !check_noise (inputs, error))
    return FALSE;
  if (self->pure && self->spins == SPINS_0)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "pure requires E and B, but spins = 0; set spins to 0x2, 2 or all");
  if (inputs[CL] != NULL && armilla_stage_given (self, "iterations"))
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "iterations applies to masks only; leave it out");
  return armilla_stage_agree (masks, inputs, ARMILLA_AGREE_SHAPE | ARMILLA_AGREE_COORDINATES,
                              error);
}

/* Finds the maximum multipoles of the matrices, and of the mask. */
static gboolean
find_degrees (ArmillaCoupling *self, ArmillaData *const *inputs, gint64 *lmax, GError **error)
{
  const ArmillaGrid *grid
    = inputs[MASK] != NULL ? armilla_grid_whole (armilla_map_grid (ARMILLA_MAP (inputs[MASK])))
                           : NULL;
  const gint64 known = grid == NULL ? armilla_cl_lmax (ARMILLA_CL (inputs[CL]))
                       : grid->kind == ARMILLA_GRID_HEALPIX || self->lmax >= 0
                         ? armilla_grid_mask_lmax (grid, self->lmax) : -1;

  *lmax = self->lmax >= 0 ? self->lmax : known;
  if (*lmax < 0)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "lmax: must be set unless mask is a HEALPix map (3 nside - 1) or cl is "
                         "connected");
  if (*lmax >= 100000)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "lmax = %" G_GINT64_FORMAT ": must be below 100000, since matrices would "
                         "not fit into any memory", *lmax);
  if (inputs[CL] != NULL && self->mask_lmax > known)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "mask-lmax = %" G_GINT64_FORMAT " is beyond the end of cl, l = %"
                         G_GINT64_FORMAT, self->mask_lmax, known);
  self->analysed = self->mask_lmax >= 0 ? self->mask_lmax : known;
  self->found = MIN (self->analysed, 2 * *lmax);
  return TRUE;
}

static gboolean
coupling_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                  ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaCoupling *self = ARMILLA_COUPLING (stage);
  gint64 lmax;

  (void) context;
  if (!check_inputs (self, inputs, error) || !find_degrees (self, inputs, &lmax, error))
    return FALSE;
  outputs[0]
    = ARMILLA_DATA (armilla_coupling_matrix_new (lmax, kinds_of (self->spins, self->pure)));
  for (int i = MASK; i <= NOISE; i++)
    armilla_stage_inherit (outputs[0], inputs[i]);
  return TRUE;
}

static ArmillaAlm *
analyse (ArmillaCoupling *self, ArmillaGraph *graph, ArmillaMap *mask, GError **error)
{
  const ArmillaAlmLayout layout = { self->analysed, self->analysed };
  g_autoptr (ArmillaAlm) alm = armilla_alm_new (layout, 1);

  return armilla_graph_analysis (graph, mask, alm, self->iterations, error)
    ? g_steal_pointer (&alm) : NULL;
}

/* Computes the spectrum of the masks up to the analysed multipole, as NaMaster does: with
 * iterations it depends on that limit, although the matrices need only 2 lmax. */
static ArmillaCl *
find_spectrum (ArmillaCoupling *self, ArmillaGraph *graph, ArmillaData *const *inputs,
               GError **error)
{
  g_autoptr (ArmillaCl) cl = armilla_cl_new (self->found, NULL, 1);
  g_autoptr (ArmillaAlm) one = analyse (self, graph, ARMILLA_MAP (inputs[MASK]), error);
  g_autoptr (ArmillaAlm) other = NULL;

  if (one != NULL)
    other = inputs[MASK2] != NULL ? analyse (self, graph, ARMILLA_MAP (inputs[MASK2]), error)
                                  : g_object_ref (one);
  return other != NULL && armilla_graph_spectra (graph, one, other, cl, error)
    ? g_steal_pointer (&cl) : NULL;
}

/* Returns the given spectrum of the mask, less its noise. */
static ArmillaCl *
subtract_noise (ArmillaGraph *graph, ArmillaData *const *inputs, GError **error)
{
  static const double difference[] = { 1, -1 };
  g_autoptr (ArmillaCl) out = NULL;

  if (inputs[NOISE] == NULL)
    return ARMILLA_CL (g_object_ref (inputs[CL]));
  out = armilla_cl_new (armilla_cl_lmax (ARMILLA_CL (inputs[CL])), NULL, 1);
  return armilla_graph_combine (graph, inputs + CL, difference, 2, ARMILLA_DATA (out), error)
    ? g_steal_pointer (&out) : NULL;
}

static gboolean
coupling_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
                ArmillaData *const *outputs, GError **error)
{
  ArmillaCoupling *self = ARMILLA_COUPLING (stage);
  g_autoptr (ArmillaCl) cl
    = inputs[CL] != NULL ? subtract_noise (graph, inputs, error)
                         : find_spectrum (self, graph, inputs, error);

  return cl != NULL
         && armilla_graph_coupling (graph, cl, self->found, ARMILLA_MATRIX (outputs[0]), error);
}

static ArmillaTransforms
coupling_transforms (ArmillaStage *stage)
{
  return ARMILLA_COUPLING (stage)->iterations == 0 ? ARMILLA_TRANSFORMS_ANALYSIS
                                                   : ARMILLA_TRANSFORMS_BOTH;
}

static const ArmillaProperty properties[] = {
  { "lmax", ARMILLA_INT64 (ArmillaCoupling, lmax, -1, G_MAXINT32, -1),
    "highest multipole of the matrices; -1: 3 nside - 1 for a HEALPix mask, or the end of cl" },
  { "mask-lmax", ARMILLA_INT64 (ArmillaCoupling, mask_lmax, -1, G_MAXINT32, -1),
    "highest multipole of the analysis of the mask, of which those up to 2 lmax are used; -1: 3 "
    "nside - 1 for a HEALPix mask, the highest that other grids determine, or the end of cl" },
  { "spins", ARMILLA_ENUM (ArmillaCoupling, spins, spins, SPINS_ALL),
    "spins of the two fields: 0 for the matrix 00, 0x2 for 0+, 2 for ++ and --, all for the four" },
  { "pure", ARMILLA_BOOLEAN (ArmillaCoupling, pure, FALSE),
    "also compute the matrices of purified fields: 0p of a scalar and a purified E or B, +p of E "
    "or B and a purified field, pp of two purified fields" },
  { "iterations", ARMILLA_INT (ArmillaCoupling, iterations, 0, 1000, 3),
    "residual iterations of the analysis of masks, as in map2alm" },
};

static void
armilla_coupling_class_init (ArmillaCouplingClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "coupling";
  armilla_stage_set_example (stage, "mask = mask; lmax = 32");
  stage->summary = "Compute the coupling matrices of a mask";
  stage->description =
    "The spectrum of a masked sky is on average M C, where C is the full-sky spectrum: M_{l1 l2} "
    "= (2 l2 + 1) / (4 pi) sum over l3 of (2 l3 + 1) W_l3 times two Wigner 3j symbols (l1 l2 l3; "
    "s -s 0), with W the spectrum of the mask. 00 couples spectra of two scalars, 0+ those of a "
    "scalar and a field of spin 2, ++ EE to EE and -- BB to EE. For fields of purify, which have "
    "no E-B mixing, sqrt ((l2 + 2)! (l1 - 2)! / ((l2 - 2)! (l1 + 2)!)) (l1 l2 l3; 0 0 0) replaces "
    "(l1 l2 l3; 2 -2 0). As with NaMaster and PolSpice, masks are not needed again once the "
    "matrices are computed; write-matrix saves them.";
  stage->reference = "Hivon et al. (2002), MASTER of the CMB anisotropy power spectrum, eq. A31; "
                     "Alonso, Sanchez and Slosar (2019), A unified pseudo-C_l framework, eq. 14";
  stage->ports = ports;
  stage->prepare = coupling_prepare;
  stage->build = coupling_build;
  stage->transforms = coupling_transforms;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
}
