/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bins of separation, and histograms of pairs and triangles. Bins are immutable: threads may share
 * them. */
#pragma once

#include <armilla/error.h>

G_BEGIN_DECLS

/* A pair of unit vectors belongs to bin k when s2[k] <= s2 < s2[k + 1], where s2 = ((dx * dx) + (dy
 * * dy)) + (dz * dz), every operation rounded. An edge is 4 sin^2 (angle / 2) rounded once.
 * Reference-counted; does not change. */
typedef struct {
  int n;         /* number of bins, at least 1 */
  double *angle; /* (array length=n+1): edges, radian, strictly increasing, from 0 to pi */
  double *s2;    /* (array length=n+1): the same as squared chords; infinity for an edge at pi */
  /*< private >*/
  gint refs;
} ArmillaBins;

/* The most bins that there can be. */
#define ARMILLA_BINS_MAX 4096

ArmillaBins *armilla_bins_new (const double *angle, int n, GError **error);
ArmillaBins *armilla_bins_new_linear (double first, double last, int n, GError **error);
ArmillaBins *armilla_bins_new_logarithmic (double first, double last, int n, GError **error);
ArmillaBins *armilla_bins_ref (ArmillaBins *self);
void armilla_bins_unref (ArmillaBins *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaBins, armilla_bins_unref)

/* What is counted. */
typedef enum {
  ARMILLA_HISTOGRAM_PAIRS,      /* pairs by their separation; an entry a bin */
  /* triangles by the bins of their three sides, in any order: an entry for each k1 <= k2 <= k3, see
   * armilla_histogram_triangle() */
  ARMILLA_HISTOGRAM_TRIANGLES,
  ARMILLA_HISTOGRAM_EQUAL_SIDES /* triangles whose three sides are in one bin; an entry a bin */
} ArmillaHistogramKind;

/* What can be summed over the pairs of a bin, beside their number. The shears are those along and
 * across the great circle through both objects. */
typedef enum {
  ARMILLA_SUM_WEIGHT,     /* w_i w_j */
  ARMILLA_SUM_SEPARATION, /* w_i w_j theta_ij, radian */
  ARMILLA_SUM_XI_PLUS,    /* w_i w_j (gt_i gt_j + gx_i gx_j) */
  ARMILLA_SUM_XI_MINUS,   /* w_i w_j (gt_i gt_j - gx_i gx_j) */
  ARMILLA_N_SUMS          /* how many there are */
} ArmillaHistogramSum;

/* A histogram is an array of 64-bit words: ARMILLA_HISTOGRAM_HEADER words that say how the sums are
 * scaled, then rows [1 + n_patches + n_within]: row 0 over all pairs, row 1 + p over those of whom
 * at least one object is in patch p (a pair within the patch counts once): taking it from row 0
 * leaves what catalogues without patch p would give. Row 1 + n_patches + p is over the pairs of
 * whom both are in patch p. A row holds the counts [entry], int64, then the sums that are kept, in
 * the order of ArmillaHistogramSum, [entry][3]: 192-bit integers, least word first, in units of 2
 * to the power that the header has for the sum. */
typedef struct {
  ArmillaHistogramKind kind; /* what is counted */
  int n_bins;                /* number of bins */
  int n_patches; /* number of patches for which a row of its own is kept; 0 for the total alone */
  int sums; /* 1 << s for each ArmillaHistogramSum s that is kept; 0 for triangles */
  /* n_patches where a row is kept for the pairs within each patch, too; 0 otherwise */
  int n_within;
} ArmillaHistogramShape;

/* words before the first bin of a histogram */
#define ARMILLA_HISTOGRAM_HEADER 8

/* 64-bit words per exact sum of reals */
#define ARMILLA_SUM_WORDS 3

gint64 armilla_histogram_entries (const ArmillaHistogramShape *shape);
gint64 armilla_histogram_rows (const ArmillaHistogramShape *shape);
gint64 armilla_histogram_words (const ArmillaHistogramShape *shape);
gint64 armilla_histogram_triangle (int n_bins, int k1, int k2, int k3);
gint64 armilla_histogram_count (const ArmillaHistogramShape *shape, const gint64 *words, int row,
                                gint64 entry);
double armilla_histogram_sum (const ArmillaHistogramShape *shape, const gint64 *words, int row,
                              ArmillaHistogramSum sum, gint64 entry);

G_END_DECLS
