/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Members of a batch beside what they are alone: the same bits, wherever in a batch, on any
 * workers. */
#include "tests/arrays/array-helpers.h"

enum { MAX_COPIES = 32, MAX_PARTS = 5 };

typedef enum { SYNTHESIS, ADJOINT_SYNTHESIS, ANALYSIS, ADJOINT_ANALYSIS } Operation;

typedef struct {
  const char *path;
  int spins[3], n_spins;
  Operation what;
  ArmillaAnalysis how;
  gint64 nside, lmax;
} Case;

static const Case cases[] = {
  { "spin0/synthesis", { 0 }, 1, SYNTHESIS, { 0 }, 16, 47 },
  { "spin0/adjoint-analysis", { 0 }, 1, ADJOINT_ANALYSIS, { 0 }, 16, 47 },
  { "spin0/adjoint-synthesis", { 0 }, 1, ADJOINT_SYNTHESIS, { 0 }, 16, 47 },
  { "spin0/analysis", { 0 }, 1, ANALYSIS, { .iterations = 2 }, 16, 32 },
  { "spin2/synthesis", { 2 }, 1, SYNTHESIS, { 0 }, 16, 47 },
  { "spin2/adjoint-analysis", { 2 }, 1, ADJOINT_ANALYSIS, { 0 }, 16, 47 },
  { "spin2/adjoint-synthesis", { 2 }, 1, ADJOINT_SYNTHESIS, { 0 }, 16, 47 },
  { "spin2/analysis", { 2 }, 1, ANALYSIS, { .iterations = 2 }, 16, 32 },
  { "iqu/synthesis", { 0, 2 }, 2, SYNTHESIS, { 0 }, 16, 47 },
  { "iqu/adjoint-analysis", { 0, 2 }, 2, ADJOINT_ANALYSIS, { 0 }, 16, 47 },
  { "iqu/adjoint-synthesis", { 0, 2 }, 2, ADJOINT_SYNTHESIS, { 0 }, 16, 47 },
  { "iqu/analysis", { 0, 2 }, 2, ANALYSIS, { .iterations = 2 }, 16, 32 },
  { "spin0/gradients", { 0 }, 1, ANALYSIS, { .tolerance = 1e-6, .max_iterations = 100 }, 16, 40 },
  { "spins/gradients", { 2, 0, 1 }, 3, ANALYSIS, { .tolerance = 1e-9, .max_iterations = 100 }, 16,
    24 },
  { "iqu/gradients", { 0, 2 }, 2, ANALYSIS, { .tolerance = 1e-12, .max_iterations = 100 }, 16, 24 },
  { "interpolated/synthesis", { 0 }, 1, SYNTHESIS, { 0 }, 150, 60 },
  { "interpolated/adjoint-synthesis", { 2 }, 1, ADJOINT_SYNTHESIS, { 0 }, 150, 60 },
};

static const int n_copies[] = { 2, 4, 8, MAX_COPIES };

static ArmillaSession *session;
static ArmillaFailure failure;

/* Numbers of one copy, and how many copies are made. */
typedef struct {
  const Case *test;
  gint64 n_alm, n_map; /* doubles */
  int parts, copies;
  double *in, *alone;
} Members;

static gboolean
from_alm (const Case *test)
{
  return test->what == SYNTHESIS || test->what == ADJOINT_ANALYSIS;
}

static gint64
n_in (const Members *members)
{
  return from_alm (members->test) ? members->n_alm : members->n_map;
}

static gint64
n_out (const Members *members)
{
  return from_alm (members->test) ? members->n_map : members->n_alm;
}

static ArmillaPlan *
new_plan (const Case *test, int copies)
{
  const ArmillaPlanShape shape = { .geometry = ARMILLA_GRID_HEALPIX, .nside = test->nside,
                                   .lmax = test->lmax, .mmax = test->lmax, .spins = test->spins,
                                   .n_spins = test->n_spins, .copies = copies };
  ArmillaPlan *plan;

  assert_ok (armilla_plan_new (session, &shape, &plan, &failure), &failure);
  return plan;
}

/* @copies copies at once. */
static void
apply (const Members *members, int copies, double *from, double *to)
{
  const Case *test = members->test;
  ArmillaPlan *plan = new_plan (test, copies);
  double *alm = from_alm (test) ? from : to, *map = from_alm (test) ? to : from;
  const ArmillaArray a = plain (alm, copies, members->parts, armilla_plan_n_alm (plan), TRUE),
                     m = plain (map, copies, members->parts, armilla_plan_n_pixels (plan), FALSE);

  if (test->what == SYNTHESIS)
    assert_ok (armilla_plan_synthesis (plan, &a, &m, &failure), &failure);
  else if (test->what == ADJOINT_SYNTHESIS)
    assert_ok (armilla_plan_adjoint_synthesis (plan, &m, &a, &failure), &failure);
  else if (test->what == ADJOINT_ANALYSIS)
    assert_ok (armilla_plan_adjoint_analysis (plan, &a, &m, &failure), &failure);
  else
    assert_ok (armilla_plan_analysis (plan, &m, &a, &test->how, &failure), &failure);
  armilla_plan_free (plan);
}

static Members
make_members (const Case *test)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  ArmillaPlan *plan = new_plan (test, 1);
  Members members = { .test = test, .parts = armilla_plan_n_components (plan),
                      .copies = test->nside > 16 ? 9 : MAX_COPIES };
  int spins[MAX_COPIES * MAX_PARTS];

  members.n_alm = 2 * members.parts * armilla_plan_n_alm (plan);
  members.n_map = members.parts * armilla_plan_n_pixels (plan);
  armilla_plan_free (plan);
  for (int i = 0; i < members.copies * members.parts; i++)
    spins[i] = members.parts == 1 || (members.parts == 3 && i % 3 == 0) ? 0 : 2;
  members.in = from_alm (test) ? random_alm (rand, (ArmillaAlmLayout) { test->lmax, test->lmax },
                                             members.copies * members.parts, spins)
                               : random_numbers (rand, members.copies * members.n_map);
  if (test->how.tolerance > 0) /* two converge earlier than the others */
    for (gint64 i = 0; i < members.n_map; i++)
      {
        members.in[i] = 0;
        members.in[members.n_map + i] = i < members.n_map / members.parts ? 1 : 0;
      }
  members.alone = g_new0 (double, members.copies * n_out (&members));
  for (int k = 0; k < members.copies; k++)
    apply (&members, 1, members.in + k * n_in (&members), members.alone + k * n_out (&members));
  return members;
}

static void
test_members (gconstpointer user)
{
  Members members = make_members (user);
  const gint64 n = n_out (&members);
  g_autofree double *out = g_new0 (double, members.copies * n);

  for (guint i = 0; i < G_N_ELEMENTS (n_copies); i++)
    {
      const int copies = MIN (n_copies[i], members.copies);

      apply (&members, copies, members.in, out);
      for (int k = 0; k < copies; k++)
        g_assert_cmpmem (out + k * n, sizeof *out * (gsize) n, members.alone + k * n,
                         sizeof *out * (gsize) n);
    }
  g_free (members.in);
  g_free (members.alone);
}

/* The same batch on other workers, and in the reverse order: the same bits. */
static void
test_places (gconstpointer user)
{
  Members members = make_members (user);
  const gint64 n = n_out (&members), n_from = n_in (&members);
  const int copies = 5;
  g_autofree double *out = g_new0 (double, copies * n), *again = g_new0 (double, copies * n);
  g_autofree double *turned = g_new (double, copies * n_from);

  apply (&members, copies, members.in, out);
  for (int k = 0; k < copies; k++)
    memcpy (turned + k * n_from, members.in + (copies - 1 - k) * n_from,
            sizeof *turned * (gsize) n_from);
  apply (&members, copies, turned, again);
  for (int k = 0; k < copies; k++)
    g_assert_cmpmem (again + (copies - 1 - k) * n, sizeof *out * (gsize) n, out + k * n,
                     sizeof *out * (gsize) n);
  for (int cores = 1; cores <= 3; cores++)
    {
      const ArmillaSessionOptions options = { .cores = cores, .without_gpus = 1 };

      armilla_session_free (session);
      session = armilla_session_new (&options);
      apply (&members, copies, members.in, again);
      g_assert_cmpmem (again, sizeof *out * (gsize) (copies * n), out,
                       sizeof *out * (gsize) (copies * n));
    }
  g_free (members.in);
  g_free (members.alone);
}

int
main (int argc, char **argv)
{
  const ArmillaSessionOptions options = { .cores = 2, .without_gpus = 1 };
  int status;

  g_test_init (&argc, &argv, NULL);
  session = armilla_session_new (&options);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *members = g_strconcat ("/batch/members/", cases[i].path, NULL);
      g_autofree char *places = g_strconcat ("/batch/places/", cases[i].path, NULL);

      g_test_add_data_func (members, &cases[i], test_members);
      g_test_add_data_func (places, &cases[i], test_places);
    }
  status = g_test_run ();
  armilla_session_free (session);
  return status;
}
