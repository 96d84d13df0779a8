/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expressions in place of numbers: their values, and the errors of those without a value. */
#include "workflows/text/property.h"

#include <math.h>
#include <string.h>

typedef struct {
  const char *text;
  ArmillaDimension dimension;
  double value;
} Good;

#define DEG (G_PI / 180)

static void
test_values (void)
{
  static const Good cases[] = {
    { "3*64 - 1", ARMILLA_DIMENSION_NONE, 191 },
    { "2^10/4", ARMILLA_DIMENSION_NONE, 256 },
    { "-(1 + 2) * 3", ARMILLA_DIMENSION_NONE, -9 },
    { "1e-3*1e3", ARMILLA_DIMENSION_NONE, 1 },
    { "min(4, 2, 3) + max(1, 7)", ARMILLA_DIMENSION_NONE, 9 },
    { "floor(7/2) + ceil(7/2)", ARMILLA_DIMENSION_NONE, 7 },
    { "hypot(3, 4) + sign(-2)", ARMILLA_DIMENSION_NONE, 4 },
    { "2*pi", ARMILLA_DIMENSION_NONE, 2 * G_PI },
    { "3 > 2 ? 5 : 6", ARMILLA_DIMENSION_NONE, 5 },
    { "2 * 5 arcmin", ARMILLA_DIMENSION_ANGLE, DEG / 6 },
    { "(1 + 2) deg / 4", ARMILLA_DIMENSION_ANGLE, 0.75 * DEG },
    { "30arcmin + 1deg", ARMILLA_DIMENSION_ANGLE, 1.5 * DEG },
    { "sqrt(9) deg", ARMILLA_DIMENSION_ANGLE, 3 * DEG },
    { "sqrt((3 deg)^2 + (4 deg)^2)", ARMILLA_DIMENSION_ANGLE, 5 * DEG },
    { "1 deg * (2 deg / 1 deg)", ARMILLA_DIMENSION_ANGLE, 2 * DEG },
    { "0 * 1 rad", ARMILLA_DIMENSION_ANGLE, 0 },
    { "2 * 4 GiB", ARMILLA_DIMENSION_BYTES, 8589934592.0 },
    { "1 min + 2*30 s", ARMILLA_DIMENSION_TIME, 120 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      double value;

      g_assert_true (armilla_arithmetic_meant (cases[i].text));
      if (!armilla_arithmetic_compute (cases[i].text, cases[i].dimension, &value, &error))
        g_error ("%s: %s", cases[i].text, error->message);
      if (fabs (value - cases[i].value) > 1e-15 * fabs (cases[i].value))
        g_error ("%s is %.17g instead of %.17g", cases[i].text, value, cases[i].value);
    }
}

typedef struct {
  const char *text;
  ArmillaDimension dimension;
  const char *message; /* a part of it */
} Bad;

static void
test_errors (void)
{
  static const Bad cases[] = {
    { "3*", ARMILLA_DIMENSION_NONE, "\"3*\" cannot be computed: incomplete expression" },
    { "(3", ARMILLA_DIMENSION_NONE, "a ) is missing" },
    { "3)", ARMILLA_DIMENSION_NONE, "unexpected \")\" at character 2" },
    { "3*n", ARMILLA_DIMENSION_NONE, "unknown \"n\" at character 3" },
    { "a=3", ARMILLA_DIMENSION_NONE, "unknown \"a\" at character 1" },
    { "1, 2*3", ARMILLA_DIMENSION_NONE, "must be one number, not a list" },
    { "sqrt()", ARMILLA_DIMENSION_NONE, "\"sqrt\" before character" },
    { "sqrt(1, 2)", ARMILLA_DIMENSION_NONE, "\"sqrt\" before character" },
    { "rnd()", ARMILLA_DIMENSION_NONE, "unknown" },
    { "\"a\"*2", ARMILLA_DIMENSION_NONE, "cannot be computed" },
    { "1/0", ARMILLA_DIMENSION_NONE, "has no finite value; check for a division by 0" },
    { "0/0", ARMILLA_DIMENSION_NONE, "has no finite value" },
    { "sqrt(-1)", ARMILLA_DIMENSION_NONE, "has no finite value" },
    { "2 * 5 deg", ARMILLA_DIMENSION_NONE, "unknown \"deg\" at character 7" },
    { "2 * 5", ARMILLA_DIMENSION_ANGLE, "\"2 * 5\" has no unit; numbers in it take one of: rad" },
    { "1 deg + 2", ARMILLA_DIMENSION_ANGLE, "terms differ in their unit" },
    { "1 deg * 1 deg", ARMILLA_DIMENSION_ANGLE, "terms differ in their unit" },
    { "1 deg / 1 arcmin", ARMILLA_DIMENSION_ANGLE, "terms differ in their unit" },
    { "max(1 deg, 2)", ARMILLA_DIMENSION_ANGLE, "terms differ in their unit" },
    { "2 * 5 s", ARMILLA_DIMENSION_ANGLE, "and the units rad, deg, arcmin, arcsec" },
  };
  g_autofree char *longest = g_strnfill (1001, '1');
  g_autoptr (GError) error = NULL;
  double value;

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_clear_error (&error);
      g_assert_false (armilla_arithmetic_compute (cases[i].text, cases[i].dimension, &value,
                                                  &error));
      if (strstr (error->message, cases[i].message) == NULL)
        g_error ("%s: \"%s\" instead of \"%s\"", cases[i].text, error->message, cases[i].message);
    }
  g_clear_error (&error);
  g_assert_false (armilla_arithmetic_compute (longest, ARMILLA_DIMENSION_NONE, &value, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE);
}

/* What is only a number, or something else altogether, is not computed. */
static void
test_not_meant (void)
{
  static const char *const texts[] = { "64", "-1", " +3", "1e-3", "1E+5", "1.5", "abc",
                                       "", "10 deg" };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    g_assert_false (armilla_arithmetic_meant (texts[i]));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/arithmetic/values", test_values);
  g_test_add_func ("/arithmetic/errors", test_errors);
  g_test_add_func ("/arithmetic/not-meant", test_not_meant);
  return g_test_run ();
}
