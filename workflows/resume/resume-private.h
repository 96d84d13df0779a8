/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What resume.c and resume-plan.c share. */
#pragma once

#include "workflows/file/keys.h"
#include "workflows/resume/journal.h"
#include "workflows/resume/resume.h"

G_BEGIN_DECLS

struct _ArmillaResume {
  const ArmillaWorkflow *workflow;
  ArmillaRuntime *runtime;
  gboolean overwrite;
  double interval;         /* s */
  char *path;              /* of the journal */
  ArmillaJournal *journal; /* on rank 0; on others from their first file on */
  ArmillaKeys *keys;
  GByteArray *patterns;    /* [pattern][node]: ArmillaNodeState */
  GByteArray *pattern_of;  /* guint32 [pass] */
  GHashTable *kept_lots;   /* path -> whether it is there; of lots that were looked at */
  GByteArray *lot_keys;    /* [lot][node that collects]: digits */
  gint64 n_done, n_replaced, n_restored;
  GMutex lock;             /* guards what follows */
  GHashTable *expected;    /* path -> Expected */
  gint64 last;             /* when something was kept, monotonic time */
};

#define ARMILLA_LOT_KEY 64 /* digits */

/* resume-lots.c: what lots are made of, and which are there. */
gboolean armilla_resume_make_lot_keys (ArmillaResume *self, GError **error);
void armilla_resume_set_collected (ArmillaResume *self);
gboolean armilla_resume_has_lot (ArmillaResume *self, gint64 lot, int node, gboolean *kept,
                                 GError **error);
char *armilla_resume_lot_key (const ArmillaResume *self, gint64 lot, int node);
gboolean armilla_resume_is_part_kept (ArmillaResume *self, const char *path, const char *key,
                                       gboolean *kept, GError **error);
gboolean armilla_resume_plan (ArmillaResume *self, GError **error);

G_END_DECLS
