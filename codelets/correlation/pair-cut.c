/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/correlation/pair-cut.h"

#include <math.h>

#include "codelets/correlation/pair-cpu.h"
#include "codelets/correlation/pair-math.h"
#include "core/catalogues/histogram.h"

/* as in the kernels: more than the rounding errors */
#define DISTANCE_SLACK 1e-14

typedef struct {
  const ArmillaPairShape *shape;
  const double *chord;
  const ArmillaCells *a, *b;
  double max_pairs;
  double reach;           /* separation from which pairs do not count */
  int64_t image;          /* image of a, and its displacement */
  double displacement[3];
  GArray *items;
} Cut;

static double
real (const ArmillaCells *cells, int row, int64_t node)
{
  return cells->nodes[row * cells->node_stride + node];
}

static int64_t
integer (const ArmillaCells *cells, int row, int64_t node)
{
  return ((const int64_t *) (const void *) cells->nodes)[row * cells->node_stride + node];
}

/* Returns the number of edges before m1 that are at or below a chord, given that those before m0
 * are. */
static int64_t
edges_below (const Cut *cut, double chord, int64_t m0, int64_t m1)
{
  while (m0 < m1)
    {
      const int64_t middle = (m0 + m1) / 2;

      if (cut->chord[middle] <= chord)
        m0 = middle + 1;
      else
        m1 = middle;
    }
  return m0;
}

/* Finds the numbers of edges below all separations of two nodes, and below any. Bins of two
 * coordinates are taken as a whole if the first one is not the distance. */
static void
bound (const Cut *cut, int64_t a, int64_t b, int64_t *m0, int64_t *m1)
{
  const double dx = (real (cut->a, ARMILLA_NODE_X, a) + cut->displacement[0])
                    - real (cut->b, ARMILLA_NODE_X, b);
  const double dy = (real (cut->a, ARMILLA_NODE_Y, a) + cut->displacement[1])
                    - real (cut->b, ARMILLA_NODE_Y, b);
  const double dz = (real (cut->a, ARMILLA_NODE_Z, a) + cut->displacement[2])
                    - real (cut->b, ARMILLA_NODE_Z, b);
  const double reach = real (cut->a, ARMILLA_NODE_RADIUS, a)
                       + real (cut->b, ARMILLA_NODE_RADIUS, b) + DISTANCE_SLACK;
  const double d = sqrt (ARMILLA_PAIR_S2 (dx, dy, dz));
  int64_t low;

  if (cut->shape->separation == ARMILLA_SEPARATION_RP_PI)
    {
      *m0 = d - reach > cut->reach ? *m1 : *m0;
      return;
    }
  low = edges_below (cut, MAX (d - reach, 0), *m0, *m1);
  *m1 = edges_below (cut, d + reach, low, *m1);
  *m0 = low;
}

/* Returns whether no pair must be visited, since all are in one bin. */
static gboolean
is_product (const Cut *cut, int64_t m0, int64_t m1)
{
  return m0 == m1 && !cut->shape->brute && !(cut->shape->sums & PER_PAIR_SUMS)
         && cut->shape->n2 == 0;
}

static void
emit (const Cut *cut, int64_t a, int64_t b, int64_t m0, int64_t m1)
{
  const double n_a = (double) integer (cut->a, ARMILLA_NODE_COUNT, a);
  const double n_b = (double) integer (cut->b, ARMILLA_NODE_COUNT, b);
  const ArmillaPairItem item = { { a, b, m0 + ARMILLA_ITEM_IMAGE * cut->image, m1 },
                                 is_product (cut, m0, m1) ? 1 : n_a * n_b };

  g_array_append_val (cut->items, item);
}

static void divide (const Cut *cut, int64_t a, int64_t b, int64_t m0, int64_t m1);

static void
divide_children (const Cut *cut, int64_t a, int64_t b, gboolean of_a, int64_t m0, int64_t m1)
{
  const ArmillaCells *cells = of_a ? cut->a : cut->b;
  const int64_t node = of_a ? a : b;
  const int64_t child = integer (cells, ARMILLA_NODE_CHILD, node);
  const int64_t n = integer (cells, ARMILLA_NODE_N_CHILDREN, node);

  for (int64_t i = child; i < child + n; i++)
    divide (cut, of_a ? i : a, of_a ? b : i, m0, m1);
}

/* Pairs the children of a node with each other and with themselves. */
static void
divide_self (const Cut *cut, int64_t a, int64_t m0, int64_t m1)
{
  const int64_t child = integer (cut->a, ARMILLA_NODE_CHILD, a);
  const int64_t n = integer (cut->a, ARMILLA_NODE_N_CHILDREN, a);

  for (int64_t i = child; i < child + n; i++)
    for (int64_t j = i; j < child + n; j++)
      divide (cut, i, j, m0, m1);
}

static void
divide (const Cut *cut, int64_t a, int64_t b, int64_t m0, int64_t m1)
{
  const int64_t n_bins = cut->shape->n_bins;
  const gboolean self = cut->shape->is_auto && a == b && cut->image == 0;
  const gboolean leaf_a = integer (cut->a, ARMILLA_NODE_N_CHILDREN, a) == 0;
  const gboolean leaf_b = integer (cut->b, ARMILLA_NODE_N_CHILDREN, b) == 0;
  const double n_a = (double) integer (cut->a, ARMILLA_NODE_COUNT, a);
  const double n_b = (double) integer (cut->b, ARMILLA_NODE_COUNT, b);

  bound (cut, a, b, &m0, &m1);
  if (!cut->shape->brute && m0 == m1 && (m0 < 1 || m0 > n_bins))
    return;
  if ((leaf_a && leaf_b) || n_a * n_b <= cut->max_pairs
      || (!self && is_product (cut, m0, m1)))
    emit (cut, a, b, m0, m1);
  else if (self)
    divide_self (cut, a, m0, m1);
  else
    divide_children (cut, a, b, leaf_b || (!leaf_a && n_a >= n_b), m0, m1);
}

/* Divides the pairs of all roots. Within one catalogue, the pairs of a root with itself are found
 * at two opposite images, of which one is visited. */
static void
divide_roots (const Cut *cut)
{
  const int64_t opposite = cut->image > 0 ? ARMILLA_ITEM_IMAGES + 1 - cut->image : 0;

  for (int64_t i = cut->a->n_nodes - cut->a->n_roots; i < cut->a->n_nodes; i++)
    for (int64_t j = cut->shape->is_auto ? i : cut->b->n_nodes - cut->b->n_roots;
         j < cut->b->n_nodes; j++)
      if (!cut->shape->is_auto || i != j || cut->image >= opposite)
        divide (cut, i, j, 0, cut->shape->n_bins + 1);
}

GArray *
armilla_pair_cut (const ArmillaPairShape *shape, const double *edges, const ArmillaCells *a,
                  const ArmillaCells *b, double max_pairs)
{
  const double *chord = edges + shape->n_bins + 2;
  const double last2 = shape->n2 > 0 ? edges[2 * (shape->n_bins + 2) + shape->n2] : 0;
  Cut cut = { .shape = shape,
              .chord = chord,
              .a = a,
              .b = b,
              .max_pairs = max_pairs,
              .reach = sqrt (edges[shape->n_bins] + last2) * (1 + DISTANCE_SLACK),
              .items = g_array_new (FALSE, FALSE, sizeof (ArmillaPairItem)) };

  divide_roots (&cut);
  for (int64_t image = 1; image <= ARMILLA_ITEM_IMAGES; image++)
    {
      const int64_t digits[3] = { (image - 1) / 9, (image - 1) / 3 % 3, (image - 1) % 3 };
      gboolean exists = 2 * image != ARMILLA_ITEM_IMAGES + 1; /* a itself */

      for (int k = 0; k < 3; k++)
        exists = exists && (shape->period[k] > 0 || digits[k] == 1);
      if (!exists)
        continue;
      cut.image = image;
      armilla_pair_displacement (shape, image, cut.displacement);
      divide_roots (&cut);
    }
  return cut.items;
}
