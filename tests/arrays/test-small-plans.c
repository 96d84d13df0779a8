/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small transforms run in the calling thread and a team, without StarPU's workers. Their results
 * have the bits of those that workers compute: here of a session whose memory is bounded, which
 * always leaves its tasks to them. Sessions with GPUs have no team, and GPUs round otherwise. */
#include "tests/arrays/array-helpers.h"

#define MEMORY ((gint64) 4 << 30)
#define N_CORES 3

typedef struct {
  gint64 nside, lmax;
  int spins[2], n_spins, n_components, copies;
} Case;

static const Case cases[] = {
  { 1, 2, { 0 }, 1, 1, 1 },      { 8, 16, { 0 }, 1, 1, 1 },     { 16, 47, { 2 }, 1, 2, 1 },
  { 32, 64, { 0, 2 }, 2, 3, 2 }, { 32, 40, { 1 }, 1, 2, 1 },    { 64, 128, { 0 }, 1, 1, 3 },
  { 128, 256, { 0 }, 1, 1, 1 },  { 128, 200, { 0, 2 }, 2, 3, 1 },
  { 256, 300, { 0, 2 }, 2, 3, 1 },
};

/* What all functions of a plan compute, one after the other, in numbers. */
static GArray *
compute (ArmillaSession *session, const Case *c)
{
  const ArmillaPlanShape shape = { .geometry = ARMILLA_GRID_HEALPIX, .nside = c->nside,
                                   .lmax = c->lmax, .mmax = c->lmax, .spins = c->spins,
                                   .n_spins = c->n_spins, .copies = c->copies };
  const ArmillaAnalysis iterated = { .iterations = 2 },
                        solved = { .tolerance = 1e-6, .max_iterations = 30 };
  const ArmillaAlmLayout layout = { c->lmax, c->lmax };
  const int lowest[] = { 3, 3, 3, 3, 3, 3, 3, 3, 3, 3 };
  const gint64 n_alm = armilla_alm_count (layout), n_map = 12 * c->nside * c->nside;
  const gint64 rows = c->n_components * c->copies;
  g_autoptr (GRand) rand = g_rand_new_with_seed (11);
  g_autofree double *alm = random_alm (rand, layout, rows, lowest),
                    *map = random_numbers (rand, n_map * rows);
  const ArmillaArray a = plain (alm, c->copies, c->n_components, n_alm, TRUE),
                     m = plain (map, c->copies, c->n_components, n_map, FALSE);
  GArray *all = g_array_new (FALSE, FALSE, sizeof (double));
  ArmillaFailure failure;
  ArmillaPlan *plan;

  assert_ok (armilla_plan_new (session, &shape, &plan, &failure), &failure);
  for (int round = 0; round < 2; round++) /* with tiles that are new, and that serve again */
    {
      assert_ok (armilla_plan_synthesis (plan, &a, &m, &failure), &failure);
      g_array_append_vals (all, map, (guint) (rows * n_map));
      assert_ok (armilla_plan_adjoint_synthesis (plan, &m, &a, &failure), &failure);
      g_array_append_vals (all, alm, (guint) (2 * rows * n_alm));
      assert_ok (armilla_plan_adjoint_analysis (plan, &a, &m, &failure), &failure);
      g_array_append_vals (all, map, (guint) (rows * n_map));
      assert_ok (armilla_plan_analysis (plan, &m, &a, &iterated, &failure), &failure);
      g_array_append_vals (all, alm, (guint) (2 * rows * n_alm));
      if (c->nside <= 32 && c->lmax <= 2 * c->nside)
        assert_ok (armilla_plan_analysis (plan, &m, &a, &solved, &failure), &failure);
      g_array_append_vals (all, alm, (guint) (2 * rows * n_alm));
      if (c->n_spins == 1 && c->spins[0] == 1)
        {
          const ArmillaArray scalar = plain (alm, c->copies, 1, n_alm, TRUE);

          assert_ok (armilla_plan_gradient (plan, &scalar, &m, &failure), &failure);
          g_array_append_vals (all, map, (guint) (rows * n_map));
        }
    }
  armilla_plan_free (plan);
  return all;
}

static void
test_bits (gconstpointer data)
{
  const Case *c = data;
  const ArmillaSessionOptions bounded = { .cores = 1, .memory = MEMORY, .without_gpus = 1 };
  ArmillaSession *session = armilla_session_new (&bounded);
  g_autoptr (GArray) expected = compute (session, c);

  armilla_session_free (session);
  for (int cores = 1; cores <= N_CORES; cores++)
    {
      const ArmillaSessionOptions options = { .cores = cores, .without_gpus = 1 };
      g_autoptr (GArray) found = NULL;

      session = armilla_session_new (&options);
      found = compute (session, c);
      armilla_session_free (session);
      g_assert_cmpuint (found->len, ==, expected->len);
      g_assert_true (memcmp (found->data, expected->data, sizeof (double) * found->len) == 0);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = g_strdup_printf ("/small-plans/nside-%d-lmax-%d",
                                               (int) cases[i].nside, (int) cases[i].lmax);

      g_test_add_data_func (name, &cases[i], test_bits);
    }
  return g_test_run ();
}
