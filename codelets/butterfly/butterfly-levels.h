/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compression of the matrix of an order, level by level (Carlson and Sundar 2018, algorithm 1). On
 * a piece of the rows, the columns of a chunk are linear combinations of some of these columns,
 * which are kept. At the next level the kept columns of two chunks are joined, and the pieces are
 * halved, and so on, until the table would grow: then the kept columns of each piece are stored as
 * they are. */
#pragma once

#include <float.h>
#include <math.h>

#include "codelets/butterfly/butterfly-pack.h"
#include "codelets/butterfly/butterfly.h"

#define ARMILLA_BUTTERFLY_MAX_LEVELS 16
/* pieces with fewer rows are not divided further */
#define ARMILLA_BUTTERFLY_MIN_ROWS 16
/* Coefficients of the odd part are sums of a_lm and grow with the square root of their number: with
 * more columns than this, the matrix must be more accurate than the tolerance. */
#define ARMILLA_BUTTERFLY_MANY_COLUMNS 512.0
/* Squared error that rounding T may add, relative to that of omitting columns. */
#define ARMILLA_BUTTERFLY_ROUNDING 0.25

/* A level of n_pieces n_chunks nodes, [piece][chunk]. @data_end, @elements_end: words and
 * multiplications of this and all earlier levels */
typedef struct {
  int64_t n_pieces, n_chunks;
  int64_t first_node, width;
  int64_t data_end, elements_end;
} ArmillaButterflyLevel;

/* Sizes of nodes: words, columns that are kept, outputs, multiplications, and elements of the kept
 * columns on the rows of the nodes. */
typedef struct {
  int64_t data, kept, width, elements, rest;
} ArmillaButterflySums;

/* State of a compression. @density: permitted squared error per element; @n_placed: levels whose
 * nodes have positions;
 * @n_levels: number of levels of the smallest table, with @smallest multiplications;
 * @done: whether there is no further level; @kept, @offset: [node output]: column of the matrix,
 * and its position between the stages; @kept_at: [node]: position of its first output */
typedef struct {
  ArmillaButterflyShape shape;
  int64_t n_columns, ld;
  int64_t first, n_rows;
  double density;
  int64_t n_nodes, max_nodes, max_data, max_kept, smallest;
  int32_t n_placed, n_levels, done;
  ArmillaButterflySums sums;
  ArmillaButterflyLevel level[ARMILLA_BUTTERFLY_MAX_LEVELS], last;
  double *matrix, *table, *row_squares, *data;
  int32_t *kept, *offset;
  int64_t *kept_at;
  ArmillaButterflyNode *node;
} ArmillaButterflyWork;

/* Inputs of a node: their number @n, position @in in the vector of the previous stage, and the
 * index @first of the first one among all kept columns or, on level 0, among the columns of the
 * matrix. */
typedef struct {
  int64_t n, in, first;
} ArmillaButterflyInputs;

int64_t armilla_butterfly_work_size (const ArmillaButterflyShape *shape);
void armilla_butterfly_work_init (ArmillaButterflyWork *work, const ArmillaButterflyShape *shape,
                                  double **scratch);
int64_t armilla_butterfly_max_begin (const ArmillaButterflyShape *shape);

static inline int64_t
armilla_butterfly_piece_begin (const ArmillaButterflyWork *w, int64_t piece, int64_t n_pieces)
{
  const int64_t begin = piece * w->n_rows / n_pieces;

  return piece == n_pieces ? w->n_rows : begin / ARMILLA_BUTTERFLY_PAD * ARMILLA_BUTTERFLY_PAD;
}

static inline int64_t
armilla_butterfly_piece_rows (const ArmillaButterflyWork *w, int64_t piece, int64_t n_pieces)
{
  return armilla_butterfly_piece_begin (w, piece + 1, n_pieces)
         - armilla_butterfly_piece_begin (w, piece, n_pieces);
}

/* Returns the address in a column of the matrix of row @row, counted from the first row that is not
 * dropped. */
static inline const double *
armilla_butterfly_column (const ArmillaButterflyWork *w, int64_t column, int64_t row)
{
  return w->matrix + column * w->ld + w->first + row;
}

/* Drops rows towards the pole whose contribution to the matrix is below the tolerance. */
static inline void
armilla_butterfly_drop_rows (ArmillaButterflyWork *w)
{
  const double n_columns = (double) w->n_columns, many = ARMILLA_BUTTERFLY_MANY_COLUMNS;
  const double tolerance = w->shape.tolerance;
  double total = 0, sum = 0;

  for (int64_t i = 0; i < w->shape.n_pairs; i++)
    total += w->row_squares[i];
  w->density = tolerance * tolerance * total / ((double) w->shape.n_pairs * n_columns);
  if (n_columns > many)
    w->density *= many / n_columns;
  for (w->first = 0; w->first < w->shape.n_pairs; w->first++)
    {
      sum += w->row_squares[w->first];
      if (sum > 0.01 * w->density * n_columns * (double) (w->first + 1))
        break;
    }
  w->n_rows = w->shape.n_pairs - w->first;
  w->smallest = w->n_rows * w->n_columns;
}

/* Prepares a level. Returns FALSE if another level cannot reduce the size or does not fit. */
static inline int
armilla_butterfly_level_begin (ArmillaButterflyWork *w, int s)
{
  const ArmillaButterflyLevel *before = &w->level[s > 0 ? s - 1 : 0];
  int64_t n_pieces, n_chunks;

  if (s == ARMILLA_BUTTERFLY_MAX_LEVELS || (s > 0 && before->n_chunks == 1))
    return 0;
  n_pieces = s == 0 ? w->shape.pieces : 2 * before->n_pieces;
  n_chunks = s == 0 ? (w->n_columns + w->shape.chunk - 1) / w->shape.chunk
                    : (before->n_chunks + 1) / 2;
  if (w->n_rows / n_pieces < ARMILLA_BUTTERFLY_MIN_ROWS
      || w->n_nodes + n_pieces * (n_chunks + 2) > w->max_nodes)
    return 0;
  w->level[s].n_pieces = n_pieces;
  w->level[s].n_chunks = n_chunks;
  w->level[s].first_node = w->n_nodes;
  w->sums.width = w->sums.rest = 0;
  return 1;
}

static inline ArmillaButterflyInputs
armilla_butterfly_inputs (const ArmillaButterflyWork *w, int s, int64_t piece, int64_t chunk)
{
  ArmillaButterflyInputs x;

  if (s == 0)
    {
      x.in = x.first = chunk * w->shape.chunk;
      x.n = w->n_columns - x.first < w->shape.chunk ? w->n_columns - x.first : w->shape.chunk;
      return x;
    }
  const ArmillaButterflyLevel *before = &w->level[s - 1];
  const int64_t left = before->first_node + piece / 2 * before->n_chunks + 2 * chunk;

  x.in = w->node[left].out;
  x.first = w->kept_at[left];
  x.n = w->node[left].rank;
  if (2 * chunk + 1 < before->n_chunks)
    x.n += w->node[left + 1].rank;
  return x;
}

/* Returns the index of the matrix column that is input @j of a node. @s: level of the node, from
 * 0 */
static inline int64_t
armilla_butterfly_input_column (const ArmillaButterflyWork *w, int s, ArmillaButterflyInputs x,
                                int64_t j)
{
  return s == 0 ? x.first + j : w->kept[x.first + j];
}

static inline int64_t
armilla_butterfly_input_offset (const ArmillaButterflyWork *w, int s, ArmillaButterflyInputs x,
                                int64_t j)
{
  return s == 0 ? j : w->offset[x.first + j] - x.in;
}

/* Returns the permitted sum of squared errors of a node's columns. */
static inline double
armilla_butterfly_limit (const ArmillaButterflyWork *w, int64_t n_rows, int64_t n)
{
  return w->density * (double) (n_rows * n);
}

/* Describes a decomposed node and chooses the rounding of its T. @max_abs: maximum absolute value
 * of T; @kept: sum of squares of the kept columns, as rounding T adds an error of step^2 / 12 times
 * this sum to each of the other columns */
static inline void
armilla_butterfly_set_node (const ArmillaButterflyWork *w, int s, int64_t piece,
                            ArmillaButterflyInputs x, int64_t rank, double limit, double max_abs,
                            double kept, ArmillaButterflyNode *node)
{
  kept *= (double) (x.n - rank);
  node->in = x.in;
  node->n_in = x.n;
  node->rank = rank;
  node->dense = 0;
  node->half = (int16_t) (piece % (s == 0 ? w->shape.pieces : 2));
  armilla_butterfly_choose_bytes (node, max_abs, 12 * ARMILLA_BUTTERFLY_ROUNDING * limit
                                                   / (kept > DBL_MIN ? kept : DBL_MIN));
}

static inline ArmillaButterflySums
armilla_butterfly_node_sums (const ArmillaButterflyNode *node, int64_t n_rows)
{
  ArmillaButterflySums sums;

  sums.elements = node->rank * armilla_butterfly_terms (node);
  sums.data = (node->n_in + 1) / 2 + armilla_butterfly_matrix_words (sums.elements, node->bytes);
  sums.kept = node->dense ? 0 : node->rank;
  sums.width = armilla_butterfly_pad (node->rank);
  sums.rest = node->rank * n_rows;
  return sums;
}

static inline ArmillaButterflySums
armilla_butterfly_sums_add (ArmillaButterflySums a, ArmillaButterflySums b)
{
  a.data += b.data;
  a.kept += b.kept;
  a.width += b.width;
  a.elements += b.elements;
  a.rest += b.rest;
  return a;
}

/* Returns whether there is room for nodes of these sizes. */
static inline int
armilla_butterfly_fits (const ArmillaButterflyWork *w, ArmillaButterflySums sums)
{
  return sums.data <= w->max_data && sums.kept <= w->max_kept;
}

/* Sets the positions of a node and its parts. @before: sizes of all preceding nodes */
static inline void
armilla_butterfly_place_node (ArmillaButterflyWork *w, int64_t index, ArmillaButterflySums before)
{
  ArmillaButterflyNode *node = &w->node[index];

  if (!node->dense)
    node->out = before.width;
  node->order = before.data;
  node->matrix = before.data + (node->n_in + 1) / 2;
  w->kept_at[index] = before.kept;
}

/* Completes a level; called when all its nodes have positions. */
static inline void
armilla_butterfly_level_end (ArmillaButterflyWork *w, int s)
{
  ArmillaButterflyLevel *level = &w->level[s];
  const int64_t elements = w->sums.elements + w->sums.rest;

  w->n_nodes += level->n_pieces * level->n_chunks;
  w->n_placed = s + 1;
  level->width = w->sums.width;
  level->data_end = w->sums.data;
  level->elements_end = w->sums.elements;
  if (elements < w->smallest)
    {
      w->smallest = elements;
      w->n_levels = s + 1;
    }
  w->done = w->sums.elements > w->smallest;
}

/* Stores a node's permutation and kept columns. @pivots: numbers of its inputs, kept ones first */
static inline void
armilla_butterfly_store_order (ArmillaButterflyWork *w, int s, int64_t index,
                               ArmillaButterflyInputs x, const int32_t *pivots)
{
  const ArmillaButterflyNode *node = &w->node[index];
  int32_t *order = (int32_t *) (w->data + node->order);

  if (x.n % 2 != 0)
    order[x.n] = 0;
  for (int64_t j = 0; j < x.n; j++)
    {
      order[j] = (int32_t) armilla_butterfly_input_offset (w, s, x, pivots[j]);
      if (j < node->rank)
        {
          w->kept[w->kept_at[index] + j]
            = (int32_t) armilla_butterfly_input_column (w, s, x, pivots[j]);
          w->offset[w->kept_at[index] + j] = (int32_t) (node->out + j);
        }
    }
}

/* Prepares the last stage, whose nodes are the remaining columns on each piece of the rows. */
static inline void
armilla_butterfly_rest_begin (ArmillaButterflyWork *w)
{
  const ArmillaButterflyLevel *before = &w->level[w->n_levels > 0 ? w->n_levels - 1 : 0];
  const int none = w->n_levels == 0;

  w->n_nodes = none ? 0 : before->first_node + before->n_pieces * before->n_chunks;
  w->last.n_pieces = none ? 1 : before->n_pieces;
  w->last.n_chunks = 1;
  w->last.first_node = w->n_nodes;
  w->last.width = armilla_butterfly_pad (w->n_rows);
  w->n_nodes += w->last.n_pieces;
  w->sums.data = none ? 0 : before->data_end;
  w->sums.elements = none ? 0 : before->elements_end;
  w->sums.kept = w->sums.width = w->sums.rest = 0;
}

static inline ArmillaButterflyInputs
armilla_butterfly_rest_inputs (const ArmillaButterflyWork *w, int64_t piece)
{
  ArmillaButterflyInputs x;

  if (w->n_levels == 0)
    {
      x.in = x.first = 0;
      x.n = w->n_columns;
      return x;
    }
  const ArmillaButterflyLevel *before = &w->level[w->n_levels - 1];
  const int64_t first = before->first_node + piece * before->n_chunks;
  const int64_t end = first + before->n_chunks - 1;

  x.in = w->node[first].out;
  x.first = w->kept_at[first];
  x.n = w->kept_at[end] + w->node[end].rank - x.first;
  return x;
}

/* Describes a node of the last stage. @max_abs: maximum absolute value of its numbers */
static inline void
armilla_butterfly_set_rest (ArmillaButterflyWork *w, int64_t piece, ArmillaButterflyInputs x,
                            double max_abs)
{
  ArmillaButterflyNode *node = &w->node[w->last.first_node + piece];

  node->in = x.in;
  node->n_in = x.n;
  node->out = armilla_butterfly_piece_begin (w, piece, w->last.n_pieces);
  node->rank = armilla_butterfly_piece_rows (w, piece, w->last.n_pieces);
  node->dense = 1;
  node->half = 0;
  armilla_butterfly_choose_bytes (node, max_abs, 12 * ARMILLA_BUTTERFLY_ROUNDING * w->density);
}

static inline void
armilla_butterfly_store_rest_order (ArmillaButterflyWork *w, int64_t piece,
                                    ArmillaButterflyInputs x)
{
  int32_t *order = (int32_t *) (w->data + w->node[w->last.first_node + piece].order);

  if (x.n % 2 != 0)
    order[x.n] = 0;
  for (int64_t j = 0; j < x.n; j++)
    order[j] = (int32_t) armilla_butterfly_input_offset (w, w->n_levels, x, j);
}

static inline int64_t
armilla_butterfly_begin_of_data (const ArmillaButterflyWork *w)
{
  return armilla_butterfly_data_begin (w->n_columns, w->n_rows, w->n_levels + 1, w->n_nodes);
}

/* Writes the header. Padding follows the data, since kernels read whole vectors. */
static inline void
armilla_butterfly_write_head (const ArmillaButterflyWork *w, double *words)
{
  int64_t *head = (int64_t *) words;
  int64_t width = armilla_butterfly_pad (w->n_columns);

  for (int s = 0; s < w->n_levels; s++)
    if (w->level[s].width > width)
      width = w->level[s].width;
  for (int i = 0; i < ARMILLA_BUTTERFLY_HEADER; i++)
    head[i] = 0;
  head[ARMILLA_BUTTERFLY_MAGIC] = ARMILLA_BUTTERFLY_MAGIC_WORD;
  head[ARMILLA_BUTTERFLY_LMAX] = w->shape.lmax;
  head[ARMILLA_BUTTERFLY_M] = w->shape.m;
  head[ARMILLA_BUTTERFLY_COLUMNS] = w->n_columns;
  head[ARMILLA_BUTTERFLY_PAIRS] = w->shape.n_pairs;
  head[ARMILLA_BUTTERFLY_FIRST] = w->first;
  head[ARMILLA_BUTTERFLY_ROWS] = w->n_rows;
  head[ARMILLA_BUTTERFLY_STAGES] = w->n_levels + 1;
  head[ARMILLA_BUTTERFLY_NODES] = w->n_nodes;
  head[ARMILLA_BUTTERFLY_WORDS]
    = armilla_butterfly_begin_of_data (w) + w->sums.data + ARMILLA_BUTTERFLY_PAD;
  head[ARMILLA_BUTTERFLY_WIDTH] = width > w->last.width ? width : w->last.width;
  head[ARMILLA_BUTTERFLY_ELEMENTS] = w->sums.elements;
}

/* Writes the tables between header and data. */
static inline void
armilla_butterfly_write_tables (const ArmillaButterflyWork *w, const double *pairs, double *words)
{
  const int64_t begin = armilla_butterfly_begin_of_data (w);
  double *scale = words + ARMILLA_BUTTERFLY_HEADER, *cosine = scale + w->n_columns;
  ArmillaButterflyStage *stage = (ArmillaButterflyStage *) (cosine + w->n_rows);
  ArmillaButterflyNode *node = (ArmillaButterflyNode *) (stage + w->n_levels + 1);

  for (int64_t k = 0; k < w->n_columns; k++)
    scale[k] = 1 / sqrt (w->table[1 + k]);
  for (int64_t i = 0; i < w->n_rows; i++)
    cosine[i] = pairs[ARMILLA_PAIR_COS * w->shape.n_pairs + w->first + i];
  for (int64_t s = 0; s <= w->n_levels; s++)
    {
      const ArmillaButterflyLevel *from = s < w->n_levels ? &w->level[s] : &w->last;

      stage[s].first_node = from->first_node;
      stage[s].n_nodes = from->n_pieces * from->n_chunks;
      stage[s].width = from->width;
      stage[s].halves = s == w->n_levels ? 1 : s == 0 ? w->shape.pieces : 2;
    }
  for (int64_t i = 0; i < w->n_nodes; i++)
    {
      node[i] = w->node[i];
      node[i].order += begin;
      node[i].matrix += begin;
    }
}
