/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What transforms of arrays take beside the arrays. Each is done by a process of its own, whose
 * largest resident size is looked at. */
#include <sys/resource.h>

#include "tests/arrays/array-helpers.h"

#define NSIDE 1024
#define LARGE_NSIDE 2048
#if defined __has_feature
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#if defined __SANITIZE_ADDRESS__
#define SANITIZED 1
#endif

static double
largest (void)
{
  struct rusage usage;

  g_assert_cmpint (getrusage (RUSAGE_SELF, &usage), ==, 0);
  return 1024. * (double) usage.ru_maxrss;
}

/* A transform of @copies maps in one call: from a_lm, or to them with @iterations. It may
 * take @max_beyond times what a_lm and maps do: with a second copy, or tiles that live on, it is
 * more. */
static void
take (gint64 nside, int copies, gboolean synthesis, int iterations, double max_beyond)
{
  static const int spins[] = { 0 };
  const ArmillaSessionOptions options = { .cores = 2, .without_gpus = 1 };
  const ArmillaPlanShape shape = { .geometry = ARMILLA_GRID_HEALPIX, .nside = nside,
                                   .lmax = 2 * nside, .mmax = 2 * nside,
                                   .spins = spins, .n_spins = 1,
                                   .copies = copies };
  const ArmillaAnalysis how = { .iterations = iterations };
  ArmillaSession *session = armilla_session_new (&options);
  ArmillaFailure failure = { 0 };
  ArmillaPlan *plan;
  double *alm, *map, before, beyond, arrays;
  gint64 n_alm, n_pixels;

  g_assert_cmpint (armilla_session_start (session, &failure), ==, ARMILLA_STATUS_OK);
  g_assert_cmpint (armilla_plan_new (session, &shape, &plan, &failure), ==, ARMILLA_STATUS_OK);
  n_alm = armilla_plan_n_alm (plan);
  n_pixels = armilla_plan_n_pixels (plan);
  alm = g_new (double, 2 * n_alm * copies);
  map = g_new (double, n_pixels * copies);
  for (gint64 i = 0; i < 2 * n_alm * copies; i++)
    alm[i] = 1. / (double) (1 + i % 1000);
  for (gint64 i = 0; i < n_pixels * copies; i++)
    map[i] = 1. / (double) (1 + i % 1000);
  arrays = 8. * (double) ((2 * n_alm + n_pixels) * copies);
  const ArmillaArray a = plain (alm, copies, 1, n_alm, TRUE);
  const ArmillaArray m = plain (map, copies, 1, n_pixels, FALSE);

  before = largest ();
  g_assert_cmpint (synthesis ? armilla_plan_synthesis (plan, &a, &m, &failure)
                             : armilla_plan_analysis (plan, &m, &a, &how, &failure),
                   ==, ARMILLA_STATUS_OK);
  beyond = (largest () - before) / arrays;
  g_test_message ("%.2f times a_lm and maps", beyond);
  g_assert_cmpfloat (beyond, <, max_beyond);
  armilla_plan_free (plan);
  armilla_session_free (session);
  g_free (alm);
  g_free (map);
}

static void
alone (void (*test) (void))
{
#ifdef SANITIZED
  (void) test;
  g_test_skip ("a sanitizer has memory of its own");
#else
  if (g_test_subprocess ())
    {
      test ();
      return;
    }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDOUT
                                     | G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
#endif
}

static void synthesis (void) { take (NSIDE, 1, TRUE, 0, 1.6); }
static void analysis (void) { take (NSIDE, 1, FALSE, 0, 2.0); }
/* Neither coefficients of the recurrence nor another copy of a_lm. */
static void large (void) { take (LARGE_NSIDE, 1, TRUE, 0, 0.33); }
static void large_back (void) { take (LARGE_NSIDE, 1, FALSE, 0, 0.35); }
static void iteration (void) { take (NSIDE, 1, FALSE, 1, 3.6); }
static void batch (void) { take (NSIDE, 4, TRUE, 0, 1.35); }
static void batch_back (void) { take (NSIDE, 4, FALSE, 0, 1.7); }

static void test_synthesis (void) { alone (synthesis); }
static void test_analysis (void) { alone (analysis); }
static void test_large (void) { alone (large); }
static void test_large_back (void) { alone (large_back); }
static void test_iteration (void) { alone (iteration); }
static void test_batch (void) { alone (batch); }
static void test_batch_back (void) { alone (batch_back); }

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/array-memory/synthesis", test_synthesis);
  g_test_add_func ("/array-memory/analysis", test_analysis);
  g_test_add_func ("/array-memory/iteration", test_iteration);
  g_test_add_func ("/array-memory/large", test_large);
  g_test_add_func ("/array-memory/large-back", test_large_back);
  g_test_add_func ("/array-memory/batch", test_batch);
  g_test_add_func ("/array-memory/batch-back", test_batch_back);
  return g_test_run ();
}
