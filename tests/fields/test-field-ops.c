/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The small kernels on a_lm, vectors and maps against direct sums in long double. */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "codelets/fields/alm-ops.h"
#include "codelets/fields/dipole.h"
#include "codelets/fields/vector-ops.h"

#include <armilla/alm.h>
#include <armilla/map-header.h>

#define PI_L 3.14159265358979323846264338327950288L
#define POISON 7.7e77

static double *
random_array (GRand *rand, gint64 n)
{
  double *x = g_new (double, (gsize) MAX (n, 1));

  for (gint64 i = 0; i < n; i++)
    x[i] = g_rand_double_range (rand, -1, 1);
  return x;
}

static double *
poisoned_array (gint64 n)
{
  double *x = g_new (double, (gsize) MAX (n, 1));

  for (gint64 i = 0; i < n; i++)
    x[i] = POISON;
  return x;
}

/* Position of a_lm in a block, from healpy's index of the whole. */
static gint64
block_index (const ArmillaAlmShape *shape, gint64 field, gint64 l, gint64 m)
{
  const gint64 first = armilla_alm_index (shape->lmax, shape->m_first, shape->m_first);
  const gint64 last = armilla_alm_index (shape->lmax, shape->lmax, shape->m_last);

  g_assert_cmpint (armilla_alm_shape_count (shape), ==, last - first + 1);
  return field * (last - first + 1) + armilla_alm_index (shape->lmax, l, m) - first;
}

static const ArmillaAlmShape shapes[]
    = { { 0, 0, 0, 1 }, { 5, 0, 5, 2 }, { 17, 3, 9, 3 }, { 40, 0, 0, 1 }, { 40, 40, 40, 2 },
        { 130, 7, 64, 4 } };

static void
test_scale (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);

  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++)
    for (int many = 0; many < 3; many++)
      for (gint64 lmax_window = 0; lmax_window <= 140; lmax_window += 14)
        {
          const ArmillaAlmShape *s = &shapes[i];
          const gint64 n = 2 * s->n_fields * armilla_alm_shape_count (s);
          const gint64 n_windows = many ? s->n_fields : 1;
          const gint64 n_copies = many == 2 ? s->n_fields : 1; /* all are made of the first */
          g_autofree double *window = random_array (rand, n_windows * (lmax_window + 1));
          g_autofree double *in = random_array (rand, n), *out = poisoned_array (n);

          armilla_alm_scale_cpu (s, n_copies, n_windows, lmax_window, window, in, out);
          for (gint64 f = 0; f < s->n_fields; f++)
            for (gint64 m = s->m_first; m <= s->m_last; m++)
              for (gint64 l = m; l <= s->lmax; l++)
                for (int part = 0; part < 2; part++)
                  {
                    const gint64 k = 2 * block_index (s, f, l, m) + part;
                    const gint64 from = 2 * block_index (s, f / n_copies, l, m) + part;
                    const gint64 row = many ? f * (lmax_window + 1) : 0;

                    g_assert_cmpfloat (out[k], ==,
                                       l <= lmax_window ? window[row + l] * in[from] : 0);
                  }
          if (n_copies > 1)
            continue;
          armilla_alm_scale_cpu (s, 1, n_windows, lmax_window, window, in, in);
          g_assert_cmpmem (in, sizeof (double) * (gsize) n, out, sizeof (double) * (gsize) n);
        }
}

/* Sums of at most 2 * 58 products of numbers below 1, each addition rounding to 2^-53 of a partial
 * sum below 116 * 2: 116 * 232 * 1.1e-16 = 3e-12 at the very worst; at random sqrt (116) * 20 *
 * 1.1e-16 = 2.4e-14. */
#define SPECTRUM_TOLERANCE 1e-13

static void
test_spectra (void)
{
  /* What healpy's new=True order is for four fields. */
  static const int first[] = { 0, 1, 2, 3, 0, 1, 2, 0, 1, 0 };
  static const int second[] = { 0, 1, 2, 3, 1, 2, 3, 2, 3, 3 };
  static const int distance_start[4][10] = { { 0 }, { 0, 1, 4 }, { 0, 1, 2, 4, 5, 7 },
                                             { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 } };
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);

  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++)
    {
      const ArmillaAlmShape *s = &shapes[i];
      const gint64 n = 2 * s->n_fields * armilla_alm_shape_count (s);
      const gint64 n_all = s->n_fields * (s->n_fields + 1) / 2;
      g_autofree double *a = random_array (rand, n), *b = random_array (rand, n);

      for (gint64 n_spectra = 1; n_spectra <= n_all; n_spectra++)
        {
          /* all degrees of the block, or fewer: for some blocks none that they have */
          const gint64 lmax = n_spectra % 2 ? s->lmax : s->lmax / 2;
          g_autofree double *cl = poisoned_array (n_spectra * (lmax + 1) + 1);

          armilla_alm_spectra_cpu (s, n_spectra, lmax, a, b, FALSE, cl);
          g_assert_cmpfloat (cl[n_spectra * (lmax + 1)], ==, POISON);
          for (gint64 k = 0; k < n_spectra; k++)
            for (gint64 l = 0; l <= lmax; l++)
              {
                const int which = distance_start[s->n_fields - 1][k];
                long double sum = 0;

                for (gint64 m = s->m_first; m <= MIN (l, s->m_last); m++)
                  {
                    const double *x = a + 2 * block_index (s, first[which], l, m);
                    const double *y = b + 2 * block_index (s, second[which], l, m);

                    /* a_l0 is real: its imaginary part, which is not 0 here, is ignored */
                    sum += m ? 2 * ((long double) x[0] * y[0] + (long double) x[1] * y[1])
                             : (long double) x[0] * y[0];
                  }
                g_assert_cmpfloat_with_epsilon (cl[k * (lmax + 1) + l], (double) sum,
                                                SPECTRUM_TOLERANCE);
              }
        }
    }
}

/* Sums that are added block by block have the bits of the sum over all orders. */
static void
test_spectra_add (void)
{
  const ArmillaAlmShape whole = { 40, 0, 40, 2 };
  const gint64 first[] = { 0, 1, 17, 41 }, n_cl = 3 * (whole.lmax + 1);
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  g_autofree double *cl = poisoned_array (n_cl), *sums = poisoned_array (n_cl);
  const gint64 n = 2 * whole.n_fields * armilla_alm_shape_count (&whole);
  g_autofree double *a = random_array (rand, n), *b = random_array (rand, n);

  armilla_alm_spectra_cpu (&whole, 3, whole.lmax, a, b, FALSE, cl);
  for (int p = 0; p < 3; p++)
    {
      const ArmillaAlmShape part = { whole.lmax, first[p], first[p + 1] - 1, 2 };
      const gint64 count = 2 * armilla_alm_shape_count (&part);
      g_autofree double *from_a = g_new (double, 2 * count), *from_b = g_new (double, 2 * count);

      for (int field = 0; field < 2; field++)
        {
          const gint64 offset = 2 * block_index (&whole, field, part.m_first, part.m_first);

          memcpy (from_a + field * count, a + offset, (gsize) count * sizeof *a);
          memcpy (from_b + field * count, b + offset, (gsize) count * sizeof *b);
        }
      armilla_alm_spectra_cpu (&part, 3, whole.lmax, from_a, from_b, p > 0, sums);
    }
  g_assert_cmpmem (sums, (gsize) n_cl * sizeof *sums, cl, (gsize) n_cl * sizeof *cl);
}

static void
test_spectra_finish (void)
{
  const double expected[] = { 3, 2, 2 };
  double spectra[] = { 3, 6, 10, 1, 1, 1 };

  armilla_spectra_finish_cpu (2, 2, spectra);
  for (int l = 0; l <= 2; l++)
    {
      g_assert_cmpfloat (spectra[l], ==, expected[l]);
      g_assert_cmpfloat (spectra[3 + l], ==, 1.0 / (2 * l + 1));
    }
}

static void
test_dot (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);

  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++)
    {
      const ArmillaAlmShape *s = &shapes[i];
      const gint64 n = 2 * s->n_fields * armilla_alm_shape_count (s);
      g_autofree double *a = random_array (rand, n), *b = random_array (rand, n);
      long double sum = 0, absolute = 0;
      double result[2] = { POISON, POISON };

      for (gint64 f = 0; f < s->n_fields; f++)
        for (gint64 m = s->m_first; m <= s->m_last; m++)
          for (gint64 l = m; l <= s->lmax; l++)
            for (int part = 0; part < (m ? 2 : 1); part++)
              {
                const gint64 k = 2 * block_index (s, f, l, m) + part;

                sum += (m ? 2 : 1) * ((long double) a[k] * b[k]);
                absolute += (m ? 2 : 1) * fabsl ((long double) a[k] * b[k]);
              }
      armilla_alm_dot_cpu (s, a, b, FALSE, result);
      /* Rows of up to 262 products in 8 sums, then 4 * 58 rows: fewer than 300 roundings in a
       * chain, each of 1.1e-16 of partial sums that stay below the sum of moduli. */
      g_assert_cmpfloat (fabs ((double) (result[0] - sum)), <=, 300 * 1.2e-16 * (double) absolute);
      g_assert_cmpfloat (result[1], ==, POISON);
    }
}

static void
test_combine (void)
{
  const double factors[] = { 0, 1, -1, 0.37 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  g_autofree double *x = random_array (rand, 101), *y = random_array (rand, 101);
  g_autofree double *bad = poisoned_array (101);

  for (int i = 0; i < 101; i++)
    bad[i] = NAN;
  for (guint i = 0; i < G_N_ELEMENTS (factors); i++)
    for (guint j = 0; j < G_N_ELEMENTS (factors); j++)
      {
        const double alpha = factors[i], beta = factors[j];
        double out[102];

        out[101] = POISON;
        armilla_vector_combine_cpu (101, alpha, alpha == 0 ? bad : x, beta, beta == 0 ? bad : y,
                                    out);
        for (int k = 0; k < 101; k++)
          g_assert_cmpfloat (out[k], ==, alpha * x[k] + beta * y[k]);
        g_assert_cmpfloat (out[101], ==, POISON);
        memcpy (out, x, sizeof (double) * 101);
        armilla_vector_combine_cpu (101, alpha, out, beta, y, out);
        g_assert_cmpfloat (out[100], ==, alpha * x[100] + beta * y[100]);
      }
  armilla_vector_combine_cpu (0, 1, NULL, 1, NULL, NULL);
  armilla_vector_combine_cpu (101, 2, x, 0, NULL, bad);
  g_assert_cmpfloat (bad[7], ==, 2 * x[7]);
}

static void
test_step (void)
{
  const double zero = 0, three = 3, seven = 7;
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  g_autofree double *x = random_array (rand, 33), *y = random_array (rand, 33);
  double out[33];

  armilla_vector_step_cpu (33, -1, &three, &seven, x, y, out);
  for (int i = 0; i < 33; i++)
    g_assert_cmpfloat (out[i], ==, -(3.0 / 7.0) * x[i] + y[i]);
  armilla_vector_step_cpu (33, 1, &zero, &zero, x, y, out);
  for (int i = 0; i < 33; i++)
    g_assert_cmpfloat (out[i], ==, y[i]);
  memcpy (out, y, sizeof out);
  armilla_vector_step_cpu (33, 1, &seven, &three, x, out, out);
  for (int i = 0; i < 33; i++)
    g_assert_cmpfloat (out[i], ==, 7.0 / 3.0 * x[i] + y[i]);
}

/* Rings of a map of n_pairs pairs: equal angles, different lengths, one ring missing. */
typedef struct {
  ArmillaDipoleShape shape;
  ArmillaRingSlot *slots;
  double *pairs;
} Rings;

static void
rings_clear (Rings *rings)
{
  g_free (rings->slots);
  g_free (rings->pairs);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Rings, rings_clear)

static void
rings_init (Rings *rings, int n_pairs, int n_fields, double sin_cut)
{
  gint64 offset = 2;

  rings->shape = (ArmillaDipoleShape){ n_fields, 2 * n_pairs, 0, sin_cut };
  rings->slots = g_new0 (ArmillaRingSlot, (gsize) (2 * n_pairs));
  rings->pairs = g_new0 (double, (gsize) (ARMILLA_PAIR_ROWS * n_pairs));
  for (int p = 0; p < n_pairs; p++)
    {
      const long double theta = (p + 0.5L) * PI_L / (2 * n_pairs);

      rings->pairs[ARMILLA_PAIR_COS * n_pairs + p] = (double) cosl (theta);
      rings->pairs[ARMILLA_PAIR_SIN * n_pairs + p] = (double) sinl (theta);
    }
  for (int i = 0; i < 2 * n_pairs; i++)
    {
      ArmillaRingSlot *slot = &rings->slots[i];

      slot->n_phi = i == 3 ? 0 : 4 + 9 * (i / 2);
      slot->offset = offset;
      slot->phi0_num = i % 2;
      slot->phi0_den = i % 4 == 2 ? 0 : slot->n_phi;
      slot->phi0 = 0.3;
      offset += slot->n_phi;
    }
  rings->shape.n_pixels = offset + 1;
}

/* Unit vector of a pixel, with a 1 in front. */
static void
pixel_vector (const Rings *rings, int slot, gint64 j, long double v[4])
{
  const ArmillaRingSlot *ring = &rings->slots[slot];
  const gint64 n_pairs = rings->shape.n_slots / 2;
  const double z = rings->pairs[ARMILLA_PAIR_COS * n_pairs + slot / 2];
  const double r = rings->pairs[ARMILLA_PAIR_SIN * n_pairs + slot / 2];
  const long double phi0 = ring->phi0_den
                               ? PI_L * (long double) ring->phi0_num / (long double) ring->phi0_den
                               : ring->phi0;
  const long double phi = phi0 + 2 * PI_L * (long double) j / (long double) ring->n_phi;

  v[0] = 1;
  v[1] = r * cosl (phi);
  v[2] = r * sinl (phi);
  v[3] = slot % 2 ? -z : z;
}

static void
reference_moments (const Rings *rings, const double *pixels, long double *moments)
{
  for (gint64 i = 0; i < ARMILLA_MOMENTS; i++)
    moments[i] = 0;
  for (int slot = 0; slot < rings->shape.n_slots; slot++)
    for (gint64 j = 0; j < rings->slots[slot].n_phi; j++)
      {
        const double value = pixels[rings->slots[slot].offset + j];
        long double v[4];

        pixel_vector (rings, slot, j, v);
        if (armilla_is_unseen (value) || fabsl (v[3]) < rings->shape.sin_cut)
          continue;
        for (int a = 0; a < 4; a++)
          for (int b = 0; b < 4; b++)
            moments[4 * a + b] += v[a] * v[b];
        for (int a = 0; a < 4; a++)
          moments[16 + a] += v[a] * value;
      }
}

static void
test_moments (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (6);
  const double cuts[] = { 0, 0.3, 0.99, 1 };

  for (int n_pairs = 1; n_pairs <= 21; n_pairs += 4)
    for (guint c = 0; c < G_N_ELEMENTS (cuts); c++)
      {
        g_auto (Rings) rings = { 0 };
        g_autofree double *pixels = NULL, *moments = poisoned_array (2 * ARMILLA_MOMENTS + 1);

        rings_init (&rings, n_pairs, 2, cuts[c]);
        pixels = random_array (rand, 2 * rings.shape.n_pixels);
        for (gint64 i = 0; i < 2 * rings.shape.n_pixels; i += 7)
          pixels[i] = i % 2 ? ARMILLA_UNSEEN : (float) ARMILLA_UNSEEN;
        armilla_dipole_moments_cpu (&rings.shape, rings.slots, rings.pairs, pixels, moments);
        g_assert_cmpfloat (moments[2 * ARMILLA_MOMENTS], ==, POISON);
        for (int field = 0; field < 2; field++)
          {
            long double expected[ARMILLA_MOMENTS];

            reference_moments (&rings, pixels + field * rings.shape.n_pixels, expected);
            /* At most 3800 terms below 1, added ring by ring: some 60 roundings of each ring's
             * sum and then of the total, 4e-16 of an azimuth each: 3800 * 1e-15 at the worst. */
            for (int i = 0; i < ARMILLA_MOMENTS; i++)
              g_assert_cmpfloat_with_epsilon (moments[field * ARMILLA_MOMENTS + i],
                                              (double) expected[i], 4e-12);
            g_assert_cmpfloat (moments[field * ARMILLA_MOMENTS], ==, (double) expected[0]);
          }
      }
}

/* A map that is nothing but monopole and dipole is fitted exactly and becomes 0. */
static void
test_dipole_round_trip (void)
{
  const double truth[2][4] = { { 3, 0.5, -2, 0.25 }, { -1, 0, 1, 4 } };
  g_auto (Rings) rings = { 0 };
  g_autofree double *pixels = NULL, *out = NULL;
  double moments[2 * ARMILLA_MOMENTS], fit[8], mean[8];
  int32_t status[2] = { 7, 7 };

  rings_init (&rings, 20, 2, 0.2);
  pixels = poisoned_array (2 * rings.shape.n_pixels);
  out = poisoned_array (2 * rings.shape.n_pixels);
  for (int field = 0; field < 2; field++)
    for (int slot = 0; slot < rings.shape.n_slots; slot++)
      for (gint64 j = 0; j < rings.slots[slot].n_phi; j++)
        {
          const gint64 at = field * rings.shape.n_pixels + rings.slots[slot].offset + j;
          long double v[4], value = 0;

          pixel_vector (&rings, slot, j, v);
          for (int a = 0; a < 4; a++)
            value += truth[field][a] * v[a];
          pixels[at] = at % 5 ? (double) value : ARMILLA_UNSEEN;
        }
  armilla_dipole_moments_cpu (&rings.shape, rings.slots, rings.pairs, pixels, moments);
  armilla_dipole_solve_cpu (2, TRUE, moments, fit, status);
  armilla_dipole_remove_cpu (&rings.shape, rings.slots, rings.pairs, fit, pixels, out);
  for (int i = 0; i < 8; i++)
    {
      g_assert_cmpint (status[i / 4], ==, 0);
      /* Sums good to 1e-15 relative; the matrix of the 80 % that are seen has condition < 10. */
      g_assert_cmpfloat_with_epsilon (fit[i], truth[i / 4][i % 4], 1e-13);
    }
  for (int field = 0; field < 2; field++)
    for (int slot = 0; slot < rings.shape.n_slots; slot++)
      for (gint64 j = 0; j < rings.slots[slot].n_phi; j++)
        {
          const gint64 at = field * rings.shape.n_pixels + rings.slots[slot].offset + j;

          if (at % 5)
            g_assert_cmpfloat_with_epsilon (out[at], 0, 4e-13);
          else
            g_assert_cmpfloat (out[at], ==, ARMILLA_UNSEEN);
        }
  g_assert_cmpfloat (out[0], ==, POISON); /* no ring's pixel */
  armilla_dipole_solve_cpu (2, FALSE, moments, mean, status);
  for (int field = 0; field < 2; field++)
    {
      g_assert_cmpfloat (mean[4 * field], ==,
                         moments[field * ARMILLA_MOMENTS + 16] / moments[field * ARMILLA_MOMENTS]);
      for (int a = 1; a < 4; a++)
        g_assert_cmpfloat (mean[4 * field + a], ==, 0);
    }
  armilla_dipole_remove_cpu (&rings.shape, rings.slots, rings.pairs, fit, pixels, pixels);
  g_assert_cmpfloat (pixels[6], ==, out[6]);
}

/* Nothing seen, or one ring only: the fit reports it. */
static void
test_dipole_singular (void)
{
  double moments[ARMILLA_MOMENTS] = { 0 }, fit[4] = { POISON, POISON, POISON, POISON };
  int32_t status = 7;
  g_auto (Rings) rings = { 0 };
  g_autofree double *pixels = NULL;

  for (int dipole = 0; dipole < 2; dipole++)
    {
      armilla_dipole_solve_cpu (1, dipole, moments, fit, &status);
      g_assert_cmpint (status, ==, 1);
      for (int a = 0; a < 4; a++)
        g_assert_cmpfloat (fit[a], ==, 0);
    }
  rings_init (&rings, 20, 1, 0);
  pixels = poisoned_array (rings.shape.n_pixels);
  for (gint64 i = 0; i < rings.shape.n_pixels; i++)
    pixels[i] = ARMILLA_UNSEEN;
  for (gint64 j = 0; j < rings.slots[8].n_phi; j++)
    pixels[rings.slots[8].offset + j] = 1;
  armilla_dipole_moments_cpu (&rings.shape, rings.slots, rings.pairs, pixels, moments);
  armilla_dipole_solve_cpu (1, TRUE, moments, fit, &status);
  g_assert_cmpint (status, ==, 1);
  armilla_dipole_solve_cpu (1, FALSE, moments, fit, &status);
  g_assert_cmpint (status, ==, 0);
  g_assert_cmpfloat (fit[0], ==, 1);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/field-ops/scale", test_scale);
  g_test_add_func ("/field-ops/spectra", test_spectra);
  g_test_add_func ("/field-ops/spectra-add", test_spectra_add);
  g_test_add_func ("/field-ops/spectra-finish", test_spectra_finish);
  g_test_add_func ("/field-ops/dot", test_dot);
  g_test_add_func ("/field-ops/combine", test_combine);
  g_test_add_func ("/field-ops/step", test_step);
  g_test_add_func ("/field-ops/moments", test_moments);
  g_test_add_func ("/field-ops/dipole-round-trip", test_dipole_round_trip);
  g_test_add_func ("/field-ops/dipole-singular", test_dipole_singular);
  return g_test_run ();
}
