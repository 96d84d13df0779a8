/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of whole workflows ask of a file, read by CFITSIO alone:
 *
 *   check-fits rms A COLUMN B COLUMN BOUND [MASK]  relative RMS of A - B over B, over the pixels
 *                                                  that are not UNSEEN in MASK
 *   check-fits max A COLUMN B COLUMN BOUND         largest |A - B|
 *   check-fits alm A B BOUND                       relative RMS of a_lm, every extension
 *   check-fits same A B                            the first table holds the same bytes
 *   check-fits key FILE NAME VALUE                 a keyword of the first extension
 *   check-fits history FILE TEXT                   a HISTORY line that holds TEXT
 *   check-fits sums FILE                           DATASUM and CHECKSUM are there and right
 *   check-fits unseen FILE COLUMN N                number of UNSEEN pixels
 *   check-fits poke FILE COLUMN PIXEL VALUE        changes a value, checksums left alone
 *   check-fits put FILE EXTENSION NAME VALUE       sets a keyword, checksums follow
 *
 * Columns count from 1. Prints what it found; exit status 1 when it is not as asked. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fitsio.h>

#define UNSEEN (-1.6375e30)

static void
stop_on (int status, const char *path)
{
  char text[FLEN_STATUS];

  if (status == 0)
    return;
  fits_get_errstatus (status, text);
  fprintf (stderr, "%s: %s\n", path, text);
  exit (1);
}

static fitsfile *
open_at (const char *path, int extension, int mode)
{
  fitsfile *file;
  int status = 0, type;

  fits_open_diskfile (&file, path, mode, &status);
  fits_movabs_hdu (file, extension + 1, &type, &status);
  stop_on (status, path);
  return file;
}

static double *
read_column (const char *path, int extension, int column, long long *n)
{
  fitsfile *file = open_at (path, extension, READONLY);
  long rows, repeat, width;
  int status = 0, type, any;
  double *values;

  fits_get_num_rows (file, &rows, &status);
  fits_get_coltype (file, column, &type, &repeat, &width, &status);
  stop_on (status, path);
  if (type == TSTRING)
    repeat = 1;
  *n = (long long) rows * repeat;
  values = calloc ((size_t) *n, sizeof *values);
  fits_read_col (file, TDOUBLE, column, 1, 1, *n, NULL, values, &any, &status);
  stop_on (status, path);
  fits_close_file (file, &status);
  return values;
}

static int
is_unseen (double x)
{
  return fabs (x - UNSEEN) <= 1e-5 * fabs (UNSEEN);
}

static int
verdict (const char *what, double found, double bound)
{
  printf ("# %s %.3g, at most %.3g\n", what, found, bound);
  return !(found <= bound);
}

static int
compare_columns (char **arguments, int n_arguments)
{
  long long n, n_other, n_mask = 0;
  double *a = read_column (arguments[1], 1, atoi (arguments[2]), &n);
  double *b = read_column (arguments[3], 1, atoi (arguments[4]), &n_other);
  double *mask = n_arguments > 6 ? read_column (arguments[6], 1, 1, &n_mask) : NULL;
  double difference = 0, size = 0, largest = 0;

  if (n != n_other || (mask != NULL && n_mask != n))
    {
      fprintf (stderr, "%lld and %lld values\n", n, n_other);
      return 1;
    }
  for (long long i = 0; i < n; i++)
    if (mask == NULL || !is_unseen (mask[i]))
      {
        double d = a[i] - b[i];

        difference += d * d;
        size += b[i] * b[i];
        if (!(fabs (d) <= largest))
          largest = fabs (d);
      }
  free (a);
  free (b);
  free (mask);
  return strcmp (arguments[0], "max") == 0
    ? verdict ("largest difference", largest, atof (arguments[5]))
    : verdict ("relative RMS", sqrt (difference / size), atof (arguments[5]));
}

static int
compare_alm (char **arguments)
{
  int status = 0, n_hdus, bad = 0;
  fitsfile *file = open_at (arguments[1], 0, READONLY);

  fits_get_num_hdus (file, &n_hdus, &status);
  stop_on (status, arguments[1]);
  fits_close_file (file, &status);
  for (int hdu = 1; hdu < n_hdus; hdu++)
    {
      double difference = 0, size = 0;

      for (int column = 1; column <= 3; column++)
        {
          long long n, n_other;
          double *a = read_column (arguments[1], hdu, column, &n);
          double *b = read_column (arguments[2], hdu, column, &n_other);

          if (n != n_other)
            return 1;
          for (long long i = 0; i < n; i++)
            {
              difference += column == 1 ? (a[i] != b[i]) * 1e300 : (a[i] - b[i]) * (a[i] - b[i]);
              size += column == 1 ? 0 : b[i] * b[i];
            }
          free (a);
          free (b);
        }
      bad |= verdict ("relative RMS of a_lm", sqrt (difference / size), atof (arguments[3]));
    }
  return bad || n_hdus < 2;
}

static unsigned char *
table_bytes (const char *path, long long *n)
{
  fitsfile *file = open_at (path, 1, READONLY);
  LONGLONG width, rows;
  int status = 0;
  unsigned char *bytes;

  fits_read_key (file, TLONGLONG, "NAXIS1", &width, NULL, &status);
  fits_read_key (file, TLONGLONG, "NAXIS2", &rows, NULL, &status);
  stop_on (status, path);
  *n = width * rows;
  bytes = malloc ((size_t) *n);
  fits_read_tblbytes (file, 1, 1, *n, bytes, &status);
  stop_on (status, path);
  fits_close_file (file, &status);
  return bytes;
}

static int
compare_bytes (char **arguments)
{
  long long n, n_other;
  unsigned char *a = table_bytes (arguments[1], &n), *b = table_bytes (arguments[2], &n_other);
  int differ = n != n_other || n == 0 || memcmp (a, b, (size_t) n) != 0;

  printf ("# %lld and %lld bytes, %s\n", n, n_other, differ ? "different" : "the same");
  free (a);
  free (b);
  return differ;
}

static int
check_key (char **arguments)
{
  fitsfile *file = open_at (arguments[1], 1, READONLY);
  char value[FLEN_VALUE];
  int status = 0;

  fits_read_key (file, TSTRING, arguments[2], value, NULL, &status);
  stop_on (status, arguments[2]);
  printf ("# %s is %s\n", arguments[2], value);
  fits_close_file (file, &status);
  return strcmp (value, arguments[3]) != 0;
}

static int
check_history (char **arguments)
{
  fitsfile *file = open_at (arguments[1], 1, READONLY);
  int status = 0, n, found = 0;

  fits_get_hdrspace (file, &n, NULL, &status);
  for (int i = 1; i <= n; i++)
    {
      char card[FLEN_CARD];

      fits_read_record (file, i, card, &status);
      stop_on (status, arguments[1]);
      found |= strncmp (card, "HISTORY", 7) == 0 && strstr (card, arguments[2]) != NULL;
    }
  fits_close_file (file, &status);
  printf ("# HISTORY %s \"%s\"\n", found ? "says" : "does not say", arguments[2]);
  return !found;
}

static int
check_sums (char **arguments)
{
  fitsfile *file = open_at (arguments[1], 1, READONLY);
  int status = 0, data, whole;

  fits_verify_chksum (file, &data, &whole, &status);
  stop_on (status, arguments[1]);
  fits_close_file (file, &status);
  printf ("# DATASUM %d, CHECKSUM %d\n", data, whole);
  return data != 1 || whole != 1;
}

static int
count_unseen (char **arguments)
{
  long long n, count = 0;
  double *values = read_column (arguments[1], 1, atoi (arguments[2]), &n);

  for (long long i = 0; i < n; i++)
    count += is_unseen (values[i]);
  free (values);
  printf ("# %lld of %lld pixels are UNSEEN\n", count, n);
  return count != atoll (arguments[3]);
}

static int
poke (char **arguments)
{
  fitsfile *file = open_at (arguments[1], 1, READWRITE);
  double value = atof (arguments[4]);
  long long pixel = atoll (arguments[3]);
  int status = 0, type;
  long repeat, width;

  fits_get_coltype (file, atoi (arguments[2]), &type, &repeat, &width, &status);
  stop_on (status, arguments[1]);
  fits_write_col (file, TDOUBLE, atoi (arguments[2]), pixel / repeat + 1, pixel % repeat + 1, 1,
                  &value, &status);
  fits_close_file (file, &status);
  stop_on (status, arguments[1]);
  return 0;
}

static int
put_key (char **arguments)
{
  fitsfile *file = open_at (arguments[1], atoi (arguments[2]), READWRITE);
  int status = 0;

  fits_update_key (file, TSTRING, arguments[3], arguments[4], NULL, &status);
  fits_write_chksum (file, &status);
  fits_close_file (file, &status);
  stop_on (status, arguments[1]);
  return 0;
}

int
main (int argc, char *argv[])
{
  static const struct { const char *name; int min_arguments; } commands[] = {
    { "rms", 6 }, { "max", 6 }, { "alm", 4 }, { "same", 3 }, { "key", 4 }, { "history", 3 },
    { "sums", 2 }, { "unseen", 4 }, { "poke", 5 }, { "put", 5 },
  };
  int which = -1;

  for (int i = 0; argc > 1 && i < (int) (sizeof commands / sizeof *commands); i++)
    if (strcmp (argv[1], commands[i].name) == 0 && argc - 1 >= commands[i].min_arguments)
      which = i;
  switch (which)
    {
    case 0:
    case 1:
      return compare_columns (argv + 1, argc - 1);
    case 2:
      return compare_alm (argv + 1);
    case 3:
      return compare_bytes (argv + 1);
    case 4:
      return check_key (argv + 1);
    case 5:
      return check_history (argv + 1);
    case 6:
      return check_sums (argv + 1);
    case 7:
      return count_unseen (argv + 1);
    case 8:
      return poke (argv + 1);
    case 9:
      return put_key (argv + 1);
    default:
      fprintf (stderr, "see the head of check-fits.c\n");
      return 2;
    }
}
