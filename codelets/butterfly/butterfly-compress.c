/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compression, one node after the other; see butterfly-levels.h. */
#include "codelets/butterfly/butterfly-levels.h"

#include <string.h>

#include "codelets/butterfly/interpolative.h"

#define MIN(a, b) ((a) < (b) ? (a) : (b))

/* Columns of a node, and workspace of LAPACK. */
typedef struct {
  ArmillaButterflyWork w;
  double *block, *lapack;
  int64_t n_lapack;
  int32_t *pivots;
  const char *wrong;
} Work;

/* Returns the maximum number of doubles of the columns of a node: a level joins the kept columns of
 * two chunks on half as many rows. */
static int64_t
max_block (const ArmillaButterflyShape *shape)
{
  const int64_t k = armilla_delta_steps (shape->lmax, shape->m);

  return (armilla_butterfly_pad (shape->n_pairs) + 64) * (MIN (k, shape->chunk) + 16) + 16 * k;
}

static int64_t
lapack_size (const ArmillaButterflyShape *shape)
{
  return armilla_interpolative_work (shape->n_pairs, armilla_delta_steps (shape->lmax, shape->m));
}

/* Returns the number of doubles of scratch space that armilla_butterfly_compress_cpu () needs. */
int64_t
armilla_butterfly_compress_scratch (const ArmillaButterflyShape *shape)
{
  return armilla_butterfly_work_size (shape) + max_block (shape) + lapack_size (shape)
         + armilla_delta_steps (shape->lmax, shape->m);
}

static void
work_begin (Work *work, const ArmillaButterflyShape *shape, double *words, double *scratch)
{
  armilla_butterfly_work_init (&work->w, shape, &scratch);
  work->block = scratch;
  work->n_lapack = lapack_size (shape);
  work->lapack = work->block + max_block (shape);
  work->pivots = (int32_t *) (work->lapack + work->n_lapack);
  work->wrong = NULL;
  /* The final lengths of header and tables are not known yet: the data are moved at the end. */
  work->w.data = words + armilla_butterfly_max_begin (shape);
}

static void
square_rows (ArmillaButterflyWork *w)
{
  memset (w->row_squares, 0, sizeof (double) * (size_t) w->ld);
  for (int64_t k = 0; k < w->n_columns; k++)
    for (int64_t i = 0; i < w->shape.n_pairs; i++)
      w->row_squares[i] += w->matrix[k * w->ld + i] * w->matrix[k * w->ld + i];
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
largest (const double *a, int64_t n, double max_abs)
{
  for (int64_t i = 0; i < n; i++)
    max_abs = fmax (max_abs, fabs (a[i]));
  return max_abs;
}

/* Stores T, whose columns are @ld apart, after the node's permutation. */
static void
store_matrix (const ArmillaButterflyWork *w, const ArmillaButterflyNode *node, const double *t,
              int64_t ld)
{
  const int64_t n = armilla_butterfly_terms (node), count = node->rank * n;
  double *words = w->data + node->matrix;

  armilla_butterfly_pack_begin (node, words, count);
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < node->rank; i++)
      armilla_butterfly_pack (node, words, count, j * node->rank + i, t[j * ld + i]);
}

/* Decomposes node [@piece][@chunk] of level @s and stores it. Returns FALSE if there is no room for
 * it or LAPACK failed. */
static int
add_node (Work *work, int s, int64_t piece, int64_t chunk)
{
  ArmillaButterflyWork *w = &work->w;
  const ArmillaButterflyLevel *level = &w->level[s];
  const ArmillaButterflyInputs x = armilla_butterfly_inputs (w, s, piece, chunk);
  const int64_t begin = armilla_butterfly_piece_begin (w, piece, level->n_pieces);
  const int64_t n_rows = armilla_butterfly_piece_rows (w, piece, level->n_pieces);
  const double limit = armilla_butterfly_limit (w, n_rows, x.n);
  const int64_t index = level->first_node + piece * level->n_chunks + chunk;
  double max_abs = 0, kept = 0;
  ArmillaButterflySums sums;
  int64_t rank;

  for (int64_t j = 0; j < x.n; j++)
    memcpy (work->block + j * n_rows,
            armilla_butterfly_column (w, armilla_butterfly_input_column (w, s, x, j), begin),
            sizeof (double) * (size_t) n_rows);
  work->wrong = armilla_interpolative (work->block, n_rows, n_rows, x.n, limit, work->pivots,
                                       &rank, work->lapack, work->n_lapack);
  if (work->wrong)
    return 0;
  for (int64_t j = rank; j < x.n; j++)
    max_abs = largest (work->block + j * n_rows, rank, max_abs);
  for (int64_t j = 0; j < rank; j++)
    kept += sum_squares (
      armilla_butterfly_column (w, armilla_butterfly_input_column (w, s, x, work->pivots[j]),
                                begin), n_rows);
  armilla_butterfly_set_node (w, s, piece, x, rank, limit, max_abs, kept, &w->node[index]);
  sums = armilla_butterfly_sums_add (w->sums,
                                     armilla_butterfly_node_sums (&w->node[index], n_rows));
  if (!armilla_butterfly_fits (w, sums))
    return 0;
  armilla_butterfly_place_node (w, index, w->sums);
  armilla_butterfly_store_order (w, s, index, x, work->pivots);
  store_matrix (w, &w->node[index], work->block + rank * n_rows, n_rows);
  w->sums = sums;
  return 1;
}

/* Adds levels as long as they may reduce the size. */
static void
add_levels (Work *work)
{
  ArmillaButterflyWork *w = &work->w;

  for (int s = 0; !w->done && armilla_butterfly_level_begin (w, s); s++)
    {
      const ArmillaButterflyLevel level = w->level[s];

      for (int64_t i = 0; i < level.n_pieces * level.n_chunks; i++)
        if (!add_node (work, s, i / level.n_chunks, i % level.n_chunks))
          return;
      armilla_butterfly_level_end (w, s);
    }
}

/* Adds the node of the last stage for a piece of the rows: the columns that remain. */
static void
add_rest (ArmillaButterflyWork *w, int64_t piece)
{
  const ArmillaButterflyInputs x = armilla_butterfly_rest_inputs (w, piece);
  const int64_t index = w->last.first_node + piece;
  const int64_t begin = armilla_butterfly_piece_begin (w, piece, w->last.n_pieces);
  const int64_t n_rows = armilla_butterfly_piece_rows (w, piece, w->last.n_pieces);
  const int64_t count = n_rows * x.n;
  ArmillaButterflyNode *node = &w->node[index];
  double max_abs = 0;

  for (int64_t j = 0; j < x.n; j++)
    max_abs = largest (armilla_butterfly_column (
                      w, armilla_butterfly_input_column (w, w->n_levels, x, j), begin), n_rows,
                    max_abs);
  armilla_butterfly_set_rest (w, piece, x, max_abs);
  armilla_butterfly_place_node (w, index, w->sums);
  armilla_butterfly_store_rest_order (w, piece, x);
  armilla_butterfly_pack_begin (node, w->data + node->matrix, count);
  for (int64_t j = 0; j < x.n; j++)
    {
      const double *column = armilla_butterfly_column (
        w, armilla_butterfly_input_column (w, w->n_levels, x, j), begin);

      for (int64_t i = 0; i < n_rows; i++)
        armilla_butterfly_pack (node, w->data + node->matrix, count, j * n_rows + i, column[i]);
    }
  w->sums = armilla_butterfly_sums_add (w->sums, armilla_butterfly_node_sums (node, n_rows));
}

const char *
armilla_butterfly_compress_cpu (const ArmillaButterflyShape *shape, const double *pairs,
                                double *words, double *scratch)
{
  const ArmillaDeltaShape order = { .lmax = shape->lmax, .m_first = shape->m,
                                    .m_last = shape->m };
  ArmillaButterflyWork *w;
  int64_t begin;
  Work work;

  work_begin (&work, shape, words, scratch);
  w = &work.w;
  armilla_delta_table_cpu (&order, w->table);
  armilla_butterfly_matrix (shape, w->table, pairs, w->matrix);
  square_rows (w);
  armilla_butterfly_drop_rows (w);
  if (w->n_rows > 0)
    add_levels (&work);
  if (work.wrong)
    return work.wrong;
  armilla_butterfly_rest_begin (w);
  for (int64_t piece = 0; piece < w->last.n_pieces; piece++)
    add_rest (w, piece);
  begin = armilla_butterfly_begin_of_data (w);
  memmove (words + begin, w->data, sizeof (double) * (size_t) w->sums.data);
  memset (words + begin + w->sums.data, 0, sizeof (double) * ARMILLA_BUTTERFLY_PAD);
  armilla_butterfly_write_tables (w, pairs, words);
  armilla_butterfly_write_head (w, words);
  return NULL;
}
