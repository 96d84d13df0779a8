/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rejects nodes that need more than all memory before the first task: StarPU would repeat the
 * allocation forever, or the kernel kill the process. */
#include "core/base/memory.h"
#include "workflows/run/realisation.h"

#include <math.h>

#define GIB (1024.0 * 1024.0 * 1024.0)

/* Returns the minimum memory of a node: the bytes of its data, without inputs that it reads piece
 * by piece. */
static double
min_bytes (ArmillaData *const *inputs, int n_inputs, ArmillaData *const *outputs, int n_outputs)
{
  gboolean gathers = FALSE;
  double sum = 0;

  for (int i = 0; i < n_outputs; i++)
    {
      gathers = gathers || ARMILLA_DATA_GET_CLASS (outputs[i])->gathers;
      sum += armilla_data_bytes (outputs[i]);
    }
  for (int i = 0; i < n_inputs; i++)
    if (inputs[i] != NULL && (gathers || !ARMILLA_DATA_GET_CLASS (inputs[i])->in_pieces))
      sum += armilla_data_bytes (inputs[i]);
  return sum;
}

/* Fails with ARMILLA_ERROR_MEMORY if a prepared node needs more memory than there is. @held: bytes
 * that it needs in addition to its data; @memories: number of machines like this one that share the
 * data; below 1 if several ranks of this machine need as much each. */
gboolean
armilla_memory_check (ArmillaData *const *inputs, int n_inputs, ArmillaData *const *outputs,
                      int n_outputs, double held, double memories, GError **error)
{
  double need = min_bytes (inputs, n_inputs, outputs, n_outputs), available;

  if (!armilla_memory_available (&available, error))
    return FALSE;
  available *= memories;
  if (need + held <= available)
    return TRUE;
  if (need == 0)
    return armilla_fail (error, ARMILLA_ERROR_MEMORY,
                         "needs at least %.1f GiB, but %.1f GiB are available; use fewer objects, "
                         "bins, patches or points, or more memory (ARMILLA_MEMORY=SIZE if there is "
                         "more)", (need + held) / GIB,
                         available / GIB);
  /* Data grow with the square of lmax and nside, so reducing these helps most. */
  return armilla_fail (error, ARMILLA_ERROR_MEMORY,
                       "needs at least %.1f GiB for its maps and a_lm, but %.1f GiB are available; "
                       "lower lmax or nside (to %d %%), use more nodes (ARMILLA_MEMORY=SIZE if a "
                       "node has more), or store tiles on a disk (--memory SIZE)",
                       (need + held) / GIB, available / GIB,
                       (int) (100 * sqrt (available / (need + held))));
}

/* Returns the bytes that reading or writing the file of a node needs in addition to its data. */
double
armilla_memory_held (ArmillaData *const *inputs, int n_inputs, ArmillaData *const *outputs,
                     int n_outputs)
{
  ArmillaData *data = n_outputs == 0 && n_inputs == 1   ? inputs[0]
                      : n_inputs == 0 && n_outputs == 1 ? outputs[0]
                                                        : NULL;

  return data != NULL ? ARMILLA_DATA_GET_CLASS (data)->held (data, n_outputs == 0) : 0;
}
