/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bins of separation, and histograms of pairs and triangles. Bins are immutable: threads may share
 * them. */
#pragma once

#include <armilla/error.h>

G_BEGIN_DECLS

/* What bins of separation divide. */
typedef enum {
  ARMILLA_SEPARATION_ANGLE, /* angle between directions */
  ARMILLA_SEPARATION_S,     /* distance s of positions */
  ARMILLA_SEPARATION_S_MU,  /* s, and mu, the cosine of its angle to the line of sight */
  ARMILLA_SEPARATION_RP_PI  /* distances across (rp) and along (pi) the line of sight */
} ArmillaSeparation;

/* Lines of sight of a pair. */
typedef enum {
  ARMILLA_SIGHT_MIDPOINT,   /* from the observer to the middle of the pair */
  ARMILLA_SIGHT_FIRSTPOINT, /* from the observer to the object of the first catalogue */
  ARMILLA_SIGHT_ENDPOINT,   /* from the observer to the object of the second catalogue */
  ARMILLA_SIGHT_X,          /* an axis, the same for all pairs */
  ARMILLA_SIGHT_Y,
  ARMILLA_SIGHT_Z
} ArmillaSight;

/* Bins of separation. A pair belongs to bin k if s2[k] <= s2 < s2[k + 1], where s2 = ((dx * dx) +
 * (dy * dy)) + (dz * dz), every operation rounded. An edge of angles is 4 sin^2 (angle / 2) rounded
 * once, and one of distances is its square rounded once. Reference-counted and immutable.
 *
 * With two coordinates each bin has n2 bins of the second, whose square v2 is compared with the
 * squared edges in the same way. With the line of sight l, l2 = ((lx * lx) + (ly * ly)) + (lz * lz)
 * and p = ((dx * lx) + (dy * ly)) + (dz * lz), mu^2 = (p * p) / (s2 * l2), pi^2 = (p * p) / l2, and
 * rp^2 = s2 - pi^2, or 0 if that is negative. mu and pi are 0 if the denominator is 0, so pairs at
 * one place have mu = 0. l is the sum of both positions for the midpoint. On a fixed axis c pi^2 =
 * dc * dc, rp^2 is the sum of the other two squares, and mu^2 = pi^2 / s2. */
typedef struct {
  int n;       /* number of bins, at least 1 */
  double *edge; /* (array length=n+1): edges, strictly increasing: radian, from 0 to pi, or
                 * distances */
  double *s2;  /* (array length=n+1): squared chords of the edges, infinity for an edge at pi; or
                * squared distances */
  ArmillaSeparation separation;
  ArmillaSight sight; /* line of sight of two coordinates */
  double period[3]; /* lengths after which positions repeat; 0: they do not */
  int n2;        /* number of bins of the second coordinate; 0: there is none */
  double *edge2; /* (array length=n2+1): its edges */
  double *v2;    /* (array length=n2+1): their squares; infinity for mu = 1 */
  /*< private >*/
  gint refs;
} ArmillaBins;

/* Maximum number of bins. */
#define ARMILLA_BINS_MAX 4096

ArmillaBins *armilla_bins_new (const double *angle, int n, GError **error);
ArmillaBins *armilla_bins_new_linear (double first, double last, int n, GError **error);
ArmillaBins *armilla_bins_new_logarithmic (double first, double last, int n, GError **error);
ArmillaBins *armilla_bins_new_distances (const ArmillaBins *what, GError **error);
void armilla_bins_space (double first, double last, int n, gboolean logarithmic, double *edge);
gboolean armilla_bins_equal (const ArmillaBins *a, const ArmillaBins *b);
ArmillaBins *armilla_bins_ref (ArmillaBins *self);
void armilla_bins_unref (ArmillaBins *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArmillaBins, armilla_bins_unref)

/* Kinds of histograms. */
typedef enum {
  ARMILLA_HISTOGRAM_PAIRS, /* pairs by their separation; one entry per bin, or per two bins */
  /* triangles by the bins of their three sides, in any order: an entry for each k1 <= k2 <= k3,
   * ordered by the smallest bin, then the middle, then the largest */
  ARMILLA_HISTOGRAM_TRIANGLES,
  ARMILLA_HISTOGRAM_EQUAL_SIDES /* triangles whose three sides are in one bin; one entry per bin */
} ArmillaHistogramKind;

/* Sums over the pairs of a bin in addition to their number. The shears are relative to the great
 * circle through both objects: gt along or across it, gx at 45 degrees to it. In counts around
 * lenses, whose objects i have no shears, the last two are w_i w_j gt_j, gt being along the great
 * circle, and w_i w_j gx_j. */
typedef enum {
  ARMILLA_SUM_WEIGHT,     /* w_i w_j */
  ARMILLA_SUM_SEPARATION, /* w_i w_j theta_ij, radian */
  ARMILLA_SUM_XI_PLUS,    /* w_i w_j (gt_i gt_j + gx_i gx_j) */
  ARMILLA_SUM_XI_MINUS,   /* w_i w_j (gt_i gt_j - gx_i gx_j) */
  ARMILLA_N_SUMS          /* number of these */
} ArmillaHistogramSum;

/* A histogram is an array of 64-bit words: ARMILLA_HISTOGRAM_HEADER words with the scales of the
 * sums, then rows [1 + n_patches + n_within]. Row 0 is over all pairs. Row 1 + p is over pairs with
 * at least one object in patch p (a pair within the patch counts once): row 0 minus this row is the
 * histogram of the catalogues without patch p. Row 1 + n_patches + p is over pairs with both
 * objects in patch p. A row has the counts [entry], int64, then the requested sums, in the order of
 * ArmillaHistogramSum, [entry][3]: 192-bit integers, least significant word first, in units of 2 to
 * the power that the header gives for the sum. */
typedef struct {
  ArmillaHistogramKind kind; /* kind of histogram */
  int n_bins;                /* number of bins */
  int n_patches; /* number of patches with a row of their own; 0: only the total */
  int sums; /* bit mask, 1 << s for each requested ArmillaHistogramSum s; 0 for triangles */
  /* n_patches if there is a row for the pairs within each patch too; otherwise 0 */
  int n_within;
  int n2; /* number of bins of a second coordinate, which varies fastest; 0: there is none */
} ArmillaHistogramShape;

/* words before the first bin of a histogram */
#define ARMILLA_HISTOGRAM_HEADER 8

/* 64-bit words per exact sum of reals */
#define ARMILLA_SUM_WORDS 3

gint64 armilla_histogram_entries (const ArmillaHistogramShape *shape);
gint64 armilla_histogram_rows (const ArmillaHistogramShape *shape);
gint64 armilla_histogram_words (const ArmillaHistogramShape *shape);
gint64 armilla_histogram_count (const ArmillaHistogramShape *shape, const gint64 *words, int row,
                                gint64 entry);
double armilla_histogram_sum (const ArmillaHistogramShape *shape, const gint64 *words, int row,
                              ArmillaHistogramSum sum, gint64 entry);

G_END_DECLS
