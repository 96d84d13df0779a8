/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that keep the output of a node for a run that is resumed, and data collected over
 * realisations. Called by the thread that builds, on every rank alike; the functions that read and
 * write a file are for host steps. */
#pragma once

#include <armilla/graph.h>
#include <armilla/table-data.h>

G_BEGIN_DECLS

/**
 * ArmillaCheckpoint:
 *
 * The file that keeps the values of one data object: bytes, in whatever order its class chooses.
 * Shape, names and units need not be in it: the stage describes its output again before it is
 * loaded. Who made the file, and whether its bytes are what was written, is known before, too.
 */
typedef struct _ArmillaCheckpoint ArmillaCheckpoint;

/**
 * armilla_checkpoint_write:
 * @self: a file to be written
 * @offset: where in the file, in bytes
 * @bytes: (array length=size): what
 * @size: how many bytes
 * @error: return location
 *
 * Writes a piece, unless the file is not due: then nothing is to be done, and nothing is. May be
 * called from several threads at once, on one rank.
 *
 * Returns: whether that worked; %ARMILLA_ERROR_IO otherwise
 */
gboolean armilla_checkpoint_write (ArmillaCheckpoint *self, gint64 offset, gconstpointer bytes,
                                   gint64 size, GError **error);

/**
 * armilla_checkpoint_read:
 * @self: a file to be read
 * @offset: where in the file, in bytes
 * @bytes: (out caller-allocates) (array length=size): where to
 * @size: how many bytes
 * @error: return location
 *
 * Reads a piece. May be called from several threads at once, on any rank.
 *
 * Returns: whether all of it was there; %ARMILLA_ERROR_IO otherwise
 */
gboolean armilla_checkpoint_read (ArmillaCheckpoint *self, gint64 offset, gpointer bytes,
                                  gint64 size, GError **error);

/**
 * armilla_checkpoint_end:
 * @self: (type ArmillaCheckpoint): a file to be written
 * @error: return location
 *
 * Says that all pieces are written, on the rank that wrote them; an #ArmillaHostDone. The file gets
 * its name when it is on the disk and nothing that it was computed from has failed.
 *
 * Returns: whether it is on the disk, or was not due; %ARMILLA_ERROR_IO otherwise
 */
gboolean armilla_checkpoint_end (gpointer self, GError **error);

/**
 * armilla_checkpoint_free:
 * @self: (type ArmillaCheckpoint) (transfer full): a file to be written or read; what is written
 *   without an end goes away
 */
void armilla_checkpoint_free (gpointer self);

/* What is collected over realisations. They are divided into lots of consecutive ones, which depend
 * on nothing but their number. Those of a lot are added in their order, on whatever ranks; what
 * comes of each lot is kept in a file, and at the end the lots are put together in their order. So
 * a result has the same bits on any ranks, and a run that is resumed makes again what lots lack. */

/**
 * ArmillaCollectFlags:
 * @ARMILLA_COLLECT_SQUARES: squared differences from the mean
 * @ARMILLA_COLLECT_MINIMUM: minima
 * @ARMILLA_COLLECT_MAXIMUM: maxima
 * @ARMILLA_COLLECT_WHOLE: of lots of one table or of one set of spectra: all of its
 *   numbers, not only their sums
 *
 * What is kept: of maps and a_lm beside their means, of tables and spectra beside their numbers.
 */
typedef enum {
  ARMILLA_COLLECT_SQUARES = 1 << 0,
  ARMILLA_COLLECT_MINIMUM = 1 << 1,
  ARMILLA_COLLECT_MAXIMUM = 1 << 2,
  ARMILLA_COLLECT_WHOLE = 1 << 3
} ArmillaCollectFlags;

/**
 * ArmillaCollectWhat:
 * @ARMILLA_COLLECTED_MEAN: mean
 * @ARMILLA_COLLECTED_VARIANCE: squared differences from the mean over their number less 1; of
 *   complex numbers squared absolute values, as the real part
 * @ARMILLA_COLLECTED_DEVIATION: the square root of that
 * @ARMILLA_COLLECTED_MINIMUM: minimum
 * @ARMILLA_COLLECTED_MAXIMUM: maximum
 *
 * What is asked for at the end. NaN where one realisation says nothing of it.
 */
typedef enum {
  ARMILLA_COLLECTED_MEAN,
  ARMILLA_COLLECTED_VARIANCE,
  ARMILLA_COLLECTED_DEVIATION,
  ARMILLA_COLLECTED_MINIMUM,
  ARMILLA_COLLECTED_MAXIMUM
} ArmillaCollectWhat;

/**
 * ArmillaLot:
 *
 * Realisations that follow each other, while they are collected; of one node.
 */
typedef struct _ArmillaLot ArmillaLot;

/**
 * armilla_graph_collect:
 * @graph: the graph of @lot
 * @data: map, a_lm, spectra or table of the next realisation of @lot
 * @lot: a lot that is not full
 * @flags: what is kept, the same for all
 * @error: return location
 *
 * Asks to collect a realisation. The last one of a lot has its file written.
 *
 * Returns: whether that was possible; %ARMILLA_ERROR_SHAPE where the realisation has another shape
 *   than those before
 */
gboolean armilla_graph_collect (ArmillaGraph *graph, ArmillaData *data, ArmillaLot *lot,
                                ArmillaCollectFlags flags, GError **error);

/**
 * ArmillaCollected:
 *
 * The files of all lots.
 */
typedef struct _ArmillaCollected ArmillaCollected;

/**
 * armilla_graph_fill_collected:
 * @graph: a graph
 * @collected: files of lots, which will be there when @out is
 * @flags: what was kept; all that @what needs
 * @what: what is asked for
 * @factor: of variances and deviations; 1 for those of a realisation
 * @out: a map, or a_lm (not of minima and maxima), of the shape of those that were collected;
 *   without a source
 * @error: return location
 *
 * Makes what was collected the source of @out.
 *
 * Returns: whether that could be asked for
 */
gboolean armilla_graph_fill_collected (ArmillaGraph *graph, ArmillaCollected *collected,
                                       ArmillaCollectFlags flags, ArmillaCollectWhat what,
                                       double factor, ArmillaData *out, GError **error);

G_END_DECLS
