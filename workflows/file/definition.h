/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "workflows/text/scanner.h"

G_BEGIN_DECLS

typedef enum {
  ARMILLA_SLOT_INPUT,    /* replaced by a connection of the user's */
  ARMILLA_SLOT_OUTPUT,   /* the output of a node of the definition */
  ARMILLA_SLOT_PARAMETER /* replaced by a value of the user's, or by a default */
} ArmillaSlotKind;

/* Input, output or parameter of a definition. */
typedef struct {
  const char *name;
  ArmillaSlotKind kind;
  /* line of the definition; its value is the description of an input, `node` or `node.port` of an
   * output, and the default (or empty) of a parameter */
  const ArmillaEntry *entry;
} ArmillaSlot;

/* Definition of a short form: nodes that a workflow uses as one node. */
typedef struct {
  const char *name;          /* name that nodes give as their stage */
  const ArmillaGroup *group; /* its group, [define NAME] */
  gboolean shipped;          /* whether it is shipped with Armilla */
  /* (element-type ArmillaSlot): inputs, outputs and parameters in the order of the file */
  GPtrArray *slots;
  GPtrArray *nodes;          /* (element-type ArmillaGroup): its nodes, [NAME/NODE] */
} ArmillaDefinition;

GHashTable *armilla_definitions_take (ArmillaDocument *document, ArmillaProblems *problems);
GHashTable *armilla_definitions_shipped (void);
const ArmillaDefinition *armilla_definition_find (GHashTable *definitions, const char *name);
const ArmillaSlot *armilla_definition_slot (const ArmillaDefinition *self, const char *name,
                                            gboolean outputs);
int armilla_definition_count (const ArmillaDefinition *self, ArmillaSlotKind kind);
const ArmillaGroup *armilla_definition_node (const ArmillaDefinition *self, const char *value);
const char *armilla_definition_inner (const ArmillaGroup *node);

/* Key of a node of a definition: inputs and parameters, separated by commas; the node is omitted if
 * one of them has no value. */
#define ARMILLA_ONLY_WITH "only-with"

char **armilla_definition_only_with (const ArmillaGroup *node);

/* File of definitions in the library; build-aux/embed-definitions makes shipped-definitions.c. */
typedef struct {
  const char *name; /* name of a file in workflows/; NULL: the end */
  const char *text; /* contents */
} ArmillaShipped;

extern const ArmillaShipped armilla_shipped[];

G_END_DECLS
