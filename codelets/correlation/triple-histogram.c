/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "codelets/correlation/pair-math.h"
#include "codelets/correlation/triple-cpu.h"
#include "codelets/correlation/triple-math.h"
#include "codelets/legendre/delta-recurrence.h"
#include "core/catalogues/histogram.h"

/* more than the rounding errors */
#define DISTANCE_SLACK 1e-14

int64_t
armilla_triple_entries (const ArmillaTripleShape *shape)
{
  const int64_t n = shape->n_bins;

  return shape->equal ? n : n * (n + 1) * (n + 2) / 6;
}

/* Returns the length of a row of neighbours in whole vectors. */
static int64_t
stride_of (const ArmillaTripleShape *shape)
{
  return shape->reach + MAX_VECTOR * (shape->n_bins + 1);
}

/* Returns the number of words of scratch space that armilla_triple_histogram_cpu () needs. */
int64_t
armilla_triple_histogram_scratch (const ArmillaTripleShape *shape)
{
  return 7 * stride_of (shape) + shape->reach + 3 * (shape->n_bins + 2);
}

static int64_t
integer (const ArmillaTripleShape *shape, const ArmillaTripleInput *input, int side, int row,
         int64_t node)
{
  const int64_t *rows = (const int64_t *) (const void *) input->nodes[side];

  return rows[row * shape->strides[side] + node];
}

/* Returns whether objects of a node may be within the edges from an object of a leaf of apexes. */
static int
is_near (const ArmillaTripleShape *shape, const ArmillaTripleInput *input, int64_t leaf,
         int64_t node)
{
  const double *a = input->nodes[0] + leaf, *b = input->nodes[1] + node;
  const double *chord = input->edges + shape->n_bins + 2;
  const int64_t step_a = shape->strides[0], step_b = shape->strides[1];
  const double dx = a[ARMILLA_NODE_X * step_a] - b[ARMILLA_NODE_X * step_b];
  const double dy = a[ARMILLA_NODE_Y * step_a] - b[ARMILLA_NODE_Y * step_b];
  const double dz = a[ARMILLA_NODE_Z * step_a] - b[ARMILLA_NODE_Z * step_b];
  const double reach = a[ARMILLA_NODE_RADIUS * step_a] + b[ARMILLA_NODE_RADIUS * step_b]
                       + DISTANCE_SLACK;
  const double d = sqrt (ARMILLA_PAIR_S2 (dx, dy, dz));

  if (shape->within
      && integer (shape, input, 1, ARMILLA_NODE_SLOT, node)
           + integer (shape, input, 1, ARMILLA_NODE_SLOTS, node) <= leaf * ARMILLA_LEAF)
    return 0;
  return d - reach < chord[shape->n_bins] && d + reach >= chord[0];
}

/* Collects the leaves below a node that are within reach; returns the number of their objects. */
static int64_t
collect (const ArmillaTripleShape *shape, const ArmillaTripleInput *input, int64_t leaf,
         int64_t node, int64_t *leaves, int64_t *n)
{
  const int64_t child = integer (shape, input, 1, ARMILLA_NODE_CHILD, node);
  const int64_t n_children = integer (shape, input, 1, ARMILLA_NODE_N_CHILDREN, node);
  int64_t objects = 0;

  if (!is_near (shape, input, leaf, node))
    return 0;
  if (n_children == 0)
    {
      if (leaves)
        leaves[(*n)++] = node;
      return integer (shape, input, 1, ARMILLA_NODE_COUNT, node);
    }
  for (int64_t i = child; i < child + n_children; i++)
    objects += collect (shape, input, leaf, i, leaves, n);
  return objects;
}

static int64_t
collect_all (const ArmillaTripleShape *shape, const ArmillaTripleInput *input, int64_t leaf,
             int64_t *leaves, int64_t *n)
{
  int64_t objects = 0;

  for (int64_t i = shape->n_nodes - shape->n_roots; i < shape->n_nodes; i++)
    objects += collect (shape, input, leaf, i, leaves, n);
  return objects;
}

/* Counts, for each leaf of apexes, the objects of the other cells that may be within the last
 * edge. */
void
armilla_triple_reach (const ArmillaTripleShape *shape, const ArmillaTripleInput *input,
                      int64_t *reach)
{
  for (int64_t i = 0; i < shape->n_leaves; i++)
    reach[i] = collect_all (shape, input, shape->first_leaf + i, NULL, NULL);
}

/* Sorts the neighbours of each apex by the bin of their side, then tests every pair of them against
 * the edges that the third side may fall between. */
void
armilla_triple_histogram_cpu (const ArmillaTripleShape *shape, const ArmillaTripleInput *input,
                              int64_t *words, double *scratch)
{
  const int64_t stride = stride_of (shape), n_bins = shape->n_bins;
  int64_t *integers = (int64_t *) (void *) (scratch + 6 * stride);
  ArmillaTripleKernel *const run = ARMILLA_FOR_ISA (shape->isa, armilla_triple_leaf);
  ArmillaTripleWork work = { .shape = shape,
                             .input = input,
                             .counts = words + ARMILLA_HISTOGRAM_HEADER,
                             .found = scratch,
                             .sorted = scratch + 3 * stride,
                             .bin = integers,
                             .leaves = integers + stride,
                             .first = integers + stride + shape->reach,
                             .count = integers + stride + shape->reach + (n_bins + 2),
                             .numbers = integers + stride + shape->reach + 2 * (n_bins + 2),
                             .stride = stride };

  memset (words, 0,
          sizeof *words * (size_t) (ARMILLA_HISTOGRAM_HEADER + armilla_triple_entries (shape)));
  for (int64_t leaf = shape->first_leaf; leaf < shape->first_leaf + shape->n_leaves; leaf++)
    {
      work.n_near = 0;
      collect_all (shape, input, leaf, work.leaves, &work.n_near);
      run (&work, leaf);
    }
}
