/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that help the calling thread with short work. After work they poll for more before they
 * sleep, like OpenMP's threads, so that a loop of short calls need not wake them repeatedly. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _ArmillaTeam ArmillaTeam;

/* Runs a task on a member of the team; member 0 is the calling thread. */
typedef void (*ArmillaTeamRun) (gpointer user, gint64 task, int member);

ArmillaTeam *armilla_team_new (int n_members);
void armilla_team_free (ArmillaTeam *team);
gint64 armilla_team_begin (ArmillaTeam *team, int n_active, ArmillaTeamRun run, gpointer user);
void armilla_team_add (ArmillaTeam *team, gint64 n);
void armilla_team_finish (ArmillaTeam *team);
gpointer armilla_team_scratch (ArmillaTeam *team, int member, gsize size);

G_END_DECLS
