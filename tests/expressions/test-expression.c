/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expressions against the C compiler's arithmetic: values, units, where there is none, mistakes. */

#include "core/expressions/expression.h"

#include <armilla/map-header.h>
#include <locale.h>
#include <math.h>
#include <string.h>

/* T, Q, U in K_CMB, hits without a unit, S in MJy/sr, x of which nothing is known. */
enum { T, Q, U, HITS, S, X, N_VARIABLES };

static const ArmillaExpressionName names[] = {
  { (char *) "T", T }, { (char *) "I_STOKES", T }, { (char *) "Q", Q }, { (char *) "U", U },
  { (char *) "map2.hits", HITS }, { (char *) "hits", HITS }, { (char *) "map.1", Q },
  { (char *) "S", S }, { (char *) "x", X },
  /* of no use: a constant, one that is there, no names */
  { (char *) "pi", X }, { (char *) "T", X }, { (char *) "a b", X }, { (char *) "9", X },
};
static const char *const units[N_VARIABLES]
  = { "K_CMB", "K_CMB", "K_CMB", "1/pixel", "MJy/sr", "" };
static const double point[N_VARIABLES] = { 2.5, -3, 4, 12, 0.25, 1e-3 };

static ArmillaExpression *
make (const char *text, gboolean with_units, GError **error)
{
  return armilla_expression_new (text, names, G_N_ELEMENTS (names), with_units ? units : NULL,
                                 N_VARIABLES, error);
}

static double
evaluate (const char *text, const double *at)
{
  GError *error = NULL;
  g_autoptr (ArmillaExpression) expression = make (text, FALSE, &error);
  const double *values[N_VARIABLES];
  double out = 0;

  g_assert_no_error (error);
  for (int i = 0; i < N_VARIABLES; i++)
    values[i] = &at[i];
  g_assert_true (armilla_expression_evaluate (expression, values, 1, &out, &error));
  g_assert_no_error (error);
  return out;
}

static void
test_values (void)
{
  const double t = 2.5, q = -3, u = 4, hits = 12, s = 0.25, x = 1e-3;
  const struct {
    const char *text;
    double value;
  } cases[] = {
    { "1.5", 1.5 },
    { "  T ", t },
    { "I_STOKES", t },
    { "map.1*2", 2 * q },
    { "map2.hits", hits },
    { "sqrt(Q^2 + U^2)", 5 },
    { "hypot(Q, U)", 5 },
    { "-Q^2", -9 },
    { "2^3^2", 512 },
    { "2^-1", 0.5 },
    { "8/4/2", 1 },
    { "8-4-2", 2 },
    { "1 + 2*3", 7 },
    { "(1 + 2)*3", 9 },
    { ".5*T + 2.*x", 0.5 * t + 2 * x },
    { "1e-3*U", 1e-3 * u },
    { "where(hits > 10, T, UNSEEN)", t },
    { "where(hits > 12, T, -1)", -1 },
    { "hits >= 12 ? 1 : 2", 1 },
    { "hits == 12", 1 },
    { "hits != 12", 0 },
    { "hits < 12 || T > 2", 1 },
    { "hits < 12 && T > 2", 0 },
    { "!(hits < 12) && 1", 1 },
    { "0 && 0 || 1", 1 },
    { "0 ? 1 : 1 ? 2 : 3", 2 },
    { "min(T, Q, U)", q },
    { "max(T, Q, U)", u },
    { "abs(Q)", 3 },
    { "sign(Q) + sign(U) + sign(0)", 0 },
    { "floor(T) + ceil(T)", 5 },
    { "rint(T)", 2 },
    { "exp(x)", exp (x) },
    { "log(U)", log (u) },
    { "log10(U)", log10 (u) },
    { "log2(U)", 2 },
    { "sin(x) + cos(x) + tan(x)", sin (x) + cos (x) + tan (x) },
    { "asin(x) + acos(x) + atan(x)", asin (x) + acos (x) + atan (x) },
    { "sinh(x) + cosh(x) + tanh(x)", sinh (x) + cosh (x) + tanh (x) },
    { "atan2(Q, U)", atan2 (q, u) },
    { "hits*(hits + 1)/(2*pi)*S", hits * (hits + 1) / (2 * G_PI) * s },
    { "isunseen(T)", 0 },
    { "sqrt (Q^2+U^2) + max\t(T, Q)", 5 + t },
    { "2 *(T) && !(Q)", 0 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      double found = evaluate (cases[i].text, point);

      if (!(fabs (found - cases[i].value) <= 1e-15 * fabs (cases[i].value)))
        g_error ("%s is %.17g, not %.17g", cases[i].text, found, cases[i].value);
    }
}

/* With T UNSEEN, as a file of float32 has it, and hits NaN. */
static void
test_unseen (void)
{
  static const struct {
    const char *text;
    double value;
  } cases[] = {
    { "T", NAN },
    { "Q", -3 },
    { "Q + 0*T", NAN },
    { "where(Q < 0, Q, T)", -3 },
    { "where(Q > 0, Q, T)", NAN },
    { "Q < 0 ? Q : T", -3 },
    { "where(isunseen(T), 0, T)", 0 },
    { "where(isunseen(Q), 0, Q)", -3 },
    { "isunseen(T)", 1 },
    { "!isunseen(T) && Q < 0", 0 },
    { "isunseen(T + Q)", 1 },
    { "hits > 10", NAN },
    { "where(hits > 10, Q, U)", NAN },
    { "hits > 10 ? Q : U", NAN },
    { "where(Q < 0, where(hits > 10, Q, 0), 0)", NAN },
    { "where(Q < 0, !T, 0)", NAN },
    { "min(Q, where(Q < 0, T, 0))", NAN },
    { "max(where(Q < 0, T, 0), Q)", NAN },
    { "sign(where(Q < 0, T, 0))", NAN },
    { "where(UNSEEN, 1, 2)", NAN },
    { "where(Q > 0, UNSEEN, NaN)", NAN },
  };
  double at[N_VARIABLES];

  memcpy (at, point, sizeof at);
  at[T] = (double) (float) ARMILLA_UNSEEN;
  at[HITS] = NAN;
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      double found = evaluate (cases[i].text, at);

      if (!(found == cases[i].value || (isnan (found) && isnan (cases[i].value))))
        g_error ("%s is %g, not %g", cases[i].text, found, cases[i].value);
    }
}

/* What is written is computed in its order, each operation rounded: muParser's optimiser makes 2 of
 * 2 - a + a. */
static void
test_order (void)
{
  const double big = 1e300, small = 1e-300, one = 1, tenth = 0.1, inf = INFINITY;
  const struct {
    const char *text;
    double q, value;
  } cases[] = {
    { "2 - Q + Q", big, 2 - big + big },
    { "Q + 2 - Q", big, big + 2 - big },
    { "2 - Q + I_STOKES", big, 2 - big + 2.5 },
    { "Q - Q", inf, NAN },
    { "Q*2 - 2*Q", inf, NAN },
    { "Q/Q", inf, NAN },
    { "Q + 1 + 1e-16 + 1e-16", 0, ((0 + one) + 1e-16) + 1e-16 },
    { "1e-16 + 1e-16 + Q", one, (1e-16 + 1e-16) + one },
    { "3*(2*Q)/6", tenth, 3 * (2 * tenth) / 6 },
    { "Q*3/3", 1e308, inf },
    { "1e10*(Q/1e10)", 1e-320, 1e10 * (1e-320 / 1e10) },
    { "Q*1e-300*1e300", small, small * 1e-300 * 1e300 },
    { "Q*0.1 + Q*0.2", 3, 3 * 0.1 + 3 * 0.2 },
    { "pi + Q + 2", big, G_PI + big + 2 },
    { "(Q + 1) - 1", 1e16, (1e16 + 1) - 1 },
    { "1/Q", 0, inf },
    { "1/Q", -0.0, -inf },
    { "1/(2*Q)", -0.0, -inf },
    { "1/Q > 5", 0, 1 },
    { "(1/Q)*0", 0, NAN },
    { "sqrt(Q)", -1, NAN },
    { "Q^2", big, inf },
    { "Q^2^0.5", 2, pow (2, pow (2, 0.5)) },
    { "2.5^Q", 2, 6.25 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      double at[N_VARIABLES], found;

      memcpy (at, point, sizeof at);
      at[Q] = cases[i].q;
      found = evaluate (cases[i].text, at);
      if (!(found == cases[i].value || (isnan (found) && isnan (cases[i].value))))
        g_error ("%s is %.17g, not %.17g", cases[i].text, found, cases[i].value);
    }
}

/* As many names as fields of tomography have; names that occur twice stand for the first. */
static void
test_many_names (void)
{
  const int n = 200000;
  g_autofree ArmillaExpressionName *many = g_new (ArmillaExpressionName, n);
  g_autofree double *values = g_new (double, n);
  g_autofree const double **at = g_new (const double *, n);
  g_autoptr (ArmillaExpression) expression = NULL;
  GError *error = NULL;
  double out;

  for (int i = 0; i < n; i++)
    {
      many[i] = (ArmillaExpressionName) { g_strdup_printf ("c%d", i % (n / 2)), i };
      values[i] = i;
      at[i] = &values[i];
    }
  expression = armilla_expression_new ("c99999 + c0*c1", many, n, NULL, n, &error);
  g_assert_no_error (error);
  g_assert_true (armilla_expression_evaluate (expression, at, 1, &out, &error));
  g_assert_cmpfloat (out, ==, 99999);
  g_assert_null (armilla_expression_new ("c99998 + d", many, n, NULL, n, &error));
  g_assert_nonnull (strstr (error->message, "known: c0, c1, c2,"));
  g_assert_nonnull (strstr (error->message, "c23 .."));
  g_clear_error (&error);
  for (int i = 0; i < n; i++)
    g_free (many[i].name);
}

static void
test_units (void)
{
  static const struct {
    const char *text, *unit;
  } cases[] = {
    { "T", "K_CMB" },
    { "sqrt(Q^2 + U^2)", "K_CMB" },
    { "Q^2 + U^2", "K_CMB^2" },
    { "Q*U/T", "K_CMB" },
    { "Q/U", "" },
    { "T + 1", "K_CMB" },
    { "1 - T", "K_CMB" },
    { "x + T", "K_CMB" },
    { "x*T", "" },
    { "2*T", "K_CMB" },
    { "T^x", "" },
    { "T^(1)", "K_CMB" },
    { "T^-2", "K_CMB^-2" },
    { "T^0", "" },
    { "S", "MJy/sr" },
    { "2*S + 1", "MJy/sr" },
    { "S^2", "MJy^2 sr^-2" },
    { "S*T", "MJy sr^-1 K_CMB" },
    { "sqrt(S)", "MJy^0.5 sr^-0.5" },
    { "T > 3", "" },
    { "sin(T)", "" },
    { "atan2(Q, U)", "" },
    { "where(hits > 10, T, UNSEEN)", "K_CMB" },
    { "where(hits > 10, 0, T)", "K_CMB" },
    { "hits > 10 ? T : Q", "K_CMB" },
    { "max(T, Q, 0)", "K_CMB" },
    { "sqrt(hits)*T", "pixel^-0.5 K_CMB" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      GError *error = NULL;
      g_autoptr (ArmillaExpression) expression = make (cases[i].text, TRUE, &error);

      g_assert_no_error (error);
      g_assert_cmpstr (armilla_expression_unit (expression), ==, cases[i].unit);
    }
}

static void
test_use (void)
{
  GError *error = NULL;
  g_autoptr (ArmillaExpression) sum = make ("T + isunseen(U)", TRUE, &error);
  g_autoptr (ArmillaExpression) copy = make (" map.1 ", TRUE, &error);

  g_assert_no_error (error);
  g_assert_true (armilla_expression_reads (sum, T));
  g_assert_true (armilla_expression_reads (sum, U));
  g_assert_false (armilla_expression_reads (sum, Q));
  g_assert_cmpint (armilla_expression_copies (sum), ==, -1);
  g_assert_cmpint (armilla_expression_copies (copy), ==, Q);
}

static void
test_mistakes (void)
{
  g_autofree char *deep = g_strnfill (200, '('), *shut = g_strnfill (200, ')');
  g_autofree char *nested = g_strconcat (deep, "T", shut, NULL);
  g_autofree char *long_text = g_strnfill (5000, '1');
  const struct {
    const char *text, *message;
  } cases[] = {
    { "", "it is empty" },
    { " \t", "it is empty" },
    { "T +", "unexpected end" },
    { "T Q", "missing operator before this (character 3)" },
    { "2T", "missing operator before this (character 2)" },
    { "(T", "missing closing parenthesis" },
    { "T)", "unexpected parenthesis (character 2)" },
    { "T, Q", "the comma separates several expressions" },
    { "(T, Q)", "several arguments outside a function call" },
    { "T = 3", "= at character 3 is not an operator; to compare, write ==" },
    { "T & Q", "operator & at character 3; write &&" },
    { "T | Q", "operator | at character 3; write ||" },
    { "sqrt()", "too few arguments of the function" },
    { "sqrt(T, Q)", "too many arguments of the function" },
    { "where(T)", "too few arguments of the function" },
    { "sqrt", "missing ( after sqrt, character 5" },
    { "T ? 1", "missing : after ?" },
    { "1 : 2", "missing ? before this :" },
    { "\"T\"", "unexpected character 1" },
    { "T; 1", "unexpected character 2" },
    { "T + \xc3\xa9", "unexpected character 5" },
    { "T + V", "unknown name \"V\" (character 5); known: T, I_STOKES" },
    { "sqr(T)", "unknown name \"sqr\" (character 1); is it sqrt?" },
    { "hitz", "is it hits?" },
    { "zzzzzzzzzzzz", "unknown name \"zzzzzzzzzzzz\" (character 1); known: T, I_STOKES" },
    { "_pi", "unknown name \"_pi\"" },
    { "sum(T)", "unknown name \"sum\"" },
    { "zzzzzzzzzzzz(T)", "unknown name \"zzzzzzzzzzzz\" (character 1); known: sqrt, abs" },
    { "T + S", "the value before character 3 is in \"K_CMB\", the one after it in \"MJy sr^-1\"" },
    { "T - Q^2", "the value before character 3 is in \"K_CMB\", the one after it in \"K_CMB^2\"" },
    { "T > S", "before character 3 is" },
    { "max(T, S)", "the one after it in" },
    { "where(hits > 1, T, S)", "the one after it in" },
    { "hits > 1 ? T : S", "the one after it in" },
    { "T == UNSEEN", "compared with UNSEEN, which is not a value, at character" },
    { "where(UNSEEN == T, 0, T)", "compared with UNSEEN" },
    { "1 < hits < 9", "the result of a comparison is compared at character 10" },
    { "T == Q != 0", "write a < b < c as a < b && b < c" },
    { nested, "parentheses are nested more than 60 deep" },
    { long_text, "longer than 4000 characters" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      GError *error = NULL;
      g_autoptr (ArmillaExpression) expression = make (cases[i].text, TRUE, &error);

      g_assert_null (expression);
      g_assert_nonnull (error);
      if (strstr (error->message, cases[i].message) == NULL)
        g_error ("%s: \"%s\" does not say \"%s\"", cases[i].text, error->message,
                 cases[i].message);
      g_clear_error (&error);
    }
}

static void
test_check (void)
{
  GError *error = NULL;

  g_assert_true (armilla_expression_check ("where(z > 0.2 && g1 < 1, sqrt(z), NaN)", &error));
  g_assert_no_error (error);
  g_assert_false (armilla_expression_check ("sqrt(z", &error));
  g_assert_error (error, ARMILLA_ERROR, ARMILLA_ERROR_PARSE);
  g_clear_error (&error);
  g_assert_false (armilla_expression_check ("z = 2", &error));
  g_clear_error (&error);
}

static void
test_split (void)
{
  g_auto (GStrv) parts = armilla_expression_split ("T, where(Q > 0, Q, U) ,U");
  g_auto (GStrv) none = armilla_expression_split ("");

  g_assert_cmpuint (g_strv_length (parts), ==, 3);
  g_assert_cmpstr (parts[0], ==, "T");
  g_assert_cmpstr (parts[1], ==, "where(Q > 0, Q, U)");
  g_assert_cmpstr (parts[2], ==, "U");
  g_assert_cmpuint (g_strv_length (none), ==, 1);
  g_assert_cmpstr (none[0], ==, "");
}

#define THREADS 4
#define LENGTH 20000

typedef struct {
  ArmillaExpression *expression;
  double q[LENGTH], u[LENGTH], out[LENGTH];
} Share;

static gpointer
work (gpointer data)
{
  Share *share = data;
  const double *values[N_VARIABLES] = { [Q] = share->q, [U] = share->u };

  for (int turn = 0; turn < 5; turn++)
    g_assert_true (armilla_expression_evaluate (share->expression, values, LENGTH, share->out,
                                                NULL));
  return NULL;
}

/* One expression in several threads at a time. */
static void
test_threads (void)
{
  GError *error = NULL;
  g_autoptr (ArmillaExpression) expression = make ("sqrt(Q^2 + U^2)", TRUE, &error);
  Share *shares = g_new (Share, THREADS);
  GThread *threads[THREADS];

  g_assert_no_error (error);
  for (int t = 0; t < THREADS; t++)
    {
      shares[t].expression = expression;
      for (int i = 0; i < LENGTH; i++)
        {
          shares[t].q[i] = 3.0 * (i + t);
          shares[t].u[i] = 4.0 * (i + t);
        }
      threads[t] = g_thread_new ("evaluate", work, &shares[t]);
    }
  for (int t = 0; t < THREADS; t++)
    {
      g_thread_join (threads[t]);
      for (int i = 0; i < LENGTH; i++)
        g_assert_cmpfloat (shares[t].out[i], ==, 5.0 * (i + t));
    }
  g_free (shares);
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/expression/values", test_values);
  g_test_add_func ("/expression/unseen", test_unseen);
  g_test_add_func ("/expression/order", test_order);
  g_test_add_func ("/expression/many-names", test_many_names);
  g_test_add_func ("/expression/units", test_units);
  g_test_add_func ("/expression/use", test_use);
  g_test_add_func ("/expression/mistakes", test_mistakes);
  g_test_add_func ("/expression/check", test_check);
  g_test_add_func ("/expression/split", test_split);
  g_test_add_func ("/expression/threads", test_threads);
  return g_test_run ();
}
