/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A unit of work is 32 slots of a (two leaves) and a run of up to 32 leaves of b: a warp holds the
 * slots in registers, and each thread bounds the distances to one of the leaves. Leaves whose pairs
 * are all in one bin are counted as products; for the others every thread loops over the 16 slots
 * and compares with the few remaining edges. */
#include "codelets/correlation/pair-histogram.h"
#include "codelets/correlation/pair-lanes.cuh"

#define THREADS 128
#define WARPS (THREADS / 32)
/* Thread blocks per item: so many that a launch fills a GPU several times over, since items differ
 * in the work that remains after bounding. */
#define MIN_SPLIT 4
#define MAX_SPLIT 256
#define BLOCKS (1 << 13)
/* Approximate number of units per launch; it determines the leaves per run if there are few
 * pairs. */
#define UNITS (1 << 14)
#define MIN_RUN 2
#define MAX_RUN 32
/* Maximum product of the numbers of edges and sums for which each thread has sums of its own. */
#define TERM_ROWS 32

/* Processes up to 32 leaves of b in a warp; each thread computes the bounds for one. */
template <int MODE>
static __device__ void
meet_leaves (const Lane *lane, Terms *terms, const int64_t *item, int64_t a, bool two,
             int64_t first, int64_t n, bool self)
{
  const ArmillaPairShape *shape = lane->shape;
  const int64_t leaf = first + threadIdx.x % 32;
  const bool own = self && leaf <= a + 1;
  bool visit = false;
  int64_t m0 = 0, m1 = 0;

  if (threadIdx.x % 32 < n)
    {
      bound_leaves (shape, lane->in, a, leaf, item[2], item[3], &m0, &m1);
      if (two)
        {
          int64_t low, high;

          bound_leaves (shape, lane->in, a + 1, leaf, item[2], item[3], &low, &high);
          m0 = low < m0 ? low : m0;
          m1 = high > m1 ? high : m1;
        }
      visit = m0 < m1 || shape->brute || own
              || (MODE == TERMS && m0 >= 1 && m0 <= shape->n_bins);
      if (m0 == m1 && shape->brute)
        {
          m0 = m0 <= shape->n_bins ? m0 : shape->n_bins;
          m1 = m0 + 1;
        }
      if (!own && (visit || (m0 >= 1 && m0 <= shape->n_bins)))
        add_product (lane, leaf, m1);
    }
  for (unsigned left = __ballot_sync (FULL_WARP, visit); left != 0; left &= left - 1)
    {
      const int source = __ffs ((int) left) - 1;

      meet_leaf<MODE> (lane, terms, first + source, __shfl_sync (FULL_WARP, (long long) m0, source),
                       __shfl_sync (FULL_WARP, (long long) m1, source),
                       __shfl_sync (FULL_WARP, (int) own, source) != 0);
    }
}

/* Finds the first leaf of a node, and the number of its leaves. */
static __device__ int64_t
node_leaves (const ArmillaPairShape *shape, const ArmillaPairInput *in, int side, int64_t node,
             int64_t *n)
{
  *n = node_integer (shape, in, side, ARMILLA_NODE_SLOTS, node) / ARMILLA_LEAF;
  return node_integer (shape, in, side, ARMILLA_NODE_SLOT, node) / ARMILLA_LEAF;
}

/* Processes a unit of an item: two leaves of a, up to @end_a, and @n_run consecutive leaves of
 * b. */
template <int MODE>
static __device__ void
run_unit (const ArmillaPairShape *shape, const ArmillaPairInput *in, const Scale *scale,
          const Tally *tally, Terms *terms, const int64_t *item, int64_t a, int64_t end_a,
          int64_t run, int64_t n_run)
{
  const bool self = shape->is_auto && item[0] == item[1], two = a + 1 < end_a;
  int64_t n;
  const int64_t from = node_leaves (shape, in, 1, item[1], &n);
  /* Within a node, each pair is visited once: with the slot of b after that of a. */
  const int64_t first = (self ? a : from) + n_run * run, left = from + n - first;
  const int64_t slot = a * ARMILLA_LEAF + threadIdx.x % 32;
  const bool valid = slot < end_a * ARMILLA_LEAF;
  Lane lane;

  if (left <= 0)
    return;
  lane.shape = shape;
  lane.in = in;
  lane.scale = scale;
  lane.tally = tally;
  lane.slot = valid ? slot : -1;
  lane.x = valid ? in->points[0][slot] : NAN;
  lane.y = valid ? in->points[0][shape->slots[0] + slot] : NAN;
  lane.z = valid ? in->points[0][2 * shape->slots[0] + slot] : NAN;
  lane.weight = valid && shape->sums & 1 << WEIGHT ? weight_of (&lane, 0, slot) : 0;
  lane.n_a = (int) (node_integer (shape, in, 0, ARMILLA_NODE_COUNT, a)
                    + (two ? node_integer (shape, in, 0, ARMILLA_NODE_COUNT, a + 1) : 0));
  /* Sums of leaves have fewer than 63 bits and a sign. */
  lane.weight_a[0] = node_integer (shape, in, 0, ARMILLA_NODE_WEIGHT_LOW, a)
                     + (two ? node_integer (shape, in, 0, ARMILLA_NODE_WEIGHT_LOW, a + 1) : 0);
  lane.weight_a[1] = lane.weight_a[0] < 0 ? -1 : 0;
  meet_leaves<MODE> (&lane, terms, item, a, two, first, left < n_run ? left : n_run, self);
}

static __device__ int64_t
patch_row (const ArmillaPairShape *shape, const ArmillaPairInput *in, int side, int64_t node)
{
  return 1 + node_integer (shape, in, side, ARMILLA_NODE_PATCH, node);
}

template <int MODE>
static __global__ void __launch_bounds__ (THREADS)
pair_kernel (ArmillaPairShape shape, ArmillaPairInput in, Scale scale, Word *raw, int is_shared,
             int64_t n_run)
{
  extern __shared__ Word memory[];
  const int64_t n_words = tally_words (shape.n_bins, shape.sums);
  const int64_t *item = in.items + ARMILLA_ITEM_WORDS * (int64_t) blockIdx.x;
  int64_t n_a;
  const int64_t first = node_leaves (&shape, &in, 0, item[0], &n_a);
  const int64_t n_b = node_integer (&shape, &in, 1, ARMILLA_NODE_SLOTS, item[1]) / ARMILLA_LEAF;
  const int64_t n_runs = (n_b + n_run - 1) / n_run, n_units = (n_a + 1) / 2 * n_runs;
  Tally rows, tally;
  Terms terms = { (int64_t *) memory + (is_shared ? n_words : 0) + threadIdx.x, 1,
                  MODE == TERMS ? TERM_ROWS / kept_sums (shape.sums) : 0, 0 };

  if ((int64_t) blockIdx.y * WARPS >= n_units)
    return;
  rows.n = shape.n_bins + 2;
  rows.sums = shape.sums;
  rows.n_at = 1;
  rows.at[0] = raw;
  if (shape.n_patches > 0)
    {
      const int64_t row_a = patch_row (&shape, &in, 0, item[0]);
      const int64_t row_b = patch_row (&shape, &in, 1, item[1]);

      rows.at[rows.n_at++] = raw + row_a * n_words;
      if (row_b != row_a)
        rows.at[rows.n_at++] = raw + row_b * n_words;
      else if (shape.n_within > 0)
        rows.at[rows.n_at++] = raw + (shape.n_patches + row_a) * n_words;
    }
  tally = rows;
  if (is_shared)
    {
      tally.n_at = 1;
      tally.at[0] = memory;
      for (int64_t i = threadIdx.x; i < n_words; i += THREADS)
        memory[i] = 0;
      __syncthreads ();
    }
  if (MODE == TERMS)
    for (int i = 0; i < TERM_ROWS; i++)
      terms.at[i * THREADS] = 0;
  for (int64_t unit = (int64_t) blockIdx.y * WARPS + threadIdx.x / 32; unit < n_units;
       unit += (int64_t) gridDim.y * WARPS)
    run_unit<MODE> (&shape, &in, &scale, &tally, &terms, item, first + unit / n_runs * 2,
                    first + n_a, unit % n_runs, n_run);
  flush_terms (&shape, &tally, &terms);
  if (!is_shared)
    return;
  __syncthreads ();
  for (int64_t i = threadIdx.x; i < n_words; i += THREADS)
    if (memory[i] != 0)
      for (int row = 0; row < rows.n_at; row++)
        atomicAdd (rows.at[row] + i, memory[i]);
}

/* Converts tallies (pair-cpu.h) to counts and sums of bins; one thread per bin and row. */
static __global__ void
finish_kernel (ArmillaPairShape shape, const Word *raw, int64_t *words)
{
  const int64_t n = shape.n_bins + 2, n_words = tally_words (shape.n_bins, shape.sums);
  const int64_t i = (int64_t) blockIdx.x * blockDim.x + threadIdx.x;
  const int64_t row = i / shape.n_bins, k = i % shape.n_bins;
  int n_sums = 0;

  for (int s = 0; s < ALL_SUMS; s++)
    n_sums += shape.sums >> s & 1;
  if (i < 8)
    words[i] = i < ALL_SUMS ? shape.exponents[i] : 0;
  if (row > shape.n_patches + shape.n_within)
    return;
  raw += row * n_words;
  words += 8 + row * shape.n_bins * (1 + 3 * n_sums);
  words[k] = (int64_t) (raw[TOP * n + k + 1] + raw[BELOW * n + k + 1] - raw[BELOW * n + k]);
  words += shape.n_bins;
  for (int s = 0; s < ALL_SUMS; s++)
    if (shape.sums >> s & 1)
      {
        int64_t *to = words + 3 * k, x[3];

        tally_wide (raw + tally_sum (n, shape.sums, s, BELOW, k), to);
        for (int w = 0; w < 3; w++)
          to[w] = ~to[w];
        armilla_wide_add (to, 1, 0, 0);
        tally_wide (raw + tally_sum (n, shape.sums, s, BELOW, k + 1), x);
        armilla_wide_add (to, (uint64_t) x[0], (uint64_t) x[1], (uint64_t) x[2]);
        tally_wide (raw + tally_sum (n, shape.sums, s, TOP, k + 1), x);
        armilla_wide_add (to, (uint64_t) x[0], (uint64_t) x[1], (uint64_t) x[2]);
        words += 3 * shape.n_bins;
      }
}

/* Adds counts and sums of all items to rows of zeros. */
template <int MODE>
static cudaError_t
launch (const ArmillaPairShape *shape, const ArmillaPairInput *input, Scale scale, Word *raw,
        cudaStream_t stream)
{
  const int64_t n_words = tally_words (shape->n_bins, shape->sums);
  const int is_shared = n_words <= MAX_SHARED;
  const size_t n_bytes = sizeof (Word) * (size_t) ((is_shared ? n_words : 0)
                                                   + (MODE == TERMS ? TERM_ROWS * THREADS : 0));
  const double run = shape->pairs / (2.0 * ARMILLA_LEAF * ARMILLA_LEAF * UNITS);
  const int64_t n_run = run < MIN_RUN ? MIN_RUN : run > MAX_RUN ? MAX_RUN : (int64_t) run;
  const int64_t split = BLOCKS / shape->n_items;
  const dim3 grid ((unsigned) shape->n_items,
                   (unsigned) (split < MIN_SPLIT ? MIN_SPLIT
                               : split > MAX_SPLIT ? MAX_SPLIT
                                                    : split));
  const cudaError_t code = cudaFuncSetAttribute (
    pair_kernel<MODE>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int) n_bytes);

  if (code != cudaSuccess)
    return code;
  pair_kernel<MODE><<<grid, THREADS, n_bytes, stream>>> (*shape, *input, scale, raw, is_shared,
                                                         n_run);
  return cudaGetLastError ();
}

/* Returns the number of words of scratch space that armilla_pair_histogram_launch () needs. */
int64_t
armilla_pair_histogram_device_scratch (const ArmillaPairShape *shape)
{
  return (1 + shape->n_patches + shape->n_within) * tally_words (shape->n_bins, shape->sums);
}

int
armilla_pair_histogram_launch (const ArmillaPairShape *shape, const ArmillaPairInput *input,
                               int64_t *words, int64_t *scratch, cudaStream_t stream)
{
  const int64_t n_threads = (1 + shape->n_patches + shape->n_within) * shape->n_bins;
  cudaError_t code;
  Scale scale;

  for (int s = 0; s < ALL_SUMS; s++)
    scale.of[s] = ldexp (1, (int) -shape->exponents[s]);
  code = cudaMemsetAsync (
    scratch, 0, sizeof (Word) * (size_t) armilla_pair_histogram_device_scratch (shape), stream);
  if (code == cudaSuccess && shape->n_items > 0)
    code = shape->sums & PER_PAIR ? launch<TERMS> (shape, input, scale, (Word *) scratch, stream)
           : shape->sums != 0     ? launch<WEIGHTS> (shape, input, scale, (Word *) scratch, stream)
                                  : launch<COUNTS> (shape, input, scale, (Word *) scratch, stream);
  if (code != cudaSuccess)
    return code;
  finish_kernel<<<(unsigned) ((n_threads + THREADS + 7) / THREADS), THREADS, 0, stream>>> (
    *shape, (const Word *) scratch, words);
  return cudaGetLastError ();
}

static __global__ void
merge_kernel (int64_t n_rows, int64_t n_entries, int64_t n_sums, int first, const int64_t *part,
              int64_t *sum)
{
  const int64_t i = (int64_t) blockIdx.x * blockDim.x + threadIdx.x;
  const int64_t n_threads = n_entries * (1 + n_sums), row = i / n_threads, rest = i % n_threads;
  int64_t at = 8 + row * n_entries * (1 + 3 * n_sums);

  if (first && i < 8)
    sum[i] = part[i];
  if (row >= n_rows)
    return;
  if (rest < n_entries)
    {
      at += rest;
      sum[at] = first ? part[at] : sum[at] + part[at];
      return;
    }
  at += n_entries + 3 * (rest - n_entries);
  if (first)
    for (int w = 0; w < 3; w++)
      sum[at + w] = part[at + w];
  else
    armilla_wide_add (sum + at, (uint64_t) part[at], (uint64_t) part[at + 1],
                      (uint64_t) part[at + 2]);
}

int
armilla_histogram_merge_launch (int64_t n_rows, int64_t n_entries, int64_t n_sums, int first,
                                const int64_t *part, int64_t *sum, cudaStream_t stream)
{
  const int64_t n_threads = n_rows * n_entries * (1 + n_sums) + 8;

  merge_kernel<<<(unsigned) ((n_threads + THREADS - 1) / THREADS), THREADS, 0, stream>>> (
    n_rows, n_entries, n_sums, first, part, sum);
  return cudaGetLastError ();
}
