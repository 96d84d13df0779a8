/* SPDX-License-Identifier: GPL-3.0-or-later */
/* muParser's C interface. It keeps an expression's values and stack in its handle, so a handle is
 * one thread's at a time; and its texts of errors in static memory, so they are not asked for.
 * mupError() forgets what it has said. Evaluation of many values at once starts threads of its own
 * where muParser was built with OpenMP, as Debian's is, so values are evaluated one by one. */
#include <math.h>
#include <muParserDLL.h>
#include <string.h>

#include <armilla/fits.h>

#include "core/expressions/expression-private.h"

#define NAME_CHARACTERS \
  "0123456789_.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define LONGEST_NAME 64
#define LONGEST_TEXT 4000
/* Names listed in a message. */
#define LISTED 24

/* One of muParser's parsers and the values that it reads. */
typedef struct {
  muParserHandle_t handle;
  double *values; /* [variable] */
} Parser;

struct _ArmillaExpression {
  char *text, *unit;
  ArmillaExpressionName *names;
  int n_names, n_variables, copies;
  ArmillaExpressionUse *uses;
  GMutex lock;
  GPtrArray *idle; /* Parsers that no thread uses, behind the lock */
};

static void
parser_free (gpointer data)
{
  Parser *parser = data;

  mupRelease (parser->handle);
  g_free (parser->values);
  g_free (parser);
}

static void
define_functions (muParserHandle_t handle)
{
  mupClearFun (handle);
  for (const ArmillaExpressionFunction *f = armilla_expression_functions; f->name != NULL; f++)
    if (f->one != NULL)
      mupDefineFun1 (handle, f->name, f->one, 1);
    else if (f->two != NULL)
      mupDefineFun2 (handle, f->name, f->two, 1);
    else if (f->three != NULL)
      mupDefineFun3 (handle, f->name, f->three, 1);
    else
      mupDefineMultFun (handle, f->name, f->any, 1);
  mupDefineInfixOprt (handle, "!", armilla_expression_not, 1);
  mupClearConst (handle);
  mupDefineConst (handle, "pi", G_PI);
  mupDefineConst (handle, "UNSEEN", NAN);
  mupDefineConst (handle, "NaN", NAN);
}

static Parser *
parser_new (const ArmillaExpression *self, GError **error)
{
  Parser *parser = g_new0 (Parser, 1);

  parser->handle = mupCreate (muBASETYPE_FLOAT);
  parser->values = g_new0 (double, MAX (self->n_variables, 1));
  mupDefineNameChars (parser->handle, NAME_CHARACTERS);
  define_functions (parser->handle);
  for (int i = 0; i < self->n_names; i++)
    mupDefineVar (parser->handle, self->names[i].name, &parser->values[self->names[i].variable]);
  mupSetExpr (parser->handle, self->text);
  if (!mupError (parser->handle))
    return parser;
  g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_PARSE,
               "%s cannot be prepared (muParser says %d)", self->text,
               mupGetErrorCode (parser->handle));
  parser_free (parser);
  return NULL;
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
nearest (const ArmillaExpression *self, const char *wanted, gboolean called)
{
  guint least = 1 + (guint) MIN (strlen (wanted) + 1, 6) / 2;
  const char *best = NULL;

  for (int i = 0; !called && i < self->n_names; i++)
    consider (wanted, self->names[i].name, &best, &least);
  for (const ArmillaExpressionFunction *f = armilla_expression_functions; f->name != NULL; f++)
    consider (wanted, f->name, &best, &least);
  return best;
}

/* Names that could be meant: "T, Q, U". */
static GString *
list_known (const ArmillaExpression *self, gboolean called)
{
  GString *known = g_string_new (NULL);

  for (int i = 0; !called && i < MIN (self->n_names, LISTED); i++)
    g_string_append_printf (known, "%s%s", i > 0 ? ", " : "", self->names[i].name);
  if (!called && self->n_names > LISTED)
    g_string_append (known, " ..");
  for (const ArmillaExpressionFunction *f = armilla_expression_functions; called && f->name; f++)
    g_string_append_printf (known, "%s%s", known->len > 0 ? ", " : "", f->name);
  return known;
}

static gboolean
fail_unknown (const ArmillaExpression *self, gsize at, GError **error)
{
  gsize length = strspn (self->text + at, NAME_CHARACTERS);
  const gboolean called = self->text[at + length] == '(';
  g_autofree char *name = g_strndup (self->text + at, length);
  g_autoptr (GString) known = list_known (self, called);
  const char *like;

  if (length == 0)
    return armilla_fail (error, ARMILLA_ERROR_PARSE, "character %d means nothing here",
                         (int) at + 1);
  if (armilla_expression_function (name, length) != NULL)
    return armilla_fail (error, ARMILLA_ERROR_PARSE, "after %s, character %d, there must be (",
                         name, (int) (at + length) + 1);
  like = nearest (self, name, called);
  return armilla_fail (error, ARMILLA_ERROR_UNKNOWN,
                       "nothing is called \"%s\" (character %d)%s%s%s; there is %s", name,
                       (int) at + 1, like != NULL ? "; is it " : "", like != NULL ? like : "",
                       like != NULL ? "?" : "", known->len > 0 ? known->str : "no variable");
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
      if (strchr ("\"'#;\\{}[]$@~`", *p) != NULL || *p < 0
          || (*p < ' ' && !g_ascii_isspace (*p)))
        return armilla_fail (error, ARMILLA_ERROR_PARSE, "character %d means nothing here", at);
    }
  return TRUE;
}

static gboolean
check (const ArmillaExpression *self, Parser *parser, GError **error)
{
  int code, at, n = 0;

  mupEvalMulti (parser->handle, &n);
  if (!mupError (parser->handle))
    return n == 1
           || armilla_fail (error, ARMILLA_ERROR_PARSE, "a comma separates several expressions");
  code = mupGetErrorCode (parser->handle);
  at = mupGetErrorPos (parser->handle);
  if (code == 1 && at >= 0 && (gsize) at < strlen (self->text))
    return fail_unknown (self, (gsize) at, error);
  if (at >= 0 && code != 2 && code != 11)
    return armilla_fail (error, ARMILLA_ERROR_PARSE, "%s (character %d)", meaning (code), at + 1);
  return armilla_fail (error, ARMILLA_ERROR_PARSE, "%s", meaning (code));
}

/* A name for muParser: not a constant's, nor too long. */
static gboolean
is_usable (const ArmillaExpression *self, const char *name)
{
  const gsize n = strlen (name);

  for (int i = 0; i < self->n_names; i++)
    if (strcmp (self->names[i].name, name) == 0)
      return FALSE;
  return n > 0 && n <= LONGEST_NAME && strspn (name, NAME_CHARACTERS) == n && *name != '.'
         && !g_ascii_isdigit (*name) && !armilla_expression_is_constant (name);
}

static void
find_copy (ArmillaExpression *self)
{
  g_autofree char *word = g_strstrip (g_strdup (self->text));

  self->copies = -1;
  for (int i = 0; i < self->n_names; i++)
    if (strcmp (self->names[i].name, word) == 0)
      self->copies = self->names[i].variable;
}

/* The unit as one of the variables has it, where it is the same: MJy/sr stays so. */
static char *
name_unit (const ArmillaExpression *self, const ArmillaUnit *unit, const char *const *units)
{
  for (int i = 0; units != NULL && i < self->n_variables; i++)
    {
      ArmillaUnit own = armilla_unit_parse (units[i]);

      if (self->uses[i].read && own.kind == ARMILLA_UNIT_KNOWN && armilla_unit_equal (&own, unit))
        return g_strdup (units[i]);
    }
  return armilla_unit_format (unit);
}

/**
 * armilla_expression_new:
 * @text: the formula
 * @names: (array length=n_names): what it may name; of one name for two variables, the first
 *   counts; names that no expression can have, and those of constants, are left out
 * @n_names: how many
 * @units: (array length=n_variables) (nullable): unit of each variable, "" where it is not known;
 *   %NULL: units are not looked at
 * @n_variables: number of variables, 0 to n_variables - 1
 * @error: return location
 *
 * Numbers, variables, pi, UNSEEN and NaN; + - * / ^; == != < <= > >=; && || !; ? :; parentheses,
 * and functions: sqrt, abs, floor, ceil, rint, hypot, min, max, sign, exp, log (natural), log10,
 * log2, sin, cos, tan, asin, acos, atan, atan2, sinh, cosh, tanh, where (condition, yes, no) and
 * isunseen (x). What is compared, added, subtracted, or given together to min, max, hypot, atan2
 * and where must not have two units.
 *
 * Returns: (transfer full) (nullable): the expression; %ARMILLA_ERROR_PARSE, %ARMILLA_ERROR_UNKNOWN
 *   for a name, %ARMILLA_ERROR_VALUE for units; the message begins in the middle of a sentence, for
 *   the caller to say which expression it is
 */
ArmillaExpression *
armilla_expression_new (const char *text, const ArmillaExpressionName *names, int n_names,
                        const char *const *units, int n_variables, GError **error)
{
  g_autoptr (ArmillaExpression) self = g_new0 (ArmillaExpression, 1);
  ArmillaUnit unit;
  Parser *parser;

  g_mutex_init (&self->lock);
  self->idle = g_ptr_array_new_with_free_func (parser_free);
  self->text = g_strdup (text);
  self->n_variables = n_variables;
  self->uses = g_new0 (ArmillaExpressionUse, MAX (n_variables, 1));
  self->names = g_new0 (ArmillaExpressionName, MAX (n_names, 1));
  for (int i = 0; i < n_names; i++)
    if (is_usable (self, names[i].name))
      self->names[self->n_names++]
        = (ArmillaExpressionName) { g_strdup (names[i].name), names[i].variable };
  if (!check_text (text, error))
    return NULL;
  parser = parser_new (self, error);
  if (parser == NULL)
    return NULL;
  g_ptr_array_add (self->idle, parser);
  if (!check (self, parser, error)
      || !armilla_expression_walk (self->text, self->names, self->n_names, units, self->uses,
                                   &unit, error))
    return NULL;
  find_copy (self);
  self->unit = name_unit (self, &unit, units);
  return g_steal_pointer (&self);
}

static double *
any_variable (const char *name, void *user)
{
  (void) name;
  return user;
}

/**
 * armilla_expression_check:
 * @text: a formula
 * @error: return location
 *
 * What can be said before the names of its variables are known.
 *
 * Returns: whether it can be an expression, as armilla_expression_new() would say
 */
gboolean
armilla_expression_check (const char *text, GError **error)
{
  ArmillaExpression self = { .text = (char *) text };
  double zero = 0;
  Parser *parser;
  gboolean good;

  if (!check_text (text, error))
    return FALSE;
  parser = parser_new (&self, error);
  if (parser == NULL)
    return FALSE;
  mupSetVarFactory (parser->handle, any_variable, &zero);
  good = check (&self, parser, error);
  parser_free (parser);
  return good;
}

/**
 * armilla_expression_free:
 * @self: (transfer full) (nullable): an expression
 */
void
armilla_expression_free (ArmillaExpression *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->idle);
  g_mutex_clear (&self->lock);
  for (int i = 0; i < self->n_names; i++)
    g_free (self->names[i].name);
  g_free (self->names);
  g_free (self->uses);
  g_free (self->unit);
  g_free (self->text);
  g_free (self);
}

/**
 * armilla_expression_reads:
 * @self: an expression
 * @variable: number of a variable
 *
 * Returns: whether its values are looked at
 */
gboolean
armilla_expression_reads (const ArmillaExpression *self, int variable)
{
  return self->uses[variable].read;
}

/**
 * armilla_expression_copies:
 * @self: an expression
 *
 * Returns: the variable that it names, where it does nothing else; -1 otherwise
 */
int
armilla_expression_copies (const ArmillaExpression *self)
{
  return self->copies;
}

/**
 * armilla_expression_unit:
 * @self: an expression
 *
 * Returns: (transfer none): its unit, as far as those of the variables tell; "" otherwise
 */
const char *
armilla_expression_unit (const ArmillaExpression *self)
{
  return self->unit;
}

static Parser *
parser_take (ArmillaExpression *self, GError **error)
{
  Parser *parser = NULL;

  g_mutex_lock (&self->lock);
  if (self->idle->len > 0)
    parser = g_ptr_array_steal_index_fast (self->idle, self->idle->len - 1);
  g_mutex_unlock (&self->lock);
  return parser != NULL ? parser : parser_new (self, error);
}

static void
parser_give (ArmillaExpression *self, Parser *parser)
{
  g_mutex_lock (&self->lock);
  g_ptr_array_add (self->idle, parser);
  g_mutex_unlock (&self->lock);
}

static double
value_at (const ArmillaExpression *self, Parser *parser, const int *read, int n_read,
          const double *const *values, gint64 i)
{
  for (int k = 0; k < n_read; k++)
    {
      double x = values[read[k]][i];

      if (armilla_is_unseen (x))
        x = NAN;
      if (isnan (x) && self->uses[read[k]].needed)
        return NAN;
      parser->values[read[k]] = x;
    }
  return mupEval (parser->handle);
}

/**
 * armilla_expression_evaluate:
 * @self: an expression
 * @values: (array): for each variable, @n values; of those that are not read, anything
 * @n: how many
 * @out: (out) (array length=n): what comes out; NaN where there is no value; may be one of @values
 * @error: return location
 *
 * A value that is UNSEEN or NaN is none. Where a variable that is named has none, neither has the
 * expression: except where it is named only in arguments of isunseen(), and in branches of where()
 * or ?: that are not taken there. Any thread.
 *
 * Returns: whether muParser had no complaint
 */
gboolean
armilla_expression_evaluate (ArmillaExpression *self, const double *const *values, gint64 n,
                             double *out, GError **error)
{
  Parser *parser = parser_take (self, error);
  g_autofree int *read = g_new (int, MAX (self->n_variables, 1));
  gboolean bad;
  int n_read = 0;

  if (parser == NULL)
    return FALSE;
  for (int i = 0; i < self->n_variables; i++)
    if (self->uses[i].read)
      read[n_read++] = i;
  for (gint64 i = 0; i < n; i++)
    out[i] = value_at (self, parser, read, n_read, values, i);
  bad = mupError (parser->handle);
  parser_give (self, parser);
  return !bad
         || armilla_fail (error, ARMILLA_ERROR_NUMERIC, "%s cannot be evaluated", self->text);
}

/**
 * armilla_expression_split:
 * @text: expressions separated by commas
 *
 * Commas within parentheses separate arguments.
 *
 * Returns: (transfer full) (array zero-terminated=1): the expressions, without blanks around them
 */
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
