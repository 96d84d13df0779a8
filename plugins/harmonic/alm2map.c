/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/armilla.h>

#include "core/base/quantity.h"
#include "core/grids/car.h"
#include "plugins/base/stage-util.h"
#include "plugins/base/stage.h"

#define FOLDED_DEGREES \
  "pixels get the values at their centres, but analysing the map aliases the multipoles above " \
  "this limit to lower ones; resize-alm removes them"

struct _ArmillaAlm2map {
  ArmillaStage parent_instance;
  ArmillaGridKind grid;
  gint64 nside, n_theta, n_phi;
  double resolution;
  char *footprint;
  ArmillaStageTheta theta;
  ArmillaStageLegendre legendre;
};

ARMILLA_DEFINE_STAGE (ArmillaAlm2map, armilla_alm2map, ARMILLA, ALM2MAP)

static const ArmillaPort ports[] = {
  { "alm", armilla_alm_get_type, ARMILLA_PORT_IN, "a_lm, F fields of any spins" },
  { "like", armilla_map_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "a map whose grid and rings are used; its pixels are ignored" },
  { "map", armilla_map_get_type, ARMILLA_PORT_OUT, "the map, F fields, in the unit of the a_lm" },
  { NULL, NULL, 0, NULL },
};

static const char *const grids[] = {
  [ARMILLA_GRID_HEALPIX] = "healpix", [ARMILLA_GRID_GAUSS_LEGENDRE] = "gauss-legendre",
  [ARMILLA_GRID_FEJER1] = "fejer1", [ARMILLA_GRID_CLENSHAW_CURTIS] = "clenshaw-curtis",
  [ARMILLA_GRID_DRISCOLL_HEALY] = "driscoll-healy", NULL,
};

/* Returns the smallest number of rings from which map2alm recovers the a_lm exactly. */
static gint64
default_rings (ArmillaGridKind kind, gint64 lmax)
{
  switch (kind)
    {
    case ARMILLA_GRID_GAUSS_LEGENDRE:
      return lmax + 1;
    case ARMILLA_GRID_CLENSHAW_CURTIS:
      return MAX (2 * lmax + 1, 2);
    default:
      return 2 * lmax + 2;
    }
}

static ArmillaGrid *
grid_like (ArmillaAlm2map *self, ArmillaMap *like, GError **error)
{
  if (!armilla_stage_given (self, "grid") && self->nside == 0 && self->n_theta == 0
      && self->n_phi == 0 && self->resolution == 0 && *self->footprint == 0)
    return armilla_grid_ref (armilla_map_grid (like));
  return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                            "the grid is given by both like and properties; connect like, or set "
                            "grid, nside, n-theta and n-phi, or resolution and footprint");
}

/* Reads the ranges of latitude and longitude of an image. */
static gboolean
read_footprint (const char *text, ArmillaCarBox *box, GError **error)
{
  g_auto (GStrv) words = armilla_stage_words (text);
  double *const numbers[] = { &box->dec[0], &box->dec[1], &box->ra[0], &box->ra[1] };

  if (g_strv_length (words) != G_N_ELEMENTS (numbers))
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "footprint = %s: must be four angles: minimum and maximum latitude, "
                         "minimum and maximum longitude", text);
  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      if (!armilla_quantity_parse (words[i], ARMILLA_DIMENSION_ANGLE, numbers[i], error))
        {
          g_prefix_error (error, "footprint: ");
          return FALSE;
        }
      *numbers[i] *= 180 / G_PI;
    }
  return TRUE;
}

/* Creates a grid of equidistant rings with square pixels, or an image of a part of the sky. */
static ArmillaGrid *
make_image (ArmillaAlm2map *self, GError **error)
{
  ArmillaCarBox box;
  ArmillaCar car;

  if ((self->grid != ARMILLA_GRID_FEJER1 && self->grid != ARMILLA_GRID_CLENSHAW_CURTIS)
      || self->resolution == 0 || self->nside != 0 || self->n_theta != 0 || self->n_phi != 0)
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                              "resolution and footprint require grid = fejer1 or "
                              "clenshaw-curtis%s, without nside, n-theta and n-phi",
                              self->resolution == 0 ? ", and footprint requires resolution" : "");
  if (!armilla_car_whole (&car, self->grid, self->resolution, error))
    return NULL;
  if (*self->footprint != 0)
    {
      if (!read_footprint (self->footprint, &box, error))
        return NULL;
      if (!armilla_car_cut (&car, &box, error))
        {
          g_prefix_error (error, "footprint: ");
          return NULL;
        }
    }
  return armilla_grid_new_car (&car, error);
}

static ArmillaGrid *
make_grid (ArmillaAlm2map *self, const ArmillaStageContext *context, ArmillaAlm *alm,
           GError **error)
{
  const ArmillaAlmLayout layout = armilla_alm_layout (alm);
  gint64 n_theta, n_phi;

  if (self->resolution != 0 || *self->footprint != 0)
    return make_image (self, error);
  if (self->grid == ARMILLA_GRID_HEALPIX)
    {
      if (self->nside > 0 && self->n_theta == 0 && self->n_phi == 0)
        return armilla_stage_new_healpix (context, self->nside, armilla_alm_n_fields (alm), error);
      g_set_error_literal (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE,
                           self->nside == 0
                           ? "nside is not set; set it, or choose another grid, or connect like"
                           : "n-theta and n-phi do not apply to a HEALPix grid; set nside only");
      return NULL;
    }
  if (self->nside != 0)
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                              "nside requires grid = healpix; set n-theta and n-phi instead");
  n_theta = self->n_theta > 0 ? self->n_theta : default_rings (self->grid, layout.lmax);
  n_phi = self->n_phi > 0 ? self->n_phi : 2 * layout.mmax + 2;
  return self->grid == ARMILLA_GRID_GAUSS_LEGENDRE
    ? armilla_grid_new_gauss_legendre (n_theta, n_phi, error)
    : armilla_grid_new_equiangular (self->grid, n_theta, n_phi, error);
}

static gboolean
alm2map_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                 ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaAlm2map *self = ARMILLA_ALM2MAP (stage);
  ArmillaAlm *alm = ARMILLA_ALM (inputs[0]);
  g_autoptr (ArmillaGrid) whole = inputs[1] != NULL
    ? grid_like (self, ARMILLA_MAP (inputs[1]), error)
    : make_grid (self, context, alm, error);
  g_autoptr (ArmillaGrid) grid = NULL;
  ArmillaMap *map;

  if (whole != NULL && armilla_stage_legendre_prepare (&self->legendre, error))
    grid = armilla_stage_select_theta (self, whole, &self->theta, error);
  if (grid == NULL)
    return FALSE;
  map = armilla_stage_new_map_of (grid, alm);
  armilla_stage_limit_degrees (ARMILLA_DATA (map), NULL, grid, armilla_alm_layout (alm).lmax,
                               FOLDED_DEGREES);
  outputs[0] = ARMILLA_DATA (map);
  return TRUE;
}

static gboolean
alm2map_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
               ArmillaData *const *outputs, GError **error)
{
  ArmillaAlm *alm = ARMILLA_ALM (inputs[0]);
  g_autoptr (ArmillaMap) map = armilla_stage_uncropped (ARMILLA_MAP (outputs[0]));
  gboolean done;

  armilla_stage_limit_degrees (NULL, graph, armilla_map_grid (map), armilla_alm_layout (alm).lmax,
                               FOLDED_DEGREES);
  return armilla_stage_legendre_build (&ARMILLA_ALM2MAP (stage)->legendre, graph, alm, map, &done,
                                       error)
    && (done || armilla_graph_synthesis (graph, alm, map, error))
    && armilla_stage_crop (graph, map, ARMILLA_MAP (outputs[0]), error);
}

static ArmillaTransforms
alm2map_transforms (ArmillaStage *stage)
{
  (void) stage;
  return ARMILLA_TRANSFORMS_SYNTHESIS;
}

static const ArmillaProperty properties[] = {
  { "grid", ARMILLA_ENUM (ArmillaAlm2map, grid, grids, ARMILLA_GRID_HEALPIX), "kind of grid" },
  { "nside", ARMILLA_INT64 (ArmillaAlm2map, nside, 0, G_GINT64_CONSTANT (1) << 24, 0),
    "HEALPix resolution, any integer; 0: not given" },
  { "n-theta", ARMILLA_INT64 (ArmillaAlm2map, n_theta, 0, G_GINT64_CONSTANT (1) << 26, 0),
    "number of rings of the other grids; 0: lmax + 1 for gauss-legendre, 2 lmax + 1 for "
    "clenshaw-curtis, 2 lmax + 2 for fejer1 and driscoll-healy" },
  { "n-phi", ARMILLA_INT64 (ArmillaAlm2map, n_phi, 0, G_GINT64_CONSTANT (1) << 26, 0),
    "pixels per ring of the other grids; 0: 2 mmax + 2" },
  { "resolution",
    ARMILLA_QUANTITY (ArmillaAlm2map, resolution, ARMILLA_DIMENSION_ANGLE, 0, G_PI, 0),
    "size of square pixels of fejer1 and clenshaw-curtis, instead of n-theta and n-phi: an angle "
    "that divides 180 degrees" },
  { "footprint", ARMILLA_TEXT (ArmillaAlm2map, footprint, ""),
    "part of the sky, with resolution: minimum and maximum latitude, then minimum and maximum "
    "longitude (which may exceed 360 degrees) of the centres of pixels" },
};

static void
armilla_alm2map_class_init (ArmillaAlm2mapClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "alm2map";
  armilla_stage_set_example (stage, "nside = 16");
  stage->summary = "Synthesize a map from a_lm";
  stage->description =
    "f(theta, phi) = sum over l and m of a_lm Y_lm(theta, phi), with orthonormal Y_lm and the "
    "Condon-Shortley phase. A pair of fields of spin s > 0, gradient E and curl B, becomes Q and "
    "U with Q + iU = - sum of (E + iB)_lm sY_lm and Q - iU = -(-1)^s sum of (E - iB)_lm -sY_lm, "
    "as in healpy's alm2map (T, E, B to I, Q, U, in the convention COSMO) and alm2map_spin. "
    "HEALPix needs nside; the other grids default to the smallest numbers of rings and pixels "
    "from which map2alm recovers the a_lm. With theta-min and theta-max only the rings between "
    "them are computed. With resolution, fejer1 and clenshaw-curtis grids have the pixels of "
    "pixell's fullsky_geometry, or the part of them in a footprint; like gives the map the pixels "
    "of a file. Pixels of rings outside a footprint are UNSEEN.";
  stage->reference = "Hupca et al. (2010), Spherical harmonic transform with GPUs, eqs. 7 and 8";
  stage->ports = ports;
  stage->prepare = alm2map_prepare;
  stage->build = alm2map_build;
  stage->transforms = alm2map_transforms;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
  armilla_stage_install_theta (stage, G_STRUCT_OFFSET (ArmillaAlm2map, theta));
  armilla_stage_install_legendre (stage, G_STRUCT_OFFSET (ArmillaAlm2map, legendre));
}
