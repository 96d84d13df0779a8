/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the numbers in formulas that are the same for all elements (pixels, multipoles, rows):
 * reductions such as mean(T), and values of tables. The text of a reduction is replaced by a name
 * of its value, padded with blanks so that positions in error messages stay right. */
#include <string.h>

#include "plugins/arithmetic/formulas.h"

#define MAX_NUMBERS 99
#define MAX_TEXT 4000 /* maximum length of an expression */
#define CHARACTERS "0123456789_.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

static const char *const reductions[] = {
  [ARMILLA_REDUCE_MEAN] = "mean", [ARMILLA_REDUCE_SUM] = "sum", [ARMILLA_REDUCE_VAR] = "var",
  [ARMILLA_REDUCE_MIN] = "min",   [ARMILLA_REDUCE_MAX] = "max",
};

/* A call of a reduction, such as mean(T): its name begins at @at, its parenthesis is at @open. */
typedef struct {
  ArmillaReduce how;
  gsize at, open, close;
} Call;

/* Finds the next name in text[from .. to); FALSE if there is none. */
static gboolean
next_name (const char *text, gsize *from, gsize to, gsize *length)
{
  while (*from < to)
    {
      *length = MIN (strspn (text + *from, CHARACTERS), to - *from);
      if (*length > 0 && !g_ascii_isdigit (text[*from]) && text[*from] != '.')
        return TRUE;
      *from += MAX (*length, 1);
    }
  return FALSE;
}

/* Returns the position of the parenthesis that closes the one at @open, 0 if there is none; counts
 * the commas between them that are not in other parentheses. */
static gsize
find_close (const char *text, gsize open, gsize to, int *commas)
{
  int depth = 0;

  *commas = 0;
  for (gsize i = open; i < to; i++)
    {
      depth += (text[i] == '(') - (text[i] == ')');
      *commas += text[i] == ',' && depth == 1;
      if (depth == 0)
        return i;
    }
  return 0;
}

/* Returns whether a name is that of a reduction and a parenthesis follows. min and max are
 * reductions if they have one argument. */
static gboolean
find_call (const char *text, gsize at, gsize length, gsize to, Call *call, GError **error)
{
  gsize open = at + length;
  int commas;

  while (open < to && g_ascii_isspace (text[open]))
    open++;
  *call = (Call) { .at = at, .open = open };
  for (gsize k = 0; open < to && text[open] == '(' && k < G_N_ELEMENTS (reductions); k++)
    if (strlen (reductions[k]) == length && strncmp (text + at, reductions[k], length) == 0)
      {
        call->how = (ArmillaReduce) k;
        call->close = find_close (text, open, to, &commas);
        if (call->close == 0 || (commas > 0 && k >= ARMILLA_REDUCE_MIN))
          return FALSE;
        if (commas == 0 && strspn (text + open + 1, " \t\r\n") < call->close - open - 1)
          return TRUE;
        return armilla_fail (error, ARMILLA_ERROR_PARSE, "%s at character %d takes one argument",
                             reductions[k], (int) at + 1);
      }
  return FALSE;
}

/* Called for each reduction in a text; replaces it in @text. */
typedef gboolean (*Found) (gpointer user, char *text, const Call *call, GError **error);

static gboolean
fail_many (GError **error)
{
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "more than %d reductions and values of tables; use several stages",
                       MAX_NUMBERS);
}

static gboolean
each_reduction (char *text, gsize from, gsize to, Found found, gpointer user, GError **error)
{
  gsize length;

  for (; next_name (text, &from, to, &length); from += length)
    {
      GError *local = NULL;
      Call call;

      if (find_call (text, from, length, to, &call, &local))
        {
          if (!each_reduction (text, call.open + 1, call.close, found, user, error)
              || !found (user, text, &call, error))
            return FALSE;
          length = call.close + 1 - from;
        }
      if (local != NULL)
        {
          g_propagate_error (error, local);
          return FALSE;
        }
    }
  return TRUE;
}

/* Returns the argument of a call, preceded by blanks so that it keeps its position in the text. */
static char *
argument_of (const char *text, const Call *call)
{
  char *argument = g_strndup (text, call->close);

  memset (argument, ' ', call->open + 1);
  return argument;
}

/* Overwrites the call by a name and blanks. */
static void
put_name (char *text, const Call *call, const char *name)
{
  memset (text + call->at, ' ', call->close + 1 - call->at);
  memcpy (text + call->at, name, strlen (name));
}

static gboolean
hide (gpointer user, char *text, const Call *call, GError **error)
{
  (void) error;
  g_ptr_array_add (user, argument_of (text, call));
  put_name (text, call, "x");
  return TRUE;
}

/* Replaces the reductions of a formula by names and appends their arguments to @arguments. */
char *
armilla_formulas_hide_reductions (const char *text, GPtrArray *arguments, GError **error)
{
  g_autofree char *rest = g_strdup (text);

  return strlen (rest) > MAX_TEXT
             || each_reduction (rest, 0, strlen (rest), hide, arguments, error)
           ? g_steal_pointer (&rest) : NULL;
}

typedef struct {
  ArmillaFormulas *formulas;
  ArmillaNames *known;
  gboolean with_units;
} Taker;

/* Fails if the text contains a name that only a later input has and that lacks the input's name.
 * The error names both inputs. */
static gboolean
check_others (const ArmillaNames *known, const char *text, GError **error)
{
  g_autoptr (GHashTable) others = g_hash_table_new (g_str_hash, g_str_equal);
  const ArmillaOtherName *other = NULL;
  g_autoptr (GString) has = g_string_new (NULL);
  gsize from = 0, length;

  for (guint i = known->others->len; i-- > 0;)
    {
      ArmillaOtherName *one = &g_array_index (known->others, ArmillaOtherName, i);

      g_hash_table_insert (others, one->name, one);
    }
  for (guint i = 0; i < known->names->len; i++)
    g_hash_table_remove (others,
                         g_array_index (known->names, ArmillaExpressionName, i).name);
  for (; other == NULL && next_name (text, &from, strlen (text), &length); from += length)
    {
      g_autofree char *name = g_strndup (text + from, length);

      other = g_hash_table_lookup (others, name);
    }
  if (other == NULL)
    return TRUE;
  for (int f = 0; f < MIN (known->n_first, 8); f++)
    g_string_append_printf (has, "%s%s", f > 0 ? ", " : "",
                            (const char *) g_ptr_array_index (known->own, f));
  return armilla_fail (error, ARMILLA_ERROR_UNKNOWN,
                       "a name without a prefix denotes a variable of %s, which has no %s (it has "
                       "%s%s); for that of %s write %s.%s", known->first, other->name, has->str,
                       known->n_first > 8 ? " .." : "", other->port, other->port, other->name);
}

ArmillaExpression *
armilla_formulas_parse (const ArmillaNames *known, const char *text, gboolean with_units,
                        GError **error)
{
  GError *local = NULL;
  ArmillaExpression *expression = armilla_expression_new (
    text, (const ArmillaExpressionName *) (gconstpointer) known->names->data,
    (int) known->names->len, with_units ? (const char *const *) known->units->pdata : NULL,
    (int) known->own->len, &local);

  if (g_error_matches (local, ARMILLA_ERROR, ARMILLA_ERROR_UNKNOWN)
      && !check_others (known, text, error))
    g_clear_error (&local);
  if (local != NULL)
    g_propagate_error (error, local);
  return expression;
}

/* Records which values of tables an expression reads, other than as arguments of reductions. */
void
armilla_formulas_need_columns (ArmillaFormulas *self, const ArmillaExpression *expression)
{
  for (guint k = 0; k < self->numbers->len; k++)
    {
      ArmillaNumber *number = &g_array_index (self->numbers, ArmillaNumber, k);

      number->needed |= armilla_expression_reads (expression, number->variable);
    }
}

static void
add_number (const Taker *taker, ArmillaNumber *number, const char *unit, const char *own)
{
  ArmillaExpressionName entry;

  number->variable = armilla_names_add (taker->known, own, unit);
  entry = (ArmillaExpressionName) { g_strdup (number->name), number->variable };
  g_array_append_val (taker->known->names, entry);
  g_array_append_val (taker->formulas->numbers, *number);
}

/* Finds the kind of a reduction from its argument. If the argument varies from element to element,
 * table.A in it is a single value; otherwise it is a column, over whose rows the reduction runs. */
static gboolean
classify (const Taker *taker, ArmillaNumber *number, const Call *call, GError **error)
{
  ArmillaFormulas *self = taker->formulas;
  gboolean varies = FALSE, rows = FALSE;

  for (int v = 0; v < self->n_varying; v++)
    varies = varies || armilla_expression_reads (number->argument, v);
  for (guint k = 0; k < self->numbers->len; k++)
    {
      ArmillaNumber *other = &g_array_index (self->numbers, ArmillaNumber, k);
      const gboolean column = other->kind == ARMILLA_NUMBER_COLUMN
                              && strchr (strchr (other->name, '.') + 1, '.') == NULL;

      if (!armilla_expression_reads (number->argument, other->variable))
        continue;
      number->level = MAX (number->level, other->level);
      rows |= column;
      other->needed |= varies || !column;
    }
  number->kind = varies ? ARMILLA_NUMBER_REDUCED : ARMILLA_NUMBER_ROWS;
  number->level += varies;
  return varies || rows
         || armilla_fail (error, ARMILLA_ERROR_VALUE,
                          "the argument of %s at character %d is one number; it must vary from "
                          "element to element", reductions[call->how],
                          (int) call->at + 1);
}

/* Returns the unit of the reduction of an argument. */
static char *
unit_of (const Taker *taker, const ArmillaNumber *number)
{
  g_autofree char *square = g_strdup_printf ("(%s)^2", number->text);
  g_autoptr (ArmillaExpression) expression = NULL;

  if (!taker->with_units || number->kind == ARMILLA_NUMBER_ROWS)
    return g_strdup ("");
  if (number->how == ARMILLA_REDUCE_VAR)
    expression = armilla_formulas_parse (taker->known, square, TRUE, NULL);
  return g_strdup (armilla_expression_unit (expression != NULL ? expression : number->argument));
}

static const ArmillaNumber *
find_number (const ArmillaFormulas *self, ArmillaReduce how, const char *text)
{
  for (guint k = 0; k < self->numbers->len; k++)
    {
      const ArmillaNumber *number = &g_array_index (self->numbers, ArmillaNumber, k);

      if (number->kind != ARMILLA_NUMBER_COLUMN && number->how == how
          && strcmp (number->text + strspn (number->text, " "), text + strspn (text, " ")) == 0)
        return number;
    }
  return NULL;
}

static gboolean
take (gpointer user, char *text, const Call *call, GError **error)
{
  const Taker *taker = user;
  ArmillaFormulas *self = taker->formulas;
  ArmillaNumber number = { .how = call->how };
  g_autofree char *argument = argument_of (text, call), *unit = NULL;
  const ArmillaNumber *same = find_number (self, call->how, argument);

  if (same != NULL)
    {
      put_name (text, call, same->name);
      return TRUE;
    }
  if (self->numbers->len >= MAX_NUMBERS)
    return fail_many (error);
  number.argument = armilla_formulas_parse (taker->known, argument, taker->with_units, error);
  if (number.argument == NULL || !classify (taker, &number, call, error))
    {
      armilla_expression_free (number.argument);
      return FALSE;
    }
  number.text = g_steal_pointer (&argument);
  unit = unit_of (taker, &number);
  if (number.kind == ARMILLA_NUMBER_ROWS)
    g_clear_pointer (&number.argument, armilla_expression_free);
  number.name = g_strdup_printf ("%s.%u", reductions[call->how], self->numbers->len + 1);
  put_name (text, call, number.name);
  add_number (taker, &number, unit, NULL);
  return TRUE;
}

/* Finds the values of tables in the text, PORT.COLUMN or PORT.ROW.COLUMN, and adds them to the
 * numbers. */
static gboolean
take_columns (const Taker *taker, const char *text, GError **error)
{
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  const gsize to = strlen (text);
  gsize from = 0, length;

  if (taker->known->tables->len == 0)
    return TRUE;
  for (guint i = 0; i < taker->known->names->len; i++)
    g_hash_table_add (names, g_array_index (taker->known->names, ArmillaExpressionName, i).name);
  for (; next_name (text, &from, to, &length); from += length)
    {
      g_autofree char *name = g_strndup (text + from, length);
      const char *dot = strchr (name, '.');
      ArmillaNumber number = { .kind = ARMILLA_NUMBER_COLUMN, .name = name };
      gboolean of_table = FALSE;

      for (guint t = 0; dot != NULL && dot[1] != '\0' && t < taker->known->tables->len; t++)
        {
          const char *port = g_ptr_array_index (taker->known->tables, t);

          of_table |= strlen (port) == (gsize) (dot - name)
                      && strncmp (port, name, strlen (port)) == 0;
        }
      if (!of_table || g_hash_table_contains (names, name))
        continue;
      if (taker->formulas->numbers->len >= MAX_NUMBERS)
        return fail_many (error);
      number.text = g_strdup (name);
      number.name = g_steal_pointer (&name);
      add_number (taker, &number, "", strrchr (number.name, '.') + 1);
      g_hash_table_add (names, number.name);
    }
  return TRUE;
}

/* Returns the text of a formula with a name in place of each number that is the same for all
 * elements. Appends these numbers to @self, those in arguments of reductions first. */
char *
armilla_formulas_take_numbers (ArmillaFormulas *self, ArmillaNames *known, const char *text,
                               gboolean with_units, GError **error)
{
  Taker taker = { self, known, with_units };
  g_autofree char *rest = g_strdup (text);

  if (strlen (rest) <= MAX_TEXT
      && (!take_columns (&taker, rest, error)
          || !each_reduction (rest, 0, strlen (rest), take, &taker, error)))
    return NULL;
  return g_steal_pointer (&rest);
}
