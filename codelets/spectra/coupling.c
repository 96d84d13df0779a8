/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/spectra/coupling.h"

#include <string.h>

#include "codelets/spectra/coupling-cpu.h"
#include "codelets/spectra/coupling-math.h"

#define FOUR_PI 12.566370614359172953850573533118L

int64_t
armilla_coupling_table_size (int64_t lmax, int64_t mask_lmax)
{
  return armilla_coupling_parts (lmax, mask_lmax).size;
}

void
armilla_coupling_table_cpu (int64_t lmax, int64_t mask_lmax, const double *spectrum, double *table)
{
  const ArmillaCouplingParts parts = armilla_coupling_parts (lmax, mask_lmax);
  long double c = 1;

  memset (table, 0, sizeof (double) * (size_t) parts.size);
  for (int64_t n = 0; n <= 2 * lmax; n++)
    {
      const long double e = (long double) (2 * n + 1) * c;

      if (n <= lmax)
        {
          table[parts.c + n] = (double) c;
          table[parts.e + n] = (double) e;
        }
      table[parts.even_g + n] = (double) (1 / e);
      table[parts.odd_g + n] = (double) ((long double) (n + 1) / (2 * e));
      c *= (long double) (2 * n + 1) / (long double) (2 * n + 2);
    }
  for (int64_t l = 0; l <= mask_lmax; l++)
    table[(l % 2 ? parts.odd_l : parts.even_l) + l / 2]
      = (double) ((long double) (2 * l + 1) * (long double) spectrum[l] / FOUR_PI);
}

void
armilla_coupling_cpu (const ArmillaCouplingShape *shape, const double *table, double *below,
                      double *above)
{
  ArmillaCouplingKernel *const run = ARMILLA_FOR_ISA (shape->isa, armilla_coupling);

  run (shape, table, below, above);
}
