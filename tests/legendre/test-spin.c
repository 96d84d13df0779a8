/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fields of spin s: against direct sums with Wigner d functions in quadruple precision; adjoint. */
#include <math.h>
#include <string.h>

#include "codelets/legendre/spin-coupling.h"
#include "tests/legendre/spin-block.h"
#include "tests/lib/max-lmax.h"

/* What a tile should hold of one pair: [Q, U][north re, im, south re, im]. */
static void
direct_pair (const SpinDirect *d, const double *e, const double *b, Quad cosine, Quad sine,
             Quad rows[2][4])
{
  for (int south = 0; south < 2; south++)
    {
      Quad qu[4];

      spin_direct_sum (d, e, b, south ? -cosine : cosine, sine, qu);
      for (int i = 0; i < 4; i++)
        rows[i / 2][2 * south + i % 2] = qu[i];
    }
}

/* _sY_lm of a few degrees in closed form, so that the reference itself stands on something else. */
static void
test_reference (void)
{
  /* _1Y_11 = -sqrt (3 / pi) (1 - cos) / 4, _-1Y_11 = -sqrt (3 / pi) (1 + cos) / 4,
   * _1Y_10 = sqrt (3 / (2 pi)) sin / 2, _-1Y_10 = - that (Goldberg et al. 1967). E = 1 gives
   * Q = -(_1Y - _-1Y) / 2, i U = -(_1Y + _-1Y) / 2. */
  const double c = 0.6, s = 0.8, k = sqrt (3 / G_PI);
  const double plus[2] = { k / sqrt (2) * s / 2, -k * (1 - c) / 4 };
  const double minus[2] = { -plus[0], -k * (1 + c) / 4 };
  /* _2Y_2m, m = 0 .. 2: sqrt (15 / (32 pi)) sin^2, -sqrt (5 / (16 pi)) sin (1 - cos),
   * sqrt (5 / (64 pi)) (1 - cos)^2; _-2Y_2m with 1 + cos, and m = 1 has the opposite sign. */
  const double p2[3] = { sqrt (15 / (32 * G_PI)) * s * s, -sqrt (5 / (16 * G_PI)) * s * (1 - c),
                         sqrt (5 / (64 * G_PI)) * (1 - c) * (1 - c) };
  const double m2[3] = { p2[0], sqrt (5 / (16 * G_PI)) * s * (1 + c),
                         sqrt (5 / (64 * G_PI)) * (1 + c) * (1 + c) };
  const double zero[8] = { 0 };

  for (gint64 spin = 1; spin <= 2; spin++)
    for (gint64 m = 0; m <= spin; m++)
      {
        const double p = spin == 1 ? plus[m] : p2[m], q = spin == 1 ? -minus[m] : m2[m];
        double e[8] = { 0 };
        g_auto (SpinDirect) d;
        Quad qu[4];

        e[2 * (spin - m)] = 1;
        spin_direct_init (&d, spin, m, spin);
        spin_direct_sum (&d, e, zero, c, s, qu);
        /* A few roundings of values below 1. */
        g_assert_cmpfloat_with_epsilon ((double) qu[0], -(p + q) / 2, 1e-15);
        g_assert_cmpfloat_with_epsilon ((double) qu[1], 0, 1e-15);
        g_assert_cmpfloat_with_epsilon ((double) qu[2], 0, 1e-15);
        g_assert_cmpfloat_with_epsilon ((double) qu[3], (p - q) / 2, 1e-15);
      }
}

#define N_SAMPLES (DELTA_SAMPLES + 2)

/* And the two on either side of where the form changes. */
static void
sample_rings (gint64 nside, gint32 spin, gint64 rings[N_SAMPLES])
{
  const double sine = armilla_spin_polar_sine (spin);
  /* 1 - cos = (i / nside)^2 / 3 */
  const gint64 edge = (gint64) ((double) nside * sqrt (3 * (1 - sqrt (1 - sine * sine))));

  delta_sample_rings (nside, rings);
  rings[DELTA_SAMPLES] = edge;
  rings[DELTA_SAMPLES + 1] = edge + 1;
}

typedef struct {
  gint64 lmax, m_step;
  gint32 spin;
  double rms, ring; /* bounds */
} Accuracy;

/* Adds |error|^2 and |value|^2 of order m to each sampled ring. */
static void
accuracy_order (gint64 nside, gint64 m, const SpinBlock *like, Quad expected[N_SAMPLES][2][4],
                const gint64 *rings, double (*sums)[2])
{
  const ArmillaSpinShape shape = like->shape;
  g_auto (SpinBlock) b;

  spin_block_init (&b, &shape);
  armilla_spin_table_cpu (&shape, b.table);
  memcpy (b.alm, like->alm, sizeof (double) * 4 * (gsize) b.n_alm);
  for (gint64 i = 0; i < N_SAMPLES; i++)
    {
      Quad c, s;

      delta_healpix_ring (nside, rings[i], &c, &s);
      delta_set_pair (b.pairs, N_SAMPLES, i, c, s);
    }
  block_synthesis (&b);
  for (gint64 i = 0; i < N_SAMPLES; i++)
    for (gint64 f = 0; f < 2; f++)
      for (gint64 j = 0; j < 4; j++)
        {
          const Quad x = expected[i][f][j];
          const double e = (double) (*spin_tile_at (&b, f, m, i, j) - x);

          sums[i][0] += (m ? 2 : 1) * e * e;
          sums[i][1] += (m ? 2 : 1) * (double) (x * x);
        }
}

static void
test_accuracy (gconstpointer data)
{
  const Accuracy *a = data;
  const gint64 nside = MAX (a->lmax / 2, 4);
  double sums[ARMILLA_ISA_AVX512 + 1][N_SAMPLES][2] = { 0 };
  gint64 rings[N_SAMPLES];

  sample_rings (nside, a->spin, rings);
  for (gint64 m = 0; m <= a->lmax; m += m < 3 ? 1 : a->m_step)
    {
      ArmillaSpinShape shape = { a->lmax, m, m, 1, N_SAMPLES, a->spin, 0 };
      Quad expected[N_SAMPLES][2][4];
      g_auto (SpinDirect) d;
      g_auto (SpinBlock) b;

      spin_block_init (&b, &shape);
      block_random_alm (&b, (guint32) m);
      spin_direct_init (&d, a->lmax, m, a->spin);
      for (gint64 i = 0; i < N_SAMPLES; i++)
        {
          Quad c, s;

          delta_healpix_ring (nside, rings[i], &c, &s);
          direct_pair (&d, b.alm, b.alm + 2 * b.n_alm, c, s, expected[i]);
        }
      for (ArmillaIsa isa = ARMILLA_ISA_PORTABLE; isa <= armilla_isa_detect (); isa++)
        {
          b.shape.isa = (int32_t) isa;
          accuracy_order (nside, m, &b, expected, rings, sums[isa]);
        }
    }
  for (ArmillaIsa isa = ARMILLA_ISA_PORTABLE; isa <= armilla_isa_detect (); isa++)
    {
      g_autofree char *what = g_strdup_printf ("%s spin %d lmax %" G_GINT64_FORMAT,
                                               armilla_isa_name (isa), a->spin, a->lmax);

      delta_check_accuracy (what, nside, rings, N_SAMPLES, sums[isa], a->rms, a->ring);
    }
}

/* Every lmax up to 9, every m, spins up to the highest, rings near a pole and not: against the
 * direct sum. */
static void
test_tiny (void)
{
  const ArmillaIsa best = armilla_isa_detect ();

  for (gint32 spin = 1; spin <= ARMILLA_SPIN_KERNEL_MAX; spin++)
    for (gint64 lmax = 0; lmax <= 9; lmax++)
      for (gint64 m = 0; m <= lmax; m++)
        {
          ArmillaSpinShape shape = { lmax, m, m, 1, 6, spin, (int32_t) best };
          g_auto (SpinDirect) d;
          g_auto (SpinBlock) b;

          spin_block_init (&b, &shape);
          delta_set_healpix (b.pairs, 6, 3, 1);
          block_table_and_alm (&b, 1);
          block_synthesis (&b);
          spin_direct_init (&d, lmax, m, spin);
          for (gint64 i = 0; i < 6; i++)
            {
              Quad c, s, rows[2][4];

              delta_healpix_ring (3, 1 + i, &c, &s);
              direct_pair (&d, b.alm, b.alm + 2 * b.n_alm, c, s, rows);
              /* Values of order 1, a few hundred roundings; 1 / sin^s of a ring that is not near a
               * pole is at most 8 for s up to 3, and 2^s beyond. */
              for (gint64 j = 0; j < 8; j++)
                g_assert_cmpfloat_with_epsilon (*spin_tile_at (&b, j / 4, m, i, j % 4),
                                                (double) rows[j / 4][j % 4],
                                                2e-14 * (8 << MAX (spin - 3, 0)));
            }
        }
}

/* Rings in any order, poles and equator in one group; at a pole only |m| = s is left. */
static void
test_user_rings (void)
{
  const double sines[] = { 1, 0, 0.3, 1e-3, 0.999, 0, 0.7, 0.5, 1e-200, 0.4999, 0.9 };
  const gint64 n = G_N_ELEMENTS (sines), lmax = 100;

  for (gint32 spin = 1; spin <= 3; spin++)
    for (ArmillaIsa isa = ARMILLA_ISA_PORTABLE; isa <= armilla_isa_detect (); isa++)
      {
        const ArmillaSpinShape shape = { lmax, 0, lmax, 1, n, spin, (int32_t) isa };
        const double *alm;
        g_auto (SpinBlock) b;

        spin_block_init (&b, &shape);
        for (gint64 i = 0; i < n; i++)
          {
            const Quad s = sines[i];

            delta_set_pair (b.pairs, n, i, delta_sqrt (1 - s * s), s);
          }
        block_table_and_alm (&b, 2);
        block_synthesis (&b);
        alm = b.alm;
        for (gint64 m = 0; m <= lmax; alm += 2 * (lmax - m + 1), m++)
          for (gint64 i = 0; i < n; i++)
            {
              const Quad s = sines[i];
              Quad rows[2][4];
              g_auto (SpinDirect) d;

              spin_direct_init (&d, lmax, m, spin);
              direct_pair (&d, alm, alm + 2 * b.n_alm, delta_sqrt (1 - s * s), s, rows);
              /* Values are of order sqrt (100); 3e-13 of that is the design's bound for a ring. */
              for (gint64 j = 0; j < 8; j++)
                {
                  const double x = *spin_tile_at (&b, j / 4, m, i, j % 4);

                  g_assert_cmpfloat_with_epsilon (x, (double) rows[j / 4][j % 4], 3e-12);
                  if (m != spin && sines[i] < 1e-100)
                    g_assert_cmpfloat (fabs (x), <=, 1e-100);
                }
            }
      }
}

/* Design 3.5: with y = A x + |A x| n, |<A x, y> - <x, A' y>| <= 1e-14 |A x| |y|. */
static void
check_adjoint (SpinBlock *b)
{
  const gint64 n_x = 4 * b->n_alm * b->shape.n_maps, n_y = armilla_spin_tile_size (&b->shape);
  g_autofree double *x = NULL, *ax = NULL;
  double left, right, norm, noise;

  block_table_and_alm (b, 3);
  block_synthesis (b);
  x = g_memdup2 (b->alm, sizeof (double) * (gsize) n_x);
  ax = g_memdup2 (b->tile, sizeof (double) * (gsize) n_y);
  norm = sqrt (delta_dot (ax, ax, n_y));
  delta_random (b->tile, n_y, 4);
  noise = norm / sqrt (delta_dot (b->tile, b->tile, n_y));
  for (gint64 j = 0; j < n_y; j++)
    b->tile[j] = ax[j] + noise * b->tile[j];
  left = delta_dot (ax, b->tile, n_y);
  block_adjoint (b);
  right = delta_dot (x, b->alm, n_x);
  g_assert_cmpfloat (fabs (left - right), <=,
                     1e-14 * norm * sqrt (delta_dot (b->tile, b->tile, n_y)));
}

static void
test_adjoint (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    for (gint32 spin = 1; spin <= 3; spin++)
      for (ArmillaIsa isa = ARMILLA_ISA_PORTABLE; isa <= armilla_isa_detect (); isa++)
        {
          g_auto (SpinBlock) b;

          case_init (&b, cases + i, spin, isa);
          check_adjoint (&b);
        }
}

/* Blocks of other sizes, and single maps, give the same values. */
static void
test_splitting (void)
{
  const Case whole = { 200, 0, 200, 2, 100, 1, 200 };
  const gint64 m_size = 23, p_size = 41;
  const ArmillaIsa isa = armilla_isa_detect ();

  for (gint32 spin = 1; spin <= 3; spin++)
    {
      g_auto (SpinBlock) b;

      case_init (&b, &whole, spin, isa);
      block_table_and_alm (&b, 8);
      block_synthesis (&b);
      for (gint64 m = 0; m <= whole.lmax; m += m_size)
        for (gint64 p = 0; p < whole.n_pairs; p += p_size)
          {
            const Case part = { whole.lmax, m, MIN (m + m_size - 1, whole.lmax), 1, whole.nside,
                                1 + p, MIN (p_size, whole.n_pairs - p) };
            const gint64 at = delta_alm_count (whole.lmax, 0, m - 1);
            g_auto (SpinBlock) s;

            case_init (&s, &part, spin, isa);
            armilla_spin_table_cpu (&s.shape, s.table);
            for (gint64 f = 0; f < 2; f++)
              memcpy (s.alm + 2 * f * s.n_alm, b.alm + 2 * ((2 + f) * b.n_alm + at),
                      sizeof (double) * 2 * (gsize) s.n_alm);
            block_synthesis (&s);
            /* The recurrence may be in another form; the design allows 3e-13 of values of order 10,
             * and here lmax is small. */
            for (gint64 f = 0; f < 2; f++)
              for (gint64 order = part.m_first; order <= part.m_last; order++)
                for (gint64 pair = 0; pair < part.n_pairs; pair++)
                  for (gint64 row = 0; row < 4; row++)
                    g_assert_cmpfloat_with_epsilon (*spin_tile_at (&s, f, order, pair, row),
                                                    *spin_tile_at (&b, 2 + f, order, p + pair, row),
                                                    5e-13);
          }
    }
}

/* The adjoint adds to what is there, block by block of rings; the first one finds nothing. */
static void
test_accumulation (void)
{
  const Case whole = { 150, 0, 40, 2, 75, 1, 150 };
  const ArmillaIsa isa = armilla_isa_detect ();
  const int both = ARMILLA_SPIN_PART_MIDDLE | ARMILLA_SPIN_PART_POLAR;
  g_auto (SpinBlock) b;
  g_autofree double *sum = NULL;
  gint64 n;

  case_init (&b, &whole, 2, isa);
  block_table_and_alm (&b, 9);
  delta_random (b.tile, armilla_spin_tile_size (&b.shape), 10);
  block_adjoint (&b);
  n = armilla_spin_prepared_size (&b.shape);
  sum = g_new (double, n);
  delta_fill_nan (sum, n);
  for (gint64 p = 0; p < whole.n_pairs; p += 50)
    {
      const Case part = { 150, 0, 40, 2, 75, 1 + p, 50 };
      g_auto (SpinBlock) s;

      case_init (&s, &part, 2, isa);
      for (gint64 f = 0; f < 4; f++)
        memcpy (spin_tile_at (&s, f, 0, 0, 0), spin_tile_at (&b, f, 0, p, 0),
                sizeof (double) * 50 * 4 * 41);
      armilla_spin_adjoint_cpu (&s.shape, b.basis, s.tile, s.pairs, p == 0 ? both : 0, sum,
                                s.scratch);
    }
  /* Another order of 150 terms: some roundings. */
  g_assert_cmpfloat (delta_distance (sum, b.prepared, n), <=, 1e-14);
}

/* A block of rings on one side of the limit begins both parts of the sum, or its own. */
static void
test_fresh (void)
{
  const ArmillaSpinPart parts[] = { ARMILLA_SPIN_PART_POLAR, ARMILLA_SPIN_PART_MIDDLE };
  const ArmillaIsa isa = armilla_isa_detect ();

  for (int i = 0; i < 2; i++)
    {
      const Case some = { 150, 0, 40, 1, 75, i == 0 ? 1 : 51, 40 };
      g_auto (SpinBlock) b;
      g_autofree double *sum = NULL;
      gint64 n, middle;

      case_init (&b, &some, 2, isa);
      block_table_and_alm (&b, 9);
      delta_random (b.tile, armilla_spin_tile_size (&b.shape), 10);
      block_adjoint (&b);
      n = armilla_spin_prepared_size (&b.shape);
      middle = armilla_spin_middle_size (&b.shape);
      g_assert_cmpint (armilla_spin_count_polar (&b.shape, b.pairs), ==, i == 0 ? 40 : 0);
      sum = g_new (double, n);
      delta_fill_nan (sum, n);
      armilla_spin_adjoint_cpu (&b.shape, b.basis, b.tile, b.pairs,
                                ARMILLA_SPIN_PART_MIDDLE | ARMILLA_SPIN_PART_POLAR, sum,
                                b.scratch);
      g_assert_cmpmem (sum, sizeof (double) * (gsize) n, b.prepared, sizeof (double) * (gsize) n);
      delta_fill_nan (sum, n);
      armilla_spin_adjoint_cpu (&b.shape, b.basis, b.tile, b.pairs, parts[i], sum, b.scratch);
      if (i == 0)
        g_assert_cmpmem (sum + middle, sizeof (double) * (gsize) (n - middle),
                         b.prepared + middle, sizeof (double) * (gsize) (n - middle));
      else
        g_assert_cmpmem (sum, sizeof (double) * (gsize) middle, b.prepared,
                         sizeof (double) * (gsize) middle);
      g_assert_true (isnan (sum[i == 0 ? 0 : n - 1]));
    }
}

int
main (int argc, char *argv[])
{
  /* Bounds of design 3.5. */
  static const Accuracy accuracies[] = {
    { 16, 1, 1, 1e-13, 3e-13 },     { 16, 1, 2, 1e-13, 3e-13 },     { 16, 1, 3, 1e-13, 3e-13 },
    { 129, 7, 1, 1e-13, 3e-13 },    { 129, 7, 2, 1e-13, 3e-13 },    { 129, 7, 3, 1e-13, 3e-13 },
    { 1024, 97, 1, 1e-13, 3e-13 },  { 1024, 97, 2, 1e-13, 3e-13 },  { 1024, 97, 3, 1e-13, 3e-13 },
    { 2048, 251, 1, 1e-13, 3e-13 }, { 2048, 251, 2, 1e-13, 3e-13 }, { 2048, 251, 3, 1e-13, 3e-13 },
    { 4096, 601, 1, 1e-13, 3e-13 }, { 4096, 601, 2, 1e-13, 3e-13 }, { 4096, 601, 3, 1e-13, 3e-13 },
  };

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/spin/reference", test_reference);
  g_test_add_func ("/spin/tiny", test_tiny);
  for (gsize i = 0; i < G_N_ELEMENTS (accuracies) && accuracies[i].lmax <= MAX_LMAX; i++)
    {
      g_autofree char *path = g_strdup_printf ("/spin/accuracy/%d/%" G_GINT64_FORMAT,
                                               accuracies[i].spin, accuracies[i].lmax);

      g_test_add_data_func (path, accuracies + i, test_accuracy);
    }
  g_test_add_func ("/spin/user-rings", test_user_rings);
  g_test_add_func ("/spin/adjoint", test_adjoint);
  g_test_add_func ("/spin/splitting", test_splitting);
  g_test_add_func ("/spin/accumulation", test_accumulation);
  g_test_add_func ("/spin/fresh", test_fresh);
  return g_test_run ();
}
