/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formulas of numbers. Any thread may call these functions; several may evaluate one expression.
 * */
#pragma once

#include <armilla/error.h>

G_BEGIN_DECLS

/* Name that an expression may use. Several names may denote one variable. */
typedef struct {
  /* letters, digits, _ and dots, not beginning with a digit or a dot; at most 64 characters */
  char *name;
  int variable; /* number of the variable that it denotes */
} ArmillaExpressionName;

/* A formula for one number, such as sqrt(Q^2 + U^2), that is evaluated for many values of its
 * variables. Several threads may evaluate one at the same time. */
typedef struct _ArmillaExpression ArmillaExpression;

ArmillaExpression *armilla_expression_new (const char *text, const ArmillaExpressionName *names,
                                           int n_names, const char *const *units,
                                           int n_variables, GError **error);
gboolean armilla_expression_check (const char *text, GError **error);
void armilla_expression_free (ArmillaExpression *self);
gboolean armilla_expression_reads (const ArmillaExpression *self, int variable);
int armilla_expression_copies (const ArmillaExpression *self);
const char *armilla_expression_unit (const ArmillaExpression *self);
gboolean armilla_expression_evaluate (ArmillaExpression *self, const double *const *values,
                                      gint64 n, double *out, GError **error);
char **armilla_expression_split (const char *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaExpression, armilla_expression_free)

G_END_DECLS
