/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "workflows/text/problems.h"

G_BEGIN_DECLS

/* Whether armilla_expand_variables() has expanded a variable. */
typedef enum {
  ARMILLA_ENTRY_NEW,  /* not yet */
  ARMILLA_ENTRY_OPEN, /* the variables in its value are being expanded */
  ARMILLA_ENTRY_DONE  /* its value is expanded, or a problem was reported */
} ArmillaEntryState;

typedef struct {
  const char *key;
  /* value as in the file, without surrounding blanks; escapes and variables are not replaced */
  const char *value;
  ArmillaPlace key_place;   /* place of the key */
  ArmillaPlace value_place; /* place of the value */
  /* prefix of the names of nodes in the value: `sky/` if it is from a definition that replaces node
   * sky; may be NULL */
  const char *scope;
  /* (owned): expanded value of a variable; may be NULL */
  char *expanded;
  ArmillaEntryState state;  /* progress of the expansion of a variable */
} ArmillaEntry;

typedef struct {
  const char *name;
  ArmillaPlace place; /* place of the group's name */
  const char *last;   /* last file in which the group occurred */
  GPtrArray *entries; /* its keys in the order of the file */
  /* entries of armilla_group_leave_out(); may be NULL */
  GPtrArray *left_out;
} ArmillaGroup;

/* A parsed text in the syntax of GKeyFile. In contrast to GKeyFile, lines and columns are recorded,
 * duplicate groups and keys are rejected, and comments after values are rejected. */
typedef struct {
  const char *path;      /* name of the file, for messages */
  GPtrArray *groups;     /* (element-type ArmillaGroup): groups in the order of the file */
  /* (element-type ArmillaGroup): groups that are not nodes of the run: definitions, and nodes that
   * they have replaced */
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
