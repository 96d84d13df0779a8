/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The a_lm of purified fields. With eth the spin-raising operator, W the mask and P = Q + i U, they
 * are N_l times those of the scalar field from two conjugate eths of W P, minus the leakage of the
 * other field by eths of W alone; by parts, with N_l^2 = (l - 2)! / (l + 2)!,
 *
 *   pure_lm = (W P)_lm + 2 N_l / N1_l ((eth W)* P)_lm + N_l ((eth eth W)* P)_lm,
 *
 * where the terms have spin 2, 1 and 0, and N1_l^2 = (l - 1)! / (l + 1)!. All of them are analysed
 * at once. */
#include <math.h>

#include <armilla/armilla.h>

#include "core/fits/fields.h"
#include "core/grids/grid.h"
#include "plugins/base/stage.h"
#include "plugins/spectra/spectra-private.h"
#include "tasks/harmonic/harmonic.h"

enum { MAP, MASK };

struct _ArmillaPurify {
  ArmillaStage parent_instance;
  gint64 lmax, mask_lmax;
  ArmillaPure pure;
  int iterations;
  gint64 found; /* resolved value of mask_lmax */
};

ARMILLA_DEFINE_STAGE (ArmillaPurify, armilla_purify, ARMILLA, PURIFY)

static const ArmillaPort ports[] = {
  { "map", armilla_map_get_type, ARMILLA_PORT_IN,
    "Q and U, or I, Q and U, without the mask applied; UNSEEN counts as 0" },
  { "mask", armilla_map_get_type, ARMILLA_PORT_IN,
    "the mask, or weights, of the same pixels: one field, which must decrease to 0 smoothly; "
    "UNSEEN counts as 0" },
  { "alm", armilla_alm_get_type, ARMILLA_PORT_OUT,
    "a_lm of the masked map, E and B, or T, E and B; the chosen ones are purified" },
  { NULL, NULL, 0, NULL },
};

static gboolean
check_inputs (ArmillaPurify *self, ArmillaMap *map, ArmillaMap *mask, GError **error)
{
  static const int pair[] = { 2, 2 };
  const int n = armilla_map_n_fields (map);
  const ArmillaGrid *grid = armilla_grid_whole (armilla_map_grid (map));

  if (!armilla_stage_is_teb (armilla_map_spins (map), n)
      && !(n == 2 && armilla_fields_equal (armilla_map_spins (map), pair, 2)))
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "map has %d field%s; must be Q and U (spin 2), or I, Q and U: select them "
                         "by fields of read-map, or set their spin with set-fields",
                         n, n == 1 ? "" : n <= 3 ? "s of other spins" : "s");
  if (armilla_map_n_fields (mask) != 1)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "mask has %d fields; must be one (read-map reads single columns)",
                         armilla_map_n_fields (mask));
  if (self->lmax < 0 && grid->kind != ARMILLA_GRID_HEALPIX)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "lmax: must be set unless map is a HEALPix map (3 nside - 1)");
  return TRUE;
}

static gboolean
purify_prepare (ArmillaStage *stage, const ArmillaStageContext *context,
                ArmillaData *const *inputs, ArmillaData **outputs, GError **error)
{
  ArmillaPurify *self = ARMILLA_PURIFY (stage);
  ArmillaMap *map = ARMILLA_MAP (inputs[MAP]);
  const ArmillaMapHeader *header = armilla_map_header (map);
  const ArmillaGrid *grid = armilla_grid_whole (armilla_map_grid (map));
  const gint64 all = grid->kind == ARMILLA_GRID_HEALPIX ? 3 * grid->nside - 1 : self->lmax;
  const ArmillaAlmLayout layout = { self->lmax >= 0 ? self->lmax : all,
                                    self->lmax >= 0 ? self->lmax : all };
  ArmillaAlm *alm;

  (void) context;
  if (!check_inputs (self, map, ARMILLA_MAP (inputs[MASK]), error)
      || !armilla_stage_agree (ports, inputs, ARMILLA_AGREE_SHAPE | ARMILLA_AGREE_COORDINATES,
                               error)
      || !armilla_alm_layout_check (layout, error))
    return FALSE;
  self->found = self->mask_lmax >= 0 ? self->mask_lmax : all;
  alm = armilla_alm_new (layout, header->fields.n);
  armilla_alm_set_spins (alm, header->fields.spins);
  armilla_alm_set_unit (alm, header->fields.units[header->fields.n - 1]);
  armilla_alm_set_coordsys (alm, header->fields.coordsys);
  armilla_fields_set_names (armilla_data_fields (ARMILLA_DATA (alm)),
                            (const char *const *) header->fields.names);
  for (int i = MAP; i <= MASK; i++)
    armilla_stage_inherit (ARMILLA_DATA (alm), inputs[i]);
  outputs[0] = ARMILLA_DATA (alm);
  return TRUE;
}

/* Window functions of a_lm. */
typedef struct {
  gint64 lmax;
  int first;
  ArmillaPure pure;
} Windows;

/* Fills eth W and eth eth W as gradient and curl (0); the input is the spectrum of W. */
static gboolean
find_derivatives (gpointer user, const ArmillaPiece *in, ArmillaPiece *out, GError **error)
{
  const Windows *windows = user;
  const gint64 n = windows->lmax + 1;
  double *values = out->values;
  gint64 first = 0;

  while (first < n && in[0].values[first] == 0)
    first++;
  if (first == n)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "the mask is 0 everywhere; must be positive in some pixels: check the "
                         "mask, or apodise less");
  for (gint64 l = 0; l < n; l++)
    {
      const double x = (double) l * (double) (l + 1);

      values[l] = -sqrt (x);
      values[2 * n + l] = l < 2 ? 0 : sqrt (x * (x - 2));
      values[n + l] = values[3 * n + l] = 0;
    }
  return TRUE;
}

/* Fills 2 N_l / N1_l, or N_l, for the purified fields, and 0 for others. */
static gboolean
fill_factors (gpointer user, double *values, gboolean second)
{
  const Windows *windows = user;
  const gint64 n = windows->lmax + 1;

  for (int f = 0; f < windows->first + 2; f++)
    for (gint64 l = 0; l < n; l++)
      {
        const double x = (double) l * (double) (l + 1);
        const gboolean wanted = f >= windows->first && l >= 2
                                && windows->pure & (f == windows->first ? ARMILLA_PURE_E
                                                                        : ARMILLA_PURE_B);

        values[f * n + l] = !wanted ? 0 : second ? 1 / sqrt (x * (x - 2)) : 2 / sqrt (x - 2);
      }
  return TRUE;
}

static gboolean
fill_first (gpointer user, ArmillaPiece *piece, GError **error)
{
  (void) error;
  return fill_factors (user, piece->values, FALSE);
}

static gboolean
fill_second (gpointer user, ArmillaPiece *piece, GError **error)
{
  (void) error;
  return fill_factors (user, piece->values, TRUE);
}

static ArmillaCl *
make_windows (ArmillaGraph *graph, const Windows *windows, int n, ArmillaHostPiece fill,
              GError **error)
{
  g_autoptr (ArmillaCl) cl = armilla_cl_new (windows->lmax, NULL, n);

  return armilla_graph_fill (graph, ARMILLA_DATA (cl), fill, g_memdup2 (windows, sizeof *windows),
                             g_free, error)
             ? g_steal_pointer (&cl)
             : NULL;
}

/* Computes a map of the derivatives of the mask, a pair of spin 1 and a pair of spin 2. */
static ArmillaMap *
derive_mask (ArmillaPurify *self, ArmillaGraph *graph, ArmillaMap *mask, GError **error)
{
  static const int spins[] = { 1, 1, 2, 2 };
  const ArmillaAlmLayout layout = { self->found, self->found };
  const Windows windows = { .lmax = self->found };
  g_autoptr (ArmillaAlm) alm = armilla_alm_new (layout, 1), derived = armilla_alm_new (layout, 4);
  g_autoptr (ArmillaMap) out = armilla_map_new (armilla_map_grid (mask), 4);
  g_autoptr (ArmillaCl) spectrum = armilla_cl_new (self->found, NULL, 1);
  g_autoptr (ArmillaCl) cl = armilla_cl_new (self->found, NULL, 4);
  ArmillaData *const in[] = { ARMILLA_DATA (spectrum) };

  armilla_alm_set_spins (derived, spins);
  armilla_map_set_spins (out, spins);
  return armilla_graph_analysis (graph, mask, alm, self->iterations, error)
             && armilla_graph_spectra (graph, alm, alm, spectrum, error)
             && armilla_graph_make (graph, in, 1, ARMILLA_DATA (cl), find_derivatives,
                                    g_memdup2 (&windows, sizeof windows), g_free, error)
             && armilla_graph_derive_alm (graph, alm, cl, derived, error)
             && armilla_graph_synthesis (graph, derived, out, error)
           ? g_steal_pointer (&out) : NULL;
}

static double
seen (double value)
{
  return armilla_is_unseen (value) ? 0 : value;
}

/* Computes the products of map and mask. Inputs: (I,) Q, U; W; its derivatives. Outputs: W (I,) W
 * Q, W U; (Q + i U) times the conjugates of eth W and of eth eth W. Derivatives from a_lm do not
 * vanish exactly where W = 0; omitting these pixels increases the E-to-B leakage (up to 40 times at
 * nside 32 to 128). */
static gboolean
multiply (const ArmillaPixels *pixels, gpointer user, GError **error)
{
  const int n = pixels->n_in - 5;
  const double *const *in = pixels->in;

  (void) user;
  (void) error;
  for (gint64 i = 0; i < pixels->n; i++)
    {
      const double q = seen (in[n - 2][i]), u = seen (in[n - 1][i]);

      for (int f = 0; f < n; f++)
        pixels->out[f][i] = seen (in[f][i]) * seen (in[n][i]);
      for (int k = 0; k < 4; k += 2)
        {
          const double re = in[n + 1 + k][i], im = in[n + 2 + k][i];

          pixels->out[n + k][i] = re * q + im * u;
          pixels->out[n + k + 1][i] = re * u - im * q;
        }
    }
  return TRUE;
}

/* Computes the a_lm of the three products, field by field. */
static ArmillaAlm *
analyse_products (ArmillaPurify *self, ArmillaGraph *graph, ArmillaMap *map, ArmillaMap *mask,
                  ArmillaAlmLayout layout, GError **error)
{
  const int n = armilla_map_n_fields (map);
  const int spins[] = { 0, 2, 2, 1, 1, 0, 0 };
  g_autoptr (ArmillaMap) derivatives = derive_mask (self, graph, mask, error);
  g_autoptr (ArmillaMap) products = armilla_map_new (armilla_map_grid (map), n + 4);
  g_autoptr (ArmillaAlm) alm = armilla_alm_new (layout, n + 4);
  ArmillaMap *const maps[] = { map, mask, derivatives };

  armilla_map_set_spins (products, spins + 3 - n);
  armilla_alm_set_spins (alm, spins + 3 - n);
  return derivatives != NULL
             && armilla_graph_apply_pixels (graph, maps, 3, multiply, n + 12, NULL, NULL, products,
                                            error)
             && armilla_graph_analysis (graph, products, alm, self->iterations, error)
           ? g_steal_pointer (&alm) : NULL;
}

/* Multiplies the a_lm of the product of the map and derivatives of the mask by factors that depend
 * on l, and returns them in the fields (T, E, B) to which purify_build () adds them. */
static ArmillaAlm *
scale (ArmillaPurify *self, ArmillaGraph *graph, ArmillaAlm *products, int pair,
       ArmillaHostPiece fill, GError **error)
{
  const ArmillaAlmLayout layout = armilla_alm_layout (products);
  const int n = armilla_alm_n_fields (products) - 4;
  const int fields[] = { pair, pair, pair + 1 };
  const Windows windows = { layout.lmax, n - 2, self->pure };
  g_autoptr (ArmillaCl) cl = make_windows (graph, &windows, n, fill, error);
  g_autoptr (ArmillaAlm) chosen = armilla_alm_new (layout, n), scaled = armilla_alm_new (layout, n);

  return cl != NULL && armilla_graph_select_fields (graph, ARMILLA_DATA (products), fields + 3 - n,
                                             ARMILLA_DATA (chosen), error)
             && armilla_graph_scale_alm (graph, chosen, cl, scaled, error)
           ? g_steal_pointer (&scaled) : NULL;
}

static gboolean
purify_build (ArmillaStage *stage, ArmillaGraph *graph, ArmillaData *const *inputs,
              ArmillaData *const *outputs, GError **error)
{
  static const int own[] = { 0, 1, 2 };
  static const double ones[] = { 1, 1, 1 };
  ArmillaPurify *self = ARMILLA_PURIFY (stage);
  ArmillaAlm *out = ARMILLA_ALM (outputs[0]);
  const ArmillaAlmLayout layout = armilla_alm_layout (out);
  const int n = armilla_alm_n_fields (out);
  g_autoptr (ArmillaAlm) whole = armilla_alm_new (layout, n), first = NULL, second = NULL;
  g_autoptr (ArmillaAlm) products
    = analyse_products (self, graph, ARMILLA_MAP (inputs[MAP]), ARMILLA_MAP (inputs[MASK]), layout,
                        error);

  if (products == NULL
      || !armilla_graph_select_fields (graph, ARMILLA_DATA (products), own, ARMILLA_DATA (whole),
                                       error))
    return FALSE;
  first = scale (self, graph, products, n, fill_first, error);
  second = first != NULL ? scale (self, graph, products, n + 2, fill_second, error) : NULL;
  if (second == NULL)
    return FALSE;
  ArmillaData *const parts[]
    = { ARMILLA_DATA (whole), ARMILLA_DATA (first), ARMILLA_DATA (second) };
  return armilla_graph_combine (graph, parts, ones, 3, outputs[0], error);
}

static ArmillaTransforms
purify_transforms (ArmillaStage *stage)
{
  (void) stage;
  return ARMILLA_TRANSFORMS_BOTH;
}

/* Estimates the products and their sums, and the update of an iteration. */
static double
purify_memory (ArmillaStage *stage, ArmillaData *const *inputs, ArmillaData *const *outputs)
{
  const int n = armilla_alm_n_fields (ARMILLA_ALM (outputs[0]));

  (void) stage;
  return armilla_data_bytes (inputs[MASK]) * (n + 8)
         + armilla_data_bytes (outputs[0]) * (2.0 * (n + 4) / n + 5);
}

static const char *const pures[] = {
  [ARMILLA_PURE_NONE] = "", [ARMILLA_PURE_E] = "e", [ARMILLA_PURE_B] = "b",
  [ARMILLA_PURE_EB] = "eb", NULL,
};

static const ArmillaProperty properties[] = {
  { "pure", ARMILLA_ENUM (ArmillaPurify, pure, pures, ARMILLA_PURE_B),
    "fields to purify: b, e, or both" },
  { "lmax", ARMILLA_INT64 (ArmillaPurify, lmax, -1, G_MAXINT32, -1),
    "highest multipole; -1: 3 nside - 1 for HEALPix" },
  { "mask-lmax", ARMILLA_INT64 (ArmillaPurify, mask_lmax, -1, G_MAXINT32, -1),
    "highest multipole of the derivatives of the mask; -1: 3 nside - 1 for HEALPix, lmax for "
    "others" },
  { "iterations", ARMILLA_INT (ArmillaPurify, iterations, 0, 1000, 3),
    "residual iterations of the analyses, of the mask and of the maps, as in map2alm" },
};

static void
armilla_purify_class_init (ArmillaPurifyClass *klass)
{
  ArmillaStageClass *stage = ARMILLA_STAGE_CLASS (klass);

  stage->nick = "purify";
  armilla_stage_set_example (stage, "map = iqu; mask = mask");
  stage->summary = "Compute a_lm of a masked polarised map with the E-to-B (or B-to-E) leakage "
                   "removed";
  stage->description =
    "At the edge of a mask some modes are ambiguous: both E and B. Purified B modes exclude them, "
    "so that E, which is much brighter, contributes neither to their mean nor to their variance. "
    "The stage adds to the a_lm of the masked map those of the map times the first and second "
    "derivatives of the mask, which are computed from the mask's a_lm; so the mask must be "
    "apodised to slope 0 at its edge (by the stage mask). The derivatives are not exactly 0 "
    "outside the mask, so pixels near its edge count: keep the sky in them, and set very bright "
    "pixels to UNSEEN (which counts as 0). Then use alm2cl, coupling with pure = true, and "
    "decouple with the same pure. The conventions are NaMaster's.";
  stage->reference = "Smith (2006), Pseudo-C_l estimators which do not mix E and B modes; Grain, "
                     "Tristram and Stompor (2009), Polarized CMB power spectrum estimation using "
                     "the pure pseudo-cross-spectrum approach";
  stage->ports = ports;
  stage->prepare = purify_prepare;
  stage->build = purify_build;
  stage->transforms = purify_transforms;
  stage->memory = purify_memory;
  armilla_stage_install (stage, 0, properties, G_N_ELEMENTS (properties));
}
