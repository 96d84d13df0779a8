/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the compressed matrix of one order lies in memory and in a table file: words of 8 bytes,
 * little-endian, integers and doubles.
 *
 *   header | scale [n_columns] | cosine [n_rows] | stages | nodes | data
 *
 * The matrix P[pair][k] = P_lm (x_pair), l = m + 2 k, is a product of stages. A stage turns the
 * vector of the one before into one of its own width; its nodes work on disjoint outputs.
 * Node: with u = its n_in inputs in the order of its permutation,
 *
 *   out = u[0 .. rank) + T u[rank .. n_in)     (interpolative decomposition)
 *   out = T u                                  (last stage: rank rows of the matrix)
 *
 * T lies column by column, rank numbers each, rounded to as few bytes as its node can do with: in
 * two planes, the high parts of all numbers (int32, or int16 where that will do) and the low ones
 * (uint16, uint8 or none),
 *
 *   T = step (2^b high + low),   b: bits of the low part
 *
 * or as doubles. Some words follow the last node, for kernels that read whole vectors. Outputs of a
 * node begin at multiples of 8; the words between them are unused. */
#pragma once

#include <stdint.h>

#define ARMILLA_BUTTERFLY_HEADER 16 /* words */
#define ARMILLA_BUTTERFLY_PAD 8     /* outputs of a node begin at multiples of this */

/* Words of the header. */
typedef enum {
  ARMILLA_BUTTERFLY_MAGIC,
  ARMILLA_BUTTERFLY_LMAX,
  ARMILLA_BUTTERFLY_M,
  ARMILLA_BUTTERFLY_COLUMNS,   /* steps k of the recurrence */
  ARMILLA_BUTTERFLY_PAIRS,     /* of the grid */
  ARMILLA_BUTTERFLY_FIRST,     /* pairs before it are left out: their rows vanish */
  ARMILLA_BUTTERFLY_ROWS,      /* pairs from the first on */
  ARMILLA_BUTTERFLY_STAGES,
  ARMILLA_BUTTERFLY_NODES,
  ARMILLA_BUTTERFLY_WORDS,     /* in all */
  ARMILLA_BUTTERFLY_WIDTH,     /* the most numbers between two stages */
  ARMILLA_BUTTERFLY_ELEMENTS   /* of all T: multiplications for one vector */
} ArmillaButterflyWord;

#define ARMILLA_BUTTERFLY_MAGIC_WORD INT64_C (0x32796c6672657474) /* "tterfly2" */

/* @first_node, @n_nodes: the stage's nodes; @width: of its output; @halves: whether two nodes read
 * each input (even ones before odd ones when transposed) */
typedef struct {
  int64_t first_node, n_nodes, width, halves;
} ArmillaButterflyStage;

/* Node of a stage.
 * @in: where its inputs begin; @out: where its outputs begin
 * @order: where its permutation begins, int32, counted from @in; @matrix: where T begins (words
 *   from the beginning)
 * @dense: whether there is no identity
 * @half: which of the two nodes that read an input
 * @bytes: of a number of T: 2 to 6, or 8
 * @step: of the numbers of T */
typedef struct {
  int64_t in, n_in, out, rank, order, matrix;
  int16_t dense, half;
  int32_t bytes;
  double step;
} ArmillaButterflyNode;

/* Where everything of a compressed order is. */
typedef struct {
  const int64_t *head;
  const double *scale, *cosine;
  const ArmillaButterflyStage *stage;
  const ArmillaButterflyNode *node;
  const double *words; /* the same as head */
} ArmillaButterfly;

static inline int64_t
armilla_butterfly_pad (int64_t n)
{
  return (n + ARMILLA_BUTTERFLY_PAD - 1) / ARMILLA_BUTTERFLY_PAD * ARMILLA_BUTTERFLY_PAD;
}

/* Columns of T. */
static inline int64_t
armilla_butterfly_terms (const ArmillaButterflyNode *node)
{
  return node->dense ? node->n_in : node->n_in - node->rank;
}

/* Bytes of the high part of a number of so many bytes; the others are the low part's. */
static inline int32_t
armilla_butterfly_high_bytes (int32_t bytes)
{
  return bytes == 8 ? 8 : bytes < 4 ? 2 : 4;
}

/* Words of a plane, or of a permutation. */
static inline int64_t
armilla_butterfly_plane (int64_t count, int32_t bytes)
{
  return (count * bytes + 7) / 8;
}

/* Words of T. */
static inline int64_t
armilla_butterfly_matrix_words (int64_t count, int32_t bytes)
{
  const int32_t high = armilla_butterfly_high_bytes (bytes);

  return armilla_butterfly_plane (count, high) + armilla_butterfly_plane (count, bytes - high);
}

/* Words before the permutations and matrices. */
static inline int64_t
armilla_butterfly_data_begin (int64_t n_columns, int64_t n_rows, int64_t n_stages, int64_t n_nodes)
{
  return ARMILLA_BUTTERFLY_HEADER + n_columns + n_rows + 4 * n_stages + 8 * n_nodes;
}

static inline ArmillaButterfly
armilla_butterfly_open (const double *words)
{
  ArmillaButterfly b;

  b.head = (const int64_t *) words;
  b.words = words;
  b.scale = words + ARMILLA_BUTTERFLY_HEADER;
  b.cosine = b.scale + b.head[ARMILLA_BUTTERFLY_COLUMNS];
  b.stage = (const ArmillaButterflyStage *) (b.cosine + b.head[ARMILLA_BUTTERFLY_ROWS]);
  b.node = (const ArmillaButterflyNode *) (b.stage + b.head[ARMILLA_BUTTERFLY_STAGES]);
  return b;
}
