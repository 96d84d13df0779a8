/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workflows/program/commands.h"

#include <stdio.h>

#include "core/base/printable.h"
#include "tasks/runtime/runtime.h"
#include "workflows/plan/forecast-run.h"

#define MAX_NODES 65536

typedef struct {
  ArmillaOverrides overrides;
  char *nodes;
  gboolean measure, no_io, json;
  char **files;
} PlanWords;

static gboolean
parse_plan_words (char **words, PlanWords *plan)
{
  const GOptionEntry entries[] = {
    { "nodes", 0, 0, G_OPTION_ARG_FILENAME, &plan->nodes,
      "number and kind of nodes (without a number: one), with one rank per node; several are "
      "separated by commas; a kind is a file or the name of one that is shipped with Armilla",
      "[Nx]KIND[,[Nx]KIND...]" },
    ARMILLA_OVERRIDE_OPTIONS (plan->overrides),
    { "no-io", 0, 0, G_OPTION_ARG_NONE, &plan->no_io,
      "omit the time of reading, drawing and writing, and of moving tiles to the rank that writes "
      "them",
      NULL },
    { "json", 0, 0, G_OPTION_ARG_NONE, &plan->json, "print JSON", NULL },
    { "measure", 0, 0, G_OPTION_ARG_NONE, &plan->measure,
      "print a node file for --nodes, measured from traces of runs on such a node", NULL },
    { NULL, 0, 0, 0, NULL, NULL, NULL },
  };

  if (!armilla_parse_words (words, "FILE | --measure TRACE.json...",
                            "Forecasts the duration of a workflow on nodes that are not available, "
                            "and its limits.\nNothing is computed or written.",
                            entries, 1, G_MAXINT, &plan->files))
    return FALSE;
  if (plan->measure && !plan->nodes && !plan->no_io && !plan->json && !plan->overrides.set
      && !plan->overrides.define)
    return TRUE;
  if (plan->measure)
    return armilla_refuse ("armilla plan: --measure accepts traces, and no other option");
  if (g_strv_length (plan->files) != 1)
    return armilla_refuse ("armilla plan: accepts one workflow at a time");
  return plan->nodes != NULL || armilla_refuse ("armilla plan: --nodes [Nx]KIND is missing");
}

static void
unref_model (gpointer model)
{
  armilla_node_model_unref (model);
}

/* Splits a word of --nodes, NxFILE or FILE (one node). Returns FILE. */
static const char *
split_kind (const char *kind, guint64 *n)
{
  char *end;
  guint64 number = g_ascii_strtoull (kind, &end, 10);

  if (end == kind || *end != 'x')
    return kind;
  *n = number;
  return end + 1;
}

static GPtrArray *
read_nodes (const char *text, GError **error)
{
  g_autoptr (GPtrArray) nodes = g_ptr_array_new_with_free_func (unref_model);
  g_auto (GStrv) kinds = g_strsplit (text, ",", -1);

  for (char **kind = kinds; *kind != NULL; kind++)
    {
      g_autoptr (ArmillaNodeModel) model = NULL;
      g_autofree char *path = NULL;
      guint64 n = 1;
      const char *name = split_kind (*kind, &n);

      if (*name == '\0' || n < 1 || n > MAX_NODES - nodes->len)
        return armilla_fail_null (error, ARMILLA_ERROR_VALUE,
                                  "armilla plan: --nodes: \"%s\" is not a file; must be a file, or "
                                  "a number of nodes (at most %d), x, and a file",
                                  *kind, MAX_NODES);
      path = armilla_find_node_file (name, error);
      model = path != NULL ? armilla_node_model_read (path, error) : NULL;
      if (model == NULL)
        return NULL;
      for (guint64 i = 0; i < n; i++)
        g_ptr_array_add (nodes, armilla_node_model_ref (model));
    }
  return g_steal_pointer (&nodes);
}

/* Makes stages use the memory of the planned nodes, not of this machine, as the available
 * memory. */
static void
set_memory (const GPtrArray *nodes)
{
  double min_memory = G_MAXINT64 / 2;
  g_autofree char *text = NULL;

  for (guint i = 0; i < nodes->len; i++)
    min_memory
      = MIN (min_memory, ((const ArmillaNodeModel *) g_ptr_array_index (nodes, i))->memory);
  text = g_strdup_printf ("%.0f B", min_memory);
  g_setenv ("ARMILLA_MEMORY", text, TRUE); /* no other thread exists yet */
}

static const char *const worker_names[ARMILLA_NODE_WORKERS] = { "CPU", "CUDA", "host" };

/* Prints works as JSON; the names of codelets and stages need no escapes. */
static void
print_json_works (const char *key, const GArray *works)
{
  printf ("\"%s\": [", key);
  for (guint i = 0; i < works->len; i++)
    {
      const ArmillaForecastWork *work = &g_array_index (works, ArmillaForecastWork, i);

      printf ("%s{\"name\": \"%s\", \"on\": \"%s\", \"count\": %" G_GINT64_FORMAT
              ", \"total\": %.6g, \"estimated\": %s}",
              i > 0 ? ", " : "", work->name, worker_names[work->worker], work->n, work->seconds,
              work->estimated ? "true" : "false");
    }
  printf ("]");
}

/* Lists nodes that the plan omits: they read files that the run writes, so their shapes are known
 * only during a run. */
static char *
list_left_out (const ArmillaWorkflow *workflow, const char *quote)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < workflow->order->len; i++)
    {
      const ArmillaNode *node
        = armilla_workflow_node (workflow, g_array_index (workflow->order, int, i));

      if (node->phase > 0)
        g_string_append_printf (text, "%s%s%s%s", text->len > 0 ? ", " : "", quote, node->name,
                                quote);
    }
  return g_string_free (text, FALSE);
}

static void
print_left_out (const ArmillaWorkflow *workflow)
{
  g_autofree char *names = list_left_out (workflow, "");

  if (*names != '\0')
    printf ("  not in this forecast, since they come after files that the run writes: %s\n", names);
}

static void
print_json (const ArmillaForecastReport *report, guint n, const ArmillaWorkflow *workflow)
{
  g_autofree char *left_out = list_left_out (workflow, "\"");
  const ArmillaForecastResult *graph = &report->graph;

  printf ("{\"nodes\": %u, \"realisations\": %" G_GINT64_FORMAT ", \"played\": %"
          G_GINT64_FORMAT ", \"dealt\": \"%s\", "
          "\"seconds\": %.6g, \"mean\": %.6g, \"busiest\": %.6g, "
          "\"without_network\": %.6g, "
          "\"without_submission\": %.6g, \"start\": %.6g, \"limit\": \"%s\", \"tasks\": %"
          G_GINT64_FORMAT ", \"messages\": %" G_GINT64_FORMAT
          ", \"bytes\": %.6g, \"port\": %.6g, \"submission\": %.6g, ",
          n, report->n_realisations, report->n_played,
          report->whole ? "realisations" : "blocks", report->seconds,
          report->mean, report->busiest, report->without_network, report->without_submission,
          report->start, armilla_forecast_limit (report), graph->n_tasks, graph->n_messages,
          graph->bytes, graph->port, graph->submission);
  print_json_works ("work", report->works);
  printf (", ");
  print_json_works ("after", report->after);
  printf (", \"left_out\": [%s]}\n", left_out);
}

static int
compare_works (gconstpointer a, gconstpointer b)
{
  const ArmillaForecastWork *x = a, *y = b;

  return (x->seconds < y->seconds) - (x->seconds > y->seconds);
}

/* Prints the work of all codelets and steps, longest first. Marks those without measured rate.
 * Returns whether there is such work. */
static gboolean
print_works (GArray *works)
{
  gboolean estimated = FALSE;

  g_array_sort (works, compare_works);
  if (works->len > 0)
    printf ("  %-24s %-5s %9s %12s\n", "work", "on", "tasks", "total s");
  for (guint i = 0; i < works->len; i++)
    {
      const ArmillaForecastWork *work = &g_array_index (works, ArmillaForecastWork, i);

      printf ("  %-24s %-5s %9" G_GINT64_FORMAT " %12.4g%s\n", work->name,
              worker_names[work->worker], work->n, work->seconds, work->estimated ? " *" : "");
      estimated = estimated || work->estimated;
    }
  return estimated;
}

static void
print_text (const ArmillaForecastReport *report, guint n)
{
  const ArmillaForecastResult *graph = &report->graph;
  gboolean estimated;

  printf ("%u node%s, %" G_GINT64_FORMAT " realisation%s\n", n, n == 1 ? "" : "s",
          report->n_realisations, report->n_realisations == 1 ? "" : "s");
  armilla_print_indented (stdout, report->cuts);
  if (report->whole)
    printf ("  each node computes whole realisations: %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT
            "\n",
            report->min_realisations, report->max_realisations);
  printf ("  forecast            %10.4f s, from the start of the program to the end of the last "
          "task\n",
          report->seconds);
  printf ("  before it computes  %10.4f s of it: StarPU starts, inputs are opened\n",
          report->start);
  printf ("  work, evenly shared %10.4f s, %.1f %% of it\n", report->mean,
          100 * report->mean / report->seconds);
  printf ("  work of the busiest %10.4f s\n", report->busiest);
  if (!report->whole)
    {
      printf ("  if messages took no time    %10.4f s\n", report->without_network);
      printf ("  if submission took no time  %10.4f s\n", report->without_submission);
      printf ("  %" G_GINT64_FORMAT " tasks, %" G_GINT64_FORMAT
              " messages, %.4g GB; the busiest port needs %.4f s, submission %.4f s\n",
              graph->n_tasks, graph->n_messages, 1e-9 * graph->bytes, graph->port,
              graph->submission);
    }
  printf ("  limit: %s\n", armilla_forecast_limit (report));
  if (report->n_realisations > report->n_played)
    printf ("  of %" G_GINT64_FORMAT " simulated realisations:\n", report->n_played);
  estimated = print_works (report->works);
  if (report->after->len > 0)
    printf ("  after the last realisation:\n");
  if (print_works (report->after) || estimated)
    printf ("  * has no rate in the node file, and is estimated from its operations and bytes at "
            "the node's peaks: a lower limit\n");
}

static ArmillaExit
forecast (const PlanWords *plan, const ArmillaWorkflow *workflow, const GPtrArray *nodes)
{
  g_auto (ArmillaForecastReport) report = { 0 };
  g_autoptr (GError) error = NULL;
  ArmillaRuntime *runtime;
  ArmillaExit status;
  gboolean ok;

  armilla_set_workers (1, 0); /* StarPU does not start without a worker, though it gets no tasks */
  runtime = armilla_start (NULL, NULL, &status);
  if (runtime == NULL)
    return status;
  armilla_runtime_pause (runtime);
  ok = armilla_forecast_workflow (workflow, runtime, (ArmillaNodeModel *const *) nodes->pdata,
                                  (int) nodes->len, plan->no_io, &report, &error);
  if (!ok)
    armilla_say (error);
  else if (plan->json)
    print_json (&report, nodes->len, workflow);
  else
    {
      print_text (&report, nodes->len);
      print_left_out (workflow);
    }
  armilla_runtime_stop (runtime);
  return ok ? ARMILLA_EXIT_DONE : ARMILLA_EXIT_FAILED;
}

static ArmillaExit
measure (char *const *traces)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = armilla_measure_rates (traces, &error);

  if (text == NULL)
    {
      armilla_say (error);
      return ARMILLA_EXIT_USAGE;
    }
  armilla_print (stdout, "%s", text);
  return ARMILLA_EXIT_DONE;
}

static ArmillaExit
run_plan (const PlanWords *plan)
{
  g_auto (ArmillaLoaded) loaded = { NULL, NULL };
  g_autoptr (GPtrArray) nodes = NULL;
  g_autoptr (GError) error = NULL;

  if (plan->measure)
    return measure (plan->files);
  if (armilla_runtime_launcher () != NULL)
    {
      armilla_refuse ("armilla plan: started by mpirun (%s is set); one process forecasts any "
                      "number of ranks", armilla_runtime_launcher ());
      return ARMILLA_EXIT_USAGE;
    }
  nodes = read_nodes (plan->nodes, &error);
  if (nodes != NULL)
    set_memory (nodes);
  if (nodes == NULL || !armilla_load (plan->files[0], &plan->overrides, &loaded, &error))
    {
      armilla_say (error);
      return ARMILLA_EXIT_USAGE;
    }
  armilla_print (stderr, "%s", armilla_registry_warnings (loaded.registry));
  return forecast (plan, loaded.workflow, nodes);
}

ArmillaExit
armilla_command_plan (char **words)
{
  PlanWords plan = { 0 };
  ArmillaExit status = ARMILLA_EXIT_USAGE;

  if (parse_plan_words (words, &plan))
    status = run_plan (&plan);
  g_strfreev (plan.overrides.set);
  g_strfreev (plan.overrides.define);
  g_strfreev (plan.files);
  g_free (plan.nodes);
  return status;
}
