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

/**
 * armilla_graph_fill_map:
 * @graph: a graph
 * @map: a map without a source
 * @fill: called for every run of contiguous pixels, on the rank that owns them, from several I/O
 *   threads at once
 * @user: for @fill
 * @destroy: (nullable): frees @user when nothing needs it any more
 * @error: return location
 *
 * Makes @fill the source of a map.
 *
 * Returns: whether the grid could be cut into blocks
 */
gboolean armilla_graph_fill_map (ArmillaGraph *graph, ArmillaMap *map, ArmillaHostMap fill,
                                 gpointer user, GDestroyNotify destroy, GError **error);

/**
 * armilla_graph_fill_alm:
 * @graph: a graph
 * @alm: a_lm without a source
 * @fill: called for every field of every m-block, from several I/O threads at once
 * @user: for @fill
 * @destroy: (nullable): frees @user
 * @error: return location
 *
 * Makes @fill the source of a_lm. Imaginary parts of m = 0 become 0.
 *
 * Returns: whether the layout can be used
 */
gboolean armilla_graph_fill_alm (ArmillaGraph *graph, ArmillaAlm *alm, ArmillaHostAlm fill,
                                 gpointer user, GDestroyNotify destroy, GError **error);

/**
 * armilla_graph_fill_cl:
 * @graph: a graph
 * @cl: spectra without a source
 * @fill: called once, on rank 0
 * @user: for @fill
 * @destroy: (nullable): frees @user
 * @error: return location
 *
 * Makes @fill the source of spectra.
 *
 * Returns: %TRUE
 */
gboolean armilla_graph_fill_cl (ArmillaGraph *graph, ArmillaCl *cl, ArmillaHostCl fill,
                                gpointer user, GDestroyNotify destroy, GError **error);

/* Sinks: tiles come to rank 0 and are read in I/O threads; done is called there after the last.
 * Sinks in parts: tiles are read on the ranks that own them. */

/**
 * armilla_graph_drain_map:
 * @graph: a graph
 * @map: a map
 * @take: called on rank 0 for every run of contiguous pixels, in any order, from several I/O
 *   threads at once
 * @done: (nullable): called on rank 0 after the last @take, unless the run has failed
 * @user: for both
 * @destroy: (nullable): frees @user
 * @error: return location
 *
 * Brings a map to rank 0, each tile as soon as it exists.
 *
 * Returns: whether the grid could be cut into blocks
 */
gboolean armilla_graph_drain_map (ArmillaGraph *graph, ArmillaMap *map, ArmillaHostMap take,
                                  ArmillaHostDone done, gpointer user, GDestroyNotify destroy,
                                  GError **error);

/**
 * armilla_graph_drain_alm:
 * @graph: a graph
 * @alm: a_lm
 * @take: called on rank 0 for every field of every m-block, in any order
 * @done: (nullable): called on rank 0 after the last @take, unless the run has failed
 * @user: for both
 * @destroy: (nullable): frees @user
 * @error: return location
 *
 * Brings a_lm to rank 0, m-block by m-block.
 *
 * Returns: whether the layout can be used
 */
gboolean armilla_graph_drain_alm (ArmillaGraph *graph, ArmillaAlm *alm, ArmillaHostAlm take,
                                  ArmillaHostDone done, gpointer user, GDestroyNotify destroy,
                                  GError **error);

/**
 * armilla_graph_drain_cl:
 * @graph: a graph
 * @cl: spectra
 * @take: called once, on rank 0
 * @done: (nullable): called after it, unless the run has failed
 * @user: for both
 * @destroy: (nullable): frees @user
 * @error: return location
 *
 * Brings spectra to rank 0.
 *
 * Returns: %TRUE
 */
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
 * armilla_graph_rank:
 * @graph: a graph
 *
 * Returns: number of this rank, from 0
 */
int armilla_graph_rank (ArmillaGraph *graph);

/**
 * armilla_graph_n_ranks:
 * @graph: a graph
 *
 * Returns: number of ranks of the run
 */
int armilla_graph_n_ranks (ArmillaGraph *graph);

/**
 * armilla_graph_note:
 * @graph: a graph
 * @node: (nullable): name of the node that it is about; %NULL: the one that speaks now
 * @format: what the user may want to know, as for printf()
 * @...: its arguments
 *
 * Adds a line to the report of the run: nothing has failed, but what comes out may not be what was
 * meant. The same line of the same node stands there once, however many realisations say it. Safe
 * from any thread with a @node.
 */
void armilla_graph_note (ArmillaGraph *graph, const char *node, const char *format, ...)
  G_GNUC_PRINTF (3, 4);

G_END_DECLS
