/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What algorithms keep with a graph: tables that tasks of several stages share. The graph keeps
 * them without knowing them. */
#pragma once

#include <armilla/graph.h>

G_BEGIN_DECLS

/**
 * ArmillaExtraKind:
 * @create: makes it, empty
 * @trim: (nullable): frees what no job that is still to come will need, once the tasks submitted
 *   so far are done
 * @free: frees it; no task uses it any more
 *
 * A kind of extra; its address is its name. A graph has one of a kind.
 */
typedef struct {
  gpointer (*create) (ArmillaGraph *graph);
  void (*trim) (ArmillaGraph *graph, gpointer extra);
  void (*free) (gpointer extra);
} ArmillaExtraKind;

typedef struct _ArmillaExtras ArmillaExtras;

ArmillaExtras *armilla_extras_new (void);
gpointer armilla_extras_get (ArmillaExtras *self, ArmillaGraph *graph,
                             const ArmillaExtraKind *kind);
void armilla_extras_trim (ArmillaExtras *self, ArmillaGraph *graph);
void armilla_extras_free (ArmillaExtras *self);

G_END_DECLS
