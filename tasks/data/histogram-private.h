/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "tasks/data/data-private.h"
#include "tasks/data/histogram.h"

G_BEGIN_DECLS

/* maximum number of words of a histogram: 256 MiB */
#define MAX_WORDS (1 << 25)
/* maximum number of patches; more do not improve the estimate of an error */
#define ARMILLA_PATCHES_MAX 4096

/* Returns the tile of a histogram, owned by rank 0: 64-bit words stored as doubles. */
const ArmillaTile *armilla_histogram_tile (ArmillaHistogram *self, ArmillaGraph *graph,
                                           GError **error);

G_END_DECLS
