/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "workflows/text/scanner.h"

G_BEGIN_DECLS

typedef enum {
  ARMILLA_SLOT_INPUT,    /* an input, which the user connects */
  ARMILLA_SLOT_OUTPUT,   /* an output of a node of the definition */
  ARMILLA_SLOT_PARAMETER /* a parameter, which the user may set */
} ArmillaSlotKind;

/* Input, output or parameter of a definition ("slot"). */
typedef struct {
  const char *name;
  ArmillaSlotKind kind;
  /* line of the definition. Its value is: of an input its description; of an output `node` or
   * `node.port`; of a parameter its default, or empty */
  const ArmillaEntry *entry;
} ArmillaSlot;

/* Definition of a short form: nodes that a workflow uses like a single node. */
typedef struct {
  const char *name;          /* name, which is used as the value of `stage` */
  const ArmillaGroup *group; /* its group, [define NAME] */
  gboolean shipped;          /* whether it is part of Armilla */
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

/* Key of a node of a definition: names of inputs and parameters, separated by commas. The node is
 * omitted if one of them has no value. */
#define ARMILLA_ONLY_WITH "only-with"

char **armilla_definition_only_with (const ArmillaGroup *node);

/* File with definitions in the library; shipped-definitions.c, which build-aux/embed-definitions
 * generates, contains them. */
typedef struct {
  const char *name; /* name of a file in workflows/; NULL: the end */
  const char *text; /* contents */
} ArmillaShipped;

extern const ArmillaShipped armilla_shipped[];

G_END_DECLS
