/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/fits/fields.h"

/* Spins of fields: pairs, names of Stokes parameters, units. */

static void
test_part (void)
{
  const int spins[] = { 0, 2, 2, 2, 2, 1, 1, 0 };
  const int parts[] = { 0, 1, 2, 1, 2, 1, 2, 0 };

  for (int i = 0; i < (int) G_N_ELEMENTS (spins); i++)
    {
      g_assert_cmpint (armilla_fields_part (spins, i), ==, parts[i]);
      g_assert_cmpint (armilla_fields_part (NULL, i), ==, 0);
    }
  g_assert_true (armilla_fields_check (spins, G_N_ELEMENTS (spins), NULL));
  g_assert_true (armilla_fields_check (NULL, 5, NULL));
  g_assert_true (armilla_fields_polarised (spins, 2));
  g_assert_false (armilla_fields_polarised (spins, 1));
  g_assert_false (armilla_fields_polarised (NULL, 3));
  g_assert_true (armilla_fields_equal (spins + 1, spins + 2, 3));
  g_assert_false (armilla_fields_equal (spins, NULL, 2));
}

static void
refuse (const int *spins, int n, const char *pattern)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (armilla_fields_check (spins, n, &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE);
  if (!g_pattern_match_simple (pattern, error->message))
    g_error ("\"%s\" is not \"%s\"", error->message, pattern);
}

static void
test_check (void)
{
  refuse ((const int[]) { 0, 2 }, 2, "field 1 has spin 2 but no partner*");
  refuse ((const int[]) { 2, 0, 2 }, 3, "field 0 *no partner*");
  refuse ((const int[]) { 2, 2, 2 }, 3, "field 2 *no partner*");
  refuse ((const int[]) { 1, 2, 2 }, 3, "field 0 has spin 1*");
  refuse ((const int[]) { 4, 4 }, 2, "field 0 has spin 4; *0 to 3");
  refuse ((const int[]) { -1, -1 }, 2, "field 0 has spin -1*");
}

static void
test_parse (void)
{
  static const struct { const char *text; int code; } bad[] = {
    { "0, 2", ARMILLA_ERROR_VALUE }, { "0, 2, 2, 0", ARMILLA_ERROR_VALUE },
    { "0, 2, x", ARMILLA_ERROR_PARSE }, { "", ARMILLA_ERROR_VALUE },
    { "2", ARMILLA_ERROR_VALUE }, { "0, 2, 0", ARMILLA_ERROR_VALUE },
    { "0, 4, 4", ARMILLA_ERROR_PARSE }, { "0,,2", ARMILLA_ERROR_PARSE },
  };
  int spins[4];

  g_assert_true (armilla_fields_parse (" 0,3 , 3", 3, spins, NULL));
  g_assert_true (armilla_fields_equal (spins, (const int[]) { 0, 3, 3 }, 3));
  g_assert_true (armilla_fields_parse ("1", 4, spins, NULL));
  g_assert_true (armilla_fields_equal (spins, (const int[]) { 1, 1, 1, 1 }, 4));
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (armilla_fields_parse (bad[i].text, 3, spins, &error));
      g_assert_error (error, ARMILLA_ERROR, bad[i].code);
    }
}

static void
test_stokes (void)
{
  /* WMAP, healpy, HEALPix's Fortran tools, Planck; then what is none. */
  static const char *const q[] = { "Q_STOKES", "Q_POLARISATION", "Q-POLARISATION", "Q_Stokes", "q",
                                   "STOKES Q", "Q POLARIZATION", "POL_Q" };
  static const char *const none[] = { "I_STOKES", "TEMPERATURE", "Q_ERROR", "QQ", "QU", "N_OBS", "",
                                      "Q-POLARISATION WEIGHTS", "Q_U", "STOKES", "II" };

  for (gsize i = 0; i < G_N_ELEMENTS (q); i++)
    g_assert_cmpint (armilla_fields_stokes (q[i]), ==, 'Q');
  g_assert_cmpint (armilla_fields_stokes ("U_STOKES"), ==, 'U');
  for (gsize i = 0; i < G_N_ELEMENTS (none); i++)
    g_assert_cmpint (armilla_fields_stokes (none[i]), ==, 0);
}

static void
test_names (void)
{
  static const struct { const char *names[4]; int n; int spins[4]; const char *wrong; } cases[] = {
    { { "I_STOKES", "Q_STOKES", "U_STOKES", "N_OBS" }, 4, { 0, 2, 2, 0 }, NULL },
    { { "Q", "U", "Q", "U" }, 4, { 2, 2, 2, 2 }, NULL },
    { { "a", "b" }, 2, { 0, 0 }, NULL },
    { { "I", "Q" }, 2, { 0 }, "Q is not next to U*" },
    { { "U" }, 1, { 0 }, "U is not next to Q*" },
    { { "I", "U", "Q" }, 3, { 0 }, "U comes before Q*" },
    { { "Q", "I", "U" }, 3, { 0 }, "Q is not next to U*" },
    { { "Q", "Q", "U", "U" }, 4, { 0 }, "Q is not next to U*" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      int spins[4];
      gboolean ok = armilla_fields_from_names (cases[i].names, cases[i].n, spins, &error);

      g_assert_cmpint (ok, ==, cases[i].wrong == NULL);
      if (ok)
        g_assert_true (armilla_fields_equal (spins, cases[i].spins, cases[i].n));
      else
        {
          g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE);
          g_assert_true (g_pattern_match_simple (cases[i].wrong, error->message));
        }
    }
}

static void
test_units (void)
{
  static const char *const names[] = { "A", "B", "C", "D" };
  static const struct { int spins[4]; const char *units[4]; const char *wrong; } cases[] = {
    { { 0, 2, 2, 0 }, { "K", "K", "K", "counts" }, NULL },
    { { 0, 0, 0, 0 }, { "a", "b", "c", "d" }, NULL },
    { { 0, 1, 1, 0 }, { "a", "b", "b", "d" }, NULL },
    { { 0, 2, 2, 0 }, { "counts", "K", "K", "" }, "A is in \"counts\" but B in \"K\"*order*" },
    { { 0, 2, 2, 0 }, { "K", "K", "mK", "" }, "B is in \"K\" but C in \"mK\"*" },
    { { 0, 1, 1, 0 }, { "", "K", "", "" }, "B is in \"K\" but C in \"\"*" },
    { { 2, 2, 2, 2 }, { "K", "K", "mK", "K" }, "C is in \"mK\" but D in \"K\"*" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      gboolean ok
        = armilla_fields_check_units (cases[i].spins, names, cases[i].units, 4, &error);

      g_assert_cmpint (ok, ==, cases[i].wrong == NULL);
      if (!ok)
        g_assert_true (g_pattern_match_simple (cases[i].wrong, error->message));
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fields/part", test_part);
  g_test_add_func ("/fields/check", test_check);
  g_test_add_func ("/fields/parse", test_parse);
  g_test_add_func ("/fields/stokes", test_stokes);
  g_test_add_func ("/fields/names", test_names);
  g_test_add_func ("/fields/units", test_units);
  return g_test_run ();
}
