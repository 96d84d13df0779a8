/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "tasks/arrays/host-array.h"

G_BEGIN_DECLS

/**
 * ArmillaOutputs:
 * @graph: (transfer none): where they come from
 * @list: (element-type ArmillaWhole): those that are not whole yet on every rank
 *
 * The arrays that a call writes, which shall be whole on every rank in the end.
 */
typedef struct {
  ArmillaGraph *graph;
  GPtrArray *list;
} ArmillaOutputs;

void armilla_outputs_init (ArmillaOutputs *self, ArmillaGraph *graph);
gboolean armilla_outputs_add_map (ArmillaOutputs *self, ArmillaMap *map, ArmillaHostMap take,
                                  gpointer user, const ArmillaHostArray *host, GError **error);
gboolean armilla_outputs_add_alm (ArmillaOutputs *self, ArmillaAlm *alm, ArmillaHostArray *host,
                                  GError **error);
gboolean armilla_outputs_add_cl (ArmillaOutputs *self, ArmillaCl *cl, ArmillaHostArray *host,
                                 GError **error);
gboolean armilla_outputs_wait (ArmillaOutputs *self, GError *wrong, GError **error);

G_END_DECLS
