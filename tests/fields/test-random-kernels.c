/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gaussian a_lm of each instruction set, against those drawn one by one. */
#include "config.h"

#include <string.h>

#include "codelets/fields/random-cpu.h"
#include "tests/lib/random-helpers.h"

#define GUARD 8 /* doubles behind the block, which must stay unwritten */

static double *
new_block (gint64 n)
{
  double *x = g_new (double, n + GUARD);

  memset (x, 0x7b, sizeof (double) * (gsize) (n + GUARD));
  return x;
}

static void
check (const ArmillaRandomShape *s)
{
  const int n_fields = (int) s->n_fields;
  const gint64 n_factors = armilla_random_factor_size (n_fields, s->lmax_cl);
  const gint64 n = 2 * n_fields * armilla_random_count (s);
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  g_autofree double *factor = g_new (double, n_factors), *expected = new_block (n);

  /* some of them 0 */
  for (gint64 i = 0; i < n_factors; i++)
    factor[i] = MAX (g_rand_double_range (rand, -0.1, 1), 0);
  draw_fields (n_fields, factor, s->lmax_cl, s->lmax, s->m_first, s->m_last, s->seed,
               s->realisation, expected);
  for (ArmillaIsa isa = ARMILLA_ISA_PORTABLE; isa <= armilla_isa_detect (); isa++)
    {
      const gsize size = sizeof (double) * (gsize) (n + GUARD);
      g_autofree double *out = new_block (n);

      ARMILLA_FOR_ISA (isa, armilla_random_draw) (s, armilla_random_count (s), factor, out);
      g_assert_cmpmem (out, size, expected, size);
    }
}

/* Rows of all lengths, around those of a vector and of what is drawn at a time. */
static void
test_rows (void)
{
  for (gint64 lmax = 0; lmax < 200; lmax += lmax < 70 ? 1 : 23)
    check (&(ArmillaRandomShape) { lmax, 0, lmax, 1, lmax, 5, 6 });
}

static void
test_blocks (void)
{
  check (&(ArmillaRandomShape) { 100, 3, 17, 2, 100, 7, 8 });
  check (&(ArmillaRandomShape) { 300, 64, 300, 3, 120, G_MAXUINT64, G_MAXUINT64 });
  check (&(ArmillaRandomShape) { 4096, 4000, 4096, 1, 4050, 1, 0 });
  check (&(ArmillaRandomShape) { 90, 80, 90, 1, 10, 1, 0 });
}

static void
test_many_fields (void)
{
  for (int n_fields = 2; n_fields < 12; n_fields += 3)
    {
      check (&(ArmillaRandomShape) { 150, 0, 150, n_fields, 150, 1, 2 });
      check (&(ArmillaRandomShape) { 150, 60, 139, n_fields, 95, 3, 4 });
      check (&(ArmillaRandomShape) { 2, 0, 2, n_fields, 1, 3, 4 });
    }
}

/* Noise of each instruction set, in rows of all lengths, against that of the portable one pixel by
 * pixel. */
static void
test_noise (void)
{
  enum { N = 150, FIRST = 1000 };
  const guint64 seed = 3, realisation = 1;
  double expected[3][N];

  for (int i = 0; i < N; i++)
    {
      double *const out[3] = { &expected[0][i], &expected[1][i], &expected[2][i] };

      armilla_noise_draw_portable (seed, realisation, 3, FIRST + i, 1, out);
    }
  for (ArmillaIsa isa = ARMILLA_ISA_PORTABLE; isa <= armilla_isa_detect (); isa++)
    for (int n_fields = 1; n_fields <= 3; n_fields++)
      for (int n = 0; n <= N; n++)
        {
          g_autofree double *block = new_block (n_fields * (n + GUARD)), *guard = new_block (0);
          double *const out[3] = { block, block + n + GUARD, block + 2 * (n + GUARD) };

          ARMILLA_FOR_ISA (isa, armilla_noise_draw) (seed, realisation, n_fields, FIRST, n, out);
          for (int f = 0; f < n_fields; f++)
            {
              g_assert_cmpmem (out[f], sizeof (double) * (gsize) n, expected[f],
                               sizeof (double) * (gsize) n);
              g_assert_cmpmem (out[f] + n, sizeof (double) * GUARD, guard, sizeof (double) * GUARD);
            }
        }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/random-kernels/rows", test_rows);
  g_test_add_func ("/random-kernels/blocks", test_blocks);
  g_test_add_func ("/random-kernels/many-fields", test_many_fields);
  g_test_add_func ("/random-kernels/noise", test_noise);
  return g_test_run ();
}
