/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells, and the kernels of all instruction sets against each other. */
#include "codelets/correlation/cells-private.h"
#include "tests/correlation/pair-kernel-helpers.h"

static const int sums[] = { 0, 1 << ARMILLA_SUM_WEIGHT, 1 << ARMILLA_SUM_SEPARATION,
                            1 << ARMILLA_SUM_XI_PLUS | 1 << ARMILLA_SUM_XI_MINUS,
                            (1 << ARMILLA_N_SUMS) - 1 };

static ArmillaBins *
bins_of (int which)
{
  if (which == 0)
    return armilla_bins_new_linear (0, G_PI, 7, NULL);
  /* Few edges, and so many that most pairs pass several rounds. */
  return which == 1 ? armilla_bins_new_logarithmic (0.01 * DEGREE, 10 * DEGREE, 20, NULL)
                    : armilla_bins_new_logarithmic (0.1 * DEGREE, 100 * DEGREE, 150, NULL);
}

static void
test_pairs (void)
{
  const int best = (int) armilla_isa_detect ();

  for (int sky = 0; sky < SKY_KINDS; sky++)
    for (int which = 0; which < 3; which++)
      for (gsize s = 0; s < G_N_ELEMENTS (sums); s++)
        for (int cross = 0; cross < 3; cross++)
          {
            const ArmillaCatalogueParts parts = ARMILLA_CATALOGUE_WEIGHT | ARMILLA_CATALOGUE_SHEAR;
            g_autoptr (ArmillaBins) bins = bins_of (which);
            g_autoptr (ArmillaCatalogue) a
              = cross == 2 ? sky_lenses (sky, 301, 1) : sky_new (sky, 301, 1, parts);
            g_autoptr (ArmillaCatalogue) b = sky_new (sky, 207, 2, parts);
            g_auto (PairCase) p
              = pair_case_new (a, cross ? b : NULL, bins, 0, sums[s], FALSE, 1 << 12);
            g_autofree int64_t *expected = NULL;

            p.shape.isa = 0;
            expected = pair_case_cpu (&p);
            for (p.shape.isa = 1; p.shape.isa <= best; p.shape.isa++)
              {
                g_autofree int64_t *words = pair_case_cpu (&p);

                g_assert_cmpmem (words, 8 * (gsize) p.n_words, expected, 8 * (gsize) p.n_words);
              }
          }
}

static void
test_triangles (void)
{
  const int best = (int) armilla_isa_detect ();

  for (int sky = 0; sky < SKY_KINDS; sky++)
    for (int equal = 0; equal < 2; equal++)
      for (int cross = 0; cross < 2; cross++)
        {
          g_autoptr (ArmillaBins) bins = bins_of (cross);
          g_autoptr (ArmillaCatalogue) a = sky_new (sky, 130, 1, 0);
          g_autoptr (ArmillaCatalogue) b = sky_new (sky, 65, 2, 0);
          g_auto (TripleCase) t = triple_case_new (a, cross ? b : NULL, bins, equal);
          g_autofree int64_t *expected = NULL;

          t.shape.isa = 0;
          expected = triple_case_cpu (&t);
          for (t.shape.isa = 1; t.shape.isa <= best; t.shape.isa++)
            {
              g_autofree int64_t *words = triple_case_cpu (&t);

              g_assert_cmpmem (words, 8 * (gsize) t.n_words, expected, 8 * (gsize) t.n_words);
            }
        }
}

static int64_t
integer (const ArmillaCells *cells, int row, int64_t node)
{
  return ((const int64_t *) (const void *) cells->nodes)[row * cells->node_stride + node];
}

/* Every object of a node is in its ball; children share out the slots and the sums of a node. */
static void
check_node (const ArmillaCells *cells, int64_t node)
{
  const double *ball = cells->nodes + node;
  const int64_t child = integer (cells, ARMILLA_NODE_CHILD, node);
  const int64_t first = integer (cells, ARMILLA_NODE_SLOT, node);
  int64_t count = 0, slot = first;

  for (int64_t i = first; i < first + integer (cells, ARMILLA_NODE_SLOTS, node); i++)
    {
      long double d2 = 0;

      for (int c = 0; c < 3; c++)
        {
          const long double d = (long double) cells->points[c * cells->n_slots + i]
                                - ball[c * cells->node_stride];

          d2 += d * d;
        }
      if (isnan (cells->points[i]))
        continue;
      count++;
      g_assert_true (sqrtl (d2) <= ball[ARMILLA_NODE_RADIUS * cells->node_stride]);
    }
  g_assert_cmpint (count, ==, integer (cells, ARMILLA_NODE_COUNT, node));
  for (int64_t i = child; i < child + integer (cells, ARMILLA_NODE_N_CHILDREN, node); i++)
    {
      g_assert_cmpint (integer (cells, ARMILLA_NODE_SLOT, i), ==, slot);
      slot += integer (cells, ARMILLA_NODE_SLOTS, i);
      check_node (cells, i);
    }
  if (integer (cells, ARMILLA_NODE_N_CHILDREN, node) > 0)
    g_assert_cmpint (slot, ==, first + integer (cells, ARMILLA_NODE_SLOTS, node));
}

static void
test_cells (void)
{
  static const gint64 sizes[] = { 0, 1, 16, 17, 129, 5000 };

  for (int sky = 0; sky < SKY_KINDS; sky++)
    for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
      {
        g_autoptr (ArmillaCatalogue) c
          = sky_new (sky, sizes[i], 3, ARMILLA_CATALOGUE_WEIGHT | ARMILLA_CATALOGUE_PATCH);
        ArmillaCells *cells;
        int64_t count = 0;

        sky_patches (c, 3);
        cells = pair_case_cells (c, TRUE, 0);
        g_assert_cmpint (cells->n_roots, <=, 3);
        for (int64_t root = cells->n_nodes - cells->n_roots; root < cells->n_nodes; root++)
          {
            check_node (cells, root);
            count += integer (cells, ARMILLA_NODE_COUNT, root);
          }
        g_assert_cmpint (count, ==, sizes[i]);
        g_free (cells->points);
        g_free (cells->nodes);
        armilla_cells_free (cells);
      }
}

/* The same cells whatever the number of threads and the instruction set, and every object in one
 * slot. */
static void
test_threads (void)
{
  for (int sky = 0; sky < SKY_KINDS; sky++)
    {
      g_autoptr (ArmillaCatalogue) c
        = sky_new (sky, 70000, 3, ARMILLA_CATALOGUE_WEIGHT | ARMILLA_CATALOGUE_PATCH);
      ArmillaCellsInput input = { .n = c->n, .x = c->x, .y = c->y, .z = c->z,
                                  .weight = c->weight, .n_rows = ARMILLA_ROWS_MASS };
      g_autofree double *expected = NULL;

      sky_patches (c, 5);
      input.patch = sky % 2 ? c->patch : NULL;
      input.n_patches = 5;
      /* Numbers instead of weights say which object is where. */
      for (gint64 i = 0; i < c->n; i++)
        c->weight[i] = (double) (i + 1);
      for (int n_threads = 1; n_threads < 6; n_threads++)
        {
          input.isa = n_threads % ((int) armilla_isa_detect () + 1);

          ArmillaCells *cells = armilla_cells_new (&input);
          const gsize n = (gsize) (cells->n_rows * cells->n_slots);
          g_autofree double *points = g_new (double, n);
          g_autofree double *nodes = g_new (double, ARMILLA_NODE_ROWS * cells->node_stride);
          double sum = 0;

          g_assert_true (armilla_cells_fill (cells, points, nodes, n_threads));
          if (!expected)
            expected = g_memdup2 (points, n * sizeof (double));
          g_assert_cmpmem (points, n * sizeof (double), expected, n * sizeof (double));
          for (gint64 slot = 0; slot < cells->n_slots; slot++)
            {
              const gint64 i = (gint64) points[ARMILLA_POINT_MASS * cells->n_slots + slot] - 1;

              sum += (double) (i + 1);
              if (i >= 0)
                for (int k = 0; k < 3; k++)
                  g_assert_true (points[k * cells->n_slots + slot]
                                 == (k == 0 ? c->x : k == 1 ? c->y : c->z)[i]);
            }
          /* Those of n objects, each once; whole numbers below 2^53. */
          g_assert_cmpfloat (sum, ==, 0.5 * (double) c->n * (double) (c->n + 1));
          armilla_cells_free (cells);
        }
    }
}

/* Kernels find many orientations of the curve at once: the first bits of the places that are found
 * one after the other, to the last bit, near edges and corners of the cube, too. */
static void
test_keys (void)
{
  const gint64 n = 3001;
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  g_autoptr (ArmillaCatalogue) c = sky_new (SKY_UNIFORM, n, 9, 0);
  g_autofree uint32_t *keys = g_new (uint32_t, n);

  for (gint64 i = 0; i < n; i += 3)
    {
      const double near = i % 2 ? 1e-9 : 0, sign = g_rand_boolean (rand) ? 1 : -1;
      double v[3] = { sign, sign * (1 - near), g_rand_double_range (rand, -1, 1) };

      if (i % 5 == 0)
        v[2] = i % 10 ? 1 : 0;
      sky_put (c, i, v[i % 3], v[(i + 1) % 3], v[(i + 2) % 3]);
    }
  for (int isa = 0; isa <= (int) armilla_isa_detect (); isa++)
    for (gint64 m = n; m > 0; m = m > 40 ? m / 3 : m - 1)
      {
        ARMILLA_FOR_ISA (isa, armilla_cells_kernels)
          ->keys (c->x + n - m, c->y + n - m, c->z + n - m, m, keys);
        for (gint64 i = 0; i < m; i++)
          g_assert_cmphex (keys[i], ==,
                           armilla_cells_key (c->x[n - m + i], c->y[n - m + i], c->z[n - m + i])
                             >> (ARMILLA_KEY_BITS - ARMILLA_SHORT_KEY_BITS));
      }
}

/* The middles of the squares of a face, each at its own place, and each beside the one before. */
static void
test_curve (void)
{
  enum { SIDE = 32 };
  struct { int i, j; } at[SIDE * SIDE];

  memset (at, 0xff, sizeof at);
  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j++)
      {
        const double y = (2 * i + 1.0) / SIDE - 1, z = (2 * j + 1.0) / SIDE - 1;
        const double r = sqrt (1 + y * y + z * z);
        const uint64_t key
          = armilla_cells_key (1 / r, y / r, z / r) >> (ARMILLA_KEY_BITS - 3 - 10);

        g_assert_cmpuint (key, <, SIDE * SIDE);
        g_assert_cmpint (at[key].i, ==, -1);
        at[key].i = i;
        at[key].j = j;
      }
  for (int k = 1; k < SIDE * SIDE; k++)
    g_assert_cmpint (ABS (at[k].i - at[k - 1].i) + ABS (at[k].j - at[k - 1].j), ==, 1);
}

/* Leaves are small wherever the objects are and however near each other: in a disc of the radius r
 * a square with 16 of n objects has the half diagonal r sqrt (8 pi / n). */
static void
test_compact (void)
{
  static const double radius[] = { 0.5, 1e-2, 1e-4, 1e-6 };
  const gint64 n = 40000;

  for (gsize k = 0; k < G_N_ELEMENTS (radius); k++)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (7);
      g_autoptr (ArmillaCatalogue) c = sky_new (SKY_UNIFORM, n, 3, ARMILLA_CATALOGUE_WEIGHT);
      ArmillaCells *cells;
      double sum = 0;

      for (gint64 i = 0; i < n; i++)
        {
          const double r = radius[k] * sqrt (g_rand_double (rand));
          const double angle = g_rand_double_range (rand, 0, 2 * G_PI);

          sky_put (c, i, 0.8 + r * cos (angle), 0.5 + r * sin (angle), 0.3);
        }
      cells = pair_case_cells (c, FALSE, 0);
      for (gint64 leaf = 0; leaf < cells->n_slots / ARMILLA_LEAF; leaf++)
        sum += cells->nodes[ARMILLA_NODE_RADIUS * cells->node_stride + leaf];
      /* A third more than a square's, as runs of a curve are not squares; twice to be sure. Without
       * the last bits of the places it is a hundred times as much. */
      g_assert_cmpfloat (sum / ((double) n / ARMILLA_LEAF), <,
                         2 * radius[k] * sqrt (8 * G_PI / (double) n));
      g_free (cells->points);
      g_free (cells->nodes);
      armilla_cells_free (cells);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pair-kernels/cells", test_cells);
  g_test_add_func ("/pair-kernels/curve", test_curve);
  g_test_add_func ("/pair-kernels/keys", test_keys);
  g_test_add_func ("/pair-kernels/threads", test_threads);
  g_test_add_func ("/pair-kernels/compact", test_compact);
  g_test_add_func ("/pair-kernels/pairs", test_pairs);
  g_test_add_func ("/pair-kernels/triangles", test_triangles);
  return g_test_run ();
}
