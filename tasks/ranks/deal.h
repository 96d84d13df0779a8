/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Distributes realisations to ranks during a run. */
#pragma once

#include <armilla/data.h>
#include <armilla/runtime.h>

G_BEGIN_DECLS

/* Distributes realisations to ranks, each of which computes whole ones in a graph of
 * armilla_graph_new_alone(). Faster ranks get more. */
typedef struct _ArmillaDeal ArmillaDeal;

/* Called on rank 0, in any thread, when a realisation is dealt to a rank. */
typedef void (*ArmillaDealt) (gpointer user, gint64 index);

ArmillaDeal *armilla_deal_new (ArmillaRuntime *runtime, ArmillaGraph *graph, GArray *left,
                               GArray *lots, gint64 max_together, ArmillaDealt hear, gpointer user,
                               GError **error);
gint64 armilla_deal_next (ArmillaDeal *self, gboolean failed, gint64 *n);
void armilla_deal_begun (ArmillaDeal *self);
char *armilla_deal_describe (const ArmillaDeal *self);
void armilla_deal_free (ArmillaDeal *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaDeal, armilla_deal_free)

G_END_DECLS
