/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugins/base/stage.h"

#include <stdarg.h>

#include <armilla/stage.h>

#define NAMES_KEY "armilla-field-names"
#define NOTES_KEY "armilla-notes"

void
armilla_stage_set_names (ArmillaMapHeader *header, const char *const *names)
{
  for (int i = 0; i < header->n_fields; i++)
    {
      g_free (header->names[i]);
      header->names[i] = g_strdup (names[i]);
    }
}

void
armilla_stage_set_unit (ArmillaMapHeader *header, const char *unit)
{
  for (int i = 0; i < header->n_fields; i++)
    {
      g_free (header->units[i]);
      header->units[i] = g_strdup (unit != NULL ? unit : "");
    }
}

void
armilla_stage_copy_header (ArmillaMap *to, ArmillaMap *from)
{
  ArmillaMapHeader *target = armilla_map_header (to);
  const ArmillaMapHeader *source = armilla_map_header (from);

  target->order = source->order;
  armilla_stage_set_names (target, (const char *const *) source->names);
  for (int i = 0; i < target->n_fields; i++)
    {
      g_free (target->units[i]);
      target->units[i] = g_strdup (source->units[i]);
    }
  armilla_map_set_spins (to, source->spins);
  g_free (target->coordsys);
  target->coordsys = g_strdup (source->coordsys);
  g_free (target->polcconv);
  target->polcconv = g_strdup (source->polcconv);
}

/* A_lm have no field names of their own; with this, the names of a map come back after map2alm
 * and alm2map. @names: names of its fields, kept with it (may be NULL). */
void
armilla_stage_carry_names (ArmillaData *data, const char *const *names)
{
  g_object_set_data_full (G_OBJECT (data), NAMES_KEY, g_strdupv ((char **) names),
                          (GDestroyNotify) g_strfreev);
}

/* Returns what armilla_stage_carry_names() left; NULL if there is none. */
const char *const *
armilla_stage_carried_names (ArmillaData *data)
{
  return g_object_get_data (G_OBJECT (data), NAMES_KEY);
}

void
armilla_stage_note (ArmillaData *data, const char *format, ...)
{
  GPtrArray *notes = g_object_get_data (G_OBJECT (data), NOTES_KEY);
  va_list arguments;

  if (notes == NULL)
    {
      notes = g_ptr_array_new_with_free_func (g_free);
      g_object_set_data_full (G_OBJECT (data), NOTES_KEY, notes,
                              (GDestroyNotify) g_ptr_array_unref);
    }
  va_start (arguments, format);
  g_ptr_array_add (notes, g_strdup_vprintf (format, arguments));
  va_end (arguments);
}

static gboolean
has_note (GPtrArray *notes, const char *line)
{
  return notes != NULL && g_ptr_array_find_with_equal_func (notes, line, g_str_equal, NULL);
}

void
armilla_stage_inherit (ArmillaData *to, ArmillaData *from)
{
  GPtrArray *notes = from != NULL ? g_object_get_data (G_OBJECT (from), NOTES_KEY) : NULL;

  for (guint i = 0; notes != NULL && i < notes->len; i++)
    {
      const char *line = g_ptr_array_index (notes, i);

      if (!has_note (g_object_get_data (G_OBJECT (to), NOTES_KEY), line))
        armilla_stage_note (to, "%s", line);
    }
  if (from != NULL && armilla_stage_carried_names (to) == NULL)
    armilla_stage_carry_names (to, armilla_stage_carried_names (from));
}

ArmillaAlm *
armilla_stage_copy_alm (ArmillaAlm *from, ArmillaAlmLayout layout)
{
  ArmillaAlm *to = armilla_alm_new (layout, armilla_alm_n_fields (from));

  armilla_alm_set_spins (to, armilla_alm_spins (from));
  armilla_alm_set_unit (to, armilla_alm_unit (from));
  armilla_alm_set_coordsys (to, armilla_alm_coordsys (from));
  armilla_stage_inherit (ARMILLA_DATA (to), ARMILLA_DATA (from));
  return to;
}

/* A FITS header holds printable ASCII only. */
static char *
history_line (const char *text)
{
  g_autofree char *ascii = g_utf8_validate (text, -1, NULL)
    ? g_str_to_ascii (text, "C") : g_strdup (text);

  for (char *c = ascii; *c != '\0'; c++)
    if (*c < ' ' || *c > '~')
      *c = *c == '\t' ? ' ' : '?';
  return g_steal_pointer (&ascii);
}

char **
armilla_stage_history (const ArmillaStageContext *context, ArmillaData *data)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new ();
  GPtrArray *notes = g_object_get_data (G_OBJECT (data), NOTES_KEY);

  if (context->program != NULL)
    g_ptr_array_add (lines, history_line (context->program));
  for (guint i = 0; notes != NULL && i < notes->len; i++)
    g_ptr_array_add (lines, history_line (g_ptr_array_index (notes, i)));
  if (context->workflow != NULL)
    {
      g_autofree char *line = g_strdup_printf ("workflow %s, realisation %" G_GINT64_FORMAT,
                                               context->workflow, context->index);

      g_ptr_array_add (lines, history_line (line));
    }
  if (context->workflow_text != NULL)
    {
      g_auto (GStrv) text = g_strsplit (context->workflow_text, "\n", -1);

      for (char **line = text; *line != NULL; line++)
        if (g_strchomp (*line)[0] != '\0')
          g_ptr_array_add (lines, history_line (*line));
    }
  g_ptr_array_add (lines, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&lines), FALSE);
}
