/* SPDX-License-Identifier: GPL-3.0-or-later */
/* State shared by resume.c and resume-plan.c. */
#pragma once

#include "workflows/file/keys.h"
#include "workflows/resume/journal.h"
#include "workflows/resume/resume.h"

G_BEGIN_DECLS

struct _ArmillaResume {
  const ArmillaWorkflow *workflow;
  ArmillaRuntime *runtime;
  gboolean overwrite;
  double interval;         /* minimum time between checkpoints, s */
  char *path;
  ArmillaJournal *journal; /* on rank 0; on other ranks NULL until they complete a file */
  ArmillaKeys *keys;
  GByteArray *patterns;    /* [pattern][node]: ArmillaNodeState; the different states of passes */
  GByteArray *pattern_of;  /* [pass]: guint32, number of its pattern */
  GHashTable *kept_lots;   /* path -> whether it exists, for lots checked so far */
  GByteArray *lot_keys;    /* [lot][collecting node]: key, ARMILLA_LOT_KEY digits */
  gint64 n_done, n_replaced, n_restored;
  GMutex lock;             /* guards the following fields */
  GHashTable *expected;    /* path -> Expected: what to record when the file is complete */
  gint64 last;             /* monotonic time of the last checkpoint */
};

#define ARMILLA_LOT_KEY 64 /* digits of a key of a lot */

/* In resume-lots.c: computes the keys of lots, and finds which lots exist. */
gboolean armilla_resume_make_lot_keys (ArmillaResume *self, GError **error);
void armilla_resume_set_collected (ArmillaResume *self);
gboolean armilla_resume_has_lot (ArmillaResume *self, gint64 lot, int node, gboolean *kept,
                                 GError **error);
char *armilla_resume_lot_key (const ArmillaResume *self, gint64 lot, int node);
gboolean armilla_resume_is_part_kept (ArmillaResume *self, const char *path, const char *key,
                                       gboolean *kept, GError **error);
gboolean armilla_resume_plan (ArmillaResume *self, GError **error);

G_END_DECLS
