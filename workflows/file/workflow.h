/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/runtime.h>
#include <armilla/stage.h>

#include "workflows/file/definition.h"
#include "workflows/file/overrides.h"
#include "workflows/text/expand.h"
#include "workflows/text/points.h"
#include "workflows/text/scanner.h"

G_BEGIN_DECLS

/* What is distributed to ranks. */
typedef enum {
  ARMILLA_DEALING_AUTO, /* whole realisations if there are many and they fit into memory; otherwise
                         * blocks */
  ARMILLA_DEALING_REALISATIONS, /* each rank computes whole realisations */
  ARMILLA_DEALING_BLOCKS        /* all ranks share each realisation */
} ArmillaDealing;

/* Connection of an input. */
typedef struct {
  int node;           /* number of the connected node; -1: unconnected */
  int port;           /* index of the output among the outputs of that node */
  ArmillaPlace place; /* place of the connection in the file */
} ArmillaLink;

typedef struct {
  GParamSpec *pspec;         /* a property */
  const ArmillaEntry *entry; /* key and value in the file */
  gboolean varies;           /* whether the value depends on the pass */
  gboolean by_index;         /* whether it depends on ${index} */
  guint32 by_keys;           /* bit k: whether it depends on swept key number k */
} ArmillaSetting;

/* A file that a node reads and another node of the workflow writes. */
typedef struct {
  int node;                  /* number of the writing node */
  const ArmillaEntry *entry; /* key of the reading node whose value is the file name */
} ArmillaRead;

/* Kinds of passes in which a node runs; several are possible. A collecting node reads its inputs in
 * one kind of pass, and produces its outputs in a later kind. */
typedef enum {
  ARMILLA_PASS_EACH = 1 << 0, /* in each realisation */
  ARMILLA_PASS_LAST = 1 << 1, /* after the last realisation of a point */
  /* outputs are equal in all passes, so that the node may be prepared once, and run once before the
   * first realisation */
  ARMILLA_PASS_ONCE = 1 << 2,
  ARMILLA_PASS_END = 1 << 3   /* after the last point of the sweep */
} ArmillaNodePasses;

typedef struct {
  const char *name;
  const ArmillaGroup *group; /* group in the file */
  ArmillaStageClass *klass;  /* class of its stage; NULL if the stage is unknown */
  int n_inputs;              /* number of IN ports */
  int n_outputs;             /* number of OUT ports */
  /* connections of its inputs, in the order of the class */
  ArmillaLink inputs[ARMILLA_STAGE_MAX_PORTS];
  GArray *settings;          /* (element-type ArmillaSetting) */
  GArray *reads; /* (element-type ArmillaRead): files that it reads and other nodes write */
  /* phase of each pass in which it is prepared: nodes of earlier phases have then written the files
   * that it reads */
  int phase;
  ArmillaNodePasses passes;  /* kinds of passes in which it runs */
} ArmillaNode;

/* A node whose stage is a definition. The nodes that replace it have its name, a slash and a name
 * within the definition. */
typedef struct {
  const char *name;
  const ArmillaDefinition *definition;
  const ArmillaGroup *group;           /* its group in the file */
} ArmillaUse;

/* Passes to a stage, whose properties are set, objects that no property can hold. @index: number of
 * the realisation; in the pass after a point's last realisation, number of the point; in the pass
 * at the end 0 */
typedef void (*ArmillaStageMade) (gpointer user, const ArmillaNode *node, gint64 index,
                                  ArmillaStage *stage);

/* A workflow, which can run after armilla_workflow_validate() has found no problems. */
typedef struct {
  ArmillaDocument *document;          /* parsed text, including the overrides */
  char *text; /* text of the file, with the overrides as comments at its end */
  GHashTable *variables;              /* (element-type utf8 ArmillaEntry) */
  GHashTable *definitions; /* (element-type utf8 ArmillaDefinition): definitions in its files */
  /* (element-type ArmillaUse): nodes that definitions have replaced */
  GPtrArray *uses;
  /* whether nodes are missing because a key `each` is invalid */
  gboolean incomplete;
  GPtrArray *nodes; /* (element-type ArmillaNode): in the order of the file */
  /* (element-type int): node numbers sorted by phase and dependency */
  GArray *order;
  int n_phases; /* number of phases: nodes read files that nodes of earlier phases write */
  ArmillaSweepPoints *points;         /* (owned) */
  char *title;                        /* (owned); may be NULL */
  gint64 repeat;                      /* number of realisations of each point */
  gint64 ring_block;                  /* ring pairs per block, 0 for the default */
  gint64 m_blocks;                    /* number of m-blocks, 0 for the default */
  ArmillaInterpolation interpolation; /* whether transforms interpolate between rings */
  gboolean overwrite;                 /* whether existing outputs may be replaced */
  /* seconds after which outputs of nodes are saved for a run that resumes this one; 0: never */
  double checkpoint;
  ArmillaDealing deal;                /* unit of work that is distributed to ranks */
  double memory;                      /* maximum bytes per process; 0: no limit */
  char *spill; /* (owned): folder for tiles that do not fit into memory; may be NULL */
  char *report;                       /* (owned): file of the report of armilla run; may be NULL */
  /* maximum number of realisations that share the recurrence of a transform; 0: the default */
  gint64 together;
  /* called for each new stage before it is prepared; may be NULL */
  ArmillaStageMade made;
  gpointer made_user;                 /* first argument of made */
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

/* in instance.c */
void armilla_instances_expand (ArmillaWorkflow *workflow, ArmillaProblems *problems);
const ArmillaUse *armilla_use_find (const ArmillaWorkflow *workflow, const char *name);
char *armilla_scope_of (const char *name);

/* in include.c */
char *armilla_workflow_read (const char *path, gsize *length, GError **error);
ArmillaDocument *armilla_include_parse (const char *path, const char *text, gsize length,
                                        GString *whole, ArmillaProblems *problems);

/* Stands for the name of a workflow that is read from standard input ("-") in messages. */
#define ARMILLA_STANDARD_INPUT "(standard input)"

/* in blame.c */
void armilla_blame_node (const ArmillaWorkflow *workflow, const ArmillaNode *node, gint64 index,
                         GError **error);
void armilla_blame_workflow (const ArmillaWorkflow *workflow, GError **error);

G_END_DECLS
