/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "workflows/file/problems.h"

G_BEGIN_DECLS

/**
 * ArmillaEntryState:
 * @ARMILLA_ENTRY_NEW: its value has not been looked at
 * @ARMILLA_ENTRY_OPEN: what its value names is being looked at
 * @ARMILLA_ENTRY_DONE: its variables are replaced, or it has been complained about
 *
 * How far armilla_expand_variables() has come with a variable.
 */
typedef enum { ARMILLA_ENTRY_NEW, ARMILLA_ENTRY_OPEN, ARMILLA_ENTRY_DONE } ArmillaEntryState;

/**
 * ArmillaEntry:
 * @key: the key
 * @value: the value as it was written, without blanks around it: neither escapes nor variables are
 *   resolved
 * @key_place: where the key stands
 * @value_place: where the value stands
 * @expanded: (owned) (nullable): of a variable: the value with those that it names replaced
 * @state: of a variable: how far that has come
 */
typedef struct {
  const char *key;
  const char *value;
  ArmillaPlace key_place, value_place;
  char *expanded;
  ArmillaEntryState state;
} ArmillaEntry;

/**
 * ArmillaGroup:
 * @name: its name
 * @place: where the name stands
 * @entries: (element-type ArmillaEntry): its keys in the order of the file
 */
typedef struct {
  const char *name;
  ArmillaPlace place;
  GPtrArray *entries;
} ArmillaGroup;

/**
 * ArmillaDocument:
 * @path: name of the file, for messages
 * @groups: (element-type ArmillaGroup): groups in the order of the file
 * @strings: owner of all strings
 *
 * A text in the syntax of GKeyFile, taken apart. Unlike GKeyFile it knows lines and columns,
 * refuses a group or a key that is there twice, and takes no comment for a part of a value.
 */
typedef struct {
  const char *path;
  GPtrArray *groups;
  GStringChunk *strings;
  GHashTable *group_names;
} ArmillaDocument;

ArmillaDocument *armilla_document_parse (const char *path, const char *text, gsize length,
                                         ArmillaProblems *problems);
void armilla_document_free (ArmillaDocument *self);

ArmillaGroup *armilla_document_group (const ArmillaDocument *self, const char *name);
ArmillaEntry *armilla_group_entry (const ArmillaGroup *group, const char *key);
void armilla_document_set (ArmillaDocument *self, ArmillaGroup *group, const char *key,
                           const char *value, const char *source);
ArmillaGroup *armilla_document_add_group (ArmillaDocument *self, const char *name,
                                          ArmillaPlace place);
gboolean armilla_is_name (const char *text, gssize length);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaDocument, armilla_document_free)

G_END_DECLS
