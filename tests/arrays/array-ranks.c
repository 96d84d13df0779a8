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
#define N_BINS 5

static const int spins[] = { 0, 2 }, one[] = { 1 };
static const ArmillaPlanShape shape
  = { .geometry = ARMILLA_GEOMETRY_HEALPIX, .nside = NSIDE, .lmax = LMAX, .mmax = LMAX,
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
  const ArmillaAnalysis iterated = { 3, 0, 0 }, least = { 0, 1e-6, 200 };
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
  assert_ok (armilla_plan_analysis (plan, &m, &b, &least, &failure), &failure);
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

static void
convolve (ArmillaSession *session, GRand *rand, GByteArray *results)
{
  const ArmillaRadialKernel beam = { .fwhm = 0.2 };
  g_autofree double *map = random_numbers (rand, N_MAP), *out = g_new0 (double, N_MAP);
  const ArmillaArray m = plain (map, 1, 1, N_MAP, FALSE), o = plain (out, 1, 1, N_MAP, FALSE);
  ArmillaPlanShape scalar = shape;
  ArmillaFailure failure;
  ArmillaPlan *plan;

  scalar.n_spins = scalar.copies = 1;
  assert_ok (armilla_plan_new (session, &scalar, &plan, &failure), &failure);
  assert_ok (armilla_plan_convolve (plan, &m, &beam, 1e-4, &o, &failure), &failure);
  keep (results, out, N_MAP * sizeof *out);
  assert_ok (armilla_plan_adjoint_convolve (plan, &m, &beam, 1e-4, &o, &failure), &failure);
  keep (results, out, N_MAP * sizeof *out);
  armilla_plan_free (plan);
}

static void
work_on_alm (ArmillaSession *session, GRand *rand, GByteArray *results)
{
  const double angles[] = { 0.3, 1.2, -2 };
  g_autofree double *cl = g_new0 (double, 6 * COPIES * (LMAX + 1)),
                    *out = g_new0 (double, 2 * COPIES * PARTS * N_ALM),
                    *alm = random_numbers (rand, 2 * COPIES * PARTS * N_ALM);
  const ArmillaArray c = plain (cl, COPIES, 6, LMAX + 1, FALSE),
                     f = plain (cl, 1, 1, LMAX + 1, FALSE), t = plain (cl, 1, 3, LMAX + 1, FALSE),
                     a = plain (alm, COPIES, PARTS, N_ALM, TRUE),
                     o = plain (out, COPIES, PARTS, N_ALM, TRUE);
  const gsize size = 2 * COPIES * PARTS * N_ALM * sizeof *out;
  ArmillaFailure failure;

  assert_ok (armilla_array_spectra (session, LMAX, LMAX, &a, NULL, &c, &failure), &failure);
  keep (results, cl, 6 * COPIES * (LMAX + 1) * sizeof *cl);
  assert_ok (armilla_array_scale_alm (session, LMAX, LMAX, &a, &f, &o, &failure), &failure);
  keep (results, out, size);
  assert_ok (armilla_array_rotate_alm (session, LMAX, LMAX, &a, angles, &o, &failure), &failure);
  keep (results, out, size);
  assert_ok (armilla_array_random_alm (session, LMAX, LMAX, &t, 7, 3, &o, &failure), &failure);
  keep (results, out, size);
}

static void
count (ArmillaSession *session, GRand *rand, GByteArray *results)
{
  const double edges[N_BINS + 1] = { 0, 0.02, 0.05, 0.1, 0.2, 0.3 };
  g_autofree double *longitude = random_numbers (rand, N_POINTS),
                    *latitude = random_numbers (rand, N_POINTS),
                    *g1 = random_numbers (rand, N_POINTS), *g2 = random_numbers (rand, N_POINTS);
  const ArmillaPoints points = { .n = N_POINTS, .longitude = longitude, .latitude = latitude,
                                 .g1 = g1, .g2 = g2 },
                      bare = { .n = 400, .longitude = longitude, .latitude = latitude };
  int64_t counts[N_BINS] = { 0 }, triangles[N_BINS * (N_BINS + 1) * (N_BINS + 2) / 6] = { 0 };
  double sums[4][N_BINS] = { { 0 } };
  const ArmillaPairSums wanted = { counts, sums[0], sums[1], sums[2], sums[3] };
  ArmillaFailure failure;

  for (int i = 0; i < N_POINTS; i++)
    {
      longitude[i] *= 30;
      latitude[i] *= 30;
    }
  assert_ok (armilla_array_pairs (session, &points, NULL, edges, N_BINS, &wanted, &failure),
             &failure);
  keep (results, counts, sizeof counts);
  keep (results, sums, sizeof sums);
  assert_ok (armilla_array_triangles (session, &bare, NULL, edges, N_BINS, triangles, &failure),
             &failure);
  keep (results, triangles, sizeof triangles);
}

static GByteArray *
compute (ArmillaSession *session)
{
  static void (*const all[]) (ArmillaSession *, GRand *, GByteArray *)
    = { transform, derive, convolve, work_on_alm, count };
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
                     fewer = plain (alm, COPIES, PARTS, N_ALM - rank, TRUE);
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
                argument, &failure, "spins: a gradient needs a plan of spin 1 alone");
  assert_fails (last ? armilla_plan_adjoint_synthesis (plan, &m, &a, &failure)
                     : armilla_plan_synthesis (plan, &a, &m, &failure),
                argument, &failure, "this one makes the adjoint of a synthesis");
  g_assert_true (last || strncmp (failure.text, who, strlen (who)) == 0);
  if (last)
    assert_fails (armilla_array_scale_alm (session, LMAX, LMAX, &a, &m, &a, &failure), argument,
                  &failure, "out: ");
  else
    assert_fails (armilla_plan_analysis (other, &m, &a, NULL, &failure), argument, &failure,
                  "out: ");
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
