/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fourier transforms in lanes: against direct sums in long double, and one instruction set against
 * another. */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "codelets/ring-lanes.h"

#include <armilla/fits.h>

#define PI_L 3.14159265358979323846264338327950288L

/* result k of lane @lane, and the sum of squares that it is made of */
static void
direct_sum (const double *points, gint64 n, gint64 k, int lane, long double *re, long double *im,
            long double *norm)
{
  *re = *im = *norm = 0;
  for (gint64 j = 0; j < n; j++)
    {
      const long double angle = 2 * PI_L * (long double) (j * k % n) / (long double) n;
      const long double c = cosl (angle), s = sinl (angle);
      const double x = points[ARMILLA_LANE_POINT * j + lane];
      const double y = points[ARMILLA_LANE_POINT * j + ARMILLA_LANES + lane];

      *re += x * c - y * s;
      *im += x * s + y * c;
      *norm += x * (long double) x + y * (long double) y;
    }
}

/* Both directions and the order between them, every lane, all kinds of lengths. A pass rounds each
 * value a few times, and its root another time: 5 epsilon in the root mean square, growing with the
 * root of the number of passes; a single value exceeds that by 5 times at most. 6 passes: 1e-14 of
 * the 2-norm of what is summed. */
static void
test_sums (void)
{
  const gint64 lengths[] = { 1, 2, 3, 4, 5, 6, 9, 10, 25, 27, 32, 60, 125, 512, 768 };
  const ArmillaLaneKernels *kernels = armilla_lane_kernels ();
  g_autoptr (GRand) rand = g_rand_new_with_seed (12);

  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
    {
      const gint64 n = lengths[i];
      const gsize bytes = sizeof (double) * (gsize) (ARMILLA_LANE_POINT * n);
      ArmillaLaneFft *fft = armilla_lane_fft_new (n);
      g_autofree double *in = g_malloc (bytes), *out = g_malloc (bytes), *back = g_malloc (bytes);

      for (gint64 j = 0; j < ARMILLA_LANE_POINT * n; j++)
        in[j] = g_rand_double_range (rand, -1, 1);
      memcpy (out, in, bytes);
      kernels->forward (fft, out);
      for (gint64 k = 0; k < n; k++) /* the backward transform of what is put in order */
        memcpy (back + ARMILLA_LANE_POINT * fft->order[k], in + ARMILLA_LANE_POINT * k,
                ARMILLA_LANE_POINT * sizeof (double));
      kernels->backward (fft, back);
      for (gint64 k = 0; k < n; k += 1 + n / 100)
        for (int lane = 0; lane < ARMILLA_LANES; lane++)
          {
            const double *there = out + ARMILLA_LANE_POINT * fft->order[k] + lane;
            const double *here = back + ARMILLA_LANE_POINT * k + lane;
            long double re, im, norm;

            direct_sum (in, n, k, lane, &re, &im, &norm);
            g_assert_cmpfloat ((double) hypotl (there[0] - re, there[ARMILLA_LANES] - im), <=,
                               1e-14 * (double) sqrtl (norm));
            g_assert_cmpfloat ((double) hypotl (here[0] - re, here[ARMILLA_LANES] - im), <=,
                               1e-14 * (double) sqrtl (norm));
          }
      armilla_lane_fft_free (fft);
    }
}

/* The steps of a transform of @fft->n points, of @radix parts of q points. All that is written ends
 * up in @out: [lanes][4][complex, radix q]. */
static void
run_lanes (const ArmillaLaneKernels *kernels, const ArmillaLaneFft *fft, gint64 radix, gint64 q,
           const double *in, double *points, double *out)
{
  const gint64 n = radix * q;

  for (gint64 first = 0; first + radix <= ARMILLA_LANES; first += radix)
    {
      const ArmillaLaneParts parts = { points, radix, first, q };
      const ArmillaLaneParts rest
          = { points + ARMILLA_LANE_POINT * q, radix, first, fft->n - q };

      kernels->clear (&rest);
      if (first == 0)
        kernels->put (&parts, in, in + 3);
      else
        kernels->put_real (&parts, first % 3 ? NULL : in, in + 5, first % 2 ? NULL : in + 7,
                           first % 4 == 0);
    }
  kernels->forward (fft, points);
  for (gint64 first = 0; first + radix <= ARMILLA_LANES; first += radix, out += 8 * n)
    {
      const ArmillaLaneParts parts = { points, radix, first, q };

      kernels->get (&parts, in, fft->order, out);
      kernels->get_real (&parts, in, fft->order, out + 2 * n, first ? NULL : out + 3 * n);
      kernels->multiply (&parts, fft->n, in, first % 5);
      kernels->get (&parts, in, NULL, out + 4 * n);
      kernels->get_real (&parts, in, NULL, out + 6 * n, first ? NULL : out + 7 * n);
    }
  kernels->backward (fft, points);
}

/* All instruction sets give the same bits in the lanes, for every radix, length and place. */
static void
test_lanes (void)
{
  const gint64 lengths[] = { 1, 2, 3, 4, 5, 6, 8, 15, 16, 36, 50, 64, 320, 1024, 1536 };
  const gint64 most = 1536;
  g_autoptr (GRand) rand = g_rand_new_with_seed (10);
  g_autofree double *in = g_new (double, ARMILLA_LANE_POINT * most);
  const gsize n_out = (gsize) (8 * ARMILLA_LANES * most);
  const ArmillaLaneKernels *kernels;

  for (gint64 i = 0; i < ARMILLA_LANE_POINT * most; i++)
    in[i] = g_rand_double_range (rand, -1, 1);
  in[11] = in[16] = ARMILLA_UNSEEN;
  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
    for (gint64 radix = 1; radix <= 4; radix *= 2)
      {
        ArmillaLaneFft *fft = armilla_lane_fft_new (lengths[i]);
        const gint64 q = i % 2 ? lengths[i] : (lengths[i] + 1) / 2;
        const gsize bytes = sizeof (double) * (gsize) (ARMILLA_LANE_POINT * lengths[i]);
        g_autofree double *points = g_malloc0 (bytes), *plain = g_malloc0 (bytes);
        g_autofree double *out = g_new0 (double, n_out), *plain_out = g_new0 (double, n_out);

        run_lanes (armilla_lane_kernels_nth (0), fft, radix, q, in, plain, plain_out);
        for (int k = 1; (kernels = armilla_lane_kernels_nth (k)); k++)
          {
            memset (points, 0, bytes);
            memset (out, 0, sizeof (double) * n_out);
            run_lanes (kernels, fft, radix, q, in, points, out);
            g_assert_cmpmem (points, bytes, plain, bytes);
            g_assert_cmpmem (out, sizeof (double) * n_out, plain_out, sizeof (double) * n_out);
          }
        armilla_lane_fft_free (fft);
      }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ring-lanes/sums", test_sums);
  g_test_add_func ("/ring-lanes/instruction-sets", test_lanes);
  return g_test_run ();
}
