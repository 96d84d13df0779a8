/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "codelets/cells-private.h"

/* What radii are made larger by: more than rounding can do. */
#define RADIUS_SLACK 1e-15
#define RADIUS_FACTOR (1 + 1e-14)
/* Leaves that a thread takes at a time. */
#define LEAVES_AT_ONCE 256
/* Objects lie anywhere in the catalogue: memory is asked for them this long before. */
#define AHEAD 48

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

typedef struct ArmillaCellsPlan {
  const ArmillaCellsInput *input;
  ArmillaCells *cells;
  ArmillaKeyed *order;
  int64_t n_patches;
  int64_t *first;      /* [n_patches + 1]: of the objects in order */
  int64_t *first_leaf; /* [n_patches + 1] */
  int n_levels;
  int64_t level, level_size; /* nodes that are being made */
} Build;

static double *
node_row (const ArmillaCells *cells, int row)
{
  return cells->nodes + row * cells->node_stride;
}

static int64_t *
node_integers (const ArmillaCells *cells, int row)
{
  return (int64_t *) (void *) node_row (cells, row);
}

static double *
point_row (const ArmillaCells *cells, int row)
{
  return cells->points + row * cells->n_slots;
}

/* See ArmillaCatalogue: at a pole the longitude is 0. */
static void
fill_shear (const ArmillaCells *cells, const ArmillaCellsInput *in, int64_t slot, int64_t i)
{
  const double axis = sqrt (in->x[i] * in->x[i] + in->y[i] * in->y[i]);
  const double w = in->weight ? in->weight[i] : 1;

  point_row (cells, ARMILLA_POINT_COS)[slot] = axis > 0 ? in->x[i] / axis : 1;
  point_row (cells, ARMILLA_POINT_SIN)[slot] = axis > 0 ? in->y[i] / axis : 0;
  point_row (cells, ARMILLA_POINT_AXIS)[slot] = axis;
  point_row (cells, ARMILLA_POINT_G1)[slot] = w * in->g1[i];
  point_row (cells, ARMILLA_POINT_G2)[slot] = w * in->g2[i];
}

static void
fill_slot (const ArmillaCells *cells, const ArmillaCellsInput *in, int64_t slot, int64_t i)
{
  point_row (cells, ARMILLA_POINT_X)[slot] = in->x[i];
  point_row (cells, ARMILLA_POINT_Y)[slot] = in->y[i];
  point_row (cells, ARMILLA_POINT_Z)[slot] = in->z[i];
  if (cells->n_rows >= ARMILLA_ROWS_WEIGHT)
    ((int64_t *) (void *) point_row (cells, ARMILLA_POINT_WEIGHT))[slot]
      = in->weight ? llrint (ldexp (in->weight[i], (int) -cells->weight_exponent)) : 1;
  if (cells->n_rows >= ARMILLA_ROWS_MASS)
    point_row (cells, ARMILLA_POINT_MASS)[slot] = in->weight ? in->weight[i] : 1;
  if (cells->n_rows >= ARMILLA_ROWS_SHEAR)
    fill_shear (cells, in, slot, i);
}

/* A slot without an object: nothing is near it, it weighs nothing. */
static void
fill_empty (const ArmillaCells *cells, int64_t slot)
{
  for (int row = 0; row < cells->n_rows; row++)
    point_row (cells, row)[slot] = row < ARMILLA_ROWS_POSITION ? NAN : 0;
}

static void
set_ball (const ArmillaCells *cells, int64_t node, const double centre[3], double radius)
{
  for (int c = 0; c < 3; c++)
    node_row (cells, ARMILLA_NODE_X + c)[node] = centre[c];
  node_row (cells, ARMILLA_NODE_RADIUS)[node] = radius * RADIUS_FACTOR + RADIUS_SLACK;
}

static void
set_weight (const ArmillaCells *cells, int64_t node, __int128 sum)
{
  node_integers (cells, ARMILLA_NODE_WEIGHT_LOW)[node] = (int64_t) sum;
  node_integers (cells, ARMILLA_NODE_WEIGHT_HIGH)[node] = (int64_t) (sum >> 64);
}

static double
distance (const double a[3], const double b[3])
{
  const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];

  return sqrt (x * x + y * y + z * z);
}

/* The ball around the middle of the box. */
static void
close_leaf (const ArmillaCells *cells, int64_t leaf, int64_t count)
{
  const int64_t slot = leaf * ARMILLA_LEAF;
  double centre[3], radius = 0;
  __int128 weight = count;

  for (int c = 0; c < 3; c++)
    {
      const double *row = point_row (cells, c) + slot;
      double low = row[0], high = row[0];

      for (int64_t i = 1; i < count; i++)
        {
          low = MIN (low, row[i]);
          high = MAX (high, row[i]);
        }
      centre[c] = 0.5 * (low + high);
    }
  for (int64_t i = 0; i < count; i++)
    {
      const double x = point_row (cells, 0)[slot + i] - centre[0];
      const double y = point_row (cells, 1)[slot + i] - centre[1];
      const double z = point_row (cells, 2)[slot + i] - centre[2];

      radius = MAX (radius, x * x + y * y + z * z);
    }
  if (cells->n_rows >= ARMILLA_ROWS_WEIGHT)
    {
      const int64_t *row = (int64_t *) (void *) point_row (cells, ARMILLA_POINT_WEIGHT);

      weight = 0;
      for (int64_t i = 0; i < count; i++)
        weight += row[slot + i];
    }
  set_ball (cells, leaf, centre, sqrt (radius));
  set_weight (cells, leaf, weight);
  node_integers (cells, ARMILLA_NODE_COUNT)[leaf] = count;
}

static void
fill_leaves (void *user, int64_t group)
{
  const Build *build = user;
  const ArmillaCells *cells = build->cells;
  const int64_t n_leaves = cells->n_slots / ARMILLA_LEAF;

  for (int64_t leaf = group * LEAVES_AT_ONCE;
       leaf < n_leaves && leaf < (group + 1) * LEAVES_AT_ONCE; leaf++)
    {
      const int64_t patch = node_integers (cells, ARMILLA_NODE_PATCH)[leaf];
      const int64_t from
        = build->first[patch] + (leaf - build->first_leaf[patch]) * ARMILLA_LEAF;
      const int64_t count = MIN (build->first[patch + 1] - from, ARMILLA_LEAF);

      for (int64_t i = 0; i < ARMILLA_LEAF; i++)
        if (from + i + AHEAD < build->input->n)
          {
            const int64_t next = build->order[from + i + AHEAD].object;

            __builtin_prefetch (build->input->x + next);
            __builtin_prefetch (build->input->y + next);
            __builtin_prefetch (build->input->z + next);
          }
      for (int64_t i = 0; i < ARMILLA_LEAF; i++)
        if (i < count)
          fill_slot (cells, build->input, leaf * ARMILLA_LEAF + i, build->order[from + i].object);
        else
          fill_empty (cells, leaf * ARMILLA_LEAF + i);
      close_leaf (cells, leaf, count);
    }
}

/* The ball around the balls of the children, from the middle of their centres' box. */
static void
close_node (const ArmillaCells *cells, int64_t node)
{
  const int64_t child = node_integers (cells, ARMILLA_NODE_CHILD)[node];
  const int64_t n = node_integers (cells, ARMILLA_NODE_N_CHILDREN)[node];
  double centre[3], radius = 0;
  __int128 weight = 0;
  int64_t count = 0;

  for (int c = 0; c < 3; c++)
    {
      const double *row = node_row (cells, c) + child;
      double low = row[0], high = row[0];

      for (int64_t i = 1; i < n; i++)
        {
          low = MIN (low, row[i]);
          high = MAX (high, row[i]);
        }
      centre[c] = 0.5 * (low + high);
    }
  for (int64_t i = child; i < child + n; i++)
    {
      const double at[3] = { node_row (cells, 0)[i], node_row (cells, 1)[i],
                             node_row (cells, 2)[i] };

      radius = MAX (radius, distance (at, centre) + node_row (cells, ARMILLA_NODE_RADIUS)[i]);
      count += node_integers (cells, ARMILLA_NODE_COUNT)[i];
      weight += (__int128) node_integers (cells, ARMILLA_NODE_WEIGHT_HIGH)[i] << 64
                | (uint64_t) node_integers (cells, ARMILLA_NODE_WEIGHT_LOW)[i];
    }
  set_ball (cells, node, centre, radius);
  set_weight (cells, node, weight);
  node_integers (cells, ARMILLA_NODE_COUNT)[node] = count;
}

static void
fill_nodes (void *user, int64_t group)
{
  const Build *build = user;

  for (int64_t i = group * LEAVES_AT_ONCE;
       i < build->level_size && i < (group + 1) * LEAVES_AT_ONCE; i++)
    close_node (build->cells, build->level + i);
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
          node_integers (cells, ARMILLA_NODE_SLOT)[at] = ARMILLA_LEAF * (leaf + i * span);
          node_integers (cells, ARMILLA_NODE_SLOTS)[at]
            = ARMILLA_LEAF * MIN (span, leaves - i * span);
          node_integers (cells, ARMILLA_NODE_CHILD)[at] = below + ARMILLA_CHILDREN * i;
          node_integers (cells, ARMILLA_NODE_N_CHILDREN)[at]
            = CLAMP (n_below - ARMILLA_CHILDREN * i, 0, ARMILLA_CHILDREN);
          node_integers (cells, ARMILLA_NODE_PATCH)[at++] = patch;
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
 * Puts the objects into their slots and makes the nodes. The memory stays the caller's.
 */
void
armilla_cells_fill (ArmillaCells *cells, double *points, double *nodes, int n_threads)
{
  Build *build = cells->plan;
  int64_t at = 0, below = 0;

  cells->points = points;
  cells->nodes = nodes;
  memset (nodes, 0, sizeof *nodes * (size_t) (ARMILLA_NODE_ROWS * cells->node_stride));
  for (int row = 0; row < 3; row++)
    for (int64_t i = cells->n_nodes; i < cells->node_stride; i++)
      node_row (cells, row)[i] = NAN;
  for (int level = 0; level < build->n_levels; level++)
    {
      const int64_t next = lay_out_level (build, build->n_patches, level, at, below);

      build->level = at;
      build->level_size = next - at;
      armilla_cells_parallel (n_threads, groups_of (next - at),
                              level == 0 ? fill_leaves : fill_nodes, build);
      below = at;
      at = next;
    }
  cells->n_roots = cells->n_nodes - below;
}

/**
 * armilla_cells_new:
 * @input: objects; must live until the cells are filled
 * @n_threads: how many threads may work; the result does not depend on it
 *
 * Sorts objects, and finds out how much memory their cells need.
 *
 * Returns: (transfer full) (nullable): the cells, to be filled; %NULL without memory
 */
ArmillaCells *
armilla_cells_new (const ArmillaCellsInput *input, int n_threads)
{
  const int64_t n_patches = input->patch ? input->n_patches : 1;
  ArmillaCells *cells = g_new0 (ArmillaCells, 1);
  Build *build = g_new0 (Build, 1);

  *build = (Build) { .input = input, .cells = cells, .n_patches = n_patches };
  build->first = g_new0 (int64_t, n_patches + 1);
  build->first_leaf = g_new0 (int64_t, n_patches + 1);
  build->order = armilla_cells_sort (input, n_threads, build->first);
  cells->plan = build;
  cells->n = input->n;
  cells->n_rows = input->n_rows;
  find_scales (cells, input);
  for (int64_t patch = 0; patch < n_patches; patch++)
    build->first_leaf[patch + 1] = build->first_leaf[patch] + level_count (build, patch, 0);
  cells->n_slots = ARMILLA_LEAF * build->first_leaf[n_patches];
  build->n_levels = count_levels (build, n_patches, &cells->n_nodes);
  cells->node_stride = cells->n_nodes + ARMILLA_CHILDREN;
  if (!build->order)
    g_clear_pointer (&cells, armilla_cells_free);
  return cells;
}

/**
 * armilla_cells_free:
 * @cells: (transfer full): cells
 */
void
armilla_cells_free (ArmillaCells *cells)
{
  g_free (cells->plan->order);
  g_free (cells->plan->first);
  g_free (cells->plan->first_leaf);
  g_free (cells->plan);
  g_free (cells);
}
