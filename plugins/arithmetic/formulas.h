/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Code shared by stages that evaluate expressions: names of variables, parsing, and numbers that
 * are the same for all elements (pixels, multipoles or rows), such as mean(T). */

#include <armilla/armilla.h>

#include "core/expressions/expression.h"

G_BEGIN_DECLS

/* A name of a field that a later input has, but not the first one: it must be written as
 * PORT.NAME. */
typedef struct {
  char *name;
  const char *port;
} ArmillaOtherName;

/* Variables that expressions may use, in the order of their addition. */
typedef struct {
  /* ArmillaExpressionName (owned): names of variables; a variable may have several */
  GArray *names;
  GPtrArray *own;   /* [variable]: its name in the input, or NULL */
  GPtrArray *units; /* [variable]: its unit */
  GArray *others;   /* ArmillaOtherName */
  const char *other; /* input whose names are being added, if it is not the first */
  const char *first; /* name of the first input; n_first: number of its variables */
  int n_first;
  GPtrArray *tables; /* names of additional tables, whose columns are not known before the run */
} ArmillaNames;

/* An input with @n fields. @units may be NULL. @numbered: fields may also be written as numbers
 * from 0, so that port.1 is the second field. */
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

/* Properties of stages with expressions, a member of their objects. */
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

/* Kinds of numbers. COLUMN: value of a table; ROWS: reduction over the rows of a table; REDUCED:
 * reduction over elements. */
typedef enum {
  ARMILLA_NUMBER_COLUMN,
  ARMILLA_NUMBER_ROWS,
  ARMILLA_NUMBER_REDUCED
} ArmillaNumberKind;

/* A number in formulas that is the same for all elements. Its argument may contain preceding
 * numbers. */
typedef struct {
  ArmillaNumberKind kind;
  ArmillaReduce how;
  char *text; /* argument of a reduction, preceded by blanks; or the name of a value of a table */
  char *name;                  /* name that stands for the number in formulas */
  ArmillaExpression *argument; /* parsed argument of REDUCED */
  int variable;
  int level;       /* nesting depth of reductions over elements, including this one */
  /* for COLUMN: whether the value itself is used; FALSE if only ROWS use its column */
  gboolean needed;
} ArmillaNumber;

/* Expressions with the names and units of their results. */
typedef struct {
  int n, n_variables;
  int n_varying; /* number of variables that vary from element to element; they come first */
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

/* Values of variables with a row for each element; a variable with a single row is repeated.
 * Functions are in formula-values.c. */
typedef struct {
  GPtrArray *values; /* [variable]: const double *, values; may be NULL */
  GArray *rows;      /* [variable]: gint64, number of rows */
  GPtrArray *made;   /* arrays owned by this struct */
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

/* A table whose values are known, and its name in formulas. */
typedef struct {
  const char *port;
  const ArmillaTable *table;
} ArmillaNamedTable;

gboolean armilla_formulas_number (const ArmillaFormulas *self, int number,
                                  const ArmillaNamedTable *tables, int n_tables,
                                  const ArmillaValues *values, double *numbers, GError **error);

G_END_DECLS
