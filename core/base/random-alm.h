/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks of the spectra of random a_lm. */
#pragma once

#include <armilla/error.h>

G_BEGIN_DECLS

gboolean armilla_random_alm_check (const double *cl, gint64 lmax_cl, GError **error);
gboolean armilla_random_alm_check_polarised (const double *cl, int n_spectra, gint64 lmax_cl,
                                             GError **error);

G_END_DECLS
