/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Estimates the fraction of the requested work that is submitted, for progress display. The work of
 * a job is estimated from the shapes of its data, in an arbitrary unit. */
#include "config.h"

#include "tasks/graph/share.h"

/* assumed operations per double of data, for jobs without an estimate */
#define EACH 16

/* Returns the estimated operations of a job. */
double
armilla_job_work (const ArmillaJob *job)
{
  double work = 1;

  if (job->work > 0)
    return job->work;
  for (int i = 0; i < ARMILLA_JOB_INPUTS; i++)
    if (job->in[i])
      work += EACH / 8.0 * armilla_data_bytes (job->in[i]);
  return job->out ? work + EACH / 8.0 * armilla_data_bytes (job->out) : work;
}

/* Must be called before the tasks of these jobs are submitted. */
void
armilla_graph_job_begins (ArmillaGraph *graph, ArmillaJob *const *jobs, int n)
{
  g_mutex_lock (&graph->lock);
  graph->work_now = 0;
  for (int i = 0; i < n; i++)
    graph->work_now += jobs[i]->work;
  graph->times_now = MAX (jobs[0]->times, 1);
  graph->parts_now = 0;
  g_mutex_unlock (&graph->lock);
}

/* Must be called after the tasks of armilla_graph_job_begins () were submitted. */
void
armilla_graph_job_ends (ArmillaGraph *graph)
{
  g_mutex_lock (&graph->lock);
  graph->work_submitted += graph->work_now;
  graph->work_now = 0;
  g_mutex_unlock (&graph->lock);
}

/* Must be called before each of @n equal parts of a job is submitted, for the estimate of
 * progress. */
void
armilla_graph_part_begins (ArmillaGraph *graph, int n)
{
  g_mutex_lock (&graph->lock);
  graph->parts_now += 1.0 / n / graph->times_now;
  g_mutex_unlock (&graph->lock);
}

double
armilla_graph_share (ArmillaGraph *graph)
{
  double submitted, asked, done;

  g_mutex_lock (&graph->lock);
  submitted = graph->work_submitted + graph->work_now * MIN (graph->parts_now, 1);
  asked = graph->work_asked;
  done = (double) graph->done / (double) MAX (graph->submitted, 1);
  g_mutex_unlock (&graph->lock);
  return asked > 0 ? MIN (submitted / asked, 1) * done : 0;
}
