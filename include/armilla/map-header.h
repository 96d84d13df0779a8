/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Headers of maps: grid, fields, units, and the keywords of FITS that are copied from map to map.
 * Any thread may call these functions. */
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
 * Names, units, spins and conventions of the fields of a map, a_lm or spectra. The struct owns
 * everything it points to.
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
 * @partial: whether the file lists only some pixels, with their numbers (explicit indexing)
 * @single: whether columns are float32 (otherwise float64)
 * @fields: (owned): the columns of values: TTYPE and TUNIT, "" if absent, COORDSYS and POLCCONV. A
 *   reader keeps unknown values of POLCCONV, in capitals; contradictory values are separated by
 *   commas. Files do not have spins: the reader leaves %NULL, the writer ignores them. The history
 *   is in lines of HISTORY
 *
 * Contents of the header of a map file.
 */
typedef struct {
  ArmillaGrid *grid;
  ArmillaMapOrder order;
  gboolean partial;
  gboolean single;
  ArmillaFields fields;
} ArmillaMapHeader;

G_END_DECLS
