/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is shown of text that a terminal would obey. */
#include "core/base/printable.h"

#include <glib/gstdio.h>
#include <string.h>

static void
assert_shown (const char *text, const char *expected)
{
  g_autofree char *shown = armilla_printable (text, FALSE);
  g_autofree char *again = armilla_printable (shown, FALSE);

  g_assert_cmpstr (shown, ==, expected);
  g_assert_cmpstr (again, ==, expected);
}

static void
test_plain (void)
{
  assert_shown ("", "");
  assert_shown ("map of 10 deg", "map of 10 deg");
  assert_shown ("Größe µK², Ωβ, 天球, 🛰", "Größe µK², Ωβ, 天球, 🛰");
  assert_shown ("C:\\x \"a\" 'b'", "C:\\x \"a\" 'b'");
  assert_shown ("\xc2\xa0\xef\xbf\xbd\xf4\x8f\xbf\xbf", "\xc2\xa0\xef\xbf\xbd\xf4\x8f\xbf\xbf");
}

static void
test_controls (void)
{
  assert_shown ("\033[31mred\007", "\\x1b[31mred\\x07");
  assert_shown ("a\rb\tc\bd\177", "a\\x0db\\x09c\\x08d\\x7f");
  assert_shown ("\xc2\x80-\xc2\x9b-\xc2\x9f", "\\u0080-\\u009b-\\u009f");
  assert_shown ("a\nb", "a\\x0ab");
}

static void
test_directions (void)
{
  assert_shown ("\xd8\x9c", "\\u061c");
  assert_shown ("\xe2\x80\x8e\xe2\x80\x8f", "\\u200e\\u200f");
  assert_shown ("\xe2\x80\xa8\xe2\x80\xa9", "\\u2028\\u2029");
  assert_shown ("\xe2\x80\xaa\xe2\x80\xab\xe2\x80\xac\xe2\x80\xad\xe2\x80\xae",
                "\\u202a\\u202b\\u202c\\u202d\\u202e");
  assert_shown ("\xe2\x81\xa6\xe2\x81\xa7\xe2\x81\xa8\xe2\x81\xa9", "\\u2066\\u2067\\u2068\\u2069");
  /* their neighbours */
  assert_shown ("\xe2\x80\x8d\xe2\x80\x90\xe2\x80\xa7\xe2\x80\xaf\xe2\x81\xa5\xe2\x81\xaa",
                "\xe2\x80\x8d\xe2\x80\x90\xe2\x80\xa7\xe2\x80\xaf\xe2\x81\xa5\xe2\x81\xaa");
}

static void
test_invalid (void)
{
  assert_shown ("a\xff""b\x80", "a\\xffb\\x80");
  assert_shown ("\xc0\xaf", "\\xc0\\xaf");               /* longer than need be */
  assert_shown ("\xed\xa0\x80", "\\xed\\xa0\\x80");      /* half a surrogate pair */
  assert_shown ("\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"); /* beyond the last character */
  assert_shown ("\xe2\x80", "\\xe2\\x80");               /* ends too early */
  assert_shown ("\xe2\x80q", "\\xe2\\x80q");
}

static void
test_print (void)
{
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "armilla-print-XXXXXX", NULL);
  g_autofree char *text = NULL;
  int fd = g_mkstemp (path);
  FILE *file = fdopen (fd, "w");

  g_assert_nonnull (file);
  armilla_print (file, "%s: %d\n%5s|%s\n", "a\033", 7, "b", "\xff");
  g_assert_cmpint (fclose (file), ==, 0);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "a\\x1b: 7\n    b|\\xff\n");
  g_unlink (path);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/printable/plain", test_plain);
  g_test_add_func ("/printable/controls", test_controls);
  g_test_add_func ("/printable/directions", test_directions);
  g_test_add_func ("/printable/invalid", test_invalid);
  g_test_add_func ("/printable/print", test_print);
  return g_test_run ();
}
