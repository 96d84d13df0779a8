/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forecasts a workflow on hypothetical nodes. */
#include "workflows/plan/forecast-run.h"

#include "tasks/graph/graph.h"
#include "tasks/harmonic/harmonic.h"
#include "workflows/file/passes.h"
#include "workflows/run/realisation.h"
#include "workflows/run/runner.h"
#include "workflows/run/together.h"

/* Number of realisations (or points of a sweep) that are simulated if there are more; at least two
 * batches of those computed together. The later ones are assumed to take as long as the last
 * simulated ones. */
#define PLAYED 4

typedef struct {
  const ArmillaWorkflow *workflow;
  ArmillaRuntime *runtime;
  ArmillaNodeModel *const *nodes;
  int n_nodes; /* number of simulated nodes */
  int n_ranks; /* number of ranks of the planned run */
  gboolean no_io;
} Plan;

/* Times of a sequence of realisations on simulated nodes. */
typedef struct {
  ArmillaTogether together; /* batches: number of realisations that are computed together */
  gint64 n;                 /* number of simulated realisations */
  ArmillaForecastResult result;
  double first, each; /* s of the first batch, and of each later one */
  ArmillaForecastShare work; /* work of each later batch */
} Series;

/* A simulated graph, and the state that its passes share. */
typedef struct {
  ArmillaForecast *forecast;
  ArmillaGraph *graph;
  ArmillaRealisation *once;
  ArmillaCollecting *collecting;
  ArmillaRunContext context;
} Record;

static void
record_clear (Record *self)
{
  g_clear_pointer (&self->once, armilla_realisation_free);
  g_clear_pointer (&self->graph, armilla_graph_free);
  g_clear_pointer (&self->collecting, armilla_collecting_free);
  g_clear_pointer (&self->forecast, armilla_forecast_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Record, record_clear)

/* A simulation with some costs omitted: its result, and the time of the passes after the
 * realisations. */
typedef struct {
  ArmillaForecastOptions options;
  ArmillaForecastResult result;
  double seconds, mean, busiest;
} Variant;

/* Returns a copy of the work that a forecast has recorded so far. (element-type
 * ArmillaForecastWork) */
static GArray *
copy_works (ArmillaForecast *forecast)
{
  guint n;
  const ArmillaForecastWork *works = armilla_forecast_works (forecast, &n);

  return g_array_append_vals (g_array_new (FALSE, FALSE, sizeof *works), works, n);
}

/* Adds the work that a forecast has recorded since @before to @works. */
static void
add_works (ArmillaForecast *forecast, const GArray *before, GArray *works)
{
  g_autoptr (GArray) all = copy_works (forecast);
  ArmillaForecastWork *more = (ArmillaForecastWork *) (gpointer) all->data;

  for (guint i = 0; i < all->len; i++)
    {
      ArmillaForecastWork *same = NULL;

      if (before != NULL && i < before->len)
        {
          more[i].n -= g_array_index (before, ArmillaForecastWork, i).n;
          more[i].seconds -= g_array_index (before, ArmillaForecastWork, i).seconds;
        }
      if (more[i].n == 0)
        continue;

      for (guint j = 0; same == NULL && j < works->len; j++)
        {
          ArmillaForecastWork *work = &g_array_index (works, ArmillaForecastWork, j);

          if (work->name == more[i].name && work->worker == more[i].worker)
            same = work;
        }
      if (same == NULL)
        {
          g_array_append_val (works, more[i]);
          continue;
        }
      same->n += more[i].n;
      same->seconds += more[i].seconds;
      same->estimated = same->estimated || more[i].estimated;
    }
}

/* Adds the time before the first realisation: a run starts StarPU, and prepares many realisations
 * to find errors, each of which takes @prepare s on this machine. */
static void
add_start (const Plan *plan, double prepare, ArmillaForecastReport *report)
{
  gint64 repeat = armilla_workflow_n_realisations (plan->workflow);
  double start = 0;

  if (repeat == 1)
    prepare = 0;
  for (int r = 0; r < plan->n_nodes; r++)
    start = MAX (start, plan->nodes[r]->start
                          + prepare * (double) MIN (repeat, 2 * ARMILLA_RUN_MAX_TRIES)
                              / armilla_node_model_submit_share (plan->nodes[r]));
  report->start = MAX (report->start, start);
}

/* Chooses which data realisations share, the size of batches, and the number of realisations to
 * simulate. */
static void
choose_together (const Plan *plan, ArmillaGraph *graph, ArmillaRealisation *once, Series *series)
{
  const gint64 repeat = armilla_workflow_n_realisations (plan->workflow);
  const gboolean whole = armilla_run_deals_whole (plan->workflow, repeat, plan->n_ranks);
  const gboolean many = armilla_graph_expect_skies (graph, repeat);
  double memory = G_MAXDOUBLE;

  for (int r = 0; r < plan->n_nodes; r++)
    if (plan->nodes[r]->memory > 0)
      memory = MIN (memory, plan->nodes[r]->memory * (whole ? 1 : plan->n_nodes));
  series->together = armilla_realisations_together (plan->workflow, once, memory, repeat,
                                                    whole ? plan->n_ranks : 1, 0);
  if (!many)
    series->together.n = 1;
  series->n = MIN (repeat, MAX (PLAYED, 2 * series->together.n));
}

/* Simulates the computation of data that are equal in all realisations, if a run would compute them
 * once. */
static ArmillaRealisation *
prepare_once (const Plan *plan, ArmillaGraph *graph, const ArmillaRunContext *context,
              Series *series, GError **error)
{
  g_autoptr (ArmillaRealisation) once
    = armilla_realisation_prepare_once (plan->workflow, context, error);

  if (once == NULL)
    return NULL;
  choose_together (plan, graph, once, series);
  if (!series->together.once
      || (armilla_realisation_build (once, graph, NULL, NULL, error)
          && armilla_graph_flush (graph, error)))
    return g_steal_pointer (&once);
  return NULL;
}

/* Submits @n passes from @first on, in batches of @together, as run-passes.c does. @prepare: (out):
 * minimum time to prepare a pass, s; the minimum, since other programs may disturb. */
static gboolean
submit (const Plan *plan, Record *self, gint64 first, gint64 n, gint64 together, double *prepare,
        GError **error)
{
  g_autoptr (GPtrArray) batch = armilla_realisations_new ();

  *prepare = plan->no_io ? 0 : G_MAXDOUBLE;
  for (gint64 i = 0; i < n; i++)
    {
      const gint64 begin = g_get_monotonic_time ();
      ArmillaRealisation *realisation;
      double seconds;

      self->context.pass = first + i;
      realisation = armilla_realisation_prepare (plan->workflow, &self->context, error);
      seconds = 1e-6 * (double) (g_get_monotonic_time () - begin);
      if (!plan->no_io)
        armilla_forecast_prepared (self->forecast, seconds);
      *prepare = MIN (*prepare, seconds);
      if (realisation == NULL)
        return FALSE;
      g_ptr_array_add (batch, realisation);
      if (!armilla_realisation_build (realisation, self->graph, NULL, NULL, error)
          || ((i + 1) % together == 0
              && !armilla_realisations_submit (batch, self->graph, NULL, NULL, error)))
        return FALSE;
    }
  return armilla_realisations_submit (batch, self->graph, NULL, NULL, error);
}

static gboolean
record (const Plan *plan, Record *self, Series *series, ArmillaForecastReport *report,
        GError **error)
{
  ArmillaTilingOptions tiling = { plan->workflow->ring_block, plan->workflow->m_blocks,
                                  plan->workflow->interpolation };
  double prepare;

  self->forecast = armilla_forecast_new (plan->nodes, plan->n_nodes, plan->no_io);
  self->graph = armilla_graph_new_forecast (plan->runtime, &tiling, self->forecast, error);
  if (self->graph == NULL)
    return FALSE;
  self->collecting = armilla_collecting_new_forecast (plan->workflow);
  self->context = (ArmillaRunContext) { .overwrite = TRUE, .n_ranks = plan->n_nodes, .rank = -1,
                                        .memories = plan->n_nodes,
                                        .collecting = self->collecting };
  armilla_workflow_expect (plan->workflow, self->graph);
  *series = (Series) { .together = { .n = 1 }, .n = 1 };
  if (armilla_workflow_n_passes (plan->workflow) > 1)
    {
      self->once = prepare_once (plan, self->graph, &self->context, series, error);
      if (self->once == NULL)
        return FALSE;
      self->context.once = self->once;
    }
  if (!submit (plan, self, 0, series->n, series->together.n, &prepare, error))
    return FALSE;
  report->n_played = series->n;
  g_free (report->cuts);
  report->cuts = armilla_graph_cuts (self->graph);
  add_works (self->forecast, NULL, report->works);
  add_start (plan, prepare, report);
  return TRUE;
}

/* Simulates @n more passes, each after all earlier ones, and adds @times their duration to each
 * variant. */
static gboolean
play_more (const Plan *plan, Record *record, gint64 first, gint64 n, double times, int n_variants,
           Variant *variants, GError **error)
{
  double prepare;

  armilla_forecast_wait (record->forecast);
  if (!submit (plan, record, first, n, 1, &prepare, error))
    return FALSE;
  for (int v = 0; v < n_variants; v++)
    {
      Variant *variant = &variants[v];
      const ArmillaForecastResult before = variant->result;

      if (!armilla_forecast_play (record->forecast, &variant->options, &variant->result, error))
        return FALSE;
      variant->seconds += times * (variant->result.seconds - before.seconds);
      variant->mean += times * (variant->result.mean - before.mean);
      variant->busiest += times * (variant->result.busiest - before.busiest);
    }
  return TRUE;
}

/* Adds the passes after the last realisation of each point, and after the last point. If ranks
 * compute whole realisations, each rank runs the pass of every n_ranks-th point. */
static gboolean
play_after (const Plan *plan, Record *record, int n_variants, Variant *variants,
            ArmillaForecastReport *report, GError **error)
{
  const ArmillaWorkflow *workflow = plan->workflow;
  const gint64 first = armilla_workflow_n_realisations (workflow);
  const gint64 end = armilla_workflow_n_passes (workflow) - 1; /* the last pass */
  const gboolean ends = armilla_pass_kind (workflow, end) == ARMILLA_PASS_END;
  const gint64 turns = plan->n_ranks / plan->n_nodes;
  const gint64 n = (end + !ends - first + turns - 1) / turns;
  const gint64 n_played = MIN (n, PLAYED);
  g_autoptr (GArray) before = copy_works (record->forecast);

  if (n > 0
      && !play_more (plan, record, first, n_played, (double) n / (double) n_played, n_variants,
                     variants, error))
    return FALSE;
  if (ends && !play_more (plan, record, end, 1, 1, n_variants, variants, error))
    return FALSE;
  add_works (record->forecast, before, report->after);
  return TRUE;
}

/* Returns the number of batches of realisations. */
static double
lots (const Series *series, gint64 n)
{
  return (double) n / (double) series->together.n;
}

static gboolean
play (ArmillaForecast *forecast, const ArmillaForecastOptions *options, Series *series,
      GError **error)
{
  const double further = lots (series, series->n) - 1;

  if (!armilla_forecast_play (forecast, options, &series->result, error))
    return FALSE;
  series->first = series->each = series->result.seconds;
  series->work = (ArmillaForecastShare) { .mean = series->result.mean,
                                          .busiest = series->result.busiest };
  if (further <= 0)
    return TRUE;
  series->first = 0;
  for (gint64 index = 0; index < series->together.n; index++)
    series->first = MAX (series->first, armilla_forecast_end_of (forecast, index));
  series->each = (series->result.seconds - series->first) / further;
  series->work = armilla_forecast_share_from (forecast, series->together.n);
  series->work.mean /= further;
  series->work.busiest /= further;
  /* At least the time of the work: the first batch may end late because it competes with the
   * others, which must not count as a gain. */
  series->each = MAX (series->each, series->work.min_seconds / further);
  return TRUE;
}

static double
extrapolate (const Series *series, gint64 n)
{
  return series->first + series->each * (lots (series, n) - 1);
}

/* Forecasts a run in which all ranks share each realisation. */
static gboolean
forecast_shared (const Plan *plan, ArmillaForecastReport *report, GError **error)
{
  const gint64 all = armilla_workflow_n_realisations (plan->workflow);
  Variant variants[] = { { .options = { .no_network = TRUE } },
                         { .options = { .no_submission = TRUE } }, { .seconds = 0 } };
  const Variant *real = &variants[2];
  double *seconds[] = { &report->without_network, &report->without_submission, &report->seconds };
  g_auto (Record) recorded = { NULL };
  double unplayed;
  Series series;

  if (!record (plan, &recorded, &series, report, error))
    return FALSE;
  for (int v = 0; v < 3; v++)
    {
      if (!play (recorded.forecast, &variants[v].options, &series, error))
        return FALSE;
      *seconds[v] = extrapolate (&series, all);
      variants[v].result = series.result;
    }
  if (!play_after (plan, &recorded, 3, variants, report, error))
    return FALSE;
  for (int v = 0; v < 3; v++)
    *seconds[v] += variants[v].seconds;
  report->graph = real->result;
  unplayed = lots (&series, all - series.n);
  report->mean = series.result.mean + series.work.mean * unplayed + real->mean;
  report->busiest = series.result.busiest + series.work.busiest * unplayed + real->busiest;
  return TRUE;
}

/* Simulates realisations on one rank, which computes whole ones, then the passes after them.
 * @after: time of these passes. */
static gboolean
play_alone (const Plan *plan, int rank, Series *series, Variant *after,
            ArmillaForecastReport *report, GError **error)
{
  Plan alone = *plan;
  g_auto (Record) recorded = { NULL };

  alone.nodes = plan->nodes + rank;
  alone.n_nodes = 1;
  *after = (Variant) { .seconds = 0 };
  if (!record (&alone, &recorded, series, report, error)
      || !play (recorded.forecast, NULL, series, error))
    return FALSE;
  after->result = series->result;
  return play_after (&alone, &recorded, 1, after, report, error);
}

static gboolean
forecast_dealt (const Plan *plan, ArmillaForecastReport *report, GError **error)
{
  g_autofree double *first = g_new (double, plan->n_nodes);
  g_autofree double *each = g_new (double, plan->n_nodes);
  /* s of work of one realisation, if all workers of the rank share it evenly */
  g_autofree double *work = g_new (double, plan->n_nodes);
  g_autofree gint64 *dealt = g_new (gint64, plan->n_nodes);
  const double n = (double) armilla_workflow_n_realisations (plan->workflow);
  gint64 together = 1;
  double per_second = 0, workers = 0;
  Variant last = { .seconds = 0 };

  for (int r = 0; r < plan->n_nodes; r++)
    {
      Variant after;
      Series series = { .together = { .n = 1 } };
      int same = 0;

      while (plan->nodes[same] != plan->nodes[r])
        same++;
      if (same == r && !play_alone (plan, r, &series, &after, report, error))
        return FALSE;
      first[r] = same == r ? series.first : first[same];
      each[r] = same == r ? series.each : each[same];
      work[r] = same == r ? series.work.mean / (double) series.together.n : work[same];
      together = MAX (together, series.together.n);
      if (same == r)
        {
          report->graph = after.result;
          last.seconds = MAX (last.seconds, after.seconds);
          last.mean = MAX (last.mean, after.mean);
          last.busiest = MAX (last.busiest, after.busiest);
        }
      per_second += (double) together / each[r];
    }
  report->seconds = armilla_forecast_deal (first, each, plan->n_nodes,
                                           (armilla_workflow_n_realisations (plan->workflow)
                                            + together - 1) / together,
                                           dealt);
  for (int r = 0; r < plan->n_nodes; r++)
    dealt[r] *= together;
  report->ideal = n / per_second;
  report->min_realisations = report->max_realisations = dealt[0];
  for (int r = 0; r < plan->n_nodes; r++)
    {
      report->min_realisations = MIN (report->min_realisations, dealt[r]);
      report->max_realisations = MAX (report->max_realisations, dealt[r]);
      report->busiest = MAX (report->busiest, (double) dealt[r] * work[r]);
      report->mean += (double) dealt[r] * work[r] * plan->nodes[r]->workers;
      workers += plan->nodes[r]->workers;
    }
  report->mean = report->mean / workers + last.mean;
  report->busiest += last.busiest;
  report->seconds += last.seconds;
  report->without_network = report->without_submission = report->seconds;
  return TRUE;
}

/* Predicts a run on n_nodes ranks. Opens the inputs to find their shapes, and computes nothing.
 * @runtime: has one rank and any worker. The caller must clear @report, also after an error of a
 * stage, or ARMILLA_ERROR_UNKNOWN if the durations of tasks are unknown. */
gboolean
armilla_forecast_workflow (const ArmillaWorkflow *workflow, ArmillaRuntime *runtime,
                           ArmillaNodeModel *const *nodes, int n_nodes, gboolean no_io,
                           ArmillaForecastReport *report, GError **error)
{
  const Plan plan = { workflow, runtime, nodes, n_nodes, n_nodes, no_io };

  *report = (ArmillaForecastReport) {
    .n_realisations = armilla_workflow_n_realisations (workflow) };
  report->works = g_array_new (FALSE, FALSE, sizeof (ArmillaForecastWork));
  report->after = g_array_new (FALSE, FALSE, sizeof (ArmillaForecastWork));
  report->whole = armilla_run_deals_whole (workflow, armilla_workflow_n_realisations (workflow),
                                           n_nodes);
  if (report->whole ? !forecast_dealt (&plan, report, error)
                    : !forecast_shared (&plan, report, error))
    return FALSE;
  report->seconds += report->start;
  report->without_network += report->start;
  report->without_submission += report->start;
  return TRUE;
}

/* Returns what limits the run. "redistribution" or "submission": the run would be at least a
 * twentieth shorter if messages, or submitting tasks, took no time (the one that saves more);
 * "work": all workers are nearly always busy; "deal": the workers of one rank are, or ranks wait at
 * the end for the last realisations; "waiting": tasks wait for each other. */
const char *
armilla_forecast_limit (const ArmillaForecastReport *report)
{
  const double run = report->seconds - report->start;
  const double gain_network = report->seconds - report->without_network;
  const double gain_submission = report->seconds - report->without_submission;

  if (MAX (gain_network, gain_submission) > 0.05 * run)
    return gain_network >= gain_submission ? "redistribution" : "submission";
  if (report->mean > 0.9 * run)
    return "work";
  if (report->whole)
    return report->ideal < 0.9 * run ? "deal" : "waiting";
  return report->busiest > 0.9 * run ? "deal" : "waiting";
}

void
armilla_forecast_report_clear (ArmillaForecastReport *report)
{
  g_clear_pointer (&report->cuts, g_free);
  g_clear_pointer (&report->works, g_array_unref);
  g_clear_pointer (&report->after, g_array_unref);
}
