/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include <armilla/armilla.h>

#include "plugins/stage-util.h"
#include "plugins/stages.h"

typedef enum { METHOD_ITERATE, METHOD_CG } Method;

struct _ArmillaMap2alm {
  ArmillaStage parent_instance;
  gint64 lmax, mmax;
  Method method;
  int iterations, max_iterations;
  double tolerance;
  char *ring_weights;
  gboolean given[8];
  ArmillaGrid *weighted;
};

G_DECLARE_FINAL_TYPE (ArmillaMap2alm, armilla_map2alm, ARMILLA, MAP2ALM, ArmillaStage)
G_DEFINE_FINAL_TYPE (ArmillaMap2alm, armilla_map2alm, ARMILLA_TYPE_STAGE)

enum {
  PROP_LMAX = 1, PROP_MMAX, PROP_METHOD, PROP_ITERATIONS, PROP_MAX_ITERATIONS, PROP_TOLERANCE,
  PROP_RING_WEIGHTS, N_PROPS
};
G_STATIC_ASSERT (N_PROPS == G_N_ELEMENTS (((ArmillaMap2alm *) NULL)->given));
static GParamSpec *props[N_PROPS];

static const ArmillaPort ports[] = {
  { "map", armilla_map_get_type, ARMILLA_PORT_IN, "a map, F fields of spin 0; UNSEEN counts as 0" },
  { "alm", armilla_alm_get_type, ARMILLA_PORT_OUT, "a_lm, F fields, in the unit of the map" },
  { NULL, NULL, 0, NULL },
};

static const GEnumValue methods[] = {
  { METHOD_ITERATE, "ARMILLA_MAP2ALM_ITERATE", "iterate" },
  { METHOD_CG, "ARMILLA_MAP2ALM_CG", "cg" },
  { 0, NULL, NULL },
};

/* healpy's choice for HEALPix; elsewhere what the quadrature of the grid integrates exactly. */
static gint64
default_lmax (const ArmillaGrid *grid)
{
  switch (grid->kind)
    {
    case ARMILLA_GRID_HEALPIX:
      return 3 * grid->nside - 1;
    case ARMILLA_GRID_GAUSS_LEGENDRE:
      return grid->n_rings - 1;
    case ARMILLA_GRID_DRISCOLL_HEALY:
      return MAX (grid->n_rings / 2 - 1, 0);
    default:
      return (grid->n_rings - 1) / 2;
    }
}

/* Orders beyond half the pixels of the longest ring cannot be told from lower ones. */
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

  if (self->method == METHOD_CG && self->given[PROP_ITERATIONS])
    wrong = "iterations belongs to method = iterate; with method = cg set max-iterations";
  else if (self->method == METHOD_ITERATE && self->given[PROP_MAX_ITERATIONS])
    wrong = "max-iterations belongs to method = cg; with method = iterate set iterations";
  else if (self->method == METHOD_ITERATE && self->given[PROP_TOLERANCE])
    wrong = "tolerance belongs to method = cg; method = iterate does a fixed number of iterations";
  if (wrong == NULL)
    return TRUE;
  g_set_error_literal (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE, wrong);
  return FALSE;
}

/* HEALPix's files hold w - 1 for each of the 2 nside rings from the north pole to the equator. */
static ArmillaGrid *
apply_ring_weights (const char *path, ArmillaGrid *grid, GError **error)
{
  g_autoptr (ArmillaClTable) table = NULL;
  g_autofree double *factor = NULL;
  gint64 n_bad = 0, first;

  if (grid->kind != ARMILLA_GRID_HEALPIX)
    {
      g_autofree char *what = armilla_grid_describe (grid);

      g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE,
                   "ring-weights belongs to HEALPix maps, but the map is %s", what);
      return NULL;
    }
  table = armilla_cl_read (path, error);
  if (table == NULL)
    return NULL;
  if (table->lmax + 1 != 2 * grid->nside)
    {
      g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_SHAPE,
                   "%s has %" G_GINT64_FORMAT " weights, but nside %" G_GINT64_FORMAT " needs %"
                   G_GINT64_FORMAT, path, table->lmax + 1, grid->nside, 2 * grid->nside);
      return NULL;
    }
  if (!armilla_stage_all_finite (table->values, table->lmax + 1, &n_bad, &first))
    {
      g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_NUMERIC,
                   "%s: %" G_GINT64_FORMAT " weights are NaN or infinite, the first in row %"
                   G_GINT64_FORMAT, path, n_bad, first);
      return NULL;
    }
  factor = g_new (double, table->lmax + 1);
  for (gint64 i = 0; i <= table->lmax; i++)
    factor[i] = 1 + table->values[i];
  return armilla_grid_with_ring_weights (grid, factor, table->lmax + 1, error);
}

static const char *
common_unit (const ArmillaMapHeader *header)
{
  for (int i = 1; i < header->n_fields; i++)
    if (strcmp (header->units[i], header->units[0]) != 0)
      return "";
  return header->units[0];
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

  (void) context;
  layout.lmax = self->lmax >= 0 ? self->lmax : default_lmax (grid);
  layout.mmax = self->mmax >= 0 ? self->mmax : default_mmax (grid, layout.lmax);
  g_clear_pointer (&self->weighted, armilla_grid_unref);
  if (!check_method (self, error) || !armilla_alm_layout_check (layout, error))
    return FALSE;
  if (self->ring_weights[0] != '\0')
    {
      self->weighted = apply_ring_weights (self->ring_weights, grid, error);
      if (self->weighted == NULL)
        return FALSE;
    }
  alm = armilla_alm_new (layout, header->n_fields);
  armilla_alm_set_unit (alm, common_unit (header));
  armilla_alm_set_coordsys (alm, header->coordsys);
  armilla_stage_carry_names (ARMILLA_DATA (alm), (const char *const *) header->names);
  armilla_stage_inherit (ARMILLA_DATA (alm), inputs[0]);
  outputs[0] = ARMILLA_DATA (alm);
  return TRUE;
}

static gboolean
map2alm_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
               ArmillaData *const *outputs, GError **error)
{
  ArmillaMap2alm *self = ARMILLA_MAP2ALM (stage);
  ArmillaAlm *alm = ARMILLA_ALM (outputs[0]);
  g_autoptr (ArmillaMap) map = self->weighted != NULL
    ? armilla_map_new_view (ARMILLA_MAP (inputs[0]), self->weighted)
    : g_object_ref (ARMILLA_MAP (inputs[0]));

  return self->method == METHOD_CG
    ? armilla_graph_analysis_cg (graph, map, alm, self->tolerance, self->max_iterations, error)
    : armilla_graph_analysis (graph, map, alm, self->iterations, error);
}

static void
map2alm_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  ArmillaMap2alm *self = ARMILLA_MAP2ALM (object);

  switch (id)
    {
    case PROP_LMAX:
      g_value_set_int64 (value, self->lmax);
      break;
    case PROP_MMAX:
      g_value_set_int64 (value, self->mmax);
      break;
    case PROP_METHOD:
      g_value_set_enum (value, self->method);
      break;
    case PROP_ITERATIONS:
      g_value_set_int (value, self->iterations);
      break;
    case PROP_MAX_ITERATIONS:
      g_value_set_int (value, self->max_iterations);
      break;
    case PROP_TOLERANCE:
      g_value_set_double (value, self->tolerance);
      break;
    case PROP_RING_WEIGHTS:
      g_value_set_string (value, self->ring_weights);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
map2alm_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  ArmillaMap2alm *self = ARMILLA_MAP2ALM (object);

  switch (id)
    {
    case PROP_LMAX:
      self->lmax = g_value_get_int64 (value);
      break;
    case PROP_MMAX:
      self->mmax = g_value_get_int64 (value);
      break;
    case PROP_METHOD:
      self->method = g_value_get_enum (value);
      break;
    case PROP_ITERATIONS:
      self->iterations = g_value_get_int (value);
      break;
    case PROP_MAX_ITERATIONS:
      self->max_iterations = g_value_get_int (value);
      break;
    case PROP_TOLERANCE:
      self->tolerance = g_value_get_double (value);
      break;
    case PROP_RING_WEIGHTS:
      g_free (self->ring_weights);
      self->ring_weights = g_strdup (g_value_get_string (value) != NULL
                                     ? g_value_get_string (value) : "");
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      return;
    }
  self->given[id] = TRUE;
}

static void
map2alm_finalize (GObject *object)
{
  ArmillaMap2alm *self = ARMILLA_MAP2ALM (object);

  g_free (self->ring_weights);
  g_clear_pointer (&self->weighted, armilla_grid_unref);
  G_OBJECT_CLASS (armilla_map2alm_parent_class)->finalize (object);
}

static void
install_properties (GObjectClass *object)
{
  props[PROP_LMAX] = g_param_spec_int64 (
    "lmax", NULL,
    "highest degree; -1 takes 3 nside - 1 for HEALPix, else the most that the grid's quadrature "
    "integrates exactly", -1, G_MAXINT32, -1, ARMILLA_PARAM_RW);
  props[PROP_MMAX] = g_param_spec_int64 (
    "mmax", NULL, "highest order; -1 takes lmax, or less where the rings have too few pixels", -1,
    G_MAXINT32, -1, ARMILLA_PARAM_RW);
  props[PROP_METHOD] = g_param_spec_enum (
    "method", NULL,
    "iterate: quadrature and a fixed number of residual iterations, as healpy; cg: least squares "
    "by conjugate gradients, to a tolerance",
    armilla_stage_enum ("ArmillaMap2almMethod", methods), METHOD_ITERATE, ARMILLA_PARAM_RW);
  props[PROP_ITERATIONS] = g_param_spec_int (
    "iterations", NULL,
    "residual iterations of method = iterate; 0 is enough on grids with exact quadrature", 0, 1000,
    3, ARMILLA_PARAM_RW);
  props[PROP_MAX_ITERATIONS] = g_param_spec_int (
    "max-iterations", NULL, "iterations after which method = cg gives up with an error", 1, 100000,
    100, ARMILLA_PARAM_RW);
  props[PROP_TOLERANCE] = g_param_spec_double (
    "tolerance", NULL,
    "method = cg stops when the residual of the normal equations is this fraction of what it was "
    "for a_lm = 0", 1e-15, 0.5, 1e-10, ARMILLA_PARAM_RW);
  props[PROP_RING_WEIGHTS] = g_param_spec_string (
    "ring-weights", NULL,
    "file with HEALPix's ring weights for the nside of the map (weight_ring_nNNNNN.fits); empty "
    "uses none", "", ARMILLA_PARAM_RW);
  g_object_class_install_properties (object, N_PROPS, props);
}

static void
armilla_map2alm_class_init (ArmillaMap2almClass *klass)
{
  GObjectClass *object = G_OBJECT_CLASS (klass);
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  object->get_property = map2alm_get_property;
  object->set_property = map2alm_set_property;
  object->finalize = map2alm_finalize;
  stage->nick = "map2alm";
  stage->summary = "Analyse a map into a_lm";
  stage->description =
    "a_lm = sum over pixels of w f conj(Y_lm), with the quadrature weights w of the grid; each "
    "iteration adds the a_lm of what is left of the map. UNSEEN pixels count as 0, and the "
    "iterations run over all pixels. Every field is a scalar (spin 0).";
  stage->reference = "Hupca et al. (2010), Spherical harmonic transform with GPUs, eq. 1";
  stage->ports = ports;
  stage->prepare = map2alm_prepare;
  stage->build = map2alm_build;
  install_properties (object);
}

static void
armilla_map2alm_init (ArmillaMap2alm *self)
{
  self->lmax = -1;
  self->mmax = -1;
  self->iterations = 3;
  self->max_iterations = 100;
  self->tolerance = 1e-10;
  self->ring_weights = g_strdup ("");
}
