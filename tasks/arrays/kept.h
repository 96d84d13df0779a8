/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/graph.h>

#include "tasks/arrays/session.h"

G_BEGIN_DECLS

/**
 * ArmillaKept:
 * @session: (transfer none): where it is kept
 * @users: plans that share it
 * @grid: rings of the map
 * @layout: of the a_lm
 * @n_fields: fields of all copies
 * @spins: (array length=n_fields): their spins, equal ones side by side
 * @copy: (array length=n_fields): which copy each belongs to
 * @component: (array length=n_fields): which component of it each is
 * @n_components: components of a copy
 * @n_copies: copies
 * @graphs: (array fixed-size=2): what keeps tables and plans of FFTs, for arrays of the host's and
 *   for those of a GPU's; %NULL before the first call, after one that failed, and after the session
 *   stopped
 *
 * What plans of one shape share.
 */
typedef struct {
  ArmillaSession *session;
  int users;
  ArmillaGrid *grid;
  ArmillaAlmLayout layout;
  int n_fields, n_components, n_copies;
  int *spins, *copy, *component;
  ArmillaGraph *graphs[2];
} ArmillaKept;

ArmillaKept *armilla_kept_find (ArmillaSession *session, ArmillaKept *wanted);
ArmillaGraph *armilla_kept_graph (ArmillaKept *kept, gboolean on_gpu, GError **error);
void armilla_kept_forget_graph (ArmillaKept *kept, const ArmillaGraph *graph);
void armilla_kept_leave (ArmillaKept *kept);
void armilla_kept_forget_graphs (ArmillaSession *session);
void armilla_kept_free_all (ArmillaSession *session);

G_END_DECLS
