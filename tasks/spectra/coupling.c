/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Coupling matrices. Rank 0 tabulates functions of single multipoles; then a task for each block on
 * or below the diagonal computes it and its mirror image. */
#include "config.h"

#include <armilla/task.h>

#include "codelets/spectra/coupling-codelets.h"
#include "core/spectra/decouple.h"
#include "core/spectra/spectrum-roles.h"
#include "tasks/spectra/spectra.h"

#define BLOCK ARMILLA_MATRIX_BLOCK

G_STATIC_ASSERT (ARMILLA_MATRIX_BLOCK <= ARMILLA_COUPLING_BLOCK);
G_STATIC_ASSERT ((int) ARMILLA_COUPLING_KIND_0P == ARMILLA_COUPLING_0P
                 && (int) ARMILLA_COUPLING_KIND_MM == ARMILLA_COUPLING_MM
                 && (int) ARMILLA_COUPLING_KIND_PUREPURE == ARMILLA_COUPLING_LAST);

/* Describes coupling matrices from l = 0 to @lmax. Returns the matrices, whose names are 00, 0+,
 * ++, --, 0p, +p, pp. */
ArmillaMatrix *
armilla_coupling_matrix_new (gint64 lmax, ArmillaCouplingKinds kinds)
{
  g_autofree double *degrees = g_new (double, lmax + 1);
  const ArmillaMatrixAxis axis = { (char *) "l", (char *) "", lmax + 1, degrees };
  const char *names[ARMILLA_COUPLING_N_KINDS];
  int n = 0;

  for (gint64 l = 0; l <= lmax; l++)
    degrees[l] = (double) l;
  for (int kind = 0; kind < ARMILLA_COUPLING_N_KINDS; kind++)
    if (kinds & 1u << kind)
      names[n++] = armilla_coupling_kind_names[kind];
  return armilla_matrix_new (armilla_matrix_header_new (&axis, &axis, names, n));
}

static int
kinds_of (ArmillaMatrix *matrix)
{
  int kinds = 0;

  for (int kind = 0; kind < ARMILLA_COUPLING_N_KINDS; kind++)
    if (armilla_matrix_find (matrix, armilla_coupling_kind_names[kind]) >= 0)
      kinds |= 1 << kind;
  return kinds;
}

typedef struct {
  ArmillaCl *mask;
  ArmillaMatrix *matrix;
  gint64 mask_lmax;
} Job;

static void
job_free (gpointer user)
{
  Job *job = user;

  g_object_unref (job->mask);
  g_object_unref (job->matrix);
  g_free (job);
}

/* Arguments of make_table(). */
typedef struct {
  gint64 n_l, lmax, mask_lmax;
} Table;

/* Tabulates functions of single multipoles in extended precision. A host step, since it takes less
 * than 1 ms and all workers may be GPUs. */
static gboolean
make_table (gpointer user, double *const *buffers, GError **error)
{
  const Table *table = user;
  gint64 l = 0;

  while (l < table->n_l && buffers[0][l] == 0)
    l++;
  if (l == table->n_l)
    return armilla_fail (error, ARMILLA_ERROR_VALUE,
                         "the mask is 0 everywhere, or two masks have no pixel in common; check "
                         "the masks, or apodise less");
  armilla_coupling_table_cpu (table->lmax, table->mask_lmax, buffers[0], buffers[1]);
  return TRUE;
}

static gboolean
submit_blocks (ArmillaGraph *graph, const Job *job, const ArmillaTile *table,
               ArmillaCouplingArgs *args, GError **error)
{
  const ArmillaTile *tiles = armilla_matrix_tiles (job->matrix, graph, error);
  const gint64 n = args->shape.lmax + 1, n_blocks = (n + BLOCK - 1) / BLOCK;
  gboolean ok = tiles != NULL;

  /* Rows with the longest sums are submitted first, so that all workers end at about the same
   * time. */
  for (gint64 i = n_blocks - 1; ok && i >= 0; i--)
    for (gint64 j = i; ok && j >= 0; j--)
      {
        const ArmillaTile *below = &tiles[i * n_blocks + j], *above = &tiles[j * n_blocks + i];
        const ArmillaUse uses[] = { { table->handle, STARPU_R },
                                    { below->handle, STARPU_W },
                                    { above->handle, STARPU_W } };

        args->shape.row = i * BLOCK;
        args->shape.n_rows = MIN (BLOCK, n - i * BLOCK);
        args->shape.col = j * BLOCK;
        args->shape.n_cols = MIN (BLOCK, n - j * BLOCK);
        ok = armilla_submit (graph, &armilla_coupling_cl, below->owner, args, sizeof *args, uses,
                             i == j ? 2 : 3, 0, error);
      }
  return ok;
}

static gboolean
submit (ArmillaGraph *graph, gpointer user, GError **error)
{
  static const enum starpu_data_access_mode modes[] = { STARPU_R, STARPU_W };
  const Job *job = user;
  const gint64 lmax = armilla_matrix_header (job->matrix)->rows.n - 1;
  const ArmillaTile *spectrum = armilla_cl_tile (job->mask, graph, error);
  ArmillaCouplingArgs args
    = { .fault = armilla_graph_fault (graph),
        .shape = { .lmax = lmax, .mask_lmax = MIN (job->mask_lmax, 2 * lmax),
                   .kinds = kinds_of (job->matrix), .isa = armilla_isa_detect () } };
  const gint64 size = armilla_coupling_table_size (lmax, args.shape.mask_lmax);
  const Table made = { armilla_cl_lmax (job->mask) + 1, lmax, args.shape.mask_lmax };
  ArmillaTile table = { 0 };
  gboolean ok;

  if (!spectrum || !armilla_tile_new (graph, 0, size, &table, error))
    return FALSE;
  const ArmillaTile tiles[] = { *spectrum, table };
  ok = armilla_host_step (graph, 0, tiles, modes, 2, make_table, g_memdup2 (&made, sizeof made),
                          g_free, error)
       && submit_blocks (graph, job, &table, &args, error);
  armilla_tile_drop (&table);
  return ok;
}

/* Requests the matrices by which a mask mixes the multipoles of spectra of fields of spin 0 and 2.
 * @mask: spectrum of the mask. Returns FALSE with ARMILLA_ERROR_SHAPE unless it is one spectrum
 * that reaches @mask_lmax. A mask that is 0 everywhere fails the run with ARMILLA_ERROR_VALUE. */
gboolean
armilla_graph_coupling (ArmillaGraph *graph, ArmillaCl *mask, gint64 mask_lmax,
                        ArmillaMatrix *matrix, GError **error)
{
  ArmillaData *input = ARMILLA_DATA (mask);
  Job *job;

  if (mask_lmax < 0 || mask_lmax > armilla_cl_lmax (mask))
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "the spectrum of the mask ends at l = %" G_GINT64_FORMAT ", but "
                         "multipoles are needed up to "
                         "%" G_GINT64_FORMAT, armilla_cl_lmax (mask), mask_lmax);
  if (armilla_cl_n_fields (mask) != 1)
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "%d spectra of a mask; must be one",
                         armilla_cl_n_fields (mask));
  job = g_new (Job, 1);
  *job = (Job) { g_object_ref (mask), g_object_ref (matrix), mask_lmax };
  armilla_graph_later (graph, &input, 1, submit, job, job_free);
  return TRUE;
}
