/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Converts objects to maps by the pixels that contain them, and to tables. Thread-safe, each thread
 * with its own objects. */
#pragma once

#include <armilla/catalogue.h>
#include <armilla/grid.h>
#include <armilla/table.h>

G_BEGIN_DECLS

/* Values that a pixel may get from its objects. */
typedef enum {
  ARMILLA_BINNED_COUNTS,  /* number of objects */
  ARMILLA_BINNED_WEIGHTS, /* sum of their weights */
  ARMILLA_BINNED_MEAN     /* weighted mean of a further column: sum w v / sum w */
} ArmillaBinned;

/* Sums over the objects in each pixel of a map, exact whatever their order. */
typedef struct _ArmillaBinning ArmillaBinning;

ArmillaBinning *armilla_binning_new (ArmillaCatalogue *catalogue, ArmillaGrid *grid,
                                     GError **error);
gboolean armilla_binning_fill (const ArmillaBinning *self, ArmillaBinned what, int value,
                               gint64 first, gint64 n, double *pixels, GError **error);
void armilla_binning_free (ArmillaBinning *self);

ArmillaTable *armilla_catalogue_table (const ArmillaCatalogue *catalogue, gboolean vectors,
                                       GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaBinning, armilla_binning_free)

G_END_DECLS
