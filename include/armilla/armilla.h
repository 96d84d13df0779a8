/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/alm.h>
#include <armilla/benchmark.h>
#include <armilla/catalogue.h>
#include <armilla/convolve.h>
#include <armilla/coordinates.h>
#include <armilla/correlation.h>
#include <armilla/data.h>
#include <armilla/error.h>
#include <armilla/estimator.h>
#include <armilla/fields.h>
#include <armilla/fits.h>
#include <armilla/footprint.h>
#include <armilla/graph.h>
#include <armilla/grid.h>
#include <armilla/histogram.h>
#include <armilla/kernel.h>
#include <armilla/output.h>
#include <armilla/quantity.h>
#include <armilla/random.h>
#include <armilla/runtime.h>
#include <armilla/stage.h>
#include <armilla/table.h>
#include <armilla/trace.h>
#include <armilla/tuning.h>
