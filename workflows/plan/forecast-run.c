/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A workflow on nodes that are not there. */
#include "workflows/plan/forecast-run.h"

#include "tasks/graph/graph.h"
#include "tasks/harmonic/harmonic.h"
#include "workflows/file/passes.h"
#include "workflows/run/realisation.h"
#include "workflows/run/runner.h"
#include "workflows/run/together.h"

/* So many realisations are played where there are more, or twice as many as are computed together:
 * the first begin with nothing to wait for, the others one behind another, each as long as the
 * last. */
#define PLAYED 4

typedef struct {
  const ArmillaWorkflow *workflow;
  ArmillaRuntime *runtime;
  ArmillaNodeModel *const *nodes;
  int n_nodes; /* that are played */
  int n_ranks; /* of the run */
  gboolean no_io;
} Plan;

/* What playing some realisations one after another has found. */
typedef struct {
  ArmillaTogether together; /* realisations that are computed at once */
  gint64 n;                 /* that were played */
  ArmillaForecastResult result;
  double first, each; /* s of the first ones that are computed together, and of any further ones */
  ArmillaForecastShare work; /* of any further ones */
} Series;

/* Adds the work of a forecast to that of others. */
static void
add_works (ArmillaForecast *forecast, GArray *works)
{
  guint n;
  const ArmillaForecastWork *more = armilla_forecast_works (forecast, &n);

  for (guint i = 0; i < n; i++)
    {
      ArmillaForecastWork *same = NULL;

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

/* Before a run begins its first realisation it has started StarPU, and prepared many of them to see
 * whether they can be: what takes @prepare s here. */
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

/* What realisations share, and how many of them are played: two lots. */
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
                                                    whole ? plan->n_ranks : 1);
  if (!many)
    series->together.n = 1;
  series->n = MIN (repeat, MAX (PLAYED, 2 * series->together.n));
}

/* What is the same in all realisations, made where a run makes it once. */
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

/* Submits the realisations that are played, as a run does, see run-passes.c; what comes after the
 * last one is left out. @prepare: (out): s that preparing one takes; what other
 * programs take is in longer ones. */
static gboolean
submit (const Plan *plan, ArmillaForecast *forecast, ArmillaGraph *graph,
        ArmillaRunContext context, const Series *series, double *prepare, GError **error)
{
  g_autoptr (GPtrArray) batch = armilla_realisations_new ();

  *prepare = plan->no_io ? 0 : G_MAXDOUBLE;
  for (context.pass = 0; context.pass < series->n; context.pass++)
    {
      const gint64 begin = g_get_monotonic_time ();
      ArmillaRealisation *realisation
        = armilla_realisation_prepare (plan->workflow, &context, error);
      const double seconds = 1e-6 * (double) (g_get_monotonic_time () - begin);

      if (!plan->no_io)
        armilla_forecast_prepared (forecast, seconds);
      *prepare = MIN (*prepare, seconds);
      if (realisation == NULL)
        return FALSE;
      g_ptr_array_add (batch, realisation);
      if (!armilla_realisation_build (realisation, graph, NULL, NULL, error)
          || ((context.pass + 1) % series->together.n == 0
              && !armilla_realisations_submit (batch, graph, NULL, NULL, error)))
        return FALSE;
    }
  return armilla_realisations_submit (batch, graph, NULL, NULL, error);
}

static gboolean
record (const Plan *plan, ArmillaForecast *forecast, Series *series,
        ArmillaForecastReport *report, GError **error)
{
  ArmillaTilingOptions tiling = { plan->workflow->ring_block, plan->workflow->m_blocks,
                                  plan->workflow->interpolation };
  ArmillaRunContext context = { .overwrite = TRUE, .n_ranks = plan->n_nodes, .rank = -1,
                                .memories = plan->n_nodes };
  g_autoptr (ArmillaCollecting) collecting = NULL;
  g_autoptr (ArmillaRealisation) once = NULL;
  double prepare;
  g_autoptr (ArmillaGraph) graph
    = armilla_graph_new_forecast (plan->runtime, &tiling, forecast, error);

  if (graph == NULL)
    return FALSE;
  context.collecting = collecting = armilla_collecting_new_forecast (plan->workflow);
  armilla_workflow_expect (plan->workflow, graph);
  *series = (Series) { .together = { .n = 1 }, .n = 1 };
  if (armilla_workflow_n_passes (plan->workflow) > 1
      && (context.once = once = prepare_once (plan, graph, &context, series, error)) == NULL)
    return FALSE;
  if (!submit (plan, forecast, graph, context, series, &prepare, error))
    return FALSE;
  report->n_played = series->n;
  g_free (report->cuts);
  report->cuts = armilla_graph_cuts (graph);
  add_works (forecast, report->works);
  add_start (plan, prepare, report);
  return TRUE;
}

/* How many times some are computed together. */
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
  /* The first ones may end late, as later ones take turns with them: no such gain comes again. */
  series->each = MAX (series->each, series->work.least / further);
  return TRUE;
}

static double
extrapolate (const Series *series, gint64 n)
{
  return series->first + series->each * (lots (series, n) - 1);
}

/* All ranks share each realisation. */
static gboolean
forecast_shared (const Plan *plan, ArmillaForecastReport *report, GError **error)
{
  const ArmillaForecastOptions without[] = { { .no_network = TRUE }, { .no_submission = TRUE } };
  const gint64 all = armilla_workflow_n_realisations (plan->workflow);
  g_autoptr (ArmillaForecast) forecast
    = armilla_forecast_new (plan->nodes, plan->n_nodes, plan->no_io);
  double unplayed;
  Series series;

  if (!record (plan, forecast, &series, report, error)
      || !play (forecast, &without[0], &series, error))
    return FALSE;
  report->without_network = extrapolate (&series, all);
  if (!play (forecast, &without[1], &series, error))
    return FALSE;
  report->without_submission = extrapolate (&series, all);
  if (!play (forecast, NULL, &series, error))
    return FALSE;
  report->seconds = extrapolate (&series, all);
  report->graph = series.result;
  unplayed = lots (&series, all - series.n);
  report->mean = series.result.mean + series.work.mean * unplayed;
  report->busiest = series.result.busiest + series.work.busiest * unplayed;
  return TRUE;
}

/* What a rank takes that computes whole realisations; the same for nodes of one model. */
static gboolean
play_alone (const Plan *plan, int rank, Series *series, ArmillaForecastReport *report,
            GError **error)
{
  Plan alone = *plan;
  g_autoptr (ArmillaForecast) forecast = NULL;

  alone.nodes = plan->nodes + rank;
  alone.n_nodes = 1;
  forecast = armilla_forecast_new (alone.nodes, 1, plan->no_io);
  return record (&alone, forecast, series, report, error)
         && play (forecast, NULL, series, error);
}

static gboolean
forecast_dealt (const Plan *plan, ArmillaForecastReport *report, GError **error)
{
  g_autofree double *first = g_new (double, plan->n_nodes);
  g_autofree double *each = g_new (double, plan->n_nodes);
  g_autofree double *work = g_new (double, plan->n_nodes); /* s of one, evenly shared */
  g_autofree gint64 *dealt = g_new (gint64, plan->n_nodes);
  const double n = (double) armilla_workflow_n_realisations (plan->workflow);
  gint64 together = 1;
  double per_second = 0, workers = 0;

  for (int r = 0; r < plan->n_nodes; r++)
    {
      Series series = { .together = { .n = 1 } };
      int same = 0;

      while (plan->nodes[same] != plan->nodes[r])
        same++;
      if (same == r && !play_alone (plan, r, &series, report, error))
        return FALSE;
      first[r] = same == r ? series.first : first[same];
      each[r] = same == r ? series.each : each[same];
      work[r] = same == r ? series.work.mean / (double) series.together.n : work[same];
      together = MAX (together, series.together.n);
      if (same == r)
        report->graph = series.result;
      per_second += (double) together / each[r];
    }
  report->seconds = armilla_forecast_deal (first, each, plan->n_nodes,
                                           (armilla_workflow_n_realisations (plan->workflow)
                                            + together - 1) / together,
                                           dealt);
  for (int r = 0; r < plan->n_nodes; r++)
    dealt[r] *= together;
  report->without_network = report->without_submission = report->seconds;
  report->ideal = n / per_second;
  report->least = report->most = dealt[0];
  for (int r = 0; r < plan->n_nodes; r++)
    {
      report->least = MIN (report->least, dealt[r]);
      report->most = MAX (report->most, dealt[r]);
      report->busiest = MAX (report->busiest, (double) dealt[r] * work[r]);
      report->mean += (double) dealt[r] * work[r] * plan->nodes[r]->workers;
      workers += plan->nodes[r]->workers;
    }
  report->mean /= workers;
  return TRUE;
}

/* Forecasts a run on n_nodes ranks: opens the inputs for their shapes and computes nothing.
 * runtime has one rank and any worker. The caller clears report, also after an error: a stage's,
 * or ARMILLA_ERROR_UNKNOWN for tasks without model and peaks. */
gboolean
armilla_forecast_workflow (const ArmillaWorkflow *workflow, ArmillaRuntime *runtime,
                           ArmillaNodeModel *const *nodes, int n_nodes, gboolean no_io,
                           ArmillaForecastReport *report, GError **error)
{
  const Plan plan = { workflow, runtime, nodes, n_nodes, n_nodes, no_io };

  *report = (ArmillaForecastReport) {
    .n_realisations = armilla_workflow_n_realisations (workflow) };
  report->works = g_array_new (FALSE, FALSE, sizeof (ArmillaForecastWork));
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

/* Returns what bounds the run: "redistribution" (messages) or "submission", whichever shortens
 * it most if free, by at least a twentieth; "work" if all workers are nearly always busy; "deal"
 * if those of one rank are, or ranks wait for others at the end; else "waiting" of tasks for
 * each other. */
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
}
