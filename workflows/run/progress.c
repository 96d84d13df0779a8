/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workflows/run/progress.h"

#include "workflows/file/passes.h"

#include <armilla/runtime.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "core/base/printable.h"

#define INTERVAL (G_USEC_PER_SEC / 10)
#define BAR_CELLS 24

struct _ArmillaProgress {
  ArmillaGraph *graph;
  ArmillaTally *tally;
  gboolean silent;
  gint64 start;
  double begin;  /* s, of the machine that computes */
  double before; /* s from the start of the program until then */
  GThread *thread; /* draws the bar; NULL when there is none */
  GMutex lock;     /* guards what follows */
  GCond changed;
  gboolean stopped;
  gboolean all_submitted;
  gint64 index;
  gint64 n; /* realisations */
};

static int
terminal_width (void)
{
  struct winsize size;

  return ioctl (STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/* How many tasks there will be is known when the last one is submitted, and that is late where
 * submission waits for memory. Until then only whole realisations count. */
static void
read_state (ArmillaProgress *self, ArmillaProgressState *state)
{
  gint64 submitted;

  armilla_graph_progress (self->graph, &state->n_done, &submitted);
  state->index = self->index;
  state->seconds = 1e-6 * (double) (g_get_monotonic_time () - self->start);
  if (self->all_submitted)
    state->share = (double) state->n_done / (double) MAX (submitted, 1);
  else if (self->n > 1)
    state->share = (double) self->index / (double) self->n;
  else
    state->share = -1;
}

/* The bar of a single realisation shows that something moves, and how much was done. */
static void
draw_bar (ArmillaProgress *self)
{
  g_autoptr (GString) line = g_string_new ("[");
  ArmillaProgressState now;
  int moving;

  read_state (self, &now);
  moving = (int) (now.seconds * G_USEC_PER_SEC / INTERVAL) % BAR_CELLS;
  for (int i = 0; i < BAR_CELLS; i++)
    {
      gboolean full = now.share >= 0 ? i < now.share * BAR_CELLS : i == moving;

      g_string_append_c (line, full ? '#' : '-');
    }
  g_string_append (line, "]");
  if (now.share >= 0)
    g_string_append_printf (line, " %3d%%", (int) (100 * now.share));
  if (self->n > 1)
    g_string_append_printf (line, "  realisation %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT,
                            MIN (now.index, self->n - 1), self->n);
  g_string_append_printf (line, "  %" G_GINT64_FORMAT " tasks done  %.0f s", now.n_done,
                          now.seconds);
  if ((int) line->len >= terminal_width ())
    g_string_truncate (line, MAX (terminal_width () - 1, 0));
  fprintf (stderr, "\r%s\033[K", line->str);
  fflush (stderr);
}

static gpointer
draw_thread (gpointer data)
{
  ArmillaProgress *self = data;

  g_mutex_lock (&self->lock);
  while (!self->stopped)
    {
      draw_bar (self);
      g_cond_wait_until (&self->changed, &self->lock, g_get_monotonic_time () + INTERVAL);
    }
  fputs ("\r\033[K", stderr);
  fflush (stderr);
  g_mutex_unlock (&self->lock);
  return NULL;
}

static gint64 program_began; /* us; 0: nobody has said when */

/**
 * armilla_progress_program_begins:
 *
 * To be called first of all: the time that a run says it took begins now.
 */
void
armilla_progress_program_begins (void)
{
  program_began = g_get_monotonic_time ();
}

/**
 * armilla_progress_program_seconds:
 *
 * Returns: s since armilla_progress_program_begins(); 0 where it was not called
 */
double
armilla_progress_program_seconds (void)
{
  return program_began > 0 ? 1e-6 * (double) (g_get_monotonic_time () - program_began) : 0;
}

/**
 * armilla_progress_new:
 * @workflow: what is run
 * @graph: the graph it is run in; must outlive the progress
 * @tally: where what nodes read is counted; must outlive the progress
 * @silent: whether to say nothing
 *
 * Returns: (transfer full): the progress of a run that begins now
 */
ArmillaProgress *
armilla_progress_new (const ArmillaWorkflow *workflow, ArmillaGraph *graph, ArmillaTally *tally,
                      gboolean silent)
{
  ArmillaProgress *self = g_new0 (ArmillaProgress, 1);
  const char *term = g_getenv ("TERM");

  self->n = armilla_workflow_n_realisations (workflow);
  self->graph = graph;
  self->tally = tally;
  self->silent = silent;
  self->start = g_get_monotonic_time ();
  self->begin = armilla_runtime_seconds ();
  self->before = armilla_progress_program_seconds ();
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  if (silent)
    return self;
  if (workflow->title != NULL)
    {
      g_autofree char *title = armilla_printable (workflow->title, FALSE);

      armilla_print (stderr, "%s\n", title);
    }
  /* Without a thread (none can be made) the run goes on; it is only told in lines. */
  if (isatty (STDERR_FILENO) && g_strcmp0 (term, "dumb") != 0)
    self->thread = g_thread_try_new ("progress", draw_thread, self, NULL);
  return self;
}

static void
print_node (const ArmillaNode *node, ArmillaData *const *outputs)
{
  g_autoptr (GString) line = g_string_new (NULL);
  gboolean first = TRUE;

  g_string_append_printf (line, "[%s] %s", node->name, node->klass->nick);
  for (int i = 0; i < node->n_outputs; i++)
    {
      g_autofree char *text = outputs[i] != NULL ? armilla_data_describe (outputs[i]) : NULL;

      if (text == NULL)
        continue;
      g_string_append_printf (line, "%s %s", first ? " ->" : ";", text);
      first = FALSE;
    }
  armilla_print (stderr, "%s\n", line->str);
}

/**
 * armilla_progress_node:
 * @self: (type ArmillaProgress): the progress
 * @node: a node that was built
 * @pass: number of the pass
 * @outputs: its outputs
 *
 * Tells about a node; an #ArmillaNodeVisitor. Without a terminal each node gets one line, in the
 * first realisation only.
 */
void
armilla_progress_node (gpointer self, const ArmillaNode *node, gint64 pass,
                       ArmillaData *const *outputs)
{
  ArmillaProgress *progress = self;

  armilla_tally_node (progress->tally, node, pass, outputs);
  g_mutex_lock (&progress->lock);
  if (!progress->silent && progress->thread == NULL
      && (progress->index == 0 || progress->index == progress->n))
    print_node (node, outputs);
  g_mutex_unlock (&progress->lock);
}

/**
 * armilla_progress_realisation:
 * @self: the progress
 * @index: number of the realisation that begins now
 */
void
armilla_progress_realisation (ArmillaProgress *self, gint64 index)
{
  g_mutex_lock (&self->lock);
  self->index = index;
  if (!self->silent && self->thread == NULL && index >= self->n)
    fprintf (stderr, "after the last realisation\n");
  else if (!self->silent && self->thread == NULL && self->n > 1)
    fprintf (stderr, "realisation %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT "\n", index,
             self->n);
  g_mutex_unlock (&self->lock);
}

/**
 * armilla_progress_all_submitted:
 * @self: the progress
 *
 * Says that no more tasks will come.
 */
void
armilla_progress_all_submitted (ArmillaProgress *self)
{
  g_mutex_lock (&self->lock);
  self->all_submitted = TRUE;
  g_mutex_unlock (&self->lock);
}

/**
 * armilla_progress_read:
 * @self: the progress
 * @state: (out caller-allocates): how far the run is
 */
void
armilla_progress_read (ArmillaProgress *self, ArmillaProgressState *state)
{
  g_mutex_lock (&self->lock);
  read_state (self, state);
  g_mutex_unlock (&self->lock);
}

/**
 * armilla_watch_init:
 * @self: (out caller-allocates): a watch that sees nothing yet
 */
void
armilla_watch_init (ArmillaWatch *self)
{
  g_mutex_init (&self->lock);
  self->progress = NULL;
}

/**
 * armilla_watch_set:
 * @self: (nullable): a watch
 * @progress: (nullable): what it sees from now on; %NULL before that is freed
 */
void
armilla_watch_set (ArmillaWatch *self, ArmillaProgress *progress)
{
  if (self == NULL)
    return;
  g_mutex_lock (&self->lock);
  self->progress = progress;
  g_mutex_unlock (&self->lock);
}

/**
 * armilla_watch_read:
 * @self: a watch
 * @state: (out caller-allocates): how far the run is
 *
 * May be called in any thread.
 *
 * Returns: whether there is a run to be seen
 */
gboolean
armilla_watch_read (ArmillaWatch *self, ArmillaProgressState *state)
{
  gboolean there;

  g_mutex_lock (&self->lock);
  there = self->progress != NULL;
  if (there)
    armilla_progress_read (self->progress, state);
  g_mutex_unlock (&self->lock);
  return there;
}

/**
 * armilla_watch_clear:
 * @self: a watch of no run
 */
void
armilla_watch_clear (ArmillaWatch *self)
{
  g_mutex_clear (&self->lock);
}

/* The tiles decide on the last bits of a result: how they were chosen belongs into the report. */
static void
print_cuts (ArmillaGraph *graph)
{
  g_autofree char *text = armilla_graph_cuts (graph);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (char **line = lines; *line != NULL; line++)
    if (**line != '\0')
      armilla_print (stderr, "%s%s\n", strstr (*line, "table ") ? "" : "tiles of ", *line);
}

static void
print_choices (ArmillaGraph *graph)
{
  g_autofree char *text = armilla_graph_choices (graph);

  armilla_print (stderr, "%s", text);
}

static void
print_tally (const ArmillaTally *tally)
{
  g_autofree char *text = armilla_tally_text (tally);

  armilla_print (stderr, "%s", text);
}

/**
 * armilla_progress_free:
 * @self: (transfer full): the progress
 * @done: whether the run went well
 *
 * Ends the bar; the last lines say how data were cut into tiles, what was read and written, and how
 * long the run took from the start of the program on.
 */
void
armilla_progress_free (ArmillaProgress *self, gboolean done)
{
  if (self->thread != NULL)
    {
      g_mutex_lock (&self->lock);
      self->stopped = TRUE;
      g_cond_signal (&self->changed);
      g_mutex_unlock (&self->lock);
      g_thread_join (self->thread);
    }
  if (done && !self->silent)
    {
      print_cuts (self->graph);
      print_choices (self->graph);
      print_tally (self->tally);
      fprintf (stderr, "done in %.2f s\n",
               self->before + armilla_runtime_seconds () - self->begin);
    }
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
  g_free (self);
}
