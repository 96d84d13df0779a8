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
  GByteArray *pattern_of;  /* guint32 [realisation] */
  gint64 n_done, n_replaced, n_restored;
  GMutex lock;             /* guards what follows */
  GHashTable *expected;    /* path -> Expected */
  gint64 last;             /* when something was kept, monotonic time */
};

/* Caller frees; NULL for a node that writes no file. */
char *armilla_resume_output (const ArmillaWorkflow *workflow, const ArmillaNode *node,
                             gint64 index);
gboolean armilla_resume_plan (ArmillaResume *self, GError **error);

G_END_DECLS
