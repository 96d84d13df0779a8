/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests that no memory can hold are refused before the first task: StarPU would ask for memory
 * again and again, and the kernel would end the program. */
#include "workflows/run/memory.h"

#include <math.h>

#include <armilla/memory.h>

#define GIB (1024.0 * 1024.0 * 1024.0)

static double
alm_bytes (ArmillaData *data)
{
  if (data == NULL || !ARMILLA_IS_ALM (data))
    return 0;
  return 16.0 * (double) armilla_alm_count (armilla_alm_layout (ARMILLA_ALM (data)))
         * armilla_alm_n_fields (ARMILLA_ALM (data));
}

static double
cl_bytes (ArmillaData *data)
{
  if (data == NULL || !ARMILLA_IS_CL (data))
    return 0;
  return 8.0 * ((double) armilla_cl_lmax (ARMILLA_CL (data)) + 1)
         * armilla_cl_n_fields (ARMILLA_CL (data));
}

/* The least that a node needs while it runs: its a_lm and spectra, and the maps that it makes.
 * Those that it reads pass in pieces, unless a_lm are made of them. */
static double
least_bytes (ArmillaData *const *inputs, int n_inputs, ArmillaData *const *outputs, int n_outputs)
{
  double sum = 0, of_alm = 0;

  for (int i = 0; i < n_outputs; i++)
    {
      of_alm += alm_bytes (outputs[i]);
      sum += cl_bytes (outputs[i]) + armilla_map_bytes (outputs[i]);
    }
  for (int i = 0; i < n_inputs; i++)
    sum += alm_bytes (inputs[i]) + cl_bytes (inputs[i])
           + (of_alm > 0 ? armilla_map_bytes (inputs[i]) : 0);
  return sum + of_alm;
}

/**
 * armilla_memory_check:
 * @inputs: (array length=n_inputs): what a node reads, as described by prepare
 * @n_inputs: how many
 * @outputs: (array length=n_outputs): what it makes
 * @n_outputs: how many
 * @held: bytes beside its maps, a_lm and spectra
 * @memories: machines that share it, each taken to have as much memory as this one; below 1 where
 *   several ranks of this machine need as much each
 * @error: return location
 *
 * Returns: whether the machine can hold what the node needs at the least;
 *   %ARMILLA_ERROR_MEMORY otherwise
 */
gboolean
armilla_memory_check (ArmillaData *const *inputs, int n_inputs, ArmillaData *const *outputs,
                      int n_outputs, double held, double memories, GError **error)
{
  double need = least_bytes (inputs, n_inputs, outputs, n_outputs), there;

  if (!armilla_memory_there (&there, error))
    return FALSE;
  there *= memories;
  if (need + held <= there)
    return TRUE;
  if (held > need)
    {
      g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_MEMORY,
                   "needs at least %.1f GiB, and %.1f GiB are there for it; ask for less (fewer "
                   "objects, bins, patches or points), or use more memory (ARMILLA_MEMORY=SIZE if "
                   "there is more)", (need + held) / GIB, there / GIB);
      return FALSE;
    }
  /* Maps and a_lm grow with the square of both. */
  g_set_error (error, ARMILLA_ERROR, ARMILLA_ERROR_MEMORY,
               "needs at least %.1f GiB for its maps and a_lm, and %.1f GiB are there for it; "
               "lower lmax or nside (%d %% of them would fit), use more nodes "
               "(ARMILLA_MEMORY=SIZE if a node has more), or let tiles go to a disk "
               "(--memory SIZE)",
               (need + held) / GIB, there / GIB,
               (int) (100 * sqrt (MAX (there - held, 0) / need)));
  return FALSE;
}

/* Of a HEALPix map in NESTED order, what is held while its file is read (a column at a time) or
 * written: its pixels come ring by ring, and lie elsewhere in the file. */
static double
held_bytes (ArmillaData *data, gboolean all_fields)
{
  const ArmillaMapHeader *header;

  if (data == NULL || !ARMILLA_IS_MAP (data))
    return 0;
  header = armilla_map_header (ARMILLA_MAP (data));
  if (header->order != ARMILLA_ORDER_NESTED || header->partial)
    return 0;
  return (header->single ? 4.0 : 8.0) * (double) header->grid->n_pixels
         * (all_fields ? header->n_fields : 1);
}

/**
 * armilla_memory_held:
 * @inputs: (array length=n_inputs): what a node reads, as described by prepare
 * @n_inputs: how many
 * @outputs: (array length=n_outputs): what it makes
 * @n_outputs: how many
 *
 * Returns: bytes that a node that reads or writes a file holds because of the order of its pixels
 */
double
armilla_memory_held (ArmillaData *const *inputs, int n_inputs, ArmillaData *const *outputs,
                     int n_outputs)
{
  if (n_outputs == 0 && n_inputs == 1)
    return held_bytes (inputs[0], TRUE);
  if (n_inputs == 0 && n_outputs == 1)
    return held_bytes (outputs[0], FALSE);
  return 0;
}
