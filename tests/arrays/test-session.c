/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sessions as programs use them: stopped and started, by several threads, after a fork, cancelled,
 * and given what they cannot do. */
#include "tests/arrays/array-helpers.h"

#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define NSIDE 16
#define LMAX 32
#define N_MAP (12 * NSIDE * NSIDE)
#define N_ALM ((LMAX + 1) * (LMAX + 2) / 2)

static const int scalar[] = { 0 };
static const ArmillaPlanShape shape = { .geometry = ARMILLA_GRID_HEALPIX, .nside = NSIDE,
                                        .lmax = LMAX, .mmax = LMAX, .spins = scalar, .n_spins = 1,
                                        .copies = 1 };

static ArmillaStatus
monopole (ArmillaSession *session, double value, ArmillaFailure *failure)
{
  g_autofree double *alm = g_new0 (double, 2 * N_ALM), *map = g_new0 (double, N_MAP);
  const ArmillaArray in = plain (alm, 1, 1, N_ALM, TRUE), out = plain (map, 1, 1, N_MAP, FALSE);
  ArmillaPlan *plan = NULL;
  ArmillaStatus status;

  alm[0] = value * sqrt (4 * G_PI);
  status = armilla_plan_new (session, &shape, &plan, failure);
  if (status == ARMILLA_STATUS_OK)
    status = armilla_plan_synthesis (plan, &in, &out, failure);
  for (int i = 0; status == ARMILLA_STATUS_OK && i < N_MAP; i++)
    g_assert_cmpfloat (fabs (map[i] - value), <, 1e-13 * (1 + fabs (value)));
  armilla_plan_free (plan);
  return status;
}

static void
test_again (void)
{
  ArmillaFailure failure;
  ArmillaSession *session = armilla_session_new (NULL), *second = armilla_session_new (NULL);

  g_assert_cmpint (armilla_session_cores (session), ==, 0);
  for (int i = 0; i < 3; i++)
    {
      assert_ok (monopole (session, i + 1, &failure), &failure);
      g_assert_cmpint (armilla_session_cores (session), >, 0);
      g_assert_cmpint (monopole (second, 1, &failure), ==, ARMILLA_STATUS_SESSION);
      g_assert_nonnull (strstr (failure.text, "another session"));
      armilla_session_stop (session);
      armilla_session_stop (session);
      g_assert_cmpint (armilla_session_cores (session), ==, 0);
    }
  assert_ok (monopole (second, 5, &failure), &failure);
  armilla_session_free (session);
  armilla_session_free (second);
}

/* What the program itself takes counts, too: while that is beyond the bound a call fails at once,
 * and does not wait for memory; afterwards calls work again. */
static void
test_memory (void)
{
  const size_t bytes = (size_t) 1 << 30;
  const ArmillaSessionOptions options = { .cores = 1, .without_gpus = 1, .memory = (gint64) bytes };
  ArmillaSession *session = armilla_session_new (&options);
  ArmillaFailure failure;

  assert_ok (monopole (session, 1, &failure), &failure);
  for (int i = 0; i < 2; i++)
    {
      void *memory = mmap (NULL, bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

      g_assert_true (memory != MAP_FAILED);
      memset (memory, 1, bytes);
      g_usleep (100000); /* it is noticed */
      g_assert_cmpint (monopole (session, 2, &failure), ==, ARMILLA_STATUS_MEMORY);
      g_assert_nonnull (strstr (failure.text, "memory = 1024 MiB of the session is too little"));
      g_assert_cmpint (munmap (memory, bytes), ==, 0);
      assert_ok (monopole (session, 3, &failure), &failure);
    }
  armilla_session_free (session);
}

/* A plan may be freed after its session, and outlives a stop. */
static void
test_plan_outlives (void)
{
  g_autofree double *alm = g_new0 (double, 2 * N_ALM), *map = g_new0 (double, N_MAP);
  const ArmillaArray in = plain (alm, 1, 1, N_ALM, TRUE), out = plain (map, 1, 1, N_MAP, FALSE);
  ArmillaSession *session = armilla_session_new (NULL);
  ArmillaFailure failure;
  ArmillaPlan *plan, *same;

  assert_ok (armilla_plan_new (session, &shape, &plan, &failure), &failure);
  assert_ok (armilla_plan_new (session, &shape, &same, &failure), &failure);
  assert_ok (armilla_plan_synthesis (plan, &in, &out, &failure), &failure);
  armilla_session_stop (session);
  assert_ok (armilla_plan_synthesis (same, &in, &out, &failure), &failure);
  armilla_session_free (session);
  assert_ok (armilla_plan_synthesis (plan, &in, &out, &failure), &failure);
  armilla_plan_free (plan);
  armilla_plan_free (same);
}

static void
test_cores (void)
{
  const ArmillaSessionOptions one = { .cores = 1 }, wrong = { .cores = -1 },
                              little = { .memory = 1 << 20 };
  ArmillaSession *session = armilla_session_new (&one);
  ArmillaFailure failure;

  assert_ok (armilla_session_start (session, &failure), &failure);
  g_assert_cmpint (armilla_session_cores (session), ==, 1);
  assert_ok (monopole (session, -2, &failure), &failure);
  armilla_session_free (session);
  session = armilla_session_new (&wrong);
  g_assert_cmpint (armilla_session_start (session, &failure), ==, ARMILLA_STATUS_ARGUMENT);
  g_assert_true (g_str_has_prefix (failure.text, "cores"));
  armilla_session_free (session);
  session = armilla_session_new (&little);
  g_assert_cmpint (armilla_session_start (session, &failure), ==, ARMILLA_STATUS_MEMORY);
  armilla_session_free (session);
}

/* What StarPU would end the process for. */
static void
test_environment (void)
{
  static const char *const wrong[][2] = { { "STARPU_NCPU", "two" }, { "STARPU_NCPU", "-1" },
                                          { "STARPU_NCUDA", "1x" } };
  ArmillaSession *session = armilla_session_new (NULL);
  ArmillaFailure failure;

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autofree char *kept = g_strdup (g_getenv (wrong[i][0]));

      g_setenv (wrong[i][0], wrong[i][1], TRUE);
      g_assert_cmpint (armilla_session_start (session, &failure), ==, ARMILLA_STATUS_SESSION);
      g_assert_true (g_str_has_prefix (failure.text, wrong[i][0]));
      if (kept)
        g_setenv (wrong[i][0], kept, TRUE);
      else
        g_unsetenv (wrong[i][0]);
    }
  assert_ok (monopole (session, 1, &failure), &failure);
  armilla_session_free (session);
}

typedef struct {
  ArmillaSession *session;
  int number;
} Worker;

static gpointer
work (gpointer data)
{
  Worker *worker = data;
  ArmillaFailure failure;

  for (int i = 0; i < 20; i++)
    assert_ok (monopole (worker->session, worker->number + 0.01 * i, &failure), &failure);
  return NULL;
}

static void
test_threads (void)
{
  ArmillaSession *session = armilla_session_new (NULL);
  Worker workers[4];
  GThread *threads[4];

  for (int i = 0; i < 4; i++)
    {
      workers[i] = (Worker) { session, i };
      threads[i] = g_thread_new ("worker", work, &workers[i]);
    }
  for (int i = 0; i < 4; i++)
    g_thread_join (threads[i]);
  armilla_session_free (session);
}

/* In the child nothing of the parent's workers is there: an error in words, no waiting. */
static void
test_fork (void)
{
  ArmillaSession *session = armilla_session_new (NULL);
  ArmillaFailure failure;
  int status = -1;
  pid_t child;

  assert_ok (monopole (session, 1, &failure), &failure);
  child = fork ();
  g_assert_cmpint (child, >=, 0);
  if (child == 0)
    {
      ArmillaSession *another = armilla_session_new (NULL);
      ArmillaPlan *plan = NULL;
      gboolean well;

      alarm (30);
      well = monopole (session, 1, &failure) == ARMILLA_STATUS_SESSION
             && strstr (failure.text, "fork")
             && armilla_session_start (session, NULL) == ARMILLA_STATUS_SESSION
             && armilla_session_cores (session) == 0 && !armilla_session_cancel (session);
      well = well && armilla_session_start (another, &failure) == ARMILLA_STATUS_SESSION
             && strstr (failure.text, "fork");
      armilla_plan_free (plan);
      armilla_session_free (session);
      armilla_session_free (another);
      _exit (well ? 0 : 1);
    }
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_true (WIFEXITED (status));
  g_assert_cmpint (WEXITSTATUS (status), ==, 0);
  assert_ok (monopole (session, 2, &failure), &failure);
  armilla_session_free (session);
}

typedef struct {
  ArmillaSession *session;
  gint done; /* atomic */
} Busy;

static gpointer
compute_on (gpointer data)
{
  Busy *busy = data;
  ArmillaFailure failure;

  while (!g_atomic_int_get (&busy->done))
    assert_ok (monopole (busy->session, 1, &failure), &failure);
  return NULL;
}

/* The fork has the locks that the other thread holds, but not that thread. */
static void
test_fork_while_busy (void)
{
  Busy busy = { armilla_session_new (NULL), FALSE };
  ArmillaFailure failure;
  GThread *thread;

#ifdef __SANITIZE_ADDRESS__
  /* gcc 12: nothing brings the locks of its allocator through a fork, as the C library does. */
  g_test_skip ("the address sanitizer's malloc may wait forever after a fork");
  armilla_session_free (busy.session);
  return;
#endif
  assert_ok (monopole (busy.session, 1, &failure), &failure);
  thread = g_thread_new ("busy", compute_on, &busy);
  for (int i = 0; i < 50; i++)
    {
      int status = -1;
      pid_t child = fork ();

      g_assert_cmpint (child, >=, 0);
      if (child == 0)
        {
          gboolean well;

          alarm (30);
          well = monopole (busy.session, 1, &failure) == ARMILLA_STATUS_SESSION;
          armilla_session_free (busy.session);
          _exit (well ? 0 : 1);
        }
      g_assert_cmpint (waitpid (child, &status, 0), ==, child);
      g_assert_true (WIFEXITED (status));
      g_assert_cmpint (WEXITSTATUS (status), ==, 0);
    }
  g_atomic_int_set (&busy.done, TRUE);
  g_thread_join (thread);
  armilla_session_free (busy.session);
}

static gpointer
cancel (gpointer session)
{
  g_usleep (100000);
  while (!armilla_session_cancel (session))
    g_usleep (1000);
  return NULL;
}

static void
test_cancel (void)
{
  const ArmillaAnalysis endless = { .iterations = 20000 };
  g_autofree double *alm = g_new0 (double, 2 * N_ALM), *map = g_new0 (double, N_MAP);
  const ArmillaArray out = plain (alm, 1, 1, N_ALM, TRUE), in = plain (map, 1, 1, N_MAP, FALSE);
  ArmillaSession *session = armilla_session_new (NULL);
  ArmillaFailure failure;
  ArmillaPlan *plan;
  GThread *thread;

  g_assert_false (armilla_session_cancel (session));
  assert_ok (armilla_plan_new (session, &shape, &plan, &failure), &failure);
  thread = g_thread_new ("cancel", cancel, session);
  g_assert_cmpint (armilla_plan_analysis (plan, &in, &out, &endless, &failure), ==,
                   ARMILLA_STATUS_CANCELLED);
  g_thread_join (thread);
  assert_ok (monopole (session, 3, &failure), &failure);
  armilla_plan_free (plan);
  armilla_session_free (session);
}

static void
refused (ArmillaSession *session, const ArmillaPlanShape *wrong, const char *begins)
{
  ArmillaFailure failure;
  ArmillaPlan *plan;

  g_assert_cmpint (armilla_plan_new (session, wrong, &plan, &failure), ==,
                   ARMILLA_STATUS_ARGUMENT);
  g_assert_null (plan);
  g_test_message ("%s", failure.text);
  g_assert_true (g_str_has_prefix (failure.text, begins));
}

static void
test_refused_plans (void)
{
  static const int four[] = { 4 };
  static const double theta[] = { 0.1, 4 }, phi0[] = { 0, 0 };
  static const gint64 n_phi[] = { 4, 4 }, first[] = { 0, 4 };
  const ArmillaRings rings
    = { .n = 2, .theta = theta, .phi0 = phi0, .n_phi = n_phi, .first = first },
    empty = { .n = 1, .theta = theta, .phi0 = phi0, .n_phi = first, .first = first };
  ArmillaSession *session = armilla_session_new (NULL);
  ArmillaPlanShape wrong = shape;

  wrong.nside = 0;
  refused (session, &wrong, "nside");
  wrong = shape;
  wrong.lmax = -1;
  refused (session, &wrong, "lmax");
  wrong = shape;
  wrong.mmax = LMAX + 1;
  refused (session, &wrong, "mmax");
  wrong = shape;
  wrong.spins = four;
  refused (session, &wrong, "spins: 4");
  wrong.spins = NULL;
  refused (session, &wrong, "spins");
  wrong = shape;
  wrong.copies = 0;
  refused (session, &wrong, "copies");
  wrong = shape;
  wrong.geometry = (ArmillaGridKind) 17;
  refused (session, &wrong, "geometry");
  wrong.geometry = ARMILLA_GRID_RINGS;
  refused (session, &wrong, "rings");
  wrong.rings = &rings;
  refused (session, &wrong, "rings: theta of ring 1");
  wrong.rings = &empty;
  refused (session, &wrong, "rings: ring 0");
  wrong = shape;
  wrong.ring_weights = theta;
  wrong.n_ring_weights = 2;
  refused (session, &wrong, "ring_weights: 2 ring weights");
  armilla_session_free (session);
}

static void
test_refused_arrays (void)
{
  g_autofree double *alm = g_new0 (double, 2 * N_ALM), *map = g_new0 (double, N_MAP);
  const ArmillaArray in = plain (alm, 1, 1, N_ALM, TRUE), out = plain (map, 1, 1, N_MAP, FALSE);
  const ArmillaAnalysis negative = { .iterations = -2 }, loose = { .tolerance = 2 },
                        idle = { .tolerance = 0.1 };
  ArmillaSession *session = armilla_session_new (NULL);
  ArmillaArray wrong = in;
  ArmillaFailure failure;
  ArmillaPlan *plan;

  assert_ok (armilla_plan_new (session, &shape, &plan, &failure), &failure);
  wrong.shape[1] = 2;
  g_assert_cmpint (armilla_plan_synthesis (plan, &wrong, &out, &failure), ==,
                   ARMILLA_STATUS_ARGUMENT);
  g_assert_true (g_str_has_prefix (failure.text, "alm: it has 2 components"));
  wrong = out;
  wrong.shape[2]--;
  g_assert_cmpint (armilla_plan_synthesis (plan, &in, &wrong, &failure), ==,
                   ARMILLA_STATUS_ARGUMENT);
  g_assert_true (g_str_has_prefix (failure.text, "map: it has 3071 numbers"));
  wrong = out;
  wrong.data = alm + 1;
  wrong.strides[2] = -8;
  g_assert_cmpint (armilla_plan_synthesis (plan, &in, &wrong, &failure), ==,
                   ARMILLA_STATUS_ARGUMENT);
  g_assert_true (g_str_has_prefix (failure.text, "map: overlaps alm"));
  g_assert_cmpint (armilla_plan_gradient (plan, &in, &out, &failure), ==, ARMILLA_STATUS_ARGUMENT);
  g_assert_true (g_str_has_prefix (failure.text, "spins"));
  g_assert_cmpint (armilla_plan_analysis (plan, &out, &in, &negative, &failure), ==,
                   ARMILLA_STATUS_ARGUMENT);
  g_assert_true (g_str_has_prefix (failure.text, "iterations"));
  g_assert_cmpint (armilla_plan_analysis (plan, &out, &in, &loose, &failure), ==,
                   ARMILLA_STATUS_ARGUMENT);
  g_assert_true (g_str_has_prefix (failure.text, "tolerance"));
  g_assert_cmpint (armilla_plan_analysis (plan, &out, &in, &idle, NULL), ==,
                   ARMILLA_STATUS_ARGUMENT);
  assert_ok (armilla_plan_synthesis (plan, &in, &out, &failure), &failure);
  armilla_plan_free (plan);
  armilla_session_free (session);
}

/* As NumPy has it: what is not a number stays none, and the next call is none the worse for it. */
static void
test_not_finite (void)
{
  const ArmillaAnalysis solve = { .tolerance = 1e-10, .max_iterations = 20 };
  g_autofree double *alm = g_new0 (double, 2 * N_ALM), *map = g_new0 (double, N_MAP);
  const ArmillaArray in = plain (alm, 1, 1, N_ALM, TRUE), out = plain (map, 1, 1, N_MAP, FALSE);
  ArmillaSession *session = armilla_session_new (NULL);
  ArmillaFailure failure;
  ArmillaPlan *plan;

  assert_ok (armilla_plan_new (session, &shape, &plan, &failure), &failure);
  alm[20] = NAN;
  assert_ok (armilla_plan_synthesis (plan, &in, &out, &failure), &failure);
  for (int i = 0; i < N_MAP; i++)
    g_assert_true (isnan (map[i]));
  assert_ok (monopole (session, 1, &failure), &failure);
  assert_ok (armilla_plan_analysis (plan, &out, &in, NULL, &failure), &failure);
  g_assert_true (isnan (alm[0]));
  g_assert_cmpint (armilla_plan_analysis (plan, &out, &in, &solve, &failure), ==,
                   ARMILLA_STATUS_NUMERIC);
  assert_ok (monopole (session, 2, &failure), &failure);
  armilla_plan_free (plan);
  armilla_session_free (session);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session/again", test_again);
  g_test_add_func ("/session/memory", test_memory);
  g_test_add_func ("/session/plan-outlives", test_plan_outlives);
  g_test_add_func ("/session/cores", test_cores);
  g_test_add_func ("/session/environment", test_environment);
  g_test_add_func ("/session/threads", test_threads);
  g_test_add_func ("/session/fork", test_fork);
  g_test_add_func ("/session/fork-while-busy", test_fork_while_busy);
  g_test_add_func ("/session/cancel", test_cancel);
  g_test_add_func ("/session/refused-plans", test_refused_plans);
  g_test_add_func ("/session/refused-arrays", test_refused_arrays);
  g_test_add_func ("/session/not-finite", test_not_finite);
  return g_test_run ();
}
