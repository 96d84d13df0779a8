/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parallel loops over rows of pictures. */
#include "plugins/pictures/sky-private.h"

#define MAX_THREADS 8

typedef struct {
  ArmillaRange work;
  gpointer user;
  gint64 n, piece;
  gint64 next; /* start of the next piece; guarded by @lock */
  GMutex lock;
} Loop;

static gpointer
run (gpointer data)
{
  Loop *loop = data;

  for (;;)
    {
      gint64 first;

      g_mutex_lock (&loop->lock);
      first = loop->next;
      loop->next = MIN (first + loop->piece, loop->n);
      g_mutex_unlock (&loop->lock);
      if (first >= loop->n)
        return NULL;
      loop->work (loop->user, first, MIN (loop->piece, loop->n - first));
    }
}

/* Calls @work for parts of 0..n-1, of at least @min_piece items, in several threads, and waits for
 * them. Works in the calling thread if no thread can be created. */
void
armilla_in_threads (gint64 n, gint64 min_piece, ArmillaRange work, gpointer user)
{
  Loop loop = { .work = work, .user = user, .n = n, .piece = MAX (min_piece, 1) };
  GThread *threads[MAX_THREADS] = { NULL };
  const gint64 wanted = MIN (MIN ((gint64) g_get_num_processors (), MAX_THREADS),
                             (n + loop.piece - 1) / loop.piece);

  g_mutex_init (&loop.lock);
  for (gint64 i = 1; i < wanted; i++)
    threads[i] = g_thread_try_new ("armilla-picture", run, &loop, NULL);
  run (&loop);
  for (gint64 i = 1; i < wanted; i++)
    if (threads[i] != NULL)
      g_thread_join (threads[i]);
  g_mutex_clear (&loop.lock);
}
