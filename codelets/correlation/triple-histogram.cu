/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A thread block processes one apex at a time: its threads search neighbours, then visit all pairs
 * of them. The bin of a side is found by bisection; counts are added in shared memory if they
 * fit. */
#include "codelets/correlation/pair-math.h"
#include "codelets/correlation/triple-histogram.h"
#include "codelets/correlation/triple-math.h"

#define THREADS 256
#define WARPS (THREADS / 32)
/* maximum number of thread blocks, several per multiprocessor; fewer if their lists of neighbours
 * are large */
#define MAX_BLOCKS 1056
#define MIN_BLOCKS 16
#define MAX_SCRATCH (1 << 25)
/* maximum entries and edges in shared memory */
#define MAX_SHARED 4000
#define MAX_EDGES 1024
/* words per neighbour: its coordinates, the bin of its side */
#define NEIGHBOUR_WORDS 4
#define DISTANCE_SLACK 1e-14
/* same as ARMILLA_HISTOGRAM_HEADER */
#define HEADER 8

typedef unsigned long long Word;

static int64_t
count_blocks (const ArmillaTripleShape *shape)
{
  const int64_t fit = MAX_SCRATCH / (NEIGHBOUR_WORDS * (shape->reach + 1));

  return fit > MAX_BLOCKS ? MAX_BLOCKS : fit < MIN_BLOCKS ? MIN_BLOCKS : fit;
}

static __device__ int64_t
node_integer (const ArmillaTripleShape *shape, const ArmillaTripleInput *in, int side, int row,
              int64_t node)
{
  return ((const int64_t *) in->nodes[side])[row * shape->strides[side] + node];
}

/* Returns whether a leaf may have objects within the edges from a point. */
static __device__ bool
is_near (const ArmillaTripleShape *shape, const ArmillaTripleInput *in, const double *point,
         int64_t leaf)
{
  const double *b = in->nodes[1] + leaf, *chord = in->edges + shape->n_bins + 2;
  const int64_t step = shape->strides[1];
  const double dx = point[0] - b[ARMILLA_NODE_X * step];
  const double dy = point[1] - b[ARMILLA_NODE_Y * step];
  const double dz = point[2] - b[ARMILLA_NODE_Z * step];
  const double reach = b[ARMILLA_NODE_RADIUS * step] + DISTANCE_SLACK;
  const double d = sqrt (ARMILLA_PAIR_S2 (dx, dy, dz));

  return d - reach < chord[shape->n_bins] && d + reach >= chord[0];
}

/* Each thread tests every THREADS-th leaf and appends neighbours to the block's list. */
static __device__ void
find_neighbours (const ArmillaTripleShape *shape, const ArmillaTripleInput *in,
                 const double *point, int64_t slot, double *list, unsigned *n)
{
  const double first = in->edges[0], last = in->edges[shape->n_bins];
  const int64_t begin = shape->within ? slot / ARMILLA_LEAF : 0;

  for (int64_t leaf = begin + threadIdx.x; leaf < shape->slots[1] / ARMILLA_LEAF; leaf += THREADS)
    {
      if (!is_near (shape, in, point, leaf))
        continue;
      for (int64_t j = leaf * ARMILLA_LEAF; j < (leaf + 1) * ARMILLA_LEAF; j++)
        {
          const double x = in->points[1][j], y = in->points[1][shape->slots[1] + j];
          const double z = in->points[1][2 * shape->slots[1] + j];
          const double dx = point[0] - x, dy = point[1] - y, dz = point[2] - z;
          const double s2 = ARMILLA_PAIR_S2 (dx, dy, dz);

          if (s2 < last && !(s2 < first) && (!shape->within || j > slot))
            {
              double *to = list + NEIGHBOUR_WORDS * (int64_t) atomicAdd (n, 1u);

              to[0] = x;
              to[1] = y;
              to[2] = z;
              to[3] = (double) (armilla_edges_below (in->edges, s2, 1, shape->n_bins) - 1);
            }
        }
    }
}

/* A warp processes one neighbour at a time, its threads those after it in the list. */
static __device__ void
join_neighbours (const ArmillaTripleShape *shape, const double *edges, const double *list,
                 int64_t n, Word *counts)
{
  const double first = edges[0], last = edges[shape->n_bins];

  for (int64_t p = threadIdx.x / 32; p < n; p += WARPS)
    {
      const double *a = list + NEIGHBOUR_WORDS * p;
      const double x = a[0], y = a[1], z = a[2];
      const int64_t k1 = (int64_t) a[3];

      for (int64_t q = p + 1 + threadIdx.x % 32; q < n; q += 32)
        {
          const double *b = list + NEIGHBOUR_WORDS * q;
          const double dx = x - b[0], dy = y - b[1], dz = z - b[2];
          const double s2 = ARMILLA_PAIR_S2 (dx, dy, dz);

          if (s2 < last && !(s2 < first))
            {
              const int64_t k3 = armilla_edges_below (edges, s2, 1, shape->n_bins) - 1;
              const int64_t entry = armilla_triple_place (shape->n_bins, shape->equal, k1,
                                                          (int64_t) b[3], k3);

              if (entry >= 0)
                atomicAdd (counts + entry, (Word) 1);
            }
        }
    }
}

static __global__ void __launch_bounds__ (THREADS)
triple_kernel (ArmillaTripleShape shape, ArmillaTripleInput in, int64_t n_entries, double *scratch,
               Word *words)
{
  extern __shared__ Word memory[];
  __shared__ double shared_edges[MAX_EDGES];
  __shared__ unsigned n;
  const bool is_shared = n_entries <= MAX_SHARED;
  const double *edges = in.edges;
  double *list = scratch + NEIGHBOUR_WORDS * (shape.reach + 1) * (int64_t) blockIdx.x;
  Word *counts = is_shared ? memory : words + HEADER;

  for (int64_t i = threadIdx.x; is_shared && i < n_entries; i += THREADS)
    memory[i] = 0;
  if (shape.n_bins < MAX_EDGES)
    {
      for (int64_t i = threadIdx.x; i <= shape.n_bins; i += THREADS)
        shared_edges[i] = in.edges[i];
      edges = shared_edges;
    }
  __syncthreads ();
  for (int64_t i = blockIdx.x; i < shape.n_leaves * ARMILLA_LEAF; i += gridDim.x)
    {
      const int64_t leaf = shape.first_leaf + i / ARMILLA_LEAF, j = i % ARMILLA_LEAF;
      const int64_t slot = leaf * ARMILLA_LEAF + j;
      double point[3];

      if (j >= node_integer (&shape, &in, 0, ARMILLA_NODE_COUNT, leaf))
        continue;
      for (int c = 0; c < 3; c++)
        point[c] = in.points[0][c * shape.slots[0] + slot];
      if (threadIdx.x == 0)
        n = 0;
      __syncthreads ();
      find_neighbours (&shape, &in, point, slot, list, &n);
      __syncthreads ();
      join_neighbours (&shape, edges, list, n, counts);
      __syncthreads ();
    }
  for (int64_t i = threadIdx.x; is_shared && i < n_entries; i += THREADS)
    if (memory[i] != 0)
      atomicAdd (words + HEADER + i, memory[i]);
}

/* Returns the number of words of scratch space that armilla_triple_histogram_launch () needs. */
int64_t
armilla_triple_histogram_device_scratch (const ArmillaTripleShape *shape)
{
  return NEIGHBOUR_WORDS * (shape->reach + 1) * count_blocks (shape);
}

int
armilla_triple_histogram_launch (const ArmillaTripleShape *shape, const ArmillaTripleInput *input,
                                 int64_t *words, double *scratch, cudaStream_t stream)
{
  const int64_t n_entries = armilla_triple_entries (shape);
  const unsigned n_blocks = (unsigned) count_blocks (shape);
  const size_t n_bytes = n_entries <= MAX_SHARED ? sizeof (Word) * (size_t) n_entries : 0;
  cudaError_t code
    = cudaMemsetAsync (words, 0, sizeof (Word) * (size_t) (HEADER + n_entries), stream);

  if (code != cudaSuccess)
    return code;
  if (shape->n_leaves > 0)
    triple_kernel<<<n_blocks, THREADS, n_bytes, stream>>> (*shape, *input, n_entries, scratch,
                                                           (Word *) words);
  return cudaGetLastError ();
}
