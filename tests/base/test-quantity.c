/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/quantity.h"

#include <armilla/quantity.h>

#include <locale.h>
#include <math.h>
#include <string.h>

static const struct {
  const char *text;
  ArmillaDimension dimension;
  double value;
} good[] = {
  { "1 rad", ARMILLA_DIMENSION_ANGLE, 1 },
  { "180 deg", ARMILLA_DIMENSION_ANGLE, G_PI },
  { "90deg", ARMILLA_DIMENSION_ANGLE, G_PI / 2 },
  { "  -45\tdeg ", ARMILLA_DIMENSION_ANGLE, -G_PI / 4 },
  { "10800 arcmin", ARMILLA_DIMENSION_ANGLE, G_PI },
  { "648000 arcsec", ARMILLA_DIMENSION_ANGLE, G_PI },
  { "0 deg", ARMILLA_DIMENSION_ANGLE, 0 },
  { "+.5e1rad", ARMILLA_DIMENSION_ANGLE, 5 },
  { "5. rad", ARMILLA_DIMENSION_ANGLE, 5 },
  { "7 B", ARMILLA_DIMENSION_BYTES, 7 },
  { "1.5 kB", ARMILLA_DIMENSION_BYTES, 1500 },
  { "2 MB", ARMILLA_DIMENSION_BYTES, 2e6 },
  { "2 GB", ARMILLA_DIMENSION_BYTES, 2e9 },
  { "2 TB", ARMILLA_DIMENSION_BYTES, 2e12 },
  { "1.5 KiB", ARMILLA_DIMENSION_BYTES, 1536 },
  { "64 MiB", ARMILLA_DIMENSION_BYTES, 67108864 },
  { "1 GiB", ARMILLA_DIMENSION_BYTES, 1073741824 },
  { "1 TiB", ARMILLA_DIMENSION_BYTES, 1099511627776 },
  { "250 ms", ARMILLA_DIMENSION_TIME, 0.25 },
  { "1e3 s", ARMILLA_DIMENSION_TIME, 1000 },
  { "2 min", ARMILLA_DIMENSION_TIME, 120 },
  { "0.5h", ARMILLA_DIMENSION_TIME, 1800 },
  { "4.7", ARMILLA_DIMENSION_NONE, 4.7 },
  { " -1e-3 ", ARMILLA_DIMENSION_NONE, -1e-3 },
};

static void
check_good (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_autoptr (GError) error = NULL;
      double value = NAN;

      g_assert_true (armilla_quantity_parse (good[i].text, good[i].dimension, &value, &error));
      g_assert_no_error (error);
      g_assert_true (value == good[i].value);
    }
}

static void
test_good (void)
{
  double value = NAN;

  check_good ();
  /* 4.7 / 10800 * pi, of which 4.7, pi and two operations are rounded */
  g_assert_true (armilla_quantity_parse ("4.7 arcmin", ARMILLA_DIMENSION_ANGLE, &value, NULL));
  g_assert_cmpfloat_with_epsilon (value, 0.001367174580728891501924L, 5e-19);
}

/* A comma for the decimals in the locale must not change how files are read. */
static void
test_locale (void)
{
  static const char *const names[] = { "de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "fr_FR" };
  gboolean found = FALSE;

  for (gsize i = 0; i < G_N_ELEMENTS (names) && !found; i++)
    found = setlocale (LC_NUMERIC, names[i]) != NULL;
  if (!found)
    {
      g_test_skip ("no locale with a decimal comma is installed");
      return;
    }
  check_good ();
  setlocale (LC_NUMERIC, "C");
}

static const struct {
  const char *text;
  ArmillaDimension dimension;
  int code;
  const char *say[3];
} bad[] = {
  { "4.7",
    ARMILLA_DIMENSION_ANGLE,
    ARMILLA_ERROR_PARSE,
    { "no unit", "rad, deg, arcmin, arcsec" } },
  { "0", ARMILLA_DIMENSION_ANGLE, ARMILLA_ERROR_PARSE, { "no unit" } },
  { "64", ARMILLA_DIMENSION_BYTES, ARMILLA_ERROR_PARSE, { "no unit", "MiB" } },
  { "3", ARMILLA_DIMENSION_TIME, ARMILLA_ERROR_PARSE, { "no unit", "ms, s, min, h" } },
  { "4.7 arcmn",
    ARMILLA_DIMENSION_ANGLE,
    ARMILLA_ERROR_UNKNOWN,
    { "\"arcmn\"", "mean \"arcmin\"" } },
  { "1 degrees", ARMILLA_DIMENSION_ANGLE, ARMILLA_ERROR_UNKNOWN, { "mean \"deg\"" } },
  { "1 DEG", ARMILLA_DIMENSION_ANGLE, ARMILLA_ERROR_UNKNOWN, { "mean \"deg\"" } },
  { "10'", ARMILLA_DIMENSION_ANGLE, ARMILLA_ERROR_UNKNOWN, { "mean \"arcmin\"" } },
  { "1 parsec", ARMILLA_DIMENSION_ANGLE, ARMILLA_ERROR_UNKNOWN, { "\"parsec\"", "rad, deg" } },
  { "1 s", ARMILLA_DIMENSION_ANGLE, ARMILLA_ERROR_UNKNOWN, { "unit of a time", "rad, deg" } },
  { "1 kib", ARMILLA_DIMENSION_BYTES, ARMILLA_ERROR_UNKNOWN, { "mean \"KiB\"" } },
  { "5 M", ARMILLA_DIMENSION_BYTES, ARMILLA_ERROR_UNKNOWN, { "mean \"MB\"" } },
  { "5 hours", ARMILLA_DIMENSION_TIME, ARMILLA_ERROR_UNKNOWN, { "mean \"h\"" } },
  { "4 deg", ARMILLA_DIMENSION_NONE, ARMILLA_ERROR_PARSE, { "without a unit" } },
  { "4 5", ARMILLA_DIMENSION_NONE, ARMILLA_ERROR_PARSE, { "\"5\"" } },
  { "4 deg 5", ARMILLA_DIMENSION_ANGLE, ARMILLA_ERROR_UNKNOWN, { "\"deg 5\"" } },
  { "", ARMILLA_DIMENSION_NONE, ARMILLA_ERROR_PARSE, { "decimal number" } },
  { "  ", ARMILLA_DIMENSION_ANGLE, ARMILLA_ERROR_PARSE, { "decimal number" } },
  { "deg", ARMILLA_DIMENSION_ANGLE, ARMILLA_ERROR_PARSE, { "decimal number" } },
  { "-", ARMILLA_DIMENSION_NONE, ARMILLA_ERROR_PARSE, { "decimal number" } },
  { "nan deg", ARMILLA_DIMENSION_ANGLE, ARMILLA_ERROR_PARSE, { "decimal number" } },
  { "-inf", ARMILLA_DIMENSION_NONE, ARMILLA_ERROR_PARSE, { "decimal number" } },
  { "+nan", ARMILLA_DIMENSION_NONE, ARMILLA_ERROR_PARSE, { "decimal number" } },
  { "infinity", ARMILLA_DIMENSION_NONE, ARMILLA_ERROR_PARSE, { "decimal number" } },
  { "0x10", ARMILLA_DIMENSION_NONE, ARMILLA_ERROR_PARSE, { "decimal number" } },
  { "4,7 deg", ARMILLA_DIMENSION_ANGLE, ARMILLA_ERROR_UNKNOWN, { "\",7 deg\"" } },
  { "1e999", ARMILLA_DIMENSION_NONE, ARMILLA_ERROR_VALUE, { "too large" } },
  { "1e308 TiB", ARMILLA_DIMENSION_BYTES, ARMILLA_ERROR_VALUE, { "too large" } },
};

static void
test_bad (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;
      double value = 17;

      g_assert_false (armilla_quantity_parse (bad[i].text, bad[i].dimension, &value, &error));
      g_assert_error (error, ARMILLA_ERROR, bad[i].code);
      g_assert_true (value == 17);
      for (gsize k = 0; k < G_N_ELEMENTS (bad[i].say) && bad[i].say[k] != NULL; k++)
        if (strstr (error->message, bad[i].say[k]) == NULL)
          {
            g_test_message ("%s: %s", bad[i].text, error->message);
            g_test_fail ();
          }
    }
}

/* Whatever the list of a dimension names can be read. */
static void
test_units (void)
{
  for (int d = ARMILLA_DIMENSION_NONE; d <= ARMILLA_DIMENSION_TIME; d++)
    {
      g_auto (GStrv) names = g_strsplit (armilla_dimension_units (d), ", ", -1);

      g_assert_cmpint (g_strv_length (names) > 0, ==, d != ARMILLA_DIMENSION_NONE);
      for (char **p = names; *p != NULL; p++)
        {
          g_autofree char *text = g_strconcat ("2 ", *p, NULL);
          double value = 0;

          g_assert_true (armilla_quantity_parse (text, d, &value, NULL));
          g_assert_cmpfloat (value, >, 0);
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/quantity/good", test_good);
  g_test_add_func ("/quantity/locale", test_locale);
  g_test_add_func ("/quantity/bad", test_bad);
  g_test_add_func ("/quantity/units", test_units);
  return g_test_run ();
}
