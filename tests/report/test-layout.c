/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where nodes of graphs stand: edges go down, nothing overlaps, what can be straight is. */
#include <math.h>

#include "workflows/report/layout.h"

#define MAX_ITEMS 60
#define GAP 20.0

static const ArmillaLayoutItem *
item (const ArmillaLayout *layout, int number)
{
  return &g_array_index (layout->items, ArmillaLayoutItem, number);
}

static void
check (const ArmillaLayout *layout, const double *widths, int n, const ArmillaLayoutEdge *edges,
       int n_edges)
{
  for (int i = 0; i < (int) layout->items->len; i++)
    {
      g_assert_cmpint (item (layout, i)->layer, >=, 0);
      g_assert_cmpint (item (layout, i)->layer, <, layout->n_layers);
      g_assert_cmpfloat (item (layout, i)->x - item (layout, i)->width / 2, >=, -1e-6);
      g_assert_cmpfloat (item (layout, i)->x + item (layout, i)->width / 2, <=,
                         layout->width + 1e-6);
      if (i < n)
        g_assert_cmpfloat (item (layout, i)->width, ==, widths[i]);
      for (int j = 0; j < i; j++)
        if (item (layout, i)->layer == item (layout, j)->layer)
          g_assert_cmpfloat (fabs (item (layout, i)->x - item (layout, j)->x), >=,
                             (item (layout, i)->width + item (layout, j)->width) / 2 + GAP - 1e-6);
    }
  for (int e = 0; e < n_edges; e++)
    {
      int layer = item (layout, edges[e].from)->layer;

      for (int i = 0; i < edges[e].n; i++)
        g_assert_cmpint (item (layout, edges[e].first + i)->layer, ==, ++layer);
      g_assert_cmpint (item (layout, edges[e].to)->layer, ==, layer + 1);
    }
}

static void
test_chain (void)
{
  const double widths[] = { 100, 60, 140 };
  ArmillaLayoutEdge edges[] = { { 0, 1, 0, 0 }, { 1, 2, 0, 0 } };
  g_autoptr (ArmillaLayout) layout = armilla_layout_new (widths, 3, edges, 2, GAP);

  check (layout, widths, 3, edges, 2);
  g_assert_cmpint (layout->n_layers, ==, 3);
  g_assert_cmpfloat (layout->width, ==, 140);
  for (int i = 0; i < 3; i++)
    g_assert_cmpfloat (fabs (item (layout, i)->x - 70), <, 1e-6);
}

/* 0 -> 1 -> 2 -> 3, 0 -> 3, and 4 -> 3, which needs nothing and stands right above. */
static void
test_long_edge (void)
{
  const double widths[] = { 80, 80, 80, 80, 80 };
  ArmillaLayoutEdge edges[]
    = { { 0, 1, 0, 0 }, { 1, 2, 0, 0 }, { 2, 3, 0, 0 }, { 0, 3, 0, 0 }, { 4, 3, 0, 0 } };
  g_autoptr (ArmillaLayout) layout = armilla_layout_new (widths, 5, edges, 5, GAP);

  check (layout, widths, 5, edges, 5);
  g_assert_cmpint (edges[3].n, ==, 2);
  g_assert_cmpint (item (layout, 4)->layer, ==, 2);
}

/* Two chains whose nodes are given in turn: without crossing. */
static void
test_untangled (void)
{
  const double widths[] = { 80, 80, 80, 80, 80, 80 };
  ArmillaLayoutEdge edges[]
    = { { 0, 3, 0, 0 }, { 1, 2, 0, 0 }, { 2, 5, 0, 0 }, { 3, 4, 0, 0 } };
  g_autoptr (ArmillaLayout) layout = armilla_layout_new (widths, 6, edges, 4, GAP);

  check (layout, widths, 6, edges, 4);
  for (int e = 0; e < 4; e++)
    g_assert_cmpfloat (fabs (item (layout, edges[e].from)->x - item (layout, edges[e].to)->x), <,
                       1e-6);
}

static void
test_random (void)
{
  for (guint32 seed = 0; seed < 200; seed++)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
      g_autoptr (GArray) edges = g_array_new (FALSE, TRUE, sizeof (ArmillaLayoutEdge));
      const int n = g_rand_int_range (rand, 0, MAX_ITEMS);
      double widths[MAX_ITEMS];
      g_autoptr (ArmillaLayout) layout = NULL;

      for (int i = 0; i < n; i++)
        {
          widths[i] = g_rand_double_range (rand, 10, 200);
          for (int j = 0; j < i; j++)
            if (g_rand_int_range (rand, 0, n) < 2)
              {
                const ArmillaLayoutEdge edge = { j, i, 0, 0 };

                g_array_append_val (edges, edge);
              }
        }
      layout = armilla_layout_new (widths, n, (ArmillaLayoutEdge *) edges->data, (int) edges->len,
                                   GAP);
      check (layout, widths, n, (ArmillaLayoutEdge *) edges->data, (int) edges->len);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/layout/chain", test_chain);
  g_test_add_func ("/layout/long-edge", test_long_edge);
  g_test_add_func ("/layout/untangled", test_untangled);
  g_test_add_func ("/layout/random", test_random);
  return g_test_run ();
}
