/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugins/arithmetic/formulas.h"

#include <string.h>

#include "plugins/base/stage-util.h"

#define SHOWN 200 /* bytes of a formula that a message shows */

static void
clear_name (gpointer data)
{
  g_free (((ArmillaExpressionName *) data)->name);
}

ArmillaNames *
armilla_names_new (void)
{
  ArmillaNames *self = g_new0 (ArmillaNames, 1);

  self->names = g_array_new (FALSE, FALSE, sizeof (ArmillaExpressionName));
  g_array_set_clear_func (self->names, clear_name);
  self->own = g_ptr_array_new_with_free_func (g_free);
  self->units = g_ptr_array_new_with_free_func (g_free);
  return self;
}

void
armilla_names_free (ArmillaNames *self)
{
  g_array_unref (self->names);
  g_ptr_array_unref (self->own);
  g_ptr_array_unref (self->units);
  g_free (self);
}

/* A variable, still without a name in expressions. */
int
armilla_names_add (ArmillaNames *self, const char *own, const char *unit)
{
  g_ptr_array_add (self->own, g_strdup (own));
  g_ptr_array_add (self->units, g_strdup (unit != NULL ? unit : ""));
  return (int) self->own->len - 1;
}

/* Has a name of a file in expressions: what is no letter or digit becomes _. The first variable of
 * a name has it. */
void
armilla_names_call (ArmillaNames *self, int variable, const char *prefix, const char *name)
{
  ArmillaExpressionName entry = { NULL, variable };
  g_autofree char *word = g_strdup (name);

  for (char *p = word; *p != 0; p++)
    if (!g_ascii_isalnum (*p))
      *p = '_';
  if (*word == 0)
    return;
  entry.name = prefix != NULL ? g_strconcat (prefix, ".", word, NULL)
               : g_ascii_isdigit (*word) ? g_strconcat ("_", word, NULL) : g_strdup (word);
  g_array_append_val (self->names, entry);
}

/* The same for the field of a map, and the short name that people have for it. */
void
armilla_names_call_field (ArmillaNames *self, int variable, const char *prefix, const char *name)
{
  static const char *const intensities[]
    = { "I_STOKES", "TEMPERATURE", "INTENSITY", "I", "T", "I_MAP", "I_POLARISATION" };
  static const char *const hits[] = { "N_OBS", "HITS", "N_HITS", "NHITS", "NOBS" };
  const char stokes[2] = { armilla_fields_stokes (name), 0 };

  armilla_names_call (self, variable, prefix, name);
  if (stokes[0] != 0)
    armilla_names_call (self, variable, prefix, stokes);
  for (gsize i = 0; i < G_N_ELEMENTS (intensities); i++)
    if (g_ascii_strcasecmp (name, intensities[i]) == 0)
      {
        armilla_names_call (self, variable, prefix, "T");
        armilla_names_call (self, variable, prefix, "I");
      }
  for (gsize i = 0; i < G_N_ELEMENTS (hits); i++)
    if (g_ascii_strcasecmp (name, hits[i]) == 0)
      armilla_names_call (self, variable, prefix, "hits");
}

/* The same for spectra, which HEALPix and healpy name in words. */
void
armilla_names_call_spectrum (ArmillaNames *self, int variable, const char *prefix,
                             const char *name)
{
  const char *pair = armilla_spectrum_pair (name);

  armilla_names_call (self, variable, prefix, name);
  if (pair != name)
    armilla_names_call (self, variable, prefix, pair);
}

static const ArmillaProperty properties[] = {
  { "expression", ARMILLA_TEXT (ArmillaFormulaTexts, expression, NULL),
    "what comes out, such as sqrt(Q^2 + U^2); several, separated by commas, give as many",
    ARMILLA_PROPERTY_REQUIRED },
  { "names", ARMILLA_TEXT (ArmillaFormulaTexts, names, ""),
    "a name for each, separated by commas; empty: what an expression only names keeps its name, "
    "others are EXPRESSION, or EXPRESSION1 and so on" },
  { "unit", ARMILLA_TEXT (ArmillaFormulaTexts, unit, ""),
    "unit of what comes out, one for each or for all; empty: that which follows from the inputs, "
    "of which no sum may have two. What the user says is not checked" },
};

void
armilla_formulas_install (ArmillaStageClass *klass, gsize part)
{
  armilla_stage_install (klass, part, properties, G_N_ELEMENTS (properties));
}

/* One word for each of @n, or one for all; NULL where there are none. */
static char **
words_for (const char *text, int n, gboolean one_for_all, const char *property, GError **error)
{
  g_auto (GStrv) words = armilla_stage_words (text);
  guint found = g_strv_length (words);
  char **all;

  if (found != (guint) n && !(one_for_all && found == 1))
    return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                              "%s = %s lists %u, but expression lists %d", property, text, found,
                              n);
  all = g_new0 (char *, n + 1);
  for (int i = 0; i < n; i++)
    {
      all[i] = g_strdup (words[found == 1 ? 0 : i]);
      if (*all[i] == 0)
        {
          g_strfreev (all);
          return armilla_fail_null (error, ARMILLA_ERROR_VALUE, "%s = %s has an empty word",
                                    property, text);
        }
    }
  return all;
}

static gboolean
check_distinct (const ArmillaFormulas *self, GError **error)
{
  for (int i = 0; i < self->n; i++)
    if (!g_hash_table_insert (self->numbers, self->names[i], GINT_TO_POINTER (i + 1)))
      return armilla_fail (error, ARMILLA_ERROR_VALUE,
                           "names: two of what comes out are called %s; give each a name",
                           self->names[i]);
  return TRUE;
}

/* The expression that makes what has this name; -1 for none. */
int
armilla_formulas_find (const ArmillaFormulas *self, const char *name)
{
  return GPOINTER_TO_INT (g_hash_table_lookup (self->numbers, name)) - 1;
}

static char *
default_name (const ArmillaFormulas *self, int i, const ArmillaNames *known)
{
  int copied = armilla_expression_copies (self->expression[i]);

  if (copied >= 0)
    return g_strdup (known->own->pdata[copied]);
  return self->n == 1 ? g_strdup ("EXPRESSION") : g_strdup_printf ("EXPRESSION%d", i + 1);
}

/* Of a long one, how it begins. */
static void
tell_formula (const char *formula, GError **error)
{
  int n = SHOWN;

  if (strlen (formula) > SHOWN)
    {
      while (n > 0 && (formula[n] & 0xc0) == 0x80) /* within a character of UTF-8 */
        n--;
      g_prefix_error (error, "expression = %.*s...: ", n, formula);
    }
  else if (*formula != 0)
    g_prefix_error (error, "expression = %s: ", formula);
  else
    g_prefix_error (error, "expression: before or after a comma: ");
}

/* The expressions that the properties of a stage say, in what @known has; NULL with an error that
 * begins with the name of the property. */
ArmillaFormulas *
armilla_formulas_new (const ArmillaFormulaTexts *texts, const ArmillaNames *known, GError **error)
{
  g_autoptr (ArmillaFormulas) self = g_new0 (ArmillaFormulas, 1);
  const gboolean named = texts->names[0] != 0, of_unit = texts->unit[0] != 0;

  self->texts = armilla_expression_split (texts->expression);
  self->n = (int) g_strv_length (self->texts);
  self->n_variables = (int) known->own->len;
  self->expression = g_new0 (ArmillaExpression *, self->n);
  self->numbers = g_hash_table_new (g_str_hash, g_str_equal);
  if (named && !(self->names = words_for (texts->names, self->n, FALSE, "names", error)))
    return NULL;
  if (of_unit && !(self->units = words_for (texts->unit, self->n, TRUE, "unit", error)))
    return NULL;
  self->names = named ? self->names : g_new0 (char *, self->n + 1);
  self->units = of_unit ? self->units : g_new0 (char *, self->n + 1);
  for (int i = 0; i < self->n; i++)
    {
      self->expression[i] = armilla_expression_new (
        self->texts[i], (const ArmillaExpressionName *) (gconstpointer) known->names->data,
        (int) known->names->len, of_unit ? NULL : (const char *const *) known->units->pdata,
        self->n_variables, error);
      if (self->expression[i] == NULL)
        {
          tell_formula (self->texts[i], error);
          return NULL;
        }
      if (!named)
        self->names[i] = default_name (self, i, known);
      if (!of_unit)
        self->units[i] = g_strdup (armilla_expression_unit (self->expression[i]));
    }
  return check_distinct (self, error) ? g_steal_pointer (&self) : NULL;
}

/* What can be said before the names are known. */
gboolean
armilla_formulas_check (const ArmillaFormulaTexts *texts, GError **error)
{
  g_auto (GStrv) parts = armilla_expression_split (texts->expression);
  g_auto (GStrv) words = NULL;
  int n = (int) g_strv_length (parts);

  for (int i = 0; i < n; i++)
    if (!armilla_expression_check (parts[i], error))
      {
        tell_formula (parts[i], error);
        return FALSE;
      }
  if (texts->names[0] != 0 && !(words = words_for (texts->names, n, FALSE, "names", error)))
    return FALSE;
  g_clear_pointer (&words, g_strfreev);
  return texts->unit[0] == 0 || (words = words_for (texts->unit, n, TRUE, "unit", error)) != NULL;
}

void
armilla_formulas_free (ArmillaFormulas *self)
{
  for (int i = 0; i < self->n; i++)
    armilla_expression_free (self->expression[i]);
  g_free (self->expression);
  g_hash_table_unref (self->numbers);
  g_strfreev (self->texts);
  g_strfreev (self->names);
  g_strfreev (self->units);
  g_free (self);
}
