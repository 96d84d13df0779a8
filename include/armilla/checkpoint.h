/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that store the output of a node so that a run can be resumed, and data collected over
 * realisations. The thread that builds the graph calls these functions, on every rank in the same
 * order; the functions that read and write a file are called in host steps. */
#pragma once

#include <armilla/graph.h>
#include <armilla/table-data.h>

G_BEGIN_DECLS

/**
 * ArmillaCheckpoint:
 *
 * The file with the values of one data object, in an order that the class of the data chooses. It
 * need not contain shape, names and units: the stage describes its output again before the values
 * are loaded. Origin and checksum of the file are verified first.
 */
typedef struct _ArmillaCheckpoint ArmillaCheckpoint;

/**
 * armilla_checkpoint_write:
 * @self: a file to be written
 * @offset: position in the file, in bytes
 * @bytes: (array length=size): data
 * @size: number of bytes
 * @error: return location
 *
 * Writes a piece; does nothing if the file need not be written now. May be called from several
 * threads at once, on one rank.
 *
 * Returns: whether the piece was written; %ARMILLA_ERROR_IO otherwise
 */
gboolean armilla_checkpoint_write (ArmillaCheckpoint *self, gint64 offset, gconstpointer bytes,
                                   gint64 size, GError **error);

/**
 * armilla_checkpoint_read:
 * @self: a file to be read
 * @offset: position in the file, in bytes
 * @bytes: (out caller-allocates) (array length=size): destination
 * @size: number of bytes
 * @error: return location
 *
 * Reads a piece. May be called from several threads at once, on any rank.
 *
 * Returns: whether the whole piece was read; %ARMILLA_ERROR_IO otherwise
 */
gboolean armilla_checkpoint_read (ArmillaCheckpoint *self, gint64 offset, gpointer bytes,
                                  gint64 size, GError **error);

/**
 * armilla_checkpoint_end:
 * @self: (type ArmillaCheckpoint): a file to be written
 * @error: return location
 *
 * Declares that all pieces are written, on the rank that wrote them; an #ArmillaHostDone. The file
 * gets its name when it is on the disk and none of its inputs has failed.
 *
 * Returns: whether the file is on the disk, or need not be written; %ARMILLA_ERROR_IO otherwise
 */
gboolean armilla_checkpoint_end (gpointer self, GError **error);

/**
 * armilla_checkpoint_free:
 * @self: (type ArmillaCheckpoint) (transfer full): a file to be written or read; a file without
 *   armilla_checkpoint_end() is removed
 */
void armilla_checkpoint_free (gpointer self);

/* Data collected over realisations. Realisations are divided into lots of consecutive ones, which
 * depend only on their number. Those of a lot are added in their order, on any ranks; the result of
 * each lot is stored in a file, and at the end the lots are combined in their order. So a result
 * has the same bits on any number of ranks, and a resumed run recomputes only missing lots. */

/**
 * ArmillaCollectFlags:
 * @ARMILLA_COLLECT_SQUARES: squared differences from the mean
 * @ARMILLA_COLLECT_MINIMUM: minima
 * @ARMILLA_COLLECT_MAXIMUM: maxima
 * @ARMILLA_COLLECT_WHOLE: for tables and spectra: all numbers, not only sums
 *
 * Statistics to accumulate in addition to the means of maps and a_lm, or all numbers of tables and
 * spectra.
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
 * @ARMILLA_COLLECTED_VARIANCE: sum of squared differences from the mean, divided by their number
 *   minus 1; for complex numbers the differences are absolute values and the result is real
 * @ARMILLA_COLLECTED_DEVIATION: square root of the variance
 * @ARMILLA_COLLECTED_MINIMUM: minimum
 * @ARMILLA_COLLECTED_MAXIMUM: maximum
 *
 * Statistic to compute at the end. Variance and deviation of a single realisation are NaN.
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
 * A group of consecutive realisations of one node while they are collected.
 */
typedef struct _ArmillaLot ArmillaLot;

/**
 * armilla_graph_collect:
 * @graph: the graph of @lot
 * @data: map, a_lm, spectra or table of the next realisation of @lot
 * @lot: a lot that is not full
 * @flags: statistics to keep, the same for all
 * @error: return location
 *
 * Requests that a realisation be collected. The last one of a lot writes its file.
 *
 * Returns: whether it was accepted; %ARMILLA_ERROR_SHAPE if the realisation has another shape
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
 * @collected: files of lots, which will exist when @out is computed
 * @flags: statistics that were kept; must include those that @what needs
 * @what: the requested statistic
 * @factor: factor of variances, whose square root is that of deviations; 1 for those of one
 *   realisation
 * @out: a map, or a_lm (not of minima and maxima), of the shape of those that were collected;
 *   without a source
 * @error: return location
 *
 * Makes the collected statistics the source of @out.
 *
 * Returns: whether the request is valid
 */
gboolean armilla_graph_fill_collected (ArmillaGraph *graph, ArmillaCollected *collected,
                                       ArmillaCollectFlags flags, ArmillaCollectWhat what,
                                       double factor, ArmillaData *out, GError **error);

G_END_DECLS
