/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/json-writer.h"

#include <errno.h>
#include <math.h>

#define FULL 65536 /* bytes to collect before a write */

static void
flush (ArmillaJson *json)
{
  if (!json->file)
    return;
  if (!json->failed && fwrite (json->text->str, 1, json->text->len, json->file) != json->text->len)
    {
      json->failed = TRUE;
      json->problem = errno;
    }
  g_string_truncate (json->text, 0);
}

void
armilla_json_init (ArmillaJson *json, FILE *file)
{
  *json = (ArmillaJson) { .text = g_string_sized_new (FULL), .file = file };
}

/* Flushes the text and frees what the writer holds; the file stays open. Returns FALSE, with
 * errno set, if anything could not be written. */
gboolean
armilla_json_finish (ArmillaJson *json)
{
  g_string_append_c (json->text, '\n');
  flush (json);
  if (!json->failed && fflush (json->file) != 0)
    {
      json->failed = TRUE;
      json->problem = errno;
    }
  g_string_free (json->text, TRUE);
  errno = json->problem;
  return !json->failed;
}

/* Returns the JSON that the callback writes as a new string. */
char *
armilla_json_text (ArmillaJsonWrite write, gconstpointer user)
{
  ArmillaJson json;

  armilla_json_init (&json, NULL);
  write (&json, user);
  return g_string_free (json.text, FALSE);
}

static void
append_escaped (GString *text, const char *value)
{
  g_autofree char *valid = g_utf8_make_valid (value, -1);

  g_string_append_c (text, '"');
  for (const char *p = valid; *p; p++)
    if (*p == '"' || *p == '\\')
      g_string_append_printf (text, "\\%c", *p);
    else if ((guchar) *p < 0x20 || *p == 0x7f)
      g_string_append_printf (text, "\\u%04x", (guint) (guchar) *p);
    else
      g_string_append_c (text, *p);
  g_string_append_c (text, '"');
}

static void
begin_value (ArmillaJson *json, const char *key)
{
  if (json->comma)
    g_string_append_c (json->text, ',');
  json->comma = TRUE;
  if (key)
    g_string_append_printf (json->text, "\"%s\":", key);
}

/* Opens an object or array; key is NULL within an array and at the top. */
void
armilla_json_open (ArmillaJson *json, const char *key, char bracket)
{
  begin_value (json, key);
  g_string_append_c (json->text, bracket);
  json->comma = FALSE;
}

void
armilla_json_close (ArmillaJson *json, char bracket)
{
  g_string_append_c (json->text, bracket);
  json->comma = TRUE;
  if (json->text->len >= FULL)
    flush (json);
}

/* Starts a new line before the next value. */
void
armilla_json_line (ArmillaJson *json)
{
  if (json->comma)
    g_string_append_c (json->text, ',');
  json->comma = FALSE;
  g_string_append_c (json->text, '\n');
}

/* Writes a string; invalid UTF-8 becomes U+FFFD, and NULL is written as null. */
void
armilla_json_string (ArmillaJson *json, const char *key, const char *value)
{
  begin_value (json, key);
  if (value)
    append_escaped (json->text, value);
  else
    g_string_append (json->text, "null");
}

/* Writes a number; infinities and NaN are written as null, since JSON has no name for them. */
void
armilla_json_number (ArmillaJson *json, const char *key, double value, int decimals)
{
  char format[16], text[512];

  begin_value (json, key);
  g_snprintf (format, sizeof format, "%%.%df", CLAMP (decimals, 0, 17));
  g_string_append (json->text, isfinite (value) ? g_ascii_formatd (text, sizeof text, format, value)
                                                : "null");
}

void
armilla_json_integer (ArmillaJson *json, const char *key, gint64 value)
{
  begin_value (json, key);
  g_string_append_printf (json->text, "%" G_GINT64_FORMAT, value);
}

void
armilla_json_boolean (ArmillaJson *json, const char *key, gboolean value)
{
  begin_value (json, key);
  g_string_append (json->text, value ? "true" : "false");
}

/* Writes @value, which must be JSON. */
void
armilla_json_raw (ArmillaJson *json, const char *key, const char *value)
{
  begin_value (json, key);
  g_string_append (json->text, value);
}
