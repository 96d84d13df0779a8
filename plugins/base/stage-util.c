/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "core/catalogues/catalogue.h"
#include "core/fits/fields.h"
#include "plugins/base/stage-util.h"

/* Splits at commas and strips blanks; empty words are kept. */
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

/* Returns the indices of the columns that @text selects, in its order: names (case-insensitive) or
 * numbers from 0, separated by commas; or "all". A column whose name is a number is selected by its
 * name. */
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

/* Returns the indices of the further columns of a catalogue (besides positions, weights, shears and
 * patches) with these names. @property: the property that lists them, for errors. */
GArray *
armilla_stage_value_columns (const ArmillaCatalogue *like, char *const *names,
                             const char *property, GError **error)
{
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (int));

  for (int i = 0; names[i] != NULL; i++)
    {
      const ArmillaCatalogueValue *value = armilla_catalogue_value (like, names[i]);
      g_autoptr (GString) known = g_string_new (NULL);
      int number;

      if (value != NULL)
        {
          number = (int) (value - like->values);
          g_array_append_val (found, number);
          continue;
        }
      for (int k = 0; k < like->n_values; k++)
        g_string_append_printf (known, "%s%s", k > 0 ? ", " : "", like->values[k].name);
      return armilla_fail_null (error, ARMILLA_ERROR_UNKNOWN,
                                "%s: the catalogue has no column %s; %s%s", property, names[i],
                                like->n_values > 0 ? "it has "
                                                   : "name it with values of read-catalogue",
                                known->str);
    }
  return g_steal_pointer (&found);
}

/* Returns whether the spins (NULL: all 0) are those of I, Q, U or T, E, B: a scalar and a pair
 * of spin 2. */
gboolean
armilla_stage_is_teb (const int *spins, int n_fields)
{
  static const int teb[] = { 0, 2, 2 };

  return n_fields == 3 && armilla_fields_equal (spins, teb, 3);
}

/* Returns @value or, if it is an nside, the path of HEALPix's file for that nside, whose name is
 * @stem and the nside in @digits digits. The file is in "data" of ARMILLA_HEALPY_DATA, or of the
 * folder chosen by configure (Debian's healpy-data). @nside: set to the nside, or 0 for a file
 * name. */
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

/* Sets ARMILLA_ERROR_IO: names the missing file, its folder, and the remedy. @limit: why the
 * contents are not computed instead. */
void
armilla_stage_healpix_missing (const char *property, const char *value, const char *path,
                               const char *limit, GError **error)
{
  g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_IO,
               "%s = %s: no %s, and %s; install HEALPix's data (on Debian: healpy-data), set "
               "ARMILLA_HEALPY_DATA to their folder, or name a file",
               property, value, path, limit);
}

/* Returns whether the name of a node begins with @name and a slash. */
static gboolean
is_within (const char *source, const char *name, gsize n)
{
  return source != NULL && strncmp (source, name, n) == 0
         && (source[n] == '\0' || source[n] == '/');
}

static void
free_table (gpointer data)
{
  armilla_cl_table_free (data);
}

/* Returns a small table (beam, window function), which is read once in a run. It lives at least
 * until the stage is prepared. */
const ArmillaClTable *
armilla_stage_table (const ArmillaStageContext *context, const char *path, ArmillaClRows rows,
                     GError **error)
{
  g_autofree char *key = g_strdup_printf ("%d %s", (int) rows, path);
  ArmillaClTable *table = armilla_stage_kept (context, key);

  if (table != NULL)
    return table;
  table = armilla_cl_read_rows (path, rows, error);
  return table != NULL ? armilla_stage_keep (context, key, table, free_table) : NULL;
}

/* Returns the name of an input for a picture: that of its node or, if the node is inside a
 * definition (sky/harmonics), that of the node with the definition (sky), unless another input has
 * it, too. The name of the port if the node is unknown. */
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
