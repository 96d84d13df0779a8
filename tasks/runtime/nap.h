/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <starpu.h>

struct starpu_sched_policy *armilla_nap_policy (const char *name);
