/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The stage expression: code shared by formulas of maps, spectra and tables. */

#include "plugins/arithmetic/formulas.h"

G_BEGIN_DECLS

#define ARMILLA_EXPRESSION_INPUTS 8 /* maximum number of inputs of each kind */
/* maximum number of additional tables, whose values formulas of maps or spectra use */
#define ARMILLA_EXPRESSION_TABLES 2

/* Kind of the output. Inputs of one kind have adjacent ports. */
typedef enum {
  ARMILLA_EXPRESSION_OF_MAPS,
  ARMILLA_EXPRESSION_OF_SPECTRA,
  ARMILLA_EXPRESSION_OF_TABLES,
  ARMILLA_EXPRESSION_N_KINDS
} ArmillaExpressionKind;

typedef struct _ArmillaExpressionStage ArmillaExpressionStage;

struct _ArmillaExpressionStage {
  ArmillaStage parent_instance;
  ArmillaFormulaTexts texts;
  char *spin;
  gint64 nside;
  gboolean keep;
  ArmillaExpressionKind kind;
  ArmillaFormulas *formulas; /* formulas of maps and spectra */
  int n_inputs;              /* number of connected inputs of the kind of the output */
  const char *port[ARMILLA_EXPRESSION_INPUTS];
  int n_fields[ARMILLA_EXPRESSION_INPUTS];
  int n_tables; /* number of additional tables */
  const char *tables[ARMILLA_EXPRESSION_TABLES];
  ArmillaGrid *grid; /* grid of maps */
  /* number of variables that vary from element to element: fields of all maps, or spectra */
  int n_varying;
  gint64 lmax;       /* highest multipole of spectra */
  double *numbers;   /* values of the numbers in formulas; on rank 0 */
};

/* In expression-numbers.c: */
gboolean armilla_expression_ask_numbers (ArmillaExpressionStage *self, ArmillaGraph *graph,
                                         ArmillaTableData *const *tables, int level,
                                         ArmillaTableData *found, ArmillaCl **numbers,
                                         GError **error);

/* Prepare the stage for each kind of output. @inputs: the connected inputs; @tables: the additional
 * tables. */
ArmillaData *armilla_expression_prepare_map (ArmillaExpressionStage *self,
                                             const ArmillaStageContext *context,
                                             ArmillaData *const *inputs, GError **error);
ArmillaData *armilla_expression_prepare_cl (ArmillaExpressionStage *self,
                                            ArmillaData *const *inputs, GError **error);
gboolean armilla_expression_build_map (ArmillaExpressionStage *self, ArmillaGraph *graph,
                                       ArmillaMap *const *inputs,
                                       ArmillaTableData *const *tables, ArmillaMap *out,
                                       GError **error);
gboolean armilla_expression_build_cl (ArmillaExpressionStage *self, ArmillaGraph *graph,
                                      ArmillaCl *const *inputs, ArmillaTableData *const *tables,
                                      ArmillaCl *out, GError **error);
gboolean armilla_expression_build_table (ArmillaExpressionStage *self, ArmillaGraph *graph,
                                         ArmillaTableData *const *inputs, ArmillaTableData *out,
                                         GError **error);

G_END_DECLS
