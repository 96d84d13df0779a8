/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs on points: synthesis, its adjoint and least squares. */
#include "config.h"

#include "tasks/points/points.h"

#include <armilla/memory.h>
#include <math.h>

#include "core/catalogues/catalogue.h"
#include "tasks/data/objects.h"
#include "tasks/graph/ledger.h"
#include "tasks/harmonic/analysis-private.h"
#include "tasks/points/points-work.h"

/* values that a thread checks at a time */
#define CHECKED 65536
/* expected number of iterations of least squares, to estimate the work */
#define USUAL_ITERATIONS 10

/* Argument of jobs that read values: the location of the values. */
typedef struct {
  int *columns;                /* [field]: further columns of the catalogue; NULL: in rows */
  const ArmillaArrayRow *rows; /* [field] */
} Values;

static void
values_free (gpointer data)
{
  Values *self = data;

  g_free (self->columns);
  g_free (self);
}

static ArmillaArrayRow
row_of_column (double *column)
{
  return (ArmillaArrayRow) { .data = (char *) column, .stride = sizeof *column, .n_reals = 1 };
}

/* Computes the values of the a_lm of a job into the rows. */
static gboolean
compute_values (ArmillaGraph *graph, ArmillaJob *job, const ArmillaArrayRow *rows, GError **error)
{
  ArmillaAlm *alm = ARMILLA_ALM (job->in[0]);
  const ArmillaTile *tiles = armilla_alm_tiles (alm, graph, error);
  ArmillaPointsWork work = { 0 };
  const gboolean ok
    = tiles
      && armilla_points_work_begin (&work, graph, ARMILLA_TRANSFORMS_SYNTHESIS, alm, job, error)
      && armilla_points_synthesise (&work, tiles, error)
      && armilla_points_take_values (&work, rows, error);

  armilla_points_work_end (&work);
  armilla_sorted_points_trim (graph);
  return ok;
}

static gboolean
run_rows (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  return compute_values (graph, job, job->user, error);
}

static gboolean
run_points (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  ArmillaObjects *out = ARMILLA_OBJECTS (job->out);
  ArmillaCatalogue *points = armilla_objects_catalogue (ARMILLA_OBJECTS (job->in[1]), error);
  const int n_fields = armilla_alm_n_fields (ARMILLA_ALM (job->in[0]));
  g_autofree double **columns = g_new0 (double *, n_fields);
  g_autofree ArmillaArrayRow *rows = g_new (ArmillaArrayRow, n_fields);
  g_autoptr (ArmillaCatalogue) made
    = points ? armilla_objects_with_columns (out, points, n_fields, columns, error) : NULL;

  for (int f = 0; made && f < n_fields; f++)
    rows[f] = row_of_column (columns[f]);
  if (!made || !compute_values (graph, job, rows, error))
    return FALSE;
  armilla_objects_set_catalogue (out, made);
  armilla_ledger_note_objects (graph, job->label->node, made->n);
  return TRUE;
}

/* A column whose values are checked. */
typedef struct {
  const ArmillaCatalogueValue *value;
  gint64 n;
  gint bad; /* atomic: whether some value is not finite */
} Check;

static void
check_part (gpointer user, gint64 part, int member)
{
  Check *self = user;
  const gint64 end = MIN ((part + 1) * CHECKED, self->n);
  double sum = 0;

  (void) member;
  for (gint64 i = part * CHECKED; i < end; i++)
    sum += 0 * self->value->value[i];
  if (sum != 0)
    g_atomic_int_set (&self->bad, TRUE);
}

static gboolean
check_values (ArmillaGraph *graph, const ArmillaCatalogueValue *value, gint64 n, GError **error)
{
  Check check = { value, n, FALSE };

  armilla_graph_use_cores (graph, (n + CHECKED - 1) / CHECKED, check_part, &check);
  for (gint64 i = 0; check.bad && i < n; i++)
    if (!isfinite (value->value[i]))
      return armilla_fail (error, ARMILLA_ERROR_NUMERIC,
                           "column %s: the value of object %" G_GINT64_FORMAT " is not finite; "
                           "select-rows can exclude such objects", value->name, i + 1);
  return TRUE;
}

/* Finds the values of each field of a job. Those of columns are checked; in rows of a caller they
 * may be NaN, which propagates. */
static gboolean
find_rows (ArmillaGraph *graph, ArmillaJob *job, int n_fields, ArmillaArrayRow *rows,
           GError **error)
{
  const Values *values = job->user;
  const ArmillaCatalogue *catalogue
    = values->rows ? NULL : armilla_objects_catalogue (ARMILLA_OBJECTS (job->in[0]), error);

  for (int f = 0; values->rows && f < n_fields; f++)
    rows[f] = values->rows[f];
  for (int f = 0; catalogue && f < n_fields; f++)
    {
      const ArmillaCatalogueValue *value = &catalogue->values[values->columns[f]];

      if (!check_values (graph, value, catalogue->n, error))
        return FALSE;
      rows[f] = row_of_column (value->value);
    }
  return values->rows || catalogue;
}

/* Submits the adjoint of the values of a job. */
static gboolean
submit_adjoint (ArmillaPointsWork *work, ArmillaGraph *graph, ArmillaJob *job,
                const ArmillaTile *alm, GError **error)
{
  const int n_fields = armilla_alm_n_fields (ARMILLA_ALM (job->out));
  g_autofree ArmillaArrayRow *rows = g_new (ArmillaArrayRow, n_fields);
  const gboolean ok
    = find_rows (graph, job, n_fields, rows, error)
      && armilla_points_work_begin (work, graph, ARMILLA_TRANSFORMS_ANALYSIS,
                                    ARMILLA_ALM (job->out), job, error)
      && armilla_points_give_values (work, rows, error)
      && armilla_points_adjoin (work, alm, error);

  if (ok)
    armilla_points_drop_values (work);
  return ok;
}

static gboolean
run_adjoint (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  const ArmillaTile *tiles = armilla_alm_tiles (ARMILLA_ALM (job->out), graph, error);
  ArmillaPointsWork work = { 0 };
  const gboolean ok = tiles && submit_adjoint (&work, graph, job, tiles, error);

  armilla_points_work_end (&work);
  armilla_sorted_points_trim (graph);
  return ok;
}

/* State of least squares: the adjoint, whose data all passes share. */
typedef struct {
  ArmillaPointsWork *adjoint;
  const ArmillaJob *job;
} Fit;

/* #ArmillaNormal: submits out <- A'A x; the values stay in the tiles of the bands. */
static gboolean
normal_pass (gpointer user, const ArmillaTile *x, const ArmillaTile *out, GError **error)
{
  const Fit *self = user;
  ArmillaPointsWork *adjoint = self->adjoint, forward = { 0 };
  gboolean ok
    = armilla_points_work_begin (&forward, adjoint->graph, ARMILLA_TRANSFORMS_SYNTHESIS,
                                 ARMILLA_ALM (self->job->out), self->job, error)
      && armilla_points_synthesise (&forward, x, error);

  for (int b = 0; ok && b < forward.points->rings->n; b++)
    {
      adjoint->values[b] = forward.values[b];
      forward.values[b] = (ArmillaTile) { 0 };
    }
  armilla_points_work_end (&forward);
  ok = ok && armilla_points_adjoin (adjoint, out, error);
  armilla_points_drop_values (adjoint);
  return ok;
}

/* Returns the number of real numbers that the a_lm of a field have. */
static gint64
count_unknowns (ArmillaAlmLayout layout, int spin)
{
  gint64 n = 0;

  for (gint64 l = spin; l <= layout.lmax; l++)
    n += 2 * MIN (l, layout.mmax) + 1;
  return n;
}

/* Checks that there are as many points as a field has unknowns. */
static gboolean
check_count (ArmillaAlm *alm, const ArmillaJob *job, GError **error)
{
  const ArmillaAlmLayout layout = armilla_alm_layout (alm);
  const ArmillaPositions *angles = ((const ArmillaPointsNeed *) job->args)->angles;
  const ArmillaCatalogue *catalogue
    = angles ? NULL : armilla_objects_catalogue (ARMILLA_OBJECTS (job->in[0]), error);
  const gint64 n = angles ? angles->n : catalogue ? catalogue->n : 0;

  if (!angles && !catalogue)
    return FALSE;

  for (int f = 0; f < armilla_alm_n_fields (alm); f++)
    {
      const gint64 unknowns = count_unknowns (layout, armilla_alm_spins (alm)[f]);

      if (n < unknowns)
        return armilla_fail (error, ARMILLA_ERROR_VALUE,
                             "lmax = %" G_GINT64_FORMAT ": a field has %" G_GINT64_FORMAT
                             " unknowns, but there are %" G_GINT64_FORMAT " points; choose a "
                             "lower lmax", layout.lmax, unknowns, n);
    }
  return TRUE;
}

static gboolean
run_fit (ArmillaGraph *graph, ArmillaJob *job, GError **error)
{
  ArmillaAlm *alm = ARMILLA_ALM (job->out);
  const ArmillaPointsNeed *need = job->args;
  const ArmillaTile *tiles = armilla_alm_tiles (alm, graph, error);
  ArmillaPointsWork adjoint = { 0 };
  Fit fit = { &adjoint, job };
  const ArmillaEquations equations
    = { .normal = normal_pass, .user = &fit, .tolerance = need->tolerance,
        .max_iterations = need->max_iterations,
        .advice = "raise max-iterations, or choose a lower lmax, if the points leave parts of the "
                  "sky empty" };
  const gboolean ok
    = tiles && check_count (alm, job, error)
      && submit_adjoint (&adjoint, graph, job, tiles, error)
      && armilla_conjugate_gradients (&adjoint.transform, tiles, &equations, error);

  armilla_points_work_end (&adjoint);
  armilla_sorted_points_trim (graph);
  if (ok && job->label->node)
    {
      double residual;
      const int n = armilla_graph_iterations (graph, &residual);

      armilla_graph_note (graph, job->label->node,
                          "conjugate gradients: %d iterations, relative residual %.2g", n,
                          residual);
    }
  return ok;
}

gboolean
armilla_points_check_epsilon (double epsilon, GError **error)
{
  if (epsilon >= ARMILLA_POINTS_MIN_EPSILON && epsilon <= ARMILLA_POINTS_MAX_EPSILON)
    return TRUE;
  return armilla_fail (error, ARMILLA_ERROR_VALUE, "epsilon = %g: must be from %g to %g", epsilon,
                       ARMILLA_POINTS_MIN_EPSILON, ARMILLA_POINTS_MAX_EPSILON);
}

/* Checks the a_lm and epsilon of any job on points. */
static gboolean
check (ArmillaAlm *alm, double epsilon, GError **error)
{
  return armilla_points_check_epsilon (epsilon, error)
         && armilla_alm_layout_check (armilla_alm_layout (alm), error);
}

/* Adds a job, whose work is about that of a transform on the grid and of the points. */
static void
defer (ArmillaGraph *graph, ArmillaJob *job, ArmillaAlm *alm, ArmillaPointsNeed need)
{
  const ArmillaAlmLayout layout = armilla_alm_layout (alm);
  const gint64 n = need.angles ? need.angles->n
                               : armilla_objects_expected (ARMILLA_OBJECTS (job->in[need.input]));

  need.layout = layout;
  job->times = need.tolerance > 0 ? 1 + 2 * MIN (need.max_iterations, USUAL_ITERATIONS) : 1;
  job->work = job->times * armilla_alm_n_fields (alm)
              * (4.0 * (double) (layout.lmax + 1) * (double) (layout.lmax + 1)
                   * (double) (layout.mmax + 1)
                 + 200.0 * (double) n);
  armilla_graph_defer_points (graph, job, &need);
}

gboolean
armilla_graph_points (ArmillaGraph *graph, ArmillaAlm *alm, ArmillaObjects *points, double epsilon,
                      ArmillaObjects *out, GError **error)
{
  ArmillaJob job = { .run = run_points,
                     .in = { ARMILLA_DATA (alm), ARMILLA_DATA (points) },
                     .out = ARMILLA_DATA (out) };
  const int more = armilla_objects_like (out)->n_values - armilla_objects_like (points)->n_values;

  if (more != armilla_alm_n_fields (alm))
    return armilla_fail (error, ARMILLA_ERROR_SHAPE,
                         "the output has %d further column(s), the a_lm %d field(s); they must "
                         "have the same number", more, armilla_alm_n_fields (alm));
  if (!check (alm, epsilon, error))
    return FALSE;
  defer (graph, &job, alm, (ArmillaPointsNeed) { .epsilon = epsilon, .input = 1 });
  return TRUE;
}

gboolean
armilla_graph_points_rows (ArmillaGraph *graph, ArmillaAlm *alm, const ArmillaPositions *points,
                           const ArmillaArrayRow *rows, GError **error)
{
  ArmillaJob job = { .run = run_rows, .in = { ARMILLA_DATA (alm) }, .user = (gpointer) rows };

  if (!check (alm, points->epsilon, error))
    return FALSE;
  defer (graph, &job, alm, (ArmillaPointsNeed) { .epsilon = points->epsilon, .angles = points });
  return TRUE;
}

/* Requests the adjoint of values at the points of @need, or of a catalogue, or least squares. */
static gboolean
request (ArmillaGraph *graph, ArmillaObjects *points, const Values *values,
         ArmillaPointsNeed need, const ArmillaAnalysis *fit, ArmillaAlm *alm, GError **error)
{
  ArmillaJob job = { .run = fit ? run_fit : run_adjoint, .in = { (ArmillaData *) points },
                     .out = ARMILLA_DATA (alm), .destroy = values_free };

  if (!check (alm, need.epsilon, error))
    return FALSE;
  job.user = g_memdup2 (values, sizeof *values);
  need.tolerance = fit ? fit->tolerance : 0;
  need.max_iterations = fit ? fit->max_iterations : 0;
  defer (graph, &job, alm, need);
  return TRUE;
}

gboolean
armilla_graph_adjoint_points (ArmillaGraph *graph, ArmillaObjects *points, const int *columns,
                              double epsilon, const ArmillaAnalysis *fit, ArmillaAlm *alm,
                              GError **error)
{
  const ArmillaCatalogue *like = armilla_objects_like (points);
  const int n_fields = armilla_alm_n_fields (alm);
  Values values = { .rows = NULL };

  for (int f = 0; f < n_fields; f++)
    if (columns[f] < 0 || columns[f] >= like->n_values)
      return armilla_fail (error, ARMILLA_ERROR_SHAPE, "the catalogue has no further column %d",
                           columns[f]);
  values.columns = g_memdup2 (columns, sizeof (int) * (gsize) n_fields);
  if (request (graph, points, &values, (ArmillaPointsNeed) { .epsilon = epsilon }, fit, alm,
               error))
    return TRUE;
  g_free (values.columns);
  return FALSE;
}

gboolean
armilla_graph_adjoint_points_rows (ArmillaGraph *graph, const ArmillaPositions *points,
                                   const ArmillaArrayRow *rows, const ArmillaAnalysis *fit,
                                   ArmillaAlm *alm, GError **error)
{
  const ArmillaPointsNeed need = { .epsilon = points->epsilon, .angles = points };

  return request (graph, NULL, &(Values) { .rows = rows }, need, fit, alm, error);
}

double
armilla_points_bytes (ArmillaAlmLayout layout, double epsilon, int n_fields, gint64 n)
{
  /* doubles per point: positions and order, twice while points are sorted; later the values */
  const double of_point = MAX (5.75, 3 + n_fields);
  gint64 n_rings, n_columns;
  double grid, delta; /* numbers of a field: samples of the grid, Delta on all of its rings */

  armilla_points_grid_size (layout, epsilon, &n_rings, &n_columns);
  grid = (double) n_rings * (double) n_columns;
  delta = 2.0 * (double) n_rings * (double) (layout.mmax + 1);
  return sizeof (double) * ((grid + delta) * n_fields + of_point * (double) n);
}
