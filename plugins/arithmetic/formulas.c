/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugins/arithmetic/formulas.h"

#include <string.h>

#include "plugins/base/stage-util.h"

#define SHOWN 200 /* maximum bytes of a formula in a message */

static const ArmillaProperty properties[] = {
  { "expression", ARMILLA_TEXT (ArmillaFormulaTexts, expression, NULL),
    "expression for the result, such as sqrt(Q^2 + U^2); several, separated by commas, give "
    "several results",
    ARMILLA_PROPERTY_REQUIRED },
  { "names", ARMILLA_TEXT (ArmillaFormulaTexts, names, ""),
    "names of the results, separated by commas; empty: an expression that is only a name keeps "
    "it, others are called EXPRESSION, or EXPRESSION1 and so on" },
  { "unit", ARMILLA_TEXT (ArmillaFormulaTexts, unit, ""),
    "unit of the results, one for each or for all; empty: derived from the inputs, where terms of "
    "a sum must have the same unit. A given unit is not checked" },
};

void
armilla_formulas_install (ArmillaStageClass *klass, gsize part)
{
  armilla_stage_install (klass, part, properties, G_N_ELEMENTS (properties));
}

/* Returns one word for each of @n expressions; NULL if the text is empty. @one_for_all: a single
 * word is repeated. */
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
          return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                                    "%s = %s has an empty entry; write a value between commas",
                                    property, text);
        }
    }
  return all;
}

/* Maps each name to its index plus 1 in @by_name. Fails if a name occurs twice. */
static gboolean
check_distinct (char *const *names, int n, GHashTable *by_name, GError **error)
{
  for (int i = 0; i < n; i++)
    if (!g_hash_table_insert (by_name, names[i], GINT_TO_POINTER (i + 1)))
      return armilla_fail (error, ARMILLA_ERROR_VALUE,
                           "names: two results are called %s; give each a different name",
                           names[i]);
  return TRUE;
}

/* Returns the index of the expression with this name; -1 if there is none. */
int
armilla_formulas_find (const ArmillaFormulas *self, const char *name)
{
  return GPOINTER_TO_INT (g_hash_table_lookup (self->by_name, name)) - 1;
}

static char *
default_name (const ArmillaFormulas *self, int i, const ArmillaNames *known)
{
  int copied = armilla_expression_copies (self->expression[i]);

  if (copied >= 0 && known->own->pdata[copied] != NULL)
    return g_strdup (known->own->pdata[copied]);
  return self->n == 1 ? g_strdup ("EXPRESSION") : g_strdup_printf ("EXPRESSION%d", i + 1);
}

/* Adds the formula to the error message, truncated if it is long. */
static void
tell_formula (const char *formula, GError **error)
{
  int n = SHOWN;

  if (strlen (formula) > SHOWN)
    {
      while (n > 0 && (formula[n] & 0xc0) == 0x80) /* do not split a UTF-8 character */
        n--;
      g_prefix_error (error, "expression = %.*s...: ", n, formula);
    }
  else if (*formula != 0)
    g_prefix_error (error, "expression = %s: ", formula);
  else
    g_prefix_error (error, "expression: before or after a comma: ");
}

/* Parses a formula, and sets its name and unit unless the user gives them. */
static gboolean
add_formula (ArmillaFormulas *self, int i, ArmillaNames *known, gboolean named, gboolean of_unit,
             GError **error)
{
  g_autofree char *text
    = armilla_formulas_take_numbers (self, known, self->texts[i], !of_unit, error);

  if (text != NULL)
    self->expression[i] = armilla_formulas_parse (known, text, !of_unit, error);
  if (self->expression[i] == NULL)
    {
      tell_formula (self->texts[i], error);
      return FALSE;
    }
  armilla_formulas_need_columns (self, self->expression[i]);
  if (!named)
    self->names[i] = default_name (self, i, known);
  if (!of_unit)
    self->units[i] = g_strdup (armilla_expression_unit (self->expression[i]));
  return TRUE;
}

static void
clear_number (gpointer data)
{
  ArmillaNumber *number = data;

  armilla_expression_free (number->argument);
  g_free (number->text);
  g_free (number->name);
}

/* Parses the expressions of the properties of a stage, whose variables are in @known, and appends
 * their numbers. NULL with an error that begins with the property's name. */
ArmillaFormulas *
armilla_formulas_new (const ArmillaFormulaTexts *texts, ArmillaNames *known, GError **error)
{
  g_autoptr (ArmillaFormulas) self = g_new0 (ArmillaFormulas, 1);
  const gboolean named = texts->names[0] != 0, of_unit = texts->unit[0] != 0;

  self->texts = armilla_expression_split (texts->expression);
  self->n = (int) g_strv_length (self->texts);
  self->n_varying = (int) known->own->len;
  self->expression = g_new0 (ArmillaExpression *, self->n);
  self->by_name = g_hash_table_new (g_str_hash, g_str_equal);
  self->numbers = g_array_new (FALSE, TRUE, sizeof (ArmillaNumber));
  g_array_set_clear_func (self->numbers, clear_number);
  if (named && !(self->names = words_for (texts->names, self->n, FALSE, "names", error)))
    return NULL;
  if (of_unit && !(self->units = words_for (texts->unit, self->n, TRUE, "unit", error)))
    return NULL;
  self->names = named ? self->names : g_new0 (char *, self->n + 1);
  self->units = of_unit ? self->units : g_new0 (char *, self->n + 1);
  for (int i = 0; i < self->n; i++)
    if (!add_formula (self, i, known, named, of_unit, error))
      return NULL;
  self->n_variables = (int) known->own->len;
  return check_distinct (self->names, self->n, self->by_name, error) ? g_steal_pointer (&self)
                                                                     : NULL;
}

/* Checks the syntax of a formula and of the arguments of its reductions. */
static gboolean
check_formula (const char *text, GError **error)
{
  g_autoptr (GPtrArray) arguments = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *rest = armilla_formulas_hide_reductions (text, arguments, error);

  if (rest == NULL || !armilla_expression_check (rest, error))
    return FALSE;
  for (guint i = 0; i < arguments->len; i++)
    if (!armilla_expression_check (g_ptr_array_index (arguments, i), error))
      return FALSE;
  return TRUE;
}

/* Checks the properties as far as possible without knowing the variables. */
gboolean
armilla_formulas_check (const ArmillaFormulaTexts *texts, GError **error)
{
  g_auto (GStrv) parts = armilla_expression_split (texts->expression);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  g_auto (GStrv) words = NULL;
  int n = (int) g_strv_length (parts);

  for (int i = 0; i < n; i++)
    if (!check_formula (parts[i], error))
      {
        tell_formula (parts[i], error);
        return FALSE;
      }
  if (texts->names[0] != 0
      && (!(words = words_for (texts->names, n, FALSE, "names", error))
          || !check_distinct (words, n, seen, error)))
    return FALSE;
  g_clear_pointer (&words, g_strfreev);
  return texts->unit[0] == 0 || (words = words_for (texts->unit, n, TRUE, "unit", error)) != NULL;
}

/* Returns the maximum nesting depth of reductions over elements: 2 for mean((T - mean(T))^2). */
int
armilla_formulas_n_levels (const ArmillaFormulas *self)
{
  int levels = 0;

  for (guint k = 0; k < self->numbers->len; k++)
    levels = MAX (levels, g_array_index (self->numbers, ArmillaNumber, k).level);
  return levels;
}

void
armilla_formulas_free (ArmillaFormulas *self)
{
  for (int i = 0; i < self->n; i++)
    armilla_expression_free (self->expression[i]);
  g_free (self->expression);
  g_array_unref (self->numbers);
  g_hash_table_unref (self->by_name);
  g_strfreev (self->texts);
  g_strfreev (self->names);
  g_strfreev (self->units);
  g_free (self);
}
