/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stage count-objects on columns of a program's, against counting one by one. */
#include "tests/arrays/array-helpers.h"

#include <math.h>

#define N 200
#define N_BINS 3

static const double edges[N_BINS + 1] = { 0.05, 0.3, 0.7, 1.2 };

/* Points by angles, and the same by vectors. */
typedef struct {
  double longitude[N], latitude[N], x[N], y[N], z[N], weight[N];
  ArmillaResultColumn columns[4];
  ArmillaFlowInput input;
} Sky;

static void
add_column (Sky *sky, const char *name, const double *values)
{
  sky->columns[sky->input.n_columns++]
    = (ArmillaResultColumn) { name, "", ARMILLA_COLUMN_DOUBLE, values };
}

static Sky *
new_sky (guint32 seed, gboolean vectors, gboolean weights)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  Sky *sky = g_new0 (Sky, 1);

  for (int i = 0; i < N; i++)
    {
      const double degree = G_PI / 180;

      sky->longitude[i] = g_rand_double_range (rand, 0, 360);
      sky->latitude[i] = g_rand_double_range (rand, -80, 80);
      sky->x[i] = cos (sky->latitude[i] * degree) * cos (sky->longitude[i] * degree);
      sky->y[i] = cos (sky->latitude[i] * degree) * sin (sky->longitude[i] * degree);
      sky->z[i] = sin (sky->latitude[i] * degree);
      sky->weight[i] = weights ? g_rand_double_range (rand, 0, 2) : 1;
    }
  sky->input = (ArmillaFlowInput) { .kind = ARMILLA_FLOW_CATALOGUE, .n_rows = N,
                                    .columns = sky->columns };
  add_column (sky, vectors ? "x" : "longitude", vectors ? sky->x : sky->longitude);
  add_column (sky, vectors ? "y" : "latitude", vectors ? sky->y : sky->latitude);
  if (vectors)
    add_column (sky, "z", sky->z);
  if (weights)
    add_column (sky, "weight", sky->weight);
  return sky;
}

static double
separation (const Sky *a, int i, const Sky *b, int j)
{
  const double dx = a->x[i] - b->x[j], dy = a->y[i] - b->y[j], dz = a->z[i] - b->z[j];

  return 2 * asin (sqrt (dx * dx + dy * dy + dz * dz) / 2);
}

/* -1 for none */
static int
bin_of (double angle)
{
  for (int k = 0; k < N_BINS; k++)
    if (angle >= edges[k] && angle < edges[k + 1])
      return k;
  return -1;
}

/* (transfer full): the table of the counts. */
static ArmillaResult *
count (const Sky *a, const Sky *b, const char *what)
{
  const ArmillaStageArgument arguments[]
    = { { .name = "catalogue", .inputs = &a->input, .n_inputs = 1 },
        { .name = "edges", .value = "0.05 rad, 0.3 rad, 0.7 rad, 1.2 rad" },
        { .name = "what", .value = what },
        { .name = "mean-separation", .value = strcmp (what, "pairs") == 0 ? "true" : "false" },
        { .name = "catalogue2", .inputs = b ? &b->input : NULL, .n_inputs = 1 } };
  const ArmillaStageCall call = { "count-objects", b ? 5 : 4, arguments };
  ArmillaSession *session = armilla_session_new (NULL);
  ArmillaFailure failure;
  ArmillaResult *result;

  assert_ok (armilla_stage_call (session, &call, NULL, &result, &failure), &failure);
  armilla_session_free (session);
  return result;
}

static const void *
column (const ArmillaResult *result, const char *name)
{
  for (int i = 0; i < result->n_columns; i++)
    if (strcmp (result->columns[i].name, name) == 0)
      return result->columns[i].values;
  g_error ("there is no column %s", name);
}

static void
test_pairs (gconstpointer user)
{
  const gboolean crossed = GPOINTER_TO_INT (user) & 1, vectors = GPOINTER_TO_INT (user) & 2;
  g_autofree Sky *a = new_sky (1, vectors, TRUE), *b = new_sky (2, vectors, TRUE);
  gint64 expected[N_BINS] = { 0 };
  double weights[N_BINS] = { 0 }, angles[N_BINS] = { 0 };
  ArmillaResult *result = count (a, crossed ? b : NULL, "pairs");

  for (int i = 0; i < N; i++)
    for (int j = crossed ? 0 : i + 1; j < N; j++)
      {
        const Sky *second = crossed ? b : a;
        const double angle = separation (a, i, second, j);
        const int k = bin_of (angle);

        if (k < 0)
          continue;
        expected[k]++;
        weights[k] += a->weight[i] * second->weight[j];
        angles[k] += a->weight[i] * second->weight[j] * angle;
      }
  for (int k = 0; k < N_BINS; k++)
    {
      const double weight = ((const double *) column (result, "count_weight"))[k];
      const double theta = ((const double *) column (result, "theta"))[k];

      g_assert_cmpint (((const gint64 *) column (result, "count"))[k], ==, expected[k]);
      g_assert_cmpint (expected[k], >, 100);
      g_assert_cmpfloat (fabs (weight / weights[k] - 1), <, 1e-12);
      g_assert_cmpfloat (fabs (theta * G_PI / 180 / (angles[k] / weights[k]) - 1), <, 1e-10);
    }
  armilla_result_free (result);
}

/* Number of the row of the bins a, b and c, sorted: the last runs fastest. */
static int
row_of (int a, int b, int c)
{
  const int low = MIN (a, MIN (b, c)), high = MAX (a, MAX (b, c)), middle = a + b + c - low - high;
  int row = 0;

  for (int i = 0; i < N_BINS; i++)
    for (int j = i; j < N_BINS; j++)
      for (int k = j; k < N_BINS; k++, row++)
        if (i == low && j == middle && k == high)
          return row;
  g_assert_not_reached ();
}

static void
test_triangles (void)
{
  g_autofree Sky *a = new_sky (3, FALSE, FALSE);
  gint64 expected[10] = { 0 };
  ArmillaResult *result = count (a, NULL, "triangles");

  for (int i = 0; i < N; i++)
    for (int j = i + 1; j < N; j++)
      for (int k = j + 1; k < N; k++)
        {
          int s[3] = { bin_of (separation (a, i, a, j)), bin_of (separation (a, i, a, k)),
                       bin_of (separation (a, j, a, k)) };

          if (s[0] >= 0 && s[1] >= 0 && s[2] >= 0)
            expected[row_of (s[0], s[1], s[2])]++;
        }
  g_assert_cmpint (result->n_rows, ==, 10);
  g_assert_cmpmem (column (result, "count"), sizeof expected, expected, sizeof expected);
  g_assert_cmpint (expected[9], >, 100);
  armilla_result_free (result);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/stage-counts/pairs", GINT_TO_POINTER (0), test_pairs);
  g_test_add_data_func ("/stage-counts/pairs-of-two", GINT_TO_POINTER (1), test_pairs);
  g_test_add_data_func ("/stage-counts/pairs-of-vectors", GINT_TO_POINTER (3), test_pairs);
  g_test_add_func ("/stage-counts/triangles", test_triangles);
  return g_test_run ();
}
