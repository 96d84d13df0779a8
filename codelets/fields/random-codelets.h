/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/codelet.h>

#include "codelets/fields/random.h"

G_BEGIN_DECLS

typedef struct {
  ArmillaFault *fault;      /* error latch of this rank */
  ArmillaRandomShape shape; /* the block */
} ArmillaRandomArgs;

/* Buffers: 0 R factors, see armilla_random_factor(), 1 W a_lm. */
extern ArmillaCodelet armilla_random_alm_cl;

G_END_DECLS
