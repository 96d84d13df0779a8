/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expressions and what is wrong with them. muParser keeps the texts of its errors in static memory,
 * so they are not asked for. */
#include <string.h>

#include "core/expressions/expression-private.h"
#include "core/expressions/expression.h"

#define LONGEST_NAME 64
#define LONGEST_TEXT 4000
/* Names listed in a message. */
#define LISTED 24

struct _ArmillaExpression {
  char *text, *unit;
  GHashTable *names; /* those that it uses -> number of the variable, plus 1 */
  int n_variables, copies;
  ArmillaExpressionUse *uses;
  ArmillaExpressionProgram *program;
};

/* What an expression may name. */
typedef struct {
  const ArmillaExpressionName *names;
  int n;
} Known;

/* Whether an expression can have the name: not a constant's, nor too long. */
static gboolean
is_usable (const char *name)
{
  const gsize n = strlen (name);

  return n > 0 && n <= LONGEST_NAME && strspn (name, ARMILLA_EXPRESSION_CHARACTERS) == n
         && *name != '.' && !g_ascii_isdigit (*name) && !armilla_expression_is_constant (name);
}

/* Letters to change, put in or leave out to make @b of @a, whatever their case. */
static guint
distance (const char *a, const char *b)
{
  gsize n = strlen (b);
  g_autofree guint *row = g_new (guint, n + 1);

  for (gsize j = 0; j <= n; j++)
    row[j] = (guint) j;
  for (gsize i = 0; a[i] != 0; i++)
    {
      guint corner = row[0]++;

      for (gsize j = 0; j < n; j++)
        {
          guint change = corner + (g_ascii_tolower (a[i]) != g_ascii_tolower (b[j]));

          corner = row[j + 1];
          row[j + 1] = MIN (change, MIN (row[j], row[j + 1]) + 1);
        }
    }
  return row[n];
}

static void
consider (const char *wanted, const char *name, const char **best, guint *least)
{
  guint d = distance (wanted, name);

  if (d < *least)
    {
      *least = d;
      *best = name;
    }
}

/* The name that is most like @wanted, which is @called if a function must be meant; NULL where none
 * is. */
static const char *
nearest (const Known *known, const char *wanted, gboolean called)
{
  guint least = 1 + (guint) MIN (strlen (wanted) + 1, 6) / 2;
  const char *best = NULL;

  for (int i = 0; !called && i < known->n; i++)
    if (is_usable (known->names[i].name))
      consider (wanted, known->names[i].name, &best, &least);
  for (const ArmillaExpressionFunction *f = armilla_expression_functions; f->name != NULL; f++)
    consider (wanted, f->name, &best, &least);
  return best;
}

/* Names that could be meant: "T, Q, U". */
static GString *
list_known (const Known *known, gboolean called)
{
  g_autoptr (GHashTable) listed = g_hash_table_new (g_str_hash, g_str_equal);
  GString *list = g_string_new (NULL);

  for (int i = 0; !called && i < known->n && g_hash_table_size (listed) <= LISTED; i++)
    {
      const char *name = known->names[i].name;

      if (!is_usable (name) || !g_hash_table_add (listed, (gpointer) name))
        continue;
      if (g_hash_table_size (listed) > LISTED)
        g_string_append (list, " ..");
      else
        g_string_append_printf (list, "%s%s", list->len > 0 ? ", " : "", name);
    }
  for (const ArmillaExpressionFunction *f = armilla_expression_functions; called && f->name; f++)
    g_string_append_printf (list, "%s%s", list->len > 0 ? ", " : "", f->name);
  return list;
}

static gboolean
fail_unknown (const char *text, const Known *known, gsize at, GError **error)
{
  gsize length = strspn (text + at, ARMILLA_EXPRESSION_CHARACTERS);
  const gboolean called = text[at + length] == '(';
  g_autofree char *name = g_strndup (text + at, length);
  g_autoptr (GString) list = list_known (known, called);
  const char *like;

  if (length == 0)
    return armilla_fail (error, ARMILLA_ERROR_PARSE, "character %d means nothing here",
                         (int) at + 1);
  if (armilla_expression_function (name, length) != NULL)
    return armilla_fail (error, ARMILLA_ERROR_PARSE, "after %s, character %d, there must be (",
                         name, (int) (at + length) + 1);
  like = nearest (known, name, called);
  return armilla_fail (error, ARMILLA_ERROR_UNKNOWN,
                       "nothing is called \"%s\" (character %d)%s%s%s; there is %s", name,
                       (int) at + 1, like != NULL ? "; is it " : "", like != NULL ? like : "",
                       like != NULL ? "?" : "", list->len > 0 ? list->str : "no variable");
}

/* mu::EErrorCodes, as far as an expression can have them. */
static const char *
meaning (int code)
{
  switch (code)
    {
    case 0: return "an operator cannot stand here";
    case 2: return "it ends too early";
    case 3: return "a comma cannot stand here";
    case 4: return "only a function has several arguments";
    case 5:
    case 6:
    case 12: return "an operator is missing before this";
    case 7: return "this parenthesis cannot stand here";
    case 11: return "a parenthesis is not closed";
    case 14: return "the function takes fewer arguments";
    case 15: return "the function takes more arguments";
    case 25: return "it is empty";
    case 33: return "after ? there must be two values with : between them";
    case 34: return "there is no ? before this :";
    default: return "it is not an expression";
    }
}

static double *
any_variable (const char *name, void *user)
{
  (void) name;
  return user;
}

/* A parser of the text as it was written. */
static muParserHandle_t
new_checker (const ArmillaExpression *self)
{
  static double zero; /* muParser reads variables */
  muParserHandle_t handle = armilla_expression_handle ();
  GHashTableIter iter;
  gpointer name;

  mupDefineConst (handle, "pi", 0);
  mupDefineConst (handle, "UNSEEN", 0);
  mupDefineConst (handle, "NaN", 0);
  if (self->names == NULL)
    mupSetVarFactory (handle, any_variable, &zero);
  else
    g_hash_table_iter_init (&iter, self->names);
  while (self->names != NULL && g_hash_table_iter_next (&iter, &name, NULL))
    mupDefineVar (handle, name, &zero);
  return handle;
}

/* What muParser does not refuse, or refuses where something else is wrong. */
static gboolean
check_text (const char *text, GError **error)
{
  if (strspn (text, " \t\r\n\v\f") == strlen (text))
    return armilla_fail (error, ARMILLA_ERROR_PARSE, "it is empty");
  if (strlen (text) > LONGEST_TEXT)
    return armilla_fail (error, ARMILLA_ERROR_PARSE,
                         "it has more than %d characters; make it with several stages",
                         LONGEST_TEXT);
  for (const char *p = text; *p != 0; p++)
    {
      const int at = (int) (p - text) + 1;

      if (*p == '=' && (p[1] == '=' || (p > text && strchr ("=<>!", p[-1]) != NULL)))
        continue;
      if (*p == '=')
        return armilla_fail (error, ARMILLA_ERROR_PARSE,
                             "= at character %d sets nothing here; to compare, write ==", at);
      if ((*p == '&' || *p == '|') && p[1] != *p && (p == text || p[-1] != *p))
        return armilla_fail (error, ARMILLA_ERROR_PARSE,
                             "%c at character %d must be %c%c", *p, at, *p, *p);
      if (strchr ("\"'#;\\{}[]$@~`", *p) != NULL || (*p & 0x80) != 0
          || (*p < ' ' && !g_ascii_isspace (*p)))
        return armilla_fail (error, ARMILLA_ERROR_PARSE, "character %d means nothing here", at);
    }
  return TRUE;
}

/* Whether muParser understands it, where @self->names says what it names; NULL: all names do. */
static gboolean
check (const ArmillaExpression *self, const Known *known, GError **error)
{
  muParserHandle_t handle = new_checker (self);
  int code = 0, at = 0, n = 0;
  gboolean bad;

  mupSetExpr (handle, self->text);
  mupEvalMulti (handle, &n);
  bad = mupError (handle);
  if (bad)
    {
      code = mupGetErrorCode (handle);
      at = mupGetErrorPos (handle);
    }
  mupRelease (handle);
  if (!bad)
    return n == 1
           || armilla_fail (error, ARMILLA_ERROR_PARSE, "a comma separates several expressions");
  if (code == 1 && at >= 0 && (gsize) at < strlen (self->text))
    return fail_unknown (self->text, known, (gsize) at, error);
  if (at >= 0 && code != 2 && code != 11)
    return armilla_fail (error, ARMILLA_ERROR_PARSE, "%s (character %d)", meaning (code), at + 1);
  return armilla_fail (error, ARMILLA_ERROR_PARSE, "%s", meaning (code));
}

/* The names that the text uses, each with the first variable that has it. */
static void
find_names (ArmillaExpression *self, const Known *known)
{
  g_autoptr (GHashTable) wanted = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  const char *at = self->text;
  ArmillaOperand kind;
  gsize length = 0;

  while ((at = armilla_expression_operand (at + length, &length, &kind)) != NULL)
    if (kind == ARMILLA_OPERAND_NAME)
      g_hash_table_add (wanted, g_strndup (at, length));
  for (int i = 0; i < known->n; i++)
    if (g_hash_table_contains (wanted, known->names[i].name) && is_usable (known->names[i].name)
        && !g_hash_table_contains (self->names, known->names[i].name))
      g_hash_table_insert (self->names, g_strdup (known->names[i].name),
                           GINT_TO_POINTER (known->names[i].variable + 1));
}

static void
find_copy (ArmillaExpression *self)
{
  g_autofree char *word = g_strstrip (g_strdup (self->text));

  self->copies = GPOINTER_TO_INT (g_hash_table_lookup (self->names, word)) - 1;
}

/* The text, in which blanks between a name and the parenthesis after it come behind that. */
static char *
join_calls (const char *text)
{
  char *joined = g_strdup (text);

  for (char *p = joined; (p = strchr (p, '(')) != NULL; p++)
    {
      char *end = p, *start;

      while (end > joined && g_ascii_isspace (end[-1]))
        end--;
      for (start = end; start > joined && strchr (ARMILLA_EXPRESSION_CHARACTERS, start[-1]);)
        start--;
      if (start == end || end == p || g_ascii_isdigit (*start) || *start == '.')
        continue;
      *p = ' ';
      *end = '(';
    }
  return joined;
}

/* The unit as one of the variables has it, where it is the same: MJy/sr stays so. */
static char *
name_unit (const ArmillaExpression *self, const ArmillaUnit *unit, const char *const *units)
{
  for (int i = 0; units != NULL && i < self->n_variables; i++)
    {
      ArmillaUnit own;

      if (!self->uses[i].read)
        continue;
      own = armilla_unit_parse (units[i]);
      if (own.kind == ARMILLA_UNIT_KNOWN && armilla_unit_equal (&own, unit))
        return g_strdup (units[i]);
    }
  return armilla_unit_format (unit);
}

/* Numbers, variables, pi, UNSEEN and NaN; + - * / ^; == != < <= > >=; && || !; ? :; parentheses,
 * and functions: sqrt, abs, floor, ceil, rint, hypot, min, max, sign, exp, log (natural), log10,
 * log2, sin, cos, tan, asin, acos, atan, atan2, sinh, cosh, tanh, where (condition, yes, no) and
 * isunseen (x). What is compared, added, subtracted, or given together to min, max, hypot, atan2
 * and where must not have two units. Returns the expression; ARMILLA_ERROR_PARSE,
 * ARMILLA_ERROR_UNKNOWN for a name, ARMILLA_ERROR_VALUE for units; the message begins in the
 * middle of a sentence, for the caller to say which expression it is; NULL on error. */
ArmillaExpression *
armilla_expression_new (const char *text, const ArmillaExpressionName *names, int n_names,
                        const char *const *units, int n_variables, GError **error)
{
  g_autoptr (ArmillaExpression) self = g_new0 (ArmillaExpression, 1);
  const Known known = { names, n_names };
  ArmillaUnit unit;

  self->text = join_calls (text);
  self->n_variables = n_variables;
  self->uses = g_new0 (ArmillaExpressionUse, MAX (n_variables, 1));
  self->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  if (!check_text (self->text, error))
    return NULL;
  find_names (self, &known);
  if (!check (self, &known, error)
      || !armilla_expression_walk (self->text, self->names, units, self->uses, &unit, error)
      || !(self->program = armilla_expression_program_new (self->text, self->names, error)))
    return NULL;
  find_copy (self);
  self->unit = name_unit (self, &unit, units);
  return g_steal_pointer (&self);
}

/* What can be said before the names of its variables are known. Returns whether it can be an
 * expression, as armilla_expression_new() would say. */
gboolean
armilla_expression_check (const char *text, GError **error)
{
  g_autofree char *joined = join_calls (text);
  const ArmillaExpression self = { .text = joined };
  const Known none = { NULL, 0 };

  return check_text (joined, error) && check (&self, &none, error);
}

void
armilla_expression_free (ArmillaExpression *self)
{
  if (self == NULL)
    return;
  armilla_expression_program_free (self->program);
  g_hash_table_unref (self->names);
  g_free (self->uses);
  g_free (self->unit);
  g_free (self->text);
  g_free (self);
}

/* Returns whether its values are looked at. */
gboolean
armilla_expression_reads (const ArmillaExpression *self, int variable)
{
  return variable < self->n_variables && self->uses[variable].read;
}

/* Returns the variable that it names, where it does nothing else; -1 otherwise. */
int
armilla_expression_copies (const ArmillaExpression *self)
{
  return self->copies;
}

/* Returns its unit, as far as those of the variables tell; "" otherwise. */
const char *
armilla_expression_unit (const ArmillaExpression *self)
{
  return self->unit;
}

/* A value that is UNSEEN or NaN is none. Where a variable that is named has none, neither has
 * the expression: except where it is named only in arguments of isunseen(), and in branches of
 * where() or ?: that are not taken there. Any thread. Returns whether muParser had no complaint. */
gboolean
armilla_expression_evaluate (ArmillaExpression *self, const double *const *values, gint64 n,
                             double *out, GError **error)
{
  if (armilla_expression_program_run (self->program, self->uses, values, n, out, error))
    return TRUE;
  g_prefix_error (error, "%s: ", self->text);
  return FALSE;
}

/* Commas within parentheses separate arguments. Returns the expressions, without blanks around
 * them. */
char **
armilla_expression_split (const char *text)
{
  g_autoptr (GPtrArray) parts = g_ptr_array_new ();
  const char *from = text;
  int depth = 0;

  for (const char *p = text;; p++)
    {
      depth += (*p == '(') - (*p == ')');
      if (*p != 0 && (*p != ',' || depth > 0))
        continue;
      g_ptr_array_add (parts, g_strstrip (g_strndup (from, (gsize) (p - from))));
      from = p + 1;
      if (*p == 0)
        break;
    }
  g_ptr_array_add (parts, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&parts), FALSE);
}
