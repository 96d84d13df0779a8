/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/runtime.h>
#include <armilla/stage.h>

#include "workflows/file/definition.h"
#include "workflows/file/include.h"
#include "workflows/file/overrides.h"
#include "workflows/text/expand.h"
#include "workflows/text/points.h"
#include "workflows/text/scanner.h"

G_BEGIN_DECLS

/* What is dealt to ranks. */
typedef enum {
  ARMILLA_DEALING_AUTO, /* whole realisations where there are many and they fit, blocks otherwise */
  ARMILLA_DEALING_REALISATIONS, /* each rank computes whole realisations */
  ARMILLA_DEALING_BLOCKS        /* all ranks share each realisation */
} ArmillaDealing;

/**
 * ArmillaLink:
 * @node: number of the node that gives the data; -1: unconnected
 * @port: number of the port among the OUT ports of that node
 * @place: where the connection is written
 *
 * What an input port is connected to.
 */
typedef struct {
  int node, port;
  ArmillaPlace place;
} ArmillaLink;

/**
 * ArmillaSetting:
 * @pspec: a property
 * @entry: key and value in the file
 * @varies: whether the value depends on the pass
 * @by_index: whether it depends on ${index}
 * @by_keys: bit k: it depends on key number k of the sweep
 */
typedef struct {
  GParamSpec *pspec;
  const ArmillaEntry *entry;
  gboolean varies, by_index;
  guint32 by_keys;
} ArmillaSetting;

/* A file that a node reads and another one writes. */
typedef struct {
  int node;                  /* number of the node that writes a file */
  const ArmillaEntry *entry; /* key and value that name the file where it is read */
} ArmillaRead;

/* When a node is made. One that collects takes its inputs in one kind of pass and gives its
 * outputs in a later kind; one that gives the same in all realisations may be in several, too. */
typedef enum {
  ARMILLA_PASS_EACH = 1 << 0, /* it is made for each realisation */
  ARMILLA_PASS_LAST = 1 << 1, /* it is made after the last realisation */
  /* it gives the same in all passes, so that it can be prepared once for all, and be made before
   * the first realisation, instead of in each */
  ARMILLA_PASS_ONCE = 1 << 2,
  ARMILLA_PASS_END = 1 << 3   /* it is made after the last point of the sweep */
} ArmillaNodePasses;

/**
 * ArmillaNode:
 * @name: its name
 * @group: its group in the file
 * @klass: (nullable): class of its stage; %NULL where the stage is not known
 * @n_inputs: number of IN ports
 * @n_outputs: number of OUT ports
 * @inputs: what its IN ports are connected to, in the order of the class
 * @settings: (element-type ArmillaSetting): its properties
 * @reads: (element-type ArmillaRead): files that it reads and others write
 * @phase: how many times files must have been written before it can be prepared
 * @passes: when it is made
 */
typedef struct {
  const char *name;
  const ArmillaGroup *group;
  ArmillaStageClass *klass;
  int n_inputs, n_outputs;
  ArmillaLink inputs[ARMILLA_STAGE_MAX_PORTS];
  GArray *settings;
  GArray *reads;
  int phase;
  ArmillaNodePasses passes;
} ArmillaNode;

/**
 * ArmillaUse:
 * @name: name of the node
 * @definition: what its stage is
 * @group: what the file says of it
 *
 * A node whose stage is a definition. The nodes of the definition stand for it; their names begin
 * with its own and a slash.
 */
typedef struct {
  const char *name;
  const ArmillaDefinition *definition;
  const ArmillaGroup *group;
} ArmillaUse;

/**
 * ArmillaStageMade:
 * @user: what the caller gave
 * @node: a node
 * @index: number of the realisation; after the last one, of the point of the sweep; after the last
 *   point 0
 * @stage: its object, whose properties are set
 *
 * Gives a stage what no property can.
 */
typedef void (*ArmillaStageMade) (gpointer user, const ArmillaNode *node, gint64 index,
                                  ArmillaStage *stage);

/**
 * ArmillaWorkflow:
 * @document: the text taken apart, with the overrides in it
 * @text: the text of the file, with the overrides as comments at its end
 * @variables: (element-type utf8 ArmillaEntry): the variables
 * @definitions: (element-type utf8 ArmillaDefinition): definitions of its files
 * @uses: (element-type ArmillaUse): nodes whose stage is a definition, which other nodes stand for
 * @incomplete: whether nodes are missing, since what `each` of one says was complained about
 * @nodes: (element-type ArmillaNode): nodes in the order of the file
 * @order: (element-type int): numbers of the nodes, each one after those it depends on, by phases
 * @n_phases: how many phases there are; what is written in one is read in later ones
 * @points: (owned): the points of the sweep
 * @title: (owned) (nullable): title
 * @repeat: number of realisations of each point
 * @ring_block: ring pairs a block, 0 for the default
 * @m_blocks: blocks of orders, 0 for the default
 * @interpolation: whether transforms interpolate between rings
 * @overwrite: whether existing outputs may be replaced
 * @checkpoint: seconds after which outputs of nodes are kept for a run that resumes this one; 0:
 *   never
 * @deal: what is dealt to ranks
 * @memory: bytes that each process may take, 0: all that there are
 * @spill: (owned) (nullable): folder for tiles that find no place in memory
 * @report: (owned) (nullable): where armilla run writes a report
 * @together: the most realisations that share the recurrence of a transform; 0: the default
 * @made: (nullable): called for each stage that is made, before it is prepared
 * @made_user: for @made
 *
 * A workflow. After armilla_workflow_validate() has found nothing, it can run.
 */
typedef struct {
  ArmillaDocument *document;
  char *text;
  GHashTable *variables;
  GHashTable *definitions;
  GPtrArray *uses;
  gboolean incomplete;
  GPtrArray *nodes;
  GArray *order;
  int n_phases;
  ArmillaSweepPoints *points;
  char *title;
  gint64 repeat, ring_block, m_blocks;
  ArmillaInterpolation interpolation;
  gboolean overwrite;
  double checkpoint;
  ArmillaDealing deal;
  double memory;
  char *spill, *report;
  gint64 together;
  ArmillaStageMade made;
  gpointer made_user;
} ArmillaWorkflow;

ArmillaWorkflow *armilla_workflow_parse (const char *path, const char *text, gsize length,
                                         const ArmillaOverrides *overrides,
                                         ArmillaProblems *problems);
void armilla_workflow_free (ArmillaWorkflow *self);

ArmillaNode *armilla_workflow_node (const ArmillaWorkflow *self, int number);
const ArmillaPort *armilla_stage_port (ArmillaStageClass *klass, ArmillaPortFlags direction,
                                       int number);
gint64 armilla_workflow_tries (const ArmillaWorkflow *self, const char *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaWorkflow, armilla_workflow_free)

G_END_DECLS
