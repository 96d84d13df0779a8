/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/catalogue.h>

#include "core/catalogues/catalogue.h"
#include "core/fits/fits-source.h"

G_BEGIN_DECLS

/* maximum number of further columns of values, which have the indices from ARMILLA_N_ROLES on */
#define CATALOGUE_VALUES_MAX 64
#define CATALOGUE_ROLES (ARMILLA_N_ROLES + CATALOGUE_VALUES_MAX)

/* In catalogue-columns.c: finds the column of each role; -1 if there is none. */
gboolean armilla_catalogue_resolve (const ArmillaCatalogueColumns *columns, char *const *names,
                                    int n_names, const char *path, int chosen[CATALOGUE_ROLES],
                                    GError **error);
const char *armilla_catalogue_role_name (int role);
gboolean armilla_catalogue_units (const ArmillaCatalogueColumns *columns, char *const *names,
                                  char *const *units, const int chosen[CATALOGUE_ROLES],
                                  const char *path, ArmillaAngleUnit out[2], GError **error);

/* Columns of numbers; read by catalogue-text.c. */
typedef struct {
  gint64 n_rows;
  double *values[CATALOGUE_ROLES]; /* NULL for roles without a column */
  char **names;                    /* names of all columns; "" for a column without a name */
  char **units;                    /* units of all columns; "" if unknown */
} ArmillaCatalogueText;

gboolean armilla_catalogue_text_read (ArmillaFitsSource *source,
                                      const ArmillaCatalogueColumns *columns,
                                      ArmillaAngleUnit units[2], int chosen[CATALOGUE_ROLES],
                                      ArmillaCatalogueText *text, GError **error);
void armilla_catalogue_text_clear (ArmillaCatalogueText *text);

G_END_DECLS
