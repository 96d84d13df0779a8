/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Workflows with arrays at their ends, as a C program has them: known maps have known spectra. */
#include "tests/arrays/array-helpers.h"

#include <math.h>

#define NSIDE 8
#define N_MAP (12 * NSIDE * NSIDE)
#define LMAX 8

static const int scalar[] = { 0 };
static const ArmillaPlanShape shape = { .geometry = ARMILLA_GEOMETRY_HEALPIX, .nside = NSIDE,
                                        .spins = scalar, .n_spins = 1, .copies = 1 };
static const char text[] = "[alm]\nstage = map2alm\nmap = sky\nlmax = 8\n"
                           "[cl]\nstage = alm2cl\nalm = alm\n";

static ArmillaFlow *
new_flow (const char *of)
{
  ArmillaFlow *flow;
  ArmillaFailure failure;

  assert_ok (armilla_flow_new (NULL, of, &flow, &failure), &failure);
  return flow;
}

static ArmillaStatus
give (ArmillaFlow *flow, const char *name, double *map, gint64 n, ArmillaFailure *failure)
{
  const ArmillaArray array = plain (map, 1, 1, n, FALSE);
  const ArmillaFlowInput input = { .kind = ARMILLA_FLOW_MAP, .array = &array, .shape = &shape,
                                   .unit = "K" };

  return armilla_flow_give (flow, name, &input, failure);
}

static double *
constant (double value)
{
  double *map = g_new (double, N_MAP);

  for (int i = 0; i < N_MAP; i++)
    map[i] = value;
  return map;
}

/* A map that is 3 everywhere: a_00 = 3 sqrt (4 pi), and C_0 its square, up to the quadrature. */
static void
test_monopole (void)
{
  g_autofree double *map = constant (3);
  ArmillaSession *session = armilla_session_new (NULL);
  ArmillaFlow *flow = new_flow (text);
  ArmillaFailure failure;

  assert_ok (give (flow, "sky", map, N_MAP, &failure), &failure);
  armilla_flow_ask (flow, "alm");
  armilla_flow_ask (flow, NULL);
  for (int run = 0; run < 2; run++)
    {
      assert_ok (armilla_flow_run (flow, session, FALSE, NULL, NULL, &failure), &failure);
      g_assert_cmpint (armilla_flow_n_results (flow), ==, 2);
      for (int i = 0; i < 2; i++)
        {
          ArmillaResult *result = armilla_flow_result (flow, i);
          const double *values = result->array.data;

          g_assert_null (armilla_flow_result (flow, i));
          g_assert_cmpint (result->lmax, ==, LMAX);
          if (g_str_equal (result->name, "alm"))
            {
              g_assert_cmpint (result->kind, ==, ARMILLA_FLOW_ALM);
              g_assert_cmpstr (result->units[0], ==, "K");
              g_assert_cmpint (result->array.shape[2], ==, (LMAX + 1) * (LMAX + 2) / 2);
              g_assert_cmpfloat (fabs (values[0] - 3 * sqrt (4 * G_PI)), <, 1e-5);
            }
          else
            {
              g_assert_cmpstr (result->name, ==, "cl");
              g_assert_cmpint (result->kind, ==, ARMILLA_FLOW_CL);
              g_assert_cmpfloat (fabs (values[0] - 36 * G_PI), <, 1e-3);
              g_assert_cmpfloat (fabs (values[1]), <, 1e-20);
            }
          armilla_result_free (result);
        }
    }
  g_assert_null (armilla_flow_result (flow, 2));
  armilla_flow_free (flow);
  armilla_session_free (session);
}

static int
stop (void *user, const ArmillaFlowProgress *progress)
{
  g_assert_cmpfloat (progress->share, <=, 1);
  (*(int *) user)++;
  return 1;
}

static int
count (void *user, const ArmillaFlowProgress *progress)
{
  *(double *) user = progress->share;
  return 0;
}

/* Ended by its caller; then another one, and a plan, with the same session. */
static void
test_stopped (void)
{
  g_autofree double *map = constant (1);
  ArmillaSession *session = armilla_session_new (NULL);
  ArmillaFlow *flow = new_flow (text);
  ArmillaFailure failure;
  double share = 0;
  int calls = 0;

  assert_ok (give (flow, "sky", map, N_MAP, &failure), &failure);
  armilla_flow_set (flow, "workflow.repeat=100000");
  armilla_flow_ask (flow, "cl");
  g_assert_cmpint (armilla_flow_run (flow, session, FALSE, stop, &calls, &failure), ==,
                   ARMILLA_STATUS_CANCELLED);
  g_assert_cmpint (calls, ==, 1);
  g_assert_nonnull (strstr (armilla_flow_problem (flow), "the caller"));
  g_assert_cmpint (armilla_flow_n_results (flow), ==, 0);
  armilla_flow_set (flow, "workflow.repeat=2");
  assert_ok (armilla_flow_run (flow, session, FALSE, count, &share, &failure), &failure);
  g_assert_cmpint (armilla_flow_n_results (flow), ==, 2);
  g_assert_cmpfloat (share, ==, 1);
  g_assert_cmpstr (armilla_flow_problem (flow), ==, "");
  armilla_flow_free (flow);
  armilla_session_free (session);
}

/* What it says begins with the name of what is wrong. */
static void
assert_says (ArmillaStatus status, ArmillaStatus wanted, const ArmillaFlow *flow,
             const char *begin, const char *part)
{
  const char *said = armilla_flow_problem (flow);

  g_assert_cmpint (status, ==, wanted);
  if (!g_str_has_prefix (said, begin) || !strstr (said, part))
    g_error ("\"%s\" does not begin with \"%s\", or has no \"%s\"", said, begin, part);
}

static void
test_wrong (void)
{
  g_autofree double *map = constant (1);
  ArmillaFlow *flow = new_flow (text), *none;
  ArmillaFailure failure;

  assert_says (armilla_flow_check (flow, &failure), ARMILLA_STATUS_ARGUMENT, flow, "(text):3:7: ",
               "there is no node \"sky\"");
  assert_says (give (flow, "sky", map, N_MAP - 1, &failure), ARMILLA_STATUS_ARGUMENT, flow,
               "sky: array: ", "767 numbers; it must have 768");
  assert_says (give (flow, "s.y", map, N_MAP, &failure), ARMILLA_STATUS_ARGUMENT, flow, "name: ",
               "letters");
  map[5] = NAN;
  assert_says (give (flow, "sky", map, N_MAP, &failure), ARMILLA_STATUS_NUMERIC, flow, "sky: ",
               "1 of 768 pixels of field 0 are NaN or infinite, the first is number 5");
  map[5] = 1;
  assert_ok (give (flow, "sky", map, N_MAP, &failure), &failure);
  assert_ok (armilla_flow_check (flow, &failure), &failure);
  armilla_flow_ask (flow, "clx");
  assert_says (armilla_flow_check (flow, &failure), ARMILLA_STATUS_ARGUMENT, flow, "result clx: ",
               "did you mean \"cl\"");
  armilla_flow_free (flow);
  g_assert_cmpint (armilla_flow_new ("/nowhere/x.workflow", NULL, &none, &failure), ==,
                   ARMILLA_STATUS_FILE);
  g_assert_null (none);
  g_assert_nonnull (strstr (failure.text, "/nowhere/x.workflow: cannot open the workflow"));
  flow = new_flow ("[m]\nstage = read-map\nfile = /nowhere/x.fits\n");
  assert_says (armilla_flow_check (flow, &failure), ARMILLA_STATUS_FILE, flow, "(text):3:8: ",
               "/nowhere/x.fits: cannot be read");
  armilla_flow_free (flow);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/flow/monopole", test_monopole);
  g_test_add_func ("/flow/stopped", test_stopped);
  g_test_add_func ("/flow/wrong", test_wrong);
  return g_test_run ();
}
