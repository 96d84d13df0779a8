/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Shared by the stages that evaluate expressions: names of variables, lists of expressions, and
 * numbers in them that are the same for all elements, such as mean(T). */

#include <armilla/armilla.h>

#include "core/expressions/expression.h"

G_BEGIN_DECLS

/* An unqualified name that only a later input has. */
typedef struct {
  char *name;
  const char *port;
} ArmillaOtherName;

/* Variables of expressions, in the order of their addition. */
typedef struct {
  GArray *names;    /* ArmillaExpressionName, owned by this struct */
  GPtrArray *own;   /* for each variable its name in the input, or NULL */
  GPtrArray *units; /* unit of each variable */
  GArray *others;   /* ArmillaOtherName */
  const char *other; /* name of the later input whose names are being added */
  const char *first; /* name of the first input, and its number of variables */
  int n_first;
  GPtrArray *tables; /* inputs with columns still unknown, or read by single values */
} ArmillaNames;

/* An input with @n named fields; @units may be NULL; @numbered: port.1 is its second field. */
typedef struct {
  const char *port;
  int n;
  const char *const *names, *const *units;
  gboolean numbered;
} ArmillaNamesInput;

typedef void (*ArmillaNamesCall) (ArmillaNames *self, int variable, const char *prefix,
                                  const char *name);

ArmillaNames *armilla_names_new (void);
void armilla_names_free (ArmillaNames *self);
int armilla_names_add (ArmillaNames *self, const char *own, const char *unit);
void armilla_names_add_inputs (ArmillaNames *self, const ArmillaNamesInput *inputs, int n,
                               ArmillaNamesCall call);
void armilla_names_add_table (ArmillaNames *self, const char *port);
void armilla_names_call (ArmillaNames *self, int variable, const char *prefix, const char *name);
void armilla_names_call_field (ArmillaNames *self, int variable, const char *prefix,
                               const char *name);
void armilla_names_call_spectrum (ArmillaNames *self, int variable, const char *prefix,
                                  const char *name);
char *armilla_names_word (const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaNames, armilla_names_free)

/* Properties of these stages, embedded in their objects. */
typedef struct {
  char *expression, *names, *unit;
} ArmillaFormulaTexts;

void armilla_formulas_install (ArmillaStageClass *klass, gsize part);

typedef enum {
  ARMILLA_REDUCE_MEAN,
  ARMILLA_REDUCE_SUM,
  ARMILLA_REDUCE_VAR,
  ARMILLA_REDUCE_MIN,
  ARMILLA_REDUCE_MAX
} ArmillaReduce;

/* COLUMN: a value of a table; ROWS: a reduction of columns that are not known yet; REDUCED: a
 * reduction of what varies from element to element. */
typedef enum {
  ARMILLA_NUMBER_COLUMN,
  ARMILLA_NUMBER_ROWS,
  ARMILLA_NUMBER_REDUCED
} ArmillaNumberKind;

/* A number that is the same for all elements. It may depend on preceding numbers. */
typedef struct {
  ArmillaNumberKind kind;
  ArmillaReduce how;
  char *text;                  /* the argument, or the name of a value, preceded by blanks */
  char *name;                  /* its name in formulas */
  ArmillaExpression *argument; /* argument of REDUCED */
  int variable;
  int level;       /* nesting depth of reductions of what varies, including this one */
  gboolean needed; /* COLUMN: it is also used outside the arguments of ROWS */
} ArmillaNumber;

/* Expressions with the names and units of their results. */
typedef struct {
  int n, n_variables;
  int n_varying; /* number of variables of inputs, which come first */
  ArmillaExpression **expression;
  char **texts, **names, **units;
  GArray *numbers;      /* ArmillaNumber */
  GHashTable *by_name; /* name -> index of the expression, plus 1 */
} ArmillaFormulas;

ArmillaFormulas *armilla_formulas_new (const ArmillaFormulaTexts *texts, ArmillaNames *known,
                                       GError **error);
gboolean armilla_formulas_check (const ArmillaFormulaTexts *texts, GError **error);
int armilla_formulas_find (const ArmillaFormulas *self, const char *name);
int armilla_formulas_n_levels (const ArmillaFormulas *self);
void armilla_formulas_free (ArmillaFormulas *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaFormulas, armilla_formulas_free)

/* In formula-numbers.c: */
char *armilla_formulas_take_numbers (ArmillaFormulas *self, ArmillaNames *known,
                                     const char *text, gboolean with_units, GError **error);
ArmillaExpression *armilla_formulas_parse (const ArmillaNames *known, const char *text,
                                           gboolean with_units, GError **error);
char *armilla_formulas_hide_reductions (const char *text, GPtrArray *arguments, GError **error);
void armilla_formulas_need_columns (ArmillaFormulas *self, const ArmillaExpression *expression);

/* Values of variables, a row per element; a single row is broadcast. Functions in
 * formula-values.c. */
typedef struct {
  GPtrArray *values; /* const double *, values of each variable; may be NULL */
  GArray *rows;      /* gint64 */
  GPtrArray *made;   /* owned arrays */
} ArmillaValues;

ArmillaValues *armilla_values_new (int n_variables);
void armilla_values_free (ArmillaValues *self);
void armilla_values_set (ArmillaValues *self, int variable, const double *values, gint64 n_rows);
gboolean armilla_values_set_column (ArmillaValues *self, int variable, const ArmillaColumn *column,
                                    gint64 n_rows, GError **error);
double *armilla_values_evaluate (const ArmillaValues *self, ArmillaExpression *expression,
                                 gint64 *n_rows, GError **error);
double armilla_reduce (ArmillaReduce how, const double *values, gint64 n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaValues, armilla_values_free)

/* A table with known values, and its name in formulas. */
typedef struct {
  const char *port;
  const ArmillaTable *table;
} ArmillaNamedTable;

gboolean armilla_formulas_number (const ArmillaFormulas *self, int number,
                                  const ArmillaNamedTable *tables, int n_tables,
                                  const ArmillaValues *values, double *numbers, GError **error);

G_END_DECLS
