/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "codelets/legendre/delta-math.h"
#include "tests/legendre/delta-reference.h"

static void
block_alm (DeltaBlock *b, guint32 seed)
{
  delta_random (b->alm, 2 * b->n_alm * b->shape.n_fields, seed);
}

static void
block_synthesis (DeltaBlock *b)
{
  one_tile_delta_prepare (&b->shape, b->basis, b->alm, b->prepared);
  armilla_delta_synthesis_cpu (&b->shape, b->basis, b->prepared, b->pairs, NULL, b->tile,
                               b->scratch);
}

static void
block_adjoint (DeltaBlock *b)
{
  memset (b->prepared, 0,
          sizeof (double) * (gsize) armilla_delta_prepared_size (&b->shape));
  armilla_delta_adjoint_cpu (&b->shape, b->basis, b->tile, b->pairs, NULL, FALSE, b->prepared,
                             b->scratch);
  delta_fill_nan (b->alm, 2 * b->n_alm * b->shape.n_fields);
  one_tile_delta_finish (&b->shape, b->basis, b->prepared, b->alm);
}

/* What a row of a tile should be: north re, north im, south re, south im of one pair. */
static void
direct_pair (gint64 lmax, gint64 m, const double *alm, Quad cosine, Quad sine, Quad row[4])
{
  Quad even[2], odd[2];

  delta_direct_sum (lmax, m, alm, cosine, sine, even, odd);
  for (int i = 0; i < 2; i++)
    {
      row[i] = even[i] + odd[i];
      row[2 + i] = even[i] - odd[i];
    }
}

static void
test_isa (void)
{
  g_autofree char *before = g_strdup (g_getenv ("ARMILLA_ISA"));
  ArmillaIsa best;

  g_unsetenv ("ARMILLA_ISA");
  best = armilla_isa_detect ();
  for (ArmillaIsa i = ARMILLA_ISA_PORTABLE; i <= ARMILLA_ISA_AVX512; i++)
    {
      g_setenv ("ARMILLA_ISA", armilla_isa_name (i), TRUE);
      g_assert_cmpint (armilla_isa_detect (), ==, MIN (i, best)); /* it can only lower */
    }
  g_setenv ("ARMILLA_ISA", "avx-1024", TRUE);
  g_assert_cmpint (armilla_isa_detect (), ==, best);
  if (before)
    g_setenv ("ARMILLA_ISA", before, TRUE);
  else
    g_unsetenv ("ARMILLA_ISA");
}

/* Gamma (1) / Gamma (1/2), and the recursion far from where the series starts. */
static void
test_gamma_ratio (void)
{
  /* A dozen roundings of half an ulp. */
  g_assert_cmpfloat_with_epsilon (armilla_delta_gamma_ratio (0), 1 / sqrt (G_PI), 1e-15);
  for (double z = 0.25; z < 1e6; z *= 1.7)
    g_assert_cmpfloat_with_epsilon (armilla_delta_gamma_ratio (z + 1)
                                      / armilla_delta_gamma_ratio (z) * (z + 0.5) / (z + 1),
                                    1, 2e-15);
}

#define N_SAMPLES DELTA_SAMPLES

typedef struct {
  gint64 lmax, m_step;
  double rms, ring; /* bounds */
} Accuracy;

/* Adds |error|^2 and |value|^2 of order m to each sampled ring. Each ring is a block of its own, so
 * that each is computed as it would be among its neighbours. */
static void
accuracy_order (gint64 lmax, gint64 nside, gint64 m, const Quad *expected, ArmillaIsa isa,
                const gint64 *rings, double (*sums)[2])
{
  const ArmillaDeltaShape shape = { lmax, m, m, 1, 1, (int32_t) isa, 0 };
  g_auto (DeltaBlock) b;

  delta_block_init (&b, &shape);
  block_alm (&b, (guint32) m);
  for (gint64 i = 0; i < N_SAMPLES; i++)
    {
      Quad c, s;

      delta_healpix_ring (nside, rings[i], &c, &s);
      delta_set_pair (b.pairs, 1, 0, c, s);
      block_synthesis (&b);
      for (gint64 j = 0; j < 4; j++)
        {
          const Quad x = expected[4 * i + j];
          const double e = (double) (b.tile[j] - x);

          sums[i][0] += (m ? 2 : 1) * e * e;
          sums[i][1] += (m ? 2 : 1) * (double) (x * x);
        }
    }
}

static void
test_accuracy (gconstpointer data)
{
  const Accuracy *a = data;
  const gint64 nside = MAX (a->lmax / 2, 2);
  double sums[ARMILLA_ISA_AVX512 + 1][N_SAMPLES][2] = { 0 };
  gint64 rings[N_SAMPLES];

  delta_sample_rings (nside, rings);
  for (gint64 m = 0; m <= a->lmax; m += a->m_step)
    {
      g_autofree double *alm = g_new (double, 2 * (a->lmax - m + 1));
      Quad expected[4 * N_SAMPLES];

      delta_random (alm, 2 * (a->lmax - m + 1), (guint32) m);
      for (gint64 i = 0; i < N_SAMPLES; i++)
        {
          Quad c, s;

          delta_healpix_ring (nside, rings[i], &c, &s);
          direct_pair (a->lmax, m, alm, c, s, expected + 4 * i);
        }
      for (ArmillaIsa isa = ARMILLA_ISA_PORTABLE; isa <= armilla_isa_detect (); isa++)
        accuracy_order (a->lmax, nside, m, expected, isa, rings, sums[isa]);
    }
  for (ArmillaIsa isa = ARMILLA_ISA_PORTABLE; isa <= armilla_isa_detect (); isa++)
    {
      g_autofree char *what = g_strdup_printf ("%s lmax %" G_GINT64_FORMAT,
                                               armilla_isa_name (isa), a->lmax);

      delta_check_accuracy (what, nside, rings, N_SAMPLES, sums[isa], a->rms, a->ring);
    }
}

/* Every lmax up to 9, every m, 1 to 3 pairs, against the direct sum. */
static void
test_tiny (void)
{
  for (gint64 lmax = 0; lmax <= 9; lmax++)
    for (gint64 m = 0; m <= lmax; m++)
      for (gint64 n = 1; n <= 3; n++)
        for (ArmillaIsa isa = ARMILLA_ISA_PORTABLE; isa <= armilla_isa_detect (); isa++)
          {
            const ArmillaDeltaShape shape = { lmax, m, m, 1, n, (int32_t) isa, 0 };
            g_auto (DeltaBlock) b;

            delta_block_init (&b, &shape);
            delta_set_healpix (b.pairs, n, 3, 3);
            block_alm (&b, 1);
            block_synthesis (&b);
            for (gint64 i = 0; i < n; i++)
              {
                Quad c, s, row[4];

                delta_healpix_ring (3, 3 + i, &c, &s);
                direct_pair (lmax, m, b.alm, c, s, row);
                /* |P_lm| < 2, ten terms of order 1: a few hundred roundings at most. */
                for (gint64 j = 0; j < 4; j++)
                  g_assert_cmpfloat_with_epsilon (*delta_tile_at (&b, 0, m, i, j), (double) row[j],
                                                  2e-14);
              }
          }
}

/* Rings in any order, poles and equator in one group; and what the design leaves out is nothing. */
static void
test_user_rings (void)
{
  const double sines[] = { 1, 0, 0.3, 1e-3, 0.999, 0, 0.7, 0.71, 1e-200, 0.05, 0.9 };
  const gint64 n = G_N_ELEMENTS (sines), lmax = 200;

  for (ArmillaIsa isa = ARMILLA_ISA_PORTABLE; isa <= armilla_isa_detect (); isa++)
    {
      const ArmillaDeltaShape shape = { lmax, 0, lmax, 1, n, (int32_t) isa, 0 };
      const double *alm;
      g_auto (DeltaBlock) b;

      delta_block_init (&b, &shape);
      for (gint64 i = 0; i < n; i++)
        {
          const Quad s = sines[i];

          delta_set_pair (b.pairs, n, i, delta_sqrt (1 - s * s), s);
        }
      block_alm (&b, 2);
      block_synthesis (&b);
      alm = b.alm;
      for (gint64 m = 0; m <= lmax; alm += 2 * (lmax - m + 1), m++)
        for (gint64 i = 0; i < n; i++)
          {
            const Quad s = sines[i];
            Quad row[4];

            direct_pair (lmax, m, alm, delta_sqrt (1 - s * s), s, row);
            /* Values are of order sqrt (200); 3e-13 of that is the design's bound for a ring. */
            for (gint64 j = 0; j < 4; j++)
              g_assert_cmpfloat_with_epsilon (*delta_tile_at (&b, 0, m, i, j), (double) row[j],
                                              4e-12);
            if (m > 0 && sines[i] < 1e-100)
              for (gint64 j = 0; j < 4; j++)
                g_assert_cmpfloat (*delta_tile_at (&b, 0, m, i, j), ==, 0);
          }
    }
}

/* What is skipped is negligible: the largest P_lm of each skipped (m, ring), by the direct sum. */
static void
test_negligible (void)
{
  const gint64 lmax = 300, nside = 150;
  gint64 n_skipped = 0;

  for (gint64 m = 0; m <= lmax; m += 3)
    for (gint64 ring = 1; ring <= 2 * nside; ring += 3)
      {
        g_autofree double *alm = g_new0 (double, 2 * (lmax - m + 1));
        Quad c, s, even[2], odd[2];

        delta_healpix_ring (nside, ring, &c, &s);
        if (!armilla_delta_negligible (lmax, m, (double) s, (double) c))
          continue;
        n_skipped++;
        /* Towards the pole of the turning point P_lm grows with l. */
        alm[2 * (lmax - m)] = 1;
        delta_direct_sum (lmax, m, alm, c, s, even, odd);
        g_assert_cmpfloat (fabs ((double) (even[0] + odd[0])), <, ARMILLA_DELTA_SMALL);
      }
  g_assert_cmpint (n_skipped, >, 0);
}

typedef struct {
  gint64 lmax, m_first, m_last, n_fields, nside, first_ring, n_pairs;
} Case;

static const Case cases[] = {
  { 0, 0, 0, 1, 1, 1, 2 },        { 1, 0, 1, 1, 1, 1, 1 },       { 2, 0, 2, 2, 2, 1, 4 },
  { 3, 1, 3, 3, 2, 1, 3 },        { 31, 0, 31, 5, 16, 1, 32 },   { 64, 3, 17, 1, 33, 1, 66 },
  { 127, 0, 127, 2, 64, 1, 128 }, { 128, 0, 63, 1, 64, 1, 127 }, { 200, 60, 99, 16, 100, 37, 129 },
  { 1024, 500, 530, 1, 512, 1, 300 },
  { 1023, 0, 20, 3, 512, 100, 257 }, { 64, 0, 64, 2, 24, 1, 48 },
};

static void
case_init (DeltaBlock *b, const Case *c, ArmillaIsa isa)
{
  const ArmillaDeltaShape shape
    = { c->lmax, c->m_first, c->m_last, c->n_fields, c->n_pairs, (int32_t) isa, 0 };

  delta_block_init (b, &shape);
  delta_set_healpix (b->pairs, c->n_pairs, c->nside, c->first_ring);
}

/* Design 3.5: with y = A x + |A x| n, |<A x, y> - <x, A' y>| <= 1e-14 |A x| |y|. */
static void
test_adjoint (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    for (ArmillaIsa isa = ARMILLA_ISA_PORTABLE; isa <= armilla_isa_detect (); isa++)
      {
        g_auto (DeltaBlock) b;
        g_autofree double *x = NULL, *ax = NULL;
        double left, right, norm, noise;
        gint64 n_x, n_y;

        case_init (&b, cases + i, isa);
        block_alm (&b, 3);
        block_synthesis (&b);
        n_x = 2 * b.n_alm * b.shape.n_fields;
        n_y = armilla_delta_tile_size (&b.shape);
        x = g_memdup2 (b.alm, sizeof (double) * (gsize) n_x);
        ax = g_memdup2 (b.tile, sizeof (double) * (gsize) n_y);
        norm = sqrt (delta_dot (ax, ax, n_y));
        delta_random (b.tile, n_y, 4);
        noise = norm / sqrt (delta_dot (b.tile, b.tile, n_y));
        for (gint64 j = 0; j < n_y; j++)
          b.tile[j] = ax[j] + noise * b.tile[j];
        left = delta_dot (ax, b.tile, n_y);
        block_adjoint (&b);
        right = delta_dot (x, b.alm, n_x);
        g_assert_cmpfloat (fabs (left - right), <=,
                           1e-14 * norm * sqrt (delta_dot (b.tile, b.tile, n_y)));
      }
}

/* <prepare a, g> = <a, finish g>: the two are transposes of each other. */
static void
test_prepare_finish (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (DeltaBlock) b;
      g_autofree double *a = NULL, *pa = NULL;
      gint64 n_a, n_p;
      double left;

      case_init (&b, cases + i, ARMILLA_ISA_PORTABLE);
      block_alm (&b, 5);
      one_tile_delta_prepare (&b.shape, b.basis, b.alm, b.prepared);
      n_a = 2 * b.n_alm * b.shape.n_fields;
      n_p = armilla_delta_prepared_size (&b.shape);
      a = g_memdup2 (b.alm, sizeof (double) * (gsize) n_a);
      pa = g_memdup2 (b.prepared, sizeof (double) * (gsize) n_p);
      delta_random (b.prepared, n_p, 6);
      left = delta_dot (pa, b.prepared, n_p);
      delta_fill_nan (b.alm, n_a);
      one_tile_delta_finish (&b.shape, b.basis, b.prepared, b.alm);
      /* Each side rounds a few times a term; terms add up like a random walk. */
      g_assert_cmpfloat (fabs (left - delta_dot (a, b.alm, n_a)), <=,
                         1e-14 * sqrt (delta_dot (pa, pa, n_p)
                                       * delta_dot (b.prepared, b.prepared, n_p)));
    }
}

/* Copies field f of a block into a block of one field. */
static void
one_field_init (DeltaBlock *one, const DeltaBlock *many, gint64 f)
{
  ArmillaDeltaShape shape = many->shape;
  gint64 n;

  shape.n_fields = 1;
  n = armilla_delta_tile_size (&shape);
  delta_block_init (one, &shape);
  memcpy (one->pairs, many->pairs, sizeof (double) * ARMILLA_PAIR_ROWS * (gsize) shape.n_pairs);
  memcpy (one->alm, many->alm + 2 * f * many->n_alm, sizeof (double) * 2 * (gsize) many->n_alm);
  memcpy (one->tile, many->tile + f * n, sizeof (double) * (gsize) n);
}

/* A field has the same bits alone and among others. */
static void
test_fields (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    for (ArmillaIsa isa = ARMILLA_ISA_PORTABLE; isa <= armilla_isa_detect (); isa++)
      {
        g_auto (DeltaBlock) many, back;

        case_init (&many, cases + i, isa);
        block_alm (&many, 7);
        block_synthesis (&many);
        case_init (&back, cases + i, isa);
        block_alm (&back, 7);
        memcpy (back.tile, many.tile,
                sizeof (double) * (gsize) armilla_delta_tile_size (&many.shape));
        block_adjoint (&back);
        for (gint64 f = 0; f < many.shape.n_fields; f++)
          {
            g_auto (DeltaBlock) one;
            g_autofree double *tile = NULL;
            gint64 n_tile;

            one_field_init (&one, &many, f);
            n_tile = armilla_delta_tile_size (&one.shape);
            tile = g_memdup2 (one.tile, sizeof (double) * (gsize) n_tile);
            block_synthesis (&one);
            /* A lane's terms are added in the same order: the same bits. */
            g_assert_cmpmem (tile, sizeof (double) * (gsize) n_tile, one.tile,
                             sizeof (double) * (gsize) n_tile);
            block_adjoint (&one);
            g_assert_cmpmem (back.alm + 2 * f * one.n_alm,
                             2 * sizeof (double) * (gsize) one.n_alm, one.alm,
                             2 * sizeof (double) * (gsize) one.n_alm);
          }
      }
}

/* a_lm that come in several tiles are prepared and finished as those of one. */
static void
test_tiles (void)
{
  const Case c = { .lmax = 70, .m_first = 3, .m_last = 9, .n_fields = 6, .nside = 2,
                   .first_ring = 1, .n_pairs = 4 };
  double *tile[3];
  const ArmillaAlmTiles tiles = { 2, tile };
  g_auto (DeltaBlock) one, several;
  gsize n_prepared, n_each;

  case_init (&one, &c, ARMILLA_ISA_PORTABLE);
  case_init (&several, &c, ARMILLA_ISA_PORTABLE);
  block_alm (&one, 8);
  one_tile_delta_prepare (&one.shape, one.basis, one.alm, one.prepared);
  n_prepared = sizeof (double) * (gsize) armilla_delta_prepared_size (&one.shape);
  n_each = 4 * sizeof (double) * (gsize) one.n_alm;
  for (int i = 0; i < 3; i++)
    tile[i] = g_memdup2 (one.alm + 4 * i * one.n_alm, n_each);
  armilla_delta_prepare_cpu (&one.shape, one.basis, &tiles, several.prepared);
  g_assert_cmpmem (several.prepared, n_prepared, one.prepared, n_prepared);

  one_tile_delta_finish (&one.shape, one.basis, one.prepared, one.alm);
  for (int i = 0; i < 3; i++)
    delta_fill_nan (tile[i], 4 * one.n_alm);
  armilla_delta_finish_cpu (&one.shape, one.basis, one.prepared, &tiles);
  for (int i = 0; i < 3; i++)
    {
      g_assert_cmpmem (tile[i], n_each, one.alm + 4 * i * one.n_alm, n_each);
      g_free (tile[i]);
    }
}

/* Blocks of other sizes give the same values. */
static void
test_splitting (void)
{
  const Case whole = { 300, 0, 300, 2, 150, 1, 300 };
  const gint64 m_size = 37, p_size = 41;

  for (ArmillaIsa isa = ARMILLA_ISA_PORTABLE; isa <= armilla_isa_detect (); isa++)
    {
      g_auto (DeltaBlock) b;

      case_init (&b, &whole, isa);
      block_alm (&b, 8);
      block_synthesis (&b);
      for (gint64 m = 0; m <= whole.lmax; m += m_size)
        for (gint64 p = 0; p < whole.n_pairs; p += p_size)
          {
            const Case part = { whole.lmax, m, MIN (m + m_size - 1, whole.lmax), 2, whole.nside,
                                1 + p, MIN (p_size, whole.n_pairs - p) };
            const gint64 at = delta_alm_count (whole.lmax, 0, m - 1);
            g_auto (DeltaBlock) s;

            case_init (&s, &part, isa);
            for (gint64 f = 0; f < 2; f++)
              memcpy (s.alm + 2 * f * s.n_alm, b.alm + 2 * (f * b.n_alm + at),
                      sizeof (double) * 2 * (gsize) s.n_alm);
            block_synthesis (&s);
            /* The recurrence may be in another form; the design allows 3e-13 of values of order 10,
             * and here lmax is small. */
            for (gint64 f = 0; f < 2; f++)
              for (gint64 order = part.m_first; order <= part.m_last; order++)
                for (gint64 pair = 0; pair < part.n_pairs; pair++)
                  for (gint64 row = 0; row < 4; row++)
                    g_assert_cmpfloat_with_epsilon (*delta_tile_at (&s, f, order, pair, row),
                                                    *delta_tile_at (&b, f, order, p + pair, row),
                                                    5e-13);
          }
    }
}

/* The adjoint adds to what is there, block by block of rings. */
static void
test_accumulation (void)
{
  const Case whole = { 150, 10, 40, 3, 75, 1, 150 };

  for (ArmillaIsa isa = ARMILLA_ISA_PORTABLE; isa <= armilla_isa_detect (); isa++)
    {
      g_auto (DeltaBlock) b;
      g_autofree double *sum = NULL;
      gint64 n;

      case_init (&b, &whole, isa);
      block_alm (&b, 9);
      delta_random (b.tile, armilla_delta_tile_size (&b.shape), 10);
      block_adjoint (&b);
      n = armilla_delta_prepared_size (&b.shape);
      sum = g_new (double, n);
      delta_fill_nan (sum, n);
      for (gint64 p = 0; p < whole.n_pairs; p += 50)
        {
          const Case part = { 150, 10, 40, 3, 75, 1 + p, 50 };
          g_auto (DeltaBlock) s;

          case_init (&s, &part, isa);
          for (gint64 f = 0; f < 3; f++)
            memcpy (delta_tile_at (&s, f, 10, 0, 0), delta_tile_at (&b, f, 10, p, 0),
                    sizeof (double) * 50 * 4 * 31);
          armilla_delta_adjoint_cpu (&s.shape, b.basis, s.tile, s.pairs, NULL, p == 0, sum,
                                     s.scratch);
        }
      /* Another order of 150 terms: some roundings. */
      g_assert_cmpfloat (delta_distance (sum, b.prepared, n), <=, 1e-14);
    }
}

/* What takes a_lm as they are has the bits of what takes prepared ones, and leaves its neighbours
 * alone. */
static void
test_in_alm (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    for (ArmillaIsa isa = ARMILLA_ISA_PORTABLE;
         cases[i].n_fields == 1 && isa <= armilla_isa_detect (); isa++)
      {
        g_auto (DeltaBlock) b, direct;
        g_autofree double *sum = NULL;
        gsize n, n_tile;

        case_init (&b, cases + i, isa);
        block_alm (&b, 11);
        block_synthesis (&b);
        case_init (&direct, cases + i, isa);
        direct.shape.in_alm = TRUE;
        n = 2 * (gsize) b.n_alm;
        n_tile = (gsize) armilla_delta_tile_size (&b.shape);
        g_assert_cmpint (armilla_delta_prepared_size (&direct.shape), ==, (gint64) n);
        armilla_delta_synthesis_cpu (&direct.shape, b.basis, b.alm, b.pairs, NULL, direct.tile,
                                     direct.scratch);
        g_assert_cmpmem (direct.tile, sizeof (double) * n_tile, b.tile, sizeof (double) * n_tile);

        sum = delta_new_nan ((gint64) n + 2);
        sum[0] = sum[n + 1] = 7;
        for (int fresh = 1; fresh >= 0; fresh--)
          {
            armilla_delta_adjoint_cpu (&b.shape, b.basis, b.tile, b.pairs, NULL, fresh, b.prepared,
                                       b.scratch);
            armilla_delta_adjoint_cpu (&direct.shape, b.basis, b.tile, b.pairs, NULL, fresh,
                                       sum + 1, direct.scratch);
          }
        one_tile_delta_finish (&b.shape, b.basis, b.prepared, b.alm);
        one_tile_delta_finish (&direct.shape, b.basis, sum + 1, sum + 1);
        g_assert_cmpmem (sum + 1, sizeof (double) * n, b.alm, sizeof (double) * n);
        g_assert_cmpfloat (sum[0], ==, 7);
        g_assert_cmpfloat (sum[n + 1], ==, 7);
      }
}

int
main (int argc, char *argv[])
{
  /* Bounds of design 3.5. */
  static const Accuracy accuracies[] = {
    { 64, 1, 1e-13, 3e-13 },     { 129, 1, 1e-13, 3e-13 },    { 512, 17, 1e-13, 3e-13 },
    { 1024, 37, 1e-13, 3e-13 },  { 2048, 101, 1e-13, 3e-13 }, { 4096, 241, 1e-13, 3e-13 },
    { 16384, 1861, 5e-13, 5e-12 },
  };

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/delta/isa", test_isa);
  g_test_add_func ("/delta/gamma-ratio", test_gamma_ratio);
  for (gsize i = 0; i < G_N_ELEMENTS (accuracies); i++)
    {
      g_autofree char *path
        = g_strdup_printf ("/delta/accuracy/%" G_GINT64_FORMAT, accuracies[i].lmax);

      g_test_add_data_func (path, accuracies + i, test_accuracy);
    }
  g_test_add_func ("/delta/tiny", test_tiny);
  g_test_add_func ("/delta/user-rings", test_user_rings);
  g_test_add_func ("/delta/negligible", test_negligible);
  g_test_add_func ("/delta/adjoint", test_adjoint);
  g_test_add_func ("/delta/prepare-finish", test_prepare_finish);
  g_test_add_func ("/delta/fields", test_fields);
  g_test_add_func ("/delta/tiles", test_tiles);
  g_test_add_func ("/delta/in-alm", test_in_alm);
  g_test_add_func ("/delta/splitting", test_splitting);
  g_test_add_func ("/delta/accumulation", test_accumulation);
  return g_test_run ();
}
