/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is collected over realisations, with each instruction set: the bits of one number at a time,
 * and means and squares by two passes in long double. */
#include "config.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#include "codelets/fields/vector-ops.h"

#define GUARD 8 /* doubles behind the sums, which must stay unwritten */
#define N_REALISATIONS 40
#define N_NUMBERS 1500 /* numbers: beyond what is collected at a time */

static double values[N_REALISATIONS][N_NUMBERS];

/* Some numbers are UNSEEN in some realisations, one of them nearly so; one is NaN. */
static void
make_values (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (11);

  for (int r = 0; r < N_REALISATIONS; r++)
    for (int i = 0; i < N_NUMBERS; i++)
      values[r][i] = i % 7 == 3 && (r == 0 || (i + r) % 19 == 0)
                       ? ARMILLA_UNSEEN_VALUE * (1 + 1e-5 * g_rand_double_range (rand, -1.1, 1.1))
                       : 100 + g_rand_double_range (rand, -1, 1);
  values[5][12] = NAN;
}

static void
each_realisation (const ArmillaCollectShape *shape, ArmillaCollectKernel *add, double *sums)
{
  ArmillaCollectShape now = *shape;

  memset (sums, 0x7b, sizeof (double) * (gsize) (4 * shape->n + GUARD));
  for (now.count = 1; now.count <= N_REALISATIONS; now.count++)
    if (add)
      add (&now, now.n, values[now.count - 1], sums);
    else
      for (gint64 i = 0; i < now.n; i++)
        armilla_collect_add (&now, 1 / (double) now.count, values[now.count - 1][i], sums + i);
}

static void
check (const ArmillaCollectShape *shape)
{
  const gsize size = sizeof (double) * (gsize) (4 * shape->n + GUARD);
  g_autofree double *expected = g_malloc (size), *sums = g_malloc (size);
  const double *parts[N_REALISATIONS];
  ArmillaCollectShape now = *shape;

  each_realisation (shape, NULL, expected);
  for (ArmillaIsa isa = ARMILLA_ISA_PORTABLE; isa <= armilla_isa_detect (); isa++)
    {
      each_realisation (shape, ARMILLA_FOR_ISA (isa, armilla_collect_some), sums);
      g_assert_cmpmem (sums, size, expected, size);
    }
  /* Some at once, as they come. */
  memset (sums, 0x7b, size);
  for (int first = 0, n = 1; first < N_REALISATIONS; first += n++)
    {
      const int some = MIN (n, N_REALISATIONS - first);

      for (int r = 0; r < some; r++)
        parts[r] = values[first + r];
      now.count = first + 1;
      armilla_vector_collect_cpu (&now, some, parts, sums);
    }
  g_assert_cmpmem (sums, size, expected, size);
}

static void
test_bits (void)
{
  const gint64 sizes[] = { 1, 2, 7, 8, 9, 31, 511, 512, 513, N_NUMBERS };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (int kept = 0; kept < 16; kept++)
      check (&(ArmillaCollectShape) { .n = sizes[i], .unseen = kept & 1, .squares = kept >> 1 & 1,
                                      .minimum = kept >> 2 & 1, .maximum = kept >> 3 });
}

/* What number @i comes to; whether it is UNSEEN in none. */
static gboolean
in_two_passes (int i, long double *mean, long double *squares, double *minimum, double *maximum)
{
  gboolean seen = TRUE;

  *mean = *squares = 0;
  *minimum = *maximum = values[0][i];
  for (int r = 0; r < N_REALISATIONS; r++)
    {
      seen = seen && !(fabs (values[r][i] + 1.6375e30) <= 1e-5 * 1.6375e30);
      *mean += values[r][i] / (long double) N_REALISATIONS;
      *minimum = MIN (*minimum, values[r][i]);
      *maximum = MAX (*maximum, values[r][i]);
    }
  for (int r = 0; r < N_REALISATIONS; r++)
    *squares += (values[r][i] - *mean) * (values[r][i] - *mean);
  return seen;
}

static void
test_values (void)
{
  const ArmillaCollectShape shape
    = { .n = N_NUMBERS, .unseen = 1, .squares = 1, .minimum = 1, .maximum = 1 };
  g_autofree double *sums = g_new (double, 4 * N_NUMBERS + GUARD);
  int n_unseen = 0;

  each_realisation (&shape, ARMILLA_FOR_ISA (armilla_isa_detect (), armilla_collect_some), sums);
  for (int i = 0; i < N_NUMBERS; i++)
    {
      long double mean, squares;
      double minimum, maximum;

      if (i == 12)
        {
          g_assert_true (isnan (sums[i]));
          continue;
        }
      if (!in_two_passes (i, &mean, &squares, &minimum, &maximum))
        {
          n_unseen++;
          for (int array = 0; array < 4; array++)
            g_assert_cmpfloat (sums[array * N_NUMBERS + i], ==, ARMILLA_UNSEEN_VALUE);
          continue;
        }
      g_assert_cmpfloat (sums[2 * N_NUMBERS + i], ==, minimum);
      g_assert_cmpfloat (sums[3 * N_NUMBERS + i], ==, maximum);
      if (fabs (minimum) > 1000) /* nearly UNSEEN */
        continue;
      g_assert_cmpfloat (fabsl (sums[i] - mean), <, 1e-15 * 1000);
      g_assert_cmpfloat (fabsl (sums[N_NUMBERS + i] - squares), <, 1e-13 * squares);
    }
  g_assert_cmpint (n_unseen, >, N_NUMBERS / 10);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  make_values ();
  g_test_add_func ("/collect-kernels/bits", test_bits);
  g_test_add_func ("/collect-kernels/values", test_values);
  return g_test_run ();
}
