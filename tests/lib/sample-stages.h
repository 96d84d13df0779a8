/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <armilla/registry.h>

ArmillaRegistry *sample_registry_new (void);
