/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The counts of data and random objects that an estimator of a two-point function needs. */
#include "plugins/correlation/correlation-private.h"
#include "tasks/correlation/correlation.h"

const char *const armilla_correlation_estimators[] = {
  [ARMILLA_ESTIMATOR_LANDY_SZALAY] = "landy-szalay", [ARMILLA_ESTIMATOR_HAMILTON] = "hamilton",
  [ARMILLA_ESTIMATOR_DAVIS_PEEBLES] = "davis-peebles", [ARMILLA_ESTIMATOR_NATURAL] = "natural",
  NULL,
};

/* Drops a second input that equals the first, so that no object is paired with itself. */
void
armilla_correlation_distinct (ArmillaData *const *inputs, ArmillaData **out)
{
  out[CORRELATION_DATA] = inputs[CORRELATION_DATA];
  out[CORRELATION_RANDOM] = inputs[CORRELATION_RANDOM];
  out[CORRELATION_DATA2]
    = inputs[CORRELATION_DATA2] != inputs[CORRELATION_DATA] ? inputs[CORRELATION_DATA2] : NULL;
  out[CORRELATION_RANDOM2] = inputs[CORRELATION_RANDOM2] != inputs[CORRELATION_RANDOM]
                               ? inputs[CORRELATION_RANDOM2]
                               : NULL;
}

/* Checks which inputs of data and random objects are connected. */
gboolean
armilla_correlation_check_inputs (ArmillaData *const *inputs, GError **error)
{
  if ((inputs[CORRELATION_DATA2] == NULL) != (inputs[CORRELATION_RANDOM2] == NULL))
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "catalogue2 and random2 require each other; connect both, or neither");
  if (inputs[CORRELATION_DATA2] == inputs[CORRELATION_DATA]
      && inputs[CORRELATION_RANDOM2] != inputs[CORRELATION_RANDOM])
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "random2 is not random, but catalogue2 is catalogue, so pairs within it "
                         "are counted; connect random2 to the node of random too");
  return TRUE;
}

/* Finds the two catalogues of a count; -1: pairs within the first. */
static void
sides_of (int count, gboolean cross, gboolean cross_random, int *a, int *b)
{
  *a = count == ARMILLA_COUNT_DD || count == ARMILLA_COUNT_DR ? CORRELATION_DATA
                                                             : CORRELATION_RANDOM;
  if (count == ARMILLA_COUNT_DD || count == ARMILLA_COUNT_RD)
    *b = cross ? CORRELATION_DATA2 : -1;
  else if (cross_random)
    *b = CORRELATION_RANDOM2;
  else
    *b = count == ARMILLA_COUNT_DR ? CORRELATION_RANDOM : -1;
}

/* Requests the counts; @sums: bits 1 << ArmillaHistogramSum: sums
 * over the pairs of data beside weights. Appends the histograms in
 * the order of ArmillaPairCount to @histograms, of which there are *n. */
gboolean
armilla_correlation_count (CorrelationCounts *self, ArmillaGraph *graph,
                           const CorrelationProperties *properties, int sums,
                           ArmillaHistogram **histograms, int *n, GError **error)
{
  CorrelationCatalogues *catalogues = self->catalogues;
  const ArmillaCountOptions options = { .tasks = properties->tasks };

  for (int c = 0; c < ARMILLA_N_COUNTS; c++)
    {
      ArmillaObjects *other;
      int a, b, all;

      if (!(self->needs & 1 << c))
        continue;
      sides_of (c, self->cross, self->cross_random, &a, &b);
      other = b >= 0 ? catalogues->objects[b] : NULL;
      all = armilla_correlation_weighted (catalogues->objects[a], other) ? 1 << ARMILLA_SUM_WEIGHT
                                                                         : 0;
      if (c == ARMILLA_COUNT_DD)
        all |= sums;
      histograms[*n] = armilla_correlation_pairs (properties, catalogues->bins,
                                                  properties->n_patches, all, error);
      if (histograms[*n] == NULL)
        return FALSE;
      self->shape[c] = *armilla_histogram_shape (histograms[*n]);
      if (!armilla_graph_count_pairs (graph, catalogues->objects[a], other, &options,
                                      histograms[(*n)++], error))
        return FALSE;
    }
  return TRUE;
}

/* Sets the counts from the values of their histograms; counts that are not needed are empty. */
void
armilla_correlation_counted (const CorrelationCounts *self, const ArmillaPiece *in,
                             ArmillaCounted counted[ARMILLA_N_COUNTS])
{
  ArmillaTotals *const *totals = self->catalogues->totals;
  int at = 0;

  for (int c = 0; c < ARMILLA_N_COUNTS; c++)
    {
      int a, b;

      counted[c] = (ArmillaCounted) { .words = NULL };
      if (!(self->needs & 1 << c))
        continue;
      sides_of (c, self->cross, self->cross_random, &a, &b);
      counted[c] = (ArmillaCounted) { self->shape[c], in[at++].words, totals[a],
                                      b >= 0 ? totals[b] : NULL,
                                      self->match ? armilla_totals_match (totals[CORRELATION_DATA])
                                                  : 0 };
    }
}
