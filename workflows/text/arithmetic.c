/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes numbers that are given as expressions, such as 3*64 - 1 or 2 * 5 arcmin, with
 * muParser. */
#include "core/base/quantity.h"
#include "core/expressions/expression-private.h"
#include "workflows/text/property.h"

#include <math.h>
#include <string.h>

/* maximum length of an expression in bytes, since muParser formats errors in a buffer of 2048
 * bytes */
#define MAX_LENGTH 1000
#define MAX_UNITS 9

/* Guards muParser and the following variables: its functions for units get no user data. */
static GMutex lock;
static char **unit_names; /* units that the expression may contain */
static const char *unit_list;
static double unit_scale; /* factor by which all units are multiplied */
static gboolean units_used;

static double
in_unit (double x, int number)
{
  units_used = TRUE;
  return unit_scale * armilla_quantity_in_unit (x, unit_names[number]);
}

#define UNIT(number)                                                                               \
  static double unit_##number (double x)                                                           \
  {                                                                                                \
    return in_unit (x, number);                                                                    \
  }
UNIT (0)
UNIT (1)
UNIT (2)
UNIT (3)
UNIT (4)
UNIT (5)
UNIT (6)
UNIT (7)
UNIT (8)

static const muFun1_t unit_functions[MAX_UNITS]
  = { unit_0, unit_1, unit_2, unit_3, unit_4, unit_5, unit_6, unit_7, unit_8 };

static char *
describe_error (muParserHandle_t parser)
{
  int code = mupGetErrorCode (parser), position = mupGetErrorPos (parser) + 1;
  const char *token = mupGetErrorToken (parser);

  switch (code)
    {
    case 1: /* ecUNASSIGNABLE_TOKEN */
      return g_strdup_printf ("unknown \"%s\" at character %d", token, position);
    case 2: /* ecUNEXPECTED_EOF */
      return g_strdup ("incomplete expression");
    case 11: /* ecMISSING_PARENS */
      return g_strdup ("a ) is missing");
    case 14: /* ecTOO_MANY_PARAMS */
      return g_strdup_printf ("\"%s\" before character %d takes fewer arguments", token, position);
    case 15: /* ecTOO_FEW_PARAMS */
      return g_strdup_printf ("\"%s\" before character %d takes more arguments", token, position);
    default:
      if (*token != '\0' && position > 0)
        return g_strdup_printf ("unexpected \"%s\" at character %d", token, position);
      return g_strdup ("not an expression");
    }
}

/* Computes an expression with all units multiplied by @scale. */
static gboolean
evaluate (muParserHandle_t parser, const char *text, double scale, double *value, GError **error)
{
  g_autofree char *why = NULL, *known = NULL;
  const double *results;
  gboolean failed;
  int n = 0;

  unit_scale = scale;
  results = mupEvalMulti (parser, &n);
  failed = mupError (parser); /* reading the error clears it */
  if (!failed && n == 1)
    {
      *value = results[0];
      return TRUE;
    }
  why = failed ? describe_error (parser) : g_strdup ("must be one number, not a list");
  known = armilla_expression_function_names ((const char *const *) unit_names);
  return armilla_fail (error, ARMILLA_ERROR_PARSE,
                       "\"%s\" cannot be computed: %s; there are + - * / ^ ( ), pi, %s%s%s", text,
                       why, known, *unit_list != '\0' ? ", and the units " : "", unit_list);
}

/* Checks that a quantity is proportional to its units, and that a number does not depend on units,
 * by computing it again with all units multiplied by 2 and by 1024, which causes no rounding
 * errors. */
static gboolean
check_units (muParserHandle_t parser, const char *text, double value, GError **error)
{
  static const double scales[] = { 2, 1024, 0.125 };
  double scaled;

  if (!units_used)
    return armilla_fail (error, ARMILLA_ERROR_PARSE,
                         "\"%s\" has no unit; numbers in it take one of: %s", text, unit_list);
  for (gsize i = 0; i < G_N_ELEMENTS (scales); i++)
    {
      if (!evaluate (parser, text, scales[i], &scaled, error))
        return FALSE;
      if (scaled != scales[i] * value)
        return armilla_fail (error, ARMILLA_ERROR_PARSE,
                             "\"%s\": terms differ in their unit; in a sum write the unit (%s) in "
                             "each term, in a product in one factor", text, unit_list);
    }
  return TRUE;
}

static gboolean
compute (muParserHandle_t parser, const char *text, double *value, GError **error)
{
  mupDefineConst (parser, "pi", G_PI);
  for (int i = 0; unit_names[i] != NULL && i < MAX_UNITS; i++)
    mupDefinePostfixOprt (parser, unit_names[i], unit_functions[i], FALSE);
  mupSetExpr (parser, text);
  units_used = FALSE;
  if (!evaluate (parser, text, 1, value, error))
    return FALSE;
  if (!isfinite (*value))
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "\"%s\" has no finite value; check for a division by 0", text);
  return unit_names[0] == NULL || check_units (parser, text, *value, error);
}

/* Returns whether a text that is not a number is meant as an expression: it contains a parenthesis
 * or an operator, except for signs in front and in exponents. */
gboolean
armilla_arithmetic_meant (const char *text)
{
  while (*text == ' ' || *text == '\t')
    text++;
  for (const char *p = text; *p != '\0'; p++)
    if (strchr ("*/^()?<>", *p) != NULL)
      return TRUE;
    else if ((*p == '+' || *p == '-') && p > text
             && !((p[-1] == 'e' || p[-1] == 'E') && p > text + 1 && g_ascii_isdigit (p[-2])))
      return TRUE;
  return FALSE;
}

/* Computes an expression of numbers and, for quantities, units behind numbers or parentheses:
 * `3*64 - 1`, `2 * 5 arcmin`, `(1 + 2) deg / 4`. The value, in radian, bytes or seconds, is
 * finite. Thread-safe. */
gboolean
armilla_arithmetic_compute (const char *text, ArmillaDimension dimension, double *value,
                            GError **error)
{
  muParserHandle_t parser;
  gboolean ok;

  if (strlen (text) > MAX_LENGTH)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "an expression must be at most %d bytes long; define parts of it in "
                         "[variables]", MAX_LENGTH);
  g_mutex_lock (&lock);
  unit_list = armilla_dimension_units (dimension);
  unit_names = g_strsplit (unit_list, ", ", -1); /* g_strsplit() returns no element for "" */
  /* "min" is a function, unless a time is expected */
  parser = armilla_expression_handle ((const char *const *) unit_names);
  ok = compute (parser, text, value, error);
  mupRelease (parser);
  g_clear_pointer (&unit_names, g_strfreev);
  g_mutex_unlock (&lock);
  return ok;
}
