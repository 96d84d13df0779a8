/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files that build cells share. */
#pragma once

#include "codelets/cells.h"

/* Bits of a coordinate on a face of the cube; 3 more say which face. For most objects half of them
 * do: who shares all those with a thousand others is found out later. */
#define ARMILLA_FACE_BITS 28
#define ARMILLA_KEY_BITS (3 + 2 * ARMILLA_FACE_BITS)
#define ARMILLA_SHORT_KEY_BITS 32

/* An object on its way into order: what comes next of its place on the curve, its number. */
typedef struct {
  double x, y, z;
  uint32_t rest, object;
} ArmillaRecord;

/**
 * ArmillaOrder:
 * @input: the objects
 * @records: (array): of all objects, bucket by bucket; buckets are in the order of the patches,
 *   then of the curve
 * @n_buckets: number of buckets
 * @start: (array): [n_buckets + 1]: where each begins
 * @bits: (array): [n_buckets]: how many bits of their places the objects of each share
 */
typedef struct {
  const ArmillaCellsInput *input;
  ArmillaRecord *records;
  int64_t n_buckets;
  uint32_t *start;
  uint8_t *bits;
} ArmillaOrder;

/* Objects of buckets up to this are put into order without being moved. */
#define ARMILLA_BUCKET_MOST 1024

/* Runs body (user, i) for i = 0..n-1 on @n_threads threads. */
typedef void (*ArmillaCellsBody) (void *user, int64_t i);
void armilla_cells_parallel (int n_threads, int64_t n, ArmillaCellsBody body, void *user);

/* The place of a point along a curve that fills the sphere: neighbours on it are near. */
void armilla_cells_curve (void);
uint64_t armilla_cells_key (double x, double y, double z);
void armilla_cells_keys (const double *x, const double *y, const double *z, int64_t n,
                         uint32_t *keys);

/* Objects in buckets. NULL: no memory. */
ArmillaOrder *armilla_order_new (const ArmillaCellsInput *input, int n_threads);
void armilla_order_free (ArmillaOrder *order);
/* The first bucket that begins at or behind an object. */
int64_t armilla_order_bucket_from (const ArmillaOrder *order, int64_t object);
/* Puts the objects of a bucket into order, as far as leaves need it: which are the low halves of
 * words, or, of more than ARMILLA_BUCKET_MOST, the records themselves are moved. */
void armilla_order_bucket (const ArmillaOrder *order, int64_t bucket, int64_t place,
                           uint64_t words[ARMILLA_BUCKET_MOST]);

/* Closing nodes: their balls and sums. */
void armilla_cells_close_leaf (const ArmillaCells *cells, int64_t leaf, int64_t count);
void armilla_cells_close_node (const ArmillaCells *cells, int64_t node);

/* Memory of the size of a catalogue. */
void *armilla_cells_allocate (const ArmillaCellsInput *input, int64_t size);
void armilla_cells_release (const ArmillaCellsInput *input, void *at, int64_t size);

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
