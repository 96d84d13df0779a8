/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib.h>
#include <math.h>

#include "codelets/cells-private.h"

/* Leaves, and objects, that a thread takes at a time. */
#define LEAVES_AT_ONCE 256
#define OBJECTS_AT_ONCE 4096

typedef struct {
  gint next;
  int64_t n;
  ArmillaCellsBody body;
  void *user;
} Loop;

static gpointer
run_loop (gpointer data)
{
  Loop *loop = data;

  for (int64_t i = g_atomic_int_add (&loop->next, 1); i < loop->n;
       i = g_atomic_int_add (&loop->next, 1))
    loop->body (loop->user, i);
  return NULL;
}

/**
 * armilla_cells_parallel:
 * @n_threads: how many threads may work
 * @n: how often, below 2^31 - @n_threads
 * @body: what to do
 * @user: for @body
 *
 * Runs @body for 0, 1, ..., n - 1, in any order. A thread that the system does not give is done
 * without.
 */
void
armilla_cells_parallel (int n_threads, int64_t n, ArmillaCellsBody body, void *user)
{
  Loop loop = { 0, n, body, user };
  GThread *threads[64];
  int n_more = 0;

  for (; n_more < n_threads - 1 && n_more < n - 1 && n_more < 64; n_more++)
    {
      threads[n_more] = g_thread_try_new ("armilla-cells", run_loop, &loop, NULL);
      if (!threads[n_more])
        break;
    }
  run_loop (&loop);
  while (n_more > 0)
    g_thread_join (threads[--n_more]);
}

/**
 * armilla_cells_allocate:
 * @input: says who gives memory
 * @size: bytes
 *
 * Returns: (nullable): memory for armilla_cells_release(); %NULL when there is none
 */
void *
armilla_cells_allocate (const ArmillaCellsInput *input, int64_t size)
{
  size = MAX (size, 1);
  return input->allocate ? input->allocate (size) : g_try_malloc ((gsize) size);
}

/**
 * armilla_cells_release:
 * @input: says who gives memory
 * @at: memory of armilla_cells_allocate()
 * @size: its bytes
 */
void
armilla_cells_release (const ArmillaCellsInput *input, void *at, int64_t size)
{
  if (input->allocate)
    input->release (at, MAX (size, 1));
  else
    g_free (at);
}

typedef struct ArmillaCellsPlan {
  const ArmillaCellsInput *input;
  ArmillaCells *cells;
  ArmillaOrder *order; /* while the cells are filled */
  int64_t n_patches;
  int64_t *first;      /* [n_patches + 1]: of the objects in order */
  int64_t *first_leaf; /* [n_patches + 1] */
  int n_levels;
  int64_t level, level_size; /* nodes that are being made */
} Build;

/* See ArmillaCatalogue: at a pole the longitude is 0. */
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

/* What the records do not carry. */
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

/* A slot without an object: nothing is near it, it weighs nothing. */
static void
fill_empty (const ArmillaCells *cells, int64_t slot)
{
  for (int row = 0; row < cells->n_rows; row++)
    armilla_point_row (cells, row)[slot] = row < ARMILLA_ROWS_POSITION ? NAN : 0;
}

/* The patch of the object at a place in order: the last that begins there or before. */
static int64_t
patch_of (const Build *build, int64_t place)
{
  int64_t low = 0, high = build->n_patches;

  while (low + 1 < high)
    {
      const int64_t middle = (low + high) / 2;

      if (build->first[middle] <= place)
        low = middle;
      else
        high = middle;
    }
  return low;
}

static void
fill_bucket (const Build *build, int64_t bucket)
{
  const ArmillaOrder *order = build->order;
  const ArmillaCells *cells = build->cells;
  const int64_t start = order->start[bucket], n = order->start[bucket + 1] - start;
  const int64_t patch = patch_of (build, start);
  const int64_t slot
    = ARMILLA_LEAF * build->first_leaf[patch] + start - build->first[patch];
  const ArmillaRecord *records = order->records + start;
  double *x = armilla_point_row (cells, ARMILLA_POINT_X) + slot;
  double *y = armilla_point_row (cells, ARMILLA_POINT_Y) + slot;
  double *z = armilla_point_row (cells, ARMILLA_POINT_Z) + slot;
  uint64_t words[ARMILLA_BUCKET_MOST];

  armilla_order_bucket (order, bucket, start - build->first[patch], words);
  for (int64_t i = 0; i < n; i++)
    {
      const ArmillaRecord *record = &records[n <= ARMILLA_BUCKET_MOST ? (uint32_t) words[i] : i];

      x[i] = record->x;
      y[i] = record->y;
      z[i] = record->z;
      if (cells->n_rows >= ARMILLA_ROWS_WEIGHT)
        fill_slot (cells, build->input, slot + i, record->object);
    }
}

static void
fill_buckets (void *user, int64_t group)
{
  const Build *build = user;
  const ArmillaOrder *order = build->order;
  const int64_t first = armilla_order_bucket_from (order, group * OBJECTS_AT_ONCE);
  const int64_t end = armilla_order_bucket_from (order, (group + 1) * OBJECTS_AT_ONCE);

  for (int64_t bucket = first; bucket < end && bucket < order->n_buckets; bucket++)
    if (order->start[bucket + 1] > order->start[bucket])
      fill_bucket (build, bucket);
}

/* The slots behind the last object of each patch. */
static void
fill_rests (const Build *build)
{
  const int64_t *first = build->first, *leaf = build->first_leaf;

  for (int64_t patch = 0; patch < build->n_patches; patch++)
    for (int64_t slot = ARMILLA_LEAF * leaf[patch] + first[patch + 1] - first[patch];
         slot < ARMILLA_LEAF * leaf[patch + 1]; slot++)
      fill_empty (build->cells, slot);
}

static void
close_leaves (void *user, int64_t group)
{
  const Build *build = user;
  const ArmillaCells *cells = build->cells;
  const int64_t *first = build->first;
  const int64_t n_leaves = cells->n_slots / ARMILLA_LEAF;

  for (int64_t leaf = group * LEAVES_AT_ONCE;
       leaf < n_leaves && leaf < (group + 1) * LEAVES_AT_ONCE; leaf++)
    {
      const int64_t patch = armilla_node_integers (cells, ARMILLA_NODE_PATCH)[leaf];
      const int64_t from = first[patch] + (leaf - build->first_leaf[patch]) * ARMILLA_LEAF;

      armilla_cells_close_leaf (cells, leaf, MIN (first[patch + 1] - from, ARMILLA_LEAF));
    }
}

static void
fill_nodes (void *user, int64_t group)
{
  const Build *build = user;

  for (int64_t i = group * LEAVES_AT_ONCE;
       i < build->level_size && i < (group + 1) * LEAVES_AT_ONCE; i++)
    armilla_cells_close_node (build->cells, build->level + i);
}

static int64_t
groups_of (int64_t n)
{
  return (n + LEAVES_AT_ONCE - 1) / LEAVES_AT_ONCE;
}

/* Nodes of a level; each patch has at least one. */
static int64_t
level_count (const Build *build, int64_t patch, int level)
{
  const int64_t n = build->first[patch + 1] - build->first[patch];
  const int64_t span = (int64_t) ARMILLA_LEAF << (3 * level);

  return (n + span - 1) / span;
}

/* Who is whose child; all that does not depend on the objects. */
static int64_t
lay_out_level (const Build *build, int64_t n_patches, int level, int64_t at, int64_t below)
{
  const ArmillaCells *cells = build->cells;
  int64_t leaf = 0;

  for (int64_t patch = 0; patch < n_patches; patch++)
    {
      const int64_t n = level_count (build, patch, level);
      const int64_t leaves = level_count (build, patch, 0);
      const int64_t n_below = level > 0 ? level_count (build, patch, level - 1) : 0;
      const int64_t span = (int64_t) 1 << (3 * level);

      for (int64_t i = 0; i < n; i++)
        {
          armilla_node_integers (cells, ARMILLA_NODE_SLOT)[at] = ARMILLA_LEAF * (leaf + i * span);
          armilla_node_integers (cells, ARMILLA_NODE_SLOTS)[at]
            = ARMILLA_LEAF * MIN (span, leaves - i * span);
          armilla_node_integers (cells, ARMILLA_NODE_CHILD)[at] = below + ARMILLA_CHILDREN * i;
          armilla_node_integers (cells, ARMILLA_NODE_N_CHILDREN)[at]
            = CLAMP (n_below - ARMILLA_CHILDREN * i, 0, ARMILLA_CHILDREN);
          armilla_node_integers (cells, ARMILLA_NODE_PATCH)[at++] = patch;
        }
      leaf += leaves;
      below += n_below;
    }
  return at;
}

/* Levels up to the first where no patch has more than one node. */
static int
count_levels (const Build *build, int64_t n_patches, int64_t *n_nodes)
{
  int level = 0;

  *n_nodes = 0;
  for (;; level++)
    {
      int64_t most = 0;

      for (int64_t patch = 0; patch < n_patches; patch++)
        {
          const int64_t n = level_count (build, patch, level);

          *n_nodes += n;
          most = MAX (most, n);
        }
      if (most <= 1)
        return level + 1;
    }
}

static void
find_scales (ArmillaCells *cells, const ArmillaCellsInput *in)
{
  int exponent = 0;

  cells->mass = in->weight ? 0 : 1;
  for (int64_t i = 0; in->weight && i < in->n; i++)
    cells->mass = MAX (cells->mass, in->weight[i]);
  for (int64_t i = 0; cells->n_rows >= ARMILLA_ROWS_SHEAR && i < in->n; i++)
    {
      const double w = in->weight ? in->weight[i] : 1, a = w * in->g1[i], b = w * in->g2[i];

      cells->shear = MAX (cells->shear, a * a + b * b);
    }
  cells->shear = sqrt (cells->shear);
  (void) frexp (cells->mass, &exponent);
  cells->weight_exponent = in->weight ? exponent - ARMILLA_WEIGHT_BITS : 0;
}

/**
 * armilla_cells_fill:
 * @cells: cells that armilla_cells_new() gave; filled once
 * @points: (out): n_rows n_slots words
 * @nodes: (out): ARMILLA_NODE_ROWS node_stride words
 * @n_threads: how many threads may work; the result does not depend on it
 *
 * Sorts the objects into their slots and makes the nodes. The memory stays the caller's.
 *
 * Returns: 0 when there is no memory to sort in
 */
int
armilla_cells_fill (ArmillaCells *cells, double *points, double *nodes, int n_threads)
{
  Build *build = cells->plan;
  int64_t at = 0, below = 0;

  build->order = armilla_order_new (build->input, n_threads);
  if (!build->order)
    return 0;
  cells->points = points;
  cells->nodes = nodes;
  for (int row = 0; row < ARMILLA_NODE_ROWS; row++)
    for (int64_t i = cells->n_nodes; i < cells->node_stride; i++)
      armilla_node_row (cells, row)[i] = row < ARMILLA_NODE_RADIUS ? NAN : 0;
  armilla_cells_parallel (n_threads, (cells->n + OBJECTS_AT_ONCE - 1) / OBJECTS_AT_ONCE,
                          fill_buckets, build);
  fill_rests (build);
  for (int level = 0; level < build->n_levels; level++)
    {
      const int64_t next = lay_out_level (build, build->n_patches, level, at, below);

      build->level = at;
      build->level_size = next - at;
      armilla_cells_parallel (n_threads, groups_of (next - at),
                              level == 0 ? close_leaves : fill_nodes, build);
      below = at;
      at = next;
    }
  cells->n_roots = cells->n_nodes - below;
  g_clear_pointer (&build->order, armilla_order_free);
  return 1;
}

/* Where the objects of each patch begin when they are in order. */
static void
count_patches (Build *build)
{
  const ArmillaCellsInput *in = build->input;

  build->first[build->n_patches] = in->n;
  for (int64_t i = 0; in->patch && i < in->n; i++)
    if (in->patch[i] + 1 < in->n_patches)
      build->first[in->patch[i] + 1]++;
  for (int64_t patch = 1; patch < build->n_patches; patch++)
    build->first[patch] += build->first[patch - 1];
}

/**
 * armilla_cells_new:
 * @input: objects, below 2^32; must live until the cells are filled
 *
 * Finds out how much memory the cells of objects need.
 *
 * Returns: (transfer full): the cells, to be filled
 */
ArmillaCells *
armilla_cells_new (const ArmillaCellsInput *input)
{
  const int64_t n_patches = input->patch ? input->n_patches : 1;
  ArmillaCells *cells = g_new0 (ArmillaCells, 1);
  Build *build = g_new0 (Build, 1);

  *build = (Build) { .input = input, .cells = cells, .n_patches = n_patches };
  build->first = g_new0 (int64_t, n_patches + 1);
  build->first_leaf = g_new0 (int64_t, n_patches + 1);
  cells->plan = build;
  cells->n = input->n;
  cells->n_rows = input->n_rows;
  count_patches (build);
  find_scales (cells, input);
  for (int64_t patch = 0; patch < n_patches; patch++)
    build->first_leaf[patch + 1] = build->first_leaf[patch] + level_count (build, patch, 0);
  cells->n_slots = ARMILLA_LEAF * build->first_leaf[n_patches];
  build->n_levels = count_levels (build, n_patches, &cells->n_nodes);
  cells->node_stride = cells->n_nodes + ARMILLA_CHILDREN;
  return cells;
}

/**
 * armilla_cells_free:
 * @cells: (transfer full): cells
 */
void
armilla_cells_free (ArmillaCells *cells)
{
  g_free (cells->plan->first);
  g_free (cells->plan->first_leaf);
  g_free (cells->plan);
  g_free (cells);
}
