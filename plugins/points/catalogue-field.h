/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Weighted values of objects, the noise of their a_lm, and the ratio of the weights of a catalogue
 * to those of its mask. */
#pragma once

#include "tasks/data/objects.h"

G_BEGIN_DECLS

/* Columns of a catalogue that are not further columns; the others are numbered from 0. */
enum {
  CATALOGUE_FIELD_ONE = -1, /* 1 for each object */
  CATALOGUE_FIELD_Q = -2,   /* g1: Q in the convention COSMO */
  CATALOGUE_FIELD_U = -3    /* -g2: U in the convention COSMO */
};

/* Values of a field at the objects of a catalogue. */
typedef struct {
  const char *port;        /* name of the catalogue in messages */
  int n;                   /* number of values of an object */
  const int *columns;      /* (array length=n): their columns */
  gboolean weighted;       /* whether values and templates are already multiplied by the weights */
  int n_templates;         /* templates to deproject */
  const int *templates;    /* (array): n further columns of each template, one after the other */
  double tolerance;        /* eigenvalues below this fraction of the largest one are taken as 0 */
} CatalogueField;

ArmillaObjects *catalogue_field_weigh (ArmillaGraph *graph, ArmillaObjects *objects,
                                       const CatalogueField *field, GError **error);
double catalogue_field_shot (const double *a, const double *b, gint64 n);
int catalogue_field_column (ArmillaObjects *weighed, const CatalogueField *field, int i);
gboolean catalogue_field_scale (ArmillaGraph *graph, ArmillaObjects *data, ArmillaObjects *random,
                                ArmillaCl *mask, ArmillaCl *scale, GError **error);
gboolean catalogue_field_noise (ArmillaGraph *graph, ArmillaObjects *data, int n_fields,
                                ArmillaObjects *random, ArmillaCl *scale, ArmillaCl *noise,
                                GError **error);

G_END_DECLS
