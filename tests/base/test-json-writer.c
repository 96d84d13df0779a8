/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is written, as json-glib reads it. */
#include <errno.h>
#include <json-glib/json-glib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/json-writer.h"

static const char *const texts[] = {
  "", "plain", "a \"quoted\" \\ one", "\x01\n\r\t\x1f\x7f", "\xc3\xa9\xe2\x82\xac", "</script>",
};

/* (transfer full): what write() wrote */
static char *
written (void (*write) (ArmillaJson *json))
{
  char *text = NULL;
  size_t size = 0;
  FILE *file = open_memstream (&text, &size);
  ArmillaJson json;

  g_assert_nonnull (file);
  armilla_json_init (&json, file);
  write (&json);
  g_assert_true (armilla_json_finish (&json));
  g_assert_cmpint (fclose (file), ==, 0);
  return text;
}

static void
write_texts (ArmillaJson *json)
{
  armilla_json_open (json, NULL, '[');
  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    armilla_json_string (json, NULL, texts[i]);
  armilla_json_string (json, NULL, NULL);
  armilla_json_string (json, NULL, "a\xff z");
  armilla_json_close (json, ']');
}

static void
test_texts (void)
{
  g_autofree char *text = written (write_texts);
  g_autoptr (JsonNode) root = json_from_string (text, NULL);
  const guint n = G_N_ELEMENTS (texts);
  JsonArray *array;

  g_assert_nonnull (root);
  array = json_node_get_array (root);
  g_assert_cmpuint (json_array_get_length (array), ==, n + 2);
  for (guint i = 0; i < n; i++)
    g_assert_cmpstr (json_array_get_string_element (array, i), ==, texts[i]);
  g_assert_true (json_array_get_null_element (array, n));
  g_assert_cmpstr (json_array_get_string_element (array, n + 1), ==, "a\xef\xbf\xbd z");
}

static void
write_members (ArmillaJson *json)
{
  armilla_json_open (json, NULL, '{');
  armilla_json_number (json, "a", 1234.5678, 3);
  armilla_json_line (json);
  armilla_json_number (json, "b", NAN, 3);
  armilla_json_number (json, "large", 1e300, 0);
  armilla_json_integer (json, "c", G_MININT64);
  armilla_json_open (json, "d", '{');
  armilla_json_close (json, '}');
  armilla_json_line (json);
  armilla_json_open (json, "e", '[');
  armilla_json_line (json);
  armilla_json_open (json, NULL, '[');
  armilla_json_boolean (json, NULL, TRUE);
  armilla_json_boolean (json, NULL, FALSE);
  armilla_json_close (json, ']');
  armilla_json_raw (json, NULL, "{\"x\": [1]}");
  armilla_json_close (json, ']');
  armilla_json_close (json, '}');
}

static void
test_members (void)
{
  g_autofree char *text = written (write_members);
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) root = json_from_string (text, &error);
  JsonObject *object;

  g_assert_no_error (error);
  object = json_node_get_object (root);
  g_assert_cmpfloat (json_object_get_double_member (object, "a"), ==, 1234.568);
  g_assert_true (json_object_get_null_member (object, "b"));
  g_assert_cmpint (json_object_get_int_member (object, "c"), ==, G_MININT64);
  g_assert_cmpuint (json_object_get_size (json_object_get_object_member (object, "d")), ==, 0);
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (object, "e")), ==, 2);
}

static void
test_full_disk (void)
{
  FILE *file = fopen ("/dev/full", "w");
  ArmillaJson json;

  if (!file)
    {
      g_test_skip ("no /dev/full");
      return;
    }
  armilla_json_init (&json, file);
  armilla_json_open (&json, NULL, '[');
  for (int i = 0; i < 20000; i++)
    {
      armilla_json_open (&json, NULL, '[');
      armilla_json_string (&json, NULL, "a text that is there to be long");
      armilla_json_close (&json, ']');
    }
  armilla_json_close (&json, ']');
  g_assert_false (armilla_json_finish (&json));
  g_assert_cmpint (errno, ==, ENOSPC);
  fclose (file);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/json-writer/texts", test_texts);
  g_test_add_func ("/json-writer/members", test_members);
  g_test_add_func ("/json-writer/full-disk", test_full_disk);
  return g_test_run ();
}
