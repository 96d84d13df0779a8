/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expressions and their error messages. muParser's own messages are not used, because they are in
 * static memory. */
#include <string.h>

#include "core/base/suggest.h"
#include "core/expressions/expression-private.h"
#include "core/expressions/expression.h"

#define MAX_NAME 64
#define MAX_TEXT 4000
/* maximum number of names listed in a message */
#define LISTED 24

struct _ArmillaExpression {
  char *text, *unit;
  GHashTable *names; /* names that it uses -> number of the variable plus 1 */
  int n_variables, copies;
  ArmillaExpressionUse *uses;
  ArmillaExpressionProgram *program;
};

/* Names that an expression may use. */
typedef struct {
  const ArmillaExpressionName *names;
  int n;
} Known;

/* Returns whether an expression can use the name: not that of a constant, and not too long. */
static gboolean
is_usable (const char *name)
{
  const gsize n = strlen (name);

  return n > 0 && n <= MAX_NAME && strspn (name, ARMILLA_EXPRESSION_CHARACTERS) == n
         && *name != '.' && !g_ascii_isdigit (*name) && !armilla_expression_is_constant (name);
}

/* Returns the known name most similar to @wanted, a function if @called; NULL if none is
 * similar. */
static const char *
nearest (const Known *known, const char *wanted, gboolean called)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (int i = 0; !called && i < known->n; i++)
    if (is_usable (known->names[i].name))
      g_ptr_array_add (names, (gpointer) known->names[i].name);
  for (const ArmillaExpressionFunction *f = armilla_expression_functions; f->name != NULL; f++)
    g_ptr_array_add (names, (gpointer) f->name);
  g_ptr_array_add (names, NULL);
  return armilla_suggest (wanted, (const char *const *) names->pdata);
}

/* Lists the names that may be used: "T, Q, U". */
static char *
list_known (const Known *known)
{
  g_autoptr (GHashTable) listed = g_hash_table_new (g_str_hash, g_str_equal);
  GString *list = g_string_new (NULL);

  for (int i = 0; i < known->n && g_hash_table_size (listed) <= LISTED; i++)
    {
      const char *name = known->names[i].name;

      if (!is_usable (name) || !g_hash_table_add (listed, (gpointer) name))
        continue;
      if (g_hash_table_size (listed) > LISTED)
        g_string_append (list, " ..");
      else
        g_string_append_printf (list, "%s%s", list->len > 0 ? ", " : "", name);
    }
  return g_string_free (list, FALSE);
}

static gboolean
fail_unknown (const char *text, const Known *known, gsize at, GError **error)
{
  gsize length = strspn (text + at, ARMILLA_EXPRESSION_CHARACTERS);
  const gboolean called = text[at + length] == '(';
  g_autofree char *name = g_strndup (text + at, length);
  g_autofree char *list
    = called ? armilla_expression_function_names ((const char *const[]) { NULL })
             : list_known (known);
  const char *like;

  if (length == 0)
    return armilla_fail (error, ARMILLA_ERROR_PARSE, "unexpected character %d",
                         (int) at + 1);
  if (armilla_expression_function (name, length) != NULL)
    return armilla_fail (error, ARMILLA_ERROR_PARSE, "missing ( after %s, character %d",
                         name, (int) (at + length) + 1);
  like = nearest (known, name, called);
  return armilla_fail (error, ARMILLA_ERROR_UNKNOWN,
                       "unknown name \"%s\" (character %d)%s%s%s; known: %s", name,
                       (int) at + 1, like != NULL ? "; is it " : "", like != NULL ? like : "",
                       like != NULL ? "?" : "", *list != 0 ? list : "no variable");
}

/* Returns the text for an error code, one of those of mu::EErrorCodes that an expression can
 * cause. */
static const char *
meaning (int code)
{
  switch (code)
    {
    case 0: return "unexpected operator";
    case 2: return "unexpected end";
    case 3: return "unexpected comma";
    case 4: return "several arguments outside a function call";
    case 5:
    case 6:
    case 12: return "missing operator before this";
    case 7: return "unexpected parenthesis";
    case 11: return "missing closing parenthesis";
    case 14: return "too many arguments of the function";
    case 15: return "too few arguments of the function";
    case 25: return "it is empty";
    case 33: return "missing : after ?; write condition ? value : value";
    case 34: return "missing ? before this :";
    default: return "not an expression";
    }
}

static double *
any_variable (const char *name, void *user)
{
  (void) name;
  return user;
}

/* Returns a parser of the original text. */
static muParserHandle_t
new_checker (const ArmillaExpression *self)
{
  static double zero; /* muParser reads variables */
  muParserHandle_t handle = armilla_expression_handle ((const char *const[]) { NULL });
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

/* Finds errors that muParser does not report, or reports misleadingly. */
static gboolean
check_text (const char *text, GError **error)
{
  if (strspn (text, " \t\r\n\v\f") == strlen (text))
    return armilla_fail (error, ARMILLA_ERROR_PARSE, "it is empty");
  if (strlen (text) > MAX_TEXT)
    return armilla_fail (error, ARMILLA_ERROR_PARSE,
                         "longer than %d characters; split the formula into several stages",
                         MAX_TEXT);
  for (const char *p = text; *p != 0; p++)
    {
      const int at = (int) (p - text) + 1;

      if (*p == '=' && (p[1] == '=' || (p > text && strchr ("=<>!", p[-1]) != NULL)))
        continue;
      if (*p == '=')
        return armilla_fail (error, ARMILLA_ERROR_PARSE,
                             "= at character %d is not an operator; to compare, write ==", at);
      if ((*p == '&' || *p == '|') && p[1] != *p && (p == text || p[-1] != *p))
        return armilla_fail (error, ARMILLA_ERROR_PARSE,
                             "invalid operator %c at character %d; write %c%c", *p, at, *p, *p);
      if (strchr ("\"'#;\\{}[]$@~`", *p) != NULL || (*p & 0x80) != 0
          || (*p < ' ' && !g_ascii_isspace (*p)))
        return armilla_fail (error, ARMILLA_ERROR_PARSE, "unexpected character %d", at);
    }
  return TRUE;
}

/* Returns whether muParser accepts the text with the names of @self->names; NULL: any names. */
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
           || armilla_fail (error, ARMILLA_ERROR_PARSE, "the comma separates several expressions; "
                                                        "must be one");
  if (code == 1 && at >= 0 && (gsize) at < strlen (self->text))
    return fail_unknown (self->text, known, (gsize) at, error);
  if (at >= 0 && code != 2 && code != 11)
    return armilla_fail (error, ARMILLA_ERROR_PARSE, "%s (character %d)", meaning (code), at + 1);
  return armilla_fail (error, ARMILLA_ERROR_PARSE, "%s", meaning (code));
}

/* Collects the names used in the text, each with its first variable. */
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

/* Returns the text with blanks between a function's name and its parenthesis moved after the
 * latter. */
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

/* Returns the unit as spelled by the variable that has it: MJy/sr is kept. */
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

/* Compiles an expression. It consists of numbers, variables, pi, UNSEEN and NaN; + - * / ^; == != <
 * <= > >=; && || !; ? :; parentheses, and functions: sqrt, abs, floor, ceil, rint, hypot, min, max,
 * sign, exp, log (natural), log10, log2, sin, cos, tan, asin, acos, atan, atan2, sinh, cosh, tanh,
 * where (condition, yes, no) and isunseen (x). Values that are compared, added, subtracted, or
 * arguments of one min, max, hypot, atan2 or where must have the same unit. Returns the expression;
 * NULL with ARMILLA_ERROR_PARSE, ARMILLA_ERROR_UNKNOWN for a name or ARMILLA_ERROR_VALUE for units;
 * the caller prefixes the message with the name of the expression. */
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

/* Checks an expression before the names of its variables are known, like
 * armilla_expression_new(). */
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

/* Returns whether the expression uses the variable's values. */
gboolean
armilla_expression_reads (const ArmillaExpression *self, int variable)
{
  return variable < self->n_variables && self->uses[variable].read;
}

/* Returns the variable if the expression is just its name; -1 otherwise. */
int
armilla_expression_copies (const ArmillaExpression *self)
{
  return self->copies;
}

/* Returns its unit, as far as the units of the variables determine it; "" otherwise. */
const char *
armilla_expression_unit (const ArmillaExpression *self)
{
  return self->unit;
}

/* Evaluates the expression. UNSEEN and NaN are missing values; the result is missing if one of the
 * variables is, unless that is named only in arguments of isunseen() or in branches of where() or
 * ?: that are not taken. Thread-safe. Returns FALSE if muParser reports an error. */
gboolean
armilla_expression_evaluate (ArmillaExpression *self, const double *const *values, gint64 n,
                             double *out, GError **error)
{
  if (armilla_expression_program_run (self->program, self->uses, values, n, out, error))
    return TRUE;
  g_prefix_error (error, "%s: ", self->text);
  return FALSE;
}

/* Splits a list of expressions at commas that are not within parentheses, where they separate
 * arguments. Returns the expressions, without blanks around them. */
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
