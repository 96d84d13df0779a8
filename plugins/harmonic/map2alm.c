/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include <armilla/armilla.h>

#include "core/fits/fields.h"
#include "core/grids/grid.h"
#include "plugins/base/stage-util.h"
#include "plugins/base/stage.h"
#include "plugins/harmonic/map2alm-weights.h"
#include "tasks/harmonic/harmonic.h"
#include "tasks/pixels/pixels.h"

#define UNSEEN_DEGREES \
  "multipoles above this are aliased to lower ones, and their a_lm are meaningless"

typedef enum { METHOD_ITERATE, METHOD_CG } Method;

struct _ArmillaMap2alm {
  ArmillaStage parent_instance;
  gint64 lmax, mmax;
  Method method;
  int iterations, max_iterations;
  double tolerance;
  ArmillaStageLegendre legendre;
  char *ring_weights, *pixel_weights;
  ArmillaAnalysis how; /* method, chosen from the properties and the grid */
  gboolean spills; /* whether memory is limited, so that StarPU moves tiles to the disk */
  ArmillaWeights weights;
};

ARMILLA_DEFINE_STAGE (ArmillaMap2alm, armilla_map2alm, ARMILLA, MAP2ALM)

static const ArmillaPort ports[] = {
  { "map", armilla_map_get_type, ARMILLA_PORT_IN,
    "a map, F fields of any spins; UNSEEN counts as 0" },
  { "alm", armilla_alm_get_type, ARMILLA_PORT_OUT, "a_lm, F fields, in the unit of the map" },
  { NULL, NULL, 0, NULL },
};

static const char *const methods[] = { [METHOD_ITERATE] = "iterate", [METHOD_CG] = "cg", NULL };

/* Returns healpy's default for HEALPix, otherwise the exact limit of the grid's quadrature. */
static gint64
default_lmax (ArmillaGrid *part)
{
  const ArmillaGrid *grid = armilla_grid_whole (part);

  switch (grid->kind)
    {
    case ARMILLA_GRID_HEALPIX:
      return 3 * grid->nside - 1;
    case ARMILLA_GRID_RINGS:
      return (grid->n_rings - 1) / 2;
    default:
      return armilla_grid_exact_lmax (grid->kind, grid->n_rings);
    }
}

/* Returns the default mmax: half the number of pixels of the longest ring, at most lmax. Higher
 * orders cannot be distinguished from lower ones. */
static gint64
default_mmax (const ArmillaGrid *grid, gint64 lmax)
{
  gint64 longest = 1;

  if (grid->kind == ARMILLA_GRID_HEALPIX)
    return lmax;
  for (gint64 i = 0; i < grid->n_rings; i++)
    longest = MAX (longest, grid->rings[i].n_phi);
  return MIN (lmax, (longest - 1) / 2);
}

static gboolean
check_method (ArmillaMap2alm *self, GError **error)
{
  const char *wrong = NULL;

  if (self->method == METHOD_CG && armilla_stage_given (self, "iterations"))
    wrong = "iterations requires method = iterate; with method = cg set max-iterations";
  else if (self->method == METHOD_ITERATE && armilla_stage_given (self, "max-iterations"))
    wrong = "max-iterations requires method = cg; with method = iterate set iterations";
  else if (self->method == METHOD_ITERATE && armilla_stage_given (self, "tolerance"))
    wrong = "tolerance requires method = cg; method = iterate has a fixed number of iterations";
  else if (self->pixel_weights[0] != '\0' && self->ring_weights[0] != '\0')
    wrong = "ring-weights and pixel-weights exclude each other; set one of them";
  else if (self->pixel_weights[0] != '\0' && self->method == METHOD_CG)
    wrong = "pixel-weights are a quadrature, but method = cg solves a least-squares problem; set "
            "one of them";
  else if (self->pixel_weights[0] != '\0' && armilla_stage_given (self, "iterations")
           && self->iterations > 0)
    wrong = "iterations must be 0 (or not given) with pixel-weights, which need none";
  if (wrong == NULL)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE, "%s", wrong);
}

/* Chooses the method: the property, or the default of the grid. */
static gboolean
choose (ArmillaMap2alm *self, ArmillaGrid *grid, ArmillaAlmLayout layout, GError **error)
{
  self->how = (ArmillaAnalysis) { .iterations = self->iterations };
  if (self->method == METHOD_CG)
    self->how = (ArmillaAnalysis) { 0, self->tolerance, self->max_iterations };
  else if (self->pixel_weights[0] != '\0')
    self->how.iterations = 0;
  return armilla_analysis_choose (grid, layout, &self->how, error);
}

/* Multiplies the map by its pixel weights before the analysis, as healpy does. */
static ArmillaMap *
weigh_pixels (ArmillaMap2alm *self, ArmillaGraph *graph, ArmillaMap *map, GError **error)
{
  ArmillaGrid *grid = armilla_map_grid (map);
  g_autoptr (ArmillaMap) weights = armilla_weights_map (&self->weights, graph, grid, error);
  g_autoptr (ArmillaMap) product = NULL;
  const ArmillaMaskOptions options = { .outside_unseen = FALSE };

  if (weights == NULL)
    return NULL;
  product = armilla_map_new (grid, armilla_map_n_fields (map));
  armilla_map_set_spins (product, armilla_map_spins (map));
  return armilla_graph_mask (graph, map, weights, &options, product, error)
    ? g_steal_pointer (&product) : NULL;
}

static const char *
common_unit (const ArmillaMapHeader *header)
{
  for (int i = 1; i < header->fields.n; i++)
    if (strcmp (header->fields.units[i], header->fields.units[0]) != 0)
      return "";
  return header->fields.units[0];
}

static gboolean
prepare_weights (ArmillaMap2alm *self, const ArmillaStageContext *context, ArmillaGrid *grid,
                 GError **error)
{
  if (self->ring_weights[0] != '\0')
    return armilla_weights_prepare (&self->weights, context, ARMILLA_WEIGHTS_RINGS,
                                    self->ring_weights, grid, error);
  return self->pixel_weights[0] == '\0'
         || armilla_weights_prepare (&self->weights, context, ARMILLA_WEIGHTS_PIXELS,
                                     self->pixel_weights, grid, error);
}

static gboolean
map2alm_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                 ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaMap2alm *self = ARMILLA_MAP2ALM (stage);
  ArmillaMap *map = ARMILLA_MAP (inputs[0]);
  const ArmillaMapHeader *header = armilla_map_header (map);
  ArmillaGrid *grid = armilla_map_grid (map);
  ArmillaAlmLayout layout;
  ArmillaAlm *alm;

  self->spills = context->spills;
  layout.lmax = self->lmax >= 0 ? self->lmax : default_lmax (grid);
  layout.mmax = self->mmax >= 0 ? self->mmax : default_mmax (grid, layout.lmax);
  if (!check_method (self, error) || !armilla_stage_legendre_prepare (&self->legendre, error)
      || !armilla_alm_layout_check (layout, error)
      || !choose (self, grid, layout, error)
      || !prepare_weights (self, context, grid, error))
    return FALSE;
  alm = armilla_alm_new (layout, header->fields.n);
  armilla_alm_set_spins (alm, header->fields.spins);
  armilla_alm_set_unit (alm, common_unit (header));
  armilla_alm_set_coordsys (alm, header->fields.coordsys);
  armilla_fields_set_names (armilla_data_fields (ARMILLA_DATA (alm)),
                            (const char *const *) header->fields.names);
  armilla_stage_inherit (ARMILLA_DATA (alm), inputs[0]);
  armilla_weights_note (&self->weights, ARMILLA_DATA (alm));
  armilla_stage_limit_degrees (ARMILLA_DATA (alm), NULL, grid, layout.lmax, UNSEEN_DEGREES);
  outputs[0] = ARMILLA_DATA (alm);
  return TRUE;
}

/* Returns the bytes of additional a_lm for conjugate gradients or iterations; without iterations
 * those of Delta on all rings, if the rings are resampled. */
static double
map2alm_memory (ArmillaStage *stage, ArmillaData *const *inputs, ArmillaData *const *outputs)
{
  const ArmillaMap2alm *self = ARMILLA_MAP2ALM (stage);
  const int n = self->how.tolerance > 0 ? 3 : MIN (self->how.iterations, 2);
  ArmillaGrid *grid = armilla_map_grid (ARMILLA_MAP (inputs[0]));
  const ArmillaAlmLayout layout = armilla_alm_layout (ARMILLA_ALM (outputs[0]));
  const double delta = n == 0 && armilla_analysis_resamples (grid, layout.lmax)
                         ? 16.0 * (double) grid->n_rings * (double) (layout.mmax + 1)
                             * armilla_map_n_fields (ARMILLA_MAP (inputs[0]))
                         : 0;

  return self->spills ? 0 : n * armilla_data_bytes (outputs[0]) + delta;
}

/* Returns the map to analyse: the input itself, a copy with ring weights, or the input times pixel
 * weights. */
static ArmillaMap *
weigh (ArmillaMap2alm *self, ArmillaGraph *graph, ArmillaMap *map, GError **error)
{
  g_autoptr (ArmillaGrid) weighted = NULL;

  if (self->weights.kind == ARMILLA_WEIGHTS_NONE)
    return g_object_ref (map);
  if (!armilla_weights_build (&self->weights, graph, error))
    return NULL;
  if (self->weights.kind == ARMILLA_WEIGHTS_PIXELS)
    return weigh_pixels (self, graph, map, error);
  weighted = armilla_grid_with_ring_weights (armilla_map_grid (map), self->weights.factors,
                                             self->weights.n, error);
  return weighted != NULL ? armilla_map_new_view (map, weighted) : NULL;
}

static gboolean
map2alm_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
               ArmillaData *const *outputs, GError **error)
{
  ArmillaMap2alm *self = ARMILLA_MAP2ALM (stage);
  ArmillaAlm *alm = ARMILLA_ALM (outputs[0]);
  g_autoptr (ArmillaMap) map = NULL;
  gboolean done;

  armilla_stage_limit_degrees (NULL, graph, armilla_map_grid (ARMILLA_MAP (inputs[0])),
                               armilla_alm_layout (alm).lmax, UNSEEN_DEGREES);
  if (!armilla_stage_legendre_build (&self->legendre, graph, alm, ARMILLA_MAP (inputs[0]), &done,
                                     error))
    return FALSE;
  if (done)
    return TRUE;
  map = weigh (self, graph, ARMILLA_MAP (inputs[0]), error);
  if (map == NULL)
    return FALSE;
  return self->how.tolerance > 0
    ? armilla_graph_analysis_cg (graph, map, alm, self->how.tolerance, self->how.max_iterations,
                                 error)
    : armilla_graph_analysis (graph, map, alm, self->how.iterations, error);
}

/* Returns the directions of the transforms: iterations need a synthesis, too. */
static ArmillaTransforms
map2alm_transforms (ArmillaStage *stage)
{
  const ArmillaMap2alm *self = ARMILLA_MAP2ALM (stage);
  gboolean once = self->method == METHOD_ITERATE
                  && (self->iterations == 0 || self->pixel_weights[0] != '\0');

  return once ? ARMILLA_TRANSFORMS_ANALYSIS : ARMILLA_TRANSFORMS_BOTH;
}

static const ArmillaProperty properties[] = {
  { "lmax", ARMILLA_INT64 (ArmillaMap2alm, lmax, -1, G_MAXINT32, -1),
    "highest multipole; -1: 3 nside - 1 for HEALPix, otherwise the highest that the grid's "
    "quadrature integrates exactly. Above 3 nside - 1 the run prints a note, because these "
    "multipoles are aliased. The analysis of n rings is exact up to n - 1 on gauss-legendre and "
    "fejer1, n - 2 on clenshaw-curtis, n / 2 - 1 on driscoll-healy; a higher lmax is an error, "
    "unless iterations or method = cg is set" },
  { "mmax", ARMILLA_INT64 (ArmillaMap2alm, mmax, -1, G_MAXINT32, -1),
    "highest order; -1: lmax, or less if the rings have too few pixels" },
  { "method", ARMILLA_ENUM (ArmillaMap2alm, method, methods, METHOD_ITERATE),
    "iterate: quadrature and a fixed number of residual iterations, as healpy; cg: least squares "
    "by conjugate gradients, to a tolerance" },
  { "iterations", ARMILLA_INT (ArmillaMap2alm, iterations, -1, 1000, -1),
    "residual iterations of method = iterate; -1: 3 for HEALPix and for rings read from a file, "
    "0 for other grids. Ignored if all rings of a Fejer 1 or Clenshaw-Curtis grid are resampled, "
    "because that is exact" },
  { "max-iterations", ARMILLA_INT (ArmillaMap2alm, max_iterations, 1, 100000, 100),
    "maximum number of iterations of method = cg, after which the run fails" },
  { "tolerance", ARMILLA_DOUBLE (ArmillaMap2alm, tolerance, 1e-15, 0.5, 1e-10),
    "method = cg stops when the residual of the normal equations is this fraction of its value "
    "for a_lm = 0" },
  { "ring-weights", ARMILLA_TEXT (ArmillaMap2alm, ring_weights, ""),
    "HEALPix's ring weights: the nside of the map, to read them from HEALPix's data, or compute "
    "them if these have no file; compute, to compute them always; or a file "
    "(weight_ring_nNNNNN.fits). Computed weights integrate exactly up to l = 3 nside. "
    "Empty: none", ARMILLA_PROPERTY_FILE_OR_NSIDE },
  { "pixel-weights", ARMILLA_TEXT (ArmillaMap2alm, pixel_weights, ""),
    "HEALPix's pixel weights, by which the map is multiplied first; then there are no iterations. "
    "A file (healpix_full_weights_nside_NNNN.fits); the nside of the map, to read them from "
    "HEALPix's data, or compute them if these have no file; or compute, to compute them always. "
    "Computed weights integrate exactly up to l = 2.5 nside, and take as long as about ten "
    "iterations of one field. Empty: none", ARMILLA_PROPERTY_FILE_OR_NSIDE },
};

static void
armilla_map2alm_class_init (ArmillaMap2almClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "map2alm";
  stage->summary = "Analyse a map into a_lm";
  stage->description =
    "a_lm = sum over pixels of w f conj(Y_lm), with the quadrature weights w of the grid; each "
    "iteration adds the a_lm of the residual map. UNSEEN pixels count as 0, also in the "
    "iterations. A pair of fields of spin s > 0, Q and U, becomes gradient E and curl B, as in "
    "healpy's map2alm (I, Q, U to T, E, B, in the convention COSMO) and map2alm_spin.";
  stage->reference = "Hupca et al. (2010), Spherical harmonic transform with GPUs, eq. 1";
  stage->ports = ports;
  stage->prepare = map2alm_prepare;
  stage->build = map2alm_build;
  stage->transforms = map2alm_transforms;
  stage->memory = map2alm_memory;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
  armilla_stage_install_legendre (stage, G_STRUCT_OFFSET (ArmillaMap2alm, legendre));
  ARMILLA_STAGE_OWNS (stage, ArmillaMap2alm, weights.factors, g_free);
}
