/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "workflows/text/problems.h"

G_BEGIN_DECLS

/* Progress of armilla_expand_variables() with a variable. */
typedef enum {
  ARMILLA_ENTRY_NEW,  /* not processed */
  ARMILLA_ENTRY_OPEN, /* the variables in its value are being processed */
  ARMILLA_ENTRY_DONE  /* its variables are replaced, or a problem was reported */
} ArmillaEntryState;

typedef struct {
  const char *key;
  /* value as written, without surrounding blanks; escapes and variables are unresolved */
  const char *value;
  ArmillaPlace key_place;   /* place of the key */
  ArmillaPlace value_place; /* place of the value */
  /* prefix of node names in the value, `sky/` in a definition that node sky uses; may be NULL */
  const char *scope;
  /* (owned): expanded value of a variable; may be NULL */
  char *expanded;
  ArmillaEntryState state;  /* progress of the expansion of a variable */
} ArmillaEntry;

typedef struct {
  const char *name;
  ArmillaPlace place; /* place of the name */
  const char *last;   /* file in which it was found last */
  GPtrArray *entries; /* its keys in the order of the file */
  /* keys without value of a definition's node; their values name the definition; may be NULL */
  GPtrArray *left_out;
} ArmillaGroup;

/* A parsed text in the syntax of GKeyFile. Unlike GKeyFile the parser records lines and columns,
 * rejects duplicate groups and keys, and never takes a comment for part of a value. */
typedef struct {
  const char *path;      /* name of the file, for messages */
  GPtrArray *groups;     /* (element-type ArmillaGroup): groups in the order of the file */
  /* (element-type ArmillaGroup): groups that are not nodes: definitions, their uses */
  GPtrArray *defined;
  GStringChunk *strings; /* owner of all strings */
  GHashTable *group_names;
} ArmillaDocument;

/* prefix of the name of a definition's group */
#define ARMILLA_DEFINE "define "
/* key of [workflow] with the names of other files */
#define ARMILLA_INCLUDE "include"

ArmillaDocument *armilla_document_new (const char *path);
void armilla_document_add (ArmillaDocument *self, const char *path, const char *text, gsize length,
                           ArmillaProblems *problems);
ArmillaDocument *armilla_document_parse (const char *path, const char *text, gsize length,
                                         ArmillaProblems *problems);
void armilla_document_free (ArmillaDocument *self);

ArmillaGroup *armilla_document_group (const ArmillaDocument *self, const char *name);
ArmillaEntry *armilla_group_entry (const ArmillaGroup *group, const char *key);
void armilla_document_set (ArmillaDocument *self, ArmillaGroup *group, const char *key,
                           const char *value, const char *source);
ArmillaGroup *armilla_document_add_group (ArmillaDocument *self, const char *name,
                                          ArmillaPlace place);
void armilla_document_set_aside (ArmillaDocument *self,
                                 gboolean (*goes) (const ArmillaGroup *group, gpointer user),
                                 gpointer user);
void armilla_group_add (ArmillaGroup *group, ArmillaEntry *entry);
void armilla_group_leave_out (ArmillaGroup *group, ArmillaEntry *entry);
const ArmillaEntry *armilla_group_left_out (const ArmillaGroup *group, const char *key);
gboolean armilla_is_name (const char *text, gssize length);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaDocument, armilla_document_free)

G_END_DECLS
