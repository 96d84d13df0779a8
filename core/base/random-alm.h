/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random a_lm. Any thread may call these functions, each with its own arrays. */
#pragma once

#include <armilla/error.h>

G_BEGIN_DECLS

gboolean armilla_random_alm_check (const double *cl, gint64 lmax_cl, GError **error);
void armilla_random_alm (const double *cl, gint64 lmax_cl, gint64 lmax, gint64 m_first,
                         gint64 m_last, guint64 seed, guint64 realisation, guint64 field,
                         double *out);
gboolean armilla_random_alm_check_polarised (const double *cl, int n_spectra, gint64 lmax_cl,
                                             GError **error);
void armilla_random_alm_polarised (const double *cl, int n_spectra, gint64 lmax_cl, gint64 lmax,
                                   gint64 m_first, gint64 m_last, guint64 seed,
                                   guint64 realisation, double *out);

G_END_DECLS
