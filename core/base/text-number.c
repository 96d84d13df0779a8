/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers in text. */
#include "core/base/text-number.h"

#include <math.h>
#include <string.h>

#define MAX_DIGITS 18
#define MAX_EXACT (G_GUINT64_CONSTANT (1) << 53)

static const char *
read_digits (const char *p, guint64 *digits, int *n)
{
  for (; g_ascii_isdigit (*p); p++, ++*n)
    *digits = *digits * 10 + (guint64) (*p - '0');
  return p;
}

/* Reads most numbers in files: if digits and power of ten are exact in double, one multiplication
 * or division gives the nearest double, as strtod does, but ten times as fast. */
static gboolean
read_short (const char *p, double *value)
{
  static const double powers[]
    = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
  const gboolean minus = *p == '-';
  guint64 digits = 0, exponent = 0;
  int n = 0, n_whole, n_exponent = 0, power;

  p = read_digits (p + (*p == '-' || *p == '+'), &digits, &n);
  n_whole = n;
  if (*p == '.')
    p = read_digits (p + 1, &digits, &n);
  power = n_whole - n;
  if (n == 0 || n > MAX_DIGITS || digits > MAX_EXACT)
    return FALSE;
  if (*p != 0 && strchr ("eEdD", *p) != NULL)
    {
      const gboolean below = p[1] == '-';

      p = read_digits (p + 1 + (below || p[1] == '+'), &exponent, &n_exponent);
      if (n_exponent < 1 || n_exponent > 3)
        return FALSE;
      power += below ? -(int) exponent : (int) exponent;
    }
  if (*p != 0 || ABS (power) >= (int) G_N_ELEMENTS (powers))
    return FALSE;
  *value = power < 0 ? (double) digits / powers[-power] : (double) digits * powers[power];
  if (minus)
    *value = -*value;
  return TRUE;
}

/* Reads a decimal number, "inf" or "nan"; an exponent may also be marked by D, as in Fortran.
 * Returns FALSE unless the whole word is one number. */
gboolean
armilla_text_number (const char *word, double *value)
{
  char *end;

  if (read_short (word, value))
    return TRUE;
  *value = 0;
  if (strpbrk (word, "xX(") != NULL) /* hexadecimal numbers and nan (...) */
    return FALSE;
  *value = g_ascii_strtod (word, &end);
  if (end > word && (*end == 'D' || *end == 'd'))
    {
      g_autofree char *copy = g_strdup (word);
      char *again;

      copy[end - word] = 'E';
      *value = g_ascii_strtod (copy, &again);
      end = (char *) word + (again - copy);
    }
  return end != word && end[strspn (end, " \t")] == 0;
}

/* Returns TRUE if the field is empty or a word that pandas reads as a missing value. */
gboolean
armilla_text_is_missing (const char *word)
{
  static const char *const words[]
    = { "NA",   "N/A",   "n/a",   "<NA>",     "#N/A",    "#NA",    "#N/A N/A", "NULL",
        "null", "None",  "-nan",  "-NaN",     "1.#IND",  "-1.#IND", "1.#QNAN", "-1.#QNAN" };

  if (*word == 0)
    return TRUE;
  for (gsize i = 0; strchr ("Nn<#-1", *word) != NULL && i < G_N_ELEMENTS (words); i++)
    if (strcmp (word, words[i]) == 0)
      return TRUE;
  return FALSE;
}

/* Like armilla_text_number (), but a missing value gives NaN. */
gboolean
armilla_text_value (const char *word, double *value)
{
  if (armilla_text_number (word, value))
    return TRUE;
  *value = NAN;
  return armilla_text_is_missing (word);
}
