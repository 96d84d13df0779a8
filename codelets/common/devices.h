/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queries of the machine's GPUs and of the caller's streams, by CUDA and without StarPU. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

int armilla_cuda_device_count (void);
char *armilla_cuda_device_names (void);
char *armilla_cuda_device_place (int device);
int armilla_cuda_current (void);
void armilla_cuda_make_current (int device);
int armilla_cuda_find (int device, const void *memory, char **problem);
char *armilla_cuda_wait (int device, void *stream);

G_END_DECLS
