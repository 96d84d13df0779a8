/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/graph.h>

#include "workflows/arrays/input.h"
#include "workflows/arrays/result.h"

G_BEGIN_DECLS

#define ARMILLA_ARRAY_KINDS (ARMILLA_FLOW_MATRIX + 1)

/* A kind of data that callers exchange with workflows. */
typedef struct {
  const char *stage; /* name of the stage that outputs such an array */
  GType (*type) (void);
  /* returns the bytes of the array of a result; 0 for small data */
  double (*bytes) (ArmillaData *data);
  /* returns data with the shape and metadata of an input */
  ArmillaData *(*make) (const ArmillaInput *input, GError **error);
  /* sets shape and metadata of a result and allocates its array; NULL for columns, which are set
   * when they are known */
  gboolean (*show) (ArmillaResult *result, ArmillaData *data, GError **error);
  /* fill data from an ArmillaInput, and copy data to an ArmillaResult; NULL: tasks do it */
  ArmillaHostPiece give, take;
} ArmillaArrayKind;

/* [ArmillaFlowKind] */
extern const ArmillaArrayKind armilla_array_kinds[];

int armilla_array_kind_find (GType type);

G_END_DECLS
