/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Covariances of bandpowers. Rank 0 multiplies spectra with the coupling matrices of products of
 * masks and sums over bins, block by block in a fixed order. A last step multiplies by the inverse
 * binned coupling matrices from both sides. */
#include "config.h"

#include "tasks/spectra/coupling-bins.h"

#include <armilla/harmonic.h>
#include <armilla/memory.h>
#include <string.h>

#include "core/spectra/gaussian.h"
#include "tasks/graph/graph-private.h"

#define FAINT 0.1 /* ratio BB / EE up to which BB counts as faint */

/* indices of the tiles of the last step, which writes SOLVED and reads the others */
enum { SOLVED, BINNED, SUMS, BEAMS, N_TILES = BEAMS + ARMILLA_N_BEAMS };

/* State of the steps. It has no references to GObjects of the submitting thread, which I/O threads
 * must not drop. */
typedef struct {
  ArmillaCouplingBins *coupling;
  ArmillaGaussian *gaussian;
  int place[ARMILLA_N_BEAMS]; /* [beam]: index of the beam's buffer in the last step; -1: none */
  ArmillaGraph *graph;        /* graph to which notes are added */
  const char *node;           /* name of the node; lives as long as the graph */
} Plan;

static void
plan_clear (gpointer user)
{
  Plan *plan = user;

  armilla_coupling_bins_unref (plan->coupling);
  armilla_gaussian_unref (plan->gaussian);
}

static void
plan_unref (gpointer user)
{
  g_atomic_rc_box_release_full (user, plan_clear);
}

static gint64
n_powers (const Plan *plan)
{
  return plan->coupling->bins->n * plan->gaussian->n_spectra;
}

/* Returns the size of the spectra at the beginning of the tile of sums: [input][name][l]. */
static gint64
spectra_size (const Plan *plan)
{
  return ARMILLA_GAUSSIAN_INPUTS * plan->gaussian->n_names * (plan->coupling->bins->lmax + 1);
}

static gint64
sums_size (const Plan *plan)
{
  const gint64 n = plan->coupling->bins->n;

  return spectra_size (plan) + armilla_gaussian_n_sums (plan->gaussian) * n * n;
}

/* Returns the auto-spectrum of the first sky with this name; NULL if there is none. */
static const double *
find_spectrum (const Plan *plan, const char *name, const double *cl)
{
  const GArray *spectra = plan->coupling->spectra;

  for (guint i = 0; i < spectra->len; i++)
    if (strcmp (g_array_index (spectra, ArmillaSpectrum, i).name, name) == 0)
      return cl + g_array_index (spectra, ArmillaSpectrum, i).source
                    * (plan->coupling->bins->lmax + 1);
  return NULL;
}

static double
sum_bin (const ArmillaDegreeBins *bins, gint64 bin, const double *cl)
{
  double sum = 0;

  for (gint64 l = bins->first[bin]; l <= bins->last[bin]; l++)
    sum += cl[l];
  return sum;
}

/* Adds a note if BB is much smaller than EE: the E-to-B leakage of the mask then has a larger
 * variance than the approximation predicts, as tests/peers/covariance-skies.py measures. (Mean
 * spectra of masked maps contain this leakage, but the limit suits them, too.) */
static void
note_faint_b (const Plan *plan, const double *cl)
{
  const ArmillaDegreeBins *bins = plan->coupling->bins;
  const double *ee = find_spectrum (plan, "EE", cl), *bb = find_spectrum (plan, "BB", cl);
  gint64 n_faint = 0;

  if (ee == NULL || bb == NULL || (plan->gaussian->pure & ARMILLA_PURE_B) != 0)
    return;
  for (gint64 i = 0; i < bins->n; i++)
    {
      const double e = sum_bin (bins, i, ee), b = sum_bin (bins, i, bb);

      n_faint += e > 0 && b <= FAINT * e;
    }
  if (2 * n_faint > bins->n)
    armilla_graph_note (plan->graph, plan->node,
                        "BB is at most %g of EE in %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT
                        " bins: its variances may be less than 0.8 of those of masked skies, and "
                        "those of EB are wrong too; purify B (stage purify, and pure), and connect "
                        "to cl the mean spectra of masked maps, divided by the mean square of the "
                        "mask",
                        FAINT, n_faint, bins->n);
}

static gboolean
begin_sums (gpointer user, double *const *buffers, GError **error)
{
  const Plan *plan = user;

  (void) error;
  note_faint_b (plan, buffers[1]);
  memset (buffers[0], 0, sizeof (double) * (gsize) sums_size (plan));
  memcpy (buffers[0], buffers[1], sizeof (double) * (gsize) spectra_size (plan));
  return TRUE;
}

static void
add_block (const Plan *plan, int term, const ArmillaMatrixBlock *block, const double *matrix,
           double *sums)
{
  armilla_gaussian_add (plan->gaussian, term, plan->coupling->bins, block->row, block->n_rows,
                        block->column, block->n_columns, matrix, sums,
                        sums + spectra_size (plan));
}

static gboolean
add_first (gpointer user, const ArmillaMatrixBlock *block, double *matrix, double *sums,
           GError **error)
{
  (void) error;
  add_block (user, 0, block, matrix, sums);
  return TRUE;
}

static gboolean
add_second (gpointer user, const ArmillaMatrixBlock *block, double *matrix, double *sums,
            GError **error)
{
  (void) error;
  add_block (user, 1, block, matrix, sums);
  return TRUE;
}

/* Reorders [a][b][bin of b][bin of a] to [b][a][bin of a][bin of b]. */
static void
turn (const Plan *plan, const double *from, double *to)
{
  const gint64 n = plan->coupling->bins->n, n_spectra = plan->gaussian->n_spectra;

  for (gint64 a = 0; a < n_spectra; a++)
    for (gint64 b = 0; b < n_spectra; b++)
      for (gint64 i = 0; i < n; i++)
        for (gint64 j = 0; j < n; j++)
          to[((b * n_spectra + a) * n + i) * n + j] = from[((a * n_spectra + b) * n + j) * n + i];
}

/* Reports negative variances: the approximation fails if the mask mixes far more power of E into B
 * than B has. */
static gboolean
check_variances (const Plan *plan, const double *solved, GError **error)
{
  const ArmillaDegreeBins *bins = plan->coupling->bins;
  const gint64 n = bins->n;

  for (gint64 a = 0; a < plan->gaussian->n_spectra; a++)
    for (gint64 i = 0; i < n; i++)
      {
        const double variance = solved[(a * (plan->gaussian->n_spectra + 1) * n + i) * n + i];

        if (variance >= 0)
          continue;
        return armilla_fail (error, ARMILLA_ERROR_NUMERIC,
                             "the variance of %s from l = %" G_GINT64_FORMAT " to %"
                             G_GINT64_FORMAT " is %g; must not be negative. The E-to-B leakage of "
                                             "the mask is too large for the approximation with "
                                             "these spectra; connect to cl the mean spectra of "
                                             "masked maps over the mean square of the mask, or "
                                             "purify B (stage purify, and pure)",
                             g_array_index (plan->coupling->spectra, ArmillaSpectrum, a).name,
                             bins->first[i], bins->last[i], variance);
      }
  return TRUE;
}

static gboolean
solve (gpointer user, double *const *buffers, GError **error)
{
  const Plan *plan = user;
  const gint64 n = n_powers (plan);
  const double *sums = buffers[SUMS] + spectra_size (plan);
  const double *beams[ARMILLA_N_BEAMS];
  g_autofree double *windows = g_new (double, 4 * (plan->coupling->bins->lmax + 1));
  g_autofree double *a = armilla_try_new (double, n * n, "the covariance", error);
  g_autofree double *b
    = a != NULL ? armilla_try_new (double, n * n, "the covariance", error) : NULL;
  g_autoptr (ArmillaDecoupler) decoupler = NULL;
  ArmillaDecoupleInput in;

  if (b == NULL)
    return FALSE;
  for (int i = 0; i < ARMILLA_N_BEAMS; i++)
    beams[i] = plan->place[i] >= 0 ? buffers[plan->place[i]] : NULL;
  if (!armilla_coupling_bins_windows (plan->coupling, beams, windows, error))
    return FALSE;
  in = armilla_coupling_bins_input (plan->coupling, buffers[BINNED], windows);
  decoupler = armilla_decoupler_new (&in);
  armilla_gaussian_end (plan->gaussian, plan->coupling->bins->n, sums, a);
  if (!armilla_decoupler_apply (decoupler, n, a, b, error))
    return FALSE;
  turn (plan, b, a);
  if (!armilla_decoupler_apply (decoupler, n, a, b, error))
    return FALSE;
  turn (plan, b, buffers[SOLVED]);
  return check_variances (plan, buffers[SOLVED], error);
}

/* Copies the covariances of a block to the matrix: fields [a][b], each [bin of a][bin of b]. */
static gboolean
copy_block (gpointer user, const ArmillaMatrixBlock *block, double *to, double *solved,
            GError **error)
{
  const Plan *plan = user;
  const gint64 n = plan->coupling->bins->n;
  const int n_fields = plan->gaussian->n_spectra * plan->gaussian->n_spectra;

  (void) error;
  for (int f = 0; f < n_fields; f++)
    for (gint64 i = 0; i < block->n_rows; i++)
      for (gint64 j = 0; j < block->n_columns; j++)
        *to++ = solved[(f * n + block->column + j) * n + block->row + i];
  return TRUE;
}

typedef struct {
  ArmillaCl *cl, *beams[ARMILLA_N_BEAMS];
  ArmillaMatrix *coupling, *masks[2], *covariance;
  Plan *plan;
} Job;

static void
job_free (gpointer user)
{
  Job *job = user;

  g_object_unref (job->cl);
  for (int i = 0; i < ARMILLA_N_BEAMS; i++)
    g_clear_object (&job->beams[i]);
  for (int i = 0; i < 2; i++)
    g_clear_object (&job->masks[i]);
  g_object_unref (job->coupling);
  g_object_unref (job->covariance);
  plan_unref (job->plan);
  g_free (job);
}

/* Submits a step on rank 0 that writes @tiles[0] and reads the other @n - 1 tiles and those of
 * @cl. */
static gboolean
submit_step (ArmillaGraph *graph, ArmillaTile *tiles, int n, ArmillaCl *const *cl, int n_cl,
             gboolean (*step) (gpointer, double *const *, GError **), Plan *plan, GError **error)
{
  enum starpu_data_access_mode modes[N_TILES] = { STARPU_W };

  for (int i = 0; i < n_cl; i++)
    if (cl[i])
      {
        const ArmillaTile *tile = armilla_cl_tile (cl[i], graph, error);

        if (!tile)
          return FALSE;
        tiles[n++] = *tile;
      }
  for (int i = 1; i < n; i++)
    modes[i] = STARPU_R;
  return armilla_host_step (graph, 0, tiles, modes, n, step, g_atomic_rc_box_acquire (plan),
                            plan_unref, error);
}

static gboolean
submit_sums (ArmillaGraph *graph, const Job *job, const ArmillaTile *sums, GError **error)
{
  ArmillaTile tiles[N_TILES] = { *sums };

  if (!submit_step (graph, tiles, 1, &job->cl, 1, begin_sums, job->plan, error))
    return FALSE;
  for (int term = 0; term < 2; term++)
    if (job->masks[term]
        && !armilla_matrix_each_block (graph, job->masks[term], ARMILLA_BLOCKS_GO_ON, sums,
                                       term == 0 ? add_first : add_second, job->plan,
                                       plan_unref, error))
      return FALSE;
  return TRUE;
}

static gboolean
submit (ArmillaGraph *graph, gpointer user, GError **error)
{
  const Job *job = user;
  Plan *plan = job->plan;
  const gint64 n = n_powers (plan);
  ArmillaTile tiles[N_TILES] = { 0 };
  gboolean ok
    = armilla_tile_new (graph, 0, n * n, &tiles[SOLVED], error)
      && armilla_tile_new (graph, 0, armilla_coupling_bins_size_of_all (plan->coupling),
                           &tiles[BINNED], error)
      && armilla_tile_new (graph, 0, sums_size (plan), &tiles[SUMS], error);

  if (ok)
    {
      ArmillaTile all[N_TILES] = { tiles[SOLVED], tiles[BINNED], tiles[SUMS] };

      ok = armilla_coupling_bins_submit (plan->coupling, graph, job->coupling, &tiles[BINNED],
                                         error)
           && submit_sums (graph, job, &tiles[SUMS], error)
           && submit_step (graph, all, BEAMS, job->beams, ARMILLA_N_BEAMS, solve, plan, error)
           && armilla_matrix_each_block (graph, job->covariance, ARMILLA_BLOCKS_WRITE,
                                         &tiles[SOLVED], copy_block, plan, plan_unref, error);
    }
  for (int i = SOLVED; i < BEAMS; i++)
    armilla_tile_drop (&tiles[i]);
  return ok;
}

static Plan *
plan_new (ArmillaGraph *graph, const ArmillaDecoupling *what, ArmillaGaussian *gaussian)
{
  ArmillaCl *const beams[ARMILLA_N_BEAMS] = { what->beam, what->beam2, what->pixels };
  Plan *plan = g_atomic_rc_box_new0 (Plan);
  int n = BEAMS;

  plan->coupling = armilla_coupling_bins_new (what);
  plan->gaussian = armilla_gaussian_ref (gaussian);
  plan->graph = graph;
  plan->node = graph->label->node;
  for (int i = 0; i < ARMILLA_N_BEAMS; i++)
    plan->place[i] = beams[i] ? n++ : -1;
  return plan;
}

/* Arguments of the step that copies the spectra of all inputs into one tile. */
typedef struct {
  gint64 n_l, n_from[ARMILLA_GAUSSIAN_INPUTS]; /* numbers of multipoles; 0: input without spectra */
  int n_names, n_inputs;
} Join;

static gboolean
join_spectra (gpointer user, const ArmillaPiece *in, ArmillaPiece *out, GError **error)
{
  const Join *join = user;

  (void) error;
  memset (out->values, 0, sizeof *out->values
                            * (gsize) (ARMILLA_GAUSSIAN_INPUTS * join->n_names * join->n_l));
  for (int i = 0; i < join->n_inputs; i++)
    for (int f = 0; f < join->n_names; f++)
      memcpy (out->values + (i * join->n_names + f) * join->n_l,
              in[i].values + f * join->n_from[i], sizeof (double) * (gsize) join->n_l);
  return TRUE;
}

static ArmillaCl *
join_inputs (ArmillaGraph *graph, const ArmillaGaussian *gaussian, gint64 lmax,
             ArmillaCl *const *cl, GError **error)
{
  const int n = ARMILLA_GAUSSIAN_INPUTS * gaussian->n_names;
  Join join = { lmax + 1, { 0 }, gaussian->n_names, 0 };
  g_autoptr (ArmillaCl) out = armilla_cl_new (lmax, NULL, n);

  for (; join.n_inputs < (gaussian->cross ? ARMILLA_GAUSSIAN_INPUTS : 1); join.n_inputs++)
    {
      ArmillaCl *one = cl[join.n_inputs];

      if (armilla_cl_n_fields (one) != gaussian->n_names || armilla_cl_lmax (one) < lmax)
        return armilla_fail_null (error, ARMILLA_ERROR_SHAPE,
                                  "%d spectra up to l = %" G_GINT64_FORMAT " do not fit %d names "
                                  "and bins up to %" G_GINT64_FORMAT, armilla_cl_n_fields (one),
                                  armilla_cl_lmax (one), gaussian->n_names, lmax);
      join.n_from[join.n_inputs] = armilla_cl_lmax (one) + 1;
    }
  return armilla_graph_make (graph, (ArmillaData *const *) cl, join.n_inputs, ARMILLA_DATA (out),
                             join_spectra, g_memdup2 (&join, sizeof join), g_free, error)
    ? g_steal_pointer (&out) : NULL;
}

/* Requests the covariance of bandpowers of masked Gaussian skies (Garcia-Garcia, Alonso and Bellini
 * 2019). Returns whether the shapes fit; ARMILLA_ERROR_SHAPE otherwise. A singular binned matrix or
 * a negative variance fails the run with ARMILLA_ERROR_NUMERIC. */
gboolean
armilla_graph_covariance (ArmillaGraph *graph, const ArmillaDecoupling *what,
                          ArmillaGaussian *gaussian, ArmillaCl *const *cl,
                          ArmillaMatrix *const *masks, ArmillaMatrix *covariance, GError **error)
{
  ArmillaCl *const beams[ARMILLA_N_BEAMS] = { what->beam, what->beam2, what->pixels };
  g_autoptr (ArmillaCl) spectra = NULL;
  ArmillaData *inputs[4 + ARMILLA_N_BEAMS] = { ARMILLA_DATA (what->coupling) };
  int n_inputs = 1;
  Job *job;

  if (!armilla_decoupling_check (what, error))
    return FALSE;
  spectra = join_inputs (graph, gaussian, what->bins->lmax, cl, error);
  if (!spectra)
    return FALSE;
  job = g_new0 (Job, 1);
  inputs[n_inputs++] = ARMILLA_DATA (spectra);
  job->cl = g_steal_pointer (&spectra);
  for (int i = 0; i < ARMILLA_N_BEAMS; i++)
    if (beams[i])
      inputs[n_inputs++] = ARMILLA_DATA (job->beams[i] = g_object_ref (beams[i]));
  for (int i = 0; i < 2; i++)
    if (masks[i])
      inputs[n_inputs++] = ARMILLA_DATA (job->masks[i] = g_object_ref (masks[i]));
  job->coupling = g_object_ref (what->coupling);
  job->covariance = g_object_ref (covariance);
  job->plan = plan_new (graph, what, gaussian);
  armilla_graph_later (graph, inputs, n_inputs, submit, job, job_free);
  return TRUE;
}
