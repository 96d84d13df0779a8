/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statistics of the pixels of maps. Every rank requests them in `build` in the same order; they are
 * computed after the function returns. */
#pragma once

#include <armilla/table-data.h>

G_BEGIN_DECLS

/* Statistics of a field of a map, in powers of its unit. */
typedef struct {
  gint64 n;    /* number of seen pixels */
  double mean; /* NaN if n is 0 */
  /* sum of squares of differences from the mean, over n - 1; NaN below two pixels */
  double variance;
  /* third central moment over the 3/2th power of the second (sums over n); NaN if all are equal */
  double skewness;
  /* fourth central moment over the square of the second, minus 3; NaN if all pixels are equal */
  double kurtosis;
  double min;  /* NaN if n is 0 */
  double max;  /* NaN if n is 0 */
  /* number of pixels below the first bin, in each bin, and above the last one, as doubles; NULL
   * without bins. Belongs to the words from which it was read */
  const double *counters;
} ArmillaStatistics;

/* A table made from statistics. */
typedef struct {
  /* called once on rank 0 in an I/O thread; its input contains words for
   * armilla_statistics_read() */
  ArmillaHostMake make;
  gpointer user;           /* argument of make */
  GDestroyNotify destroy;  /* frees user, on every rank; may be NULL */
  ArmillaTableData *table; /* table to be written by make */
} ArmillaStatisticsTable;

void armilla_statistics_read (const gint64 *words, int field, gint64 n_bins,
                              ArmillaStatistics *found);
double armilla_statistics_edge (gint64 n_bins, double low, double high, gint64 bin);
gboolean armilla_graph_map_statistics (ArmillaGraph *graph, ArmillaMap *map, ArmillaMap *mask,
                                       gint64 n_bins, double low, double high,
                                       const ArmillaStatisticsTable *tables, int n_tables,
                                       GError **error);

G_END_DECLS
