/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files that build cells share. */
#pragma once

#include <stddef.h>

#include "codelets/common/isa.h"
#include "codelets/correlation/cells.h"

/* Bits of a coordinate on a face of the cube; 3 more say which face. */
#define ARMILLA_FACE_BITS 28
#define ARMILLA_KEY_BITS (3 + 2 * ARMILLA_FACE_BITS)
/* For most objects half of them do: what is the same for many objects of a bucket is found out
 * there to the last bit. */
#define ARMILLA_SHORT_KEY_BITS 32

/* An object on its way into order: @word has the first bits of its place on the curve in the high
 * half, its number in the low one. */
typedef struct {
  double x, y, z;
  uint64_t word;
} ArmillaRecord;

/* Words of a bucket that are being sorted; each thread has some, that grow. */
typedef struct {
  uint64_t *words;
  int64_t size;
} ArmillaBucketRoom;

#define ARMILLA_CELLS_MAX_THREADS 64

/**
 * ArmillaCellsWork:
 * @user: for all functions
 * @n: how often @body runs, below 2^31 less the threads
 * @body: called with 0, 1, ..., @n - 1, in any order, and the number of the thread
 * @between: (nullable): called once, when all are done
 * @n_then: likewise for @then
 * @then: called after that
 *
 * What threads do together.
 */
typedef struct {
  void *user;
  int64_t n;
  void (*body) (void *user, int thread, int64_t i);
  void (*between) (void *user);
  int64_t n_then;
  void (*then) (void *user, int thread, int64_t i);
} ArmillaCellsWork;

void armilla_cells_parallel (int n_threads, const ArmillaCellsWork *work);

/* What is compiled for each instruction set; the results are the same. */
typedef struct {
  /* The first ARMILLA_SHORT_KEY_BITS of the places of unit vectors on the curve. */
  void (*keys) (const double *x, const double *y, const double *z, int64_t n, uint32_t *keys);
  /* Balls around the objects of leaves that are neighbours. */
  void (*balls) (const ArmillaCells *cells, int64_t leaf, int64_t n);
} ArmillaCellsKernels;

extern const ArmillaCellsKernels ARMILLA_EACH_ISA (armilla_cells_kernels);

/* The place of a point along a curve that fills the sphere, ARMILLA_KEY_BITS: neighbours on it are
 * near. */
uint64_t armilla_cells_key (double x, double y, double z);

/* Runs of the curve with about equal numbers of objects. */
typedef struct {
  int bits;        /* which square: the first bits of a key, behind the number of the patch */
  /* of each square: the buckets that its least and its greatest key are in */
  struct { uint32_t low, high; } *range;
  /* number of buckets; they are in the order of the patches, then of the curve */
  int64_t n_buckets;
  uint64_t *first; /* [n_buckets + 1]: the least key of each, behind the number of the patch */
} ArmillaSquares;

/* NULL: no memory. */
ArmillaSquares *armilla_squares_new (const ArmillaCellsInput *input);
void armilla_squares_free (ArmillaSquares *squares);

/* The bucket of an object. */
static inline uint32_t
armilla_squares_bucket (const ArmillaSquares *squares, uint32_t patch, uint32_t key)
{
  const uint32_t square
    = patch << squares->bits | key >> (ARMILLA_SHORT_KEY_BITS - squares->bits);
  const uint64_t place = (uint64_t) patch << ARMILLA_SHORT_KEY_BITS | key;
  uint32_t low = squares->range[square].low, high = squares->range[square].high;

  /* Most squares are in one bucket. */
  while (low < high)
    {
      const uint32_t middle = (low + high + 1) / 2;

      if (squares->first[middle] <= place)
        low = middle;
      else
        high = middle - 1;
    }
  return low;
}

/**
 * ArmillaOrder:
 * @input: the objects
 * @squares: says which bucket an object is in
 * @n_blocks: number of blocks: runs of the catalogue, each of which is sorted by itself
 * @block: objects of a block, except for the last ones
 * @runs: (array): [n_blocks][n_buckets + 1]: where the objects of a block and a bucket begin
 * @start: (array): [n_buckets + 1]: objects before each bucket
 * @records: (array): of all objects, block by block, then bucket by bucket
 * @rooms: of each thread: the records of a block, then their keys and buckets
 */
typedef struct {
  const ArmillaCellsInput *input;
  ArmillaSquares *squares;
  int64_t n_blocks, block;
  uint32_t *runs, *start;
  ArmillaRecord *records;
  char *rooms;
} ArmillaOrder;

/* Room to put objects into buckets. NULL: no memory. */
ArmillaOrder *armilla_order_new (const ArmillaCellsInput *input, int n_threads);
void armilla_order_free (ArmillaOrder *order);
/* First this, for each block, then this, once. */
void armilla_order_block (const ArmillaOrder *order, int thread, int64_t block);
void armilla_order_start (const ArmillaOrder *order);
/* Puts the objects of a bucket into order, as far as leaves need it: the low halves of words are
 * the numbers of their records. NULL: no memory. */
const uint64_t *armilla_order_bucket (const ArmillaOrder *order, int64_t bucket, int64_t place,
                                      ArmillaBucketRoom *room);

typedef struct ArmillaCellsPlan {
  const ArmillaCellsInput *input; /* the objects */
  int64_t n_patches;              /* number of patches, 1 without */
  int64_t *first;                 /* [n_patches + 1]: objects before each patch */
  int n_levels; /* levels of nodes, up to the first where no patch has more than one */
  int64_t *first_node;            /* [n_levels][n_patches]: the first node of a level and a patch */
} ArmillaCellsPlan;

/* Objects of a whole node of a level: two to this power. */
static inline int
armilla_level_bits (int level)
{
  return 4 + 3 * level;
}
_Static_assert (ARMILLA_LEAF == 1 << 4 && ARMILLA_CHILDREN == 1 << 3, "see above");

/* Nodes of a level; each patch that has objects has at least one. */
static inline int64_t
armilla_level_count (const ArmillaCellsPlan *plan, int64_t patch, int level)
{
  const int bits = armilla_level_bits (level);

  return (plan->first[patch + 1] - plan->first[patch] + ((int64_t) 1 << bits) - 1) >> bits;
}

/* Of nodes whose slots, or whose children, are complete. Leaves have their balls from kernels. */
void armilla_cells_node_ball (const ArmillaCells *cells, int64_t node);
void armilla_cells_node_sums (const ArmillaCells *cells, int64_t node);
void armilla_cells_leaf_sums (const ArmillaCells *cells, int64_t leaf, int64_t count);

/* Memory of the size of a catalogue. */
void *armilla_cells_allocate (const ArmillaCellsInput *input, int64_t size);
void armilla_cells_release (const ArmillaCellsInput *input, void *at, int64_t size);

/* What radii are made larger by: more than rounding can do. */
#define ARMILLA_RADIUS_SLACK 1e-15
#define ARMILLA_RADIUS_FACTOR (1 + 1e-14)

static inline double *
armilla_node_row (const ArmillaCells *cells, int row)
{
  return cells->nodes + row * cells->node_stride;
}

static inline int64_t *
armilla_node_integers (const ArmillaCells *cells, int row)
{
  return (int64_t *) (void *) armilla_node_row (cells, row);
}

static inline double *
armilla_point_row (const ArmillaCells *cells, int row)
{
  return cells->points + row * cells->n_slots;
}
