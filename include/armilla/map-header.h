/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Headers of maps: grid, fields, units, and what of a FITS header a map carries along. Any thread
 * may call these functions. */
#pragma once

#include <armilla/alm.h>
#include <armilla/grid.h>
#include <armilla/output.h>

G_BEGIN_DECLS

/**
 * ARMILLA_UNSEEN:
 *
 * HEALPix's value of a pixel that was not observed.
 */
#define ARMILLA_UNSEEN (-1.6375e30)

/**
 * armilla_is_unseen:
 * @x: a pixel value
 *
 * Returns: whether |x + 1.6375e30| <= 1e-5 * 1.6375e30 (float32 files hold a rounded value)
 */
static inline gboolean
armilla_is_unseen (double x)
{
  double d = x - ARMILLA_UNSEEN;

  return (d < 0 ? -d : d) <= 1e-5 * 1.6375e30;
}

/**
 * ArmillaMapOrder:
 * @ARMILLA_ORDER_RING: pixels run along rings, north to south
 * @ARMILLA_ORDER_NESTED: pixels follow HEALPix's quad-tree; nside must be a power of two
 */
typedef enum { ARMILLA_ORDER_RING, ARMILLA_ORDER_NESTED } ArmillaMapOrder;

/**
 * ArmillaMapHeader:
 * @grid: (owned): the pixelisation
 * @order: order of the pixels in the file
 * @partial: only some pixels are in the file, with their numbers (explicit indexing)
 * @single: float32 columns (float64 otherwise)
 * @n_fields: number of columns of values
 * @names: (array length=n_fields) (owned): TTYPE of each
 * @units: (array length=n_fields) (owned): TUNIT of each, "" when there is none
 * @spins: (array length=n_fields) (owned) (nullable): spin of each, pairs for a spin above 0;
 *   %NULL when all are 0. A file does not say: the reader leaves %NULL, the writer does not look
 * @coordsys: (owned) (nullable): COORDSYS: G, E or C
 * @polcconv: (owned) (nullable): POLCCONV: COSMO or IAU. When reading also what else is there, in
 *   capitals; several that contradict, separated by a comma
 * @extra: (owned) (nullable): lines for HISTORY when writing; what was there when reading
 *
 * What the header of a map file says.
 */
typedef struct {
  ArmillaGrid *grid;
  ArmillaMapOrder order;
  gboolean partial;
  gboolean single;
  int n_fields;
  char **names;
  char **units;
  int *spins;
  char *coordsys;
  char *polcconv;
  char **extra;
} ArmillaMapHeader;

G_END_DECLS
