/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What the stages of expressions share: the names that inputs have in them, and lists of them. */

#include <armilla/armilla.h>

G_BEGIN_DECLS

/* Numbers that expressions may name, in the order of their addition. */
typedef struct {
  GArray *names;    /* ArmillaExpressionName, which it owns */
  GPtrArray *own;   /* of each variable: its name in the input */
  GPtrArray *units; /* of each variable */
} ArmillaNames;

ArmillaNames *armilla_names_new (void);
void armilla_names_free (ArmillaNames *self);
int armilla_names_add (ArmillaNames *self, const char *own, const char *unit);
void armilla_names_call (ArmillaNames *self, int variable, const char *prefix, const char *name);
void armilla_names_call_field (ArmillaNames *self, int variable, const char *prefix,
                               const char *name);
void armilla_names_call_spectrum (ArmillaNames *self, int variable, const char *prefix,
                                  const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaNames, armilla_names_free)

/* The properties of these stages, a part of their objects. */
typedef struct {
  char *expression, *names, *unit;
} ArmillaFormulaTexts;

void armilla_formulas_install (ArmillaStageClass *klass, gsize part);

/* Expressions with the name and the unit of what comes out. */
typedef struct {
  int n, n_variables;
  ArmillaExpression **expression;
  char **texts, **names, **units;
  GHashTable *numbers; /* name -> number of the expression, plus 1 */
} ArmillaFormulas;

ArmillaFormulas *armilla_formulas_new (const ArmillaFormulaTexts *texts, const ArmillaNames *known,
                                       GError **error);
gboolean armilla_formulas_check (const ArmillaFormulaTexts *texts, GError **error);
int armilla_formulas_find (const ArmillaFormulas *self, const char *name);
void armilla_formulas_free (ArmillaFormulas *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaFormulas, armilla_formulas_free)

G_END_DECLS
