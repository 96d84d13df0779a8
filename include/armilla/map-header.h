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
 * ArmillaFields:
 * @n: number of fields
 * @names: (array length=n) (nullable): name of each, "" if unknown; ends with %NULL
 * @units: (array length=n) (nullable): unit of each, "" if unknown; ends with %NULL
 * @spins: (array length=n) (nullable): spin of each, pairs for a spin above 0; %NULL if all
 *   are 0
 * @coordsys: (nullable): coordinate system: G, E or C
 * @polcconv: (nullable): convention of polarisation: COSMO or IAU
 * @history: (nullable): how the fields were made, in lines; ends with %NULL
 *
 * What the numbers of a map, of a_lm or of spectra mean. The struct owns all that it points to.
 */
typedef struct {
  int n;
  char **names;
  char **units;
  int *spins;
  char *coordsys;
  char *polcconv;
  char **history;
} ArmillaFields;

/**
 * ArmillaMapHeader:
 * @grid: (owned): the pixelisation
 * @order: order of the pixels in the file
 * @partial: only some pixels are in the file, with their numbers (explicit indexing)
 * @single: float32 columns (float64 otherwise)
 * @fields: (owned): the columns of values: TTYPE, TUNIT, "" where there is none, COORDSYS and
 *   POLCCONV; when reading, of the last also what else is there, in capitals; several that
 *   contradict, separated by a comma. Files do not have spins: the reader leaves %NULL, the writer
 *   ignores them. The history is in lines of HISTORY
 *
 * What the header of a map file says.
 */
typedef struct {
  ArmillaGrid *grid;
  ArmillaMapOrder order;
  gboolean partial;
  gboolean single;
  ArmillaFields fields;
} ArmillaMapHeader;

G_END_DECLS
