/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "core/grids/grid.h"
#include "core/spectra/cl-table.h"
#include "core/weights/weights.h"
#include "plugins/base/stage-util.h"
#include "plugins/harmonic/map2alm-weights.h"
#include "tasks/harmonic/harmonic.h"

#define COMPUTE "compute"

/* Maximum nside for which pixel weights are computed: that takes about ten transforms in both
 * directions with lmax = 2.5 nside. */
#define PIXEL_WEIGHTS_MAX_NSIDE 8192
#define PIXELS_TOLERANCE 1e-12
#define PIXELS_ITERATIONS 100

#define KEPT (1 << 22) /* maximum number of weights kept in memory for later realisations */

/* What differs between ring weights and pixel weights. */
typedef struct {
  const char *property;
  const char *stem;
  int digits;
  gint64 max_nside;
  const char *limit;
} Kind;

static const Kind kinds[] = {
  [ARMILLA_WEIGHTS_RINGS]
  = { "ring-weights", "weight_ring_n", 5, ARMILLA_RING_WEIGHTS_MAX_NSIDE,
      "ring weights are computed up to nside = "
      G_STRINGIFY (ARMILLA_RING_WEIGHTS_MAX_NSIDE) " only" },
  [ARMILLA_WEIGHTS_PIXELS]
  = { "pixel-weights", "healpix_full_weights_nside_", 4, PIXEL_WEIGHTS_MAX_NSIDE,
      "pixel weights are computed up to nside = " G_STRINGIFY (PIXEL_WEIGHTS_MAX_NSIDE) " only" },
};

static gboolean
need_healpix (const Kind *kind, const ArmillaGrid *grid, GError **error)
{
  g_autofree char *what = NULL;

  if (grid->kind == ARMILLA_GRID_HEALPIX)
    return TRUE;
  what = armilla_grid_describe (grid);
  return armilla_fail (error, ARMILLA_ERROR_VALUE, "%s requires a HEALPix map, but the map is %s",
                       kind->property, what);
}

/* Checks that weights without a file can be computed for this nside. */
static gboolean
may_compute (const Kind *kind, const char *value, gint64 nside, const char *path, GError **error)
{
  if (nside <= kind->max_nside)
    return TRUE;
  if (path != NULL)
    armilla_stage_healpix_missing (kind->property, value, path, kind->limit, error);
  else
    g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE,
                 "%s = %s: the map has nside = %" G_GINT64_FORMAT ", and %s; name a file",
                 kind->property, value, nside, kind->limit);
  return FALSE;
}

static void
unref_bytes (gpointer bytes)
{
  g_bytes_unref (bytes);
}

/* Reads a file; keeps the weights for later realisations if they are few. */
static gboolean
read_file (ArmillaWeights *self, const ArmillaStageContext *context, const char *path,
           GError **error)
{
  g_autofree char *key = g_strdup_printf ("%s %" G_GINT64_FORMAT " %s", kinds[self->kind].property,
                                          self->nside, path);
  GBytes *kept = armilla_stage_kept (context, key);

  if (kept != NULL)
    {
      self->n = (gint64) (g_bytes_get_size (kept) / sizeof *self->factors);
      self->factors = g_memdup2 (g_bytes_get_data (kept, NULL), g_bytes_get_size (kept));
      return TRUE;
    }
  if (self->kind == ARMILLA_WEIGHTS_RINGS)
    self->factors = armilla_ring_weights_read (path, self->nside, &self->n, error);
  else
    self->factors = armilla_pixel_weights_read (path, self->nside, error);
  if (self->factors != NULL && self->n <= KEPT)
    armilla_stage_keep (context, key,
                        g_bytes_new (self->factors, (gsize) self->n * sizeof *self->factors),
                        unref_bytes);
  return self->factors != NULL;
}

/* Reads the weights if @value is a file or an nside. armilla_weights_build () computes them if it
 * is "compute". */
gboolean
armilla_weights_prepare (ArmillaWeights *self, const ArmillaStageContext *context,
                         ArmillaWeightsKind kind, const char *value, const ArmillaGrid *grid,
                         GError **error)
{
  const Kind *what = &kinds[kind];
  g_autofree char *path = NULL;
  gint64 nside;

  if (!need_healpix (what, grid, error))
    return FALSE;
  self->kind = kind;
  self->nside = grid->nside;
  self->n = kind == ARMILLA_WEIGHTS_RINGS ? 2 * grid->nside
                                          : armilla_pixel_weights_count (grid->nside);
  self->asked = self->computed = strcmp (value, COMPUTE) == 0;
  if (self->asked)
    return may_compute (what, value, grid->nside, NULL, error);
  path = armilla_stage_healpix_file (value, what->stem, what->digits, &nside);
  if (nside > 0 && nside != grid->nside)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "%s = %s, but the map has nside = %" G_GINT64_FORMAT
                         "; must be equal", what->property, value, grid->nside);
  self->named = nside == 0;
  self->computed = nside > 0 && !g_file_test (path, G_FILE_TEST_EXISTS);
  return self->computed ? may_compute (what, value, nside, path, error)
                        : read_file (self, context, path, error);
}

static gboolean
say_whether_computed (gpointer user, ArmillaPiece *piece, GError **error)
{
  (void) error;
  *piece->values = ((const ArmillaWeights *) user)->computed;
  return TRUE;
}

/* Computes ring weights while the graph is submitted, since tasks need them. */
static gboolean
make (gpointer user, ArmillaPiece *piece, GError **error)
{
  ArmillaWeights *self = user;

  if (self->computed)
    self->factors
      = armilla_ring_weights_compute (self->nside, armilla_ring_weights_lmax (self->nside),
                                      &self->n, error);
  if (self->factors == NULL)
    return FALSE;
  memcpy (piece->values, self->factors, (gsize) self->n * sizeof *piece->values);
  return TRUE;
}

/* Computes the weights that were not read. Rank 0 decides whether the file of HEALPix exists, so
 * that all ranks use the same weights. Collective. */
gboolean
armilla_weights_build (ArmillaWeights *self, ArmillaGraph *graph, GError **error)
{
  g_autofree double *values = NULL;
  double computed;

  if (self->named)
    return TRUE;
  if (!armilla_graph_share_values (graph, &computed, 1, say_whether_computed, self, error))
    return FALSE;
  self->computed = computed != 0;
  if (self->computed && self->kind == ARMILLA_WEIGHTS_PIXELS)
    return TRUE;
  values = g_new (double, self->n);
  if (!armilla_graph_share_values (graph, values, self->n, make, self, error))
    return FALSE;
  g_free (self->factors);
  self->factors = g_steal_pointer (&values);
  return TRUE;
}

/* Weights of classes of pixels, shared with I/O threads. */
typedef struct {
  ArmillaGrid *grid;
  double *weights;
} Classes;

static void
classes_free (gpointer data)
{
  Classes *self = data;

  armilla_grid_unref (self->grid);
  g_free (self->weights);
  g_free (self);
}

/* Fills a piece, which consists of whole rings, with the weights of its pixels. */
static gboolean
classes_fill (gpointer user, ArmillaPiece *piece, GError **error)
{
  const Classes *self = user;

  (void) error;
  for (gint64 ring = armilla_grid_ring_of (self->grid, piece->first), at = 0; at < piece->n; ring++)
    {
      armilla_pixel_weights_expand (self->weights, self->grid->nside, ring, piece->values + at);
      at += self->grid->rings[ring].n_phi;
    }
  return TRUE;
}

/* Fills a_00 = sqrt (4 pi), others 0: the a_lm of a map of ones. */
static gboolean
fill_one (gpointer user, ArmillaPiece *piece, GError **error)
{
  const ArmillaAlmLayout *layout = user;
  gint64 n = 0;

  (void) error;
  for (gint64 m = piece->first; m <= piece->last; m++)
    n += layout->lmax - m + 1;
  memset (piece->values, 0, 2 * (gsize) n * sizeof *piece->values);
  if (piece->first == 0)
    piece->values[0] = sqrt (4 * G_PI);
  return TRUE;
}

/* Computes the map of weights with which the quadrature is exact; see armilla_graph_normal_cg(). */
static gboolean
compute_map (const ArmillaWeights *self, ArmillaGraph *graph, ArmillaMap *weights, GError **error)
{
  const gint64 lmax = armilla_pixel_weights_lmax (self->nside);
  const ArmillaAlmLayout layout = { lmax, lmax };
  g_autoptr (ArmillaAlm) one = armilla_alm_new (layout, 1), alm = armilla_alm_new (layout, 1);

  return armilla_graph_fill (graph, ARMILLA_DATA (one), fill_one,
                             g_memdup2 (&layout, sizeof layout), g_free, error)
         && armilla_graph_normal_cg (graph, one, armilla_grid_whole (armilla_map_grid (weights)),
                                     alm, PIXELS_TOLERANCE, PIXELS_ITERATIONS, error)
         && armilla_graph_synthesis (graph, alm, weights, error);
}

/* Returns a map with the weight of each pixel, after armilla_weights_build (). Moves the weights
 * out of @self. */
ArmillaMap *
armilla_weights_map (ArmillaWeights *self, ArmillaGraph *graph, ArmillaGrid *grid, GError **error)
{
  g_autoptr (ArmillaMap) weights = armilla_map_new (grid, 1);
  Classes *source;

  if (self->computed)
    return compute_map (self, graph, weights, error) ? g_steal_pointer (&weights) : NULL;
  source = g_new (Classes, 1);
  *source = (Classes) { armilla_grid_ref (armilla_grid_whole (grid)),
                        g_steal_pointer (&self->factors) };
  return armilla_graph_fill (graph, ARMILLA_DATA (weights), classes_fill, source, classes_free,
                             error)
             ? g_steal_pointer (&weights)
             : NULL;
}

/* Adds a line to HISTORY if the user has requested computed weights; not if they were computed
 * because a file is missing, since the files of ranks may differ and headers must not. */
void
armilla_weights_note (const ArmillaWeights *self, ArmillaData *data)
{
  if (self->asked)
    armilla_stage_note (data, "%s weights computed, exact up to l = %" G_GINT64_FORMAT,
                        self->kind == ARMILLA_WEIGHTS_RINGS ? "ring" : "pixel",
                        self->kind == ARMILLA_WEIGHTS_RINGS
                        ? armilla_ring_weights_lmax (self->nside)
                        : armilla_pixel_weights_lmax (self->nside));
}
