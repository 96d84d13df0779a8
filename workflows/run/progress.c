/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workflows/run/progress.h"

#include "workflows/file/passes.h"

#include <stdio.h>
#include <unistd.h>

#include "core/base/printable.h"
#include "tasks/graph/graph.h"
#include "tasks/runtime/runtime.h"

#define INTERVAL (G_USEC_PER_SEC / 10)
#define MAX_PAUSE (60 * G_USEC_PER_SEC)
#define BAR_CELLS 24
#define MIN_CELLS 4
#define MIN_SHARE 0.02 /* fraction of the work from which on the remaining time is estimated */

struct _ArmillaProgress {
  ArmillaGraph *graph;
  ArmillaTally *tally;
  gboolean silent, log_time;
  gint64 start;
  double begin;  /* start of the run, s of armilla_runtime_seconds() */
  double before; /* s from the start of the program to the start of the run */
  int terminal;    /* file descriptor of the terminal with the bar; -1: no bar */
  GThread *thread; /* thread that prints the progress; NULL: none */
  gboolean draws;  /* whether the thread draws a bar */
  GMutex lock;     /* guards the following fields */
  GCond changed;
  gboolean stopped;
  gboolean all_submitted;
  double shown; /* largest fraction shown so far */
  gint64 index;
  const ArmillaWorkflow *workflow;
  gint64 n; /* number of realisations */
};

/* Reads the state of the run. The number of tasks is known when all are submitted, which may be
 * late. Until then the fraction of the work is estimated by the graph from the requests of the
 * realisations begun. */
static void
read_state (ArmillaProgress *self, ArmillaProgressState *state)
{
  gint64 submitted;

  armilla_graph_progress (self->graph, &state->n_done, &submitted);
  state->index = self->index;
  state->n = self->n;
  state->seconds = 1e-6 * (double) (g_get_monotonic_time () - self->start);
  if (self->all_submitted)
    state->share = (double) state->n_done / (double) MAX (submitted, 1);
  else
    state->share = armilla_graph_share (self->graph) * (double) MIN (self->index + 1, self->n)
                   / (double) self->n;
  /* The shown fraction does not decrease, although more work may become known. */
  state->share = self->shown = MAX (self->shown, state->share);
}

/* Appends the remaining time, estimated from a constant rate; nothing while the fraction is below
 * MIN_SHARE. */
static void
append_remaining (GString *line, double share, double seconds)
{
  const double left = seconds * (1 - share) / MAX (share, MIN_SHARE);

  if (share < MIN_SHARE || seconds < 1)
    return;
  if (left < 100)
    g_string_append_printf (line, ", about %.0f s left", left);
  else if (left < 100 * 60)
    g_string_append_printf (line, ", about %.0f min left", left / 60);
  else
    g_string_append_printf (line, ", about %.0f h left", left / 3600);
}

static void
append_state (const ArmillaProgress *self, GString *line, const ArmillaProgressState *now)
{
  const char *node = armilla_graph_at_work (self->graph);

  g_string_append_printf (line, "%3d%%", (int) (100 * now->share));
  if (self->n > 1)
    g_string_append_printf (line, "  realisation %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT,
                            MIN (now->index, self->n - 1), self->n);
  if (node != NULL)
    g_string_append_printf (line, "  [%s]", node);
  g_string_append_printf (line, "  %.0f s", now->seconds);
  append_remaining (line, now->share, now->seconds);
}

static void
draw_bar (ArmillaProgress *self)
{
  const int width = armilla_terminal_width (self->terminal);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GString) line = g_string_new ("[");
  ArmillaProgressState now;
  int cells;

  read_state (self, &now);
  append_state (self, text, &now);
  cells = CLAMP (width - 4 - (int) text->len, MIN_CELLS, BAR_CELLS);
  for (int i = 0; i < cells; i++)
    g_string_append_c (line, i < now.share * cells ? '#' : '-');
  g_string_append_printf (line, "] %s", text->str);
  if ((int) line->len >= width)
    g_string_truncate (line, MAX (width - 1, 0));
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

/* Prints a line 1 s, 3 s, 7 s ... after the start, from then on every minute. */
static gpointer
log_thread (gpointer data)
{
  ArmillaProgress *self = data;
  gint64 pause = G_USEC_PER_SEC, due = g_get_monotonic_time () + pause;

  g_mutex_lock (&self->lock);
  while (!self->stopped)
    {
      g_autoptr (GString) line = g_string_new (NULL);
      ArmillaProgressState now;

      if (g_cond_wait_until (&self->changed, &self->lock, due) || self->stopped)
        continue;
      read_state (self, &now);
      append_state (self, line, &now);
      armilla_log (TRUE, "%s\n", g_strchug (line->str));
      pause = MIN (2 * pause, MAX_PAUSE);
      due += pause;
    }
  g_mutex_unlock (&self->lock);
  return NULL;
}

static gint64 program_began; /* monotonic time, us; 0: unknown */

/* Must be called at the start of the program: the reported time of a run begins here. */
void
armilla_progress_program_begins (void)
{
  program_began = g_get_monotonic_time ();
}

/* Returns the seconds since armilla_progress_program_begins (); 0 if it was not called. */
double
armilla_progress_program_seconds (void)
{
  return program_began > 0 ? 1e-6 * (double) (g_get_monotonic_time () - program_began) : 0;
}

/* Returns the state of progress reports. @graph and @tally must outlive it. @log_time: print lines
 * with date and time, no bar. */
ArmillaProgress *
armilla_progress_new (const ArmillaWorkflow *workflow, ArmillaGraph *graph, ArmillaTally *tally,
                      gboolean silent, gboolean log_time)
{
  ArmillaProgress *self = g_new0 (ArmillaProgress, 1);

  self->workflow = workflow;
  self->n = armilla_workflow_n_realisations (workflow);
  self->graph = graph;
  self->tally = tally;
  self->silent = silent;
  self->log_time = log_time;
  self->terminal = -1;
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

      armilla_log (log_time, "%s\n", title);
    }
  if (!log_time)
    self->terminal = armilla_terminal_find ();
  if (!log_time && self->terminal < 0)
    return self;
  armilla_graph_watch (graph);
  /* Without the thread there are no reports; the run continues. */
  self->thread
    = g_thread_try_new ("progress", log_time ? log_thread : draw_thread, self, NULL);
  self->draws = self->thread != NULL && !log_time;
  return self;
}

static void
print_node (gboolean clock, const ArmillaNode *node, ArmillaData *const *outputs)
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
  armilla_log (clock, "%s\n", line->str);
}

/* Prints that a node was built; an ArmillaNodeVisitor. If there is no bar, prints one line per
 * node, in the first realisation only. */
void
armilla_progress_node (gpointer self, const ArmillaNode *node, gint64 pass,
                       ArmillaData *const *outputs)
{
  ArmillaProgress *progress = self;

  armilla_tally_node (progress->tally, node, pass, outputs);
  g_mutex_lock (&progress->lock);
  if (!progress->silent && !progress->draws
      && (progress->index == 0 || progress->index == progress->n))
    print_node (progress->log_time, node, outputs);
  g_mutex_unlock (&progress->lock);
}

/* Returns whether to report a realisation: the first ten, then every tenth up to 100, and so on. */
static gboolean
is_told (gint64 index)
{
  gint64 step = 1;

  while (step <= index / 10)
    step *= 10;
  return index % step == 0;
}

void
armilla_progress_realisation (ArmillaProgress *self, gint64 index)
{
  g_mutex_lock (&self->lock);
  self->index = index;
  if (!self->silent && !self->draws && index >= self->n)
    armilla_log (self->log_time, "after the last %s\n",
                 armilla_pass_kind (self->workflow, index) == ARMILLA_PASS_END ? "point"
                                                                               : "realisation");
  else if (!self->silent && !self->draws && self->n > 1 && is_told (index))
    armilla_log (self->log_time,
                 "realisation %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT "\n", index, self->n);
  g_mutex_unlock (&self->lock);
}

void
armilla_progress_all_submitted (ArmillaProgress *self)
{
  g_mutex_lock (&self->lock);
  self->all_submitted = TRUE;
  g_mutex_unlock (&self->lock);
}

void
armilla_progress_read (ArmillaProgress *self, ArmillaProgressState *state)
{
  g_mutex_lock (&self->lock);
  read_state (self, state);
  g_mutex_unlock (&self->lock);
}

void
armilla_watch_init (ArmillaWatch *self)
{
  g_mutex_init (&self->lock);
  self->progress = NULL;
  self->last = (ArmillaProgressState) { .share = -1 };
}

/* Sets the progress that the watch reads; must be called with NULL before that is freed. */
void
armilla_watch_set (ArmillaWatch *self, ArmillaProgress *progress)
{
  if (self == NULL)
    return;
  g_mutex_lock (&self->lock);
  if (self->progress)
    armilla_progress_read (self->progress, &self->last);
  self->progress = progress;
  g_mutex_unlock (&self->lock);
}

/* Reads the progress of the run; share is -1 before the run begins. After its end returns the last
 * state. Thread-safe. */
void
armilla_watch_read (ArmillaWatch *self, ArmillaProgressState *state)
{
  g_mutex_lock (&self->lock);
  if (self->progress)
    armilla_progress_read (self->progress, state);
  else
    *state = self->last;
  g_mutex_unlock (&self->lock);
}

void
armilla_watch_clear (ArmillaWatch *self)
{
  g_mutex_clear (&self->lock);
}

/* Prints the sizes of tiles, on which the last bits of results depend. */
static void
print_cuts (const ArmillaProgress *self)
{
  g_autofree char *text = armilla_graph_cuts (self->graph);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (char **line = lines; *line != NULL; line++)
    if (**line != '\0')
      armilla_log (self->log_time, "%s%s\n", strstr (*line, "table ") ? "" : "tiles of ", *line);
}

static void
print_end (const ArmillaProgress *self)
{
  g_autofree char *choices = armilla_graph_choices (self->graph);
  g_autofree char *files = armilla_tally_text (self->tally);

  print_cuts (self);
  armilla_log (self->log_time, "%s", choices);
  armilla_log (self->log_time, "%s", files);
  armilla_log (self->log_time, "done in %.2f s\n",
               self->before + armilla_runtime_seconds () - self->begin);
}

/* Removes the bar, and prints the sizes of tiles, the files read and written, and the time since
 * the start of the program. @done: whether the run succeeded. */
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
    print_end (self);
  if (self->terminal >= 0)
    close (self->terminal); /* no data can be lost: nothing is buffered */
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
  g_free (self);
}
