/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "plugins/map2alm-weights.h"
#include "plugins/stage-util.h"

#define COMPUTE "compute"

/* What differs between the two kinds. */
typedef struct {
  const char *property;
  const char *stem;
  int digits;
  gint64 most;
  const char *limit;
} Kind;

static const Kind kinds[] = {
  [ARMILLA_WEIGHTS_RINGS]
  = { "ring-weights", "weight_ring_n", 5, ARMILLA_RING_WEIGHTS_MOST,
      "ring weights are computed up to nside = " G_STRINGIFY (ARMILLA_RING_WEIGHTS_MOST) " only" },
  [ARMILLA_WEIGHTS_PIXELS]
  = { "pixel-weights", "healpix_full_weights_nside_", 4, 0, "pixel weights are not computed" },
};

static gboolean
need_healpix (const Kind *kind, const ArmillaGrid *grid, GError **error)
{
  g_autofree char *what = NULL;

  if (grid->kind == ARMILLA_GRID_HEALPIX)
    return TRUE;
  what = armilla_grid_describe (grid);
  g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE,
               "%s belongs to HEALPix maps, but the map is %s", kind->property, what);
  return FALSE;
}

/* Where no file is found for an nside the weights are computed, if it is not too high. */
static gboolean
may_compute (const Kind *kind, const char *value, gint64 nside, const char *path, GError **error)
{
  if (nside <= kind->most)
    return TRUE;
  if (path != NULL)
    armilla_stage_healpix_missing (kind->property, value, path, kind->limit, error);
  else
    g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE,
                 "%s = %s: the map has nside = %" G_GINT64_FORMAT ", and %s; give the name of a "
                 "file", kind->property, value, nside, kind->limit);
  return FALSE;
}

static gboolean
read_file (ArmillaWeights *self, const char *path, GError **error)
{
  if (self->kind == ARMILLA_WEIGHTS_RINGS)
    self->factors = armilla_ring_weights_read (path, self->nside, &self->n, error);
  else
    self->factors = armilla_pixel_weights_read (path, self->nside, error);
  return self->factors != NULL;
}

/**
 * armilla_weights_prepare:
 * @self: weights
 * @kind: of what
 * @value: value of the property: a file, an nside, or "compute"
 * @grid: grid of the map
 * @error: return location
 *
 * Reads the file, if there is one.
 *
 * Returns: whether there will be weights
 */
gboolean
armilla_weights_prepare (ArmillaWeights *self, ArmillaWeightsKind kind, const char *value,
                         const ArmillaGrid *grid, GError **error)
{
  const Kind *what = &kinds[kind];
  g_autofree char *path = NULL;
  gint64 nside;

  armilla_weights_clear (self);
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
    {
      g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE,
                   "%s = %s, but the map has nside = %" G_GINT64_FORMAT "; weights belong to one "
                   "nside", what->property, value, grid->nside);
      return FALSE;
    }
  self->named = nside == 0;
  self->computed = nside > 0 && !g_file_test (path, G_FILE_TEST_EXISTS);
  return self->computed ? may_compute (what, value, nside, path, error)
                        : read_file (self, path, error);
}

static gboolean
make (gpointer user, double *values, GError **error)
{
  ArmillaWeights *self = user;

  if (self->computed)
    self->factors
      = armilla_ring_weights_compute (self->nside, armilla_ring_weights_lmax (self->nside),
                                      &self->n, error);
  if (self->factors == NULL)
    return FALSE;
  memcpy (values, self->factors, (gsize) self->n * sizeof *values);
  return TRUE;
}

/**
 * armilla_weights_build:
 * @self: weights that are prepared
 * @graph: the graph
 * @error: return location
 *
 * Computes what was not read. Where HEALPix's data are here and not there, rank 0 decides, so that
 * all ranks have the same. Collective.
 *
 * Returns: whether the factors are there
 */
gboolean
armilla_weights_build (ArmillaWeights *self, ArmillaGraph *graph, GError **error)
{
  g_autofree double *values = NULL;

  if (self->named)
    return TRUE;
  values = g_new (double, self->n);
  if (!armilla_graph_share_values (graph, values, self->n, make, self, error))
    return FALSE;
  g_free (self->factors);
  self->factors = g_steal_pointer (&values);
  return TRUE;
}

/**
 * armilla_weights_note:
 * @self: weights that are prepared
 * @data: what is made with them
 *
 * Leaves a line for HISTORY when they are to be computed whatever the machine has: ranks may differ
 * in the latter, but not in what they write.
 */
void
armilla_weights_note (const ArmillaWeights *self, ArmillaData *data)
{
  if (self->asked)
    armilla_stage_note (data, "ring weights computed, exact up to l = %" G_GINT64_FORMAT,
                        armilla_ring_weights_lmax (self->nside));
}

/**
 * armilla_weights_clear:
 * @self: weights
 *
 * Frees what they hold; there are none afterwards.
 */
void
armilla_weights_clear (ArmillaWeights *self)
{
  g_free (self->factors);
  *self = (ArmillaWeights) { .kind = ARMILLA_WEIGHTS_NONE };
}
