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

/* What is dealt to ranks. */
typedef enum {
  ARMILLA_DEALING_AUTO, /* whole realisations where there are many and they fit, blocks otherwise */
  ARMILLA_DEALING_REALISATIONS, /* each rank computes whole realisations */
  ARMILLA_DEALING_BLOCKS        /* all ranks share each realisation */
} ArmillaDealing;

/* What an input port is connected to. */
typedef struct {
  int node;           /* number of the node that gives the data; -1: unconnected */
  int port;           /* number of the port among the OUT ports of that node */
  ArmillaPlace place; /* where the connection is written */
} ArmillaLink;

typedef struct {
  GParamSpec *pspec;         /* a property */
  const ArmillaEntry *entry; /* key and value in the file */
  gboolean varies;           /* whether the value depends on the pass */
  gboolean by_index;         /* whether it depends on ${index} */
  guint32 by_keys;           /* bit k: it depends on key number k of the sweep */
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

typedef struct {
  const char *name;          /* its name */
  const ArmillaGroup *group; /* its group in the file */
  ArmillaStageClass *klass;  /* class of its stage; NULL where the stage is not known */
  int n_inputs;              /* number of IN ports */
  int n_outputs;             /* number of OUT ports */
  /* what its IN ports are connected to, in the order of the class */
  ArmillaLink inputs[ARMILLA_STAGE_MAX_PORTS];
  GArray *settings;          /* (element-type ArmillaSetting): its properties */
  GArray *reads;             /* (element-type ArmillaRead): files that it reads and others write */
  int phase; /* how many times files must have been written before it can be prepared */
  ArmillaNodePasses passes;  /* when it is made */
} ArmillaNode;

/* A node whose stage is a definition. The nodes of the definition stand for it; their names begin
 * with its own and a slash. */
typedef struct {
  const char *name;                    /* name of the node */
  const ArmillaDefinition *definition; /* what its stage is */
  const ArmillaGroup *group;           /* what the file says of it */
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

/* A workflow. After armilla_workflow_validate() has found nothing, it can run. */
typedef struct {
  ArmillaDocument *document;          /* the text taken apart, with the overrides in it */
  char *text; /* the text of the file, with the overrides as comments at its end */
  GHashTable *variables;              /* (element-type utf8 ArmillaEntry): the variables */
  GHashTable *definitions; /* (element-type utf8 ArmillaDefinition): definitions of its files */
  /* (element-type ArmillaUse): nodes whose stage is a definition, which other nodes stand for */
  GPtrArray *uses;
  /* whether nodes are missing, since what `each` of one says was complained about */
  gboolean incomplete;
  GPtrArray *nodes; /* (element-type ArmillaNode): nodes in the order of the file */
  /* (element-type int): numbers of the nodes, each one after those it depends on, by phases */
  GArray *order;
  int n_phases; /* how many phases there are; what is written in one is read in later ones */
  ArmillaSweepPoints *points;         /* (owned): the points of the sweep */
  char *title;                        /* (owned): title; may be NULL */
  gint64 repeat;                      /* number of realisations of each point */
  gint64 ring_block;                  /* ring pairs a block, 0 for the default */
  gint64 m_blocks;                    /* blocks of orders, 0 for the default */
  ArmillaInterpolation interpolation; /* whether transforms interpolate between rings */
  gboolean overwrite;                 /* whether existing outputs may be replaced */
  /* seconds after which outputs of nodes are kept for a run that resumes this one; 0: never */
  double checkpoint;
  ArmillaDealing deal;                /* what is dealt to ranks */
  double memory;                      /* bytes that each process may take, 0: all that there are */
  char *spill; /* (owned): folder for tiles that find no place in memory; may be NULL */
  char *report;                       /* (owned): where armilla run writes a report; may be NULL */
  /* the most realisations that share the recurrence of a transform; 0: the default */
  gint64 together;
  /* called for each stage that is made, before it is prepared; may be NULL */
  ArmillaStageMade made;
  gpointer made_user;                 /* for made */
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

/* instance.c */
void armilla_instances_expand (ArmillaWorkflow *workflow, ArmillaProblems *problems);
const ArmillaUse *armilla_use_find (const ArmillaWorkflow *workflow, const char *name);
char *armilla_scope_of (const char *name);

/* include.c */
char *armilla_workflow_read (const char *path, gsize *length, GError **error);
ArmillaDocument *armilla_include_parse (const char *path, const char *text, gsize length,
                                        GString *whole, ArmillaProblems *problems);

/* What messages call a workflow that - names. */
#define ARMILLA_STANDARD_INPUT "(standard input)"

/* blame.c */
void armilla_blame_node (const ArmillaWorkflow *workflow, const ArmillaNode *node, gint64 index,
                         GError **error);
void armilla_blame_workflow (const ArmillaWorkflow *workflow, GError **error);

G_END_DECLS
