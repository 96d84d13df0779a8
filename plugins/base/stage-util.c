/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "plugins/base/stage-util.h"

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
          return armilla_fail_null (error, ARMILLA_ERROR_UNKNOWN,
                                    "%s = %s: %s has no column \"%s\"; it has %s; give names or "
                                    "numbers separated by commas, or all", property, text, path,
                                    *word, known->str);
        }
      g_array_append_val (chosen, column);
    }
  if (chosen->len == 0)
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                              "%s is empty; give names or numbers of columns, or all", property);
  return g_steal_pointer (&chosen);
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

/* Whether the name of a node is @name up to a slash. */
static gboolean
is_within (const char *source, const char *name, gsize n)
{
  return source != NULL && strncmp (source, name, n) == 0
         && (source[n] == '\0' || source[n] == '/');
}

/**
 * armilla_stage_table:
 * @context: what the stage is told while it is prepared
 * @path: name of a file
 * @rows: what its rows are
 * @error: return location
 *
 * Reads a beam, a window or the like, once in a run.
 *
 * Returns: (transfer none) (nullable): the table, at least until the stage is prepared; otherwise
 *   as armilla_cl_read_rows()
 */
const ArmillaClTable *
armilla_stage_table (const ArmillaStageContext *context, const char *path, ArmillaClRows rows,
                     GError **error)
{
  g_autofree char *key = g_strdup_printf ("%d %s", (int) rows, path);
  ArmillaClTable *table = g_hash_table_lookup (context->tables, key);

  if (table != NULL)
    return table;
  table = armilla_cl_read_rows (path, rows, error);
  if (table != NULL)
    g_hash_table_insert (context->tables, g_steal_pointer (&key), table);
  return table;
}

/**
 * armilla_stage_source:
 * @context: the run
 * @ports: ports of a stage; those that take data come first
 * @input: number of an input
 *
 * What to call an input in a picture: sky for the node sky, and for sky/harmonics of a short form,
 * unless another input comes from that, too.
 *
 * Returns: (transfer full): the name of the node it comes from, or of the port where nobody knows
 */
char *
armilla_stage_source (const ArmillaStageContext *context, const ArmillaPort *ports, int input)
{
  const char *source = context->sources != NULL ? context->sources[input] : NULL;
  const gsize n = source != NULL ? strcspn (source, "/") : 0;

  if (source == NULL)
    return g_strdup (ports[input].name);
  for (int i = 0; ports[i].name != NULL && ports[i].flags & ARMILLA_PORT_IN; i++)
    if (i != input && is_within (context->sources[i], source, n))
      return g_strdup (source);
  return g_strndup (source, n);
}
