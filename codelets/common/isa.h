/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instruction sets of the CPU kernels. Each *-kernels.c is compiled once per instruction set
 * (codelets.mk). It names its definitions by SIMD_NAME () of simd.h; ARMILLA_EACH_ISA () declares
 * all of them and ARMILLA_FOR_ISA () selects one. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* Instruction sets of the CPU kernels. All ranks of a run use the same one. */
typedef enum { ARMILLA_ISA_PORTABLE, ARMILLA_ISA_AVX2, ARMILLA_ISA_AVX512 } ArmillaIsa;

/* Returns the best instruction set that this machine and the kernels support. The environment
 * variable ARMILLA_ISA (portable, avx2, avx512) selects a lower one; a higher or unknown name is
 * ignored. */
ArmillaIsa armilla_isa_detect (void);
const char *armilla_isa_name (ArmillaIsa isa);

/* Declares @name for all instruction sets. */
#define ARMILLA_EACH_ISA(name) name##_portable, name##_avx2, name##_avx512

/* Evaluates to the address of @name, a function or a table of functions, for an instruction set
 * that armilla_isa_detect () allows. */
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
