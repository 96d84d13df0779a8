/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layout of the compressed matrix of one order in memory and in a Legendre table file: words of 8
 * bytes, little-endian, integers and doubles.
 *
 *   header | scale [n_columns] | cosine [n_rows] | stages | nodes | data
 *
 * The matrix P[pair][k] = P_lm (x_pair), l = m + 2 k, is a product of stages. A stage maps the
 * vector of the previous stage to one of its own width; its nodes have disjoint outputs. Node: with
 * u = its n_in inputs in the order of its permutation,
 *
 *   out = u[0 .. rank) + T u[rank .. n_in)     (interpolative decomposition)
 *   out = T u                                  (last stage: rank rows of the matrix)
 *
 * T is stored by columns of rank numbers, rounded to as few bytes as its node permits: in two
 * planes, the high parts of all numbers (int32, or int16 if sufficient) and the low ones (uint16,
 * uint8 or none),
 *
 *   T = step (2^b high + low),   b: bits of the low part
 *
 * or as doubles. Padding follows the last node, since kernels read whole vectors. Outputs of a node
 * begin at multiples of 8; the words between them are unused. */
#pragma once

#include <stdint.h>

#define ARMILLA_BUTTERFLY_HEADER 16 /* words */
#define ARMILLA_BUTTERFLY_PAD 8     /* outputs of a node begin at multiples of this */

/* Indices of the words of the header. */
typedef enum {
  ARMILLA_BUTTERFLY_MAGIC,
  ARMILLA_BUTTERFLY_LMAX,
  ARMILLA_BUTTERFLY_M,
  ARMILLA_BUTTERFLY_COLUMNS,   /* number of steps k of the recurrence */
  ARMILLA_BUTTERFLY_PAIRS,     /* number of pairs of the grid */
  ARMILLA_BUTTERFLY_FIRST, /* first pair in the table; the rows of earlier pairs are negligible */
  ARMILLA_BUTTERFLY_ROWS,      /* number of pairs from the first on */
  ARMILLA_BUTTERFLY_STAGES,
  ARMILLA_BUTTERFLY_NODES,
  ARMILLA_BUTTERFLY_WORDS,     /* total number of words */
  ARMILLA_BUTTERFLY_WIDTH,     /* maximum number of values between two stages */
  ARMILLA_BUTTERFLY_ELEMENTS   /* multiplications per vector, over all T */
} ArmillaButterflyWord;

#define ARMILLA_BUTTERFLY_MAGIC_WORD INT64_C (0x32796c6672657474) /* "tterfly2" */

/* A stage. @first_node, @n_nodes: its nodes; @width: numbers of its output; @halves: whether two
 * nodes read each input (in the transpose, even nodes add to it before odd ones) */
typedef struct {
  int64_t first_node, n_nodes, width, halves;
} ArmillaButterflyStage;

/* Node of a stage.
 * @in: first input; @out: first output
 * @order: position of its permutation, int32 relative to @in; @matrix: position of T, in words
 *   from the beginning
 * @dense: whether the product is T u, without an identity part (last stage)
 * @half: 0 or 1 for the two nodes that read the same inputs
 * @bytes: bytes per number of T: 2 to 6, or 8
 * @step: rounding step of T */
typedef struct {
  int64_t in, n_in, out, rank, order, matrix;
  int16_t dense, half;
  int32_t bytes;
  double step;
} ArmillaButterflyNode;

/* Addresses of the parts of a compressed order. */
typedef struct {
  const int64_t *head;
  const double *scale, *cosine;
  const ArmillaButterflyStage *stage;
  const ArmillaButterflyNode *node;
  const double *words; /* same address as head */
} ArmillaButterfly;

static inline int64_t
armilla_butterfly_pad (int64_t n)
{
  return (n + ARMILLA_BUTTERFLY_PAD - 1) / ARMILLA_BUTTERFLY_PAD * ARMILLA_BUTTERFLY_PAD;
}

/* Returns the number of columns of T. */
static inline int64_t
armilla_butterfly_terms (const ArmillaButterflyNode *node)
{
  return node->dense ? node->n_in : node->n_in - node->rank;
}

/* Returns the bytes of the high part of a number that is stored in @bytes bytes; the others are its
 * low part. */
static inline int32_t
armilla_butterfly_high_bytes (int32_t bytes)
{
  return bytes == 8 ? 8 : bytes < 4 ? 2 : 4;
}

/* Returns the number of words of a plane, or of a permutation, of @count numbers of @bytes
 * bytes. */
static inline int64_t
armilla_butterfly_plane (int64_t count, int32_t bytes)
{
  return (count * bytes + 7) / 8;
}

/* Returns the number of words of T, whose @count numbers take @bytes bytes each. */
static inline int64_t
armilla_butterfly_matrix_words (int64_t count, int32_t bytes)
{
  const int32_t high = armilla_butterfly_high_bytes (bytes);

  return armilla_butterfly_plane (count, high) + armilla_butterfly_plane (count, bytes - high);
}

/* Returns the number of words before the permutations and matrices. */
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
