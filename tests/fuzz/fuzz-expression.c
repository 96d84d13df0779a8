/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzing of expressions.
 *
 * As it is built by make check it mutates a few expressions, the same way for the same seed:
 *   tests/fuzz/fuzz-expression [RUNS [SEED]]
 * With clang -fsanitize=fuzzer,address,undefined -DARMILLA_LIBFUZZER it is a libFuzzer target.
 * Beyond not crashing: what is refused has a message, what is accepted passes the check without
 * names, too, gives the same bits again, and has no value where nothing has one, unless it asks. */
#include <armilla/map-header.h>
#include <math.h>
#include <string.h>

#include "core/expressions/expression.h"
#include "tests/fuzz/text-mutate.h"

enum { T, Q, U, HITS, N_VARIABLES };
#define N_VALUES 8

int LLVMFuzzerTestOneInput (const guint8 *data, size_t size);

static const ArmillaExpressionName names[] = {
  { (char *) "T", T }, { (char *) "Q", Q }, { (char *) "U", U }, { (char *) "hits", HITS },
  { (char *) "map2.Q", Q }, { (char *) "_1", T },
};
static const char *const units[N_VARIABLES] = { "uK", "uK", "uK", "" };
static const double values[N_VALUES]
  = { 0, -1, 2.5, 1e300, -1e-300, INFINITY, NAN, ARMILLA_UNSEEN };

static void
check_values (ArmillaExpression *expression, const char *text)
{
  const double *at[N_VARIABLES] = { values, values, values, values };
  double out[N_VALUES], again[N_VALUES];
  gboolean asks = strstr (text, "isunseen") != NULL || strchr (text, '?') != NULL
                  || strstr (text, "where") != NULL;
  GError *error = NULL;

  REQUIRE (armilla_expression_evaluate (expression, at, N_VALUES, out, &error));
  REQUIRE (error == NULL);
  for (int i = 0; i < N_VALUES; i++)
    {
      const double *one[N_VARIABLES] = { values + i, values + i, values + i, values + i };

      REQUIRE (armilla_expression_evaluate (expression, one, 1, again + i, NULL));
      /* the sign of NaN says nothing */
      REQUIRE (memcmp (out + i, again + i, sizeof *out) == 0
               || (isnan (out[i]) && isnan (again[i])));
    }
  for (int v = 0; v < N_VARIABLES && !asks; v++)
    if (armilla_expression_reads (expression, v))
      REQUIRE (isnan (out[N_VALUES - 1]) && isnan (out[N_VALUES - 2]));
}

/* Returns whether the expression was accepted. */
static gboolean
try_input (const guint8 *data, size_t size)
{
  g_autofree char *text = g_strndup ((const char *) data, size);
  g_auto (GStrv) parts = armilla_expression_split (text);
  gboolean all = TRUE;

  for (char **part = parts; *part != NULL; part++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GError) why = NULL;
      g_autoptr (ArmillaExpression) expression
        = armilla_expression_new (*part, names, G_N_ELEMENTS (names), units, N_VARIABLES, &error);

      REQUIRE ((expression == NULL) == (error != NULL));
      REQUIRE (error == NULL
               || (*error->message != 0 && g_utf8_validate (error->message, -1, NULL)));
      all = all && expression != NULL;
      if (expression == NULL)
        continue;
      REQUIRE (armilla_expression_check (*part, &why));
      REQUIRE (armilla_expression_unit (expression) != NULL);
      check_values (expression, *part);
    }
  return all;
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  try_input (data, size);
  return 0;
}

#ifndef ARMILLA_LIBFUZZER
static const char *const seeds[] = {
  "sqrt(Q^2 + U^2), 0.5*atan2(U, Q)",
  "where(hits > 10 && !isunseen(T), T - map2.Q, UNSEEN)",
  "T > 0 ? Q/U : hits <= 3 || T == 0 ? -T^2 : min(T, Q, U)",
  "max(1e-3*T, -_1, +Q)*exp(-hits/2)*cos(pi/4)^2*log10(hits)",
  "((T + Q)*(T - Q))/(T*U)", NULL
};
static const char *const tokens[] = {
  "(", ")", ",", "+", "-", "*", "/", "^", "==", "!=", "<=", ">=", "<", ">", "&&", "||", "!", "?",
  ":", " ", "=", "T", "Q", "hits", "map2.Q", "_1", "pi", "UNSEEN", "NaN", "1e999", ".5", "1.",
  "0x1", "1e", "2e-3", "sqrt(", "hypot(", "min(", "where(", "isunseen(", "atan2(", "sin", "e", "V",
  "((((((((((((((((((((", "^T^T^T^T^T^T^T^T^T^T", "--------------------", "!!!!!!!!!!!!",
  "\t", "\n", "\xc3\xa9", "\xff", "#", "\"", NULL
};

int
main (int argc, char *argv[])
{
  const TextFuzz fuzz = { "expressions", 60000, seeds, tokens, 8, 10, try_input };

  return text_fuzz (&fuzz, argc, argv);
}
#endif
