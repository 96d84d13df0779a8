/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranks of one machine divide its cores among themselves. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define ARMILLA_CORE_WORDS 16
#define ARMILLA_MAX_CPUS (64 * ARMILLA_CORE_WORDS)

/* What a rank tells the others before its workers start; the same size everywhere. */
typedef struct {
  char host[64]; /* name of its machine */
  /* the CPUs, as the kernel numbers them, that it may run on, a bit each */
  guint64 cpus[ARMILLA_CORE_WORDS];
  gint32 chosen; /* whether its user has said which cores it shall use */
  gint32 wanted; /* number of cores that its user has asked for; 0: none was named */
} ArmillaCoreClaim;

int armilla_core_share (const ArmillaCoreClaim *claims, int n_ranks, int rank,
                        const int *core_of_cpu, guint64 *cpus);

G_END_DECLS
