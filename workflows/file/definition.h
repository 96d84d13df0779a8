/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "workflows/text/scanner.h"

G_BEGIN_DECLS

typedef enum {
  ARMILLA_SLOT_INPUT,    /* what a connection of the user's is put in for */
  ARMILLA_SLOT_OUTPUT,   /* the output of a node of the definition */
  ARMILLA_SLOT_PARAMETER /* what a value of the user's is put in for, or a default */
} ArmillaSlotKind;

/* What a definition shows of itself. */
typedef struct {
  const char *name;     /* its name */
  ArmillaSlotKind kind; /* what it is */
  /* line of the definition; its value is the description of an input, `node` or `node.port` of an
   * output, and the default or nothing of a parameter */
  const ArmillaEntry *entry;
} ArmillaSlot;

/* Several nodes under one name. */
typedef struct {
  const char *name;          /* name that nodes write after stage */
  const ArmillaGroup *group; /* its group, [define NAME] */
  gboolean shipped;          /* whether it is one of Armilla's own */
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

/* Key of a node of a definition: inputs and parameters, separated by commas, without one of which
 * it is not there. */
#define ARMILLA_ONLY_WITH "only-with"

char **armilla_definition_only_with (const ArmillaGroup *node);

/* A file of definitions that the library holds, so that they are there wherever it is;
 * build-aux/embed-definitions makes shipped-definitions.c. */
typedef struct {
  const char *name; /* name of a file in workflows/; NULL: the end */
  const char *text; /* what is in it */
} ArmillaShipped;

extern const ArmillaShipped armilla_shipped[];

G_END_DECLS
