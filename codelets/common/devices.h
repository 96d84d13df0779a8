/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine's GPUs, before StarPU is there to ask. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

int armilla_cuda_device_count (void);
char *armilla_cuda_device_names (void);
char *armilla_cuda_device_place (int device);

G_END_DECLS
