/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Graphs as stages see them: data are filled from elsewhere and drained to elsewhere. Functions are
 * called by the thread that builds the graph, on every rank alike and in the same order, and return
 * before anything is computed; callbacks say where they run. */
#pragma once

#include <armilla/data.h>
#include <armilla/fault.h>
#include <armilla/output.h>

G_BEGIN_DECLS

/**
 * ArmillaGraph:
 *
 * The task graph of a run. Every rank submits the same tasks in the same order; submission blocks
 * when too much is in flight, so that memory stays bounded. A failure anywhere is latched, later
 * tasks do nothing, and armilla_graph_wait() reports it on every rank.
 */
typedef struct _ArmillaGraph ArmillaGraph;

/**
 * ArmillaHostMap:
 * @user: what the caller gave
 * @field: field number
 * @first: number of the first pixel (ring order)
 * @n: number of pixels
 * @pixels: the pixels, to be filled or read
 * @error: where to put an error
 *
 * Called in an I/O thread for every run of contiguous pixels of a tile.
 * Returns: FALSE with @error set fails the run
 */
typedef gboolean (*ArmillaHostMap) (gpointer user, int field, gint64 first, gint64 n,
                                    double *pixels, GError **error);

/**
 * ArmillaHostAlm:
 * @user: what the caller gave
 * @field: field number
 * @m_first: first order of the block
 * @m_last: last order of the block
 * @values: complex double, [m][l], the block's part of healpy's order
 * @error: where to put an error
 */
typedef gboolean (*ArmillaHostAlm) (gpointer user, int field, gint64 m_first, gint64 m_last,
                                    double *values, GError **error);

/**
 * ArmillaHostAlmAll:
 * @user: what the caller gave
 * @n_blocks: number of m-blocks
 * @m_first: (array length=n_blocks): first order of each
 * @m_last: (array length=n_blocks): last order of each
 * @values: (array length=n_blocks): complex double, [field][m][l]; NULL for a block that another
 *   rank owns
 * @error: where to put an error
 */
typedef gboolean (*ArmillaHostAlmAll) (gpointer user, int n_blocks, const gint64 *m_first,
                                       const gint64 *m_last, double *const *values,
                                       GError **error);

/**
 * ArmillaHostCl:
 * @user: what the caller gave
 * @values: spectra, [field][l], l = 0..lmax, to be filled or read
 * @error: where to put an error
 *
 * Called once, in an I/O thread.
 * Returns: FALSE with @error set fails the run
 */
typedef gboolean (*ArmillaHostCl) (gpointer user, double *values, GError **error);

/**
 * ArmillaHostDone:
 * @user: what the caller gave
 * @error: where to put an error
 *
 * Called once, in an I/O thread of rank 0, after the last piece.
 * Returns: FALSE with @error set fails the run
 */
typedef gboolean (*ArmillaHostDone) (gpointer user, GError **error);

/* Sources: filled in I/O threads on the ranks that own the tiles. */
gboolean armilla_graph_fill_map (ArmillaGraph *graph, ArmillaMap *map, ArmillaHostMap fill,
                                 gpointer user, GDestroyNotify destroy, GError **error);
gboolean armilla_graph_fill_alm (ArmillaGraph *graph, ArmillaAlm *alm, ArmillaHostAlm fill,
                                 gpointer user, GDestroyNotify destroy, GError **error);
gboolean armilla_graph_fill_alm_at_once (ArmillaGraph *graph, ArmillaAlm *alm,
                                         ArmillaHostAlmAll fill, gpointer user,
                                         GDestroyNotify destroy, GError **error);
gboolean armilla_graph_fill_cl (ArmillaGraph *graph, ArmillaCl *cl, ArmillaHostCl fill,
                                gpointer user, GDestroyNotify destroy, GError **error);

/* Sinks: tiles come to rank 0 and are read in I/O threads; done is called there after the last.
 * Sinks in parts: tiles are read on the ranks that own them. */
gboolean armilla_graph_drain_map (ArmillaGraph *graph, ArmillaMap *map, ArmillaHostMap take,
                                  ArmillaHostDone done, gpointer user, GDestroyNotify destroy,
                                  GError **error);
gboolean armilla_graph_drain_alm (ArmillaGraph *graph, ArmillaAlm *alm, ArmillaHostAlm take,
                                  ArmillaHostDone done, gpointer user, GDestroyNotify destroy,
                                  GError **error);
gboolean armilla_graph_drain_cl (ArmillaGraph *graph, ArmillaCl *cl, ArmillaHostCl take,
                                 ArmillaHostDone done, gpointer user, GDestroyNotify destroy,
                                 GError **error);

/**
 * armilla_graph_fault:
 * @graph: a graph
 *
 * Returns: (transfer none): the latch of the run on this rank, in the name of the node whose tasks
 *   are submitted now: what the arguments of tasks have as their fault. It lives as long as the
 *   graph
 */
ArmillaFault *armilla_graph_fault (ArmillaGraph *graph);

/**
 * armilla_graph_commit:
 * @graph: a graph
 * @fault: whose error it is where the output gets no name: what armilla_graph_fault() was when its
 *   tasks were submitted
 * @output: (transfer full): an output whose temporary file is complete and closed
 * @error: return location
 *
 * To be called from a "done" call-back: has the output on the disk and under its final name soon,
 * with others and in the end when armilla_graph_wait() returns, if it is certain that what is in it
 * was computed without a failure on any rank; removes it otherwise.
 *
 * Returns: %FALSE when it is known at once that this cannot be
 */
gboolean armilla_graph_commit (ArmillaGraph *graph, ArmillaFault *fault, ArmillaOutput *output,
                               GError **error);

/**
 * armilla_graph_share_output:
 * @graph: a graph
 * @path: name of the file
 * @output: (inout): on rank 0 the output, into which nothing was written yet; on the others %NULL,
 *   and an output of armilla_output_join() where they can write to the same file
 * @shared: (out): whether all ranks can write to it; the same on all of them
 * @error: return location
 *
 * Has all ranks of the graph find the temporary file of rank 0. Where one does not (the folder is
 * on another machine's disk), or the file will be compressed, rank 0 is to write all of it.
 * Collective.
 *
 * Returns: whether the ranks could talk; %ARMILLA_ERROR_MPI otherwise
 */
gboolean armilla_graph_share_output (ArmillaGraph *graph, const char *path,
                                     ArmillaOutput **output, gboolean *shared, GError **error);

/**
 * armilla_graph_share_values:
 * @graph: a graph
 * @values: (out caller-allocates) (array length=n): numbers, the same on every rank of the graph
 * @n: how many, below 2^29
 * @make: called at once, on rank 0: fills them
 * @user: for @make
 * @error: return location
 *
 * What a stage must know alike on every rank to submit its tasks, although what it is made from may
 * differ from rank to rank. A forecast has zeros. Collective.
 *
 * Returns: whether @make worked; the error is the same on all ranks
 */
gboolean armilla_graph_share_values (ArmillaGraph *graph, double *values, gint64 n,
                                     ArmillaHostCl make, gpointer user, GError **error);

/**
 * ArmillaHostParts:
 * @end: called on every rank in an I/O thread after its last piece, or without one: has what was
 *   written here put on the disk, and appends to @summary what rank 0 must know of it
 * @merge: called on rank 0 for every other rank, with its summary
 * @done: called on rank 0 after that
 *
 * How what several ranks have written becomes one file. @merge and @done are called by
 * armilla_graph_wait(), when no rank has failed.
 */
typedef struct {
  gboolean (*end) (gpointer user, GByteArray *summary, GError **error);
  gboolean (*merge) (gpointer user, const guint8 *summary, gsize size, GError **error);
  ArmillaHostDone done;
} ArmillaHostParts;

gboolean armilla_graph_drain_map_in_parts (ArmillaGraph *graph, ArmillaMap *map,
                                           ArmillaHostMap take, const ArmillaHostParts *parts,
                                           gpointer user, GDestroyNotify destroy, GError **error);
gboolean armilla_graph_drain_alm_in_parts (ArmillaGraph *graph, ArmillaAlm *alm,
                                           ArmillaHostAlm take, const ArmillaHostParts *parts,
                                           gpointer user, GDestroyNotify destroy, GError **error);

/* Submits what was asked for so far; the functions of this header only note it down. Blocks while
 * too much is in flight. Collective. armilla_graph_wait() does it, too. */
gboolean armilla_graph_flush (ArmillaGraph *graph, GError **error);

int armilla_graph_rank (ArmillaGraph *graph);
int armilla_graph_n_ranks (ArmillaGraph *graph);

void armilla_graph_note (ArmillaGraph *graph, const char *node, const char *format, ...)
  G_GNUC_PRINTF (3, 4);

G_END_DECLS
