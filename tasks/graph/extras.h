/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data that algorithms store with a graph, such as tables shared by tasks of several stages. The
 * graph stores them in a list per kind without interpreting them. */
#pragma once

#include <armilla/graph.h>

G_BEGIN_DECLS

/* A kind of extras, identified by its address. */
typedef struct {
  GDestroyNotify free; /* frees the extras of one list; no task uses them any more */
  /* removes extras that no later job will need, after the tasks submitted so far are done; may be
   * NULL */
  void (*trim) (ArmillaGraph *graph, GPtrArray *extras);
} ArmillaExtraKind;

typedef struct _ArmillaExtras ArmillaExtras;

ArmillaExtras *armilla_extras_new (void);
GPtrArray *armilla_extras_get (ArmillaExtras *self, const ArmillaExtraKind *kind);
void armilla_extras_trim (ArmillaExtras *self, ArmillaGraph *graph);
void armilla_extras_free (ArmillaExtras *self);

G_END_DECLS
