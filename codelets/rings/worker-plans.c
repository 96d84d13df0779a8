/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "codelets/rings/worker-plans.h"

struct _ArmillaWorkerPlans {
#ifdef HAVE_CUDA
  ArmillaCudaFftPlans *worker[STARPU_NMAXWORKERS]; /* one per worker, NULL for CPU workers */
#endif
  gint64 n_blocks; /* number of ring blocks added so far, the same for every worker */
};

#ifdef HAVE_CUDA
typedef struct {
  ArmillaWorkerPlans *plans;
  int n_blocks;
  const ArmillaRingShape *shapes;
  const ArmillaRingSlot *const *slots;
  gint64 length, batch; /* transforms of a plan other than those of ring blocks; 0: none */
  GMutex lock; /* guards the following fields: several workers add plans at once */
  gsize scratch;
  ArmillaCudaMessage message; /* message of the first failure */
} AddJob;

static void
add_on_worker (void *data)
{
  AddJob *job = data;
  int id = starpu_worker_get_id ();
  ArmillaCudaMessage message = { "" };
  gsize scratch = 0;

  if (!job->plans->worker[id])
    job->plans->worker[id] = armilla_cuda_fft_plans_new ();
  if (!job->plans->worker[id])
    g_strlcpy (message.text, "out of memory", sizeof message.text);
  if (message.text[0] == '\0' && job->length > 0)
    armilla_cuda_fft_plans_add_length (job->plans->worker[id], job->length, job->batch, &scratch,
                                       &message);
  for (int b = 0; message.text[0] == '\0' && b < job->n_blocks; b++)
    {
      int64_t block;

      if (armilla_cuda_fft_plans_add (job->plans->worker[id], &job->shapes[b], job->slots[b],
                                      &block, &message)
          != cudaSuccess)
        break;
      scratch = MAX (scratch, armilla_cuda_fft_plans_scratch (job->plans->worker[id], block));
    }
  g_mutex_lock (&job->lock);
  job->scratch = MAX (job->scratch, scratch);
  if (job->message.text[0] == '\0')
    job->message = message;
  g_mutex_unlock (&job->lock);
}

static gboolean
add_on_all (AddJob *job, const char *what, gint64 *scratch, GError **error)
{
  if (starpu_cuda_worker_get_count () == 0)
    return TRUE;
  g_mutex_init (&job->lock);
  starpu_execute_on_each_worker (add_on_worker, job, STARPU_CUDA);
  g_mutex_clear (&job->lock);
  if (job->message.text[0] != '\0')
    return armilla_fail (error, ARMILLA_ERROR_CUDA, "planning %s on the GPU failed: %s", what,
                         job->message.text);
  *scratch = (gint64) ((job->scratch + sizeof (double) - 1) / sizeof (double));
  return TRUE;
}

static void
free_on_worker (void *data)
{
  ArmillaWorkerPlans *plans = data;
  int id = starpu_worker_get_id ();

  g_clear_pointer (&plans->worker[id], armilla_cuda_fft_plans_free);
}

/* Returns the plans of the worker that runs this task. */
ArmillaCudaFftPlans *
armilla_worker_plans_mine (ArmillaWorkerPlans *plans)
{
  return plans->worker[starpu_worker_get_id ()];
}
#endif

ArmillaWorkerPlans *
armilla_worker_plans_new (void)
{
  return g_new0 (ArmillaWorkerPlans, 1);
}

/* Makes the plans of ring blocks on every CUDA worker and waits until they are made. first_block
 * becomes the number by which kernels refer to the first block (the others have consecutive
 * numbers), scratch the number of doubles that the largest block needs on a GPU. */
gboolean
armilla_worker_plans_add (ArmillaWorkerPlans *plans, int n_blocks, const ArmillaRingShape *shapes,
                          const ArmillaRingSlot *const *slots, gint64 *first_block,
                          gint64 *scratch, GError **error)
{
  *first_block = plans->n_blocks;
  *scratch = 0;
  plans->n_blocks += n_blocks;
#ifdef HAVE_CUDA
  AddJob job = { .plans = plans, .n_blocks = n_blocks, .shapes = shapes, .slots = slots };

  return add_on_all (&job, "the rings", scratch, error);
#else
  (void) shapes;
  (void) slots;
  (void) error;
  return TRUE;
#endif
}

/* Makes the plan of @batch transforms of a length on every CUDA worker and waits until it is made;
 * scratch becomes the number of doubles of its work area. */
gboolean
armilla_worker_plans_add_length (ArmillaWorkerPlans *plans, gint64 length, gint64 batch,
                                 gint64 *scratch, GError **error)
{
  *scratch = 0;
#ifdef HAVE_CUDA
  AddJob job = { .plans = plans, .length = length, .batch = batch };

  return add_on_all (&job, "a circle", scratch, error);
#else
  (void) plans;
  (void) length;
  (void) batch;
  (void) error;
  return TRUE;
#endif
}

void
armilla_worker_plans_free (ArmillaWorkerPlans *plans)
{
#ifdef HAVE_CUDA
  if (starpu_cuda_worker_get_count () > 0)
    starpu_execute_on_each_worker (free_on_worker, plans, STARPU_CUDA);
#endif
  g_free (plans);
}
