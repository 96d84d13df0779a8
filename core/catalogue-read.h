/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/catalogue.h>

#include "core/fits-source.h"

G_BEGIN_DECLS

/* catalogue-columns.c: which column of a file has which role; -1 for none. */
gboolean armilla_catalogue_resolve (const ArmillaCatalogueColumns *columns, char *const *names,
                                    int n_names, const char *path, int chosen[ARMILLA_N_ROLES],
                                    GError **error);
const char *armilla_catalogue_role_name (ArmillaCatalogueRole role);
gboolean armilla_catalogue_units (const ArmillaCatalogueColumns *columns, char *const *names,
                                  char *const *units, const int chosen[ARMILLA_N_ROLES],
                                  const char *path, ArmillaAngleUnit out[2], GError **error);

/* catalogue-text.c: columns of numbers. */
typedef struct {
  gint64 n_rows;
  double *values[ARMILLA_N_ROLES]; /* NULL where no column has the role */
} ArmillaCatalogueText;

gboolean armilla_catalogue_text_read (ArmillaFitsSource *source,
                                      const ArmillaCatalogueColumns *columns,
                                      ArmillaAngleUnit units[2], int chosen[ARMILLA_N_ROLES],
                                      ArmillaCatalogueText *text, GError **error);
void armilla_catalogue_text_clear (ArmillaCatalogueText *text);

G_END_DECLS
