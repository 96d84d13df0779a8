/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All functions that expressions may call; muParser's own are cleared. NaN is an unknown value,
 * which all functions except where() and isunseen() propagate. */
#include <math.h>
#include <string.h>

#include "core/expressions/expression-private.h"

static double
choose (double condition, double yes, double no)
{
  return isnan (condition) ? condition : condition != 0 ? yes : no;
}

static double
is_unseen (double x)
{
  return isnan (x);
}

static double
sign_of (double x)
{
  return isnan (x) ? x : (x > 0) - (x < 0);
}

static double
minimum (const double *x, int n)
{
  double found = x[0];

  for (int i = 1; i < n && !isnan (found); i++)
    if (!(x[i] >= found))
      found = x[i];
  return found;
}

static double
maximum (const double *x, int n)
{
  double found = x[0];

  for (int i = 1; i < n && !isnan (found); i++)
    if (!(x[i] <= found))
      found = x[i];
  return found;
}

/* Negates a value; the negation of an unknown value is unknown. */
double
armilla_expression_not (double x)
{
  return isnan (x) ? x : x == 0;
}

const ArmillaExpressionFunction armilla_expression_functions[] = {
  { "sqrt", ARMILLA_UNITS_ROOT, .one = sqrt },
  { "abs", ARMILLA_UNITS_SAME, .one = fabs },
  { "floor", ARMILLA_UNITS_SAME, .one = floor },
  { "ceil", ARMILLA_UNITS_SAME, .one = ceil },
  { "rint", ARMILLA_UNITS_SAME, .one = rint },
  { "hypot", ARMILLA_UNITS_SAME, .two = hypot },
  { "min", ARMILLA_UNITS_SAME, .any = minimum },
  { "max", ARMILLA_UNITS_SAME, .any = maximum },
  { "sign", ARMILLA_UNITS_PLAIN, .one = sign_of },
  { "exp", ARMILLA_UNITS_PLAIN, .one = exp },
  { "log", ARMILLA_UNITS_PLAIN, .one = log },
  { "log10", ARMILLA_UNITS_PLAIN, .one = log10 },
  { "log2", ARMILLA_UNITS_PLAIN, .one = log2 },
  { "sin", ARMILLA_UNITS_PLAIN, .one = sin },
  { "cos", ARMILLA_UNITS_PLAIN, .one = cos },
  { "tan", ARMILLA_UNITS_PLAIN, .one = tan },
  { "asin", ARMILLA_UNITS_PLAIN, .one = asin },
  { "acos", ARMILLA_UNITS_PLAIN, .one = acos },
  { "atan", ARMILLA_UNITS_PLAIN, .one = atan },
  { "sinh", ARMILLA_UNITS_PLAIN, .one = sinh },
  { "cosh", ARMILLA_UNITS_PLAIN, .one = cosh },
  { "tanh", ARMILLA_UNITS_PLAIN, .one = tanh },
  { "atan2", ARMILLA_UNITS_ALIKE, .two = atan2 },
  { "where", ARMILLA_UNITS_CHOICE, .three = choose },
  { "isunseen", ARMILLA_UNITS_SEEN, .one = is_unseen },
  { NULL, ARMILLA_UNITS_SAME, NULL, NULL, NULL, NULL },
};

const ArmillaExpressionFunction *
armilla_expression_function (const char *name, gsize length)
{
  const ArmillaExpressionFunction *f = armilla_expression_functions;

  for (; f->name != NULL; f++)
    if (strlen (f->name) == length && strncmp (f->name, name, length) == 0)
      return f;
  return NULL;
}

/* Lists the functions except those of these names, NULL-terminated: "sqrt, abs". */
char *
armilla_expression_function_names (const char *const *except)
{
  GString *list = g_string_new (NULL);

  for (const ArmillaExpressionFunction *f = armilla_expression_functions; f->name != NULL; f++)
    if (!g_strv_contains (except, f->name))
      g_string_append_printf (list, "%s%s", list->len > 0 ? ", " : "", f->name);
  return g_string_free (list, FALSE);
}

gboolean
armilla_expression_is_constant (const char *name)
{
  return strcmp (name, "pi") == 0 || strcmp (name, "UNSEEN") == 0 || strcmp (name, "NaN") == 0;
}
