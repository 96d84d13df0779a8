/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "codelets/correlation/pair-cpu.h"
#include "codelets/correlation/pair-math.h"
#include "codelets/legendre/delta-recurrence.h"

static int64_t
tally_words (const ArmillaPairShape *shape)
{
  return (TALLY_PARTS * (1 + ARMILLA_SUM_WORDS * ARMILLA_N_SUMS) + 2 * MAX_VECTOR)
         * (shape->n_bins + 2);
}

/* Returns the number of words of the counts and weights of bins of two coordinates. */
static int64_t
plane_words (const ArmillaPairShape *shape)
{
  return shape->n_bins * shape->n2 * (1 + (shape->sums ? ARMILLA_SUM_WORDS : 0));
}

/* Returns the number of entries of a row of the histogram. */
static int64_t
row_entries (const ArmillaPairShape *shape)
{
  return shape->n_bins * (shape->n2 > 0 ? shape->n2 : 1);
}

/* Returns the number of words of scratch space that armilla_pair_histogram_cpu () needs. */
int64_t
armilla_pair_histogram_scratch (const ArmillaPairShape *shape)
{
  return tally_words (shape) + plane_words (shape)
         + (shape->n2 > 0 ? 2 * ARMILLA_LOOKUP_WORDS : 0);
}

/* sum <- sum + sign x */
static void
add_signed (int64_t *sum, const int64_t *x, int negative)
{
  if (negative)
    {
      /* -x = ~x + 1 */
      armilla_wide_add (sum, ~(uint64_t) x[0], ~(uint64_t) x[1], ~(uint64_t) x[2]);
      armilla_wide_add (sum, 1, 0, 0);
    }
  else
    armilla_wide_add (sum, (uint64_t) x[0], (uint64_t) x[1], (uint64_t) x[2]);
}

/* Adds a tally, converted to bins, to one row of the histogram. */
static void
add_to_row (const ArmillaPairWork *work, int64_t *row)
{
  const ArmillaPairShape *shape = work->shape;
  const int64_t n = shape->n_bins + 2;
  const int64_t *below = work->counts + TALLY_BELOW * n, *top = work->counts + TALLY_TOP * n;

  for (int64_t k = 0; k < shape->n_bins; k++)
    row[k] += top[k + 1] + below[k + 1] - below[k];
  row += shape->n_bins;
  for (int s = 0; s < ARMILLA_N_SUMS; s++)
    if (shape->sums & 1 << s)
      for (int64_t k = 0; k < shape->n_bins; k++, row += ARMILLA_SUM_WORDS)
        {
          add_signed (row, armilla_pair_sum (work, s, TALLY_TOP, k + 1), 0);
          add_signed (row, armilla_pair_sum (work, s, TALLY_BELOW, k + 1), 0);
          add_signed (row, armilla_pair_sum (work, s, TALLY_BELOW, k), 1);
        }
}

/* Adds counts and weights of bins of two coordinates. */
static void
add_plane_to_row (const ArmillaPairWork *work, int64_t *row)
{
  const int64_t n = row_entries (work->shape);

  for (int64_t k = 0; k < n; k++)
    row[k] += work->plane[k];
  for (int64_t k = 0; k < n && work->shape->sums; k++)
    add_signed (row + n + ARMILLA_SUM_WORDS * k, work->plane_weights + ARMILLA_SUM_WORDS * k, 0);
}

static int64_t
patch_of (const ArmillaPairWork *work, int side, int64_t node)
{
  const int64_t *rows = (const int64_t *) (const void *) work->input->nodes[side];

  return rows[ARMILLA_NODE_PATCH * work->shape->strides[side] + node];
}

/* Adds the tally to the total row and to the rows of its one or two patches, and clears it. */
static void
flush (ArmillaPairWork *work, int64_t patch_a, int64_t patch_b, int64_t *words)
{
  const ArmillaPairShape *shape = work->shape;
  const int64_t row_words
    = row_entries (shape) * (1 + ARMILLA_SUM_WORDS * __builtin_popcount ((unsigned) shape->sums));
  void (*const add) (const ArmillaPairWork *, int64_t *)
    = shape->n2 > 0 ? add_plane_to_row : add_to_row;
  int64_t *row = words + ARMILLA_HISTOGRAM_HEADER;

  for (int64_t i = 0; i < (shape->n_bins + 2) * MAX_VECTOR; i++)
    work->counts[TALLY_BELOW * (shape->n_bins + 2) + i / MAX_VECTOR] += work->vectors[i];
  add (work, row);
  if (shape->n_patches > 0)
    {
      add (work, row + (1 + patch_a) * row_words);
      if (patch_b != patch_a)
        add (work, row + (1 + patch_b) * row_words);
      else if (shape->n_within > 0)
        add (work, row + (1 + shape->n_patches + patch_a) * row_words);
    }
  memset (work->counts, 0, sizeof (int64_t) * (size_t) (tally_words (shape) + plane_words (shape)));
}

/* Descends pairs of nodes until all their pairs fall into one bin or both are leaves, whose pairs
 * are tested against the remaining edges. Sums are integers: they depend neither on the order nor
 * on the division into items. */
void
armilla_pair_histogram_cpu (const ArmillaPairShape *shape, const ArmillaPairInput *input,
                            int64_t *words, int64_t *scratch)
{
  const int64_t n_sums = __builtin_popcount ((unsigned) shape->sums);
  const int64_t n_words = ARMILLA_HISTOGRAM_HEADER
                          + (1 + shape->n_patches + shape->n_within) * row_entries (shape)
                              * (1 + ARMILLA_SUM_WORDS * n_sums);
  const int64_t n = shape->n_bins + 2;
  ArmillaPairKernel *const run = ARMILLA_FOR_ISA (shape->isa, armilla_pair_item);
  const int64_t tally = TALLY_PARTS * (1 + ARMILLA_SUM_WORDS * ARMILLA_N_SUMS) * n;
  int64_t *const plane = scratch + tally_words (shape);
  ArmillaPairWork work = { .shape = shape,
                           .input = input,
                           .counts = scratch,
                           .sums = scratch + TALLY_PARTS * n,
                           .vectors = scratch + tally,
                           .plane = plane,
                           .plane_weights = plane + shape->n_bins * shape->n2 };
  int64_t patch_a = 0, patch_b = 0;

  memset (words, 0, sizeof *words * (size_t) n_words);
  memset (scratch, 0, sizeof *scratch * (size_t) armilla_pair_histogram_scratch (shape));
  for (int s = 0; s < ARMILLA_N_SUMS; s++)
    {
      words[s] = shape->exponents[s];
      work.scale[s] = ldexp (1, (int) -shape->exponents[s]);
    }
  if (shape->n2 > 0)
    {
      const double last2 = input->edges[2 * n + shape->n2];
      const int bounds_s = shape->separation == ARMILLA_SEPARATION_RP_PI
                           && shape->sight < ARMILLA_SIGHT_X;

      armilla_lookup_init (&work.lookup[0], input->edges, shape->n_bins, 0,
                           plane + plane_words (shape));
      work.max_pi = sqrt (last2);
      work.max_u = sqrt (input->edges[shape->n_bins] + (bounds_s ? last2 : 0));
      /* mu is at most 1 */
      armilla_lookup_init (&work.lookup[1], input->edges + 2 * n, shape->n2, 1,
                           plane + plane_words (shape) + ARMILLA_LOOKUP_WORDS);
    }
  for (int64_t i = 0; i < shape->n_items; i++)
    {
      const int64_t *item = input->items + ARMILLA_ITEM_WORDS * i;
      const int64_t a = patch_of (&work, 0, item[0]), b = patch_of (&work, 1, item[1]);

      if (shape->n_patches > 0 && (a != patch_a || b != patch_b))
        {
          flush (&work, patch_a, patch_b, words);
          patch_a = a;
          patch_b = b;
        }
      run (&work, item);
    }
  flush (&work, patch_a, patch_b, words);
}

/* Adds a histogram to sum, which is uninitialised if first. */
void
armilla_histogram_merge_cpu (int64_t n_rows, int64_t n_entries, int64_t n_sums, int first,
                             const int64_t *part, int64_t *sum)
{
  const int64_t row_words = n_entries * (1 + ARMILLA_SUM_WORDS * n_sums);

  if (first)
    {
      memcpy (sum, part,
              sizeof *sum * (size_t) (ARMILLA_HISTOGRAM_HEADER + n_rows * row_words));
      return;
    }
  part += ARMILLA_HISTOGRAM_HEADER;
  sum += ARMILLA_HISTOGRAM_HEADER;
  for (int64_t r = 0; r < n_rows; r++, part += row_words, sum += row_words)
    {
      for (int64_t i = 0; i < n_entries; i++)
        sum[i] += part[i];
      for (int64_t i = n_entries; i < row_words; i += ARMILLA_SUM_WORDS)
        add_signed (sum + i, part + i, 0);
    }
}
