/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Journal of a run: its complete files, and what determined their contents. */
#pragma once

#include <armilla/error.h>

G_BEGIN_DECLS

/* A complete file. */
typedef struct {
  char *path;
  gint64 index; /* number of the realisation */
  char *node;   /* name of the node */
  /* number of the output if the file is a checkpoint; -1 for a file that the user requested */
  int port;
  char *key;    /* checksum of all that determines the contents, see armilla_keys_new() */
  gint64 size;  /* size in bytes */
  gint64 mtime; /* modification time, ns */
  char *sum;    /* SHA-256 of its contents; "-" for a file that the user requested */
} ArmillaRecord;

/* A file of records, to which lines are only appended. The checksum of a line depends on all lines
 * before it. Only one process can have it open. */
typedef struct _ArmillaJournal ArmillaJournal;

ArmillaJournal *armilla_journal_open (const char *path, GError **error);
gboolean armilla_journal_add (ArmillaJournal *self, const ArmillaRecord *record, GError **error);
gboolean armilla_journal_absorb (ArmillaJournal *self, GError **error);
const ArmillaRecord *armilla_journal_find (ArmillaJournal *self, const char *path);
GPtrArray *armilla_journal_records (ArmillaJournal *self);
void armilla_journal_free (ArmillaJournal *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaJournal, armilla_journal_free)

G_END_DECLS
