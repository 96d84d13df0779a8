/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codelets/common/isa.h"

#include <stdlib.h>
#include <string.h>

static const char *const isa_names[] = { "portable", "avx2", "avx512" };

/* Returns the name that the environment variable ARMILLA_ISA takes. */
const char *
armilla_isa_name (ArmillaIsa isa)
{
  return isa_names[isa];
}

ArmillaIsa
armilla_isa_detect (void)
{
  const char *wanted = getenv ("ARMILLA_ISA");
  ArmillaIsa isa = ARMILLA_ISA_PORTABLE;

#ifdef HAVE_X86_KERNELS
  __builtin_cpu_init ();
  if (__builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("fma"))
    {
      isa = ARMILLA_ISA_AVX2;
      if (__builtin_cpu_supports ("avx512f") && __builtin_cpu_supports ("avx512dq"))
        isa = ARMILLA_ISA_AVX512;
    }
#endif
  for (ArmillaIsa i = ARMILLA_ISA_PORTABLE; wanted && i < isa; i++)
    if (strcmp (wanted, isa_names[i]) == 0)
      isa = i;
  return isa;
}
