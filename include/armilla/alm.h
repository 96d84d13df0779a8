/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sizes and order of a_lm. Thread-safe. */
#pragma once

#include <armilla/error.h>

G_BEGIN_DECLS

/**
 * ArmillaTransforms:
 * @ARMILLA_TRANSFORMS_NONE: no transform
 * @ARMILLA_TRANSFORMS_SYNTHESIS: from a_lm to a map
 * @ARMILLA_TRANSFORMS_ANALYSIS: from a map to a_lm
 * @ARMILLA_TRANSFORMS_BOTH: both directions
 *
 * Directions of transforms, combined as flags.
 */
typedef enum {
  ARMILLA_TRANSFORMS_NONE = 0,
  ARMILLA_TRANSFORMS_SYNTHESIS = 1 << 0,
  ARMILLA_TRANSFORMS_ANALYSIS = 1 << 1,
  ARMILLA_TRANSFORMS_BOTH = ARMILLA_TRANSFORMS_SYNTHESIS | ARMILLA_TRANSFORMS_ANALYSIS
} ArmillaTransforms;

/**
 * ArmillaAlmLayout:
 * @lmax: highest multipole
 * @mmax: highest order, at most @lmax
 *
 * The a_lm of a real field, m >= 0 only, in healpy's order: for each m, l runs from m to lmax.
 */
typedef struct {
  gint64 lmax, mmax;
} ArmillaAlmLayout;

/**
 * armilla_alm_index:
 * @lmax: highest multipole of the layout
 * @l: multipole
 * @m: order
 *
 * Returns: position of a_lm, m (2 lmax + 1 - m) / 2 + l
 */
static inline gint64
armilla_alm_index (gint64 lmax, gint64 l, gint64 m)
{
  return m * (2 * lmax + 1 - m) / 2 + l;
}

/**
 * armilla_alm_count:
 * @layout: a layout
 *
 * Returns: number of complex coefficients
 */
static inline gint64
armilla_alm_count (ArmillaAlmLayout layout)
{
  return armilla_alm_index (layout.lmax, layout.lmax, layout.mmax) + 1;
}

/**
 * armilla_alm_layout_check:
 * @layout: a layout
 * @error: return location
 *
 * Checks 0 <= mmax <= lmax, and that lmax does not exceed the limit of this program.
 *
 * Returns: whether the layout is valid; %ARMILLA_ERROR_VALUE otherwise
 */
gboolean armilla_alm_layout_check (ArmillaAlmLayout layout, GError **error);

G_END_DECLS
