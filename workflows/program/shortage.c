/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory that cannot be had. Many libraries do not look whether they got what they asked for: they
 * crash later, or a thread that waits for one that gave up waits for ever. So the C library's
 * functions are called by way of these: where not even a small block is left, the program ends at
 * once and says so. Who asks for much may have a way out (less of it, a message that says what it
 * is for), and is told as ever; that it was so is kept for whoever has to say why the program
 * ended. The same of threads.
 *
 * The functions behind these are those that any other program would call, be they of a library that
 * is preloaded. */
#include "config.h"

#include "workflows/program/shortage.h"

#include <dlfcn.h>
#include <errno.h>
#include <glib.h>
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>

#include "workflows/program/guard.h"

#define SMALL (1 << 20) /* bytes */

static const char *shortage; /* atomic */

/**
 * armilla_shortage:
 *
 * Returns: (nullable): what could not be had at least once; %NULL: there was no want
 */
const char *
armilla_shortage (void)
{
  return g_atomic_pointer_get (&shortage);
}

#ifndef __SANITIZE_ADDRESS__ /* which has its own functions, and ends the program, too */

static const char *const no_memory
  = "out of memory; lower nside or lmax, or use a machine with more";

/* Declares the function of this name that would be called if there were none here. */
#define NEXT(type, name, parameters)                                                               \
  static type (*next) parameters;                                                                  \
  if (G_UNLIKELY (next == NULL))                                                                   \
    *(void **) &next = dlsym (RTLD_NEXT, name)

static void
note (size_t size)
{
  if (size < SMALL)
    armilla_guard_end (no_memory);
  g_atomic_pointer_set (&shortage, no_memory);
}

void *
malloc (size_t size)
{
  NEXT (void *, "malloc", (size_t));
  void *at = next (size);

  if (G_UNLIKELY (at == NULL) && size > 0)
    note (size);
  return at;
}

void *
calloc (size_t n, size_t size)
{
  NEXT (void *, "calloc", (size_t, size_t));
  void *at = next (n, size);

  if (G_UNLIKELY (at == NULL) && n > 0 && size > 0)
    note (n > SMALL ? SMALL : n * size);
  return at;
}

void *
realloc (void *old, size_t size)
{
  NEXT (void *, "realloc", (void *, size_t));
  void *at = next (old, size);

  if (G_UNLIKELY (at == NULL) && size > 0)
    note (size);
  return at;
}

/* Blocks that begin at such places are those of numbers: who asks for them looks. */
int
posix_memalign (void **at, size_t alignment, size_t size)
{
  NEXT (int, "posix_memalign", (void **, size_t, size_t));
  int status = next (at, alignment, size);

  if (G_UNLIKELY (status == ENOMEM))
    g_atomic_pointer_set (&shortage, no_memory);
  return status;
}

void *
memalign (size_t alignment, size_t size)
{
  NEXT (void *, "memalign", (size_t, size_t));
  void *at = next (alignment, size);

  if (G_UNLIKELY (at == NULL) && size > 0)
    g_atomic_pointer_set (&shortage, no_memory);
  return at;
}

void *
aligned_alloc (size_t alignment, size_t size)
{
  NEXT (void *, "aligned_alloc", (size_t, size_t));
  void *at = next (alignment, size);

  if (G_UNLIKELY (at == NULL) && size > 0)
    g_atomic_pointer_set (&shortage, no_memory);
  return at;
}

int
pthread_create (pthread_t *thread, const pthread_attr_t *attributes, void *(*run) (void *),
                void *user)
{
  NEXT (int, "pthread_create",
        (pthread_t *, const pthread_attr_t *, void *(*) (void *), void *));
  int status = next (thread, attributes, run, user);

  if (G_UNLIKELY (status == EAGAIN || status == ENOMEM) && armilla_shortage () == NULL)
    g_atomic_pointer_set (&shortage,
                          "a thread cannot be made; the system allows no more (ulimit -u), or "
                          "memory is short");
  return status;
}

#endif
