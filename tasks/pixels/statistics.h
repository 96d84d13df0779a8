/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statistics of the pixels of maps. A stage asks for them in `build`, on every rank alike and in
 * the same order; nothing is computed before the function returns. */
#pragma once

#include "tasks/data/table.h"

G_BEGIN_DECLS

/**
 * ArmillaStatistics:
 * @n: pixels that are seen
 * @mean: their mean; NaN where there is none
 * @variance: sum of squares of differences from the mean, over n - 1; NaN below two pixels
 * @skewness: third central moment over the 3/2th power of the second, moments being sums over n;
 *   NaN where all are equal
 * @kurtosis: fourth central moment over the square of the second, less 3; NaN where all are equal
 * @min: least; NaN where there is none
 * @max: greatest; NaN where there is none
 * @counters: (nullable): pixels below the first bin, in each bin, and above the last one, as
 *   doubles; %NULL without bins. Valid as long as the words
 *
 * Statistics of a field of a map, in its unit and powers of it.
 */
typedef struct {
  gint64 n;
  double mean, variance, skewness, kurtosis, min, max;
  const double *counters;
} ArmillaStatistics;

/**
 * ArmillaStatisticsTable:
 * @make: called once, on rank 0, in an I/O thread, with one array of words, which
 *   armilla_statistics_read() reads
 * @user: for @make
 * @destroy: (nullable): frees @user, on every rank
 * @table: a table without a source; written
 *
 * A table that is made of statistics.
 */
typedef struct {
  ArmillaHostMakeTable make;
  gpointer user;
  GDestroyNotify destroy;
  ArmillaTableData *table;
} ArmillaStatisticsTable;

void armilla_statistics_read (const gint64 *words, int field, gint64 n_bins,
                              ArmillaStatistics *found);
double armilla_statistics_edge (gint64 n_bins, double low, double high, gint64 bin);
gboolean armilla_graph_map_statistics (ArmillaGraph *graph, ArmillaMap *map, ArmillaMap *mask,
                                       gint64 n_bins, double low, double high,
                                       const ArmillaStatisticsTable *tables, int n_tables,
                                       GError **error);

G_END_DECLS
