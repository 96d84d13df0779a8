/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Divides the cores of a machine among its ranks. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define ARMILLA_CORE_WORDS 16
#define ARMILLA_MAX_CPUS (64 * ARMILLA_CORE_WORDS)

/* Claim that each rank sends to the others before its workers start; the same size on all ranks. */
typedef struct {
  char host[64]; /* name of the rank's machine */
  /* bit mask of the CPUs, as the kernel numbers them, that the rank may run on */
  guint64 cpus[ARMILLA_CORE_WORDS];
  gint32 chosen; /* whether the user chose the cores */
  gint32 wanted; /* number of cores that the user requested; 0: no request */
} ArmillaCoreClaim;

int armilla_core_share (const ArmillaCoreClaim *claims, int n_ranks, int rank,
                        const int *core_of_cpu, guint64 *cpus);

G_END_DECLS
