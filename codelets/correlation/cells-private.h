/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declarations shared by the files that build cells. */
#pragma once

#include <stddef.h>

#include "codelets/common/isa.h"
#include "codelets/correlation/cells.h"

/* bits per coordinate on a face of the cube; 3 more give the face */
#define ARMILLA_FACE_BITS 28
#define ARMILLA_KEY_BITS (3 + 2 * ARMILLA_FACE_BITS)
/* half of the bits suffice for most objects; objects of a bucket that agree in them are compared by
 * the full key */
#define ARMILLA_SHORT_KEY_BITS 32

/* An object while it is sorted: @word has the first bits of its position on the curve in the high
 * half, its number in the low half. */
typedef struct {
  double x, y, z;
  uint64_t word;
} ArmillaRecord;

/* Memory of a thread for the words of the bucket that it sorts; enlarged as needed. */
typedef struct {
  uint64_t *words;
  int64_t size;
} ArmillaBucketRoom;

#define ARMILLA_CELLS_MAX_THREADS 64

/* Work that threads share. */
typedef struct {
  void *user;                                       /* argument of all functions */
  int64_t n; /* number of calls of body, below 2^31 minus the number of threads */
  /* called with 0, 1, ..., n - 1, in any order, and the number of the thread */
  void (*body) (void *user, int thread, int64_t i);
  void (*between) (void *user); /* called once after all calls of body; may be NULL */
  int64_t n_then;                                   /* number of calls of then */
  void (*then) (void *user, int thread, int64_t i); /* called after between, with 0, 1, ..., n_then
                                                     * - 1 and the number of the thread */
} ArmillaCellsWork;

void armilla_cells_parallel (int n_threads, const ArmillaCellsWork *work);

/* Functions compiled for each instruction set; their results are identical. */
typedef struct {
  /* Computes the first ARMILLA_SHORT_KEY_BITS of the positions of unit vectors on the curve. */
  void (*keys) (const double *x, const double *y, const double *z, int64_t n, uint32_t *keys);
  /* Computes balls around the objects of adjacent leaves. */
  void (*balls) (const ArmillaCells *cells, int64_t leaf, int64_t n);
} ArmillaCellsKernels;

extern const ArmillaCellsKernels ARMILLA_EACH_ISA (armilla_cells_kernels);

/* Returns the position of a point on a space-filling curve on the sphere, ARMILLA_KEY_BITS: points
 * close on the curve are close on the sphere. */
uint64_t armilla_cells_key (double x, double y, double z);

/* Likewise for the positions of an input, on the sphere or in a cube: one full key, and the first
 * ARMILLA_SHORT_KEY_BITS of many. */
uint64_t armilla_cells_input_key (const ArmillaCellsInput *input, double x, double y, double z);
void armilla_cells_input_keys (const ArmillaCellsInput *input, const double *x, const double *y,
                               const double *z, int64_t n, uint32_t *keys);

/* Divisions of the curve: squares, equally long; buckets, with about equal numbers of objects. */
typedef struct {
  int bits;        /* bits of a square: the first bits of a key, after the number of the patch */
  /* for each square the buckets of its lowest and its highest key */
  struct { uint32_t low, high; } *range;
  /* number of buckets, sorted by patch and then along the curve */
  int64_t n_buckets;
  uint64_t *first; /* [n_buckets + 1]: lowest key of each, after the number of the patch */
} ArmillaSquares;

/* Divides the curve into squares and buckets, patch by patch; the result depends on the objects
 * only. NULL if out of memory. */
ArmillaSquares *armilla_squares_new (const ArmillaCellsInput *input);
void armilla_squares_free (ArmillaSquares *squares);

/* Returns the bucket of an object. */
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

typedef struct {
  const ArmillaCellsInput *input; /* the objects */
  ArmillaSquares *squares;        /* maps objects to buckets */
  int64_t n_blocks; /* number of blocks: runs of the catalogue that are sorted independently */
  int64_t block;                  /* objects of a block, except for the last ones */
  /* (array): [n_blocks][n_buckets + 1]: position of the first object of a block and a bucket */
  uint32_t *runs;
  uint32_t *start;                /* (array): [n_buckets + 1]: objects before each bucket */
  ArmillaRecord *records;         /* (array): records of all objects, by block, then by bucket */
  char *rooms; /* workspace of each thread: the records of a block, then their keys and buckets */
} ArmillaOrder;

/* Returns a workspace that distributes objects to buckets. NULL if out of memory. */
ArmillaOrder *armilla_order_new (const ArmillaCellsInput *input, int n_threads);
void armilla_order_free (ArmillaOrder *order);
/* Sort the objects into buckets: call the first function for each block, then the second one
 * once. */
void armilla_order_block (const ArmillaOrder *order, int thread, int64_t block);
void armilla_order_start (const ArmillaOrder *order);
/* Sorts the objects of a non-empty bucket into the order of the leaves; @place is the index of its
 * first object within the patch. Returns words, valid until @room is used again, whose low halves
 * number the records in that order; NULL if out of memory. */
const uint64_t *armilla_order_bucket (const ArmillaOrder *order, int64_t bucket, int64_t place,
                                      ArmillaBucketRoom *room);

typedef struct ArmillaCellsPlan {
  const ArmillaCellsInput *input; /* the objects */
  int64_t n_patches;              /* number of patches, 1 without */
  int64_t *first;                 /* [n_patches + 1]: number of objects before each patch */
  int n_levels; /* number of levels of nodes, up to the first on which each patch has at most one */
  int64_t *first_node;            /* [n_levels][n_patches]: the first node of a level and a patch */
} ArmillaCellsPlan;

/* Returns the base-2 logarithm of the number of objects of a full node of a level. */
static inline int
armilla_level_bits (int level)
{
  return 4 + 3 * level;
}
_Static_assert (ARMILLA_LEAF == 1 << 4 && ARMILLA_CHILDREN == 1 << 3, "see above");

/* Returns the number of nodes of a level; each patch with objects has at least one. */
static inline int64_t
armilla_level_count (const ArmillaCellsPlan *plan, int64_t patch, int level)
{
  const int bits = armilla_level_bits (level);

  return (plan->first[patch + 1] - plan->first[patch] + ((int64_t) 1 << bits) - 1) >> bits;
}

/* Computes the balls of nodes whose slots or children are complete. The kernels compute those of
 * leaves. */
void armilla_cells_node_ball (const ArmillaCells *cells, int64_t node);
void armilla_cells_node_sums (const ArmillaCells *cells, int64_t node);
void armilla_cells_leaf_sums (const ArmillaCells *cells, int64_t leaf, int64_t count);

/* Allocates an array as large as a catalogue column. */
void *armilla_cells_allocate (const ArmillaCellsInput *input, int64_t size);
void armilla_cells_release (const ArmillaCellsInput *input, void *at, int64_t size);

/* rounding errors of distances on the unit sphere, and in units of the coordinates in space, are
 * below these */
#define ARMILLA_RADIUS_SLACK 1e-15
#define ARMILLA_SPACE_SLACK 1e-14
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
