/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "workflows/trace/trace-reader.h"

G_BEGIN_DECLS

char *armilla_trace_table (const ArmillaTraceFile *file);

G_END_DECLS
