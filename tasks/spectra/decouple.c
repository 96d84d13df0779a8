/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bandpowers. Rank 0 bins the rows of the coupling matrices block by block in a fixed order; a last
 * step solves the linear equations for the bandpowers and their window functions. */
#include "config.h"

#include "tasks/data/make.h"
#include "tasks/spectra/coupling-bins.h"

#include <armilla/memory.h>
#include <string.h>

/* indices of the tiles of the last step, which writes SOLVED and reads the others */
enum { SOLVED, BINNED, CL, EXCHANGED, NOISE, BEAM, BEAM2, PIXELS, N_TILES };

/* State of the steps. It has no references to GObjects of the submitting thread, which I/O threads
 * must not drop. */
typedef struct {
  ArmillaCouplingBins *coupling;
  char *unit;
  gint64 n_l[N_TILES];      /* [tile]: length of a column */
  int n_columns[N_TILES];   /* [tile]: number of columns */
  int place[N_TILES]; /* [tile]: index of the tile among the buffers of the last step; -1: absent */
  int n_windows; /* number of window functions; 0: not requested */
} Plan;

static void
plan_clear (gpointer user)
{
  Plan *plan = user;

  armilla_coupling_bins_unref (plan->coupling);
  g_free (plan->unit);
}

static void
plan_unref (gpointer user)
{
  g_atomic_rc_box_release_full (user, plan_clear);
}

/* Returns the number of doubles of the bandpowers. */
static gint64
powers_size (const Plan *plan)
{
  return plan->coupling->bins->n * (gint64) plan->coupling->spectra->len;
}

/* Copies spectra, up to the highest multipole of the bins. */
static void
copy_spectra (const Plan *plan, int which, const double *from, double *to)
{
  const gint64 n_l = plan->coupling->bins->lmax + 1;

  for (int f = 0; f < plan->n_columns[which]; f++)
    memcpy (to + f * n_l, from + f * plan->n_l[which], sizeof (double) * (gsize) n_l);
}

/* Returns the pseudo-spectra, up to the highest multipole of the bins, minus the noise. */
static double *
clean_spectra (const Plan *plan, const double *const *tiles, GError **error)
{
  const gint64 n_l = plan->coupling->bins->lmax + 1;
  double *cl = armilla_try_new (double, n_l * (plan->n_columns[CL] + plan->n_columns[EXCHANGED]),
                                "the spectra", error);

  if (cl == NULL)
    return NULL;
  copy_spectra (plan, CL, tiles[CL], cl);
  copy_spectra (plan, EXCHANGED, tiles[EXCHANGED], cl + n_l * plan->n_columns[CL]);
  for (int f = 0; tiles[NOISE] && f < plan->n_columns[CL]; f++)
    for (gint64 l = 0; l < n_l; l++)
      cl[f * n_l + l] -= tiles[NOISE][f * plan->n_l[NOISE] + l];
  return cl;
}

static gboolean
solve (gpointer user, double *const *buffers, GError **error)
{
  const Plan *plan = user;
  const ArmillaDegreeBins *bins = plan->coupling->bins;
  const GArray *spectra = plan->coupling->spectra;
  const double *tiles[N_TILES];
  g_autofree double *windows = g_new (double, 4 * (bins->lmax + 1)), *cl = NULL;
  g_autofree double *averages = g_new (double, powers_size (plan));
  g_autoptr (ArmillaDecoupler) decoupler = NULL;
  ArmillaDecoupleInput in;

  for (int i = 0; i < N_TILES; i++)
    tiles[i] = plan->place[i] >= 0 ? buffers[plan->place[i]] : NULL;
  if (!armilla_coupling_bins_windows (plan->coupling, tiles + BEAM, windows, error))
    return FALSE;
  in = armilla_coupling_bins_input (plan->coupling, tiles[BINNED], windows);
  decoupler = armilla_decoupler_new (&in);
  cl = clean_spectra (plan, tiles, error);
  if (cl == NULL)
    return FALSE;
  for (guint i = 0; i < spectra->len; i++)
    armilla_degree_bins_average (bins, cl + g_array_index (spectra, ArmillaSpectrum, i).source
                                         * (bins->lmax + 1), averages + i * bins->n);
  return armilla_decoupler_apply (decoupler, 1, averages, buffers[SOLVED], error)
         && (plan->n_windows == 0
             || armilla_decoupler_windows (decoupler, buffers[SOLVED] + powers_size (plan),
                                           error));
}

static gboolean
make_table (gpointer user, const ArmillaPiece *in, ArmillaPiece *out, GError **error)
{
  const Plan *plan = user;
  g_autofree const char **names = g_new (const char *, plan->coupling->spectra->len);

  (void) error;
  for (guint i = 0; i < plan->coupling->spectra->len; i++)
    names[i] = g_array_index (plan->coupling->spectra, ArmillaSpectrum, i).name;
  out->table = armilla_degree_bins_table (plan->coupling->bins, "BANDPOWERS", names,
                                    (int) plan->coupling->spectra->len, plan->unit,
                                    in[0].values);
  return TRUE;
}

/* Copies a block of the window functions to its tile. */
static gboolean
copy_block (gpointer user, const ArmillaMatrixBlock *block, double *to, double *solved,
            GError **error)
{
  const Plan *plan = user;
  const gint64 n_l = plan->coupling->bins->lmax + 1, n = plan->coupling->bins->n;
  const double *from = solved + powers_size (plan);

  (void) error;
  for (int f = 0; f < plan->n_windows; f++)
    for (gint64 i = 0; i < block->n_rows; i++, to += block->n_columns)
      memcpy (to, from + (f * n + block->row + i) * n_l + block->column,
              sizeof *to * (gsize) block->n_columns);
  return TRUE;
}

typedef struct {
  ArmillaData *in[N_TILES]; /* [tile]: input spectra; NULL: none */
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
  g_clear_object (&job->windows);
  g_object_unref (job->table);
  plan_unref (job->plan);
  g_free (job);
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
  return armilla_host_step (graph, 0, tiles, modes, n, solve,
                            g_atomic_rc_box_acquire (job->plan), plan_unref, error);
}

static gboolean
submit (ArmillaGraph *graph, gpointer user, GError **error)
{
  const Job *job = user;
  Plan *plan = job->plan;
  const gint64 size
    = powers_size (plan) + plan->n_windows * armilla_coupling_bins_size (plan->coupling);
  ArmillaTile binned = { 0 }, solved = { 0 };
  gboolean ok
    = armilla_tile_new (graph, 0, armilla_coupling_bins_size_of_all (plan->coupling), &binned,
                        error)
      && armilla_tile_new (graph, 0, size, &solved, error)
      && armilla_coupling_bins_submit (plan->coupling, graph, job->coupling, &binned, error)
      && submit_solve (graph, job, &binned, &solved, error)
      && armilla_host_make (graph, &solved, 1, ARMILLA_DATA (job->table), make_table,
                            g_atomic_rc_box_acquire (plan), plan_unref, error)
      && (!job->windows
          || armilla_matrix_each_block (graph, job->windows, ARMILLA_BLOCKS_WRITE, &solved,
                                        copy_block, plan, plan_unref, error));

  armilla_tile_drop (&binned);
  armilla_tile_drop (&solved);
  return ok;
}

static Plan *
plan_new (const ArmillaDecoupling *what, ArmillaMatrix *windows)
{
  ArmillaCl *const tiles[N_TILES] = { NULL, NULL, what->cl, what->exchanged, what->noise,
                                      what->beam, what->beam2, what->pixels };
  Plan *plan = g_atomic_rc_box_new0 (Plan);
  int n = CL;

  plan->coupling = armilla_coupling_bins_new (what);
  plan->unit = g_strdup (armilla_cl_unit (what->cl));
  plan->n_windows = windows ? armilla_matrix_header (windows)->n_fields : 0;
  plan->place[BINNED] = BINNED;
  for (int i = CL; i < N_TILES; i++)
    {
      plan->place[i] = tiles[i] ? n++ : -1;
      plan->n_l[i] = tiles[i] ? armilla_cl_lmax (tiles[i]) + 1 : 0;
      plan->n_columns[i] = tiles[i] ? armilla_cl_n_fields (tiles[i]) : 0;
    }
  return plan;
}

/* Returns whether the shapes fit and the required matrices exist. */
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
                           G_GINT64_FORMAT "; must be equal", names[i],
                           armilla_cl_lmax (all[i]), self->bins->lmax);
  if (self->noise && armilla_cl_n_fields (self->noise) != armilla_cl_n_fields (self->cl))
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "noise has %d spectra and cl %d; must be the same spectra",
                         armilla_cl_n_fields (self->noise), armilla_cl_n_fields (self->cl));
  if (self->exchanged
      && armilla_cl_n_fields (self->exchanged) != armilla_cl_n_fields (self->cl))
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "cl2 has %d spectra and cl %d; must be those of the same fields",
                         armilla_cl_n_fields (self->exchanged), armilla_cl_n_fields (self->cl));
  if (header->rows.n != self->bins->lmax + 1 || header->columns.n != header->rows.n)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "coupling is a matrix of %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT
                         ", but the bins need l = 0 .. %" G_GINT64_FORMAT " on both axes",
                         header->rows.n, header->columns.n, self->bins->lmax);
  for (int kind = 0; kind < ARMILLA_COUPLING_N_KINDS; kind++)
    if (needed & 1u << kind
        && armilla_matrix_find (self->coupling, armilla_coupling_kind_names[kind]) < 0)
      return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                           "coupling has no matrix %s, which these spectra require; set spins and "
                           "pure of the stage coupling", armilla_coupling_kind_names[kind]);
  return TRUE;
}

/* Requests bandpowers of the whole sky from the spectra of a masked one: the pseudo-spectra are
 * binned, and the binned coupling matrix is inverted (Hivon et al. 2002; Alonso, Sanchez and Slosar
 * 2019). Returns whether the shapes fit; ARMILLA_ERROR_SHAPE otherwise. A singular binned matrix
 * fails the run with ARMILLA_ERROR_NUMERIC. */
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
  job->windows = windows ? g_object_ref (windows) : NULL;
  job->table = g_object_ref (table);
  job->plan = plan_new (what, windows);
  armilla_graph_later (graph, inputs, n_inputs, submit, job, job_free);
  return TRUE;
}
