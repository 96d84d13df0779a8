/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interface of graphs for the runner: labels, progress, choices, files and failures. Called by the
 * thread that builds the graph, on every rank alike and in the same order, unless a function says
 * otherwise. */
#pragma once

#include <armilla/data.h>
#include <armilla/runtime.h>

#include "core/files/name-pattern.h"

G_BEGIN_DECLS

/* Submits all requests so far, which the functions of this header only record. Blocks while too
 * many tasks are in flight. Collective. armilla_graph_wait() calls it, too. */
gboolean armilla_graph_flush (ArmillaGraph *graph, GError **error);

/* Lets the calling thread and a team of threads (tasks/runtime/team.h) run the requests so far, if
 * they are small and none is submitted yet: waking StarPU's workers would take longer. */
void armilla_graph_run_small_in_thread (ArmillaGraph *graph);

/* Run the tasks of many small realisations as single StarPU tasks; see bundle.c. */
int armilla_graph_bundle_workers (const ArmillaGraph *graph);
void armilla_graph_bundle_begin (ArmillaGraph *graph);
gboolean armilla_graph_bundle_end (ArmillaGraph *graph, GError **error);

ArmillaGraph *armilla_graph_new_alone (ArmillaRuntime *runtime,
                                       const ArmillaTilingOptions *options, GError **error);

/* Sets the origin of later requests: a node, its stage and the number of the realisation. Every
 * rank makes the same calls. Errors of tasks and traces name the node. */
void armilla_graph_set_label (ArmillaGraph *graph, const char *node, const char *stage,
                              gint64 index);

/* Prefixes the message of an error with the place of a node, NULL if unknown. */
typedef void (*ArmillaBlame) (gpointer user, const char *node, gint64 index, GError **error);

void armilla_graph_set_blame (ArmillaGraph *graph, ArmillaBlame blame, gpointer user);

/* Called in any thread before an output, which is complete and on the disk, gets its name. FALSE
 * with an error fails the run, and the output is removed. */
typedef gboolean (*ArmillaCommitHook) (gpointer user, ArmillaOutput *output, GError **error);

void armilla_graph_set_commit_hook (ArmillaGraph *graph, ArmillaCommitHook hook, gpointer user);

/* Gives the number of tasks of this rank that are done, and that were submitted. Any thread. */
void armilla_graph_progress (ArmillaGraph *graph, gint64 *done, gint64 *submitted);

/* Estimates, from 0 to 1, which fraction of the requested work this rank has done. The work of
 * requests that are not submitted yet is estimated from the shapes of their data. Any thread. */
double armilla_graph_share (ArmillaGraph *graph);

/* Makes the graph, which has no tasks, record which tasks run, for armilla_graph_at_work(). */
void armilla_graph_watch (ArmillaGraph *graph);

/* Returns the node whose tasks are running on this rank; NULL if unknown, or unless
 * armilla_graph_watch() was called. Any thread. */
const char *armilla_graph_at_work (ArmillaGraph *graph);

void armilla_graph_set_label_apart (ArmillaGraph *graph);
gboolean armilla_graph_check_apart (ArmillaGraph *graph, GError **error);

/* Returns (transfer full) a description of the tiling so far, one line per grid and layout of a_lm:
 * number and size of blocks, and their origin: "default", "given" (by ArmillaTilingOptions), or
 * "tuned", with the file. */
char *armilla_graph_cuts (ArmillaGraph *graph);

/* Returns (transfer full) lines about the run of this rank: for each node with several methods the
 * chosen method, the reason, the predicted time and, when the node is done, the time while its
 * tasks ran; which cores or GPUs were idle because others are much faster; folders to which not all
 * ranks can write; and the notes of armilla_graph_note(). */
char *armilla_graph_choices (ArmillaGraph *graph);

/* maximum number of file names per node in its entry */
#define ARMILLA_LEDGER_MAX_NAMES 32

/* Input and output of a node, in all realisations of this rank. */
typedef struct {
  ArmillaNamePattern names; /* pattern of the names of the files that it has written */
  GPtrArray *first;         /* (element-type utf8): the first of these names */
  double bytes;             /* size of the files */
  double seconds; /* seconds that this rank has spent reading, drawing and writing for the node */
  gint64 objects;           /* number of objects in the catalogues that it has read or created */
} ArmillaLedgerEntry;

const ArmillaLedgerEntry *armilla_graph_ledger (ArmillaGraph *graph, const char *node);

/* Returns whether the run has failed on this rank; submission continues without effect. */
gboolean armilla_graph_failed (ArmillaGraph *graph);

G_END_DECLS
