/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sessions on communicators, as a program has them that has started MPI itself:
 *
 *   array-ranks alone FILE   computes in one process, and writes the bits of all results to FILE
 *   array-ranks world FILE   all ranks compute together; each must have these bits
 *   array-ranks half FILE    every second rank does, on a communicator of theirs; the others add
 *                            numbers meanwhile
 *   array-ranks wrong FILE   one rank is wrong, or does something else: all must be told
 *   array-ranks refused      a StarPU that cannot do it is named
 */
#include "config.h"

#include "tests/arrays/array-helpers.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#ifdef HAVE_MPI
# include <mpi.h>
#endif

#define NSIDE 16
#define LMAX 40
#define COPIES 2
#define PARTS 3 /* of a copy: spins 0 and 2 */
#define N_MAP (12 * NSIDE * NSIDE)
#define N_ALM ((LMAX + 1) * (LMAX + 2) / 2)
#define N_POINTS 2000
#define EDGES "0 rad, 0.02 rad, 0.05 rad, 0.1 rad, 0.2 rad, 0.3 rad"

static const int spins[] = { 0, 2 }, one[] = { 1 };
static const ArmillaPlanShape shape
  = { .geometry = ARMILLA_GRID_HEALPIX, .nside = NSIDE, .lmax = LMAX, .mmax = LMAX,
      .spins = spins, .n_spins = 2, .copies = COPIES };

static void
keep (GByteArray *results, const void *data, gsize size)
{
  g_byte_array_append (results, data, (guint) size);
}

/* Every second number of rows that are there backwards, in single precision. */
static ArmillaArray
awkward (float *data, gint64 copies, gint64 components, gint64 n)
{
  const gint64 row = 8 * n;

  return (ArmillaArray) { .data = (char *) data + (copies * components - 1) * row,
                          .type = ARMILLA_FLOAT32,
                          .shape = { copies, components, n },
                          .strides = { -row * components, -row, 8 } };
}

static void
transform (ArmillaSession *session, GRand *rand, GByteArray *results)
{
  const int row_spins[] = { 0, 2, 2, 0, 2, 2 };
  const ArmillaAlmLayout layout = { LMAX, LMAX };
  const ArmillaAnalysis iterated = { 3, 0, 0 }, by_gradients = { 0, 1e-6, 200 };
  const gint64 n_map = COPIES * PARTS * N_MAP, n_alm = COPIES * PARTS * N_ALM;
  g_autofree double *alm = random_alm (rand, layout, COPIES * PARTS, row_spins),
                    *map = g_new0 (double, n_map), *back = g_new0 (double, 2 * n_alm);
  g_autofree float *single = g_new0 (float, 2 * n_map);
  const ArmillaArray a = plain (alm, COPIES, PARTS, N_ALM, TRUE),
                     m = plain (map, COPIES, PARTS, N_MAP, FALSE),
                     b = plain (back, COPIES, PARTS, N_ALM, TRUE),
                     s = awkward (single, COPIES, PARTS, N_MAP);
  ArmillaFailure failure;
  ArmillaPlan *plan;

  assert_ok (armilla_plan_new (session, &shape, &plan, &failure), &failure);
  for (int i = 0; i < 2; i++)
    assert_ok (armilla_plan_synthesis (plan, &a, &s, &failure), &failure);
  keep (results, single, 2 * (gsize) n_map * sizeof *single);
  assert_ok (armilla_plan_synthesis (plan, &a, &m, &failure), &failure);
  keep (results, map, (gsize) n_map * sizeof *map);
  assert_ok (armilla_plan_adjoint_synthesis (plan, &m, &b, &failure), &failure);
  keep (results, back, 2 * (gsize) n_alm * sizeof *back);
  assert_ok (armilla_plan_analysis (plan, &m, &b, &iterated, &failure), &failure);
  keep (results, back, 2 * (gsize) n_alm * sizeof *back);
  assert_ok (armilla_plan_analysis (plan, &m, &b, &by_gradients, &failure), &failure);
  keep (results, back, 2 * (gsize) n_alm * sizeof *back);
  assert_ok (armilla_plan_adjoint_analysis (plan, &a, &m, &failure), &failure);
  keep (results, map, (gsize) n_map * sizeof *map);
  armilla_plan_free (plan);
}

static void
derive (ArmillaSession *session, GRand *rand, GByteArray *results)
{
  const ArmillaAlmLayout layout = { LMAX, LMAX };
  g_autofree double *alm = random_alm (rand, layout, 1, one), *map = g_new0 (double, 2 * N_MAP),
                    *back = g_new0 (double, 2 * N_ALM);
  const ArmillaArray a = plain (alm, 1, 1, N_ALM, TRUE), m = plain (map, 1, 2, N_MAP, FALSE),
                     b = plain (back, 1, 1, N_ALM, TRUE);
  ArmillaPlanShape gradient = shape;
  ArmillaFailure failure;
  ArmillaPlan *plan;

  gradient.spins = one;
  gradient.n_spins = gradient.copies = 1;
  assert_ok (armilla_plan_new (session, &gradient, &plan, &failure), &failure);
  assert_ok (armilla_plan_gradient (plan, &a, &m, &failure), &failure);
  keep (results, map, 2 * N_MAP * sizeof *map);
  assert_ok (armilla_plan_adjoint_gradient (plan, &m, &b, &failure), &failure);
  keep (results, back, 2 * N_ALM * sizeof *back);
  armilla_plan_free (plan);
}

/* Calls a stage and keeps the numbers of its output. */
static void
call_stage (ArmillaSession *session, GByteArray *results, const char *stage,
            const ArmillaStageArgument *arguments, int n)
{
  const ArmillaStageCall call = { stage, n, arguments };
  ArmillaFailure failure;
  ArmillaResult *result;

  assert_ok (armilla_stage_call (session, &call, NULL, &result, &failure), &failure);
  if (result->array.data)
    keep (results, result->array.data,
          (gsize) (result->array.shape[0] * result->array.strides[0]));
  for (int i = 0; i < result->n_columns; i++)
    keep (results, result->columns[i].values, 8 * (gsize) result->n_rows);
  armilla_result_free (result);
}

static void
work_on_fields (ArmillaSession *session, GRand *rand, GByteArray *results)
{
  static const int scalar[] = { 0, 0, 0 };
  g_autofree double *map = random_numbers (rand, N_MAP), *alm = random_numbers (rand, 6 * N_ALM),
                    *cl = g_new0 (double, LMAX + 1);
  const ArmillaArray m = plain (map, 1, 1, N_MAP, FALSE), a = plain (alm, 1, 3, N_ALM, TRUE),
                     c = plain (cl, 1, 1, LMAX + 1, FALSE);
  const ArmillaPlanShape of_map = { .nside = NSIDE, .spins = scalar, .n_spins = 1, .copies = 1 },
                         of_alm = { .lmax = LMAX, .mmax = LMAX, .spins = scalar, .n_spins = 3,
                                    .copies = 1 };
  const ArmillaFlowInput sky = { .kind = ARMILLA_FLOW_MAP, .array = &m, .shape = &of_map },
                         set = { .kind = ARMILLA_FLOW_ALM, .array = &a, .shape = &of_alm },
                         spectrum = { .kind = ARMILLA_FLOW_CL, .array = &c };
  const ArmillaStageArgument
    convolve[] = { { "map", NULL, &sky, 1, NULL, NULL },
                   { "fwhm", "0.2 rad", NULL, 0, NULL, NULL } },
    spectra[] = { { "alm", NULL, &set, 1, NULL, NULL } },
    filter[] = { { "alm", NULL, &set, 1, NULL, NULL }, { "cl", NULL, &spectrum, 1, NULL, NULL } },
    rotate[] = { { "alm", NULL, &set, 1, NULL, NULL }, { "psi", "0.3 rad", NULL, 0, NULL, NULL },
                 { "theta", "1.2 rad", NULL, 0, NULL, NULL } },
    draw[] = { { "cl", NULL, &spectrum, 1, NULL, NULL }, { "seed", "7", NULL, 0, NULL, NULL } };

  for (int l = 0; l <= LMAX; l++)
    cl[l] = 1.0 / (l + 1);
  call_stage (session, results, "convolve", convolve, 2);
  call_stage (session, results, "alm2cl", spectra, 1);
  call_stage (session, results, "filter-alm", filter, 2);
  call_stage (session, results, "rotate", rotate, 3);
  call_stage (session, results, "random-alm", draw, 2);
}

static void
count (ArmillaSession *session, GRand *rand, GByteArray *results)
{
  static const char *const names[] = { "longitude", "latitude", "g1", "g2" };
  ArmillaResultColumn columns[4];
  ArmillaFlowInput objects = { .kind = ARMILLA_FLOW_CATALOGUE, .n_rows = N_POINTS, .n_columns = 4,
                               .columns = columns };
  ArmillaStageArgument arguments[] = { { "catalogue", NULL, &objects, 1, NULL, NULL },
                                       { "edges", EDGES, NULL, 0, NULL, NULL },
                                       { "mean-separation", "true", NULL, 0, NULL, NULL } };
  double *values[4];

  for (int i = 0; i < 4; i++)
    {
      values[i] = random_numbers (rand, N_POINTS);
      for (int k = 0; i < 2 && k < N_POINTS; k++)
        values[i][k] *= 30;
      columns[i] = (ArmillaResultColumn) { names[i], "", ARMILLA_COLUMN_DOUBLE, values[i] };
    }
  call_stage (session, results, "count-objects", arguments, 3);
  arguments[2] = (ArmillaStageArgument) { "what", "triangles", NULL, 0, NULL, NULL };
  objects.n_rows = 400;
  call_stage (session, results, "count-objects", arguments, 3);
  for (int i = 0; i < 4; i++)
    g_free (values[i]);
}

static GByteArray *
compute (ArmillaSession *session)
{
  static void (*const all[]) (ArmillaSession *, GRand *, GByteArray *)
    = { transform, derive, work_on_fields, count };
  GByteArray *results = g_byte_array_new ();
  GRand *rand = g_rand_new_with_seed (17);

  for (gsize i = 0; i < G_N_ELEMENTS (all); i++)
    all[i] (session, rand, results);
  g_rand_free (rand);
  return results;
}

static int
alone (const char *path)
{
  ArmillaSession *session = armilla_session_new (NULL);
  g_autoptr (GByteArray) results = compute (session);

  armilla_session_free (session);
  return !g_file_set_contents (path, (char *) results->data, results->len, NULL);
}

#ifdef HAVE_MPI
/* Twice, with a stop in between. */
static void
compute_together (MPI_Comm comm, const char *path)
{
  const ArmillaSessionOptions options = { .cores = 1, .communicator = &comm };
  ArmillaSession *session = armilla_session_new (&options);
  g_autofree char *expected = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (path, &expected, &length, NULL));
  for (int i = 0; i < 2; i++)
    {
      g_autoptr (GByteArray) results = compute (session);

      g_assert_cmpmem (results->data, results->len, expected, length);
      armilla_session_stop (session);
    }
  armilla_session_free (session);
}

/* A sum that goes around many times, and takes no notice of the others. */
static void
add_numbers (MPI_Comm comm)
{
  int n, sum = 0;

  MPI_Comm_size (comm, &n);
  for (int i = 0; i < 1000; i++)
    MPI_Allreduce (&i, &sum, 1, MPI_INT, MPI_SUM, comm);
  g_assert_cmpint (sum, ==, 999 * n);
}

static void
compute_by_half (int rank, const char *path)
{
  MPI_Comm half;

  MPI_Comm_split (MPI_COMM_WORLD, rank % 2, -rank, &half);
  if (rank % 2 == 0)
    compute_together (half, path);
  else
    add_numbers (half);
  MPI_Comm_free (&half);
}

/* Each rank fails, and @text is in what it is told; the next call is none the worse for it. */
#define assert_fails(call, status, failure, what)                                                  \
  do                                                                                               \
    {                                                                                              \
      g_assert_cmpint (call, ==, status);                                                          \
      if (!strstr ((failure)->text, what))                                                         \
        g_error ("%s says %s", #call, (failure)->text);                                            \
    }                                                                                              \
  while (0)

static void
be_wrong (int rank, int n_ranks)
{
  MPI_Comm world = MPI_COMM_WORLD, none = MPI_COMM_NULL;
  const ArmillaSessionOptions options = { .cores = 1, .communicator = &world },
                              negative = { .cores = rank == 1 ? -1 : 1, .communicator = &world },
                              nowhere = { .communicator = &none };
  ArmillaSession *session = armilla_session_new (&negative);
  g_autofree double *alm = g_new0 (double, 2 * COPIES * PARTS * N_ALM),
                    *map = g_new0 (double, COPIES * PARTS * N_MAP);
  const ArmillaArray a = plain (alm, COPIES, PARTS, N_ALM, TRUE),
                     m = plain (map, COPIES, PARTS, N_MAP, FALSE),
                     fewer = plain (alm, COPIES, PARTS, N_ALM - rank, TRUE),
                     above = plain (alm, COPIES, PARTS, N_MAP, FALSE);
  const ArmillaStatus argument = ARMILLA_STATUS_ARGUMENT;
  const gboolean last = rank == n_ranks - 1;
  g_autofree char *who = g_strdup_printf ("rank %d: ", n_ranks - 1);
  ArmillaFailure failure;
  ArmillaPlan *plan, *other;
  ArmillaPlanShape coarser = shape;

  assert_fails (armilla_session_start (session, &failure), rank == 1 ? argument
                : ARMILLA_STATUS_SESSION, &failure, rank == 1 ? "cores" : "another rank");
  armilla_session_free (session);
  session = armilla_session_new (&nowhere);
  assert_fails (armilla_session_start (session, &failure), argument, &failure, "MPI_COMM_NULL");
  armilla_session_free (session);

  session = armilla_session_new (&options);
  coarser.nside = last ? NSIDE / 2 : NSIDE;
  assert_ok (armilla_plan_new (session, &shape, &plan, &failure), &failure);
  assert_ok (armilla_plan_new (session, &coarser, &other, &failure), &failure);
  assert_fails (armilla_plan_synthesis (plan, &fewer, &m, &failure), argument, &failure,
                rank == 1 ? "alm: it has" : "rank 1: alm: it has");
  assert_ok (armilla_plan_synthesis (plan, &a, &m, &failure), &failure);
  assert_fails (last ? armilla_session_refuse (session, "nside: it is odd", &failure)
                     : armilla_plan_synthesis (plan, &a, &m, &failure),
                argument, &failure, "nside: it is odd");
  assert_fails (last ? armilla_plan_gradient (plan, &a, &m, &failure)
                     : armilla_plan_synthesis (plan, &a, &m, &failure),
                argument, &failure, "spins: must be one field pair of spin 1 for a gradient");
  assert_fails (last ? armilla_plan_adjoint_synthesis (plan, &m, &a, &failure)
                     : armilla_plan_synthesis (plan, &a, &m, &failure),
                argument, &failure, "this one the adjoint of a synthesis");
  g_assert_true (last || strncmp (failure.text, who, strlen (who)) == 0);
  if (last)
    assert_fails (armilla_plan_synthesis (plan, &a, &above, &failure), argument, &failure,
                  "map: overlaps");
  else
    assert_fails (armilla_plan_analysis (other, &m, &a, NULL, &failure), argument, &failure,
                  "map: overlaps");
  armilla_plan_free (other);
  assert_ok (armilla_plan_synthesis (plan, &a, &m, &failure), &failure);
  armilla_plan_free (plan);
  armilla_session_free (session);
}

static int
among_ranks (const char *how, const char *path)
{
  int provided, rank, n_ranks;

  MPI_Init_thread (NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &n_ranks);
  if (strcmp (how, "world") == 0)
    compute_together (MPI_COMM_WORLD, path);
  else if (strcmp (how, "half") == 0)
    compute_by_half (rank, path);
  else
    be_wrong (rank, n_ranks);
  MPI_Finalize ();
  return 0;
}

static int
refused (void)
{
  MPI_Comm world = MPI_COMM_WORLD;
  const ArmillaSessionOptions options = { .communicator = &world };
  ArmillaSession *session = armilla_session_new (&options);
  ArmillaFailure failure = { "" };
  int provided;

  MPI_Init_thread (NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
  g_assert_cmpint (armilla_session_start (session, &failure), ==, ARMILLA_STATUS_SESSION);
  armilla_session_free (session);
  MPI_Finalize ();
  puts (failure.text);
  return 0;
}
#endif

int
main (int argc, char *argv[])
{
  alarm (120); /* ends a wait for a rank that does not come */
  if (argc == 3 && strcmp (argv[1], "alone") == 0)
    return alone (argv[2]);
#ifdef HAVE_MPI
  if (argc == 3)
    return among_ranks (argv[1], argv[2]);
  if (argc == 2 && strcmp (argv[1], "refused") == 0)
    return refused ();
#endif
  fputs ("usage: array-ranks alone|world|half|wrong FILE, or refused\n", stderr);
  return 2;
}
