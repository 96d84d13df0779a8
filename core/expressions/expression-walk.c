/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks over an expression that muParser accepts, and finds its unit, the variables that it reads,
 * and those without which it has no value. The precedence of operators is muParser's. */
#include <string.h>

#include "core/expressions/expression-private.h"

#define DEEPEST 60

/* An occurrence of a variable. */
typedef struct {
  int variable;
  gboolean needed;
} Mark;

/* The operand read last, if it is the whole expression so far. */
typedef enum { SINGLE_NOT, SINGLE_LITERAL, SINGLE_UNSEEN } Single;

typedef struct {
  const char *text, *p;
  GHashTable *names;
  const char *const *units;
  GArray *marks;
  int depth, branches, questions; /* depth in total, in branches of where(), and in isunseen() */
  Single single;
  double literal; /* value of the literal */
} Walk;

static const ArmillaUnit number = { .kind = ARMILLA_UNIT_NUMBER };
static const ArmillaUnit unknown = { .kind = ARMILLA_UNIT_UNKNOWN };

static gboolean walk_choice (Walk *walk, ArmillaUnit *unit, GError **error);
static gboolean walk_power (Walk *walk, ArmillaUnit *unit, GError **error);

static char
next_of (Walk *walk)
{
  while (g_ascii_isspace (*walk->p))
    walk->p++;
  return *walk->p;
}

static gboolean
accept (Walk *walk, const char *token)
{
  gsize n = strlen (token);

  next_of (walk);
  if (strncmp (walk->p, token, n) != 0)
    return FALSE;
  walk->p += n;
  return TRUE;
}

static gboolean
is_name_character (char c)
{
  return g_ascii_isalnum (c) || c == '_' || c == '.';
}

/* Marks the variables from number @from of the marks on as needed: they decide a condition, so
 * that the expression is undefined without them, even within a branch. */
static void
need (Walk *walk, guint from)
{
  for (guint i = from; i < walk->marks->len; i++)
    g_array_index (walk->marks, Mark, i).needed = TRUE;
}

/* Sets @a to the unit of a sum of @a and @b. */
static gboolean
agree (Walk *walk, ArmillaUnit *a, const ArmillaUnit *b, const char *at, GError **error)
{
  g_autofree char *first = NULL, *second = NULL;

  if (walk->units == NULL || a->kind != ARMILLA_UNIT_KNOWN || b->kind != ARMILLA_UNIT_KNOWN
      || armilla_unit_equal (a, b))
    {
      if (b->kind == ARMILLA_UNIT_KNOWN
          || (b->kind == ARMILLA_UNIT_UNKNOWN && a->kind == ARMILLA_UNIT_NUMBER))
        *a = *b;
      return TRUE;
    }
  first = armilla_unit_format (a);
  second = armilla_unit_format (b);
  return armilla_fail (error, ARMILLA_ERROR_VALUE,
                       "the value before character %d is in \"%s\", the one after it in \"%s\"; "
                       "convert one of them by a factor, and set the unit of the result with unit",
                       (int) (at - walk->text) + 1, first, second);
}

static gboolean
walk_arguments (Walk *walk, const ArmillaExpressionFunction *function, ArmillaUnit *unit,
                GError **error)
{
  const gboolean choice = function->rule == ARMILLA_UNITS_CHOICE;
  const gboolean quiet = function->rule == ARMILLA_UNITS_SEEN;
  gboolean good = TRUE;

  *unit = number;
  walk->questions += quiet;
  for (int i = 0; good && (i == 0 || accept (walk, ",")); i++)
    {
      guint from = walk->marks->len;
      const char *at = walk->p;
      ArmillaUnit argument;

      walk->branches += choice && i > 0;
      good = walk_choice (walk, &argument, error);
      walk->branches -= choice && i > 0;
      if (choice && i == 0)
        need (walk, from);
      else if (good && i > (choice ? 1 : 0) && function->rule != ARMILLA_UNITS_PLAIN)
        good = agree (walk, unit, &argument, at, error);
      else
        *unit = argument;
    }
  walk->questions -= quiet;
  accept (walk, ")");
  if (function->rule == ARMILLA_UNITS_ROOT)
    *unit = armilla_unit_power (unit, 0.5);
  else if (function->rule != ARMILLA_UNITS_SAME && !choice)
    *unit = number;
  return good;
}

/* Returns the variable of a name; -1 if there is none. */
static int
find_variable (const Walk *walk, const char *name, gsize length)
{
  g_autofree char *word = g_strndup (name, length);

  return GPOINTER_TO_INT (g_hash_table_lookup (walk->names, word)) - 1;
}

static ArmillaUnit
walk_name (Walk *walk, gsize length)
{
  const int variable = find_variable (walk, walk->p, length);
  Mark mark = { variable, walk->branches == 0 };

  if (variable >= 0)
    {
      if (walk->questions == 0)
        g_array_append_val (walk->marks, mark);
      return walk->units != NULL ? armilla_unit_parse (walk->units[variable]) : unknown;
    }
  if (length == 6 && strncmp (walk->p, "UNSEEN", 6) == 0)
    walk->single = SINGLE_UNSEEN;
  return number;
}

static gboolean
walk_primary (Walk *walk, ArmillaUnit *unit, GError **error)
{
  const ArmillaExpressionFunction *function;
  const char *start;
  gsize length = 0;

  if (accept (walk, "("))
    {
      gboolean good = walk_choice (walk, unit, error);

      accept (walk, ")");
      return good;
    }
  start = walk->p;
  walk->single = SINGLE_NOT;
  if (g_ascii_isdigit (*start) || *start == '.')
    {
      char *end;

      walk->single = SINGLE_LITERAL;
      walk->literal = g_ascii_strtod (start, &end);
      walk->p = end;
      *unit = number;
      return TRUE;
    }
  while (is_name_character (start[length]))
    length++;
  *unit = walk_name (walk, length);
  walk->p += length;
  function = armilla_expression_function (start, length);
  if (function != NULL && accept (walk, "("))
    {
      gboolean good = walk_arguments (walk, function, unit, error);

      walk->single = SINGLE_NOT;
      return good;
    }
  return TRUE;
}

/* Reads a sign: -x^2 is -(x^2). */
static gboolean
walk_sign (Walk *walk, ArmillaUnit *unit, GError **error)
{
  const char c = next_of (walk);
  guint from = walk->marks->len;
  gboolean good;

  if (c == '-' || c == '+' || c == '!')
    walk->p++;
  good = walk_power (walk, unit, error);
  if (c == '-')
    walk->literal = -walk->literal;
  if (c == '!')
    {
      need (walk, from);
      *unit = number;
    }
  return good;
}

static gboolean
walk_power (Walk *walk, ArmillaUnit *unit, GError **error)
{
  ArmillaUnit power;

  if (!walk_primary (walk, unit, error))
    return FALSE;
  if (!accept (walk, "^"))
    return TRUE;
  if (++walk->depth > DEEPEST || !walk_sign (walk, &power, error))
    return FALSE;
  walk->depth--;
  if (walk->single == SINGLE_LITERAL)
    *unit = armilla_unit_power (unit, walk->literal);
  else if (unit->kind == ARMILLA_UNIT_KNOWN)
    *unit = unknown;
  walk->single = SINGLE_NOT;
  return TRUE;
}

static gboolean
walk_product (Walk *walk, ArmillaUnit *unit, GError **error)
{
  ArmillaUnit next;

  if (!walk_sign (walk, unit, error))
    return FALSE;
  for (char c = next_of (walk); c == '*' || c == '/'; c = next_of (walk))
    {
      walk->p++;
      if (!walk_sign (walk, &next, error))
        return FALSE;
      *unit = armilla_unit_product (unit, &next, c == '*' ? 1 : -1);
      walk->single = SINGLE_NOT;
    }
  return TRUE;
}

static gboolean
walk_sum (Walk *walk, ArmillaUnit *unit, GError **error)
{
  ArmillaUnit next;

  if (!walk_product (walk, unit, error))
    return FALSE;
  for (char c = next_of (walk); c == '+' || c == '-'; c = next_of (walk))
    {
      const char *at = walk->p++;

      if (!walk_product (walk, &next, error) || !agree (walk, unit, &next, at, error))
        return FALSE;
      walk->single = SINGLE_NOT;
    }
  return TRUE;
}

/* Reads an operator of one precedence level. */
static const char *
accept_any (Walk *walk, const char *const *operators)
{
  for (int i = 0; operators[i] != NULL; i++)
    if (accept (walk, operators[i]))
      return operators[i];
  return NULL;
}

static gboolean
walk_comparison (Walk *walk, ArmillaUnit *unit, GError **error)
{
  static const char *const operators[] = { "==", "!=", "<=", ">=", "<", ">", NULL };
  const guint from = walk->marks->len;
  gboolean unseen, again = FALSE;
  ArmillaUnit next;

  if (!walk_sum (walk, unit, error))
    return FALSE;
  unseen = walk->single == SINGLE_UNSEEN;
  for (const char *taken = accept_any (walk, operators); taken != NULL;
       taken = accept_any (walk, operators))
    {
      const char *at = walk->p - strlen (taken);

      /* a < b < c would compare 0 or 1 with c */
      if (again)
        return armilla_fail (error, ARMILLA_ERROR_VALUE,
                             "the result of a comparison is compared at character %d; write a < b "
                             "< c as a < b && b < c", (int) (at - walk->text) + 1);
      again = TRUE;
      if (!walk_sum (walk, &next, error) || !agree (walk, unit, &next, at, error))
        return FALSE;
      unseen = unseen || walk->single == SINGLE_UNSEEN;
      if (unseen)
        return armilla_fail (error, ARMILLA_ERROR_VALUE,
                             "a value is compared with UNSEEN, which is not a value, at character "
                             "%d; use isunseen()", (int) (at - walk->text) + 1);
      need (walk, from);
      *unit = number;
      walk->single = SINGLE_NOT;
    }
  return TRUE;
}

static gboolean
walk_logic (Walk *walk, const char *operator, ArmillaUnit *unit, GError **error)
{
  gboolean (*inner) (Walk *, ArmillaUnit *, GError **) = walk_comparison;
  const gboolean either = strcmp (operator, "||") == 0;
  const guint from = walk->marks->len;
  ArmillaUnit next;

  if (!(either ? walk_logic (walk, "&&", unit, error) : inner (walk, unit, error)))
    return FALSE;
  while (accept (walk, operator))
    {
      if (!(either ? walk_logic (walk, "&&", &next, error) : inner (walk, &next, error)))
        return FALSE;
      need (walk, from);
      *unit = number;
      walk->single = SINGLE_NOT;
    }
  return TRUE;
}

/* Reads condition ? yes : no, which equals where (condition, yes, no). */
static gboolean
walk_choice (Walk *walk, ArmillaUnit *unit, GError **error)
{
  const guint from = walk->marks->len;
  ArmillaUnit other;
  gboolean good;
  const char *at;

  if (++walk->depth > DEEPEST || !walk_logic (walk, "||", unit, error))
    return FALSE;
  if (accept (walk, "?"))
    {
      need (walk, from);
      walk->branches++;
      good = walk_choice (walk, unit, error);
      accept (walk, ":");
      at = walk->p;
      good = good && walk_choice (walk, &other, error) && agree (walk, unit, &other, at, error);
      walk->branches--;
      walk->single = SINGLE_NOT;
      if (!good)
        return FALSE;
    }
  walk->depth--;
  return TRUE;
}

static void
apply_marks (const Walk *walk, ArmillaExpressionUse *uses)
{
  for (guint i = 0; i < walk->marks->len; i++)
    {
      const Mark *mark = &g_array_index (walk->marks, Mark, i);

      uses[mark->variable].read = TRUE;
      uses[mark->variable].needed |= mark->needed;
    }
}

/* Sets uses[].read of all variables named in the text, including those that only isunseen()
 * tests. */
static void
apply_names (const Walk *walk, ArmillaExpressionUse *uses)
{
  const char *at = walk->text;
  ArmillaOperand kind;
  gsize length = 0;

  while ((at = armilla_expression_operand (at + length, &length, &kind)) != NULL)
    if (kind == ARMILLA_OPERAND_NAME)
      {
        const int variable = find_variable (walk, at, length);

        if (variable >= 0)
          uses[variable].read = TRUE;
      }
}

/* Returns the length of a number: digits with a point, and an exponent. */
static gsize
number_length (const char *at)
{
  const char *p = at, *digits;

  while (g_ascii_isdigit (*p))
    p++;
  for (p += *p == '.'; g_ascii_isdigit (*p);)
    p++;
  digits = p + 1 + (*p != '\0' && (p[1] == '+' || p[1] == '-'));
  if ((*p == 'e' || *p == 'E') && g_ascii_isdigit (*digits))
    for (p = digits; g_ascii_isdigit (*p);)
      p++;
  return (gsize) (p - at);
}

/* Returns the first operand at or after from (the beginning or the end of an operand), or NULL. */
const char *
armilla_expression_operand (const char *from, gsize *length, ArmillaOperand *kind)
{
  while (*from != '\0' && !is_name_character (*from))
    from++;
  if (*from == '\0')
    return NULL;
  if (g_ascii_isdigit (*from) || *from == '.')
    {
      *kind = ARMILLA_OPERAND_NUMBER;
      *length = number_length (from);
      return from;
    }
  *length = strspn (from, ARMILLA_EXPRESSION_CHARACTERS);
  *kind = from[*length] == '(' ? ARMILLA_OPERAND_CALL : ARMILLA_OPERAND_NAME;
  return from;
}

/* Finds how a valid expression uses each variable (uses, zero on entry) and the expression's
 * unit. names as in armilla_expression_program_new (). Units are ignored if units is NULL;
 * ARMILLA_ERROR_VALUE if they disagree. */
gboolean
armilla_expression_walk (const char *text, GHashTable *names, const char *const *units,
                         ArmillaExpressionUse *uses, ArmillaUnit *unit, GError **error)
{
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (Mark));
  Walk walk = { .text = text, .p = text, .names = names, .units = units, .marks = marks };
  GError *local = NULL;

  if (!walk_choice (&walk, unit, &local))
    {
      if (local == NULL)
        return armilla_fail (error, ARMILLA_ERROR_PARSE,
                             "parentheses are nested more than %d deep; split the formula into two "
                             "stages", DEEPEST);
      g_propagate_error (error, local);
      return FALSE;
    }
  apply_marks (&walk, uses);
  apply_names (&walk, uses);
  return TRUE;
}
