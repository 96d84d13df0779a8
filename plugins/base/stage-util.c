/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdarg.h>
#include <string.h>

#include "plugins/base/stage-util.h"

#define NAMES_KEY "armilla-field-names"
#define NOTES_KEY "armilla-notes"

/**
 * armilla_stage_enum:
 * @name: (not nullable): name of the type
 * @values: table ended by a NULL name; its nicks are what a workflow file says
 *
 * To be called while a class is initialised, one at a time.
 *
 * Returns: the enumeration type, registered at the first call
 */
GType
armilla_stage_enum (const char *name, const GEnumValue *values)
{
  GType type = g_type_from_name (name);

  return type != G_TYPE_INVALID ? type : g_enum_register_static (name, values);
}

/**
 * armilla_stage_words:
 * @text: (nullable): words separated by commas
 *
 * Returns: (transfer full): the words without the blanks around them; empty words are kept
 */
char **
armilla_stage_words (const char *text)
{
  char **words = g_strsplit (text != NULL ? text : "", ",", -1);

  for (char **word = words; *word != NULL; word++)
    g_strstrip (*word);
  return words;
}

static int
find_column (const char *word, const char *const *names, int n_names)
{
  gint64 number;

  for (int i = 0; i < n_names; i++)
    if (g_ascii_strcasecmp (word, names[i]) == 0)
      return i;
  if (g_ascii_string_to_signed (word, 10, 0, n_names - 1, &number, NULL))
    return (int) number;
  return -1;
}

/**
 * armilla_stage_columns:
 * @text: names or numbers (from 0) of columns separated by commas, or "all"
 * @names: (array length=n_names): what the columns are called
 * @n_names: how many there are, at least 1
 * @property: name of the property, for messages
 * @path: name of the file, for messages
 * @error: return location; %ARMILLA_ERROR_UNKNOWN for a column that is not there
 *
 * Names are compared without regard to case, and before numbers.
 *
 * Returns: (transfer full) (element-type int): numbers of the columns chosen, in the order given
 */
GArray *
armilla_stage_columns (const char *text, const char *const *names, int n_names,
                       const char *property, const char *path, GError **error)
{
  g_autoptr (GArray) chosen = g_array_new (FALSE, FALSE, sizeof (int));
  g_auto (GStrv) words = armilla_stage_words (text);

  if (words[0] != NULL && words[1] == NULL && g_ascii_strcasecmp (words[0], "all") == 0
      && find_column ("all", names, n_names) < 0)
    {
      for (int i = 0; i < n_names; i++)
        g_array_append_val (chosen, i);
      return g_steal_pointer (&chosen);
    }
  for (char **word = words; *word != NULL; word++)
    {
      int column = find_column (*word, names, n_names);

      if (column < 0)
        {
          g_autoptr (GString) known = g_string_new (NULL);

          for (int i = 0; i < n_names; i++)
            g_string_append_printf (known, "%s%d%s%s", i > 0 ? ", " : "", i,
                                    names[i][0] != '\0' ? " " : "", names[i]);
          g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_UNKNOWN,
                       "%s = %s: %s has no column \"%s\"; it has %s; give names or numbers "
                       "separated by commas, or all", property, text, path, *word, known->str);
          return NULL;
        }
      g_array_append_val (chosen, column);
    }
  if (chosen->len == 0)
    {
      g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_VALUE,
                   "%s is empty; give names or numbers of columns, or all", property);
      return NULL;
    }
  return g_steal_pointer (&chosen);
}

/**
 * armilla_stage_set_names:
 * @header: a header
 * @names: (array length=header->n_fields): names to copy into it
 */
void
armilla_stage_set_names (ArmillaMapHeader *header, const char *const *names)
{
  for (int i = 0; i < header->n_fields; i++)
    {
      g_free (header->names[i]);
      header->names[i] = g_strdup (names[i]);
    }
}

/**
 * armilla_stage_set_unit:
 * @header: a header
 * @unit: (nullable): unit of every field
 */
void
armilla_stage_set_unit (ArmillaMapHeader *header, const char *unit)
{
  for (int i = 0; i < header->n_fields; i++)
    {
      g_free (header->units[i]);
      header->units[i] = g_strdup (unit != NULL ? unit : "");
    }
}

/**
 * armilla_stage_is_teb:
 * @spins: (array length=n_fields) (nullable): spin of each field
 * @n_fields: number of fields
 *
 * Returns: whether they are a scalar and a pair of spin 2: I, Q and U of a map; T, E and B of a_lm
 */
gboolean
armilla_stage_is_teb (const int *spins, int n_fields)
{
  static const int teb[] = { 0, 2, 2 };

  return n_fields == 3 && armilla_fields_equal (spins, teb, 3);
}

/**
 * armilla_stage_copy_header:
 * @to: a map with as many fields as @from
 * @from: a map
 *
 * Copies what a header says of the pixels' meaning: order for files, names, units, spins,
 * coordinates.
 */
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

/**
 * armilla_stage_copy_alm:
 * @from: a_lm
 * @layout: layout of the new ones
 *
 * Returns: (transfer full): a_lm with the fields, spins, unit, coordinates, field names and notes
 *   of @from
 */
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

/**
 * armilla_stage_carry_names:
 * @data: data
 * @names: (nullable): names of its fields, kept with it
 *
 * a_lm have no field names of their own; with this, the names of a map come back after
 * map2alm and alm2map.
 */
void
armilla_stage_carry_names (ArmillaData *data, const char *const *names)
{
  g_object_set_data_full (G_OBJECT (data), NAMES_KEY, g_strdupv ((char **) names),
                          (GDestroyNotify) g_strfreev);
}

/**
 * armilla_stage_carried_names:
 * @data: data
 *
 * Returns: (nullable) (transfer none): what armilla_stage_carry_names() left
 */
const char *const *
armilla_stage_carried_names (ArmillaData *data)
{
  return g_object_get_data (G_OBJECT (data), NAMES_KEY);
}

/**
 * armilla_stage_note:
 * @data: data
 * @format: printf format of a line for HISTORY of every file made from @data
 */
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

/**
 * armilla_stage_inherit:
 * @to: data made from @from
 * @from: (nullable): data
 *
 * Adds the notes of @from, and field names when @to has none, to @to.
 */
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

/**
 * armilla_stage_history:
 * @context: the run
 * @data: what will be written
 *
 * Returns: (transfer full): lines for HISTORY: the program and its version, the notes of @data
 *   (seeds), the realisation, and the workflow with its text
 */
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

/**
 * armilla_stage_healpix_file:
 * @value: name of a file, or a number that stands for an nside
 * @stem: beginning of the files' names, before the nside
 * @digits: digits of the nside in them
 * @nside: (out): the nside; 0 when @value is no number
 *
 * Of a number: where the file should be, in the folder "data" of the folder that
 * ARMILLA_HEALPY_DATA names, or of the one that was chosen by configure (Debian's healpy-data).
 *
 * Returns: (transfer full): name of the file
 */
char *
armilla_stage_healpix_file (const char *value, const char *stem, int digits, gint64 *nside)
{
  const char *folder = g_getenv ("ARMILLA_HEALPY_DATA");
  g_autofree char *name = NULL;

  *nside = 0;
  if (!g_ascii_string_to_signed (value, 10, 1, G_GINT64_CONSTANT (1) << 29, nside, NULL))
    return g_strdup (value);
  name = g_strdup_printf ("%s%0*d.fits", stem, digits, (int) *nside);
  return g_build_filename (folder != NULL && folder[0] != '\0' ? folder : HEALPY_DATA, "data",
                           name, NULL);
}

/**
 * armilla_stage_healpix_missing:
 * @property: name of the property
 * @value: its value
 * @path: where armilla_stage_healpix_file() says that the file should be
 * @limit: why what the file holds is not computed
 * @error: return location
 *
 * Sets %ARMILLA_ERROR_IO: what is missing, where, and what to do.
 */
void
armilla_stage_healpix_missing (const char *property, const char *value, const char *path,
                               const char *limit, GError **error)
{
  g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO,
               "%s = %s: there is no %s, and %s; install HEALPix's data (on Debian: healpy-data), "
               "name their folder in ARMILLA_HEALPY_DATA, or give the name of a file",
               property, value, path, limit);
}
