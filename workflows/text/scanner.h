/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "workflows/text/problems.h"

G_BEGIN_DECLS

/* How far armilla_expand_variables() has come with a variable. */
typedef enum {
  ARMILLA_ENTRY_NEW,  /* its value has not been looked at */
  ARMILLA_ENTRY_OPEN, /* what its value names is being looked at */
  ARMILLA_ENTRY_DONE  /* its variables are replaced, or it has been complained about */
} ArmillaEntryState;

typedef struct {
  const char *key;          /* the key */
  /* the value as it was written, without blanks around it: neither escapes nor variables are
   * resolved */
  const char *value;
  ArmillaPlace key_place;   /* where the key stands */
  ArmillaPlace value_place; /* where the value stands */
  /* what stands before the names of nodes that the value names, `sky/` in a definition that node
   * sky uses; NULL: nothing */
  const char *scope;
  /* (owned): of a variable: the value with those that it names replaced; may be NULL */
  char *expanded;
  ArmillaEntryState state;  /* of a variable: how far that has come */
} ArmillaEntry;

typedef struct {
  const char *name;   /* its name */
  ArmillaPlace place; /* where the name stands */
  const char *last;   /* file that it was found in last */
  GPtrArray *entries; /* its keys in the order of the file */
  /* of a node of a definition: keys without value; their values are the name of the definition;
   * may be NULL */
  GPtrArray *left_out;
} ArmillaGroup;

/* A text in the syntax of GKeyFile, taken apart. Unlike GKeyFile it knows lines and columns,
 * refuses a group or a key that is there twice, and takes no comment for a part of a value. */
typedef struct {
  const char *path;      /* name of the file, for messages */
  GPtrArray *groups;     /* (element-type ArmillaGroup): groups in the order of the file */
  /* (element-type ArmillaGroup): groups that are no nodes: definitions, their uses */
  GPtrArray *defined;
  GStringChunk *strings; /* owner of all strings */
  GHashTable *group_names;
} ArmillaDocument;

/* The name of the group of a definition begins with this. */
#define ARMILLA_DEFINE "define "
/* Key of [workflow] that names other files. */
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
