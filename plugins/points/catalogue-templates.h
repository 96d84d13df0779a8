/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Deprojection of templates from the a_lm of a density or a momentum. */
#pragma once

#include "tasks/data/objects.h"

G_BEGIN_DECLS

/* Templates, and how they are deprojected. */
typedef struct {
  int n, n_fields;        /* number of templates, and of fields of each */
  ArmillaAlm *alm;        /* a_lm of the templates times the mask, one after the other */
  /* the random objects, whose columns before the last are these templates at the objects, the last
   * one their weights; NULL: the mask is a map */
  ArmillaObjects *random;
  gboolean subtracted;    /* whether the field has the mask subtracted */
  gint64 lmax;            /* highest multipole of the fit */
  double tolerance;       /* eigenvalues below this fraction of the largest one are taken as 0 */
} CatalogueTemplates;

gboolean catalogue_templates_deproject (ArmillaGraph *graph, const CatalogueTemplates *templates,
                                        ArmillaAlm *field, ArmillaAlm *out, GError **error);

G_END_DECLS
