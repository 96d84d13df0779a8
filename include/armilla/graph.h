/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The interface of graphs for stages: data are filled from and drained to callbacks. The thread
 * that builds the graph calls these functions, on every rank in the same order. They return before
 * anything is computed; the descriptions of callbacks say in which thread they run. */
#pragma once

#include <armilla/catalogue.h>
#include <armilla/data.h>
#include <armilla/fault.h>
#include <armilla/output.h>
#include <armilla/table.h>

G_BEGIN_DECLS

/**
 * ArmillaGraph:
 *
 * The task graph of a run. Every rank submits the same tasks in the same order; submission blocks
 * when too many tasks are in flight, so that memory stays bounded. A failure anywhere is latched,
 * later tasks do nothing, and armilla_graph_wait() reports it on every rank.
 */
typedef struct _ArmillaGraph ArmillaGraph;

/**
 * ArmillaPiece:
 * @field: field number, of maps, a_lm and matrices
 * @first: first pixel (ring order), first order of an m-block, or first row
 * @last: last pixel, order or row
 * @n: number of pixels, orders or rows: @last - @first + 1
 * @first_column: first column, of matrices
 * @n_columns: number of columns
 * @values: (nullable): the values, to be filled or read: pixels; complex a_lm, [m][l], the block's
 *   part of healpy's order; all spectra, [field][l]; elements, [row][column]
 * @n_values: number of doubles at @values
 * @place: index of the first value among all values of the data, which are ordered as in one array:
 *   [field][pixel], [field][healpy's index], [field][l]. Of matrices: [field][row of
 *   blocks][block], each piece in one block
 * @words: (nullable): words of a histogram
 * @table: (nullable): a table; a source sets it (transfer full)
 * @catalogue: (nullable): objects; a source sets it (transfer full)
 *
 * The unit of work of a source, a sink or a step on the host: a part of one field of a map, a_lm or
 * matrices; other data as a whole.
 */
typedef struct {
  int field;
  gint64 first, last, n;
  gint64 first_column, n_columns;
  double *values;
  gint64 n_values, place;
  const gint64 *words;
  ArmillaTable *table;
  ArmillaCatalogue *catalogue;
} ArmillaPiece;

/**
 * ArmillaHostPiece:
 * @user: argument of the caller
 * @piece: piece to fill or to read
 * @error: return location
 *
 * Called for every piece of some data, in any order, from several I/O threads at once; for
 * catalogues once, by the thread that submits.
 * Returns: FALSE with @error set fails the run
 */
typedef gboolean (*ArmillaHostPiece) (gpointer user, ArmillaPiece *piece, GError **error);

/**
 * ArmillaHostMake:
 * @user: argument of the caller
 * @in: (array): inputs, to be read
 * @out: (nullable): output, to be filled
 * @error: return location
 *
 * Called once; armilla_graph_make() says in which thread and on which ranks.
 * Returns: FALSE with @error set fails the run
 */
typedef gboolean (*ArmillaHostMake) (gpointer user, const ArmillaPiece *in, ArmillaPiece *out,
                                     GError **error);

/**
 * ArmillaHostDone:
 * @user: argument of the caller
 * @error: return location
 *
 * Called once, in an I/O thread of rank 0, after the last piece. Returns: %FALSE with @error set
 * fails the run
 */
typedef gboolean (*ArmillaHostDone) (gpointer user, GError **error);

/**
 * armilla_graph_fill:
 * @graph: a graph
 * @data: data without a source
 * @fill: called for every piece, on the rank that owns it; spectra and tables have one piece, on
 *   rank 0; catalogues have one on every rank, with the same contents
 * @user: for @fill
 * @destroy: (nullable): frees @user after the last use, on every rank
 * @error: return location
 *
 * Makes @fill the source of data. Imaginary parts of a_lm of m = 0 become 0. Which tasks are
 * submitted depends on the objects of a catalogue, so it is filled while the graph is submitted.
 *
 * Returns: whether the data could be cut into tiles
 */
gboolean armilla_graph_fill (ArmillaGraph *graph, ArmillaData *data, ArmillaHostPiece fill,
                             gpointer user, GDestroyNotify destroy, GError **error);

/**
 * armilla_graph_drain:
 * @graph: a graph
 * @data: data
 * @take: called on rank 0 for every piece; for a catalogue on every rank
 * @done: (nullable): called on rank 0 after the last @take, unless the run has failed
 * @user: for both
 * @destroy: (nullable): frees @user, on every rank
 * @error: return location
 *
 * Sends data to rank 0, each tile as soon as it is computed.
 *
 * Returns: whether the data could be cut into tiles
 */
gboolean armilla_graph_drain (ArmillaGraph *graph, ArmillaData *data, ArmillaHostPiece take,
                              ArmillaHostDone done, gpointer user, GDestroyNotify destroy,
                              GError **error);

/**
 * armilla_graph_make:
 * @graph: a graph
 * @in: (array length=n) (nullable): spectra, tables or catalogues; an element may be %NULL
 * @n: number of inputs, at most 8
 * @out: (nullable): spectra, a table or a catalogue, none of @in; written
 * @make: called when the inputs are computed: once, on rank 0, in an I/O thread. If @out is a
 *   catalogue, or if @out is %NULL and an input is a catalogue, it is called on every rank instead,
 *   by the submitting thread, before later requests are submitted; it must then do the same on all
 *   ranks
 * @user: for @make
 * @destroy: (nullable): frees @user, on every rank
 * @error: return location
 *
 * Requests a call of a function on the host that computes data from other data, or only reads data.
 *
 * Returns: whether the request is valid; %ARMILLA_ERROR_SHAPE if there are too many inputs
 */
gboolean armilla_graph_make (ArmillaGraph *graph, ArmillaData *const *in, int n, ArmillaData *out,
                             ArmillaHostMake make, gpointer user, GDestroyNotify destroy,
                             GError **error);

/**
 * armilla_graph_fault:
 * @graph: a graph
 *
 * Returns: (transfer none): the latch of the run on this rank, which attributes errors to the node
 *   being submitted; the fault member of task arguments. It lives as long as the graph
 */
ArmillaFault *armilla_graph_fault (ArmillaGraph *graph);

/**
 * armilla_graph_commit:
 * @graph: a graph
 * @fault: the value of armilla_graph_fault() when its tasks were submitted, to which a failure is
 *   attributed
 * @output: (transfer full): an output whose temporary file is complete and closed
 * @error: return location
 *
 * Called from a "done" callback. Renames the output to its final name as soon as no rank can have
 * failed to compute its contents, at the latest when armilla_graph_wait() returns; removes it if a
 * rank failed. Several outputs may be renamed together.
 *
 * Returns: %FALSE if a failure is already known
 */
gboolean armilla_graph_commit (ArmillaGraph *graph, ArmillaFault *fault, ArmillaOutput *output,
                               GError **error);

/**
 * armilla_graph_share_values:
 * @graph: a graph
 * @values: (out caller-allocates) (array length=n): numbers, the same on every rank of the graph
 * @n: number of values, below 2^29
 * @make: called at once, on rank 0: fills the values of its piece
 * @user: for @make
 * @error: return location
 *
 * Computes numbers on rank 0 and sends them to all ranks, for stages whose submission depends on
 * data that may differ between ranks. In a dry run (plan) the values are 0. Collective.
 *
 * Returns: whether @make worked; the error is the same on all ranks
 */
gboolean armilla_graph_share_values (ArmillaGraph *graph, double *values, gint64 n,
                                     ArmillaHostPiece make, gpointer user, GError **error);

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
 * @node: (nullable): name of the node that it concerns; %NULL: the node being submitted
 * @format: message for the user, as for printf()
 * @...: its arguments
 *
 * Adds a warning to the report of the run: nothing has failed, but the result may not be as
 * intended. Equal warnings of one node are reported once for all realisations. Thread-safe if @node
 * is not %NULL.
 */
void armilla_graph_note (ArmillaGraph *graph, const char *node, const char *format, ...)
  G_GNUC_PRINTF (3, 4);

G_END_DECLS
