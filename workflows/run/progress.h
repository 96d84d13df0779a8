/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "workflows/run/realisation.h"
#include "workflows/run/tally.h"

G_BEGIN_DECLS

/* Reports the progress of a run on standard error: a bar on a terminal, lines elsewhere. */
typedef struct _ArmillaProgress ArmillaProgress;

/* State of a run. */
typedef struct {
  gint64 index;   /* number of the realisation that was begun last */
  gint64 n;       /* number of realisations */
  gint64 n_done;  /* number of finished tasks */
  double share;   /* estimated share of the run that is done, 0 to 1 */
  double seconds; /* seconds since the run began */
} ArmillaProgressState;

/* Through it other threads can read the progress of a run. */
typedef struct {
  GMutex lock;               /* guards the following fields */
  ArmillaProgress *progress; /* progress of the run; NULL before its start and after its end */
  ArmillaProgressState last; /* progress at the end of the run */
} ArmillaWatch;

void armilla_progress_program_begins (void);
double armilla_progress_program_seconds (void);

ArmillaProgress *armilla_progress_new (const ArmillaWorkflow *workflow, ArmillaGraph *graph,
                                       ArmillaTally *tally, gboolean silent,
                                       gboolean log_time);
void armilla_progress_node (gpointer self, const ArmillaNode *node, gint64 pass,
                            ArmillaData *const *outputs);
void armilla_progress_realisation (ArmillaProgress *self, gint64 index);
void armilla_progress_all_submitted (ArmillaProgress *self);
void armilla_progress_read (ArmillaProgress *self, ArmillaProgressState *state);
void armilla_progress_free (ArmillaProgress *self, gboolean done);

void armilla_watch_init (ArmillaWatch *self);
void armilla_watch_set (ArmillaWatch *self, ArmillaProgress *progress);
void armilla_watch_read (ArmillaWatch *self, ArmillaProgressState *state);
void armilla_watch_clear (ArmillaWatch *self);

/* log.c */
void armilla_log (gboolean clock, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* terminal.c */
int armilla_terminal_find (void);
int armilla_terminal_width (int terminal);

G_END_DECLS
