/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "codelets/arrays/array-codelets.h"

#define SLOTS ARMILLA_BUFFER_OF (const ArmillaRingSlot, 1)
#define FIRST_PIXEL ARMILLA_BUFFER_OF (const int64_t, 2)

/* Returns the cost of a copy: each number is read once and written once. */
static ArmillaCost
copy_cost (const ArmillaArrayArgs *args)
{
  const double reals = args->n_rows > 0 ? args->rows[0].n_reals : 1;

  return (ArmillaCost) { 0, 16 * reals * (double) args->n_rows * (double) args->n };
}

ARMILLA_WRAPPERS (array_read, ArmillaArrayArgs, armilla_array_read, args->rows, args->n_rows,
                  args->first, args->n, ARMILLA_BUFFER (0))
ARMILLA_COST (array_read, ArmillaArrayArgs, copy_cost (args))
ArmillaCodelet armilla_array_read_cl = ARMILLA_CODELET (array_read, "1");

ARMILLA_WRAPPERS (array_write, ArmillaArrayArgs, armilla_array_write, args->rows, args->n_rows,
                  args->first, args->n, ARMILLA_BUFFER (0))
ARMILLA_COST (array_write, ArmillaArrayArgs, copy_cost (args))
ArmillaCodelet armilla_array_write_cl = ARMILLA_CODELET (array_write, "1");

ARMILLA_WRAPPERS (array_read_rings, ArmillaArrayArgs, armilla_array_read_rings, args->rows,
                  args->n_rows, args->n_slots, args->n, SLOTS, FIRST_PIXEL, ARMILLA_BUFFER (0))
ARMILLA_COST (array_read_rings, ArmillaArrayArgs, copy_cost (args))
ArmillaCodelet armilla_array_read_rings_cl = ARMILLA_CODELET (array_read_rings, "1");

ARMILLA_WRAPPERS (array_write_rings, ArmillaArrayArgs, armilla_array_write_rings, args->rows,
                  args->n_rows, args->n_slots, args->n, args->weighted, SLOTS, FIRST_PIXEL,
                  ARMILLA_BUFFER (0))
ARMILLA_COST (array_write_rings, ArmillaArrayArgs, copy_cost (args))
ArmillaCodelet armilla_array_write_rings_cl = ARMILLA_CODELET (array_write_rings, "1");
