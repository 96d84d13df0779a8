/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stage that makes a_lm of a gradient, against what the derivatives of Y_lm are made of. */
#include "core/grids/grid.h"
#include "plugins/builtin/builtin.h"
#include "tests/lib/transform-helpers.h"

static ArmillaRegistry *registry;

/* Prepares the stage; NULL with @error set where it refuses. */
static ArmillaStage *
prepare (ArmillaAlm *alm, gboolean keep, ArmillaAlm **out, GError **error)
{
  ArmillaStageClass *klass = armilla_registry_lookup (registry, "gradient");
  const ArmillaStageContext context = { .n_ranks = 1 };
  g_autoptr (ArmillaStage) stage = g_object_new (G_TYPE_FROM_CLASS (klass), "keep", keep, NULL);
  ArmillaData *inputs[ARMILLA_STAGE_MAX_PORTS] = { ARMILLA_DATA (alm) };
  ArmillaData *outputs[ARMILLA_STAGE_MAX_PORTS] = { NULL };

  if (!klass->prepare (stage, &context, inputs, outputs, error))
    return NULL;
  *out = ARMILLA_ALM (outputs[0]);
  return g_steal_pointer (&stage);
}

/* Field, derivative in theta, derivative in phi over sin theta, of each field. */
static double *
derive (ArmillaGrid *grid, ArmillaAlmLayout layout, double *values, int n_fields, gboolean keep)
{
  ArmillaTilingOptions tiling = { .ring_block = 7, .m_blocks = 3 };
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaGraph) graph = armilla_graph_new (runtime, &tiling, &error);
  g_autoptr (ArmillaAlm) alm = armilla_alm_new (layout, n_fields), gradient = NULL;
  g_autoptr (ArmillaStage) stage = prepare (alm, keep, &gradient, &error);
  int n = armilla_alm_n_fields (gradient);
  g_autoptr (ArmillaMap) map = armilla_map_new (grid, n);
  WholeAlm whole = { values, layout };
  WholeMap result = { g_new (double, grid->n_pixels * n), grid->n_pixels };
  ArmillaData *inputs[] = { ARMILLA_DATA (alm) }, *outputs[] = { ARMILLA_DATA (gradient) };

  g_assert_no_error (error);
  g_assert_cmpint (n, ==, (keep ? 3 : 2) * n_fields);
  armilla_map_set_spins (map, armilla_alm_spins (gradient));
  armilla_graph_fill (graph, ARMILLA_DATA (alm), whole_alm_fill, &whole, NULL, &error);
  g_assert_true (ARMILLA_STAGE_GET_CLASS (stage)->build (stage, graph, inputs, outputs, &error));
  armilla_graph_synthesis (graph, gradient, map, &error);
  armilla_graph_drain (graph, ARMILLA_DATA (map), whole_map_take, NULL, &result, NULL, &error);
  g_assert_true (armilla_graph_wait (graph, &error));
  return result.values;
}

/* sqrt ((l^2 - m^2) / (4 l^2 - 1)): cos theta Y_lm = c_l+1 Y_l+1,m + c_l Y_l-1,m */
static double
factor (gint64 l, gint64 m)
{
  return sqrt ((double) (l * l - m * m) / (double) (4 * l * l - 1));
}

/* sin theta dY_lm/dtheta = l c_l+1 Y_l+1,m - (l + 1) c_l Y_l-1,m, and dY_lm/dphi = i m Y_lm: the
 * a_lm, up to one degree more, of sin theta times the two derivatives. */
static void
products (ArmillaAlmLayout layout, const double *a, ArmillaAlmLayout wide, double *theta,
          double *phi)
{
  for (gint64 m = 0; m <= layout.mmax; m++)
    for (gint64 l = m; l <= layout.lmax; l++)
      {
        const double *x = a + 2 * armilla_alm_index (layout.lmax, l, m);
        double *up = theta + 2 * armilla_alm_index (wide.lmax, l + 1, m);
        double *same = phi + 2 * armilla_alm_index (wide.lmax, l, m);

        for (int part = 0; part < 2; part++)
          {
            up[part] += (double) l * factor (l + 1, m) * x[part];
            if (l > m)
              up[part - 4] -= (double) (l + 1) * factor (l, m) * x[part];
          }
        same[0] = -(double) m * x[1];
        same[1] = (double) m * x[0];
      }
}

static void
test_derivatives (void)
{
  static const Case cases[] = { { "healpix", 16, 0, 40, 40 }, { "gauss", 33, 66, 32, 20 },
                                { "healpix", 4, 0, 0, 0 },    { "healpix", 4, 0, 1, 1 } };
  g_autoptr (GRand) rand = g_rand_new_with_seed (51);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (ArmillaGrid) grid
        = make_grid (cases[i].kind, cases[i].n_theta, cases[i].n_phi);
      ArmillaAlmLayout layout = { cases[i].lmax, cases[i].mmax };
      ArmillaAlmLayout wide = { cases[i].lmax + 1, cases[i].mmax };
      gint64 n = grid->n_pixels, count = 2 * armilla_alm_count (layout);
      g_autofree double *alm = random_alm_array (rand, layout, 2);
      g_autofree double *all = derive (grid, layout, alm, 2, TRUE);
      g_autofree double *bare = derive (grid, layout, alm, 2, FALSE);

      for (int f = 0; f < 2; f++)
        {
          g_autofree double *theta = g_new0 (double, 2 * armilla_alm_count (wide));
          g_autofree double *phi = g_new0 (double, 2 * armilla_alm_count (wide));
          g_autofree double *value = synthesize (NULL, grid, layout, alm + f * count, 1);
          g_autofree double *by_theta = NULL, *by_phi = NULL;
          const double *found = all + 3 * f * n;
          /* Each derivative is a sum of lmax^2 terms of up to lmax, a few roundings each. */
          double bound = 1e-14 * (double) (wide.lmax * wide.lmax);

          products (layout, alm + f * count, wide, theta, phi);
          by_theta = synthesize (NULL, grid, wide, theta, 1);
          by_phi = synthesize (NULL, grid, wide, phi, 1);
          for (gint64 p = 0; p < n; p++)
            {
              double s = grid->rings[armilla_grid_ring_of (grid, p)].sin_theta;

              g_assert_cmpfloat_with_epsilon (found[p], value[p], bound);
              g_assert_cmpfloat_with_epsilon (s * found[n + p], by_theta[p], bound);
              g_assert_cmpfloat_with_epsilon (s * found[2 * n + p], by_phi[p], bound);
            }
          g_assert_cmpmem (bare + 2 * f * n, 2 * n * sizeof *bare, found + n,
                           2 * n * sizeof *found);
        }
    }
}

static void
test_refused (void)
{
  g_autoptr (ArmillaAlm) alm = armilla_alm_new ((ArmillaAlmLayout) { 2, 2 }, 3), out = NULL;
  g_autoptr (ArmillaStage) stage = NULL;
  g_autoptr (GError) error = NULL;

  armilla_alm_set_spins (alm, (const int[]) { 0, 2, 2 });
  stage = prepare (alm, TRUE, &out, &error);
  g_assert_null (stage);
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE);
  g_assert_nonnull (strstr (error->message, "alm: field 1 has spin 2"));
}

/* What is made of too many fields, or of too few. */
static void
test_shapes (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ArmillaGraph) graph = armilla_graph_new (runtime, NULL, &error);
  g_autoptr (ArmillaAlm) alm = armilla_alm_new ((ArmillaAlmLayout) { 2, 2 }, 2);
  g_autoptr (ArmillaAlm) five = armilla_alm_new ((ArmillaAlmLayout) { 2, 2 }, 5);
  g_autoptr (ArmillaCl) windows = armilla_cl_new (2, NULL, 2);

  g_assert_false (armilla_graph_derive_alm (graph, alm, windows, five, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_SHAPE);
}

int
main (int argc, char *argv[])
{
  g_autoptr (GError) error = NULL;
  int result;

  g_test_init (&argc, &argv, NULL);
  registry = armilla_registry_new ();
  armilla_registry_add_builtin (registry, &error);
  g_assert_no_error (error);
  runtime = armilla_runtime_start (&error);
  g_assert_no_error (error);
  g_test_add_func ("/gradient/derivatives", test_derivatives);
  g_test_add_func ("/gradient/refused", test_refused);
  g_test_add_func ("/gradient/shapes", test_shapes);
  result = g_test_run ();
  armilla_runtime_stop (runtime);
  armilla_registry_free (registry);
  return result;
}
