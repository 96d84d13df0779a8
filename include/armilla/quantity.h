/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What users write as text and what becomes numbers: quantities with a unit, expressions. Any
 * threads may call these functions; several may evaluate one expression. */
#pragma once

#include <armilla/error.h>

G_BEGIN_DECLS

/**
 * ArmillaDimension:
 * @ARMILLA_DIMENSION_NONE: a bare number
 * @ARMILLA_DIMENSION_ANGLE: rad, deg, arcmin, arcsec; in radian
 * @ARMILLA_DIMENSION_BYTES: B, kB, MB, GB, TB, KiB, MiB, GiB, TiB; in bytes
 * @ARMILLA_DIMENSION_TIME: ms, s, min, h; in seconds
 */
typedef enum {
  ARMILLA_DIMENSION_NONE,
  ARMILLA_DIMENSION_ANGLE,
  ARMILLA_DIMENSION_BYTES,
  ARMILLA_DIMENSION_TIME
} ArmillaDimension;

gboolean armilla_quantity_parse (const char *text, ArmillaDimension dimension, double *value,
                                 GError **error);
double armilla_quantity_in_unit (double number, const char *unit);
const char *armilla_dimension_units (ArmillaDimension dimension);

/**
 * ArmillaExpressionName:
 * @name: letters, digits, _ and dots, not beginning with a digit or a dot; at most 64 of them
 * @variable: number of the variable that it stands for
 *
 * A name that an expression may use. Several names may stand for one variable.
 */
typedef struct {
  char *name;
  int variable;
} ArmillaExpressionName;

/**
 * ArmillaExpression:
 *
 * A formula for one number, such as sqrt(Q^2 + U^2), that is evaluated for many values of its
 * variables. Several threads may evaluate one at the same time.
 */
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
