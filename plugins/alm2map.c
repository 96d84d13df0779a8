/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/armilla.h>

#include "plugins/stage-util.h"
#include "plugins/stages.h"

struct _ArmillaAlm2map {
  ArmillaStage parent_instance;
  ArmillaGridKind grid;
  gint64 nside, n_theta, n_phi;
  gboolean grid_given;
};

G_DECLARE_FINAL_TYPE (ArmillaAlm2map, armilla_alm2map, ARMILLA, ALM2MAP, ArmillaStage)
G_DEFINE_FINAL_TYPE (ArmillaAlm2map, armilla_alm2map, ARMILLA_TYPE_STAGE)

enum { PROP_GRID = 1, PROP_NSIDE, PROP_N_THETA, PROP_N_PHI, N_PROPS };
static GParamSpec *props[N_PROPS];

static const ArmillaPort ports[] = {
  { "alm", armilla_alm_get_type, ARMILLA_PORT_IN, "a_lm, F fields of spin 0" },
  { "like", armilla_map_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "a map whose grid is taken; its pixels are not looked at" },
  { "map", armilla_map_get_type, ARMILLA_PORT_OUT, "the map, F fields, in the unit of the a_lm" },
  { NULL, NULL, 0, NULL },
};

static const GEnumValue grids[] = {
  { ARMILLA_GRID_HEALPIX, "ARMILLA_ALM2MAP_HEALPIX", "healpix" },
  { ARMILLA_GRID_GAUSS_LEGENDRE, "ARMILLA_ALM2MAP_GAUSS_LEGENDRE", "gauss-legendre" },
  { ARMILLA_GRID_FEJER1, "ARMILLA_ALM2MAP_FEJER1", "fejer1" },
  { ARMILLA_GRID_CLENSHAW_CURTIS, "ARMILLA_ALM2MAP_CLENSHAW_CURTIS", "clenshaw-curtis" },
  { ARMILLA_GRID_DRISCOLL_HEALY, "ARMILLA_ALM2MAP_DRISCOLL_HEALY", "driscoll-healy" },
  { 0, NULL, NULL },
};

/* The fewest rings from which map2alm gets the a_lm back exactly. */
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
  if (!self->grid_given && self->nside == 0 && self->n_theta == 0 && self->n_phi == 0)
    return armilla_grid_ref (armilla_map_grid (like));
  g_set_error_literal (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE,
                       "the grid is given twice; connect like, or set grid, nside, n-theta and "
                       "n-phi");
  return NULL;
}

static ArmillaGrid *
make_grid (ArmillaAlm2map *self, ArmillaAlmLayout layout, GError **error)
{
  gint64 n_theta, n_phi;

  if (self->grid == ARMILLA_GRID_HEALPIX)
    {
      if (self->nside > 0 && self->n_theta == 0 && self->n_phi == 0)
        return armilla_grid_new_healpix (self->nside, error);
      g_set_error_literal (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE,
                           self->nside == 0
                           ? "nside is not set; set it, or choose another grid, or connect like"
                           : "n-theta and n-phi do not belong to a HEALPix grid; set nside only");
      return NULL;
    }
  if (self->nside != 0)
    {
      g_set_error_literal (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE,
                           "nside belongs to grid = healpix; set n-theta and n-phi instead");
      return NULL;
    }
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
  static const char *const alone[] = { "TEMPERATURE", NULL };
  static const char *const iqu[] = { "TEMPERATURE", "Q_POLARISATION", "U_POLARISATION", NULL };
  ArmillaAlm *alm = ARMILLA_ALM (inputs[0]);
  const char *const *names = armilla_stage_carried_names (inputs[0]);
  g_autoptr (ArmillaGrid) grid = inputs[1] != NULL
    ? grid_like (self, ARMILLA_MAP (inputs[1]), error)
    : make_grid (self, armilla_alm_layout (alm), error);
  ArmillaMap *map;

  (void) context;
  if (grid == NULL
      || !armilla_transform_check_spins (armilla_alm_spins (alm), armilla_alm_n_fields (alm),
                                         error))
    return FALSE;
  map = armilla_map_new (grid, armilla_alm_n_fields (alm));
  armilla_map_set_spins (map, armilla_alm_spins (alm));
  if (names == NULL && armilla_map_n_fields (map) == 1)
    names = alone;
  if (names == NULL && armilla_stage_is_teb (armilla_alm_spins (alm), armilla_map_n_fields (map)))
    names = iqu;
  if (names != NULL)
    armilla_stage_set_names (armilla_map_header (map), names);
  armilla_stage_set_unit (armilla_map_header (map), armilla_alm_unit (alm));
  armilla_map_header (map)->coordsys = g_strdup (armilla_alm_coordsys (alm));
  armilla_stage_inherit (ARMILLA_DATA (map), inputs[0]);
  outputs[0] = ARMILLA_DATA (map);
  return TRUE;
}

static gboolean
alm2map_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
               ArmillaData *const *outputs, GError **error)
{
  (void) stage;
  return armilla_graph_synthesis (graph, ARMILLA_ALM (inputs[0]), ARMILLA_MAP (outputs[0]),
                                  error);
}

static void
alm2map_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  ArmillaAlm2map *self = ARMILLA_ALM2MAP (object);

  switch (id)
    {
    case PROP_GRID:
      g_value_set_enum (value, self->grid);
      break;
    case PROP_NSIDE:
      g_value_set_int64 (value, self->nside);
      break;
    case PROP_N_THETA:
      g_value_set_int64 (value, self->n_theta);
      break;
    case PROP_N_PHI:
      g_value_set_int64 (value, self->n_phi);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
alm2map_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  ArmillaAlm2map *self = ARMILLA_ALM2MAP (object);

  switch (id)
    {
    case PROP_GRID:
      self->grid = g_value_get_enum (value);
      self->grid_given = TRUE;
      break;
    case PROP_NSIDE:
      self->nside = g_value_get_int64 (value);
      break;
    case PROP_N_THETA:
      self->n_theta = g_value_get_int64 (value);
      break;
    case PROP_N_PHI:
      self->n_phi = g_value_get_int64 (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
armilla_alm2map_class_init (ArmillaAlm2mapClass *klass)
{
  GObjectClass *object = G_OBJECT_CLASS (klass);
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  object->get_property = alm2map_get_property;
  object->set_property = alm2map_set_property;
  stage->nick = "alm2map";
  stage->summary = "Synthesize a map from a_lm";
  stage->description =
    "f(theta, phi) = sum over l and m of a_lm Y_lm(theta, phi), with orthonormal Y_lm and the "
    "Condon-Shortley phase. Every field is a scalar (spin 0). HEALPix needs nside; the other grids "
    "default to the fewest rings and pixels from which map2alm gets the a_lm back.";
  stage->reference = "Hupca et al. (2010), Spherical harmonic transform with GPUs, eqs. 7 and 8";
  stage->ports = ports;
  stage->prepare = alm2map_prepare;
  stage->build = alm2map_build;
  props[PROP_GRID] = g_param_spec_enum (
    "grid", NULL, "kind of grid", armilla_stage_enum ("ArmillaAlm2mapGrid", grids),
    ARMILLA_GRID_HEALPIX, ARMILLA_PARAM_RW);
  props[PROP_NSIDE] = g_param_spec_int64 (
    "nside", NULL, "HEALPix resolution, any whole number; 0 says that it is not given", 0,
    G_GINT64_CONSTANT (1) << 24, 0, ARMILLA_PARAM_RW);
  props[PROP_N_THETA] = g_param_spec_int64 (
    "n-theta", NULL,
    "number of rings of the other grids; 0 takes lmax + 1 for gauss-legendre, 2 lmax + 1 for "
    "clenshaw-curtis, 2 lmax + 2 for fejer1 and driscoll-healy", 0,
    G_GINT64_CONSTANT (1) << 26, 0, ARMILLA_PARAM_RW);
  props[PROP_N_PHI] = g_param_spec_int64 (
    "n-phi", NULL, "pixels a ring of the other grids; 0 takes 2 mmax + 2", 0,
    G_GINT64_CONSTANT (1) << 26, 0, ARMILLA_PARAM_RW);
  g_object_class_install_properties (object, N_PROPS, props);
}

static void
armilla_alm2map_init (ArmillaAlm2map *self)
{
  self->grid = ARMILLA_GRID_HEALPIX;
}
