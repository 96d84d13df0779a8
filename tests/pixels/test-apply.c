/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A function of the pixels of maps, against a plain loop over whole maps: the same bits. */
#include "tasks/graph/graph.h"
#include "tests/lib/transform-helpers.h"

#define N_IN 3
#define N_OUT 2

/* What the stage would own: its parameter, and who frees it. */
typedef struct {
  double factor;
  gint64 bad; /* a pixel that is no good; -1: none */
  gint freed;
  GThread *freed_by;
} Owner;

static void
free_owner (gpointer user)
{
  Owner *owner = user;

  owner->freed++;
  owner->freed_by = g_thread_self ();
}

static void
one_pixel (double factor, gint64 number, double a, double b, double c, double *x, double *y)
{
  *x = factor * a + sqrt (b * b + c * c);
  *y = exp (b) - (double) number;
}

static gboolean
apply (const ArmillaPixels *pixels, gpointer user, GError **error)
{
  const Owner *owner = user;
  const double *const *in = pixels->in;

  g_assert_cmpint (pixels->n_in, ==, N_IN);
  g_assert_cmpint (pixels->n_out, ==, N_OUT);
  g_assert_cmpint (pixels->n, >, 0);
  for (gint64 i = 0; i < pixels->n; i++)
    {
      if (pixels->first + i == owner->bad)
        {
          g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_NUMERIC, "pixel %" G_GINT64_FORMAT,
                       owner->bad);
          return FALSE;
        }
      one_pixel (owner->factor, pixels->first + i, in[0][i], in[1][i], in[2][i],
                 &pixels->out[0][i], &pixels->out[1][i]);
    }
  return TRUE;
}

/* The two fields of @out from the two of @pixels and, again, the first of them as another map. */
static gboolean
run (ArmillaGrid *grid, gint64 ring_block, double *pixels, double *out, Owner *owner,
     GError **error)
{
  const ArmillaTilingOptions tiling = { .ring_block = ring_block };
  g_autoptr (ArmillaGraph) graph = armilla_graph_new (runtime, &tiling, error);
  g_autoptr (ArmillaMap) one = armilla_map_new (grid, 1), two = armilla_map_new (grid, 2);
  g_autoptr (ArmillaMap) result = armilla_map_new (grid, N_OUT);
  WholeMap whole = { pixels, grid->n_pixels }, found = { out, grid->n_pixels };
  ArmillaMap *maps[] = { one, two };

  return graph
         && armilla_graph_fill (graph, ARMILLA_DATA (one), whole_map_fill, &whole, NULL, error)
         && armilla_graph_fill (graph, ARMILLA_DATA (two), whole_map_fill, &whole, NULL, error)
         && armilla_graph_apply_pixels (graph, maps, 2, apply, 20, owner, free_owner, result, error)
         && armilla_graph_drain (graph, ARMILLA_DATA (result), whole_map_take, NULL, &found, NULL,
                                 error)
         && armilla_graph_wait (graph, error);
}

static void
test_values (void)
{
  static const struct
  {
    const char *kind;
    gint64 n_theta, n_phi, ring_block;
  } cases[] = { { "healpix", 16, 0, 0 },  { "healpix", 16, 0, 7 }, { "healpix", 1, 0, 1 },
                { "gauss", 33, 66, 5 }, { "driscoll-healy", 8, 16, 3 } };
  g_autoptr (GRand) rand = g_rand_new_with_seed (11);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (ArmillaGrid) grid
        = make_grid (cases[i].kind, cases[i].n_theta, cases[i].n_phi);
      gint64 n = grid->n_pixels;
      g_autofree double *in = random_map_array (rand, 2 * n);
      g_autofree double *out = random_map_array (rand, N_OUT * n);
      g_autoptr (GError) error = NULL;
      Owner owner = { .factor = 0.7, .bad = -1 };

      g_assert_true (run (grid, cases[i].ring_block, in, out, &owner, &error));
      g_assert_cmpint (owner.freed, ==, 1);
      g_assert_true (owner.freed_by == g_thread_self ());
      for (gint64 p = 0; p < n; p++)
        {
          double x, y;

          one_pixel (owner.factor, p, in[p], in[p], in[n + p], &x, &y);
          g_assert_true (out[p] == x && out[n + p] == y);
        }
    }
}

static void
test_failure (void)
{
  g_autoptr (ArmillaGrid) grid = make_grid ("healpix", 8, 0);
  g_autofree double *in = g_new0 (double, 2 * grid->n_pixels);
  g_autofree double *out = g_new0 (double, N_OUT * grid->n_pixels);
  g_autoptr (GError) error = NULL;
  Owner owner = { .bad = 100 };

  g_assert_false (run (grid, 3, in, out, &owner, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_NUMERIC);
  g_assert_cmpstr (error->message, ==, "pixel 100");
  g_assert_cmpint (owner.freed, ==, 1);
}

static void
test_shapes (void)
{
  g_autoptr (ArmillaGrid) grid = make_grid ("healpix", 4, 0), other = make_grid ("gauss", 8, 16);
  g_autoptr (ArmillaMap) in = armilla_map_new (grid, 1), out = armilla_map_new (other, 1);
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaGraph) graph = armilla_graph_new (runtime, NULL, &error);
  Owner owner = { .bad = -1 };

  g_assert_false (
    armilla_graph_apply_pixels (graph, &in, 1, apply, 0, &owner, free_owner, out, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_SHAPE);
  g_assert_true (armilla_graph_wait (graph, NULL));
  g_assert_cmpint (owner.freed, ==, 1);
}

/* User data of repeated calls are freed between the calls, not only at the end. */
static void
test_free_owner (void)
{
  g_autoptr (ArmillaGrid) grid = make_grid ("healpix", 4, 0);
  g_autofree double *in = g_new0 (double, 2 * grid->n_pixels);
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaGraph) graph = armilla_graph_new (runtime, NULL, &error);
  g_autoptr (ArmillaMap) map = armilla_map_new (grid, N_IN), out = armilla_map_new (grid, N_OUT);
  WholeMap whole = { g_new0 (double, N_IN * grid->n_pixels), grid->n_pixels };
  Owner owner = { .bad = -1 };

  g_assert_true (
      armilla_graph_fill (graph, ARMILLA_DATA (map), whole_map_fill, &whole, NULL, &error));
  g_assert_true (
    armilla_graph_apply_pixels (graph, &map, 1, apply, 0, &owner, free_owner, out, &error));
  g_assert_true (armilla_graph_wait (graph, &error));
  g_assert_true (armilla_graph_flush (graph, &error));
  g_assert_cmpint (owner.freed, ==, 1);
  g_free (whole.values);
}

int
main (int argc, char *argv[])
{
  start_tests (&argc, &argv);
  g_test_add_func ("/apply/values", test_values);
  g_test_add_func ("/apply/failure", test_failure);
  g_test_add_func ("/apply/shapes", test_shapes);
  g_test_add_func ("/apply/free-owner", test_free_owner);
  return run_tests ();
}
