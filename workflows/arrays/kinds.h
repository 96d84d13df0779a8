/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/graph.h>

#include "workflows/arrays/input.h"
#include "workflows/arrays/result.h"

G_BEGIN_DECLS

#define ARMILLA_ARRAY_KINDS (ARMILLA_FLOW_MATRIX + 1)

/* A kind of data that callers exchange with workflows. */
typedef struct {
  const char *stage; /* stage that gives such an array */
  GType (*type) (void);
  double (*bytes) (ArmillaData *data); /* bytes of a result, 0 for what is small */
  /* describes data like an array */
  ArmillaData *(*make) (const ArmillaInput *input, GError **error);
  /* describes data in a result, and allocates its array; NULL: columns, set when they are there */
  gboolean (*show) (ArmillaResult *result, ArmillaData *data, GError **error);
  ArmillaHostPiece give, take; /* of arguments ArmillaInput, ArmillaResult; NULL: by tasks */
} ArmillaArrayKind;

/* one for each ArmillaFlowKind */
extern const ArmillaArrayKind armilla_array_kinds[];

int armilla_array_kind_find (GType type);

G_END_DECLS
