/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fills slots and nodes bucket by bucket: the leaves of a bucket, and nodes all of whose leaves are
 * in it, are completed while their objects are cached. Nodes that span buckets are completed at the
 * end. */
#include <glib.h>
#include <math.h>

#include "codelets/correlation/cells-private.h"

/* weights processed at a time */
#define CHUNK 65536

typedef struct {
  const ArmillaCells *cells;
  const ArmillaCellsPlan *plan;
  ArmillaOrder *order;
  ArmillaBucketRoom rooms[ARMILLA_CELLS_MAX_THREADS];
  double mass[ARMILLA_CELLS_MAX_THREADS], shear[ARMILLA_CELLS_MAX_THREADS]; /* squared */
  gint failed;
} Fill;

/* Sets the rows of the shear. At a pole the longitude is taken as 0, as in ArmillaCatalogue. */
static void
fill_shear (const ArmillaCells *cells, const ArmillaCellsInput *in, int64_t slot, int64_t i)
{
  const double axis = sqrt (in->x[i] * in->x[i] + in->y[i] * in->y[i]);
  const double w = in->weight ? in->weight[i] : 1;

  armilla_point_row (cells, ARMILLA_POINT_COS)[slot] = axis > 0 ? in->x[i] / axis : 1;
  armilla_point_row (cells, ARMILLA_POINT_SIN)[slot] = axis > 0 ? in->y[i] / axis : 0;
  armilla_point_row (cells, ARMILLA_POINT_AXIS)[slot] = axis;
  armilla_point_row (cells, ARMILLA_POINT_G1)[slot] = w * in->g1[i];
  armilla_point_row (cells, ARMILLA_POINT_G2)[slot] = w * in->g2[i];
}

/* Copies the columns that are not part of the records. */
static void
fill_slot (const ArmillaCells *cells, const ArmillaCellsInput *in, int64_t slot, int64_t i)
{
  ((int64_t *) (void *) armilla_point_row (cells, ARMILLA_POINT_WEIGHT))[slot]
    = in->weight ? llrint (ldexp (in->weight[i], (int) -cells->weight_exponent)) : 1;
  if (cells->n_rows >= ARMILLA_ROWS_MASS)
    armilla_point_row (cells, ARMILLA_POINT_MASS)[slot] = in->weight ? in->weight[i] : 1;
  if (cells->n_rows >= ARMILLA_ROWS_SHEAR)
    fill_shear (cells, in, slot, i);
}

/* Fills a slot without an object: infinitely far from everything, with weight 0. */
static void
fill_empty (const ArmillaCells *cells, int64_t slot)
{
  for (int row = 0; row < cells->n_rows; row++)
    armilla_point_row (cells, row)[slot] = row < ARMILLA_ROWS_POSITION ? NAN : 0;
}

/* Sets children and slots of nodes @from to @to - 1. */
static void
place_nodes (const Fill *fill, int level, int64_t patch, int64_t from, int64_t to)
{
  const ArmillaCells *cells = fill->cells;
  const ArmillaCellsPlan *plan = fill->plan;
  const int64_t *first_node = plan->first_node + level * plan->n_patches + patch;
  const int64_t first_slot = ARMILLA_LEAF * plan->first_node[patch];
  const int64_t n_slots = ARMILLA_LEAF * armilla_level_count (plan, patch, 0);
  const int64_t span = (int64_t) 1 << armilla_level_bits (level);
  const int64_t n_below = level > 0 ? armilla_level_count (plan, patch, level - 1) : 0;
  const int64_t child = level > 0 ? first_node[-plan->n_patches] : 0;

  for (int64_t i = from, node = first_node[0] + from; i < to; i++, node++)
    {
      armilla_node_integers (cells, ARMILLA_NODE_SLOT)[node] = first_slot + i * span;
      armilla_node_integers (cells, ARMILLA_NODE_SLOTS)[node] = MIN (span, n_slots - i * span);
      armilla_node_integers (cells, ARMILLA_NODE_CHILD)[node]
        = level > 0 ? child + ARMILLA_CHILDREN * i : 0;
      armilla_node_integers (cells, ARMILLA_NODE_N_CHILDREN)[node]
        = level > 0 ? MIN (n_below - ARMILLA_CHILDREN * i, ARMILLA_CHILDREN) : 0;
      armilla_node_integers (cells, ARMILLA_NODE_PATCH)[node] = patch;
    }
}

/* Completes nodes @from to @to - 1 of a patch and a level. */
static void
close_nodes (const Fill *fill, int level, int64_t patch, int64_t from, int64_t to)
{
  const ArmillaCells *cells = fill->cells;
  const ArmillaCellsPlan *plan = fill->plan;
  const int64_t n = plan->first[patch + 1] - plan->first[patch];
  const int64_t node = plan->first_node[level * plan->n_patches + patch];

  place_nodes (fill, level, patch, from, to);
  if (level == 0)
    ARMILLA_FOR_ISA (plan->input->isa, armilla_cells_kernels)
      ->balls (cells, node + from, to - from);
  for (int64_t i = from; i < to; i++)
    {
      if (level == 0)
        armilla_cells_leaf_sums (cells, node + i, MIN (n - i * ARMILLA_LEAF, ARMILLA_LEAF));
      else
        {
          armilla_cells_node_ball (cells, node + i);
          armilla_cells_node_sums (cells, node + i);
        }
    }
}

/* Completes all nodes of the slots from @begin to @end - 1 of a patch. */
static void
close_levels (const Fill *fill, int64_t patch, int64_t begin, int64_t end)
{
  const ArmillaCellsPlan *plan = fill->plan;
  const gboolean last = end == plan->first[patch + 1] - plan->first[patch];

  for (int level = 0; level < plan->n_levels; level++)
    {
      const int bits = armilla_level_bits (level);
      const int64_t from = (begin + ((int64_t) 1 << bits) - 1) >> bits;
      const int64_t to = last ? armilla_level_count (plan, patch, level) : end >> bits;

      if (from >= to)
        break;
      close_nodes (fill, level, patch, from, to);
    }
}

static void
sort_block (void *user, int thread, int64_t block)
{
  const Fill *fill = user;

  armilla_order_block (fill->order, thread, block);
}

static void
start_buckets (void *user)
{
  const Fill *fill = user;

  armilla_order_start (fill->order);
}

static void
fill_bucket (void *user, int thread, int64_t bucket)
{
  Fill *fill = user;
  const ArmillaOrder *order = fill->order;
  const ArmillaCells *cells = fill->cells;
  const int64_t start = order->start[bucket], n = order->start[bucket + 1] - start;
  const int64_t patch = (int64_t) (order->squares->first[bucket] >> ARMILLA_SHORT_KEY_BITS);
  const int64_t begin = start - fill->plan->first[patch];
  const int64_t first_slot = ARMILLA_LEAF * fill->plan->first_node[patch];
  double *x = armilla_point_row (cells, ARMILLA_POINT_X) + first_slot + begin;
  double *y = armilla_point_row (cells, ARMILLA_POINT_Y) + first_slot + begin;
  double *z = armilla_point_row (cells, ARMILLA_POINT_Z) + first_slot + begin;
  const uint64_t *words;

  if (n == 0)
    return;
  words = armilla_order_bucket (order, bucket, begin, &fill->rooms[thread]);
  if (!words)
    {
      g_atomic_int_set (&fill->failed, TRUE);
      return;
    }
  for (int64_t i = 0; i < n; i++)
    {
      const ArmillaRecord *record = &order->records[(uint32_t) words[i]];

      x[i] = record->x;
      y[i] = record->y;
      z[i] = record->z;
      if (cells->n_rows >= ARMILLA_ROWS_WEIGHT)
        fill_slot (cells, fill->plan->input, first_slot + begin + i,
                   (uint32_t) record->word);
    }
  if (start + n == fill->plan->first[patch + 1])
    for (int64_t slot = begin + n; slot % ARMILLA_LEAF != 0; slot++)
      fill_empty (cells, first_slot + slot);
  close_levels (fill, patch, begin, begin + n);
}

/* Completes nodes with slots of more than one bucket. */
static void
close_rest (const Fill *fill)
{
  const ArmillaOrder *order = fill->order;

  for (int level = 0; level < fill->plan->n_levels; level++)
    {
      const int bits = armilla_level_bits (level);
      int64_t last_patch = -1, last = -1;

      for (int64_t bucket = 0; bucket < order->squares->n_buckets; bucket++)
        {
          const int64_t patch
            = (int64_t) (order->squares->first[bucket] >> ARMILLA_SHORT_KEY_BITS);
          const int64_t begin = order->start[bucket] - fill->plan->first[patch];

          if ((begin >> bits) << bits == begin || (patch == last_patch && begin >> bits == last)
              || order->start[bucket] == fill->plan->first[patch + 1])
            continue;
          last_patch = patch;
          last = begin >> bits;
          close_nodes (fill, level, patch, last, last + 1);
        }
    }
}

static void
find_max (void *user, int thread, int64_t chunk)
{
  Fill *fill = user;
  const ArmillaCellsInput *in = fill->plan->input;
  const int64_t end = MIN (in->n, (chunk + 1) * CHUNK);
  double mass = fill->mass[thread], shear = fill->shear[thread];

  for (int64_t i = chunk * CHUNK; in->weight && i < end; i++)
    mass = MAX (mass, fabs (in->weight[i]));
  for (int64_t i = chunk * CHUNK; in->n_rows >= ARMILLA_ROWS_SHEAR && i < end; i++)
    {
      const double w = in->weight ? in->weight[i] : 1, a = w * in->g1[i], b = w * in->g2[i];

      shear = MAX (shear, a * a + b * b);
    }
  fill->mass[thread] = mass;
  fill->shear[thread] = shear;
}

/* Finds the maxima of |weight| and |weight shear|, and the unit of the weights. */
static void
find_scales (ArmillaCells *cells, Fill *fill, int n_threads)
{
  const ArmillaCellsInput *in = fill->plan->input;
  double mass = in->weight ? 0 : 1, shear = 0;
  int exponent = 0;

  if (in->weight || in->n_rows >= ARMILLA_ROWS_SHEAR)
    armilla_cells_parallel (n_threads,
                            &(ArmillaCellsWork) { .user = fill,
                                                  .n = (in->n + CHUNK - 1) / CHUNK,
                                                  .body = find_max });
  for (int thread = 0; thread < n_threads; thread++)
    {
      mass = MAX (mass, fill->mass[thread]);
      shear = MAX (shear, fill->shear[thread]);
    }
  (void) frexp (mass, &exponent);
  cells->mass = mass;
  cells->shear = sqrt (shear);
  cells->weight_exponent = in->weight ? exponent - ARMILLA_WEIGHT_BITS : 0;
}

/* Sorts the objects of armilla_cells_new () into their slots and builds the nodes, in the caller's
 * memory. Call it once. The result does not depend on the number of threads. Returns 0 if out of
 * memory. */
int
armilla_cells_fill (ArmillaCells *cells, double *points, double *nodes, int n_threads)
{
  Fill fill = { .cells = cells, .plan = cells->plan };
  ArmillaCellsWork work;

  n_threads = CLAMP (n_threads, 1, ARMILLA_CELLS_MAX_THREADS);
  fill.order = armilla_order_new (fill.plan->input, n_threads);
  if (!fill.order)
    return 0;
  work = (ArmillaCellsWork) { &fill, fill.order->n_blocks, sort_block, start_buckets,
                              fill.order->squares->n_buckets, fill_bucket };
  cells->points = points;
  cells->nodes = nodes;
  find_scales (cells, &fill, n_threads);
  for (int row = 0; row < ARMILLA_NODE_ROWS; row++)
    for (int64_t i = cells->n_nodes; i < cells->node_stride; i++)
      armilla_node_row (cells, row)[i] = row < ARMILLA_NODE_RADIUS ? NAN : 0;
  armilla_cells_parallel (n_threads, &work);
  if (!fill.failed)
    close_rest (&fill);
  for (int thread = 0; thread < n_threads; thread++)
    g_free (fill.rooms[thread].words);
  armilla_order_free (fill.order);
  return !fill.failed;
}
