/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/quantity.h>
#include <muParserDLL.h>

#include "core/expressions/expression-unit.h"

/* Rules for the unit of a function. SAME: arguments and value have one unit; ALIKE: the arguments
 * have one unit, the value is a number; PLAIN: arguments may have any unit, the value is a number;
 * ROOT: the square root of the unit; CHOICE: where(); SEEN: isunseen(). */
typedef enum {
  ARMILLA_UNITS_SAME,
  ARMILLA_UNITS_ALIKE,
  ARMILLA_UNITS_PLAIN,
  ARMILLA_UNITS_ROOT,
  ARMILLA_UNITS_CHOICE,
  ARMILLA_UNITS_SEEN
} ArmillaUnitRule;

typedef double (*ArmillaFunction1) (double x);
typedef double (*ArmillaFunction2) (double x, double y);
typedef double (*ArmillaFunction3) (double x, double y, double z);
typedef double (*ArmillaFunctionN) (const double *x, int n);

/* A function that expressions may call; one of the pointers is set. */
typedef struct {
  const char *name;
  ArmillaUnitRule rule;
  ArmillaFunction1 one;
  ArmillaFunction2 two;
  ArmillaFunction3 three;
  ArmillaFunctionN any;
} ArmillaExpressionFunction;

/* In expression-functions.c: */
extern const ArmillaExpressionFunction armilla_expression_functions[];
const ArmillaExpressionFunction *armilla_expression_function (const char *name, gsize length);
char *armilla_expression_function_names (const char *const *except);
gboolean armilla_expression_is_constant (const char *name);
double armilla_expression_not (double x);

/* Use of a variable by an expression. */
typedef struct {
  gboolean read;   /* its name occurs in the expression */
  gboolean needed; /* the expression is undefined without its value */
} ArmillaExpressionUse;

/* Operands: a name, a function's name before its parenthesis, a number. */
typedef enum {
  ARMILLA_OPERAND_NAME,
  ARMILLA_OPERAND_CALL,
  ARMILLA_OPERAND_NUMBER
} ArmillaOperand;

#define ARMILLA_EXPRESSION_CHARACTERS \
  "0123456789_.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

/* In expression-walk.c: */
const char *armilla_expression_operand (const char *from, gsize *length, ArmillaOperand *kind);
gboolean armilla_expression_walk (const char *text, GHashTable *names, const char *const *units,
                                  ArmillaExpressionUse *uses, ArmillaUnit *unit, GError **error);

/* In expression-program.c: */
typedef struct _ArmillaExpressionProgram ArmillaExpressionProgram;

muParserHandle_t armilla_expression_handle (const char *const *except);
ArmillaExpressionProgram *armilla_expression_program_new (const char *text, GHashTable *names,
                                                          GError **error);
gboolean armilla_expression_program_run (ArmillaExpressionProgram *self,
                                         const ArmillaExpressionUse *uses,
                                         const double *const *values, gint64 n, double *out,
                                         GError **error);
void armilla_expression_program_free (ArmillaExpressionProgram *self);
