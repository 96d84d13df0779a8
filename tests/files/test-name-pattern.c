/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/files/name-pattern.h"

/* What names have in common, in any order and in any parts. */

#define MAX_NAMES 4

static const struct {
  const char *names[MAX_NAMES + 1];
  const char *text;
} cases[] = {
  { { "map.fits" }, "map.fits" },
  { { "map.fits", "map.fits", "map.fits" }, "map.fits" },
  { { "map-0.fits", "map-1.fits" }, "map-*.fits" },
  { { "map-10.fits", "map-11.fits", "map-19.fits" }, "map-*.fits" },
  { { "map-5.fits", "map-15.fits" }, "map-*.fits" },
  { { "map-15.fits", "map-5.fits", "map-25.fits" }, "map-*.fits" },
  { { "1", "2", "31" }, "*" },
  { { "aa", "aaa", "a" }, "a*" },
  { { "aba", "abaa", "ababa" }, "aba*" },
  { { "out/5arcmin/map", "out/10arcmin/map" }, "out/*arcmin/map" },
  { { "one", "two" }, "*" },
  { { "", "a" }, "*" },
  { { "\xc3\xa4.fits", "\xc3\xb6.fits" }, "*.fits" },
  { { "x\xc3\xa4", "x\xc4\xa4" }, "x*" },
};

static char *
text_of (const char *const *names, gboolean backwards, gsize first_part)
{
  ArmillaNamePattern all = { 0 }, rest = { 0 };
  const gsize n = g_strv_length ((char **) names);
  char *text;

  for (gsize i = 0; i < n; i++)
    armilla_name_pattern_add (i < first_part ? &all : &rest, names[backwards ? n - 1 - i : i]);
  armilla_name_pattern_merge (&all, &rest);
  g_assert_cmpint (all.n, ==, n);
  text = armilla_name_pattern_text (&all);
  armilla_name_pattern_clear (&all);
  armilla_name_pattern_clear (&rest);
  return text;
}

static void
test_text (void)
{
  for (gsize c = 0; c < G_N_ELEMENTS (cases); c++)
    for (int backwards = 0; backwards < 2; backwards++)
      for (gsize part = 0; part <= MAX_NAMES; part++)
        {
          g_autofree char *text = text_of (cases[c].names, backwards, part);

          g_assert_cmpstr (text, ==, cases[c].text);
        }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/name-pattern/text", test_text);
  return g_test_run ();
}
