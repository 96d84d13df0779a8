/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Level by level: the columns of a chunk are, on a piece of the rows, combinations of some of them
 * (interpolative decomposition by pivoted QR). Those that remain of two chunks are joined, the
 * pieces are halved, and so on (Carlson and Sundar 2018, algorithm 1). It ends where the table is
 * smallest: what remains of the columns is then stored for each piece as it is. */
#include "codelets/butterfly-cpu.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "codelets/delta-math.h"

#define MOST_STAGES 16
/* A piece with fewer rows is not worth cutting. */
#define LEAST_ROWS 16
/* Coefficients of the odd part are sums of a_lm and grow with the square root of their number: with
 * more columns than this, the matrix must be closer than the tolerance. */
#define MANY_COLUMNS 512.0
/* Squares of the errors that rounding T may add to those of leaving columns out. */
#define ROUNDING 0.25

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

/* A stage while the matrix is compressed: nodes [piece][chunk]. */
typedef struct {
  int64_t n_pieces, n_chunks;
  int64_t first_node;
  int64_t width;    /* of its output */
  int64_t data_end; /* words of data when it was done */
} Stage;

typedef struct {
  const ArmillaButterflyShape *shape;
  const ArmillaButterflyKernels *kernels;
  int64_t n_columns, ld;
  int64_t first, n_rows;
  double density;       /* square of the error of an element that may be left */
  double *matrix, *block, *r, *norms, *table;
  double **column;
  int32_t *order;
  int32_t *kept, *offset; /* [node output]: column of the matrix; where it is between the stages */
  ArmillaButterflyNode *node;
  int64_t n_nodes, n_kept;
  int64_t *kept_at;     /* [node]: first of its outputs in kept */
  double *data;
  int64_t n_data, most_data, elements;
  Stage stage[MOST_STAGES];
} Work;

static int64_t
piece_begin (const Work *w, int64_t piece, int64_t n_pieces)
{
  const int64_t begin = piece * w->n_rows / n_pieces;

  return piece == n_pieces ? w->n_rows : begin / ARMILLA_BUTTERFLY_PAD * ARMILLA_BUTTERFLY_PAD;
}

/* How many numbers of any kind the decomposition of one order may need. */
static int64_t
most_outputs (const ArmillaButterflyShape *shape)
{
  return 4 * MAX (armilla_delta_steps (shape->lmax, shape->m), shape->n_pairs) + 1024;
}

static int64_t
most_nodes (const ArmillaButterflyShape *shape)
{
  return most_outputs (shape) / 4;
}

static int64_t
most_block (const ArmillaButterflyShape *shape)
{
  const int64_t k = armilla_delta_steps (shape->lmax, shape->m);

  return (armilla_butterfly_pad (shape->n_pairs) + 64) * (MIN (k, shape->chunk) + 16) + 16 * k;
}

/**
 * armilla_butterfly_most_words:
 * @shape: the order
 *
 * Returns: doubles that armilla_butterfly_compress_cpu() may write
 */
int64_t
armilla_butterfly_most_words (const ArmillaButterflyShape *shape)
{
  const int64_t k = armilla_delta_steps (shape->lmax, shape->m);

  return armilla_butterfly_data_begin (k, shape->n_pairs, MOST_STAGES + 1, most_nodes (shape))
         + armilla_butterfly_pad (shape->n_pairs) * k + MOST_STAGES * most_outputs (shape)
         + ARMILLA_BUTTERFLY_PAD * (most_nodes (shape) + 2);
}

/**
 * armilla_butterfly_compress_scratch:
 * @shape: the order
 *
 * Returns: doubles of scratch space that armilla_butterfly_compress_cpu() needs
 */
int64_t
armilla_butterfly_compress_scratch (const ArmillaButterflyShape *shape)
{
  const int64_t k = armilla_delta_steps (shape->lmax, shape->m);

  return armilla_butterfly_pad (shape->n_pairs) * k + 2 * most_block (shape)
         + MOST_STAGES * most_outputs (shape) + 7 * k + 9 * most_nodes (shape) + 64;
}

static double *
take (double **scratch, int64_t n)
{
  double *p = *scratch;

  *scratch += n;
  return p;
}

static void
work_begin (Work *w, const ArmillaButterflyShape *shape, double *words, double *scratch)
{
  const int64_t k = armilla_delta_steps (shape->lmax, shape->m);
  const int64_t nodes = most_nodes (shape), outputs = MOST_STAGES * most_outputs (shape);

  memset (w, 0, sizeof *w);
  w->shape = shape;
  w->kernels = armilla_butterfly_kernels (shape->isa);
  w->n_columns = k;
  w->ld = armilla_butterfly_pad (shape->n_pairs);
  w->matrix = take (&scratch, w->ld * k);
  w->block = take (&scratch, most_block (shape));
  w->r = take (&scratch, most_block (shape));
  w->norms = take (&scratch, k);
  w->table = take (&scratch, 3 * k + 1);
  w->column = (double **) take (&scratch, k);
  w->order = (int32_t *) take (&scratch, k);
  w->kept = (int32_t *) take (&scratch, outputs / 2);
  w->offset = (int32_t *) take (&scratch, outputs / 2);
  w->node = (ArmillaButterflyNode *) take (&scratch, 8 * nodes);
  w->kept_at = (int64_t *) take (&scratch, nodes);
  /* The header and tables are as long as they turn out to be: data move there in the end. */
  w->data = words + armilla_butterfly_data_begin (k, shape->n_pairs, MOST_STAGES + 1, nodes);
  w->most_data = w->ld * k + ARMILLA_BUTTERFLY_PAD * nodes;
}

/* The rows towards the pole that add less to the matrix than may be left of it. */
static void
drop_rows (Work *w)
{
  double total = 0, sum = 0;

  for (int64_t i = 0; i < w->ld * w->n_columns; i++)
    total += w->matrix[i] * w->matrix[i];
  w->density = w->shape->tolerance * w->shape->tolerance * total
               / (double) (w->shape->n_pairs * w->n_columns);
  w->density *= MIN (1, MANY_COLUMNS / (double) w->n_columns);
  for (w->first = 0; w->first < w->shape->n_pairs; w->first++)
    {
      for (int64_t k = 0; k < w->n_columns; k++)
        sum += w->matrix[k * w->ld + w->first] * w->matrix[k * w->ld + w->first];
      if (sum > 0.01 * w->density * (double) (w->n_columns * (w->first + 1)))
        break;
    }
  w->n_rows = w->shape->n_pairs - w->first;
}

/* Input j of a node: which column of the matrix, and where among the inputs. */
typedef struct {
  int64_t n, in, first; /* first: of the outputs of the stage before, or a column */
} Inputs;

static Inputs
node_inputs (const Work *w, int s, int64_t piece, int64_t chunk)
{
  const Stage *before = &w->stage[s - 1];
  Inputs x;

  if (s == 0)
    {
      x.in = x.first = chunk * w->shape->chunk;
      x.n = MIN (w->shape->chunk, w->n_columns - x.first);
      return x;
    }
  const int64_t left = before->first_node + piece / 2 * before->n_chunks + 2 * chunk;
  const int64_t n_both = MIN (2, before->n_chunks - 2 * chunk);

  x.in = w->node[left].out;
  x.first = w->kept_at[left];
  x.n = 0;
  for (int64_t i = 0; i < n_both; i++)
    x.n += w->node[left + i].rank;
  return x;
}

static int64_t
input_column (const Work *w, int s, Inputs x, int64_t j)
{
  return s == 0 ? x.first + j : w->kept[x.first + j];
}

static int64_t
input_offset (const Work *w, int s, Inputs x, int64_t j)
{
  return s == 0 ? j : w->offset[x.first + j] - x.in;
}

/* T of R11 T = R12, [column][rank]; @r: [pivot][column as it was given]. */
static void
back_substitute (const double *r, const int32_t *order, int64_t rank, int64_t n, double *t)
{
  for (int64_t j = rank; j < n; j++, t += rank)
    for (int64_t i = rank - 1; i >= 0; i--)
      {
        double sum = r[i * n + order[j]];

        for (int64_t l = i + 1; l < rank; l++)
          sum -= r[i * n + order[l]] * t[l];
        t[i] = sum / r[i * n + order[i]];
      }
}

static double
sum_squares (const double *a, int64_t n)
{
  double sum = 0;

  for (int64_t i = 0; i < n; i++)
    sum += a[i] * a[i];
  return sum;
}

static double
largest (const double *a, int64_t n, double most)
{
  for (int64_t i = 0; i < n; i++)
    most = MAX (most, fabs (a[i]));
  return most;
}

/* Decomposes one node. Returns whether there was room for it. */
static int
add_node (Work *w, int s, int64_t piece, int64_t chunk, int64_t *out)
{
  const Stage *stage = &w->stage[s];
  const Inputs x = node_inputs (w, s, piece, chunk);
  const int64_t begin = piece_begin (w, piece, stage->n_pieces);
  const int64_t n_rows = piece_begin (w, piece + 1, stage->n_pieces) - begin;
  const int64_t ld = armilla_butterfly_pad (n_rows);
  const double limit = w->density * (double) (n_rows * x.n);
  ArmillaButterflyNode *node = &w->node[w->n_nodes];
  int32_t *order = (int32_t *) (w->data + w->n_data);
  double *t = w->block, kept = 0; /* the columns have done their work when T is computed */
  int64_t rank, count, size;

  for (int64_t j = 0; j < x.n; j++)
    {
      w->column[j] = w->block + j * ld;
      memset (w->column[j] + ld - ARMILLA_BUTTERFLY_PAD, 0,
              sizeof (double) * ARMILLA_BUTTERFLY_PAD);
      memcpy (w->column[j], w->matrix + input_column (w, s, x, j) * w->ld + w->first + begin,
              sizeof (double) * (size_t) n_rows);
    }
  rank = w->kernels->factor (w->column, ld, x.n, limit, w->order, w->norms, w->r);
  count = rank * (x.n - rank);
  *node = (ArmillaButterflyNode) { .in = x.in, .n_in = x.n, .out = *out, .rank = rank,
                                   .order = w->n_data, .matrix = w->n_data + (x.n + 1) / 2,
                                   .half = (int16_t) (piece % (s == 0 ? w->shape->pieces : 2)) };
  back_substitute (w->r, w->order, rank, x.n, t);
  for (int64_t j = 0; j < rank; j++)
    kept += sum_squares (w->matrix + input_column (w, s, x, w->order[j]) * w->ld + w->first
                         + begin, n_rows);
  /* Rounding T adds step^2 / 12 times the squares of the columns kept, for each column that is a
   * combination of them. */
  kept = fmax (kept * (double) (x.n - rank), DBL_MIN);
  armilla_butterfly_choose_bytes (node, largest (t, count, 0), 12 * ROUNDING * limit / kept);
  size = (x.n + 1) / 2 + armilla_butterfly_matrix_words (count, node->bytes);
  if (w->n_data + size > w->most_data || w->n_kept + rank > MOST_STAGES * most_outputs (w->shape))
    return 0;
  if (x.n % 2 != 0)
    order[x.n] = 0;
  for (int64_t j = 0; j < x.n; j++)
    order[j] = (int32_t) input_offset (w, s, x, w->order[j]);
  armilla_butterfly_pack_numbers (node, w->data + node->matrix, count, 0, t, count);
  w->kept_at[w->n_nodes++] = w->n_kept;
  for (int64_t j = 0; j < rank; j++, w->n_kept++)
    {
      w->kept[w->n_kept] = (int32_t) input_column (w, s, x, w->order[j]);
      w->offset[w->n_kept] = (int32_t) (*out + j);
    }
  w->n_data += size;
  w->elements += count;
  *out += armilla_butterfly_pad (rank);
  return 1;
}

/* Elements of what remains of the columns after a stage. */
static int64_t
rest_elements (const Work *w, const Stage *stage)
{
  int64_t n = 0;

  for (int64_t piece = 0; piece < stage->n_pieces; piece++)
    for (int64_t c = 0; c < stage->n_chunks; c++)
      n += w->node[stage->first_node + piece * stage->n_chunks + c].rank
           * (piece_begin (w, piece + 1, stage->n_pieces)
              - piece_begin (w, piece, stage->n_pieces));
  return n;
}

/* Stages as long as they may pay. Returns how many make the smallest table. */
static int
add_stages (Work *w)
{
  int64_t smallest = w->n_rows * w->n_columns;
  int best = 0;

  for (int s = 0; s < MOST_STAGES; s++)
    {
      Stage *stage = &w->stage[s];

      stage->first_node = w->n_nodes;
      stage->n_pieces = s == 0 ? w->shape->pieces : 2 * w->stage[s - 1].n_pieces;
      stage->n_chunks = s == 0 ? (w->n_columns + w->shape->chunk - 1) / w->shape->chunk
                               : (w->stage[s - 1].n_chunks + 1) / 2;
      if (w->n_rows / stage->n_pieces < LEAST_ROWS || (s > 0 && w->stage[s - 1].n_chunks == 1)
          || w->n_nodes + stage->n_pieces * stage->n_chunks + 2 * stage->n_pieces
               > most_nodes (w->shape))
        break;
      for (int64_t i = 0; i < stage->n_pieces * stage->n_chunks; i++)
        if (!add_node (w, s, i / stage->n_chunks, i % stage->n_chunks, &stage->width))
          return best;
      stage->data_end = w->n_data;
      if (w->elements + rest_elements (w, stage) < smallest)
        {
          smallest = w->elements + rest_elements (w, stage);
          best = s + 1;
        }
      if (w->elements > smallest)
        break;
    }
  return best;
}

/* What remains of the columns on a piece of the rows. @before: the stage before, if any;
 * @first: its node whose outputs come first */
static void
add_dense_node (Work *w, const Stage *before, int64_t first, int64_t begin, int64_t n_rows)
{
  const int64_t from = before ? w->kept_at[first] : 0, in = before ? w->node[first].out : 0;
  const double *rows = w->matrix + w->first + begin;
  ArmillaButterflyNode *node = &w->node[w->n_nodes++];
  int32_t *order = (int32_t *) (w->data + w->n_data);
  int64_t n = before ? 0 : w->n_columns;
  double most = 0;

  for (int64_t i = 0; before && i < before->n_chunks; i++)
    n += w->node[first + i].rank;
  if (n % 2 != 0)
    order[n] = 0;
  for (int64_t j = 0; j < n; j++)
    {
      order[j] = (int32_t) (before ? w->offset[from + j] - in : j);
      most = largest (rows + (before ? w->kept[from + j] : j) * w->ld, n_rows, most);
    }
  *node = (ArmillaButterflyNode) { .in = in, .n_in = n, .out = begin, .rank = n_rows,
                                   .order = w->n_data, .matrix = w->n_data + (n + 1) / 2,
                                   .dense = 1 };
  armilla_butterfly_choose_bytes (node, most, 12 * ROUNDING * w->density);
  for (int64_t j = 0; j < n; j++)
    armilla_butterfly_pack_numbers (node, w->data + node->matrix, n * n_rows, j * n_rows,
          rows + (before ? w->kept[from + j] : j) * w->ld, n_rows);
  w->n_data += (n + 1) / 2 + armilla_butterfly_matrix_words (n * n_rows, node->bytes);
}

/* The last stage: on each piece of the rows, the columns that remain. */
static void
add_rest (Work *w, int n_stages, Stage *last)
{
  const Stage *before = n_stages ? &w->stage[n_stages - 1] : NULL;

  *last = (Stage) { .n_pieces = before ? before->n_pieces : 1, .n_chunks = 1,
                    .width = armilla_butterfly_pad (w->n_rows) };
  w->n_nodes = before ? before->first_node + before->n_pieces * before->n_chunks : 0;
  last->first_node = w->n_nodes;
  w->n_data = before ? before->data_end : 0;
  for (int64_t piece = 0; piece < last->n_pieces; piece++)
    {
      const int64_t begin = piece_begin (w, piece, last->n_pieces);

      add_dense_node (w, before, before ? before->first_node + piece * before->n_chunks : 0, begin,
                      piece_begin (w, piece + 1, last->n_pieces) - begin);
    }
}

/* Header and tables before the data. */
static void
write_words (Work *w, int n_stages, const Stage *last, const double *pairs, double *words)
{
  const int64_t begin = armilla_butterfly_data_begin (w->n_columns, w->n_rows, n_stages + 1,
                                                      w->n_nodes);
  const int64_t n = begin + w->n_data + ARMILLA_BUTTERFLY_PAD;
  int64_t *head = (int64_t *) words;
  double *p = words + ARMILLA_BUTTERFLY_HEADER;
  ArmillaButterflyStage *stage;
  int64_t width = MAX (armilla_butterfly_pad (w->n_columns), last->width), elements = 0;

  memmove (words + begin, w->data, sizeof (double) * (size_t) w->n_data);
  memset (words + begin + w->n_data, 0, sizeof (double) * ARMILLA_BUTTERFLY_PAD);
  memset (words, 0, sizeof (double) * ARMILLA_BUTTERFLY_HEADER);
  for (int64_t k = 0; k < w->n_columns; k++)
    *p++ = 1 / sqrt (w->table[1 + k]);
  for (int64_t i = 0; i < w->n_rows; i++)
    *p++ = pairs[ARMILLA_PAIR_COS * w->shape->n_pairs + w->first + i];
  stage = (ArmillaButterflyStage *) p;
  for (int s = 0; s <= n_stages; s++)
    {
      const Stage *from = s < n_stages ? &w->stage[s] : last;

      stage[s] = (ArmillaButterflyStage) { .first_node = from->first_node,
                                           .n_nodes = from->n_pieces * from->n_chunks,
                                           .width = from->width,
                                           .halves = s == n_stages ? 1
                                                     : s == 0 ? w->shape->pieces : 2 };
      width = MAX (width, from->width);
    }
  for (int64_t i = 0; i < w->n_nodes; i++)
    {
      ArmillaButterflyNode *node = &w->node[i];

      elements += node->rank * armilla_butterfly_terms (node);
      node->order += begin;
      node->matrix += begin;
    }
  memcpy (stage + n_stages + 1, w->node, sizeof *w->node * (size_t) w->n_nodes);
  head[ARMILLA_BUTTERFLY_MAGIC] = ARMILLA_BUTTERFLY_MAGIC_WORD;
  head[ARMILLA_BUTTERFLY_LMAX] = w->shape->lmax;
  head[ARMILLA_BUTTERFLY_M] = w->shape->m;
  head[ARMILLA_BUTTERFLY_COLUMNS] = w->n_columns;
  head[ARMILLA_BUTTERFLY_PAIRS] = w->shape->n_pairs;
  head[ARMILLA_BUTTERFLY_FIRST] = w->first;
  head[ARMILLA_BUTTERFLY_ROWS] = w->n_rows;
  head[ARMILLA_BUTTERFLY_STAGES] = n_stages + 1;
  head[ARMILLA_BUTTERFLY_NODES] = w->n_nodes;
  head[ARMILLA_BUTTERFLY_WORDS] = n;
  head[ARMILLA_BUTTERFLY_WIDTH] = width;
  head[ARMILLA_BUTTERFLY_ELEMENTS] = elements;
}

/**
 * armilla_butterfly_compress_cpu:
 * @shape: the order
 * @pairs: (in): [ARMILLA_PAIR_ROWS][n_pairs], from the poles to the equator
 * @words: (out): armilla_butterfly_most_words() doubles
 * @scratch: armilla_butterfly_compress_scratch() doubles
 *
 * Compresses the matrix of one order. In the last words that are used stands
 * what a kernel may read beyond the end of a matrix.
 */
void
armilla_butterfly_compress_cpu (const ArmillaButterflyShape *shape, const double *pairs,
                                double *words, double *scratch)
{
  const ArmillaDeltaShape order = { .lmax = shape->lmax, .m_first = shape->m,
                                    .m_last = shape->m };
  Stage last;
  int n_stages;
  Work w;

  work_begin (&w, shape, words, scratch);
  armilla_delta_table_cpu (&order, w.table);
  armilla_butterfly_matrix (shape, w.table, pairs, w.matrix);
  drop_rows (&w);
  n_stages = w.n_rows > 0 ? add_stages (&w) : 0;
  add_rest (&w, n_stages, &last);
  write_words (&w, n_stages, &last, pairs, words);
}
