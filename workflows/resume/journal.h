/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The journal of a run: which files are whole, and what they were made of. */
#pragma once

#include <armilla/error.h>

G_BEGIN_DECLS

/* A file that is whole. */
typedef struct {
  char *path;   /* name of a file */
  gint64 index; /* number of the realisation */
  char *node;   /* name of the node */
  /* number of the output whose values the file keeps; -1 for a file that the user asked for */
  int port;
  char *key;    /* what it was made of, see armilla_keys_new() */
  gint64 size;  /* its length in bytes */
  gint64 mtime; /* when it was last written, ns */
  char *sum;    /* SHA-256 of its bytes; "-" for a file that the user asked for */
} ArmillaRecord;

/* Records of files, in a file that only grows. Every line carries a checksum over itself and all
 * lines before it. No other process can open the journal meanwhile. */
typedef struct _ArmillaJournal ArmillaJournal;

ArmillaJournal *armilla_journal_open (const char *path, GError **error);
gboolean armilla_journal_add (ArmillaJournal *self, const ArmillaRecord *record, GError **error);
gboolean armilla_journal_absorb (ArmillaJournal *self, GError **error);
const ArmillaRecord *armilla_journal_find (ArmillaJournal *self, const char *path);
GPtrArray *armilla_journal_records (ArmillaJournal *self);
void armilla_journal_free (ArmillaJournal *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaJournal, armilla_journal_free)

G_END_DECLS
