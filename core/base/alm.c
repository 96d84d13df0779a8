/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <armilla/alm.h>

/* Highest lmax that is accepted. Above it l*l + l + m + 1, the index of a_lm in FITS files, would
 * still fit 64 bits, but the a_lm would take petabytes. */
#define LMAX_LIMIT (G_GINT64_CONSTANT (1) << 24)

gboolean
armilla_alm_layout_check (ArmillaAlmLayout layout, GError **error)
{
  if (layout.lmax < 0 || layout.lmax > LMAX_LIMIT)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "lmax is %" G_GINT64_FORMAT "; it must be from 0 to %" G_GINT64_FORMAT,
                         layout.lmax, LMAX_LIMIT);
  if (layout.mmax < 0 || layout.mmax > layout.lmax)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "mmax is %" G_GINT64_FORMAT "; it must be from 0 to lmax = %"
                         G_GINT64_FORMAT, layout.mmax, layout.lmax);
  return TRUE;
}
