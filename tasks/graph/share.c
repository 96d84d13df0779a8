/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much of what was asked for is submitted, for those who show it. What a job takes is reckoned
 * from the shapes of its data alone, and counts against other jobs only. */
#include "config.h"

#include "tasks/graph/share.h"

/* Operations that a number of data takes on its way through a job that is no transform. */
#define EACH 16

/* The transforms that a job is made of; 0: it is none. */
static int
count_transforms (const ArmillaJob *job)
{
  if (job->in[0] && job->out && ARMILLA_IS_MAP (job->in[0]) && ARMILLA_IS_ALM (job->out))
    return 1 + 2 * MAX (job->count, 0);
  return job->in[0] && job->out && ARMILLA_IS_ALM (job->in[0]) && ARMILLA_IS_MAP (job->out);
}

static double
work_of_transform (ArmillaAlm *alm, ArmillaMap *map)
{
  const ArmillaAlmLayout layout = armilla_alm_layout (alm);

  return 4.0 * (double) (layout.lmax + 1) * (double) (layout.mmax + 1)
         * (double) armilla_map_grid (map)->n_rings * armilla_map_n_fields (map);
}

/**
 * armilla_job_work:
 * @job: a job
 *
 * Returns: about how many operations its tasks will take, to be compared with other jobs
 */
double
armilla_job_work (const ArmillaJob *job)
{
  const int n = count_transforms (job);
  double work = 1;

  if (n > 0 && ARMILLA_IS_MAP (job->out))
    return n * work_of_transform (ARMILLA_ALM (job->in[0]), ARMILLA_MAP (job->out));
  if (n > 0)
    return n * work_of_transform (ARMILLA_ALM (job->out), ARMILLA_MAP (job->in[0]));
  for (int i = 0; i < ARMILLA_JOB_INPUTS; i++)
    if (job->in[i])
      work += EACH / 8.0 * armilla_data_bytes (job->in[i]);
  return job->out ? work + EACH / 8.0 * armilla_data_bytes (job->out) : work;
}

/**
 * armilla_graph_job_begins:
 * @graph: a graph
 * @jobs: (array length=n): jobs whose tasks are submitted from now on
 * @n: how many
 */
void
armilla_graph_job_begins (ArmillaGraph *graph, ArmillaJob *const *jobs, int n)
{
  g_mutex_lock (&graph->lock);
  graph->work_now = 0;
  for (int i = 0; i < n; i++)
    graph->work_now += jobs[i]->work;
  graph->transforms_now = count_transforms (jobs[0]);
  graph->parts_now = 0;
  g_mutex_unlock (&graph->lock);
}

/**
 * armilla_graph_job_ends:
 * @graph: a graph
 *
 * What armilla_graph_job_begins() began is submitted.
 */
void
armilla_graph_job_ends (ArmillaGraph *graph)
{
  g_mutex_lock (&graph->lock);
  graph->work_submitted += graph->work_now;
  graph->work_now = 0;
  g_mutex_unlock (&graph->lock);
}

/**
 * armilla_graph_part_begins:
 * @graph: a graph
 * @n: of how many parts a transform, or another job that is done once, consists
 *
 * To be called before each of them is submitted, for those who want to know how far the job is.
 */
void
armilla_graph_part_begins (ArmillaGraph *graph, int n)
{
  g_mutex_lock (&graph->lock);
  graph->parts_now += 1.0 / n / MAX (graph->transforms_now, 1);
  g_mutex_unlock (&graph->lock);
}

/* documented in armilla/runtime.h */
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
