/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All public headers except armilla/codelet.h and armilla/task.h, which include starpu.h. */
#pragma once

#include <armilla/alm.h>
#include <armilla/arrays.h>
#include <armilla/catalogue.h>
#include <armilla/checkpoint.h>
#include <armilla/correlation.h>
#include <armilla/data.h>
#include <armilla/error.h>
#include <armilla/fault.h>
#include <armilla/graph.h>
#include <armilla/grid.h>
#include <armilla/harmonic.h>
#include <armilla/map-header.h>
#include <armilla/matrix.h>
#include <armilla/memory.h>
#include <armilla/output.h>
#include <armilla/pixels.h>
#include <armilla/quantity.h>
#include <armilla/runtime.h>
#include <armilla/stage.h>
#include <armilla/table.h>
#include <armilla/table-data.h>
#include <armilla/types.h>
#include <armilla/workflow-arrays.h>
