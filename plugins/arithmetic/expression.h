/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The stage expression: code shared by formulas of maps, spectra and tables. */

#include "plugins/arithmetic/formulas.h"

G_BEGIN_DECLS

#define ARMILLA_EXPRESSION_INPUTS 8 /* inputs of each kind */
#define ARMILLA_EXPRESSION_TABLES 2 /* tables beside maps or spectra */

/* Kind of output; the ports of a kind are adjacent. */
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
  int n_inputs;              /* number of connected inputs of this kind */
  const char *port[ARMILLA_EXPRESSION_INPUTS];
  int n_fields[ARMILLA_EXPRESSION_INPUTS];
  int n_tables; /* number of additional tables */
  const char *tables[ARMILLA_EXPRESSION_TABLES];
  ArmillaGrid *grid; /* grid of maps */
  int n_varying;     /* number of fields of all maps */
  gint64 lmax;       /* maximum multipole of spectra */
  double *numbers;   /* values of the numbers in formulas; on rank 0 */
};

/* In expression-numbers.c: */
gboolean armilla_expression_ask_numbers (ArmillaExpressionStage *self, ArmillaGraph *graph,
                                         ArmillaTableData *const *tables, int level,
                                         ArmillaTableData *found, ArmillaCl **numbers,
                                         GError **error);

/* One file for each kind. @inputs: the connected inputs; @tables: the additional tables. */
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
