/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Factors of the covariance matrices of random a_lm. */
#pragma once

#include <armilla/error.h>

G_BEGIN_DECLS

/* Spectra of correlated fields. */
typedef struct {
  int n_fields;        /* number of fields */
  /* (array): name of each field, for messages; ends with %NULL */
  const char *const *fields;
  /* (array): index of the spectrum of fields f and k <= f, at f (f + 1) / 2 + k; -1: it is 0 */
  const int *columns;
} ArmillaRandomFields;

gboolean armilla_random_factor (const ArmillaRandomFields *fields, const double *cl,
                                gint64 lmax_cl, double *factor, GError **error);

G_END_DECLS
