/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bandpowers. The blocks of the coupling matrices come to rank 0 one after the other, in a fixed
 * order, and leave a row a bin; a last step solves for the bandpowers and their windows. */
#include "config.h"

#include <armilla/spectra.h>
#include <armilla/task.h>
#include <math.h>
#include <string.h>

#include "core/spectra/decouple.h"

#define BLOCK ARMILLA_MATRIX_BLOCK

static const char *const kind_names[] = { "00", "0+", "++", "--" };

/* Tiles of the last step: the first two are written. */
enum { SOLVED, BINNED, CL, EXCHANGED, NOISE, BEAM, BEAM2, PIXELS, N_TILES };

/* What the steps need: no data, which threads of I/O do not let go of. */
typedef struct {
  gint refs;
  ArmillaDegreeBins *bins;
  GArray *spectra;
  double sigma;
  char *unit;
  int fields[4];            /* of the matrices, by kind; -1: not needed */
  gint64 n_l[N_TILES];      /* numbers of a column */
  int n_columns[N_TILES];   /* of what there is */
  int place[N_TILES];       /* among the buffers of the step; -1: there is none */
  int n_windows;
} Plan;

static void
plan_unref (gpointer user)
{
  Plan *plan = user;

  if (!g_atomic_int_dec_and_test (&plan->refs))
    return;
  armilla_degree_bins_unref (plan->bins);
  g_array_unref (plan->spectra);
  g_free (plan->unit);
  g_free (plan);
}

static Plan *
plan_ref (Plan *plan)
{
  g_atomic_int_inc (&plan->refs);
  return plan;
}

/* Doubles of a matrix whose rows are binned, and of the bandpowers. */
static gint64
binned_size (const Plan *plan)
{
  return plan->bins->n * (plan->bins->lmax + 1);
}

static gint64
powers_size (const Plan *plan)
{
  return plan->bins->n * (gint64) plan->spectra->len;
}

/* A step that bins one block. */
typedef struct {
  Plan *plan;
  gint64 row, n_rows, column, n_columns;
  gboolean first;
} Block;

static void
block_free (gpointer user)
{
  plan_unref (((Block *) user)->plan);
  g_free (user);
}

static gboolean
bin_block (gpointer user, double *const *buffers, GError **error)
{
  const Block *block = user;
  const Plan *plan = block->plan;

  (void) error;
  if (block->first)
    memset (buffers[1], 0, sizeof (double) * (gsize) (4 * binned_size (plan)));
  for (int kind = 0; kind < 4; kind++)
    if (plan->fields[kind] >= 0)
      armilla_decouple_add (plan->bins, block->row, block->n_rows, block->column, block->n_columns,
                            buffers[0] + plan->fields[kind] * block->n_rows * block->n_columns,
                            buffers[1] + kind * binned_size (plan));
  return TRUE;
}

/* windows: [4][l], as ArmillaDecoupleInput has them. @beam: b_l, or NULL. */
static void
multiply_beams (const Plan *plan, int one, const double *first, int two, const double *second,
                double *windows)
{
  const gint64 n_l = plan->bins->lmax + 1;

  for (int window = 0; first && window < 4; window++)
    {
      const int spin1 = window / 2 && plan->n_columns[one] > 1;
      const int spin2 = window % 2 && plan->n_columns[two] > 1;
      const double *a = first + spin1 * plan->n_l[one], *b = second + spin2 * plan->n_l[two];

      for (gint64 l = 0; l < n_l; l++)
        windows[window * n_l + l] *= a[l] * b[l];
    }
}

/* b_l = exp (-(l (l + 1) - s^2) sigma^2 / 2) for a field of spin s. */
static void
multiply_gaussian (const Plan *plan, double *windows)
{
  const gint64 n_l = plan->bins->lmax + 1;

  for (int window = 0; plan->sigma > 0 && window < 4; window++)
    for (gint64 l = 0; l < n_l; l++)
      windows[window * n_l + l]
        *= exp (-((double) l * (double) (l + 1) - 2 * (window / 2 + window % 2)) * plan->sigma
                * plan->sigma);
}

static gboolean
check_windows (const Plan *plan, const double *windows, GError **error)
{
  const ArmillaDegreeBins *bins = plan->bins;
  const gint64 n_l = bins->lmax + 1;

  for (gint64 bin = 0; bin < bins->n; bin++)
    for (int window = 0; window < 4; window++)
      {
        double sum = 0;

        for (gint64 l = MAX (bins->first[bin], 2); l <= bins->last[bin]; l++)
          sum += fabs (windows[window * n_l + l]);
        if (sum == 0 && bins->last[bin] >= 2)
          return armilla_fail (error, ARMILLA_ERROR_VALUE,
                               "beams and windows are 0 from l = %" G_GINT64_FORMAT " to %"
                               G_GINT64_FORMAT ": nothing is left of the sky there; end the bins "
                               "before", bins->first[bin], bins->last[bin]);
      }
  return TRUE;
}

/* What there is of spectra, up to the degree that the bins know. */
static void
copy_spectra (const Plan *plan, int which, const double *from, double *to)
{
  const gint64 n_l = plan->bins->lmax + 1;

  for (int f = 0; f < plan->n_columns[which]; f++)
    memcpy (to + f * n_l, from + f * plan->n_l[which], sizeof (double) * (gsize) n_l);
}

static gboolean
solve (gpointer user, double *const *buffers, GError **error)
{
  const Plan *plan = user;
  const gint64 n_l = plan->bins->lmax + 1;
  g_autofree double *cl
    = g_new (double, n_l * (plan->n_columns[CL] + plan->n_columns[EXCHANGED]));
  g_autofree double *windows = g_new (double, 4 * n_l);
  const double *there[N_TILES];
  ArmillaDecoupleInput in
    = { .bins = plan->bins, .spectra = plan->spectra, .cl = cl, .n_l = n_l };

  for (int i = 0; i < N_TILES; i++)
    there[i] = plan->place[i] >= 0 ? buffers[plan->place[i]] : NULL;
  copy_spectra (plan, CL, there[CL], cl);
  copy_spectra (plan, EXCHANGED, there[EXCHANGED], cl + n_l * plan->n_columns[CL]);
  for (int f = 0; there[NOISE] && f < plan->n_columns[CL]; f++)
    for (gint64 l = 0; l < n_l; l++)
      cl[f * n_l + l] -= there[NOISE][f * plan->n_l[NOISE] + l];
  for (gint64 i = 0; i < 4 * n_l; i++)
    windows[i] = 1;
  multiply_beams (plan, BEAM, there[BEAM], there[BEAM2] ? BEAM2 : BEAM,
                  there[BEAM2] ? there[BEAM2] : there[BEAM], windows);
  multiply_beams (plan, PIXELS, there[PIXELS], PIXELS, there[PIXELS], windows);
  multiply_gaussian (plan, windows);
  for (int i = 0; i < 4; i++)
    {
      in.binned[i] = plan->fields[i] >= 0 ? there[BINNED] + i * binned_size (plan) : NULL;
      in.windows[i] = windows + i * n_l;
    }
  return check_windows (plan, windows, error)
         && armilla_decouple_solve (&in, buffers[SOLVED], buffers[SOLVED] + powers_size (plan),
                                    error);
}

static ArmillaTable *
make_table (gpointer user, const gint64 *const *words, GError **error)
{
  const Plan *plan = user;
  g_autofree const char **names = g_new (const char *, plan->spectra->len);

  (void) error;
  for (guint i = 0; i < plan->spectra->len; i++)
    names[i] = g_array_index (plan->spectra, ArmillaSpectrum, i).name;
  return armilla_degree_bins_table (plan->bins, "BANDPOWERS", names, (int) plan->spectra->len,
                                    plan->unit, (const double *) (gconstpointer) words[0]);
}

/* Copies a block of the window functions to its tile. */
static gboolean
copy_block (gpointer user, double *const *buffers, GError **error)
{
  const Block *block = user;
  const Plan *plan = block->plan;
  const gint64 n_l = plan->bins->lmax + 1;
  double *to = buffers[1];

  (void) error;
  for (int f = 0; f < plan->n_windows; f++)
    for (gint64 i = 0; i < block->n_rows; i++, to += block->n_columns)
      memcpy (to,
              buffers[0] + powers_size (plan) + f * binned_size (plan) + (block->row + i) * n_l
                + block->column,
              sizeof (double) * (gsize) block->n_columns);
  return TRUE;
}

/* What is asked for. */
typedef struct {
  ArmillaData *in[N_TILES]; /* spectra */
  ArmillaMatrix *coupling, *windows;
  ArmillaTableData *table;
  Plan *plan;
} Job;

static void
job_free (gpointer user)
{
  Job *job = user;

  for (int i = 0; i < N_TILES; i++)
    g_clear_object (&job->in[i]);
  g_object_unref (job->coupling);
  g_object_unref (job->windows);
  g_object_unref (job->table);
  plan_unref (job->plan);
  g_free (job);
}

/* Submits a step on rank 0 for each block of @matrix, of which @other is the one tile beside it. */
static gboolean
submit_blocks (ArmillaGraph *graph, const Job *job, ArmillaMatrix *matrix, gboolean binning,
               const ArmillaTile *other, GError **error)
{
  const ArmillaMatrixHeader *header = armilla_matrix_header (matrix);
  const ArmillaTile *tiles = armilla_matrix_tiles (matrix, graph, error);
  const gint64 n_across = (header->columns.n + BLOCK - 1) / BLOCK;
  const gint64 n_down = (header->rows.n + BLOCK - 1) / BLOCK;
  gboolean ok = tiles != NULL;

  for (gint64 b = 0; ok && b < n_down * n_across; b++)
    {
      const gint64 row = b / n_across * BLOCK, column = b % n_across * BLOCK;
      Block *block = g_new (Block, 1);
      const ArmillaTile pair[] = { binning ? tiles[b] : *other, binning ? *other : tiles[b] };
      const enum starpu_data_access_mode modes[]
        = { STARPU_R, !binning || b == 0 ? STARPU_W : STARPU_RW };

      *block = (Block) { plan_ref (job->plan), row, MIN (BLOCK, header->rows.n - row), column,
                         MIN (BLOCK, header->columns.n - column), b == 0 };
      ok = armilla_host_step (graph, pair[1].owner, pair, modes, 2,
                              binning ? bin_block : copy_block, block, block_free, error);
    }
  return ok;
}

static gboolean
submit_solve (ArmillaGraph *graph, const Job *job, const ArmillaTile *binned,
              const ArmillaTile *solved, GError **error)
{
  enum starpu_data_access_mode modes[N_TILES] = { STARPU_W };
  ArmillaTile tiles[N_TILES] = { *solved, *binned };
  int n = CL;

  for (int i = BINNED; i < N_TILES; i++)
    modes[i] = STARPU_R;
  for (int i = CL; i < N_TILES; i++)
    if (job->in[i])
      {
        const ArmillaTile *tile = armilla_cl_tile (ARMILLA_CL (job->in[i]), graph, error);

        if (!tile)
          return FALSE;
        tiles[n++] = *tile;
      }
  return armilla_host_step (graph, 0, tiles, modes, n, solve, plan_ref (job->plan), plan_unref,
                            error);
}

static gboolean
submit (ArmillaGraph *graph, gpointer user, GError **error)
{
  const Job *job = user;
  const Plan *plan = job->plan;
  const gint64 size = powers_size (plan) + plan->n_windows * binned_size (plan);
  ArmillaTile binned = { 0 }, solved = { 0 };
  gboolean ok = armilla_tile_new (graph, 0, 4 * binned_size (plan), &binned, error)
                && armilla_tile_new (graph, 0, size, &solved, error)
                && submit_blocks (graph, job, job->coupling, TRUE, &binned, error)
                && submit_solve (graph, job, &binned, &solved, error)
                && armilla_host_table (graph, &solved, 1, make_table, plan_ref (job->plan),
                                       plan_unref, job->table, error)
                && submit_blocks (graph, job, job->windows, FALSE, &solved, error);

  armilla_tile_drop (&binned);
  armilla_tile_drop (&solved);
  return ok;
}

static Plan *
plan_new (const ArmillaDecoupling *what, ArmillaMatrix *windows)
{
  ArmillaCl *const there[N_TILES] = { NULL, NULL, what->cl, what->exchanged, what->noise,
                                      what->beam, what->beam2, what->pixels };
  Plan *plan = g_new0 (Plan, 1);
  int n = CL;

  plan->refs = 1;
  plan->bins = armilla_degree_bins_ref (what->bins);
  plan->spectra = g_array_copy ((GArray *) what->spectra);
  plan->sigma = what->sigma;
  plan->unit = g_strdup (armilla_cl_unit (what->cl));
  plan->n_windows = armilla_matrix_header (windows)->n_fields;
  plan->place[BINNED] = BINNED;
  for (int i = CL; i < N_TILES; i++)
    {
      plan->place[i] = there[i] ? n++ : -1;
      plan->n_l[i] = there[i] ? armilla_cl_lmax (there[i]) + 1 : 0;
      plan->n_columns[i] = there[i] ? armilla_cl_n_fields (there[i]) : 0;
    }
  for (int kind = 0; kind < 4; kind++)
    plan->fields[kind] = armilla_spectra_kinds (what->spectra) & 1u << kind
                           ? armilla_matrix_find (what->coupling, kind_names[kind]) : -1;
  return plan;
}

/**
 * armilla_decoupling_check:
 * @self: pseudo-spectra, and how bandpowers are made from them
 * @error: return location
 *
 * Returns: whether the shapes fit, and the matrices that are needed are there;
 *   %ARMILLA_ERROR_SHAPE otherwise
 */
gboolean
armilla_decoupling_check (const ArmillaDecoupling *self, GError **error)
{
  const ArmillaCouplingKinds needed = armilla_spectra_kinds (self->spectra);
  const ArmillaMatrixHeader *header = armilla_matrix_header (self->coupling);
  ArmillaCl *const all[]
    = { self->cl, self->exchanged, self->noise, self->beam, self->beam2, self->pixels };
  static const char *const names[]
    = { "cl", "cl2", "noise", "beam", "beam2", "pixel-window" };

  for (gsize i = 0; i < G_N_ELEMENTS (all); i++)
    if (all[i] && armilla_cl_lmax (all[i]) < self->bins->lmax)
      return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                           "%s ends at l = %" G_GINT64_FORMAT ", but the coupling reaches up to %"
                           G_GINT64_FORMAT "; give both the same lmax", names[i],
                           armilla_cl_lmax (all[i]), self->bins->lmax);
  if (self->noise && armilla_cl_n_fields (self->noise) != armilla_cl_n_fields (self->cl))
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "noise has %d spectra and cl %d; they must be the same ones",
                         armilla_cl_n_fields (self->noise), armilla_cl_n_fields (self->cl));
  if (self->exchanged
      && armilla_cl_n_fields (self->exchanged) != armilla_cl_n_fields (self->cl))
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "cl2 has %d spectra and cl %d; they must be those of the same fields",
                         armilla_cl_n_fields (self->exchanged), armilla_cl_n_fields (self->cl));
  if (header->rows.n != self->bins->lmax + 1 || header->columns.n != header->rows.n)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "coupling is a matrix of %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT
                         ", but the bins need l = 0 .. %" G_GINT64_FORMAT " on both axes",
                         header->rows.n, header->columns.n, self->bins->lmax);
  for (int kind = 0; kind < 4; kind++)
    if (needed & 1u << kind && armilla_matrix_find (self->coupling, kind_names[kind]) < 0)
      return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                           "coupling has no matrix %s, which these spectra need; have the stage "
                           "coupling make it (spins)", kind_names[kind]);
  return TRUE;
}

/**
 * armilla_graph_decouple:
 * @graph: a graph
 * @what: pseudo-spectra, and how bandpowers are made from them
 * @table: written: the bandpowers
 * @windows: written: their window functions: fields as armilla_spectra_window_names(), a row a bin
 *   and a column a degree
 * @error: return location
 *
 * Asks for bandpowers of a whole sky from the spectra of a masked one: the pseudo-spectra are
 * binned, and the binned coupling matrix is inverted (Hivon et al. 2002; Alonso, Sanchez and Slosar
 * 2019).
 *
 * Returns: whether the shapes fit; %ARMILLA_ERROR_SHAPE otherwise. Where a binned matrix is
 *   singular, the run fails with %ARMILLA_ERROR_NUMERIC
 */
gboolean
armilla_graph_decouple (ArmillaGraph *graph, const ArmillaDecoupling *what,
                        ArmillaTableData *table, ArmillaMatrix *windows, GError **error)
{
  ArmillaCl *const spectra[N_TILES] = { NULL, NULL, what->cl, what->exchanged, what->noise,
                                        what->beam, what->beam2, what->pixels };
  ArmillaData *inputs[1 + N_TILES] = { ARMILLA_DATA (what->coupling) };
  int n_inputs = 1;
  Job *job;

  if (!armilla_decoupling_check (what, error))
    return FALSE;
  job = g_new0 (Job, 1);
  for (int i = CL; i < N_TILES; i++)
    if (spectra[i])
      {
        job->in[i] = ARMILLA_DATA (g_object_ref (spectra[i]));
        inputs[n_inputs++] = job->in[i];
      }
  job->coupling = g_object_ref (what->coupling);
  job->windows = g_object_ref (windows);
  job->table = g_object_ref (table);
  job->plan = plan_new (what, windows);
  armilla_graph_later (graph, inputs, n_inputs, submit, job, job_free);
  return TRUE;
}
