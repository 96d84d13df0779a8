/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Means of measured spectra against those that the skies were drawn from:
 *
 *   check-means INPUT SKIES LMAX PREFIX
 *
 * INPUT is text: l, then TT, EE, BB, TE, EB, TB from l = 0 on; PREFIX0.fits and so on hold six
 * columns in that order. The estimate of C_l^XY of one sky, sum_m a_lm conj(b_lm) / (2 l + 1) of
 * Gaussian a_lm and b_lm with all orders, has the variance (C^XX C^YY + (C^XY)^2) / (2 l + 1); so
 * sigma of a mean is the root of that over the number of skies. Each of the 6 (LMAX - 1) means from
 * l = 2 on has to be within 4 sigma. A Gaussian is beyond with probability 6.3e-5: 0.05 of them for
 * LMAX = 128. The seed of the test is the first one, 1.
 *
 * A mean that does not scatter would be wrong, too: the mean square of all deviations, in sigma, is
 * 1 with an error of sqrt (2 / n), or little more, for spectra of one l are not independent; it has
 * to be within 6 of these. Prints what it found; exit status 1 when it is not as asked. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <fitsio.h>

#define SPECTRA 6

static const char *const names[SPECTRA] = { "TT", "EE", "BB", "TE", "EB", "TB" };
static const int first[SPECTRA] = { 0, 1, 2, 0, 1, 0 }, second[SPECTRA] = { 0, 1, 2, 1, 2, 2 };

static int
read_input (const char *path, int lmax, double *input)
{
  FILE *file = fopen (path, "r");
  int n = 0;

  for (int l = 0; file != NULL && l <= lmax; l++)
    {
      int degree;
      double *c = input + SPECTRA * l;

      n += fscanf (file, "%d %lf %lf %lf %lf %lf %lf", &degree, &c[0], &c[1], &c[2], &c[3], &c[4],
                   &c[5]) == 7 && degree == l;
    }
  if (file != NULL)
    fclose (file);
  return n == lmax + 1;
}

/* Adds the six spectra of one sky. */
static int
add_sky (const char *prefix, int sky, int lmax, double *sum)
{
  char path[4096];
  fitsfile *file = NULL;
  int status = 0, type, any;
  double *column = calloc ((size_t) lmax + 1, sizeof *column);

  snprintf (path, sizeof path, "%s%d.fits", prefix, sky);
  fits_open_diskfile (&file, path, READONLY, &status);
  fits_movabs_hdu (file, 2, &type, &status);
  for (int i = 0; i < SPECTRA; i++)
    {
      fits_read_col (file, TDOUBLE, i + 1, 1, 1, lmax + 1, NULL, column, &any, &status);
      for (int l = 0; status == 0 && l <= lmax; l++)
        sum[SPECTRA * l + i] += column[l];
    }
  if (status != 0)
    fprintf (stderr, "%s: error %d of CFITSIO\n", path, status);
  if (file != NULL)
    fits_close_file (file, &status);
  free (column);
  return status == 0;
}

/* Deviation of a mean in sigma. */
static double
deviation (const double *input, double mean, int l, int spectrum, int n_skies)
{
  double variance = (input[first[spectrum]] * input[second[spectrum]]
                     + input[spectrum] * input[spectrum])
                    / (2 * l + 1) / n_skies;

  return (mean - input[spectrum]) / sqrt (variance);
}

static int
judge (const double *input, const double *sum, int lmax, int n_skies)
{
  double squares = 0, error = sqrt (2 / (double) (SPECTRA * (lmax - 1)));
  int bad = 0;

  for (int i = 0; i < SPECTRA; i++)
    {
      double largest = 0;
      int where = 0;

      for (int l = 2; l <= lmax; l++)
        {
          double z = deviation (input + SPECTRA * l, sum[SPECTRA * l + i] / n_skies, l, i,
                                n_skies);

          squares += z * z / (SPECTRA * (lmax - 1));
          bad += !(fabs (z) <= 4);
          where = !(fabs (z) <= largest) ? l : where;
          largest = !(fabs (z) <= largest) ? fabs (z) : largest;
        }
      printf ("# %s: at most %.2f sigma, at l = %d\n", names[i], largest, where);
    }
  printf ("# %d of %d beyond 4 sigma; mean square %.3f, expected 1 +- %.3f\n", bad,
          SPECTRA * (lmax - 1), squares, error);
  return bad > 0 || !(fabs (squares - 1) <= 6 * error);
}

int
main (int argc, char *argv[])
{
  int n_skies = argc == 5 ? atoi (argv[2]) : 0, lmax = argc == 5 ? atoi (argv[3]) : 0;
  double *input, *sum;

  if (n_skies < 1 || lmax < 2)
    {
      fprintf (stderr, "see the head of check-means.c\n");
      return 2;
    }
  input = calloc ((size_t) (SPECTRA * (lmax + 1)), sizeof *input);
  sum = calloc ((size_t) (SPECTRA * (lmax + 1)), sizeof *sum);
  if (!read_input (argv[1], lmax, input))
    {
      fprintf (stderr, "%s is not a table of six spectra up to l = %d\n", argv[1], lmax);
      return 1;
    }
  for (int sky = 0; sky < n_skies; sky++)
    if (!add_sky (argv[4], sky, lmax, sum))
      return 1;
  return judge (input, sum, lmax, n_skies);
}
