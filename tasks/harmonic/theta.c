/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tasks/harmonic/theta.h"

#include <math.h>

#include <armilla/memory.h>

#include "core/base/double-double.h"

/* Numbers of rings are multiples of LANES pairs, which CPU kernels process together, or of
 * LANES_OF_GPU, which the adjoint recurrence processes together on a GPU. */
#define LANES 32
#define LANES_OF_GPU 256
/* Number of map blocks per grid block on a CPU. Each grid block reads a_lm and coefficients from
 * memory once, which took a tenth of the time of the recurrence with one map block per grid block,
 * and a fifth if map blocks had SMALL_BLOCK_PAIRS pairs. Blocks are not joined if their tiles are
 * large (more pairs than that and more than MAX_FIELDS_JOINED fields), or for one field in more
 * than MAX_BLOCKS_OF_ONE_FIELD blocks, which must need at most 1.3 times the memory of its a_lm and
 * map. */
#define JOIN 2
#define MAX_FIELDS_JOINED 4
#define SMALL_BLOCK_PAIRS 128
#define MAX_BLOCKS_OF_ONE_FIELD 8

static gint64
count_pairs (gint64 lmax)
{
  return (5 * MAX (lmax, 1) + 7) / 8;
}

/* Returns the number of ring pairs of the grid that are north of pair p of a map block, rounded
 * down to a multiple of @lanes. */
static gint64
pairs_before (const ArmillaRingBlock *block, gint64 p, gint64 n_pairs, gint64 lanes)
{
  double theta = atan2 (block->pairs[ARMILLA_PAIR_SIN * block->n_pairs + p],
                        fabs (block->pairs[ARMILLA_PAIR_COS * block->n_pairs + p]));
  gint64 n = (gint64) (theta / G_PI * 2 * (double) n_pairs) / lanes * lanes;

  return CLAMP (n, 0, n_pairs);
}

/* Fills in rings at theta = pi (i + 1/2) / n_rings (Fejer's first rule). Weights are not needed. */
static void
fill_pairs (ArmillaRingBlock *block, gint64 n_rings, gint64 first, gint64 n)
{
  block->n_pairs = n;
  block->pairs = g_new (double, ARMILLA_PAIR_ROWS * MAX (n, 1));
  for (gint64 p = 0; p < n; p++)
    {
      ArmillaDd sine, cosine;

      armilla_dd_sincospi (2 * (first + p) + 1, 2 * n_rings, &sine, &cosine);
      block->pairs[ARMILLA_PAIR_COS * n + p] = cosine.hi;
      block->pairs[ARMILLA_PAIR_COS_LO * n + p] = cosine.lo;
      block->pairs[ARMILLA_PAIR_SIN * n + p] = sine.hi;
      block->pairs[ARMILLA_PAIR_SIN_LO * n + p] = sine.lo;
    }
}

/* Divides the grid where the map blocks begin, and drops rings that a map of a part of the sky does
 * not need. Returns whether every grid block has rings. */
static gboolean
cut_grid (ArmillaThetaGrid *self, gint64 lanes, gint64 *first)
{
  /* half of a window, and more */
  const gint64 reach = (ARMILLA_THETA_TAPS / 2 / LANES + 2) * LANES;
  const ArmillaRingBlock *last = &self->rings->block[self->n - 1];

  for (int g = 0; g < self->n_blocks; g++)
    first[g] = pairs_before (&self->rings->block[g * self->join], 0, self->n_pairs, lanes);
  first[0] = MAX (first[0] - reach, 0);
  first[self->n_blocks]
    = pairs_before (last, last->n_pairs - 1, self->n_pairs, LANES) + LANES + reach;
  first[self->n_blocks] = MIN (first[self->n_blocks], self->n_pairs);
  for (int g = 0; g < self->n_blocks; g++)
    {
      if (first[g + 1] <= first[g])
        return FALSE;
      fill_pairs (&self->pairs[g], 2 * self->n_pairs, first[g], first[g + 1] - first[g]);
      self->max_pairs = MAX (self->max_pairs, self->pairs[g].n_pairs);
    }
  return TRUE;
}

/* Returns the ring pair of ring @row, which may be beyond a pole: the grid continues on the
 * opposite meridian. */
static gint64
pair_of (gint64 row, gint64 n_grid)
{
  row = row < 0 ? -1 - row : row;
  row = row >= n_grid ? 2 * n_grid - 1 - row : row;
  return row < n_grid / 2 ? row : n_grid - 1 - row;
}

/* Finds the grid blocks that the interpolation to a map block reads. Returns whether they are few
 * enough. */
static gboolean
meet_grid (ArmillaThetaGrid *self, int b, const gint64 *first)
{
  ArmillaThetaBlock *block = &self->block[b];
  ArmillaThetaShape *shape = &block->shape;
  gint64 lowest = G_MAXINT64, highest = -1;

  shape->lmax = self->lmax;
  shape->n_pairs = self->rings->block[b].n_pairs;
  shape->n_grid = 2 * self->n_pairs;
  armilla_theta_windows (shape, self->rings->block[b].pairs);
  /* Rings that are far apart need a wide window, with which interpolation is slow. */
  if (shape->n_window > ARMILLA_THETA_TAPS + 24 || shape->first < -shape->n_grid / 2
      || shape->first + shape->n_rows > shape->n_grid)
    return FALSE;
  for (gint64 i = 0; i < shape->n_rows; i++)
    {
      gint64 pair = pair_of (shape->first + i, shape->n_grid);

      lowest = MIN (lowest, pair);
      highest = MAX (highest, pair);
    }
  for (block->lo = 0; first[block->lo + 1] <= lowest; block->lo++)
    ;
  for (block->hi = block->lo; first[block->hi + 1] <= highest; block->hi++)
    ;
  shape->n_tiles = block->hi - block->lo + 1;
  for (gint64 i = 0; i < MIN (shape->n_tiles, ARMILLA_THETA_TILES); i++)
    {
      shape->tile_first[i] = first[block->lo + i];
      shape->tile_pairs[i] = first[block->lo + i + 1] - first[block->lo + i];
    }
  return shape->n_tiles <= ARMILLA_THETA_TILES
         && (b == 0 || (block->lo >= block[-1].lo && block->hi >= block[-1].hi));
}

static gboolean
make_weights (ArmillaThetaGrid *self, ArmillaGraph *graph, GError **error)
{
  for (int b = 0; b < self->n && !self->block[b].weights; b++)
    {
      ArmillaThetaBlock *block = &self->block[b];
      gint64 n = armilla_theta_weights_size (&block->shape);

      block->weights = armilla_try_new (double, n, "weights of an interpolation", error);
      if (!block->weights)
        return FALSE;
      armilla_theta_weights (&block->shape, self->rings->block[b].pairs, block->weights);
      armilla_tile_register_table (graph, &block->weights_handle, block->weights, n,
                                   sizeof (double));
      self->scratch = MAX (self->scratch, armilla_theta_scratch_size (&block->shape));
    }
  for (int g = 0; g < self->n_blocks && !self->pairs[g].pairs_handle; g++)
    armilla_tile_register_table (graph, &self->pairs[g].pairs_handle, self->pairs[g].pairs,
                                 ARMILLA_PAIR_ROWS * self->pairs[g].n_pairs, sizeof (double));
  return TRUE;
}

/* Returns how many map blocks a grid block spans. */
static int
blocks_joined (const ArmillaRingBlocks *rings, int n_fields, gboolean gpus)
{
  if (gpus || (n_fields > MAX_FIELDS_JOINED && rings->max_pairs > SMALL_BLOCK_PAIRS))
    return 1;
  return n_fields == 1 && rings->n > MAX_BLOCKS_OF_ONE_FIELD ? 1 : JOIN;
}

static gint64
lanes_of (const ArmillaRingBlocks *rings, gboolean gpus)
{
  return gpus && rings->max_pairs >= 2 * LANES_OF_GPU ? LANES_OF_GPU : LANES;
}

static void
free_grid (gpointer data)
{
  ArmillaThetaGrid *grid = data;

  for (int b = 0; b < grid->rings->n; b++)
    {
      if (grid->block[b].weights_handle)
        starpu_data_unregister (grid->block[b].weights_handle);
      g_free (grid->block[b].weights);
    }
  for (int g = 0; g < grid->n_blocks; g++)
    {
      if (grid->pairs[g].pairs_handle)
        starpu_data_unregister (grid->pairs[g].pairs_handle);
      g_free (grid->pairs[g].pairs);
    }
  g_free (grid->pairs);
  g_free (grid->block);
  g_free (grid);
}

/* Creates the grid from which the rings are interpolated, without weights. Its n is 0 if the rings
 * are unsuitable: too few, too far apart, or a block of them reads too many grid blocks. */
static ArmillaThetaGrid *
grid_new (ArmillaRingBlocks *rings, gint64 lmax, int join, gint64 lanes)
{
  ArmillaThetaGrid *self = g_new0 (ArmillaThetaGrid, 1);
  g_autofree gint64 *first = g_new0 (gint64, rings->n + 1);
  gboolean suits;

  self->rings = rings;
  self->lmax = lmax;
  self->n_pairs = count_pairs (lmax);
  self->n = rings->n;
  self->join = join;
  self->n_blocks = (rings->n + join - 1) / join;
  self->pairs = g_new0 (ArmillaRingBlock, self->n_blocks);
  self->block = g_new0 (ArmillaThetaBlock, rings->n);
  suits = 2 * self->n_pairs > 2 * ARMILLA_THETA_TAPS && cut_grid (self, lanes, first);
  for (int b = 0; suits && b < self->n; b++)
    suits = meet_grid (self, b, first);
  if (!suits)
    self->n = 0;
  return self;
}

/* Returns the cost of recurrence on the grid and interpolation, relative to the recurrence on every
 * ring, in fused multiply-adds. With F fields in G groups of one spin, the recurrence takes 2 G + 4
 * F per (m, ring pair) and two multipoles; there are lmax / 2 multipoles on average, of which 0.73
 * are not negligible on rings like HEALPix's and 0.64 on equidistant ones. Interpolation takes 4 F
 * per (m, ring pair) and ring of a window. */
double
armilla_theta_grid_share (const ArmillaThetaGrid *grid, int n_fields, int n_groups)
{
  double steps = (double) grid->lmax / 4 * (2. * n_groups + 4. * n_fields);
  double rings = (double) grid->rings->grid->n_pairs;
  double window = grid->n > 0 ? (double) grid->block[0].shape.n_window : 0;
  double recurrence = 0.73 * steps * rings, own = 0;

  for (int g = 0; g < grid->n_blocks; g++)
    own += (double) grid->pairs[g].n_pairs;
  return (0.64 * steps * own + 4. * n_fields * window * rings) / recurrence;
}

/* Returns whether interpolation is at least a tenth faster, which its tables and tasks may cost. */
static gboolean
grid_pays (const ArmillaThetaGrid *grid, int n_fields, int n_groups)
{
  return grid->n > 0 && armilla_theta_grid_share (grid, n_fields, n_groups) < 0.9;
}

static const ArmillaExtraKind grids_kind = { .free = free_grid };

/* Returns the grid from which rings are interpolated (created once); NULL if the recurrence
 * computes every ring. */
gboolean
armilla_graph_theta_grid (ArmillaGraph *graph, ArmillaTransforms which, ArmillaRingBlocks *rings,
                          gint64 lmax, int n_fields, int n_groups, ArmillaThetaGrid **grid,
                          GError **error)
{
  ArmillaInterpolation wanted = graph->tiling.interpolation;
  const int fields_of_one = armilla_graph_fields_of_one (graph, n_fields);
  const int join = blocks_joined (rings, fields_of_one, graph->view.gpus);
  GPtrArray *all = armilla_extras_get (graph->extras, &grids_kind);
  ArmillaThetaGrid *found = NULL;

  *grid = NULL;
  if (wanted == ARMILLA_INTERPOLATION_AUTO)
    wanted = (ArmillaInterpolation) armilla_graph_tuned (graph, which, lmax, n_fields,
                                                         ARMILLA_TUNE_INTERPOLATION);
  if (wanted == ARMILLA_INTERPOLATION_NEVER)
    return TRUE;
  for (guint i = 0; i < all->len && !found; i++)
    {
      ArmillaThetaGrid *other = g_ptr_array_index (all, i);

      if (other->rings == rings && other->lmax == lmax && other->join == join)
        found = other;
    }
  if (!found)
    {
      found = grid_new (rings, lmax, join, lanes_of (rings, graph->view.gpus));
      g_ptr_array_add (all, found);
    }
  if (found->n > 0
      && (wanted == ARMILLA_INTERPOLATION_ALWAYS || grid_pays (found, fields_of_one, n_groups)))
    {
      if (!make_weights (found, graph, error))
        return FALSE;
      *grid = found;
    }
  return TRUE;
}
