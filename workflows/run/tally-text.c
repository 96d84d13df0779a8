/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formats what a run has read and written as text and JSON. */
#include "workflows/run/tally.h"

#include <string.h>

#include "core/base/json-writer.h"

/* maximum width of the column of names; the other columns of a longer name are shifted */
#define WIDEST 48

/* Returns a size with three digits and a prefix (k, M, G) of 1000. */
char *
armilla_tally_size (double bytes)
{
  static const char *const units[] = { "B", "kB", "MB", "GB", "TB", "PB" };
  gsize unit = 0;

  while (bytes >= 999.5 && unit + 1 < G_N_ELEMENTS (units))
    {
      bytes /= 1000;
      unit++;
    }
  return g_strdup_printf (unit == 0 || bytes >= 100 ? "%.0f %s"
                          : bytes >= 10             ? "%.1f %s"
                                                    : "%.2f %s", bytes, units[unit]);
}

static void
append_seconds (GString *text, double seconds)
{
  if (seconds > 0)
    g_string_append_printf (text, seconds < 10 ? ", %.3f s" : ", %.1f s", seconds);
}

static void
append_count (GString *text, const ArmillaNamePattern *names)
{
  if (names->n > 1)
    g_string_append_printf (text, ", %" G_GINT64_FORMAT " %s", names->n,
                            names->differ ? "files" : "times");
}

static void
append_name (GString *text, const ArmillaNamePattern *names, gsize width)
{
  g_autofree char *name = armilla_name_pattern_text (names);

  g_string_append_printf (text, "  %-*s  ", (int) width, name);
}

/* Appends the files that one property names. The contents of the property "file" are described by
 * the node's output, those of other properties by their name. */
static void
append_read (const ArmillaTally *self, GString *text, int number, const ArmillaTallyRead *read,
             gsize width)
{
  const ArmillaTallyNode *mine = &self->nodes[number];
  const gboolean own = strcmp (read->property, "file") == 0;
  g_autofree char *kind = armilla_tally_kind (self, number);

  append_name (text, &read->names, width);
  g_string_append (text, own ? kind : read->property);
  append_count (text, &read->names);
  if (own && mine->objects > 0)
    g_string_append_printf (text, ", %" G_GINT64_FORMAT " objects", mine->objects);
  if (own && mine->pixels > 0)
    g_string_append_printf (text, ", %.0f pixels", mine->pixels);
  append_seconds (text, own ? mine->seconds : 0);
  g_string_append_c (text, '\n');
}

static void
append_written (const ArmillaTally *self, GString *text, int number, gsize width)
{
  const ArmillaTallyNode *mine = &self->nodes[number];
  g_autofree char *kind = armilla_tally_kind (self, number);
  g_autofree char *size = armilla_tally_size (mine->bytes);

  append_name (text, &mine->written, width);
  g_string_append (text, kind);
  append_count (text, &mine->written);
  g_string_append_printf (text, ", %s", size);
  append_seconds (text, mine->seconds);
  g_string_append_c (text, '\n');
}

static gsize
width_of (const ArmillaNamePattern *names)
{
  g_autofree char *name = armilla_name_pattern_text (names);

  return strlen (name) <= WIDEST ? strlen (name) : 0;
}

static gsize
find_width (const ArmillaTally *self)
{
  gsize width = 0;

  for (guint i = 0; i < self->workflow->nodes->len; i++)
    {
      const ArmillaTallyNode *mine = &self->nodes[i];

      for (guint j = 0; j < mine->reads->len; j++)
        width = MAX (width,
                     width_of (&g_array_index (mine->reads, ArmillaTallyRead, j).names));
      if (mine->written.n > 0)
        width = MAX (width, width_of (&mine->written));
    }
  return width;
}

/* Returns lines about files read and written, one line for all files of a node. */
char *
armilla_tally_text (const ArmillaTally *self)
{
  const gsize width = find_width (self);
  g_autoptr (GString) read = g_string_new (NULL);
  GString *text = g_string_new (NULL);
  g_autoptr (GString) written = g_string_new (NULL);

  for (guint i = 0; i < self->workflow->nodes->len; i++)
    {
      const ArmillaTallyNode *mine = &self->nodes[i];

      for (guint j = 0; j < mine->reads->len; j++)
        append_read (self, read, (int) i, &g_array_index (mine->reads, ArmillaTallyRead, j),
                     width);
      if (mine->written.n > 0)
        append_written (self, written, (int) i, width);
    }
  if (read->len > 0)
    g_string_append_printf (text, "read:\n%s", read->str);
  if (written->len > 0)
    g_string_append_printf (text, "written:\n%s", written->str);
  return g_string_free (text, FALSE);
}

static void
write_names (ArmillaJson *json, const ArmillaNamePattern *names)
{
  g_autofree char *name = armilla_name_pattern_text (names);

  armilla_json_string (json, "name", name);
  armilla_json_integer (json, "number", names->n);
  armilla_json_boolean (json, "differ", names->differ);
}

static void
begin_file (const ArmillaTally *self, ArmillaJson *json, int number)
{
  const ArmillaNode *node = armilla_workflow_node (self->workflow, number);

  armilla_json_open (json, NULL, '{');
  armilla_json_string (json, "node", node->name);
  armilla_json_string (json, "stage", node->klass->nick);
}

static void
write_read (const ArmillaTally *self, ArmillaJson *json, int number, const ArmillaTallyRead *read)
{
  const ArmillaTallyNode *mine = &self->nodes[number];
  g_autofree char *kind = armilla_tally_kind (self, number);

  begin_file (self, json, number);
  armilla_json_string (json, "property", read->property);
  write_names (json, &read->names);
  if (strcmp (read->property, "file") == 0)
    {
      armilla_json_string (json, "kind", kind);
      armilla_json_integer (json, "objects", mine->objects);
      armilla_json_number (json, "pixels", mine->pixels, 0);
      armilla_json_number (json, "seconds", mine->seconds, 6);
    }
  armilla_json_close (json, '}');
}

static void
write_written (const ArmillaTally *self, ArmillaJson *json, int number)
{
  const ArmillaTallyNode *mine = &self->nodes[number];
  g_autofree char *kind = armilla_tally_kind (self, number);

  begin_file (self, json, number);
  write_names (json, &mine->written);
  armilla_json_string (json, "kind", kind);
  armilla_json_number (json, "bytes", mine->bytes, 0);
  armilla_json_number (json, "seconds", mine->seconds, 6);
  armilla_json_close (json, '}');
}

static void
write_tally (ArmillaJson *json, gconstpointer user)
{
  const ArmillaTally *self = user;

  armilla_json_open (json, NULL, '{');
  armilla_json_open (json, "read", '[');
  for (guint i = 0; i < self->workflow->nodes->len; i++)
    for (guint j = 0; j < self->nodes[i].reads->len; j++)
      write_read (self, json, (int) i,
                  &g_array_index (self->nodes[i].reads, ArmillaTallyRead, j));
  armilla_json_close (json, ']');
  armilla_json_open (json, "written", '[');
  for (guint i = 0; i < self->workflow->nodes->len; i++)
    if (self->nodes[i].written.n > 0)
      write_written (self, json, (int) i);
  armilla_json_close (json, ']');
  armilla_json_close (json, '}');
}

/* Returns the same information as a JSON object, described in doc/traces.md. */
char *
armilla_tally_json (const ArmillaTally *self)
{
  return armilla_json_text (write_tally, self);
}
