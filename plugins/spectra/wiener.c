/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Wiener filter: the mean of the sky's a_lm given a map with noise N, and a prior C_l. They solve
 * (C^-1 + B A'N^-1 A B) x = B A'N^-1 d, A being the synthesis. Solved for z = sqrt (C^-1 + n B^2)
 * x, with n the mean inverse variance per steradian, the equations are (G + F A'N^-1 A F) z = F
 * A'N^-1 d with F = B / sqrt (C^-1 + n B^2) and G = C^-1 / (C^-1 + n B^2), which is near the
 * identity where the noise is isotropic, and needs no C^-1. */
#include <math.h>

#include <armilla/armilla.h>

#include "core/fits/fields.h"
#include "core/grids/grid.h"
#include "plugins/base/stage-util.h"
#include "tasks/harmonic/harmonic.h"
#include "tasks/pixels/pixels.h"

enum { MAP, INVERSE_VARIANCE, CL, BEAM };

struct _ArmillaWiener {
  ArmillaStage parent_instance;
  gint64 lmax;
  double tolerance;
  int max_iterations;
};

ARMILLA_DEFINE_STAGE (ArmillaWiener, armilla_wiener, ARMILLA, WIENER)

static const ArmillaPort ports[] = {
  { "map", armilla_map_get_type, ARMILLA_PORT_IN,
    "the map: one field, or Q and U (spin 2); UNSEEN pixels are ignored" },
  { "inverse-variance", armilla_map_get_type, ARMILLA_PORT_IN,
    "inverse variance of the noise in each pixel, one field, at least 0, in one over the square of "
    "the unit of map; pixels of 0 or UNSEEN are ignored" },
  { "cl", armilla_cl_get_type, ARMILLA_PORT_IN,
    "spectrum of the sky without noise and beam, TT, or EE and BB; multipoles where it is 0 or "
    "missing are 0" },
  { "beam", armilla_cl_get_type, ARMILLA_PORT_IN | ARMILLA_PORT_OPTIONAL,
    "b_l by which the sky was smoothed, including the pixel window; 0 beyond its end" },
  { "alm", armilla_alm_get_type, ARMILLA_PORT_OUT,
    "the filtered a_lm, without the beam: their mean for this map, prior and noise" },
  { NULL, NULL, 0, NULL },
};

static gboolean
check_inputs (ArmillaData *const *inputs, GError **error)
{
  static const int pair[] = { 2, 2 };
  const ArmillaPort maps[] = { ports[MAP], ports[INVERSE_VARIANCE], { NULL, NULL, 0, NULL } };
  ArmillaMap *map = ARMILLA_MAP (inputs[MAP]);
  const int n = armilla_map_n_fields (map);
  const int n_ivar = armilla_map_n_fields (ARMILLA_MAP (inputs[INVERSE_VARIANCE]));
  const int n_cl = armilla_cl_n_fields (ARMILLA_CL (inputs[CL]));

  if (!(n == 1 && armilla_map_spins (map)[0] == 0)
      && !(n == 2 && armilla_fields_equal (armilla_map_spins (map), pair, 2)))
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "map has %d field%s; must be one of spin 0, or Q and U (spin 2): select "
                         "them by fields of read-map, or set their spin with set-fields",
                         n, n == 1 ? " with a spin" : n == 2 ? "s of other spins" : "s");
  if (n_ivar != 1)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "inverse-variance has %d fields; must be one (read-map reads single "
                         "columns)", n_ivar);
  if (n_cl != n)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "cl has %d spectra; must be %s: select them with columns of read-cl", n_cl,
                         n == 1 ? "one" : "two, EE and BB");
  if (inputs[BEAM] != NULL && armilla_cl_n_fields (ARMILLA_CL (inputs[BEAM])) != 1)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE, "beam has %d spectra; must be one",
                         armilla_cl_n_fields (ARMILLA_CL (inputs[BEAM])));
  return armilla_stage_agree (maps, inputs, ARMILLA_AGREE_SHAPE | ARMILLA_AGREE_COORDINATES, error);
}

static gboolean
wiener_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaWiener *self = ARMILLA_WIENER (stage);
  ArmillaMap *map = ARMILLA_MAP (inputs[MAP]);
  const ArmillaFields *fields = armilla_data_fields (inputs[MAP]);
  const ArmillaGrid *grid = armilla_grid_whole (armilla_map_grid (map));
  const gint64 limit = grid->kind == ARMILLA_GRID_HEALPIX ? 3 * grid->nside - 1 : G_MAXINT64;
  const gint64 lmax
    = self->lmax >= 0 ? self->lmax : MIN (armilla_cl_lmax (ARMILLA_CL (inputs[CL])), limit);
  const ArmillaAlmLayout layout = { lmax, lmax };
  ArmillaAlm *alm;

  (void) context;
  if (!check_inputs (inputs, error) || !armilla_alm_layout_check (layout, error))
    return FALSE;
  alm = armilla_alm_new (layout, fields->n);
  armilla_alm_set_spins (alm, fields->spins);
  armilla_alm_set_unit (alm, fields->units[0]);
  armilla_alm_set_coordsys (alm, fields->coordsys);
  armilla_fields_set_names (armilla_data_fields (ARMILLA_DATA (alm)),
                            (const char *const *) fields->names);
  for (int i = MAP; i <= BEAM; i++)
    if (inputs[i] != NULL)
      armilla_stage_inherit (ARMILLA_DATA (alm), inputs[i]);
  armilla_stage_note (ARMILLA_DATA (alm), "wiener: relative residual at most %g", self->tolerance);
  outputs[0] = ARMILLA_DATA (alm);
  return TRUE;
}

typedef enum { FACTOR_F, FACTOR_G, FACTOR_OUT, N_FACTORS } Factor;

/* ratio of signal to noise at lmax above which the map is noted to be too good for it */
#define STEEP 100

/* Arguments of the step that computes factors of multipoles. */
typedef struct {
  ArmillaGraph *graph;
  Factor which;
  gint64 lmax, lmax_cl, lmax_beam; /* lmax_beam: -1 without a beam */
  int n;                           /* number of fields */
} Factors;

/* Fills one kind of factors. The inputs are C_l, the beam, and the spectrum of the inverse variance
 * up to l = 0. */
static gboolean
find_factors (gpointer user, const ArmillaPiece *in, ArmillaPiece *out, GError **error)
{
  const Factors *self = user;
  /* a_00 is the sum over pixels divided by sqrt (4 pi) */
  const double mean = sqrt (in[2].values[0] / (4 * G_PI));
  double last = 0; /* largest d at lmax */

  if (!(mean > 0 && isfinite (mean)))
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "inverse-variance: its sum is 0 or not finite; it must be positive in "
                         "some pixels");
  for (int f = 0; f < self->n; f++)
    for (gint64 l = 0; l <= self->lmax; l++)
      {
        const double c
          = l <= self->lmax_cl ? in[0].values[f * (self->lmax_cl + 1) + l] : 0;
        const double b = self->lmax_beam < 0       ? 1
                         : l <= self->lmax_beam ? in[1].values[l]
                                                : 0;
        const double d = 1 + c * mean * b * b;
        double *to = &out->values[f * (self->lmax + 1) + l];

        if (!(c >= 0 && isfinite (c)))
          return armilla_fail (error, ARMILLA_ERROR_VALUE,
                               "cl: C_l is %g at l = %" G_GINT64_FORMAT "; a prior must not be "
                               "negative: smooth a measured spectrum, or set it to 0", c, l);
        *to = self->which == FACTOR_G ? 1 / d
                                      : sqrt (c / d) * (self->which == FACTOR_F ? b : 1);
        last = l == self->lmax ? MAX (last, d) : last;
      }
  if (self->which == FACTOR_G && last > STEEP)
    armilla_graph_note (self->graph, NULL,
                        "wiener: at l = %" G_GINT64_FORMAT " cl is %.3g times the noise, so that "
                        "pixels without data converge slowly: raise lmax to where noise exceeds "
                        "cl, or compare results of a smaller tolerance", self->lmax, last - 1);
  return TRUE;
}

static ArmillaCl *
make_factors (Factor which, ArmillaGraph *graph, ArmillaAlm *alm, ArmillaData *const *in,
              GError **error)
{
  const Factors factors
    = { graph, which, armilla_alm_layout (alm).lmax, armilla_cl_lmax (ARMILLA_CL (in[0])),
        in[1] != NULL ? armilla_cl_lmax (ARMILLA_CL (in[1])) : -1, armilla_alm_n_fields (alm) };
  g_autoptr (ArmillaCl) out = armilla_cl_new (factors.lmax, NULL, factors.n);

  return armilla_graph_make (graph, in, 3, ARMILLA_DATA (out), find_factors,
                             g_memdup2 (&factors, sizeof factors), g_free, error)
           ? g_steal_pointer (&out)
           : NULL;
}

/* Computes the factors of multipoles. @mean: inverse variance, 0 where there is none */
static gboolean
find_all_factors (ArmillaGraph *graph, ArmillaMap *mean, ArmillaData *const *inputs,
                  ArmillaAlm *alm, ArmillaCl *out[N_FACTORS], GError **error)
{
  g_autoptr (ArmillaAlm) sum = armilla_alm_new ((ArmillaAlmLayout) { 0, 0 }, 1);
  g_autoptr (ArmillaCl) square = armilla_cl_new (0, NULL, 1);
  ArmillaData *const in[] = { inputs[CL], inputs[BEAM], ARMILLA_DATA (square) };
  gboolean ok = armilla_graph_adjoint_synthesis (graph, mean, sum, error)
                && armilla_graph_spectra (graph, sum, sum, square, error);

  for (int which = 0; ok && which < N_FACTORS; which++)
    {
      out[which] = make_factors (which, graph, alm, in, error);
      ok = out[which] != NULL;
    }
  return ok;
}

/* lmax and nside of the coarsest level are at least this */
#define COARSEST 16

/* Fills the weights of coarser levels: sums of those of the pixels within. Returns the number of
 * levels, 1 for grids other than HEALPix; 0 with an error. */
static int
find_levels (ArmillaGraph *graph, ArmillaMap **weights, gint64 lmax, GError **error)
{
  const ArmillaGrid *grid = armilla_map_grid (weights[0]);
  const int n_fields = armilla_map_n_fields (weights[0]);
  int n = 1;

  for (; grid->kind == ARMILLA_GRID_HEALPIX && n < ARMILLA_PRIOR_LEVELS && grid->nside % 2 == 0
         && grid->nside / 2 >= COARSEST && lmax >> n >= COARSEST;
       n++)
    {
      g_autoptr (ArmillaGrid) half = armilla_grid_new_healpix (grid->nside / 2, error);

      if (half == NULL)
        return 0;
      weights[n] = armilla_map_new (half, n_fields);
      armilla_map_set_spins (weights[n], armilla_map_spins (weights[0]));
      if (!armilla_graph_ud_grade (graph, weights[n - 1], FALSE, -2, weights[n], error))
        return 0;
      grid = armilla_map_grid (weights[n]);
    }
  return n;
}

static gboolean
wiener_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
              ArmillaData *const *outputs, GError **error)
{
  const ArmillaWiener *self = ARMILLA_WIENER (stage);
  const ArmillaMaskOptions seen = { .from_unseen = TRUE }, times = { 0 };
  ArmillaMap *map = ARMILLA_MAP (inputs[MAP]);
  ArmillaMap *inverse = ARMILLA_MAP (inputs[INVERSE_VARIANCE]);
  ArmillaAlm *alm = ARMILLA_ALM (outputs[0]);
  const int n = armilla_map_n_fields (map);
  g_autoptr (ArmillaMap) used = armilla_map_new (armilla_map_grid (map), 1);
  g_autoptr (ArmillaMap) known = armilla_map_new (armilla_map_grid (map), n);
  ArmillaMap *weights[ARMILLA_PRIOR_LEVELS] = { armilla_map_new (armilla_map_grid (map), n) };
  g_autoptr (ArmillaMap) weighted = armilla_map_new (armilla_map_grid (map), n);
  g_autoptr (ArmillaAlm) sums = armilla_alm_new (armilla_alm_layout (alm), n);
  g_autoptr (ArmillaAlm) right = armilla_alm_new (armilla_alm_layout (alm), n);
  g_autoptr (ArmillaAlm) z = armilla_alm_new (armilla_alm_layout (alm), n);
  ArmillaCl *factors[N_FACTORS] = { NULL };
  int n_levels = 0;
  gboolean ok;

  armilla_map_set_spins (weights[0], armilla_map_spins (map));
  armilla_map_set_spins (weighted, armilla_map_spins (map));
  armilla_alm_set_spins (sums, armilla_map_spins (map));
  armilla_alm_set_spins (right, armilla_map_spins (map));
  armilla_alm_set_spins (z, armilla_map_spins (map));
  ok = armilla_graph_mask (graph, NULL, inverse, &times, used, error)
       && find_all_factors (graph, used, inputs, alm, factors, error)
       && armilla_graph_mask (graph, NULL, map, &seen, known, error)
       && armilla_graph_mask (graph, known, used, &times, weights[0], error)
       && armilla_graph_mask (graph, map, weights[0], &times, weighted, error)
       && armilla_graph_adjoint_synthesis (graph, weighted, sums, error)
       && armilla_graph_scale_alm (graph, sums, factors[FACTOR_F], right, error)
       && (n_levels = find_levels (graph, weights, armilla_alm_layout (alm).lmax, error)) > 0
       && armilla_graph_prior_cg (graph, right, factors[FACTOR_F], factors[FACTOR_G], weights,
                                  n_levels, self->tolerance, self->max_iterations, z, error)
       && armilla_graph_scale_alm (graph, z, factors[FACTOR_OUT], alm, error);
  for (int which = 0; which < N_FACTORS; which++)
    g_clear_object (&factors[which]);
  for (int i = 0; i < ARMILLA_PRIOR_LEVELS; i++)
    g_clear_object (&weights[i]);
  return ok;
}

/* Returns the bytes of the maps and a_lm that the solution holds beside its input and output. */
static double
wiener_memory (ArmillaStage *stage, ArmillaData *const *inputs, ArmillaData *const *outputs)
{
  ArmillaMap *map = ARMILLA_MAP (inputs[MAP]);
  const double lmax = (double) armilla_alm_layout (ARMILLA_ALM (outputs[0])).lmax;
  const int n = armilla_map_n_fields (map);

  (void) stage;
  return sizeof (double)
         * ((double) armilla_map_grid (map)->n_pixels * (1 + 3.5 * n)
            + 12.0 * n * (lmax + 1) * (lmax + 2));
}

static const ArmillaProperty properties[] = {
  { "lmax", ARMILLA_INT64 (ArmillaWiener, lmax, -1, G_MAXINT32, -1),
    "highest multipole; default: that of cl, for HEALPix at most 3 nside - 1" },
  { "tolerance", ARMILLA_DOUBLE (ArmillaWiener, tolerance, 1e-13, 0.5, 1e-6),
    "residual of the equations relative to their right-hand side at which iterations end" },
  { "max-iterations", ARMILLA_INT (ArmillaWiener, max_iterations, 1, 100000, 1000),
    "maximum number of iterations, after which the run fails" },
};

static void
armilla_wiener_class_init (ArmillaWienerClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "wiener";
  armilla_stage_set_example (stage, "inverse-variance = mask");
  stage->summary = "Filter a map by its noise and a prior, and fill its masked pixels";
  stage->description =
    "The a_lm are the mean of all skies with the spectrum cl that agree with the map within its "
    "noise, which is independent between pixels (Wiener filter). Where pixels are ignored they "
    "continue the map. For a random one of these skies (a constrained realisation) subtract a "
    "simulated map, with a sky of the same spectrum, beam and noise, before the filter, and add "
    "the a_lm of that sky after it. The equations are solved by conjugate gradients, on HEALPix "
    "maps with coarser maps as preconditioner; the run prints the number of iterations and the "
    "residual, and fails if max-iterations do not suffice. lmax should be where noise exceeds cl: "
    "otherwise pixels without data need many iterations, which is noted.";
  stage->reference = "Eriksen et al. (2004), Power spectrum estimation from high-resolution maps "
                     "by Gibbs sampling";
  stage->ports = ports;
  stage->prepare = wiener_prepare;
  stage->build = wiener_build;
  stage->memory = wiener_memory;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
}
