/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/fits/fields.h"
#include "plugins/base/stage.h"
#include "plugins/base/stage-util.h"
#include "tasks/data/data.h"

#include <stdarg.h>

void
armilla_stage_set_names (ArmillaMapHeader *header, const char *const *names)
{
  armilla_fields_set_names (&header->fields, names);
}

void
armilla_stage_set_unit (ArmillaMapHeader *header, const char *unit)
{
  armilla_fields_set_unit (&header->fields, unit);
}

/* Copies all metadata except the history; the number of fields must be equal. */
static void
copy_fields (ArmillaFields *to, const ArmillaFields *from)
{
  armilla_fields_set_names (to, (const char *const *) from->names);
  armilla_fields_set_units (to, (const char *const *) from->units);
  armilla_fields_set_spins (to, from->spins);
  armilla_fields_set_coordsys (to, from->coordsys);
  armilla_fields_set_polcconv (to, from->polcconv);
}

void
armilla_stage_copy_header (ArmillaMap *to, ArmillaMap *from)
{
  armilla_map_header (to)->order = armilla_map_header (from)->order;
  copy_fields (&armilla_map_header (to)->fields, &armilla_map_header (from)->fields);
}

/* Finds the connected ones of @n inputs, in their order. Returns their number. */
int
armilla_stage_connected (ArmillaData *const *inputs, int n, ArmillaData **found)
{
  int n_found = 0;

  for (int i = 0; i < n; i++)
    if (inputs[i] != NULL)
      found[n_found++] = inputs[i];
  return n_found;
}

/* Returns a map, a_lm or spectra with the metadata and notes of @from. */
ArmillaData *
armilla_stage_copy (ArmillaData *from)
{
  ArmillaData *to = armilla_data_new_like (from, armilla_data_fields (from)->n);

  copy_fields (armilla_data_fields (to), armilla_data_fields (from));
  armilla_stage_inherit (to, from);
  return to;
}

/* Creates @n output tables that depend on all inputs. */
void
armilla_stage_new_tables (ArmillaData **outputs, int n, ArmillaData *const *inputs, int n_inputs)
{
  for (int i = 0; i < n; i++)
    {
      outputs[i] = ARMILLA_DATA (armilla_table_data_new ());
      for (int k = 0; k < n_inputs; k++)
        armilla_stage_inherit (outputs[i], inputs[k]);
    }
}

void
armilla_stage_note (ArmillaData *data, const char *format, ...)
{
  g_autofree char *line = NULL;
  va_list arguments;

  va_start (arguments, format);
  line = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  armilla_fields_add_history (armilla_data_fields (data), line);
}

static gboolean
has_line (const ArmillaFields *fields, const char *line)
{
  return fields->history != NULL
    && g_strv_contains ((const char *const *) fields->history, line);
}

void
armilla_stage_inherit (ArmillaData *to, ArmillaData *from)
{
  ArmillaFields *fields = armilla_data_fields (to);
  const ArmillaFields *source = from != NULL ? armilla_data_fields (from) : NULL;

  if (source == NULL)
    return;
  for (char **line = source->history; line != NULL && *line != NULL; line++)
    if (!has_line (fields, *line))
      armilla_fields_add_history (fields, *line);
  if (ARMILLA_DATA_GET_CLASS (to)->passes_names && ARMILLA_DATA_GET_CLASS (from)->passes_names
      && fields->n == source->n && armilla_fields_known_names (fields) == NULL)
    armilla_fields_set_names (fields, (const char *const *) source->names);
}

ArmillaAlm *
armilla_stage_copy_alm (ArmillaAlm *from, ArmillaAlmLayout layout)
{
  ArmillaAlm *to = armilla_alm_new (layout, armilla_alm_n_fields (from));

  copy_fields (armilla_data_fields (ARMILLA_DATA (to)), armilla_data_fields (ARMILLA_DATA (from)));
  armilla_stage_inherit (ARMILLA_DATA (to), ARMILLA_DATA (from));
  return to;
}

/* Replaces characters that a FITS header cannot hold, all except printable ASCII. */
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
  char **line = armilla_data_fields (data)->history;

  if (context->program != NULL)
    g_ptr_array_add (lines, history_line (context->program));
  for (; line != NULL && *line != NULL; line++)
    g_ptr_array_add (lines, history_line (*line));
  if (context->workflow != NULL)
    {
      g_autofree char *line = g_strdup_printf ("workflow %s, realisation %" G_GINT64_FORMAT,
                                               context->workflow, context->index);

      g_ptr_array_add (lines, history_line (line));
    }
  if (context->workflow_text != NULL)
    {
      g_auto (GStrv) text = g_strsplit (context->workflow_text, "\n", -1);

      for (line = text; *line != NULL; line++)
        if (g_strchomp (*line)[0] != '\0')
          g_ptr_array_add (lines, history_line (*line));
    }
  g_ptr_array_add (lines, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&lines), FALSE);
}

/* Returns (transfer full) a map of the fields of @alm, with their names, spins, unit and
 * coordinates; fields without a name get the usual one. */
ArmillaMap *
armilla_stage_new_map_of (ArmillaGrid *grid, ArmillaAlm *alm)
{
  static const char *const alone[] = { "TEMPERATURE", NULL };
  static const char *const iqu[] = { "TEMPERATURE", "Q_POLARISATION", "U_POLARISATION", NULL };
  const char *const *names
    = armilla_fields_known_names (armilla_data_fields (ARMILLA_DATA (alm)));
  ArmillaMap *map = armilla_map_new (grid, armilla_alm_n_fields (alm));

  armilla_map_set_spins (map, armilla_alm_spins (alm));
  if (names == NULL && armilla_map_n_fields (map) == 1)
    names = alone;
  if (names == NULL && armilla_stage_is_teb (armilla_alm_spins (alm), armilla_map_n_fields (map)))
    names = iqu;
  if (names != NULL)
    armilla_stage_set_names (armilla_map_header (map), names);
  armilla_stage_set_unit (armilla_map_header (map), armilla_alm_unit (alm));
  armilla_map_header (map)->fields.coordsys = g_strdup (armilla_alm_coordsys (alm));
  armilla_stage_inherit (ARMILLA_DATA (map), ARMILLA_DATA (alm));
  return map;
}
