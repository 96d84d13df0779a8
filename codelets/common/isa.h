/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instruction sets of the CPU kernels. *-kernels.c are compiled once for each (codelets.mk); what
 * one of them defines is named by SIMD_NAME () of simd.h, declared by ARMILLA_EACH_ISA () and
 * chosen by ARMILLA_FOR_ISA (). */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* Instruction sets of the CPU kernels. All ranks of a run use the same. */
typedef enum { ARMILLA_ISA_PORTABLE, ARMILLA_ISA_AVX2, ARMILLA_ISA_AVX512 } ArmillaIsa;

ArmillaIsa armilla_isa_detect (void); /* best of this machine; ARMILLA_ISA overrides downwards */
const char *armilla_isa_name (ArmillaIsa isa);

/* The declarators of @name for all instruction sets. */
#define ARMILLA_EACH_ISA(name) name##_portable, name##_avx2, name##_avx512

/* The address of @name, a function or a table of functions, for an instruction set that
 * armilla_isa_detect () allows. */
#ifdef HAVE_X86_KERNELS
# define ARMILLA_FOR_ISA(isa, name)                                                               \
  ((isa) == ARMILLA_ISA_AVX512 ? &name##_avx512                                                   \
   : (isa) == ARMILLA_ISA_AVX2 ? &name##_avx2 : &name##_portable)
#else
# define ARMILLA_FOR_ISA(isa, name) ((void) (isa), &name##_portable)
#endif

#ifdef __cplusplus
}
#endif
