/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine's GPUs, and what others have queued on them. StarPU is not asked. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

int armilla_cuda_device_count (void);
char *armilla_cuda_device_names (void);
char *armilla_cuda_device_place (int device);
char *armilla_cuda_wait (int device, void *stream, const void *memory);

G_END_DECLS
